#include "host/pgn/judge.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <string_view>

#include "host/notation/fen.hpp"
#include "host/notation/san_text.hpp"
#include "host/pgn/game_line.hpp"
#include "host/pgn/san_lexer.hpp"
#include "host/pgn/termination.hpp"
#include "host/play/scene.hpp"
#include "host/proof/prover.hpp"
#include "host/rules/movegen.hpp"

namespace cuarbiter {
namespace {

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\0';
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

// Positions that a proof about a result may keep in one search.
constexpr std::uint32_t kProofNodes = 100'000;

class GameJudge {
 public:
  GameJudge(const Slab& slab, const GameBatch& batch, const RulesProfile& rules,
            std::vector<Finding>& out)
      : slab_(slab), batch_(batch), rules_(rules), out_(out) {}

  // Judges game number `index`; its text problems are [first, last).
  void judge(std::uint32_t index, const TextProblem* first, const TextProblem* last) {
    index_ = index;
    game_ = &batch_.games[index];
    line_.reset();
    const std::size_t begin = out_.size();
    const bool replayed = game_->replay != kNotReplayed;
    for (; first != last; ++first) text_problem(*first);
    if (replayed && verdict().noted) moves();
    if (replayed) {
      beyond_automatic_draws();
      tags_against_play();
    }
    result(replayed);
    if (out_.size() - begin > 1) {
      std::stable_sort(out_.begin() + static_cast<std::ptrdiff_t>(begin), out_.end(),
                       [](const Finding& x, const Finding& y) { return x.at < y.at; });
    }
  }

  // A text problem that belongs to no game of this batch.
  void outside(const TextProblem& problem) {
    game_ = nullptr;
    index_ = problem.game;
    text_problem(problem);
  }

 private:
  const GameVerdict& verdict() const { return batch_.replay.game_verdicts[game_->replay]; }
  const ReplaySegment& main_line() const {
    return batch_.replay.segments[batch_.replay.games[game_->replay].segment_begin];
  }
  std::string_view text(TextSpan span) const { return slab_.view(span.begin, span.end); }

  const GameLine& line() {
    if (!line_) line_ = std::make_unique<GameLine>(batch_, *game_);
    return *line_;
  }

  Finding& add(Code code, std::uint32_t at, std::string message) {
    Finding finding;
    finding.code = code;
    finding.severity = code_severity(code);
    finding.game = index_;
    finding.at = at;
    finding.message = std::move(message);
    out_.push_back(std::move(finding));
    return out_.back();
  }

  // The move text that begins at a slab position, cut off as the lexer does it.
  TextSpan move_span(std::uint32_t at) const {
    const char* text = slab_.text.data();
    SanToken token;
    if (const char* after = lex_canonical_san(text + at, token)) {
      return {at, static_cast<std::uint32_t>(after - text)};
    }
    const std::uint32_t limit = game_->text.end;
    std::uint32_t end = at + 1;
    if (text[at] == '<' && end < limit && text[end] == '>') return {at, end + 1};
    for (; end < limit && !is_space(text[end]); ++end) {
      if (std::strchr("{}();$[]<>*", text[end]) == nullptr) continue;
      if (text[end] != '(' || end + 2 >= limit || text[end + 2] != ')') break;
      end += 2;
    }
    while (end > at + 1 && (text[end - 1] == '!' || text[end - 1] == '?')) --end;
    return {at, end};
  }

  // What a record shows of a move that does not end: its first bytes.
  static TextSpan shown(TextSpan move) {
    constexpr std::uint32_t kMost = 255;
    return {move.begin, std::min(move.end, move.begin + kMost)};
  }

  static std::string quoted(std::string_view text) {
    constexpr std::size_t kMost = 40;
    std::string out = "\"";
    out += text.substr(0, kMost);
    out += text.size() > kMost ? "...\"" : "\"";
    return out;
  }

  void text_problem(const TextProblem& p) {
    std::string message;
    if (p.detail) {
      message = batch_.details[p.detail - 1];
    } else {
      message = describe(p);
    }
    Finding& finding = add(p.code, p.at, std::move(message));
    finding.severity = p.severity;
    finding.ply = p.ply;
    if (p.ply && p.length) {
      finding.move = shown({p.at, p.at + p.length});
      if (game_ && game_->replay != kNotReplayed) {
        const std::uint32_t token = line().token_at(p.at);
        const LinePoint* point = token == kNotReplayed ? nullptr : line().before(token);
        if (point) finding.fen = line().fen(*point);
      }
    }
  }

