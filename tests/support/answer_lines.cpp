#include "support/answer_lines.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "answers/headline.hpp"
#include "answers/proof.hpp"
#include "resolver/materialize.hpp"

namespace envgen::test {
namespace {

std::string shown(const std::optional<bool>& flag) { return !flag ? "-" : *flag ? "yes" : "no"; }
std::string shown(std::optional<Compat> compat) { return compat ? std::string(name_of(*compat)) : "-"; }
std::string shown(const std::vector<CarriedBy>& carriers) { return fmt::format("[{}]", fmt::join(names_of(carriers), " ")); }
template <class T>
std::string shown(const std::vector<T>& items) {
  return fmt::format("[{}]", fmt::join(items, " "));
}
template <class T>
std::string shown(const std::optional<T>& value) {
  return value ? fmt::format("{}", *value) : "-";
}
template <class T>
std::string shown(const std::optional<std::vector<T>>& items) {
  return items ? shown(*items) : "-";
}

class Writer {
 public:
  explicit Writer(const matrix::Matrix& matrix) : matrix_(matrix) {}

  template <class... Parts>
  void line(fmt::format_string<Parts...> text, Parts&&... parts) {
    lines_.push_back(fmt::format(text, std::forward<Parts>(parts)...));
  }

  void framework(const Environment::FrameworkBuild& build) {
    line("build {}+{} cuda {} toolkit {} official {} nccl {} triton {} glibc {}", build.version, build.tag, shown(build.cuda),
         shown(build.toolkit), shown(build.official), shown(build.nccl), shown(build.triton), shown(build.glibc));
    line("  code {} ptx {} pythons {}", shown(build.archs), shown(build.ptx), shown(build.pythons));
    line("  vision {} audio {} index {} package index {}", shown(build.torchvision), shown(build.torchaudio),
         shown(build.index_url), build.on_package_index ? "yes" : "no");
    if (build.conda_spec) line("  conda {} of {}", *build.conda_spec, shown(build.conda_channels));
    for (const auto& [package, spec] : build.cuda_pins) line("  {}{}", package, spec);
  }

  void driver(const Environment::Driver& driver) {
    line("driver {} asked {} native {} by {} image {}", driver.range.to_string(), shown(driver.asked), shown(driver.native),
         shown(driver.carried_by), shown(driver.compat_image));
    for (const auto& machine : driver.machines)
      line("  machine {} asked {} of [{}] by {} compat {}", machine.range.to_string(), shown(machine.asked),
           fmt::join(machine.gpus, ", "), shown(machine.carried_by), shown(machine.compat));
  }

  void environment(const Environment& e) {
    framework(e.build());
    line("toolkit {} gcc up to {} label {}", shown(e.toolkit().version), shown(e.toolkit().gcc_max),
         shown(e.toolkit().conda_label));
    if (e.cudnn) line("cudnn {} major {} from {}", shown(e.cudnn->version), shown(e.cudnn->major), name_of(e.cudnn->from));
    line("python {} of {} among {}", e.python, name_of(e.python_provider), shown(e.pythons));
    line("os {} {} {} {} {} base {}", shown(e.os), name_of(e.platform), name_of(e.variant), name_of(e.installer),
         shown(e.image_layout), name_of(e.base));
    if (e.system)
      line("  {} {} image {} gcc {} pep668 {}", e.system->family, e.system->version, shown(e.system->image), shown(e.system->gcc),
           shown(e.system->pep668));
    line("images {} {} {} {}", shown(e.images.runtime), shown(e.images.runtime_cudnn), shown(e.images.devel),
         shown(e.images.devel_cudnn));
    line("  official {} {}", shown(e.images.official_runtime), shown(e.images.official_devel));
    for (const auto& board : e.gpus)
      line("gpu {} {} runs {} {} nvcc {}", board.name, board.capability, name_of(board.runs), board.via, shown(board.nvcc));
    if (e.driver) driver(*e.driver);
    for (const auto& pin : e.pins) line("pin {}{}", pin.package, pin.spec);
    for (const auto& [name, value] : e.env) line("env {}={}", name, value);
    for (const auto& warning : e.warnings) {
      if (!is_of_a_rule(warning)) line("warning {}", warning);
    }
    for (const auto& reason : e.reasons)
      line("{} = {}: {} [{}]", reason.field, reason.value, reason.why, fmt::join(ids_of(reason.sources), " "));
  }

