// The devices command: what can compute here.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/arguments.hpp"
#include "cli/available_threads.hpp"
#include "cli/command.hpp"
#include "cli/help_text.hpp"
#include "cli/output.hpp"
#include "cli/size_text.hpp"
#include "host/report/csv.hpp"
#include "host/report/json.hpp"

namespace cuarbiter {
namespace {

void append_json(std::string& out, const BackendInfo& info) {
  JsonObject object(out);
  object.string("type", "device")
      .string("name", info.name)
      .string("description", info.description)
      .boolean("usable", info.usable);
  if (info.reason.empty()) {
    object.null("reason");
  } else {
    object.string("reason", info.reason);
  }
  object.integer("threads", info.threads)
      .integer("memory_bytes", info.memory_bytes)
      .integer("memory_total", info.memory_total)
      .open_object("details");
  for (const auto& [name, value] : info.details) object.string(name, value);
  object.close_object();
  object.end_line();
}

void append_csv(std::string& out, const BackendInfo& info) {
  std::string details;
  for (const auto& [name, value] : info.details) {
    details += (details.empty() ? "" : "; ") + name + "=" + value;
  }
  CsvRow(out)
      .field(info.name)
      .field(info.description)
      .field(info.usable)
      .field(info.reason)
      .field(info.threads)
      .field(info.memory_bytes)
      .field(info.memory_total)
      .field(details)
      .end();
}

void append_text(std::string& out, const BackendInfo& info) {
  fmt::format_to(std::back_inserter(out), "{}: {}\n", info.name, info.description);
  const auto line = [&](std::string_view name, std::string_view value) {
    fmt::format_to(std::back_inserter(out), "  {:<18}{}\n", name, value);
  };
  line("usable", info.usable ? "yes" : "no: " + info.reason);
  if (info.threads != 0) {
    line(info.name == "cpu" ? "threads" : "multiprocessors", std::to_string(info.threads));
  }
  if (info.memory_total != 0) {
    line("memory", fmt::format("{}, {} used by default", size_text(info.memory_total),
                               size_text(info.memory_bytes)));
  }
  for (const auto& [name, value] : info.details) {
    std::string words = name;
    for (char& c : words) c = c == '_' ? ' ' : c;
    line(words, value);
  }
}

void run_devices(const CommonArguments& arguments, RunStatus& status) {
  std::vector<BackendInfo> all;
  all.push_back(cpu_info());
  all.back().threads = available_threads();
  for (BackendInfo& info : cuda_info()) all.push_back(std::move(info));
  std::string out;
  if (arguments.format == Format::csv) {
    out = "name,description,usable,reason,threads,memory_bytes,memory_total,details\n";
  }
  for (const BackendInfo& info : all) {
    if (arguments.format == Format::jsonl) {
      append_json(out, info);
    } else if (arguments.format == Format::csv) {
      append_csv(out, info);
    } else {
      append_text(out, info);
    }
  }
  Output output(arguments.output, status, arguments.exit_zero);
  output.write(out);
  output.commit();
}

}  // namespace

void add_devices(CLI::App& root, Invocation& invocation) {
  const auto typed = std::make_shared<CommonTyped>();
  CLI::App& command =
      *root.add_subcommand("devices", "backends, devices, instruction sets, memory");
  command.footer(kDevicesHelp);
  add_common_options(command, *typed, "text|jsonl|csv");
  command.callback([typed, &invocation] {
    const CommonArguments arguments = meant(*typed, {Format::text, Format::jsonl, Format::csv});
    invocation.exit_zero = arguments.exit_zero;
    invocation.color = arguments.habits.color;
    invocation.run = [arguments](RunStatus& status) { run_devices(arguments, status); };
  });
}

}  // namespace cuarbiter
