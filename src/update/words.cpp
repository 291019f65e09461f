#include "update/words.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/python_version.hpp"
#include "model/spelling.hpp"

namespace envgen::update {
namespace {

namespace tables = matrix::tables;
using matrix::Table;

struct Noun {
  const Table* table;
  std::string_view before;  ///< its key
};
constexpr std::array nouns{
    Noun{&tables::torch_releases, "torch "},
    Noun{&tables::wheel_builds, "torch "},
    Noun{&tables::torchvision, "torchvision "},
    Noun{&tables::torchaudio, "torchaudio "},
    Noun{&tables::conda_builds, "conda: torch "},
    Noun{&tables::conda_labels, "conda label "},
    Noun{&tables::toolkits, "CUDA toolkit "},
    Noun{&tables::cuda_minors, "CUDA "},
    Noun{&tables::cuda_majors, "CUDA major "},
    Noun{&tables::cudnn_releases, "cuDNN "},
    Noun{&tables::driver_branches, "driver R"},
    Noun{&tables::gpu_drivers, "drivers of capability "},
    Noun{&tables::cuda_images, "nvidia/cuda:"},
    Noun{&tables::pytorch_images, "pytorch/pytorch:"},
    Noun{&tables::gates, "gate "},
    Noun{&tables::tensorflow_releases, "tensorflow "},
};

struct Label {
  std::string_view path;
  std::string_view text;
};
constexpr std::array labels{
    Label{"cudnn", "cuDNN"},
    Label{"nccl", "NCCL"},
    Label{"triton", "Triton"},
    Label{"cuda", "CUDA"},
    Label{"toolkit", "CUDA toolkit"},
    Label{"pythons", "Python"},
    Label{"package_index.pythons", "Python on the package index"},
    Label{"wheel_index.pythons", "Python on PyTorch's index"},
    Label{"triton_pythons", "Python of Triton"},
    Label{"cuda_majors", "CUDA"},
    Label{"ptx_isa", "PTX ISA"},
    Label{"sass", "GPU code (SASS)"},
    Label{"ptx", "PTX"},
    Label{"gpus", "GPUs"},
    Label{"archs", "GPUs that nvcc compiles for"},
    Label{"arch_specific", "targets for one GPU alone (sm_90a)"},
    Label{"package_index", "package index"},
    Label{"wheel_index", "PyTorch's wheel index"},
    Label{"gcc_max", "GCC up to"},
    Label{"linked_cuda", "links with CUDA"},
    Label{"os", "systems"},
    Label{"default_cuda.linux-x86_64", "default CUDA on linux-x86_64"},
    Label{"default_cuda.linux-aarch64", "default CUDA on linux-aarch64"},
};

std::string name_of(const Table& table, const Json& row, bool with_platform) {
  const auto it = std::find_if(nouns.begin(), nouns.end(), [&](const Noun& noun) { return noun.table == &table; });
  std::string name(it == nouns.end() ? fmt::format("{} ", table.list) : it->before);
  std::string key;
  for (const auto& field : table.fields) {
    if (!field.is_key() || (field.name == "platform" && !with_platform)) continue;
    const auto value = row.find(std::string(field.name));
    if (value != row.end()) key += (key.empty() ? "" : " ") + value_text(*value);
  }
  return name + key;
}

Json at_path(const Json& row, const std::string& path) {
  const auto dot = path.find('.');
  const auto it = row.find(path.substr(0, dot));
  if (it == row.end()) return {};
  return dot == std::string::npos || !it->is_object() ? *it : at_path(*it, path.substr(dot + 1));
}

/// `NCCL unknown -> 2.30.7`; of a list that has grown, what has come: `Python +3.15`.
std::string difference(const std::string& path, const Json& before, const Json& after) {
  const auto from = at_path(before, path);
  const auto to = at_path(after, path);
  if (from.is_array() && to.is_array()) {
    Json more = Json::array();
    for (const auto& item : to) {
      if (std::find(from.begin(), from.end(), item) == from.end()) more.push_back(item);
    }
    if (!more.empty() && more.size() + from.size() == to.size()) return fmt::format("{} +{}", label_of(path), value_text(more));
  }
  return fmt::format("{} {} -> {}", label_of(path), from.is_null() ? "unknown" : value_text(from), value_text(to));
}

std::string differences(const Change& change) {
  std::vector<std::string> parts;
  for (const auto& path : change.fields) parts.push_back(difference(path, change.before, change.after));
  return fmt::format("{}", fmt::join(parts, "; "));
}

/// What a source that knows it would have said.
std::string unknown_fields(const Change& change, std::initializer_list<std::string_view> of_interest) {
  std::vector<std::string> unknown;
  for (const auto name : of_interest) {
    const auto value = change.after.find(std::string(name));
    if (value != change.after.end() && value->is_null()) unknown.push_back(label_of(name));
  }
  return unknown.empty() ? std::string() : fmt::format("; unknown: {}", fmt::join(unknown, ", "));
}

/// `3.11 to 3.15`, and whether there are free-threaded ones.
std::string pythons_text(const std::set<PythonVersion>& pythons) {
  std::vector<PythonVersion> regular;
  std::copy_if(pythons.begin(), pythons.end(), std::back_inserter(regular),
               [](PythonVersion each) { return !each.free_threaded; });
  if (regular.empty()) return {};
  auto text = regular.size() == 1 ? regular.front().to_string()
                                  : fmt::format("{} to {}", regular.front().to_string(), regular.back().to_string());
  return "; Python " + text;
}

/// A new release of torch with its builds.
std::string torch_line(const Change& release, std::span<const Change> changes) {
  std::set<std::string> defaults;
  const auto default_cuda = at_path(release.after, "default_cuda");
  for (const auto& [platform, cuda] : default_cuda.items()) defaults.insert(cuda.is_null() ? "" : value_text(cuda));
  std::vector<std::string> cudas;
  std::set<PythonVersion> pythons;
  std::string unknown;
  for (const auto& change : changes) {
    if (change.table != &tables::wheel_builds || change.after.at("torch") != release.after.at("version")) continue;
    const auto& cuda = change.after.at("cuda");
    auto name = cuda.is_null() ? std::string("CPU") : "CUDA " + value_text(cuda);
    if (defaults.contains(cuda.is_null() ? "" : value_text(cuda))) name += " (default)";
    if (std::find(cudas.begin(), cudas.end(), name) == cudas.end()) cudas.push_back(name);
    for (const auto* index : {"package_index", "wheel_index"}) {
      for (const auto& item : at_path(change.after, std::string(index) + ".pythons")) {
        const auto python =
            item.is_string() ? PythonVersion::parse(item.get_ref<const std::string&>()) : PythonVersion::parse("");
        if (python) pythons.insert(*python);
      }
    }
    if (!cuda.is_null()) unknown = unknown_fields(change, {"cudnn", "nccl", "triton", "toolkit", "sass", "ptx", "glibc"});
  }
  return fmt::format("{}: new{}{}{}{}", name_of(*release.table, release.after, true), cudas.empty() ? "" : ", ",
                     fmt::join(cudas, ", "), pythons_text(pythons), unknown);
}

std::string new_row_line(const Change& change, std::span<const Change> all) {
  const auto& row = change.after;
  const auto name = name_of(*change.table, row, false);
  if (change.table == &tables::torch_releases) return torch_line(change, all);
  if (change.table == &tables::cudnn_releases)
    return fmt::format("{}: new, for CUDA {}{}", name, value_text(row.at("cuda_majors")), unknown_fields(change, {"gpus"}));
  std::vector<std::string_view> of_interest;
  std::string known;
  for (const auto& field : change.table->fields) {
    const auto value = row.find(std::string(field.name));
    if (field.is_key() || value == row.end() || value->is_structured() || value->is_null()) continue;
    known += fmt::format("{} {} {}", known.empty() ? "," : ";", label_of(field.name), value_text(*value));
  }
  std::string unknown;
  for (const auto& field : change.table->fields)
    unknown +=
        unknown_fields(change, {field.name}).empty() ? "" : (unknown.empty() ? "; unknown: " : ", ") + label_of(field.name);
  return fmt::format("{}: new{}{}", name, known, unknown);
}

/// Lines that differ by their platforms alone, and those of many rows to which the same happens.
class Lines {
 public:
  void add(const Change& change, std::string name, std::string rest) {
    const auto platform = change.after.find("platform");
    const auto it =
        std::find_if(lines_.begin(), lines_.end(), [&](const Line& line) { return line.name == name && line.rest == rest; });
    auto& line =
        it != lines_.end() ? *it : lines_.emplace_back(Line{change.table, std::move(name), std::move(rest), {}, change.fields});
    if (platform != change.after.end()) line.platforms.push_back(value_text(*platform));
  }

