// Whole reports of whole runs against a double of docker: every result with all that it says.
#include <filesystem>

#include <gtest/gtest.h>
#include <unistd.h>

#include "bench_text.hpp"
#include "matrix/embedded/embedded.hpp"
#include "support/engine_double.hpp"
#include "support/literals.hpp"
#include "validate/validate.hpp"

namespace envgen::validate {
namespace {

using test::EngineDouble;

/// A line for each result that was made.
std::string text_of(const Report& report) {
  std::string text;
  for (const auto& result : report.results) {
    if (result.status == Status::skip && result.evidence.empty()) continue;
    text += result.check + (result.device ? " of GPU " + std::to_string(*result.device) : "") + ": " +
            std::string(name_of(result.status)) + ", " + result.message +
            (result.diagnosis == nullptr ? "" : " [" + std::string(result.diagnosis->id) + "]") +
            (result.prerequisite ? " (prerequisite)" : "") + (result.evidence.empty() ? "" : "\n  " + result.evidence.dump()) +
            "\n";
  }
  return text;
}

Options options_for(const char* gpus) {
  Options options;
  options.image = "mine:1";
  options.network = "none";
  options.gpus = gpus;
  options.timeout = std::chrono::seconds(20);
  options.bench = [](const std::string&) { return std::filesystem::path("/bench"); };
  return options;
}

std::string text_of_run(const Options& options) {
  const auto report = validate::run(options, [](std::string_view) {});
  return report ? text_of(*report) : "error: " + report.error().message;
}

constexpr const char* bench_with_gpus = R"({"schema_version": 1, "program": {"name": "envgen-bench", "version": "0.1.0"},
  "interrupted": false, "seconds": 7.5, "gpu": {"present": true, "absent": false},
  "gpus": [{"ordinal": 0, "name": "A100", "capability": "8.0"}], "doubles": ["libcuda"],
  "driver": {"kernel_module": "550.54.14", "libcuda": "/usr/lib/libcuda.so.550.54.14", "libcuda_release": "550.54.14", "cuda": "12.4"},
  "device_nodes": [{"path": "/dev/nvidiactl", "error": null}, {"path": "/dev/nvidia-uvm", "error": null},
                   {"path": "/dev/nvidia0", "error": null}], "libraries": [],
  "summary": {"pass": 5, "warn": 1, "fail": 1, "skip": 0, "unknown": 0},
  "tests": [
    {"id": "probe", "device": null, "status": "pass", "message": "1 GPU", "evidence": {"visible_devices": "all"}, "failure": null},
    {"id": "ipc", "device": null, "status": "pass", "message": "x",
     "evidence": {"inode": 7, "mode": "private", "why": "its own", "shm_bytes": 67108864}, "failure": null},
    {"id": "shm", "device": null, "status": "fail", "message": "/dev/shm has 64 MiB", "evidence": {},
     "failure": {"id": "shm-bus-error"}},
    {"id": "kernel", "device": 0, "status": "pass", "message": "computed", "evidence": {"words": 16}, "failure": null},
    {"id": "h2d", "device": 0, "status": "pass", "message": "whole", "evidence": {}, "failure": null},
    {"id": "h2d.speed", "device": 0, "status": "warn", "message": "10 GB/s", "evidence": {"bytes": 9}, "failure": null},
    {"id": "storage", "device": null, "status": "pass", "message": "of a folder", "evidence": {}, "failure": null}]})";

constexpr const char* files_of_torch = R"({"schema_version": 1, "program": {"name": "envgen-bench"}, "interrupted": false,
  "gpu": {"present": false, "absent": true}, "gpus": [], "summary": {"pass": 1, "warn": 0, "fail": 0, "skip": 0, "unknown": 0},
  "tests": [{"id": "image-files", "status": "pass", "message": "2", "evidence": {"complete": true, "closed": 0, "left_out": 0,
    "packages": [{"name": "python", "version": "3.11", "path": "/usr/lib/python3.11/os.py"},
                 {"name": "torch", "version": "2.6.0+cu124", "cuda": "12.4", "path": "/opt/torch/version.py"},
                 {"name": "libtorch_cuda", "path": "/opt/torch/lib/libtorch_cuda.so"}],
    "files": [{"path": "/opt/nvidia/libcudart.so.12", "library": "libcudart", "version": "12", "target": null, "bytes": 9, "inode": 1},
              {"path": "/opt/other/libcudart.so.12", "library": "libcudart", "version": "12", "target": null, "bytes": 8, "inode": 2}]}}]})";

