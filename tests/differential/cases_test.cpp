// Every fact of every case in cases/cases.jsonl of the shared folder: small inputs made from public
// bug reports, with what is known to be true of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "host/notation/epd.hpp"
#include "host/notation/san_text.hpp"
#include "host/pgn/tag_pair.hpp"
#include "host/rules/san_match.hpp"
#include "tests/support/json_value.hpp"
#include "tests/support/pgn_run.hpp"
#include "tests/support/random_play.hpp"
#include "tests/support/shared_folder.hpp"

namespace cuarbiter {
namespace {

using namespace test;

// The cases' own names of faults, and the codes that say the same here (any of them).
struct ClassName {
  std::string_view name;
  std::vector<std::string_view> codes;
};
const std::vector<ClassName> kClassNames = {
    {"fen.extra_fields", {"fen.fields"}},
    {"fen.ep_syntax", {"fen.en-passant", "fen.en-passant-impossible"}},
    {"fen.ep_rank", {"fen.en-passant", "fen.en-passant-impossible"}},
    {"fen.ep_dash", {"fen.en-passant", "fen.normalised"}},
    {"fen.halfmove_gt_moves", {"fen.counters"}},
    {"fen.fullmove", {"fen.counters", "fen.fullmove"}},
    {"fen.castling_order", {"fen.normalised"}},
    {"fen.castling_duplicate", {"fen.castling", "fen.normalised"}},
    {"pos.no_white_king", {"fen.kings"}},
    {"pos.too_many_kings", {"fen.kings"}},
    {"pos.opponent_in_check", {"fen.opponent-in-check"}},
    {"pos.pawn_on_back_rank", {"fen.pawn-rank"}},
    {"pos.too_many_pawns", {"fen.too-many"}},
    {"pos.too_many_pieces", {"fen.too-many"}},
    {"pos.promotion_budget", {"fen.too-many"}},
    {"pos.impossible_check", {"fen.impossible-check"}},
    {"pos.ep_impossible", {"fen.en-passant-impossible"}},
    {"pos.castling_mismatch", {"fen.castling-impossible"}},
    {"epd.opcode", {"epd.opcode"}},
    {"epd.bad_move", {"epd.move", "epd.operand"}},
    {"epd.move_not_san", {"epd.move"}},
    {"san.illegal", {"move.illegal", "move.king-left-in-check"}},
    {"san.ambiguous", {"move.ambiguous"}},
    {"san.promotion_missing", {"move.ambiguous"}},
    {"san.promotion_rank", {"move.illegal", "move.invalid"}},
    {"san.syntax", {"move.invalid"}},
    {"san.overspecified", {"san.disambiguation"}},
    {"san.castling_zero", {"san.castling"}},
    {"san.missing_check", {"san.check-suffix"}},
    {"san.spurious_check", {"san.check-suffix"}},
    {"san.mate_double_plus", {"san.check-suffix"}},
    {"san.promotion_no_equals", {"san.promotion"}},
    {"san.promotion_lowercase", {"san.promotion", "san.case"}},
    {"san.ep_suffix", {"san.en-passant"}},
    {"san.pawn_letter", {"san.pawn-letter"}},
    {"san.missing_capture", {"san.capture"}},
    {"san.spurious_capture", {"san.capture"}},
    {"san.figurine", {"san.figurine"}},
    {"move.castling_king_takes_rook", {"san.long"}},
    {"move.null", {"move.null"}},
    {"move.illegal", {"move.illegal"}},
    {"pgn.stray_brace", {"pgn.nested-comment", "pgn.unexpected-token"}},
    {"pgn.stray_percent", {"pgn.unexpected-token"}},
    {"pgn.bad_escape", {"pgn.tag-value", "pgn.tag-syntax"}},
    {"pgn.tag_unquoted", {"pgn.tag-syntax"}},
    {"pgn.bom", {"pgn.encoding"}},
    {"pgn.latin1", {"pgn.encoding"}},
    {"pgn.nul", {"pgn.nul-byte"}},
    {"pgn.rav_unclosed", {"pgn.unterminated-variation"}},
    {"pgn.comment_unterminated", {"pgn.unterminated-comment"}},
    {"pgn.move_number", {"pgn.move-number"}},
    {"pgn.fen_missing", {"pgn.setup-tag"}},
    {"pgn.missing_termination", {"pgn.result-missing"}},
    {"pgn.result_mismatch", {"pgn.result-mismatch"}},
    {"pgn.bad_result", {"pgn.result-spelling", "pgn.tag-value"}},
};

// Facts on which we differ, each with the reason.
struct Disagreement {
  std::string_view id, fact, reason;
};
const std::vector<Disagreement> kDisagreements = {
    {"dead-008", "strict",
     "White's three bishops and eight pawns: the third bishop must have been a pawn, and no pawn "
     "is "
     "missing. The position is rejected as fen.too-many; what is said of its moves stands"},
};

bool agreed(const std::string& id, std::string_view fact) {
  return std::none_of(kDisagreements.begin(), kDisagreements.end(),
                      [&](const Disagreement& d) { return d.id == id && d.fact == fact; });
}

void expect_class(const std::string& name, const std::vector<std::string>& codes) {
  for (const ClassName& c : kClassNames) {
    if (c.name != name) continue;
    const bool found = std::any_of(c.codes.begin(), c.codes.end(), [&](std::string_view code) {
      return std::find(codes.begin(), codes.end(), code) != codes.end();
    });
    EXPECT_TRUE(found) << name << " is not among " << testing::PrintToString(codes);
    return;
  }
  ADD_FAILURE() << "no code is known for the class " << name;
}

std::string decode_base64(const std::string& text) {
  constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  unsigned bits = 0, count = 0;
  for (const char c : text) {
    if (c == '=') break;
    bits = bits << 6 | static_cast<unsigned>(kAlphabet.find(c));
    count += 6;
    if (count >= 8) out += static_cast<char>(bits >> (count -= 8) & 255);
  }
  return out;
}

std::string to_latin1(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c >= 0xC0 && i + 1 < text.size()) {
      out += static_cast<char>((c & 3) << 6 | (static_cast<unsigned char>(text[++i]) & 63));
    } else {
      out += text[i];
    }
  }
  return out;
}

