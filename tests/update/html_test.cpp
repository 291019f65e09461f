#include "update/html.hpp"

#include <chrono>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace envgen::update {
namespace {

using testing::ElementsAre;
using Row = std::vector<std::string>;

TEST(HtmlTables, AreTheTextsOfTheirCells) {
  const auto tables =
      html_tables(R"(<!DOCTYPE html><p>a<td>b<table class="docutils" id='id5'><caption><span>Table 3</span></caption>
    <colgroup><col style="width: 40%"/></colgroup><thead><tr class="row-odd"><th class="head" title="a > b"><p>CUDA
    Toolkit</p></th><th>Driver<br/>Version</th></tr></thead><tbody><TR><TD><p>CUDA&nbsp;13.2 <em>GA</em></p></TD>
    <td>&gt;= 595.45.04<sup>1</sup><!-- <td>0</td> --></td></tr></tbody></table><table><tr></tr></table>)");
  ASSERT_EQ(tables.size(), 2U);
  EXPECT_THAT(tables[0].rows, ElementsAre(Row{"CUDA Toolkit", "Driver Version"}, Row{"CUDA 13.2 GA", ">= 595.45.04"}));
  EXPECT_TRUE(tables[0].ended);
  EXPECT_THAT(tables[1].rows, ElementsAre(Row{}));
}

TEST(HtmlTables, TagsMayBeLeftOpen) {
  const auto tables = html_tables("<table><tr><td>a<td>b<sup>1<tr><th>c<td>d < 580</table>");
  ASSERT_EQ(tables.size(), 1U);
  EXPECT_THAT(tables[0].rows, ElementsAre(Row{"a", "b"}, Row{"c", "d < 580"}));
  EXPECT_THAT(html_tables("<table><td>a</table>").at(0).rows, ElementsAre(Row{"a"}));
}

TEST(HtmlTables, MayStandInsideEachOther) {
  const auto tables = html_tables("<table><tr><td>a<table><tr><td>b</table>c<td>d</table>");
  ASSERT_EQ(tables.size(), 2U);
  EXPECT_THAT(tables[0].rows, ElementsAre(Row{"ac", "d"}));
  EXPECT_THAT(tables[1].rows, ElementsAre(Row{"b"}));
}

TEST(HtmlTables, ScriptsAreNoPartOfThem) {
  const auto tables =
      html_tables("<script>if (a <b) say(\"don't <table>\")</script><style>a>b{}</style><table><tr><td>a</table>");
  ASSERT_EQ(tables.size(), 1U);
  EXPECT_THAT(tables[0].rows, ElementsAre(Row{"a"}));
}

TEST(HtmlTables, AnEndIsSeenToBeMissing) {
  for (const auto* page : {"<table><tr><td>a</td>", "<table><tr><td>a</td></table", "<table><tr><td>a</td><!-- </table>",
                           "<table><tr><td>a</td><p title=\"</table>", "<table><tr><td>a</td><script></table>"}) {
    const auto tables = html_tables(page);
    ASSERT_EQ(tables.size(), 1U) << page;
    EXPECT_FALSE(tables[0].ended) << page;
    EXPECT_THAT(tables[0].rows, ElementsAre(Row{"a"})) << page;
  }
  EXPECT_THAT(html_tables("</table></td><"), ElementsAre());
}

TEST(HtmlTables, TakeNoLongerWhereNothingEnds) {
  const auto begin = std::chrono::steady_clock::now();
  for (const auto* part : {"<a ", "<table>", "<table><tr><td>", "<!--", "<script>", "&gt", "<\"", "<sup>"}) {
    std::string page;
    while (page.size() < 1'000'000) page += part;
    html_tables(page);
    html_tables(page + ">");
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}

TEST(Unescaped, ReferencesAreCharacters) {
  EXPECT_EQ(unescaped("&gt;=1 &amp;gt; &ge; &#62;&lt;&quot;&#39; &x; &"), ">=1 &gt; \u2265 ><\"' &x; &");
}

}  // namespace
}  // namespace envgen::update
