#include "update/image_tag.hpp"

#include <algorithm>

#include "model/version.hpp"

namespace envgen::update {
namespace {

/// Takes what stands before the next dash.
std::string_view take_part(std::string_view& text) {
  const auto end = text.find('-');
  const auto part = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return part;
}

bool is_digits(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// A name of letters and then a version: `ubuntu22.04`, `ubi8`.
bool is_system(std::string_view text) {
  const auto digit = std::find_if(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
  const auto letters = static_cast<std::size_t>(digit - text.begin());
  return letters > 0 && std::all_of(text.begin(), digit, [](char c) { return c >= 'a' && c <= 'z'; }) &&
         Version::parse(text.substr(letters)).has_value();
}

bool is_version(std::string_view text, int least, int most) {
  const auto version = Version::parse(text);
  return version && version->count() >= least && version->count() <= most;
}

}  // namespace

std::optional<CudaTag> CudaTag::parse(std::string_view text) {
  CudaTag tag;
  tag.cuda = take_part(text);
  auto part = take_part(text);
  constexpr std::string_view cudnn = "cudnn";
  if (part.starts_with(cudnn)) {
    tag.has_cudnn = true;
    tag.cudnn = part.substr(cudnn.size());
    part = take_part(text);
  }
  tag.variant = part;
  tag.os = text;
  const bool variant = part == "base" || part == "runtime" || part == "devel";
  if (!is_version(tag.cuda, 2, 3) || !is_digits(tag.cudnn) || !variant || !is_system(tag.os)) return std::nullopt;
  return tag;
}

std::optional<PytorchTag> PytorchTag::parse(std::string_view text) {
  PytorchTag tag;
  tag.torch = take_part(text);
  const auto cuda = take_part(text);
  const auto cudnn = take_part(text);
  tag.variant = text;
  if (!cuda.starts_with("cuda") || !cudnn.starts_with("cudnn")) return std::nullopt;
  tag.cuda = cuda.substr(4);
  tag.cudnn = cudnn.substr(5);
  const bool variant = text == "runtime" || text == "devel";
  if (!is_version(tag.torch, 2, 3) || !is_version(tag.cuda, 2, 2) || tag.cudnn.empty() || !is_digits(tag.cudnn) || !variant)
    return std::nullopt;
  return tag;
}

std::optional<TensorflowTag> TensorflowTag::parse(std::string_view text) {
  TensorflowTag tag;
  tag.tensorflow = take_part(text);
  tag.variant = text;
  constexpr int parts_of_release = 3;
  const bool variant = text == "gpu" || text == "gpu-jupyter";
  if (!variant || !is_version(tag.tensorflow, parts_of_release, parts_of_release)) return std::nullopt;
  return tag;
}

}  // namespace envgen::update
