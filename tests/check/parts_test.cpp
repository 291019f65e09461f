#include <algorithm>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "check/check.hpp"
#include "check/checked_answer.hpp"
#include "check/driver_facts.hpp"
#include "check/specifier.hpp"
#include "matrix/embedded/embedded.hpp"
#include "support/answers.hpp"
#include "support/literals.hpp"
#include "support/small_matrix.hpp"

/// The parts of the independent check by themselves, on facts that no shipped row has.
namespace envgen::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

Version version(std::string_view text) { return Version::parse(text).value(); }
DriverVersion driver(std::string_view text) { return DriverVersion::parse(text).value(); }
Capability capability(std::string_view text) { return Capability::parse(text).value(); }

// ---- specifiers

/// Those of a row of releases that satisfy a specifier.
std::vector<std::string> satisfying(std::string_view specifier, int least = 0) {
  std::vector<std::string> result;
  for (const auto* one : {"2.2.9", "2.3.0", "2.3.1", "2.3.1.4", "2.4.0", "3.0"}) {
    if (check::satisfies(specifier, version(one), least)) result.emplace_back(one);
  }
  return result;
}

TEST(CheckSpecifier, IsReadByPep440) {
  EXPECT_THAT(satisfying("2.3"), ElementsAre("2.3.0", "2.3.1", "2.3.1.4"));
  EXPECT_THAT(satisfying("2.3.*"), ElementsAre("2.3.0", "2.3.1", "2.3.1.4"));
  EXPECT_THAT(satisfying("==2.3.1"), ElementsAre("2.3.1"));
  EXPECT_THAT(satisfying("==2.3"), ElementsAre("2.3.0"));
  EXPECT_THAT(satisfying("===2.3.1"), ElementsAre("2.3.1"));
  EXPECT_THAT(satisfying("==2.3.*"), ElementsAre("2.3.0", "2.3.1", "2.3.1.4"));
  EXPECT_THAT(satisfying("!=2.3.1"), ElementsAre("2.2.9", "2.3.0", "2.3.1.4", "2.4.0", "3.0"));
  EXPECT_THAT(satisfying("!=2.3.*"), ElementsAre("2.2.9", "2.4.0", "3.0"));
  EXPECT_THAT(satisfying("<2.3.1"), ElementsAre("2.2.9", "2.3.0"));
  EXPECT_THAT(satisfying("<=2.3.1"), ElementsAre("2.2.9", "2.3.0", "2.3.1"));
  EXPECT_THAT(satisfying(">2.3.1"), ElementsAre("2.3.1.4", "2.4.0", "3.0"));
  EXPECT_THAT(satisfying(">=2.3.1"), ElementsAre("2.3.1", "2.3.1.4", "2.4.0", "3.0"));
  EXPECT_THAT(satisfying("~=2.3"), ElementsAre("2.3.0", "2.3.1", "2.3.1.4", "2.4.0"));
  EXPECT_THAT(satisfying("~=2.3.1"), ElementsAre("2.3.1", "2.3.1.4"));
  EXPECT_THAT(satisfying(" >= 2.3 , < 2.4 "), ElementsAre("2.3.0", "2.3.1", "2.3.1.4"));
}

TEST(CheckSpecifier, OfAPrefixIsSatisfiedByAllThatFollow) {
  const auto stated_eight = [](std::string_view specifier) { return check::satisfied_by_all_under(specifier, version("8")); };
  for (const auto* text : {"8", ">=8", "<9", "!=9", "!=9.*", "~=8.0", ">=8,<9", "<=8.65535.65535.65535"})
    EXPECT_TRUE(stated_eight(text)) << text;
  for (const auto* text : {"8.9", ">8", ">=8.0.0.1", "<8.9", "<=8.9", "!=8.9", "!=8.9.*", "!=8.*", "~=8.9", "==8", "9", "", "8,"})
    EXPECT_FALSE(stated_eight(text)) << text;
  EXPECT_TRUE(check::satisfied_by_all_under("!=8", version("8.9")));
  EXPECT_TRUE(check::satisfied_by_all_under("==8.9.2.26", version("8.9.2.26")));
}

