#pragma once

#include <optional>
#include <string>
#include <vector>

#include "container/container.hpp"
#include "validate/bench_report.hpp"
#include "validate/flags.hpp"
#include "validate/gpu_ways.hpp"
#include "validate/image_files.hpp"
#include "validate/mount_owner.hpp"
#include "validate/self_report.hpp"
#include "validate/sharing.hpp"

/// What a run saw, each part as the step that saw it returned it. The functions `judge_*` make the report of it.
namespace envgen::validate {

/// What the programs told, in containers or here. None: the run did not come so far.
struct ProgramsSeen {
  ChosenGpus gpus{};
  std::vector<std::string> doubles{};  ///< test doubles on the engine's machine, where its GPUs are asked for
  std::optional<Error> no_bench{};     ///< why there is no envgen-bench to start
  std::optional<BenchTold> bench{};    ///< of the first program; none, too: its container did not start, or not with it
  std::optional<PythonTold> python{};
  std::optional<FilesSeen> files{};

  const BenchReport* bench_report() const { return bench ? bench->get() : nullptr; }
  const SelfReport* self_report() const { return python ? python->get() : nullptr; }
  bool no_python() const { return python && python->launched.end == Launched::End::not_there; }
};

/// An engine, and what earlier runs left in it.
struct EngineSeen {
  std::string name{};  ///< `docker 20.10.24`; empty: none answered
  container::EngineKind kind{};
  container::EngineFacts facts{};
  std::string address{};
  Expected<container::Leftovers> leftovers{};  ///< error: no engine answers, or not in time
};

/// A run of an image in containers.
struct ImageSeen : ProgramsSeen {
  EngineSeen engine{};
  std::optional<Expected<container::Image>> image{};
  std::optional<Launched> start{};  ///< of the first container
  OutsideIpc outside{};
  std::optional<MountSeen> mount{};
  std::vector<WaySeen> ways{};
  std::size_t containers = 0;  ///< that were made
};

}  // namespace envgen::validate
