#include "cli/request_options.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/usage_error.hpp"
#include "diagnosis/diagnosis.hpp"
#include "model/shell_word.hpp"
#include "model/spelling.hpp"

namespace envgen::cli {

namespace {

bool begins_a_board(const std::string& word) {
  constexpr std::array<std::string_view, 7> makers{"nvidia", "geforce", "rtx", "gtx", "tesla", "quadro", "titan"};
  return std::find(makers.begin(), makers.end(), lower(word)) != makers.end();
}

/// `5090` and `A100`, but neither `2.4` nor `8.6`.
bool has_a_number(const std::string& word) {
  return word.find_first_of("0123456789") != std::string::npos && word.find('.') == std::string::npos;
}

/// `rocky8`, but not `22.04`, which may be the version of anything.
bool is_name(const std::string& word) { return word.find_first_not_of("0123456789.") != std::string::npos; }

/// What joins the parts of a sentence: `why torch 2.4 on a 5090`. In the name of a board, `RTX A 6000`, an `a` is none.
bool joins(const std::string& word, bool in_gpu) {
  constexpr std::array<std::string_view, 5> words{"and", "on", "with", "for", "in"};
  constexpr std::array<std::string_view, 3> articles{"a", "an", "the"};
  return std::find(words.begin(), words.end(), word) != words.end() ||
         (!in_gpu && std::find(articles.begin(), articles.end(), word) != articles.end());
}

/// The words of `"torch 2.4 gpu 5090"`, of `torch2.4` and of `wsl2`, where a field may stand; none: it is one word.
std::vector<std::string> parts_of(const std::string& word) {
  std::vector<std::string> words;
  const auto space = word.find(' ');
  const auto digit = word.find_first_of("0123456789");
  if (word == "wsl2") return {"wsl"};
  if (space != std::string::npos && field_named(word.substr(0, space))) {
    const auto parts = diagnosis::parts(word, ' ');
    words.assign(parts.begin(), parts.end());
  } else if (space == std::string::npos && digit != std::string::npos && field_named(word.substr(0, digit))) {
    words = {word.substr(0, digit), word.substr(digit)};
  }
  return words;
}

/// The field of `--torch`, of `-t` and of `--gpus`.
std::optional<Field> field_of_option(std::string_view option) {
  for (std::size_t i = 0; i < field_rows.size(); ++i) {
    const auto& row = field_rows.at(i);
    if (row.shape == Shape::preset) continue;  // a request of its own, and no field
    const auto aliases = diagnosis::parts(row.aliases, ',');
    if (option == row.flag || std::find(aliases.begin(), aliases.end(), option) != aliases.end()) return static_cast<Field>(i);
  }
  return std::nullopt;
}

bool is_flag(Field field) { return field_rows.at(static_cast<std::size_t>(field)).shape == Shape::flag; }

/// A field and its value by turns, of what people leave out or write as pip does: `torch==2.4` (`torch>=2.4` keeps what makes it
/// a range), `RTX 5090` and `5090` without `gpu`, `cu121` without `cuda`, `rocky8` without `os`, `wsl` without `true`.
std::vector<std::string> completed(std::vector<std::string> given, const IsSystem& is_system) {
  std::vector<std::string> words;
  bool value_is_next = false;
  bool in_gpu = false;  // its name may have several words
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (value_is_next) {
      words.push_back(given[i]);
      value_is_next = false;
      continue;
    }
    if (const auto parts = parts_of(given[i]); !parts.empty()) {
      given.erase(given.begin() + static_cast<std::ptrdiff_t>(i));
      given.insert(given.begin() + static_cast<std::ptrdiff_t>(i), parts.begin(), parts.end());
    }
    const auto word = given[i];
    const auto* next = i + 1 < given.size() ? &given[i + 1] : nullptr;
    if (joins(word, in_gpu)) {
      // `A100 and H100`
      if (word == "and" && in_gpu && next != nullptr && !field_named(*next)) words.emplace_back("gpu");
      in_gpu = in_gpu && word == "and";
      continue;
    }
    if (const auto field = field_named(word)) {
      words.push_back(word);
      in_gpu = *field == Field::gpu;
      if (*field == Field::wsl && next != nullptr && *next == "2") ++i;
      value_is_next = !is_flag(*field) || (next != nullptr && (*next == "true" || *next == "false"));
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
    if (lower(word).starts_with("cu") && word.find_first_not_of("0123456789.", 2) == std::string::npos && word.size() > 2) {
      words.insert(words.end(), {"cuda", word});  // cu121
      in_gpu = false;
      continue;
    }
    if (is_name(word) && is_system(word)) {
      words.insert(words.end(), {"os", word});
      in_gpu = false;
      continue;
    }
    if (!in_gpu && (begins_a_board(word) || has_a_number(word))) {
      words.emplace_back("gpu");
      in_gpu = true;
    }
    words.push_back(word);
  }
  return words;
}

}  // namespace

std::vector<std::string> with_fields_as_words(const std::vector<std::string>& words) {
  std::vector<std::string> result;
  for (const auto& word : words) {
    const auto equals = std::min(word.find('='), word.size());
    const auto field = word.starts_with('-') ? field_of_option(word.substr(0, equals)) : std::nullopt;
    if (!field) {
      result.push_back(word);
      continue;
    }
    result.emplace_back(name_of(*field));
    if (equals < word.size()) result.push_back(word.substr(equals + 1));
  }
  return result;
}

namespace {

/// The words of a command line, with a field before the one that has none.
std::string with_field_before(std::vector<std::string> words, std::size_t place, std::string field) {
  words.insert(words.begin() + static_cast<std::ptrdiff_t>(place), std::move(field));
  for (auto& word : words) word = shell_word(in_one_line(word));
  return fmt::format("{}", fmt::join(words, " "));
}

/// What another command is for: a message or a log, an additional package; none: it may be part of a request.
std::vector<std::string> for_another_command(const std::string& word) {
  constexpr std::array<std::string_view, 4> logs{".log", ".txt", ".out", ".err"};
  const bool is_log = std::any_of(logs.begin(), logs.end(), [&](auto ending) { return word.ends_with(ending); });
  if (is_log || word.find(' ') != std::string::npos)
    return {fmt::format("for a log or an error message: envgen explain {}", shell_word(in_one_line(word)))};
  if (word.find('-') != std::string::npos && word.find_first_of("0123456789") == std::string::npos)
    return {fmt::format("for an additional package: envgen render dockerfile --pip {}", shell_word(in_one_line(word)))};
  return {};
}

}  // namespace

Expected<RequestOptions> read_words(const std::vector<std::string>& given, const IsSystem& is_system) {
  const auto words = completed(given, is_system);
  if (words.empty()) return fail(ErrorCode::usage, "nothing is asked", "why", {"for example: envgen why torch 2.6 cuda 12.1"});
  RequestOptions options;
  for (std::size_t i = 0; i < words.size(); i += 2) {
    const auto& word = words[i];
    const bool has_digit = word.find_first_of("0123456789") != std::string::npos;
    const bool has_dot =
        has_digit && word.find_first_not_of("0123456789.") == std::string::npos && word.find('.') != std::string::npos;
    const auto field = field_named(words[i]);
    if (!field) {
      auto hints = did_you_mean(words[i], field_names, 1);
      if (auto others = for_another_command(words[i]); hints.empty() && !others.empty())
        return fail(ErrorCode::usage, fmt::format("{} is not a request field", in_quotes(words[i])), "why", std::move(others));
      if (lower(words[i]) == "jax") hints.emplace_back(jax_hint);
      const bool names_gpu = std::find(words.begin(), words.end(), "gpu") != words.end();
      if (has_dot) hints.push_back(fmt::format("for PyTorch, write: envgen why {}", with_field_before(words, i, "torch")));
      if (has_digit && !(has_dot && names_gpu))
        hints.push_back(fmt::format("for a GPU, write: envgen why {}", with_field_before(words, i, "gpu")));
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