TEST(CheckSpecifier, ThatIsMalformedIsSatisfiedByNothing) {
  for (const auto* text : {"", "=2.3", "~2.3", "!2.3", "2.x", "==", "<", "2.3,", ",2.3", ">=2.3,x", "==2.3.*.*"})
    EXPECT_THAT(satisfying(text), IsEmpty()) << text;
}

TEST(CheckSpecifier, AtItsOwnPrecisionSeesAsManyPartsAsItNames) {
  EXPECT_THAT(satisfying(">2.3", 2), ElementsAre("2.4.0", "3.0"));
  EXPECT_THAT(satisfying("<=2.3", 2), ElementsAre("2.2.9", "2.3.0", "2.3.1", "2.3.1.4"));
  EXPECT_THAT(satisfying(">2.3.0", 2), ElementsAre("2.3.1", "2.3.1.4", "2.4.0", "3.0"));
  EXPECT_THAT(satisfying("==2.3.1", 2), ElementsAre("2.3.1", "2.3.1.4"));
  EXPECT_THAT(satisfying(">2", 2), ElementsAre("2.2.9", "2.3.0", "2.3.1", "2.3.1.4", "2.4.0", "3.0"));
  EXPECT_EQ(check::longest_clause(">=12.1.1,<13"), 3);
  EXPECT_EQ(check::longest_clause(">=12,<13.1"), 2);
  EXPECT_EQ(check::longest_clause(""), 0);
}

// ---- the words of a request

TEST(CheckRequest, KnowsBothPlatformsByTheNamesOfOtherTools) {
  const auto environment = environment_of("torch=2.3.1");
  ASSERT_TRUE(environment);
  const auto violations = [&](const char* platform) {
    Request request;
    request.values = {{Field::torch, "2.3.1", Origin::flag, "--torch"}, {Field::platform, platform, Origin::flag, "--platform"}};
    return check::violations(matrix::embedded(), request, *environment);
  };
  for (const auto* name : {"x86_64", "amd64", "linux/amd64", "linux-x86_64"}) EXPECT_THAT(violations(name), IsEmpty()) << name;
  for (const auto* name : {"aarch64", "arm64", "linux/arm64", "linux-aarch64"})
    EXPECT_THAT(violations(name), ElementsAre("platform: must be linux-aarch64, is linux-x86_64")) << name;
}

// ---- boards

struct BoardCase {
  std::string sass, ptx;  ///< JSON lists
  std::string gpu, runs, via, nvcc;
  std::vector<std::string> found;
};

/// A board of a build with these targets; nvcc of the toolkit knows 8.0 and 8.6.
std::vector<std::string> wrong_of_board(const BoardCase& one) {
  SmallMatrix files;
  files.change("torch.json#/builds/0/sass=" + one.sass);
  files.change("torch.json#/builds/0/ptx=" + one.ptx);
  files.change(R"(cudnn.json#/releases/0/gpus=[{"cuda": null, "min": "3.5", "max": null}])");
  files.change(
      R"(drivers.json#/gpu_drivers/-={"capability": "8.7", "first_driver": null, "last_branch": null, "kernel_module": "tegra", "tegra": true, "source": "s"})");
  const auto loaded = files.load();
  const auto matrix = loaded.block->matrix();
  check::Asked asked;
  asked.boards.push_back({one.gpu, {}, capability(one.gpu), false});
  Environment environment;
  environment.torch = Environment::FrameworkBuild();
  environment.cuda = Environment::Toolkit{"12.1.1"_version, std::nullopt, std::nullopt};
  environment.gpus.push_back({"GPU of compute capability " + one.gpu, capability(one.gpu),
                              one.runs == "ptx" ? CodeKind::ptx : CodeKind::sass, Arch::parse(one.via).value(),
                              one.nvcc.empty() ? std::nullopt : std::optional(one.nvcc)});
  std::vector<std::string> found;
  check::check_boards({matrix, asked, environment, matrix->builds.front(), found});
  return found;
}

