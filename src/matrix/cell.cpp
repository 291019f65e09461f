#include "matrix/cell.hpp"

#include <fmt/format.h>

#include "model/spelling.hpp"

namespace envgen::matrix {

std::vector<Cell> Cell::items() const {
  auto plain = JsonCell::items();
  std::vector<Cell> cells;
  cells.reserve(plain.size());
  for (auto& item : plain) cells.emplace_back(std::move(item));
  return cells;
}

std::vector<std::pair<std::string, Cell>> Cell::members() const {
  std::vector<std::pair<std::string, Cell>> result;
  for (auto& [name, value] : JsonCell::members()) result.emplace_back(std::move(name), std::move(value));
  return result;
}

Version Cell::version() const {
  const auto spelled = text();
  if (spelled.empty()) return {};
  auto parsed = Version::parse(spelled);
  if (parsed) return *parsed;
  problem(fmt::format("{} is {}", in_quotes(spelled), parsed.error().message));
  return {};
}

Version Cell::version_or_null() const { return is_null() ? Version() : version(); }

Capability Cell::capability() const {
  const auto spelled = text();
  auto parsed = Capability::parse(spelled);
  if (parsed) return *parsed;
  problem(fmt::format("{} is {}", in_quotes(spelled), parsed.error().message));
  return {};
}

std::vector<Arch> Cell::archs() const {
  std::vector<Arch> result;
  for (const auto& item : items()) {
    auto parsed = Arch::parse(item.text());
    if (parsed) {
      result.push_back(*parsed);
    } else {
      item.problem(fmt::format("{} is {}", in_quotes(item.text()), parsed.error().message));
    }
  }
  return result;
}

PythonSet Cell::pythons() const {
  PythonSet set;
  for (const auto& item : items()) {
    const auto spelled = item.text();
    if (spelled == "any") return PythonSet::all();
    auto parsed = PythonVersion::parse(spelled);
    if (parsed) {
      set.add(*parsed);
    } else {
      item.problem(fmt::format("{} is {}", in_quotes(spelled), parsed.error().message));
    }
  }
  return set;
}

}  // namespace envgen::matrix
