#include "files/tools.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "files/grammar.hpp"
#include "model/choices.hpp"
#include "model/python_version.hpp"
#include "model/spelling.hpp"

namespace envgen::files {
namespace {

/// The Python of the systems that are too old for uv is 3.5 or 3.6.
constexpr std::string_view before_36 = "3.5";
constexpr std::string_view before_37 = "3.6";
constexpr std::string_view before_38 = "3.7";
constexpr std::string_view since_38 = "3.8";

const Tool* find_tool(const Options& options, std::string_view name, std::string_view platform, std::string_view python) {
  const auto& tools = options.tools;
  const auto found = std::find_if(tools.begin(), tools.end(), [&](const Tool& tool) {
    return tool.name == name && (tool.platform.empty() || tool.platform == platform) &&
           (tool.python.empty() || tool.python == python);
  });
  return found == tools.end() ? nullptr : &*found;
}

/// Options that nobody checked have none.
const Tool& tool_for(const Inputs& inputs, std::string_view name, std::string_view python) {
  static const Tool none;
  const auto* found = find_tool(inputs.options, name, name_of(inputs.environment.platform), python);
  return found == nullptr ? none : *found;
}

const Tool& tool_for(const Inputs& inputs, std::string_view name) {
  const auto minor = inputs.environment.python.minor;
  return tool_for(inputs, name, minor < 7 ? before_37 : minor < 8 ? before_38 : since_38);
}

std::string by_hash(const Tool& tool) {
  return fmt::format("{}=={} --hash={}", tool.name, tool.version, fmt::join(tool.hashes, " --hash="));
}

std::string_view machine_of(const Environment& environment) {
  return environment.platform == Platform::linux_aarch64 ? "aarch64" : "x86_64";
}

/// The Python of the system is older than what uv's wheel asks for, which is the oldest that uv installs as well.
bool is_too_old_for_uv(const Inputs& inputs) {
  const auto& systems = inputs.options.systems;
  return std::any_of(systems.begin(), systems.end(), [&](const SystemPython& system) {
    return system.os == inputs.environment.os && system.python < oldest_of_uv;
  });
}

/// pip reads no requirement with a hash but from a file.
std::string fed(std::string_view requirement, std::string_view command) {
  return fmt::format("echo '{}' | {} --require-hashes --requirement /dev/stdin", requirement, command);
}

}  // namespace

Expected<void> check_tools(const Options& options) {
  for (const auto& tool : options.tools) {
    const auto where = fmt::format("tools.json, tool {}", in_one_line(tool.name));
    if (tool.version.find_first_not_of("0123456789.-") != std::string::npos)
      return fail(ErrorCode::bad_input, fmt::format("{} is not a tool version", in_quotes(tool.version)), where);
    for (const auto& hash : tool.hashes) {
      if (const auto checked = check_hash(hash, where); !checked)
        return fail(ErrorCode::bad_input, checked.error().message, where, checked.error().hints);
    }
  }
  const auto need = [&](std::string_view name, std::string_view platform, std::string_view python,
                        bool by_hash) -> Expected<void> {
    const auto* tool = find_tool(options, name, platform, python);
    if (tool != nullptr && !(by_hash && tool->hashes.empty())) return {};
    return fail(
        ErrorCode::bad_input,
        fmt::format("envgen's data has no {} for {} and Python {}{}", name, platform, python, by_hash ? " with its hash" : ""),
        "tools.json", {"a layer adds to other facts: name their folder before it"});
  };
  for (const auto platform : Names<Platform>::names) {
    for (const auto python : {before_37, before_38, since_38}) {
      for (const std::string_view name : {"miniforge", "pip", "uv"}) {
        if (auto there = need(name, platform, python, true); !there) return there;
      }
      for (const std::string_view name : {"jupyterlab", "ninja", "packaging", "psutil", "setuptools", "wheel"}) {
        if (auto there = need(name, platform, python, false); !there) return there;
      }
    }
    if (auto there = need("pip", platform, before_36, true); !there) return there;
  }
  return {};
}

std::string pinned_tool(std::string_view name, const Inputs& inputs) {
  return fmt::format("{}=={}", name, tool_for(inputs, name).version);
}

std::string uv_by_hash(const Inputs& inputs) { return by_hash(tool_for(inputs, "uv")); }
std::string pip_by_hash(const Inputs& inputs) { return by_hash(tool_for(inputs, "pip")); }
const std::string& uv_version(const Inputs& inputs) { return tool_for(inputs, "uv").version; }

Miniforge miniforge(const Inputs& inputs) {
  const auto& tool = tool_for(inputs, "miniforge");
  const auto sum = tool.hashes.empty() ? std::string() : tool.hashes.front();
  return {fmt::format("https://github.com/conda-forge/miniforge/releases/download/{}", tool.version),
          fmt::format("Miniforge3-{}-Linux-{}.sh", tool.version, machine_of(inputs.environment)), sum.substr(sum.find(':') + 1)};
}

std::vector<std::string> commands_for_uv(const Inputs& inputs) {
  const auto uv = uv_by_hash(inputs);
  if (!is_too_old_for_uv(inputs)) return {"python3 -m venv /opt/uv", fed(uv, "/opt/uv/bin/pip install")};
  // A pip that knows the wheel's platform and can fetch for another Python; the wheel is unpacked, for uv itself needs none.
  return {"python3 -m venv /opt/uv",
          fed(by_hash(tool_for(inputs, "pip", before_36)), "/opt/uv/bin/pip install"),
          fed(uv, fmt::format(
                      "/opt/uv/bin/python -m pip download --no-deps --only-binary :all: --python-version 3.8 --implementation py "
                      "--abi none --platform manylinux2014_{} --dest /opt/uv/wheel",
                      machine_of(inputs.environment))),
          "/opt/uv/bin/python -m zipfile -e /opt/uv/wheel/uv-*.whl /opt/uv/wheel",
          fmt::format("install /opt/uv/wheel/uv-{}.data/scripts/uv /opt/uv/bin/uv", uv_version(inputs)),
          "rm --recursive /opt/uv/wheel"};
}

bool has_old_pip(const Environment& environment) {
  constexpr int first_with_newer = 9;
  return environment.installer == Installer::pip && environment.python_provider == PythonProvider::system &&
         environment.python.minor < first_with_newer;
}

std::string command_for_newer_pip(std::string_view folder, const Inputs& inputs) {
  return fed(pip_by_hash(inputs), fmt::format("{}/bin/pip install", folder));
}

std::string command_for_pip(std::string_view folder, const Inputs& inputs) {
  return fed(pip_by_hash(inputs), fmt::format("/opt/uv/bin/uv pip install --python {}/bin/python", folder));
}

}  // namespace envgen::files