TEST(CheckBoards, KnowWhichMachineCodeRunsWhere) {
  const auto runs = [](const std::string& sass, const std::string& gpu, const std::string& via) {
    const auto found = wrong_of_board({R"([")" + sass + R"(", "3.7"])", "[]", gpu, "sass", via, "", {}});
    return std::none_of(found.begin(), found.end(), [](const std::string& text) { return text.starts_with("gpus.via"); });
  };
  EXPECT_TRUE(runs("8.0", "8.0", "8.0"));
  EXPECT_TRUE(runs("8.0", "8.6", "8.0"));
  EXPECT_FALSE(runs("8.6", "8.0", "8.6"));
  EXPECT_FALSE(runs("8.0", "9.0", "8.0"));
  EXPECT_FALSE(runs("8.0", "8.7", "8.0")) << "a Tegra runs no code of other GPUs";
  EXPECT_FALSE(runs("8.7", "8.9", "8.7")) << "nor they its own";
  EXPECT_TRUE(runs("8.7", "8.7", "8.7"));
  EXPECT_TRUE(runs("9.0a", "9.0", "9.0a"));
  EXPECT_FALSE(runs("10.0a", "10.3", "10.0a"));
  EXPECT_TRUE(runs("10.0f", "10.3", "10.0f"));
  EXPECT_TRUE(runs("10.3f", "10.7", "10.3f"));
  EXPECT_TRUE(runs("10.0f", "10.7", "10.0f"));
  EXPECT_FALSE(runs("10.0f", "10.1", "10.0f")) << "of another family";
  EXPECT_FALSE(runs("10.1f", "10.3", "10.1f"));
  EXPECT_TRUE(runs("12.0f", "12.1", "12.0f"));
  EXPECT_FALSE(runs("12.0f", "12.2", "12.0f"));
  EXPECT_FALSE(runs("11.0f", "11.1", "11.0f"));
  EXPECT_TRUE(runs("11.0f", "11.0", "11.0f"));
  EXPECT_FALSE(runs("8.0", "8.0", "8.6")) << "the build has no such code";
}

TEST(CheckBoards, KnowWhichPtxIsCompiledForWhat) {
  const auto compiles = [](const std::string& ptx, const std::string& gpu) {
    const auto found = wrong_of_board({R"(["3.7"])", R"([")" + ptx + R"("])", gpu, "ptx", ptx, "", {}});
    return std::none_of(found.begin(), found.end(), [](const std::string& text) { return text.starts_with("gpus.via"); });
  };
  EXPECT_TRUE(compiles("8.0", "8.0"));
  EXPECT_TRUE(compiles("8.0", "12.0"));
  EXPECT_TRUE(compiles("8.0", "8.7"));
  EXPECT_FALSE(compiles("9.0", "8.9"));
  EXPECT_TRUE(compiles("9.0a", "9.0"));
  EXPECT_FALSE(compiles("9.0a", "10.0"));
  EXPECT_FALSE(compiles("10.0a", "10.3"));
  EXPECT_TRUE(compiles("10.0f", "10.3"));
  EXPECT_FALSE(compiles("10.0f", "12.0"));
  EXPECT_FALSE(compiles("10.3f", "10.0"));
}

