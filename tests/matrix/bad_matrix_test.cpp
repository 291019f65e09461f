#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "matrix/lint.hpp"
#include "matrix/loader.hpp"
#include "support/matrix_folder.hpp"

/// Matrix files that people get wrong: each is refused with the fact, the file and the JSON pointer.
namespace envgen::matrix {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

class BadMatrix : public testing::Test {
 protected:
  /// `PLACE: message (hint)`, the place without the folder.
  std::string text_of(const Error& error) const {
    const auto prefix = folder.path().string() + "/";
    auto text = error.origin + ": " + error.message;
    if (text.starts_with(prefix)) text.erase(0, prefix.size());
    for (const auto& hint : error.hints) text += " (" + hint + ")";
    return text;
  }

  std::vector<std::string> texts_of(const std::vector<Error>& errors) const {
    std::vector<std::string> texts;
    for (const auto& error : errors) texts.push_back(text_of(error));
    return texts;
  }

  static Loaded loaded_over_the_shipped(const std::filesystem::path& layer) { return load({ENVGEN_MATRIX_FOLDER, layer}); }

  /// What is wrong with the folder alone, when reading stops at the first problem.
  std::string refusal() const {
    const auto loaded = folder.load();
    EXPECT_EQ(loaded.block, nullptr);
    if (loaded.problems.size() != 1) return std::to_string(loaded.problems.size()) + " problems";
    EXPECT_EQ(loaded.problems.front().code, ErrorCode::bad_input);
    return text_of(loaded.problems.front());
  }

  std::string refusal_of_file(std::string_view file, std::string_view text) const {
    folder.write(file, text);
    return refusal();
  }
  std::string refusal_of(std::string_view text) const { return refusal_of_file("torch.json", text); }

  /// Every problem in the rows of one file. That the other tables are missing is another matter.
  std::vector<std::string> problems_of(std::string_view file, std::string_view text) const {
    folder.write(file, text);
    auto loaded = folder.load();
    EXPECT_EQ(loaded.block, nullptr);
    const auto rows = (folder.path() / file).string() + "#";
    std::erase_if(loaded.problems, [&](const Error& error) { return !error.origin.starts_with(rows); });
    return texts_of(loaded.problems);
  }

  /// What lint says of one file laid over the shipped facts.
  std::vector<std::string> findings_of(std::string_view file, std::string_view text) const {
    folder.write(file, text);
    const auto found = lint({ENVGEN_MATRIX_FOLDER, folder.path()});
    return found ? texts_of(*found) : std::vector<std::string>{text_of(found.error())};
  }

