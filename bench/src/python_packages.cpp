#include "python_packages.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>

namespace envgen::bench {
namespace {

constexpr std::array<std::string_view, 9> known_packages{
    "torch",          "tensorflow",        "tensorflow-cpu",    "tensorflow-gpu",   "tf-nightly",
    "tf-nightly-gpu", "nvidia-cudnn-cu11", "nvidia-cudnn-cu12", "nvidia-cudnn-cu13"};

/// `nvidia-cudnn-cu12` of `nvidia_cudnn_cu12` (PEP 503).
std::string normal(std::string_view name) {
  std::string text(name);
  for (char& c : text) c = c == '_' || c == '.' ? '-' : c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

/// The beginning of a regular file; empty: it cannot be read.
std::string beginning_of(const std::string& path, std::size_t most) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return {};
  std::string text(most, '\0');
  std::size_t size = 0;
  for (ssize_t got = 1; got > 0 && size < most;) {
    got = ::read(descriptor, text.data() + size, most - size);
    if (got > 0) size += static_cast<std::size_t>(got);
  }
  ::close(descriptor);
  text.resize(size);
  return text;
}

/// What stands between quotes behind `name`'s equals sign, at the beginning of a line; none: no line has it; empty: None.
std::optional<std::string> assigned(std::string_view text, std::string_view name) {
  for (std::size_t begin = 0; begin < text.size();) {
    const auto line = text.substr(begin, text.substr(begin).find('\n'));
    begin += line.size() + 1;
    if (!line.starts_with(name)) continue;
    const auto behind = line.substr(name.size());
    const auto equals = behind.find('=');
    if (behind.empty() || (behind.front() != ' ' && behind.front() != ':' && behind.front() != '=') || equals == behind.npos)
      continue;
    const auto value = behind.substr(equals + 1);
    const auto open = value.find_first_of("'\"");
    if (open == value.npos) return std::string();
    return std::string(value.substr(open + 1, value.find(value[open], open + 1) - open - 1));
  }
  return std::nullopt;
}

/// The package of cuDNN among the requirements of a METADATA; empty: none.
std::string required_cudnn(std::string_view metadata) {
  constexpr std::string_view requirement = "\nRequires-Dist: ";
  for (auto at = metadata.find(requirement); at != metadata.npos; at = metadata.find(requirement, at + 1)) {
    const auto rest = metadata.substr(at + requirement.size());
    const auto name = normal(rest.substr(0, rest.find_first_of(" ;(=<>!~\n")));
    if (name.starts_with("nvidia-cudnn-")) return name;
  }
  return {};
}

/// `torch-2.7.1+cu126.dist-info`, `torch-2.5.1-py3.11.egg-info`
std::optional<PythonPackage> of_metadata(const std::string& path, std::string_view name) {
  const bool wheel = name.ends_with(".dist-info");
  if (!wheel && !name.ends_with(".egg-info")) return std::nullopt;
  const auto dash = name.find('-');
  if (dash == name.npos) return std::nullopt;
  PythonPackage package{normal(name.substr(0, dash)), std::string(name.substr(dash + 1, name.rfind('.') - dash - 1))};
  if (std::find(known_packages.begin(), known_packages.end(), package.name) == known_packages.end()) return std::nullopt;
  if (!wheel) package.version = package.version.substr(0, package.version.find('-'));
  constexpr std::size_t largest_metadata = 64U << 10U;
  if (wheel && package.name == "torch") package.cudnn = required_cudnn(beginning_of(path + "/METADATA", largest_metadata));
  package.path = path;
  return package;
}

/// `3.11` of `/usr/lib/python3.11/os.py`; `3.13t` of a free-threaded one. Empty: it is no library of a Python.
std::string python_of(std::string_view path) {
  for (const std::string_view file : {"/os.py", "/os.pyc"}) {
    if (!path.ends_with(file)) continue;
    const auto folder = path.substr(0, path.size() - file.size());
    const auto name = folder.substr(folder.rfind('/') + 1);
    constexpr std::string_view prefix = "python";
    if (name.starts_with("python3.")) return std::string(name.substr(prefix.size()));
  }
  return {};
}

}  // namespace

PythonPackage of_torch_version(std::string_view text) {
  return {"torch", assigned(text, "__version__").value_or(""), assigned(text, "cuda")};
}

std::optional<PythonPackage> package_at(const std::string& path, bool folder) {
  const auto name = std::string_view(path).substr(path.rfind('/') + 1);
  if (auto package = of_metadata(path, name)) return package;
  if (folder) return std::nullopt;
  PythonPackage package;
  constexpr std::size_t largest_version = 4096;
  if (path.ends_with("/torch/version.py")) package = of_torch_version(beginning_of(path, largest_version));
  for (const std::string_view library : {"libtorch_cuda", "libtensorflow_framework"}) {
    if (name.starts_with(std::string(library) + ".so")) package.name = library;
  }
  if (const auto python = python_of(path); !python.empty()) package = {"python", python};
  if (package.name.empty()) return std::nullopt;
  package.path = path;
  return package;
}

Json to_json(const PythonPackage& package) {
  const auto or_null = [](const std::optional<std::string>& text) { return text && !text->empty() ? Json(*text) : Json(); };
  return {{"name", package.name},
          {"version", or_null(package.version)},
          {"cuda", or_null(package.cuda)},
          {"cudnn", or_null(package.cudnn)},
          {"path", package.path}};
}

}  // namespace envgen::bench
