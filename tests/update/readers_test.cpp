#include "update/readers.hpp"

#include <chrono>

#include <gtest/gtest.h>

#include "support/temporary_folder.hpp"
#include "update/answers.hpp"
#include "update/fake_client.hpp"

namespace envgen::update {
namespace {

using Bodies = std::map<std::string, std::string>;
const std::string nvidia = "https://developer.download.nvidia.com/compute/";
const std::string wheels = "https://download.pytorch.org/whl/torch/";
const std::string hub = "https://hub.docker.com/v2/repositories/";
const std::string anaconda = "https://api.anaconda.org/package/";

/// A few facts, as the readers look them up.
class Readers : public ::testing::Test {
 protected:
  Readers() {
    folder_.write("torch.json", R"({"releases": [{"version": "2.3.1"}, {"version": "2.4.0"}], "builds": [
      {"torch": "2.3.1", "tag": "cu121", "platform": "linux-x86_64", "wheel_index": {"url": "", "pythons": ["3.12"]}},
      {"torch": "2.3.1", "tag": "cpu", "platform": "linux-x86_64", "wheel_index": null}]})");
    folder_.write("cuda.json", R"({"toolkits": [{"version": "13.4.0", "driver": "615.31"}, {"version": "13.4.1", "driver": null}],
      "minors": [{"cuda": "13.4", "native_driver": "615.31"}]})");
    folder_.write("cudnn.json", R"({"releases": [{"version": "9.28.0.42"}]})");
    folder_.write("drivers.json",
                  R"({"branches": [{"branch": "610", "latest": "610.43.02"}, {"branch": "615", "latest": "615.71.09"}]})");
    folder_.write("images.json", R"({"cuda": [{"tag": "12.4.1-cudnn-devel-ubuntu22.04", "cudnn": "9"}],
      "pytorch": [{"tag": "2.3.1-cuda12.1-cudnn8-devel"}]})");
    folder_.write("tensorflow.json", R"({"releases": [{"version": "2.20.0", "images": [{"tag": "2.20.0-gpu", "variant": "gpu",
      "evidence": "used", "os": "ubuntu22.04", "python": null, "layout": null}]}, {"version": "2.21.0", "images": []}]})");
    folder_.write("os.json", R"({"os": [{"id": "ubuntu22.04"}]})");
    known_ = matrix::Documents::read({folder_.path()}).value();
  }

  using Reader = Expected<std::vector<Reading>> (*)(Visit&);
  Expected<std::vector<Reading>> read(Reader reader, const Bodies& bodies, const std::string& mirror = {}) {
    test::FakeClient client(bodies);
    Visit visit{client, known_, [](std::string_view, std::size_t, std::size_t) {}, "2026-11-25"};
    visit.mirror = mirror;
    client.unchanged = unchanged_;
    auto result = reader(visit);
    asked_ = client.asked;
    return result;
  }
  /// The claims and notes, a line each.
  std::string lines(Reader reader, const Bodies& bodies) {
    const auto readings = read(reader, bodies);
    if (!readings) return message(readings.error());
    std::string text;
    for (const auto& reading : *readings) {
      for (const auto& claim : reading.claims) text += std::string(claim.table->list) + " " + claim.row.dump() + "\n";
      for (const auto& note : reading.notes) text += "note: " + note + "\n";
    }
    return text;
  }
  static std::string message(const Error& error) {
    EXPECT_EQ(error.code, ErrorCode::network);
    return error.origin + ": " + error.message;
  }

  test::TemporaryFolder folder_;
  matrix::Documents known_;
  std::vector<std::string> asked_;
  bool unchanged_ = false;
};

using NvidiaRedist = Readers;
using WheelIndex = Readers;
using DockerHub = Readers;
using Conda = Readers;

std::string links(std::initializer_list<std::string_view> names) {
  std::string page = "<!DOCTYPE html><body><a href='..'>..</a>";
  for (const auto name : names) page += "<a href=\"" + std::string(name) + "\">x</a>\n";
  return page;
}