  std::string describe(const TextProblem& p) const {
    const std::string what = quoted(slab_.view(p.at, p.at + p.length));
    switch (p.code) {
      case Code::pgn_unexpected_token:
        return "unexpected text " + what;
      case Code::pgn_move_number:
        return "move number " + what + " does not fit the move that follows";
      case Code::pgn_reserved:
        return "text " + what + " in angle brackets, which are reserved";
      case Code::pgn_nag_glyph:
        return "symbol " + what + " where a NAG belongs";
      case Code::pgn_result_spelling:
        return "termination marker " + what + " is not spelled as the standard has it";
      case Code::san_castling:
        return "castling " + what + " is not written with the letter O";
      case Code::san_promotion:
        return "promotion " + what + " is not written with = and an upper-case letter";
      case Code::san_case:
        return "move " + what + " has letters of the wrong case";
      case Code::san_long:
        return "move " + what + " is in coordinate or long algebraic notation";
      case Code::san_figurine:
        return "move " + what + " has a chess symbol for its piece";
      case Code::san_pawn_letter:
        return "pawn move " + what + " begins with a letter for the pawn";
      case Code::san_en_passant:
        return "the mark " + what + " for en passant is not part of SAN";
      case Code::san_punctuation:
        return "move " + what + " has a mark of prose attached";
      case Code::san_check_suffix:
        return "the check sign in " + what + " is no + or # at the end of its move";
      default:
        return what;
    }
  }

  // ---- moves ----

  // Up to a number of errors and as many moves with warnings are told of one game.
  void moves() {
    constexpr std::uint32_t kMostOfAKind = 1000;
    std::uint32_t told[2] = {0, 0};
    const ReplayBatch& replay = batch_.replay;
    const ReplayGame& entry = replay.games[game_->replay];
    for (std::uint32_t s = 0; s < entry.segment_count; ++s) {
      const ReplaySegment& segment = replay.segments[entry.segment_begin + s];
      for (std::uint32_t i = 0; i < replay.plies_judged[entry.segment_begin + s]; ++i) {
        const std::uint8_t v = replay.verdicts[segment.token_begin + i];
        if (!v) continue;
        const unsigned outcome = v & kVerdictOutcomeMask;
        const bool error = outcome != kVerdictOk && outcome != kVerdictNullInLine;
        const std::uint32_t count = ++told[error ? 1 : 0];
        if (count > kMostOfAKind + 1) continue;
        move(segment.token_begin + i, segment.ply + i + 1, v);
        if (count <= kMostOfAKind) continue;
        out_.back().message = error ? "too many faulty moves in this game: the rest is not listed"
                                    : "too many moves with warnings: the rest is not listed";
      }
    }
  }

  void move(std::uint32_t token, std::uint32_t ply, std::uint8_t v) {
    const LinePoint* point = line().before(token);
    const TextSpan span = move_span(batch_.token_at[token]);
    const std::string what = quoted(text(span));
    const auto note = [&](Code code, std::string message) -> Finding& {
      Finding& finding = add(code, span.begin, std::move(message));
      finding.ply = ply;
      finding.move = shown(span);
      if (point) finding.fen = line().fen(*point);
      return finding;
    };
    switch (v & kVerdictOutcomeMask) {
      case kVerdictIllegal:
        note(Code::move_illegal, "illegal move " + what);
        return;
      case kVerdictAmbiguous:
        note(Code::move_ambiguous, "ambiguous move " + what + candidates(token, point));
        return;
      case kVerdictKingLeftInCheck:
        note(Code::move_king_left_in_check,
             "illegal move " + what +
                 (point && in_check(point->position) ? ": the king stays in check"
                                                     : ": it puts the own king in check"));
        return;
      case kVerdictAfterEnd:
        note(Code::move_after_end,
             "move " + what +
                 (point && in_check(point->position) ? " after checkmate" : " after stalemate"));
        return;
      case kVerdictUnreadable:
        note(Code::move_invalid, "unreadable move " + what);
        return;
      case kVerdictNullMove:
        note(Code::move_null, "null move " + what + ": a player must move").severity =
            Severity::error;
        return;
      case kVerdictNullInLine:
        note(Code::move_null, "null move " + what + " in a variation");
        break;
      default:
        break;
    }
    if (v & kVerdictAfterDead) {
      // The game was over (FIDE 5.2.2), but archives hold plenty of such moves: told, not blamed.
      note(Code::move_after_end, "move " + what + " after the position was dead").severity =
          Severity::warning;
    }
    if (!(v & (kVerdictCheckSuffix | kVerdictDisambiguation | kVerdictCapture))) return;
    const std::string should = ": export format is " + quoted(canonical(token, point));
    if (v & kVerdictCheckSuffix) note(Code::san_check_suffix, "check suffix of " + what + should);
    if (v & kVerdictDisambiguation) {
      note(Code::san_disambiguation, "disambiguation of " + what + should);
    }
    if (v & kVerdictCapture) note(Code::san_capture, "capture mark of " + what + should);
  }

