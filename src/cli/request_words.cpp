#include "cli/request_words.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/spelling.hpp"

namespace envgen::cli {

Expected<RequestOptions> read_words(const std::vector<std::string>& words) {
  RequestOptions options;
  for (std::size_t i = 0; i < words.size(); i += 2) {
    const auto* found = std::find(field_names.begin(), field_names.end(), words[i]);
    if (found == field_names.end()) {
      auto hints = did_you_mean(words[i], field_names, 1);
      hints.push_back(fmt::format("known: {}", fmt::join(field_names, ", ")));
      return fail(ErrorCode::usage, fmt::format("{} is no field of a request", in_quotes(words[i])), "why", std::move(hints));
    }
    if (i + 1 == words.size())
      return fail(ErrorCode::usage, fmt::format("{} has no value", in_quotes(words[i])), "why",
                  {"write it as in: envgen why torch 2.6 cuda 12.1"});
    const auto field = static_cast<Field>(found - field_names.begin());
    if (field == Field::gpu) {
      options.gpus.push_back(words[i + 1]);
    } else if (field == Field::host) {
      options.hosts.push_back(words[i + 1]);
    } else if (std::any_of(options.singles.begin(), options.singles.end(), [&](const auto& one) { return one.first == field; })) {
      return fail(ErrorCode::usage, fmt::format("{} stands twice", in_quotes(words[i])), "why",
                  {"a range is written '>=2.3,<2.5'"});
    } else {
      options.singles.emplace_back(field, words[i + 1]);
    }
  }
  return options;
}

}  // namespace envgen::cli
