#include <algorithm>
#include <map>
#include <sstream>

#include <gmock/gmock.h>

#include "cli/run_tool.hpp"

namespace envgen::cli {
namespace {

using test::run_tool;
using testing::HasSubstr;

nlohmann::json shown(std::vector<std::string> words) {
  words.insert(words.begin(), "show");
  words.insert(words.end(), {"--format", "json"});
  const auto outcome = run_tool(words);
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  return outcome.json();
}

TEST(Show, FitsAScreenUnlessAllIsAskedFor) {
  for (const auto& [subject, name] :
       {std::pair("gpu", "4090"), std::pair("gpu", "A100"), std::pair("gpu", "V100"), std::pair("gpu", "8.6"),
        std::pair("gpu", "GB200"), std::pair("torch", "2.6"), std::pair("torch", "2.3.1"), std::pair("torch", "2.14.1"),
        std::pair("driver", "535"), std::pair("driver", "580"), std::pair("cuda", "12"), std::pair("cuda", "12.4"),
        std::pair("cudnn", "9"), std::pair("cudnn", "9.1"), std::pair("os", "ubuntu22.04"), std::pair("tensorflow", "2.15"),
        std::pair("image", "nvidia/cuda:12.4.1-devel-ubuntu22.04")}) {
    const auto text = run_tool({"show", subject, name}).out;
    EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 22) << text;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80U) << line;
    if (std::string_view(subject) == "image") continue;  // it has no --all
    const auto whole = run_tool({"show", subject, name, "--all"}).out;
    EXPECT_EQ(text.find("More: --all") == std::string::npos, whole == text) << text;
    EXPECT_EQ(whole.find("--all"), std::string::npos) << "nothing is left to show";
  }
}

TEST(Show, TheSystemsFitAScreenUnlessAllAreAskedFor) {
  const auto text = run_tool({"show", "os"}).out;
  EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 22) << text;
  EXPECT_THAT(text, HasSubstr("\nubuntu24.04 "));
  EXPECT_THAT(text, testing::Not(HasSubstr("\nubuntu16.04 "))) << "past its end of life";
  EXPECT_THAT(text, HasSubstr("\nPast their end of life: "));
  EXPECT_THAT(text, HasSubstr(" ubuntu16.04,"));
  EXPECT_THAT(text, testing::EndsWith("\nEverything: --all\n"));
  EXPECT_EQ(run_tool({"show", "os", "--all"}).out, run_tool({"list", "os"}).out);
  EXPECT_EQ(run_tool({"show", "os", "--json"}).out, run_tool({"list", "os", "--json"}).out);
}

TEST(Show, ABriefTableSaysHowManyRowsAreLeft) {
  EXPECT_THAT(run_tool({"show", "cuda", "12"}).out, HasSubstr("\n  and "));
  EXPECT_THAT(run_tool({"show", "cuda", "12"}).out, HasSubstr("  12.9.")) << "the newest are shown";
  EXPECT_THAT(run_tool({"show", "cuda", "12", "--all"}).out, testing::Not(HasSubstr("\n  and ")));
}

TEST(Show, TorchHasBuildsCompanionsImagesAndSources) {
  const auto torch = shown({"torch", "2.3.1"});
  EXPECT_EQ(torch["version"], "2.3.1");
  EXPECT_EQ(torch["torchvision"], "0.18.1");
  EXPECT_EQ(torch["tags_complete"], true);
  for (const auto* part : {"builds", "torchvision_wheels", "torchaudio_wheels", "conda", "images", "sources"})
    EXPECT_FALSE(torch[part].empty()) << part;
  for (const auto& build : torch["builds"]) EXPECT_EQ(build["version"], "2.3.1");
}

TEST(Show, APartialTorchIsItsNewestPatch) {
  const auto outcome = run_tool({"show", "torch", "2.3"});
  EXPECT_THAT(outcome.out, testing::StartsWith("torch 2.3.1\n"));
  EXPECT_EQ(outcome.err, "envgen: torch 2.3: showing its newest release, 2.3.1\n");
}

TEST(Show, AnOpenReleaseSaysSo) {
  const auto* newest = matrix::embedded().newest(Framework::torch);
  ASSERT_FALSE(newest->tags_complete);
  EXPECT_THAT(run_tool({"show", "torch", std::string(newest->text.view())}).out,
              HasSubstr("no: there may be builds that are not listed here"));
}

TEST(Show, AGpuHasItsFiguresDriversAndTorch) {
  const auto gpu = shown({"gpu", "4090"});
  EXPECT_EQ(gpu["name"], "GeForce RTX 4090");
  EXPECT_EQ(gpu["capability"], "8.9");
  EXPECT_EQ(gpu["memory_gb"], 24);
  EXPECT_TRUE(gpu["last_branch"].is_null());
  EXPECT_EQ(gpu["torch"].front()["which"], "newest");
  EXPECT_EQ(gpu["torch"].back()["which"], "oldest");
  const auto words = shown({"gpu", "RTX", "4090"});
  EXPECT_EQ(words, gpu);
}

