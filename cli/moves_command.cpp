// The moves command: the legal moves of every FEN or EPD line, in SAN and UCI, with what each is;
// all of them, or those left to a player who has touched men.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <optional>

#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "cli/file_list.hpp"
#include "cli/help_text.hpp"
#include "cli/messages.hpp"
#include "cli/position_lines.hpp"
#include "cli/position_text.hpp"
#include "host/notation/san_text.hpp"
#include "host/report/csv.hpp"
#include "host/report/diagnostic.hpp"
#include "host/report/terminal.hpp"
#include "host/rules/touch_move.hpp"

namespace cuarbiter {
namespace {

struct MovesTyped {
  CommonTyped common;
  FilesTyped files;
  std::string batch;
  std::optional<std::string> touched;
  bool chess960 = false;
  bool strict = false;
};

struct MovesArguments {
  CommonArguments common;
  std::vector<std::string> files;
  std::size_t batch_lines = 0;
  FenOptions fen;
  std::vector<Square> touched;  // in the order of touching, seen by White; empty: none
  bool strict = false;
};

// Squares as the board names them, with commas between.
std::vector<Square> touched_squares(std::string_view list) {
  std::vector<Square> squares;
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t end = std::min(list.find(',', at), list.size());
    const std::string_view name = list.substr(at, end - at);
    if (name.size() != 2 || name[0] < 'a' || name[0] > 'h' || name[1] < '1' || name[1] > '8') {
      throw UsageError(
          fmt::format("--touched: \"{}\" is no square; give squares as in e1,h1", visible(name)));
    }
    squares.push_back(static_cast<Square>(8 * (name[1] - '1') + (name[0] - 'a')));
    at = end + 1;
  }
  return squares;
}

MovesArguments meant(const MovesTyped& typed) {
  MovesArguments arguments;
  arguments.common = meant(typed.common, {Format::text, Format::jsonl, Format::csv});
  arguments.fen.chess960 = typed.chess960;
  arguments.strict = typed.strict;
  if (typed.touched) arguments.touched = touched_squares(*typed.touched);
  if (!typed.batch.empty()) {
    arguments.batch_lines = whole_number(typed.batch, "--batch-size", 1, kMostBatch);
  }
  arguments.files = input_files(typed.files);
  return arguments;
}

// One move, ready to be written.
struct NamedMove {
  std::string uci;
  std::string san;
  std::string from;
  std::string to;
  std::string_view piece;
  std::string_view promotion;  // empty for none
  std::string_view castling;   // empty for none
  std::uint8_t flags = 0;      // MoveFlag bits

