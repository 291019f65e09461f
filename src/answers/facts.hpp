#pragma once

#include <optional>
#include <vector>

#include "answers/facts_sheet.hpp"
#include "matrix/matrix.hpp"
#include "resolver/query.hpp"

/// Rows of the matrix as sheets and cards: which rows, which columns, in which order.
namespace envgen::answers {

/// The names of the matrix's own enumerations, in the order of their values.
inline constexpr std::array<std::string_view, 3> channel_names{"wheels", "pytorch", "conda-forge"};
inline constexpr std::array<std::string_view, 5> evidence_names{"listed", "recipe", "used", "inferred", "used-doubtful"};
inline constexpr std::array<std::string_view, 5> status_names{"supported", "later", "unknown", "eol", "dropped"};
inline constexpr std::array<std::string_view, 4> class_names{"consumer", "workstation", "datacenter", "jetson"};
inline constexpr std::array<std::string_view, 4> module_names{"either", "proprietary", "open", "tegra"};
inline constexpr std::array<std::string_view, 5> image_variant_names{"base", "runtime", "devel", "gpu", "gpu-jupyter"};
inline constexpr std::array<std::string_view, 3> repository_names{"cuda", "pytorch", "tensorflow"};

/// What a list is narrowed to: the values that `resolve` takes too, read by `resolver::interpret`, and each list's own.
/// An empty vector of indexes (into the names above) does not narrow.
struct TorchFilter {
  resolver::Query query;  ///< torch, cuda, python, platform, gpu
  std::vector<std::size_t> channels;
  bool official = false;
};
Sheet list_torch(const matrix::Matrix& matrix, const TorchFilter& filter);
Sheet list_tensorflow(const matrix::Matrix& matrix, const resolver::Query& query);  ///< tensorflow, cuda, python, gpu
Sheet list_cuda(const matrix::Matrix& matrix, const resolver::Query& query);        ///< cuda, gpu, os
Sheet list_cudnn(const matrix::Matrix& matrix, const resolver::Query& query);       ///< cudnn, cuda, gpu
/// Branches that report the asked CUDA and know the asked GPU.
Sheet list_drivers(const matrix::Matrix& matrix, const resolver::Query& query);
Sheet list_os(const matrix::Matrix& matrix);
/// The same on one screen: without aliases, and only the names of those past their end of life.
std::string systems_text(const matrix::Matrix& matrix, const util::Terminal& terminal);
Sheet list_presets(const matrix::Matrix& matrix);
Sheet list_mirrors(const matrix::Matrix& matrix);

struct ImageFilter {
  resolver::Query query;  ///< torch, tensorflow, cuda, cudnn, os
  std::vector<std::size_t> repositories;
  std::vector<std::size_t> variants;
  std::vector<std::size_t> evidence;  ///< empty: listed, recipe and used
};
Sheet list_images(const matrix::Matrix& matrix, const ImageFilter& filter);

struct GpuFilter {
  std::vector<std::size_t> classes;
  std::string architecture;  ///< as gpus.json has it
  std::optional<Capability> capability;
  bool laptop = false;
  resolver::Query query = {};  ///< torch: GPUs that one of its wheels runs on
};
Sheet list_gpus(const matrix::Matrix& matrix, const GpuFilter& filter);

/// The figures that boards are ranked by.
inline constexpr std::array<std::string_view, 8> metric_names{"fp16", "fp32", "bf16",   "tf32",
                                                              "fp8",  "int8", "memory", "bandwidth"};
/// Best first; boards whose figure is unknown stand last, without a rank.
Sheet rank_gpus(const matrix::Matrix& matrix, const GpuFilter& filter, std::size_t metric, std::size_t limit);

/// What the figures mean, a line for under the table; empty where the unit says it.
std::string_view metric_note(std::size_t metric);

// `show`. Each subject must exist.
Card show_torch(const matrix::Matrix& matrix, const matrix::Release& release);
Card show_tensorflow(const matrix::Matrix& matrix, const matrix::Release& release);
Card show_gpu(const matrix::Matrix& matrix, const matrix::Gpu& gpu);
/// A name of several boards.
Card show_gpu_family(const matrix::Matrix& matrix, std::string_view name, const std::vector<const matrix::Gpu*>& boards);
Card show_capability(const matrix::Matrix& matrix, Capability capability);
/// A CUDA major, minor or update: the toolkits under `version` and what drives them.
Card show_cuda(const matrix::Matrix& matrix, Version version, const std::vector<const matrix::Toolkit*>& toolkits);
Card show_cudnn(const matrix::Matrix& matrix, Version version, const std::vector<const matrix::Cudnn*>& releases);
Card show_driver(const matrix::Matrix& matrix, const matrix::DriverBranch& branch);
/// The branch of what is numbered like a Windows driver, `536.23` or `536`; null: it is not.
const matrix::DriverBranch* branch_of_windows(const matrix::Matrix& matrix, Version number);
Card show_cuda_image(const matrix::Matrix& matrix, const matrix::ImageTag& image);
Card show_official_image(const matrix::Matrix& matrix, const matrix::OfficialImage& image);
Card show_os(const matrix::Matrix& matrix, const matrix::Os& os);

/// Revision, date, layers and counts of the facts.
Card show_matrix(const matrix::Matrix& matrix);

/// What lint found: a line each, or an array of objects.
std::string problems_text(const std::vector<Error>& problems);
std::string problems_json(const std::vector<Error>& problems);

/// `nvidia/cuda:12.1.1-devel-ubuntu22.04`.
std::string image_reference(const matrix::ImageTag& image);
std::string image_reference(const matrix::OfficialImage& image);

/// `3.9-3.13, 3.13t`: runs of Pythons.
std::string python_runs(PythonSet pythons);

}  // namespace envgen::answers
