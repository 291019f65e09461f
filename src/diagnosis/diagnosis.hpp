#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace envgen::diagnosis {

/// How it is known that the message has this cause and this fix.
enum class Proof : std::uint8_t {
  reproduced,   ///< the failure was made to happen
  source_read,  ///< the code that prints the message was read
  documented,   ///< the vendor's documentation says so
  thread,       ///< people who had it, or maintainers, say so
};
/// How the data names each, in the order of `Proof`.
inline constexpr std::array<std::string_view, 4> proof_names{"reproduced", "source read", "documented", "thread"};
std::string_view name_of(Proof proof);
/// For people: `user reports`.
std::string_view in_words(Proof proof);

/// A failure that is known: what it means, and what fixes it. Its id is stable; old and new wordings are one id.
struct Diagnosis {
  std::string_view id;
  std::string_view title;
  std::string_view cause;
  std::string_view fix;
  std::string_view commands;  ///< one a line, as they are typed; words in capitals are for the reader to fill in
  std::string_view source;
  Proof proof = Proof::thread;
  std::string_view patterns;       ///< the wordings, one a line: see pattern.hpp
  std::string_view numbers = {};   ///< what CUDA returns, with spaces, today's and that of old releases; `?`: see pattern.hpp
  std::string_view hides = {};     ///< the ids, with spaces, of what follows from it in the same log; `?`: see ranking.cpp
  std::string_view resolves = {};  ///< what a log must name (named_in_log.hpp), with spaces, for an environment to be found
  bool remark = false;             ///< logs hold it that fail of something else: it comes after those that end a program

  std::vector<std::string_view> command_lines() const;
};

/// All that is known, subject by subject, in the order in which a container comes to its GPU.
/// The build makes the table of diagnoses/ (pack/), so that nothing is read when envgen starts.
std::span<const Diagnosis> all();
/// The one of that id; null: there is none.
const Diagnosis* find(std::string_view id);

/// The parts of `text` between `separator`s that are not empty.
std::vector<std::string_view> parts(std::string_view text, char separator);

}  // namespace envgen::diagnosis