  std::string canonical(std::uint32_t token, const LinePoint* point) const {
    if (!point) return {};
    const Match m = match_san(point->position, batch_.replay.tokens[token], point->black);
    return m.status == MatchStatus::ok ? san_text(point->position, m.move, point->black)
                                       : std::string();
  }

  // The legal moves that the token could mean.
  std::string candidates(std::uint32_t token, const LinePoint* point) const {
    if (!point) return {};
    std::string out;
    const SanToken written = batch_.replay.tokens[token];
    for_each_legal_move(point->position, [&](Move m) {
      if (m.kind == MoveKind::castling) return;
      SanToken full = written;
      const auto from = static_cast<unsigned>(m.from) ^ (point->black ? 56u : 0u);
      full.set_origin((from & 7) + 1, (from >> 3) + 1);
      if (m.promotion != PieceType::none) full.set_promotion(m.promotion);
      const Match match = match_san(point->position, full, point->black);
      if (match.status != MatchStatus::ok || !(match.move == m)) return;
      const auto origin_fits =
          (!written.origin_file() || written.origin_file() == (from & 7) + 1) &&
          (!written.origin_rank() || written.origin_rank() == (from >> 3) + 1);
      if (!origin_fits) return;
      out += out.empty() ? ": " : " or ";
      out += san_text(point->position, m, point->black);
    });
    return out;
  }

  // ---- the game as a whole ----

  void beyond(Code code, std::uint32_t ply, const std::string& message) {
    const std::uint32_t token = main_line().token_begin + ply;
    const TextSpan span = move_span(batch_.token_at[token]);
    Finding& finding = add(code, span.begin, message);
    finding.ply = ply + 1;
    finding.move = shown(span);
    if (const LinePoint* point = line().before(token)) finding.fen = line().fen(*point);
  }

  void beyond_automatic_draws() {
    const GameVerdict& v = verdict();
    if (rules_.automatic_fivefold && v.first_fivefold != kNoPly && v.first_fivefold < v.plies) {
      beyond(Code::game_beyond_fivefold, v.first_fivefold,
             "play goes on although the position has stood on the board five times");
    }
    if (rules_.automatic_clock && v.first_seventyfive != kNoPly && v.first_seventyfive < v.plies) {
      beyond(Code::game_beyond_seventyfive, v.first_seventyfive,
             "play goes on after " + std::to_string(rules_.automatic_clock / 2) +
                 " moves by each side without a capture or a pawn move");
    }
    const std::uint32_t checks = std::min(v.first_check_run, v.first_check_sum);
    if (checks != kNoPly && checks < v.plies) {
      beyond(Code::game_beyond_checks, checks,
             "play goes on after " +
                 (checks == v.first_check_run
                      ? std::to_string(rules_.checks_in_a_row) + " checks in a row by one side"
                      : std::to_string(rules_.checks_in_all) + " checks to one king"));
    }
  }

  void tags_against_play() {
    const GameVerdict& v = verdict();
    if (v.broken) return;
    if (!game_->ply_count.empty()) {
      const std::string_view value = text(game_->ply_count);
      if (value != std::to_string(v.plies) && value != "?") {
        add(Code::pgn_tag_value, game_->ply_count.begin,
            "PlyCount is " + quoted(value) + " but the game has " + std::to_string(v.plies) +
                " plies");
      }
    }
    for (const TextSpan span : {game_->termination, game_->termination_details}) {
      // "fold" and "fifty", "repetition", "50": most values have no letter of these.
      if (text(span).find_first_of("fFpP5") == std::string_view::npos) continue;
      const std::string value = lower(text(span));
      const auto says = [&](const char* word) { return value.find(word) != std::string::npos; };
      const bool threefold = says("3-fold") || says("threefold") || says("three-fold") ||
                             says("3 fold") || says("repetition");
      if (threefold && v.repetitions < 2) {
        add(Code::pgn_tag_value, span.begin,
            quoted(text(span)) +
                " speaks of a repetition, but the final position has not stood on the board "
                "before");
      }
      const bool fifty =
          says("fifty move") || says("fifty-move") || says("50 move") || says("50-move");
      if (fifty && rules_.claim_clock && v.halfmove_clock + 1 < rules_.claim_clock) {
        add(Code::pgn_tag_value, span.begin,
            quoted(text(span)) + " speaks of the fifty-move rule, but only " +
                std::to_string(v.halfmove_clock) +
                " plies have passed since the last capture or pawn move");
      }
    }
  }

