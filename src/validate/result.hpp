#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "diagnosis/diagnosis.hpp"
#include "model/spelling.hpp"

namespace envgen::validate {

using Json = nlohmann::ordered_json;

/// The most that a message shows of what a program in the image said of one thing, in bytes.
inline constexpr std::size_t longest_value = 300;
/// As a message shows it.
inline std::string shown(const std::string& text) { return visible(text, longest_value); }

/// skip: the check was not made; unknown: it was, and what it saw proves nothing.
enum class Status : std::uint8_t { pass, warn, fail, skip, unknown };
std::string_view name_of(Status status);
/// None: there is no such status.
std::optional<Status> parse_status(std::string_view name);

/// What came of one check.
struct Result {
  std::string check;  ///< its id
  Status status = Status::skip;
  std::string message{};
  Json evidence = Json::object();
  const diagnosis::Diagnosis* diagnosis = nullptr;  ///< of the failure, where it is a known one
  std::optional<long long> device = std::nullopt;   ///< the CUDA number of the GPU that it is about
  bool prerequisite = false;                        ///< of a failure: this machine lacks something, and the image is not to blame
};

/// A result without evidence; `diagnosis`: the id of its failure, where it is a known one.
Result made(std::string_view check, Status status, std::string message, std::string_view diagnosis = {});
/// `result` with this in place of what it said.
Result as(Result result, Status status, std::string message, std::string_view diagnosis = {});

/// The failure that words of an engine or a program tell of; null: none that is known.
const diagnosis::Diagnosis* recognised(const std::vector<std::string>& words);
/// `why: words`, or `why` alone where there are none.
std::string with_words(const std::string& why, const std::vector<std::string>& words);

}  // namespace envgen::validate
