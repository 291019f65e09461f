#include "support/small_matrix.hpp"

namespace envgen::test {

SmallMatrix::SmallMatrix() {
  const Json sources = Json::parse(R"({"s": {"what": "a test", "url": null, "basis": "unverified", "read": "2026-11-21"}})");
  const auto put = [&](const char* file, const char* text) {
    files[file] = Json::parse(text);
    files[file]["sources"] = sources;
  };
  put("torch.json", R"({
    "releases": [{"version": "2.3.1", "released": "2024-06-05", "tags_complete": true, "default_cuda": {"linux-x86_64": "12.1"}, "torchvision": "0.18.1", "torchaudio": null, "source": "s"}],
    "builds": [{"torch": "2.3.1", "tag": "cu121", "platform": "linux-x86_64", "cuda": "12.1", "toolkit": "12.1.1", "official": true, "cudnn": "8.9.2.26", "nccl": "2.20.5", "triton": "2.3.1",
                "triton_pythons": ["3.11"], "sass": ["8.0"], "ptx": [], "glibc": "2.17", "wheel_index": {"url": "https://x", "pythons": ["3.11"]}, "package_index": null, "source": "s"}],
    "torchvision": [{"version": "0.18.1", "platform": "linux-x86_64", "requires_torch": "==2.3.1", "pythons": ["3.11"], "requires_python": ">=3.8", "source": "s"}],
    "torchaudio": []})");
  put("conda.json",
      R"({"builds": [], "labels": [{"label": "nvidia/label/cuda-12.1.1", "cuda": "12.1.1", "evidence": "listed", "source": "s"}], "cudnn": [{"channel": "conda-forge", "cuda": "12.1", "cudnn": "8.9.2.26", "glibc": "2.17", "source": "s"}]})");
  put("cuda.json", R"({
    "toolkits": [{"version": "12.1.1", "minor": "12.1", "released": "2023-04", "driver": "530.30.02", "ptx_isa": "8.1", "archs": ["8.0", "8.6"], "arch_specific": [], "gcc_max": 12, "os": ["ubuntu22.04"], "source": "s"}],
    "minors": [{"cuda": "12.1", "native_driver": "530.30.02", "source": "s"}],
    "majors": [{"cuda": "12", "minor_compat_driver": "525.60.13", "source": "s"}]})");
  put("cudnn.json",
      R"({"releases": [{"version": "8.9.2.26", "cuda_majors": ["12"], "gpus": [{"cuda": "12", "min": "5.0", "max": "9.0"}], "exact": true, "wheels": ["nvidia-cudnn-cu12"], "glibc": "2.5", "source": "s"}]})");
  put("drivers.json", R"({
    "branches": [{"branch": "530", "kind": "feature", "cuda": "12.1", "first": "530.30.02", "latest": "530.41.03", "released": "2023-02", "eol": "2023-06", "source": "s"}],
    "gpu_drivers": [{"capability": "8.0", "first_driver": "450.36.06", "last_branch": null, "kernel_module": "either", "tegra": false, "source": "s"},
                    {"capability": "8.6", "first_driver": "455.23", "last_branch": null, "kernel_module": "either", "tegra": false, "source": "s"}],
    "forward_compat": [{"cuda": "12.1", "branch": "530", "works": true, "source": "s"}]})");
  const auto gpu = [](const char* name, const char* capability, const char* id) {
    return Json{{"name", name},
                {"aliases", Json::array()},
                {"class", "datacenter"},
                {"architecture", "Ampere"},
                {"capability", capability},
                {"platform", nullptr},
                {"memory_gb", 40},
                {"memory_type", nullptr},
                {"bandwidth_gbs", nullptr},
                {"fp32_tflops", nullptr},
                {"tf32_tflops", nullptr},
                {"fp16_tflops", nullptr},
                {"bf16_tflops", nullptr},
                {"fp8_tflops", nullptr},
                {"int8_tops", nullptr},
                {"pcie_gen", nullptr},
                {"pcie_lanes", nullptr},
                {"nvlink_gbs", nullptr},
                {"power_w", nullptr},
                {"mig", nullptr},
                {"sms", nullptr},
                {"boost_mhz", nullptr},
                {"pci_ids", Json::array({id})},
                {"verified", Json::array()},
                {"laptop", false},
                {"source", "s"}};
  };
  put("gpus.json", "{}");
  files["gpus.json"]["gpus"] = Json::array({gpu("A100", "8.0", "10de:20b0"), gpu("A10", "8.6", "10de:2236")});
  files["gpus.json"]["families"] = Json::array();
  files["gpus.json"]["ambiguous"] = Json::array();
  put("images.json", R"({
    "cuda": [{"tag": "12.1.1-cudnn8-devel-ubuntu22.04", "cuda": "12.1.1", "cudnn": "8", "variant": "devel", "os": "ubuntu22.04", "evidence": "listed", "status": "eol", "gate": "g", "source": "s"}],
    "gates": [{"id": "g", "cuda": "12.1", "exceptions": [{"brand": "tesla", "branch": "530"}], "source": "s"}],
    "pytorch": [{"tag": "2.3.1-cuda12.1-cudnn8-devel", "torch": "2.3.1", "cuda": "12.1", "cudnn": "8", "variant": "devel", "evidence": "used", "layout": null, "os": "ubuntu22.04", "python": null, "source": "s"}]})");
  put("tensorflow.json",
      R"({"releases": [{"version": "2.15.0", "pythons": ["3.11"], "cuda": "12.1", "cudnn": "8.9", "pins": {"nvidia-cudnn-cu12": "==8.9.2.26"}, "glibc": "2.17", "sass": null, "ptx": null, "images": [], "source": "s"}]})");
  put("os.json", R"({
    "os": [{"id": "ubuntu22.04", "aliases": ["jammy"], "family": "ubuntu", "version": "22.04", "lts": true, "pythons": ["3.10"], "optional_pythons": [], "glibc": "2.35", "gcc": 11, "eol": "2027-04",
            "cuda_repo": null, "deadsnakes": null, "pep668": false, "default_user": null, "image": null, "source": "s"}],
    "pythons": [{"version": "3.11", "released": "2022-10-24", "eol": "2027-10", "source": "s"}]})");
  put("pitfalls.json",
      R"({"rules": [{"id": "r", "title": "t", "when": {"torch": "<2.4", "installer": "pip|uv"}, "action": {"pin": {"package": "numpy", "spec": "<2"}}, "symptom": null, "why": "w", "fix": null, "source": "s"}]})");
  put("presets.json",
      R"({"presets": [{"name": "p", "what": "w", "request": {"torch": "2.3", "os": "ubuntu22.04"}, "source": "s"}]})");
  files["matrix.json"] = Json::parse(R"({"schema_version": 1, "revision": "2026.11.21", "read": "2026-11-21"})");
}

void SmallMatrix::write() const {
  for (const auto& [file, json] : files) folder.write(file, json.dump());
}

matrix::Loaded SmallMatrix::load() const {
  write();
  return folder.load();
}

}  // namespace envgen::test