constexpr const char* torch_told =
    R"({"python": "3.11.2", "framework": "torch", "version": "2.6.0", "cuda": "12.4", "imported": true,
  "cudnn": 90100, "nccl": "2.21.5", "archs": ["compute_90", "sm_80"], "sees_gpu": true, "gpus": 1, "error": "", "nvcc": "12.4",
  "library": "/usr/lib/python3.11/os.py", "file": "/opt/torch/__init__.py", "prefix": "/usr", "products": [{"device": 0, "off": 1e-7}],
  "extensions": [{"name": "flash-attn", "version": "2.8.3", "targets": ["sm_80"], "built_for": {"torch": "2.6.0", "cuda": "12.4"}}]})";

std::string on_one_line(std::string text) {
  for (auto& c : text) c = c == '\n' ? ' ' : c;
  return text;
}

Environment whole_lock() {
  Environment lock;
  lock.python = "3.11"_python;
  lock.variant = Variant::devel;
  lock.base = Base::slim;
  lock.torch = Environment::FrameworkBuild();
  lock.torch->version = "2.6.0";
  lock.torch->cuda = "12.4"_version;
  lock.torch->nccl = "2.21.5";
  lock.torch->archs = {{"8.0"_arch}};
  lock.torch->ptx = {{"9.0"_arch}};
  lock.cudnn = Environment::Cudnn{"9.1.0.70"_version, 9, CudnnFrom::wheel};
  lock.driver = Environment::Driver();
  lock.driver->machines.push_back({{"A100"}, std::nullopt, {"525.60.13"_driver, std::nullopt}, {}});
  return lock;
}

