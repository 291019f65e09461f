#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "answers/facts_cells.hpp"

namespace envgen::answers {
namespace {

std::vector<std::string_view> names_of_layers(const matrix::Matrix& matrix) {
  std::vector<std::string_view> names;
  for (const auto& layer : matrix->layers) names.push_back(layer.name);
  return names;
}

Sheet layers_of(const matrix::Matrix& matrix) {
  Sheet sheet{{{"layer", "name"}, {"revision", "revision"}, {"read on", "read"}}, {}};
  for (const auto& layer : matrix->layers)
    sheet.rows.push_back(
        {SheetCell::text(layer.name), SheetCell::text_or_unknown(layer.revision), SheetCell::text_or_unknown(layer.read)});
  return sheet;
}

}  // namespace

Card show_matrix(const matrix::Matrix& matrix) {
  Card card;
  card.title = fmt::format("Matrix, revision {}", matrix->revision.view());
  card.add("", "revision", SheetCell::text(matrix->revision));
  card.add("read on", "read", SheetCell::text(matrix->read));
  card.add("from", "origin", SheetCell::text(fmt::format("{}", fmt::join(names_of_layers(matrix), ", "))));
  card.add("SHA-256 of the data", "hash", SheetCell::text(matrix->hash));
  const auto* newest = matrix.newest(Framework::torch);
  card.add("newest torch", "newest_torch",
           newest == nullptr ? SheetCell::none()
                             : SheetCell::text(newest->text)
                                   .shown_as(fmt::format("{}{}", newest->text.view(),
                                                         knows_every_cuda(*newest) ? "" : " (not all CUDA tags are known)")));
  card.add("", "newest_torch_complete", newest == nullptr ? SheetCell::none() : SheetCell::flag(knows_every_cuda(*newest)));
  const matrix::Release* complete = nullptr;
  for (const auto& release : matrix->releases) {
    if (release.framework == Framework::torch && knows_every_cuda(release) &&
        (complete == nullptr || release.version > complete->version))
      complete = &release;
  }
  card.add("CUDA tags complete up to torch", "newest_complete_torch",
           complete == nullptr ? SheetCell::none() : SheetCell::text(complete->text));

  const auto count_builds = [&](Framework framework, auto wanted) {
    return std::count_if(matrix->builds.begin(), matrix->builds.end(), [&](const matrix::Build& build) {
      return build.listed && build.framework == framework && wanted(build);
    });
  };
  const auto wheels =
      count_builds(Framework::torch, [](const matrix::Build& build) { return build.channel == matrix::Channel::wheels; });
  const auto conda =
      count_builds(Framework::torch, [](const matrix::Build& build) { return build.channel != matrix::Channel::wheels; });
  const auto releases = std::count_if(matrix->releases.begin(), matrix->releases.end(),
                                      [](const matrix::Release& release) { return release.framework == Framework::torch; });
  Sheet sheet{{{"table", "table"}, {"rows", "rows", true}}, {}};
  const auto add = [&](std::string_view table, std::size_t rows) {
    sheet.rows.push_back({SheetCell::text(table), SheetCell::number(static_cast<double>(rows))});
  };
  add("torch releases", static_cast<std::size_t>(releases));
  add("torch wheel builds", static_cast<std::size_t>(wheels));
  add("torch conda builds", static_cast<std::size_t>(conda));
  add("torchvision wheels", matrix->torchvision.size());
  add("torchaudio wheels", matrix->torchaudio.size());
  add("tensorflow releases", matrix->releases.size() - static_cast<std::size_t>(releases));
  add("CUDA toolkits", matrix->toolkits.size());
  add("cuDNN releases", matrix->cudnns.size());
  add("driver branches", matrix->branches.size());
  add("GPUs", matrix->gpus.size());
  add("nvidia/cuda images", matrix->cuda_images.size());
  add("framework images", matrix->official_images.size());
  add("operating systems", matrix->os.size());
  add("pitfalls", matrix->rules.size());
  add("presets", matrix->presets.size());
  add("mirrors", matrix->mirrors.size());
  add("sources", matrix->sources.size());
  card.add_part("Layers, lowest first", "layers", layers_of(matrix));
  card.add_part("Rows", "tables", std::move(sheet));
  return card;
}

std::string problems_text(const std::vector<Error>& problems) {
  std::string text;
  for (const auto& problem : problems) {
    text += fmt::format("{}: {}\n", problem.origin, problem.message);
    for (const auto& hint : problem.hints) text += fmt::format("  {}\n", hint);
  }
  return text;
}

std::string problems_json(const std::vector<Error>& problems) {
  std::string result = "[";
  for (std::size_t i = 0; i < problems.size(); ++i) {
    util::JsonWriter json;
    json.begin_object();
    json.member("where", std::string_view(problems[i].origin));
    json.member("message", std::string_view(problems[i].message));
    json.member("hints", problems[i].hints);
    json.end_object();
    result += (i == 0 ? "\n" : ",\n") + json.text();
  }
  return result + (problems.empty() ? "]\n" : "\n]\n");
}

}  // namespace envgen::answers