std::vector<std::string> defect_codes(const FenResult& fen) {
  std::vector<std::string> out;
  for (const FenDefect& d : fen.defects) out.emplace_back(fen_fault_code(d.fault));
  return out;
}

std::vector<std::string> uci_moves(const FenResult& fen, bool chess960) {
  MoveLists lists;
  cpu_for_pgn().moves({&fen.position, 1}, lists);
  std::vector<std::string> out;
  for (const MoveFacts& m : lists.moves) out.push_back(uci_text(m.move, fen.black(), chess960));
  return out;
}

PositionFacts facts_of(const FenResult& fen) {
  PositionFacts facts;
  cpu_for_pgn().classify({&fen.position, 1}, {&facts, 1});
  return facts;
}

std::string state_name(GameState state) {
  switch (state) {
    case GameState::checkmate:
      return "checkmate";
    case GameState::stalemate:
      return "stalemate";
    case GameState::dead_position:
      return "dead";
    case GameState::seventyfive_moves:
      return "draw_75";
    case GameState::fivefold_repetition:
      return "draw_5";
    default:
      return "ongoing";
  }
}

// ---- FEN ----

void check_fen(const std::string& id, const std::string& input, const Json& expect) {
  const bool chess960 = expect.find("variant") && expect.at("variant").string() == "chess960";
  const FenResult fen = read_fen(input, FenOptions{chess960});
  const std::vector<std::string> codes = defect_codes(fen);
  const PositionFacts facts = fen.computable ? facts_of(fen) : PositionFacts{};
  const GameState state = state_of(facts, fen.halfmove_clock, 150);
  const bool us_black = fen.black();
  const auto cannot_win = [&](bool black) {
    return (facts.flags & (black == us_black ? kFlagUsCannotWin : kFlagThemCannotWin)) != 0;
  };
  const bool insufficient = (facts.flags & kFlagInsufficientMaterial) != 0;
  const std::string normal =
      write_fen(fen.position, fen.side_to_move, fen.halfmove_clock, fen.fullmove_number);
  for (const auto& [fact, value] : expect.members()) {
    SCOPED_TRACE(id + " " + fact + ": " + input + " codes " + testing::PrintToString(codes));
    if (!agreed(id, fact)) continue;
    if (fact == "strict") {
      EXPECT_EQ(codes.empty(), value.string() == "accept");
    } else if (fact == "lenient") {
      // What is only a warning there may be an error of the record here; it must be read and told.
      if (value.string() == "reject") {
        EXPECT_FALSE(fen.valid());
      } else {
        EXPECT_TRUE(fen.computable);
        EXPECT_EQ(codes.empty(), value.string() == "accept");
      }
    } else if (fact == "error_class") {
      expect_class(value.string(), codes);
    } else if (fact == "repaired_fen" || fact == "xfen") {
      EXPECT_EQ(normal, value.string());
    } else if (fact == "legal_moves") {
      EXPECT_TRUE(fen.computable);
      EXPECT_EQ(facts.legal_moves, value.number());
      EXPECT_EQ(static_cast<double>(uci_moves(fen, chess960).size()), value.number());
    } else if (fact == "chess960_legal_moves") {
      EXPECT_EQ(facts_of(read_fen(input, FenOptions{true})).legal_moves, value.number());
    } else if (fact == "contains_uci") {
      const std::vector<std::string> moves = uci_moves(fen, chess960);
      EXPECT_EQ(std::count(moves.begin(), moves.end(), value.string()), 1);
    } else if (fact == "castling_moves") {
      std::vector<std::string> castling, expected;
      for (const Json& move : value.items()) expected.push_back(move.string());
      for (const Move move : test_support::legal_moves(fen.position)) {
        if (move.kind == MoveKind::castling) castling.push_back(uci_text(move, us_black, true));
      }
      EXPECT_EQ(castling, expected);
    } else if (fact == "castling_rooks") {
      std::vector<std::string> rooks, expected;
      for (const Json& square : value.at("white").items()) expected.push_back(square.string());
      for (unsigned square = 0; square < 64; ++square) {
        if (code_at(fen.position, static_cast<int>(square)) != PieceType::castling_rook) continue;
        rooks.emplace_back();
        append_square(rooks.back(), square, us_black);
      }
      EXPECT_EQ(rooks, expected);
    } else if (fact == "ep_legal") {
      bool legal = false;
      for (const Move move : test_support::legal_moves(fen.position)) {
        legal = legal || move.kind == MoveKind::en_passant;
      }
      EXPECT_EQ(legal, value.boolean());
    } else if (fact == "perft") {
      for (const auto& [depth, nodes] : value.members()) {
        Uint128 count;
        cpu_for_pgn().perft({&fen.position, 1}, static_cast<unsigned>(std::stoul(depth)), {},
                            {&count, 1});
        EXPECT_EQ(count, (Uint128{static_cast<std::uint64_t>(nodes.number()), 0})) << depth;
      }
    } else if (fact == "checkers") {
      EXPECT_EQ(facts.checkers, value.number());
    } else if (fact == "state") {
      if (value.string() == "check") {
        EXPECT_EQ(state, GameState::ongoing);
        EXPECT_GT(facts.checkers, 0);
      } else {
        EXPECT_EQ(state_name(state), value.string());
      }
    } else if (fact == "winner") {
      EXPECT_EQ(state, GameState::checkmate);
      EXPECT_EQ(us_black ? "white" : "black", value.string());
    } else if (fact == "insufficient") {
      EXPECT_EQ(cannot_win(false), value.at("white").boolean());
      EXPECT_EQ(cannot_win(true), value.at("black").boolean());
      EXPECT_EQ(insufficient, value.at("white").boolean() && value.at("black").boolean());
    } else if (fact == "dead") {
      // Material proves deadness; nothing here claims the opposite.
      if (insufficient) {
        EXPECT_TRUE(value.boolean());
      }
    } else if (fact == "unwinnable") {
      for (const bool black : {false, true}) {
        if (cannot_win(black)) {
          EXPECT_TRUE(value.at(black ? "black" : "white").boolean());
        }
      }
    } else if (fact == "fifty_claimable") {
      EXPECT_EQ(fen.halfmove_clock >= kRulesProfiles[0].claim_clock, value.boolean());
    } else if (fact == "fifty_claimable_by_move") {
      EXPECT_EQ(fen.halfmove_clock + 1 >= kRulesProfiles[0].claim_clock, value.boolean());
    } else if (fact == "automatic_draw") {
      EXPECT_EQ(state == GameState::seventyfive_moves, value.boolean());
    } else if (fact == "board_result") {
      EXPECT_EQ(state == GameState::ongoing || state == GameState::checkmate ? "*" : "1/2-1/2",
                value.string());
    } else if (fact == "halfmove") {
      EXPECT_EQ(fen.halfmove_clock, value.number());
    } else if (fact == "fullmove") {
      EXPECT_EQ(fen.fullmove_number, value.number());
    } else if (fact == "fields") {
      EXPECT_EQ(1 + std::count(input.begin(), input.end(), ' '), value.number());
    } else if (fact == "helpmate_white" || fact == "helpmate_black") {
      // The line is legal and ends in mate by that side.
      Position p = fen.position;
      bool black = us_black;
      for (const Json& move : value.items()) {
        const std::optional<Move> m = read_uci(p, move.string(), black);
        ASSERT_TRUE(m.has_value()) << move.string();
        p = make_move(p, *m);
        black = !black;
      }
      EXPECT_EQ(count_legal_moves(p), 0);
      EXPECT_TRUE(in_check(p));
      EXPECT_EQ(black, fact == "helpmate_white");
    } else if (fact == "must_not_crash" || fact == "variant") {
    } else {
      ADD_FAILURE() << "this fact is not checked";
    }
  }
}