TEST(WholeReport, OfALockedImageWithGpus) {
  const EngineDouble docker;
  docker.all_well();
  docker.answer("image-inspect", EngineDouble::image(R"("User": "1000:100", "Labels": {"envgen.lock": "sha256:1"},
                                                        "Env": ["NVIDIA_REQUIRE_CUDA=cuda>=12.4"])"));
  docker.answer("start.1", bench_with_gpus);
  docker.answer("start.2", on_one_line(torch_told));
  docker.answer("start.3", test::with_programs("null", R"({"error": null})"));
  docker.answer("start.4", files_of_torch);
  auto options = options_for("all");
  options.lock = LockedTo{"envgen.lock", "sha256:1", whole_lock(), true};
  options.matrix = matrix::embedded();
  options.driver = HostDriver{*DriverVersion::parse("550.54.14"), Version(12, 4), false};
  options.require = {"ipc-host", "nccl"};
  const std::string expected = R"text(engine: pass, docker 29.1.0 responds
  {"kind":"docker","version":"29.1.0","address":"unix:///var/run/docker.sock","local":true,"runtimes":[],"cdi_devices":[],"leftovers_removed":[]}
image: pass, sha256:0123456789ab for amd64, 1 layers, 5 MB
  {"id":"sha256:0123456789abcdef","architecture":"amd64","bytes":5000000,"layers":1}
lock-label: pass, built from envgen.lock
  {"label":"sha256:1","lock":"sha256:1"}
image-gate: pass, driver 550.54.14 passes NVIDIA_REQUIRE_CUDA='cuda>=12.4'
  {"gate":"cuda>=12.4","driver":"550.54.14"}
start: pass, started with --gpus all --network=none
  {"flags":["--gpus","all","--network=none"]}
bench: pass, envgen-bench reports 7 tests
  {"seconds":7.5}
device-nodes: pass, opened: /dev/nvidiactl, /dev/nvidia-uvm, /dev/nvidia0
  {"nodes":[{"path":"/dev/nvidiactl","error":null},{"path":"/dev/nvidia-uvm","error":null},{"path":"/dev/nvidia0","error":null}]}
libcuda: pass, /usr/lib/libcuda.so.550.54.14
  {"path":"/usr/lib/libcuda.so.550.54.14","compat":false,"stub":false}
driver: pass, 550.54.14, within the locked range (>=525.60.13); it reports CUDA 12.4, native for 12.4
  {"kernel_module":"550.54.14","libcuda_release":"550.54.14","cuda":"12.4"}
gpu: pass, 1 GPU
  {"visible_devices":"all","injected_by":"hook"}
kernel of GPU 0: pass, computed
  {"words":16}
h2d of GPU 0: pass, whole
h2d.speed of GPU 0: warn, 10 GB/s
  {"bytes":9}
nccl: fail, --require nccl: not proven: not part of --profile smoke (full runs it)
gpu-hook: pass, this run got its GPUs this way
ipc: fail, --require ipc-host: not satisfied: private: its own
  {"inode":7,"mode":"private","why":"its own","shm_bytes":67108864,"asked":null,"engine_mode":"private"}
shm-size: skip, no --shm-size was requested; /dev/shm has 64 MiB
  {"inode":7,"mode":"private","why":"its own","shm_bytes":67108864}
shm: warn, /dev/shm has 64 MiB; --ipc=host or --shm-size gives it more [shm-bus-error]
user: pass, runs as 1000
  {"user":"1000:100"}
mount-owner: fail, the user cannot write to a mounted folder
driver-files: pass, the image's layers contain no driver libraries
second-libraries: fail, 2 copies of the CUDA Runtime 12: /opt/nvidia/libcudart.so.12, /opt/other/libcudart.so.12; LD_LIBRARY_PATH and the import order decide which one is loaded [libcudart-mixed]
  {"files":[{"path":"/opt/nvidia/libcudart.so.12","version":"12","target":null,"bytes":9},{"path":"/opt/other/libcudart.so.12","version":"12","target":null,"bytes":8}]}
python: pass, Python 3.11.2, as locked
  {"found":"3.11.2","wanted":"3.11"}
framework: pass, installed: torch 2.6.0, as locked
  {"found":"torch 2.6.0","wanted":"torch 2.6.0"}
framework-cuda: pass, torch is built for 12.4, as locked
  {"found":"12.4","wanted":"12.4"}
cudnn: pass, cuDNN 90100, as locked
  {"found":"90100","wanted":"90100 (9.1.0.70)"}
nccl-version: pass, NCCL 2.21.5, as locked
  {"found":"2.21.5","wanted":"2.21.5"}
archs: pass, compiled for compute_90 sm_80, as locked
  {"found":"compute_90 sm_80","wanted":"compute_90 sm_80"}
gpu-archs: pass, runs on A100 (8.0) with the binaries for 8.0
  {"gpus":[{"gpu":"A100","capability":"8.0","runs":"sass","via":"8.0"}]}
extensions: pass, flash-attn 2.8.3 loads with torch 2.6.0
  {"packages":[{"name":"flash-attn","version":"2.8.3","torch":"2.6.0","cuda":"12.4","targets":"sm_80","error":""}]}
framework-gpu of GPU 0: pass, torch's matrix product matches the CPU's
  {"off":1e-07,"gpus":1}
nvcc: pass, nvcc 12.4, the CUDA that torch is built for
self-report: pass, confirmed by the files: Python 3.11, torch 2.6.0, CUDA 12.4
  {"library":"/usr/lib/python3.11/os.py","file":"/opt/torch/__init__.py"}
removed: pass, all 4 containers were removed
)text";
  EXPECT_EQ(text_of_run(options), expected);
}

