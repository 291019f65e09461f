#pragma once

#include <string>
#include <string_view>

#include <CLI/CLI.hpp>

namespace envgen::cli {

/// The help of every command, the same by every CLI11: 2.5 gave its own another layout, with other headings and columns.
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override;
  std::string make_option_opts(const CLI::Option* option) const override;
};

/// What a command cannot do without: `FIELD VALUE`, `FILE and FILE`.
std::string arguments_of(const CLI::App& app);

/// Help for a terminal of `width` columns (0: no limit): a description that does not fit goes on below its own beginning, or,
/// where that leaves too little, below its option.
std::string help_text(std::string_view help, std::size_t width);

}  // namespace envgen::cli
