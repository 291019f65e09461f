#include "files/notes.hpp"

#include <fmt/format.h>

#include "files/known_releases.hpp"
#include "files/packages.hpp"

namespace envgen::files {

std::vector<std::string> install_notes(const Inputs& inputs, RunsIn runs_in) {
  auto notes = compat_notes(inputs, runs_in);
  if (runs_in == RunsIn::machine && takes_cuda_of_system(inputs.environment))
    notes.push_back(fmt::format("The wheel of tensorflow {} includes no CUDA: the system has to provide {}.",
                                inputs.environment.build().version, cuda_of_system(inputs.environment)));
  for (auto& note : known_releases_notes(inputs)) notes.push_back(std::move(note));
  return notes;
}

}  // namespace envgen::files
