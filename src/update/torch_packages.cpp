#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "model/python_version.hpp"
#include "model/version_spec.hpp"
#include "net/ranged_source.hpp"
#include "update/answers.hpp"
#include "update/binaries.hpp"
#include "update/package_index.hpp"
#include "update/release_groups.hpp"
#include "update/torch_wheel.hpp"

namespace envgen::update {
namespace {

namespace tables = matrix::tables;

const Json* row_of(const matrix::Documents& known, const matrix::Table& table, const Group& group,
                   std::string_view version_field) {
  for (const auto& row : known.rows(table)) {
    const bool on_index = &table != &tables::wheel_builds || !row.value->value("package_index", Json()).is_null();
    if (on_index && text_in(*row.value, version_field) == group.text && text_in(*row.value, "platform") == group.platform)
      return row.value;
  }
  return nullptr;
}

/// The Pythons of a build for which the newest Triton that it allows has wheels, and its requirement holds.
std::optional<Json> triton_pythons(const PackageIndex& index, const TorchBuild& build, const Group& torch) {
  const auto spec = wheel_spec(build.triton);
  if (!spec) return std::nullopt;
  const auto groups = groups_of(index.wheels("triton"), Version());
  for (auto group = groups.rbegin(); group != groups.rend(); ++group) {
    if (group->platform != torch.platform || !spec->matches(group->version)) continue;
    const auto triton = python_list(group->wheels);
    Json list = Json::array();
    for (const auto& python : python_list(torch.wheels)) {
      const auto version = PythonVersion::parse(python.get_ref<const std::string&>());
      const bool has_wheel = std::find(triton.begin(), triton.end(), python) != triton.end();
      if (version && has_wheel && (!build.triton_below || version->version() < build.triton_below)) list.push_back(python);
    }
    return list;
  }
  return std::nullopt;
}

/// torchvision or torchaudio: their rows, and which release of theirs serves each torch.
class Companions {
 public:
  Companions(PackageIndex& index, std::string project, const matrix::Table& table)
      : index_(index), project_(std::move(project)), table_(table) {}

  /// What METADATA says goes to `wheels`; the CUDA that a library links with, to `libraries`.
  Expected<void> read(Reading& wheels, Reading& libraries) {
    const auto& known = index_.visit().known;
    groups_ = groups_of(index_.wheels(project_), oldest_of(known, table_));
    std::vector<const IndexedWheel*> to_read;
    for (const auto& group : groups_) {
      const auto* row = row_of(known, table_, group, "version");
      if (row == nullptr || index_.visit().again) to_read.push_back(group.wheels.back());
    }
    const auto metadata = index_.metadata(to_read);
    if (!metadata) return tl::unexpected(metadata.error());
    auto next = metadata->begin();
    for (const auto& group : groups_) {
      const auto* row = row_of(known, table_, group, "version");
      Json claim{{"version", group.text}, {"platform", group.platform}, {"pythons", python_list(group.wheels)}};
      std::string requires_torch = row == nullptr ? "" : text_in(*row, "requires_torch");
      if (row == nullptr || index_.visit().again) {
        const auto* torch = next->requirement("torch");
        requires_torch = torch == nullptr ? "" : torch->version;
        // Of one that declares none its documentation may say more.
        if (row == nullptr || !requires_torch.empty())
          claim["requires_torch"] = requires_torch.empty() ? Json() : Json(requires_torch);
        if (row == nullptr) claim["requires_python"] = next->requires_python.empty() ? Json() : Json(next->requires_python);
        ++next;
      }
      if (const auto spec = wheel_spec(requires_torch); spec && !requires_torch.empty()) serves_.emplace_back(group.text, *spec);
      // Beside later releases of torch, its library has to find the CUDA of theirs.
      const bool is_open = !requires_torch.empty() && !requires_torch.starts_with("==");
      if (row == nullptr && is_open) {
        if (auto added = add_linked_cuda(group, libraries); !added) return added;
      }
      wheels.claims.push_back({&table_, std::move(claim)});
    }
    return {};
  }

  /// The newest that says so. None: null.
  Json serving(Version torch) const {
    Json newest;
    for (const auto& [version, spec] : serves_) {
      if (spec.matches(torch)) newest = version;
    }
    return newest;
  }

 private:
  Expected<void> add_linked_cuda(const Group& group, Reading& libraries) {
    auto& visit = index_.visit();
    const auto& wheel = *group.wheels.back();
    const auto name = fmt::format("{} {} {}", project_, group.text, group.platform);
    visit.progress(fmt::format("which CUDA {} links with", name), 0, 1);
    const auto remote = net::RangedSource::open(visit.client, wheel.url);
    if (!remote) return tl::unexpected(remote.error());
    const auto major = read_linked_cuda(**remote, wheel.url);
    if (!major && major.error().code != ErrorCode::bad_input) return tl::unexpected(major.error());
    if (!major) {
      libraries.notes.push_back(fmt::format("{}: cannot read which CUDA it links with ({})", name, major.error().message));
    } else if (*major) {
      Json row{{"version", group.text}, {"platform", group.platform}, {"linked_cuda", **major}};
      libraries.claims.push_back({&table_, std::move(row)});
    }
    return {};
  }