  test::MatrixFolder folder;
};

/// A drivers.json with one row of a list, whose source is there.
std::string drivers(const std::string& list, const std::string& row) {
  return R"({"sources": {"s": {"what": "a test", "url": null, "check": "a file", "read": "2026-11-21"}}, ")" + list + R"(": [)" +
         row + "]}";
}

// ---- folders and files

TEST_F(BadMatrix, WithMoreRowsThanCanBeNumbered) {
  std::string rows;
  for (int i = 0; i < 32768; ++i) rows += (i == 0 ? "" : ",") + std::string(R"({"id": "os)") + std::to_string(i) + R"("})";
  EXPECT_EQ(refusal_of_file("os.json", R"({"sources": {}, "os": [)" + rows + R"(], "pythons": []})"),
            "os.json#/os: 32768 rows exceed the limit of 32767");
}

TEST_F(BadMatrix, AFolderThatIsNotThere) {
  const auto missing = folder.path() / "nowhere";
  const auto loaded = load({missing});
  EXPECT_EQ(loaded.block, nullptr);
  EXPECT_THAT(texts_of(loaded.problems), ElementsAre("nowhere: no such folder (--matrix takes a folder of matrix files)"));
}

TEST_F(BadMatrix, AFileInPlaceOfAFolder) {
  folder.write("torch.json", "{}");
  EXPECT_THAT(texts_of(load({folder.path() / "torch.json"}).problems),
              ElementsAre("torch.json: no such folder (--matrix takes a folder of matrix files)"));
}

TEST_F(BadMatrix, AFolderWithoutMatrixFiles) {
  const auto loaded = folder.load();
  ASSERT_EQ(loaded.problems.size(), 1U);
  EXPECT_EQ(loaded.problems.front().message, "there is no matrix file in this folder");
  EXPECT_EQ(loaded.problems.front().origin, folder.path().string());
  EXPECT_THAT(loaded.problems.front().hints, ElementsAre("a layer contains files such as torch.json or gpus.json"));
}

TEST_F(BadMatrix, AFolderOfOtherFilesIsOneWithoutMatrixFiles) {
  folder.write("Torch.json", "{}");
  folder.write("torch.json.bak", "{}");
  EXPECT_EQ(folder.load().problems.front().message, "there is no matrix file in this folder");
}

/// Nobody writes into the pipe: reading it would wait for ever. A link that leads nowhere is not as if no file were there.
TEST_F(BadMatrix, AFileThatIsNone) {
  const auto path = folder.path() / "torch.json";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  EXPECT_THAT(texts_of(folder.load().problems), ElementsAre("torch.json: not a regular file"));
  std::filesystem::remove(path);
  std::filesystem::create_symlink("torch.json", path);
  EXPECT_THAT(texts_of(folder.load().problems),
              ElementsAre("torch.json: cannot open the file (Too many levels of symbolic links)"));
  std::filesystem::remove(path);
  std::filesystem::create_symlink("gone.json", path);
  EXPECT_THAT(texts_of(folder.load().problems), ElementsAre("torch.json: cannot open the file (No such file or directory)"));
}

TEST_F(BadMatrix, ALayerOverTheShippedFactsIsReadAsStrictly) {
  EXPECT_THAT(texts_of(loaded_over_the_shipped(folder.path() / "nowhere").problems),
              ElementsAre("nowhere: no such folder (--matrix takes a folder of matrix files)"));
}

TEST_F(BadMatrix, AFolderInPlaceOfAFile) {
  std::filesystem::create_directory(folder.path() / "torch.json");
  EXPECT_EQ(refusal(), "torch.json: cannot read the file (Is a directory)");
}

TEST_F(BadMatrix, AFileThatCannotBeRead) {
  // Reading the memory of a process at 0 fails for everyone, root too.
  std::filesystem::create_symlink("/proc/self/mem", folder.path() / "torch.json");
  EXPECT_EQ(refusal(), "torch.json: cannot read the file (Input/output error)");
}

TEST_F(BadMatrix, AFileOf100MegabytesIsRefusedByItsSize) {
  folder.write("torch.json", "");
  std::filesystem::resize_file(folder.path() / "torch.json", 100'000'000);  // a hole: no such bytes are stored
  EXPECT_EQ(refusal(), "torch.json: the file is larger than 64 MiB");
}

TEST_F(BadMatrix, AFileWithoutAnEndIsRefusedByItsSize) {
  std::filesystem::create_symlink("/dev/zero", folder.path() / "torch.json");
  EXPECT_EQ(refusal(), "torch.json: the file is larger than 64 MiB");
}

// ---- texts that are no JSON

TEST_F(BadMatrix, AnEmptyFile) {
  EXPECT_EQ(refusal_of(""), "torch.json: the file is empty");
  EXPECT_EQ(refusal_of(" \r\n\t\n"), "torch.json: the file is empty");
}

TEST_F(BadMatrix, ATruncatedFile) {
  EXPECT_EQ(refusal_of("{"), "torch.json: the file is truncated (line 1, column 2)");
  EXPECT_EQ(refusal_of("{\n  \"releases\": [{\"version\": \"2.3"), "torch.json: the file is truncated (line 2, column 32)");
  EXPECT_EQ(refusal_of("{\"releases\": []"), "torch.json: the file is truncated (line 1, column 16)");
}

TEST_F(BadMatrix, ANulByte) {
  EXPECT_EQ(refusal_of(std::string_view("\0", 1)), "torch.json: the text contains a NUL byte (line 1, column 1)");
  EXPECT_EQ(refusal_of(std::string_view("{\"releases\":\n []}\0{}", 20)),
            "torch.json: the text contains a NUL byte (line 2, column 5)");
}

TEST_F(BadMatrix, TextThatIsNoJson) {
  EXPECT_EQ(refusal_of("releases: []"), "torch.json: not JSON (line 1, column 1)");
  EXPECT_EQ(refusal_of("{\"releases\": [],}"), "torch.json: not JSON (line 1, column 17)");
  EXPECT_EQ(refusal_of("{\n// a comment\n}"), "torch.json: not JSON (line 2, column 1)");
  EXPECT_EQ(refusal_of("{} {}"), "torch.json: not JSON (line 1, column 4)");
  EXPECT_EQ(refusal_of("{'releases': []}"), "torch.json: not JSON (line 1, column 2)");
  EXPECT_EQ(refusal_of("{\"a\": \"x\ny\"}"), "torch.json: not JSON (line 1, column 9)");
}

TEST_F(BadMatrix, InvalidUtf8) {
  EXPECT_EQ(refusal_of("{\"\xff\": []}"), "torch.json: not UTF-8 (byte 3: line 1, column 3) (save it as UTF-8)");
}

TEST_F(BadMatrix, AFileThatIsNoObject) {
  for (const auto* text : {"[]", "null", "1", "\"releases\"", "true"})
    EXPECT_EQ(refusal_of(text), "torch.json: must be an object at the top level") << text;
}

TEST_F(BadMatrix, ThirtyThreeLevelsOfNesting) {
  const auto nested = [](std::size_t lists) {
    return "{\"releases\": " + std::string(lists, '[') + std::string(lists, ']') + "}";
  };
  EXPECT_EQ(refusal_of(nested(32)), "torch.json: nested deeper than 32 levels");
  EXPECT_EQ(refusal_of(nested(31)), "torch.json#/releases/0: must be an object");
}

TEST_F(BadMatrix, AMillionLevelsOfNesting) {
  EXPECT_EQ(refusal_of(std::string(1'000'000, '[')), "torch.json: nested deeper than 32 levels");
  std::string objects;
  for (int i = 0; i < 1'000'000; ++i) objects += "{\"a\":";
  EXPECT_EQ(refusal_of(objects), "torch.json: nested deeper than 32 levels");
}

TEST_F(BadMatrix, AMemberThatStandsTwice) {
  EXPECT_EQ(refusal_of(R"({"releases": [], "releases": []})"),
            "torch.json#/releases: the name appears twice in one object (keep one of the two)");
  EXPECT_EQ(refusal_of(R"({"releases": [{"version": "2.3.1"}, {"version": "2.4.0", "version": "2.5.0"}]})"),
            "torch.json#/releases/1/version: the name appears twice in one object (keep one of the two)");
  EXPECT_EQ(refusal_of(R"({"sources": {"s": {"what": "a"}, "s": {"what": "b"}}})"),
            "torch.json#/sources/s: the name appears twice in one object (keep one of the two)");
}

// ---- lists and rows

TEST_F(BadMatrix, AListThatIsNotKnown) {
  EXPECT_EQ(refusal_of(R"({"release": []})"),
            "torch.json#/release: unknown list 'release' in torch.json (did you mean releases?)");
  EXPECT_EQ(refusal_of(R"({"gpus": []})"), "torch.json#/gpus: unknown list 'gpus' in torch.json");
  folder.write("torch.json", "{}");
  EXPECT_EQ(refusal_of_file("cuda.json", R"({"mijors": []})"),
            "cuda.json#/mijors: unknown list 'mijors' in cuda.json (did you mean minors?)")
      << "one of the two that are as near";
}

TEST_F(BadMatrix, AListThatIsNone) {
  EXPECT_EQ(refusal_of(R"({"releases": {}})"), "torch.json#/releases: must be a list");
  EXPECT_EQ(refusal_of(R"({"releases": null})"), "torch.json#/releases: must be a list");
  EXPECT_EQ(refusal_of(R"({"sources": []})"), "torch.json#/sources: must be an object");
}

TEST_F(BadMatrix, ARowThatIsNoObject) {
  EXPECT_EQ(refusal_of(R"({"releases": ["2.3.1"]})"), "torch.json#/releases/0: must be an object");
  EXPECT_EQ(refusal_of(R"({"releases": [null]})"), "torch.json#/releases/0: must be an object");
}

TEST_F(BadMatrix, ARowWithoutItsKey) {
  EXPECT_EQ(refusal_of(R"({"releases": [{}]})"), "torch.json#/releases/0: the field 'version' is missing");
  EXPECT_EQ(refusal_of(R"({"builds": [{"torch": "2.3.1", "tag": "cu121"}]})"),
            "torch.json#/builds/0: the field 'platform' is missing");
}

TEST_F(BadMatrix, ARowThatStandsTwice) {
  const auto text = refusal_of(R"({"releases": [{"version": "2.3.1"}, {"version": "2.4.0"}, {"version": "2.3.1"}]})");
  EXPECT_EQ(text, "torch.json#/releases/2: duplicate row: " + folder.path().string() +
                      R"(/torch.json#/releases/0 is the same "2.3.1" )");
}

TEST_F(BadMatrix, TheSameRowInTwoLayersIsNoMistake) {
  folder.write("drivers.json", drivers("branches", R"({"branch": "535", "kind": "lts", "cuda": "12.2",
               "first": "535.54.03", "latest": null, "released": null, "eol": null, "source": "s"})"));
  const auto loaded = loaded_over_the_shipped(folder.path());
  EXPECT_THAT(texts_of(loaded.problems), IsEmpty());
  ASSERT_NE(loaded.block, nullptr);
  EXPECT_FALSE(loaded.block->matrix().branch(535)->latest);  // the later layer's row
  EXPECT_TRUE(loaded.block->matrix().branch(570)->latest);
}

// ---- cells

TEST_F(BadMatrix, CellsOfAWrongType) {
  EXPECT_THAT(problems_of("drivers.json", drivers("gpu_drivers", R"({"capability": "13.0", "first_driver": 620,
              "last_branch": ["700"], "kernel_module": null, "tegra": "no", "source": "s"})")),
              ElementsAre("drivers.json#/gpu_drivers/0/first_driver: must be a string",
                          "drivers.json#/gpu_drivers/0/last_branch: must be a string",
                          "drivers.json#/gpu_drivers/0/kernel_module: must be a string",
                          "drivers.json#/gpu_drivers/0/kernel_module: '' is not one of either, proprietary, open, tegra",
                          "drivers.json#/gpu_drivers/0/tegra: must be true or false"));
}

TEST_F(BadMatrix, CellsThatCannotBeUnderstood) {
  EXPECT_THAT(
      problems_of("drivers.json", drivers("gpu_drivers", R"({"capability": "sm13", "first_driver": "R620",
              "last_branch": "70000", "kernel_module": "opne", "tegra": false, "source": "s"})")),
      ElementsAre("drivers.json#/gpu_drivers/0/first_driver: 'R620' is not a version number (only digits and dots are allowed)",
                  "drivers.json#/gpu_drivers/0/last_branch: '70000' is not a version number (a part is larger than 65535)",
                  "drivers.json#/gpu_drivers/0/kernel_module: 'opne' is not one of either, proprietary, open, tegra"));
}

TEST_F(BadMatrix, ACellOf1Megabyte) {
  const auto file = [](std::size_t length) {
    return R"({"sources": {"s": {"what": ")" + std::string(length, 'x') +
           R"(", "url": null, "check": "a file", "read": "2026-11-22"}}, "branches": []})";
  };
  EXPECT_THAT(
      problems_of("drivers.json", file(std::size_t{1} << 20)),
      ElementsAre("drivers.json#/sources/s/what: '" + std::string(60, 'x') + "...' (1048576 bytes) is longer than 16 KiB"));
  EXPECT_THAT(problems_of("drivers.json", file(std::size_t{16} << 10)), IsEmpty());
}

