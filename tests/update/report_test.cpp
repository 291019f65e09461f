#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "update/update.hpp"

/// What a run says at its end.
namespace envgen::update {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr Source first_source{"conda", "a source of a test", nullptr};
constexpr Source second_source{"docker-hub", "another", nullptr};
const std::string traffic = "0 requests, 0 unchanged, 0 bytes received, 0.0 s\n";

SourceResult failed(const Source& source, ErrorCode code) {
  SourceResult result;
  result.source = &source;
  result.error = Error{code, "cannot connect", "https://mirror.example/", {}};
  return result;
}

SourceResult read(const Source& source, Merged merged) {
  SourceResult result;
  result.source = &source;
  result.merged = std::move(merged);
  return result;
}

std::string text_of(std::vector<SourceResult> sources) {
  Result result;
  result.sources = std::move(sources);
  return update_text(result, false);
}

TEST(UpdateText, SaysWhetherAnythingWasRead) {
  EXPECT_EQ(text_of({failed(first_source, ErrorCode::network), failed(second_source, ErrorCode::missing)}),
            "conda: not used\ndocker-hub: not used\nnothing could be read\n" + traffic);
  EXPECT_EQ(text_of({failed(first_source, ErrorCode::network), failed(second_source, ErrorCode::bad_input)}),
            "conda: not used\ndocker-hub: not used\nnothing was accepted\n" + traffic)
      << "one was read, and refused whole";
  EXPECT_EQ(text_of({read(first_source, {}), failed(second_source, ErrorCode::network)}),
            "conda: nothing new\ndocker-hub: not used\nnothing is new in what was read\n" + traffic);
  EXPECT_EQ(text_of({read(first_source, {})}), "conda: nothing new\nnothing is new\n" + traffic);
}

TEST(UpdateText, OfWhatIsGoneNamesTheFirst) {
  Merged merged;
  merged.gone = {"nvidia/cuda:1", "nvidia/cuda:2"};
  EXPECT_THAT(text_of({read(second_source, merged)}),
              StartsWith("docker-hub: nothing new\n  no longer there, but kept: nvidia/cuda:1, nvidia/cuda:2\nnothing is new\n"));
  for (int i = 3; i < 9; ++i) merged.gone.push_back("nvidia/cuda:" + std::to_string(i));
  const std::string line =
      "  no longer there, but kept: nvidia/cuda:1, nvidia/cuda:2, nvidia/cuda:3 and 5 more (--format json names all)\n";
  EXPECT_THAT(text_of({read(second_source, merged)}), StartsWith("docker-hub: nothing new\n" + line + "nothing is new\n"));
  Result result;
  result.sources.push_back(read(second_source, merged));
  EXPECT_EQ(verify_text(result), "docker-hub: 0 of 0 facts agree\n" + line + traffic);
  EXPECT_THAT(update_json(result, false), HasSubstr(R"("nvidia/cuda:7","nvidia/cuda:8"])"));
}

TEST(UpdateText, NotesAreTold) {
  Merged merged;
  merged.notes = {"torch: all of its wheels on the index are withdrawn (yanked), so none is used"};
  EXPECT_THAT(text_of({read(first_source, merged)}),
              StartsWith("conda: nothing accepted\n  besides:\n    torch: all of its wheels on the index are withdrawn"));
}

}  // namespace
}  // namespace envgen::update
