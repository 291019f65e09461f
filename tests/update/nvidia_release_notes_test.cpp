#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/temporary_folder.hpp"
#include "update/draft.hpp"
#include "update/fake_client.hpp"
#include "update/readers.hpp"
#include "update/release_note_cells.hpp"

namespace envgen::update {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string notes = "https://docs.nvidia.com/cuda/cuda-toolkit-release-notes/index.html";
const std::string shape = notes + ": the response is not in the format of this source: ";

using Cells = std::vector<std::string>;

std::string row(const Cells& cells, const std::string& tag = "td") {
  std::string text = "<tr class=\"row-odd\">";
  for (const auto& cell : cells) text += "<" + tag + (cell.empty() ? ">" : "><p>" + cell + "</p>") + "</" + tag + ">\n";
  return text + "</tr>\n";
}
std::string table(const std::string& title, const std::string& head, const std::vector<Cells>& rows) {
  std::string text =
      "<table class=\"table-no-stripes docutils align-default\" id=\"id7\">\n<caption><span class=\"caption-number\">" + title +
      "</span><a class=\"headerlink\" href=\"#id7\" title=\"Permalink to this table\">#</a></caption>\n"
      "<colgroup><col style=\"width: 40%\"/></colgroup>\n<thead>" +
      head + "</thead>\n<tbody>";
  for (const auto& cells : rows) text += row(cells);
  return text + "</tbody>\n</table>\n";
}
const std::string components =
    table("Table 1 CUDA 13.2 Component Versions", row({"Component Name", "Version Information", "Supported Architectures"}, "th"),
          {{"NVIDIA Linux Driver", "595.45.04", "x86_64, arm64-sbsa"}});
std::string compatibility(const std::vector<Cells>& rows) {
  return table("Table 2 CUDA Toolkit and Minimum Required Driver Version for CUDA Minor Version Compatibility",
               row({"CTK Version", "Driver Range for Minor Version Compatibility"}, "th") + row({"", "Min", "Max"}, "th"), rows);
}
/// The second row of headings stands among the others.
std::string drivers(std::vector<Cells> rows) {
  rows.insert(rows.begin(), {"", "Linux x86_64 Driver Version", "Windows x86_64 Driver Version"});
  return table("Table 3 CUDA Toolkit and Corresponding Driver Versions", row({"CUDA Toolkit", "Toolkit Driver Version"}, "th"),
               rows);
}
std::string branches(const std::vector<Cells>& rows) {
  return table("Table 2", row({"CUDA Toolkit", "Corresponding Driver Branch"}, "th"), rows);
}

const std::vector<Cells> majors{
    {"13.x", "&gt;= 580", "N/A"}, {"12.x", "&gt;= 525", "&lt; 580"}, {"11.x", "&gt;= 450", "&lt; 525"}};
const std::vector<Cells> older{{"CUDA 12.9 Update 1", "&gt;=575.57.08", "&gt;=576.57"},
                               {"CUDA 12.9 GA", "&gt;=575.51.03", "&gt;=576.02"},
                               {"CUDA 11.0.2 GA", "&gt;= 450.51.05", "&gt;= 451.48"},
                               {"CUDA 11.0.1 RC", "&gt;= 450.36.06", "&gt;= 451.22"},
                               {"CUDA 10.2.89", "&gt;= 440.33", "&gt;= 441.22"},
                               {"CUDA 10.1 (10.1.105 general release, and updates)", "&gt;= 418.39", "&gt;= 418.96"},
                               {"CUDA 10.0.130", "&gt;= 410.48", "&gt;= 411.31"}};

/// The page of 13.2, as a public copy of its HTML has it, and that of 13.4 Update 1, as a public copy of its text has it, with a
/// few of their rows.
std::string page_of_13_2() {
  auto rows = older;
  rows.insert(rows.begin(), {{"CUDA 13.2 Update 1", "&gt;=595.58.03", "N/A"}, {"CUDA 13.2 GA", "&gt;=595.45.04", "N/A"}});
  return "<!DOCTYPE html><html><body>" + components + compatibility(majors) + drivers(rows) + "</body></html>";
}
std::string page_of_13_4(const std::vector<Cells>& newer = {{"CUDA 13.4", "R615"}, {"CUDA 13.2", "R595"}}) {
  return "<!DOCTYPE html><html><body>" + branches(newer) + compatibility(majors) + drivers(older) + "</body></html>";
}

/// A few facts, as of 13.1.
class NvidiaReleaseNotes : public ::testing::Test {
 protected:
  NvidiaReleaseNotes() {
    folder_.write("cuda.json", R"({"sources": {"mine": {"what": "my notes", "url": null, "read": "2026-11-01"}},
      "toolkits": [{"version": "10.1.105", "driver": null, "source": "mine"}, {"version": "12.9.1", "driver": null, "source": "mine"},
                   {"version": "13.2.1", "driver": null, "source": "mine"}, {"version": "13.4.1", "driver": null, "source": "mine"}],
      "minors": [{"cuda": "10.1", "native_driver": "418.39", "source": "mine"},
                 {"cuda": "11.0", "native_driver": "450.51.05", "source": "mine"},
                 {"cuda": "12.9", "native_driver": null, "source": "mine"}],
      "majors": [{"cuda": "11", "minor_compat_driver": "450.80.02", "source": "mine"},
                 {"cuda": "12", "minor_compat_driver": "525.60.13", "source": "mine"}]})");
    folder_.write("drivers.json", R"({"branches": [{"branch": "590", "cuda": "13.1", "latest": "590.48.01"}]})");
    known_ = matrix::Documents::read({folder_.path()}).value();
  }

