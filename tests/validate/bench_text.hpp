#pragma once

#include <string>

namespace envgen::test {

/// A report of envgen-bench in a container without a GPU.
inline std::string bench_text() {
  return R"({"schema_version": 1, "program": {"name": "envgen-bench", "version": "0.1.0"}, "interrupted": false,
    "gpu": {"present": false, "absent": true}, "gpus": [], "doubles": [],
    "summary": {"pass": 1, "warn": 0, "fail": 1, "skip": 1, "unknown": 0},
    "tests": [
      {"id": "probe", "device": null, "status": "skip", "message": "no GPU: no device node", "evidence": {}, "failure": null},
      {"id": "ipc", "device": null, "status": "pass", "message": "private: x",
       "evidence": {"inode": 7, "mode": "private", "why": "its own", "shm_bytes": 67108864}, "failure": null},
      {"id": "shm", "device": null, "status": "fail", "message": "/dev/shm has 64 MiB", "evidence": {},
       "failure": {"id": "shm-bus-error", "message": "x", "code": null, "name": null, "call": null}}]})";
}

inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  text.replace(text.find(from), from.size(), to);
  return text;
}

/// The same with what became of the program after the tests, and of the file that was to be made.
inline std::string with_programs(const std::string& then, const std::string& touched) {
  return replaced(bench_text(), "\"interrupted\": false,",
                  "\"interrupted\": false, \"then\": " + then + ", \"touched\": " + touched + ",");
}

/// The same with a GPU.
inline std::string bench_text_with_gpu() {
  return R"({"schema_version": 1, "program": {"name": "envgen-bench", "version": "0.1.0"}, "interrupted": false,
    "gpu": {"present": true, "absent": false}, "gpus": [{"name": "A"}], "doubles": ["libcuda"],
    "summary": {"pass": 2, "warn": 0, "fail": 1, "skip": 0, "unknown": 0},
    "tests": [
      {"id": "probe", "device": null, "status": "pass", "message": "1 GPU", "evidence": {}, "failure": null},
      {"id": "kernel", "device": 0, "status": "fail", "message": "no kernel image", "evidence": {},
       "failure": {"id": "cuda-209", "message": "x", "code": 209, "name": null, "call": null}},
      {"id": "h2d", "device": 0, "status": "pass", "message": "ok", "evidence": {}, "failure": null}]})";
}

}  // namespace envgen::test
