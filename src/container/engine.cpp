#include "container/engine.hpp"

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include <fmt/format.h>
#include <sys/utsname.h>

#include "container/reply.hpp"
#include "model/spelling.hpp"
#include "util/json_members.hpp"

namespace envgen::container {
namespace {

constexpr std::string_view time_option = "--timeout";  // the origin of what came too late
constexpr std::size_t longest_line = 2000;
constexpr std::size_t most_words = 20;

std::string value_of(const char* variable) {
  const char* value = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe): before any thread
  return value == nullptr ? std::string() : value;
}

std::string this_machine() {
  utsname names{};
  ::uname(&names);
  return names.nodename;
}

util::ProcessLimits short_answer() { return {.timeout = longest_answer, .largest_out = largest_reply}; }

std::vector<std::string> how_to_install() {
  return {"install Docker: https://docs.docker.com/engine/install/", "or podman: sudo apt-get install -y podman"};
}

Error of_client(const Error& error, EngineKind kind) {
  if (error.code != ErrorCode::missing || came_too_late(error)) return error;
  return {ErrorCode::missing, fmt::format("{} is not on PATH", name_of(kind)), "--engine", how_to_install()};
}

}  // namespace

std::optional<Version> EngineFacts::release() const {
  const auto parsed = Version::parse(version.substr(0, version.find_first_not_of("0123456789.")));
  return parsed ? std::optional(*parsed) : std::nullopt;
}

bool EngineFacts::has_cdi_gpus() const {
  return std::any_of(cdi_devices.begin(), cdi_devices.end(),
                     [](const auto& name) { return name.starts_with("nvidia.com/gpu="); });
}

envgen::Engine engine_choice(EngineKind kind, const EngineFacts& facts) {
  if (kind == EngineKind::podman) return envgen::Engine::podman;
  const auto release = facts.release();
  const bool by_cdi = release && *release >= first_docker_with_choice && facts.has_cdi_gpus();
  return by_cdi ? envgen::Engine::docker_cdi : envgen::Engine::docker;
}

std::string_view name_of(EngineKind kind) { return kind == EngineKind::docker ? "docker" : "podman"; }

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  std::vector<std::string> logged;  // by the client, of its own troubles: `time="..." level=error msg="..."`
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line) && words.size() < most_words;) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    (line.starts_with("time=\"") && logged.size() < most_words ? logged : words).push_back(visible(line, longest_line));
  }
  return words.empty() ? logged : words;
}

Expected<EngineFacts> parse_docker_info(const std::string& text, const std::string& address, const std::string& this_machine) {
  const auto json = read_reply(text, "docker info");
  if (!json) return tl::unexpected(json.error());
  // Old clients end with success although no server answered.
  if (const auto errors = util::texts_member(*json, "ServerErrors"); !errors.empty())
    return fail(ErrorCode::missing, "no Docker daemon responds", "docker info", errors);
  EngineFacts facts;
  facts.version = util::text_member(*json, "ServerVersion").value_or("");
  if (facts.version.empty()) return fail(ErrorCode::missing, "no Docker daemon responds", "docker info");
  facts.architecture = util::text_member(*json, "Architecture").value_or("");
  if (const auto* runtimes = util::member(*json, "Runtimes"); runtimes != nullptr && runtimes->is_object()) {
    for (const auto& [name, about] : runtimes->items()) facts.runtimes.push_back(name);
  }
  if (const auto* devices = util::member(*json, "DiscoveredDevices"); devices != nullptr && devices->is_array()) {
    for (const auto& device : *devices) {
      if (util::text_member(device, "Source") == "cdi") facts.cdi_devices.push_back(util::text_member(device, "ID").value_or(""));
    }
  }
  // A double of the engine's hook is in no library that a container could tell of.
  constexpr std::string_view doubles = "envgen.doubles=";
  for (const auto& label : util::texts_member(*json, "Labels")) {
    if (label.starts_with(doubles)) facts.doubles.push_back(visible(label.substr(doubles.size()), longest_line));
  }
  // Docker Desktop is reached by a socket of this machine, too, and runs in a virtual one; so may a socket that was mounted.
  facts.local = address.starts_with("unix://") && util::text_member(*json, "OperatingSystem") != "Docker Desktop" &&
                util::text_member(*json, "Name") == this_machine;
  return facts;
}

