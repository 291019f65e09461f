#pragma once

#include <string>
#include <vector>

#include "diagnosis/diagnosis.hpp"

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
  bool remark = false;
};

}  // namespace envgen::diagnosis::pack
