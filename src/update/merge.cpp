#include "update/merge.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/spelling.hpp"
#include "update/growth.hpp"
#include "update/words.hpp"

namespace envgen::update {
namespace {

using matrix::Field;
using matrix::Is;
using matrix::Table;

/// More than any source has: what states as many is something else.
constexpr std::size_t most_rows = 20'000;

/// What a list may lose without being a partial copy: single things are withdrawn now and then.
std::size_t may_lose(std::size_t known) { return std::max<std::size_t>(2, known / 50); }

/// As many contradictions mean that the source, and not a value of it, is wrong.
bool too_many(std::size_t differing, std::size_t agreeing) {
  constexpr std::size_t few = 5;
  return differing > few && differing > agreeing / 20;
}

/// A row as all readings together state it, and which of them states each field.
struct Stated {
  const Table* table = nullptr;
  Json row = Json::object();
  std::map<std::string, const Reading*> by;
  const Reading* first = nullptr;
};

bool has_field(const Table& table, std::string_view name) {
  return std::any_of(table.fields.begin(), table.fields.end(), [&](const Field& field) { return field.name == name; });
}

std::string key_of(const Table& table, const Json& row) {
  std::string key = fmt::format("{}#{}", table.file, table.list);
  for (const auto& field : table.fields) {
    if (field.is_key()) key += " " + row.at(std::string(field.name)).dump();
  }
  return key;
}

std::string text_or(const Json& row, const char* name) {
  const auto it = row.find(name);
  return it != row.end() && it->is_string() ? it->get<std::string>() : std::string();
}

class Merging {
 public:
  Merging(const matrix::Documents& known, std::span<const Reading> readings, const std::string& today)
      : known_(known), readings_(readings), today_(today) {}

  Expected<Merged> run(bool checked) {
    if (auto gathered = gather(); !gathered) return tl::unexpected(gathered.error());
    index_known();
    if (auto whole = check_not_shrunk(); !whole && checked) return tl::unexpected(whole.error());
    for (const auto& each : stated_) {
      const auto known = by_key_.find(key_of(*each.table, each.row));
      if (known == by_key_.end()) {
        add_row(each);
      } else {
        compare_row(*known->second, each);
      }
    }
    if (checked && too_many(merged_.differing, merged_.agreeing))
      return fail(ErrorCode::bad_input,
                  fmt::format("it contradicts {} of {} facts, so nothing from it is used: {}", merged_.differing,
                              merged_.differing + merged_.agreeing, merged_.refused.front()),
                  readings_.front().what, {"'envgen matrix verify' shows what it states"});
    return std::move(merged_);
  }

 private:
  Expected<void> gather() {
    std::map<std::string, std::size_t> places;
    std::size_t count = 0;
    for (const auto& reading : readings_) {
      count += reading.claims.size();
      if (count > most_rows)
        return fail(ErrorCode::bad_input, fmt::format("it states more than {} rows, so nothing from it is used", most_rows),
                    reading.what);
      for (const auto& note : reading.notes) merged_.notes.push_back(note);
      for (const auto& claim : reading.claims) {
        for (const auto& field : claim.table->fields) {
          if (field.is_key() && !claim.row.contains(std::string(field.name)))
            return fail(ErrorCode::bad_input, fmt::format("a row of {} lacks its {}", claim.table->list, field.name),
                        reading.what);
        }
        for (const auto& [name, value] : claim.row.items()) {
          if (!has_field(*claim.table, name))
            return fail(ErrorCode::bad_input, fmt::format("a row of {} has no field {}", claim.table->list, in_quotes(name)),
                        reading.what);
        }
        const auto [place, fresh] = places.emplace(key_of(*claim.table, claim.row), stated_.size());
        if (fresh) stated_.push_back({claim.table, Json::object(), {}, &reading});
        add_claim(stated_[place->second], claim, reading);
      }
    }
    return {};
  }

