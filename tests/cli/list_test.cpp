#include <algorithm>
#include <set>

#include <gmock/gmock.h>

#include "cli/run_tool.hpp"

namespace envgen::cli {
namespace {

using test::run_tool;
using testing::HasSubstr;
using testing::IsEmpty;

nlohmann::json rows(std::vector<std::string> words) {
  words.insert(words.begin(), "list");
  words.insert(words.end(), {"--format", "json"});
  const auto outcome = run_tool(words);
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  return outcome.json();
}

TEST(List, EverySubjectIsAnArrayWithTheFieldsOfTheContract) {
  const std::map<std::string, std::vector<std::string>> contract{
      {"torch", {"version", "cuda", "tag", "official", "pythons", "cudnn", "nccl", "archs"}},
      {"images", {"image"}},
      {"gpus", {"name", "capability"}},
      {"cuda", {"version"}},
      {"drivers", {"branch"}},
      {"cudnn", {"version"}},
      {"tensorflow", {"version"}},
      {"os", {"id"}},
      {"presets", {"name"}},
      {"mirrors", {"name", "apt", "pip_index", "conda", "conda_channels", "torch"}}};
  for (const auto& [subject, fields] : contract) {
    const auto all = rows({subject});
    ASSERT_TRUE(all.is_array() && !all.empty()) << subject;
    for (const auto& row : all) {
      for (const auto& field : fields) ASSERT_TRUE(row.contains(field)) << subject << " " << field;
    }
  }
}

TEST(List, TorchHasExactlyTheListedWheelBuilds) {
  std::size_t listed = 0;
  for (const auto& build : matrix::embedded()->builds)
    listed += build.listed && build.framework == Framework::torch && build.channel == matrix::Channel::wheels ? 1U : 0U;
  EXPECT_EQ(rows({"torch"}).size(), listed);
}

TEST(List, TorchTakesWhatResolveTakes) {
  const auto found = rows({"torch", "--torch", "2.3.1+cu121", "--platform", "x86_64"});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0]["version"], "2.3.1");
  EXPECT_EQ(found[0]["cuda"], "12.1");
  EXPECT_EQ(found[0]["tag"], "cu121");
  EXPECT_EQ(found[0]["official"], true);
  EXPECT_EQ(found[0]["cudnn"], "8.9.2.26");
  EXPECT_EQ(found[0]["nccl"], "2.20.5");
  EXPECT_EQ(found[0]["pythons"], nlohmann::json({"3.8", "3.9", "3.10", "3.11", "3.12"}));
  EXPECT_EQ(rows({"torch", "--torch", "2.3.1", "--cuda", "12.1.1", "--platform", "linux-x86_64"}), found);
}

TEST(List, CpuBuildsHaveNoCuda) {
  for (const auto& row : rows({"torch", "--torch", "2.3.1", "--cuda", "cpu"})) {
    EXPECT_TRUE(row["cuda"].is_null());
    EXPECT_EQ(row["tag"], "cpu");
    EXPECT_EQ(row["archs"], nlohmann::json::array());
  }
}

TEST(List, TorchForAGpuHasCodeForIt) {
  const auto found = rows({"torch", "--gpu", "5090", "--official"});
  ASSERT_FALSE(found.empty());
  for (const auto& row : found) {
    EXPECT_TRUE(row["official"].get<bool>());
    EXPECT_GE(row["cuda"].get<std::string>(), "12.8") << row;
  }
  // V100: left in 2.7's cu128, back in 2.8, gone in 2.11.
  std::set<std::string> volta;
  for (const auto& row : rows({"torch", "--gpu", "V100", "--cuda", "12.8", "--platform", "linux-x86_64"}))
    volta.insert(row["version"].get<std::string>());
  EXPECT_TRUE(volta.count("2.8.0"));
  EXPECT_FALSE(volta.count("2.7.0"));
  EXPECT_FALSE(volta.count("2.11.0"));
}

TEST(List, ChannelsAreApart) {
  for (const auto& row : rows({"torch", "--channel", "conda-forge"})) EXPECT_EQ(row["channel"], "conda-forge");
  EXPECT_EQ(rows({"torch", "--channel", "all"}).size(),
            rows({"torch"}).size() + rows({"torch", "--channel", "pytorch,conda-forge"}).size());
}