Expected<EngineFacts> parse_podman_info(const std::string& text, const std::string& this_machine) {
  const auto json = read_reply(text, "podman info");
  if (!json) return tl::unexpected(json.error());
  const auto* host = util::member(*json, "host");
  const auto* version = util::member(*json, "version");
  if (host == nullptr || version == nullptr)
    return fail(ErrorCode::missing, "podman info lacks the host or the version", "podman info");
  EngineFacts facts;
  facts.version = util::text_member(*version, "Version").value_or("");
  facts.architecture = util::text_member(*host, "arch").value_or("");
  if (const auto* runtime = util::member(*host, "ociRuntime")) {
    if (auto name = util::text_member(*runtime, "name")) facts.runtimes.push_back(std::move(*name));
  }
  facts.local = util::flag_member(*host, "serviceIsRemote") == false && util::text_member(*host, "hostname") == this_machine;
  return facts;
}

bool came_too_late(const Error& error) { return error.origin == time_option; }

Expected<util::ProcessResult> Engine::run(const std::vector<std::string>& words, util::ProcessLimits limits,
                                          std::chrono::seconds beyond) const {
  const std::chrono::milliseconds left = time_.left(beyond);
  if (left.count() == 0)
    return fail(ErrorCode::missing, fmt::format("{} {}: no time left", name_of(kind_), words.front()), std::string(time_option));
  limits.timeout = limits.timeout.count() == 0 ? left : std::min(limits.timeout, left);
  limits.end_when_full = true;
  std::vector<std::string> argv{std::string(name_of(kind_))};
  argv.insert(argv.end(), words.begin(), words.end());
  return util::run_process(argv, limits);
}

Expected<std::string> Engine::ask(const std::vector<std::string>& words, const util::ProcessLimits& limits,
                                  std::chrono::seconds beyond) const {
  auto ran = run(words, limits, beyond);
  if (!ran) return tl::unexpected(of_client(ran.error(), kind_));
  if (ran->ok()) return std::move(ran->out);
  return fail(ErrorCode::missing, fmt::format("{} {}: {}", name_of(kind_), words.front(), ran->ending()),
              ran->timed_out ? std::string(time_option) : std::string(), words_of(ran->err));
}

Expected<void> Engine::get_to_know() {
  if (kind_ == EngineKind::podman) {
    const auto info = ask({"info", "--format", "json"}, short_answer());
    if (!info) return tl::unexpected(info.error());
    auto facts = parse_podman_info(*info, this_machine());
    if (!facts) return tl::unexpected(facts.error());
    facts_ = std::move(*facts);
    return {};
  }
  address_ = value_of("DOCKER_HOST");
  if (address_.empty()) {
    auto context = ask({"context", "inspect", "--format", "{{.Endpoints.docker.Host}}"}, short_answer());
    if (!context) return tl::unexpected(context.error());
    address_ = context->substr(0, context->find('\n'));
  }
  const auto info = ask({"info", "--format", "{{json .}}"}, short_answer());
  if (!info) return tl::unexpected(info.error());
  auto facts = parse_docker_info(*info, address_, this_machine());
  if (!facts) return tl::unexpected(facts.error());
  facts_ = std::move(*facts);
  return {};
}

Expected<Engine> Engine::find(std::string_view choice, util::RunTime time) {
  const auto find_one = [&](EngineKind kind) -> Expected<Engine> {
    Engine engine(kind, time);
    if (const auto known = engine.get_to_know(); !known) return tl::unexpected(known.error());
    return engine;
  };
  if (choice != "auto") return find_one(choice == "podman" ? EngineKind::podman : EngineKind::docker);
  auto docker = find_one(EngineKind::docker);
  if (docker || docker.error().code != ErrorCode::missing) return docker;
  auto podman = find_one(EngineKind::podman);
  if (podman) podman->passed_over_ = docker.error();
  if (podman || podman.error().code != ErrorCode::missing) return podman;
  const bool neither = docker.error().origin == "--engine" && podman.error().origin == "--engine";
  if (neither) return fail(ErrorCode::missing, "neither docker nor podman is on PATH", "--engine", how_to_install());
  // The one that is installed has more to say.
  const bool by_podman = docker.error().origin == "--engine";
  auto& said = by_podman ? podman : docker;
  said.error().hints.push_back(by_podman ? docker.error().message : podman.error().message);
  return said;
}

Expected<Image> Engine::image(const std::string& name) const {
  const auto ran = run({"image", "inspect", "--format", "{{json .}}", name}, short_answer());
  if (!ran) return tl::unexpected(ran.error());
  if (ran->ok()) return parse_image(ran->out, name);
  auto said = words_of(ran->err);
  const auto absent = lower(ran->err);
  if (absent.find("no such image") == std::string::npos && absent.find("image not known") == std::string::npos)
    return fail(ErrorCode::missing, fmt::format("{} image inspect: {}", name_of(kind_), ran->ending()), name, std::move(said));
  return fail(ErrorCode::missing, fmt::format("{} has no image {}", name_of(kind_), in_quotes(name)), {},
              {fmt::format("{0} build --tag {1} . or {0} pull {1}", name_of(kind_), name)});
}

}  // namespace envgen::container
