// Players' names as far as they tell players apart: the spellings of one name that archives mix up
// become one.
#pragma once

#include <string>
#include <string_view>

namespace cuarbiter {

// Appends the folded form of a White or Black tag's value, as written between its quotes (escapes
// still in it):
//   - text that is not UTF-8 is read as ISO 8859-1;
//   - letters become small ones (Latin with its accents up to U+017F, Greek, Cyrillic); accents
//   stay;
//   - commas, full stops, underscores and white space of any length are one space between two words
//     and nothing at the ends, so that "Carlsen,M.", "Carlsen, M" and "carlsen  m." are one name;
//   - a value of nothing but these and question marks, dashes and asterisks, such as "?" or "", is
//     no name: nothing is appended.
// Other than that "Carlsen, Magnus", "Carlsen, M" and "Magnus Carlsen" stay different. Thread-safe.
void append_folded_name(std::string& out, std::string_view value);

}  // namespace cuarbiter
