// Whether there is a GPU, from the device nodes and what the driver says.
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>

#include <gtest/gtest.h>

#include "runner.hpp"
#include "tests/tests.hpp"
#include "variable.hpp"

namespace envgen::bench {
namespace {

namespace fs = std::filesystem;

class Probe : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "envgen-probe-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder = name;
    fs::create_directories(folder / "dev");
    places.devices = folder / "dev";
    places.kernel_module = folder / "version";
    for (const char* library : {"libcuda", "libnvidia-ml", "libcudart", "libcublas", "libcublasLt", "libnccl"})
      places.overrides[library] = "/nonexistent/" + std::string(library) + ".so";
  }
  void TearDown() override { fs::remove_all(folder); }

  void node(const std::string& name) const { std::ofstream(folder / "dev" / name) << ""; }
  void kernel_module(const std::string& release) const {
    std::ofstream(folder / "version") << "NVRM version: NVIDIA UNIX x86_64 Kernel Module  " << release << "  Sun May 12 2024\n";
  }
  /// The double of libcuda, as a driver's release calls it.
  void driver(const fs::path& file = "libcuda.so.1") {
    fs::create_directories((folder / file).parent_path());
    fs::copy_file(BENCH_DOUBLES "/libcuda.so.1", folder / file);
    places.overrides["libcuda"] = (folder / file).string();
  }
  /// In a process of its own, as the program runs it: `cuInit=100` is what goes wrong there.
  Row probe(const char* fault = "") const {
    const Variable faults("ENVGEN_DOUBLE_FAULTS", fault);
    const Options options;
    const Sizes sizes;
    Context context{options, places, sizes};
    context.limit = {60, false};
    const auto rows = run_test({"probe", "", Kind::functional, Scope::machine, true, "", tests::probe}, context);
    EXPECT_EQ(rows.size(), 1U);
    return rows.front();
  }
  static std::string said(const Row& row) {
    return std::string(name_of(row.status)) + " " + row.evidence.at("gpu").dump() + " " + row.message;
  }

  fs::path folder;
  Places places;
};

constexpr const char* not_found = "no driver library: libcuda was not found (1 place tried)";

TEST_F(Probe, WithoutANodeAndALibraryThereIsNoGpu) {
  EXPECT_EQ(said(probe()), std::string(R"(skip {"present":false,"absent":true,"count":0} )") +
                               "no GPU: no device node /dev/nvidia0 or higher, and " + not_found);
  node("nvidiactl");
  node("nvidia-uvm");
  EXPECT_EQ(probe().status, Status::skip);  // a driver's nodes are no GPU's
}

TEST_F(Probe, ANodeIsAGpuThatDoesNotAnswer) {
  node("nvidia0");
  const auto row = probe();
  EXPECT_EQ(said(row), std::string(R"(fail {"present":false,"absent":false,"count":0} )") + not_found);
  EXPECT_EQ(row.failure->id, "cuda-35-no-driver");
}

TEST_F(Probe, WhatTheDriverSaysOfNoGpuIsBelievedWhereThereIsNoNode) {
  driver();
  const std::string no_gpu =
      R"(skip {"present":false,"absent":true,"count":0} no GPU: no device node /dev/nvidia0 or higher, and )";
  EXPECT_EQ(said(probe("cuInit=100")), no_gpu + "cuInit: no CUDA-capable device is detected (error 100)");
  EXPECT_EQ(said(probe("cuInit=34")), no_gpu + "cuInit: CUDA driver is a stub library (error 34)");
  const std::string unknown = R"(fail {"present":false,"absent":false,"count":0} )";
  EXPECT_EQ(said(probe("cuInit=999")), unknown + "cuInit: unknown error (error 999)");
  node("nvidia3");
  EXPECT_EQ(said(probe("cuInit=100")), unknown + "cuInit: no CUDA-capable device is detected (error 100)");
}

