#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace envgen::matrix {

class Cell;
struct Loading;
struct Table;

/// What a value looks like: one of these names, or what matrix/schema/forms.json says of the form of this name.
struct Form {
  constexpr Form(const char* form) : name(form) {}
  template <std::size_t count>
  constexpr Form(const std::array<std::string_view, count>& all) : names(all) {}
  std::string_view name = {};
  std::span<const std::string_view> names = {};
};

/// How a field stands in its row. A key tells the row from others; null says that nobody read it; an optional field may be left
/// out.
enum class Is : std::uint8_t { key, key_or_null, needed, or_null, optional };

/// One field of a row, declared once: what a row may hold, how it is loaded, its JSON schema and its line in matrix/README.md
/// come of this.
struct Field {
  std::string_view name;
  Is is;
  Form form;
  /// Fills the row by a value, which is null only where the field may not be; nullptr: what loads the table reads it elsewhere,
  /// or nothing does.
  void (*read)(Loading& loading, void* row, const Cell& value);
  std::string_view says = {};     ///< for matrix/README.md
  const Table* inside = nullptr;  ///< the fields of the value, an object, or of each object in it, a list

  bool is_key() const { return is == Is::key || is == Is::key_or_null; }
  bool may_be_null() const { return is == Is::or_null || is == Is::key_or_null; }
};

/// A list of a matrix file; one that is `inside` a field has no file.
struct Table {
  std::string_view file = {};
  std::string_view list = {};
  std::span<const Field> fields;
  std::string_view says = {};  ///< what a row is, for matrix/README.md
};

/// Each stands beside the code that loads it.
namespace tables {
extern const Table torch_releases, wheel_builds, torchvision, torchaudio;
extern const Table conda_builds, conda_labels, offered_cudnns;
extern const Table toolkits, cuda_minors, cuda_majors;
extern const Table cudnn_releases;
extern const Table driver_branches, gpu_drivers, forward_compat;
extern const Table gpus, families, ambiguous;
extern const Table cuda_images, gates, pytorch_images;
extern const Table tensorflow_releases;
extern const Table systems, pythons;
extern const Table rules, presets, mirrors, extensions, package_needs, package_requirements, tools;
/// Inside others: what every file has, and the images of a TensorFlow release.
extern const Table sources, tensorflow_images;

/// All of them, those of a file in a row.
std::span<const Table* const> all();
}  // namespace tables

}  // namespace envgen::matrix