/// What NVIDIA published on 2026-11-04, in the form of its manifests.
Bodies published() {
  return {
      {nvidia + "cuda/redist/",
       links({"redistrib_13.4.0.json", "redistrib_13.4.1.json", "redistrib_13.5.0.json", "cuda_cccl/", "redistrib_x.json"})},
      {nvidia + "cuda/redist/redistrib_13.4.1.json",
       R"({"release_date": "2026-09-01", "release_label": "13.4.1", "nvidia_driver": {"name": "NVIDIA Linux Driver", "version": "615.40.02"}})"},
      {nvidia + "cuda/redist/redistrib_13.5.0.json",
       R"({"release_date": "2026-11-04", "release_label": "13.5.0", "release_product": "cuda", "nvidia_driver": {"version": "620.70.06"}})"},
      {nvidia + "cudnn/redist/", links({"redistrib_8.9.7.29.json", "redistrib_9.28.0.json", "redistrib_9.28.1.json"})},
      {nvidia + "cudnn/redist/redistrib_9.28.1.json",
       R"({"release_label": "9.28.1", "cudnn": {"version": "9.28.1.4", "cuda_variant": ["12", "13"],
           "linux-x86_64": {"cuda12": {}, "cuda13": {}}, "linux-sbsa": {"cuda13": {}}, "windows-x86_64": {"cuda11": {}}}})"},
      {nvidia + "nvidia-driver/redist/",
       links({"redistrib_450.51.05.json", "redistrib_610.43.02.json", "redistrib_610.57.04.json", "redistrib_615.71.09.json",
              "redistrib_620.70.06.json"})},
  };
}

TEST_F(NvidiaRedist, IsReadAtAMirror) {
  Bodies moved;
  for (const auto& [url, body] : published()) moved["https://mirror.example/nvidia/" + url.substr(nvidia.size())] = body;
  EXPECT_TRUE(read(read_nvidia_redist, moved, "https://mirror.example/nvidia/"));
}

TEST_F(Readers, AskAMirrorAlone) {
  for (const auto reader : {read_wheel_index, read_nvidia_release_notes, read_nvidia_redist, read_docker_hub, read_conda}) {
    EXPECT_FALSE(read(reader, {}, "https://mirror.example/"));
    ASSERT_FALSE(asked_.empty());
    for (const auto& url : asked_) EXPECT_TRUE(url.starts_with("https://mirror.example/")) << url;
  }
}

TEST_F(NvidiaRedist, StatesWhatIsNewAndLeavesAloneWhatIsKnown) {
  EXPECT_EQ(lines(read_nvidia_redist, published()),
            R"(minors {"cuda":"13.4"}
toolkits {"version":"13.4.0"}
toolkits {"version":"13.4.1"}
minors {"cuda":"13.5","native_driver":"620.70.06"}
toolkits {"version":"13.4.1","driver":"615.40.02"}
note: CUDA 13.5.0: what it compiles for is stated only in its wheels (source package-index)
releases {"version":"9.28.0.42"}
releases {"version":"9.28.1.4","cuda_majors":["12","13"],"exact":false,"wheels":[]}
branches {"branch":"610"}
branches {"branch":"610","latest":"610.57.04"}
branches {"branch":"615"}
branches {"branch":"620","cuda":"13.5","latest":"620.70.06"}
note: driver branch 450: older than others that are known
)");
  EXPECT_EQ(asked_.size(), 6U) << "three indexes, and three manifests that nobody had read";
}

/// The release notes, which are read before, had its driver already.
TEST_F(NvidiaRedist, ABranchReportsTheMinorWhoseDriverIsKnown) {
  folder_.write("cuda.json",
                R"({"toolkits": [{"version": "13.4.0", "driver": "615.31"}, {"version": "13.4.1", "driver": "615.40.02"},
    {"version": "13.5.0", "driver": "620.70.06"}], "minors": [{"cuda": "13.4", "native_driver": "615.31"}, {"cuda": "13.5", "native_driver": "620.70.06"}]})");
  known_ = matrix::Documents::read({folder_.path()}).value();
  EXPECT_NE(lines(read_nvidia_redist, published()).find(R"(branches {"branch":"620","cuda":"13.5","latest":"620.70.06"})"),
            std::string::npos);
}

