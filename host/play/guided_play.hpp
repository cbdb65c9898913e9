// A helpmate by plan: the quick yes of most positions.
//
// The loser's king stays where it is, or walks to an edge first; a queen or rook of the winner is
// to mate it in a pattern found by geometry (in contact, or along a rank or file), another man
// comes to guard what the checker leaves open, the loser waits meanwhile. Without a queen or rook a
// pawn is promoted first. Where no plan works, some moves are made by chance and the next plan
// begins there.
//
// Every move is checked for legality when it is made and the mate when it is given: a yes is a line
// that was played, whatever the plan was. No answer means nothing.
#pragma once

#include <cstdint>

#include "host/play/scene.hpp"
#include "host/rules/movegen.hpp"

namespace cuarbiter {

// How often find() lets chance move where it is asked by rule.
inline constexpr unsigned kGuidedRounds = 200;

}  // namespace cuarbiter

CUARBITER_RULES_BEGIN

// Plain data, about 2 KiB, nothing is allocated. One object a thread.
class GuidedPlay {
 public:
  // Looks for a line in which the side to move (`us`), or the other side (!us), mates. The answer
  // depends on the question alone. `rounds`: how often chance is tried, 0 for the plans alone. A
  // position with one king a side. Some 0.3 microseconds where the first plan works, about two a
  // round.
  CUARBITER_HD bool find(const Position& position, bool us, unsigned rounds);

  // After find() returned true for the same position: appends the moves, each in the view of its
  // mover.
  template <class Line>
  void append_line(const Position& position, Line& line) const {
    Position p = position;
    // The winner moves last.
    bool winner = at_.plies % 2 != 0;
    for (int i = 0; i < at_.plies; ++i, winner = !winner) {
      const int mirror = winner ? 0 : 56;
      Move m;
      m.from = static_cast<Square>(line_[i].from ^ mirror);
      m.to = static_cast<Square>(line_[i].to ^ mirror);
      m.promotion = line_[i].promotion;
      if (code_at(p, m.from) == PieceType::pawn && m.to == m.from + 16) {
        m.kind = MoveKind::double_push;
      }
      line.push_back(m);
      p = make_move(p, m);
    }
  }

 private:
  static constexpr int kMostPlies = 80;
  static constexpr int kLongestWalk = 12;
  static constexpr int kMostPatterns = 24;

  // A way to mate the king at home.
  struct Pattern {
    PieceType type = PieceType::none;  // of the checker, which stands on `from`
    Bitboard from = 0;
    int at = 0;          // it mates from here
    Bitboard keep = 0;   // no man of the loser may get here but its king
    Bitboard open = 0;   // somebody must come to guard these
    bool shut = false;   // the checker cannot get there as things are
    bool taken = false;  // a man of the loser could take the checker and has to go away
  };
  // Places for a mate by a minor piece in a corner.
  struct Corner {
    PieceType minor, filler;
    Bitboard minor_from, filler_from;
    Bitboard fill;  // the square beside the king where the filler goes
    Bitboard at;    // the minor piece mates from one of these
    int corner, post;
  };
  class Assembly;
  struct Played {
    Square from, to;  // as the winner sees the board
    PieceType promotion;
  };
  struct State {
    Scene scene;
    Role turn = kWinner;
    bool checked = false;                // the side to move is in check
    bool taken = false;                  // a man of the loser may have to go away from the pattern
    std::uint8_t plies = 0;              // made so far
    std::uint8_t home = 0;               // where the loser's king is to be mated
    std::uint8_t step = 0;               // steps of the walk that are done
    std::uint8_t steps = 0;              // and how many there are
    PieceType waiter = PieceType::none;  // the loser's man that made the last waiting move
    Bitboard waits_at = 0;               // where it stands
    Bitboard waits_from = 0;             // where it came from, 0 when it must not go back
    Bitboard used = 0;                   // the winner's men that are needed where they are
    Bitboard avoid = 0;                  // squares that must stay empty
  };

  CUARBITER_HD_APART bool solve();
  CUARBITER_HD_APART bool patterns();
  CUARBITER_HD_APART Bitboard within_reach(PieceType type, Bitboard from) const;
  CUARBITER_HD_APART void contacts(PieceType type, Bitboard from, Bitboard reach, Bitboard guarded);
  CUARBITER_HD_APART void lines(PieceType type, Bitboard from, Bitboard reach, Bitboard guarded);
  CUARBITER_HD_APART void consider(const Pattern& pattern);
  CUARBITER_HD_APART bool attempt(const Pattern& pattern);
  CUARBITER_HD_APART bool bring_help(const Pattern& pattern);
  CUARBITER_HD_APART bool bring(const Pattern& pattern, PieceType type, const Square* path,
                                int steps);
  CUARBITER_HD_APART bool give_mate(const Pattern& pattern);
  CUARBITER_HD_APART bool unlock();
  CUARBITER_HD_APART bool promote();
  CUARBITER_HD_APART bool walk();
  CUARBITER_HD_APART bool hunt();
  CUARBITER_HD_APART bool cornered();
  CUARBITER_HD_APART int corners(Corner* list, int* costs, int most) const;
  CUARBITER_HD_APART bool assemble(const Corner& corner);
  CUARBITER_HD_APART bool loser_promotes();
  CUARBITER_HD_APART bool drift(std::uint64_t& random);

  CUARBITER_HD_APART bool play(PieceType type, Bitboard from, Bitboard to, PieceType becomes,
                               bool may_check = false);
  CUARBITER_HD_APART bool loser_waits(Bitboard keep);
  CUARBITER_HD_APART bool piece_waits(PieceType type, Bitboard men, Bitboard keep, Bitboard avoid);
  CUARBITER_HD_APART bool king_waits();
  CUARBITER_HD_APART bool king_escapes();
  CUARBITER_HD_APART bool winner_waits();

  State at_;
  Square path_[kLongestWalk];
  Pattern later_[kMostPatterns];
  int waiting_ = 0;  // patterns in later_
  bool found_ = false;
  int attempts_ = 0;
  Played line_[kMostPlies];
};

CUARBITER_RULES_END

#include "host/play/guided_corner.hpp"
#include "host/play/guided_moves.hpp"
#include "host/play/guided_patterns.hpp"
#include "host/play/guided_plans.hpp"