  Expected<std::vector<Reading>> read(const std::string& page, const std::string& mirror = {}) {
    test::FakeClient client({{mirror.empty() ? notes : mirror + "index.html", page}});
    Visit visit{client, known_, [](std::string_view, std::size_t, std::size_t) {}, "2026-11-28"};
    visit.mirror = mirror;
    return read_nvidia_release_notes(visit);
  }
  /// The claims, a line each.
  std::string lines(const std::string& page) {
    const auto readings = read(page);
    if (!readings) {
      EXPECT_EQ(readings.error().code, ErrorCode::network);
      return readings.error().origin + ": " + readings.error().message;
    }
    std::string text;
    for (const auto& claim : readings->front().claims) text += std::string(claim.table->list) + " " + claim.row.dump() + "\n";
    return text;
  }

  test::TemporaryFolder folder_;
  matrix::Documents known_;
};

TEST_F(NvidiaReleaseNotes, StateTheDriversOfWhatIsKnownOrNew) {
  EXPECT_EQ(lines(page_of_13_2()), R"(toolkits {"version":"13.2.1","driver":"595.58.03"}
minors {"cuda":"13.2","native_driver":"595.45.04"}
toolkits {"version":"12.9.1","driver":"575.57.08"}
minors {"cuda":"12.9","native_driver":"575.51.03"}
minors {"cuda":"11.0","native_driver":"450.51.05"}
toolkits {"version":"10.1.105","driver":"418.39"}
minors {"cuda":"10.1","native_driver":"418.39"}
majors {"cuda":"13","minor_compat_driver":"580.00"}
majors {"cuda":"12","minor_compat_driver":"525.60.13"}
majors {"cuda":"11","minor_compat_driver":"450.80.02"}
)") << "10.0 and 10.2 are unknown and not new";
}

