#include "matrix/export.hpp"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/matrix_folder.hpp"
#include "support/updating.hpp"
#include "util/json_text.hpp"

namespace envgen::matrix {
namespace {

const Documents& shipped() {
  static const auto documents = Documents::read({ENVGEN_MATRIX_FOLDER});
  return *documents;
}

std::string text_of(const std::vector<ExportedFile>& files, std::string_view name) {
  const auto file = std::find_if(files.begin(), files.end(), [&](const ExportedFile& each) { return each.name == name; });
  return file == files.end() ? "no file " + std::string(name) : file->text;
}

std::vector<ExportedFile> csv_of(std::string_view file, std::string_view text) {
  const test::MatrixFolder folder;
  folder.write(file, text);
  const auto documents = Documents::read({folder.path()});
  EXPECT_TRUE(documents);
  return as_csv_files(*documents);
}

TEST(Export, JsonIsTheFilesAsTheyWere) {
  const auto files = as_json_files(shipped());
  EXPECT_EQ(files.size(), file_names().size());
  for (const auto& file : files)
    EXPECT_EQ(file.text, test::text_of_file(std::string(ENVGEN_MATRIX_FOLDER "/") + file.name)) << file.name;
}

TEST(Export, OneJsonHoldsAllFiles) {
  const auto all = util::parse_json(as_one_json(shipped()), "export");
  ASSERT_TRUE(all) << all.error().message;
  for (const auto& file : file_names()) EXPECT_EQ(all->at(file), shipped().merged(file)) << file;
}

TEST(Export, ALayersRowsStandInOrder) {
  const test::MatrixFolder layer;
  layer.write("os.json", R"({"sources": {"mine": {"what": "seen", "url": null, "read": "2026-11-25"}},
    "pythons": [{"version": "3.11", "released": null, "eol": null, "source": "mine"},
                {"version": "2.7", "released": null, "eol": null, "source": "mine"}]})");
  const auto documents = Documents::read({ENVGEN_MATRIX_FOLDER, layer.path()});
  ASSERT_TRUE(documents);
  const auto document = documents->merged("os.json");
  std::vector<std::string> versions;
  for (const auto& row : document.at("pythons")) versions.push_back(row.at("version"));
  EXPECT_EQ(versions.front(), "2.7");
  EXPECT_EQ(versions.size(), shipped().merged("os.json").at("pythons").size() + 1);
  EXPECT_TRUE(document.at("sources").contains("mine"));
  EXPECT_EQ(document.at("$schema"), "schema/os.schema.json");
}

TEST(Export, ATableHasALineForEachRow) {
  const auto files = as_csv_files(shipped());
  EXPECT_EQ(files.size(), tables::all().size() + 1);
  for (const auto* table : tables::all()) {
    const auto text =
        text_of(files, std::string(table->file.substr(0, table->file.find('.'))) + "-" + std::string(table->list) + ".csv");
    const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    EXPECT_EQ(lines, shipped().rows(*table).size() + 1) << table->file << " " << table->list;
  }
}

TEST(Export, CellsOfATable) {
  const auto text = text_of(csv_of("torch.json", R"({"builds": [{"torch": "2.3.1", "tag": "cu121", "platform": "linux-x86_64",
    "cuda": "12.1", "official": true, "cudnn": null, "sass": ["8.0", "9.0"], "ptx": [],
    "wheel_index": {"url": "https://download.pytorch.org/whl/cu121", "pythons": ["3.11", "3.12"]}, "package_index": null,
    "install_bytes": 2500000000, "source": "a", "field_sources": {"sass": "b", "ptx": "c"}}]})"),
                            "torch-builds.csv");
  EXPECT_EQ(
      text,
      "torch,tag,platform,cuda,toolkit,official,cudnn,nccl,triton,triton_pythons,sass,ptx,glibc,glibc_below,wheel_index.url,"
      "wheel_index.pythons,package_index.pythons,python_official,install_bytes,source,field_sources\r\n"
      "2.3.1,cu121,linux-x86_64,12.1,,true,,,,,8.0 9.0,[],,,https://download.pytorch.org/whl/cu121,"
      "3.11 3.12,,,2500000000,a,sass=b ptx=c\r\n");
}

TEST(Export, WhatWouldEndACellIsQuoted) {
  const auto files =
      csv_of("gpus.json", R"({"sources": {"a,b": {"what": "the \"list\"", "url": null, "check": "a, b", "basis": "inferred",
                           "read": "2026-11-25"}},
    "ambiguous": [{"name": "A, \"B\"\nC", "members": ["x"], "source": "a,b"}]})");
  EXPECT_EQ(text_of(files, "gpus-ambiguous.csv"), "name,members,source,field_sources\r\n\"A, \"\"B\"\"\nC\",x,\"a,b\",\r\n");
  EXPECT_EQ(text_of(files, "sources.csv"),
            "file,id,what,url,check,basis,read\r\ngpus.json,\"a,b\",\"the \"\"list\"\"\",,\"a, b\",inferred,2026-11-25\r\n");
  EXPECT_EQ(text_of(files, "gpus-families.csv"), "name,members,source,field_sources\r\n");
}

TEST(Export, AListOfObjectsIsOneCell) {
  const auto text =
      text_of(csv_of("cudnn.json", R"({"releases": [{"version": "9.1.0", "gpus": [{"cuda": "12", "min": "5.0"}]}]})"),
              "cudnn-releases.csv");
  EXPECT_THAT(text, testing::HasSubstr(R"("[{""cuda"":""12"",""min"":""5.0""}]")"));
}

}  // namespace
}  // namespace envgen::matrix