TEST_F(NvidiaRedist, RefusesAnotherShape) {
  auto bodies = published();
  bodies.erase(nvidia + "cuda/redist/");
  EXPECT_EQ(lines(read_nvidia_redist, bodies), nvidia + "cuda/redist/: it is not there (HTTP 404)");
  bodies[nvidia + "cuda/redist/"] = "<html>Please log in</html>";
  EXPECT_EQ(lines(read_nvidia_redist, bodies),
            nvidia + "cuda/redist/: the response is not in the format of this source: no manifest (redistrib_*.json) is linked");
  const auto manifest = nvidia + "cuda/redist/redistrib_13.5.0.json";
  const std::pair<const char*, const char*> wrong[] = {
      {R"({"release_label": "13.4.0"})", "its release_label is '13.4.0'"},
      {R"({"release_label": ["13.5.0"]})", "its release_label is ''"},
      {"[]", "not a JSON object"},
      {R"({"release_label": "13.5.0)", "not JSON ("},
      {"", "not JSON ("},
  };
  for (const auto& [body, what] : wrong) {
    bodies = published();
    bodies[manifest] = body;
    const auto said = lines(read_nvidia_redist, bodies);
    EXPECT_TRUE(said.starts_with(manifest + ": the response is not in the format of this source: " + what)) << said;
  }
  bodies = published();
  bodies[manifest] = R"({"release_label": "13.5.0", "nvidia_driver": {"version": "../../etc/passwd"}})";
  EXPECT_NE(lines(read_nvidia_redist, bodies).find("note: CUDA 13.5.0: its manifest names no driver\n"), std::string::npos);
  bodies = published();
  bodies[nvidia + "cudnn/redist/redistrib_9.28.1.json"] = R"({"release_label": "9.28.1", "cudnn": {"version": "9.9.9.9"}})";
  EXPECT_EQ(lines(read_nvidia_redist, bodies),
            nvidia + "cudnn/redist/redistrib_9.28.1.json: the response is not in the format of this source: no version of cudnn");
  bodies[nvidia + "cudnn/redist/redistrib_9.28.1.json"] =
      R"({"release_label": "9.28.1", "cudnn": {"version": "9.28.1.4", "windows-x86_64": {"cuda12": {}}}})";
  EXPECT_NE(lines(read_nvidia_redist, bodies).find("note: cuDNN 9.28.1.4: its manifest names no CUDA for Linux\n"),
            std::string::npos);
}

TEST_F(WheelIndex, StatesTheBuildsThatFileNamesSay) {
  const auto page = links({"/whl/cu121/torch-2.3.1%2Bcu121-cp312-cp312-linux_x86_64.whl#sha256=ab",
                           "/whl/cu121/torch-2.3.1%2Bcu121-cp38-cp38-linux_x86_64.whl",
                           "/whl/cpu/torch-2.3.1%2Bcpu-cp312-cp312-linux_x86_64.whl",
                           "/whl/cu130/torch-2.16.0%2Bcu130-cp314-cp314t-manylinux_2_28_aarch64.whl",
                           "/whl/cu121/torch-2.3.1%2Bcu121-cp312-cp312-win_amd64.whl",
                           "/whl/rocm6.0/torch-2.3.1%2Brocm6.0-cp312-cp312-linux_x86_64.whl",
                           "/whl/cu118/torch-1.13.1%2Bcu117-cp310-cp310-linux_x86_64.whl",
                           "/whl/test/torch-2.16.1rc1%2Bcu130-cp312-cp312-manylinux_2_28_x86_64.whl",
                           "/whl/cu121/torchvision-0.18.1%2Bcu121-cp312-cp312-linux_x86_64.whl"});
  EXPECT_EQ(lines(read_wheel_index, {{wheels, page}}),
            R"(releases {"version":"2.16.0","tags_complete":false,"default_cuda":{}}
builds {"torch":"2.3.1","tag":"cpu","platform":"linux-x86_64","cuda":null,"sass":[],"ptx":[],"wheel_index":{"url":"https://download.pytorch.org/whl/cpu","pythons":["3.12"]}}
builds {"torch":"2.3.1","tag":"cu121","platform":"linux-x86_64","cuda":"12.1","wheel_index":{"url":"https://download.pytorch.org/whl/cu121","pythons":["3.8","3.12"]}}
builds {"torch":"2.16.0","tag":"cu130","platform":"linux-aarch64","cuda":"13.0","glibc":"2.28","wheel_index":{"url":"https://download.pytorch.org/whl/cu130","pythons":["3.14t"]}}
)");
}

TEST_F(WheelIndex, RefusesAPageWithoutWheels) {
  EXPECT_EQ(lines(read_wheel_index, {{wheels, links({"numpy/", "/whl/../../../etc/passwd", "torch.whl"})}}),
            wheels + ": the response is not in the format of this source: no wheel of torch is linked");
  EXPECT_EQ(lines(read_wheel_index, {}), wheels + ": it is not there (HTTP 404)");
}

TEST_F(WheelIndex, RefusesAListingThatHasShrunk) {
  std::string builds;
  for (int i = 0; i < 20; ++i)
    builds += (i ? "," : "") + std::string(R"({"torch": "2.3.1", "tag": "cu)") + std::to_string(100 + i) +
              R"(", "platform": "linux-x86_64", "wheel_index": {}})";
  folder_.write("torch.json", R"({"releases": [{"version": "2.3.1"}], "builds": [)" + builds + "]}");
  known_ = matrix::Documents::read({folder_.path()}).value();
  EXPECT_EQ(lines(read_wheel_index, {{wheels, links({"torch-2.3.1%2Bcu121-cp312-cp312-linux_x86_64.whl"})}}),
            wheels + ": builds of torch: 1 listed here, 20 known; this looks like a partial copy");
}

