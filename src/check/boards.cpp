#include "check/checked_answer.hpp"
#include "matrix/gpu_names.hpp"

namespace envgen::check {
namespace {

/// GPUs that share family-specific code: 10.0, 10.3 and 10.7; 12.0 and 12.1; all others stand alone.
bool same_family(Capability a, Capability b) {
  const auto member = [](Capability c) {
    return (c.major == 10 && (c.minor == 0 || c.minor == 3 || c.minor == 7)) || (c.major == 12 && c.minor <= 1);
  };
  return a.major == b.major && member(a) && member(b);
}

/// Machine code runs on its own capability and on later minors of its major; between Tegra and other GPUs, and from one
/// Tegra to another, nothing is promised, but that PyTorch counts Orin (8.7) among its major from CUDA 13.2 on. PTX is compiled
/// for the GPU that it finds; suffixes narrow both alike.
bool runs_on(const matrix::Matrix& matrix, CodeKind kind, Arch target, Capability gpu, Version cuda) {
  if (target.capability == gpu) return true;
  if (target.capability > gpu || target.suffix == 'a') return false;
  if (target.suffix == 'f') return same_family(target.capability, gpu);
  if (kind == CodeKind::ptx) return true;
  const bool orin = gpu.major == 8 && gpu.minor == 7 && (cuda.major() > 13 || (cuda.major() == 13 && cuda.minor() >= 2));
  return target.capability.major == gpu.major && (orin || (!matrix.tegra(target.capability) && !matrix.tegra(gpu)));
}

void check_path(const CheckedAnswer& checked, const Environment::Board& said, Capability gpu) {
  const auto& build = checked.build;
  const auto via = said.via;
  const bool ptx = said.runs == CodeKind::ptx;
  const auto& code = ptx ? build.ptx : build.sass;
  const auto runs = [&](Arch target) { return runs_on(checked.matrix, CodeKind::sass, target, gpu, build.cuda); };
  if (build.tegra && !checked.matrix.tegra(gpu)) checked.wrong("gpus: a build for Jetson does not run on {}", said.capability);
  if (ptx && std::any_of(build.sass.begin(), build.sass.end(), runs)) checked.expect("gpus.runs", said.runs, CodeKind::sass);
  if (std::find(code.begin(), code.end(), via) == code.end()) {
    checked.wrong("gpus.via: the build has no {} for {}", name_of(said.runs), said.via);
  } else if (!runs_on(checked.matrix, said.runs, via, gpu, build.cuda)) {
    checked.wrong("gpus.via: {} for {} does not run on {}", name_of(said.runs), said.via, said.capability);
  } else if (!ptx && std::any_of(build.sass.begin(), build.sass.end(),
                                 [&](Arch target) { return target.capability > via.capability && runs(target); })) {
    checked.wrong("gpus.via: the build has binaries nearer to {} than those for {}", said.capability, said.via);
  }
}

/// Extensions are compiled for the board itself where nvcc knows it and torch was compiled for it or something newer (torch
/// refuses to compile for what it does not know); else for what torch itself runs by.
std::optional<std::string> nvcc_target(const CheckedAnswer& checked, const Environment::Board& said, Capability gpu) {
  const auto& toolkits = checked.matrix->toolkits;
  const auto* toolkit = std::find_if(toolkits.begin(), toolkits.end(),
                                     [&](const auto& row) { return row.version == checked.environment.toolkit().version; });
  if (toolkit == toolkits.end()) return std::nullopt;
  const bool own = std::any_of(toolkit->archs.begin(), toolkit->archs.end(), [&](Arch known) { return known.capability == gpu; });
  const auto& sass = checked.build.sass;
  const bool newer = std::any_of(sass.begin(), sass.end(), [&](Arch compiled) { return compiled.capability >= gpu; });
  if (own && newer) return gpu.to_string();
  return said.via.capability.to_string() + (said.runs == CodeKind::ptx ? "+PTX" : "");
}

/// A board is called as its row, with the slice that was asked for; a family and a vGPU as they were asked for.
bool is_called(const AskedBoard& board, std::string_view name) {
  if (board.rows.empty()) return name == "GPU of compute capability " + board.capability.to_string();
  return name == board.text || std::any_of(board.rows.begin(), board.rows.end(), [&](const matrix::Gpu* row) {
           const auto own = row->name.view();
           return name == own || (board.mig && name.starts_with(own) && matrix::slice_of(name) == matrix::slice_of(board.text));
         });
}

}  // namespace

void check_boards(const CheckedAnswer& checked) {
  if (checked.build.cpu) return;
  const auto& asked = checked.asked.boards;
  const auto& answers = checked.environment.gpus;
  if (asked.size() != answers.size()) return checked.expect("gpus", answers.size(), asked.size());
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const auto& board = asked[i];
    const auto& said = answers[i];
    const auto gpu = board.capability;
    if (said.capability != gpu) {
      checked.expect("gpus.capability", said.capability, gpu);
      continue;
    }
    if (!is_called(board, said.name)) checked.wrong("gpus.name: {} is not called {}", board.text, said.name);
    check_path(checked, said, gpu);
    checked.expect("gpus.nvcc", said.nvcc, nvcc_target(checked, said, gpu));
    const auto& fails = checked.build.fails_on;
    if (std::find(fails.begin(), fails.end(), gpu) != fails.end()) checked.wrong("gpus: the build is known to fail on {}", gpu);
    check_cudnn_serves(checked, gpu);
  }
}

}  // namespace envgen::check
