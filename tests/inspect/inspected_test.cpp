#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "inspect/elf_maker.hpp"
#include "inspect/inspected.hpp"
#include "inspect/report.hpp"

namespace envgen::inspect {
namespace {

using test::elf_of;
using test::fatbin_of;
using test::MemorySource;
using test::PackedFile;
using test::zip_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::string torch_metadata =
    "Name: torch\nVersion: 2.9.1\nRequires-Python: >=3.10\nRequires-Dist: filelock\n"
    "Requires-Dist: nvidia-cudnn-cu12==9.10.2.21; platform_system == \"Linux\"\nRequires-Dist: triton==3.5.1\n";
const std::string version_py =
    "__version__ = '2.9.1+cu128'\ncuda_like = '1'\ncuda: Optional[str] = '12.8'\nhip: Optional[str] = None\n";

std::vector<PackedFile> torch_files() {
  return {{"torch/version.py", version_py},
          {"torch/lib/libtorch_cuda.so", elf_of({{{"libcudart.so.12", {}},
                                                  {"libcurl.so.4", {}},
                                                  {"libcudnn.so.9", {}},
                                                  {"libnccl.so.2", {}},
                                                  {"libc.so.6", {"GLIBC_2.27"}}},
                                                 fatbin_of({{2, 80}, {2, 90, 0x100011}, {1, 90}})})
                                             .bytes},
          {"torch/lib/libtorch_python.so",
           elf_of({{{"libtorch_cuda.so", {}}, {"libc.so.6", {"GLIBC_2.28"}}}, {}, std::string("sm_75 sm_80 compute_90\0", 23)})
               .bytes},
          {"torch/lib/libnccl.so.2", elf_of({}).bytes},
          {"torch/lib/libscript.so", "INPUT(libx.so.1)"},
          {"torch/lib/empty.so", ""},
          {"torch/vendored-1.dist-info/METADATA", "no metadata"},
          {"torch/readme.sow", "x"},
          {"torch-2.9.1.dist-info/METADATA", torch_metadata},
          {"torch-2.9.1.dist-info/WHEEL", "Tag: cp312-cp312-linux_x86_64\n"}};
}

Expected<Inspected> inspect(const std::string& bytes, const std::string& origin) {
  MemorySource source(bytes);
  return inspect_file(source, origin);
}

TEST(Inspected, AWheelOfTorch) {
  const auto inspected = inspect(zip_of(torch_files()), "d/torch-2.9.1-cp312-cp312-manylinux_2_28_x86_64.whl");
  ASSERT_TRUE(inspected) << inspected.error().message;
  ASSERT_EQ(inspected->packages.size(), 1U);
  EXPECT_THAT(inspected->packages[0].tags, ElementsAre("cp312-cp312-manylinux_2_28_x86_64"));
  ASSERT_TRUE(inspected->torch);
  EXPECT_EQ(inspected->torch->version, "2.9.1+cu128");
  EXPECT_EQ(inspected->torch->cuda, Version(12, 8));
  EXPECT_EQ(inspected->torch->arch_list->to_string(), "sm_75 sm_80 compute_90");
  EXPECT_EQ(inspected->torch->compiled.to_string(), "sm_80 sm_90a compute_90");
  EXPECT_EQ(inspected->torch->built_only().to_string(), "sm_90a");
  EXPECT_EQ(inspected->torch->listed_only().to_string(), "sm_75");
  EXPECT_EQ(inspected->libraries.size(), 3U);
  EXPECT_EQ(inspected->glibc_floor()->path, "torch/lib/libtorch_python.so");
  // libcurl is no library of CUDA, and libnccl lies in the wheel.
  EXPECT_THAT(inspected->needed_of_cuda(), ElementsAre("libcudart.so.12", "libcudnn.so.9"));
  EXPECT_EQ(pins_of(inspected->packages[0].metadata).size(), 2U);

  EXPECT_EQ(inspected_text(*inspected, {}),
            "torch                  2.9.1\n"
            "Python                 >=3.10\n"
            "tags                   cp312-cp312-manylinux_2_28_x86_64\n"
            "requires               nvidia-cudnn-cu12 ==9.10.2.21; platform_system == \"Linux\"\n"
            "requires               triton ==3.5.1\n"
            "torch in version.py    2.9.1+cu128\n"
            "CUDA version           12.8\n"
            "get_arch_list()        sm_75 sm_80 compute_90\n"
            "compiled, not listed   sm_90a\n"
            "listed, not compiled   sm_75\n"
            "GPU code (SASS)        sm_80 sm_90a\n"
            "PTX                    compute_90\n"
            "SASS, PTX from         torch/lib/libtorch_cuda.so\n"
            "glibc from tag         2.28\n"
            "glibc needed           2.28 (torch/lib/libtorch_python.so)\n"
            "CUDA libraries needed  libcudart.so.12 libcudnn.so.9\n"
            "\n"
            "library                     GPU code                 in some kernels  embedded  glibc\n"
            "torch/lib/libtorch_cuda.so  sm_80 sm_90a compute_90                             2.27\n");
  const auto json = inspected_json(*inspected);
  EXPECT_THAT(json, HasSubstr("\"cuda\": \"12.8\""));
  EXPECT_THAT(json, HasSubstr("\"glibc\": \"2.28\",\n  \"needed_of_cuda\""));
}

TEST(Inspected, SingleKernelsAreNotWhatALibraryIsBuiltFor) {
  // As torch 2.9.1: single kernels for 9.0a, another library for older GPUs, and a library of CUDA in the wheel.
  const auto most = fatbin_of({{2, 75}, {2, 80}});
  auto files = torch_files();
  files[1].text = elf_of({{}, most + most + fatbin_of({{2, 80}, {2, 90, 0x100011}})}).bytes;
  files[2].text = elf_of({{}, {}, std::string("sm_75 sm_80 sm_90\0", 18)}).bytes;
  files.push_back({"torch/lib/libtorch_cuda_linalg.so", elf_of({{}, fatbin_of({{2, 50}})}).bytes});
  files.push_back(
      {"torch/lib/libnvjpeg.so.12",
       elf_of({{}, fatbin_of({{2, 121}}) + fatbin_of({{2, 121}}) + fatbin_of({{2, 121}}) + fatbin_of({{2, 121}})}).bytes});
  const auto inspected = inspect(zip_of(files), "torch.whl");
  ASSERT_TRUE(inspected) << inspected.error().message;
  EXPECT_EQ(inspected->targets().to_string(), "sm_75 sm_80");
  EXPECT_EQ(inspected->main_library()->path, "torch/lib/libtorch_cuda.so");
  EXPECT_EQ(inspected->main_library()->targets.to_string(), "sm_75 sm_80 sm_90a");
  EXPECT_TRUE(inspected->torch->built_only().empty()) << inspected->torch->built_only().to_string();
  EXPECT_EQ(inspected->torch->listed_only().to_string(), "sm_90");
}

/// As bitsandbytes, which has a library for each CUDA, and one for GPUs of another maker.
TEST(Inspected, AWheelOfSeveralLibrariesIsSummedUpWhole) {
  const auto library = [](int sm, const char* glibc) {
    return elf_of({{{"libcudart.so.12", {}}, {"libc.so.6", {glibc}}}, fatbin_of({{2, sm}, {1, sm}})}).bytes;
  };
  const auto inspected = inspect(zip_of({{"bitsandbytes/libbitsandbytes_cuda118.so", library(50, "GLIBC_2.14")},
                                         {"bitsandbytes/libbitsandbytes_cuda128.so", library(120, "GLIBC_2.17")},
                                         {"bitsandbytes/libbitsandbytes_xpu.so", elf_of({{{"libc.so.6", {"GLIBC_2.34"}}}}).bytes},
                                         {"nvidia/libcublas.so.12", library(90, "GLIBC_2.17")},
                                         {"bitsandbytes-0.48.2.dist-info/METADATA", "Name: bitsandbytes\nVersion: 0.48.2\n"}}),
                                 "bitsandbytes.whl");
  ASSERT_TRUE(inspected) << inspected.error().message;
  EXPECT_EQ(inspected_text(*inspected, {}),
            "bitsandbytes              0.48.2\n"
            "GPU code (SASS)           sm_50 sm_120\n"
            "PTX                       compute_50 compute_120\n"
            "SASS, PTX from            2 libraries, listed below\n"
            "glibc needed              2.34 (bitsandbytes/libbitsandbytes_xpu.so)\n"
            "glibc with that GPU code  2.17 (bitsandbytes/libbitsandbytes_cuda128.so)\n"
            "CUDA libraries needed     libcudart.so.12\n"
            "\n"
            "library                                  GPU code            in some kernels  embedded  glibc\n"
            "bitsandbytes/libbitsandbytes_cuda118.so  sm_50 compute_50                               2.14\n"
            "bitsandbytes/libbitsandbytes_cuda128.so  sm_120 compute_120                             2.17\n"
            "nvidia/libcublas.so.12                   sm_90 compute_90                               2.17\n");
  EXPECT_EQ(inspected->targets().to_string(), "sm_50 sm_120 compute_50 compute_120");
}

TEST(Inspected, AWheelForProcessors) {
  const auto inspected = inspect(zip_of({{"torch/version.py", "__version__ = \"2.9.1+cpu\"\ncuda = None\n"},
                                         {"torch-2.9.1.dist-info/METADATA", "Name: torch\nVersion: 2.9.1\n"}}),
                                 "torch.whl");
  ASSERT_TRUE(inspected) << inspected.error().message;
  EXPECT_EQ(inspected->torch->version, "2.9.1+cpu");
  EXPECT_FALSE(inspected->torch->cuda);
  EXPECT_TRUE(inspected->torch->built_only().empty() && inspected->torch->listed_only().empty());
  EXPECT_EQ(inspected->glibc_floor(), nullptr);
  EXPECT_THAT(inspected_text(*inspected, {}), HasSubstr("CUDA version           none\n"));
  EXPECT_THAT(inspected_json(*inspected), HasSubstr("\"cuda\": null,\n    \"cuda_problem\": null,\n    \"arch_list\": null"));
}

TEST(Inspected, AWheelWithGpuCodeIsNeverForProcessorsAlone) {
  const std::string metadata = "Name: torch\nVersion: 2.9.1\n";
  const auto code = elf_of({{}, fatbin_of({{2, 80}})}).bytes;
  const auto inspected = inspect(zip_of({{"torch/version.py", "__version__ = '2.9.1'\ncuda = None\n"},
                                         {"torch/lib/libtorch_cuda.so", code},
                                         {"torch-2.9.1.dist-info/METADATA", metadata}}),
                                 "torch.whl");
  ASSERT_TRUE(inspected) << inspected.error().message;
  EXPECT_THAT(
      inspected_text(*inspected, {}),
      HasSubstr(
          "CUDA version           unknown: torch/version.py says None, but torch/lib/libtorch_cuda.so contains GPU code\n"));
  EXPECT_THAT(
      inspected_json(*inspected),
      HasSubstr("\"cuda\": null,\n    \"cuda_problem\": \"torch/version.py says None, but torch/lib/libtorch_cuda.so contains "
                "GPU code\",\n    \"arch_list\": null,\n    \"compiled\": {\n      \"sass\": [\n        \"sm_80\"\n      ],\n    "
                "  \"ptx\": []\n    },\n    \"anywhere\": {\n      \"sass\": [\n        \"sm_80\"\n      ],\n      \"ptx\": []\n "
                "   }\n  },\n  \"several\": [],\n  \"targets\": {\n    \"sass\": [\n      \"sm_80\"\n    ],\n    \"ptx\": []\n  "
                "},\n  \"glibc\": null,\n  \"needed_of_cuda\": [],\n  \"libraries\": [\n    {\n      \"path\": "
                "\"torch/lib/libtorch_cuda.so\",\n      \"targets\": {\n        \"sass\": [\n          \"sm_80\"\n        ],\n   "
                "     \"ptx\": []\n      },\n      \"built_for\": {\n        \"sass\": [\n          \"sm_80\"\n        ],\n      "
                "  \"ptx\": []\n      },\n      \"embedded\": {\n        \"sass\": [],\n        \"ptx\": []\n      },\n      "
                "\"needed\": [],\n      \"glibc\": null\n    }\n  ],\n  \"contradictions\": [],\n  \"unreadable\": []\n}\n"));
  // Code of others beside it says nothing of torch.
  const auto beside = inspect(zip_of({{"torch/version.py", "__version__ = '2.9.1'\ncuda = None\n"},
                                      {"torch/lib/libcudnn.so.9", code},
                                      {"torchvision/_C.so", code},
                                      {"torch-2.9.1.dist-info/METADATA", metadata}}),
                              "torch.whl");
  EXPECT_THAT(inspected_text(*beside, {}), HasSubstr("CUDA version           none\n"));
}

TEST(Inspected, AWheelThatDoesNotSayForWhichCudaItIs) {
  const auto of = [](const std::string& stated) {
    return inspect(zip_of({{"torch/version.py", stated}, {"torch-2.9.1.dist-info/METADATA", "Name: torch\nVersion: 2.9.1\n"}}),
                   "torch.whl");
  };
  const auto silent = of("__version__ = '2' + '.9.1'\n");
  ASSERT_TRUE(silent) << silent.error().message;
  EXPECT_THAT(inspected_text(*silent, {}), HasSubstr("torch in version.py    unknown\n"
                                                     "CUDA version           unknown: torch/version.py does not state it\n"));
  EXPECT_THAT(inspected_json(*silent),
              HasSubstr("\"torch\": {\n    \"version\": null,\n    \"folder\": null,\n    \"cuda\": null,\n"));
  const auto damaged = of("__version__ = '2.9.1'\ncuda = '13.2\x1b'\n");
  ASSERT_FALSE(damaged);
  EXPECT_EQ(damaged.error().message, "'torch/version.py' gives '13.2\\x1b' as its CUDA, which is not a version");
  EXPECT_EQ(damaged.error().origin, "torch.whl");
}

TEST(Inspected, ALibrary) {
  const auto inspected = inspect(elf_of({{{"libcuda.so.1", {}}}, fatbin_of({{2, 120}})}).bytes, "a/libx.so.1");
  ASSERT_TRUE(inspected) << inspected.error().message;
  EXPECT_EQ(inspected_text(*inspected, {}),
            "GPU code (SASS)        sm_120\n"
            "PTX                    none\n"
            "CUDA libraries needed  libcuda.so.1\n"
            "\n"
            "library    GPU code  in some kernels  embedded  glibc\n"
            "libx.so.1  sm_120\n");
}

TEST(Inspected, ALibraryWhoseNamesHoldControlCharacters) {
  const auto inspected =
      inspect(elf_of({{{"libcuda.so.1\nGPU code (SASS)  sm_120\r\t\x1b[31m", {"GLIBC_2.27"}}}, fatbin_of({{2, 80}})}).bytes,
              "a/lib\nx.so");
  ASSERT_TRUE(inspected) << inspected.error().message;
  EXPECT_EQ(inspected_text(*inspected, {}),
            "GPU code (SASS)        sm_80\n"
            "PTX                    none\n"
            "glibc needed           2.27 (lib\\x0ax.so)\n"
            "CUDA libraries needed  libcuda.so.1\\x0aGPU code (SASS)  sm_120\\x0d\\x09\\x1b[31m\n"
            "\n"
            "library      GPU code  in some kernels  embedded  glibc\n"
            "lib\\x0ax.so  sm_80                                2.27\n");
  EXPECT_THAT(inspected_json(*inspected), HasSubstr("libcuda.so.1\\nGPU code (SASS)  sm_120\\r\\t\\u001b[31m"));
}

TEST(Inspected, NeitherAWheelNorALibrary) {
  const auto text = inspect("some text", "a.txt");
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().message, "neither a wheel nor a library: it is neither a zip archive nor an ELF file");
  EXPECT_EQ(text.error().origin, "a.txt");
  EXPECT_EQ(text.error().code, ErrorCode::bad_input);
  EXPECT_FALSE(inspect("", "empty"));
}

TEST(Inspected, AWheelWithADamagedLibrary) {
  auto files = torch_files();
  files[1].text[4] = 1;
  const auto inspected = inspect(zip_of(files), "t.whl");
  ASSERT_FALSE(inspected);
  EXPECT_EQ(inspected.error().message,
            "cannot read 'torch/lib/libtorch_cuda.so': it is 32-bit, and only 64-bit ELF files are supported");
  EXPECT_EQ(inspected.error().origin, "t.whl");
}

TEST(Inspected, GlibcOfTags) {
  EXPECT_EQ(glibc_of({"cp312-cp312-manylinux_2_28_x86_64"}), Version(2, 28));
  EXPECT_EQ(glibc_of({"py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64"}), Version(2, 17));
  EXPECT_EQ(glibc_of({"py3-none-manylinux1_x86_64", "py3-none-manylinux2010_x86_64"}), Version(2, 5));
  EXPECT_FALSE(glibc_of({"py3-none-linux_x86_64", "py3-none-any"}));
  EXPECT_FALSE(glibc_of({}));
}

}  // namespace
}  // namespace envgen::inspect
