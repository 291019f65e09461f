#pragma once

#include <string>
#include <vector>

#include "matrix/documents.hpp"
#include "model/version.hpp"
#include "update/simple_index.hpp"

namespace envgen::update {

/// The wheels of one release for one platform that are not yanked.
struct Group {
  Version version;
  std::string text;
  std::string platform;
  std::vector<const IndexedWheel*> wheels;  ///< into the list that was given
};

/// Ascending by version. Releases before `oldest`, and versions that are no release (`2.16.0rc1`), are passed over.
std::vector<Group> groups_of(const std::vector<IndexedWheel>& wheels, Version oldest);

/// The oldest release that a table speaks of: what came before is passed over on purpose. None: it has no row.
Version oldest_of(const matrix::Documents& known, const matrix::Table& table);

/// The day of the first upload of a release, `2026-10-28`; empty: the index does not tell.
std::string first_upload(const std::vector<IndexedWheel>& wheels, const std::string& version);

}  // namespace envgen::update