  bool is(MoveFlag flag) const { return (flags & flag) != 0; }
};

std::string_view piece_name(PieceType piece) {
  switch (piece) {
    case PieceType::pawn:
      return "pawn";
    case PieceType::knight:
      return "knight";
    case PieceType::bishop:
      return "bishop";
    case PieceType::rook:
    case PieceType::castling_rook:
      return "rook";
    case PieceType::queen:
      return "queen";
    case PieceType::king:
      return "king";
    case PieceType::none:
      break;
  }
  return "";
}

// `chess960`: castling in UCI is written king takes rook.
NamedMove name_move(const Position& position, const MoveFacts& facts, bool black, bool chess960) {
  const Move move = facts.move;
  NamedMove out;
  out.flags = facts.flags;
  out.piece = piece_name(piece_at(position, move.from));
  out.promotion = piece_name(move.promotion);
  append_uci(out.uci, move, black, chess960);
  append_san(out.san, position, move, black);
  append_square(out.from, move.from, black);
  if (move.kind == MoveKind::castling) {
    const bool kingside = move.to > move.from;
    out.castling = kingside ? "kingside" : "queenside";
    out.to = fmt::format("{}{}", kingside ? 'g' : 'c', black ? 8 : 1);
  } else {
    append_square(out.to, move.to, black);
  }
  return out;
}

struct MovesJob : RecordJob {
  MoveLists lists;               // one a position
  std::vector<NamedMove> named;  // of one position
  std::vector<Square> touched;   // scratch
};

// What the squares touched bind the side to move to. A square without a man is told and passed
// over.
TouchDuty duty_of(const MovesArguments& arguments, MovesJob& job, std::uint64_t line,
                  const FenResult& fen) {
  job.touched.clear();
  const BoardView<Bitboard> v = view(fen.position);
  for (const Square square : arguments.touched) {
    const Square seen = static_cast<Square>(fen.black() ? square ^ 56 : square);
    job.touched.push_back(seen);
    if (v.occupied & square_bit(seen)) continue;
    if (arguments.strict) job.findings = true;
    if (!arguments.strict && arguments.common.habits.quiet) continue;
    std::string message = "no man stands on ";
    append_square(message, square, false);
    message += ", which is given as touched";
    append_located(job.messages, job.file, line, 1, false, message,
                   code_name(Code::touch_empty_square), arguments.common.habits.color);
  }
  return touch_duty(fen.position, job.touched.data(), static_cast<unsigned>(job.touched.size()));
}

void write_json(MovesJob& job, const LineBatch::Ref& ref, const PositionLine& record,
                const std::string& fen) {
  JsonObject object(job.data);
  object.string("type", "moves")
      .integer("line", ref.number)
      .string("fen", fen)
      .string("side_to_move", color_name(record.fen.black()))
      .integer("count", job.named.size())
      .open_array("moves");
  const auto text_or_null = [&](const char* name, std::string_view text) {
    if (text.empty()) {
      object.null(name);
    } else {
      object.string(name, text);
    }
  };
  for (const NamedMove& move : job.named) {
    object.open_object_item()
        .string("san", move.san)
        .string("uci", move.uci)
        .string("piece", move.piece)
        .string("from", move.from)
        .string("to", move.to)
        .boolean("capture", move.is(kMoveCapture))
        .boolean("en_passant", move.is(kMoveEnPassant));
    text_or_null("castling", move.castling);
    text_or_null("promotion", move.promotion);
    object.boolean("check", move.is(kMoveCheck))
        .boolean("checkmate", move.is(kMoveCheckmate))
        .boolean("stalemate", move.is(kMoveStalemate))
        .close_object();
  }
  object.close_array();
  object.end_line();
}

void write_csv(MovesJob& job, const LineBatch::Ref& ref, const std::string& fen) {
  for (const NamedMove& move : job.named) {
    CsvRow(job.data)
        .field(ref.number)
        .field(fen)
        .field(move.san)
        .field(move.uci)
        .field(move.piece)
        .field(move.from)
        .field(move.to)
        .field(move.is(kMoveCapture))
        .field(move.is(kMoveEnPassant))
        .field(move.castling)
        .field(move.promotion)
        .field(move.is(kMoveCheck))
        .field(move.is(kMoveCheckmate))
        .field(move.is(kMoveStalemate))
        .end();
  }
}

void write_text(MovesJob& job, const LineBatch::Ref& ref, const std::string& fen) {
  std::string& out = job.data;
  append_visible(out, job.file);
  fmt::format_to(std::back_inserter(out), ":{}: {} legal move{}: {}\n", ref.number,
                 job.named.size(), job.named.size() == 1 ? "" : "s", fen);
  for (const NamedMove& move : job.named) {
    fmt::format_to(std::back_inserter(out), "  {:<8}{:<7}{}", move.san, move.uci, move.piece);
    if (!move.castling.empty())
      fmt::format_to(std::back_inserter(out), ", {} castling", move.castling);
    if (move.is(kMoveEnPassant)) {
      out += ", en passant";
    } else if (move.is(kMoveCapture)) {
      out += ", capture";
    }
    if (!move.promotion.empty()) {
      fmt::format_to(std::back_inserter(out), ", promotion to {}", move.promotion);
    }
    if (move.is(kMoveCheckmate)) {
      out += ", checkmate";
    } else if (move.is(kMoveCheck)) {
      out += ", check";
    }
    if (move.is(kMoveStalemate)) out += ", stalemate";
    out += '\n';
  }
}

void write_uncomputable(MovesJob& job, const LineBatch::Ref& ref, const PositionLine& record,
                        Format format) {
  if (format == Format::jsonl) {
    JsonObject object(job.data);
    object.string("type", "moves")
        .integer("line", ref.number)
        .string("input", job.line(ref))
        .boolean("valid", false);
    append_defects(object, record.fen);
    object.end_line();
  } else if (format == Format::text) {
    append_visible(job.data, job.file);
    fmt::format_to(std::back_inserter(job.data), ":{}: not computable ({}): ", ref.number,
                   defect_codes(record.fen, false, ", "));
    append_visible(job.data, job.line(ref));
    job.data += '\n';
  }
}

void list_batch(const MovesArguments& arguments, Backend& backend, MovesJob& job) {
  read_records(job, arguments.fen);
  backend.moves(job.positions, job.lists);
  const Format format = arguments.common.format;
  const Habits& habits = arguments.common.habits;
  const DefectHabits shown{arguments.strict, arguments.strict || habits.verbose, habits.color,
                           true};
  std::size_t at = 0;
  std::string fen;
  for (std::size_t i = 0; i < job.count; ++i) {
    const PositionLine& record = job.records[i];
    const LineBatch::Ref& ref = job.lines[job.line_of[i]];
    if (has_findings(record.fen, arguments.strict, true)) job.findings = true;
    // In jsonl a record that is not computable lists its defects itself.
    if (record.fen.computable || format != Format::jsonl) {
      append_defects(job.messages, job.file, ref.number, record.fen, shown);
    }
    if (!record.fen.computable) {
      write_uncomputable(job, ref, record, format);
      continue;
    }
    const bool black = record.fen.black();
    const bool chess960 = arguments.fen.chess960 || record.fen.chess960;
    TouchDuty duty;
    if (!arguments.touched.empty()) duty = duty_of(arguments, job, ref.number, record.fen);
    job.named.clear();
    for (std::uint64_t m = job.lists.offsets[at]; m < job.lists.offsets[at + 1]; ++m) {
      if (!touch_allows(duty, record.fen.position, job.lists.moves[m].move)) continue;
      job.named.push_back(name_move(record.fen.position, job.lists.moves[m], black, chess960));
    }
    ++at;
    std::sort(job.named.begin(), job.named.end(),
              [](const NamedMove& a, const NamedMove& b) { return a.uci < b.uci; });
    fen.clear();
    append_fen(fen, record.fen);
    if (format == Format::jsonl) {
      write_json(job, ref, record, fen);
    } else if (format == Format::csv) {
      write_csv(job, ref, fen);
    } else {
      write_text(job, ref, fen);
    }
  }
}

void run_moves(const MovesArguments& arguments, RunStatus& status) {
  const ChosenBackend chosen = choose_backend(arguments.common.backend, arguments.common.habits);
  Output output(arguments.common.output, status, arguments.common.exit_zero);
  if (arguments.common.format == Format::csv) {
    output.write(
        "line,fen,san,uci,piece,from,to,capture,en_passant,castling,promotion,check,checkmate,"
        "stalemate\n");
  }
  // A line becomes dozens of moves: smaller batches keep memory in bounds.
  const std::size_t batch_lines = arguments.batch_lines != 0 ? arguments.batch_lines : 2048;
  InputFiles files(arguments.files, InputKind::positions, chosen.threads);
  const LineRun run{batch_lines, false, chosen.threads, arguments.common.habits};
  run_position_lines<MovesJob>(run, files, output, status,
                               [&](MovesJob& job) { list_batch(arguments, *chosen.backend, job); });
  output.commit();
}

}  // namespace

void add_moves(CLI::App& root, Invocation& invocation) {
  const auto typed = std::make_shared<MovesTyped>();
  CLI::App& command = *root.add_subcommand("moves", "the legal moves of every FEN or EPD line");
  command.footer(kMovesHelp);
  command
      .add_option("FILE", typed->files.named, "FEN or EPD files; none or - reads standard input")
      ->type_name("");
  add_files_from(command, typed->files);
  command.add_flag("--chess960", typed->chess960,
                   "read KQkq as the outermost rooks, wherever king and rooks stand");
  command
      .add_option("--touched", typed->touched,
                  "only the moves left to a player who has touched the men on these squares, in "
                  "this order")
      ->type_name("SQUARES");
  command.add_flag("--strict", typed->strict, "warnings count as findings");
  add_common_options(command, typed->common, "text|jsonl|csv");
  add_backend_options(command, typed->common);
  add_batch_option(command, typed->batch, "lines");
  command.callback([typed, &invocation] {
    const MovesArguments arguments = meant(*typed);
    invocation.exit_zero = arguments.common.exit_zero;
    invocation.color = arguments.common.habits.color;
    invocation.run = [arguments](RunStatus& status) { run_moves(arguments, status); };
  });
}

}  // namespace cuarbiter
