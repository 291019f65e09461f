#include "inspect/report.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "inspect/places.hpp"
#include "model/spelling.hpp"
#include "util/json_writer.hpp"

namespace envgen::inspect {
namespace {

/// A row of what others wrote. A line end in it would begin a row of its own.
void add(util::Table& table, std::vector<std::string> cells) {
  for (auto& cell : cells) cell = visible(cell, std::string::npos);
  table.add(std::move(cells));
}

std::string joined(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, " ")); }
std::string or_none(const std::string& text) { return text.empty() ? "none" : text; }

std::string to_text(const Requirement& requirement) {
  auto text = requirement.name;
  if (!requirement.extras.empty()) text += fmt::format("[{}]", requirement.extras);
  if (!requirement.version.empty()) text += " " + requirement.version;
  if (!requirement.marker.empty()) text += "; " + requirement.marker;
  return text;
}

std::string place_in(std::string_view folder) { return folder.empty() ? std::string() : fmt::format(" in {}", folder); }

std::string cuda_of(const TorchBuild& torch) {
  if (!torch.cuda_problem.empty()) return "unknown: " + torch.cuda_problem;
  return torch.cuda ? torch.cuda.to_string() : "none";
}

bool is_torch(const Package& package) { return package.metadata.name == "torch"; }

void add_package(util::Table& card, const Package& package, bool one_of_several) {
  const auto& metadata = package.metadata;
  add(card, {metadata.name, metadata.version + (one_of_several ? place_in(packages_folder(package.folder)) : "")});
  if (!metadata.requires_python.empty()) add(card, {"Python", metadata.requires_python});
  if (!package.tags.empty()) add(card, {"tags", joined(package.tags)});
  for (const auto& pin : pins_of(metadata)) add(card, {"requires", to_text(pin)});
}

void add_torch(util::Table& card, const TorchBuild& torch, bool code_known, bool of_several) {
  card.add(
      {"torch in version.py", (torch.version.empty() ? "unknown" : torch.version) + place_in(of_several ? torch.folder : "")});
  add(card, {"CUDA version", cuda_of(torch)});
  add(card, {"get_arch_list()", torch.arch_list ? torch.arch_list->to_string() : code_known ? "not found" : "unknown"});
  if (of_several) add(card, {"GPU code", code_known ? or_none(torch.compiled.to_string()) : "unknown"});
  if (!code_known) return;
  if (const auto more = torch.built_only(); !more.empty()) add(card, {"compiled, not listed", more.to_string()});
  if (const auto less = torch.listed_only(); !less.empty()) add(card, {"listed, not compiled", less.to_string()});
}

void add_targets(util::Table& card, const Inspected& inspected, bool known) {
  const auto targets = inspected.targets();
  add(card, {"GPU code (SASS)", known ? or_none(joined(targets.sass_names())) : "unknown"});
  add(card, {"PTX", known ? or_none(joined(targets.ptx_names())) : "unknown"});
  const auto of_them = inspected.gpu_libraries();
  if (!known || of_them.empty() || inspected.libraries.size() == 1) return;
  add(card, {"SASS, PTX from",
             of_them.size() == 1 ? of_them.front()->path : fmt::format("{} libraries, listed below", of_them.size())});
}

void add_glibc(util::Table& card, const Inspected& inspected) {
  if (inspected.packages.size() == 1) {
    if (const auto glibc = glibc_of(inspected.packages.front().tags)) add(card, {"glibc from tag", glibc.to_string()});
  }
  const auto* floor = inspected.glibc_floor();
  if (floor == nullptr) return;
  const auto cell = [](const Library& library) { return fmt::format("{} ({})", library.glibc->to_string(), library.path); };
  add(card, {"glibc needed", cell(*floor)});
  // A wheel may carry a library for another maker's GPUs, which nobody loads who has those of NVIDIA.
  const auto of_gpus = inspected.gpu_libraries();
  const auto newest = std::max_element(of_gpus.begin(), of_gpus.end(), [](const Library* a, const Library* b) {
    return a->glibc.value_or(Version(0, 0)) < b->glibc.value_or(Version(0, 0));
  });
  if (of_gpus.size() > 1 && (*newest)->glibc && *(*newest)->glibc > Version(0, 0) && *(*newest)->glibc < *floor->glibc)
    add(card, {"glibc with that GPU code", cell(**newest)});
}

/// What could not be read; of many the first ones.
void add_unreadable(util::Table& card, const std::vector<Unreadable>& unreadable) {
  constexpr std::size_t most = 5;
  for (std::size_t i = 0; i < std::min(most, unreadable.size()); ++i)
    add(card, {"not read", fmt::format("{}: {}", unreadable[i].path, unreadable[i].why)});
  if (unreadable.size() > most) add(card, {"not read", fmt::format("{} more", unreadable.size() - most)});
}

void write_targets(util::JsonWriter& json, const Targets& targets, bool known = true) {
  if (!known) {
    json.null();
    return;
  }
  json.begin_object().member("sass", targets.sass_names()).member("ptx", targets.ptx_names()).end_object();
}

util::JsonWriter& version_or_null(util::JsonWriter& json, std::string_view name, Version version) {
  json.key(name);
  return version ? json.value(version.to_string()) : json.null();
}

