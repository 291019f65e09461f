#pragma once

#include <span>
#include <string_view>

namespace envgen::validate {

/// What a check needs to be made at all.
enum class Needs : unsigned char { nothing, container, gpu, python, lock, baseline };

/// One thing that `validate` proves.
struct Check {
  std::string_view id;  ///< stable
  std::string_view proves;
  std::string_view mechanism;
  std::string_view diagnoses;  ///< ids with spaces, most usual first: what a failure of it may be recognised as
  Needs needs = Needs::nothing;
};

/// In the order in which they are made.
std::span<const Check> checks();
/// null: there is none of that id.
const Check* find_check(std::string_view id);

}  // namespace envgen::validate
