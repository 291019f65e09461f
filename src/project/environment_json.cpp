#include "project/environment_json.hpp"

#include "util/described.hpp"

namespace envgen::project {

Environment read_environment(const util::JsonCell& answer) {
  Environment result;
  const auto cell = answer.at("environment");
  util::read_json(cell, result);
  if (result.torch.has_value() == result.tensorflow.has_value())
    cell.problem("one of torch and tensorflow is needed here, the other is null");
  util::Reading visit{answer};
  Environment::advice(result, visit);
  return result;
}

}  // namespace envgen::project
