#include "support/locks.hpp"

#include <stdexcept>

#include <fmt/format.h>

#include "matrix/embedded/embedded.hpp"
#include "resolver/materialize.hpp"
#include "support/request_text.hpp"
#include "util/sha256.hpp"

namespace envgen::test {

using Json = nlohmann::ordered_json;

project::Lock lock_of(std::string_view text) {
  const auto matrix = matrix::embedded();
  project::Lock lock;
  lock.matrix_revision = matrix->revision.view();
  lock.matrix_hash = matrix->hash.view();
  lock.request = request_of(text);
  const auto query = resolver::interpret(matrix, lock.request);
  if (!query) throw std::runtime_error(query.error().message);
  const auto best = resolver::find_best(matrix, *query);
  if (!best) throw std::runtime_error(fmt::format("no environment for {}", text));
  lock.environment = resolver::materialize(matrix, *query, *best);
  return lock;
}

const std::vector<std::string>& varied_requests() {
  static const std::vector<std::string> requests{
      "torch=2.3 gpu=4090",
      "torch=2.3.1 cuda=cpu",
      "torch=2.4 cuda=12.1 installer=conda",
      "torch=2.3 base=pytorch",
      "torch=2.7 base=cuda variant=devel cuda=12.8 gpu=5090",
      "torch=1.13 python=3.10 driver=535",
      "tensorflow=2.16",
      "torch=2.6 host=gpu=V100,gpu=T4,driver=535.183.01 allow-inferred",
      "",
  };
  return requests;
}

Json json_of(const project::Lock& lock) { return Json::parse(project::lock_text(lock)); }

std::string sealed(Json document) {
  document.erase("integrity");
  util::Sha256 digest;
  digest.add(nlohmann::json(document).dump(-1, ' ', true));
  document["integrity"] = "sha256:" + digest.hex();
  return document.dump(2) + "\n";
}

}  // namespace envgen::test