/// What a shell, a template or JSON would read as more than text is a text like any other.
TEST_F(BadMatrix, ACellThatALanguageWouldObeyIsText) {
  const std::string name = R"(a "board" of 'mine', $(touch x) `touch y` {{z}} # <b> \\)";
  std::ifstream shipped(ENVGEN_MATRIX_FOLDER "/gpus.json");
  const auto gpus = nlohmann::json::parse(shipped);
  auto odd = gpus.at("gpus").front();
  odd.update({{"name", name}, {"aliases", {"odd board"}}, {"pci_ids", nlohmann::json::array()}});
  folder.write("gpus.json", nlohmann::json{{"sources", gpus.at("sources")}, {"gpus", {odd}}}.dump());
  const auto loaded = loaded_over_the_shipped(folder.path());
  EXPECT_THAT(texts_of(loaded.problems), IsEmpty());
  ASSERT_NE(loaded.block, nullptr);
  const auto matrix = loaded.block->matrix();
  const auto found =
      std::find_if(matrix->gpus.begin(), matrix->gpus.end(), [&](const Gpu& gpu) { return gpu.name.view() == name; });
  EXPECT_NE(found, matrix->gpus.end());
}

TEST_F(BadMatrix, CellsThatAreMissing) {
  EXPECT_THAT(problems_of("cuda.json", R"({"minors": [{"cuda": "12.1"}]})"),
              ElementsAre("cuda.json#/minors/0: the field 'native_driver' is missing",
                          "cuda.json#/minors/0: the field 'source' is missing", "cuda.json#/minors/0/source: must be a string"));
}

