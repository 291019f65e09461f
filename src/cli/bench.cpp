#include <unistd.h>
#include <cerrno>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/commands.hpp"
#include "validate/find_bench.hpp"

namespace envgen::cli {
namespace {

/// envgen becomes envgen-bench, so that its output, its signals and its exit status are its own.
Expected<Exit> become_bench(const std::vector<std::string>& arguments) {
  const auto program = validate::find_bench({}, {});
  if (!program) return tl::unexpected(program.error());
  std::string name = program->string();
  std::vector<std::string> words = arguments;
  std::vector<char*> pointers{name.data()};
  for (auto& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  ::execv(name.c_str(), pointers.data());
  return fail(ErrorCode::missing, fmt::format("cannot run it: {}", std::strerror(errno)),
              name);  // NOLINT(concurrency-mt-unsafe)
}

}  // namespace

Action setup_bench(CLI::App& app, Context& context) {
  app.fallthrough(false);  // its options are no others
  app.prefix_command();
  app.footer(
      "All arguments after 'bench' are passed on: 'envgen bench --profile smoke', 'envgen bench --format json -o report.json'. "
      "'envgen bench -- --help' shows the options; 'envgen bench --list' shows the tests. Without a GPU, envgen-bench says "
      "so and tests the rest. "
      "Exit status: 0 on success; 2 if an argument is wrong; 5 if a test failed; 6 with --require-gpu, if no GPU is found.");
  // For the help alone: CLI11 would sort what is an option from what is none.
  auto taken = std::make_shared<std::vector<std::string>>();
  app.add_option("ARGUMENT", *taken, "arguments for envgen-bench")->type_name("");
  return [&context, taken] {
    auto words = context.command_arguments;
    if (!words.empty() && words.front() == "--") words.erase(words.begin());
    return become_bench(words);
  };
}

}  // namespace envgen::cli
