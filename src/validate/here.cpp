#include "validate/here.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "container/engine.hpp"
#include "model/spelling.hpp"
#include "util/process.hpp"
#include "validate/image_files.hpp"
#include "validate/steps.hpp"

namespace envgen::validate {
namespace {

/// As `choose_gpus` for an engine; here the driver of this machine is what says that there are any.
Expected<void> choose_gpus_here(Run& run) {
  const auto& options = run.options;
  auto& said = run.report.gpus;
  said = options.profile == Profile::build ? "none" : options.gpus;
  if (said == "auto") said = options.driver ? "all" : "none";
  auto selection = selection_of(said, false);
  if (!selection) return tl::unexpected(selection.error());
  run.gpus.selection = std::move(*selection);
  return {};
}

Expected<std::optional<ImageFiles>> files_below(const Run& run, Place& place, const std::filesystem::path& bench,
                                                const std::string& folder) {
  const auto launched =
      place.launch({{}, bench.string(), bench_arguments(run, {"--tests=image-files", "--files-of=" + folder}), bench});
  if (!launched) return tl::unexpected(launched.error());
  return image_files_of(run, *launched);
}

/// Of a virtual environment, the Python's own library lies elsewhere, and with --system-site-packages the framework may.
Expected<void> add_files_elsewhere(const Run& run, Place& place, const std::filesystem::path& bench, ImageFiles& found) {
  const std::filesystem::path file(run.told->file);
  const std::filesystem::path library(run.told->library);
  std::error_code ignored;
  std::vector<std::filesystem::path> looked{std::filesystem::weakly_canonical(run.prefix, ignored)};
  for (const auto& folder : {library.parent_path(), file.parent_path().parent_path()}) {
    const auto holds = [&](const std::filesystem::path& other) {
      return std::mismatch(other.begin(), other.end(), folder.begin(), folder.end()).first == other.end();
    };
    if (folder.empty() || std::any_of(looked.begin(), looked.end(), holds)) continue;
    looked.push_back(folder);
    auto more = files_below(run, place, bench, folder.string());
    if (!more) return tl::unexpected(more.error());
    if (!*more) continue;  // there is no such folder
    found.complete = found.complete && (*more)->complete;
    found.left_out += (*more)->left_out;
    for (auto& one : (*more)->files) found.files.push_back(std::move(one));
    for (auto& one : (*more)->packages) found.packages.push_back(std::move(one));
    for (auto& one : (*more)->not_entered) found.not_entered.push_back(std::move(one));
  }
  return {};
}

/// The libraries of the Python's own environment, not of all that lies on this machine.
Expected<void> files_here(Run& run, Place& place, const std::filesystem::path& bench) {
  if (run.prefix.empty() || !run.bench_reported) return {};
  run.progress("looking at the environment's files");
  auto found = files_below(run, place, bench, run.prefix);
  if (!found) return tl::unexpected(found.error());
  if (*found) {
    auto& files = **found;
    files.library_path = library_path_of(run.loader);
    auto result = judge_second_libraries(files, run.lock);
    constexpr std::size_t longest_path = 300;
    result.message = fmt::format("below {}: {}", visible(run.prefix, longest_path), result.message);
    run.report.results.push_back(std::move(result));
    if (auto added = add_files_elsewhere(run, place, bench, files); !added) return added;
    compare_self_report(run, files);
  }
  return {};
}

}  // namespace

Expected<Launched> Here::launch(const Program& program) {
  const auto left = time_.left();
  if (left.count() == 0) return out_of_time();
  std::vector<std::string> words{program.file.empty() ? program.entrypoint : program.file.string()};
  words.insert(words.end(), program.arguments.begin(), program.arguments.end());
  std::vector<std::string> environment;
  if (!program.file.empty()) environment = without_loader_environment(program.looks_for_libraries);
  auto ran =
      util::run_process(words, {.timeout = left, .largest_out = largest_out_mib << 20, .environment = std::move(environment)});
  Launched launched;
  if (!ran) {
    if (ran.error().code != ErrorCode::missing) return tl::unexpected(ran.error());
    launched.end = Launched::End::not_there;
    launched.why = ran.error().message;
    launched.words = {ran.error().message};
    return launched;
  }
  launched.end = Launched::End::done;
  launched.words = container::words_of(ran->err);
  launched.exit_status = ran->exit_status;
  if (ran->timed_out || ran->signal != 0) {
    launched.end = Launched::End::failed;
    launched.why = ran->timed_out ? fmt::format("{}, and it was killed", ran->ending()) : fmt::format("it was {}", ran->ending());
  } else if (ran->out_cut) {
    launched.end = Launched::End::failed;
    launched.why = printed_too_much();
  }
  launched.out = std::move(ran->out);
  return launched;
}

Expected<void> go_here(Run& run) {
  if (auto chosen = choose_gpus_here(run); !chosen) return chosen;
  if (run.options.lock) {
    run.lock = &run.options.lock->environment;
    run.report.lock = run.options.lock->file;
  }
  run.loader = loader_environment_here();
  Here here{run.time};
  auto bench = run.options.bench({});
  if (!bench) {
    no_bench_step(run, bench.error());
    return python_step(run, here);
  }
  if (auto ran = bench_step(run, here, *bench); !ran) return ran;
  if (auto ran = python_step(run, here); !ran) return ran;
  return files_here(run, here, *bench);
}

}  // namespace envgen::validate