TEST(List, ImagesAreWholeReferencesAndNeverDoubtful) {
  std::set<std::string> repositories;
  for (const auto& row : rows({"images"})) {
    const auto image = row["image"].get<std::string>();
    repositories.insert(image.substr(0, image.find(':')));
    EXPECT_THAT((std::set<std::string>{"listed", "recipe", "used"}), testing::Contains(row["evidence"].get<std::string>()))
        << image;
  }
  EXPECT_EQ(repositories, (std::set<std::string>{"nvidia/cuda", "pytorch/pytorch", "tensorflow/tensorflow"}));
  for (const auto& row : rows({"images", "--evidence", "used-doubtful"})) EXPECT_EQ(row["evidence"], "used-doubtful");
}

TEST(List, ImagesAreFiltered) {
  const auto found = rows({"images", "--repo", "cuda", "--cuda", "12.1.1", "--os", "jammy", "--variant", "devel"});
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0]["os"], "ubuntu22.04");
  const auto with =
      rows({"images", "--repo", "cuda", "--cuda", "12.1.1", "--os", "ubuntu22.04", "--variant", "devel", "--cudnn", "8"});
  ASSERT_EQ(with.size(), 1U);
  EXPECT_EQ(with[0]["image"], "nvidia/cuda:12.1.1-cudnn8-devel-ubuntu22.04");
  for (const auto& row : rows({"images", "--torch", "2.3.1"}))
    EXPECT_THAT(row["image"].get<std::string>(), testing::StartsWith("pytorch/pytorch:2.3.1-"));
}

TEST(List, GpusAreFiltered) {
  for (const auto& row : rows({"gpus", "--class", "datacenter", "--arch", "hopper"})) {
    EXPECT_EQ(row["class"], "datacenter");
    EXPECT_EQ(row["capability"], "9.0");
  }
  for (const auto& row : rows({"gpus", "--capability", "sm_86"})) EXPECT_EQ(row["capability"], "8.6");
  std::set<std::string> of_torch;
  for (const auto& row : rows({"gpus", "--torch", "1.13"})) of_torch.insert(row["capability"]);
  EXPECT_TRUE(of_torch.contains("8.6")) << "its own binaries";
  EXPECT_TRUE(of_torch.contains("8.9")) << "those for 8.6";
  EXPECT_FALSE(of_torch.contains("12.0")) << "Blackwell is newer";
  EXPECT_LT(rows({"gpus", "--torch", "1.13", "--class", "datacenter"}).size(), rows({"gpus", "--torch", "1.13"}).size());
  for (const auto& row : rows({"gpus", "--laptop"})) EXPECT_TRUE(row["laptop"].get<bool>());
}

TEST(List, DriversKnowTheGpuAndReportTheCuda) {
  for (const auto& row : rows({"drivers", "--gpu", "V100"})) EXPECT_LE(std::stoi(row["branch"].get<std::string>()), 580);
  for (const auto& row : rows({"drivers", "--cuda", "12.8"})) EXPECT_GE(std::stoi(row["branch"].get<std::string>()), 570);
}

TEST(List, ToolkitsAndCudnnAreFiltered) {
  for (const auto& row : rows({"cuda", "--gpu", "K80"})) EXPECT_LT(std::stod(row["minor"].get<std::string>()), 12.0);
  for (const auto& row : rows({"cuda", "--cuda", "12.1"})) EXPECT_EQ(row["minor"], "12.1");
  for (const auto& row : rows({"cudnn", "--cudnn", "9.1"}))
    EXPECT_THAT(row["version"].get<std::string>(), testing::StartsWith("9.1."));
  for (const auto& row : rows({"cudnn", "--cuda", "11.8"}))
    EXPECT_THAT(row["cuda_majors"], testing::Contains(nlohmann::json("11")));
}

TEST(List, NothingFoundIsAnEmptyAnswerAndANote) {
  const auto json = run_tool({"list", "torch", "--torch", "1.2", "--format", "json"});
  EXPECT_EQ(json.exit, 0);
  EXPECT_EQ(json.out, "[]\n");
  const std::string ends = "envgen: nothing matches; envgen's data dates from " + std::string(matrix::embedded()->read.view()) +
                           " and ends at torch " + std::string(matrix::embedded().newest(Framework::torch)->text.view()) + "\n";
  EXPECT_EQ(json.err, ends);
  const auto text = run_tool({"list", "torch", "--torch", "99"});
  EXPECT_EQ(text.exit, 0);
  EXPECT_EQ(std::count(text.out.begin(), text.out.end(), '\n'), 1);
  EXPECT_EQ(text.err, ends);
}

