#include "cli/request_options.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/spelling.hpp"

namespace envgen::cli {

namespace {

bool begins_a_board(const std::string& word) {
  constexpr std::array<std::string_view, 7> makers{"nvidia", "geforce", "rtx", "gtx", "tesla", "quadro", "titan"};
  return std::find(makers.begin(), makers.end(), lower(word)) != makers.end();
}

bool is_flag(Field field) { return field_rows.at(static_cast<std::size_t>(field)).shape == Shape::flag; }

/// A field and its value by turns, of what people leave out or write as pip does: `torch==2.4` (`torch>=2.4` keeps what makes it
/// a range), `RTX 5090` without `gpu`, `wsl` without `true`.
std::vector<std::string> completed(const std::vector<std::string>& given) {
  std::vector<std::string> words;
  bool value_is_next = false;
  bool in_gpu = false;  // its name may have several words
  for (std::size_t i = 0; i < given.size(); ++i) {
    const auto& word = given[i];
    if (value_is_next) {
      words.push_back(word);
      value_is_next = false;
      continue;
    }
    if (const auto field = field_named(word)) {
      words.push_back(word);
      in_gpu = *field == Field::gpu;
      value_is_next = !is_flag(*field) || (i + 1 < given.size() && !field_named(given[i + 1]));
      if (!value_is_next) words.emplace_back("true");
      continue;
    }
    const auto end = word.find_first_of("=<>!~");
    const auto field = end == std::string::npos ? std::nullopt : field_named(word.substr(0, end));
    if (field) {
      in_gpu = *field == Field::gpu;
      words.push_back(word.substr(0, end));
      words.push_back(word[end] == '=' ? word.substr(std::min(word.find_first_not_of('=', end), word.size())) : word.substr(end));
      continue;
    }
    if (!in_gpu && begins_a_board(word)) {
      words.emplace_back("gpu");
      in_gpu = true;
    }
    words.push_back(word);
  }
  return words;
}

}  // namespace

Expected<RequestOptions> read_words(const std::vector<std::string>& given) {
  const auto words = completed(given);
  RequestOptions options;
  for (std::size_t i = 0; i < words.size(); i += 2) {
    const bool has_digit = words[i].find_first_of("0123456789") != std::string::npos;
    const auto field = field_named(words[i]);
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
