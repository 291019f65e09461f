#pragma once

#include <optional>
#include <vector>

#include "resolver/judge.hpp"

namespace envgen::resolver {

/// True when no objection is a reason: nothing but what is not known stands in the way.
bool is_open(const std::vector<Objection>& objections);

/// One place that a build could be put, and what the request says against it.
struct Option {
  bool exists = true;  ///< false: it stands for images that were never published, so that a proof can say so
  Placement placement;
  std::vector<Objection> objections;
};

/// Puts a judged build on the best base, operating system and image that the request and the facts allow; none when there
/// is no place. `missing` hears of places that only an unknown fact keeps away.
std::optional<Placement> place(const matrix::Matrix& matrix, const Query& query, const matrix::Build& build,
                               const Companions& companions, std::vector<Objection>* missing);

/// How well an operating system suits a build that needs no image of nvidia/cuda. In the order in which they are tried.
enum class Suits {
  settled_python,  ///< a supported Ubuntu LTS, with a Python of its own for which the packages of that time have wheels
  own_python,      ///< an Ubuntu LTS whose own Python will do
  its_time,        ///< a supported Ubuntu LTS of that time, whose own Python will not do
  later,           ///< a supported Ubuntu LTS of a later time, the oldest first: it is the nearest to that of the build
  lts,
  rest
};

/// `pythons`: those that will do; `settled`: those of the build's time (`settled_pythons`).
Suits suits(const matrix::Matrix& matrix, const matrix::Os& os, PythonSet pythons, PythonSet settled);

/// Every place that a build could be put, fit or not, best first for these Pythons.
std::vector<Option> all_places(const matrix::Matrix& matrix, const Query& query, const matrix::Build& build, PythonSet pythons);

/// The same, of places with equal objections the best one only: that is all that a proof needs.
std::vector<Option> distinct_places(const matrix::Matrix& matrix, const Query& query, const matrix::Build& build,
                                    PythonSet pythons);

/// False when the request rules out every place that the build could be put.
bool may_be_placed(const matrix::Matrix& matrix, const Query& query, const matrix::Build& build);

/// False of a TensorFlow without `[and-cuda]`, which looks for CUDA and cuDNN in the system.
bool brings_cuda(const matrix::Matrix& matrix, const matrix::Build& build);

/// Whether a channel of conda has nvcc of the build's CUDA. conda-forge has it since CUDA 12.0 (cuda-nvcc); beside PyTorch's own
/// channel stand the labels of nvidia, one for each toolkit.
bool conda_has_nvcc(const matrix::Matrix& matrix, const matrix::Build& build, Version toolkit);

/// The image of a set that a build starts from: one with cuDNN where the wheel brings none. -1: none was published.
std::int32_t start_image(const matrix::Matrix& matrix, const matrix::Build& build, Variant variant, const matrix::ImageSet& set);

/// Whether something looks at what the start image asks of the driver: NVIDIA's hook does, for an image that runs.
bool checks_gate(const Query& query);

/// True of an official image that is made on nvidia/cuda and so inherits its NVIDIA_REQUIRE_CUDA. A torch runtime image is made
/// on a plain system.
bool inherits_gate(const matrix::OfficialImage& image);

/// Whether the gate of an official image was inferred, and not read in what it is made on.
bool is_inferred_gate(const matrix::Matrix& matrix, const matrix::OfficialImage& image);

/// False of a TensorFlow image whose cuDNN is of another major than the one that TensorFlow loads: it registers no GPU.
/// https://github.com/tensorflow/build/issues/221
bool loads_cudnn(const matrix::OfficialImage& image, const matrix::Build& build);

/// The index of the NVIDIA_REQUIRE_CUDA that holds in a placement, -1 where it was not read. None: the image has none, or nothing
/// checks it.
std::optional<int> gate_of(const matrix::Matrix& matrix, const Query& query, const matrix::Build& build,
                           const Placement& placement);

/// The machine with those of its asked drivers left under which the placement's image starts.
AskedMachine at_gate(const matrix::Matrix& matrix, const Query& query, const matrix::Build& build, const Placement& placement,
                     const AskedMachine& machine);

/// The images of an (nvidia/cuda) set that may be offered: evidence, and `inferred` only where it was asked for.
const matrix::ImageTag* offered(const matrix::Matrix& matrix, const Query& query, std::int32_t index);

}  // namespace envgen::resolver
