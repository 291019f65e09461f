#include "container/registry.hpp"

#include <array>
#include <functional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "container/engine.hpp"
#include "container/reply.hpp"
#include "model/choices.hpp"
#include "model/spelling.hpp"
#include "util/interrupt.hpp"
#include "util/json_members.hpp"
#include "util/process.hpp"

namespace envgen::container {
namespace {

constexpr std::chrono::seconds longest_question{30};

bool is_digest(std::string_view text) {
  constexpr std::string_view algorithm = "sha256:";
  constexpr std::size_t digits = 64;
  return text.starts_with(algorithm) && text.size() == algorithm.size() + digits &&
         text.find_first_not_of("0123456789abcdef", algorithm.size()) == std::string_view::npos;
}

Expected<std::string> checked(std::optional<std::string> digest, std::string_view command) {
  if (digest && is_digest(*digest)) return std::move(*digest);
  return fail(ErrorCode::missing, fmt::format("{} shows no digest", command));
}

/// `debian` of `docker.io/library/debian:12-slim`: an engine leaves out what is Docker Hub's.
std::string repository_of(std::string name) {
  name = name.substr(0, name.find('@'));
  if (const auto colon = name.find(':', name.rfind('/') + 1); colon != std::string::npos) name.resize(colon);
  for (const std::string_view prefix : {"docker.io/", "library/"}) {
    if (name.starts_with(prefix)) name.erase(0, prefix.size());
  }
  return name;
}

/// A way to ask.
struct Way {
  std::vector<std::string> words;
  std::function<Expected<std::string>(const std::string&)> read;

  std::string name() const { return fmt::format("{} {}", words[0], words[1]); }
};

std::vector<Way> ways(const std::string& image, const std::string& architecture) {
  const auto repo_digests = [&](const std::string& text) { return parse_repo_digests(text, image); };
  const std::string digests = "{{json .RepoDigests}}";
  return {{{"docker", "buildx", "imagetools", "inspect", "--format", "{{json .Manifest}}", image}, parse_imagetools},
          {{"docker", "manifest", "inspect", "--verbose", image},
           [&](const std::string& text) { return parse_manifest_inspect(text, architecture); }},
          {{"skopeo", "inspect", "--format", "{{.Digest}}", "docker://" + image},
           [](const std::string& text) { return checked(text.substr(0, text.find('\n')), "skopeo inspect"); }},
          {{"docker", "image", "inspect", "--format", digests, image}, repo_digests},
          {{"podman", "image", "inspect", "--format", digests, image}, repo_digests}};
}

}  // namespace

Expected<std::string> parse_imagetools(const std::string& text) {
  const auto json = read_reply(text, "docker buildx imagetools inspect");
  if (!json) return tl::unexpected(json.error());
  return checked(util::text_member(*json, "digest"), "docker buildx imagetools inspect");
}

Expected<std::string> parse_manifest_inspect(const std::string& text, const std::string& architecture) {
  constexpr std::string_view command = "docker manifest inspect";
  const auto json = read_reply(text, command);
  if (!json) return tl::unexpected(json.error());
  const auto of = [&](const nlohmann::ordered_json& entry) -> std::optional<std::string> {
    const auto* descriptor = util::member(entry, "Descriptor");
    const auto* platform = descriptor == nullptr ? nullptr : util::member(*descriptor, "platform");
    if (platform == nullptr || util::text_member(*platform, "architecture") != architecture ||
        util::text_member(*platform, "os") != "linux")
      return std::nullopt;
    return util::text_member(*descriptor, "digest");
  };
  // An array of one is taken for what it holds.
  const auto all = json->is_array() ? *json : nlohmann::ordered_json::array({*json});
  for (const auto& entry : all) {
    if (const auto digest = of(entry)) return checked(digest, command);
  }
  return fail(ErrorCode::missing, fmt::format("{} shows no digest for linux/{}", command, architecture));
}

Expected<std::string> parse_repo_digests(const std::string& text, const std::string& image) {
  constexpr std::string_view command = "image inspect";
  // An array of one is taken for what it holds.
  const auto json = read_reply(text, command);
  if (!json) return tl::unexpected(json.error());
  const auto repository = repository_of(image);
  const auto all = json->is_array() ? *json : nlohmann::ordered_json::array({*json});
  for (const auto& one : all) {
    if (!one.is_string()) continue;
    const auto name = one.get<std::string>();
    const auto at = name.find('@');
    if (at != std::string::npos && repository_of(name) == repository) return checked(name.substr(at + 1), command);
  }
  return fail(ErrorCode::missing, "the image was built here, and no registry gave it a digest");
}

Expected<std::string> find_digest(const std::string& image, const std::string& architecture) {
  std::vector<std::string> said;
  for (const auto& way : ways(image, architecture)) {
    const auto ran =
        util::run_process(way.words, {.timeout = longest_question, .largest_out = largest_reply, .end_when_full = true});
    if (!ran && ran.error().code != ErrorCode::missing) return tl::unexpected(ran.error());
    if (!ran) continue;  // not installed
    if (!ran->ok()) {
      const auto words = words_of(ran->err);
      said.push_back(fmt::format("{}: {}", way.name(), words.empty() ? ran->ending() : words.front()));
      continue;
    }
    auto digest = way.read(ran->out);
    if (digest) return digest;
    said.push_back(fmt::format("{}: {}", way.name(), digest.error().message));
  }
  if (said.empty()) return fail(ErrorCode::missing, "none of docker, podman and skopeo is on PATH");
  return fail(ErrorCode::missing, "no client here can find its digest", {}, std::move(said));
}

Expected<std::vector<Environment::Frozen::Image>> find_digests(const std::vector<std::string>& names, Platform platform,
                                                               const Say& say) {
  std::vector<Environment::Frozen::Image> images;
  if (names.empty()) return images;
  const util::InterruptScope scope;
  const auto* const architecture = platform == Platform::linux_aarch64 ? "arm64" : "amd64";
  say(fmt::format("asking the registry for the digests of {}", fmt::join(names, ", ")));
  for (const auto& name : names) {
    auto digest = find_digest(name, architecture);
    if (!digest && digest.error().code != ErrorCode::missing) return tl::unexpected(std::move(digest.error()));
    if (!digest) {
      say(fmt::format("{} stays a tag, which a registry can move to another image: {}", name, digest.error().message));
      for (const auto& hint : digest.error().hints) say("  " + hint);
    }
    images.push_back({name, digest ? std::optional(std::move(*digest)) : std::nullopt});
  }
  return images;
}

}  // namespace envgen::container
