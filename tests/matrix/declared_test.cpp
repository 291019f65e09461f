#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "matrix/declared.hpp"
#include "support/updating.hpp"

/// What is made of the declarations of the fields (matrix/tables.hpp): the schemas of matrix/schema and the tables of
/// matrix/README.md. ENVGEN_UPDATE_GOLDEN=1 writes them.
namespace envgen::matrix {
namespace {

using Json = nlohmann::ordered_json;

const std::string folder = ENVGEN_MATRIX_FOLDER "/";

std::string text_of(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

const Json& forms() {
  static const auto parsed = Json::parse(text_of(folder + "schema/forms.json"));
  return parsed;
}

void expect_current(const std::string& file, const std::string& made) {
  if (test::updating_goldens()) std::ofstream(file, std::ios::binary) << made;
  EXPECT_EQ(text_of(file), made) << file;
}

TEST(DeclaredFields, AreWhatTheSchemasSay) {
  std::string_view file;
  for (const auto* table : tables::all()) {
    if (table->file == file) continue;
    file = table->file;
    expect_current(folder + "schema/" + std::string(file.substr(0, file.find('.'))) + ".schema.json",
                   test::schema_of(file, forms()).dump(2) + "\n");
  }
}

TEST(DeclaredFields, AreWhatTheReadmeSays) {
  const auto file = folder + "README.md";
  const auto text = text_of(file);
  const std::string begin = "<!-- made from src/matrix: CONTRIBUTING.md, Adding a fact -->\n";
  const auto from = text.find(begin);
  const auto to = text.find("<!-- end -->");
  ASSERT_TRUE(from != std::string::npos && to != std::string::npos);
  expect_current(file, text.substr(0, from + begin.size()) + test::fields_for_people(forms()) + "\n" + text.substr(to));
}

/// A form that no field has would be held against nothing.
TEST(DeclaredFields, HaveEachFormThatIsDescribed) {
  std::string used;
  std::string_view file;
  for (const auto* table : tables::all()) {
    if (table->file != file) used += test::schema_of(table->file, forms()).at("$defs").dump();
    file = table->file;
  }
  for (const auto& [name, form] : forms().at("forms").items()) EXPECT_THAT(used, testing::HasSubstr('"' + name + "\":")) << name;
}

}  // namespace
}  // namespace envgen::matrix