// ---- EPD ----

void check_epd(const std::string& id, const std::string& input, const Json& expect) {
  const PositionLine epd = read_epd(input);
  const std::vector<std::string> codes = defect_codes(epd.fen);
  for (const auto& [fact, value] : expect.members()) {
    SCOPED_TRACE(id + " " + fact + ": " + input + " codes " + testing::PrintToString(codes));
    if (!agreed(id, fact)) continue;
    if (fact == "valid_epd") {
      // A move that is not SAN but clear is a warning.
      const bool usable = epd.fen.valid() && (expect.find("bm") || codes.empty());
      EXPECT_EQ(usable, value.boolean());
    } else if (fact == "strict") {
      EXPECT_EQ(codes.empty(), value.string() == "accept");
    } else if (fact == "lenient") {
      EXPECT_TRUE(epd.fen.valid());
      EXPECT_EQ(codes.empty(), value.string() == "accept");
    } else if (fact == "error_class") {
      expect_class(value.string(), codes);
    } else if (fact == "issues") {
      for (const Json& name : value.items()) expect_class(name.string(), codes);
    } else if (fact == "is_full_fen") {
      EXPECT_EQ(read_fen(input).valid(), value.boolean());
    } else if (fact == "fen") {
      EXPECT_EQ(write_fen(epd.fen.position, epd.fen.side_to_move, epd.fen.halfmove_clock,
                          epd.fen.fullmove_number),
                value.string());
    } else if (fact == "halfmove") {
      EXPECT_EQ(read_position_line(input).fen.halfmove_clock, value.number());
    } else if (fact == "fullmove") {
      EXPECT_EQ(read_position_line(input).fen.fullmove_number, value.number());
    } else if (fact == "id") {
      ASSERT_NE(epd.find("id"), nullptr);
      EXPECT_EQ(epd.find("id")->operands, std::vector<std::string>{value.string()});
    } else if (fact == "bm" || fact == "bm_uci") {
      ASSERT_NE(epd.find("bm"), nullptr);
      std::vector<std::string> moves, expected;
      for (const Json& move : value.items()) expected.push_back(move.string());
      for (const Move move : epd.find("bm")->moves) {
        moves.push_back(fact == "bm" ? san_text(epd.fen.position, move, epd.fen.black())
                                     : uci_text(move, epd.fen.black(), false));
      }
      EXPECT_EQ(moves, expected);
    } else {
      ADD_FAILURE() << "this fact is not checked";
    }
  }
}

