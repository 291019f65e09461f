#include "project/freeze.hpp"

#include <set>
#include <string>

#include <fmt/format.h>

#include "files/grammar.hpp"
#include "files/requirement.hpp"
#include "model/spelling.hpp"

namespace envgen::project {
namespace {

using Package = Environment::Frozen::Package;

constexpr std::string_view hash_option = "--hash=";

class TreeReader {
 public:
  Expected<std::vector<Package>> run(std::string_view text) {
    while (!text.empty() && result_) {
      const auto end = text.find('\n');
      ++line_;
      take(trimmed(text.substr(0, end)));
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    if (result_) finish_package();
    if (result_ && packages_.empty()) refuse("it names no package");
    if (!result_) return tl::unexpected(std::move(result_.error()));
    return std::move(packages_);
  }

 private:
  static std::string_view trimmed(std::string_view line) {
    constexpr std::string_view between = " \t\r\\";
    const auto first = line.find_first_not_of(" \t");
    if (first == std::string_view::npos) return {};
    return line.substr(first, line.find_last_not_of(between) + 1 - first);
  }

  void take(std::string_view line) {
    if (line.empty() || line.starts_with('#')) return;
    if (line.starts_with(hash_option)) {
      line.remove_prefix(hash_option.size());
      if (packages_.empty()) return refuse("it begins with a hash");
      if (auto checked = files::check_hash(line, {}); !checked) return refuse(checked.error().message);
      packages_.back().hashes.emplace_back(line);
      return;
    }
    finish_package();
    const auto equals = line.find("==");
    const std::string name(line.substr(0, equals));
    if (equals == std::string_view::npos || !files::check_pip_requirement(line, {}) || line.substr(equals + 2).starts_with('=') ||
        !names_.insert(files::requirement_name(name)).second)
      return refuse(fmt::format("{} is not a package with a name and a version, or is listed twice", in_quotes(line)));
    packages_.push_back({name, std::string(line.substr(equals + 2)), {}});
  }

  void finish_package() {
    if (!packages_.empty() && packages_.back().hashes.empty())
      refuse(fmt::format("the index provides no hash for the files of {} {}", packages_.back().name, packages_.back().version));
  }

  void refuse(std::string message) {
    if (result_) result_ = fail(ErrorCode::bad_input, std::move(message), fmt::format("line {} of uv's tree", line_));
  }

  std::size_t line_ = 0;
  std::set<std::string> names_;
  std::vector<Package> packages_;
  Expected<void> result_;
};

}  // namespace

Expected<std::vector<Package>> parse_tree(std::string_view text) { return TreeReader().run(text); }

}  // namespace envgen::project
