#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "container/image.hpp"
#include "model/choices.hpp"
#include "model/error.hpp"
#include "model/version.hpp"
#include "util/process.hpp"
#include "util/run_time.hpp"

/// docker and podman, by their command lines.
namespace envgen::container {

enum class EngineKind : std::uint8_t { docker, podman };
std::string_view name_of(EngineKind kind);

/// What an engine says of itself.
struct EngineFacts {
  std::string version;  ///< of the server
  std::string architecture;
  std::vector<std::string> runtimes;
  std::vector<std::string> cdi_devices;  ///< `nvidia.com/gpu=all`; docker tells since 28.2, podman never
  std::vector<std::string> doubles;      ///< what is a test double on its machine, as its label `envgen.doubles` tells
  bool local = false;  ///< it runs on this machine, outside of a virtual one: namespaces and folders are those that we see

  /// `29.2.0` of `29.2.0-rc.1` and of `28.2.2+dfsg1`; none: it is no number.
  std::optional<Version> release() const;
  /// Whether it has told of a CDI device of NVIDIA's GPUs.
  bool has_cdi_gpus() const;
};

/// Docker's `--gpus` goes by CDI first from this release on, where it has found such devices, and by NVIDIA's hook before
/// (moby/moby#50228).
constexpr Version first_docker_with_choice{29, 2};

/// The value of `--engine` that stands for this engine: what `--gpus` (docker) or `--device` (podman) does there.
envgen::Engine engine_choice(EngineKind kind, const EngineFacts& facts);

/// From `docker info` and `podman info`. `address`: where the client reaches it. Errors (missing): the client answered for a
/// server that does not; no JSON.
Expected<EngineFacts> parse_docker_info(const std::string& text, const std::string& address, const std::string& this_machine);
Expected<EngineFacts> parse_podman_info(const std::string& text, const std::string& this_machine);

/// An engine that has answered. Errors of what it is asked hold its own words as hints, a line each.
class Engine {
 public:
  /// `choice`: docker, podman, or auto, the first of both that answers. `time` bounds all that it is ever asked. Errors
  /// (missing): its client is not installed, or no engine answers it; interrupted.
  static Expected<Engine> find(std::string_view choice, util::RunTime time);

  EngineKind kind() const { return kind_; }
  const EngineFacts& facts() const { return facts_; }
  const std::string& address() const { return address_; }  ///< empty: podman's own
  /// Of podman where `auto` chose it: what docker, which comes first, answered.
  const std::optional<Error>& passed_over() const { return passed_over_; }
  const util::RunTime& time() const { return time_; }

  /// The client with these words; a failure of the command is a result, and so is an answer that is longer than the limit. It
  /// ends `beyond` the run's time at the latest. Errors: `no_time_left`; those of `run_process`.
  Expected<util::ProcessResult> run(const std::vector<std::string>& words, util::ProcessLimits limits,
                                    std::chrono::seconds beyond = {}) const;
  /// The same for what has to work: another end than success is an error.
  Expected<std::string> ask(const std::vector<std::string>& words, const util::ProcessLimits& limits,
                            std::chrono::seconds beyond = {}) const;

  /// Errors (missing): there is no such image here.
  Expected<Image> image(const std::string& name) const;

 private:
  Engine(EngineKind kind, util::RunTime time) : kind_(kind), time_(time) {}
  Expected<void> get_to_know();

  EngineKind kind_;
  util::RunTime time_;
  EngineFacts facts_;
  std::string address_;
  std::optional<Error> passed_over_;
};

/// What the client itself needs beyond its server's work.
constexpr std::chrono::seconds longest_answer{60};

/// True of an error that says: the engine did not answer in its time, or none was left to ask it.
bool came_too_late(const Error& error);

/// The lines that an engine wrote, visible, without blank ones.
std::vector<std::string> words_of(const std::string& text);

}  // namespace envgen::container