TEST_F(BadMatrix, ListsOfAWrongTypeInsideARow) {
  EXPECT_THAT(
      problems_of("cudnn.json", R"({"sources": {"s": {"what": "a test", "url": null, "check": "a file", "read": "2026-11-21"}},
              "releases": [{"version": "9.99.0", "cuda_majors": "12", "gpus": [{"cuda": "12", "min": 5, "max": null}],
              "exact": true, "wheels": [1], "glibc": "2.5", "source": "s"}]})"),
      ElementsAre("cudnn.json#/releases/0/cuda_majors: must be a list", "cudnn.json#/releases/0/gpus/0/min: must be a string",
                  "cudnn.json#/releases/0/gpus/0/min: '' is not a compute capability (such as 8.6 or sm_86)",
                  "cudnn.json#/releases/0/wheels/0: must be a string"));
}

TEST_F(BadMatrix, AFieldThatIsNotKnown) {
  EXPECT_THAT(
      problems_of("cuda.json", R"({"sources": {"s": {"what": "a test", "url": null, "check": "a file", "read": "2026-11-21"}},
              "minors": [{"cuda": "12.1", "native_driver": "530.30.02", "nativ_driver": "530", "colour": "red", "source": "s"}]})"),
      ElementsAre("cuda.json#/minors/0: unknown field 'nativ_driver' (did you mean native_driver?)",
                  "cuda.json#/minors/0: unknown field 'colour'"));
}

