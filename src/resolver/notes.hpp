#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/version.hpp"

/// The remarks on an environment that no rule of pitfalls.json carries, one sentence each.
namespace envgen::notes {

std::string inferred_tag(std::string_view tag);
std::string images_past_life(Version toolkit, std::string_view os);
std::string brings_no_cuda(Version cuda, Version cudnn);
/// Where no container brings it.
std::string own_nvcc(Version cuda);
/// Of a devel environment whose system has an older compiler.
std::string gcc_too_old(std::string_view torch, int needed, std::string_view os, int own);
std::string support_ended(std::string_view os, std::string_view day);
std::string beside_arm(std::string_view board);
std::string slice_as_its_board(std::string_view slice, bool knows_driver);
std::string vgpu_as_its_board(std::string_view vgpu, std::string_view board);
/// GPUs that were each asked for alone, and cannot sit in one machine.
std::string separate_machines(const std::vector<std::string>& boards);
std::string no_companions_on_conda_forge();
std::string needs_compat(Version cuda, bool container);
/// A driver of Windows where WSL was not asked for.
std::string windows_number(std::string_view driver);
/// A driver of Linux where WSL was asked for.
std::string linux_number(std::string_view driver);
/// A release that the driver supports only so, newer than the one chosen.
std::string newer_with_compat(std::string_view framework, std::string_view version, Version cuda);

/// The first driver that supports the boards, and the release that is best with it, older than the one chosen.
std::string under_first_driver(const std::vector<std::string>& boards, DriverVersion driver, std::string_view framework,
                               std::string_view version);

}  // namespace envgen::notes
