// The program that the image's Python runs, run by a real Python.
#include "validate/self_report.hpp"
#include "files/extension_program.hpp"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnosis/diagnosis.hpp"
#include "util/process.hpp"
#include "util/temporary_folder.hpp"
#include "validate/report.hpp"

namespace envgen::validate {
namespace {

using testing::ElementsAre;

/// The program itself, with modules that are doubles of torch and TensorFlow.
class Script : public testing::Test {
 protected:
  SelfReport run(const std::string& torch, const std::string& tensorflow = {}) {
    std::ofstream(folder_.path() / "torch.py") << torch;
    if (!tensorflow.empty()) std::ofstream(folder_.path() / "tensorflow.py") << tensorflow;
    util::ProcessLimits limits;
    limits.environment = {"PYTHONPATH=" + folder_.path().string()};
    const auto ran = util::run_process({"python3", "-c", *files::self_report_program(), "n0"}, limits);
    EXPECT_TRUE(ran && ran->ok()) << (ran ? ran->err : ran.error().message);
    const auto report = parse_self_report(ran ? ran->out : "", "n0");
    EXPECT_TRUE(report) << ran->out;
    return report.value_or(SelfReport{});
  }
  /// `status message` of what is made of each GPU's product.
  static std::vector<std::string> on_gpus(const SelfReport& report) {
    std::vector<std::string> rows;
    for (const auto& result : judge_self_report(report, {}, true)) {
      if (result.check == "framework-gpu") rows.push_back(std::string(name_of(result.status)) + " " + result.message);
    }
    return rows;
  }

  util::TemporaryFolder folder_ = *util::TemporaryFolder::make("envgen-script");
};

TEST_F(Script, AsksTorch) {
  const auto report = run(R"(
import types
print("noise of an import")
__version__ = "2.6.0+cu124"
version = types.SimpleNamespace(cuda="12.4")
backends = types.SimpleNamespace(cudnn=types.SimpleNamespace(version=lambda: 90100))
cuda = types.SimpleNamespace(nccl=types.SimpleNamespace(version=lambda: (2, 21, 5)), is_available=lambda: True, device_count=lambda: 2)
_C = types.SimpleNamespace(_cuda_getArchFlags=lambda: "sm_90 sm_86 compute_90")
)");
  EXPECT_EQ(report.framework, "torch");
  EXPECT_EQ(report.version, "2.6.0");
  EXPECT_EQ(report.cuda, "12.4");
  EXPECT_EQ(report.cudnn, 90100);
  EXPECT_EQ(report.nccl, "2.21.5");
  EXPECT_THAT(report.archs, ElementsAre("compute_90", "sm_86", "sm_90"));
  EXPECT_EQ(report.sees_gpu, true);
  EXPECT_EQ(report.gpus, 2);
}

TEST_F(Script, TellsWhyAnImportFails) {
  EXPECT_EQ(run("raise ImportError('libcudart.so.12: cannot open shared object file')").error,
            "libcudart.so.12: cannot open shared object file");
  EXPECT_EQ(run("import numpy_that_is_not_there").error, "No module named 'numpy_that_is_not_there'");
}

TEST_F(Script, TellsWhatItHadBegun) {
  for (const auto& [torch, doing] : {std::pair("import os; os.abort()", "importing torch"),
                                     std::pair("def __getattr__(name): import os; os.abort()", "asking torch")}) {
    std::ofstream(folder_.path() / "torch.py") << torch;
    util::ProcessLimits limits;
    limits.environment = {"PYTHONPATH=" + folder_.path().string()};
    const auto ran = util::run_process({"python3", "-c", *files::self_report_program(), "n0"}, limits);
    ASSERT_TRUE(ran);
    EXPECT_NE(ran->signal, 0);
    const auto report = parse_self_report(ran->out, "n0");
    ASSERT_TRUE(report) << ran->out;
    EXPECT_EQ(report->doing, doing);
    EXPECT_NE(report->prefix, "");
  }
}

TEST(OldPython, SaysThatItCannotBeAsked) {
  const auto ran =
      util::run_process({"python3", "-c", "import sys; sys.version_info = (2, 7, 18)\n" + *files::self_report_program()}, {});
  ASSERT_TRUE(ran);
  EXPECT_EQ(ran->out, "");
  EXPECT_EQ(ran->err, "Python 2.7 is too old: 3.6 or newer is required\n");
}

/// A double of torch with two GPUs. One number stands for a matrix; the second GPU multiplies as `product` says, an expression of
/// `value`.
std::string torch_where(const std::string& product) {
  return R"py(
import types

class Tensor:
    def __init__(self, value, gpu=None):
        self.value, self.gpu = value, gpu
    def __sub__(self, other):
        assert self.gpu is None and other.gpu is None
        return Tensor(self.value - other.value)
    def __truediv__(self, other):
        return Tensor(self.value / other.value)
    def __float__(self):
        return float(self.value)
    def abs(self):
        return Tensor(abs(self.value), self.gpu)
    def max(self):
        return self
    def cpu(self):
        return Tensor(self.value)
    def to(self, gpu):
        return Tensor(self.value, gpu)

def matmul(a, b):
    assert a.gpu == b.gpu
    return Tensor(second(a.value) if a.gpu == 1 else a.value * b.value, a.gpu)

class Generator:
    def manual_seed(self, seed):
        return self

def rand(rows, columns, generator):
    assert (rows, columns) == (256, 256) and isinstance(generator, Generator)
    return Tensor(4.0)

def device(kind, number):
    assert kind == "cuda"
    return number

def broken(text):
    raise RuntimeError(text)

def second(value):
    return )py" +
         product + R"py(

__version__ = "2.6.0+cu124"
version = types.SimpleNamespace(cuda="12.4")
backends = types.SimpleNamespace(cudnn=types.SimpleNamespace(version=lambda: 90100))
cuda = types.SimpleNamespace(is_available=lambda: True, device_count=lambda: 2)
_C = types.SimpleNamespace(_cuda_getArchFlags=lambda: "sm_90")
)py";
}

