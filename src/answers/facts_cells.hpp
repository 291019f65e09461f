#pragma once

#include <algorithm>
#include <functional>
#include <vector>

#include "answers/facts.hpp"

/// Cells that several lists and cards share.
namespace envgen::answers {

SheetCell version_cell(Version version);  ///< unknown when there is none
SheetCell version_or_none(Version version);
SheetCell driver_cell(DriverVersion driver);  ///< unknown when there is none
SheetCell capability_cell(Capability capability);
SheetCell pythons_cell(PythonSet pythons, bool known = true);
/// Which CUDAs a release has builds for: those listed, and no other.
bool knows_every_cuda(const matrix::Release& release);
SheetCell archs_cell(const matrix::List<Arch>& archs, bool known = true);
SheetCell texts_cell(const matrix::List<matrix::PackedString>& texts);
/// `11: 5.0 to 9.0, 12: 5.0 and newer`; unknown where nobody read it.
SheetCell cudnn_gpus_cell(const matrix::Cudnn& cudnn);
SheetCell source_cell(const matrix::Matrix& matrix, const matrix::Provenance& from);

/// The columns and the cells of one torch build, and of one toolkit.
std::vector<Column> torch_columns();
std::vector<SheetCell> torch_cells(const matrix::Matrix& matrix, const matrix::Build& build);
std::vector<Column> toolkit_columns();
std::vector<SheetCell> toolkit_cells(const matrix::Matrix& matrix, const matrix::Toolkit& toolkit);
std::vector<Column> cudnn_columns();
std::vector<SheetCell> cudnn_cells(const matrix::Matrix& matrix, const matrix::Cudnn& cudnn);
/// A second source confirmed that field of the row.
bool is_verified(const matrix::Gpu& gpu, std::string_view field);
/// The figures, from memory_gb to boost_mhz, that no second source confirmed and whose own is a rule, or nothing that can be
/// read.
std::vector<std::string> unverified_figures(const matrix::Matrix& matrix, const matrix::Gpu& gpu,
                                            const std::vector<SheetCell>& cells);
std::vector<Column> gpu_columns();
std::vector<SheetCell> gpu_cells(const matrix::Matrix& matrix, const matrix::Gpu& gpu);
std::vector<Column> image_columns();
std::vector<SheetCell> image_cells(const matrix::Matrix& matrix, const matrix::ImageTag& image);
std::vector<SheetCell> image_cells(const matrix::Matrix& matrix, const matrix::OfficialImage& image);

/// The newest first.
template <class Row>
std::vector<const Row*> backwards(const matrix::List<Row>& rows) {
  std::vector<const Row*> result;
  for (const auto& row : rows) result.push_back(&row);
  std::reverse(result.begin(), result.end());
  return result;
}

/// The builds of torch that `wanted` accepts, wheels before conda, newest first.
std::vector<const matrix::Build*> torch_builds(const matrix::Matrix& matrix,
                                               const std::function<bool(const matrix::Build&)>& wanted);
/// `A10, A10G, A10M and 43 more`.
std::string first_of(const std::vector<std::string>& names, std::size_t few = 3);
std::vector<std::string> gpu_names_of(const matrix::Matrix& matrix, Capability capability);

}  // namespace envgen::answers
