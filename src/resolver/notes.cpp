#include "resolver/notes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace envgen::notes {

std::string inferred_tag(std::string_view tag) {
  return fmt::format("nvidia/cuda:{} is inferred: no listing or use of it was found", tag);
}

std::string images_past_life(Version toolkit, std::string_view os) {
  return fmt::format(
      "the nvidia/cuda images for CUDA {} on {} are past their end of life and may be deleted; no supported tag is suitable",
      toolkit, os);
}

std::string brings_no_cuda(Version cuda, Version cudnn) {
  return fmt::format("the wheel includes neither CUDA {} nor cuDNN {}: the system must provide them", cuda, cudnn);
}

std::string own_nvcc(Version cuda) {
  return fmt::format("nvcc {}.{} must be installed on the machine: the wheels do not include it", cuda.major(), cuda.minor());
}

std::string gcc_too_old(std::string_view torch, int needed, std::string_view os, int own) {
  return fmt::format("extensions for torch {} need GCC {} or newer; {} has GCC {}", torch, needed, os, own);
}

std::string support_ended(std::string_view os, std::string_view day) {
  return fmt::format("regular support for {} ended on {}", os, day);
}

std::string beside_arm(std::string_view board) {
  return fmt::format("the {} must also be in a machine with an Arm CPU: one environment has one platform", board);
}

std::string slice_as_its_board(std::string_view slice, bool knows_driver) {
  return fmt::format(
      "the MIG slice {} has the same compute capability as the whole GPU, but less memory and fewer multiprocessors, and a "
      "process can use only one slice{}",
      slice, knows_driver ? "" : "; which driver MIG needs on this GPU is unknown (see NVIDIA's MIG User Guide)");
}

std::string vgpu_as_its_board(std::string_view vgpu, std::string_view board) {
  return fmt::format(
      "{} is a vGPU, treated like its GPU, the {}: its driver is the guest driver of NVIDIA's vGPU software or of the cloud "
      "provider, not a distribution's, and it has the memory that its name says",
      vgpu, board);
}

std::string separate_machines(const std::vector<std::string>& boards) {
  return fmt::format("{} need separate machines: no single driver installation supports {}", fmt::join(boards, " and "),
                     boards.size() == 2 ? "both" : "all of them");
}

std::string no_companions_on_conda_forge() {
  return "torchvision and torchaudio are left out: envgen's data does not say which ones conda-forge has for this torch";
}

std::string needs_compat(Version cuda, bool container) {
  return fmt::format(
      "the driver alone does not support CUDA {0}.{1}: it needs cuda-compat-{0}-{1}{2} install that package on the machine and "
      "set LD_LIBRARY_PATH=/usr/local/cuda-{0}.{1}/compat",
      cuda.major(), cuda.minor(), container ? ", as in envgen's Dockerfiles; without a container," : ":");
}

std::string windows_number(std::string_view driver) {
  return fmt::format("driver {} is numbered like a Windows driver, so only its branch is compared; for WSL 2, add --wsl", driver);
}

std::string linux_number(std::string_view driver) {
  return fmt::format(
      "driver {} is numbered like a Linux driver, so only its branch is compared; Windows drivers have numbers like 536.23",
      driver);
}

std::string newer_with_compat(std::string_view framework, std::string_view version, Version cuda) {
  return fmt::format("{0} {1} also works in a container with cuda-compat-{2}-{3}, which envgen's Dockerfile installs: --{0} {1}",
                     framework, version, cuda.major(), cuda.minor());
}

std::string under_first_driver(const std::vector<std::string>& boards, DriverVersion driver, std::string_view framework,
                               std::string_view version) {
  return fmt::format("for an older driver, --driver {1} (the first that supports the {2}) gives {0} {3}", framework, driver,
                     fmt::join(boards, " and the "), version);
}

}  // namespace envgen::notes
