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

Result judge_image_gate(const container::Image& image, const std::optional<HostDriver>& driver, bool by_cdi) {
  Result result{"image-gate"};
  const auto is = [&](Status status, std::string message) { return as(result, status, std::move(message)); };
  const auto value = [&](const char* name) {
    const auto variable = image.environment.find(name);
    return variable == image.environment.end() ? std::string() : variable->second;
  };
  const auto gate = value("NVIDIA_REQUIRE_CUDA");
  if (gate.empty()) return is(Status::skip, "the image sets no NVIDIA_REQUIRE_CUDA");
  result.evidence = {{"gate", visible(gate, 2000)}};
  if (const auto off = value("NVIDIA_DISABLE_REQUIRE"); off == "1" || off == "true")
    return is(Status::skip, "the image disables its own NVIDIA_REQUIRE_CUDA (NVIDIA_DISABLE_REQUIRE)");
  if (!driver) return is(Status::skip, "no NVIDIA driver is known for the engine's machine");
  const auto release = driver->release.to_string();
  result.evidence["driver"] = release;
  const auto passed = passes(gate, *driver);
  const auto shown = in_quotes(gate);
  if (!passed)
    return is(Status::unknown,
              fmt::format("whether driver {} passes NVIDIA_REQUIRE_CUDA={} depends on {}", release, shown,
                          driver->cuda ? "the brand of the GPU" : "the CUDA version that it reports, which is unknown"));
  if (*passed) return is(Status::pass, fmt::format("driver {} passes NVIDIA_REQUIRE_CUDA={}", release, shown));
  if (by_cdi)
    return is(
        Status::warn,
        fmt::format("driver {} does not pass NVIDIA_REQUIRE_CUDA={}; CDI does not check it, but NVIDIA's hook (docker --gpus in "
                    "legacy mode) refuses to start the image",
                    release, shown));
  return as(std::move(result), Status::fail, fmt::format("driver {} does not pass NVIDIA_REQUIRE_CUDA={}", release, shown),
            "image-needs-newer-driver");
}

}  // namespace envgen::validate
