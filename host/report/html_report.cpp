#include "host/report/html_report.hpp"

#include <algorithm>
#include <cstdio>
#include <initializer_list>

#include "host/report/board_svg.hpp"
#include "host/report/terminal.hpp"

namespace cuarbiter {
namespace {

constexpr std::string_view kHead = R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>cuarbiter validate</title>
<style>
:root { --ground: #fbfbfa; --card: #ffffff; --text: #1d2126; --faint: #626a73; --rule: #dcdfe3;
  --error: #b3261e; --warning: #a86500; --bar: #4a6fa5; --good: #2d7a46;
  --light: #e8ecf1; --dark: #93a7bd; --mark: #f0bd4a; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #16191d; --card: #1f2329; --text: #e4e7eb; --faint: #9aa3ad; --rule: #353b43;
    --error: #ff8a80; --warning: #f2b84b; --bar: #7fa3d6; --good: #7bc796;
    --light: #b7c2ce; --dark: #66798d; --mark: #c9952c; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2rem 1.25rem 4rem; max-width: 76rem; background: var(--ground);
  color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
h1 { margin: 0; font-size: 1.6rem; }
h2 { margin: 2.5rem 0 .75rem; font-size: 1.15rem; }
p { margin: .25rem 0; }
.faint { color: var(--faint); }
.error { color: var(--error); }
.warning { color: var(--warning); }
.good { color: var(--good); }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(7.25rem, 1fr)); gap: .75rem;
  margin-top: 1.25rem; }
.figures div { padding: .75rem 1rem; background: var(--card); border: 1px solid var(--rule);
  border-radius: 8px; }
.figures b { display: block; font-size: 1.35rem; font-weight: 600; font-variant-numeric: tabular-nums; }
.scroll { overflow-x: auto; background: var(--card); border: 1px solid var(--rule); border-radius: 8px; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: .4rem .75rem; text-align: left; border-bottom: 1px solid var(--rule);
  vertical-align: middle; }
tr:last-child td { border-bottom: 0; }
th { color: var(--faint); font-size: .85rem; font-weight: 500; }
.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.code { white-space: nowrap; }
.name { overflow-wrap: anywhere; }
.share { width: 34%; min-width: 8rem; }
.bar { display: block; width: 100%; height: 12px; }
.bar rect { fill: var(--bar); }
.bar .error { fill: var(--error); }
.bar .warning { fill: var(--warning); }
code { font: .86em/1.45 ui-monospace, monospace; overflow-wrap: anywhere; }
.kinds { display: grid; grid-template-columns: repeat(auto-fit, minmax(19rem, 1fr)); gap: 1rem; }
.kinds h2 { margin-top: 1.5rem; }
.boards { display: grid; grid-template-columns: repeat(auto-fill, minmax(17rem, 1fr)); gap: 1rem; }
figure { margin: 0; padding: .9rem; background: var(--card); border: 1px solid var(--rule);
  border-radius: 8px; }
figcaption { margin-top: .6rem; overflow-wrap: anywhere; }
.board { display: block; width: 100%; height: auto; }
.board rect { shape-rendering: crispEdges; }
.light { fill: var(--light); }
.dark { fill: var(--dark); }
.mark { fill: var(--mark); }
.edge { fill: var(--faint); font: 30px system-ui, sans-serif; text-anchor: middle; }
.white { fill: #ffffff; stroke: #1c1f23; color: #1c1f23; }
.black { fill: #2a2d32; stroke: #0d0f11; color: #eceff3; }
.white, .black { stroke-width: 3; stroke-linejoin: round; }
.line { fill: none; stroke: currentColor; stroke-width: 3; }
</style>
</head>
<body>
)";

void append_parts(std::string& out, std::initializer_list<std::string_view> parts) {
  for (const std::string_view part : parts) out += part;
}

// Text from the input: harmless in text and in attributes.
void append_text(std::string& out, std::string_view text) {
  std::string plain;
  append_visible(plain, text);
  for (const char c : plain) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
}

// "1 234 567" with narrow spaces that do not break.
std::string grouped(std::uint64_t value) {
  const std::string digits = std::to_string(value);
  std::string out;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i != 0 && (digits.size() - i) % 3 == 0) out += "&#8239;";
    out += digits[i];
  }
  return out;
}

std::string with_decimals(double value) {
  char text[32];
  std::snprintf(text, sizeof text, value < 10 ? "%.2f" : "%.1f", value);
  return text;
}

