// The codes command: the table of everything that can be wrong, as text, Markdown, CSV or JSON
// Lines. The documentation's table is its output.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "cli/help_text.hpp"
#include "cli/output.hpp"
#include "host/report/csv.hpp"
#include "host/report/diagnostic.hpp"
#include "host/report/json.hpp"

namespace cuarbiter {
namespace {

void append_row(std::string& out, Format format, Code code) {
  const std::string_view name = code_name(code);
  const std::string_view severity = severity_name(code_severity(code));
  const std::string_view meaning = code_meaning(code);
  switch (format) {
    case Format::jsonl:
      JsonObject(out)
          .string("type", "code")
          .string("code", name)
          .string("severity", severity)
          .string("meaning", meaning)
          .end_line();
      break;
    case Format::csv:
      CsvRow(out).field(name).field(severity).field(meaning).end();
      break;
    case Format::markdown:
      fmt::format_to(std::back_inserter(out), "| `{}` | {} | {} |\n", name, severity, meaning);
      break;
    default:
      fmt::format_to(std::back_inserter(out), "{:<30}{:<9}{}\n", name, severity, meaning);
      break;
  }
}

void run_codes(const CommonArguments& arguments, RunStatus& status) {
  std::string out;
  if (arguments.format == Format::csv) out = "code,severity,meaning\n";
  if (arguments.format == Format::markdown) out = "| code | severity | meaning |\n|---|---|---|\n";
  for (std::size_t i = 0; i < kCodeCount; ++i) {
    append_row(out, arguments.format, static_cast<Code>(i));
  }
  Output output(arguments.output, status, arguments.exit_zero);
  output.write(out);
  output.commit();
}

}  // namespace

void add_codes(CLI::App& root, Invocation& invocation) {
  const auto typed = std::make_shared<CommonTyped>();
  CLI::App& command = *root.add_subcommand("codes", "every code of a diagnostic");
  command.footer(kCodesHelp);
  add_common_options(command, *typed, "text|markdown|jsonl|csv");
  command.callback([typed, &invocation] {
    const CommonArguments arguments =
        meant(*typed, {Format::text, Format::markdown, Format::jsonl, Format::csv});
    invocation.exit_zero = arguments.exit_zero;
    invocation.color = arguments.habits.color;
    invocation.run = [arguments](RunStatus& status) { run_codes(arguments, status); };
  });
}

}  // namespace cuarbiter
