#include <algorithm>
#include <cmath>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "answers/facts_cells.hpp"
#include "model/shell_word.hpp"
#include "resolver/asked_driver.hpp"
#include "resolver/cudnn_choice.hpp"
#include "resolver/known_drivers.hpp"
#include "resolver/maturity.hpp"
#include "resolver/predicates.hpp"

namespace envgen::answers {
namespace {

using matrix::Build;
using matrix::Matrix;
using resolver::Query;

bool chosen(const std::vector<std::size_t>& wanted, std::size_t index) {
  return wanted.empty() || std::find(wanted.begin(), wanted.end(), index) != wanted.end();
}

bool asked(int value) { return value != resolver::no_value; }

/// `--cuda 12.1` and `--cuda 12.1.1` both mean a build of 12.1: the update is a matter of the toolkit beside it.
bool cuda_fits(const Matrix& matrix, const Query& query, Version minor) {
  return std::all_of(query.cuda.begin(), query.cuda.end(), [&](const resolver::AskedCuda& wanted) {
    if (wanted.cpu || !minor) return wanted.cpu && !minor;
    if (wanted.spec.matches_at_own_precision(minor, 2)) return true;
    return std::any_of(matrix->toolkits.begin(), matrix->toolkits.end(), [&](const matrix::Toolkit& toolkit) {
      return toolkit.minor == minor && wanted.spec.matches_at_own_precision(toolkit.version, 2);
    });
  });
}

bool update_fits(const Query& query, Version version) {
  return std::all_of(query.cuda.begin(), query.cuda.end(), [&](const resolver::AskedCuda& wanted) {
    return !wanted.cpu && wanted.spec.matches_at_own_precision(version, 2);
  });
}

/// Only what is known to run counts, as in an answer.
bool runs(const Matrix& matrix, const Build& build, Capability capability, bool arm_only) {
  const auto path = resolver::code_path(matrix, build, capability);
  const bool on_its_platform = !arm_only || build.platform == Platform::linux_aarch64;
  return path.known_to_run() && on_its_platform &&
         resolver::some_cudnn_serves(matrix, build, capability, path) == matrix::Tribool::yes;
}

bool runs_all(const Matrix& matrix, const Query& query, const Build& build) {
  return std::all_of(query.boards.begin(), query.boards.end(),
                     [&](const resolver::Board& board) { return runs(matrix, build, board.capability, board.arm_only); });
}

bool build_fits(const Matrix& matrix, const Query& query, const Build& build) {
  if (!query.version.spec.any() && !query.version.spec.matches(build.version)) return false;
  if (!query.cuda.empty() && !cuda_fits(matrix, query, build.cpu ? Version() : build.cuda)) return false;
  if (asked(query.python_value) && (build.pythons & query.pythons).empty()) return false;
  if (asked(query.platform_value) && build.platform != query.platform) return false;
  return runs_all(matrix, query, build);
}

std::vector<const Build*> newest_first(std::vector<const Build*> builds) {
  const auto key = [](const Build& build) {
    return std::tuple(build.version, ~static_cast<unsigned>(build.channel), build.cuda, ~static_cast<unsigned>(build.platform));
  };
  std::stable_sort(builds.begin(), builds.end(), [&](const Build* a, const Build* b) { return key(*a) > key(*b); });
  return builds;
}

bool some_wheel_runs(const Matrix& matrix, const Query& query, const matrix::Gpu& gpu) {
  return std::any_of(matrix->builds.begin(), matrix->builds.end(), [&](const Build& build) {
    return build.listed && build.framework == Framework::torch && build.channel == matrix::Channel::wheels &&
           build_fits(matrix, query, build) && runs(matrix, build, gpu.capability, gpu.arm_only == matrix::Tribool::yes);
  });
}

bool gpu_fits(const Matrix& matrix, const GpuFilter& filter, const matrix::Gpu& gpu) {
  if (asked(filter.query.version.value) && !some_wheel_runs(matrix, filter.query, gpu)) return false;
  return chosen(filter.classes, static_cast<std::size_t>(gpu.gpu_class)) &&
         (filter.architecture.empty() || gpu.architecture.view() == filter.architecture) &&
         (!filter.capability || gpu.capability == *filter.capability) && (!filter.laptop || gpu.laptop);
}

}  // namespace

Sheet list_torch(const Matrix& matrix, const TorchFilter& filter) {
  std::vector<const Build*> builds;
  for (const auto& build : matrix->builds) {
    const bool listed =
        build.listed && build.framework == Framework::torch && chosen(filter.channels, static_cast<std::size_t>(build.channel));
    if (!listed || (filter.official && build.official != matrix::Tribool::yes)) continue;
    if (build_fits(matrix, filter.query, build)) builds.push_back(&build);
  }
  Sheet sheet{torch_columns(), {}};
  if (filter.channels.size() == 1) hide(sheet, {"channel"});
  if (asked(filter.query.platform_value)) hide(sheet, {"platform"});
  for (const auto* build : newest_first(std::move(builds))) sheet.rows.push_back(torch_cells(matrix, *build));
  return sheet;
}

Sheet list_tensorflow(const Matrix& matrix, const Query& query) {
  std::vector<const Build*> builds;
  for (const auto& build : matrix->builds) {
    if (build.listed && build.framework == Framework::tensorflow && build_fits(matrix, query, build)) builds.push_back(&build);
  }
  Sheet sheet{{{"tensorflow", "version"},
               {"CUDA", "cuda"},
               {"cuDNN", "cudnn"},
               {"Python", "pythons"},
               {"SASS", "archs"},
               {"PTX", "ptx"},
               {"glibc", "glibc"},
               {"[and-cuda]", "and_cuda"},
               {"", "pins"},
               {"", "source"}},
              {}};
  for (const auto* build : newest_first(std::move(builds))) {
    std::vector<std::string> pins;
    bool extra = false;
    for (const auto& row : matrix->tensorflow_extras) {
      if (row.version != build->version) continue;
      extra = row.exists;
      for (const auto& pin : row.pins) pins.push_back(fmt::format("{}{}", pin.package.view(), pin.spec.view()));
    }
    sheet.rows.push_back({SheetCell::text(build->version_text), version_cell(build->cuda), version_cell(build->cudnn),
                          pythons_cell(build->pythons, build->pythons_known), archs_cell(build->sass, build->sass_known),
                          archs_cell(build->ptx, build->ptx_known), version_cell(build->glibc), SheetCell::flag(extra),
                          SheetCell::list(std::move(pins)), source_cell(matrix, build->from)});
  }
  return sheet;
}

Sheet list_cuda(const Matrix& matrix, const Query& query) {
  Sheet sheet{toolkit_columns(), {}};
  for (const auto* toolkit : backwards(matrix->toolkits)) {
    if (!update_fits(query, toolkit->version)) continue;
    if (query.os != nullptr &&
        std::none_of(toolkit->os.begin(), toolkit->os.end(), [&](const auto& id) { return id.view() == query.os->id.view(); }))
      continue;
    const bool compiles = std::all_of(query.boards.begin(), query.boards.end(), [&](const resolver::Board& board) {
      return std::any_of(toolkit->archs.begin(), toolkit->archs.end(),
                         [&](Arch arch) { return resolver::sass_runs(matrix, arch, board.capability); });
    });
    if (compiles) sheet.rows.push_back(toolkit_cells(matrix, *toolkit));
  }
  return sheet;
}

Sheet list_cudnn(const Matrix& matrix, const Query& query) {
  Sheet sheet{cudnn_columns(), {}};
  for (const auto* cudnn : backwards(matrix->cudnns)) {
    if (!query.cudnn.spec.any() && !query.cudnn.spec.matches(cudnn->version)) continue;
    // One major among those it is built for must hold every asked CUDA, and serve every asked GPU.
    const bool fits = std::any_of(cudnn->cuda_majors.begin(), cudnn->cuda_majors.end(), [&](Version major) {
      const bool cuda = std::all_of(query.cuda.begin(), query.cuda.end(), [&](const resolver::AskedCuda& wanted) {
        if (wanted.cpu) return false;
        if (wanted.spec.matches_at_own_precision(major, 1)) return true;
        return std::any_of(matrix->toolkits.begin(), matrix->toolkits.end(), [&](const matrix::Toolkit& toolkit) {
          return toolkit.version.under(major) && wanted.spec.matches_at_own_precision(toolkit.version, 2);
        });
      });
      return cuda && std::all_of(query.boards.begin(), query.boards.end(), [&](const resolver::Board& board) {
               return std::any_of(cudnn->gpus.begin(), cudnn->gpus.end(), [&](const matrix::CudnnGpus& row) {
                 return (!row.cuda || row.cuda.under(major)) && board.capability >= row.min &&
                        (row.max == Capability() || board.capability <= row.max);
               });
             });
    });
    if (fits || (query.cuda.empty() && query.boards.empty())) sheet.rows.push_back(cudnn_cells(matrix, *cudnn));
  }
  return sheet;
}

Sheet list_drivers(const Matrix& matrix, const Query& query) {
  const bool of_boards = !query.boards.empty();
  resolver::KnownDrivers wanted_by_boards;
  for (const auto& board : query.boards) wanted_by_boards.keep(board.known);
  Sheet sheet{{{"branch", "branch"},
               {"kind", "kind"},
               {"CUDA up to", "cuda"},
               {"GPUs", "capabilities"},
               {"first", "first"},
               {of_boards ? "first for these GPUs" : "", "first_for_gpus"},
               {"latest known", "latest"},
               {"data-centre release", "released"},
               {"end of life", "eol"},
               {"", "source"}},
              {}};
  for (const auto* branch : backwards(matrix->branches)) {
    const auto knows = [&](const matrix::GpuDriver& row) {
      return !row.tegra && row.first_driver.branch() <= branch->branch &&
             (row.last_branch == 0 || branch->branch <= row.last_branch);
    };
    // A branch reports every CUDA up to its own, so the oldest asked one decides.
    const bool reports = std::all_of(query.cuda.begin(), query.cuda.end(), [&](const resolver::AskedCuda& wanted) {
      return !wanted.cpu &&
             std::any_of(matrix->cuda_minors.begin(), matrix->cuda_minors.end(), [&](const matrix::CudaMinor& minor) {
               return branch->cuda && minor.cuda <= branch->cuda && cuda_fits(matrix, query, minor.cuda);
             });
    });
    const bool serves = std::all_of(query.boards.begin(), query.boards.end(),
                                    [&](const resolver::Board& board) { return board.driver_row != nullptr && !board.tegra; });
    if (!reports || !serves || !wanted_by_boards.knows_branch(branch->branch)) continue;
    const auto first_of_boards = wanted_by_boards.from(DriverVersion(Version(branch->branch)));
    const bool whole = first_of_boards.version().count() <= 1;
    std::vector<std::string> known;
    for (const auto& row : matrix->gpu_drivers) {
      if (knows(row)) known.push_back(row.capability.to_string());
    }
    auto shown = known.size() > 1 ? fmt::format("{} to {}", known.front(), known.back()) : std::string();
    sheet.rows.push_back(
        {SheetCell::text(fmt::format("{}", branch->branch)), SheetCell::text_or_unknown(branch->kind), version_cell(branch->cuda),
         SheetCell::list(std::move(known), std::move(shown)), driver_cell(branch->first),
         !of_boards ? SheetCell::none() : driver_cell(whole ? branch->first : std::max(first_of_boards, branch->first)),
         driver_cell(resolver::latest_known(matrix, branch->branch)), SheetCell::text_or_unknown(branch->released),
         SheetCell::text_or_unknown(branch->eol), source_cell(matrix, branch->from)});
  }
  return sheet;
}

Sheet list_os(const Matrix& matrix) {
  Sheet sheet{{{"OS", "id"},
               {"aliases", "aliases"},
               {"Python", "pythons"},
               {"glibc", "glibc"},
               {"gcc", "gcc"},
               {"end of life", "eol"},
               {"", "source"}},
              {}};
  for (const auto& os : matrix->os) {
    sheet.rows.push_back({SheetCell::text(os.id), texts_cell(os.aliases), pythons_cell(os.pythons), version_cell(os.glibc),
                          os.gcc ? SheetCell::number(os.gcc.major()) : SheetCell::unknown(), SheetCell::text_or_unknown(os.eol),
                          source_cell(matrix, os.from)});
  }
  return sheet;
}

std::string systems_text(const Matrix& matrix, const util::Terminal& terminal) {
  auto sheet = list_os(matrix);
  hide(sheet, {"aliases"});
  std::vector<std::vector<SheetCell>> living;
  std::vector<std::string_view> past;
  for (std::size_t i = 0; i < sheet.rows.size(); ++i) {
    const auto& os = matrix->os[i];
    if (resolver::is_past(matrix, os.eol.view())) {
      past.push_back(os.id.view());
    } else {
      living.push_back(std::move(sheet.rows[i]));
    }
  }
  sheet.rows = std::move(living);
  auto text = sheet_text(sheet, terminal) + "\n";
  if (!past.empty()) {
    for (const auto& line : util::wrap(fmt::format("Past their end of life: {}.", fmt::join(past, ", ")), terminal.width))
      text += line + "\n";
  }
  return text + "Everything: --all\n";
}

Sheet list_presets(const Matrix& matrix) {
  Sheet sheet{{{"preset", "name"}, {"request", "request"}, {"description", "what"}, {"", "source"}}, {}};
  for (const auto& preset : matrix->presets) {
    std::vector<std::string> flags;
    for (const auto& value : preset.request) {
      flags.push_back(fmt::format("--{}", value.field.view()));
      if (value.text.view() != "true") flags.emplace_back(value.text.view());
    }
    auto shown = shell_words(flags);
    sheet.rows.push_back({SheetCell::text(preset.name), SheetCell::list(std::move(flags), std::move(shown)),
                          SheetCell::text(preset.what), source_cell(matrix, preset.from)});
  }
  return sheet;
}

Sheet list_mirrors(const Matrix& matrix) {
  Sheet sheet{{{"mirror", "name"},
               {"operator", "what"},
               {"apt", "apt"},
               {"pip", "pip_index"},
               {"conda", "conda"},
               {"channels", "conda_channels"},
               {"torch wheels", "torch"},
               {"", "source"}},
              {}};
  for (const auto& mirror : matrix->mirrors) {
    sheet.rows.push_back({SheetCell::text(mirror.name), SheetCell::text(mirror.what), SheetCell::text_or_none(mirror.apt),
                          SheetCell::text_or_none(mirror.pip_index), SheetCell::text_or_none(mirror.conda),
                          texts_cell(mirror.conda_channels), SheetCell::text_or_none(mirror.torch),
                          source_cell(matrix, mirror.from)});
  }
  return sheet;
}

Sheet list_images(const Matrix& matrix, const ImageFilter& filter) {
  const auto& query = filter.query;
  const auto evidence_fits = [&](matrix::Evidence evidence) {
    if (filter.evidence.empty()) return evidence <= matrix::Evidence::used;
    return chosen(filter.evidence, static_cast<std::size_t>(evidence));
  };
  const auto variant_fits = [&](std::string_view name) {
    const auto* found = std::find(image_variant_names.begin(), image_variant_names.end(), name);
    return chosen(filter.variants, static_cast<std::size_t>(found - image_variant_names.begin()));
  };
  const auto cudnn_fits = [&](Version major) {
    if (!asked(query.cudnn.value)) return true;
    return major && query.cudnn.spec.matches_at_own_precision(major, 1);
  };
  Sheet sheet{image_columns(), {}};
  const bool framework = asked(query.version.value);
  if (chosen(filter.repositories, 0) && !framework) {
    std::vector<const matrix::ImageTag*> images;
    for (const auto& image : matrix->cuda_images) {
      const bool os = query.os == nullptr || image.os.view() == query.os->id.view();
      if (os && evidence_fits(image.evidence) && variant_fits(image.is_base ? "base" : name_of(image.variant)) &&
          cudnn_fits(image.cudnn) && update_fits(query, image.cuda))
        images.push_back(&image);
    }
    std::stable_sort(images.begin(), images.end(), [](const auto* a, const auto* b) { return a->cuda > b->cuda; });
    for (const auto* image : images) sheet.rows.push_back(image_cells(matrix, *image));
  }
  std::vector<const matrix::OfficialImage*> official;
  for (const auto& image : matrix->official_images) {
    const bool tensorflow = image.framework == Framework::tensorflow;
    if (!chosen(filter.repositories, tensorflow ? 2 : 1)) continue;
    if (framework && (image.framework != query.framework || !query.version.spec.matches(image.version))) continue;
    const std::string_view variant = !tensorflow ? name_of(image.variant) : image.jupyter ? "gpu-jupyter" : "gpu";
    const bool os = query.os == nullptr || image.os.view() == query.os->id.view();
    if (os && evidence_fits(image.evidence) && variant_fits(variant) && cudnn_fits(image.cudnn) &&
        (query.cuda.empty() || cuda_fits(matrix, query, image.cuda)))
      official.push_back(&image);
  }
  std::stable_sort(official.begin(), official.end(), [](const auto* a, const auto* b) {
    return std::tuple(a->framework, b->version, b->cuda) < std::tuple(b->framework, a->version, a->cuda);
  });
  for (const auto* image : official) sheet.rows.push_back(image_cells(matrix, *image));
  if (official.empty()) hide(sheet, {"python"});
  if (filter.repositories.size() == 1 && filter.repositories.front() != 0) {
    hide(sheet, {"gate", "status"});
  }
  return sheet;
}

Sheet list_gpus(const Matrix& matrix, const GpuFilter& filter) {
  Sheet sheet{gpu_columns(), {}};
  for (const auto& gpu : matrix->gpus) {
    if (gpu_fits(matrix, filter, gpu)) sheet.rows.push_back(gpu_cells(matrix, gpu));
  }
  return sheet;
}

Sheet rank_gpus(const Matrix& matrix, const GpuFilter& filter, std::size_t metric, std::size_t limit) {
  struct Metric {
    std::string_view field;
    std::string_view unit;
    matrix::Number matrix::Gpu::*figure;
  };
  static constexpr std::array<Metric, metric_names.size()> metrics{{{"fp16_tflops", "TFLOPS", &matrix::Gpu::fp16_tflops},
                                                                    {"fp32_tflops", "TFLOPS", &matrix::Gpu::fp32_tflops},
                                                                    {"bf16_tflops", "TFLOPS", &matrix::Gpu::bf16_tflops},
                                                                    {"tf32_tflops", "TFLOPS", &matrix::Gpu::tf32_tflops},
                                                                    {"fp8_tflops", "TFLOPS", &matrix::Gpu::fp8_tflops},
                                                                    {"int8_tops", "TOPS", &matrix::Gpu::int8_tops},
                                                                    {"memory_gb", "GB", &matrix::Gpu::memory_gb},
                                                                    {"bandwidth_gbs", "GB/s", &matrix::Gpu::bandwidth_gbs}}};
  const auto& by = metrics[metric];
  std::vector<const matrix::Gpu*> boards;
  for (const auto& gpu : matrix->gpus) {
    if (gpu_fits(matrix, filter, gpu)) boards.push_back(&gpu);
  }
  const auto figure = [&](const matrix::Gpu& gpu) { return gpu.*by.figure; };
  std::stable_sort(boards.begin(), boards.end(), [&](const auto* a, const auto* b) {
    if (std::isnan(figure(*a)) || std::isnan(figure(*b))) return !std::isnan(figure(*a)) && std::isnan(figure(*b));
    return figure(*a) > figure(*b);
  });
  // Figures that a second source confirmed carry a mark; the others have one source, were derived, or were recalled.
  const auto marked = [&](const matrix::Gpu& gpu, std::string_view field, double value) {
    auto cell = SheetCell::number(value);
    const auto* mark = is_verified(gpu, field) ? "*" : " ";
    return std::isnan(value) ? std::move(cell) : std::move(cell).shown_as(fmt::format("{}{}", value, mark));
  };
  Sheet sheet{{{"rank", "rank", true},
               {"GPU", "name"},
               {"class", "class"},
               {"capability", "capability", true},
               {"", "metric"},
               {by.unit, "value", true},
               {"", "unit"},
               {"", "verified"},
               {metric_names[metric] == "memory" ? "" : "GB", "memory_gb", true},
               {metric_names[metric] == "bandwidth" ? "" : "GB/s", "bandwidth_gbs", true},
               {"W", "power_w", true},
               {"", "source"}},
              {}};
  std::size_t rank = 0;
  for (std::size_t i = 0; i < boards.size() && sheet.rows.size() < limit; ++i) {
    const auto& gpu = *boards[i];
    const bool known = !std::isnan(figure(gpu));
    if (i == 0 || figure(*boards[i - 1]) != figure(gpu)) rank = i + 1;  // equal figures share a rank
    sheet.rows.push_back({known ? SheetCell::number(static_cast<double>(rank)) : SheetCell::none(), SheetCell::text(gpu.name),
                          SheetCell::text(class_names[static_cast<std::size_t>(gpu.gpu_class)]), capability_cell(gpu.capability),
                          SheetCell::text(metric_names[metric]), marked(gpu, by.field, figure(gpu)), SheetCell::text(by.unit),
                          known ? SheetCell::flag(is_verified(gpu, by.field)) : SheetCell::none(),
                          marked(gpu, "memory_gb", gpu.memory_gb), marked(gpu, "bandwidth_gbs", gpu.bandwidth_gbs),
                          marked(gpu, "power_w", gpu.power_w), SheetCell::text(matrix.source(gpu.from.of(by.field)).what)});
  }
  return sheet;
}

std::string_view metric_note(std::size_t metric) {
  const auto name = metric_names[metric];
  if (name == "fp32") return "Peak without tensor cores.";
  if (name == "memory" || name == "bandwidth") return "";
  return "Dense tensor-core peak (FP32 accumulate for floating point). Figures without a mark have one source, or none: see "
         "'envgen show gpu NAME --all'.";
}

}  // namespace envgen::answers