util::JsonWriter& text_or_null(util::JsonWriter& json, std::string_view name, const std::string& text) {
  json.key(name);
  return text.empty() ? json.null() : json.value(text);
}

void write_package(util::JsonWriter& json, const Package& package) {
  const auto& metadata = package.metadata;
  json.begin_object().member("name", metadata.name).member("version", metadata.version).member("folder", package.folder);
  text_or_null(json, "requires_python", metadata.requires_python).member("tags", package.tags);
  version_or_null(json, "glibc_of_tag", glibc_of(package.tags)).key("requires").begin_array();
  for (const auto& requirement : metadata.requires_dist) {
    json.begin_object()
        .member("name", requirement.name)
        .member("extras", requirement.extras)
        .member("version", requirement.version)
        .member("marker", requirement.marker)
        .end_object();
  }
  json.end_array().end_object();
}

void write_torch(util::JsonWriter& json, const TorchBuild& torch, bool code_known) {
  json.begin_object();
  text_or_null(json, "version", torch.version);
  text_or_null(json, "folder", torch.folder);
  version_or_null(json, "cuda", torch.cuda);
  text_or_null(json, "cuda_problem", torch.cuda_problem).key("arch_list");
  if (torch.arch_list) {
    write_targets(json, *torch.arch_list);
  } else {
    json.null();
  }
  json.key("compiled");
  write_targets(json, torch.compiled, code_known);
  json.key("anywhere");
  write_targets(json, torch.anywhere, code_known);
  json.end_object();
}

void write_library(util::JsonWriter& json, const Library& library) {
  json.begin_object().member("path", library.path).key("targets");
  write_targets(json, library.targets);
  json.key("built_for");
  write_targets(json, library.built_for);
  json.key("embedded");
  write_targets(json, library.embedded);
  json.member("needed", library.needed).key("glibc");
  if (library.glibc && *library.glibc > Version(0, 0)) {
    json.value(library.glibc->to_string());
  } else {
    json.null();
  }
  json.end_object();
}

}  // namespace

std::string inspected_text(const Inspected& inspected, const util::Terminal& terminal) {
  util::Table card({});
  const bool torches = std::count_if(inspected.packages.begin(), inspected.packages.end(), is_torch) > 1;
  for (const auto& package : inspected.packages) add_package(card, package, torches && is_torch(package));
  const bool known = inspected.code_known();
  if (inspected.torch) {
    add_torch(card, *inspected.torch, known, false);
  } else if (!inspected.several.empty()) {
    for (const auto& torch : inspected.several) add_torch(card, torch, known, true);
  } else if (std::any_of(inspected.packages.begin(), inspected.packages.end(), is_torch)) {
    add(card, {"CUDA version", "unknown"});
  }
  if (inspected.several.empty()) add_targets(card, inspected, known);
  add_glibc(card, inspected);
  const auto needed = joined(inspected.needed_of_cuda());
  add(card, {"CUDA libraries needed", needed.empty() && !known ? "unknown" : or_none(needed)});
  if (const auto unread = inspected.unread(); !unread.empty())
    add(card, {"needed libraries not read", fmt::format("{}: their tables were not kept in memory", joined(unread))});
  for (const auto& contradiction : inspected.contradictions) add(card, {"contradiction", contradiction});
  add_unreadable(card, inspected.unreadable);
  auto text = card.text(terminal);

  util::Table table({"library", "GPU code", "in some kernels", "embedded", "glibc"});
  for (const auto& library : inspected.libraries) {
    if (library.targets.empty() && library.embedded.empty()) continue;
    const auto glibc = library.glibc.value_or(Version(0, 0));
    add(table, {library.path, or_none(library.built_for.to_string()), missing(library.built_for, library.targets).to_string(),
                library.embedded.to_string(), glibc > Version(0, 0) ? glibc.to_string() : ""});
  }
  if (table.rows() > 0) text += "\n" + table.text(terminal);
  return text;
}

std::string inspected_json(const Inspected& inspected) {
  constexpr int indent = 2;
  const bool known = inspected.code_known();
  util::JsonWriter json(indent);
  json.begin_object().member("schema_version", 1).member("inspected", inspected.origin).key("packages").begin_array();
  for (const auto& package : inspected.packages) write_package(json, package);
  json.end_array().key("torch");
  if (inspected.torch) {
    write_torch(json, *inspected.torch, known);
  } else {
    json.null();
  }
  json.key("several").begin_array();
  for (const auto& torch : inspected.several) write_torch(json, torch, known);
  json.end_array();
  json.key("targets");
  write_targets(json, inspected.targets(), known && inspected.several.empty());
  const auto* floor = inspected.glibc_floor();
  version_or_null(json, "glibc", floor == nullptr ? Version() : *floor->glibc);
  json.member("needed_of_cuda", inspected.needed_of_cuda()).key("libraries").begin_array();
  for (const auto& library : inspected.libraries) write_library(json, library);
  json.end_array().member("contradictions", inspected.contradictions).key("unreadable").begin_array();
  for (const auto& one : inspected.unreadable) json.begin_object().member("path", one.path).member("why", one.why).end_object();
  json.end_array().end_object();
  return json.take() + "\n";
}

}  // namespace envgen::inspect
