#include "options.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>

#include <CLI/CLI.hpp>

#include "cli/help_formatter.hpp"
#include "lookup.hpp"
#include "say.hpp"
#include "tests/table.hpp"
#include "usage.hpp"
#include "util/table.hpp"
#include "version.hpp"

namespace envgen::bench {
namespace {

/// `name` as the tests are called on the command line: one of them, or all whose ids begin so (`gemm`).
bool is_test(const std::string& name) {
  const auto& all = all_tests();
  return std::any_of(all.begin(), all.end(), [&](const Test& test) { return matches(test, name); });
}

std::string check_test(const std::string& name) {
  return is_test(name) ? std::string() : "unknown test '" + name + "' (--list shows them)";
}

std::string check_library(const std::string& text) {
  const auto equals = text.find('=');
  if (equals == text.npos || equals + 1 == text.size()) return "'" + text + "' is not NAME=PATH";
  const auto& names = library_names();
  if (std::find(names.begin(), names.end(), text.substr(0, equals)) != names.end()) return {};
  std::string known;
  for (const auto& name : names) known += (known.empty() ? "" : ", ") + name;
  return "unknown library '" + text.substr(0, equals) + "' (" + known + ")";
}

/// One of the names, whichever case it is written in.
template <class Value>
CLI::Validator one_of(const std::map<std::string, Value>& values) {
  return {[values](std::string& text) -> std::string {
            const CLI::CheckedTransformer transform(values, CLI::ignore_case);
            if (transform(text).empty()) return {};
            std::string known;
            for (const auto& [name, value] : values) known += (known.empty() ? "" : ", ") + name;
            return "'" + text + "' is not one of " + known;
          },
          ""};
}

}  // namespace

Parsed parse(int argc, const char* const* argv) {
  Parsed parsed;
  Options& options = parsed.options;
  CLI::App app("Test and measure the GPUs, their libraries and the shared memory of this machine or container.", "envgen-bench");
  app.formatter(std::make_shared<cli::HelpFormatter>());
  app.set_version_flag("--version", std::string("envgen-bench ") + version, "Print the version and exit");
  app.footer(
      "Exit status: 0 on success; 2 if an argument is wrong; 5 if a test failed; 6 with --require-gpu, if no GPU is found.\n\n"
      "Examples:\n  envgen-bench --profile smoke\n  envgen-bench --tests gemm --format json -o report.json");

  const std::map<std::string, Profile> profiles{{"smoke", Profile::smoke}, {"full", Profile::full}};
  const std::map<std::string, Format> formats{{"text", Format::text}, {"json", Format::json}};
  std::vector<std::string> libraries;
  constexpr double a_day = 86400;
  constexpr double most_devices = 1023;
  constexpr const char* shared_memory = "The host's shared memory";

  app.add_option("--tests", options.tests, "run only these tests: ids from --list, or prefixes (gemm)")
      ->delimiter(',')
      ->check(CLI::Validator(check_test, ""))
      ->option_text("ID,...")
      ->group("Tests");
  app.add_flag("--list", options.list, "list the tests and exit")->group("Tests");
  app.add_option("--profile", options.profile, "smoke: whether it works, in 30 seconds; full (the default): also its speed")
      ->transform(one_of(profiles))
      ->option_text("smoke|full")
      ->group("Tests");
  app.add_option("--device", options.device, "test only the GPU with this CUDA index (default: all)")
      ->check(number_within(0, most_devices))
      ->option_text("N")
      ->group("Tests");
  app.add_option("--work", options.work_folder, "test the storage of this folder: writes a 1 GiB file and removes it")
      ->check(folder())
      ->option_text("DIR")
      ->group("Tests");
  app.add_option("--library", libraries,
                 "load a library from this path: libcuda, libcudart, libcublas, libcublasLt, libnccl, libnvidia-ml")
      ->check(CLI::Validator(check_library, ""))
      ->option_text("NAME=PATH")
      ->group("Tests");
  app.add_option("--timeout", options.timeout_seconds, "kill a test after this many seconds (default: 120)")
      ->check(number_within(0.1, a_day))
      ->option_text("SECONDS")
      ->group("Tests");
  app.add_option("--total-timeout", options.total_seconds,
                 "start no more tests after this many seconds, and report the results so far (default: no limit)")
      ->check(number_within(0.1, a_day))
      ->option_text("SECONDS")
      ->group("Tests");
  app.add_flag("--strict-perf", options.strict_performance,
               "fail below 0.75 of the reference speed, with exit status 5 (default: below 0.5, with status 0)")
      ->group("Tests");
  app.add_flag("--require-gpu", options.require_gpu, "exit with status 6 if no GPU is found")->group("Tests");
  auto* const format =
      app.add_option("--format", options.format, "text (the default), or json (the default if --output ends in .json)")
          ->transform(one_of(formats))
          ->option_text("text|json")
          ->group("Output");
  app.add_option("-o,--output", options.output, "write the report to this file")->option_text("FILE")->group("Output");
  app.add_option("--files-of", options.files_of, "list the CUDA and driver libraries below this folder: / in a container")
      ->check(folder())
      ->option_text("DIR")
      ->group("Output");
  app.add_option("--ipc-host-inode", options.canary.host_inode, "the inode of the host's /proc/self/ns/ipc")
      ->option_text("N")
      ->group(shared_memory);
  app.add_option("--ipc-sysv-key", options.canary.sysv_key,
                 "the key of a SysV segment of the host whose content starts with the nonce")
      ->option_text("KEY")
      ->group(shared_memory);
  app.add_option("--ipc-posix", options.canary.posix_name,
                 "the name of a file in the host's /dev/shm whose content starts with the nonce")
      ->option_text("NAME")
      ->group(shared_memory);
  app.add_option("--ipc-nonce", options.canary.nonce, "the nonce")->option_text("TEXT")->group(shared_memory);
  // For envgen validate: one container for all that it asks of an image.
  app.add_option("--then", options.then)->allow_extra_args(false)->group("");
  app.add_option("--then-argument", options.then_arguments)->allow_extra_args(false)->group("");
  app.add_option("--then-environment", options.then_environment)->allow_extra_args(false)->group("");
  app.add_option("--report-nonce", options.report_nonce)->group("");
  app.add_option("--library-path", options.library_path)->delimiter(':')->allow_extra_args(false)->group("");
  app.add_option("--touch", options.touch)->group("");
  app.add_flag("--progress", options.progress)->group("");
  app.add_option("--hold-ipc", options.hold_ipc)->check(CLI::PositiveNumber)->group("");
  app.add_option("--scale", options.scale)->check(CLI::Range(1, 1 << 20))->group("");

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (dynamic_cast<const CLI::CallForHelp*>(&error) != nullptr) {
      std::fputs(cli::help_text(app.help(), util::Terminal::of_stdout().width).c_str(), stdout);
      parsed.exit_status = 0;
    } else if (error.get_exit_code() == 0) {
      parsed.exit_status = app.exit(error);
    } else {
      complain(usage_error(error, app, {argv + 1, argv + argc}));
      parsed.exit_status = 2;
    }
    return parsed;
  }
  if (format->count() == 0 && options.output.ends_with(".json")) options.format = Format::json;
  for (const auto& text : libraries) options.libraries[text.substr(0, text.find('='))] = text.substr(text.find('=') + 1);
  return parsed;
}

}  // namespace envgen::bench