TEST(WholeReport, OfAnImageWithoutGpus) {
  const EngineDouble docker;
  docker.all_well();
  docker.answer("start.1", test::bench_text());
  docker.answer("start.2", on_one_line(torch_told));
  docker.answer("start.3", test::with_programs("null", R"({"error": null})"));
  docker.answer("start.4", files_of_torch);
  docker.write_into_mounts();
  // What stands in the mount is of who runs this test.
  const auto id = std::to_string(::geteuid());
  const auto user = ::geteuid() == 0 ? "user: warn, runs as dev, whose uid is 0: files it writes to a mount belong to root"
                                     : std::string("user: pass, runs as dev");
  const auto mount = "mount-owner: pass, files it writes to a mount belong to " + id + ":" + std::to_string(::getegid()) +
                     ", like your own files\n  {\"uid\":" + id + ",\"gid\":" + std::to_string(::getegid()) +
                     ",\"caller_uid\":" + id + "}";
  const std::string expected = R"text(engine: pass, docker 29.1.0 responds
  {"kind":"docker","version":"29.1.0","address":"unix:///var/run/docker.sock","local":true,"runtimes":[],"cdi_devices":[],"leftovers_removed":[]}
image: pass, sha256:0123456789ab for amd64, 1 layers, 5 MB
  {"id":"sha256:0123456789abcdef","architecture":"amd64","bytes":5000000,"layers":1}
start: pass, started with --network=none
  {"flags":["--network=none"]}
bench: pass, envgen-bench reports 3 tests
  {"seconds":0.0}
ipc: pass, private: its own
  {"inode":7,"mode":"private","why":"its own","shm_bytes":67108864,"asked":null,"engine_mode":"private"}
shm-size: skip, no --shm-size was requested; /dev/shm has 64 MiB
  {"inode":7,"mode":"private","why":"its own","shm_bytes":67108864}
shm: warn, /dev/shm has 64 MiB; --ipc=host or --shm-size gives it more [shm-bus-error]
USER
  {"user":"dev"}
MOUNT
driver-files: pass, the image's layers contain no driver libraries
second-libraries: warn, 2 copies of the CUDA Runtime 12: /opt/nvidia/libcudart.so.12, /opt/other/libcudart.so.12; LD_LIBRARY_PATH and the import order decide which one is loaded [libcudart-mixed]
  {"files":[{"path":"/opt/nvidia/libcudart.so.12","version":"12","target":null,"bytes":9},{"path":"/opt/other/libcudart.so.12","version":"12","target":null,"bytes":8}]}
python: skip, Python 3.11.2; nothing to compare with (--lock FILE, --torch VERSION ...)
  {"found":"3.11.2","wanted":null}
framework: skip, installed: torch 2.6.0; nothing to compare with (--lock FILE, --torch VERSION ...)
  {"found":"torch 2.6.0","wanted":null}
framework-cuda: skip, torch is built for 12.4; nothing to compare with (--lock FILE, --torch VERSION ...)
  {"found":"12.4","wanted":null}
cudnn: skip, cuDNN 90100; nothing to compare with
  {"found":"90100","wanted":null}
nccl-version: skip, NCCL 2.21.5; nothing to compare with
  {"found":"2.21.5","wanted":null}
archs: skip, compiled for compute_90 sm_80; nothing to compare with
  {"found":"compute_90 sm_80","wanted":null}
extensions: pass, flash-attn 2.8.3 loads with torch 2.6.0
  {"packages":[{"name":"flash-attn","version":"2.8.3","torch":"2.6.0","cuda":"12.4","targets":"sm_80","error":""}]}
nvcc: pass, nvcc 12.4, the CUDA that torch is built for
self-report: pass, confirmed by the files: Python 3.11, torch 2.6.0, CUDA 12.4
  {"library":"/usr/lib/python3.11/os.py","file":"/opt/torch/__init__.py"}
removed: pass, all 4 containers were removed
)text";
  EXPECT_EQ(text_of_run(options_for("none")), test::replaced(test::replaced(expected, "USER", user), "MOUNT", mount));
}

}  // namespace
}  // namespace envgen::validate