  PackageIndex& index_;
  std::string project_;
  const matrix::Table& table_;
  std::vector<Group> groups_;
  std::vector<std::pair<std::string, VersionSpec>> serves_;
};

/// Whether a release was added alone, so that nobody read what lies before it.
bool is_after_gap(const matrix::Documents& known, const std::string& release) {
  const auto& rows = known.rows(tables::torch_releases);
  return std::any_of(rows.begin(), rows.end(), [&](const auto& row) {
    return text_in(*row.value, "version") == release && row.value->value("gap_before", false);
  });
}

/// The architectures that a wheel is compiled for, read out of it.
Expected<void> add_archs(Visit& visit, const IndexedWheel& wheel, const std::string& name, Reading& reading, const Json& key) {
  visit.progress(fmt::format("what {} is compiled for", name), 0, 1);
  const auto remote = net::RangedSource::open(visit.client, wheel.url);
  if (!remote) return tl::unexpected(remote.error());
  const auto archs = read_arch_list(**remote, wheel.url);
  if (!archs && archs.error().code != ErrorCode::bad_input) return tl::unexpected(archs.error());
  if (!archs || !*archs) {
    reading.notes.push_back(fmt::format("{}: cannot read what it is compiled for ({})", name,
                                        archs ? "libtorch_python.so does not state it" : archs.error().message));
    return {};
  }
  Json row = key;
  row["sass"] = (*archs)->sass;
  row["ptx"] = (*archs)->ptx;
  reading.claims.push_back({&tables::wheel_builds, std::move(row)});
  return {};
}

}  // namespace

Expected<std::vector<Reading>> read_torch_packages(PackageIndex& index) {
  auto& visit = index.visit();
  Reading wheels{
      "wheel-metadata", "METADATA of the wheels on the package index", {}, {}, {}, "envgen matrix verify --source package-index"};
  Reading binaries{"wheel-binaries",
                   "libtorch_python.so of the wheels on the package index: its architectures",
                   {},
                   {},
                   {},
                   "pip download --no-deps torch, and envgen inspect"};
  Reading uploads{"upload-times",
                  "upload times of the wheels on the package index",
                  {},
                  {},
                  {},
                  "uv add --no-sync torch, whose uv.lock has them"};
  Reading libraries{"wheel-libraries",
                    "libtorchaudio.so of the wheels on the package index: its libcudart",
                    {},
                    {},
                    {},
                    "pip download --no-deps torchaudio, and envgen inspect"};
  Companions torchvision(index, "torchvision", tables::torchvision);
  Companions torchaudio(index, "torchaudio", tables::torchaudio);
  for (auto* companions : {&torchvision, &torchaudio}) {
    if (auto read = companions->read(wheels, libraries); !read) return tl::unexpected(read.error());
  }

  const auto groups = groups_of(index.wheels("torch"), oldest_of(visit.known, tables::torch_releases));
  const auto is_read = [&](const Group& group) {
    return visit.again || row_of(visit.known, tables::wheel_builds, group, "torch") == nullptr;
  };
  std::vector<const IndexedWheel*> to_read;
  for (const auto& group : groups) {
    if (is_read(group)) to_read.push_back(group.wheels.back());
  }
  const auto metadata = index.metadata(to_read);
  if (!metadata) return tl::unexpected(metadata.error());
  auto next = metadata->begin();
  std::map<std::string, Json> defaults;
  std::vector<Claim> builds;
  for (const auto& group : groups) {
    const auto* known = row_of(visit.known, tables::wheel_builds, group, "torch");
    Json row = Json::object();
    if (!is_read(group)) {
      row = {{"torch", group.text}, {"tag", known->at("tag")}, {"platform", group.platform}};
    } else {
      const auto& wheel = *group.wheels.back();
      auto build = torch_build(*next++, group.text, group.platform, wheel.url);
      if (!build) return tl::unexpected(build.error());
      // Before 2.0 a wheel carried CUDA inside, and METADATA says nothing of it.
      if (known != nullptr && !build->cuda) {
        row = {{"torch", group.text}, {"tag", known->at("tag")}, {"platform", group.platform}};
      } else {
        row = build->row;
        defaults[group.text][group.platform] = row.at("cuda");
      }
      if (known == nullptr) {
        if (const auto pythons = build->triton.empty() ? std::nullopt : triton_pythons(index, *build, group))
          row["triton_pythons"] = *pythons;
        if (!wheel.glibc.empty()) row["glibc"] = wheel.glibc;
        const Json key{{"torch", group.text}, {"tag", build->tag}, {"platform", group.platform}};
        if (build->cuda) {
          if (auto added =
                  add_archs(visit, wheel, fmt::format("torch {} {} {}", group.text, build->tag, group.platform), binaries, key);
              !added)
            return tl::unexpected(added.error());
        }
      }
    }
    row["package_index"] = {{"pythons", python_list(group.wheels)}};
    builds.push_back({&tables::wheel_builds, std::move(row)});
  }

  std::set<std::string> told;
  for (const auto& group : groups) {
    if (!told.insert(group.text).second) continue;
    const bool known = has_row(visit.known, tables::torch_releases, "version", group.text);
    Json row{{"version", group.text}};
    if (const auto of_it = defaults.find(group.text); of_it != defaults.end()) row["default_cuda"] = of_it->second;
    if (!known) {
      row["tags_complete"] = false;
      row["torchvision"] = torchvision.serving(group.version);
      row["torchaudio"] = Json();
      if (const auto day = first_upload(index.wheels("torch"), group.text); !day.empty())
        uploads.claims.push_back({&tables::torch_releases, {{"version", group.text}, {"released", day}}});
    }
    if (is_after_gap(visit.known, group.text)) row["gap_before"] = false;  // the index lists what lies in it
    wheels.claims.push_back({&tables::torch_releases, std::move(row)});
  }
  std::move(builds.begin(), builds.end(), std::back_inserter(wheels.claims));
  return std::vector<Reading>{std::move(wheels), std::move(libraries), std::move(binaries), std::move(uploads)};
}

}  // namespace envgen::update
