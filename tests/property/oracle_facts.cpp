#include <algorithm>
#include <stdexcept>

#include "property/oracle.hpp"

/// The oracle's own reading of the JSON files, by matrix/README.md.
namespace envgen::property {
namespace {

Version version(const Json& cell) { return Version::parse(cell.get<std::string>()).value(); }
std::optional<Version> maybe_version(const Json& cell) { return cell.is_null() ? std::nullopt : std::optional(version(cell)); }
std::optional<DriverVersion> maybe_driver(const Json& cell) {
  return cell.is_null() ? std::nullopt : std::optional(DriverVersion(version(cell)));
}
std::optional<std::string> maybe_text(const Json& cell) {
  return cell.is_null() ? std::nullopt : std::optional(cell.get<std::string>());
}
Capability capability(const Json& cell) { return Capability::parse(cell.get<std::string>()).value(); }

std::optional<std::vector<Arch>> maybe_archs(const Json& cell) {
  if (cell.is_null()) return std::nullopt;
  std::vector<Arch> archs;
  for (const auto& item : cell) archs.push_back(Arch::parse(item.get<std::string>()).value());
  return archs;
}

std::set<std::string> texts(const Json& cell) {
  std::set<std::string> result;
  for (const auto& item : cell) result.insert(item.get<std::string>());
  return result;
}

std::string tag_of(Version cuda) { return "cu" + std::to_string(cuda.major()) + std::to_string(cuda.minor()); }

}  // namespace

Oracle::Oracle(const MatrixFiles& files) {
  read_cuda(files);
  read_drivers(files);
  read_places(files);
  read_builds(files);
}

void Oracle::read_cuda(const MatrixFiles& files) {
  const auto& cuda = file(files, "cuda.json");
  for (const auto& row : cuda["toolkits"])
    toolkits_.push_back({version(row["version"]), version(row["minor"]), maybe_archs(row["archs"]),
                         maybe_archs(row["arch_specific"]).value_or(std::vector<Arch>())});
  for (const auto& row : cuda["minors"]) natives_.emplace_back(version(row["cuda"]), maybe_driver(row["native_driver"]));
  for (const auto& row : cuda["majors"]) {
    Major major{std::stoi(row["cuda"].get<std::string>()), maybe_driver(row["minor_compat_driver"]), {}};
    if (row.contains("except")) {
      for (const auto& except : row["except"])
        major.except.emplace_back(version(except["cuda"]), DriverVersion(version(except["driver"])));
    }
    majors_.push_back(std::move(major));
  }
  for (const auto& row : file(files, "cudnn.json")["releases"]) {
    Cudnn cudnn{version(row["version"]), std::nullopt, {}, texts(row["wheels"]), maybe_version(row["glibc"])};
    for (const auto& major : row["cuda_majors"]) cudnn.majors.insert(std::stoi(major.get<std::string>()));
    if (!row["gpus"].is_null()) {
      cudnn.gpus.emplace();
      for (const auto& range : row["gpus"]) {
        CudnnRange read{maybe_version(range["cuda"]), capability(range["min"]), std::nullopt, range.value("ends", false)};
        if (!range["max"].is_null()) read.max = capability(range["max"]);
        cudnn.gpus->push_back(read);
      }
    }
    cudnns_.push_back(std::move(cudnn));
  }
}

void Oracle::read_drivers(const MatrixFiles& files) {
  const auto& drivers = file(files, "drivers.json");
  for (const auto& row : drivers["branches"])
    branches_.push_back({std::stoi(row["branch"].get<std::string>()), maybe_version(row["cuda"]), maybe_driver(row["first"]),
                         maybe_driver(row["latest"])});
  for (const auto& row : drivers["gpu_drivers"]) {
    const auto last = maybe_text(row["last_branch"]);
    gpu_drivers_.push_back({capability(row["capability"]), maybe_driver(row["first_driver"]),
                            last ? std::optional(std::stoi(*last)) : std::nullopt, row["kernel_module"].get<std::string>(),
                            row["tegra"].get<bool>()});
  }
  for (const auto& row : drivers["forward_compat"])
    forward_compat_.push_back({version(row["cuda"]), std::stoi(row["branch"].get<std::string>()), row["works"].get<bool>()});
  const auto& gpus = file(files, "gpus.json");
  for (const auto& row : gpus["gpus"]) {
    Board board{row["name"].get<std::string>(),
                row["class"].get<std::string>(),
                capability(row["capability"]),
                row["platform"] == "linux-aarch64",
                {{}}};
    if (row.contains("first_drivers")) {
      for (const auto& first : row["first_drivers"]) board.firsts.front().push_back(maybe_driver(first).value());
    }
    boards_.push_back(std::move(board));
  }
  for (const auto& row : gpus["families"])
    families_.emplace_back(row["name"].get<std::string>(), row["members"].get<std::vector<std::string>>());
}

void Oracle::read_places(const MatrixFiles& files) {
  for (const auto& row : file(files, "os.json")["os"])
    systems_.push_back({row["id"].get<std::string>(), row["lts"].get<bool>(), row["family"].get<std::string>(),
                        version(row["version"]), row["pythons"].get<std::vector<std::string>>(), maybe_version(row["glibc"])});
  const auto& images = file(files, "images.json");
  for (const auto& row : images["gates"]) {
    Gate gate{version(row["cuda"]), {}};
    for (const auto& exception : row["exceptions"])
      gate.exceptions.emplace_back(exception["brand"].get<std::string>(), std::stoi(exception["branch"].get<std::string>()));
    gates_[row["id"].get<std::string>()] = gate;
  }
  for (const auto& row : images["cuda"])
    images_.push_back({version(row["cuda"]), !row["cudnn"].is_null(), row["variant"].get<std::string>(),
                       row["os"].get<std::string>(), row["evidence"].get<std::string>(), maybe_text(row["gate"])});
  for (const auto& row : images["pytorch"])
    officials_.push_back({"torch", row["variant"].get<std::string>(), row["evidence"].get<std::string>(), version(row["torch"]),
                          maybe_version(row["cuda"]), maybe_text(row["os"]), maybe_text(row["python"]),
                          maybe_text(row.value("gate", Json())), std::nullopt});
  for (const auto& row : file(files, "conda.json")["cudnn"])
    offered_.push_back({row["channel"].get<std::string>(), version(row["cuda"]), version(row["cudnn"]), version(row["glibc"])});
  for (const auto& row : file(files, "conda.json")["labels"]) labels_.insert(version(row["cuda"]));
  for (const auto& row : file(files, "tensorflow.json")["releases"]) {
    for (const auto& image : row["images"])
      officials_.push_back({"tensorflow", image["variant"].get<std::string>(), image["evidence"].get<std::string>(),
                            version(row["version"]), maybe_version(row["cuda"]), maybe_text(image["os"]),
                            maybe_text(image["python"]), maybe_text(image.value("gate", Json())),
                            maybe_text(image.value("cudnn", Json()))});
  }
}

void Oracle::read_builds(const MatrixFiles& files) {
  const auto& torch = file(files, "torch.json");
  for (const auto& row : torch["releases"]) {
    Release release{version(row["version"]),           row["tags_complete"].get<bool>(), std::nullopt, {},
                    maybe_version(row["torchvision"]), maybe_version(row["torchaudio"]), std::nullopt};
    release.after_gap = row.value("gap_before", false);
    if (row.contains("requires_python"))
      release.python_floor = Version::parse(row["requires_python"].get<std::string>().substr(2)).value();
    if (row.contains("open_cuda")) {
      release.open.emplace();
      for (const auto& minor : row["open_cuda"]) release.open->push_back(version(minor));
    }
    for (const auto& [platform, minor] : row["default_cuda"].items()) {
      if (!minor.is_null()) release.defaults[platform] = version(minor);
    }
    releases_.push_back(std::move(release));
  }
  const auto common = [&](const Json& row) {
    Build build;
    build.cuda = maybe_version(row["cuda"]);
    build.cudnn = maybe_text(row["cudnn"]);
    build.sass = maybe_archs(row["sass"]);
    build.ptx = maybe_archs(row["ptx"]);
    build.glibc = maybe_version(row["glibc"]);
    if (row.contains("glibc_below")) build.glibc_below = version(row["glibc_below"]);
    return build;
  };
  for (const auto& row : torch["builds"]) {
    auto build = common(row);
    build.framework = "torch";
    build.text = row["torch"].get<std::string>();
    build.version = version(row["torch"]);
    build.tag = row["tag"].get<std::string>();
    build.channel = "wheels";
    build.platform = row["platform"].get<std::string>();
    build.cpu = !build.cuda;
    build.side = row["official"] == false;
    build.pythons.emplace();
    for (const char* index : {"wheel_index", "package_index"}) {
      if (!row[index].is_null()) build.pythons->merge(texts(row[index]["pythons"]));
    }
    builds_.push_back(std::move(build));
  }
  for (const auto& row : file(files, "conda.json")["builds"]) {
    auto build = common(row);
    build.framework = "torch";
    build.text = row["torch"].get<std::string>();
    build.version = version(row["torch"]);
    build.channel = row["channel"].get<std::string>();
    build.platform = row["platform"].get<std::string>();
    build.cpu = !build.cuda;
    build.tegra = !row["arm_variant"].is_null();
    build.tag = build.cpu ? "cpu" : tag_of(*build.cuda);
    if (!row["pythons"].is_null()) build.pythons = texts(row["pythons"]);
    builds_.push_back(std::move(build));
  }
  for (const auto& row : file(files, "tensorflow.json")["releases"]) {
    auto build = common(row);
    build.framework = "tensorflow";
    build.brings_cuda = !row["pins"].is_null();
    build.cpu = false;  // no CUDA stands for one that was not read
    build.text = row["version"].get<std::string>();
    build.version = version(row["version"]);
    build.channel = "wheels";
    build.platform = "linux-x86_64";
    if (build.cuda) build.tag = tag_of(*build.cuda);
    build.pythons = texts(row["pythons"]);
    if (row.contains("fails_on")) {
      for (const auto& one : row["fails_on"]) build.fails_on.push_back(capability(one));
    }
    for (const auto& [package, spec] : row["pins"].items()) {
      if (!package.starts_with("nvidia-cudnn-")) continue;
      const auto wanted = wheel_spec(spec.get<std::string>()).value();
      for (std::size_t i = 0; i < cudnns_.size(); ++i) {
        if (cudnns_[i].wheels.count(package) != 0 && cudnns_[i].glibc && wanted.matches(cudnns_[i].version))
          build.cudnn_choices.push_back(i);
      }
    }
    builds_.push_back(std::move(build));
  }
  const auto companions = [&](const char* list, std::vector<Companion>& target) {
    for (const auto& row : torch[list]) {
      Companion companion{version(row["version"]), row["platform"].get<std::string>(), std::nullopt, std::nullopt, Version(3, 0)};
      if (!row["requires_torch"].is_null())
        companion.requires_torch = VersionSpec::parse(row["requires_torch"].get<std::string>()).value();
      if (!row["pythons"].empty() && row["pythons"][0] == "any") {
        companion.floor = Version::parse(row["requires_python"].get<std::string>().substr(2)).value();
      } else {
        companion.pythons = texts(row["pythons"]);
      }
      target.push_back(std::move(companion));
    }
  };
  companions("torchvision", torchvision_);
  companions("torchaudio", torchaudio_);
}

}  // namespace envgen::property