TEST_F(BadMatrix, ASourceThatIsNotThere) {
  EXPECT_THAT(problems_of("cuda.json", R"({"minors": [{"cuda": "12.1", "native_driver": "530.30.02", "source": "nowhere",
              "field_sources": {"native_driver": "nobody"}}]})"),
              ElementsAre("cuda.json#/minors/0/source: the source 'nowhere' is not in this file's sources",
                          "cuda.json#/minors/0/field_sources/native_driver: the source 'nobody' is not in this file's sources"));
}

TEST_F(BadMatrix, ASourceOfAnotherFileIsNotThere) {
  EXPECT_THAT(problems_of("cuda.json", R"({"minors": [{"cuda": "12.1", "native_driver": "530.30.02", "source": "lifecycle"}]})"),
              ElementsAre("cuda.json#/minors/0/source: the source 'lifecycle' is not in this file's sources"));
}

TEST_F(BadMatrix, ASourceWithoutItsFields) {
  EXPECT_THAT(problems_of("cuda.json", R"({"sources": {"s": {"what": "a test", "link": "x", "read": "2026-11-21"}}})"),
              ElementsAre("cuda.json#/sources/s: unknown field 'link'", "cuda.json#/sources/s: the field 'url' is missing"));
}

TEST_F(BadMatrix, ABuildOfAReleaseThatIsNotThere) {
  const auto problems =
      problems_of("torch.json", R"({"sources": {"s": {"what": "a test", "url": null, "check": "a file", "read": "2026-11-21"}},
      "builds": [{"torch": "9.9.9", "tag": "cpu", "platform": "linux-x86_64", "cuda": null, "toolkit": null, "official": true,
      "cudnn": null, "nccl": null, "triton": null, "triton_pythons": null, "sass": [], "ptx": [], "glibc": null,
      "wheel_index": null, "package_index": null, "source": "s"}]})");
  EXPECT_THAT(problems, ElementsAre("torch.json#/builds/0/torch: no release '9.9.9' is in the matrix"));
}

TEST_F(BadMatrix, ATargetThatIsNone) {
  const auto problems =
      problems_of("cuda.json", R"({"sources": {"s": {"what": "a test", "url": null, "check": "a file", "read": "2026-11-21"}},
      "toolkits": [{"version": "12.1.1", "minor": "12.1", "released": null, "driver": null, "ptx_isa": null,
      "archs": ["8.6", "86", "sm_90b"], "arch_specific": ["9.0a"], "gcc_max": "12", "os": [], "source": "s"}]})");
  EXPECT_THAT(problems, ElementsAre("cuda.json#/toolkits/0/archs/1: '86' is not a compute capability (such as 8.6 or sm_86)",
                                    "cuda.json#/toolkits/0/archs/2: 'sm_90b' is not a compute capability (such as 8.6 or sm_86)",
                                    "cuda.json#/toolkits/0/gcc_max: must be an integer"));
}

