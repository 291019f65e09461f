#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "matrix/declared.hpp"
#include "support/updating.hpp"

/// What is made of the declarations of the fields (matrix/tables.hpp): the schemas of matrix/schema and the tables of
/// matrix/README.md. ENVGEN_UPDATE_GOLDEN=1 writes them.
namespace envgen::matrix {
namespace {

using Json = nlohmann::ordered_json;
using test::expect_current;
using test::text_of_file;

const std::string folder = ENVGEN_MATRIX_FOLDER "/";

const Json& forms() {
  static const auto parsed = Json::parse(text_of_file(folder + "schema/forms.json"));
  return parsed;
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
  const auto text = text_of_file(file);
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
