#include "output/tools.hpp"

#include <fmt/format.h>

#include "model/choices.hpp"
#include "model/python_version.hpp"

namespace envgen::output {
namespace {

/// The Python of these systems is older than what uv's wheel asks for (3.8).
bool is_too_old_for_uv(const Environment& environment) {
  const auto& system = environment.system;
  return system && system->family == "ubuntu" && (system->version == "16.04" || system->version == "18.04");
}

/// pip reads no requirement with a hash but from a file.
std::string fed(std::string_view requirement, std::string_view command) {
  return fmt::format("echo '{}' | {} --require-hashes --requirement /dev/stdin", requirement, command);
}

}  // namespace

std::string uv_by_hash(Platform platform) {
  const auto hashes = platform == Platform::linux_aarch64 ? uv_hashes_aarch64 : uv_hashes_x86_64;
  return fmt::format("uv=={} {}", uv_version, hashes);
}

std::string pip_by_hash(PythonVersion python) { return std::string(python.minor < 8 ? pip_for_python_37 : pip_for_python_38); }

std::vector<std::string> commands_for_uv(const Environment& environment) {
  const auto uv = uv_by_hash(environment.platform);
  if (!is_too_old_for_uv(environment)) return {"python3 -m venv /opt/uv", fed(uv, "/opt/uv/bin/pip install")};
  // A pip that knows the wheel's platform and can fetch for another Python; the wheel is unpacked, for uv itself needs none.
  const auto machine = environment.platform == Platform::linux_aarch64 ? "aarch64" : "x86_64";
  return {"python3 -m venv /opt/uv",
          fed(pip_for_python_35, "/opt/uv/bin/pip install"),
          fed(uv, fmt::format(
                      "/opt/uv/bin/python -m pip download --no-deps --only-binary :all: --python-version 3.8 --implementation py "
                      "--abi none --platform manylinux2014_{} --dest /opt/uv/wheel",
                      machine)),
          "/opt/uv/bin/python -m zipfile -e /opt/uv/wheel/uv-*.whl /opt/uv/wheel",
          fmt::format("install /opt/uv/wheel/uv-{}.data/scripts/uv /opt/uv/bin/uv", uv_version),
          "rm --recursive /opt/uv/wheel"};
}

std::string command_for_pip(std::string_view venv, PythonVersion python) {
  return fed(pip_by_hash(python), fmt::format("/opt/uv/bin/uv pip install --python {}/bin/python", venv));
}

}  // namespace envgen::output
