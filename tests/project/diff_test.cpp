#include "project/diff.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/literals.hpp"
#include "support/locks.hpp"

namespace envgen::project {
namespace {

using test::json_of;
using test::lock_of;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using Json = nlohmann::ordered_json;

std::vector<std::string> texts(const Lock& before, const Lock& after) {
  std::vector<std::string> result;
  for (const auto& difference : differences(before, after)) result.push_back(difference.text);
  return result;
}

/// What one change of a lock is told as.
template <class Change>
std::vector<std::string> told(Change change, const std::string& request = "torch=2.3 gpu=4090 driver=535") {
  const auto before = lock_of(request);
  auto after = before;
  change(after);
  return texts(before, after);
}

TEST(Diff, TheSameLockHasNone) {
  for (const auto& request : test::varied_requests())
    EXPECT_THAT(texts(lock_of(request), lock_of(request)), IsEmpty()) << request;
}

TEST(Diff, AnotherTorch) {
  const auto found = texts(lock_of("torch=2.3 cuda=12.1"), lock_of("torch=2.4 cuda=12.4"));
  EXPECT_THAT(found, Contains("requested torch 2.3 -> 2.4"));
  EXPECT_THAT(found, Contains("torch 2.3.1 -> 2.4.1"));
  EXPECT_THAT(found, Contains("CUDA 12.1 -> 12.4"));
  EXPECT_THAT(found, Contains("build tag cu121 -> cu124"));
  EXPECT_THAT(found, Contains("torchvision 0.18.1 -> 0.19.1"));
}

TEST(Diff, AFrozenTree) {
  const Environment::Frozen tree{"uv 1", {"torch"}, {{"numpy", "1.26.4", {"sha256:1"}}, {"torch", "2.3.1", {"sha256:2"}}}, {}};
  EXPECT_THAT(told([&](Lock& lock) { lock.environment.frozen = tree; }),
              ElementsAre("the dependency tree is frozen: 2 packages"));
  auto before = lock_of("torch=2.3");
  before.environment.frozen = tree;
  EXPECT_THAT(texts(before, before), IsEmpty());
  auto after = before;
  after.environment.frozen->packages = {
      {"numpy", "2.0.0", {"sha256:1"}}, {"sympy", "1", {"sha256:1"}}, {"torch", "2.3.1", {"sha256:3"}}};
  EXPECT_THAT(texts(before, after), ElementsAre("the files of torch 2.3.1 have changed", "frozen package numpy 1.26.4 -> 2.0.0",
                                                "frozen package sympy none -> 1"));
  after.environment.frozen.reset();
  EXPECT_THAT(texts(before, after), ElementsAre("the dependency tree is no longer frozen"));
}

TEST(Diff, AnotherFramework) {
  const auto found = texts(lock_of("torch=2.3"), lock_of("tensorflow=2.16"));
  EXPECT_THAT(found, Contains("torch 2.3.1 -> tensorflow 2.16.2"));
  EXPECT_THAT(found, Contains("torchvision 0.18.1 -> not stated"));
  EXPECT_THAT(found, Contains(testing::StartsWith("package nvidia-cudnn-cu12 none -> ")));
  EXPECT_THAT(texts(lock_of("tensorflow=2.16"), lock_of("torch=2.3")),
              Contains(testing::MatchesRegex("package nvidia-cudnn-cu12 .* -> none")));
  EXPECT_THAT(found, Contains("requested torch 2.3 -> none"));
  EXPECT_THAT(found, Contains("requested tensorflow none -> 2.16"));
}

TEST(Diff, ARequestedDriverIsToldOnce) {
  const auto told_of = [](const std::string& before, const std::string& after) {
    const auto found = texts(lock_of(before), lock_of(after));
    return std::count(found.begin(), found.end(), "requested driver 535 -> 550");
  };
  EXPECT_EQ(told_of("torch=2.3 gpu=4090 driver=535", "torch=2.3 gpu=4090 driver=550"), 1);
  // A host has it within its own line of the request.
  EXPECT_EQ(told_of("torch=2.3 host=gpu=4090,driver=535", "torch=2.3 host=gpu=4090,driver=550"), 1);
}

TEST(Diff, WithoutADriver) {
  EXPECT_THAT(texts(lock_of("torch=2.3"), lock_of("torch=2.3 cuda=cpu")), Contains("a driver is no longer needed"));
  EXPECT_THAT(texts(lock_of("torch=2.3 cuda=cpu"), lock_of("torch=2.3")),
              Contains("a driver is now needed (minimum: 525.60.13)"));
  EXPECT_THAT(texts(lock_of("torch=2.3"), lock_of("torch=2.3 cuda=cpu")), Contains("CUDA 12.1 -> cpu"));
}

TEST(Diff, Floors) {
  EXPECT_THAT(told([](Lock& lock) { lock.environment.driver->range.minimum = "570.26"_driver; }),
              ElementsAre("driver minimum rises from 525.60.13 to 570.26: hosts with an older driver are no longer supported"));
  EXPECT_THAT(told([](Lock& lock) { lock.environment.driver->range.minimum = "470.82.01"_driver; }),
              ElementsAre("driver minimum falls from 525.60.13 to 470.82.01: hosts with an older driver are supported, too"));
  // 495 to 520 worked with the old one and work no longer.
  EXPECT_THAT(told([](Lock& lock) {
                lock.environment.driver->range.minimum = "470.82.01"_driver;
                lock.environment.driver->range.last_branch = "470"_driver;
              }),
              ElementsAre("driver minimum 525.60.13 -> 470.82.01", "last driver branch the newest -> 470"));
  EXPECT_THAT(told([](Lock& lock) { lock.environment.driver->range.minimum.reset(); }),
              ElementsAre("driver minimum 525.60.13 -> unknown"));
  EXPECT_THAT(told([](Lock& lock) { lock.environment.torch->glibc = "2.99"_version; }),
              ElementsAre(testing::MatchesRegex(
                  "glibc minimum rises from [0-9.]+ to 2.99: systems with an older glibc are no longer supported")));
}

TEST(Diff, WhatALockDoesNotStateIsNotSaidToBeAbsent) {
  EXPECT_THAT(told([](Lock& lock) {
                lock.environment.torch->triton.reset();
                lock.environment.torch->nccl.reset();
              }),
              ElementsAre("triton 2.3.1 -> not stated", "NCCL 2.20.5 -> not stated"));
}

TEST(Diff, AFloorThatWasUnknownIsToldAsItIs) {
  auto before = lock_of("torch=2.3");
  before.environment.torch->glibc.reset();
  EXPECT_THAT(texts(before, lock_of("torch=2.3")), ElementsAre("glibc minimum unknown -> 2.17"));
  EXPECT_THAT(texts(lock_of("torch=2.3"), before), ElementsAre("glibc minimum 2.17 -> unknown"));
  // The same version in another spelling shuts nobody out.
  auto after = lock_of("torch=2.3");
  after.environment.torch->glibc = "2.17.0"_version;
  EXPECT_THAT(texts(lock_of("torch=2.3"), after), testing::Not(Contains(testing::HasSubstr("no longer supported"))));
}

TEST(Diff, Pythons) {
  EXPECT_THAT(told([](Lock& lock) { lock.environment.pythons.erase(lock.environment.pythons.begin()); }),
              ElementsAre("no longer supports Python 3.8"));
  EXPECT_THAT(told([](Lock& lock) { lock.environment.pythons.emplace_back("3.31"_python); }),
              ElementsAre("now supports Python 3.31"));
  EXPECT_THAT(told([](Lock& lock) { lock.environment.torch->pythons.emplace_back("3.31"_python); }),
              ElementsAre("the framework now has a wheel for Python 3.31"));
  EXPECT_THAT(told([](Lock& lock) { lock.environment.torch->pythons.clear(); }),
              ElementsAre("the framework no longer has a wheel for Python 3.8, 3.9, 3.10, 3.11, 3.12"));
  // Told once, where both change.
  EXPECT_THAT(told([](Lock& lock) {
                lock.environment.pythons.emplace_back("3.31"_python);
                lock.environment.torch->pythons.emplace_back("3.31"_python);
              }),
              ElementsAre("now supports Python 3.31"));
}

TEST(Diff, AnotherOrderIsADifference) {
  EXPECT_THAT(told(
                  [](Lock& lock) {
                    auto& channels = lock.environment.torch->conda_channels;
                    std::reverse(channels.begin(), channels.end());
                  },
                  "torch=2.4 cuda=12.1 installer=conda"),
              ElementsAre("conda channels pytorch, nvidia -> nvidia, pytorch"));
}

TEST(Diff, AnImageMayLetOlderDriversIn) {
  // 12.4's image lists R535 for data-centre boards, so nobody is told that it stops working.
  const auto told =
      texts(lock_of("torch=2.5 cuda=12.4 gpu=A100 variant=devel"), lock_of("torch=2.6 cuda=12.6 gpu=A100 variant=devel"));
  EXPECT_THAT(told, Contains("driver minimum 550.54.14 -> 560.28.03"));
}

TEST(Diff, BoardsAndCode) {
  EXPECT_THAT(texts(lock_of("torch=2.3 gpu=4090"), lock_of("torch=2.3 gpu=4090 gpu=A40")),
              ElementsAre("requested gpu 4090 -> 4090, A40", "driver now, for A40: >=525.60.13 (gpu_driver, minor_compat)",
                          "now supported: A40 (capability 8.6, sass 8.6, extensions for 8.6)", "1 reason or source changed"));
  EXPECT_THAT(texts(lock_of("torch=2.3 gpu=4090 gpu=4090"), lock_of("torch=2.3 gpu=4090")),
              Contains("no longer supported: GeForce RTX 4090 (capability 8.9, sass 8.6, extensions for 8.9)"));
  EXPECT_THAT(told([](Lock& lock) {
                lock.environment.torch->archs = std::vector<Arch>{"8.6"_arch, "12.0"_arch};
              }),
              ElementsAre("SASS for compute capability 5.0, 6.0, 7.0, 7.5, 8.0, 9.0 was removed",
                          "SASS for compute capability 12.0 was added"));
  EXPECT_THAT(told([](Lock& lock) { lock.environment.torch->archs.reset(); }),
              ElementsAre("SASS of the build is no longer known"));
}

TEST(Diff, ImagesPinsVariablesAndWarnings) {
  EXPECT_THAT(told([](Lock& lock) { lock.environment.images.devel = "nvidia/cuda:x"; }),
              ElementsAre("image (devel) nvidia/cuda:12.1.1-devel-ubuntu22.04 -> nvidia/cuda:x"));
  EXPECT_THAT(told([](Lock& lock) { lock.environment.images.devel.reset(); }),
              ElementsAre("image (devel) nvidia/cuda:12.1.1-devel-ubuntu22.04 -> none"));
  EXPECT_THAT(told([](Lock& lock) {
                lock.environment.pins.push_back({"x", "<1", "w", "s"});
              }),
              ElementsAre("pin x none -> <1", "1 reason or source changed"));
  EXPECT_THAT(told([](Lock& lock) { lock.environment.env.emplace_back("A", "1"); }), ElementsAre("variable A none -> 1"));
  EXPECT_THAT(told([](Lock& lock) { lock.environment.warnings.emplace_back("beware"); }), ElementsAre("new note: beware"));
}

TEST(Diff, WhatDoesNotMatterIsToldButMarked) {
  const auto before = lock_of("torch=2.3");
  auto after = before;
  after.matrix_revision = "2030.01.01";
  after.environment.reasons[0].why = "because";
  const auto found = differences(before, after);
  EXPECT_FALSE(any_matters(found));
  EXPECT_THAT(texts(before, after),
              ElementsAre("1 reason or source changed", fmt::format("data revision {} -> 2030.01.01", before.matrix_revision)));
  after = before;
  after.matrix_hash = "other";
  EXPECT_THAT(texts(before, after),
              ElementsAre(fmt::format("the data differs, although both have revision {}", before.matrix_revision)));
  after.environment.os = "debian12";
  EXPECT_TRUE(any_matters(differences(before, after)));
}

TEST(Diff, AsJson) {
  const auto before = lock_of("torch=2.3");
  auto after = before;
  after.environment.os = "debian12";
  util::JsonWriter json;
  write_differences(json, differences(before, after));
  EXPECT_EQ(
      json.text(),
      R"([{"field":"environment.os","from":"ubuntu22.04","to":"debian12","matters":true,"text":"system ubuntu22.04 -> debian12"}])");
}

/// Changes each value of a lock, one at a time: no change may go untold.
class EveryValue {
 public:
  explicit EveryValue(const std::string& request) : lock_(lock_of(request)), document_(json_of(lock_)) {}