// ---- SAN ----

void check_san(const std::string& id, const Json& input, const Json& expect) {
  const bool chess960 = expect.find("variant") != nullptr;
  const std::string text = input.at("fen").string();
  const std::string san = input.at("san").string();
  const std::string tags = "[SetUp \"1\"]\n[FEN \"" + text + "\"]\n";
  const PgnRun run =
      run_pgn(roster("*", (chess960 ? "[Variant \"Chess960\"]\n" : "") + tags) + san + " *\n");
  const std::vector<std::string> codes = run.codes();
  const FenResult fen = read_fen(text, FenOptions{chess960});
  const bool black = fen.black();
  ASSERT_EQ(run.games.size(), 1u);
  const bool legal = run.games[0].plies() == 1;
  const Match match = match_san(fen.position, read_san(san.substr(0, san.find(' '))), black);
  EXPECT_EQ(match.status == MatchStatus::ok, legal) << id;
  for (const auto& [fact, value] : expect.members()) {
    SCOPED_TRACE(id + " " + fact + ": " + text + " " + san + " codes " +
                 testing::PrintToString(codes));
    if (!agreed(id, fact)) continue;
    if (fact == "legal") {
      EXPECT_EQ(legal, value.boolean());
      EXPECT_EQ(run.games[0].verdict.broken == 0, value.boolean());
    } else if (fact == "uci") {
      EXPECT_EQ(uci_text(match.move, black, false), value.string());
    } else if (fact == "canonical_san") {
      EXPECT_EQ(san_text(fen.position, match.move, black), value.string());
    } else if (fact == "lenient_only") {
      EXPECT_EQ(std::any_of(codes.begin(), codes.end(),
                            [](const std::string& c) { return c.substr(0, 4) == "san."; }),
                value.boolean());
    } else if (fact == "error_class") {
      expect_class(value.string(), codes);
    } else if (fact == "issues") {
      for (const Json& name : value.items()) expect_class(name.string(), codes);
    } else if (fact == "candidates") {
      ASSERT_TRUE(run.has("move.ambiguous"));
      const std::string& message = run.find("move.ambiguous")->message;
      std::size_t listed = 1;
      for (std::size_t at = message.find(" or "); at != std::string::npos;
           at = message.find(" or ", at + 1)) {
        ++listed;
      }
      EXPECT_EQ(listed, value.items().size()) << message;
      for (const Json& uci : value.items()) {
        const std::optional<Move> move = read_uci(fen.position, uci.string(), black);
        ASSERT_TRUE(move.has_value());
        EXPECT_NE(message.find(san_text(fen.position, *move, black)), std::string::npos) << message;
      }
    } else if (fact == "final_fen") {
      EXPECT_EQ(run.games[0].fen, value.string());
    } else if (fact == "state") {
      EXPECT_EQ(state_name(run.games[0].state()), value.string());
    } else if (fact == "variant") {
    } else if (fact == "with_language") {
      // There is no language option: the move stays unreadable.
      EXPECT_TRUE(run.has("move.invalid"));
    } else {
      ADD_FAILURE() << "this fact is not checked";
    }
  }
}