std::string text_of(std::vector<std::string> words) {
  words.insert(words.begin(), "show");
  return run_tool(words).out;
}

TEST(Show, AFigureOfARuleIsToldFromOneThatNobodyLookedUp) {
  const auto card = text_of({"gpu", "4090", "--all"});
  EXPECT_THAT(card, HasSubstr("\n  fp16, TFLOPS                  165.2 (derived by a rule)\n"));
  EXPECT_THAT(card, HasSubstr("\n  int8, TOPS                    660.6 (derived by a rule)\n"));
  EXPECT_THAT(card, HasSubstr("\n  NVLink, GB/s                  0 (unverified)\n"));
  EXPECT_THAT(card, HasSubstr("\n  power                         450 W\n")) << "a second source confirmed it";
  EXPECT_THAT(card, HasSubstr("unverified                    nvlink_gbs (no public source); fp16_tflops,\n"));
  EXPECT_THAT(card, HasSubstr(" int8_tops\n                                (derived by a rule)\n"));
}

/// As the resolver infers them: of a devel image by its CUDA, and none of a runtime image, which is made on a plain system.
TEST(Show, AnOfficialImageHasTheGateThatAnswersInfer) {
  EXPECT_THAT(text_of({"image", "2.6.0-cuda12.4-cudnn9-devel"}), HasSubstr("CUDA 12.4; or R470, R525, R535 (inferred)"));
  EXPECT_THAT(text_of({"image", "2.13.0-cuda13.2-cudnn9-devel"}), HasSubstr("CUDA 13.2 (inferred; no GeForce exception; other"));
  EXPECT_THAT(text_of({"image", "2.6.0-cuda12.4-cudnn9-runtime"}), testing::Not(HasSubstr("driver must report")));
}

TEST(Show, VoltaEndsWithItsLastBranch) {
  const auto gpu = shown({"gpu", "V100"});
  EXPECT_EQ(gpu["capability"], "7.0");
  EXPECT_EQ(gpu["last_branch"], "580");
  EXPECT_EQ(gpu["kernel_module"], "proprietary");
  EXPECT_GT(gpu["boards"].size(), 1U);
}

TEST(Show, ANameOfSeveralGenerationsShowsThemAll) {
  const auto family = shown({"gpu", "RTX 6000"});
  EXPECT_TRUE(family["capability"].is_null());
  EXPECT_GT(family["capabilities"].size(), 2U);
}

TEST(Show, ACapabilityShowsItsBoards) {
  const auto capability = shown({"gpu", "sm_89"});
  EXPECT_EQ(capability["capability"], "8.9");
  EXPECT_THAT(capability["gpus"], testing::Contains(nlohmann::json("GeForce RTX 4090")));
}

TEST(Show, ACapabilityIsReadInAnyCase) { EXPECT_EQ(shown({"gpu", "SM_89"}), shown({"gpu", "sm_89"})); }

TEST(Show, CudaHasDriversAndToolkits) {
  const auto cuda = shown({"cuda", "12.1"});
  EXPECT_EQ(cuda["native_driver"], "530.30.02");
  EXPECT_EQ(cuda["minor_compat_driver"], "525.60.13");
  EXPECT_EQ(cuda["toolkits"].size(), 2U);
  EXPECT_EQ(shown({"cuda", "12.1.1"})["toolkits"].size(), 1U);
  EXPECT_GT(shown({"cuda", "12"})["toolkits"].size(), 10U);
}

TEST(Show, CudnnHasItsReleasesAndTorch) {
  const auto cudnn = shown({"cudnn", "9.1"});
  EXPECT_FALSE(cudnn["releases"].empty());
  EXPECT_THAT(cudnn["torch"], testing::Contains(nlohmann::json("2.4.1+cu121")));
}

TEST(Show, ADriverKnowsABoardFromTheReleaseThatListsIt) {
  std::map<std::string, std::string> first;
  const auto driver = shown({"driver", "570"});
  for (const auto& row : driver["gpus"]) {
    for (const auto& gpu : row["gpus"]) first[gpu] = row["first_driver"].is_null() ? "" : row["first_driver"];
  }
  EXPECT_EQ(first["GeForce RTX 5060"], "570.158.01");
  EXPECT_EQ(first["GeForce RTX 5090"], "570.86.16");
  EXPECT_EQ(first.at("Tesla T4"), "");
  EXPECT_FALSE(first.contains("GeForce RTX 5050"));  // from R575 on
  for (const auto& row : run_tool({"list", "drivers", "--gpu", "5060", "--format", "json"}).json()) {
    const bool in_part = row["branch"] == "570" || row["branch"] == "575";  // the others know it whole
    EXPECT_EQ(row["first_for_gpus"] != row["first"], in_part) << row["branch"];
  }
}

