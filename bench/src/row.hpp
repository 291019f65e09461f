#pragma once

#include <optional>
#include <string>

#include "failure.hpp"
#include "json.hpp"

namespace envgen::bench {

enum class Status { pass, warn, fail, skip, unknown };
/// What a verdict is about. Only a functional failure means that the container does not work.
enum class Kind { functional, performance, information };

const char* name_of(Status status);
const char* name_of(Kind kind);

/// One line of the report: what was tested, and what came of it.
struct Row {
  std::string id;
  std::optional<int> device;  ///< the CUDA ordinal; none for a test of the machine
  Status status = Status::unknown;
  Kind kind = Kind::functional;
  double seconds = 0;
  std::string message;  ///< one line for people
  Json evidence = Json::object();
  std::optional<Failure> failure;
};

Json to_json(const Row& row);
/// The row that `to_json` wrote, as a child sends it. Throws nlohmann's exceptions for anything else.
Row row_from_json(const Json& json);

}  // namespace envgen::bench