TEST_F(BadMatrix, ANegativeOrBrokenNumberIsNoWholeNumber) {
  for (const auto* number : {"-1", "12.5"}) {
    const auto problems = problems_of(
        "cuda.json", std::string(R"({"sources": {"s": {"what": "a test", "url": null, "check": "a file", "read": "2026-11-21"}},
      "toolkits": [{"version": "12.1.1", "minor": "12.1", "released": null, "driver": null, "ptx_isa": null,
      "archs": [], "arch_specific": [], "os": [], "source": "s", "gcc_max": )") +
                         number + "}]}");
    EXPECT_THAT(problems, ElementsAre("cuda.json#/toolkits/0/gcc_max: must be an integer")) << number;
  }
}

TEST_F(BadMatrix, ASchemaOfAnotherVersion) {
  folder.write("matrix.json", R"({"schema_version": 2})");
  const auto loaded = loaded_over_the_shipped(folder.path());
  EXPECT_EQ(loaded.block, nullptr);
  EXPECT_THAT(texts_of(loaded.problems), ElementsAre("matrix.json#/schema_version: this envgen reads schema_version 1"));
}

TEST_F(BadMatrix, ALayerAloneLacksTheTables) {
  folder.write("torch.json", "{}");
  const auto loaded = folder.load();
  EXPECT_EQ(loaded.block, nullptr);
  const auto problems = texts_of(loaded.problems);
  for (const auto* problem : {"torch.json: the matrix has no release (a layer adds to other facts: name their folder before it)",
                              "torch.json: the matrix has no build", "cuda.json: the matrix has no CUDA major",
                              "drivers.json: the matrix has no driver branch", "os.json: the matrix has no operating system",
                              "matrix.json#: the field 'schema_version' is missing",
                              "matrix.json#: the field 'revision' is missing", "matrix.json#: the field 'read' is missing"})
    EXPECT_THAT(problems, Contains(problem));
}

// ---- rows that contradict each other: these load, and lint names them

TEST_F(BadMatrix, AGpuThatItsFirstDriverHasDropped) {
  EXPECT_THAT(
      findings_of("drivers.json", drivers("gpu_drivers", R"({"capability": "6.0", "first_driver": "580.65.06",
              "last_branch": "535", "kernel_module": "either", "tegra": false, "source": "s"})")),
      ElementsAre("drivers.json#/gpu_drivers/0/last_branch: the last branch 535 is older than the first driver 580.65.06"));
}

TEST_F(BadMatrix, ALastBranchThatHasNoRow) {
  EXPECT_THAT(findings_of("drivers.json", drivers("gpu_drivers", R"({"capability": "9.0", "first_driver": "520.61.05",
              "last_branch": "999", "kernel_module": "either", "tegra": false, "source": "s"})")),
              ElementsAre("drivers.json#/gpu_drivers/0/last_branch: the branch 999 is not in drivers.json"));
}

TEST_F(BadMatrix, ABranchWhoseReleasesAreOfAnother) {
  EXPECT_THAT(findings_of("drivers.json", drivers("branches", R"({"branch": "535", "kind": "lts", "cuda": "12.2",
              "first": "530.30.02", "latest": "525.60.13", "released": null, "eol": null, "source": "s"})")),
              ElementsAre("drivers.json#/branches/0/first: 530.30.02 is not a release of the branch 535",
                          "drivers.json#/branches/0/latest: 525.60.13 is not a release of the branch 535",
                          "drivers.json#/branches/0/latest: the latest release 525.60.13 is older than the first, 530.30.02"));
}

TEST_F(BadMatrix, ForwardCompatibilityOfACudaAndABranchWithoutRows) {
  EXPECT_THAT(findings_of("drivers.json",
                          drivers("forward_compat", R"({"cuda": "12.7", "branch": "999", "works": true, "source": "s"})")),
              ElementsAre("drivers.json#/forward_compat/0/cuda: CUDA 12.7 is not in the minors of cuda.json",
                          "drivers.json#/forward_compat/0/branch: the branch 999 is not in drivers.json"));
}

TEST_F(BadMatrix, AToolkitOfAnotherMinor) {
  EXPECT_THAT(
      findings_of("cuda.json", R"({"sources": {"s": {"what": "a test", "url": null, "check": "a file", "read": "2026-11-21"}},
      "toolkits": [{"version": "12.9.9", "minor": "12.8", "released": null, "driver": null, "ptx_isa": null,
      "archs": [], "arch_specific": [], "gcc_max": null, "os": [], "source": "s"}]})"),
      ElementsAre("cuda.json#/toolkits/0/minor: the minor of 12.9.9 is 12.9"));
}

// ---- what a wheel asks for

std::string torchvision(const std::string& requires_torch, const std::string& requires_python = "null") {
  return R"({"sources": {"s": {"what": "a test", "url": null, "check": "a file", "read": "2026-11-21"}}, "torchvision": [{"version": "0.18.1",
    "platform": "linux-x86_64", "pythons": ["3.11"], "source": "s", "requires_torch": )" +
         requires_torch + R"(, "requires_python": )" + requires_python + "}]}";
}