  void add_claim(Stated& stated, const Claim& claim, const Reading& reading) {
    for (const auto& [name, value] : claim.row.items()) {
      const auto known = stated.row.find(name);
      if (known == stated.row.end()) {
        stated.row[name] = value;
        stated.by[name] = &reading;
      } else if (*known != value) {
        merged_.refused.push_back(fmt::format("{}: {} is {} in {}, but {} in {}", name_of_row(*claim.table, claim.row),
                                              label_of(name), value_text(*known), stated.by[name]->what, value_text(value),
                                              reading.what));
      }
    }
  }

  void index_known() {
    for (const auto* table : matrix::tables::all()) {
      if (std::none_of(stated_.begin(), stated_.end(), [&](const Stated& each) { return each.table == table; })) continue;
      for (const auto& row : known_.rows(*table)) by_key_.emplace(key_of(*table, *row.value), row.value);
    }
  }

  /// A reading that no longer has the rows that it vouched for is a broken or partial copy.
  Expected<void> check_not_shrunk() {
    std::map<std::string, const Stated*> stated;
    for (const auto& each : stated_) stated.emplace(key_of(*each.table, each.row), &each);
    for (const auto& reading : readings_) {
      std::vector<const Table*> tables;
      for (const auto& claim : reading.claims) {
        if (std::find(tables.begin(), tables.end(), claim.table) == tables.end()) tables.push_back(claim.table);
      }
      for (const auto* table : tables) {
        std::size_t of_it = 0;
        std::vector<std::string> lost;
        for (const auto& row : known_.rows(*table)) {
          if (text_or(*row.value, "source") != reading.id) continue;
          ++of_it;
          if (!stated.contains(key_of(*table, *row.value))) lost.push_back(name_of_row(*table, *row.value));
        }
        if (lost.size() > may_lose(of_it))
          return fail(ErrorCode::bad_input,
                      fmt::format("it states {} of the {} rows of {} known from it, so nothing from it is used: {} is missing",
                                  of_it - lost.size(), of_it, table->list, lost.front()),
                      reading.what);
        std::move(lost.begin(), lost.end(), std::back_inserter(merged_.gone));
      }
    }
    return {};
  }

  /// One whose row is not there yet: its fields in the order of the table, null where nobody states them.
  void add_row(const Stated& stated) {
    Json row = Json::object();
    Json field_sources = Json::object();
    std::vector<std::string> missing;
    for (const auto& field : stated.table->fields) {
      const std::string name(field.name);
      const auto value = stated.row.find(name);
      const bool is_stated = value != stated.row.end() && !(value->is_null() && field.is == Is::needed);
      if (is_stated) {
        row[name] = *value;
        const auto& by = *stated.by.at(name);
        if (by.id == stated.first->id || value->is_null()) continue;
        field_sources[name] = by.id;
        vouch(*stated.table, by);
      } else if (field.may_be_null()) {
        row[name] = nullptr;
      } else if (field.is != Is::optional) {
        missing.push_back(label_of(field.name));
      }
    }
    if (!missing.empty()) {
      merged_.notes.push_back(fmt::format("{}: new, but not added, because no source states: {}",
                                          name_of_row(*stated.table, stated.row), fmt::join(missing, ", ")));
      return;
    }
    row["source"] = stated.first->id;
    if (!field_sources.empty()) row["field_sources"] = field_sources;
    vouch(*stated.table, *stated.first);
    merged_.changes.push_back({stated.table, nullptr, std::move(row), {}});
  }

  void compare_row(const Json& known, const Stated& stated) {
    Change change{stated.table, known, known, {}};
    std::vector<std::string> against;
    for (const auto& field : stated.table->fields) {
      const std::string name(field.name);
      const auto value = stated.row.find(name);
      if (value == stated.row.end() || field.is_key()) continue;
      Json becomes = known.contains(name) ? known.at(name) : Json();
      const auto before = change.fields.size();
      compare(name, becomes, *value, {change, against, known, stated});
      if (change.fields.size() == before) continue;
      set_field(change.after, name, std::move(becomes), stated.by.at(name)->id);
    }
    merged_.differing += against.size();
    merged_.refused.insert(merged_.refused.end(), against.begin(), against.end());
    if (change.fields.empty() || !against.empty()) return;
    for (const auto& path : change.fields) vouch(*stated.table, *stated.by.at(path.substr(0, path.find('.'))));
    merged_.changes.push_back(std::move(change));
  }