TEST_F(NvidiaReleaseNotes, StateBranchesWhereDriversAreNoLongerBundled) {
  EXPECT_THAT(lines(page_of_13_4()), HasSubstr(R"(
minors {"cuda":"13.4"}
branches {"branch":"615","cuda":"13.4"}
minors {"cuda":"13.2"}
branches {"branch":"595","cuda":"13.2"}
majors )"));
}

TEST_F(NvidiaReleaseNotes, AMajorBeginsWithTheDriverOfItsFirstMinor) {
  auto page = page_of_13_2();
  page.replace(page.find("CUDA 13.2 GA"), 12, "CUDA 13.0 GA");
  page.replace(page.find("&gt;=595.45.04"), 14, "&gt;=580.65.06");
  EXPECT_THAT(lines(page), HasSubstr(R"(majors {"cuda":"13","minor_compat_driver":"580.65.06"})"));
}

TEST_F(NvidiaReleaseNotes, TablesOf12AreUnderstood) {
  const auto page = table("Table 2",
                          row({"CUDA Toolkit", "Minimum Required Driver Version for CUDA Minor Version Compatibility*"}, "th") +
                              row({"Linux x86_64 Driver Version", "Windows x86_64 Driver Version"}, "th"),
                          {{"CUDA 12.x", "&gt;=525.60.13", "&gt;=528.33"},
                           {"CUDA 11.8.x<br>CUDA 11.7.x", "&gt;=450.80.02", "&gt;=452.39"},
                           {"CUDA 11.6.x"},
                           {"CUDA 11.0 (11.0.3)", "&gt;=450.36.06**", "&gt;=451.22**"}}) +
                    drivers(older);
  EXPECT_THAT(lines(page), HasSubstr("majors {\"cuda\":\"12\",\"minor_compat_driver\":\"525.60.13\"}\n"));
}

TEST_F(NvidiaReleaseNotes, AreReadAtAMirror) {
  const auto readings = read(page_of_13_2(), "https://mirror.example/notes/");
  ASSERT_TRUE(readings);
  EXPECT_EQ(readings->front().url, "https://mirror.example/notes/index.html");
}

TEST_F(NvidiaReleaseNotes, AnotherShapeIsRefused) {
  const auto whole = compatibility(majors) + drivers(older);
  const auto with = [&](std::vector<Cells> first) {
    first.insert(first.end(), older.begin(), older.end());
    return compatibility(majors) + drivers(first);
  };
  EXPECT_EQ(lines("<html>Please log in</html>"), shape + "no table of CUDA releases and their Linux drivers");
  EXPECT_EQ(lines(""), shape + "no table of CUDA releases and their Linux drivers");
  EXPECT_EQ(lines(compatibility(majors) + drivers({})), shape + "no table of CUDA releases and their Linux drivers");
  EXPECT_EQ(lines(drivers(older)), shape + "no table of minor-version compatibility");
  EXPECT_EQ(lines(whole.substr(0, whole.size() - 30)), shape + "the page ends inside a table");
  EXPECT_EQ(lines(whole.substr(0, whole.find("12.x"))), shape + "no table of CUDA releases and their Linux drivers");
  EXPECT_EQ(lines(with({{"CUDA next", ">=640.10"}})), shape + "'CUDA next' is not a release of CUDA");
  EXPECT_EQ(lines(with({{"CUDA 13.2 Update x", ">=640.10"}})), shape + "'CUDA 13.2 Update x' is not a release of CUDA");
  EXPECT_EQ(lines(with({{"", ">=640.10"}})), shape + "'' is not a release of CUDA");
  EXPECT_EQ(lines(with({{"CUDA 13.2 GA", "soon"}})), shape + "the driver of 'CUDA 13.2 GA' is 'soon'");
  EXPECT_EQ(lines(with({{"CUDA 13.2 GA", "&gt;= 595"}})), shape + "the driver of 'CUDA 13.2 GA' is '>= 595'");
  EXPECT_EQ(lines(with({{"CUDA 13.2 GA"}})), shape + "no driver for 'CUDA 13.2 GA'");
  EXPECT_EQ(lines(compatibility({{"all", ">= 580"}}) + drivers(older)), shape + "'all' is not a release of CUDA");
  EXPECT_EQ(lines(compatibility({{"13.x", "R580"}}) + drivers(older)), shape + "the minimum driver of '13.x' is 'R580'");
  EXPECT_EQ(lines(page_of_13_4({{"CUDA 13.4", "615.71.09"}})), shape + "the driver branch of 'CUDA 13.4' is '615.71.09'");
  EXPECT_EQ(lines(page_of_13_4({{"New", "R615"}})), shape + "'New' is not a release of CUDA");
}

/// Wherever it is cut, it states all or nothing.
TEST_F(NvidiaReleaseNotes, APartOfAPageIsRefused) {
  for (const auto& page : {page_of_13_2(), page_of_13_4()}) {
    const auto whole = lines(page);
    for (std::size_t length = 0; length < page.size(); length += 3) {
      const auto said = lines(page.substr(0, length));
      EXPECT_TRUE(said == whole || said.starts_with(shape)) << length;
      EXPECT_EQ(said == whole, length >= page.rfind("</table>") + 8) << length;
    }
  }
}

TEST_F(NvidiaReleaseNotes, APageThatIsMissingIsRefused) {
  test::FakeClient client({});
  Visit visit{client, known_, [](std::string_view, std::size_t, std::size_t) {}, "2026-11-28"};
  const auto missing = read_nvidia_release_notes(visit);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().origin + ": " + missing.error().message, notes + ": it is not there (HTTP 404)");
}