const std::string right_of_torch = "pass torch's matrix product matches the CPU's";

TEST_F(Script, TorchMultipliesOnEachGpu) {
  const auto report = run(torch_where("value * value"));
  EXPECT_EQ(report.error, "");
  EXPECT_EQ(report.nccl, std::nullopt);  // it has none to ask
  EXPECT_THAT(on_gpus(report), ElementsAre(right_of_torch, right_of_torch));
}

TEST_F(Script, TorchMultipliesWrongly) {
  EXPECT_THAT(on_gpus(run(torch_where("value * value * 1.5"))),
              ElementsAre(right_of_torch, "fail torch's matrix product differs from the CPU's: off by 0.5 of its largest value"));
}

TEST_F(Script, TorchMakesNoNumbers) {
  for (const char* product : {"float('nan')", "float('inf')"}) {
    EXPECT_THAT(on_gpus(run(torch_where(product))),
                ElementsAre(right_of_torch, "fail torch's matrix product differs from the CPU's: it is not a number"))
        << product;
  }
}

TEST_F(Script, TorchCannotMultiply) {
  const auto report = run(torch_where("broken('CUDA error: no kernel image is available for execution on the device')"));
  EXPECT_THAT(on_gpus(report),
              ElementsAre(right_of_torch,
                          "fail torch cannot multiply: CUDA error: no kernel image is available for execution on the device"));
  const auto results = judge_self_report(report, {}, true);
  const auto* diagnosis = std::find_if(results.begin(), results.end(), [](const Result& result) {
                            return result.check == "framework-gpu" && result.status == Status::fail;
                          })->diagnosis;
  ASSERT_NE(diagnosis, nullptr);
  EXPECT_EQ(diagnosis->id, "cuda-209");
  EXPECT_THAT(on_gpus(run(torch_where("broken('')"))),
              ElementsAre(right_of_torch, "fail torch cannot multiply: RuntimeError('')"));
}