TEST(CheckBoards, WantTheNearestCodeAndTheRightTargetOfNvcc) {
  const std::vector<BoardCase> cases{
      {R"(["8.0", "8.6"])", "[]", "8.6", "sass", "8.6", "8.6", {}},
      {R"(["8.0", "8.6"])",
       "[]",
       "8.6",
       "sass",
       "8.0",
       "8.6",
       {"gpus.via: the build has binaries nearer to 8.6 than those for 8.0"}},
      {R"(["8.0", "8.6"])", "[]", "8.0", "sass", "8.0", "8.0", {}},
      {R"(["8.0"])", R"(["8.0"])", "8.6", "ptx", "8.0", "8.0+PTX", {"gpus.runs: must be sass, is ptx"}},
      // nvcc knows 8.6, but torch was compiled for nothing so new.
      {R"(["8.0"])", "[]", "8.6", "sass", "8.0", "8.0", {}},
      {R"(["8.0"])", "[]", "8.6", "sass", "8.0", "8.6", {"gpus.nvcc: must be 8.0, is 8.6"}},
      // torch was compiled for 9.0, which nvcc does not know.
      {R"(["8.0", "9.0"])", "[]", "9.0", "sass", "9.0", "9.0", {}},
      {R"(["8.0", "9.0"])", "[]", "8.9", "sass", "8.0", "8.0", {}},
      {R"(["7.0"])", R"(["7.0"])", "8.6", "ptx", "7.0", "7.0+PTX", {}},
      {R"(["7.0", "9.0"])", R"(["7.0"])", "8.6", "ptx", "7.0", "8.6", {}},
      {R"(["8.0"])", "[]", "8.0", "sass", "8.0", "", {"gpus.nvcc: must be 8.0, is none"}},
  };
  for (const auto& one : cases) EXPECT_EQ(wrong_of_board(one), one.found) << one.gpu << " by " << one.runs << " " << one.via;
}

// ---- cuDNN and boards

std::vector<std::string> wrong_of_cudnn(const std::string& gpus, const std::string& gpu, const std::string& cudnn = "8.9.2.26") {
  SmallMatrix files;
  files.change("cudnn.json#/releases/0/gpus=" + gpus);
  files.change("torch.json#/builds/0/cudnn=\"" + cudnn + "\"");
  files.change("torch.json#/builds/0/sass=[\"" + gpu + "\"]");
  files.change(
      R"(cudnn.json#/releases/-={"version": "9.1.0", "cuda_majors": ["12"], "gpus": [{"cuda": "12", "min": "6.0", "max": null}], "exact": true, "wheels": [], "glibc": null, "source": "s"})");
  const auto loaded = files.load();
  const auto matrix = loaded.block->matrix();
  check::Asked asked;
  asked.boards.push_back({gpu, {}, capability(gpu)});
  Environment environment;
  environment.torch = Environment::FrameworkBuild();
  environment.torch->cuda = "12.1"_version;
  environment.gpus.push_back({"GPU of compute capability " + gpu, capability(gpu), CodeKind::sass, {capability(gpu)}});
  std::vector<std::string> found;
  check::check_boards({matrix, asked, environment, matrix->builds.front(), found});
  std::erase_if(found, [](const std::string& text) { return !text.starts_with("cudnn"); });
  return found;
}

TEST(CheckBoards, AreServedByTheCudnnOfTheirBuild) {
  const std::string of_12 = R"([{"cuda": "12", "min": "5.0", "max": "9.0"}])";
  EXPECT_THAT(wrong_of_cudnn(of_12, "5.0"), IsEmpty());
  EXPECT_THAT(wrong_of_cudnn(of_12, "9.0"), IsEmpty());
  EXPECT_THAT(wrong_of_cudnn(of_12, "3.7"), ElementsAre("cudnn: no fact says that 8.9.2.26 serves 3.7"));
  EXPECT_THAT(wrong_of_cudnn(of_12, "9.1"), IsEmpty()) << "newer than what was printed, and above every floor";
  // The row of the minor comes before that of the major, and that before the one of any CUDA.
  const std::string several =
      R"([{"cuda": null, "min": "8.0", "max": null}, {"cuda": "12", "min": "7.0", "max": null}, {"cuda": "12.1", "min": "5.0", "max": null}])";
  EXPECT_THAT(wrong_of_cudnn(several, "5.0"), IsEmpty());
  const std::string others =
      R"([{"cuda": "12.1", "min": "7.0", "max": null}, {"cuda": "12", "min": "5.0", "max": null}, {"cuda": "11", "min": "3.0", "max": null}])";
  EXPECT_THAT(wrong_of_cudnn(others, "5.0"), ElementsAre("cudnn: no fact says that 8.9.2.26 serves 5.0"));
  // Of another CUDA nothing is known, but what lies above every floor is served.
  const std::string of_11 = R"([{"cuda": "11", "min": "5.0", "max": null}])";
  EXPECT_THAT(wrong_of_cudnn(of_11, "5.3"), ElementsAre("cudnn: no fact says that 8.9.2.26 serves 5.3"));
  EXPECT_THAT(wrong_of_cudnn(of_11, "6.0"), IsEmpty());
  EXPECT_THAT(wrong_of_cudnn(R"([{"cuda": "12", "min": "3.5", "max": "5.0"}])", "5.3"),
              ElementsAre("cudnn: no fact says that 8.9.2.26 serves 5.3"));
  // Stated in part, it is held against every release of that name.
  EXPECT_THAT(wrong_of_cudnn(of_12, "5.0", "8.9"), IsEmpty());
  EXPECT_THAT(wrong_of_cudnn(of_12, "3.7", "8"), ElementsAre("cudnn: no fact says that 8 serves 3.7"));
  EXPECT_THAT(wrong_of_cudnn(of_12, "5.3", "9"), ElementsAre("cudnn: no fact says that 9 serves 5.3"));
}