TEST_F(BadMatrix, ARequirementThatIsNoVersion) {
  const std::string torch = "torch.json#/torchvision/0/requires_torch: ";
  const std::string python = "torch.json#/torchvision/0/requires_python: ";
  EXPECT_THAT(problems_of("torch.json", torchvision("\"x\"")),
              ElementsAre(torch + "'x' is not a version number (only digits and dots are allowed)"));
  EXPECT_THAT(problems_of("torch.json", torchvision("\"\"")),
              ElementsAre(torch + "'' is not a version or range (a part of it is empty)"));
  EXPECT_THAT(problems_of("torch.json", torchvision("\"==2.3.1,\"")),
              ElementsAre(torch + "'==2.3.1,' is not a version or range (a part of it is empty)"));
  EXPECT_THAT(problems_of("torch.json", torchvision("231")), ElementsAre(torch + "must be a string"));
  EXPECT_THAT(problems_of("torch.json", torchvision("null", "\">=x\"")),
              ElementsAre(python + "'>=x' is not a version number (only digits and dots are allowed)"));
}

TEST_F(BadMatrix, ARequirementThatExcludesTheReleaseThatNamesIt) {
  for (const auto* asked : {"==2.3.0", ">=9", "==2.3.1+cu121"}) {
    folder.write("torch.json", torchvision('"' + std::string(asked) + '"'));
    EXPECT_THAT(texts_of(loaded_over_the_shipped(folder.path()).problems),
                ElementsAre("torch.json#/torchvision/0/requires_torch: 0.18.1 requires torch " + std::string(asked) +
                            ", but torch 2.3.1 names it as its torchvision"));
  }
  folder.write("torch.json", torchvision("\"==2.3.1\""));
  EXPECT_NE(loaded_over_the_shipped(folder.path()).block, nullptr);
}

TEST_F(BadMatrix, AToolkitOfAnotherMinorIsNotLoaded) {
  const auto toolkit = [](const std::string& version, const std::string& minor) {
    return R"({"sources": {"s": {"what": "a test", "url": null, "check": "a file", "read": "2026-11-21"}}, "toolkits": [{"version": ")" +
           version + R"(", "minor": ")" + minor +
           R"(", "released": "2023-02", "driver": "525.60.13", "ptx_isa": null, "archs": ["8.0"],
      "arch_specific": [], "gcc_max": 12, "os": [], "source": "s"}]})";
  };
  EXPECT_THAT(problems_of("cuda.json", toolkit("11.7.0", "12.3")),
              ElementsAre("cuda.json#/toolkits/0/minor: the minor of 11.7.0 is 11.7"));
  EXPECT_THAT(problems_of("cuda.json", toolkit("1", "12.1")), ElementsAre("cuda.json#/toolkits/0/minor: the minor of 1 is 1.0"));
  EXPECT_THAT(problems_of("cuda.json", toolkit("12.3.1", "12.3")), IsEmpty());
}

TEST_F(BadMatrix, AGateOfAnotherCuda) {
  folder.write("images.json", R"({"sources": {"s": {"what": "a test", "url": null, "check": "a file", "read": "2026-11-21"}},
    "gates": [{"id": "12.1", "cuda": "13.1", "exceptions": [], "source": "s"}]})");
  const auto problems = texts_of(loaded_over_the_shipped(folder.path()).problems);
  ASSERT_FALSE(problems.empty());
  EXPECT_THAT(problems.front(), testing::EndsWith("/gate: the gate '12.1' requires CUDA 13.1, but the image has CUDA 12.1.0"));
}

}  // namespace
}  // namespace envgen::matrix