std::string duration(double seconds) {
  std::string out;
  if (seconds < 120) {
    append_parts(out, {with_decimals(seconds), " s"});
    return out;
  }
  const auto whole = static_cast<std::uint64_t>(seconds);
  const std::uint64_t hours = whole / 3600, minutes = whole / 60 % 60;
  if (hours) {
    append_parts(out, {std::to_string(hours), " h ", std::to_string(minutes), " min"});
  } else {
    append_parts(out, {std::to_string(minutes), " min ", std::to_string(whole % 60), " s"});
  }
  return out;
}

void append_number_cell(std::string& out, std::uint64_t value, std::string_view kind = {}) {
  append_parts(out, {"<td class=\"n", value && !kind.empty() ? " " : "", value ? kind : "", "\">",
                     grouped(value), "</td>"});
}

// A bar as long as its share of the longest.
void append_bar(std::string& out, std::uint64_t value, std::uint64_t most, std::string_view kind) {
  const double width =
      most ? std::max(0.5, 100.0 * static_cast<double>(value) / static_cast<double>(most)) : 0;
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", width);
  append_parts(
      out,
      {"<td class=\"share\"><svg class=\"bar\" viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" "
       "aria-hidden=\"true\"><rect class=\"",
       kind, "\" width=\"", text, "\" height=\"10\"/></svg></td>"});
}

void append_figure(std::string& out, const std::string& value, std::string_view name,
                   std::string_view kind = {}) {
  append_parts(out, {"<div><b class=\"", kind, "\">", value, "</b><span class=\"faint\">", name,
                     "</span></div>\n"});
}

void append_figures(std::string& out, const ArchiveReport& report) {
  const ReportRow& t = report.total;
  out += "<div class=\"figures\">\n";
  append_figure(out, grouped(report.files), report.files == 1 ? "file" : "files");
  append_figure(out, grouped(t.games), t.games == 1 ? "game" : "games");
  append_figure(out, grouped(t.plies), "plies");
  append_figure(out, grouped(t.bytes), "bytes");
  append_figure(out, grouped(t.games_with_errors), "games with errors",
                t.games_with_errors ? "error" : "good");
  append_figure(out, grouped(t.errors), t.errors == 1 ? "error" : "errors",
                t.errors ? "error" : "good");
  append_figure(out, grouped(t.warnings), t.warnings == 1 ? "warning" : "warnings",
                t.warnings ? "warning" : "good");
  if (report.seconds) append_figure(out, duration(*report.seconds), "taken");
  out += "</div>\n";
}

void append_codes(std::string& out, const ArchiveReport& report) {
  out += "<h2>Problems by code</h2>\n";
  std::vector<Code> codes;
  for (std::size_t i = 0; i < kCodeCount; ++i) {
    if (report.codes[i]) codes.push_back(static_cast<Code>(i));
  }
  if (codes.empty()) {
    out += "<p class=\"good\">None.</p>\n";
    return;
  }
  const auto count = [&](Code code) { return report.codes[static_cast<std::size_t>(code)]; };
  std::stable_sort(codes.begin(), codes.end(), [&](Code x, Code y) { return count(x) > count(y); });
  out +=
      "<div class=\"scroll\"><table>\n<tr><th>Code</th><th>Severity</th><th class=\"n\">Count</th>"
      "<th class=\"share\"></th><th>Meaning</th></tr>\n";
  for (const Code code : codes) {
    const std::string_view severity = severity_name(code_severity(code));
    out += "<tr><td class=\"code\"><code>";
    append_text(out, code_name(code));
    append_parts(out, {"</code></td><td class=\"", severity, "\">", severity, "</td>"});
    append_number_cell(out, count(code));
    append_bar(out, count(code), count(codes.front()), severity);
    out += "<td>";
    append_text(out, code_meaning(code));
    out += "</td></tr>\n";
  }
  out += "</table></div>\n";
}

void append_kinds(std::string& out, std::string_view title, const NameCounts& kinds) {
  const std::vector<NameCounts::Count> counts = kinds.sorted();
  out += "<section><h2>";
  out += title;
  out += "</h2>\n";
  if (counts.empty()) {
    out += "<p class=\"faint\">None.</p></section>\n";
    return;
  }
  out += "<div class=\"scroll\"><table>\n";
  for (const NameCounts::Count& kind : counts) {
    out += "<tr><td><code>";
    append_text(out, kind.name);
    out += "</code></td>";
    append_number_cell(out, kind.count);
    append_bar(out, kind.count, counts.front().count, {});
    out += "</tr>\n";
  }
  out += "</table></div></section>\n";
}

