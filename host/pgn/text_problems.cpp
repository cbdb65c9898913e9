#include "host/pgn/text_problems.hpp"

namespace cuarbiter {

TextProblem& TextProblems::append(Severity severity, Code code, std::uint32_t at,
                                  std::string_view detail) {
  TextProblem problem{code, severity, game_, at};
  if (!detail.empty()) {
    batch_.details.emplace_back(detail);
    problem.detail = static_cast<std::uint32_t>(batch_.details.size());
  }
  batch_.problems.push_back(problem);
  return batch_.problems.back();
}

bool TextProblems::room(Severity severity, Code code, std::uint32_t at) {
  std::uint32_t& told = told_[static_cast<std::size_t>(severity)];
  if (++told <= kMostOfAKind) return true;
  if (told == kMostOfAKind + 1) {
    append(severity, code, at,
           severity == Severity::error
               ? "too many errors in the text of this game: the rest is not listed"
               : "too many warnings about the text of this game: the rest is not listed");
  }
  return false;
}

void TextProblems::add(Severity severity, Code code, std::uint32_t at, std::string_view detail,
                       std::uint32_t ply) {
  if (room(severity, code, at)) append(severity, code, at, detail).ply = ply;
}

void TextProblems::add_text(Severity severity, Code code, TextSpan text, std::uint32_t ply) {
  if (!room(severity, code, text.begin)) return;
  TextProblem& problem = append(severity, code, text.begin, {});
  problem.length = text.end - text.begin;
  problem.ply = ply;
}

}  // namespace cuarbiter