  std::size_t visit() {
    for (const auto* part : {"matrix", "request", "environment", "pins", "env", "warnings", "reasons"})
      visit(Json::json_pointer(fmt::format("/{}", part)));
    return changes_;
  }

 private:
  void visit(const Json::json_pointer& place) {
    const auto& value = document_[place];
    if (value.is_object()) {
      for (const auto& [name, member] : value.items()) visit(place / name);
    } else if (value.is_array()) {
      for (std::size_t i = 0; i < value.size(); ++i) visit(place / i);
      if (value.empty()) return;
      auto shorter = document_;
      shorter[place].erase(value.size() - 1);
      const auto other = parse_lock(test::sealed(shorter), "l", Edited::refused);
      ASSERT_TRUE(other) << place.to_string() << ": " << other.error().message;
      expect_told(*other, place);
    } else {
      auto changed = document_;
      if (value.is_boolean()) changed[place] = !value.get<bool>();
      if (value.is_number()) changed[place] = value.get<int>() + 1;
      if (value.is_string()) changed[place] = value.get<std::string>() + "9";
      if (value.is_null()) changed[place] = "9";
      // A whole part that is null needs more than a text to be there, and is told by its own tests.
      if (const auto other = parse_lock(test::sealed(changed), "l", Edited::refused)) expect_told(*other, place);
    }
  }

  void expect_told(const Lock& other, const Json::json_pointer& place) {
    EXPECT_FALSE(differences(lock_, other).empty()) << place.to_string();
    EXPECT_FALSE(differences(other, lock_).empty()) << place.to_string();
    ++changes_;
  }

  Lock lock_;
  Json document_;
  std::size_t changes_ = 0;
};

TEST(Diff, NoChangeGoesUntold) {
  for (const auto& request : test::varied_requests()) EXPECT_GT(EveryValue(request).visit(), 80u) << request;
}

}  // namespace
}  // namespace envgen::project
