#include <regex>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "files/outputs.hpp"
#include "project/project_file.hpp"
#include "project/schemas.hpp"
#include "support/locks.hpp"
#include "support/updating.hpp"

namespace envgen::project {
namespace {

using Json = nlohmann::ordered_json;
using Names = std::set<std::string>;

const std::string folder = ENVGEN_SCHEMA_FOLDER "/";

Json schema(const std::string& name) { return Json::parse(test::text_of_file(folder + name)); }

Names names_of(const Json& object) {
  Names names;
  for (const auto& [name, value] : object.items()) names.insert(name);
  return names;
}

/// ENVGEN_UPDATE_GOLDEN=1 writes them.
TEST(Schema, IsMadeOfWhatTheProgramGoesBy) {
  test::expect_current(folder + "envgen.schema.json", test::project_schema(schema("envgen.schema.json")).dump(2) + "\n");
  test::expect_current(folder + "lock.schema.json", test::lock_schema(schema("lock.schema.json")).dump(2) + "\n");
}

TEST(Schema, OfTheProjectFileKnowsWhatTheLoaderKnows) {
  const auto project = schema("envgen.schema.json");
  EXPECT_EQ(names_of(project.at("properties")), Names(project_members.begin(), project_members.end()));
  Names members;
  for (const auto& member : field_rows) members.emplace(member.name);
  const auto& request = project.at("properties").at("request");
  EXPECT_EQ(names_of(request.at("properties")), members);
  EXPECT_EQ(request.at("additionalProperties"), false);
  EXPECT_EQ(project.at("additionalProperties"), false);
  Names outputs{std::string(files_member)};
  for (const auto& member : files::option_rows()) outputs.emplace(member.name);
  const auto& described = project.at("properties").at("outputs");
  EXPECT_EQ(names_of(described.at("properties")), outputs);
  EXPECT_EQ(described.at("additionalProperties"), false);
  Names kinds;
  for (const auto& output : files::outputs()) kinds.emplace(output.name);
  EXPECT_EQ(described.at("properties").at("files").at("items").at("enum").get<Names>(), kinds);
  EXPECT_EQ(names_of(project.at("$defs").at("host").at("anyOf").at(1).at("properties")), (Names{"gpus", "driver"}));
}

/// One form for the program and for an editor: a value of each member that is right, and some that are not.
TEST(Schema, OfTheProjectFileRefusesWhatTheProgramRefuses) {
  struct Values {
    const char* member;
    std::vector<std::string> good;
    std::vector<std::string> bad;
  };
  const std::string digits(64, 'a');
  const std::vector<Values> members{
      {"apt", {"libgl1", "git=1:2.39.5-0"}, {"libGL", "-y", "a b", "git-"}},
      {"pip", {"numpy<2", "uvicorn[standard]>=0.30,<1"}, {"-r x", "https://x/y.whl", "a b c", "x; y", "./x"}},
      {"user", {"dev", "_x"}, {"a b", "Dev", std::string(40, 'a')}},
      {"base_image", {"registry.example.org:5000/base:1.0", "ubuntu"}, {"a b", "My Image", "-x"}},
      {"image_name", {"my-project"}, {"My Image"}},
      {"pip_index", {"https://m.example.org/simple", "file:///srv/x"}, {"ftp://m", "m.example.org", "https://a:b@m/"}},
      {"apt_mirror", {"http://m.example.org/ubuntu"}, {"no url", "http://m/?token=1"}},
      {"conda_mirror", {"https://m.example.org/conda"}, {"conda"}},
      {"torch_mirror", {"https://m.example.org/torch"}, {"torch"}},
      {"shm_size", {"8g", "512m", "8gb", "1073741824"}, {"foo", "8", "8t", "0", "8 g"}},
      {"ca_cert", {"certificates.pem", "/etc/x.pem"}, {"a b", "-x", "it's"}},
      {"envgen_url", {"https://m.example.org/envgen"}, {"ftp://m"}},
      {"envgen_version", {"1.0.0", "1.1.0-rc.1"}, {"v1.0.0", "../1"}},
      {"envgen_sha256", {digits}, {"abc", std::string(64, 'A')}},
      {"gpu_runner", {"self-hosted"}, {"a b", "it's", "-x"}},
  };
  const auto properties = schema("envgen.schema.json").at("properties").at("outputs").at("properties");
  std::set<std::string> left;  // each pattern is tried
  for (const auto& [name, property] : properties.items()) {
    if (property.contains("pattern") || (property.contains("items") && property.at("items").contains("pattern")))
      left.insert(name);
  }
  for (const auto& values : members) {
    left.erase(values.member);
    const auto& property = properties.at(values.member);
    const bool list = property.contains("items");
    const std::regex pattern((list ? property.at("items") : property).at("pattern").get<std::string>());
    const auto accepts = [&](const std::string& value) {
      const Json written = list ? Json::array({value}) : Json(value);
      return parse_project(Json{{"outputs", {{values.member, written}}}}.dump(), "envgen.json").has_value();
    };
    for (const auto& value : values.good)
      EXPECT_TRUE(accepts(value) && std::regex_match(value, pattern)) << values.member << " " << value;
    for (const auto& value : values.bad)
      EXPECT_FALSE(accepts(value) || std::regex_match(value, pattern)) << values.member << " " << value;
  }
  EXPECT_THAT(left, testing::IsEmpty());
  EXPECT_FALSE(parse_project(R"({"outputs": {"files": ["Dockerfile"]}})", "envgen.json"));
  EXPECT_FALSE(parse_project(R"({"outputs": {"files": ["run", "run"]}})", "envgen.json"));
  EXPECT_EQ(properties.at("files").at("uniqueItems"), true);
}

TEST(Schema, OfTheProjectFileExplainsAndShowsAsTheTemplateDoes) {
  const auto properties = schema("envgen.schema.json").at("properties").at("request").at("properties");
  for (const auto& member : field_rows) {
    const auto& property = properties.at(std::string(member.name));
    EXPECT_EQ(property.at("description"), std::string(member.what));
    const auto example = Json::parse(member.example);
    const auto& shown = property.contains("enum") ? property.at("enum") : property.at("examples");
    EXPECT_NE(std::find(shown.begin(), shown.end(), example), shown.end()) << member.name;
  }
}

TEST(Schema, OfTheOutputsExplainsAndShowsAsTheTemplateDoes) {
  const auto properties = schema("envgen.schema.json").at("properties").at("outputs").at("properties");
  for (const auto& member : files::option_rows()) {
    const auto& property = properties.at(std::string(member.name));
    EXPECT_EQ(property.at("description"), std::string(member.what));
    const bool is_switch = std::holds_alternative<files::Switch>(member.value);
    const bool is_list = std::holds_alternative<files::Texts>(member.value);
    EXPECT_EQ(property.at("type"), is_list ? "array" : is_switch ? "boolean" : "string");
    if (!is_switch) {
      EXPECT_EQ(property.at("examples").at(0), Json::parse(member.example));
    }
  }
}

/// Goes through a lock and its schema together: every member that is written is described.
void expect_described(const Json& value, const Json& schema, const std::string& where) {
  if (value.is_array()) {
    for (const auto& item : value) expect_described(item, schema.at("items"), where + "/*");
  }
  if (!value.is_object()) return;
  if (!schema.contains("properties")) {  // free names
    EXPECT_TRUE(schema.contains("additionalProperties")) << where;
    return;
  }
  const auto described = names_of(schema.at("properties"));
  for (const auto& [name, member] : value.items()) {
    ASSERT_TRUE(described.contains(name)) << where << "/" << name;
    expect_described(member, schema.at("properties").at(name), where + "/" + name);
  }
  if (!schema.contains("required")) return;
  for (const auto& name : schema.at("required")) EXPECT_TRUE(value.contains(name.get<std::string>())) << where << "/" << name;
}

/// What the schema calls needed, the loader must miss.
void expect_missed(const Json& document, const Json::json_pointer& place, const Json& schema) {
  const auto& value = document[place];
  if (!value.is_object() || !schema.contains("required")) return;
  for (const auto& name : schema.at("required")) {
    const auto text = name.get<std::string>();
    if (text == "$schema") continue;  // for editors only
    auto changed = document;
    changed[place].erase(text);
    EXPECT_FALSE(parse_lock(text == "integrity" ? changed.dump() : test::sealed(changed), "l", Edited::refused))
        << (place / text).to_string();
    expect_missed(document, place / text, schema.at("properties").at(text));
  }
}

TEST(Schema, OfTheLockKnowsWhatIsWrittenAndRead) {
  const auto lock = schema("lock.schema.json");
  for (const auto& request : test::varied_requests()) {
    const auto document = test::json_of(test::lock_of(request));
    expect_described(document, lock, "");
    expect_missed(document, Json::json_pointer(), lock);
  }
  EXPECT_EQ(lock.at("properties").at("schema_version").at("const"), lock_schema_version);
  Names members;
  for (const auto& member : field_rows) {
    if (member.shape != Shape::preset) members.emplace(member.name);
  }
  EXPECT_EQ(names_of(lock.at("properties").at("request").at("properties")), members);
}

}  // namespace
}  // namespace envgen::project