TEST_F(Script, TorchSaysWhyItSeesNoGpu) {
  const auto report = run(R"py(
import types
def init():
    raise RuntimeError("CUDA driver initialization failed, you might not have a CUDA gpu.")
__version__ = "2.6.0+cu124"
version = types.SimpleNamespace(cuda="12.4")
backends = types.SimpleNamespace(cudnn=types.SimpleNamespace(version=lambda: 90100))
cuda = types.SimpleNamespace(is_available=lambda: False, init=init)
_C = types.SimpleNamespace(_cuda_getArchFlags=lambda: None)
)py");
  EXPECT_EQ(report.sees_gpu, false);
  EXPECT_TRUE(report.archs.empty());
  EXPECT_THAT(on_gpus(report),
              ElementsAre("fail a GPU was requested, but torch falls back to the CPU although it is built for CUDA: CUDA driver "
                          "initialization failed, you might not have a CUDA gpu."));
}

const std::string no_torch = "raise ModuleNotFoundError(\"No module named 'torch'\", name='torch')";

/// A double of TensorFlow with `gpus` GPUs; the last multiplies as `product` says, an expression of `value`.
std::string tensorflow_where(int gpus, const std::string& product, const std::string& build_info) {
  return "import contextlib, types\ngpus = " + std::to_string(gpus) + "\nbuild_info = " + build_info +
         "\ndef last(value):\n    return " + product + R"py(
here = []

@contextlib.contextmanager
def device(name):
    here.append(name)
    yield
    here.pop()

def matmul(a, b):
    return last(a) if here[-1] == "/GPU:%d" % (gpus - 1) else a * b

def stateless_uniform(shape, seed):
    assert shape == (256, 256) and len(seed) == 2
    return 4.0

__version__ = "2.18.0"
sysconfig = types.SimpleNamespace(get_build_info=lambda: build_info)
config = types.SimpleNamespace(list_physical_devices=lambda kind: ["a GPU"] * gpus if kind == "GPU" else ["a CPU"])
random = types.SimpleNamespace(stateless_uniform=stateless_uniform)
linalg = types.SimpleNamespace(matmul=matmul)
identity = lambda a: a
reduce_max = lambda a: a
abs = abs
)py";
}

const std::string built_for_cuda =
    R"py({"is_cuda_build": True, "cuda_version": "12.5.1", "cuda_compute_capabilities": ["sm_80", "compute_90", "sm_60"]})py";
const std::string right_of_tensorflow = "pass tensorflow's matrix product matches the CPU's";

TEST_F(Script, AsksTensorFlow) {
  const auto report = run(no_torch, tensorflow_where(2, "value * value", built_for_cuda));
  EXPECT_EQ(report.error, "");
  EXPECT_EQ(report.framework, "tensorflow");
  EXPECT_EQ(report.version, "2.18.0");
  EXPECT_EQ(report.cuda, "12.5");
  EXPECT_THAT(report.archs, ElementsAre("compute_90", "sm_60", "sm_80"));
  EXPECT_EQ(report.sees_gpu, true);
  EXPECT_EQ(report.gpus, 2);
  EXPECT_THAT(on_gpus(report), ElementsAre(right_of_tensorflow, right_of_tensorflow));
}

TEST_F(Script, TensorFlowMultipliesWrongly) {
  EXPECT_THAT(on_gpus(run(no_torch, tensorflow_where(2, "value", built_for_cuda))),
              ElementsAre(right_of_tensorflow,
                          "fail tensorflow's matrix product differs from the CPU's: off by 0.75 of its largest value"));
  EXPECT_THAT(on_gpus(run(no_torch, tensorflow_where(1, "float('nan')", built_for_cuda))),
              ElementsAre("fail tensorflow's matrix product differs from the CPU's: it is not a number"));
  EXPECT_THAT(on_gpus(run(no_torch, tensorflow_where(1, "no_such_name", built_for_cuda))),
              ElementsAre("fail tensorflow cannot multiply: name 'no_such_name' is not defined"));
}

TEST_F(Script, TensorFlowForTheCpu) {
  const auto report = run(no_torch, tensorflow_where(0, "value", R"py({"is_cuda_build": False})py"));
  EXPECT_EQ(report.cuda, std::nullopt);
  EXPECT_EQ(report.sees_gpu, false);
  EXPECT_THAT(on_gpus(report),
              ElementsAre("fail a GPU was requested, but tensorflow falls back to the CPU because it is a CPU build"));
}

}  // namespace
}  // namespace envgen::validate