/// The shipped facts, and pages that state other things.
class NvidiaReleaseNotesOfShippedFacts : public NvidiaReleaseNotes {
 protected:
  NvidiaReleaseNotesOfShippedFacts() { known_ = matrix::Documents::read({ENVGEN_MATRIX_FOLDER}).value(); }

  /// All minors, and a toolkit each, as the facts have them.
  static std::vector<Cells> rows_of(const matrix::Documents& known) {
    std::vector<Cells> rows;
    for (const auto& each : known.rows(matrix::tables::cuda_minors)) {
      const auto driver = each.value->at("native_driver");
      if (driver.is_string())
        rows.push_back(
            {"CUDA " + each.value->at("cuda").get<std::string>() + " (general release)", "&gt;=" + driver.get<std::string>()});
    }
    return rows;
  }
  Expected<Merged> merged(const std::string& page) {
    const auto readings = read(page);
    if (!readings) return tl::unexpected(readings.error());
    return merge(known_, *readings, "2026-11-28");
  }
};

TEST_F(NvidiaReleaseNotesOfShippedFacts, NewFactsComeInWithTheirSource) {
  auto rows = rows_of(known_);
  rows.insert(rows.begin(), {{"CUDA 13.0 Update 3", ">=580.126.20", "N/A"}, {"CUDA 9.2 (9.2.148 Update 1)", ">= 396.37"}});
  const auto page = branches({{"CUDA 14.0", "R640"}, {"CUDA 13.5", "R620"}}) +
                    compatibility({{"14.x", ">= 640"}, {"13.x", "&gt;= 580"}, {"12.x", "&gt;= 525"}}) + drivers(rows);
  Place place;
  place.folder = folder_.path() / "own";
  place.user = true;
  place.below = place.facts = [] { return matrix::Documents::read({ENVGEN_MATRIX_FOLDER}); };
  auto draft = Draft::of(place, "2026-11-28");
  ASSERT_TRUE(draft) << draft.error().message;
  const auto taken = merged(page);
  ASSERT_TRUE(taken) << taken.error().message;
  EXPECT_THAT(taken->refused, IsEmpty());
  std::vector<std::string> after;
  for (const auto& change : taken->changes) after.push_back(std::string(change.table->list) + " " + change.after.dump());
  EXPECT_THAT(after, testing::UnorderedElementsAre(
                         HasSubstr(R"("version":"13.0.3")"), HasSubstr(R"("version":"9.2.148")"),
                         R"(minors {"cuda":"14.0","native_driver":null,"source":"nvidia-release-notes"})",
                         HasSubstr(R"(branches {"branch":"640","kind":null,"cuda":"14.0",)"),
                         R"(majors {"cuda":"14","minor_compat_driver":"640.00","source":"nvidia-release-notes"})"));
  EXPECT_EQ(
      taken->sources.at("cuda.json").at("nvidia-release-notes"),
      Json({{"what", "NVIDIA's release notes of CUDA: the drivers of the toolkits"}, {"url", notes}, {"read", "2026-11-28"}}));
  const auto sound = draft->take(*taken);
  EXPECT_TRUE(sound) << sound.error().message;
}

