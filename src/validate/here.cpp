#include <algorithm>

#include <fmt/format.h>

#include "container/engine.hpp"
#include "model/spelling.hpp"
#include "util/process.hpp"
#include "validate/judge.hpp"
#include "validate/steps.hpp"

namespace envgen::validate {
namespace {

Expected<std::optional<ImageFiles>> files_below(const Context& context, Place& place, const std::filesystem::path& bench,
                                                const std::string& folder) {
  const auto told = run_bench(context, place, bench_program(context, bench, {}, {"--tests=image-files", "--files-of=" + folder}));
  if (!told) return tl::unexpected(told.error());
  return image_files_of(*told);
}

/// The libraries of the Python's own environment, not of all that lies on this machine. Of a virtual environment, the Python's
/// own library lies elsewhere, and with --system-site-packages the framework may. None: nothing is told of it.
Expected<std::optional<FilesSeen>> files_here(const Context& context, Place& place, const std::filesystem::path& bench,
                                              const SelfReport& told) {
  context.progress("examining the environment's files");
  auto own = files_below(context, place, bench, told.prefix);
  if (!own) return tl::unexpected(own.error());
  if (!*own) return std::nullopt;
  (*own)->library_path = library_path_of(loader_environment_here());
  FilesSeen seen;
  seen.folders.push_back(std::move(**own));
  std::error_code ignored;
  std::vector<std::filesystem::path> looked{std::filesystem::weakly_canonical(told.prefix, ignored)};
  const std::filesystem::path file(told.file);
  const std::filesystem::path library(told.library);
  for (const auto& folder : {library.parent_path(), file.parent_path().parent_path()}) {
    const auto holds = [&](const std::filesystem::path& other) {
      return std::mismatch(other.begin(), other.end(), folder.begin(), folder.end()).first == other.end();
    };
    if (folder.empty() || std::any_of(looked.begin(), looked.end(), holds)) continue;
    looked.push_back(folder);
    auto more = files_below(context, place, bench, folder.string());
    if (!more) return tl::unexpected(more.error());
    if (*more) seen.folders.push_back(std::move(**more));  // else there is no such folder
  }
  return seen;
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
  if (!ran && ran.error().code != ErrorCode::missing) return tl::unexpected(ran.error());
  if (!ran) return Launched{Launched::End::not_there, ran.error().message, {ran.error().message}};
  Launched launched{Launched::End::done, {}, container::words_of(ran->err), std::move(ran->out), ran->exit_status};
  if (ran->timed_out || ran->signal != 0) {
    launched.end = Launched::End::failed;
    launched.why = ran->timed_out ? fmt::format("{}; it was killed", ran->ending()) : fmt::format("it was {}", ran->ending());
  } else if (ran->out_cut) {
    launched.end = Launched::End::failed;
    launched.why = printed_too_much();
  }
  return launched;
}

Expected<ProgramsSeen> see_here(const Context& context) {
  ProgramsSeen seen;
  auto gpus = choose_gpus_here(context.options);
  if (!gpus) return tl::unexpected(gpus.error());
  seen.gpus = std::move(*gpus);
  Here here{context.time};
  const auto bench = context.options.bench({});
  if (bench) {
    context.progress("running envgen-bench");
    auto told = run_bench(context, here, test_program(context, *bench, seen.gpus, loader_environment_here()));
    if (!told) return tl::unexpected(told.error());
    seen.bench = std::move(*told);
  } else {
    seen.no_bench = bench.error();
  }
  auto python = python_step(context, here, seen.gpus, seen.bench_report(), "querying Python");
  if (!python) return tl::unexpected(python.error());
  seen.python = std::move(*python);
  const auto* const told = seen.self_report();
  if (told == nullptr || told->prefix.empty() || seen.bench_report() == nullptr) return seen;
  auto files = files_here(context, here, *bench, *told);
  if (!files) return tl::unexpected(files.error());
  seen.files = std::move(*files);
  return seen;
}

Report judge_here(const Options& options, const ProgramsSeen& seen) {
  const auto* const lock = options.lock ? &*options.lock : nullptr;
  auto report = judge_programs(options, seen, lock, nullptr);
  report.image = "this environment";
  if (seen.files) {
    auto result = judge_second_libraries(seen.files->folders.front(), lock == nullptr ? nullptr : &lock->environment);
    result.message = fmt::format("below {}: {}", shown(seen.self_report()->prefix), result.message);
    report.add({std::move(result)});
  }
  report.skip_rest([&](const Check& check) { return why_not_made_here(options, seen, check); });
  return report;
}

}  // namespace envgen::validate
