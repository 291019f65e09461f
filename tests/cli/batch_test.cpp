#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "cli/run_tool.hpp"
#include "support/matrix_folder.hpp"

namespace envgen::cli {
namespace {

using test::Outcome;
using test::run_tool;
using testing::IsEmpty;

class Batch : public testing::Test {
 protected:
  Outcome run(std::string_view text) const {
    folder.write("requests", text);
    return run_tool({"resolve", "--batch", file()});
  }

  /// The answers, one a line.
  std::vector<nlohmann::json> answers_of(std::string_view text, int exit) const {
    const auto outcome = run(text);
    EXPECT_EQ(outcome.exit, exit);
    EXPECT_EQ(outcome.err, "");
    std::istringstream stream(outcome.out);
    std::vector<nlohmann::json> answers;
    for (std::string line; std::getline(stream, line);) answers.push_back(nlohmann::json::parse(line));
    return answers;
  }

  /// `PLACE: message (hint)` of the one line that cannot be read, the place without the file.
  std::string refusal_of(std::string_view line) const {
    const auto answers = answers_of(line, 2);
    if (answers.size() != 1) return std::to_string(answers.size()) + " answers";
    return text_of(answers.front());
  }

  std::string text_of(const nlohmann::json& answer) const {
    if (!answer.contains("error")) return answer.contains("environment") ? "an environment" : "a refusal";
    const auto& error = answer["error"];
    EXPECT_EQ(error["code"], "usage");
    auto origin = error["origin"].get<std::string>();
    if (origin.starts_with(file())) origin.erase(0, file().size());
    auto text = origin + ": " + error["message"].get<std::string>();
    for (const auto& hint : error["hints"]) text += " (" + hint.get<std::string>() + ")";
    return text;
  }

  std::string file() const { return (folder.path() / "requests").string(); }