TEST_F(NvidiaReleaseNotesOfShippedFacts, AContradictionIsRefused) {
  auto rows = rows_of(known_);
  rows.push_back({"CUDA 12.1 Update 1", ">=530.30.03"});
  const auto taken = merged(branches({{"CUDA 13.3", "R611"}}) + compatibility({{"13.x", ">= 590"}}) + drivers(rows));
  ASSERT_TRUE(taken) << taken.error().message;
  EXPECT_THAT(taken->changes, IsEmpty());
  const std::string says = "), but NVIDIA's release notes of CUDA: the drivers of the toolkits says ";
  EXPECT_THAT(
      taken->refused,
      ElementsAre(HasSubstr("native driver is 610.43.02 in NVIDIA's"),
                  "CUDA toolkit 12.1.1: driver is 530.30.02 (CUDA release notes, table 3: toolkits and their drivers" + says +
                      "530.30.03",
                  "CUDA major 13: minor compat driver is 580.65.06 (CUDA release notes, table 2: minimum driver of each major" +
                      says + "590"));
}

TEST_F(NvidiaReleaseNotesOfShippedFacts, APageThatHasShrunkIsRefused) {
  EXPECT_EQ(lines(page_of_13_2()), notes + ": CUDA releases: 5 listed here, 25 known; this looks like a partial copy");
}

TEST(ReleaseNoteCells, LabelsAreReleases) {
  const auto said = [](std::string_view label) {
    const auto release = cuda_release(label);
    return release ? release->minor + " " + release->toolkit + (release->general ? " GA" : "") : "none";
  };
  EXPECT_EQ(said("CUDA 13.2 GA"), "13.2 13.2.0 GA");
  EXPECT_EQ(said("CUDA 13.2 Update 2"), "13.2 13.2.2");
  EXPECT_EQ(said("CUDA 11.4.0 GA"), "11.4 11.4.0 GA");
  EXPECT_EQ(said("CUDA 11.3.1 Update 1"), "11.3 11.3.1");
  EXPECT_EQ(said("CUDA 11.0.1 RC"), "11.0 11.0.1");
  EXPECT_EQ(said("CUDA 10.2.89"), "10.2 10.2.89 GA");
  EXPECT_EQ(said("CUDA 10.1 (10.1.105 general release, and updates)"), "10.1 10.1.105 GA");
  EXPECT_EQ(said("CUDA 9.2 (9.2.148 Update 1)"), "9.2 9.2.148");
  EXPECT_EQ(said("CUDA 8.0 (8.0.61 GA2)"), "8.0 8.0.61");
  EXPECT_EQ(said("CUDA 13.4"), "13.4  GA") << "which is 13.4.1";
  EXPECT_EQ(said("CUDA 13.4 Update 1"), "13.4 ") << "which is 13.4.2";
  EXPECT_EQ(said("CUDA 13.4 Developer Preview"), "13.4 ");
  for (const auto* label : {"", "CUDA", "CUDA 13", "13.x", "CUDA 1.2.3.4", "CUDA thirteen 13.2"})
    EXPECT_EQ(said(label), "none") << label;
}

TEST(ReleaseNoteCells, DriversAreNumbers) {
  EXPECT_EQ(driver_of(">=595.45.04"), "595.45.04");
  EXPECT_EQ(driver_of("\u2265 450.36.06**"), "450.36.06");
  EXPECT_EQ(driver_of("580 [1]"), "580");
  EXPECT_EQ(driver_of("N/A (unbundled; R616 >=616.00)"), "");
  EXPECT_EQ(driver_of(""), "");
  for (const auto* cell : {"soon", ">= 1.2.3.4", "580..1", "595.45.04 or so", "< 580"})
    EXPECT_EQ(driver_of(cell), std::nullopt) << cell;
  EXPECT_EQ(branch_of("R615"), "615");
  for (const auto* cell : {"", "615", "R61", "R6150", "R61x"}) EXPECT_EQ(branch_of(cell), std::nullopt) << cell;
}

}  // namespace
}  // namespace envgen::update
