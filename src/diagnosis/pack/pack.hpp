#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "diagnosis/diagnosis.hpp"
#include "util/json_cell.hpp"

/// From diagnoses/ to C++, at build time.
namespace envgen::diagnosis::pack {

/// One failure as diagnoses/SUBJECT.json tells it: what `Diagnosis` holds in one text is a list here.
struct Row {
  std::string where;  ///< file and JSON pointer
  std::string id;
  std::string title;
  std::string cause;
  std::string fix;
  std::vector<std::string> commands;
  std::string source;
  Proof proof = Proof::thread;
  std::vector<std::string> patterns;
  std::vector<std::string> numbers;
  std::vector<std::string> hides;
  std::vector<std::string> resolves;
  bool remark = false;
};

/// The rows of a folder such as diagnoses/: subjects.json names the subjects in their order, and each has a file of its own. What
/// is not as diagnoses/schema says is told, and so is a file that no subject names.
std::vector<Row> read(const std::filesystem::path& folder, util::Problems& problems);

/// What is wrong with rows whose shape is right: their ids, what they say of each other, and their patterns.
void lint(const std::vector<Row>& rows, util::Problems& problems);

/// The C++ that defines `diagnosis::all()`.
std::string cpp_of(const std::vector<Row>& rows);

}  // namespace envgen::diagnosis::pack
