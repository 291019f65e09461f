#pragma once

#include <string>
#include <utility>
#include <vector>

#include "validate/report.hpp"

/// What several views say alike.
namespace envgen::reports {

/// The image, or `envgen-bench` where there was no container.
std::string title(const validate::Report& report);
/// `envgen validate`, or `envgen-bench`.
std::string program(const validate::Report& report);
/// `kernel/0`, `peer/0-1`: the id with the GPU or the two that it is about.
std::string name_of_row(const validate::Result& result);
/// The verdict with its mark, which tells it apart without colour: `✗ fail`.
std::string_view mark(validate::Status status);
/// That test doubles took part; empty: none did.
std::string doubles_notice(const validate::Report& report);
/// Name and value of what is known of the run: when, engine, lock, driver, GPUs, libraries.
std::vector<std::pair<std::string, std::string>> facts(const validate::Report& report);
/// Checks that were not made, by the reason: those of one reason are told together.
std::vector<std::pair<std::string, std::vector<std::string>>> not_made(const validate::Report& report);
/// Each failure that was recognised, once, in the order of the results.
std::vector<const diagnosis::Diagnosis*> diagnoses(const validate::Report& report);

}  // namespace envgen::reports
