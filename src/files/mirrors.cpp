#include "files/mirrors.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "model/choices.hpp"
#include "model/shell_word.hpp"
#include "model/spelling.hpp"

namespace envgen::files {
namespace {

std::string without_slash(std::string url) {
  while (url.ends_with('/')) url.pop_back();
  return url;
}

/// One address for another; what sed would obey is in no URL that `check_base_url` lets through.
std::string rule(std::string_view host_and_path, const std::string& url) {
  return shell_word(fmt::format("s#https?://{}/?([[:space:]]|$)#{}/\\1#", host_and_path, url));
}

constexpr std::string_view ubuntu = R"(archive\.ubuntu\.com/ubuntu)";
constexpr std::string_view ubuntu_security = R"(security\.ubuntu\.com/ubuntu)";
constexpr std::string_view ubuntu_ports = R"(ports\.ubuntu\.com/ubuntu-ports)";

std::vector<std::string> debian_rules(const std::string& archive, const std::string& security) {
  std::vector<std::string> rules{rule(R"(deb\.debian\.org/debian)", archive)};
  if (security.empty()) return rules;
  rules.push_back(rule(R"(deb\.debian\.org/debian-security)", security));
  rules.push_back(rule(R"(security\.debian\.org/debian-security)", security));
  return rules;
}

/// What the user names: the archive itself.
std::vector<std::string> rules_of_archive(const Environment& environment, const std::string& archive) {
  if (environment.system->family == "debian")
    return debian_rules(archive, archive.ends_with("/debian") ? archive + "-security" : std::string());
  if (environment.platform == Platform::linux_aarch64) return {rule(ubuntu_ports, archive)};
  return {rule(ubuntu, archive), rule(ubuntu_security, archive)};
}

std::vector<std::string> rules_of_root(const Environment& environment, const std::string& root) {
  if (environment.system->family == "debian") return debian_rules(root + "/debian", root + "/debian-security");
  if (environment.platform == Platform::linux_aarch64) return {rule(ubuntu_ports, root + "/ubuntu-ports")};
  return {rule(ubuntu, root + "/ubuntu")};
}

}  // namespace

Expected<std::vector<std::string>> apt_mirror_rules(const Inputs& inputs) {
  const auto& options = inputs.options;
  const auto& environment = inputs.environment;
  const auto& archive = options.apt_mirror.value;
  const auto& root = options.of_mirror.apt_root;
  if ((archive.empty() && root.empty()) || !environment.system) return {};
  const bool plain = environment.base == Base::slim && options.base_image.value.empty();
  if (archive.starts_with("https://") && plain && options.ca_cert.value.empty())
    return fail(ErrorCode::usage,
                "this mirror uses https, but the distribution image trusts no certificates until ca-certificates is installed",
                options.apt_mirror.where, {"use its http address: apt verifies signatures either way", "--ca-cert FILE"});
  const bool debian = environment.system->family == "debian";
  const auto name = without_slash(archive);
  if (debian ? name.ends_with("/ubuntu") || name.ends_with("/ubuntu-ports") : name.ends_with("/debian"))
    return fail(ErrorCode::usage,
                fmt::format("{} is an archive for {}, but the system is {}", in_quotes(archive), debian ? "Ubuntu" : "Debian",
                            environment.os.value_or("another")),
                options.apt_mirror.where,
                {debian ? "such as http://mirror.example.org/debian" : "such as http://mirror.example.org/ubuntu"});
  return archive.empty() ? rules_of_root(environment, without_slash(root))
                         : rules_of_archive(environment, without_slash(archive));
}

bool keeps_security_updates(const Inputs& inputs) {
  const auto& environment = inputs.environment;
  return inputs.options.apt_mirror.value.empty() && !inputs.options.of_mirror.apt_root.empty() && environment.system &&
         environment.system->family == "ubuntu" && environment.platform == Platform::linux_x86_64;
}

std::vector<std::string> not_on_the_mirror(const Inputs& inputs) {
  const auto& options = inputs.options;
  const auto& build = inputs.environment.build();
  std::vector<std::string> result;
  if (options.of_mirror.apt_root.empty() && options.apt_mirror.value.empty()) result.emplace_back("system packages");
  if (build.conda_spec) {
    for (const auto& channel : build.conda_channels) {
      if (conda_channel(options, channel) == channel) result.push_back("conda's channel " + channel);
    }
    result.emplace_back("Miniforge (build argument MINIFORGE_URL)");
    return result;
  }
  if (inputs.environment.python_provider == PythonProvider::uv)
    result.push_back(fmt::format("Python {}, which uv installs", inputs.environment.python));
  if (!build.on_package_index && build.index_url && torch_index(options, *build.index_url) == *build.index_url)
    result.push_back("PyTorch's wheels (" + *build.index_url + ")");
  return result;
}

std::string conda_channel(const Options& options, const std::string& channel) {
  const auto& mirror = options.conda_mirror.value;
  const auto& has = options.of_mirror.conda_channels;
  const bool address = channel.find("://") != std::string::npos;
  if (mirror.empty() || address || (!has.empty() && std::find(has.begin(), has.end(), channel) == has.end())) return channel;
  return without_slash(mirror) + "/" + channel;
}

std::vector<std::string> conda_channels(const Options& options, const std::vector<std::string>& channels) {
  std::vector<std::string> result;
  for (const auto& channel : channels) result.push_back(conda_channel(options, channel));
  return result;
}

std::string torch_index(const Options& options, const std::string& url) {
  constexpr std::string_view own = "https://download.pytorch.org/whl";
  const auto& mirror = options.torch_mirror.value;
  if (mirror.empty() || !url.starts_with(own)) return url;
  return without_slash(mirror) + url.substr(own.size());
}

}  // namespace envgen::files