  void conflict(const resolver::Query& query, const resolver::Conflict& conflict) {
    std::vector<std::string> values;
    for (const auto index : conflict.values) values.push_back(value(query, index));
    line("conflict of {}", fmt::join(values, ", "));
    const auto proof = answers::proof_of(matrix_, query, conflict);
    for (const auto& sentence : proof.sentences()) line("  {}", sentence);
    line("  scope {}", proof.scope.size());
    for (const auto& step : proof.steps) {
      std::vector<std::string> blamed;
      for (std::size_t i = 0; i < query.values.size(); ++i) {
        if ((step.values & resolver::set_of(static_cast<int>(i))) != 0) blamed.push_back(value(query, static_cast<int>(i)));
      }
      line("  reason {} subject {} by {} builds {}", static_cast<int>(step.reason), step.subject, shown(blamed),
           step.builds.size());
    }
    std::vector<std::string> ids;
    for (const auto source : proof.sources) ids.emplace_back(matrix_.source(source).id.view());
    line("  facts {}", shown(ids));
    nearest(conflict.nearest);
  }

  void unknown(const resolver::Query& query, const resolver::Unknown& unknown) {
    const auto missing = answers::missing_of(matrix_, query, unknown);
    line("unknown: {}", missing.message);
    for (const auto& fact : missing.facts) line("  {}", fact);
    nearest(unknown.nearest);
  }

  Lines lines() && { return std::move(lines_); }

 private:
  void nearest(const std::vector<resolver::Nearest>& environments) {
    for (const auto& one : environments)
      line("  nearest {}: {}", answers::changes_text(one.changes), answers::environment_line(one.environment));
  }

  static std::string value(const resolver::Query& query, int index) {
    const auto& one = query.values[static_cast<std::size_t>(index)];
    return fmt::format("{}={}", name_of(one.field), one.text);
  }

  bool is_of_a_rule(const std::string& warning) const {
    return std::any_of(matrix_->rules.begin(), matrix_->rules.end(),
                       [&](const auto& rule) { return rule.warn.view() == warning; });
  }

  std::vector<std::string> ids_of(const std::vector<std::string>& sources) const {
    std::vector<std::string> ids;
    for (const auto& text : sources) {
      const auto source = std::find_if(matrix_->sources.begin(), matrix_->sources.end(), [&](const auto& row) {
        return text ==
               (row.address().empty() ? std::string(row.what.view()) : fmt::format("{} <{}>", row.what.view(), row.address()));
      });
      ids.emplace_back(source == matrix_->sources.end() ? text : std::string(source->id.view()));
    }
    return ids;
  }

  const matrix::Matrix& matrix_;
  Lines lines_;
};

}  // namespace

Lines answer_lines(const matrix::Matrix& matrix, const resolver::Query& query, const resolver::Resolution& answer) {
  Writer writer(matrix);
  if (const auto* solution = std::get_if<resolver::Solution>(&answer)) {
    writer.environment(resolver::materialize(matrix, query, *solution));
  } else if (const auto* conflict = std::get_if<resolver::Conflict>(&answer)) {
    writer.conflict(query, *conflict);
  } else {
    writer.unknown(query, std::get<resolver::Unknown>(answer));
  }
  return std::move(writer).lines();
}

Lines removal_lines(const resolver::Query& query, const std::vector<resolver::Removal>& removals) {
  Lines lines;
  for (const auto& removal : removals) {
    const auto& value = query.values[static_cast<std::size_t>(removal.value)];
    std::vector<std::string> labels;
    for (const auto* build : removal.removed) labels.push_back(answers::build_label(*build));
    constexpr std::size_t shown = 4;
    if (labels.size() > shown) labels.resize(shown);
    lines.push_back(fmt::format("removed by {}={}: {} of {}, {} left: {}", name_of(value.field), value.text,
                                removal.removed.size(), removal.before, removal.after, fmt::join(labels, ", ")));
  }
  return lines;
}

}  // namespace envgen::test