Bodies hub_pages(const std::string& first, const std::string& next = "null", const std::string& second = "[]") {
  return {{hub + "nvidia/cuda/tags?page_size=100", R"({"count": 3, "next": )" + next + R"(, "results": )" + first + "}"},
          {hub + "nvidia/cuda/tags?page_size=100&page=2", R"({"next": null, "results": )" + second + "}"},
          {hub + "pytorch/pytorch/tags?page_size=100",
           R"({"count": 3, "next": null, "results": [{"name": "2.3.1-cuda12.1-cudnn8-devel", "digest": "sha256:short"},
              {"name": "2.4.0-cuda12.4-cudnn9-runtime"}, {"name": "1.0-cuda10.0-cudnn7-devel"}, {"name": "latest"}]})"},
          {hub + "tensorflow/tensorflow/tags?page_size=100",
           R"({"count": 5, "next": null, "results": [{"name": "2.20.0-gpu", "digest": "sha256:)" + std::string(64, 'b') + R"("},
              {"name": "2.20.0-gpu-jupyter"}, {"name": "2.20.0"}, {"name": "2.99.0-gpu"}, {"name": "latest-gpu"}]})"}};
}

TEST_F(DockerHub, StatesTagsAndDigestsOfAllPages) {
  const std::string digest = "sha256:" + std::string(64, 'a');
  const auto first =
      R"([{"name": "12.4.1-cudnn-devel-ubuntu22.04", "digest": ")" + digest + R"("}, {"name": "12.8.2-cudnn-runtime-ubuntu22.04"},
      {"name": "latest"}])";
  const auto second =
      R"([{"name": "13.5.0-base-ubuntu22.04"}, {"name": "13.5.0-base-ubi10"}, {"name": "13.5.0-cudnn-devel-ubuntu22.04"},
      {"name": "11.0-cudnn8-devel-ubuntu22.04"}])";
  EXPECT_EQ(
      lines(read_docker_hub, hub_pages(first, '"' + hub + R"(nvidia/cuda/tags?page_size=100&page=2")", second)),
      R"(cuda {"tag":"12.4.1-cudnn-devel-ubuntu22.04","digest":")" + digest + R"(","evidence":"listed"}
cuda {"tag":"12.8.2-cudnn-runtime-ubuntu22.04","evidence":"listed","cuda":"12.8.2","cudnn":"9","variant":"runtime","os":"ubuntu22.04","status":"unknown"}
cuda {"tag":"13.5.0-base-ubuntu22.04","evidence":"listed","cuda":"13.5.0","cudnn":null,"variant":"base","os":"ubuntu22.04","status":"unknown"}
cuda {"tag":"11.0-cudnn8-devel-ubuntu22.04","evidence":"listed","cuda":"11.0","cudnn":"8","variant":"devel","os":"ubuntu22.04","status":"unknown"}
note: nvidia/cuda:13.5.0-cudnn-devel-ubuntu22.04: its cuDNN version is unknown
note: nvidia/cuda: ubi10, which is not among the known systems, has one tag
pytorch {"tag":"2.3.1-cuda12.1-cudnn8-devel","evidence":"listed"}
pytorch {"tag":"2.4.0-cuda12.4-cudnn9-runtime","evidence":"listed","torch":"2.4.0","cuda":"12.4","cudnn":"9","variant":"runtime"}
releases {"version":"2.20.0","images":[{"tag":"2.20.0-gpu","variant":"gpu","evidence":"listed","os":"ubuntu22.04","python":null,"layout":null,"digest":"sha256:)" +
          std::string(64, 'b') +
          R"("},{"tag":"2.20.0-gpu-jupyter","variant":"gpu-jupyter","evidence":"listed","os":null,"python":null,"layout":null}]}
)");
}

