#include "project/project_file.hpp"

#include <regex>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "files/outputs.hpp"
#include "matrix/embedded/embedded.hpp"
#include "resolver/resolver.hpp"
#include "support/locks.hpp"
#include "support/request_text.hpp"

namespace envgen::project {
namespace {

using test::text_of;

WrittenRequest start_of(std::string_view request) { return {test::request_of(request), {}}; }

std::string request_in(const std::string& text) {
  const auto parsed = parse_project(text, "envgen.json");
  return parsed ? test::text_of(parsed->request) : text_of(parsed.error());
}

TEST(Template, LeftAsItIsItAsksForNothing) { EXPECT_EQ(request_in(project_template({})), ""); }

TEST(Template, MembersStandApartByABlankLine) {
  const auto text = project_template({});
  const auto& members = field_rows;
  for (std::size_t i = 0; i < members.size(); ++i) {
    const auto before =
        i == 0 ? std::string("  \"request\": {\n") : fmt::format("\"{}\": {},\n\n", members[i - 1].name, members[i - 1].example);
    EXPECT_NE(text.find(fmt::format("{}    // {}\n", before, members[i].what)), std::string::npos) << members[i].name;
  }
}

TEST(Template, EveryMemberStandsThereWithItsExplanation) {
  const auto text = project_template({});
  for (const auto& member : field_rows)
    EXPECT_NE(text.find(fmt::format("    // {}\n    // \"{}\": {},\n", member.what, member.name, member.example)),
              std::string::npos)
        << member.name;
}

TEST(Template, EveryOptionOfTheOutputsStandsThereToo) {
  const auto text = project_template({});
  for (const auto& member : files::option_rows())
    EXPECT_NE(text.find(fmt::format("    // {}\n    // \"{}\": {},\n", member.what, member.name, member.example)),
              std::string::npos)
        << member.name;
  for (const auto& output : files::outputs()) EXPECT_NE(text.find(output.name), std::string::npos) << output.name;
}

TEST(Template, EachCommentedLineWorksOnceItIsUncommented) {
  const auto text = project_template({});
  const std::regex commented("    // (\"[a-z0-9_]+\": .*,)\n");
  std::size_t lines = 0;
  for (std::sregex_iterator it(text.begin(), text.end(), commented), end; it != end; ++it, ++lines) {
    auto changed = text;
    changed.replace(static_cast<std::size_t>(it->position()), 7, "");
    const auto parsed = parse_project(changed, "envgen.json");
    ASSERT_TRUE(parsed) << text_of(parsed.error());
    if (static_cast<std::size_t>(it->position()) > text.find("\"outputs\"")) continue;
    EXPECT_EQ(parsed->request.values.empty(), !parsed->preset.empty()) << it->str();
    const auto query = resolver::interpret(matrix::embedded(), parsed->request);
    ASSERT_TRUE(query) << it->str() << query.error().message;
    EXPECT_TRUE(resolver::find_best(matrix::embedded(), *query)) << it->str();
    if (!parsed->preset.empty()) {
      EXPECT_NE(matrix::embedded().preset(parsed->preset), nullptr);
    }
  }
  EXPECT_EQ(lines, field_rows.size() + files::option_rows().size());
}

TEST(Template, WhatIsAskedForIsSet) {
  const std::string all =
      "torch=2.3 torchvision=0.18 torchaudio=2.3 cuda=12.1 cudnn=8.9 python=3.10 driver=535 os=ubuntu22.04 platform=amd64 "
      "variant=devel installer=uv "
      "base=cuda prefer=newest ptx=true allow-inferred=true gpu=4090 gpu=A100 host=gpu=V100,driver=535";
  const auto parsed = parse_project(project_template(start_of(all)), "envgen.json");
  ASSERT_TRUE(parsed) << text_of(parsed.error());
  auto expected = start_of(all).request.values;
  const auto by_field = [](const RequestValue& a, const RequestValue& b) { return a.field < b.field; };
  std::stable_sort(expected.begin(), expected.end(), by_field);
  auto values = parsed->request.values;
  std::stable_sort(values.begin(), values.end(), by_field);
  ASSERT_EQ(values.size(), expected.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_EQ(values[i].field, expected[i].field);
    EXPECT_EQ(values[i].text, expected[i].text);
  }
  EXPECT_EQ(request_in(project_template(start_of("tensorflow=2.16"))), test::text_of(start_of("tensorflow=2.16").request));
}

TEST(Template, APresetStaysAName) {
  const auto parsed = parse_project(project_template({{}, "wsl2"}), "envgen.json");
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->preset, "wsl2");
}

TEST(Template, ValuesAreQuotedAsJson) {
  WrittenRequest start;
  start.request.values.push_back({Field::torch, "\"}\n// {{$(x)\r", Origin::flag, "--torch"});
  const auto parsed = parse_project(project_template(start), "envgen.json");
  ASSERT_TRUE(parsed) << text_of(parsed.error());
  ASSERT_EQ(parsed->request.values.size(), 1u);
  EXPECT_EQ(parsed->request.values[0].text, start.request.values[0].text);
}

}  // namespace
}  // namespace envgen::project