TEST_F(Probe, ADriverThatCountsNone) {
  driver();
  const Variable none("ENVGEN_DOUBLE_DEVICES", "0");
  EXPECT_EQ(said(probe()), R"(skip {"present":false,"absent":true,"count":0} )"
                           "no GPU: no device node /dev/nvidia0 or higher, and the driver sees none");
  node("nvidia0");
  EXPECT_EQ(said(probe()), R"(pass {"present":false,"absent":false,"count":0} 0 GPUs)");
}

TEST_F(Probe, ALibraryThatIsNoDriver) {
  places.overrides["libcuda"] = BENCH_DOUBLES "/libcudart.so.12";
  const auto row = probe();
  EXPECT_EQ(row.status, Status::fail);  // something is there, so a GPU may be
  EXPECT_EQ(row.failure->id, "cuda-35-old-driver");
  EXPECT_EQ(row.evidence.at("libraries").at(0).at("problem"), row.message);
  EXPECT_TRUE(row.evidence.at("libraries").at(0).at("version").is_null());
}

TEST_F(Probe, TheLibraryIsOfTheKernelModulesDriver) {
  kernel_module("535.183.01");
  driver("libcuda.so.535.183.01");
  const auto same = probe();
  EXPECT_EQ(said(same), R"(pass {"present":true,"absent":false,"count":1} 1 GPU)");
  EXPECT_FALSE(same.failure);
  driver("libcuda.so.550.54.14");
  const auto other = probe();
  EXPECT_EQ(said(other), R"(fail {"present":true,"absent":false,"count":1} )"
                         "libcuda belongs to driver 550.54.14, the kernel module to 535.183.01");
  EXPECT_EQ(other.failure->id, "driver-library-mismatch");
  driver("compat/libcuda.so.550.54.14");
  const auto compatibility = probe();
  EXPECT_EQ(compatibility.status, Status::pass);
  const auto library = (fs::canonical(folder) / "compat/libcuda.so.550.54.14").string();
  EXPECT_EQ(compatibility.evidence.at("driver").dump(),
            R"({"kernel_module":"535.183.01","libcuda":")" + library +
                R"(","libcuda_release":"550.54.14","cuda":"13.0","forward_compatibility":true,"nvml":null})");
  fs::remove(folder / "version");
  driver("550/libcuda.so.550.54.14");
  EXPECT_EQ(probe().status, Status::pass);  // no module to compare with: in a container that is not shown it
}

TEST_F(Probe, AVersionThatCannotBeSaidIsNull) {
  driver();
  const auto row = probe("cuDriverGetVersion=34");
  EXPECT_TRUE(row.evidence.at("driver").at("cuda").is_null());
  EXPECT_TRUE(row.evidence.at("libraries").at(0).at("version").is_null());
  EXPECT_TRUE(row.evidence.at("driver").at("libcuda_release").is_null());
  EXPECT_EQ(row.evidence.at("driver").at("forward_compatibility"), false);
  EXPECT_EQ(probe("cuDriverGetVersion=34,cuInit=35").failure->id, "cuda-35-no-driver");
  EXPECT_EQ(probe("cuInit=35").failure->id, "cuda-35-old-driver");
}

TEST_F(Probe, NodesAreToldWithWhyTheyCannotBeOpened) {
  node("nvidia0");
  const int listener = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, (folder / "dev/nvidia1").c_str(), sizeof address.sun_path - 1);
  ASSERT_EQ(::bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  ::close(listener);
  const auto dev = (folder / "dev").string();
  EXPECT_EQ(probe().evidence.at("device_nodes").dump(), R"([{"path":")" + dev + R"(/nvidia0","error":null},{"path":")" + dev +
                                                            R"(/nvidia1","error":"No such device or address"}])");
}

TEST_F(Probe, WhatTheContainerAsksForIsTold) {
  const auto told = [&](const std::optional<std::string>& value) {
    const Variable variable("NVIDIA_VISIBLE_DEVICES", value);
    return probe().evidence.at("visible_devices");
  };
  EXPECT_TRUE(told(std::nullopt).is_null());
  EXPECT_EQ(told("GPU-1"), "GPU-1");
}

}  // namespace
}  // namespace envgen::bench
