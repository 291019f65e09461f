#pragma once

#include <functional>

#include "render/facts.hpp"

/// Cells that several lists and cards share.
namespace envgen::render {

Cell version_cell(Version version);  ///< unknown when there is none
Cell version_or_none(Version version);
Cell driver_cell(DriverVersion driver);  ///< unknown when there is none
Cell capability_cell(Capability capability);
Cell pythons_cell(PythonSet pythons, bool known = true);
Cell archs_cell(const matrix::List<Arch>& archs, bool known = true);
Cell texts_cell(const matrix::List<matrix::Text>& texts);
/// `11: 5.0 to 9.0, 12: 5.0 and newer`; unknown where nobody read it.
Cell cudnn_gpus_cell(const matrix::Cudnn& cudnn);
Cell source_cell(const matrix::Matrix& matrix, const matrix::Provenance& from);

/// The columns and the cells of one torch build, and of one toolkit.
std::vector<Column> torch_columns();
std::vector<Cell> torch_cells(const matrix::Matrix& matrix, const matrix::Build& build);
std::vector<Column> toolkit_columns();
std::vector<Cell> toolkit_cells(const matrix::Matrix& matrix, const matrix::Toolkit& toolkit);
std::vector<Column> cudnn_columns();
std::vector<Cell> cudnn_cells(const matrix::Matrix& matrix, const matrix::Cudnn& cudnn);
std::vector<Column> gpu_columns();
std::vector<Cell> gpu_cells(const matrix::Matrix& matrix, const matrix::Gpu& gpu);
std::vector<Column> image_columns();
std::vector<Cell> image_cells(const matrix::Matrix& matrix, const matrix::ImageTag& image);
std::vector<Cell> image_cells(const matrix::Matrix& matrix, const matrix::OfficialImage& image);

/// The builds of torch that `wanted` accepts, wheels before conda, newest first.
std::vector<const matrix::Build*> torch_builds(const matrix::Matrix& matrix,
                                               const std::function<bool(const matrix::Build&)>& wanted);
std::vector<std::string> gpu_names_of(const matrix::Matrix& matrix, Capability capability);

}  // namespace envgen::render
