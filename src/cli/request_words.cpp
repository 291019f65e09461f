#include "cli/request_options.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/spelling.hpp"

namespace envgen::cli {

namespace {

/// `torch==2.4` and `gpu=5090` as two words; `torch>=2.4` keeps what makes it a range.
std::vector<std::string> apart(const std::vector<std::string>& words) {
  std::vector<std::string> result;
  for (const auto& word : words) {
    const auto end = word.find_first_of("=<>!~");
    const bool names_field = end != std::string::npos && end > 0 && field_named(word.substr(0, end));
    // A host has such signs itself, and so has a value.
    if (!names_field || result.size() % 2 != 0) {
      result.push_back(word);
      continue;
    }
    const bool plain = word[end] == '=';
    result.push_back(word.substr(0, end));
    result.push_back(plain ? word.substr(std::min(word.find_first_not_of('=', end), word.size())) : word.substr(end));
  }
  return result;
}

bool begins_a_board(const std::string& word) {
  constexpr std::array<std::string_view, 7> makers{"nvidia", "geforce", "rtx", "gtx", "tesla", "quadro", "titan"};
  return std::find(makers.begin(), makers.end(), lower(word)) != makers.end();
}

const FieldRow& row_of(Field field) { return field_rows.at(static_cast<std::size_t>(field)); }

}  // namespace

Expected<RequestOptions> read_words(const std::vector<std::string>& given) {
  const auto words = apart(given);
  RequestOptions options;
  for (std::size_t i = 0; i < words.size(); i += 2) {
    const bool has_digit = words[i].find_first_of("0123456789") != std::string::npos;
    auto field = field_named(words[i]);
    if (!field && begins_a_board(words[i])) {  // `RTX 5090` without `gpu`
      field = Field::gpu;
      --i;
    }
    if (field && row_of(*field).shape == Shape::flag && (i + 1 == words.size() || field_named(words[i + 1]))) {
      options.request.values.push_back(flag_value(*field, "true"));
      --i;
      continue;
    }
    if (!field) {
      auto hints = did_you_mean(words[i], field_names, 1);
      if (has_digit) hints.push_back(fmt::format("for a GPU, write: gpu {}", in_one_line(words[i])));
      hints.push_back(fmt::format("known: {}", fmt::join(field_names, ", ")));
      return fail(ErrorCode::usage, fmt::format("{} is not a request field", in_quotes(words[i])), "why", std::move(hints));
    }
    if (i + 1 == words.size())
      return fail(ErrorCode::usage, fmt::format("{} has no value", in_quotes(words[i])), "why",
                  {"for example: envgen why torch 2.6 cuda 12.1"});
    if (*field != Field::gpu && *field != Field::host && options.request.find(*field) != nullptr)
      return fail(ErrorCode::usage, fmt::format("{} is given twice", in_quotes(words[i])), "why",
                  {"write a range as '>=2.3,<2.5'"});
    auto value = words[i + 1];
    // `gpu RTX 5090` needs no quotes.
    while (*field == Field::gpu && i + 2 < words.size() && !field_named(words[i + 2])) value += " " + words[++i + 1];
    options.request.values.push_back(flag_value(*field, value));
  }
  // As the flags come: the machines last.
  const auto machine = [](const RequestValue& value) {
    return value.field == Field::host ? 2 : value.field == Field::gpu ? 1 : 0;
  };
  std::stable_sort(options.request.values.begin(), options.request.values.end(),
                   [&](const auto& a, const auto& b) { return machine(a) < machine(b); });
  return options;
}

}  // namespace envgen::cli
