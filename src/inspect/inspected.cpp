#include "inspect/inspected.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "inspect/places.hpp"
#include "model/spelling.hpp"

namespace envgen::inspect {
namespace {

/// PEP 600, and its older names. https://peps.python.org/pep-0600/
Version glibc_of_tag(std::string_view tag) {
  constexpr std::array<std::pair<std::string_view, Version>, 3> old{
      std::pair{"manylinux1_", Version(2, 5)}, {"manylinux2010_", Version(2, 12)}, {"manylinux2014_", Version(2, 17)}};
  for (const auto& [name, version] : old) {
    if (tag.find(name) != std::string_view::npos) return version;
  }
  constexpr std::string_view prefix = "manylinux_";
  const auto place = tag.find(prefix);
  if (place == std::string_view::npos) return {};
  auto rest = std::string(tag.substr(place + prefix.size()));
  const auto joint = rest.find('_');
  if (joint == std::string::npos) return {};
  rest[joint] = '.';
  return Version::parse(rest.substr(0, rest.find('_'))).value_or(Version());
}

}  // namespace

Targets TorchBuild::listed_only() const { return arch_list ? missing(anywhere, *arch_list) : Targets(); }
Targets TorchBuild::built_only() const { return arch_list ? missing(*arch_list, compiled) : Targets(); }

bool TorchBuild::is_same_as(const TorchBuild& other) const {
  return version == other.version && cuda == other.cuda && cuda_problem.empty() == other.cuda_problem.empty() &&
         arch_list == other.arch_list && compiled == other.compiled;
}

const Library* Inspected::main_library() const {
  const auto rank = [](const Library& library) { return std::pair(!is_of_cuda(file_name(library.path)), library.fatbins); };
  const Library* main = nullptr;
  for (const auto& library : libraries) {
    if (library.fatbins > 0 && (main == nullptr || rank(library) > rank(*main))) main = &library;
  }
  return main;
}

std::vector<const Library*> Inspected::gpu_libraries() const {
  const auto* main = main_library();
  if (main == nullptr) return {};
  if (is_of_torch(main->path)) return {main};
  std::vector<const Library*> all;
  for (const auto& library : libraries) {
    if (library.fatbins > 0 && is_of_cuda(file_name(library.path)) == is_of_cuda(file_name(main->path))) all.push_back(&library);
  }
  return all;
}

Targets Inspected::targets() const {
  Targets all;
  for (const auto* library : gpu_libraries()) all.add(library->built_for);
  return all;
}

std::string Unreadable::to_string() const { return fmt::format("cannot read '{}': {}", in_one_line(path), why); }

bool Inspected::code_known() const {
  return std::all_of(unreadable.begin(), unreadable.end(), [&](const Unreadable& one) {
    const auto place = place_of(one.path);
    const bool of_cuda =
        place == Place::library ? is_of_cuda(file_name(one.path)) : one.path.find("/nvidia/") != std::string::npos;
    const bool without = place == Place::version_py || place == Place::metadata || one.path.ends_with(".dist-info");
    return without || (of_cuda && main_library() != nullptr);
  });
}

const Library* Inspected::glibc_floor() const {
  const Library* highest = nullptr;
  for (const auto& library : libraries) {
    if (library.glibc.value_or(Version(0, 0)) > (highest == nullptr ? Version(0, 0) : *highest->glibc)) highest = &library;
  }
  return highest;
}

std::vector<std::string> Inspected::needed_of_cuda() const {
  std::vector<std::string> names;
  for (const auto& library : libraries) {
    for (const auto& name : library.needed.value_or(std::vector<std::string>())) {
      const bool inside =
          std::any_of(libraries.begin(), libraries.end(), [&](const Library& other) { return file_name(other.path) == name; });
      if (is_of_cuda(name) && !inside) names.push_back(name);
    }
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

std::vector<std::string> Inspected::unread() const {
  std::vector<std::string> paths;
  for (const auto& library : libraries) {
    if (!library.needed) paths.push_back(library.path);
  }
  return paths;
}

Version glibc_of(const std::vector<std::string>& tags) {
  Version lowest;
  for (const auto& tag : tags) {
    // `manylinux2014_x86_64.manylinux_2_17_x86_64`: each of them will do.
    for (std::string_view rest(tag); !rest.empty();) {
      const auto part = rest.substr(0, rest.find('.'));
      rest.remove_prefix(std::min(part.size() + 1, rest.size()));
      const auto glibc = glibc_of_tag(part);
      if (glibc && (!lowest || glibc < lowest)) lowest = glibc;
    }
  }
  return lowest;
}

std::vector<Requirement> pins_of(const Metadata& metadata) {
  constexpr std::array<std::string_view, 4> beginnings{"nvidia-", "cuda-", "triton", "pytorch-triton"};
  std::vector<Requirement> pins;
  for (const auto& requirement : metadata.requires_dist) {
    const bool wanted = requirement.name == "torch" || std::any_of(beginnings.begin(), beginnings.end(), [&](auto beginning) {
                          return requirement.name.starts_with(beginning);
                        });
    if (wanted) pins.push_back(requirement);
  }
  return pins;
}

}  // namespace envgen::inspect