void append_row(std::string& out, const ReportRow& row) {
  out += "<tr><td class=\"name\">";
  append_text(out, row.name);
  if (!row.fault.empty()) {
    out += "<br><span class=\"error\">";
    append_text(out, row.fault);
    out += "</span>";
  }
  out += "</td>";
  append_number_cell(out, row.games);
  append_number_cell(out, row.plies);
  append_number_cell(out, row.bytes);
  append_number_cell(out, row.games_with_errors, "error");
  append_number_cell(out, row.errors, "error");
  append_number_cell(out, row.warnings, "warning");
  out += "</tr>\n";
}

void append_files(std::string& out, const ArchiveReport& report) {
  out +=
      "<h2>Files</h2>\n<div class=\"scroll\"><table>\n<tr><th>File</th><th class=\"n\">Games</th>"
      "<th class=\"n\">Plies</th><th class=\"n\">Bytes</th><th class=\"n\">Games with errors</th>"
      "<th class=\"n\">Errors</th><th class=\"n\">Warnings</th></tr>\n";
  for (const ReportRow& row : report.rows) append_row(out, row);
  out += "</table></div>\n";
  if (report.files > report.rows.size()) {
    append_parts(out, {"<p class=\"faint\">", grouped(report.files - report.rows.size()),
                       " more not listed; they are counted above.</p>\n"});
  }
}

void append_position(std::string& out, const ReportPosition& p) {
  out += "<figure>";
  append_board_svg(out, p.fen, target_square(p.move));
  out += "<figcaption><p><b>";
  append_text(out, p.move.empty() ? std::string_view("-") : std::string_view(p.move));
  append_parts(out, {"</b> <span class=\"faint\">ply ", std::to_string(p.ply), ", ",
                     p.fen.find(" b ") == std::string::npos ? "White" : "Black",
                     " to move</span></p><p class=\"", severity_name(p.severity), "\">"});
  append_text(out, p.message);
  out += " <code>";
  append_text(out, code_name(p.code));
  out += "</code></p><p>";
  append_text(out, p.white);
  out += " &ndash; ";
  append_text(out, p.black);
  out += "</p><p class=\"faint\">";
  append_text(out, p.file);
  append_parts(out,
               {":", std::to_string(p.line), ", game ", std::to_string(p.game), "</p><p><code>"});
  append_text(out, p.fen);
  out += "</code></p></figcaption></figure>\n";
}

void append_positions(std::string& out, const ArchiveReport& report) {
  if (report.positions.empty()) return;
  out += "<h2>The first faulty positions</h2>\n<div class=\"boards\">\n";
  for (const ReportPosition& p : report.positions) append_position(out, p);
  out += "</div>\n";
}

}  // namespace

void NameCounts::add(std::string_view name, std::uint64_t count) {
  const auto found = std::find_if(counts_.begin(), counts_.end(),
                                  [&](const Count& known) { return known.name == name; });
  if (found != counts_.end()) {
    found->count += count;
  } else {
    counts_.push_back(Count{std::string(name), count});
  }
}

void NameCounts::add(const NameCounts& other) {
  for (const Count& count : other.counts_) add(count.name, count.count);
}

std::vector<NameCounts::Count> NameCounts::sorted() const {
  std::vector<Count> out = counts_;
  std::sort(out.begin(), out.end(), [](const Count& x, const Count& y) {
    return x.count != y.count ? x.count > y.count : x.name < y.name;
  });
  return out;
}

void append_html_report(std::string& out, const ArchiveReport& report) {
  out += kHead;
  append_men_svg(out);
  out += "<h1>Archive report</h1>\n<p class=\"faint\">cuarbiter validate, rules ";
  append_text(out, report.rules);
  out += ", ";
  append_text(out, report.made_at);
  out += "</p>\n";
  if (report.stopped) {
    out +=
        "<p class=\"warning\">Stopped at the most errors asked for: what follows was not looked "
        "at.</p>\n";
  }
  append_figures(out, report);
  append_codes(out, report);
  out += "<div class=\"kinds\">\n";
  append_kinds(out, "Results", report.results);
  append_kinds(out, "State at the end", report.ends);
  append_kinds(out, "Why drawn", report.draws);
  out += "</div>\n";
  append_positions(out, report);
  append_files(out, report);
  out += "</body>\n</html>\n";
}

}  // namespace cuarbiter