/// Its links name the mirror without the login, which the next page needs as well.
TEST_F(DockerHub, IsReadAtAMirrorBehindALogin) {
  const std::string mirror = "https://bob:secret@mirror.example/hub/";
  const auto page = mirror + "nvidia/cuda/tags?page_size=100";
  const Bodies bodies{{page, R"({"count": 2, "results": [{"name": "latest"}],
                                 "next": "https://mirror.example/hub/nvidia/cuda/tags?page_size=100&page=2"})"},
                      {page + "&page=2", R"({"count": 2, "next": null, "results": [{"name": "13.5.0-base-ubuntu22.04"}]})"}};
  const auto readings = read(read_docker_hub, bodies, mirror);
  EXPECT_EQ(asked_.at(1), page + "&page=2");
  ASSERT_FALSE(readings);
  EXPECT_EQ(message(readings.error()), mirror + "pytorch/pytorch/tags?page_size=100: it is not there (HTTP 404)");
}

TEST_F(DockerHub, TakesCopiesOfPagesBehindOneThatHasNotChanged) {
  const auto second_page = hub + "nvidia/cuda/tags?page_size=100&page=2";
  const auto tag = [](const char* name) { return std::string(R"([{"name": ")") + name + R"("}])"; };
  const auto pages = hub_pages(tag("12.4.1-base-ubuntu22.04"), '"' + second_page + '"', tag("13.5.0-base-ubuntu22.04"));
  ASSERT_TRUE(read(read_docker_hub, pages));
  EXPECT_EQ(asked_.at(1), second_page) << "a first page that is new";
  unchanged_ = true;
  auto counted = pages;
  auto& first = counted[hub + "nvidia/cuda/tags?page_size=100"];
  first.replace(first.find("3"), 1, "2");
  ASSERT_TRUE(read(read_docker_hub, counted));
  EXPECT_EQ(asked_.at(1), "a copy of " + second_page);
  EXPECT_NE(asked_.at(2), hub + "nvidia/cuda/tags?page_size=100");
  // The copies of an interrupted run do not add up.
  ASSERT_TRUE(read(read_docker_hub, pages));
  EXPECT_EQ(asked_.at(2), hub + "nvidia/cuda/tags?page_size=100");
  EXPECT_EQ(asked_.at(3), second_page);
}

TEST_F(DockerHub, RefusesAnotherShape) {
  const auto url = hub + "nvidia/cuda/tags?page_size=100";
  const auto shape = url + ": the response is not in the format of this source: ";
  EXPECT_EQ(lines(read_docker_hub, hub_pages("{}")), shape + "no list 'results'");
  EXPECT_EQ(lines(read_docker_hub, hub_pages(R"([{"name": 7}])")), shape + "a tag without a name");
  EXPECT_EQ(lines(read_docker_hub, hub_pages("[]", R"("https://example.org/nvidia/cuda/tags")")),
            shape + "the next page is at https://example.org/nvidia/cuda/tags");
  EXPECT_EQ(lines(read_docker_hub, hub_pages(R"([{"name": "latest"}])")),
            hub + "nvidia/cuda/tags: the response is not in the format of this source: no image tag for any system");
  auto loop = hub_pages("[]", '"' + url + '"');
  EXPECT_EQ(lines(read_docker_hub, loop), shape + "more than 200 pages");
  auto shrunk = hub_pages("[]");
  shrunk[url] = R"({"count": 2000, "next": null, "results": [{"name": "13.5.0-base-ubuntu22.04"}]})";
  EXPECT_EQ(lines(read_docker_hub, shrunk),
            hub + "nvidia/cuda/tags: tags: 1 listed here, 2000 known; this looks like a partial copy");
}

const std::string labels_url = anaconda + "nvidia/cuda-toolkit/files";
const std::string forge_url = anaconda + "conda-forge/pytorch/files";

Bodies conda_files() {
  return {
      {labels_url,
       R"([{"version": "13.5.0", "labels": ["cuda-13.5.0", "main"], "attrs": {}}, {"version": "12.1.1", "labels": ["cuda-12.1.1", "cuda-x"], "attrs": {}}])"},
      {forge_url, R"([{"version": "2.4.0", "attrs": {"subdir": "linux-64", "build": "cuda130_mkl_py312_h1_300"}},
             {"version": "2.4.0", "attrs": {"subdir": "linux-64", "build": "cuda130_mkl_py310_h1_300"}},
             {"version": "2.4.0", "attrs": {"subdir": "linux-aarch64", "build": "cpu_generic_py310_h1_0"}},
             {"version": "2.4.0", "attrs": {"subdir": "osx-arm64", "build": "cpu_generic_py310_h1_0"}},
             {"version": "1.0.0", "attrs": {"subdir": "linux-64", "build": "cuda130_mkl_py312_h1_300"}},
             {"version": "2.4.0", "attrs": {"subdir": "linux-64", "build": "py37_0"}}])"}};
}

TEST_F(Conda, StatesLabelsAndBuilds) {
  EXPECT_EQ(lines(read_conda, conda_files()),
            R"(labels {"label":"nvidia/label/cuda-12.1.1","cuda":"12.1.1","evidence":"listed"}
labels {"label":"nvidia/label/cuda-13.5.0","cuda":"13.5.0","evidence":"listed"}
builds {"torch":"2.4.0","channel":"conda-forge","cuda":"13.0","platform":"linux-x86_64","arm_variant":null,"spec":"pytorch==2.4.0=cuda130*","channels":["conda-forge"],"pythons":["3.10","3.12"]}
builds {"torch":"2.4.0","channel":"conda-forge","cuda":null,"platform":"linux-aarch64","arm_variant":null,"spec":"pytorch==2.4.0=cpu*","channels":["conda-forge"],"pythons":["3.10"],"sass":[],"ptx":[]}
)");
}

TEST_F(Conda, RefusesAnotherShape) {
  const auto said = [&](const std::string& url, const char* body) {
    auto bodies = conda_files();
    bodies[url] = body;
    return lines(read_conda, bodies);
  };
  const std::string shape = ": the response is not in the format of this source: ";
  EXPECT_EQ(said(labels_url, "{}"), labels_url + shape + "no list of files");
  EXPECT_EQ(said(labels_url, "[1]"), labels_url + shape + "a file without version and attrs");
  EXPECT_EQ(said(labels_url, R"([{"version": "13.5.0", "attrs": {}}])"),
            labels_url + shape + "no file has a label of a toolkit (cuda-13.0.0)");
  EXPECT_EQ(said(forge_url, "garbage"), forge_url + shape + "no list of files");
  EXPECT_EQ(said(forge_url, R"([{"version": "2.4.0", "attrs": {"subdir": "win-64", "build": "x"}}])"),
            forge_url + shape + "no build of a known torch for Linux");
}

TEST(LinkedNames, AreTheLastStepsOfAddresses) {
  EXPECT_EQ(
      linked_names(
          R"(<a href="/whl/a%2Bb.whl#sha256=1" data-x="y">z</a><a class=x href='c/?q=/d'>e</a><a name="f"><a href=g>h<a href="..%2Fi">)"),
      (std::vector<std::string>{"a+b.whl", "c"}));
  EXPECT_EQ(linked_names("<a href=\"j\x01k\"><a href=\"l"), std::vector<std::string>());
  EXPECT_EQ(linked_names("<a <a <a href=\"m\">"), std::vector<std::string>{"m"});
}

/// A page is read in time that grows with its length: 3 MB of tags that do not end took a minute.
TEST(LinkedNames, TakeNoLongerWhereTagsDoNotEnd) {
  std::string page;
  for (int i = 0; i < 1'000'000; ++i) page += "<a ";
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(linked_names(page), std::vector<std::string>());
  EXPECT_EQ(linked_names(page + ">"), std::vector<std::string>());
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
}

}  // namespace
}  // namespace envgen::update
