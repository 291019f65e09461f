#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "matrix/loading.hpp"
#include "model/version_spec.hpp"

namespace envgen::matrix {

/// What the checks of each subject share: the facts as they were loaded, and what was found. A row that could not be loaded has
/// what "unknown" is in its members: the loader has told of it.
class Lint {
 public:
  Lint(const Loading& loading, std::vector<Error>& problems) : root(loading.root), loading_(loading), problems_(problems) {}

  const Root& root;

  void find(const std::string& where, const std::string& message, std::vector<std::string> hints = {});
  void find(const Cell& cell, const std::string& message) { find(cell.where(), message); }

  /// `check(lint, row, cell)` for the rows of a table in the order of the files, each as it was loaded and as it stands there.
  template <class Row, class Check>
  void each(const Table& table, Check check) {
    for (const auto& source : loading_.documents.rows(table))
      check(*this, *static_cast<const Row*>(loading_.packed.at(source.value)), cell(source));
  }
  /// A value that no row is made of.
  Cell cell(const Documents::Row& row) { return {row.value, row.where, told_}; }
  const std::vector<Documents::Row>& rows(const Table& table) const { return loading_.documents.rows(table); }
  const Documents& documents() const { return loading_.documents; }

  /// What the form of its fields asks of a row.
  void check_forms(const Table& table, const Cell& row);

  void check_system(const Cell& id);
  /// A driver has a branch of three digits and two or three parts. Tegra's start at 32.
  void check_driver(const Cell& driver, bool tegra = false);
  /// A CUDA minor needs a toolkit, a driver row and a major.
  void check_cuda(const Cell& cell, Version minor);
  /// A specifier that some version meets; where `among` is given, one of these.
  void check_spec(const Cell& cell, std::string_view text, const std::vector<Version>* among, std::string_view what);
  void check_branch(const Cell& cell, std::uint16_t branch);

 private:
  const Loading& loading_;
  std::vector<Error>& problems_;
  Problems told_;  ///< the loader has told of these
};

template <class Rows, class Matches>
bool any(const Rows& rows, Matches matches) {
  return std::any_of(rows.begin(), rows.end(), matches);
}

/// The versions of these rows that are known.
template <class Row>
std::vector<Version> versions(const List<Row>& rows, Version Row::*member) {
  std::vector<Version> result;
  for (const auto& row : rows) {
    if (row.*member) result.push_back(row.*member);
  }
  return result;
}
std::vector<Version> releases_of(const Root& root, Framework framework);
std::vector<Version> pythons_of(Lint& lint);

void lint_torch(Lint& lint);   ///< torch.json, conda.json, and the builds of tensorflow.json
void lint_cuda(Lint& lint);    ///< cudnn.json, drivers.json
void lint_gpus(Lint& lint);    ///< gpus.json
void lint_images(Lint& lint);  ///< images.json, and the images and pins of tensorflow.json
void lint_rules(Lint& lint);   ///< pitfalls.json, presets.json, extensions.json, tools.json

}  // namespace envgen::matrix