// ---- drivers

class CheckDrivers : public testing::Test, protected SmallMatrix {
 protected:
  /// The small matrix with a branch before and one after that of its CUDA.
  CheckDrivers() {
    change(R"(drivers.json#/branches=[
      {"branch": "525", "kind": null, "cuda": "12.0", "first": "525.60.13", "latest": "525.147.05", "released": null, "eol": null, "source": "s"},
      {"branch": "530", "kind": null, "cuda": "12.1", "first": "530.30.02", "latest": "530.41.03", "released": null, "eol": null, "source": "s"},
      {"branch": "535", "kind": null, "cuda": "12.2", "first": "535.54.03", "latest": "535.183.01", "released": null, "eol": null, "source": "s"}])");
    change(R"(cuda.json#/minors/-={"cuda": "12.2", "native_driver": null, "source": "s"})");
    change(R"(cuda.json#/minors/-={"cuda": "11.8", "native_driver": "520.61.05", "source": "s"})");
    change(R"(cuda.json#/majors/0/except=[{"cuda": "12.2", "driver": "527.1"}, {"cuda": "12.9", "driver": "530.1"}])");
    change(
        R"(drivers.json#/gpu_drivers/-={"capability": "7.0", "first_driver": "396.1", "last_branch": "535", "kernel_module": "proprietary", "tegra": false, "source": "s"})");
    change(
        R"(drivers.json#/gpu_drivers/-={"capability": "6.0", "first_driver": "525.85.05", "last_branch": "530", "kernel_module": "proprietary", "tegra": false, "source": "s"})");
    change(
        R"(drivers.json#/gpu_drivers/-={"capability": "8.7", "first_driver": "525.90.01", "last_branch": null, "kernel_module": "tegra", "tegra": true, "source": "s"})");
    loaded_ = load();
    small_.emplace(loaded_.block->matrix());
  }

  struct Boards {
    std::vector<check::AskedBoard> rows;
    std::vector<const check::AskedBoard*> pointers;
  };
  Boards boards(const std::vector<std::string>& capabilities) const {
    Boards boards;
    for (const auto& one : capabilities)
      boards.rows.push_back({one, {}, capability(one), false, small_->gpu_driver(capability(one))});
    for (const auto& row : boards.rows) boards.pointers.push_back(&row);
    return boards;
  }

  check::DriverFacts facts(std::string_view cuda) const { return {*small_, version(cuda)}; }
  std::vector<std::string> meant(std::string_view text) const {
    std::vector<std::string> texts;
    for (const auto driver : facts("12.1").meant_by(text).releases) texts.push_back(driver.version().to_string());
    texts.erase(std::unique(texts.begin(), texts.end()), texts.end());  // a bound may be a release that a fact names
    return texts;
  }

  matrix::Loaded loaded_;
  std::optional<matrix::Matrix> small_;
};