TEST(List, TablesSayWhatIsUnknownAndWhatIsNot) {
  const auto text = run_tool({"list", "torch", "--torch", "2.3.1", "--cuda", "cpu", "--platform", "linux-x86_64"});
  EXPECT_THAT(text.out, HasSubstr("torch  tag"));
  EXPECT_THAT(text.out, HasSubstr("2.3.1  cpu"));
  EXPECT_THAT(text.out, HasSubstr("3.8-3.12"));
  EXPECT_THAT(text.out, HasSubstr("-"));
  EXPECT_THAT(text.err, IsEmpty());
}

struct Mistake {
  std::vector<std::string> words;
  std::string err;
};

TEST(List, MistakesAreNamed) {
  const std::vector<Mistake> mistakes{
      {{"list"},
       "envgen: a subcommand is missing\n  envgen list "
       "torch|tensorflow|cuda|cudnn|drivers|gpus|images|os|presets|mirrors|diagnoses\n"},
      {{"list", "image"},
       "envgen: unknown command 'image'\n  did you mean images?\n  commands: torch, tensorflow, cuda, cudnn, drivers, "
       "gpus, images, os, presets, mirrors, diagnoses\n"},
      {{"list", "torch", "2.3"},
       "envgen: unexpected argument '2.3'\n  to see only one: envgen show torch 2.3\n  see 'envgen list torch --help'\n"},
      {{"list", "torch", "--torch", "2.x"},
       "envgen: --torch: '2.x' is not a version number (only digits and dots are allowed)\n"
       "  2 means any 2.x; '==2.*' means the same\n"},
      {{"list", "torch", "--gpu", "4909"},
       "envgen: --gpu: unknown GPU '4909'\n"
       "  'envgen list gpus' shows all names; a compute capability such as 8.6 works too\n"},
      {{"list", "torch", "--channel", "pip"},
       "envgen: --channel: 'pip' is not one of wheels, pytorch, conda-forge, all\n  see 'envgen list torch --help'\n"},
      {{"list", "images", "--variant", "dvel"},
       "envgen: --variant: 'dvel' is not one of base, runtime, devel, gpu, gpu-jupyter (did you mean devel?)\n  see 'envgen list "
       "images --help'\n"},
      {{"list", "gpus", "--arch", "Hoper"}, "envgen: --arch: unknown GPU architecture 'Hoper'\n  did you mean Hopper?\n"},
      {{"list", "gpus", "--capability", "nine"},
       "envgen: --capability: 'nine' is not a compute capability (such as 8.6 or sm_86)\n"},
      {{"list", "torch", "--format", "yaml"},
       "envgen: --format: 'yaml' is not one of text, json\n  see 'envgen list torch --help'\n"},
      {{"list", "torch", "--driver", "535"}, "envgen: unknown option '--driver'\n  see 'envgen list torch --help'\n"},
      {{"list", "images", "--os", "ubuntu22.4"},
       "envgen: --os: 'ubuntu22.4' is not a known operating system\n  did you mean ubuntu22.04?\n"},
  };
  for (const auto& mistake : mistakes) {
    const auto outcome = run_tool(mistake.words);
    EXPECT_EQ(outcome.exit, 2) << mistake.words.back();
    EXPECT_THAT(outcome.out, IsEmpty());
    EXPECT_EQ(outcome.err, mistake.err);
  }
}

TEST(List, HostileValuesAreShownEscaped) {
  const auto outcome = run_tool({"list", "torch", "--gpu", "\x1b[31m$(id)\n{{"});
  EXPECT_EQ(outcome.exit, 2);
  EXPECT_THAT(outcome.err, HasSubstr("'\\x1b[31m$(id)\\x0a{{'"));
  const auto huge = run_tool({"list", "torch", "--torch", std::string(1 << 20, '9')});
  EXPECT_EQ(huge.exit, 2);
  EXPECT_LT(huge.err.size(), 400U);
}

TEST(List, ErrorsAreJsonWhereJsonWasAsked) {
  const auto outcome = run_tool({"list", "gpus", "--arch", "Hoper", "--format", "json"});
  EXPECT_EQ(outcome.exit, 2);
  EXPECT_EQ(outcome.json()["error"]["code"], "usage");
  EXPECT_EQ(outcome.json()["error"]["origin"], "--arch");
}

}  // namespace
}  // namespace envgen::cli
