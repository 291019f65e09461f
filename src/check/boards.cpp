#include <algorithm>

#include "check/subject.hpp"

namespace envgen::check {
namespace {

/// GPUs that share family-specific code: 10.0, 10.3 and 10.7; 12.0 and 12.1; all others stand alone.
bool same_family(Capability a, Capability b) {
  if (a == b) return true;
  const auto member = [](Capability c) {
    return (c.major == 10 && (c.minor == 0 || c.minor == 3 || c.minor == 7)) || (c.major == 12 && c.minor <= 1);
  };
  return a.major == b.major && member(a) && member(b);
}

/// Machine code runs on its own capability and on later minors of its major; between Tegra and other GPUs, and from one
/// Tegra to another, nothing is promised.
bool machine_code_runs(const matrix::Matrix& matrix, Arch target, Capability gpu) {
  if (target.capability == gpu) return true;
  if (target.suffix == 'a' || target.capability.major != gpu.major || target.capability.minor > gpu.minor) return false;
  if (target.suffix == 'f') return same_family(target.capability, gpu);
  return !matrix.tegra(target.capability) && !matrix.tegra(gpu);
}

/// PTX is compiled for the GPU that it finds; suffixes narrow it as they narrow machine code.
bool ptx_compiles(Arch target, Capability gpu) {
  if (target.capability == gpu) return true;
  if (target.capability > gpu || target.suffix == 'a') return false;
  return target.suffix == 0 || same_family(target.capability, gpu);
}

void check_path(const Subject& subject, const Environment::Board& answer, Capability gpu) {
  const auto& build = subject.build;
  const auto via = answer.via;
  const auto runs = [&](Arch target) { return machine_code_runs(subject.matrix, target, gpu); };
  const bool any_sass = std::any_of(build.sass.begin(), build.sass.end(), runs);
  if (answer.runs == CodeKind::sass) {
    if (std::find(build.sass.begin(), build.sass.end(), via) == build.sass.end()) {
      subject.wrong("gpus.via: {} has no machine code for {}", subject.name(), answer.via);
    } else if (!runs(via)) {
      subject.wrong("gpus.via: machine code for {} does not run on the {} ({})", answer.via, answer.name, answer.capability);
    } else if (std::any_of(build.sass.begin(), build.sass.end(),
                           [&](Arch target) { return target.capability > via.capability && runs(target); })) {
      subject.wrong("gpus.via: {} has machine code nearer to {} than that for {}", subject.name(), answer.capability, answer.via);
    }
  } else {
    if (any_sass) subject.wrong("gpus.runs: {} has machine code for the {}, the answer says ptx", subject.name(), answer.name);
    if (std::find(build.ptx.begin(), build.ptx.end(), via) == build.ptx.end()) {
      subject.wrong("gpus.via: {} has no PTX for {}", subject.name(), answer.via);
    } else if (!ptx_compiles(via, gpu)) {
      subject.wrong("gpus.via: PTX for {} cannot be compiled for the {} ({})", answer.via, answer.name, answer.capability);
    }
  }
}

/// A row for exactly this CUDA minor, else for its major, else for any CUDA.
const matrix::CudnnGpus* served_gpus(const matrix::Cudnn& row, Version cuda) {
  const matrix::CudnnGpus* best = nullptr;
  for (const auto& gpus : row.gpus) {
    if (cuda.under(gpus.cuda) && (best == nullptr || gpus.cuda.count() > best->cuda.count())) best = &gpus;
  }
  return best;
}

/// The highest floor that any cuDNN has: a GPU at or above it is served by whichever it is.
Capability highest_floor(const matrix::Matrix& matrix) {
  Capability highest;
  for (const auto& row : matrix->cudnns) {
    for (const auto& gpus : row.gpus) highest = std::max(highest, gpus.min);
  }
  return highest;
}

/// A cuDNN that is stated in part (`9.3`) is held against every release of that name.
void check_cudnn_serves(const Subject& subject, const Environment::Board& answer, Capability gpu) {
  const auto& build = subject.build;
  bool known = false;
  bool serves = false;
  for (const auto& row : subject.matrix->cudnns) {
    if (!build.cudnn || !row.version.under(build.cudnn)) continue;
    const auto* gpus = served_gpus(row, build.cuda);
    if (gpus == nullptr) continue;
    if (gpus->max != Capability() && gpu > gpus->max) continue;  // newer than what was printed for it: nothing is known
    known = true;
    serves = serves || gpu >= gpus->min;
  }
  if (!known && gpu < highest_floor(subject.matrix))
    subject.wrong("cudnn: no fact says whether cuDNN {} for CUDA {} serves the {}", shown(build.cudnn),
                  shown(subject.framework().cuda), answer.name);
  if (known && !serves) subject.wrong("cudnn: cuDNN {} does not serve the {} ({})", build.cudnn, answer.name, answer.capability);
}

/// Extensions are compiled for the board itself where nvcc knows it and torch was compiled for it or something newer (torch
/// refuses to compile for what it does not know); else for what torch itself runs by.
void check_nvcc(const Subject& subject, const Environment::Board& answer, Capability gpu) {
  const auto& version = subject.environment.toolkit().version;
  const matrix::Toolkit* toolkit = nullptr;
  for (const auto& row : subject.matrix->toolkits) {
    if (row.version == version) toolkit = &row;
  }
  std::optional<std::string> fact;
  if (toolkit != nullptr) {
    bool own = false;
    for (const auto& known : toolkit->archs) own = own || known.capability == gpu;
    bool newer = false;
    for (const auto& compiled : subject.build.sass) newer = newer || compiled.capability >= gpu;
    fact = own && newer ? gpu.to_string() : answer.via.capability.to_string() + (answer.runs == CodeKind::ptx ? "+PTX" : "");
  }
  if (fact != answer.nvcc)
    subject.wrong("gpus.nvcc: extensions for the {} are compiled for {}, the answer says {}", answer.name, shown(fact),
                  shown(answer.nvcc));
}

}  // namespace

void check_boards(const Subject& subject) {
  if (subject.build.cpu) return;
  const auto& asked = subject.asked.boards;
  const auto& answers = subject.environment.gpus;
  if (asked.size() != answers.size()) {
    subject.wrong("gpus: {} were asked for, the answer has {}", asked.size(), answers.size());
    return;
  }
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const auto& board = asked[i];
    const auto& answer = answers[i];
    if (answer.capability != board.capability) {
      subject.wrong("gpus.capability: {} has {}, the answer says {}", board.text, board.capability, answer.capability);
      continue;
    }
    const bool named = board.rows.empty() ? answer.name == fmt::format("GPU of compute capability {}", answer.capability)
                                          : answer.name == board.text ||
                                                std::any_of(board.rows.begin(), board.rows.end(), [&](const matrix::Gpu* row) {
                                                  return row->name.view() == answer.name;
                                                });
    if (!named) subject.wrong("gpus.name: {} is not called {}", board.text, answer.name);
    check_path(subject, answer, board.capability);
    check_nvcc(subject, answer, board.capability);
    check_cudnn_serves(subject, answer, board.capability);
  }
}

}  // namespace envgen::check
