#include "host/pgn/annotation_words.hpp"

#include <algorithm>
#include <iterator>

namespace cuarbiter {
namespace {

struct Sign {
  std::string_view text;
  unsigned nag;
};

// clang-format off
constexpr Sign kEvaluationSigns[] = {
    {"=", 10}, {"+-", 18}, {"-+", 19}, {"+/-", 16}, {"-/+", 17}, {"+/=", 14}, {"=/+", 15}, {"+=", 14},
    {"=+", 15}, {"~", 0}, {"N", 146}, {"D", 0}, {"/\\", 0}, {"\\/", 0}, {"|^", 0}, {"<=", 0},
    {"=>", 0}, {"->", 0}, {"^", 0}, {"x", 0}, {"+--", 0}, {"--+", 0}, {"+/--", 0}, {"--/+", 0},
    {"\xC2\xB1", 16}, {"\xE2\x88\x93", 17}, {"\xE2\x88\x9E", 13}, {"\xE2\xA9\xB2", 14},
    {"\xE2\xA9\xB1", 15}, {"\xE2\x96\xA1", 7}, {"\xE2\xA8\x80", 0}, {"\xE2\x9F\xB3", 0},
    {"\xE2\x86\x91", 0}, {"\xE2\x86\x92", 0}, {"\xE2\x87\x86", 0}, {"\xE2\x87\x84", 0},
    {"\xE2\x87\x94", 0}, {"\xE2\x8A\x99", 0}, {"\xE2\x88\x86", 0}, {"\xE2\x8C\x93", 0},
    {"\xE2\x9C\x95", 0}, {"\xE2\x80\xBC", 3}, {"\xE2\x81\x87", 4}, {"\xE2\x81\x88", 6},
    {"\xE2\x81\x89", 5}, {"\xE2\x86\xBB", 0}, {"\xC2\xB0", 0}, {"\xE2\x97\x8B", 0},
    {"\xE2\x89\xB9", 0}, {"\xE2\x88\xBC", 0}, {"\xE2\x8A\x95", 0}, {"\xB1", 16},
};
// clang-format on
constexpr std::string_view kEnPassantMarks[] = {"e.p.", "e.p", "ep", "ep.", "E.P."};
constexpr std::string_view kLooseSuffixes[] = {"+", "++", "#", "ch", "ch.", "mate", "check"};

template <class Words>
bool is_among(const Words& words, std::string_view token) {
  return std::find(std::begin(words), std::end(words), token) != std::end(words);
}

const Sign* find_sign(std::string_view token) {
  const auto* sign = std::find_if(std::begin(kEvaluationSigns), std::end(kEvaluationSigns),
                                  [&](const Sign& s) { return s.text == token; });
  return sign == std::end(kEvaluationSigns) ? nullptr : sign;
}

}  // namespace

bool is_evaluation_sign(std::string_view token) {
  return find_sign(token) != nullptr;
}

unsigned nag_of_sign(std::string_view token) {
  const Sign* sign = find_sign(token);
  return sign ? sign->nag : 0;
}

bool is_en_passant_mark(std::string_view token) {
  return is_among(kEnPassantMarks, token);
}

bool is_loose_suffix(std::string_view token) {
  return is_among(kLooseSuffixes, token);
}

}  // namespace cuarbiter
