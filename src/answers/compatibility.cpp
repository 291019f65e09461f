#include "answers/compatibility.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "answers/facts_cells.hpp"
#include "resolver/predicates.hpp"

namespace envgen::answers {
namespace {

using matrix::Build;
using matrix::Matrix;

std::string markdown_cell(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '|' || c == '<' || c == '\\' || c == '*' || c == '`' || c == '[') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

/// A sheet as GitHub's Markdown has tables; without the columns that JSON alone has.
std::string markdown_table(const Sheet& sheet) {
  std::string text;
  std::string rule;
  for (const auto& column : sheet.columns) {
    if (column.title.empty()) continue;
    text += fmt::format("| {} ", column.title);
    rule += column.right ? "|---:" : "|---";
  }
  text += "|\n" + rule + "|\n";
  for (const auto& row : sheet.rows) {
    for (std::size_t i = 0; i < sheet.columns.size(); ++i) {
      if (!sheet.columns[i].title.empty()) text += fmt::format("| {} ", markdown_cell(row[i].shown()));
    }
    text += "|\n";
  }
  return text;
}

/// The oldest driver that runs some code of the build: by minor-version compatibility, else the one that came with its CUDA.
SheetCell oldest_driver(const Matrix& matrix, const Build& build) {
  const auto native = resolver::native_floor(matrix, build);
  const auto compatible = resolver::minor_compat_floor(matrix, build);
  return driver_cell(compatible ? compatible : native);
}

Sheet wheels(const Matrix& matrix) {
  Sheet sheet{{{"torch", ""},
               {"CUDA", ""},
               {"platform", ""},
               {"cuDNN", ""},
               {"Python", ""},
               {"compiled for", ""},
               {"PTX", ""},
               {"minimum driver", ""},
               {"minimum driver for PTX", ""}},
              {}};
  const auto wanted = [](const Build& build) { return build.channel == matrix::Channel::wheels && !build.cpu; };
  for (const auto* build : torch_builds(matrix, wanted)) {
    const auto platform = name_of(build->platform);
    sheet.rows.push_back({SheetCell::text(build->version_text), SheetCell::text(build->tag),
                          SheetCell::text(platform.substr(platform.find('-') + 1)), version_cell(build->cudnn),
                          pythons_cell(build->pythons, build->pythons_known), archs_cell(build->sass, build->sass_known),
                          archs_cell(build->ptx, build->ptx_known), oldest_driver(matrix, *build),
                          driver_cell(resolver::native_floor(matrix, *build))});
  }
  return sheet;
}

Sheet capabilities(const Matrix& matrix) {
  Sheet sheet{
      {{"capability", ""}, {"first driver", ""}, {"last branch", ""}, {"kernel module", ""}, {"first CUDA", ""}, {"GPUs", ""}},
      {}};
  for (const auto* row : backwards(matrix->gpu_drivers)) {
    const auto first = std::find_if(matrix->toolkits.begin(), matrix->toolkits.end(), [&](const matrix::Toolkit& toolkit) {
      return std::any_of(toolkit.archs.begin(), toolkit.archs.end(),
                         [&](Arch arch) { return arch.capability == row->capability; });
    });
    auto compiles = first == matrix->toolkits.end() ? SheetCell::unknown() : SheetCell::text(first->text);
    if (first == matrix->toolkits.begin())
      compiles = std::move(compiles).shown_as(fmt::format("{} or older", first->text.view()));
    sheet.rows.push_back({capability_cell(row->capability),
                          row->tegra          ? SheetCell::none().shown_as("JetPack's own")
                          : row->first_driver ? driver_cell(row->first_driver)
                                              : SheetCell::none().shown_as("older than R410"),
                          row->last_branch == 0 ? SheetCell::none() : SheetCell::text(fmt::format("R{}", row->last_branch)),
                          SheetCell::text(module_names[static_cast<std::size_t>(row->kernel_module)]), std::move(compiles),
                          SheetCell::text(fmt::format("{}", fmt::join(gpu_names_of(matrix, row->capability), ", ")))});
  }
  return sheet;
}

Sheet cuda_drivers(const Matrix& matrix) {
  Sheet sheet{{{"CUDA", ""}, {"released with driver", ""}, {"minimum driver, same CUDA major", ""}}, {}};
  for (const auto* minor : backwards(matrix->cuda_minors)) {
    const auto major = std::find_if(matrix->cuda_majors.begin(), matrix->cuda_majors.end(),
                                    [&](const matrix::CudaMajor& row) { return row.cuda == minor->cuda.major(); });
    DriverVersion compatible;
    if (major != matrix->cuda_majors.end()) {
      compatible = major->minor_compat_driver;
      for (const auto& except : major->except) {
        if (except.cuda == minor->cuda) compatible = except.driver;
      }
    }
    sheet.rows.push_back({SheetCell::text(minor->cuda.to_string()), driver_cell(minor->native_driver),
                          compatible ? driver_cell(compatible) : SheetCell::none()});
  }
  return sheet;
}

}  // namespace

std::string compatibility_page(const Matrix& matrix) {
  return fmt::format(
             "# Compatibility\n\n"
             "Generated by `envgen matrix export markdown` from data revision {}, fetched {}. `?` means unknown, `-` means "
             "none. `envgen show --sources` names the source of each value, and `envgen resolve` gives the answer for your "
             "machine.\n\n"
             "## PyTorch wheels\n"
             "A GPU runs code compiled for its compute capability, or for a lower one with the same major version. The driver "
             "JIT-compiles PTX of any capability up to the GPU's own, but only if it supports the build's CUDA natively "
             "(`minimum driver for PTX`).\n\n",
             matrix->revision.view(), matrix->read.view()) +
         markdown_table(wheels(matrix)) +
         "\n## GPUs by compute capability\n"
         "Some GPUs need a newer driver than the first one for their compute capability: see `envgen show gpu NAME`.\n\n" +
         markdown_table(capabilities(matrix)) + "\n## CUDA and drivers\n\n" + markdown_table(cuda_drivers(matrix)) +
         "\n## Driver branches\n\n" + markdown_table(list_drivers(matrix, {}));
}

}  // namespace envgen::answers
