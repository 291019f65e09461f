#include "answers/facts_sheet.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "answers/paragraph.hpp"

namespace envgen::answers {

SheetCell SheetCell::text(std::string_view text) {
  SheetCell cell(Kind::text);
  cell.texts_.emplace_back(text);
  return cell;
}

SheetCell SheetCell::number(double value, std::string_view unit) {
  if (std::isnan(value)) return unknown();
  SheetCell cell(Kind::number);
  cell.number_ = value;
  cell.shown_ = unit.empty() ? fmt::format("{}", value) : fmt::format("{} {}", value, unit);
  return cell;
}

SheetCell SheetCell::flag(bool value) {
  SheetCell cell(Kind::flag);
  cell.flag_ = value;
  return cell;
}

SheetCell SheetCell::tribool(matrix::Tribool value) {
  if (value == matrix::Tribool::unknown) return unknown();
  return flag(value == matrix::Tribool::yes);
}

SheetCell SheetCell::list(std::vector<std::string> texts, std::string shown) {
  SheetCell cell(Kind::list);
  cell.texts_ = std::move(texts);
  cell.shown_ = std::move(shown);
  return cell;
}

SheetCell SheetCell::shown_as(std::string shown) && {
  shown_ = std::move(shown);
  return std::move(*this);
}

std::string SheetCell::shown() const {
  if (!shown_.empty()) return shown_;
  switch (kind_) {
    case Kind::unknown:
      return "?";
    case Kind::none:
      return "-";
    case Kind::text:
      return texts_.front();
    case Kind::number:
      return fmt::format("{}", number_);
    case Kind::flag:
      return flag_ ? "yes" : "no";
    case Kind::list:
      return texts_.empty() ? "-" : fmt::format("{}", fmt::join(texts_, " "));
  }
  return {};
}

void SheetCell::write(util::JsonWriter& json) const {
  switch (kind_) {
    case Kind::unknown:
    case Kind::none:
      json.null();
      break;
    case Kind::text:
      json.value(texts_.front());
      break;
    case Kind::number:
      if (number_ == std::floor(number_) && std::fabs(number_) < 1e15) {
        json.value(static_cast<long long>(number_));
      } else {
        json.value(number_);
      }
      break;
    case Kind::flag:
      json.value(flag_);
      break;
    case Kind::list:
      json.value(texts_);
      break;
  }
}

namespace {

void write_row(const std::vector<Column>& columns, const std::vector<SheetCell>& row, util::JsonWriter& json) {
  json.begin_object();
  for (std::size_t i = 0; i < columns.size(); ++i) {
    json.key(columns[i].key);
    row[i].write(json);
  }
  json.end_object();
}

void write_source(const matrix::Source& source, const std::vector<std::string>& fields, util::JsonWriter& json) {
  json.begin_object();
  json.member("what", source.what.view());
  json.key("url");
  if (source.url.empty()) {
    json.null();
  } else {
    json.value(source.url.view());
  }
  if (!source.check.empty()) json.member("check", source.check.view());
  if (source.basis != matrix::Basis::read) json.member("basis", name_of(source.basis));
  json.member("read", source.read.view());
  json.member("fields", fields);
  json.end_object();
}

/// Indents what a table or a wrapped text has, line by line.
std::string indented(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const auto end = text.find('\n');
    const auto line = text.substr(0, end);
    if (!line.empty()) result.append("  ").append(line);
    result += '\n';
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return result;
}

util::Terminal narrower(util::Terminal terminal) {
  constexpr std::size_t indentation = 2;
  if (terminal.width > indentation) terminal.width -= indentation;
  return terminal;
}

/// `spares`: with the columns that may be left out.
util::Table table_of(const Sheet& sheet, bool spares) {
  const auto is_shown = [&](const Column& column) { return !column.title.empty() && (spares || !column.spare); };
  std::vector<std::string> titles;
  std::vector<bool> right;
  for (const auto& column : sheet.columns) {
    if (!is_shown(column)) continue;
    titles.emplace_back(column.title);
    right.push_back(column.right);
  }
  util::Table table(std::move(titles), std::move(right));
  for (const auto& row : sheet.rows) {
    std::vector<std::string> cells;
    for (std::size_t i = 0; i < sheet.columns.size(); ++i) {
      if (is_shown(sheet.columns[i])) cells.push_back(row[i].shown());
    }
    table.add(std::move(cells));
  }
  return table;
}

}  // namespace

std::string sheet_text(const Sheet& sheet, const util::Terminal& terminal) {
  const auto whole = table_of(sheet, true);
  return whole.fits(terminal) ? whole.text(terminal) : table_of(sheet, false).text(terminal);
}

std::string sheet_json(const Sheet& sheet) {
  std::string result = "[";
  for (std::size_t i = 0; i < sheet.rows.size(); ++i) {
    util::JsonWriter json;
    write_row(sheet.columns, sheet.rows[i], json);
    result += (i == 0 ? "\n" : ",\n") + json.text();
  }
  return result + (sheet.rows.empty() ? "]\n" : "\n]\n");
}

Card::Read& Card::read_in(std::uint16_t source) {
  const auto known = std::find_if(sources.begin(), sources.end(), [&](const Read& read) { return read.source == source; });
  return known != sources.end() ? *known : sources.emplace_back(Read{source, {}});
}

void Card::read_from(std::string_view field, std::uint16_t source) {
  auto& names = read_in(source).fields;
  if (std::find(names.begin(), names.end(), field) == names.end()) names.emplace_back(field);
}

void hide(Sheet& sheet, std::initializer_list<std::string_view> keys) {
  for (auto& column : sheet.columns) {
    if (std::find(keys.begin(), keys.end(), column.key) != keys.end()) column.title = {};
  }
}

void Card::add_part(std::string_view part_title, std::string_view key, Sheet all, Sheet brief) {
  add_part(part_title, "", std::move(brief), In::brief);
  add_part(part_title, key, std::move(all), In::full);
}

void Card::read_from(const matrix::Provenance& from) {
  read_in(from.source);
  for (const auto& entry : from.fields) read_from(entry.field.view(), entry.source);
}

namespace {

/// As many rows as there is room for, and how many there are more.
std::string beginning_of(Sheet sheet, std::size_t room, const util::Terminal& terminal) {
  const auto all = sheet.rows.size();
  return fitting(all, room, terminal, [&](std::size_t count) {
    sheet.rows.erase(sheet.rows.begin() + static_cast<std::ptrdiff_t>(count), sheet.rows.end());
    return sheet_text(sheet, terminal) + (count < all ? fmt::format("and {} more\n", all - count) : std::string());
  });
}

}  // namespace

std::string card_text(const Card& card, const matrix::Root& facts, const CardDetail& detail, util::Terminal terminal) {
  if (terminal.width == 0) terminal.width = terminal.prose_width();
  std::string result = util::bold(card.title, terminal) + "\n";
  const auto is_shown = [&](In in) { return in == In::both || (in == In::full) == detail.all; };
  bool whole = detail.all || (std::none_of(card.fields.begin(), card.fields.end(),
                                           [](const auto& field) { return field.in == In::full && !field.title.empty(); }) &&
                              std::none_of(card.parts.begin(), card.parts.end(),
                                           [](const auto& part) { return part.in == In::full && !part.sheet.rows.empty(); }));
  util::Table table({});
  for (const auto& field : card.fields) {
    if (!field.title.empty() && is_shown(field.in)) table.add({std::string(field.title), field.value.shown()});
  }
  if (table.rows() > 0) result += indented(table.text(narrower(terminal)));
  for (const auto& part : card.parts) {
    if (part.sheet.rows.empty() || !is_shown(part.in)) continue;
    const auto inner = narrower(terminal);
    const auto head = "\n" + util::bold(part.title, terminal) + "\n";
    auto rows = sheet_text(part.sheet, inner);
    if (!detail.all) {
      constexpr std::size_t closing = 2;
      const auto room = left_of_screen(lines_on_screen(result + head, terminal) + closing);
      auto beginning = beginning_of(part.sheet, room, inner);
      whole = whole && beginning == rows;
      if (lines_on_screen(beginning, inner) > room) {  // not even one row fits
        whole = false;
        continue;
      }
      rows = std::move(beginning);
    }
    result += head + indented(rows);
  }
  std::vector<std::string_view> more;
  if (!whole) more.emplace_back("More: --all");
  if (!card.sources.empty() && !detail.sources) more.emplace_back("Sources: --sources");
  if (!more.empty()) result += fmt::format("\n{}\n", fmt::join(more, "    "));
  if (card.sources.empty() || !detail.sources) return result;
  result += "\n" + util::bold("Sources", terminal) + "\n";
  for (const auto& read : card.sources) {
    const auto& source = facts.sources[read.source];
    std::string text = fmt::format("{} ({}{}read {})", source.what.view(), source.address(), source.address().empty() ? "" : ", ",
                                   source.read.view());
    if (!read.fields.empty()) text = fmt::format("{}: {}", fmt::join(read.fields, ", "), text);
    bool first = true;
    const auto inner = narrower(narrower(terminal));
    for (const auto& line : util::wrap(text, inner.width)) {
      result += (first ? "  - " : "    ") + line + "\n";
      first = false;
    }
  }
  return result;
}

std::string card_json(const Card& card, const matrix::Root& facts) {
  util::JsonWriter json(2);
  json.begin_object();
  for (const auto& field : card.fields) {
    if (field.key.empty()) continue;
    json.key(field.key);
    field.value.write(json);
  }
  for (const auto& part : card.parts) {
    if (part.key.empty()) continue;
    json.key(part.key).begin_array();
    for (const auto& row : part.sheet.rows) write_row(part.sheet.columns, row, json);
    json.end_array();
  }
  json.key("sources").begin_array();
  for (const auto& read : card.sources) write_source(facts.sources[read.source], read.fields, json);
  json.end_array().end_object();
  return json.take() + "\n";
}

}  // namespace envgen::answers