  struct RowContext {
    Change& change;
    std::vector<std::string>& against;
    const Json& known_row;
    const Stated& stated;
  };

  /// `becomes`: the value that is known, which takes what is stated.
  void compare(const std::string& path, Json& becomes, const Json& stated, RowContext row) {
    if (becomes == stated) {
      ++merged_.agreeing;
    } else if (becomes.is_object() && stated.is_object()) {
      for (const auto& [name, value] : stated.items()) {
        Json inside = becomes.contains(name) ? becomes.at(name) : Json();
        compare(path + "." + name, inside, value, row);
        becomes[name] = std::move(inside);
      }
    } else if (becomes.is_null() || may_become(*row.stated.table, path, becomes, stated)) {
      row.change.fields.push_back(path);
      becomes = stated;
    } else {
      const auto name = path.substr(0, path.find('.'));
      row.against.push_back(fmt::format("{}: {} is {} ({}), but {} says {}", name_of_row(*row.stated.table, row.known_row),
                                        label_of(path), value_text(becomes), source_of(*row.stated.table, row.known_row, name),
                                        row.stated.by.at(name)->what, value_text(stated)));
    }
  }

  /// A field that was left out stands before the provenance.
  static void set_field(Json& row, const std::string& name, Json value, const std::string& source) {
    if (row.contains(name)) {
      row[name] = std::move(value);
    } else {
      Json whole = Json::object();
      for (const auto& [each, content] : row.items()) {
        if (each == "source") whole[name] = value;
        whole[each] = content;
      }
      row = std::move(whole);
    }
    if (text_or(row, "source") == source) {
      if (row.contains("field_sources")) row["field_sources"].erase(name);
      if (row.contains("field_sources") && row["field_sources"].empty()) row.erase("field_sources");
    } else {
      row["field_sources"][name] = source;
    }
  }

  /// What the matrix says of where a field was read.
  std::string source_of(const Table& table, const Json& row, const std::string& field) const {
    auto id = text_or(row, "source");
    if (const auto others = row.find("field_sources"); others != row.end()) {
      if (auto own = text_or(*others, field.c_str()); !own.empty()) id = std::move(own);
    }
    const auto& sources = known_.sources(table.file);
    const auto it = sources.find(id);
    const auto what = it == sources.end() ? std::string() : text_or(*it->second.value, "what");
    return what.empty() ? id : what;
  }

  void vouch(const Table& table, const Reading& reading) {
    auto& row = merged_.sources[std::string(table.file)][reading.id];
    if (!row.is_null()) return;
    const auto& sources = known_.sources(table.file);
    const auto known = sources.find(reading.id);
    if (known != sources.end()) {
      row = *known->second.value;
    } else {
      row = {{"what", reading.what}, {"url", reading.url.empty() ? Json() : Json(reading.url)}};
      if (!reading.check.empty()) row["check"] = reading.check;
    }
    row["read"] = today_;
  }

  const matrix::Documents& known_;
  std::span<const Reading> readings_;
  const std::string& today_;
  std::vector<Stated> stated_;
  std::map<std::string, const Json*> by_key_;
  Merged merged_;
};

}  // namespace

Expected<Merged> merge(const matrix::Documents& known, std::span<const Reading> readings, const std::string& today) {
  return Merging(known, readings, today).run(true);
}

Expected<Merged> compare(const matrix::Documents& known, std::span<const Reading> readings, const std::string& today) {
  return Merging(known, readings, today).run(false);
}

}  // namespace envgen::update