  test::MatrixFolder folder;
};

constexpr auto good = R"({"torch": "2.3.1", "cuda": "12.1"})";

TEST_F(Batch, AnAnswerCarriesTheIdOfItsLine) {
  const auto answers = answers_of(R"({"id": 7, "torch": "2.3"}
{"id": "b", "torch": "9.9.9.9.9"}
{"torch": "2.3", "id": null}
{"id": [1]}
{"torch": "2.3"}
{"id": 18446744073709551616}
{"id": true}
)",
                                  2);
  ASSERT_EQ(answers.size(), 7U);
  EXPECT_EQ(answers[0]["id"], 7);
  EXPECT_TRUE(answers[0].contains("environment"));
  EXPECT_EQ(answers[1]["id"], "b");
  EXPECT_TRUE(answers[1].contains("error"));
  EXPECT_TRUE(answers[2]["id"].is_null());
  EXPECT_TRUE(answers[2].contains("id"));
  EXPECT_EQ(text_of(answers[3]), ":4#/id: an id must be a string or an integer of at most 64 bits");
  EXPECT_FALSE(answers[4].contains("id"));
  EXPECT_EQ(text_of(answers[5]),
            ":6#/id: an id must be a string or an integer of at most 64 bits");  // it would come back rounded
  EXPECT_EQ(text_of(answers[6]), ":7#/id: an id must be a string or an integer of at most 64 bits");
}

TEST_F(Batch, EachLineHasItsAnswer) {
  const auto answers =
      answers_of(std::string(good) + "\n" + R"({"torch": "2.3", "gpus": ["5090"]})" + "\n" + R"({"torch": "99.9"})" + "\n", 0);
  ASSERT_EQ(answers.size(), 3U);
  EXPECT_EQ(answers[0]["environment"]["torch"]["version"], "2.3.1");
  EXPECT_TRUE(answers[1].contains("conflict"));
  EXPECT_TRUE(answers[2].contains("unknown"));
}

TEST_F(Batch, AnAnswerIsThatOfResolve) {
  const auto answer =
      answers_of(R"({"torch": "2.3.1", "gpus": ["A100"], "hosts": [{"gpus": ["T4"], "driver": "535"}], "ptx": true})", 0);
  const auto resolved =
      run_tool({"resolve", "--torch", "2.3.1", "--gpu", "A100", "--host", "gpu=T4,driver=535", "--ptx", "--format", "json"});
  ASSERT_EQ(answer.size(), 1U);
  EXPECT_EQ(answer.front()["environment"], resolved.json()["environment"]);
}

TEST_F(Batch, TheRequestOfAnAnswerIsARequest) {
  const auto first = answers_of(good, 0);
  EXPECT_EQ(answers_of(first.front()["request"].dump(), 0), first);
}

/// What a program does with a nearest environment is to ask for it.
TEST_F(Batch, ANearestEnvironmentHasTheRequestForIt) {
  std::string requests;
  std::vector<nlohmann::json> environments;
  for (const auto& refused : answers_of(R"({"torch": "2.3", "gpus": ["5090"]})"
                                        "\n"
                                        R"({"torch": "2.3", "hosts": [{"gpus": ["B200"], "driver": "535"}, {"gpus": ["T4"]}]})"
                                        "\n"
                                        R"({"torch": "2.3", "gpus": ["5090", "T4", "5090"], "wsl": true, "python": "3.13"})"
                                        "\n"
                                        R"({"torch": "2.3", "cuda": "cpu", "gpus": ["T4"], "driver": ">=535,<560"})"
                                        "\n"
                                        R"({"torch": "99.0", "variant": "devel"})"
                                        "\n",
                                        0)) {
    const auto& refusal = refused.contains("conflict") ? refused["conflict"] : refused["unknown"];
    ASSERT_FALSE(refusal["nearest"].empty()) << refused;
    for (const auto& nearest : refusal["nearest"]) {
      requests += nearest["request"].dump() + "\n";
      environments.push_back(nearest["environment"]);
    }
  }
  const auto found = answers_of(requests, 0);
  ASSERT_EQ(found.size(), environments.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_EQ(found[i]["environment"], environments[i]) << found[i]["request"];
}

TEST_F(Batch, SpeaksOfNoProjectFile) {
  const auto answers = answers_of(R"({"torch": "2.3", "os": "ubuntu22.04"})"
                                  "\n"
                                  R"({"torch": "2.3", "gpus": ["5090"]})"
                                  "\n",
                                  0);
  EXPECT_THAT(answers[0]["reasons"].dump(), testing::HasSubstr("(requested: 2.3)"));
  EXPECT_THAT(answers[0]["reasons"].dump(), testing::Not(testing::HasSubstr("project file")));
  for (const auto& value : answers[1]["conflict"]["values"]) EXPECT_EQ(value["origin"], "request");
}

TEST_F(Batch, NothingHasNoAnswer) {
  EXPECT_THAT(answers_of("", 0), IsEmpty());
  EXPECT_THAT(answers_of("\n \n\t\r\n\n", 0), IsEmpty());
}

TEST_F(Batch, TheLastLineNeedsNoEnd) { EXPECT_EQ(answers_of(good, 0).size(), 1U); }

TEST_F(Batch, BlankLinesArePassedOverAndCounted) {
  const auto answers = answers_of(std::string("\n\n") + good + "\n \t \n{\n", 2);
  ASSERT_EQ(answers.size(), 2U);
  EXPECT_EQ(text_of(answers[0]), "an environment");
  EXPECT_EQ(text_of(answers[1]), ":5: the line is truncated (line 1, column 2)");
}

TEST_F(Batch, LinesMayEndAsOnWindows) {
  const auto answers = answers_of(std::string(good) + "\r\n\r\n" + good + "\r\n", 0);
  ASSERT_EQ(answers.size(), 2U);
  EXPECT_EQ(answers[0], answers[1]);
}

TEST_F(Batch, GoodLinesAroundABadOneAreAnsweredInOrder) {
  const auto answers = answers_of(R"({"torch": "2.3.1"}
{"torch": "2.3.1",
{"torch": "2.4.1"}
{"torch": "2.x"}
{"torch": "2.5.1"}
)",
                                  2);
  ASSERT_EQ(answers.size(), 5U);
  EXPECT_EQ(answers[0]["environment"]["torch"]["version"], "2.3.1");
  EXPECT_EQ(text_of(answers[1]), ":2: the line is truncated (line 1, column 19)");
  EXPECT_EQ(answers[2]["environment"]["torch"]["version"], "2.4.1");
  EXPECT_EQ(
      text_of(answers[3]),
      ":4#/torch: '2.x' is not a version number (only digits and dots are allowed) (2 means any 2.x; '==2.*' means the same)");
  EXPECT_EQ(answers[4]["environment"]["torch"]["version"], "2.5.1");
}

TEST_F(Batch, ManyLinesKeepTheirOrder) {
  constexpr std::size_t lines = 5000;  // more than are read at once, and than one thread answers
  std::string text;
  for (std::size_t i = 0; i < lines; ++i) text += "{\"torch\": \"x" + std::to_string(i) + "\"}\n";
  const auto answers = answers_of(text, 2);
  ASSERT_EQ(answers.size(), lines);
  for (std::size_t i = 0; i < lines; ++i)
    ASSERT_EQ(text_of(answers[i]), ":" + std::to_string(i + 1) + "#/torch: 'x" + std::to_string(i) +
                                       "' is not a version number (only digits and dots are allowed)");
}

TEST_F(Batch, LinesThatAreNoJson) {
  EXPECT_EQ(refusal_of("torch 2.3"), ":1: not JSON (line 1, column 2)");
  EXPECT_EQ(refusal_of("{'torch': '2.3'}"), ":1: not JSON (line 1, column 2)");
  EXPECT_EQ(refusal_of("{} {}"), ":1: not JSON (line 1, column 4)");
  EXPECT_EQ(refusal_of("{} // a comment"), ":1: not JSON (line 1, column 4)");
  EXPECT_EQ(refusal_of("{\"torch\": \"2.3\",}"), ":1: not JSON (line 1, column 17)");
  EXPECT_EQ(refusal_of("{\"torch\": \"\xff\"}"), ":1: not UTF-8 (byte 12: line 1, column 12) (save it as UTF-8)");
}

TEST_F(Batch, TruncatedLines) {
  EXPECT_EQ(refusal_of("{"), ":1: the line is truncated (line 1, column 2)");
  EXPECT_EQ(refusal_of("{\"torch\": \"2.3"), ":1: the line is truncated (line 1, column 15)");
}

TEST_F(Batch, ANameThatStandsTwice) {
  EXPECT_EQ(refusal_of(R"({"torch": "2.3", "torch": "2.4"})"),
            ":1#/torch: the name appears twice in one object (keep one of the two)");
  EXPECT_EQ(refusal_of(R"({"hosts": [{"gpus": ["V100"], "gpus": ["T4"]}]})"),
            ":1#/hosts/0/gpus: the name appears twice in one object (keep one of the two)");
}

TEST_F(Batch, ANulByte) {
  EXPECT_EQ(refusal_of(std::string_view("{}\0{}", 5)), ":1: the text contains a NUL byte (line 1, column 3)");
  EXPECT_EQ(refusal_of(R"({"torch": "2.\u00003"})"),
            ":1#/torch: '2.\\x003' is not a version number (only digits and dots are allowed)");
}

TEST_F(Batch, LinesThatAreNoObject) {
  for (const auto* line : {"[]", "null", "1", "\"2.3\"", "true"})
    EXPECT_EQ(refusal_of(line), ":1: not a request: it must be an object") << line;
}

TEST_F(Batch, ValuesOfAWrongType) {
  EXPECT_EQ(refusal_of(R"({"torch": 2.3})"), ":1#/torch: must be a string (write it in quotes, as in \"2.3\")");
  EXPECT_EQ(refusal_of(R"({"torch": null})"), ":1#/torch: must be a string (write it in quotes, as in \"2.3\")");
  EXPECT_EQ(refusal_of(R"({"gpus": "4090"})"), ":1#/gpus: must be a list (write it as [\"RTX 4090\", \"A100\"])");
  EXPECT_EQ(refusal_of(R"({"gpus": ["A100", 4090]})"), ":1#/gpus/1: must be a string (write it in quotes, as in \"RTX 4090\")");
  EXPECT_EQ(refusal_of(R"({"ptx": "true"})"), ":1#/ptx: must be true or false");
  EXPECT_EQ(refusal_of(R"({"hosts": [{}]})"), ":1#/hosts/0: the host has neither gpus nor a driver");
}

TEST_F(Batch, FieldsThatAreNotKnown) {
  EXPECT_EQ(refusal_of(R"({"touch": "2.3"})"), ":1#/touch: unknown field 'touch' (did you mean torch?)");
  EXPECT_EQ(refusal_of(R"({"hosts": [{"gpu": "V100"}]})"), ":1#/hosts/0/gpu: unknown field 'gpu' (did you mean gpus?)");
  EXPECT_EQ(refusal_of(R"({"hosts": [{"a\n/~b": 1}]})"),
            ":1#/hosts/0/a\\x0a~1~0b: unknown field 'a\\x0a/~b' (known fields: gpus, driver)");
}

TEST_F(Batch, NestingTooDeep) {
  const auto nested = [](std::size_t lists) { return "{\"gpus\": " + std::string(lists, '[') + std::string(lists, ']') + "}"; };
  EXPECT_EQ(refusal_of(nested(8)), ":1: nested deeper than 8 levels");
  EXPECT_EQ(refusal_of(nested(7)), ":1#/gpus/0: must be a string (write it in quotes, as in \"RTX 4090\")");
  EXPECT_EQ(refusal_of(std::string(1'000'000, '[')), ":1: nested deeper than 8 levels");
}

TEST_F(Batch, ALineOverOneMebibyteIsRefusedUnread) {
  const auto of_size = [](std::size_t size) {
    std::string line = R"({"torch": "2.3.1"})";
    return line + std::string(size - line.size(), ' ');
  };
  const auto answers = answers_of(of_size(1 << 20) + "\n" + of_size((1 << 20) + 1) + "\n" + good, 2);
  ASSERT_EQ(answers.size(), 3U);
  EXPECT_EQ(text_of(answers[0]), "an environment");
  EXPECT_EQ(text_of(answers[1]), ":2: the line is longer than 1 MiB");
  EXPECT_EQ(text_of(answers[2]), "an environment");
}

TEST_F(Batch, APresetIsForTheCommandLine) {
  EXPECT_EQ(refusal_of(R"({"preset": "colab-t4"})"),
            ":1#/preset: a line of a batch takes no preset: give its values, which 'envgen list presets' shows");
}

TEST_F(Batch, NoLineAsksThisMachine) {
  const std::string refused = "auto reads this machine: a line of a batch must give the value";
  EXPECT_EQ(refusal_of(R"({"gpus": ["A100", "auto"]})"), ":1#/gpus/1: " + refused);
  EXPECT_EQ(refusal_of(R"({"driver": "auto"})"), ":1#/driver: " + refused);
  EXPECT_EQ(refusal_of(R"({"hosts": ["auto"]})"), ":1#/hosts/0: " + refused);
  EXPECT_EQ(refusal_of(R"({"os": "auto"})"), ":1#/os: " + refused);
  EXPECT_EQ(refusal_of(R"({"platform": "auto"})"), ":1#/platform: " + refused);
}

TEST_F(Batch, HostileValuesStayInTheirLine) {
  const test::MatrixFolder other;
  const auto marker = (other.path() / "executed").string();
  const auto answers = answers_of(nlohmann::json{{"torch", "$(touch " + marker + ")"}}.dump() + "\n" +
                                      nlohmann::json{{"torch", "a\nb\r\"{{x}}"}}.dump() + "\n" +
                                      nlohmann::json{{"os", std::string(1'000'000, 'x')}}.dump() + "\n",
                                  2);
  ASSERT_EQ(answers.size(), 3U);
  EXPECT_EQ(text_of(answers[1]), ":2#/torch: 'a\\x0ab\\x0d\"{{x}}' is not a version number (only digits and dots are allowed)");
  EXPECT_LT(answers[2].dump().size(), 700U);
  EXPECT_FALSE(std::filesystem::exists(marker));
}

TEST_F(Batch, AFileThatIsNotThere) {
  const auto outcome = run_tool({"resolve", "--batch", file()});
  EXPECT_EQ(outcome.exit, 4);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err, "envgen: " + file() + ": cannot open the file (No such file or directory)\n");
}

TEST_F(Batch, AFileThatIsNotThereInJson) {
  const auto outcome = run_tool({"resolve", "--batch", file(), "--format", "json"});
  EXPECT_EQ(outcome.exit, 4);
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(outcome.json()["error"]["message"], "cannot open the file (No such file or directory)");
  EXPECT_EQ(outcome.json()["error"]["origin"], file());
}

TEST_F(Batch, AFolderIsNoFile) {
  const auto outcome = run_tool({"resolve", "--batch", folder.path().string()});
  EXPECT_EQ(outcome.exit, 4);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, testing::StartsWith("envgen: " + folder.path().string() + ": "));
}

TEST_F(Batch, TakesNoValuesFromFlags) {
  for (const auto* flag : {"--ptx", "--all", "--explain", "--allow-inferred"}) {
    const auto outcome = run_tool({"resolve", "--batch", file(), flag});
    EXPECT_EQ(outcome.exit, 2) << flag;
    EXPECT_THAT(outcome.err, testing::HasSubstr(" cannot be combined")) << flag;
  }
}

}  // namespace
}  // namespace envgen::cli
