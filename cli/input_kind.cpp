// Telling position lines from PGN.
#include "cli/input_kind.hpp"

#include "host/notation/san_text.hpp"
#include "host/pgn/markers.hpp"
#include "host/rules/san_token.hpp"

namespace cuarbiter {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
constexpr std::string_view kBlanks = " \t\n\r\v\f";
// No move, move number or marker is as long as this.
constexpr std::size_t kLongToken = 64;

bool is_move(std::string_view token) {
  const SanToken san = read_san(token);
  return san.piece() != SanToken::kSpecial || san.target() != SanToken::kUnreadable;
}

InputKind kind_of_token(std::string_view token) {
  const std::size_t digits = token.find_first_not_of("0123456789");
  if (digits == std::string_view::npos || (digits != 0 && token[digits] == '.')) {
    return InputKind::games;
  }
  const Marker marker = read_marker(token);
  if (marker.result != GameResult::none && marker.length == token.size()) return InputKind::games;
  if (token.find('/') != std::string_view::npos) return InputKind::positions;
  return is_move(token) ? InputKind::games : InputKind::positions;
}

}  // namespace

std::optional<InputKind> kind_of_text(std::string_view first, bool whole) {
  const std::optional<InputKind> at_end =
      whole ? std::optional<InputKind>(InputKind::positions) : std::nullopt;
  if (first.size() < kByteOrderMark.size() && kByteOrderMark.starts_with(first)) return at_end;
  std::size_t at = first.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
  for (;;) {
    at = first.find_first_not_of(kBlanks, at);
    if (at == std::string_view::npos) return at_end;
    if (first[at] != '#') break;
    at = first.find_first_of("\n\r", at);
    if (at == std::string_view::npos) return at_end;
  }
  if (std::string_view("[{%;").find(first[at]) != std::string_view::npos) return InputKind::games;
  const std::size_t end = first.find_first_of(kBlanks, at);
  const std::string_view token = first.substr(at, end == std::string_view::npos ? end : end - at);
  if (token.size() >= kLongToken) return InputKind::positions;
  if (end == std::string_view::npos && !whole) return std::nullopt;
  return kind_of_token(token);
}

}  // namespace cuarbiter