// ---- PGN ----

// How deep the variations of the first game nest.
unsigned variation_depth(const std::string& text) {
  MemorySource source(text);
  Framer framer(source, 1);
  Slab slab;
  GameBatch batch;
  if (!framer.next(slab)) return 0;
  lex_slab(slab, {}, batch);
  std::vector<unsigned> depth(batch.replay.segments.size());
  unsigned most = 0;
  for (std::size_t s = 1; s < batch.replay.games[0].segment_count; ++s) {
    depth[s] = depth[batch.replay.segments[s].parent] + 1;
    most = std::max(most, depth[s]);
  }
  return most;
}

std::string tag_value(const std::string& text, const std::string& name) {
  const std::size_t at = text.find("[" + name + " ");
  if (at == std::string::npos) return {};
  const char* end = text.data() + text.size();
  return unescape_tag_value(read_tag_pair(text.data() + at, end).value);
}

bool is_result_code(const std::string& code) {
  return code.substr(0, 7) == "result." || code.substr(0, 10) == "pgn.result";
}

void check_pgn(const std::string& id, const std::string& input, const Json& expect) {
  const PgnRun run = run_pgn(input);
  std::vector<std::string> codes = run.codes();
  // The small inputs leave out most of the seven tag roster.
  std::erase(codes, "pgn.tag-missing");
  const auto move_errors = [&](bool main) {
    return std::any_of(run.findings.begin(), run.findings.end(), [&](const PgnFinding& f) {
      return f.error && f.code.substr(0, 5) == "move." &&
             (!main || run.games[f.game - 1].verdict.broken);
    });
  };
  const auto first = [&]() -> const PgnGame& { return run.games.at(0); };
  for (const auto& [fact, value] : expect.members()) {
    SCOPED_TRACE(id + " " + fact + ": " + input + " codes " + testing::PrintToString(codes));
    if (!agreed(id, fact)) continue;
    if (fact == "games") {
      EXPECT_EQ(static_cast<double>(run.games.size()), value.number());
    } else if (fact == "plies") {
      if (value.is_array()) {
        ASSERT_EQ(run.games.size(), value.items().size());
        for (std::size_t i = 0; i < run.games.size(); ++i) {
          EXPECT_EQ(run.games[i].plies(), value.items()[i].number());
        }
      } else {
        EXPECT_EQ(first().plies(), value.number());
      }
    } else if (fact == "legal") {
      EXPECT_EQ(move_errors(false), !value.boolean());
    } else if (fact == "main_legal") {
      EXPECT_EQ(move_errors(true), !value.boolean());
    } else if (fact == "strict") {
      EXPECT_EQ(codes.empty(), value.string() == "accept");
    } else if (fact == "lenient") {
      EXPECT_EQ(value.string(), "warn");
      EXPECT_FALSE(codes.empty());
      EXPECT_EQ(run.errors(), 0u);
    } else if (fact == "issues") {
      for (const Json& name : value.items()) expect_class(name.string(), codes);
    } else if (fact == "error_class") {
      expect_class(value.string(), codes);
    } else if (fact == "error_line") {
      EXPECT_EQ(static_cast<double>(run.find("pgn.unterminated-comment")->line), value.number());
    } else if (fact == "final_fen") {
      EXPECT_EQ(first().fen, value.string());
    } else if (fact == "final_fen_board" || fact == "final_fen_std") {
      EXPECT_EQ(first().fen.rfind(value.string(), 0), 0u) << first().fen;
    } else if (fact == "state") {
      EXPECT_EQ(state_name(first().state()), value.string());
    } else if (fact == "result_ok") {
      EXPECT_EQ(std::none_of(codes.begin(), codes.end(), is_result_code), value.boolean());
    } else if (fact == "board_result") {
      EXPECT_EQ(first().state(), GameState::checkmate);
      const bool black_to_move = first().fen.find(" b ") != std::string::npos;
      EXPECT_EQ(black_to_move ? "1-0" : "0-1", value.string());
    } else if (fact == "adjudicated" || fact == "flagged") {
      // The side that got the point cannot mate.
      EXPECT_TRUE(run.has("result.cannot-win"));
    } else if (fact == "tag_result") {
      EXPECT_EQ(game_result_text(first().record.result_tag), value.string());
    } else if (fact == "movetext_result" || fact == "repaired_result") {
      EXPECT_EQ(game_result_text(first().record.marker), value.string());
    } else if (fact == "offending_ply" || fact == "offending_san") {
      const auto found = std::find_if(run.findings.begin(), run.findings.end(),
                                      [](const PgnFinding& f) { return f.error && f.ply; });
      ASSERT_NE(found, run.findings.end());
      if (value.is_string()) {
        EXPECT_EQ(found->move, value.string());
      } else {
        EXPECT_EQ(found->ply, value.number());
      }
    } else if (fact == "plies_ok") {
      EXPECT_EQ(first().plies(), value.number());
    } else if (fact == "threefold_first_ply" || fact == "fivefold_first_ply") {
      const std::uint32_t ply = fact == "threefold_first_ply" ? first().verdict.first_threefold
                                                              : first().verdict.first_fivefold;
      if (value.is_null()) {
        EXPECT_EQ(ply, kNoPly);
      } else {
        EXPECT_EQ(ply, value.number());
      }
    } else if (fact == "max_repetition") {
      EXPECT_EQ(first().verdict.max_repetitions, value.number());
    } else if (fact == "threefold_at_end") {
      EXPECT_EQ(first().verdict.repetitions >= 3, value.boolean());
    } else if (fact == "claim_by_move_at_end") {
      const std::string moves = input.substr(0, input.rfind('*'));
      for (const Json& move : value.items()) {
        EXPECT_EQ(run_pgn(moves + move.string() + " *\n").games.at(0).verdict.repetitions, 3u);
      }
    } else if (fact == "game_over_ply") {
      const std::uint32_t ply = std::min(
          {first().verdict.first_dead, first().verdict.first_fivefold,
           first().verdict.first_seventyfive,
           first().state() == GameState::checkmate || first().state() == GameState::stalemate
               ? first().plies()
               : kNoPly});
      EXPECT_EQ(ply, value.number());
    } else if (fact == "perpetual_check") {
      EXPECT_EQ(first().verdict.perpetual_by != 0, value.boolean());
    } else if (fact == "checks_by") {
      EXPECT_EQ(first().verdict.perpetual_by, value.string() == "white" ? 1 : 2);
    } else if (fact == "rav_depth") {
      EXPECT_EQ(variation_depth(input), value.number());
    } else if (fact == "tags") {
      for (const auto& [name, expected] : value.members()) {
        const std::string read = tag_value(input, name);
        EXPECT_TRUE(read == expected.string() || read == to_latin1(expected.string()))
            << name << ": " << read;
      }
    } else if (fact == "nags") {
      // NAGs are read over, not kept: nothing must be found wrong with them.
      EXPECT_TRUE(codes.empty());
    } else if (fact == "must_not_crash") {
    } else {
      ADD_FAILURE() << "this fact is not checked";
    }
  }
}

TEST(Cases, EveryFactOfEveryCase) {
  const std::string path = shared_path("cases/cases.jsonl");
  if (path.empty()) GTEST_SKIP() << kNoSharedFolder;
  std::ifstream file(path);
  std::string line;
  std::size_t cases = 0;
  while (std::getline(file, line)) {
    if (line.empty()) continue;
    const Json json = Json::parse(line);
    const std::string id = json.at("id").string();
    const std::string kind = json.at("kind").string();
    const Json& expect = json.at("expect");
    ++cases;
    if (kind == "san") {
      check_san(id, json.at("input"), expect);
      continue;
    }
    const Json* encoding = json.find("input_encoding");
    const bool base64 = encoding && encoding->is_string() && encoding->string() == "base64";
    const std::string input =
        base64 ? decode_base64(json.at("input").string()) : json.at("input").string();
    if (kind == "fen") {
      check_fen(id, input, expect);
    } else if (kind == "epd") {
      check_epd(id, input, expect);
    } else if (kind == "pgn") {
      check_pgn(id, input, expect);
    } else {
      ADD_FAILURE() << id << ": kind " << kind;
    }
  }
  EXPECT_GE(cases, 100u);
}

}  // namespace
}  // namespace cuarbiter
