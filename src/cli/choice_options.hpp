#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/context.hpp"

namespace envgen::cli {

/// An option whose value is one of `names`; `target` gets its index. The type that help shows is `a|b|c`, and completion
/// reads the choices there. Errors (usage, by CLI11): `--rank: 'fp61' is not one of fp16, fp32 (did you mean fp16?)`.
/// `names` must outlive the parsing.
void add_choice(CLI::App& app, const std::string& flag, std::size_t& target, std::span<const std::string_view> names,
                const std::string& help);
/// The same, repeatable, and with commas: `--class datacenter,workstation`.
void add_choices(CLI::App& app, const std::string& flag, std::vector<std::size_t>& targets,
                 std::span<const std::string_view> names, const std::string& help);
/// `--format text|json`, kept in the context: with json, errors are JSON on stdout, too.
void add_format(CLI::App& app, Context& context);
/// `--json`, which chooses what `--format json` does.
void add_json(CLI::App& app, std::function<void()> choose);

/// The exit status of what was `printed`, or an error when stdout did not take it.
Expected<Exit> ended(bool printed, Exit exit);
/// The result, or that error.
Expected<Exit> written(const std::string& text);
/// ... that is used byte by byte.
Expected<Exit> written_as_it_is(const std::string& text);
/// A remark on stderr that leaves the result and the exit status alone.
void note(const std::string& text);
/// What these have taken of the screen since the command began.
std::size_t rows_of_the_notes();
/// A command begins: one process may run several.
void forget_the_notes();

}  // namespace envgen::cli
