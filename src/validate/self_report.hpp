#pragma once

#include <optional>
#include <string>
#include <vector>

#include "matrix/matrix.hpp"
#include "model/capability.hpp"
#include "model/environment.hpp"
#include "model/error.hpp"
#include "resolver/query.hpp"
#include "validate/bench_report.hpp"
#include "validate/result.hpp"

/// What the image's own Python says of what is installed, and how it compares with what is wanted.
namespace envgen::validate {

/// A small product of matrices on one GPU beside the same on the CPU.
struct Product {
  long long device = 0;
  std::string error;          ///< what was thrown; empty: nothing
  std::optional<double> off;  ///< the largest difference by the largest value; none: it is no number
};

/// What is installed and was compiled against torch.
struct CompiledPackage {
  std::string name, version;
  std::optional<std::string> torch;  ///< the release that it was compiled for, as it was noted then; none: nobody did
  std::optional<std::string> cuda;   ///< of that torch
  std::vector<std::string> targets;  ///< of its device code: `sm_89`, `compute_90`; empty: it has none
  std::string error;                 ///< why one of its libraries does not load; empty: all do
};

struct SelfReport {
  std::string python;     ///< `3.11.2`
  std::string framework;  ///< `torch`, `tensorflow`, or empty: none can be imported
  std::string error;      ///< why the import, or asking it, failed; empty: there is no such module, or all is well
  bool imported = false;
  std::string doing;                ///< what it had begun when it ended; empty: it came to its end
  std::string version;              ///< without the local part
  std::optional<std::string> cuda;  ///< the minor it was built for; none: a CPU build
  std::optional<long long> cudnn;   ///< as torch numbers it: 90100
  std::optional<std::string> nccl;
  std::vector<std::string> archs;  ///< sorted: `sm_86`, `compute_90`
  bool free_threaded = false;
  std::string prefix;   ///< where its environment lies
  std::string library;  ///< the file os.py of its own library
  std::string file;     ///< that the framework was imported from, without links
  std::optional<bool> sees_gpu;
  std::string gpu_error;  ///< why it sees none, in its own words; empty: it does not tell
  std::vector<Product> products;
  long long gpus = 0;
  std::optional<std::vector<CompiledPackage>> extensions;  ///< none: it does not tell
  std::optional<std::string> nvcc;                         ///< its release, `12.1`; none: there is no nvcc
};

/// The last line of what `files::self_report_program` prints. Errors (bad_input): it printed something else, or not the nonce.
Expected<SelfReport> parse_self_report(const std::string& text, const std::string& nonce);

/// `End::not_there`: there is no Python.
using PythonTold = Told<SelfReport>;
/// One that did not come to its end has told only where it says what it had begun.
PythonTold python_told(Launched launched, const std::string& nonce);

/// What an image is compared with: a lock, or what was asked for (`--torch`, `--cuda`, `--python`, `--tensorflow`) and what the
/// facts know of the very build that it has, or nothing. null: there is none of it.
struct Wanted {
  const Environment* lock = nullptr;
  const resolver::Query* asked = nullptr;
  const matrix::Matrix* matrix = nullptr;
  std::vector<GpuFacts> gpus{};             ///< that the build has to run on: those that are there, else those of lock or `--gpu`
  bool in_image = true;                     ///< false: the machine's own nvcc may be on PATH
  std::optional<Version> cuda_of_driver{};  ///< the newest that the driver reports; none: no driver is known
};

/// The checks python to nvcc. What is compared with nothing is told, and the nvcc with the framework. `gpu_asked`: no GPU is a
/// failure.
std::vector<Result> judge_self_report(const SelfReport& report, const Wanted& wanted, bool gpu_asked);

/// The check extensions: whether what was compiled against torch loads with the one that is there, was compiled for it, and has
/// code for each GPU of `wanted`. None: Python has not told.
std::optional<Result> judge_extensions(const SelfReport& report, const Wanted& wanted);

/// Targets of code, apart.
struct Targets {
  std::vector<Arch> sass;
  std::vector<Arch> ptx;
};

/// Of `sm_86`, `compute_90`. None: one of them is of a form that is not known.
std::optional<Targets> parse_targets(const std::vector<std::string>& flags);

/// How a GPU is told: `GeForce RTX 5090 (12.0)`.
std::string told(const GpuFacts& gpu);

/// The check gpu-archs: whether the framework's machine code or PTX runs on each GPU of `wanted`. None: it has not told what it
/// was compiled for.
std::optional<Result> judge_gpu_archs(const SelfReport& report, const Wanted& wanted);

}  // namespace envgen::validate
