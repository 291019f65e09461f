// The views, beside their golden cases: what holds for each of them, and what hostile texts come to.
#include "reports/view.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <limits>

#include <gmock/gmock.h>
#include <unistd.h>

#include "reports/charts.hpp"
#include "reports/speeds.hpp"
#include "saved.hpp"

namespace envgen::reports {
namespace {

using test::check_of;
using test::Json;
using test::parsed;
using test::saved;
using testing::HasSubstr;
using testing::Not;

/// Runs one of our Python checks on a view.
int checked(const char* script, const std::string& view, const std::string& more = {}) {
  const auto file = std::filesystem::temp_directory_path() / ("envgen-view-" + std::to_string(::getpid()));
  std::ofstream(file, std::ios::binary) << view;
  const int status = std::system(("python3 " + std::string(script) + " " + file.string() + " " + more).c_str());
  std::filesystem::remove(file);
  return status;
}

Json hostile() {
  auto json = saved("two-gpus.json");
  const std::string text = R"(</td><script>alert(1)</script> "quoted" ]]> %0A::error::x | `code` @me)";
  json["image"] = text;
  json["engine"] = text;
  json["machine"]["gpus"][0]["name"] = text;
  json["machine"]["libraries"][text] = text;
  check_of(json, "kernel", 1)["message"] = text;
  check_of(json, "shm")["message"] = text + "\xef\xbf\xbf";
  check_of(json, "d2d.speed", 0)["evidence"]["basis"] = text;
  return json;
}

TEST(View, FormatsByTheEndOfAName) {
  EXPECT_EQ(format_of_file("a.html"), Format::html);
  EXPECT_EQ(format_of_file("r.xml"), Format::junit);
  EXPECT_EQ(format_of_file("r.md"), Format::markdown);
  EXPECT_EQ(format_of_file("a.b/r.txt"), Format::text);
  EXPECT_EQ(format_of_file("r.json"), Format::json);
  EXPECT_EQ(format_of_file("html"), std::nullopt);
}

TEST(View, ThePageIsWhole) {
  for (const auto* name : {"two-gpus.json", "two-gpus-later.json", "doubles.json", "of_another_version/mixed.json"})
    EXPECT_EQ(checked(CHECK_PAGE, html(parsed(saved(name))), std::string(REPORTS) + "/" + name), 0) << name;
}

TEST(View, ThePageEscapesEverything) {
  const auto page = html(parsed(hostile()));
  EXPECT_THAT(page, Not(HasSubstr("<script")));
  EXPECT_THAT(page, HasSubstr("&lt;script&gt;alert(1)"));
}

TEST(View, JunitIsWhole) {
  for (const auto* name : {"two-gpus.json", "two-gpus-later.json", "doubles.json", "of_another_version/mixed.json"})
    EXPECT_EQ(checked(CHECK_JUNIT, junit(parsed(saved(name)))), 0) << name;
  EXPECT_EQ(checked(CHECK_JUNIT, junit(parsed(hostile()))), 0);
}

TEST(View, JunitOfEachVerdict) {
  const auto xml = junit(parsed(saved("two-gpus.json")));
  EXPECT_THAT(xml, HasSubstr("name=\"kernel/1\">\n      <failure message=\"no kernel image"));
  EXPECT_THAT(xml, HasSubstr("name=\"user\">\n      <system-out>warning: the container runs as root"));
  EXPECT_THAT(xml, HasSubstr("name=\"ipc\">\n      <skipped message=\"unknown: its namespace could not be compared\"/>"));
  EXPECT_THAT(xml, HasSubstr("name=\"archs\">\n      <skipped message=\"the image"));
}

TEST(View, NoTextBeginsACommandOfGithub) {
  auto json = hostile();
  json["image"] = "::error::mine";
  const auto annotations = github(parsed(json));
  std::istringstream lines(annotations);
  int commands = 0;
  for (std::string line; std::getline(lines, line);) commands += line.starts_with("::") ? 1 : 0;
  EXPECT_EQ(commands, 5);  // one failed, three warned, one is unknown
  EXPECT_THAT(annotations, HasSubstr("title=%3A%3Aerror%3A%3Amine%3A kernel/1::"));
}

TEST(View, MarkdownKeepsItsTable) {
  const auto text = markdown(parsed(hostile()));
  EXPECT_THAT(text, Not(HasSubstr("<script")));
  EXPECT_THAT(text, HasSubstr(R"(%0A::error::x \| \`code\` @me)"));
}

TEST(View, DoublesAreNamedFirst) {
  auto json = saved("two-gpus.json");
  json["doubles"] = {"libcuda", "libcudart"};
  const auto report = parsed(json);
  const std::string notice = "Test doubles replaced libcuda, libcudart: this says nothing about real GPUs.";
  EXPECT_THAT(text(report, {}), HasSubstr(notice));
  EXPECT_THAT(github(report), testing::StartsWith("::notice title=example%3A1%3A test doubles::" + notice));
  EXPECT_THAT(markdown(report), HasSubstr("> **" + notice + "**"));
  EXPECT_THAT(junit(report), HasSubstr("<system-out>" + notice));
  EXPECT_THAT(html(report), HasSubstr("<p class=\"notice\" role=\"alert\">⚠ " + notice));
}

TEST(Speeds, AreReadOutOfTheEvidence) {
  const auto all = speeds(parsed(saved("two-gpus.json")));
  ASSERT_EQ(all.size(), 10U);
  EXPECT_EQ(name_with_gpu(all[0]), "d2d 512 MiB on GPU 0");
  EXPECT_EQ(all[1].status, validate::Status::warn);
  EXPECT_EQ(name_of(all[2]), "gemm-bf16 n=8192");
  EXPECT_EQ(all[3].excuse, "the GPU is throttled");
  EXPECT_EQ(name_of(all[4]), "vector 256 MiB");
  EXPECT_EQ(name_with_gpu(all[6]), "peer.one-way 0-1 256 MiB");
}

TEST(Speeds, EvidenceOfAnotherFormMeasuresNothing) {
  auto json = saved("two-gpus.json");
  for (auto& check : json.at("checks")) {
    auto& evidence = check.at("evidence");
    if (evidence.contains("value")) evidence["value"] = "fast";
    if (evidence.contains("sizes")) evidence["sizes"] = {{{"n", -1}, {"flop_per_second", 1}}, 7, nullptr};
    if (evidence.contains("peer")) evidence["peer"] = "0";
  }
  const auto report = parsed(json);
  EXPECT_TRUE(speeds(report).empty());
  EXPECT_TRUE(curves(report).empty());
  EXPECT_TRUE(peer_copies(report).empty());
  EXPECT_THAT(html(report), Not(HasSubstr("<h2>Speeds</h2>")));
}

TEST(Speeds, AreFiniteAndAboveZero) {
  auto report = parsed(saved("two-gpus.json"));
  for (const double wrong : {std::numeric_limits<double>::infinity(), std::nan(""), 0.0, -1.0}) {
    for (auto& result : report.results) {
      if (result.evidence.contains("value")) result.evidence["value"] = wrong;
    }
    EXPECT_TRUE(speeds(report).empty()) << wrong;
  }
}

TEST(Curves, AreOfTheUnitThatCameFirst) {
  auto json = saved("two-gpus.json");
  const Json product{{"n", 128}, {"flop_per_second", 1e12}};
  const Json vector{{"floats", 1024}, {"bytes_per_second", 1e9}};
  const auto with = [&](const Json& sizes) {
    check_of(json, "gemm-bf16", 0)["evidence"]["sizes"] = sizes;
    return curves(parsed(json)).front();
  };
  Json larger = product;
  larger["n"] = 256;
  const auto products = with({product, vector, larger});
  EXPECT_EQ(products.unit, "FLOP/s");
  EXPECT_EQ(products.points.size(), 2U);
  larger = vector;
  larger["floats"] = 2048;
  const auto vectors = with({vector, product, larger});
  EXPECT_EQ(vectors.unit, "B/s");
  EXPECT_EQ(vectors.points.size(), 2U);
}

TEST(Curves, KeepTheOrderOfEqualSizes) {
  auto json = saved("two-gpus.json");
  auto sizes = Json::array();
  for (int i = 1; i <= 8; ++i) sizes.push_back({{"n", i < 3 ? 256 : 128}, {"flop_per_second", i}});
  check_of(json, "gemm-bf16", 0)["evidence"]["sizes"] = sizes;
  std::vector<double> values;
  const auto found = curves(parsed(json));
  for (const auto& point : found.front().points) values.push_back(point.value);
  EXPECT_THAT(values, testing::ElementsAre(3, 4, 5, 6, 7, 8, 1, 2));
}

TEST(CopyMatrix, ExplainsTheStarOnlyWhereOneStands) {
  const std::string note = "through the host";
  const PeerCopy direct{0, 1, true, 1e9, 2e9, validate::Status::pass};
  EXPECT_THAT(copy_matrix({direct, {1, 0, false, 1e9, 2e9, validate::Status::pass}}), HasSubstr(note));
  EXPECT_THAT(copy_matrix({direct, {1, 0, false, {}, {}, validate::Status::fail}}), Not(HasSubstr(note)));
}

TEST(Speeds, OfACopyHaveTheSizeOfThatPairOfGpus) {
  auto report = parsed(saved("two-gpus.json"));
  auto other = *std::find_if(report.results.begin(), report.results.end(), [](const auto& one) { return one.check == "peer"; });
  other.evidence["peer"] = 2;
  other.evidence["bytes"] = 1024;
  report.results.insert(report.results.begin(), other);
  EXPECT_EQ(name_of(speeds(report)[6]), "peer.one-way 0-1 256 MiB");
}

TEST(Curves, HaveAsManyPointsAsAPageCanShow) {
  auto json = saved("two-gpus.json");
  auto sizes = Json::array();
  for (int i = 1; i <= 65; ++i) sizes.push_back({{"n", i}, {"flop_per_second", 1e12}});
  check_of(json, "gemm-bf16", 0)["evidence"]["sizes"] = sizes;
  const auto found = curves(parsed(json)).front();
  EXPECT_EQ(found.points.size(), 64U);
  EXPECT_EQ(found.points.back().size, 64);
}

TEST(Load, IsTheHighestOfAllTestsOfTheGpu) {
  const auto report = parsed(saved("of_another_version/mixed.json"));
  EXPECT_EQ(load_of(report, 0).temperature_c, 61);
  EXPECT_EQ(load_of(report, 0).power_w, 402.5);
  EXPECT_EQ(load_of(report, 1).temperature_c, 70);
  EXPECT_EQ(load_of(report, 1).power_w, std::nullopt);
  EXPECT_THAT(load_of(report, 1).throttle_reasons, testing::ElementsAre("hw_slowdown", "sw_power_cap"));
  EXPECT_EQ(load_of(report, 2).temperature_c, std::nullopt);
}

TEST(Load, NamesAReasonOnceAndNoMoreThanSixteen) {
  auto json = saved("two-gpus.json");
  auto reasons = Json::array();
  for (const char letter : std::string("aabcdefghijklmnopqrst")) reasons.push_back(std::string(1, letter));
  check_of(json, "d2d.speed", 0)["evidence"]["after"]["throttle_reasons"] = reasons;
  const auto found = load_of(parsed(json), 0).throttle_reasons;
  ASSERT_EQ(found.size(), 16U);
  EXPECT_EQ(found[1], "b");
  EXPECT_EQ(found.back(), "p");
}

TEST(View, APageWithoutGpusHasNoSectionOfThem) {
  EXPECT_THAT(html(parsed(saved("doubles.json"))), Not(HasSubstr("<h2>GPUs</h2>")));
  EXPECT_THAT(html(parsed(saved("two-gpus.json"))), HasSubstr("<h2>GPUs</h2>"));
}

TEST(Speeds, Units) {
  EXPECT_EQ(rate_text(7.65e14, "FLOP/s"), "765 TFLOP/s");
  EXPECT_EQ(rate_text(53.977e9, "B/s"), "53.98 GB/s");
  EXPECT_EQ(bytes_text(268435456), "256 MiB");
  EXPECT_EQ(bytes_text(1000), "1000 B");
  EXPECT_EQ(bytes_text(1024), "1 KiB");
  EXPECT_EQ(bytes_text(1536), "1536 B");  // no size is rounded
  EXPECT_EQ(bytes_text(1572864), "1536 KiB");
  EXPECT_EQ(rate_text(1e12, "B/s"), "1 TB/s");
  EXPECT_EQ(rate_text(0.999e12, "B/s"), "999 GB/s");
}

}  // namespace
}  // namespace envgen::reports
