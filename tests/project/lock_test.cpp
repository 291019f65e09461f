#include "project/lock.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "matrix/embedded/embedded.hpp"
#include "resolver/materialize.hpp"
#include "support/literals.hpp"
#include "support/locks.hpp"
#include "support/request_text.hpp"
#include "support/temporary_folder.hpp"
#include "util/described.hpp"

namespace envgen::project {
namespace {

using test::json_of;
using test::lock_of;
using test::sealed;
using test::text_of;
using Json = nlohmann::ordered_json;

std::string lock_error(const std::string& text, Edited edited = Edited::refused) {
  const auto parsed = parse_lock(text, "envgen.lock", edited);
  return parsed ? "parsed" : text_of(parsed.error());
}

/// The error of a lock of torch 2.3 with one value replaced and the integrity made to fit.
std::string error_with(const std::string& pointer, const Json& value) {
  auto document = json_of(lock_of("torch=2.3 gpu=4090 driver=535"));
  document[Json::json_pointer(pointer)] = value;
  return lock_error(sealed(document));
}

constexpr const char* anew = "'envgen lock --force' overwrites it";

/// Everything that an environment holds, as text.
std::string contents(const Environment& environment) {
  util::JsonWriter json(1);
  util::write_json(json.begin_object().key("environment"), environment);
  auto advice = util::into(json);
  Environment::advice(environment, advice);
  json.end_object();
  return json.take();
}

/// As a lock is read.
Request in_order_of_fields(Request request) {
  std::stable_sort(request.values.begin(), request.values.end(), [](const auto& a, const auto& b) { return a.field < b.field; });
  return request;
}

TEST(Lock, WhatIsWrittenIsReadBackWhole) {
  for (const auto& request : test::varied_requests()) {
    const auto lock = lock_of(request);
    const auto text = lock_text(lock);
    const auto read = parse_lock(text, "envgen.lock", Edited::refused);
    ASSERT_TRUE(read) << request << ": " << text_of(read.error());
    EXPECT_EQ(contents(read->environment), contents(lock.environment)) << request;
    EXPECT_EQ(test::text_of(read->request), test::text_of(in_order_of_fields(lock.request))) << request;
    EXPECT_EQ(read->matrix_revision, lock.matrix_revision);
    EXPECT_EQ(read->matrix_hash, lock.matrix_hash);
    EXPECT_FALSE(read->edited);
    auto again = *read;
    again.request = lock.request;  // which need not be in that order
    EXPECT_EQ(lock_text(again), text) << request;
  }
}

TEST(Lock, EveryEnvironmentOfARequestSurvives) {
  const auto matrix = matrix::embedded();
  const auto query = resolver::interpret(matrix, test::request_of("torch=2.5"));
  ASSERT_TRUE(query);
  std::size_t count = 0;
  resolver::each_solution(matrix, *query, [&](const resolver::Solution& solution) {
    Lock lock;
    lock.environment = resolver::materialize(matrix, *query, solution);
    const auto read = parse_lock(lock_text(lock), "envgen.lock", Edited::refused);
    EXPECT_TRUE(read) << text_of(read.error());
    if (read) {
      EXPECT_EQ(contents(read->environment), contents(lock.environment));
    }
    return ++count < 200;
  });
  EXPECT_GT(count, 20u);
}

TEST(Lock, AValueThatMaySayNothingIsReadBack) {
  auto lock = lock_of("torch=2.3 gpu=4090 driver=535");
  auto& build = *lock.environment.torch;
  build.archs.reset();
  build.official.reset();
  build.conda_channels = {"pytorch", "nvidia"};
  lock.environment.driver->range.minimum.reset();
  lock.environment.cudnn->major.reset();
  lock.environment.env = {{"CONDA_OVERRIDE_CUDA", "12.1"}};
  lock.environment.pins = {{"numpy", "<2", "\"quoted\" $(x) {{y}} ' \\", "a source"}};
  const auto read = parse_lock(lock_text(lock), "envgen.lock", Edited::refused);
  ASSERT_TRUE(read) << text_of(read.error());
  EXPECT_EQ(contents(read->environment), contents(lock.environment));
}

TEST(Lock, TheSameLockGivesTheSameBytes) {
  const auto text = lock_text(lock_of("torch=2.3 gpu=4090"));
  EXPECT_EQ(text, lock_text(lock_of("torch=2.3 gpu=4090")));
  EXPECT_TRUE(text.ends_with("\"\n}\n"));
  EXPECT_EQ(text, sealed(Json::parse(text)));  // nothing but the values goes into the integrity
}

TEST(Lock, APromiseIsTheEnvironmentAndNotTheWordsAboutIt) {
  const auto lock = lock_of("torch=2.3 gpu=4090 driver=535");
  ASSERT_FALSE(lock.environment.pins.empty());
  const auto promise = promise_of(lock);
  EXPECT_THAT(promise, testing::MatchesRegex("sha256:[0-9a-f]{64}"));
  auto same = lock;
  same.matrix_revision = "2027.01.01";
  same.matrix_hash = "0";
  same.request = {};
  same.environment.reasons.clear();
  same.environment.warnings.emplace_back("a new one");
  same.environment.pins.front().why = "in other words";
  EXPECT_EQ(promise_of(same), promise);
  auto other = lock;
  other.environment.python = "3.11"_python;
  EXPECT_NE(promise_of(other), promise);
  other = lock;
  other.environment.pins.front().spec = "<1";
  EXPECT_NE(promise_of(other), promise);
  other = lock;
  other.environment.env.emplace_back("A", "1");
  EXPECT_NE(promise_of(other), promise);
}

TEST(Lock, LayoutIsNoEdit) {
  auto text = lock_text(lock_of("torch=2.3"));
  const auto compact = Json::parse(text).dump();
  EXPECT_EQ(lock_error(compact), "parsed");
  std::string windows;
  for (const char c : text) windows += c == '\n' ? "\r\n" : std::string(1, c);
  EXPECT_EQ(lock_error(windows), "parsed");
}

TEST(Lock, AnEditIsRefusedOrTold) {
  auto text = lock_text(lock_of("torch=2.3"));
  text.replace(text.find("2.3.1"), 5, "2.3.0");
  EXPECT_EQ(
      lock_error(text),
      fmt::format("bad_input | envgen.lock#/integrity | the lock was changed after envgen wrote it (by hand, or by a merge) | {}",
                  anew));
  const auto read = parse_lock(text, "envgen.lock", Edited::accepted);
  ASSERT_TRUE(read);
  EXPECT_TRUE(read->edited);
  EXPECT_EQ(read->environment.torch->version, "2.3.0");
  auto without = json_of(lock_of("torch=2.3"));
  without.erase("integrity");
  EXPECT_EQ(
      lock_error(without.dump()),
      fmt::format("bad_input | envgen.lock#/integrity | the lock was changed after envgen wrote it (by hand, or by a merge) | {}",
                  anew));
}

TEST(Lock, ANewerSchemaIsNamedBeforeAnythingElse) {
  EXPECT_EQ(lock_error(R"({"schema_version": 2})"),
            fmt::format("bad_input | envgen.lock#/schema_version | the lock has schema version 2; this envgen reads versions up "
                        "to 1 | update envgen; {}",
                        anew));
  EXPECT_EQ(lock_error(R"({"schema_version": 0})"),
            fmt::format("bad_input | envgen.lock#/schema_version | there is no schema version 0 | {}", anew));
  const auto no_lock =
      fmt::format("bad_input | envgen.lock#/schema_version | this is not an envgen.lock: an integer is required here | {}", anew);
  EXPECT_EQ(lock_error(R"({"schema_version": "1"})"), no_lock);
  EXPECT_EQ(lock_error(R"({"request": {}})"), no_lock);
  EXPECT_EQ(lock_error("[1]"),
            fmt::format("bad_input | envgen.lock# | this is not an envgen.lock: an object is required here | {}", anew));
}

TEST(Lock, AnAdditionIsFree) {
  auto document = json_of(lock_of("torch=2.3"));
  document["images"] = Json{{"devel", "sha256:0"}};
  document["environment"]["torch"]["new"] = 1;
  EXPECT_EQ(lock_error(sealed(document)), "parsed");
}

TEST(Lock, CutShortEmptyDeepAndMerged) {
  const auto text = lock_text(lock_of("torch=2.3"));
  EXPECT_EQ(lock_error(""), fmt::format("bad_input | envgen.lock | the file is empty | {}", anew));
  EXPECT_EQ(lock_error("{\n  \"schema_version\": 1,\n  \"request\": {\"tor"),
            fmt::format("bad_input | envgen.lock | the file is truncated (line 3, column 19) | {}", anew));
  EXPECT_EQ(lock_error("{\"schema_version\": 1, \"x\": " + std::string(50, '[')),
            fmt::format("bad_input | envgen.lock | nested deeper than 32 levels | {}", anew));
  EXPECT_EQ(lock_error("<<<<<<< HEAD\n" + text), fmt::format("bad_input | envgen.lock | not JSON (line 1, column 1) | {}", anew));
  for (std::size_t length = 0; length + 2 < text.size(); length += 97)
    EXPECT_NE(lock_error(text.substr(0, length)), "parsed") << length;
}

TEST(Lock, WrongTypes) {
  const auto with = [](std::string_view where, std::string_view message) {
    return fmt::format("bad_input | envgen.lock#{} | {} | {}", where, message, anew);
  };
  EXPECT_EQ(error_with("/environment/torch/version", 2), with("/environment/torch/version", "must be a string"));
  EXPECT_EQ(error_with("/environment/torch/on_package_index", "yes"),
            with("/environment/torch/on_package_index", "must be true or false"));
  EXPECT_EQ(error_with("/environment/torch/official", 1), with("/environment/torch/official", "must be true or false"));
  EXPECT_EQ(error_with("/environment/torch/archs", "8.6"), with("/environment/torch/archs", "must be a list"));
  EXPECT_EQ(error_with("/environment/torch/pythons", nullptr), with("/environment/torch/pythons", "must be a list"));
  EXPECT_EQ(error_with("/environment/torch/pythons/0", 3), with("/environment/torch/pythons/0", "must be a string"));
  EXPECT_EQ(error_with("/environment/torch", nullptr),
            with("/environment", "one of torch and tensorflow is required here; the other must be null"));
  EXPECT_EQ(error_with("/environment/torch", "2.3"), with("/environment/torch", "must be an object"));
  EXPECT_EQ(error_with("/environment/cudnn/major", -8), with("/environment/cudnn/major", "must be an integer"));
  EXPECT_EQ(error_with("/environment/cudnn/major", 5000000000), with("/environment/cudnn/major", "the number is too large"));
  EXPECT_EQ(error_with("/environment/driver/carried_by", Json::object()),
            with("/environment/driver/carried_by", "must be a list"));
  EXPECT_EQ(error_with("/environment/gpus/0/name", nullptr), with("/environment/gpus/0/name", "must be a string"));
  EXPECT_EQ(error_with("/environment", 1), with("/environment", "must be an object"));
  EXPECT_EQ(error_with("/environment/python_provider", "a b;$(c)"),
            with("/environment/python_provider", "'a b;$(c)' is not one of system, uv, conda, image, other"));
  EXPECT_EQ(error_with("/environment/platform", "windows"),
            with("/environment/platform", "'windows' is not one of linux-x86_64, linux-aarch64"));
  EXPECT_EQ(error_with("/environment/variant", "devle"), with("/environment/variant", "'devle' is not one of runtime, devel"));
  EXPECT_EQ(error_with("/environment/installer", 1), with("/environment/installer", "must be a string"));
  EXPECT_EQ(error_with("/environment/base", nullptr), with("/environment/base", "must be a string"));
  EXPECT_EQ(error_with("/environment/torch/cuda", "12.1;$(c)"),
            with("/environment/torch/cuda", "'12.1;$(c)' is not a version number (only digits and dots are allowed)"));
  EXPECT_EQ(error_with("/environment/driver/minimum", "1.2.3.4"),
            with("/environment/driver/minimum", "'1.2.3.4' is not a driver version (at most three parts, as in 535.183.01)"));
  EXPECT_EQ(error_with("/environment/python", "four"),
            with("/environment/python", "'four' is not a Python version (as in 3.12 or, free-threaded, 3.13t)"));
  EXPECT_EQ(error_with("/environment/gpus/0/capability", "8"),
            with("/environment/gpus/0/capability", "'8' is not a compute capability (such as 8.6 or sm_86)"));
  EXPECT_EQ(error_with("/env", Json::array()), with("/env", "must be an object"));
  EXPECT_EQ(error_with("/env", nullptr), with("/env", "must be an object"));
  EXPECT_EQ(error_with("/pins", nullptr), with("/pins", "must be a list"));
  EXPECT_EQ(error_with("/matrix/hash", 5), with("/matrix/hash", "must be a string"));
  EXPECT_EQ(error_with("/request", nullptr), with("/request", "must be an object"));
  EXPECT_EQ(
      error_with("/request/torch", 2),
      fmt::format("bad_input | envgen.lock#/request/torch | must be a string | write it in quotes, as in \"2.3\"; {}", anew));
}

TEST(Lock, EveryMemberMustBeThere) {
  const auto document = json_of(lock_of("torch=2.3 gpu=4090"));
  for (const auto* pointer :
       {"/matrix", "/environment", "/pins", "/env", "/warnings", "/reasons", "/environment/torch", "/environment/python",
        "/environment/torch/tag", "/environment/images/devel", "/environment/driver/native", "/reasons/0/sources"}) {
    auto changed = document;
    const Json::json_pointer place(pointer);
    changed[place.parent_pointer()].erase(place.back());
    EXPECT_EQ(lock_error(sealed(changed)), fmt::format("bad_input | envgen.lock#{} | the field '{}' is missing | {}",
                                                       place.parent_pointer().to_string(), place.back(), anew));
  }
  auto changed = document;
  changed.erase("request");
  EXPECT_EQ(lock_error(sealed(changed)), fmt::format("bad_input | envgen.lock#/request | must be an object | {}", anew));
}

TEST(Lock, AControlCharacterInAValueIsNotEnvgens) {
  const auto with = [](std::string_view where, std::string_view value) {
    return fmt::format("bad_input | envgen.lock#{} | {} contains a control character | {}", where, value, anew);
  };
  EXPECT_EQ(error_with("/environment/torch/index_url", "https://x\nRUN y"),
            with("/environment/torch/index_url", "'https://x\\x0aRUN y'"));
  EXPECT_EQ(error_with("/environment/python", "3.10\r"), with("/environment/python", "'3.10\\x0d'"));
  EXPECT_EQ(error_with("/warnings", Json::array({std::string("a\0b", 3)})), with("/warnings/0", "'a\\x00b'"));
  EXPECT_EQ(error_with("/env", Json{{"A\nB", "1"}}), with("/env", "'A\\x0aB'"));
  // Quotes and other people's syntax are text; the outputs quote it.
  EXPECT_EQ(error_with("/environment/os", "\"$(x)\" {{y}} `z`"), "parsed");
}

TEST(Lock, AValueThatIsAMegabyteLongIsNotEnvgens) {
  EXPECT_EQ(error_with("/environment/os", std::string(1000000, 'a')),
            fmt::format("bad_input | envgen.lock#/environment/os | '{}...' (1000000 bytes) is longer than 16 KiB | {}",
                        std::string(60, 'a'), anew));
}

TEST(Lock, IsWrittenByTheCommandOfItsProject) {
  EXPECT_EQ(lock_command("envgen.lock", " --force"), "envgen lock --force");
  const test::TemporaryFolder folder;
  const auto place = folder.path().string();
  EXPECT_EQ(lock_command(folder.path() / "gpu.lock"), fmt::format("envgen lock -o {}/gpu.lock", place));
  folder.write("gpu.json", "{}");
  folder.write("a b.jsonc", "{}");
  EXPECT_EQ(lock_command(folder.path() / "gpu.lock"), fmt::format("envgen lock --project {}/gpu.json", place));
  EXPECT_EQ(lock_command(lock_beside(folder.path() / "a b.jsonc")), fmt::format("envgen lock --project '{}/a b.jsonc'", place));
  EXPECT_EQ(lock_command(folder.path() / "myenvgen.lock"), fmt::format("envgen lock -o {}/myenvgen.lock", place));
}

TEST(Lock, OfAProjectFileIsTheProject) {
  const test::TemporaryFolder folder;
  folder.write("gpu.json", R"({"request": {"torch": "2.8"}})");
  EXPECT_THAT(text_of(read_lock(folder.path() / "gpu.json").error()),
              testing::EndsWith(fmt::format("| for a project file: --project {}/gpu.json", folder.path().string())));
}

/// Nobody is told to overwrite what envgen did not write.
TEST(Lock, WhatIsNoLockIsNotOfferedToBeOverwritten) {
  const test::TemporaryFolder folder;
  const auto hint_of = [&](const char* name, const std::string& text) {
    folder.write(name, text);
    const auto read = read_lock(folder.path() / name);
    return read ? std::string("read") : read.error().hints.back();
  };
  const std::string no_lock = "a lock is a file written by 'envgen lock', such as envgen.lock";
  EXPECT_EQ(hint_of("LICENSE", "Apache License"), no_lock);
  EXPECT_EQ(hint_of("notes.txt", ""), no_lock);
  EXPECT_EQ(hint_of("package", R"({"name": "a", "schema_version": 1})"), no_lock);
  auto edited = lock_text(lock_of("torch=2.3"));
  edited.replace(edited.find("2.3.1"), 5, "2.3.0");
  EXPECT_EQ(hint_of("frozen", edited), fmt::format("'envgen lock -o {}/frozen --force' overwrites it", folder.path().string()));
  EXPECT_EQ(hint_of("gpu.lock", "<<<<<<< HEAD"),
            fmt::format("'envgen lock -o {}/gpu.lock --force' overwrites it", folder.path().string()));
}

TEST(Lock, FilesThatCannotBeRead) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "envgen.lock";
  EXPECT_EQ(text_of(read_lock(path).error()),
            fmt::format("bad_input | {0} | cannot open the file (No such file or directory) | 'envgen lock -o {0}' writes it",
                        path.string()));
  EXPECT_EQ(text_of(read_lock(path, Advice::none).error()),
            fmt::format("bad_input | {} | cannot open the file (No such file or directory) | ", path.string()));
  folder.write("envgen.lock", std::string(std::size_t{100} << 20, ' '));
  EXPECT_EQ(
      text_of(read_lock(path).error()),
      fmt::format("bad_input | {0} | the file is larger than 4 MiB | 'envgen lock -o {0} --force' overwrites it", path.string()));
  folder.write("envgen.lock", lock_text(lock_of("torch=2.3")));
  EXPECT_EQ(read_lock(path)->environment.torch->version, "2.3.1");
}

}  // namespace
}  // namespace envgen::project