  std::vector<std::string> texts() const {
    std::vector<std::string> texts;
    std::vector<std::pair<const Table*, std::vector<std::string>>> told;
    for (const auto& line : lines_) {
      const auto like = [&](const Line& other) { return other.table == line.table && other.fields == line.fields; };
      const auto count = std::count_if(lines_.begin(), lines_.end(), like);
      if (count <= most_alike) {
        const bool one = line.platforms.size() == 1;
        texts.push_back(fmt::format("{}{}{}: {}", line.name, one ? " " : "", one ? line.platforms.front() : "", line.rest));
      } else if (const std::pair kind{line.table, line.fields}; std::find(told.begin(), told.end(), kind) == told.end()) {
        told.push_back(kind);
        std::vector<std::string> labels_of_fields;
        for (const auto& path : line.fields) labels_of_fields.push_back(label_of(path));
        const auto last = std::find_if(lines_.rbegin(), lines_.rend(), like);
        texts.push_back(fmt::format("{} rows, {} to {}: {}", count, line.name, last->name,
                                    line.fields.empty() ? "new" : fmt::format("{}", fmt::join(labels_of_fields, ", "))));
      }
    }
    return texts;
  }

 private:
  static constexpr std::ptrdiff_t most_alike = 12;
  struct Line {
    const Table* table;
    std::string name;
    std::string rest;
    std::vector<std::string> platforms;
    std::vector<std::string> fields;
  };
  std::vector<Line> lines_;
};

bool told_with_its_release(const Change& change, std::span<const Change> all) {
  return change.table == &tables::wheel_builds && change.before.is_null() &&
         std::any_of(all.begin(), all.end(), [&](const Change& other) {
           return other.table == &tables::torch_releases && other.before.is_null() &&
                  other.after.at("version") == change.after.at("torch");
         });
}

}  // namespace

std::string label_of(std::string_view path) {
  const auto it = std::find_if(labels.begin(), labels.end(), [&](const Label& label) { return label.path == path; });
  if (it != labels.end()) return std::string(it->text);
  std::string text(path);
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

std::string name_of_row(const Table& table, const Json& row) { return name_of(table, row, true); }

std::string value_text(const Json& value) {
  constexpr std::size_t most = 100;
  if (value.is_null()) return "null";
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  if (value.is_string()) return visible(value.get_ref<const std::string&>(), most);
  if (!value.is_structured()) return value.dump();
  std::vector<std::string> items;
  for (const auto& [name, item] : value.items())
    items.push_back(value.is_object() ? fmt::format("{} {}", visible(name, most), value_text(item)) : value_text(item));
  return items.empty() ? "none" : visible(fmt::format("{}", fmt::join(items, ", ")), most);
}

std::vector<std::string> lines_of(std::span<const Change> changes) {
  Lines lines;
  for (const auto& change : changes) {
    if (told_with_its_release(change, changes)) continue;
    if (change.before.is_null()) {
      const auto line = new_row_line(change, changes);
      const auto end = line.find(": new");
      lines.add(change, line.substr(0, end), line.substr(end + 2));
    } else {
      lines.add(change, name_of(*change.table, change.after, false), differences(change));
    }
  }
  return lines.texts();
}

}  // namespace envgen::update
