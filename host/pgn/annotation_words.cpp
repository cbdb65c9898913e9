#include "host/pgn/annotation_words.hpp"

#include <algorithm>
#include <iterator>

namespace cuarbiter {
namespace {

// clang-format off
constexpr std::string_view kEvaluationSigns[] = {
    "=", "+-", "-+", "+/-", "-/+", "+/=", "=/+", "+=",
    "=+", "~", "N", "D", "/\\", "\\/", "|^", "<=",
    "=>", "->", "^", "x", "+--", "--+", "+/--", "--/+",
    "\xC2\xB1", "\xE2\x88\x93", "\xE2\x88\x9E", "\xE2\xA9\xB2", "\xE2\xA9\xB1", "\xE2\x96\xA1", "\xE2\xA8\x80", "\xE2\x9F\xB3",
    "\xE2\x86\x91", "\xE2\x86\x92", "\xE2\x87\x86", "\xE2\x87\x84", "\xE2\x87\x94", "\xE2\x8A\x99", "\xE2\x88\x86", "\xE2\x8C\x93",
    "\xE2\x9C\x95", "\xE2\x80\xBC", "\xE2\x81\x87", "\xE2\x81\x88", "\xE2\x81\x89", "\xE2\x86\xBB", "\xC2\xB0", "\xE2\x97\x8B",
    "\xE2\x89\xB9", "\xE2\x88\xBC", "\xE2\x8A\x95", "\xB1",
};
// clang-format on
constexpr std::string_view kEnPassantMarks[] = {"e.p.", "e.p", "ep", "ep.", "E.P."};
constexpr std::string_view kLooseSuffixes[] = {"+", "++", "#", "ch", "ch.", "mate", "check"};

template <class Words>
bool is_among(const Words& words, std::string_view token) {
  return std::find(std::begin(words), std::end(words), token) != std::end(words);
}

}  // namespace

bool is_evaluation_sign(std::string_view token) {
  return is_among(kEvaluationSigns, token);
}

bool is_en_passant_mark(std::string_view token) {
  return is_among(kEnPassantMarks, token);
}

bool is_loose_suffix(std::string_view token) {
  return is_among(kLooseSuffixes, token);
}

}  // namespace cuarbiter
