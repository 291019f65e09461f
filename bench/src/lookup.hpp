#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace envgen::bench {

/// Where an image keeps its libraries: the roots below which they are looked for. And where the kernel shows its driver.
struct Places {
  std::vector<std::filesystem::path> site_packages;  ///< of every Python that a shell here would find
  std::filesystem::path conda_prefix;                ///< $CONDA_PREFIX; empty: none
  std::filesystem::path toolkit = "/usr/local/cuda/lib64";
  std::vector<std::string> library_path{};         ///< folders that LD_LIBRARY_PATH names where this program is not given it
  std::map<std::string, std::string> overrides{};  ///< `--library NAME=PATH`: the only place then
  std::filesystem::path devices = "/dev";
  std::filesystem::path kernel_module = "/proc/driver/nvidia/version";
};

/// The places of this machine, from VIRTUAL_ENV, CONDA_PREFIX, PYTHONPATH, PATH, HOME and the system's Pythons.
Places places_here(std::map<std::string, std::string> overrides);

/// The names that `--library` knows.
const std::vector<std::string>& library_names();

/// The files and names to try for `library`, best first (facts/bench.md): override; the wheels of site-packages, nvidia/cu13/lib
/// for CUDA 13 and nvidia/NAME/lib for 11 and 12; $CONDA_PREFIX/lib; the library path; the dynamic linker's own choice; the
/// toolkit's folder. Of one place the newest CUDA major comes first. Files of wheels and conda are listed only where they exist;
/// the rest is left to the dynamic linker, whose answer is kept.
std::vector<std::string> candidates(const std::string& library, const Places& places);
/// The same of CUDA 10, whose libraries are not used.
std::vector<std::string> candidates_too_old(const std::string& library, const Places& places);

}  // namespace envgen::bench
