#include "host/proof/shadow_proof.hpp"

#include <algorithm>

namespace cuarbiter {
namespace {

constexpr double kPawnRoom = 60;  // with what it may become
// Men are on the board from the start while the product of their rooms is no greater.
constexpr double kLockedUp = 64;

// The squares that a piece can get to while all others stand still.
Bitboard room_of(const Mobility::Man& man, const BoardView<Bitboard>& v) {
  const Bitboard own = man.role == kWinner ? v.us : v.them;
  const Bitboard empty = ~v.occupied | man.home, land = man.reach & ~own & ~v.kings();
  Bitboard room = man.home;
  for (Bitboard fresh = room; fresh;) {
    fresh = attacks_from(man.type, man.role, fresh, empty) & land & ~room;
    room |= fresh;
  }
  return room;
}

// The squares in front of a pawn of the loser, or many where no pawn is in its way.
double pawn_room(Bitboard pawn, const BoardView<Bitboard>& v) {
  double room = 1;
  for (Bitboard at = pawn >> 8; at; at >>= 8, ++room) {
    if (at & v.pawns()) return room;
  }
  return kPawnRoom;
}

}  // namespace

bool ShadowProof::excludes_mate(const Position& position, bool us, const Mobility& mobility,
                                std::uint32_t most, std::uint64_t total) {
  nodes_ = 0;
  find_candidates(position, us, mobility);
  choices_.clear();
  open_.clear();
  Bitboard shadows = 0;
  for (const Candidate& candidate : candidates_) shadows |= candidate.home;
  offer(shadows);
  double size = 1;
  for (const Candidate& candidate : candidates_) {
    size *= candidate.room;
    if (size > kLockedUp) break;
    shadows &= ~candidate.home;
    offer(shadows);
  }
  bool newest_first = true;
  while (!open_.empty() && nodes_ < total) {
    auto next = open_.end() - 1;
    if (!newest_first) {
      next = std::min_element(open_.begin(), open_.end(), [&](std::size_t x, std::size_t y) {
        return choices_[x].size < choices_[y].size;
      });
    }
    const Bitboard choice = choices_[*next].shadows;
    open_.erase(next);
    const bool proved = search_.excludes_mate(position, us, mobility, choice, most);
    nodes_ += search_.nodes();
    if (proved) return true;
    if (search_.nodes() > most) newest_first = false;
    for (auto it = candidates_.rbegin(); it != candidates_.rend(); ++it) {
      if (search_.blamed() & choice & it->home) offer(choice & ~it->home);
    }
  }
  return false;
}

void ShadowProof::find_candidates(const Position& position, bool us, const Mobility& mobility) {
  const BoardView<Bitboard> v = us ? view(position) : view(flipped(position));
  candidates_.clear();
  for (int i = 0; i < mobility.count(); ++i) {
    const Mobility::Man& man = mobility.man(i);
    if (man.king() || man.frozen()) continue;
    if (man.type != PieceType::pawn) {
      candidates_.push_back({man.home, static_cast<double>(popcount(room_of(man, v)))});
    } else if (man.role == kLoser && (man.reach & kRank1) && !(man.home >> 8 & v.occupied)) {
      candidates_.push_back({man.home, pawn_room(man.home, v)});
    }
  }
  std::stable_sort(candidates_.begin(), candidates_.end(),
                   [](const Candidate& x, const Candidate& y) { return x.room < y.room; });
}

void ShadowProof::offer(Bitboard shadows) {
  for (const Choice& choice : choices_) {
    if (choice.shadows == shadows) return;
  }
  double size = 1;
  for (const Candidate& candidate : candidates_) {
    if (!(candidate.home & shadows)) size *= candidate.room;
  }
  open_.push_back(choices_.size());
  choices_.push_back({shadows, size});
}

}  // namespace cuarbiter
