#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace envgen::cli {

/// The help of every command, the same by every CLI11: 2.5 gave its own another layout, with other headings and columns.
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override;
  std::string make_option_opts(const CLI::Option* option) const override;
};

}  // namespace envgen::cli
