#include "cli/show.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "answers/facts.hpp"
#include "cli/answer.hpp"
#include "cli/choice_options.hpp"
#include "cli/commands.hpp"
#include "model/spelling.hpp"
#include "model/usual_spelling.hpp"

namespace envgen::cli {
namespace {

using Shown = Expected<answers::Card>;

struct ShowOptions {
  std::vector<std::string> words;  ///< the name; people write `show gpu RTX 4090` without quotes
  std::vector<std::string> extra;
  answers::CardDetail detail;
};

struct Subject {
  const char* name;
  const char* summary;
  const char* word;       ///< what its argument is
  const char* argument;   ///< what its help says of the argument
  bool optional = false;  ///< without a name it shows its newest, or all
  Shown (*show)(const matrix::Matrix& matrix, std::string_view name);
  std::optional<Field> asked_as = {};  ///< what a request calls it, where the facts may not reach a version of it
};

/// The name of nothing in the matrix: what is near, else where to look.
tl::unexpected<Error> unknown(std::string message, std::string_view name, std::span<const std::string_view> candidates,
                              std::string list) {
  auto hints = did_you_mean(name, candidates);
  hints.push_back(fmt::format("see 'envgen list {}'", list));
  return fail(ErrorCode::usage, std::move(message), {}, std::move(hints));
}

/// A version, or why the text is none.
Expected<Version> version_of(std::string_view text, std::string_view list) {
  auto version = Version::parse(text);
  if (version) return version;
  return fail(ErrorCode::usage, fmt::format("{} is {}", in_quotes(text), version.error().message), {},
              {fmt::format("see 'envgen list {}'", list)});
}

/// The release of that version; of a partial one, its newest.
Expected<const matrix::Release*> release_of(const matrix::Matrix& matrix, Framework framework, std::string_view text) {
  const auto name = name_of(framework);
  const auto version = version_of(text.substr(0, text.find('+')), name);  // `2.7.1+cu128` is a build of it
  if (!version) return tl::unexpected(version.error());
  const matrix::Release* found = nullptr;
  std::vector<std::string_view> known;
  for (const auto& release : matrix->releases) {
    if (release.framework != framework) continue;
    known.push_back(release.text.view());
    if (release.version.under(*version) && (found == nullptr || release.version > found->version)) found = &release;
  }
  if (found == nullptr) return unknown(fmt::format("no data for {} {}", name, *version), text, known, std::string(name));
  if (found->version.count() != version->count() && found->text.view() != text)
    note(fmt::format("{} {}: showing its newest release, {}", name, *version, found->text.view()));
  return found;
}

Shown show_torch(const matrix::Matrix& matrix, std::string_view name) {
  const auto release = release_of(matrix, Framework::torch, name);
  if (!release) return tl::unexpected(release.error());
  return answers::show_torch(matrix, **release);
}

Shown show_tensorflow(const matrix::Matrix& matrix, std::string_view name) {
  if (name.empty()) {
    const auto* newest = matrix.newest(Framework::tensorflow);
    if (newest == nullptr) return fail(ErrorCode::usage, "no data for tensorflow");
    return answers::show_tensorflow(matrix, *newest);
  }
  const auto release = release_of(matrix, Framework::tensorflow, name);
  if (!release) return tl::unexpected(release.error());
  return answers::show_tensorflow(matrix, **release);
}

Shown show_gpu(const matrix::Matrix& matrix, std::string_view name) {
  name = matrix.gpu_without_count(name);
  if (const auto capability = Capability::parse(name)) {
    const bool known = matrix.gpu_driver(*capability) != nullptr ||
                       std::any_of(matrix->gpus.begin(), matrix->gpus.end(),
                                   [&](const matrix::Gpu& gpu) { return gpu.capability == *capability; });
    if (known) return answers::show_capability(matrix, *capability);
    std::vector<std::string> capabilities;
    for (const auto& row : matrix->gpu_drivers) capabilities.push_back(row.capability.to_string());
    return fail(ErrorCode::usage, fmt::format("no known GPU has compute capability {}", *capability), {},
                {fmt::format("known: {}", fmt::join(capabilities, ", "))});
  }
  const auto boards = matrix.gpus_named(name);
  if (boards.size() == 1) return answers::show_gpu(matrix, *boards.front());
  if (boards.size() > 1) return answers::show_gpu_family(matrix, name, boards);
  std::vector<std::string_view> spellings;
  for (const auto& spelling : matrix->gpu_spellings) spellings.push_back(spelling.view());
  return unknown(fmt::format("unknown GPU {}", in_quotes(name)), name, spellings, "gpus");
}

Shown show_cuda(const matrix::Matrix& matrix, std::string_view name) {
  const auto version = version_of(name, "cuda");
  if (!version) return tl::unexpected(version.error());
  std::vector<const matrix::Toolkit*> toolkits;
  std::vector<std::string_view> known;
  for (const auto& toolkit : matrix->toolkits) {
    known.push_back(toolkit.text.view());
    if (toolkit.version.under(*version)) toolkits.push_back(&toolkit);
  }
  if (toolkits.empty()) return unknown(fmt::format("no data for CUDA {}", *version), name, known, "cuda");
  return answers::show_cuda(matrix, *version, toolkits);
}

Shown show_cudnn(const matrix::Matrix& matrix, std::string_view name) {
  const auto version = version_of(name, "cudnn");
  if (!version) return tl::unexpected(version.error());
  std::vector<const matrix::Cudnn*> releases;
  std::vector<std::string_view> known;
  for (const auto& release : matrix->cudnns) {
    known.push_back(release.text.view());
    if (release.version.under(*version)) releases.push_back(&release);
  }
  if (releases.empty()) return unknown(fmt::format("no data for cuDNN {}", *version), name, known, "cudnn");
  return answers::show_cudnn(matrix, *version, releases);
}

Shown show_driver(const matrix::Matrix& matrix, std::string_view name) {
  auto text = name;
  if (text.starts_with('R') || text.starts_with('r')) text.remove_prefix(1);
  if (text.starts_with("nvidia-driver-")) text.remove_prefix(std::string_view("nvidia-driver-").size());
  const auto of_windows = driver_of_windows_file(text);  // 31.0.15.3623
  if (!of_windows.empty()) text = of_windows;
  auto version = version_of(text, "drivers");
  if (!version && !matrix.gpus_named(matrix.gpu_without_count(name)).empty())
    version.error().hints = {fmt::format("the drivers of a GPU: envgen list drivers --gpu {}", in_quotes(name))};
  if (!version) return tl::unexpected(version.error());
  if (const auto* branch = matrix.branch(version->major())) return answers::show_driver(matrix, *branch);
  if (const auto* branch = answers::branch_of_windows(matrix, *version)) {
    note(fmt::format("{} is numbered like a Windows driver: showing its branch, {}, with the versions that it has on Linux",
                     *version, branch->branch));
    return answers::show_driver(matrix, *branch);
  }
  std::vector<std::string> texts;
  for (const auto& row : matrix->branches) texts.push_back(fmt::format("{}", row.branch));
  const std::vector<std::string_view> known(texts.begin(), texts.end());
  return unknown(fmt::format("unknown driver branch {}", version->major()), fmt::format("{}", version->major()), known,
                 "drivers");
}

Shown show_image(const matrix::Matrix& matrix, std::string_view name) {
  auto rest = name;
  if (rest.starts_with("docker.io/")) rest.remove_prefix(std::string_view("docker.io/").size());
  const auto matches = [&](std::string_view tag, std::string_view reference) { return rest == tag || rest == reference; };
  std::vector<std::string_view> known;
  for (const auto& image : matrix->cuda_images) {
    if (matches(image.tag, answers::image_reference(image))) return answers::show_cuda_image(matrix, image);
    known.push_back(image.tag.view());
  }
  for (const auto& image : matrix->official_images) {
    if (matches(image.tag, answers::image_reference(image))) return answers::show_official_image(matrix, image);
    known.push_back(image.tag.view());
  }
  const auto colon = rest.rfind(':');
  const auto tag = colon == std::string_view::npos ? rest : rest.substr(colon + 1);
  return unknown(fmt::format("{} is not a known image tag, and may not exist", in_quotes(name)), tag, known, "images");
}

Shown show_os(const matrix::Matrix& matrix, std::string_view name) {
  if (const auto* os = matrix.os_as_written(name)) return answers::show_os(matrix, *os);
  auto no_system = fmt::format("{} is not a known operating system", in_quotes(name));
  if (resolver::is_jetpack(lower(name)))
    return fail(ErrorCode::usage, std::move(no_system), {},
                {std::string(resolver::jetpack_fact), std::string(resolver::jetson_note)});
  std::vector<std::string_view> known;
  for (const auto& os : matrix->os) {
    known.push_back(os.id.view());
    for (const auto& alias : os.aliases) known.push_back(alias.view());
  }
  return unknown(std::move(no_system), name, known, "os");
}

constexpr std::array subjects{
    Subject{"torch", "a PyTorch release: its builds, companion packages, conda packages and images", "VERSION",
            "2.3.1, or 2.3 for its newest release", false, show_torch, Field::torch},
    Subject{"tensorflow", "a TensorFlow release", "VERSION", "2.15.0 (default: the newest)", true, show_tensorflow,
            Field::tensorflow},
    Subject{"gpu", "a GPU: its specifications, its drivers, and the torch builds that run on it", "NAME",
            "4090, A100, 10de:2684, or a compute capability: 8.6", false, show_gpu},
    Subject{"cuda", "a CUDA version: its drivers, toolkits and images", "VERSION", "12, 12.1, 12.1.1", false, show_cuda,
            Field::cuda},
    Subject{"cudnn", "a cuDNN version: the GPUs it supports and the torch builds that pin it", "VERSION", "9, 9.1, 9.1.0.70",
            false, show_cudnn},
    Subject{"driver", "a driver branch: its CUDA version and the GPUs it supports", "VERSION", "535, 535.183.01", false,
            show_driver},
    Subject{"image", "an image: its contents and the driver it requires", "NAME",
            "a tag, or a full reference: nvidia/cuda:12.1.1-devel-ubuntu22.04", false, show_image},
    Subject{"os", "an operating system: its Python versions, glibc and gcc", "NAME", "ubuntu22.04, jammy (default: all)", true,
            show_os},
};

/// `latest` of what has versions is its newest; any other name is meant as it is written.
std::string meant_by(const std::string& name, const Subject& subject, const matrix::Matrix& matrix) {
  const auto word = lower(name);
  if (word != "latest" && word != "newest" && word != "stable") return name;
  std::vector<Version> known;
  if (subject.show == show_torch || subject.show == show_tensorflow) {
    const auto* newest = matrix.newest(subject.show == show_torch ? Framework::torch : Framework::tensorflow);
    if (newest != nullptr) known.push_back(newest->version);
  } else if (subject.show == show_cuda) {
    for (const auto& toolkit : matrix->toolkits) known.push_back(toolkit.version);
  } else if (subject.show == show_cudnn) {
    for (const auto& release : matrix->cudnns) known.push_back(release.version);
  } else if (subject.show == show_driver) {
    for (const auto& branch : matrix->branches) known.emplace_back(branch.branch);
  }
  return known.empty() ? name : std::max_element(known.begin(), known.end())->to_string();
}

/// What resolve says of a version; none: the subject is no version that one can ask for.
std::optional<Expected<api::Answer>> resolved(const Subject& subject, const matrix::Matrix& matrix, const std::string& name) {
  if (!subject.asked_as || !Version::parse(name)) return std::nullopt;
  return api::answer(matrix, {{{*subject.asked_as, name, Origin::flag, ""}}});
}

/// True of a version of which the facts say nothing, because it lies outside them.
bool is_outside(const Expected<api::Answer>& answer) {
  const auto* missing = answer ? std::get_if<resolver::Unknown>(&answer->found) : nullptr;
  return missing != nullptr && missing->outside;
}

Expected<Exit> run_show(const Subject& subject, const ShowOptions& options, Context& context) {
  auto matrix = context.matrix();
  if (!matrix) return tl::unexpected(matrix.error());
  const auto terminal = util::Terminal::of_stdout();
  const auto name = meant_by(fmt::format("{}", fmt::join(options.words, " ")), subject, *matrix);
  if (name.empty() && subject.show == show_os) {
    const auto sheet = answers::list_os(*matrix);
    return written(context.json         ? answers::sheet_json(sheet)
                   : options.detail.all ? answers::sheet_text(sheet, terminal)
                                        : answers::systems_text(*matrix, terminal));
  }
  if (name.empty() && !subject.optional)
    return fail(ErrorCode::usage, fmt::format("no {} {} given", subject.name, lower(subject.word)), {},
                {fmt::format("envgen show {} {}: {}", subject.name, subject.word, subject.argument)});
  const auto answer = resolved(subject, *matrix, name);
  if (answer && is_outside(*answer)) return show(**answer, {}, *matrix, context);
  const auto card = subject.show(*matrix, name);
  // That of resolve says where a release is that envgen has no data on.
  if (!card) return tl::unexpected(answer && !*answer ? answer->error() : card.error());
  return written(context.json ? answers::card_json(*card, **matrix)
                              : answers::card_text(*card, **matrix, options.detail, terminal));
}

Error no_subject(const ShowOptions& options, const matrix::Matrix* matrix) {
  std::vector<std::string_view> names;
  for (const auto& subject : subjects) names.emplace_back(subject.name);
  if (options.extra.empty())
    return {ErrorCode::usage, "a subcommand is missing", {}, {fmt::format("envgen show {} NAME", fmt::join(names, "|"))}};
  auto hints = did_you_mean(options.extra.front(), names, 1);
  if (matrix != nullptr && !matrix->gpus_named(options.extra.front()).empty())
    hints = {fmt::format("did you mean: envgen show gpu {}", in_quotes(options.extra.front()))};
  hints.push_back(fmt::format("commands: {}", fmt::join(names, ", ")));
  return {ErrorCode::usage, fmt::format("unknown command {}", in_quotes(options.extra.front())), {}, std::move(hints)};
}

}  // namespace

bool is_shown(std::string_view subject) {
  return std::any_of(subjects.begin(), subjects.end(), [&](const Subject& one) { return one.name == subject; });
}

Action setup_show(CLI::App& app, Context& context) {
  auto options = std::make_shared<ShowOptions>();
  auto chosen = std::make_shared<const Subject*>(nullptr);
  app.require_subcommand(0, 1);
  app.add_option("subject", options->extra, "")->group("");  // a word that is no subject lands here
  for (const auto& subject : subjects) {
    auto* sub = app.add_subcommand(subject.name, subject.summary);
    sub->add_option(subject.word, options->words, subject.argument)->type_name("");
    if (subject.show != show_image)  // its card is short: it always shows all facts
      sub->add_flag("--all", options->detail.all, "show more: every field, and longer lists")->group("Output");
    sub->add_flag("--sources", options->detail.sources, "show the source of each fact")->group("Output");
    sub->parse_complete_callback([chosen, &subject] { *chosen = &subject; });
    add_format(*sub, context);
  }
  return [options, chosen, &context]() -> Expected<Exit> {
    if (*chosen == nullptr) {
      const auto matrix = context.matrix();
      return tl::unexpected(no_subject(*options, matrix ? &*matrix : nullptr));
    }
    return run_show(**chosen, *options, context);
  };
}

}  // namespace envgen::cli
