#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>

#include "device_facts.hpp"
#include "driver_files.hpp"
#include "image_libraries.hpp"
#include "nvml.hpp"
#include "tests/tests.hpp"

namespace envgen::bench::tests {
namespace {

/// The GPUs with what NVML says of each, as far as it does.
Json gpus_json(const std::vector<DeviceFacts>& devices, const Nvml& nvml) {
  Json gpus = Json::array();
  for (const auto& device : devices) {
    Json gpu = to_json(device);
    gpu["state"] = nvml.usable() ? to_json(nvml.state_of(device.pci_bus_id)) : Json();
    gpus.push_back(std::move(gpu));
  }
  return gpus;
}

Json nvml_json(const Nvml& nvml) {
  Json json = to_json(nvml.library());
  json["version"] = nvml.usable() ? Json(nvml.own_version()) : Json();
  json["problem"] = nvml.usable() ? Json() : Json(nvml.problem());
  return json;
}

/// What is wrong, or nothing, after everything was asked.
void judge(Row& row, const std::vector<DeviceFacts>& devices, const std::vector<DeviceNode>& nodes, bool library_found) {
  const bool any_node = std::any_of(nodes.begin(), nodes.end(), [](const DeviceNode& node) { return node.is_gpu(); });
  const int code = row.failure && row.failure->code ? *row.failure->code : 0;
  // With a device node there, either of these is a fault and no absence.
  const bool says_none = code == api::cuda::error_no_device || code == api::cuda::error_stub_library;
  const bool absent = !any_node && devices.empty() && (!row.failure || !library_found || says_none);
  row.evidence["gpu"] = {{"present", !devices.empty()}, {"absent", absent}, {"count", devices.size()}};
  if (absent) {
    row.status = Status::skip;
    row.message =
        "no GPU: no device node /dev/nvidia0 or higher, and " + (row.failure ? row.failure->message : "the driver sees none");
  } else if (row.failure) {
    row.status = Status::fail;
    row.message = row.failure->message;
  } else {
    row.status = Status::pass;
    row.message = std::to_string(devices.size()) + (devices.size() == 1 ? " GPU" : " GPUs");
  }
}

}  // namespace

std::vector<Row> probe(const Context& context) {
  Row row;
  row.id = "probe";
  const auto nodes = device_nodes(context.places.devices);
  const auto kernel_driver = kernel_driver_version(context.places.kernel_module);
  Json libraries = Json::array();
  std::vector<DeviceFacts> devices;
  Json driver_json{{"kernel_module", kernel_driver.empty() ? Json() : Json(kernel_driver)},
                   {"libcuda", nullptr},
                   {"libcuda_release", nullptr},
                   {"cuda", nullptr},
                   {"forward_compatibility", nullptr},
                   {"nvml", nullptr}};
  bool library_found = false;
  try {
    const Driver driver = open_driver(context.places);
    library_found = true;
    Json json = to_json(driver.library);
    const Json cuda = driver.version == 0 ? Json() : Json(cuda_version_text(driver.version));
    json["version"] = cuda;
    json["problem"] = nullptr;
    libraries.push_back(std::move(json));
    const auto release = library_release(driver.library.path);
    const bool compatibility = driver.library.path.find("/compat/") != std::string::npos;
    driver_json["libcuda"] = driver.library.path;
    driver_json["libcuda_release"] = release.empty() ? Json() : Json(release);
    driver_json["cuda"] = cuda;
    driver_json["forward_compatibility"] = compatibility;
    driver.check(driver.api.cuInit(0), "cuInit");
    const int count = device_count(driver);
    for (int i = 0; i < count; ++i) devices.push_back(device_facts(driver, i));
    if (!kernel_driver.empty() && !release.empty() && !compatibility && release != kernel_driver) {
      row.failure = Failure{"driver-library-mismatch",
                            "libcuda belongs to driver " + release + ", the kernel module to " + kernel_driver,
                            {},
                            "",
                            ""};
    }
  } catch (const TestFailed& failed) {
    row.failure = failed.failure();
    if (!library_found) {
      const auto found = open_library("libcuda", candidates("libcuda", context.places));
      library_found = static_cast<bool>(found);
      Json json = to_json(found);
      json["version"] = nullptr;
      json["problem"] = failed.what();
      libraries.push_back(std::move(json));
    }
  }
  const Nvml nvml(context.places);
  driver_json["nvml"] = nvml.driver_version().empty() ? Json() : Json(nvml.driver_version());
  libraries.push_back(nvml_json(nvml));
  libraries.push_back(describe_runtime(context.places));
  libraries.push_back(describe_blas_lt(context.places));
  libraries.push_back(describe_blas(context.places));
  libraries.push_back(describe_nccl(context.places));
  judge(row, devices, nodes, library_found);
  const char* visible_devices = std::getenv("NVIDIA_VISIBLE_DEVICES");
  row.evidence["visible_devices"] = visible_devices != nullptr ? Json(visible_devices) : Json();
  row.evidence["device_nodes"] = to_json(nodes);
  row.evidence["driver"] = std::move(driver_json);
  row.evidence["libraries"] = std::move(libraries);
  row.evidence["gpus"] = gpus_json(devices, nvml);
  return {row};
}

}  // namespace envgen::bench::tests
