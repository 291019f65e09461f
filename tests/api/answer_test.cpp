#include "api/answer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "api/batch.hpp"
#include "api/files.hpp"
#include "api/lock.hpp"
#include "api/request.hpp"
#include "matrix/embedded/embedded.hpp"
#include "support/literals.hpp"
#include "support/locks.hpp"
#include "support/request_text.hpp"

/// What a front end that is no command line does: a request goes in, values come out, and nothing is printed or written.
namespace envgen::api {
namespace {

using testing::ElementsAre;
using testing::StartsWith;
using Json = nlohmann::ordered_json;

const matrix::Matrix facts = matrix::embedded();

Answer answered(std::string_view request) { return answer(facts, test::request_of(request)).value(); }

/// Each line as what became of it, and what was read of it.
std::string said(const std::string& line) {
  const auto answer = answer_line(line, "here:1", facts);
  const auto json = Json::parse(answer.json);
  for (const auto* member : {"environment", "conflict", "unknown"}) {
    if (json.contains(member)) return answer.understood ? member : "misunderstood";
  }
  const auto& error = json.at("error");
  return error.at("origin").get<std::string>() + ": " + error.at("message").get<std::string>();
}

project::WrittenProject project_of(const std::string& text) { return project::parse_project(text, "envgen.json").value(); }

TEST(Answer, IsAnEnvironmentAProofOrAMissingFact) {
  const auto good = answered("torch=2.3 gpu=4090");
  ASSERT_TRUE(good.environment);
  EXPECT_EQ(good.environment->torch->version, "2.3.1");
  EXPECT_THAT(text(facts, good, {}), testing::HasSubstr("torch"));
  EXPECT_EQ(Json::parse(json(facts, good, 0)).at("environment").at("torch").at("version"), "2.3.1");

  const auto none = answered("torch=2.3 gpu=5090");
  EXPECT_FALSE(none.environment);
  EXPECT_TRUE(none.is_proof());
  EXPECT_TRUE(Json::parse(json(facts, none, 0)).contains("conflict"));

  const auto unknown = answered("torch=99");
  EXPECT_FALSE(unknown.environment);
  EXPECT_FALSE(unknown.is_proof());
  EXPECT_TRUE(Json::parse(json(facts, unknown, 0, true)).contains("explain"));
}

TEST(Answer, TakesACapabilityInCapitals) { EXPECT_TRUE(answered("gpu=SM90A").environment); }

TEST(Answer, RefusesAValueThatIsNotUnderstood) {
  const auto request = test::request_of("torch=2.x");
  const auto wrong = answer(facts, request);
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().code, ErrorCode::usage);
  EXPECT_EQ(understood(facts, request).error().message, wrong.error().message);
  EXPECT_EQ(each_environment(facts, request, [](const Environment&) { return true; }).error().message, wrong.error().message);
}

TEST(Answer, EveryEnvironmentIsVisitedUntilThatIsEnough) {
  int seen = 0;
  const auto stop_at_two = [&](const Environment&) { return ++seen < 2; };
  EXPECT_TRUE(each_environment(facts, test::request_of("torch=2.3"), stop_at_two).value());
  EXPECT_EQ(seen, 2);
  EXPECT_FALSE(each_environment(facts, test::request_of("torch=2.3 gpu=5090"), stop_at_two).value());
  EXPECT_EQ(seen, 2);
}

TEST(Answer, ToALineIsALine) {
  EXPECT_EQ(said(R"({"torch": "2.3"})"), "environment");
  EXPECT_EQ(said(R"({"torch": "2.3", "gpus": ["5090"]})"), "conflict");
  EXPECT_EQ(said(R"({"torch": "2.3", "gpus": ["auto"]})"),
            "here:1#/gpus/0: auto reads this machine: a line of a batch must give the value");
  EXPECT_THAT(answer_line(R"({"id": 7, "torch": 2})", "here:1", facts).json,
              StartsWith(R"({"id":7,"schema_version":1,"error":)"));
}

TEST(Answer, KeptInALockDoesNotLeanOnTheOrderOfItsValues) {
  const auto lock = [](std::string_view request) {
    return project::lock_text(lock_of(facts, answer_to_lock(facts, test::request_of(request)).value()));
  };
  EXPECT_EQ(lock("gpu=4090 torch=2.3"), lock("torch=2.3 gpu=4090"));
}

TEST(Answer, IsCurrentAsLongAsTheProjectAsksTheSame) {
  const auto lock = test::lock_of("torch=2.3");
  std::vector<std::string> remarks;
  const auto say = [&](const std::string& text) { remarks.push_back(text); };
  const auto current = [&](const std::string& text) { return check_current(lock, "a.lock", project_of(text), facts, say); };
  EXPECT_TRUE(current(R"({"request": {"torch": "2.3"}})"));
  EXPECT_EQ(test::text_of(current(R"({"request": {"torch": "2.4"}})").error()),
            "differs | a.lock | the lock is out of date: its request differs from the project's | 'envgen lock -o a.lock' "
            "updates it");
  EXPECT_THAT(remarks, ElementsAre());
  EXPECT_FALSE(current(R"({"request": {"torch": "2.3"}, "outputs": {"pip": ["flash-attn"]}})"));
  EXPECT_THAT(remarks, ElementsAre("'flash-attn' needs nvcc, so the devel variant is used"));
}

TEST(Answer, BecomesFiles) {
  const auto lock = test::lock_of("torch=2.3");
  const auto project = project_of(R"({"outputs": {"files": ["dockerfile", "run"], "mirror": "tuna"}})");
  const auto options = project_options(project, facts);
  ASSERT_TRUE(options);
  std::vector<std::string> names;
  const auto inputs = inputs_of(lock, *options, project, facts);
  const auto files = files_of(project, inputs);
  ASSERT_TRUE(files);
  for (const auto& file : *files) names.push_back(file.path);
  EXPECT_THAT(names, testing::IsSupersetOf({"Dockerfile", "run.sh"}));
  std::string remark;
  say_what_is_not_mirrored(inputs, [&](const std::string& text) { remark = text; });
  EXPECT_THAT(remark, StartsWith("tuna does not mirror these, so they come from their original hosts: "));

  const auto conda = project_of(R"({"outputs": {"files": ["conda"]}})");
  EXPECT_EQ(test::text_of(files_of(conda, inputs_of(lock, conda.outputs.options, conda, facts)).error()),
            "bad_input | tools.json | envgen's data has no miniforge for linux-x86_64 and Python 3.6 with its hash"
            " | a layer adds to other facts: name their folder before it");
  EXPECT_EQ(test::text_of(files_of(conda, inputs_of(lock, project_options(conda, facts).value(), conda, facts)).error()),
            "bad_input | envgen.json#/outputs/files/0 | conda: this environment is for pip, not for conda | \"request\": "
            "{\"installer\": "
            "\"conda\"}");
}

TEST(Answer, OverAPreset) {
  const auto request = with_preset(test::request_of("torch=2.3"), "colab-t4", facts);
  ASSERT_TRUE(request);
  EXPECT_EQ(request->find(Field::gpu)->origin, Origin::preset);
  EXPECT_THAT(with_preset({}, "colab", facts).error().message, StartsWith("'colab' is not one of "));
}

}  // namespace
}  // namespace envgen::api
