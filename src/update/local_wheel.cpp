#include "update/local_wheel.hpp"

#include <algorithm>
#include <initializer_list>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/spelling.hpp"
#include "update/answers.hpp"
#include "update/readers.hpp"
#include "update/torch_wheel.hpp"
#include "update/wheel_name.hpp"
#include "util/file_source.hpp"

namespace envgen::update {
namespace {

namespace tables = matrix::tables;

constexpr Source from_file{"wheel", "a wheel on this machine", nullptr};
constexpr Source from_image{"image", "an image of the engine on this machine", nullptr};
constexpr Source from_index{"package-index", "the package index that pip is configured with", read_package_index};

Json texts_of(const std::vector<Arch>& archs) {
  Json list = Json::array();
  for (const auto& arch : archs) list.push_back(arch.to_string());
  return list;
}

Result result_of(const Source& source, Merged merged) {
  Result result;
  auto& of_it = result.sources.emplace_back();
  of_it.source = &source;
  of_it.merged = std::move(merged);
  return result;
}

Expected<Merged> take(Draft& draft, std::span<const Reading> readings, const std::string& today) {
  auto merged = compare(draft.facts(), readings, today);
  if (!merged) return merged;
  if (merged->changes.empty() && !merged->refused.empty())
    return fail(ErrorCode::bad_input, merged->refused.front(), "matrix add",
                {"if the matrix is wrong, correct its row by hand (CONTRIBUTING.md, Adding a fact)"});
  if (auto taken = draft.take(*merged); !taken) return tl::unexpected(taken.error());
  return merged;
}

/// Why nobody can tell for which CUDA a torch was built; empty: it can be told. `pinned`: by the libraries that METADATA pins.
std::string problem_of_cuda(const inspect::Inspected& found, bool pinned) {
  if (found.torch) return found.torch->cuda_problem;
  if (pinned) return {};
  return found.unreadable.empty() ? "it has no torch/version.py" : found.unreadable.front().to_string();
}

tl::unexpected<Error> contradicts(const std::string& contradiction, const std::string& origin) {
  return fail(ErrorCode::bad_input, "it contradicts itself: " + contradiction, origin);
}

/// Where different torches lie; empty: they are one.
std::string several_in(const inspect::Inspected& image) {
  std::vector<std::string> all;
  for (const auto& build : image.several)
    all.push_back(fmt::format("{} in {}", in_one_line(build.version), in_quotes(build.folder)));
  bool differ = !all.empty();
  const inspect::Package* first = nullptr;
  for (const auto& package : image.packages) {
    if (package.metadata.name != "torch") continue;
    if (first == nullptr) first = &package;
    differ = differ || package.metadata.version != first->metadata.version;
    if (image.several.empty()) all.push_back(fmt::format("{} in {}", package.metadata.version, in_quotes(package.folder)));
  }
  return differ ? fmt::format("{}", fmt::join(all, ", ")) : std::string();
}

/// What a build is for that is neither for CUDA nor for processors, by torch/version.py or the versions `2.8.0+rocm6.2`,
/// `2.8.0+xpu`. Empty: it is none of these.
std::string other_accelerator(const inspect::Inspected& found, std::initializer_list<std::string_view> versions) {
  if (found.torch && !found.torch->accelerator.empty()) return found.torch->accelerator;
  for (const auto version : versions) {
    const auto local = version.substr(std::min(version.find('+'), version.size()));
    if (local.find("rocm") != std::string_view::npos) return "ROCm";
    if (local.find("xpu") != std::string_view::npos) return "XPU";
  }
  return {};
}

/// The row of a torch that was read, by its METADATA, the name of its wheel and what its libraries hold. `what`, and `argument`,
/// the one of `envgen inspect`, name it.
Expected<Reading> reading_of(const inspect::Inspected& found, inspect::Metadata metadata, const WheelName& name, std::string what,
                             const std::string& argument) {
  if (const auto other = other_accelerator(found, {metadata.version, "+" + name.local}); !other.empty())
    return fail(ErrorCode::bad_input, fmt::format("it is a build for {}, but envgen covers only CUDA and CPU builds", other),
                found.origin);
  if (!found.contradictions.empty()) return contradicts(found.contradictions.front(), found.origin);
  metadata.version = metadata.version.substr(0, metadata.version.find('+'));
  auto build = torch_build(metadata, name.version, name.platform, found.origin);
  if (!build) return fail(ErrorCode::bad_input, build.error().message, found.origin);
  if (auto problem = problem_of_cuda(found, build->cuda.has_value()); !problem.empty())
    return fail(ErrorCode::bad_input, "cannot tell which CUDA its torch was built for: " + problem, found.origin);
  if (const auto& own = found.torch; own && build->cuda && Version::parse(*build->cuda) != own->cuda.at(2)) {
    const auto stated = own->cuda ? "CUDA " + own->cuda.to_string() : std::string("no CUDA");
    return contradicts(fmt::format("METADATA requires CUDA {}, but torch/version.py says {}", *build->cuda, stated),
                       found.origin);
  }
  auto& row = build->row;
  // Up to 2.6 wheels of torch carry manylinux1 and need the glibc of CentOS 7: such a tag says nothing.
  constexpr Version first_that_holds{2, 17};
  if (const auto glibc = Version::parse(name.glibc); glibc && *glibc >= first_that_holds) row["glibc"] = name.glibc;
  if (const auto& own = found.torch) {
    // A wheel of before 2.0, or one that carries its libraries, names no CUDA in METADATA.
    if (own->cuda && !build->cuda) {
      row["cuda"] = own->cuda.at(2).to_string();
      row["tag"] = fmt::format("cu{}{}", own->cuda.major(), own->cuda.minor());
      row.erase("sass");  // that of a build for no CUDA
      row.erase("ptx");
    }
    if (own->cuda && own->arch_list) {
      row["sass"] = texts_of(own->arch_list->sass);
      row["ptx"] = texts_of(own->arch_list->ptx);
    }
  }
  Reading reading{"wheel-" + name.version, std::move(what), {}, {}, {}, "envgen inspect " + argument};
  reading.claims.push_back({&tables::torch_releases, Json{{"version", name.version}}});
  reading.claims.push_back({&tables::wheel_builds, std::move(row)});
  return reading;
}

Expected<Result> verify_reading(const matrix::Documents& facts, const Source& source, const Reading& reading,
                                const std::string& today) {
  auto compared = compare(facts, std::span(&reading, 1), today);
  if (!compared) return tl::unexpected(compared.error());
  return result_of(source, std::move(*compared));
}

}  // namespace

Expected<Reading> read_local_wheel(const std::filesystem::path& path) {
  const auto origin = path.string();
  const auto file = util::open_file(path);
  if (!file) return tl::unexpected(file.error());
  const auto name = WheelName::parse(path.filename().string());
  if (!name || name->project != "torch" || name->platform.empty())
    return fail(ErrorCode::bad_input, "not the name of a wheel of torch for Linux", origin,
                {"such as torch-2.16.0-cp312-cp312-manylinux_2_28_x86_64.whl"});
  const auto wheel = inspect::inspect_wheel(**file, origin);
  if (!wheel) return tl::unexpected(wheel.error());
  const auto file_name = path.filename().string();
  return reading_of(*wheel, wheel->packages.front().metadata, *name, "the wheel " + file_name, file_name);
}

Expected<Reading> read_installed_torch(const inspect::Inspected& image) {
  const auto torch = std::find_if(image.packages.begin(), image.packages.end(),
                                  [](const inspect::Package& package) { return package.metadata.name == "torch"; });
  if (torch == image.packages.end()) {
    if (image.unreadable.empty()) return fail(ErrorCode::bad_input, "no torch is installed in it", image.origin);
    return fail(ErrorCode::bad_input, "cannot tell whether torch is installed in it: " + image.unreadable.front().to_string(),
                image.origin);
  }
  if (const auto several = several_in(image); !several.empty())
    return fail(ErrorCode::bad_input, "cannot tell which torch in it is meant: " + several, image.origin);
  // What is installed keeps the tag of its wheel in the file WHEEL.
  const auto& tags = torch->tags;
  const auto name =
      tags.empty() ? std::nullopt : WheelName::parse(fmt::format("torch-{}-{}.whl", torch->metadata.version, tags.front()));
  if (!name || name->platform.empty())
    return fail(ErrorCode::bad_input,
                fmt::format("its torch {} does not say for which platform it was built", torch->metadata.version), image.origin);
  return reading_of(image, torch->metadata, *name, "torch in " + image.origin, image.origin);
}

Expected<Result> add_wheel(Draft& draft, const std::filesystem::path& wheel, const std::string& version,
                           const std::string& today) {
  auto reading = read_local_wheel(wheel);
  if (!reading) return tl::unexpected(reading.error());
  auto& release = reading->claims.front().row;
  if (release.at("version") != version)
    return fail(ErrorCode::bad_input,
                fmt::format("this is a wheel of torch {}, but {} was to be added", text_in(release, "version"), version),
                wheel.string());
  if (!has_row(draft.facts(), tables::torch_releases, "version", version)) {
    release["tags_complete"] = false;
    release["gap_before"] = true;
    release["default_cuda"] = Json::object();
  }
  reading->notes.emplace_back(
      "a wheel does not say which index has it, or for which Pythons there are others: until that is known, resolve answers "
      "'unknown'; 'envgen matrix update' reads it from the indexes");
  auto merged = take(draft, std::span(&*reading, 1), today);
  if (!merged) return tl::unexpected(merged.error());
  return result_of(from_file, std::move(*merged));
}

Expected<Result> add_release(Draft& draft, const std::string& version, const Run& run) {
  Visit visit{run.client, draft.facts(), run.progress, run.today, run.pip, false};
  auto readings = read_package_index(visit);
  if (!readings) return tl::unexpected(readings.error());
  std::string torchvision;
  bool found = false;
  for (const auto& reading : *readings) {
    for (const auto& claim : reading.claims) {
      if (claim.table != &tables::torch_releases || claim.row.at("version") != version) continue;
      found = true;
      if (auto text = text_in(claim.row, "torchvision"); !text.empty()) torchvision = std::move(text);
    }
  }
  if (!found) return fail(ErrorCode::bad_input, fmt::format("the package index has no torch {}", version), "matrix add");
  const bool known = has_row(draft.facts(), tables::torch_releases, "version", version);
  for (auto& reading : *readings) {
    reading.notes.clear();
    auto& claims = reading.claims;
    claims.erase(std::remove_if(claims.begin(), claims.end(),
                                [&](const Claim& claim) {
                                  if (claim.table == &tables::wheel_builds) return claim.row.at("torch") != version;
                                  if (claim.table == &tables::torch_releases) return claim.row.at("version") != version;
                                  return claim.table != &tables::torchvision || claim.row.at("version") != torchvision;
                                }),
                 claims.end());
    for (auto& claim : claims) {
      if (claim.table != &tables::torch_releases) continue;
      if (known) {
        claim.row.erase("gap_before");  // what lies before it is not taken, so its gap stays open
      } else {
        claim.row["gap_before"] = true;
      }
    }
  }
  auto merged = take(draft, *readings, run.today);
  if (!merged) return tl::unexpected(merged.error());
  auto result = result_of(from_index, std::move(*merged));
  result.traffic = run.client.traffic();
  return result;
}

Expected<Result> verify_wheel(const matrix::Documents& facts, const std::filesystem::path& wheel, const std::string& today) {
  const auto reading = read_local_wheel(wheel);
  if (!reading) return tl::unexpected(reading.error());
  return verify_reading(facts, from_file, *reading, today);
}

Expected<Result> verify_image(const matrix::Documents& facts, const inspect::Inspected& image, const std::string& today) {
  const auto reading = read_installed_torch(image);
  if (!reading) return tl::unexpected(reading.error());
  return verify_reading(facts, from_image, *reading, today);
}

}  // namespace envgen::update
