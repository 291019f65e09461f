#pragma once

#include <concepts>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "matrix/cell.hpp"
#include "matrix/documents.hpp"
#include "matrix/rows.hpp"
#include "matrix/tables.hpp"

namespace envgen::matrix {

/// Of a row that its fields make whole.
template <class Row>
void nothing_more(Row&, const Cell&) {}

/// What the table loaders share while a block is packed.
struct Loading {
  const Documents& documents;
  Packer& packer;
  Root& root;
  Problems& problems;
  std::map<std::string, std::uint16_t> source_index = {};                     ///< "file#id" -> index into Root::sources
  std::map<std::pair<Framework, Version>, std::uint32_t> release_index = {};  ///< -> index into Root::releases
  std::unordered_map<const Json*, const void*> packed = {};                   ///< a row of a file -> the row that was made of it

  Cell cell(const Documents::Row& row) { return {row.value, row.where, problems}; }
  /// Fills a row by the fields of its table. A field that is not there and a member that is no field are problems.
  void read(const Table& table, void* row, const Cell& cell);
  /// Fills the provenance of a row from its `source` and `field_sources`; a dangling id is a problem.
  void provenance(Provenance& from, const Documents::Row& row);

  /// Fills `row` and its provenance.
  template <class Row>
  Cell read(const Table& table, Row& row, const Documents::Row& source) {
    auto value = cell(source);
    read(table, static_cast<void*>(&row), value);
    provenance(row.from, source);
    packed[source.value] = &row;
    return value;
  }
  /// Packs the rows of a table; `finish(row, cell)` makes of each what is no field of its own.
  template <class Row, class Finish>
  void pack(const Table& table, List<Row>& list, std::span<const Documents::Row> sources, Finish finish) {
    auto* rows = packer.fill(list, sources.size());
    for (std::size_t i = 0; i < sources.size(); ++i) finish(rows[i], read(table, rows[i], sources[i]));
  }
  template <class Row, class Finish = decltype(&nothing_more<Row>)>
  requires std::invocable<Finish, Row&, const Cell&>
  void pack(const Table& table, List<Row>& list, Finish finish = nothing_more<Row>) {
    pack(table, list, documents.rows(table), finish);
  }
};

// How a member of each type is set by a value.
inline void take(Loading& l, PackedString& text, const Cell& value) { l.packer.put(text, value.text()); }
inline void take(Loading&, Version& version, const Cell& value) { version = value.version(); }
inline void take(Loading&, DriverVersion& driver, const Cell& value) { driver = DriverVersion(value.version()); }
inline void take(Loading&, Capability& capability, const Cell& value) { capability = value.capability(); }
void take(Loading& l, PythonVersion& python, const Cell& value);
inline void take(Loading&, PythonSet& pythons, const Cell& value) { pythons = value.pythons(); }
inline void take(Loading&, bool& flag, const Cell& value) { flag = value.flag(); }
inline void take(Loading&, Tribool& answer, const Cell& value) { answer = value.flag() ? Tribool::yes : Tribool::no; }
inline void take(Loading&, Number& number, const Cell& value) { number = value.number_or_nan(); }
/// A branch or a CUDA major, which is a text.
inline void take(Loading&, std::uint16_t& number, const Cell& value) { number = value.version().major(); }
inline void take(Loading&, std::uint64_t& count, const Cell& value) { count = value.count_or_zero(); }
void take(Loading& l, List<Arch>& archs, const Cell& value);
/// A list, item by item.
template <class T>
void take(Loading& l, List<T>& list, const Cell& value) {
  const auto items = value.items();
  auto* rows = l.packer.fill(list, items.size());
  for (std::size_t i = 0; i < items.size(); ++i) take(l, rows[i], items[i]);
}
template <class E>
requires std::is_enum_v<E>
void take(Loading&, E& one, const Cell& value) { one = value.choice<E>(); }

template <class Row, class Member>
Member& member_of(void* row, Member Row::*member) {
  return static_cast<Row*>(row)->*member;
}

// What stands in Field::read.

/// Sets each of these members by the value.
template <auto... members>
void into(Loading& loading, void* row, const Cell& value) {
  (take(loading, member_of(row, members), value), ...);
}

/// Sets a member by the value, and a flag: it was read.
template <auto known, auto member>
void known_into(Loading& loading, void* row, const Cell& value) {
  member_of(row, known) = true;
  into<member>(loading, row, value);
}

/// A GCC or another program whose major is a whole number.
template <auto member>
void major_into(Loading&, void* row, const Cell& value) {
  if (const auto major = value.count_or_zero(); major != 0) member_of(row, member) = Version(static_cast<std::uint16_t>(major));
}

/// What stands in Field::inside.
template <const auto& fields>
constexpr Table inside{.fields = fields};

/// The value is an object, whose fields belong to the row.
template <const auto& fields>
void fields_into(Loading& loading, void* row, const Cell& value) {
  loading.read(inside<fields>, row, value);
}

/// The value is a list of objects.
template <auto list, const auto& fields>
void rows_into(Loading& loading, void* row, const Cell& value) {
  const auto items = value.items();
  auto* rows = loading.packer.fill(member_of(row, list), items.size());
  for (std::size_t i = 0; i < items.size(); ++i) loading.read(inside<fields>, static_cast<void*>(&rows[i]), items[i]);
}

/// A text that people read in the file: nothing is packed of it.
inline void for_people(Loading&, void*, const Cell& value) { value.text(); }

/// What a function of its own makes of the value.
template <class Row, void (*read)(Loading&, Row&, const Cell&)>
void by(Loading& loading, void* row, const Cell& value) {
  read(loading, *static_cast<Row*>(row), value);
}

/// Packs the facts of all files. False: a table has more rows than can be numbered.
bool load_all(Loading& loading);
/// More bytes than the block of these files can need.
std::size_t room_for(const Documents& documents);

void load_sources(Loading& loading);
void load_releases(Loading& loading);    ///< torch.json and tensorflow.json: the releases
void load_builds(Loading& loading);      ///< torch.json, conda.json and tensorflow.json: what was built of them
void load_companions(Loading& loading);  ///< torch.json: torchvision and torchaudio
void load_toolkits(Loading& loading);    ///< cuda.json, cudnn.json, drivers.json
void load_gpus(Loading& loading);        ///< gpus.json and the index of spellings
void load_os(Loading& loading);          ///< os.json
void load_images(Loading& loading);      ///< images.json and the image sets; after load_os
void load_rules(Loading& loading);       ///< pitfalls.json, presets.json, mirrors.json, extensions.json, tools.json
void link_builds(Loading& loading);      ///< the row numbers inside each build; last

}  // namespace envgen::matrix
