#include "files/run_time_compiler.hpp"

#include "model/version.hpp"

namespace envgen::files {
namespace {

/// The system's own Python has its headers in a package; those of uv and conda bring them.
bool headers_are_a_package(const Environment& environment) {
  if (environment.python_provider == PythonProvider::image) return environment.image_layout == "system";
  return environment.python_provider == PythonProvider::system;
}

}  // namespace

std::vector<std::string> run_time_compiler(const Inputs& inputs) {
  const auto& environment = inputs.environment;
  if (inputs.options.no_compiler || !environment.torch || environment.variant == Variant::devel) return {};
  const auto version = Version::parse(environment.torch->version);
  if (version && *version < Version(2, 0)) return {};
  std::vector<std::string> packages{"g++"};
  if (headers_are_a_package(environment)) packages.emplace_back("python3-dev");
  return packages;
}

}  // namespace envgen::files
