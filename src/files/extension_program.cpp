#include "files/extension_program.hpp"

#include <set>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "files/packages.hpp"
#include "files/requirement.hpp"
#include "files/template.hpp"
#include "model/version.hpp"

namespace envgen::files {
namespace {

/// Definitions of Python that find and examine what was compiled against torch.
Expected<std::string> extension_facts() { return fill("extension-facts.py", View()); }

}  // namespace

Expected<File> extension_program() {
  auto facts = extension_facts();
  if (!facts) return tl::unexpected(std::move(facts.error()));
  // Nothing of the environment stands in it: another one would cost an image the layers that follow.
  return made_file(std::string(extension_program_file), extension_program_file, View().text("facts", std::move(*facts)));
}

std::string compiled_names(const Options& options) {
  std::vector<std::string> names;
  for (const auto& requirement : compiled(options)) names.push_back(requirement_name(requirement));
  return fmt::format("{}", fmt::join(names, " "));
}

std::string extension_arguments(const Inputs& inputs, std::string_view command) {
  std::set<Capability> capabilities;
  for (const auto& board : inputs.environment.gpus) capabilities.insert(board.capability);
  std::string words;
  for (const auto& capability : capabilities) words += fmt::format("--for {} ", capability);
  return fmt::format("{}{} {}", words, command, compiled_names(inputs.options));
}

Expected<std::string> self_report_program() {
  auto facts = extension_facts();
  if (!facts) return facts;
  return fill("self-report.py", View().text("facts", std::move(*facts)));
}

}  // namespace envgen::files
