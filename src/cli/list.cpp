#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "answers/facts.hpp"
#include "cli/choice_options.hpp"
#include "cli/commands.hpp"
#include "cli/show.hpp"
#include "diagnosis/diagnosis.hpp"
#include "model/shell_word.hpp"
#include "model/spelling.hpp"

namespace envgen::cli {
namespace {

/// What can be listed; the columns and filters of each are its own.
enum class Listed : std::uint8_t { torch, tensorflow, cuda, cudnn, drivers, gpus, images, os, presets, mirrors, diagnoses };
constexpr std::array<std::string_view, 11> subject_names{"torch",  "tensorflow", "cuda",    "cudnn",   "drivers",  "gpus",
                                                         "images", "os",         "presets", "mirrors", "diagnoses"};

struct ListOptions {
  std::vector<std::pair<Field, std::string>> values;  ///< what `resolve` would understand too
  std::vector<std::string> boards;
  std::vector<std::size_t> channels;
  std::vector<std::size_t> classes;
  std::vector<std::size_t> repositories;
  std::vector<std::size_t> variants;
  std::vector<std::size_t> evidence;
  std::string architecture;
  std::string capability;
  bool official = false;
  bool laptop = false;
  std::vector<std::string> extra;
};

constexpr std::array<std::string_view, 4> channel_choices{"wheels", "pytorch", "conda-forge", "all"};
constexpr std::size_t every_channel = 3;

void add_value(CLI::App& app, ListOptions& options, Field field, const std::string& flag, const char* help) {
  app.add_option_function<std::string>(
         flag, [&options, field](const std::string& text) { options.values.emplace_back(field, text); }, help)
      ->type_name(field == Field::os || field == Field::platform ? "NAME" : "VERSION");
}

void add_boards(CLI::App& app, ListOptions& options, const char* help) {
  app.add_option("--gpu", options.boards, help)->type_name("NAME")->allow_extra_args(false);
}

Expected<resolver::Query> query_of(const matrix::Matrix& matrix, const ListOptions& options) {
  Request request;
  for (const auto& [field, text] : options.values)
    request.values.push_back({field, text, Origin::flag, fmt::format("--{}", name_of(field))});
  for (const auto& text : options.boards) request.values.push_back({Field::gpu, text, Origin::flag, "--gpu"});
  return resolver::interpret(matrix, request);
}

Expected<answers::GpuFilter> gpu_filter(const matrix::Matrix& matrix, const ListOptions& options) {
  answers::GpuFilter filter;
  filter.classes = options.classes;
  filter.laptop = options.laptop;
  if (!options.capability.empty()) {
    const auto parsed = Capability::parse(options.capability);
    if (!parsed)
      return fail(ErrorCode::usage, fmt::format("{} is {}", in_quotes(options.capability), parsed.error().message),
                  "--capability", parsed.error().hints);
    filter.capability = *parsed;
  }
  if (options.architecture.empty()) return filter;
  std::vector<std::string_view> names;
  for (const auto& gpu : matrix->gpus) {
    const auto name = gpu.architecture.view();
    if (std::equal(name.begin(), name.end(), options.architecture.begin(), options.architecture.end(), [](char a, char b) {
          return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
        })) {
      filter.architecture = std::string(name);
      return filter;
    }
    if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  auto hints = did_you_mean(options.architecture, names, 1);
  if (hints.empty()) hints.push_back(fmt::format("known: {}", fmt::join(names, ", ")));
  return fail(ErrorCode::usage, fmt::format("unknown GPU architecture {}", in_quotes(options.architecture)), "--arch",
              std::move(hints));
}

answers::Sheet list_diagnoses() {
  answers::Sheet sheet{{{"id", "id"}, {"what it is", "title"}, {"evidence", "proof"}}, {}};
  for (const auto& row : diagnosis::all())
    sheet.rows.push_back({answers::SheetCell::text(row.id), answers::SheetCell::text(row.title),
                          answers::SheetCell::text(name_of(row.proof)).shown_as(std::string(in_words(row.proof)))});
  return sheet;
}

Expected<answers::Sheet> make_sheet(const matrix::Matrix& matrix, Listed subject, const ListOptions& options) {
  if (subject == Listed::gpus) {
    auto filter = gpu_filter(matrix, options);
    if (!filter) return tl::unexpected(filter.error());
    auto query = query_of(matrix, options);
    if (!query) return tl::unexpected(query.error());
    filter->query = std::move(*query);
    return answers::list_gpus(matrix, *filter);
  }
  if (subject == Listed::diagnoses) return list_diagnoses();
  auto query = query_of(matrix, options);
  if (!query) return tl::unexpected(query.error());
  switch (subject) {
    case Listed::torch: {
      answers::TorchFilter filter{std::move(*query), options.channels, options.official};
      if (filter.channels.empty()) filter.channels = {0};
      if (std::find(filter.channels.begin(), filter.channels.end(), every_channel) != filter.channels.end())
        filter.channels.clear();
      return answers::list_torch(matrix, filter);
    }
    case Listed::tensorflow:
      return answers::list_tensorflow(matrix, *query);
    case Listed::cuda:
      return answers::list_cuda(matrix, *query);
    case Listed::cudnn:
      return answers::list_cudnn(matrix, *query);
    case Listed::drivers:
      return answers::list_drivers(matrix, *query);
    case Listed::images:
      return answers::list_images(matrix, {std::move(*query), options.repositories, options.variants, options.evidence});
    case Listed::presets:
      return answers::list_presets(matrix);
    case Listed::mirrors:
      return answers::list_mirrors(matrix);
    case Listed::os:
    case Listed::gpus:
    case Listed::diagnoses:
      break;
  }
  return answers::list_os(matrix);
}

/// `list gpus 1650` asks for one of them, which is what 'show' does.
Error one_of_them(Listed subject, const std::string& item) {
  const auto listed = subject_names[static_cast<std::size_t>(subject)];
  auto shown = listed;
  if (!is_shown(shown) && shown.ends_with('s')) shown.remove_suffix(1);
  std::vector<std::string> hints;
  if (is_shown(shown)) hints.push_back(fmt::format("to see only one: envgen show {} {}", shown, shell_word(item)));
  hints.push_back(fmt::format("see 'envgen list {} --help'", listed));
  return {ErrorCode::usage, fmt::format("unexpected argument {}", in_quotes(item)), {}, std::move(hints)};
}

Expected<Exit> run_list(Listed subject, const ListOptions& options, Context& context) {
  if (!options.extra.empty()) return tl::unexpected(one_of_them(subject, options.extra.front()));
  auto matrix = context.matrix();
  if (!matrix) return tl::unexpected(matrix.error());
  const auto sheet = make_sheet(*matrix, subject, options);
  if (!sheet) return tl::unexpected(sheet.error());
  if (sheet->rows.empty()) {
    const auto* newest = matrix->newest(Framework::torch);
    note(subject == Listed::torch && newest != nullptr
             ? fmt::format("nothing matches; envgen's data dates from {} and ends at torch {}", (*matrix)->read.view(),
                           newest->text.view())
             : fmt::format("nothing matches; envgen's data dates from {}", (*matrix)->read.view()));
  }
  return written(context.json ? answers::sheet_json(*sheet) : answers::sheet_text(*sheet, util::Terminal::of_stdout()));
}

/// No subject, or a word that is none.
Error nothing_to_list(const ListOptions& options) {
  if (options.extra.empty())
    return {ErrorCode::usage, "a subcommand is missing", {}, {fmt::format("envgen list {}", fmt::join(subject_names, "|"))}};
  auto hints = did_you_mean(options.extra.front(), subject_names, 1);
  hints.push_back(fmt::format("commands: {}", fmt::join(subject_names, ", ")));
  return {ErrorCode::usage, fmt::format("unknown command {}", in_quotes(options.extra.front())), {}, std::move(hints)};
}

}  // namespace

Action setup_list(CLI::App& app, Context& context) {
  auto options = std::make_shared<ListOptions>();
  auto chosen = std::make_shared<std::optional<Listed>>();
  app.require_subcommand(0, 1);
  app.add_option("subject", options->extra, "")->group("");  // a word that is no subject lands here
  const auto subject = [&](Listed which, const char* summary) -> CLI::App& {
    auto* sub = app.add_subcommand(std::string(subject_names[static_cast<std::size_t>(which)]), summary);
    sub->parse_complete_callback([chosen, which] { *chosen = which; });
    add_format(*sub, context);
    return *sub;
  };
  auto& torch = subject(Listed::torch, "PyTorch builds, newest first");
  add_value(torch, *options, Field::torch, "--torch", "2.3, 2.3.1, '>=2.3,<2.5', 2.3.1+cu121");
  add_value(torch, *options, Field::cuda, "--cuda", "12.1, cu121, '>=12.1,<13', or cpu");
  add_value(torch, *options, Field::python, "--python", "builds with a wheel for this Python: 3.11, 3.13t");
  add_value(torch, *options, Field::platform, "--platform", "linux-x86_64 or linux-aarch64");
  add_boards(torch, *options, "builds with code for this GPU (repeatable): 4090, A100, 8.6");
  add_choices(torch, "--channel", options->channels, channel_choices, "the source of the builds (repeatable; default: wheels)");
  torch.add_flag("--official", options->official, "only builds of the official release matrix");

  auto& tensorflow = subject(Listed::tensorflow, "TensorFlow releases with the CUDA they were tested with");
  add_value(tensorflow, *options, Field::tensorflow, "--tensorflow", "2.15, '>=2.15'");
  add_value(tensorflow, *options, Field::cuda, "--cuda", "12.2, '>=12'");
  add_value(tensorflow, *options, Field::python, "--python", "releases with a wheel for this Python");
  add_boards(tensorflow, *options, "releases with code for this GPU (repeatable)");

  auto& cuda = subject(Listed::cuda, "CUDA toolkits, newest first");
  add_value(cuda, *options, Field::cuda, "--cuda", "12, 12.1, '>=12.1,<13'");
  add_value(cuda, *options, Field::os, "--os", "toolkits with an nvidia/cuda image based on this OS");
  add_boards(cuda, *options, "toolkits that can compile code that runs on this GPU (repeatable)");

  auto& cudnn = subject(Listed::cudnn, "cuDNN releases, newest first");
  add_value(cudnn, *options, Field::cudnn, "--cudnn", "8, 9.1, '>=9'");
  add_value(cudnn, *options, Field::cuda, "--cuda", "releases for this CUDA version");
  add_boards(cudnn, *options, "releases whose documented range includes this GPU, also where it has no upper limit (repeatable)");

  auto& drivers = subject(Listed::drivers, "driver branches, newest first");
  add_value(drivers, *options, Field::cuda, "--cuda", "branches that natively support this CUDA version");
  add_boards(drivers, *options, "branches that support this GPU (repeatable)");

  auto& gpus = subject(Listed::gpus, "GPUs with their specifications");
  add_choices(gpus, "--class", options->classes, answers::class_names, "GPUs of this class (repeatable)");
  gpus.add_option("--arch", options->architecture, "GPUs of this architecture: Ampere, Hopper")->type_name("NAME");
  gpus.add_option("--capability", options->capability, "GPUs of this compute capability: 8.6, sm_86")->type_name("X.Y");
  gpus.add_flag("--laptop", options->laptop, "laptop GPUs only");
  add_value(gpus, *options, Field::torch, "--torch", "GPUs that a wheel of this version runs on: 1.13, '>=2.3,<2.5'");

  auto& images = subject(Listed::images, "published images of nvidia/cuda, pytorch/pytorch and tensorflow/tensorflow");
  add_choices(images, "--repo", options->repositories, answers::repository_names, "images from this repository (repeatable)");
  add_value(images, *options, Field::torch, "--torch", "pytorch images of this version");
  add_value(images, *options, Field::tensorflow, "--tensorflow", "tensorflow images of this version");
  add_value(images, *options, Field::cuda, "--cuda", "12.1, 12.1.1, '>=12.1,<13'");
  add_value(images, *options, Field::cudnn, "--cudnn", "images with this major version of cuDNN: 8, 9");
  add_value(images, *options, Field::os, "--os", "images based on this OS: ubuntu22.04, rockylinux9");
  add_choices(images, "--variant", options->variants, answers::image_variant_names, "images of this variant (repeatable)");
  add_choices(images, "--evidence", options->evidence, answers::evidence_names,
              "the evidence for the tag (repeatable; default: listed, recipe and used)");
  images.footer(
      "Evidence for a tag: listed (in NVIDIA's lists of tags, or the registry's), recipe (its Dockerfile was published), used (a "
      "public file names it), used-doubtful (one does, against NVIDIA's lists), inferred (not seen, but another tag of its "
      "version was). Status: supported or eol, as NVIDIA lists it; dropped (in its lists no more); later (newer than those "
      "lists).");

  subject(Listed::os, "operating systems");
  subject(Listed::presets, "ready-made requests for 'envgen resolve --preset'");
  subject(Listed::mirrors, "package mirrors for 'envgen render --mirror'");
  subject(Listed::diagnoses, "failures that 'envgen explain' recognises");

  return [options, chosen, &context]() -> Expected<Exit> {
    if (!*chosen) return tl::unexpected(nothing_to_list(*options));
    return run_list(**chosen, *options, context);
  };
}

}  // namespace envgen::cli