  // Where the game's text ends, white space behind it left out.
  std::uint32_t last_character() const {
    std::uint32_t at = game_->text.end;
    while (at > game_->text.begin && is_space(slab_.text[at - 1])) --at;
    return at > game_->text.begin ? at - 1 : at;
  }

  void result(bool replayed) {
    const GameResult marker = game_->marker;
    const GameResult tag = game_->result_tag;
    if (marker == GameResult::none && !game_->open_comment) {
      Finding& finding = add(Code::pgn_result_missing, last_character(),
                             game_->has_moves ? "the game ends without a termination marker"
                                              : "no moves and no termination marker");
      // Tags alone are how archives record games whose moves are lost.
      if (!game_->has_moves) finding.severity = Severity::warning;
    }
    const bool comparable = marker != GameResult::none && marker != GameResult::other &&
                            tag != GameResult::none && tag != GameResult::other;
    if (comparable && marker != tag) {
      add(Code::pgn_result_mismatch, game_->marker_at,
          std::string("the Result tag is \"") + game_result_text(tag) +
              "\" but the game ends with \"" + game_result_text(marker) + "\"");
    }
    if (!replayed || verdict().broken) return;
    const GameResult claimed = marker != GameResult::none ? marker : tag;
    if (claimed == GameResult::none || claimed == GameResult::other) return;
    against_position(claimed);
    if (claimed != GameResult::unknown) against_profile(claimed);
  }

  // Results that come too early under house rules.
  void against_profile(GameResult claimed) {
    if (!rules_.first_resign_move && !rules_.last_void_move) return;
    const GameVerdict& v = verdict();
    const GameState state = static_cast<GameState>(v.state);
    const bool repeated = state == GameState::fivefold_repetition && !rules_.automatic_fivefold;
    if (state != GameState::ongoing && !repeated) return;
    const std::uint32_t move = move_at_end(*game_, v.plies);
    const std::uint32_t at =
        game_->marker != GameResult::none ? game_->marker_at : game_->result_at;
    const std::string result = std::string("\"") + game_result_text(claimed) + "\"";
    switch (termination_of(slab_, *game_)) {
      case Termination::time_forfeit:
        if (move <= rules_.last_void_move) {
          add(Code::result_void, at,
              "a flag fell at move " + std::to_string(move) +
                  ", which voids the game, but the result is " + result);
        }
        return;
      case Termination::on_the_board:
        if (move < rules_.first_resign_move) {
          add(Code::result_early, at,
              std::string(claimed == GameResult::draw ? "a draw was agreed" : "a side resigned") +
                  " at move " + std::to_string(move) + ", which counts from move " +
                  std::to_string(rules_.first_resign_move) + " on");
        }
        return;
      case Termination::elsewhere:
        return;
    }
  }

