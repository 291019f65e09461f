#include "check/check.hpp"

#include "check/checked_answer.hpp"

namespace envgen::check {
namespace {

const matrix::Build* named_build(const matrix::Matrix& matrix, const Environment& environment) {
  const auto& named = environment.build();
  const auto framework = environment.torch ? Framework::torch : Framework::tensorflow;
  const auto version = Version::parse(named.version);
  if (!version) return nullptr;
  const bool conda = environment.installer == Installer::conda;
  const matrix::Build* of_other_channels = nullptr;
  for (const auto& build : matrix->builds) {
    if (build.version != *version || build.framework != framework || !build.listed) continue;
    if ((build.channel != matrix::Channel::wheels) != conda || build.platform != environment.platform) continue;
    if (build.version_text.view() != named.version || build.tag.view() != named.tag) continue;
    if (conda && !same(named.conda_spec, build.conda_spec)) continue;
    if (!conda || named.conda_channels == texts_of(build.conda_channels)) return &build;
    of_other_channels = &build;
  }
  return of_other_channels;
}

}  // namespace

std::vector<std::string> violations(const matrix::Matrix& matrix, const Request& request, const Environment& environment) {
  std::vector<std::string> found;
  const auto asked = read(matrix, request, found);
  if (environment.torch.has_value() == environment.tensorflow.has_value()) {
    found.emplace_back("framework: an environment holds either torch or tensorflow");
    return found;
  }
  const auto* build = named_build(matrix, environment);
  if (build == nullptr) {
    const auto& named = environment.build();
    found.push_back(fmt::format("build: there is no {}+{} of this platform, installer and conda_spec", named.version, named.tag));
    return found;
  }
  CheckedAnswer checked{matrix, asked, environment, *build, found};
  find_images(checked);
  check_build(checked);
  check_requested_versions(checked);
  const auto pythons = check_companions(checked);
  check_cudnn(checked);
  check_python(checked, pythons);
  check_system(checked);
  check_boards(checked);
  check_driver(checked);
  check_images(checked);
  check_rules(checked);
  return found;
}

}  // namespace envgen::check
