#include "inspect/metadata.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/error_text.hpp"

namespace envgen::inspect {
namespace {

const char* const torch =
    "Metadata-Version: 2.1\r\n"
    "Name: torch\r\n"
    "Version: 2.9.1+cu128\r\n"
    "Summary: Tensors\r\n"
    "  Requires-Dist: in a fold\r\n"
    "Requires-Python: >=3.10, <3.15\r\n"
    "Requires-Dist: filelock\r\n"
    "Requires-Dist: nvidia-cudnn-cu12==9.10.2.21; platform_system == \"Linux\"\r\n"
    "Requires-Dist: cuda-toolkit[cudart,nvrtc] ==13.0.2 ;\r\n"
    "\tplatform_system == 'Linux'\r\n"
    "\r\n"
    "Requires-Dist: in-the-readme\r\n";

TEST(Metadata, IsWhatAPackageSaysOfItself) {
  const auto metadata = parse_metadata(torch, "x.whl");
  ASSERT_TRUE(metadata) << test::text_of(metadata.error());
  EXPECT_EQ(metadata->name, "torch");
  EXPECT_EQ(metadata->version, "2.9.1+cu128");
  EXPECT_EQ(metadata->requires_python, ">=3.10,<3.15");
  const std::vector<Requirement> expected{
      {"filelock", "", "", ""},
      {"nvidia-cudnn-cu12", "", "==9.10.2.21", "platform_system == \"Linux\""},
      {"cuda-toolkit", "cudart,nvrtc", "==13.0.2", "platform_system == 'Linux'"},
  };
  EXPECT_EQ(metadata->requires_dist, expected);
  ASSERT_NE(metadata->requirement("nvidia-cudnn-cu12"), nullptr);
  EXPECT_EQ(metadata->requirement("nvidia-cudnn-cu12")->version, "==9.10.2.21");
  EXPECT_EQ(metadata->requirement("in-the-readme"), nullptr);
}

TEST(Metadata, WhatIsMissingOrNoSuchThingIsSaid) {
  const auto error = [](const std::string& text) {
    const auto metadata = parse_metadata(text, "x.whl");
    return metadata ? "none" : test::text_of(metadata.error());
  };
  EXPECT_EQ(error("Name: a\nVersion: 1\n"), "none");
  EXPECT_EQ(error(""), "bad_input | x.whl | the metadata has the name '', which is not a package name | ");
  EXPECT_EQ(error("Name: ../a\nVersion: 1\n"),
            "bad_input | x.whl | the metadata has the name '../a', which is not a package name | ");
  EXPECT_EQ(error("Name: a\n"), "bad_input | x.whl | the metadata has the version '', which is not a version | ");
  for (const std::string version : {"../../etc", "1/2", "1..2", ".1", "1 2"})
    EXPECT_EQ(error("Name: a\nVersion: " + version + "\n"),
              "bad_input | x.whl | the metadata has the version '" + version + "', which is not a version | ");
  EXPECT_EQ(error("Name: a\nVersion: 1\nRequires-Python: 3.9\n"),
            "bad_input | x.whl | the metadata requires Python '3.9', which is not a version range | ");
  EXPECT_EQ(error("Name: a\nVersion: 1\nRequires-Dist: b c\n"), "bad_input | x.whl | 'b c' is not a PEP 508 requirement | ");
}

TEST(Requirement, IsReadInEveryFormThatWheelsHave) {
  const auto read = [](const std::string& text) {
    const auto requirement = parse_requirement(text, "x.whl");
    return requirement
               ? fmt::format("{}|{}|{}|{}", requirement->name, requirement->extras, requirement->version, requirement->marker)
               : test::text_of(requirement.error());
  };
  EXPECT_EQ(read("a"), "a|||");
  EXPECT_EQ(read("Nvidia_cuDNN.CU12"), "nvidia-cudnn-cu12|||");
  EXPECT_EQ(read("a (>=1.0, <2)"), "a||>=1.0,<2|");
  EXPECT_EQ(read("a>=1,!=1.5.*,~=1.2"), "a||>=1,!=1.5.*,~=1.2|");
  EXPECT_EQ(read("a [b , c]>=1;extra == 'x'"), "a|b,c|>=1|extra == 'x'");
  EXPECT_EQ(read("a @ https://example.org/a;b.whl ; extra == 'x'"), "a||@ https://example.org/a;b.whl|extra == 'x'");
  EXPECT_EQ(read("a @ file:///a.whl"), "a||@ file:///a.whl|");
  for (const std::string bad : {"", "-a", "a-", "a [b", "a 1.0", "a [b/c]", "a >= $x", "a[;]x"})
    EXPECT_EQ(read(bad), "bad_input | x.whl | '" + bad + "' is not a PEP 508 requirement | ");
  EXPECT_EQ(read("a; x\x1b"), "bad_input | x.whl | 'a; x\\x1b' is not a PEP 508 requirement | ");
}

TEST(Requirement, NamesAreComparedAsTheIndexDoes) {
  EXPECT_EQ(normalised_name("Flask-SQLAlchemy"), "flask-sqlalchemy");
  EXPECT_EQ(normalised_name("zope.interface__x"), "zope-interface-x");
}

}  // namespace
}  // namespace envgen::inspect