TEST_F(CheckDrivers, ReportTheirOwnCudaFromTheirFloorOn) {
  EXPECT_TRUE(facts("12.1").native(driver("530.30.02")));
  EXPECT_FALSE(facts("12.1").native(driver("530.30.01")));
  EXPECT_EQ(facts("12.1").native_floor().to_string(), "530.30.02");
  // Where no floor was read, what a branch reports every newer one does.
  EXPECT_FALSE(facts("12.2").native_floor());
  EXPECT_TRUE(facts("12.2").native(driver("535.1")));
  EXPECT_TRUE(facts("12.2").native(driver("545.1")));
  EXPECT_FALSE(facts("12.2").native(driver("534.1")));
  EXPECT_FALSE(facts("12.3").native(driver("545.1")));
  EXPECT_EQ(facts("12.1").reported_by(driver("530.30.02")).to_string(), "12.1");
  EXPECT_EQ(facts("12.1").reported_by(driver("530.30.01")).to_string(), "11.8");
  EXPECT_FALSE(facts("12.1").reported_by(driver("520.61.04")));
}

TEST_F(CheckDrivers, CarryOtherMinorsOfTheirMajor) {
  EXPECT_TRUE(facts("12.1").minor_compat(driver("525.60.13")));
  EXPECT_FALSE(facts("12.1").minor_compat(driver("525.60.12")));
  EXPECT_EQ(facts("12.2").compat_floor().version().to_string(), "527.1");
  EXPECT_FALSE(facts("11.8").compat_floor());
  EXPECT_FALSE(facts("11.8").minor_compat(driver("525.60.13")));
}

TEST_F(CheckDrivers, KnowABoardFromItsFirstToItsLastBranch) {
  const auto know = [&](const char* text, const std::vector<std::string>& gpus) {
    return check::DriverFacts::knows_all(driver(text), boards(gpus).pointers);
  };
  EXPECT_TRUE(know("396.1", {"7.0"}));
  EXPECT_FALSE(know("395.9", {"7.0"}));
  EXPECT_TRUE(know("535.183.01", {"7.0"}));
  EXPECT_FALSE(know("536.1", {"7.0"})) << "R535 was the last that did";
  EXPECT_TRUE(know("999.1", {"8.0"}));
  EXPECT_FALSE(know("535.1", {"9.0"})) << "no fact says which drivers know it";
  EXPECT_TRUE(know("535.1", {"8.0", "7.0"}));
  EXPECT_FALSE(know("999.1", {"8.0", "7.0"}));
  EXPECT_TRUE(know("1.1", {})) << "no board is named";
}

TEST_F(CheckDrivers, OfSomeBranchReportACuda) {
  const auto some = [&](const char* cuda, const std::vector<std::string>& gpus) {
    return facts(cuda).reported_by_some(boards(gpus).pointers);
  };
  EXPECT_TRUE(some("12.2", {"8.0"}));
  EXPECT_TRUE(some("12.2", {"7.0"})) << "its last branch is the one that reports it";
  EXPECT_FALSE(some("12.2", {"6.0"})) << "its last branch is too old";
  EXPECT_FALSE(some("12.2", {"8.0", "6.0"}));
  EXPECT_FALSE(some("12.2", {"9.0"})) << "no fact says which drivers know it";
  EXPECT_FALSE(some("12.3", {"8.0"}));
}

