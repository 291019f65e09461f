#pragma once

#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace envgen::test {

using Lines = std::vector<std::string>;

/// Plays a file of cases and compares what comes of each: lines that are not indented say what is given, the indented ones below
/// them what must come of it. An empty line ends a case, and `#` begins a comment.
///
///     torch.json#/builds/0/tag="cu118"
///       torch.json#/builds/0/tag: the tag 'cu118' does not fit CUDA 12.1
///
/// ENVGEN_UPDATE_GOLDEN=1 writes what comes instead of comparing it, never under CI: a person must read the change.
void play_cases(const std::string& file, const std::function<Lines(const Lines& given)>& play);

/// The files of cases in a folder, by name, and what a parameterised test calls one.
std::vector<std::string> case_files(const std::string& folder);
std::string name_of_case_file(const testing::TestParamInfo<std::string>& info);

}  // namespace envgen::test
