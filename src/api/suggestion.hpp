#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diagnosis/recognise.hpp"
#include "files/install_commands.hpp"
#include "matrix/matrix.hpp"
#include "model/request.hpp"
#include "util/json_writer.hpp"
#include "util/table.hpp"

/// What a log is told besides its failures: where it names the GPU, the driver or the torch that failed, the environment that
/// does not.
namespace envgen::api {

struct Suggestion {
  Request request;                      ///< what was asked, of what the log names
  std::string summary;                  ///< one sentence: `The NVIDIA GeForce RTX 5090 needs torch 2.7.0 or newer.`
  std::vector<files::Command> install;  ///< by pip; none: no environment is known, or a program of the log brings its own torch
  std::vector<std::string> lines;       ///< the same as lines of a shell, with the virtual environment that another Python needs
};

/// Whether a request understands this as a GPU.
bool is_board(const matrix::Matrix& matrix, std::string_view name);

/// For the first failure that another environment fixes and whose values the log names; none: there is no such failure, or the
/// log's torch is the one that would be installed.
std::optional<Suggestion> suggestion(const matrix::Matrix& matrix, const std::vector<diagnosis::Finding>& findings,
                                     const diagnosis::Seen& seen);

/// What the commands of a diagnosis may name: without a torch that the data does not have.
diagnosis::Seen for_commands(const matrix::Matrix& matrix, const diagnosis::Seen& seen);

/// For people: what the log names and where, the summary, and what to run.
std::string suggestion_text(const Suggestion& suggestion, const diagnosis::Seen& seen, const util::Terminal& terminal);

/// That envgen does not cover the platform of the log, where it is such a one, and what that means for these failures.
std::string platform_text(const std::vector<diagnosis::Finding>& findings, const diagnosis::Seen& seen,
                          const std::optional<Suggestion>& suggestion, const util::Terminal& terminal);

/// The object of the contract, or null.
void write_suggestion(util::JsonWriter& json, const std::optional<Suggestion>& suggestion);

}  // namespace envgen::api
