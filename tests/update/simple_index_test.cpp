#include "update/simple_index.hpp"

#include <gtest/gtest.h>

namespace envgen::update {
namespace {

net::Reply reply(std::string body, std::string type) {
  net::Reply result;
  result.body = std::move(body);
  result.content_type = std::move(type);
  result.final_url = "https://index.example/simple/torch/";
  return result;
}
std::string error_of(std::string body, std::string type = "application/vnd.pypi.simple.v1+json") {
  const auto wheels = wheels_of_index("torch", reply(std::move(body), std::move(type)));
  EXPECT_FALSE(wheels);
  if (wheels) return {};
  EXPECT_EQ(wheels.error().code, ErrorCode::network);
  return wheels.error().message;
}
std::string file(const std::string& name, const std::string& more = "") {
  return R"({"files": [{"filename": ")" + name + R"(", "url": "../../f/)" + name + "\"" + more + "}]}";
}

TEST(SimpleIndex, JsonAndPagesSayTheSame) {
  const std::string name = "torch-2.16.0-cp314-cp314t-manylinux_2_28_x86_64.whl";
  const auto json = wheels_of_index(
      "torch", reply(file(name, R"(, "requires-python": ">=3.11", "yanked": false, "upload-time": "2026-12-01T10:00:00Z",
    "core-metadata": {"sha256": "abc"})"),
                     "application/vnd.pypi.simple.v1+json"));
  const auto page =
      wheels_of_index("torch", reply("<html><a href=\"../../f/" + name +
                                         "#sha256=0\" data-requires-python=\"&gt;=3.11\" data-core-metadata=\"sha256=abc\">" +
                                         name + "</a></html>",
                                     "text/html"));
  for (const auto* wheels : {&json, &page}) {
    ASSERT_TRUE(*wheels) << wheels->error().message;
    ASSERT_EQ((*wheels)->size(), 1U);
    const auto& wheel = (*wheels)->front();
    EXPECT_EQ(wheel.url, "https://index.example/f/" + name);
    EXPECT_EQ(wheel.version, "2.16.0");
    EXPECT_EQ(wheel.python, "3.14t");
    EXPECT_EQ(wheel.platforms, std::vector<std::string>{"linux-x86_64"});
    EXPECT_EQ(wheel.glibc, "2.28");
    EXPECT_EQ(wheel.requires_python, ">=3.11");
    EXPECT_TRUE(wheel.has_metadata);
    EXPECT_EQ(wheel.metadata_sha256, "abc");
    EXPECT_FALSE(wheel.yanked);
  }
  EXPECT_EQ(json->front().uploaded, "2026-12-01");
}

TEST(SimpleIndex, WhatIsNoReleaseForLinuxIsLeftOut) {
  for (const auto* name :
       {"torch-2.16.0.tar.gz", "torch-2.16.0rc1-cp314-cp314-manylinux_2_28_x86_64.whl", "torch-2.16.0-cp314-cp314-win_amd64.whl",
        "torch-2.16-cp314-cp314-manylinux_2_28_x86_64.whl", "torch-02.016.00-cp314-cp314-manylinux_2_28_x86_64.whl"}) {
    const auto wheels = wheels_of_index("torch", reply(file(name), "application/json"));
    ASSERT_TRUE(wheels) << name;
    EXPECT_TRUE(wheels->empty()) << name;
  }
}

TEST(SimpleIndex, OtherShapesAreErrors) {
  const std::string shape = "the response is not in the format of this source: ";
  EXPECT_EQ(error_of("{"), shape + "not JSON (the answer is truncated (line 1, column 2))");
  EXPECT_EQ(error_of("{}"), shape + "the field 'files' is missing");
  EXPECT_EQ(error_of(R"({"files": 3})"), shape + "must be a list");
  EXPECT_EQ(error_of(R"({"files": [{"filename": 3, "url": ""}]})"), shape + "must be a string");
  EXPECT_EQ(error_of(file("torch-../../etc-cp314-cp314-linux_x86_64.whl")),
            shape + "'torch-../../etc-cp314-cp314-linux_x86_64.whl' is not the name of a file");
  EXPECT_EQ(error_of(file("torch.whl")), shape + "'torch.whl' is not the name of a wheel");
  EXPECT_EQ(error_of(file("tensor-1.0-cp314-cp314-linux_x86_64.whl")),
            shape + "'tensor-1.0-cp314-cp314-linux_x86_64.whl' is a wheel of a project other than torch");
  EXPECT_EQ(error_of(R"({"files": [{"filename": "torch-2.16.0-cp314-cp314-linux_x86_64.whl", "url": "file:///etc/passwd"}]})"),
            shape + "'file:///etc/passwd' is not a link that can be followed");
  EXPECT_EQ(error_of("hello", "text/plain"), shape + "neither JSON nor HTML");
  EXPECT_EQ(error_of("<html><a href=\"x\">", "text/html"), shape + "a link on the page is not terminated");
}

TEST(SimpleIndex, LinksAreResolved) {
  const std::string page = "https://h.example/simple/torch/?x";
  EXPECT_EQ(resolved_link(page, "a.whl"), "https://h.example/simple/torch/a.whl");
  EXPECT_EQ(resolved_link(page, "../../a.whl#sha256=0"), "https://h.example/a.whl");
  EXPECT_EQ(resolved_link(page, "/a.whl"), "https://h.example/a.whl");
  EXPECT_EQ(resolved_link(page, "//o.example/a.whl"), "https://o.example/a.whl");
  EXPECT_EQ(resolved_link(page, "http://o.example/a.whl"), "http://o.example/a.whl");
}

}  // namespace
}  // namespace envgen::update
