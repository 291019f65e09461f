#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "matrix/loading.hpp"
#include "model/spelling.hpp"

namespace envgen::matrix {
namespace {

void load_pitfalls(Loading& l) {
  static const std::set<std::string_view> names{"installer", "base", "variant", "channel", "os"};  // the others are versions
  const auto& rules = l.documents.rows("pitfalls.json", "rules");
  auto* rows = l.packer.fill(l.root.rules, rules.size());
  for (std::size_t i = 0; i < rules.size(); ++i) {
    const auto cell = l.cell(rules[i]);
    cell.allow_in_row({"id", "title", "when", "action", "symptom", "why", "fix"});
    auto& row = rows[i];
    l.packer.put(row.id, cell.at("id").text());
    l.packer.put(row.title, cell.at("title").text());
    const auto when = cell.at("when");
    when.allow_only(
        {"torch", "cuda", "cudnn", "python", "tensorflow", "installer", "base", "variant", "channel", "os", "gpu_capability"});
    const auto conditions = when.members();
    auto* condition_rows = l.packer.fill(row.when, conditions.size());
    for (std::size_t k = 0; k < conditions.size(); ++k) {
      l.packer.put(condition_rows[k].field, conditions[k].first);
      l.packer.put(condition_rows[k].spec, conditions[k].second.text());
      if (names.contains(conditions[k].first)) continue;
      const auto spec = VersionSpec::parse(conditions[k].second.text());
      if (!spec) {
        conditions[k].second.problem(fmt::format("{} is {}", in_quotes(conditions[k].second.text()), spec.error().message));
        continue;
      }
      auto* clauses = l.packer.fill(condition_rows[k].clauses, spec->clauses().size());
      std::copy(spec->clauses().begin(), spec->clauses().end(), clauses);
    }
    const auto action = cell.at("action");
    action.allow_only({"pin", "env", "warn"});
    const auto pin = action.maybe("pin");
    if (!pin.is_null()) {
      l.packer.put(row.pin_package, pin.at("package").text());
      l.packer.put(row.pin_spec, pin.at("spec").text());
    }
    for (const auto& [name, value] : action.maybe("env").members()) {
      l.packer.put(row.env_name, name);
      l.packer.put(row.env_value, value.text());
    }
    l.packer.put(row.warn, action.maybe("warn").text_or_null());
    l.packer.put(row.symptom, cell.at("symptom").text_or_null());
    l.packer.put(row.why, cell.at("why").text());
    l.packer.put(row.fix, cell.at("fix").text_or_null());
    l.provenance(row.from, rules[i]);
  }
}

void load_presets(Loading& l) {
  const auto& presets = l.documents.rows("presets.json", "presets");
  auto* rows = l.packer.fill(l.root.presets, presets.size());
  for (std::size_t i = 0; i < presets.size(); ++i) {
    const auto cell = l.cell(presets[i]);
    cell.allow_in_row({"name", "what", "request"});
    l.packer.put(rows[i].name, cell.at("name").text());
    l.packer.put(rows[i].what, cell.at("what").text());
    std::vector<std::pair<std::string, std::string>> values;
    for (const auto& [field, value] : cell.at("request").members()) {
      if (field == "gpus") {
        for (const auto& gpu : value.items()) values.emplace_back("gpu", gpu.text());
      } else if (field == "hosts") {
        for (const auto& host : value.items()) {
          std::string text;
          for (const auto& gpu : host.at("gpus").items()) text += (text.empty() ? "gpu=" : ",gpu=") + std::string(gpu.text());
          const auto driver = host.maybe("driver").text_or_null();
          if (!driver.empty()) text += ",driver=" + std::string(driver);
          values.emplace_back("host", text);
        }
      } else {
        values.emplace_back(field, value.text());
      }
    }
    auto* value_rows = l.packer.fill(rows[i].request, values.size());
    for (std::size_t k = 0; k < values.size(); ++k) {
      l.packer.put(value_rows[k].field, values[k].first);
      l.packer.put(value_rows[k].text, values[k].second);
    }
    l.provenance(rows[i].from, presets[i]);
  }
}

void load_mirrors(Loading& l) {
  const auto& mirrors = l.documents.rows("mirrors.json", "mirrors");
  auto* rows = l.packer.fill(l.root.mirrors, mirrors.size());
  for (std::size_t i = 0; i < mirrors.size(); ++i) {
    const auto cell = l.cell(mirrors[i]);
    cell.allow_in_row({"name", "what", "apt", "pip_index", "conda", "conda_channels", "torch"});
    l.packer.put(rows[i].name, cell.at("name").text());
    l.packer.put(rows[i].what, cell.at("what").text());
    l.packer.put(rows[i].apt, cell.at("apt").text_or_null());
    l.packer.put(rows[i].pip_index, cell.at("pip_index").text_or_null());
    l.packer.put(rows[i].conda, cell.at("conda").text_or_null());
    l.texts(rows[i].conda_channels, cell.at("conda_channels"));
    l.packer.put(rows[i].torch, cell.at("torch").text_or_null());
    l.provenance(rows[i].from, mirrors[i]);
  }
}

}  // namespace

void load_rules(Loading& loading) {
  load_pitfalls(loading);
  load_presets(loading);
  load_mirrors(loading);
}

}  // namespace envgen::matrix