  void against_position(GameResult claimed) {
    const GameVerdict& v = verdict();
    const std::uint32_t at =
        game_->marker != GameResult::none ? game_->marker_at : game_->result_at;
    const bool black_to_move = ((v.plies & 1) != 0) != game_->black_first;
    const auto says = [&] { return std::string("\"") + game_result_text(claimed) + "\""; };
    switch (static_cast<GameState>(v.state)) {
      case GameState::checkmate: {
        const GameResult right = black_to_move ? GameResult::white_wins : GameResult::black_wins;
        if (claimed != right) {
          add(Code::result_checkmate, at,
              std::string(black_to_move ? "White" : "Black") +
                  " has given checkmate, but the result is " + says());
        }
        return;
      }
      case GameState::stalemate:
        if (claimed != GameResult::draw) {
          add(Code::result_stalemate, at,
              "the game ends in stalemate, but the result is " + says());
        }
        return;
      case GameState::dead_position:
        if (claimed == GameResult::white_wins || claimed == GameResult::black_wins) {
          add(Code::result_dead_position, at,
              "the final position is dead, but the result is " + says());
        }
        return;
      default:
        break;
    }
    const bool us_cannot = (v.flags & kFlagUsCannotWin) != 0;
    const bool them_cannot = (v.flags & kFlagThemCannotWin) != 0;
    const bool white_cannot = black_to_move ? them_cannot : us_cannot;
    const bool black_cannot = black_to_move ? us_cannot : them_cannot;
    if ((claimed == GameResult::white_wins && white_cannot) ||
        (claimed == GameResult::black_wins && black_cannot)) {
      add(Code::result_cannot_win, at,
          std::string(claimed == GameResult::white_wins ? "White" : "Black") +
              " is given the win but has no material to mate with");
      return;
    }
    if (claimed != GameResult::white_wins && claimed != GameResult::black_wins) return;
    const bool us = (claimed == GameResult::black_wins) == black_to_move;
    if (!doubtful(v.final_position, us)) return;
    Prover& prover = thread_prover({kProofNodes});
    if (prover.prove(v.final_position, us) != Winnable::no) return;
    if (prover.prove(v.final_position, !us) == Winnable::no) {
      add(Code::result_dead_position, at,
          "the final position is dead, but the result is " + says());
      return;
    }
    add(Code::result_cannot_win, at,
        std::string(claimed == GameResult::white_wins ? "White" : "Black") +
            " is given the win but cannot mate by any series of legal moves");
  }

  // Positions of a won game that are worth a proof: those with plenty of play for the winner are
  // not, though somebody could compose one that nobody can win. Plenty is a queen or rook among men
  // that move, a pawn that can go on, minor pieces that mate together, or four men and more with a
  // dozen moves, unless there are hardly any men and the next move is forced.
  static bool doubtful(const Position& position, bool us) {
    const BoardView<Bitboard> v = view(position);
    const Bitboard winner = us ? v.us : v.them, pawns = v.pawns() & winner;
    const int men = popcount(winner & ~v.kings());
    // Most positions are told by the squares that the winner's pieces reach, without counting
    // moves.
    if (men >= 4) {
      const Bitboard reach =
          knight_attacks(v.knights() & winner) |
          slides(v.orthogonal_sliders() & winner, v.diagonal_sliders() & winner, ~v.occupied);
      if (popcount(reach & ~winner) >= 12 && !(us && in_check(position))) return false;
    }
    if (men <= 2 && count_legal_moves(position) < 4 && (us || only_captures(position))) return true;
    if (us && in_check(position)) return men < 3;  // few moves do not mean little play
    const int moves = count_legal_moves(us ? position : flipped(position));
    if (men >= 4 && moves >= 12) return false;
    if (((us ? pawns << 8 : pawns >> 8) & ~v.occupied) && moves >= 4) return false;
    if (v.orthogonal_sliders() & winner) return moves < 8;
    const Bitboard knights = v.knights() & winner, bishops = v.bishops() & winner;
    const bool together = popcount(knights | bishops) >= 2 &&
                          (knights || ((bishops & kLightSquares) && (bishops & ~kLightSquares)));
    return !together || moves < 6;
  }

  static bool only_captures(const Position& position) {
    const Bitboard occupied = view(position).occupied;
    bool others = false;
    for_each_legal_move(position, [&](Move m) { others |= (square_bit(m.to) & occupied) == 0; });
    return !others;
  }

  const Slab& slab_;
  const GameBatch& batch_;
  const RulesProfile& rules_;
  std::vector<Finding>& out_;
  std::uint32_t index_ = 0;
  const GameRecord* game_ = nullptr;
  std::unique_ptr<GameLine> line_;
};

}  // namespace

void append_final_fen(std::string& out, const GameBatch& batch, const GameRecord& game) {
  const GameVerdict& v = batch.replay.game_verdicts[game.replay];
  const std::uint32_t half_moves = v.plies + (game.black_first ? 1 : 0);
  append_fen(out, v.final_position, half_moves & 1 ? Color::black : Color::white, v.halfmove_clock,
             game.fullmove_number + half_moves / 2);
}

void judge_slab(const Slab& slab, const GameBatch& batch, const RulesProfile& rules,
                std::vector<Finding>& findings) {
  GameJudge judge(slab, batch, rules, findings);
  const TextProblem* problem = batch.problems.data();
  const TextProblem* end = problem + batch.problems.size();
  for (std::uint32_t g = 0; g < batch.games.size(); ++g) {
    const TextProblem* first = problem;
    while (problem != end && problem->game == g) ++problem;
    judge.judge(g, first, problem);
  }
  for (; problem != end; ++problem) judge.outside(*problem);
}

}  // namespace cuarbiter
