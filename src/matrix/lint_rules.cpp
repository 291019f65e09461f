#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "matrix/linting.hpp"
#include "model/choices.hpp"
#include "model/request.hpp"
#include "model/spelling.hpp"

namespace envgen::matrix {
namespace {

/// What the versions of a condition may be.
struct Versions {
  std::vector<Version> known;
  std::string_view what;
};

std::map<std::string_view, Versions> versions_of_conditions(Lint& lint) {
  const auto& root = lint.root;
  std::vector<Version> capabilities;
  for (const auto& gpu : root.gpus) capabilities.emplace_back(gpu.capability.major, gpu.capability.minor);
  return {{"torch", {releases_of(root, Framework::torch), "torch"}},
          {"tensorflow", {releases_of(root, Framework::tensorflow), "tensorflow"}},
          {"cuda", {versions(root.cuda_minors, &CudaMinor::cuda), "CUDA"}},
          {"cudnn", {versions(root.cudnns, &Cudnn::version), "cuDNN"}},
          {"python", {pythons_of(lint), "Python"}},
          {"gpu_capability", {capabilities, "GPU's compute capability"}}};
}

void check_condition(Lint& lint, const std::string& field, const Cell& value, const std::map<std::string_view, Versions>& all) {
  static constexpr std::array<std::string_view, 3> channels{"wheels", "pytorch", "conda-forge"};
  static const std::map<std::string_view, std::span<const std::string_view>> choices{{"installer", Names<Installer>::names},
                                                                                     {"base", Names<Base>::names},
                                                                                     {"variant", Names<Variant>::names},
                                                                                     {"channel", channels}};
  // Alternatives are separated by a bar.
  for (auto rest = value.text();;) {
    const auto bar = rest.find('|');
    const auto part = rest.substr(0, bar);
    if (const auto spec = all.find(field); spec != all.end()) {
      lint.check_spec(value, part, &spec->second.known, spec->second.what);
    } else if (const auto choice = choices.find(field); choice != choices.end()) {
      if (const auto parsed = parse_choice(part, choice->second); !parsed)
        lint.find(value.where(), parsed.error().message, parsed.error().hints);
    } else if (field == "gpu") {
      const auto& gpus = lint.root.gpus;
      if (std::none_of(gpus.begin(), gpus.end(), [&](const Gpu& gpu) { return gpu.name == part; }))
        lint.find(value.where(), fmt::format("{} is not a GPU of gpus.json", in_quotes(part)));
    } else if (field == "os") {
      const Json system = std::string(part);
      lint.check_system(lint.cell({&system, value.where(), {}}));
    }
    if (bar == std::string_view::npos) return;
    rest.remove_prefix(bar + 1);
  }
}

void check_preset(Lint& lint, const Cell& request) {
  for (const auto& [field, value] : request.members()) {
    const auto is_named = [name = field](const FieldRow& row) { return row.shape != Shape::preset && row.name == name; };
    if (std::none_of(field_rows.begin(), field_rows.end(), is_named)) {
      lint.find(value, fmt::format("{} is not a request field", in_quotes(field)));
    } else if (!value.is_text()) {
      continue;
    } else if (field == "os") {
      lint.check_system(value);
    } else if (field == "torch" || field == "tensorflow") {
      const auto known = releases_of(lint.root, field == "torch" ? Framework::torch : Framework::tensorflow);
      lint.check_spec(value, value.text(), &known, field);
    } else if (field == "cuda" && value.text() != "cpu") {
      lint.check_spec(value, value.text(), nullptr, field);
    }
  }
}

}  // namespace

void lint_rules(Lint& lint) {
  const auto known = versions_of_conditions(lint);
  lint.each<Rule>(tables::rules, [&](Lint&, const Rule& row, const Cell& cell) {
    for (const auto& [field, value] : cell.maybe("when").members()) {
      if (value.is_text()) check_condition(lint, field, value, known);
    }
    const auto action = cell.maybe("action");
    if (!row.pin_spec.empty()) lint.check_spec(action.maybe("pin").maybe("spec"), row.pin_spec, nullptr, "version");
    if (action.is_object() && action.members().empty()) lint.find(action, "the rule does nothing: pin, env, warn or stale_lists");
    const auto of_boards = [](const Condition& one) { return one.field.view() == "gpu" || one.field.view() == "gpu_capability"; };
    if (row.warn.view().find(its_boards) != std::string_view::npos && std::none_of(row.when.begin(), row.when.end(), of_boards))
      lint.find(action.maybe("warn"), fmt::format("{} needs a condition on gpu or gpu_capability", its_boards));
  });
  for (const auto& row : lint.rows(tables::presets)) check_preset(lint, lint.cell(row).maybe("request"));
  lint.each<Extension>(tables::extensions, [](Lint& all, const Extension& row, const Cell& cell) {
    if (row.name.view().find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") != std::string_view::npos)
      all.find(cell.maybe("name"), fmt::format("{} is not a name as PEP 503 normalises it", in_quotes(row.name.view())));
  });
  lint.each<PackageNeeds>(tables::package_needs, [](Lint& all, const PackageNeeds& row, const Cell& cell) {
    const auto name = row.package.view();
    if (!name.empty() && !any(all.root.extensions, [&](const Extension& one) { return one.name.view() == name; }) &&
        !any(all.root.package_requirements, [&](const PackageRequirement& one) { return one.package.view() == name; }))
      all.find(cell.maybe("package"), fmt::format("{} is neither in `extensions` nor in `requirements`", in_quotes(name)));
  });
  const auto torches = releases_of(lint.root, Framework::torch);
  lint.each<PackageRequirement>(tables::package_requirements, [&](Lint& all, const PackageRequirement& row, const Cell& cell) {
    if (!row.spec.empty())
      all.check_spec(cell.maybe("spec"), row.spec.view(), row.of.view() == "torch" ? &torches : nullptr, "torch");
  });
  lint.each<Tool>(tables::tools, [](Lint& all, const Tool& row, const Cell& cell) {
    if (row.platform.empty()) return;
    if (const auto platform = parse_choice(row.platform, Names<Platform>::names); !platform)
      all.find(cell.maybe("platform").where(), platform.error().message, platform.error().hints);
  });
}

}  // namespace envgen::matrix