TEST(Show, ASystemAsPeopleWriteIt) { EXPECT_EQ(shown({"os", "CentOS 7"}), shown({"os", "centos7"})); }

TEST(Show, ADriverKnowsItsGpus) {
  const auto driver = shown({"driver", "nvidia-driver-535"});
  EXPECT_EQ(driver["branch"], "535");
  EXPECT_EQ(driver["cuda"], "12.2");
  EXPECT_EQ(shown({"driver", "535.183.01"}), driver);
  for (const auto& row : driver["gpus"]) EXPECT_NE(row["capability"], "12.0");
}

TEST(Show, AnImageByTagOrReference) {
  const auto image = shown({"image", "nvidia/cuda:12.1.1-cudnn8-devel-ubuntu22.04"});
  EXPECT_EQ(image["cuda"], "12.1.1");
  EXPECT_EQ(image["cudnn"], "8");
  EXPECT_EQ(shown({"image", "12.1.1-cudnn8-devel-ubuntu22.04"}), image);
  EXPECT_EQ(shown({"image", "pytorch/pytorch:2.3.1-cuda12.1-cudnn8-devel"})["version"], "2.3.1");
}

TEST(Show, SystemsAndTensorFlow) {
  EXPECT_EQ(shown({"os", "jammy"})["id"], "ubuntu22.04");
  EXPECT_GT(shown({"os"}).size(), 10U);
  EXPECT_EQ(shown({"tensorflow", "2.15"})["version"].get<std::string>().substr(0, 4), "2.15");
  EXPECT_TRUE(shown({"tensorflow"}).contains("pins"));
}

TEST(Show, WhatTheFactsDoNotReachIsUnknownAsToResolve) {
  for (const auto& [subject, version] :
       {std::pair("torch", "99.0"), std::pair("torch", "0.4"), std::pair("tensorflow", "99"), std::pair("cuda", "99")}) {
    const auto shown = run_tool({"show", subject, version});
    const auto resolved = run_tool({"resolve", std::string("--") + subject, version});
    EXPECT_EQ(shown.exit, 8) << subject << " " << version;
    EXPECT_EQ(shown.out, resolved.out);
    EXPECT_TRUE(shown.err.empty()) << shown.err;
    const auto json = run_tool({"show", subject, version, "--format", "json"}).json();
    EXPECT_FALSE(json["unknown"]["message"].get<std::string>().empty());
  }
}

TEST(Show, TheLatestDriverIsTheNewestThatAnyFactNames) {
  EXPECT_EQ(shown({"driver", "575"})["latest"], "575.64.03") << "of the RTX 5050";
  EXPECT_EQ(shown({"driver", "535"})["latest"], matrix::embedded().branch(535)->latest.to_string());
}

TEST(Show, LatestIsTheNewestOfWhatHasVersions) {
  const auto& facts = matrix::embedded();
  for (const auto* word : {"latest", "newest", "Stable"}) {
    EXPECT_EQ(shown({"torch", word})["version"], facts.newest(Framework::torch)->text.view());
    EXPECT_EQ(shown({"tensorflow", word})["version"], facts.newest(Framework::tensorflow)->text.view());
  }
  for (const auto* subject : {"cuda", "cudnn", "driver"}) {
    const auto newest = run_tool({"show", subject, "latest"});
    EXPECT_EQ(newest.exit, 0) << newest.err;
    EXPECT_TRUE(newest.err.empty()) << newest.err;
  }
  EXPECT_EQ(run_tool({"show", "cuda", "latest"}).out,
            run_tool({"show", "cuda", std::string((*facts).toolkits[(*facts).toolkits.size() - 1].text.view())}).out);
  EXPECT_EQ(run_tool({"show", "gpu", "latest"}).err, "envgen: unknown GPU 'latest'\n  see 'envgen list gpus'\n");
}

TEST(Show, AWindowsDriverIsShownByItsBranch) {
  for (const auto* number : {"536.23", "31.0.15.3623"}) {
    const auto windows = run_tool({"show", "driver", number});
    EXPECT_EQ(
        windows.err,
        "envgen: 536.23 is numbered like a Windows driver: showing its branch, 535, with the versions that it has on Linux\n");
    EXPECT_EQ(windows.out, run_tool({"show", "driver", "535"}).out);
  }
  const auto branch = run_tool({"show", "driver", "536"});
  EXPECT_EQ(branch.err,
            "envgen: 536 is numbered like a Windows driver: showing its branch, 535, with the versions that it has on Linux\n");
  EXPECT_EQ(branch.out, run_tool({"show", "driver", "535"}).out);
}

