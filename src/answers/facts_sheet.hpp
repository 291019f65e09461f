#pragma once

#include <cmath>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "matrix/rows.hpp"
#include "util/json_writer.hpp"
#include "util/table.hpp"

/// What the commands that look facts up show: cells that know whether they are unknown, as tables for people and as JSON
/// for programs. Both are made from the same cells, so they cannot disagree.
namespace envgen::answers {

/// One cell. Unknown is "?" in a table and null in JSON; none ("there is no such thing") is "-" and null.
class SheetCell {
 public:
  static SheetCell unknown() { return SheetCell(Kind::unknown); }
  static SheetCell none() { return SheetCell(Kind::none); }
  static SheetCell text(std::string_view text);
  /// An empty text is unknown.
  static SheetCell text_or_unknown(std::string_view value) { return value.empty() ? unknown() : text(value); }
  /// An empty text is none.
  static SheetCell text_or_none(std::string_view value) { return value.empty() ? none() : text(value); }
  /// NaN is unknown. `unit` is shown in tables only.
  static SheetCell number(double value, std::string_view unit = {});
  static SheetCell flag(bool value);
  static SheetCell tribool(matrix::Tribool value);
  /// An empty list is none in a table and [] in JSON. Tables show `shown` where it is not empty, else the texts with spaces.
  static SheetCell list(std::vector<std::string> texts, std::string shown = {});
  /// A table shows `shown` instead of what the cell holds.
  SheetCell shown_as(std::string shown) &&;

  bool is_unknown() const { return kind_ == Kind::unknown; }
  std::string shown() const;
  void write(util::JsonWriter& json) const;

 private:
  enum class Kind : std::uint8_t { unknown, none, text, number, flag, list };
  explicit SheetCell(Kind kind) : kind_(kind) {}

  Kind kind_;
  bool flag_ = false;
  double number_ = 0;
  std::vector<std::string> texts_;
  std::string shown_;
};

/// A column: its title in tables (none: JSON alone has it), its name in JSON (none: tables alone have it).
struct Column {
  std::string_view title;
  std::string_view key;
  bool right = false;
  bool spare = false;  ///< left out of a table that would not fit its terminal with it
};

struct Sheet {
  std::vector<Column> columns;
  std::vector<std::vector<SheetCell>> rows;
};

std::string sheet_text(const Sheet& sheet, const util::Terminal& terminal);
/// One array, a row a line.
std::string sheet_json(const Sheet& sheet);
/// Columns that give their place to the others; JSON keeps them.
void hide(Sheet& sheet, std::initializer_list<std::string_view> keys);

/// Where a text has it: a card fits a screen, and the rest of what is known is shown on request. JSON has all that has a key.
enum class In : std::uint8_t { both, brief, full };

/// What `show` prints about one thing: fields, then tables, then where it all was read.
struct Card {
  struct Field {
    std::string_view title;  ///< none: JSON alone has it
    std::string_view key;    ///< none: text alone has it
    SheetCell value;
    In in = In::both;
  };
  struct Part {
    std::string_view title;
    std::string_view key;  ///< none: text alone has it
    Sheet sheet;
    In in = In::both;
  };
  struct Read {
    std::uint16_t source = 0;
    std::vector<std::string> fields;  ///< empty: it carries the row
  };

  std::string title;
  std::vector<Field> fields;
  std::vector<Part> parts;
  std::vector<Read> sources;

  void add(std::string_view field_title, std::string_view key, SheetCell value, In in = In::both) {
    fields.push_back({field_title, key, std::move(value), in});
  }
  void add_part(std::string_view part_title, std::string_view key, Sheet sheet, In in = In::both) {
    parts.push_back({part_title, key, std::move(sheet), in});
  }
  /// A table for which a screen has no room, and what of it a text shows in its place.
  void add_part(std::string_view part_title, std::string_view key, Sheet all, Sheet brief);
  /// Takes the sources of a row along, each once.
  void read_from(const matrix::Provenance& from);
  /// The source of one of the card's own fields.
  void read_from(std::string_view field, std::uint16_t source);

 private:
  Read& read_in(std::uint16_t source);
};

/// What a text shows beyond what fits a screen of 80 columns and 24 lines; JSON always has it.
struct CardDetail {
  bool all = false;
  bool sources = false;
};
std::string card_text(const Card& card, const matrix::Root& facts, const CardDetail& detail, util::Terminal terminal);
std::string card_json(const Card& card, const matrix::Root& facts);

}  // namespace envgen::answers
