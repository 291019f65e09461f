#include "validate/image_gate.hpp"

#include <array>

#include <fmt/format.h>

#include "diagnosis/diagnosis.hpp"
#include "model/spelling.hpp"

namespace envgen::validate {
namespace {

std::optional<bool> compare(Version left, std::string_view sign, Version right) {
  if (sign == ">=") return left >= right;
  if (sign == "<=") return left <= right;
  if (sign == "!=") return left != right;
  if (sign == ">") return left > right;
  if (sign == "<") return left < right;
  if (sign == "=" || sign == "==") return left.under(right);
  return std::nullopt;
}

std::optional<bool> holds(std::string_view condition, const HostDriver& driver) {
  const auto begin = condition.find_first_of("<>=!");
  if (begin == std::string_view::npos) return std::nullopt;
  const auto end = condition.find_first_not_of("<>=!", begin);
  if (end == std::string_view::npos) return std::nullopt;
  const auto name = condition.substr(0, begin);
  const auto value = Version::parse(condition.substr(end));
  if (!value) return std::nullopt;
  const auto sign = condition.substr(begin, end - begin);
  if (name == "driver" && !driver.tegra) return compare(driver.release.version(), sign, *value);
  if (name == "cuda" && driver.cuda) return compare(*driver.cuda, sign, *value);
  return std::nullopt;
}

/// A conjunction: one false makes it false, one unknown makes it unknown.
std::optional<bool> all_hold(std::string_view conditions, const HostDriver& driver) {
  std::optional<bool> all = true;
  for (const auto condition : diagnosis::parts(conditions, ',')) {
    const auto one = holds(condition, driver);
    if (one == false) return false;
    if (!one) all = std::nullopt;
  }
  return all;
}

}  // namespace

std::optional<bool> passes(const std::string& gate, const HostDriver& driver) {
  std::optional<bool> any = false;
  for (const auto alternative : diagnosis::parts(gate, ' ')) {
    const auto one = all_hold(alternative, driver);
    if (one == true) return true;
    if (!one) any = std::nullopt;
  }
  return any;
}

Result judge_image_gate(const container::Image& image, const std::optional<HostDriver>& driver) {
  const auto gate = image.environment.find("NVIDIA_REQUIRE_CUDA");
  Result result{"image-gate", Status::skip, {}};
  if (gate == image.environment.end() || gate->second.empty()) {
    result.message = "the image asks nothing of the driver (no NVIDIA_REQUIRE_CUDA)";
    return result;
  }
  result.evidence = {{"gate", visible(gate->second, 2000)}};
  if (const auto off = image.environment.find("NVIDIA_DISABLE_REQUIRE");
      off != image.environment.end() && (off->second == "1" || off->second == "true")) {
    result.message = "the image switches its own NVIDIA_REQUIRE_CUDA off (NVIDIA_DISABLE_REQUIRE)";
    return result;
  }
  if (!driver) {
    result.message = "the engine's machine has no NVIDIA driver that is known here";
    return result;
  }
  const auto release = driver->release.to_string();
  result.evidence["driver"] = release;
  const auto passed = passes(gate->second, *driver);
  const auto shown = in_quotes(gate->second);
  if (!passed) {
    result.status = Status::unknown;
    result.message = fmt::format("whether driver {} passes NVIDIA_REQUIRE_CUDA={} hangs on {}", release, shown,
                                 driver->cuda ? "the brand of the GPU" : "the CUDA version that it reports, which is not known");
  } else if (*passed) {
    result.status = Status::pass;
    result.message = fmt::format("driver {} passes NVIDIA_REQUIRE_CUDA={}", release, shown);
  } else {
    result.status = Status::fail;
    result.message = fmt::format("driver {} does not pass NVIDIA_REQUIRE_CUDA={}", release, shown);
    result.diagnosis = diagnosis::find("image-needs-newer-driver");
  }
  return result;
}

}  // namespace envgen::validate
