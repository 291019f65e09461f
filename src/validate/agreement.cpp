#include "validate/agreement.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "diagnosis/diagnosis.hpp"
#include "files/proof_of_build.hpp"
#include "model/spelling.hpp"

namespace envgen::validate {
namespace {

bool is_below(const std::string& path, const std::string& folder) {
  return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/' || folder == "/");
}

/// `2.7.1` of `2.7.1+cu126`.
std::string without_local(const std::string& version) { return version.substr(0, version.find('+')); }

class Agreement {
 public:
  Agreement(const SelfReport& told, const ImageFiles& found) : told_(told), found_(found) {}

  Result result() && {
    python();
    if (!told_.framework.empty() && told_.error.empty() && told_.doing.empty()) {
      framework();
      cudnn();
    }
    Result result{"self-report"};
    result.evidence = {{"library", shown(told_.library)}, {"file", shown(told_.file)}};
    if (!differences_.empty())
      return as(std::move(result), Status::fail,
                fmt::format("what Python reports does not match the files: {}", fmt::join(differences_, "; ")),
                "python-contradicted");
    if (!not_seen_.empty())
      return as(std::move(result), Status::unknown,
                fmt::format("Python's report could not be checked against all files: {}", fmt::join(not_seen_, "; ")));
    return as(std::move(result), Status::pass,
              seen_.empty() ? "Python reports nothing that the files could confirm"
                            : fmt::format("confirmed by the files: {}", fmt::join(seen_, ", ")));
  }

 private:
  const PythonPackage* at(std::string_view name, const std::string& path) const {
    for (const auto& package : found_.packages) {
      if (package.name == name && package.path == path) return &package;
    }
    return nullptr;
  }
  /// The package of one of these names that is installed in a folder.
  template <class Names>
  const PythonPackage* installed(const Names& names, const std::string& folder) const {
    for (const auto& package : found_.packages) {
      const bool named = std::find(names.begin(), names.end(), package.name) != names.end();
      if (named && folder_of(package.path) == folder && package.path.ends_with("-info")) return &package;
    }
    return nullptr;
  }

  /// Something is not there, which says nothing where nobody looked.
  void missing(const std::string& path, std::string difference) {
    // A zip has files that no walk sees.
    const bool in_zip = path.find(".zip/") != std::string::npos;
    const auto& closed = found_.not_entered;
    const bool entered = std::none_of(closed.begin(), closed.end(), [&](const auto& folder) { return is_below(path, folder); });
    if (found_.complete && found_.left_out == 0 && entered && !in_zip) {
      differences_.push_back(std::move(difference));
    } else {
      not_seen_.push_back(fmt::format("{} was not examined", shown(path)));
    }
  }

  void python() {
    if (told_.library.empty()) {
      differences_.emplace_back("Python does not report the path of its standard library");
      return;
    }
    const auto* library = at("python", told_.library);
    if (library == nullptr)
      return missing(told_.library, fmt::format("the library of Python {} should be {}, which does not exist",
                                                shown(told_.python), shown(told_.library)));
    // `3.13t` of a free-threaded Python 3.13.
    const auto minor = library->version.substr(0, library->version.find('t'));
    if (told_.python.starts_with(minor + ".")) return seen_.push_back("Python " + minor);
    differences_.push_back(fmt::format("it reports Python {}, but its library is {}", shown(told_.python), shown(library->path)));
  }

  void framework() {
    if (told_.file.empty())
      return differences_.push_back(fmt::format("Python does not report the path of its {}", shown(told_.framework)));
    if (told_.framework == "torch") {
      torch();
    } else {
      tensorflow();
    }
  }

  void compare_version(const std::string& version, const std::string& path) {
    if (without_local(version) == without_local(told_.version))
      return seen_.push_back(fmt::format("{} {}", shown(told_.framework), shown(told_.version)));
    differences_.push_back(fmt::format("it reports {} {}, but {} says {}", shown(told_.framework), shown(told_.version),
                                       shown(path), shown(version)));
  }