TEST_F(CheckDrivers, AreMeantByANumberOrARange) {
  EXPECT_THAT(meant("525"), ElementsAre("525.60.13", "525.85.5", "525.147.5"));
  EXPECT_THAT(meant("R525"), ElementsAre("525.60.13", "525.85.5", "525.147.5"));
  EXPECT_THAT(meant("530.*"), ElementsAre("530.30.2", "530.41.3")) << "not 530.1, which is older than the first";
  EXPECT_THAT(meant("530.41"), ElementsAre("530.41.3"));
  EXPECT_THAT(meant("530.41.3"), ElementsAre("530.41.3"));
  EXPECT_THAT(meant("530.50"), ElementsAre("530.50")) << "no fact names it, and it may be there";
  EXPECT_THAT(meant("525.90"), ElementsAre("525.90")) << "the numbers of Jetson boards are no releases of other GPUs";
  EXPECT_THAT(meant(">=530"), ElementsAre("530.30.2", "530.41.3", "535.54.3", "535.183.1"));
  EXPECT_THAT(meant(">530.30.02,<535"), ElementsAre("530.41.3"));
  EXPECT_THAT(meant(">530.41.03,<535"), ElementsAre("530.41.3.1")) << "some release right after it";
  EXPECT_THAT(meant(">=530.50,<535"), ElementsAre("530.50"));
  EXPECT_THAT(meant("!=530.41.*,>=530.41,<535"), ElementsAre("530.42.0"));
  EXPECT_THAT(meant("<530,>=525.147.05"), ElementsAre("525.147.5"));
  EXPECT_THAT(meant(">535.183.01,<=535.200"), ElementsAre("535.200")) << "the bound is a release after it";
  EXPECT_THAT(meant("535,<535.100"), ElementsAre("535.54.3"));
  EXPECT_THAT(meant(">=600"), ElementsAre("600"));
  EXPECT_THAT(meant(">600"), ElementsAre("600.0.0.1"));
  EXPECT_THAT(meant(">=1000"), IsEmpty()) << "branches have three digits";
  EXPECT_FALSE(facts("12.1").meant_by("530").any_will_do);
  EXPECT_FALSE(facts("12.1").meant_by("==530.41.03").any_will_do);
  EXPECT_TRUE(facts("12.1").meant_by(">=530").any_will_do);
}

/// A gate that names one brand under R525, and the class of the board under it.
TEST(CheckGate, OpensForTheBrandsOfAClass) {
  const std::map<std::string, std::vector<std::string>> brands{{"datacenter", {"tesla", "nvidia"}},
                                                               {"consumer", {"geforce", "geforcertx", "titan", "titanrtx"}},
                                                               {"workstation", {"quadro", "quadrortx", "nvidiartx", "nvidia"}},
                                                               {"jetson", {}}};
  for (const auto& [gpu_class, its_brands] : brands) {
    for (const auto* brand :
         {"tesla", "nvidia", "geforce", "geforcertx", "titan", "titanrtx", "quadro", "quadrortx", "nvidiartx"}) {
      SmallMatrix files;
      files.row("gpus.json", "gpus")["class"] = gpu_class;
      files.row("images.json", "gates")["exceptions"][0] = {{"brand", brand}, {"branch", "530"}};
      files.row("cuda.json", "minors")["native_driver"] = "531.1";
      const auto loaded = files.load();
      const auto matrix = loaded.block->matrix();
      const check::Gate gate(matrix, version("12.1"), 0);
      check::AskedBoard board{"A100", matrix.gpus_named("A100"), capability("8.0")};
      for (const auto* row : board.rows) board.classes.insert(row->gpu_class);
      const check::AskedBoard* boards[] = {&board};
      const bool named = std::find(its_brands.begin(), its_brands.end(), brand) != its_brands.end();
      EXPECT_EQ(gate.opens(driver("530.30.02"), boards), named) << gpu_class << " " << brand;
      EXPECT_FALSE(gate.opens(driver("529.1"), boards)) << "of another branch";
      EXPECT_FALSE(gate.opens(driver("530.30.02"), {})) << "no board is named";
      EXPECT_TRUE(gate.opens(driver("531.1"), boards)) << "it reports the CUDA";
    }
  }
}

TEST_F(CheckDrivers, BelongToABranchWithAFirstRelease) {
  EXPECT_EQ(facts("12.1").first_of_branch(driver("530.41.03")).to_string(), "530.30.02");
  EXPECT_EQ(facts("12.1").first_of_branch(driver("531.1")).to_string(), "531.01");
}

}  // namespace
}  // namespace envgen::test