TEST(Show, MistakesAreNamed) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> mistakes{
      {{"show"}, "envgen: a subcommand is missing\n  envgen show torch|tensorflow|gpu|cuda|cudnn|driver|image|os NAME\n"},
      {{"show", "gpus"},
       "envgen: unknown command 'gpus'\n  did you mean gpu?\n  commands: torch, tensorflow, gpu, cuda, cudnn, driver, image, "
       "os\n"},
      {{"show", "torch"}, "envgen: no torch version given\n  envgen show torch VERSION: 2.3.1, or 2.3 for its newest release\n"},
      {{"show", "gpu", "RTX 4091"},
       "envgen: unknown GPU 'RTX 4091'\n  did you mean RTX 4090, RTX 3090, RTX 4050?\n  see 'envgen list "
       "gpus'\n"},
      {{"show", "cuda", "12.99"}, "envgen: no data for CUDA 12.99\n  see 'envgen list cuda'\n"},
      {{"show", "cudnn", "abc"},
       "envgen: 'abc' is not a version number (only digits and dots are allowed)\n  see 'envgen list cudnn'\n"},
      {{"show", "driver", "505"},
       "envgen: unknown driver branch 505\n  did you mean 515, 525, 535?\n  see 'envgen list drivers'\n"},
      {{"show", "image", "12.1.1-cudnn9-devel-ubuntu22.04"},
       "envgen: '12.1.1-cudnn9-devel-ubuntu22.04' is not a known image tag, and may not "
       "exist\n  did you mean 12.1.1-cudnn8-devel-ubuntu22.04, 12.0.1-cudnn8-devel-ubuntu22.04, "
       "12.1.0-cudnn8-devel-ubuntu22.04?\n  see 'envgen list images'\n"},
      {{"show", "os", "jamy"}, "envgen: 'jamy' is not a known operating system\n  did you mean jammy?\n  see 'envgen list os'\n"},
      {{"show", "os", "JetPack7.2"},
       "envgen: 'JetPack7.2' is not a known operating system\n  about JetPack, envgen knows only this: from 7.2 on, an Orin "
       "(8.7) runs the 8.0 and 8.6 code of builds for CUDA 13.2 or later; on JetPack 6, it runs conda-forge's builds for Jetson "
       "(--gpu Orin --installer conda --cuda 12.9)\n  NVIDIA's own builds for Jetson (JetPack wheels "
       "and L4T containers) are not in envgen's data\n"},
  };
  for (const auto& [words, err] : mistakes) {
    const auto outcome = run_tool(words);
    EXPECT_EQ(outcome.exit, 2);
    EXPECT_TRUE(outcome.out.empty());
    EXPECT_EQ(outcome.err, err);
  }
}

TEST(Gpus, RanksWithTheUnknownLast) {
  for (const auto* metric : {"fp16", "fp32", "bf16", "tf32", "fp8", "int8", "memory", "bandwidth"}) {
    const auto rows = run_tool({"gpus", "--rank", metric, "--format", "json"}).json();
    ASSERT_EQ(rows.size(), matrix::embedded()->gpus.size());
    double last = 1e12;
    bool unknown = false;
    for (const auto& row : rows) {
      EXPECT_EQ(row["metric"], metric);
      EXPECT_EQ(row["rank"].is_null(), row["value"].is_null());
      if (row["value"].is_null()) {
        unknown = true;
        continue;
      }
      EXPECT_FALSE(unknown) << "a known figure stands after an unknown one";
      EXPECT_LE(row["value"].get<double>(), last);
      last = row["value"].get<double>();
    }
  }
}

TEST(Gpus, AreNarrowedAndLimited) {
  const auto rows = run_tool({"gpus", "--class", "consumer", "--limit", "3", "--format", "json"}).json();
  ASSERT_EQ(rows.size(), 3U);
  for (const auto& row : rows) EXPECT_EQ(row["class"], "consumer");
  EXPECT_THAT(run_tool({"gpus", "--limit", "1"}).out, HasSubstr("* confirmed by a second source; ? unknown\n"));
}

TEST(Gpus, MistakesAreNamed) {
  EXPECT_EQ(run_tool({"gpus", "--rank", "fp61"}).err,
            "envgen: --rank: 'fp61' is not one of fp16, fp32, bf16, tf32, fp8, int8, memory, bandwidth (did you mean fp16?)\n  "
            "see 'envgen gpus --help'\n");
  for (const auto* limit : {"0", "-1", "x"}) {
    const auto outcome = run_tool({"gpus", "--limit", limit});
    EXPECT_EQ(outcome.exit, 2);
    EXPECT_THAT(outcome.err, testing::StartsWith("envgen: --limit: "));
    EXPECT_LT(outcome.err.size(), 120U) << "what fits is said in few words";
  }
}

}  // namespace
}  // namespace envgen::cli