  void torch() {
    const auto path = folder_of(told_.file) + "/version.py";
    const auto* package = at("torch", path);
    if (package == nullptr)
      return missing(path, fmt::format("it reports torch {}, but there is no {}", shown(told_.version), shown(path)));
    compare_version(package->version, package->path);
    if (package->cuda == told_.cuda) {
      if (told_.cuda) seen_.push_back("CUDA " + shown(*told_.cuda));
    } else {
      differences_.push_back(fmt::format("it reports that torch is built for {}, but {} says {}",
                                         shown(told_.cuda.value_or("cpu")), shown(path), shown(package->cuda.value_or("cpu"))));
    }
    const auto is_cuda_part = [](const PythonPackage& one) { return one.name == "libtorch_cuda"; };
    if (told_.cuda && std::none_of(found_.packages.begin(), found_.packages.end(), is_cuda_part))
      missing(path,
              fmt::format("it reports that torch is built for CUDA {}, but libtorch_cuda.so is missing", shown(*told_.cuda)));
  }

  void tensorflow() {
    constexpr std::array<std::string_view, 5> names{"tensorflow", "tensorflow-cpu", "tensorflow-gpu", "tf-nightly",
                                                    "tf-nightly-gpu"};
    const auto folder = folder_of(told_.file);
    if (const auto* package = installed(names, folder_of(folder))) return compare_version(package->version, package->path);
    const auto is_part = [&](const PythonPackage& one) {
      return one.name == "libtensorflow_framework" && folder_of(one.path) == folder;
    };
    // Built from its sources, it need not be installed as a package.
    if (std::any_of(found_.packages.begin(), found_.packages.end(), is_part)) {
      not_seen_.push_back(fmt::format("no package gives the version of {}", shown(folder)));
    } else {
      missing(folder, fmt::format("it reports tensorflow {}, but there is none in {}", shown(told_.version), shown(folder)));
    }
  }

  /// Only where it is known which one torch loads: the one beside it, or the package that its metadata asks for. A torch of conda
  /// holds cuDNN in itself, whatever packages lie there.
  void cudnn() {
    if (!told_.cudnn || told_.framework != "torch") return;
    const auto folder = folder_of(told_.file);
    const auto number = std::to_string(*told_.cudnn);
    for (const auto& file : found_.files) {
      if (file.library != "libcudnn" || folder_of(file.path) != folder + "/lib" || !file.version) continue;
      // 8902 is 8.9.2, 90100 is 9.1.0.
      if (!number.starts_with(file.version->substr(0, file.version->find('.'))))
        differences_.push_back(fmt::format("it reports cuDNN {}, but {} is loaded", number, shown(file.path)));
      return;
    }
    const auto site = folder_of(folder);
    const auto* torch = installed(std::array<std::string_view, 1>{"torch"}, site);
    if (torch == nullptr || torch->cudnn.empty()) return;
    const auto* package = installed(std::array<std::string_view, 1>{torch->cudnn}, site);
    if (package == nullptr) return;
    if (const int packaged = files::cudnn_number(Version::parse(package->version).value_or(Version()));
        packaged != 0 && packaged != *told_.cudnn)
      differences_.push_back(fmt::format("it reports cuDNN {}, but {} is {}", number, shown(package->path), packaged));
    else
      seen_.push_back("cuDNN " + number);
  }

  const SelfReport& told_;
  const ImageFiles& found_;
  std::vector<std::string> differences_;
  std::vector<std::string> not_seen_;
  std::vector<std::string> seen_;
};

}  // namespace

Result judge_agreement(const SelfReport& told, const ImageFiles& found) { return Agreement(told, found).result(); }

void doubt(std::vector<Result>& results) {
  constexpr std::array<std::string_view, 9> by_word{"python", "framework", "framework-cuda", "cudnn", "nccl-version",
                                                    "archs",  "gpu-archs", "framework-gpu",  "nvcc"};
  for (auto& result : results) {
    if (result.status != Status::pass || std::find(by_word.begin(), by_word.end(), result.check) == by_word.end()) continue;
    result.status = Status::unknown;
    result.message += "; the files contradict this (self-report)";
  }
}

}  // namespace envgen::validate
