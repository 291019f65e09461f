#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "matrix/cell.hpp"
#include "matrix/documents.hpp"
#include "matrix/rows.hpp"

namespace envgen::matrix {

/// What the table loaders share while a block is packed.
struct Loading {
  const Documents& documents;
  Packer& packer;
  Root& root;
  Problems& problems;
  std::map<std::string, std::uint16_t> source_index;                          ///< "file#id" -> index into Root::sources
  std::map<std::pair<Framework, Version>, std::uint32_t> release_index = {};  ///< -> index into Root::releases

  Cell cell(const Documents::Row& row) { return {row.value, row.where, problems}; }
  /// Fills the provenance of a row from its `source` and `field_sources`; a dangling id is a problem.
  void provenance(Provenance& from, const Documents::Row& row);
  void texts(List<Text>& list, const Cell& cell);
  void archs(List<Arch>& list, const Cell& cell);
};

void load_sources(Loading& loading);
void load_torch(Loading& loading);     ///< torch.json, conda.json and tensorflow.json: releases, builds, companions
void load_toolkits(Loading& loading);  ///< cuda.json, cudnn.json, drivers.json
void load_gpus(Loading& loading);      ///< gpus.json and the index of spellings
void load_os(Loading& loading);        ///< os.json
void load_images(Loading& loading);    ///< images.json and the image sets; after load_os
void load_rules(Loading& loading);     ///< pitfalls.json, presets.json, mirrors.json
void link_builds(Loading& loading);    ///< the row numbers inside each build; last

}  // namespace envgen::matrix
