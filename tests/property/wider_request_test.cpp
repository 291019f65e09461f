#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "matrix/embedded/embedded.hpp"
#include "property/defaults.hpp"
#include "property/random_matrix.hpp"
#include "resolver/resolver.hpp"
#include "support/request_text.hpp"
#include "support/thorough.hpp"

/// A proof says that nothing can be had. So what a request with one more value gets, or may get, is not proven away without it.
/// Over the shipped matrix, with what people ask for.
namespace envgen::property {
namespace {

struct Asked {
  const char* field;
  int percent;
  std::vector<std::string> texts;
};

const std::vector<Asked>& what_people_ask() {
  static const std::vector<Asked> all{
      {"torch", 40, {"1.11", "1.13", "2.0", "2.3.1", "2.5", "2.7", "2.9", "2.12", "2.14", "2.15", ">=2.6", "<2.1", ">=2.14"}},
      {"cuda",
       50,
       {"10.2", "11.3", "11.8", "12", "12.1", "12.2", "12.4", "12.6", "12.8", "12.9", "13.0", "13.2", ">=12.6", "<12"}},
      {"cudnn", 8, {"8", "8.9", "9", ">=9.10"}},
      {"python", 45, {"3.6", "3.7", "3.8", "3.9", "3.10", "3.11", "3.12", "3.13", "3.14", "3.15", ">=3.14", "<3.8"}},
      {"torchvision", 6, {"0.12", "0.18", "0.24", ">=0.20"}},
      {"gpu", 55, {"K80", "GTX_980", "P100", "V100", "T4", "A100", "4090", "H100", "5090", "B200", "3.5", "6.1", "8.6", "12.1"}},
      {"gpu", 10, {"V100", "5090", "T4"}},
      {"driver", 45, {"418", "450", "470", "525", "535", "550.54.14", "570", "580", "595", ">=535", "<520", ">=580,<596"}},
      {"os", 25, {"ubuntu18.04", "ubuntu20.04", "ubuntu22.04", "ubuntu24.04", "debian11", "debian12", "rockylinux8", "centos7"}},
      {"base", 12, {"slim", "cuda", "pytorch", "tensorflow"}},
      {"variant", 12, {"devel", "runtime"}},
      {"installer", 20, {"pip", "uv", "conda"}},
      {"platform", 8, {"linux-x86_64", "linux-aarch64"}},
      {"engine", 10, {"docker", "docker-cdi", "podman", "none"}},
      {"ptx", 6, {"true"}}};
  return all;
}

Request request_of_people(Random& random) {
  std::string text;
  for (const auto& asked : what_people_ask()) {
    if (chance(random, asked.percent)) text += std::string(" ") + asked.field + "=" + pick(random, asked.texts);
  }
  return test::request_of(text);
}

/// Whether the proof says itself that it stands on this default: there is (or may be) an environment with another choice of it.
bool names_default(const matrix::Matrix& matrix, const Request& request, const RequestValue& value) {
  const auto query = resolver::interpret(matrix, request);
  if (!query) return false;
  const auto answer = resolver::resolve(matrix, *query);
  const auto* conflict = std::get_if<resolver::Conflict>(&answer);
  return conflict != nullptr &&
         std::any_of(conflict->beyond_defaults.begin(), conflict->beyond_defaults.end(), [&](const auto& beyond) {
           // Of GPUs it names one for all those that do.
           if (beyond.field == Field::gpu) return value.field == Field::gpu || value.field == Field::host;
           // CDI stands for all that do not look at an image.
           if (beyond.field == Field::engine && beyond.other == name_of(Engine::docker_cdi)) return value.field == Field::engine;
           return beyond.field == value.field && beyond.other == value.text;
         });
}

bool is_proven_away(const matrix::Matrix& matrix, const Request& request) {
  const auto query = resolver::interpret(matrix, request);
  return query && std::holds_alternative<resolver::Conflict>(resolver::resolve(matrix, *query));
}

TEST(WiderRequest, IsNotProvenAwayWhereAStricterOneIsOpen) {
  constexpr std::uint64_t seed = 18;
  const auto share = test::one_of(3);
  const std::size_t requests = 1500 / share;
  constexpr int most_shown = 10;
  const auto matrix = matrix::embedded();
  Random random(seed);
  std::size_t compared = 0;
  int complaints = 0;
  int by_default = 0;
  int by_board = 0;
  for (std::size_t i = 0; i < requests; ++i) {
    const auto request = request_of_people(random);
    const auto query = resolver::interpret(matrix, request);
    if (!query || is_proven_away(matrix, request)) continue;
    for (std::size_t k = 0; k < request.values.size(); ++k) {
      const auto& value = request.values[k];
      const bool other_default =
          value.field == Field::platform || value.field == Field::variant || value.field == Field::installer;
      const bool moves = moves_a_default(matrix, *query, k);
      if (moves && !other_default) continue;
      auto wider = request;
      wider.values.erase(wider.values.begin() + static_cast<std::ptrdiff_t>(k));
      if (moves) {
        if (!is_proven_away(matrix, wider)) continue;
        ++by_default;
        EXPECT_TRUE(names_default(matrix, wider, value))
            << test::text_of(wider) << " does not name the default of " << value.text;
        continue;
      }
      ++compared;
      if (!is_proven_away(matrix, wider)) continue;
      // Without a board cuda-compat serves nobody, and a gate is closed to some: a proof that rests on that names a board.
      const bool is_told = names_default(matrix, wider, value);
      by_board += is_told ? 1 : 0;
      if (!is_told && ++complaints <= most_shown)
        ADD_FAILURE() << test::text_of(wider) << " is proven away, and " << test::text_of(request) << " is open";
    }
  }
  EXPECT_LE(complaints, 0);
  EXPECT_GT(compared, 1000 / share);
  EXPECT_GT(by_default, 0);
  EXPECT_GT(by_board, 0);
}

}  // namespace
}  // namespace envgen::property
