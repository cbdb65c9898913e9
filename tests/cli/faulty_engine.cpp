// A UCI engine for tests of perft --against: right, or wrong in the way its argument names.
//
// It counts move by move and keeps its position from move to move, as engines do.
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "host/notation/fen.hpp"
#include "host/notation/san_text.hpp"
#include "host/rules/make_move.hpp"
#include "host/rules/movegen.hpp"

namespace {

using namespace cuarbiter;

std::string fault;

struct Board {
  Position position = start_position();
  bool black = false;
  bool chess960 = false;
};

std::vector<Move> moves_of(const Position& position) {
  std::vector<Move> moves;
  for_each_legal_move(position, [&](Move move) {
    if (fault == "no-en-passant" && move.kind == MoveKind::en_passant) return;
    moves.push_back(move);
    if (fault == "en-passant-twice" && move.kind == MoveKind::en_passant) moves.push_back(move);
  });
  return moves;
}

// Makes a move; "forgets-en-passant" then has no en passant square, but only after a move.
Position made(const Position& position, Move move) {
  Position next = make_move(position, move);
  if (fault == "forgets-en-passant") next.d &= next.a | next.b | next.c;
  return next;
}

std::uint64_t perft(const Position& position, int depth) {
  if (depth == 0) return 1;
  std::uint64_t nodes = 0;
  for (const Move move : moves_of(position)) nodes += perft(made(position, move), depth - 1);
  return nodes;
}

void set_position(Board& board, std::istringstream& words) {
  std::string word, fen;
  words >> word;
  while (words >> word && word != "moves") fen += (fen.empty() ? "" : " ") + word;
  const FenResult read = read_fen(fen, {board.chess960});
  board.position = read.position;
  board.black = read.black();
  while (words >> word) {
    const auto move = read_uci(board.position, word, board.black);
    if (!move) continue;
    board.position = made(board.position, *move);
    board.black = !board.black;
  }
}

void go_perft(const Board& board, int depth) {
  if (fault == "dies" && depth > 1) std::raise(SIGKILL);
  if (fault == "no-perft") {
    std::cout << "info depth 1 score cp 13 nodes 20 pv e2e4\nbestmove e2e4\n";
    return;
  }
  if (fault == "ignores-perft") return;
  if (fault == "never-answers" && depth > 1) ::pause();
  if (fault == "garbage") {
    for (int i = 0; i < 1000; ++i) std::cout << "\x01\xff:: 7 e9e4: 3 e2e4:: -" << i << '\n';
    std::cout << std::string(300000, 'x') << '\n';
    return;
  }
  const bool other_form = fault == "other-form";
  std::uint64_t total = 0;
  std::vector<Move> moves = moves_of(board.position);
  if (other_form) moves = std::vector<Move>(moves.rbegin(), moves.rend());
  for (const Move move : moves) {
    const std::uint64_t nodes = perft(made(board.position, move), depth - 1);
    total += nodes;
    const std::string text = uci_text(move, board.black, board.chess960);
    if (other_form) {
      std::cout << "info string " << text << " - " << nodes << " nodes\r\n";
    } else {
      std::cout << text << ": " << nodes << '\n';
    }
  }
  if (fault == "extra-move" && depth == 2) std::cout << "a1h8: 1\n";
  if (!other_form) std::cout << "\nNodes searched: " << total << "\n\n";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) fault = argv[1];
  Board board;
  std::string line;
  while (std::getline(std::cin, line)) {
    std::istringstream words(line);
    std::string word;
    words >> word;
    if (word == "uci") {
      if (fault == "not-uci") continue;
      std::cout << "id name faulty\n";
      if (fault != "no-chess960") {
        std::cout << "option name UCI_Chess960 type check default false\n";
      }
      std::cout << "uciok\n";
    } else if (word == "isready") {
      std::cout << "readyok\n";
    } else if (word == "setoption") {
      board.chess960 = line == "setoption name UCI_Chess960 value true";
    } else if (word == "position") {
      set_position(board, words);
    } else if (word == "go") {
      int depth = 0;
      if (words >> word >> depth) go_perft(board, depth);
    } else if (word == "quit") {
      break;
    }
    std::cout << std::flush;
  }
  return 0;
}
