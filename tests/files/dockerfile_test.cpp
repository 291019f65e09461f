// The Dockerfiles of real environments, as the tool prints them.
#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "files/outputs.hpp"
#include "rendered.hpp"
#include "support/error_text.hpp"
#include "support/locks.hpp"

namespace envgen {
namespace {

using test::run_tool;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string dockerfile(const test::Words& words) { return test::rendered("dockerfile", words); }

std::string no_dockerfile(test::Words words) {
  words.insert(words.begin(), "dockerfile");
  return test::render_refusal(words);
}

// ---- bases

TEST(Dockerfile, RemovesTheListsOfImagesThatAreOlderThanTheirKey) {
  const auto key = HasSubstr(
      "\n# The signing key of these repositories was replaced after this image was built, so apt would reject them.\n"
      "RUN rm -f /etc/apt/sources.list.d/cuda.list /etc/apt/sources.list.d/nvidia-ml.list\n");
  EXPECT_THAT(dockerfile({"--torch", "1.11", "--base", "pytorch", "--variant", "devel"}), key);
  EXPECT_THAT(dockerfile({"--torch", "1.12.0", "--base", "pytorch", "--variant", "devel"}), Not(key));
  EXPECT_THAT(dockerfile({"--torch", "1.11", "--base", "pytorch", "--variant", "runtime"}), Not(key));
  EXPECT_THAT(dockerfile({"--tensorflow", "2.8.0", "--base", "tensorflow"}), key);
  EXPECT_THAT(dockerfile({"--tensorflow", "2.9.0", "--base", "tensorflow"}), Not(key));
}

TEST(Base, OfARuntimeIsThePlainSystem) {
  const auto text = dockerfile({"--torch", "2.3", "--cuda", "12.1"});
  EXPECT_THAT(text, HasSubstr("\nFROM ubuntu:22.04\n"));
  EXPECT_THAT(text, Not(HasSubstr("cuda-compat")));
}

TEST(Base, OfADevelIsNvidiasWithoutCudnn) {
  const auto text = dockerfile({"--torch", "2.3", "--cuda", "12.1", "--variant", "devel", "--gpu", "4090", "--gpu", "V100"});
  EXPECT_THAT(text, AllOf(HasSubstr("\nFROM nvidia/cuda:12.1.1-devel-ubuntu22.04\n"), HasSubstr("build-essential"),
                          HasSubstr("ninja-build"), HasSubstr("python3-dev"), HasSubstr("CUDA_HOME=/usr/local/cuda"),
                          HasSubstr("TORCH_CUDA_ARCH_LIST=\"7.0;8.9\"")));
}

TEST(Base, OfATensorFlowWithoutCudaHasCudnn) {
  EXPECT_THAT(dockerfile({"--tensorflow", "2.12"}), AllOf(HasSubstr("\nFROM nvidia/cuda:11.8.0-cudnn8-runtime-ubuntu22.04\n"),
                                                          HasSubstr("pip install tensorflow==2.12.1")));
  EXPECT_THAT(dockerfile({"--tensorflow", "2.15"}),
              AllOf(HasSubstr("\nFROM ubuntu:22.04\n"), HasSubstr("'tensorflow[and-cuda]==2.15.1'")));
}

TEST(Base, OfATensorFlowThatLeavesItsCudnnOpenPinsTheOneThatServes) {
  EXPECT_THAT(dockerfile({"--tensorflow", "2.20", "--gpu", "V100"}),
              HasSubstr("pip install 'tensorflow[and-cuda]==2.20.0' nvidia-cudnn-cu12==9.10.2.21 "));
}

TEST(ArchList, IsTheBoardsOwnWhereNvccAndTorchKnowIt) {
  const auto archs = [](std::vector<std::string> request) {
    request.insert(request.end(), {"--variant", "devel"});
    const auto text = dockerfile(request);
    const auto from = text.find("TORCH_CUDA_ARCH_LIST=");
    return text.substr(from, text.find('\n', from) - from);
  };
  EXPECT_EQ(archs({"--torch", "2.3", "--gpu", "4090"}), "TORCH_CUDA_ARCH_LIST=\"8.9\"");
  EXPECT_EQ(archs({"--torch", "1.13", "--cuda", "11.7", "--gpu", "4090"}),
            "TORCH_CUDA_ARCH_LIST=\"8.6\"");                                                    // CUDA 11.8 is the first
  EXPECT_EQ(archs({"--torch", "2.9", "--gpu", "DGX Spark"}), "TORCH_CUDA_ARCH_LIST=\"12.0\"");  // torch stops at 12.0
}

TEST(Base, OfPyTorchIsUsedAsItsLayoutIs) {
  const auto conda = dockerfile({"--torch", "2.3", "--base", "pytorch", "--pip", "einops"});
  EXPECT_THAT(conda, AllOf(HasSubstr("\nFROM pytorch/pytorch:2.3.1-cuda12.1-cudnn8-runtime\n"),
                           HasSubstr("/opt/conda/bin/python -m pip install torch==2.3.1 'setuptools<82' einops"),
                           Not(HasSubstr("venv"))));
  const auto system = dockerfile({"--torch", "2.14", "--base", "pytorch", "--pip", "einops"});
  EXPECT_THAT(system, HasSubstr("python3 -m venv --system-site-packages /opt/venv"));
}

TEST(Base, OfTensorFlowIsItsSystemsPython) {
  const auto text = dockerfile({"--tensorflow", "2.15.0", "--base", "tensorflow", "--pip", "einops"});
  EXPECT_THAT(text, AllOf(HasSubstr("\nFROM tensorflow/tensorflow:2.15.0-gpu\n"),
                          HasSubstr("python -m pip install tensorflow==2.15.0 "), HasSubstr(" einops"), Not(HasSubstr("venv"))));
}

TEST(Base, CanBeNamed) {
  EXPECT_THAT(dockerfile({"--torch", "2.3", "--base-image", "registry.example.org:5000/base:1"}),
              HasSubstr("\nFROM registry.example.org:5000/base:1\n"));
}

TEST(Base, IsWrittenOutForPodman) {
  EXPECT_THAT(dockerfile({"--torch", "2.3", "--podman"}), AllOf(HasSubstr("\nFROM docker.io/library/ubuntu:22.04\n"),
                                                                HasSubstr("podman build --format docker --tag envgen ")));
  EXPECT_THAT(dockerfile({"--torch", "2.3", "--base", "pytorch", "--podman"}),
              HasSubstr("\nFROM docker.io/pytorch/pytorch:2.3.1-"));
}

TEST(Base, ThatCannotHoldTheEnvironmentIsRefused) {
  EXPECT_EQ(no_dockerfile({"--torch", "2.9", "--os", "rockylinux9"}),
            "envgen: --os: envgen's Dockerfiles use apt, which rockylinux9 does not have\n  choose Ubuntu or Debian: --os "
            "ubuntu22.04\n  without a container: envgen render setup\n");
  for (const auto* kind : {"run", "ci", "compose", "devcontainer"})
    EXPECT_EQ(test::render({kind, "--torch", "2.9", "--os", "rockylinux9"}).err,
              "envgen: --os: envgen's Dockerfiles use apt, which rockylinux9 does not have\n  choose Ubuntu or Debian: --os "
              "ubuntu22.04\n  without a container: envgen render setup\n")
        << kind;
  EXPECT_TRUE(test::render({"setup", "--torch", "2.9", "--os", "rockylinux9"}).err.empty());
}

/// What an envgen before this one resolved, and a lock of then still holds.
TEST(Base, OfAnOldLockThatHoldsNoCudaIsRefused) {
  const auto refused_on_slim = [](std::string_view request, bool from_system) {
    auto environment = test::lock_of(request).environment;
    environment.base = Base::slim;
    if (from_system) environment.cudnn->from = CudnnFrom::system;
    const files::Options options;
    const auto made = files::make(*files::find_output("dockerfile"), {environment, options, "sha256:0"});
    return made ? "made" : test::text_of(made.error());
  };
  EXPECT_EQ(refused_on_slim("torch=2.3 cuda=12.1 variant=devel", false),
            "other | --variant devel | no nvidia/cuda devel image for CUDA 12.1 on ubuntu22.04 satisfies the request, so there "
            "is no nvcc "
            "| another --os or --driver may work: envgen list images --cuda 12.1; --base cuda shows the "
            "conflict");
  EXPECT_EQ(refused_on_slim("tensorflow=2.12", true),
            "other | --base slim | this TensorFlow does not include CUDA, and neither does the distribution image | --base cuda");
}

TEST(Base, OfADevelByCondaOnAPlainSystemHoldsItsNvcc) {
  const auto text = dockerfile({"--installer", "conda", "--torch", "2.5", "--os", "debian12", "--variant", "devel"});
  EXPECT_THAT(text,
              AllOf(HasSubstr("\nFROM debian:12-slim\n"), HasSubstr(" --channel nvidia/label/cuda-12.4.1 --channel pytorch "),
                    HasSubstr(" cuda-nvcc=12.4 "), HasSubstr(" 'gxx_linux-64<14'"),
                    HasSubstr("ENV CUDA_HOME=/opt/env \\\n    CUDA_INC_PATH=/opt/env/targets/x86_64-linux/include \\\n"),
                    HasSubstr("CXX=/opt/env/bin/x86_64-conda-linux-gnu-g++"),
                    HasSubstr(" && { [ -e /opt/env/lib64 ] || ln --symbolic lib /opt/env/lib64; } \\\n")));
  const auto on_image = dockerfile({"--installer", "conda", "--torch", "2.5", "--variant", "devel"});
  EXPECT_THAT(on_image, AllOf(HasSubstr("CUDA_HOME=/usr/local/cuda"), Not(HasSubstr("cuda-nvcc"))));
}

TEST(Base, DropsCudaCompatFromOfficialImagesThatHoldIt) {
  const std::string purge = "xargs --no-run-if-empty apt-get purge";
  EXPECT_THAT(dockerfile({"--torch", "2.3", "--gpu", "4090", "--base", "pytorch", "--variant", "devel"}), HasSubstr(purge));
  EXPECT_THAT(dockerfile({"--torch", "2.3", "--gpu", "4090", "--base", "pytorch"}), Not(HasSubstr(purge)));
  EXPECT_THAT(dockerfile({"--tensorflow", "2.15.0", "--gpu", "4090", "--base", "tensorflow"}), HasSubstr(purge));
}

// ---- installation

constexpr const char* uv_by_hash =
    "echo 'uv==0.13.9 --hash=sha256:d7f459fe4fd247d830351c75686d3996ace3c6f3f728eb0e85a30b7ada0cef19' | ";

TEST(Install, OfUvIsByItsHash) {
  const auto text = dockerfile({"--torch", "2.3", "--installer", "uv"});
  EXPECT_THAT(text,
              HasSubstr(std::string(uv_by_hash) + "/opt/uv/bin/pip install --require-hashes --requirement /dev/stdin \\\n"));
  EXPECT_THAT(dockerfile({"--torch", "2.8", "--installer", "uv", "--platform", "linux-aarch64"}),
              HasSubstr("echo 'uv==0.13.9 --hash=sha256:5435c5ce14a56431208ca0996416d310f1598e8c2c8ba707688985a16bb82dbe "
                        "--hash=sha256:ecb6028d79dc96fbeafffe5c8af62a7099487ebc05a701e76714eebcffd06375' | "));
}

TEST(Install, OnASystemThatIsTooOldForPipsUv) {
  const auto text = dockerfile({"--torch", "1.11", "--variant", "devel"});
  EXPECT_THAT(
      text,
      AllOf(HasSubstr("\nFROM nvidia/cuda:10.2-devel-ubuntu18.04\n"), Not(HasSubstr("      curl")), Not(HasSubstr("install.sh")),
            HasSubstr("echo 'pip==20.3.4 --hash=sha256:217ae5161a0e08c0fb873858806e3478c9775caffce5168b50ec885e358c199d' | "
                      "/opt/uv/bin/pip install --require-hashes --requirement /dev/stdin \\\n"),
            HasSubstr(std::string(uv_by_hash) +
                      "/opt/uv/bin/python -m pip download --no-deps --only-binary :all: --python-version 3.8 --implementation py "
                      "--abi none --platform manylinux2014_x86_64 --dest /opt/uv/wheel --require-hashes --requirement /dev/stdin "
                      "\\\n"),
            HasSubstr("install /opt/uv/wheel/uv-0.13.9.data/scripts/uv /opt/uv/bin/uv \\\n")));
}

TEST(Install, OfAPythonThatNobodyHas) {
  EXPECT_EQ(no_dockerfile({"--torch", "1.12", "--python", "3.7", "--os", "ubuntu20.04"}),
            "envgen: --python: neither ubuntu20.04 nor uv provides Python 3.7\n  --installer conda\n");
  EXPECT_EQ(no_dockerfile({"--tensorflow", "2.11", "--python", "3.7"}),
            "envgen: --python: neither ubuntu20.04 nor uv provides Python 3.7\n  --python 3.10\n");
}

TEST(Install, TakesNoPasswordByAnArgument) {
  const std::string says =
      "; for index; do index=${index#*://}; case ${index%%/*} in *@*) echo \"error: a password in an index URL would stay in "
      "'docker "
      "history', ";
  const std::string ends = "\" >&2; exit 1 ;; esac; done \\\n";
  const auto uv = dockerfile({"--torch", "2.3", "--cuda", "11.8", "--installer", "uv"});
  EXPECT_THAT(uv,
              AllOf(HasSubstr("    --mount=type=secret,id=netrc,target=/root/.netrc \\\n    set -- \"$PIP_INDEX_URL\" "
                              "\"$UV_DEFAULT_INDEX\" \"$TORCH_INDEX_URL\"" +
                              says +
                              "so remove it and build with --secret id=netrc,src=FILE, where FILE contains: machine HOST "
                              "login USER password PASSWORD" +
                              ends),
                    HasSubstr("# For an index with a password, add --secret id=netrc,src=FILE, where FILE contains the line")));
  const auto conda = dockerfile({"--torch", "2.5", "--installer", "conda"});
  EXPECT_THAT(conda, AllOf(HasSubstr("set -- \"$MINIFORGE_URL\"" + says), HasSubstr(" --netrc-optional ")));
  EXPECT_THAT(dockerfile({"--torch", "2.3", "--legacy-builder"}),
              AllOf(Not(HasSubstr("netrc")), HasSubstr("set -- \"$PIP_INDEX_URL\"" + says +
                                                       "and the legacy builder has no secrets: use an index without a "
                                                       "password, or omit --legacy-builder" +
                                                       ends)));
}

TEST(Install, FindsTheToolkitWhenItCompiles) {
  const auto text = dockerfile({"--torch", "2.9", "--variant", "devel"});
  EXPECT_LT(text.find("ENV CUDA_HOME="), text.find("pip install"));
  EXPECT_THAT(dockerfile({"--tensorflow", "2.15", "--variant", "devel"}), Not(HasSubstr("TORCH_CUDA_ARCH_LIST")));
}

TEST(Install, TakesTheWheelIndexOnlyWhereThePackageIndexHasNoSuchBuild) {
  EXPECT_THAT(dockerfile({"--torch", "2.3", "--cuda", "12.1", "--pip", "einops==0.8.0"}),
              AllOf(Not(HasSubstr("download.pytorch.org")),
                    HasSubstr("pip install torch==2.3.1 torchvision==0.18.1 torchaudio==2.3.1 'setuptools<82' einops==0.8.0")));
  const auto other = dockerfile({"--torch", "2.3", "--cuda", "11.8", "--pip", "einops==0.8.0"});
  EXPECT_THAT(
      other,
      AllOf(HasSubstr("ARG TORCH_INDEX_URL=\"https://download.pytorch.org/whl/cu118\"\n"),
            HasSubstr("pip install 'setuptools<82' \\\n"),
            HasSubstr("pip install --index-url \"$TORCH_INDEX_URL\" torch==2.3.1 torchvision==0.18.1 torchaudio==2.3.1 \\\n"),
            HasSubstr("pip install torch==2.3.1 einops==0.8.0 \\\n")));
}

TEST(Install, TakesItsPythonFromTheProvider) {
  EXPECT_THAT(dockerfile({"--torch", "2.3", "--python", "3.10"}), HasSubstr("python3 -m venv /opt/venv"));
  EXPECT_THAT(
      dockerfile({"--torch", "2.3", "--python", "3.11", "--os", "ubuntu22.04"}),
      AllOf(HasSubstr("/opt/uv/bin/uv venv --python 3.11 /opt/venv \\\n"),
            HasSubstr("echo 'pip==25.0.1 --hash=sha256:c46efd13b6aa8279f33f2864459c8ce587ea6a1a59ee20de055868d8f7688f7f' | "
                      "/opt/uv/bin/uv pip install --python /opt/venv/bin/python --require-hashes --requirement /dev/stdin \\\n"),
            HasSubstr("rm --recursive /opt/uv")));
}

TEST(Install, ByUv) {
  EXPECT_THAT(dockerfile({"--torch", "2.3", "--installer", "uv"}),
              AllOf(HasSubstr("ARG UV_DEFAULT_INDEX\n"), HasSubstr("uv venv --python /usr/bin/python3 /opt/venv"),
                    HasSubstr("uv pip install --python /opt/venv/bin/python torch==2.3.1"), HasSubstr("target=/root/.cache/uv")));
}

TEST(Install, ByConda) {
  EXPECT_THAT(
      dockerfile({"--torch", "2.5", "--installer", "conda"}),
      AllOf(HasSubstr("sha256sum --check"),
            HasSubstr("--override-channels --strict-channel-priority --channel pytorch --channel nvidia --channel conda-forge"),
            HasSubstr("'pytorch==2.5.1=*_cuda12.4_cudnn9.1.0_*' pytorch-cuda=12.4"), HasSubstr("rm --recursive /opt/conda"),
            HasSubstr("PATH=/opt/env/bin:$PATH")));
}

TEST(Install, TellsCondaOfTheDriverThatABuildCannotSee) {
  const auto text = dockerfile({"--torch", "2.8", "--cuda", "12.9", "--installer", "conda"});
  const auto told = text.find("ENV CONDA_OVERRIDE_CUDA=\"12.9\"");
  EXPECT_NE(told, std::string::npos);
  EXPECT_LT(told, text.find("conda create"));
}

TEST(Install, BehindATlsProxy) {
  const auto text =
      dockerfile({"--torch", "2.3", "--ca-cert", "certificates.pem", "--pip-index", "https://mirror.example.org/simple"});
  EXPECT_THAT(text, AllOf(HasSubstr("--mount=type=secret,id=ca-cert,target=/run/secrets/ca-cert.pem,mode=0444,required=true"),
                          HasSubstr("PIP_CERT=/run/secrets/ca-cert.pem"), HasSubstr("--secret id=ca-cert"),
                          HasSubstr("ARG PIP_INDEX_URL=\"https://mirror.example.org/simple\"\n")));
}

TEST(Install, ForTheClassicBuilderMountsNothing) {
  const auto text = dockerfile({"--torch", "2.3", "--legacy-builder"});
  EXPECT_THAT(text, AllOf(Not(HasSubstr("--mount")), HasSubstr("PIP_NO_CACHE_DIR=1"), HasSubstr("rm -rf /var/lib/apt/lists/*")));
  EXPECT_EQ(no_dockerfile({"--torch", "2.3", "--legacy-builder", "--ca-cert", "certificates.pem"}),
            "envgen: --ca-cert: the legacy builder has no secrets, and certificates must not be stored in a layer\n"
            "  leave out --legacy-builder: BuildKit is the default builder since Docker 23\n");
}

TEST(Install, TellsFlashAttnItsBoardsAndItsJobs) {
  const auto text = test::rendered({"dockerfile", "--torch", "2.8", "--gpu", "A100", "--gpu", "4090", "--gpu", "H100",
                                    "--variant", "devel", "--pip", "flash-attn==2.8.3"});
  EXPECT_THAT(text, AllOf(HasSubstr("FLASH_ATTN_CUDA_ARCHS=\"80;90\""), HasSubstr("\nARG MAX_JOBS\n")));
  EXPECT_THAT(dockerfile({"--torch", "2.8", "--gpu", "A100", "--variant", "devel", "--needs-nvcc"}),
              AllOf(Not(HasSubstr("FLASH_ATTN")), Not(HasSubstr("MAX_JOBS"))));
}

TEST(Install, PinsWhatItAddsByItself) {
  EXPECT_THAT(test::rendered({"dockerfile", "--torch", "2.8", "--gpu", "A100", "--variant", "devel", "--pip", "flash-attn==2.8.3",
                              "--jupyter"}),
              HasSubstr("jupyterlab==4.3.8 ninja==1.13.0 packaging==24.2 psutil==7.2.2 wheel==0.45.1"));
  EXPECT_THAT(dockerfile({"--torch", "1.12", "--python", "3.7", "--os", "ubuntu18.04", "--installer", "conda", "--jupyter"}),
              HasSubstr("jupyterlab==3.6.8"));
}

TEST(Install, WithACompilerThatNvccAccepts) {
  // Debian 12 has no devel image; the compilers of Ubuntu 22.04 are older than every ceiling from 11.7 on.
  const auto text = dockerfile({"--torch", "1.12", "--cuda", "11.3", "--variant", "devel", "--os", "ubuntu20.04"});
  EXPECT_THAT(text, Not(HasSubstr("NVCC_CCBIN")));
}

// ---- the assertion, the user, the labels

TEST(Assertion, HoldsWhatTheLockSays) {
  EXPECT_THAT(
      dockerfile({"--torch", "2.3", "--cuda", "12.1"}),
      HasSubstr(
          R"(locked = {"torch": "2.3.1", "cuda": "12.1", "cudnn": 8902, "archs": ["sm_50", "sm_60", "sm_70", "sm_75", "sm_80", "sm_86", "sm_90"]})"));
  EXPECT_THAT(dockerfile({"--torch", "2.13", "--cuda", "cpu"}), HasSubstr(R"(locked = {"torch": "2.13.0", "cuda": None})"));
  EXPECT_THAT(dockerfile({"--tensorflow", "2.15"}), HasSubstr(R"(locked = {"tensorflow": "2.15.1", "cuda": "12.2"})"));
}

TEST(User, IsNotRoot) {
  EXPECT_THAT(dockerfile({"--torch", "2.3"}),
              AllOf(HasSubstr("ARG USER_UID=1000\n"), HasSubstr(" --groups envgen-packages dev \\\n"),
                    HasSubstr("\nUSER ${USER_UID}\n")));
  EXPECT_THAT(dockerfile({"--torch", "2.3", "--user", "jane"}), HasSubstr(" --groups envgen-packages jane \\\n"));
  EXPECT_EQ(no_dockerfile({"--torch", "2.3", "--user", "root"}),
            "envgen: --user: 'root' is a system user or group\n  such as dev\n");
}

TEST(Title, NamesTheAskedDriver) {
  EXPECT_THAT(dockerfile({"--torch", "2.6", "--variant", "devel", "--gpu", "T4", "--driver", "535"}),
              HasSubstr("for Tesla T4 with driver 535\n"));
}

TEST(Labels, NameTheLock) { EXPECT_THAT(dockerfile({"--torch", "2.3"}), HasSubstr("envgen.lock=\"sha256:")); }

TEST(Extension, ThatCompilesChoosesDevelAndComesLast) {
  const auto with = [](std::vector<std::string> words) {
    words.insert(words.begin(), {"render", "dockerfile", "--torch", "2.9"});
    const auto outcome = run_tool(words);
    EXPECT_THAT(outcome.err, HasSubstr(" needs nvcc, so the devel variant is used\n"));
    return outcome.out;
  };
  const auto text = with({"--gpu", "A100", "--pip", "flash-attn==2.8.3", "--pip", "einops"});
  EXPECT_THAT(text, AllOf(HasSubstr("\nFROM nvidia/cuda:12.8.1-devel-ubuntu24.04\n"),
                          HasSubstr(" einops ninja==1.13.0 packaging==24.2 "), HasSubstr("TORCH_CUDA_ARCH_LIST=\"8.0\""),
                          HasSubstr("/opt/venv/bin/pip install --no-build-isolation torch==2.9.1 flash-attn==2.8.3 \\\n")));
  EXPECT_LT(text.find("einops"), text.find("--no-build-isolation"));
  // What compiles when it is used needs nvcc in the image, and no build of its own.
  const auto later = with({"--pip", "deepspeed"});
  EXPECT_THAT(later, AllOf(HasSubstr("-devel-"), Not(HasSubstr("--no-build-isolation"))));
  EXPECT_THAT(with({"--needs-nvcc"}), HasSubstr("-devel-"));
}

TEST(Extension, OfXformersComesAsAWheelOrIsCompiled) {
  const auto outcome = run_tool({"render", "dockerfile", "--torch", "2.9", "--gpu", "A100", "--pip", "xformers"});
  EXPECT_THAT(outcome.err, HasSubstr("'xformers' needs nvcc, so the devel variant is used\n"));
  EXPECT_THAT(outcome.out, HasSubstr("/opt/venv/bin/pip install --no-build-isolation torch==2.9.1 xformers \\\n"));
}

TEST(Extension, IsCompiledIntoACacheOfItsOwn) {
  const auto with = [](std::vector<std::string> words) {
    words.insert(words.begin(), {"render", "dockerfile", "--torch", "2.9", "--gpu", "A100", "--gpu", "H100"});
    return run_tool(words).out;
  };
  const auto pip = with({"--pip", "flash-attn", "--pip", "mamba_ssm==2.2"});
  EXPECT_THAT(pip,
              AllOf(HasSubstr("\nCOPY envgen-extensions.py /opt/envgen/extensions.py\n"),
                    HasSubstr("    --mount=type=tmpfs,target=/root/.cache/pip/wheels \\\n"
                              "    --mount=type=cache,id=envgen-built,target=/root/.cache/envgen-built \\\n"),
                    HasSubstr(" && built=/root/.cache/envgen-built/$(/opt/venv/bin/python /opt/envgen/extensions.py key) \\\n"
                              " && PIP_CACHE_DIR=$built /opt/venv/bin/pip install --no-build-isolation torch==2.9.1 flash-attn "
                              "mamba_ssm==2.2 \\\n"
                              " && /opt/venv/bin/python /opt/envgen/extensions.py record flash-attn mamba-ssm \\\n"),
                    HasSubstr("' \\\n && python /opt/envgen/extensions.py --for 8.0 --for 9.0 check flash-attn mamba-ssm\n")));
  EXPECT_THAT(with({"--pip", "flash-attn", "--installer", "uv"}),
              AllOf(HasSubstr("uv pip install --python /opt/venv/bin/python torch==2.9.1 "),
                    HasSubstr(" && UV_CACHE_DIR=$built uv pip install --python /opt/venv/bin/python --no-build-isolation ")));
  // The builder before BuildKit keeps nothing.
  EXPECT_THAT(with({"--pip", "flash-attn", "--legacy-builder"}),
              AllOf(Not(HasSubstr("built=")), Not(HasSubstr("--mount")), HasSubstr("extensions.py record flash-attn")));
  const auto stages = with({"--pip", "flash-attn", "--multi-stage"});
  const auto copied = stages.find("COPY envgen-extensions.py");
  EXPECT_NE(stages.find("COPY envgen-extensions.py", copied + 1), std::string::npos) << "the last stage is looked at";
  EXPECT_THAT(
      run_tool({"render", "dockerfile", "--torch", "2.8", "--base", "pytorch", "--gpu", "A100", "--pip", "flash-attn"}).out,
      HasSubstr("PIP_CACHE_DIR=$built /opt/conda/bin/python -m pip install --no-build-isolation "));
  EXPECT_THAT(run_tool({"render", "dockerfile", "--torch", "2.8", "--base", "pytorch", "--installer", "uv", "--gpu", "A100",
                        "--pip", "flash-attn"})
                  .out,
              HasSubstr("PIP_CACHE_DIR=$built /opt/conda/bin/python -m pip install --no-build-isolation "));
  // What is not known to compile against torch may compile, too, with what only this image has.
  EXPECT_THAT(with({"--pip", "pycuda", "--needs-nvcc"}),
              AllOf(HasSubstr("type=tmpfs,target=/root/.cache/pip/wheels"), Not(HasSubstr("envgen-built"))));
  EXPECT_THAT(with({}), Not(HasSubstr("tmpfs")));
}

TEST(Extension, BringsAProgramThatLiesBesideTheDockerfile) {
  const auto outcome =
      test::render({"dockerfile", "--torch", "2.9", "--gpu", "A100", "--variant", "devel", "--pip", "flash-attn"});
  EXPECT_EQ(outcome.exit, 0);
  EXPECT_EQ(outcome.err, "envgen: this file needs 'envgen-extensions.py' next to it; '-o ./' writes both\n");
}

TEST(Extension, IsToldToCompileForAGpuThatABuildHasNot) {
  for (const auto* name : {"mmcv", "torch-scatter", "torch_sparse"}) {
    const auto outcome = run_tool({"render", "dockerfile", "--torch", "2.9", "--gpu", "A100", "--pip", name});
    EXPECT_THAT(outcome.out, HasSubstr("    FORCE_CUDA=\"1\"\n")) << name;
  }
  const auto outcome = run_tool({"render", "dockerfile", "--torch", "2.9", "--gpu", "A100", "--pip", "flash-attn"});
  EXPECT_THAT(outcome.out, Not(HasSubstr("FORCE_CUDA")));
}

TEST(Extension, OfApexIsAnotherProjectOnTheIndex) {
  EXPECT_EQ(no_dockerfile({"--torch", "2.9", "--pip", "apex"}),
            "envgen: --pip: 'apex' on the package index is not NVIDIA's apex\n"
            "  --needs-nvcc installs what NVIDIA's apex is built with; its source is github.com/NVIDIA/apex\n");
}

TEST(Packages, ThatAreAnotherTensorFlowAreNot) {
  for (const auto* name : {"tf-nightly", "tensorflow-gpu==2.10.0", "TensorFlow_CPU", "intel-tensorflow"})
    EXPECT_EQ(no_dockerfile({"--tensorflow", "2.15", "--pip", name}),
              fmt::format("envgen: --pip: '{}' is another TensorFlow, which the environment decides\n"
                          "  request it for the environment: --tensorflow VERSION\n",
                          name));
  EXPECT_THAT(dockerfile({"--tensorflow", "2.15", "--pip", "tensorflow-hub"}), HasSubstr(" tensorflow-hub"));
}

/// Ubuntu 18.04 has pip 9.0.1, which finds no wheel of this TensorFlow, and 20.04 has 20.0.2.
TEST(OldPip, IsReplacedBeforeItInstallsAnything) {
  EXPECT_THAT(dockerfile({"--tensorflow", "2.6.2", "--python", "3.6", "--pip", "protobuf>=3.19"}),
              HasSubstr("python3 -m venv /opt/venv \\\n && echo 'pip==21.3.1 "
                        "--hash=sha256:deaf32dcd9ab821e359cd8330786bcd077604b5c5730c0b096eda46f95c24a2d' | "
                        "/opt/venv/bin/pip install --require-hashes --requirement /dev/stdin \\\n"
                        " && /opt/venv/bin/pip install tensorflow==2.6.2 'protobuf<3.20,>=3.19' \\\n"));
  EXPECT_THAT(dockerfile({"--torch", "2.3", "--os", "ubuntu20.04"}), HasSubstr("echo 'pip==25.0.1 "));
  EXPECT_THAT(dockerfile({"--torch", "2.3", "--os", "ubuntu22.04"}), Not(HasSubstr("echo 'pip==")));
  EXPECT_THAT(dockerfile({"--torch", "2.3", "--os", "ubuntu20.04", "--installer", "uv"}), Not(HasSubstr("echo 'pip==")));
  EXPECT_THAT(dockerfile({"--tensorflow", "2.6.0", "--base", "tensorflow"}), Not(HasSubstr("echo 'pip==")));
}

TEST(Packages, CalledPyTorchAreNot) {
  EXPECT_EQ(no_dockerfile({"--torch", "2.9", "--pip", "pytorch"}),
            "envgen: --pip: 'pytorch' on the package index is not PyTorch, whose package is torch\n"
            "  request it for the environment: --torch VERSION\n");
}

TEST(Packages, ThatAnEmptyVariableNamesAreRefused) {
  for (const auto* option : {"--pip", "--apt"})
    EXPECT_EQ(no_dockerfile({"--torch", "2.9", option, ""}),
              fmt::format("envgen: {}: the value is empty\n  see 'envgen render --help'\n", option));
}

TEST(Extension, NeedsTorchForCuda) {
  EXPECT_EQ(no_dockerfile({"--torch", "2.13", "--cuda", "cpu", "--variant", "devel", "--pip", "flash-attn"}),
            "envgen: --pip: 'flash-attn' needs a CUDA build, but this is a CPU build\n");
  EXPECT_EQ(no_dockerfile({"--tensorflow", "2.15", "--variant", "devel", "--pip", "flash-attn"}),
            "envgen: --pip: 'flash-attn' needs torch, which this environment does not have\n"
            "  make an environment of PyTorch for it: --torch VERSION\n");
}

TEST(Extension, IsNotForARuntime) {
  EXPECT_EQ(no_dockerfile({"--torch", "2.9", "--variant", "runtime", "--pip", "flash_attn"}),
            "envgen: --pip: 'flash_attn' needs nvcc, which a runtime image does not have\n  omit --variant\n"
            "  or use --variant devel\n");
}

TEST(Options, OfOtherFilesAreLookedAtToo) {
  EXPECT_EQ(no_dockerfile({"--torch", "2.3", "--container-gpus", "some"}),
            "envgen: --container-gpus: 'some' is not a choice of this machine's GPUs\n  all, none, 2, device=0,1, device=0:0, "
            "GPU-UUID or MIG-UUID\n");
}

TEST(Options, DoNotNameTheFrameworkAgain) {
  for (const std::string spec : {"torch==1.0", "Torch", "torchvision>=0.1", "torchaudio", "tensorflow [and-cuda]"})
    EXPECT_THAT(no_dockerfile({"--torch", "2.3", "--pip", spec}), testing::StartsWith("envgen: --pip: '" + spec + "' names t"))
        << spec;
  EXPECT_THAT(dockerfile({"--torch", "2.3", "--pip", "torchmetrics"}), HasSubstr("torchmetrics"));
}

TEST(Hostile, ValuesAreRefusedByName) {
  EXPECT_EQ(no_dockerfile({"--torch", "2.3", "--apt", "git && curl x"}),
            "envgen: --apt: 'git && curl x' is not an apt package name\n  such as libgl1\n");
  EXPECT_EQ(no_dockerfile({"--torch", "2.3", "--pip", "-r/etc/passwd"}),
            "envgen: --pip: '-r/etc/passwd' is not a pip requirement by name\n  such as 'numpy>=1.26,<2'\n");
  EXPECT_EQ(no_dockerfile({"--torch", "2.3", "--base-image", "x\nRUN y"}),
            "envgen: --base-image: 'x\\x0aRUN y' is not an image name\n  such as registry.example.org/base:1.0\n");
  EXPECT_EQ(no_dockerfile({"--torch", "2.3", "--pip-index", "https://a/$(b)"}),
            "envgen: --pip-index: 'https://a/$(b)' is not an http, https or file URL without a password, query or "
            "fragment\n  such as "
            "https://mirror.example.org/simple\n");
}

}  // namespace
}  // namespace envgen
