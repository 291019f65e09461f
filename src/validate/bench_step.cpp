#include <algorithm>

#include <fmt/format.h>

#include "validate/canary.hpp"
#include "validate/steps.hpp"

namespace envgen::validate {
namespace {

/// Also what the other steps ask for, so that theirs need no container.
void add_other_steps(const Context& context, const LoaderEnvironment& loader, const std::optional<util::TemporaryFolder>& mount,
                     Program& program) {
  auto& arguments = program.arguments;
  for (const auto* python : python_names) arguments.push_back(fmt::format("--then={}", python));
  for (const auto& [name, value] : loader) arguments.push_back(fmt::format("--then-environment={}={}", name, value));
  for (const auto& argument : python_arguments(context)) arguments.push_back(fmt::format("--then-argument={}", argument));
  if (!mount) return;
  program.flags.push_back(mount_flag(*mount));
  arguments.push_back(touch_flag());
}

/// Our folder, which the engine does not know or cannot mount, is no failure of the flags that were asked for. Its names on both
/// sides begin alike.
bool misses_our_folder(const Launched& launched) {
  return launched.end == Launched::End::refused &&
         std::any_of(launched.words.begin(), launched.words.end(),
                     [](const auto& line) { return line.find(mount_in_container) != std::string::npos; });
}

}  // namespace

std::vector<std::string> bench_time(std::chrono::seconds whole, std::chrono::seconds left, Profile profile) {
  // For the start of the container, and a process that the kernel does not let go of at once.
  constexpr double longest_start = 15;
  constexpr double smoke_test = 60;  // all tests of a healthy machine take half of that
  constexpr double full_test = 120;
  const auto of = [](std::chrono::seconds seconds) { return static_cast<double>(seconds.count()); };
  const double start = std::min(longest_start, of(whole) / 4);
  // Less where the engine took its time before; the second it took to answer changes nothing.
  const double total = std::min(of(whole) - start, of(left) - std::min(start / 2, of(left) / 4));
  const double one = std::min(profile == Profile::full ? full_test : smoke_test, total / 2);
  return {fmt::format("--timeout={:g}", one), fmt::format("--total-timeout={:g}", total)};
}

Program bench_program(const Context& context, const std::filesystem::path& bench, std::vector<std::string> flags,
                      const std::vector<std::string>& arguments) {
  const auto& options = context.options;
  Program program{std::move(flags), bench_in_container, {"--format=json", "--report-nonce=" + context.nonce}, bench};
  const auto add = [&](const auto& more) { program.arguments.insert(program.arguments.end(), more.begin(), more.end()); };
  add(bench_time(options.timeout, context.time.left(), options.profile));
  add(arguments);
  return program;
}

Program test_program(const Context& context, const std::filesystem::path& bench, const ChosenGpus& gpus,
                     const LoaderEnvironment& loader) {
  const auto& options = context.options;
  std::vector<std::string> arguments{options.profile == Profile::full ? "--profile=full" : "--profile=smoke"};
  const auto path = library_path_of(loader);
  if (gpus.none() && !path.empty()) arguments.push_back("--library-path=" + path);
  if (options.profile == Profile::build) arguments.emplace_back("--tests=probe,ipc,shm,image-files");
  auto program = bench_program(context, bench, container_flags(options, gpus), arguments);
  program.looks_for_libraries = !gpus.none();
  return program;
}

Expected<BenchTold> run_bench(const Context& context, Place& place, const Program& program) {
  auto launched = place.launch(program);
  if (!launched) return tl::unexpected(launched.error());
  BenchTold told{std::move(*launched)};
  if (told.launched.end == Launched::End::done) told.report = bench_report_of(told.launched, context.nonce);
  return told;
}

Expected<FirstSeen> first_step(const Context& context, Place& place, const std::filesystem::path& bench, const ChosenGpus& gpus,
                               const LoaderEnvironment& loader, HeldIpc held, bool local) {
  context.progress("running envgen-bench in the container");
  std::optional<Canary> canary;
  if (local) held = canary.emplace().held();
  auto alone = test_program(context, bench, gpus, loader);
  if (gpus.none()) alone.arguments.emplace_back("--files-of=/");
  alone.arguments.insert(alone.arguments.end(), held.bench_flags.begin(), held.bench_flags.end());
  alone.arguments.emplace_back("--progress");
  alone.hears = [&](std::string_view test) { context.progress(fmt::format("envgen-bench in the container: {}", test)); };
  std::optional<util::TemporaryFolder> mount;
  if (local) {
    if (auto folder = mount_folder()) mount.emplace(std::move(*folder));  // else mount_step says why
  }
  auto program = alone;
  add_other_steps(context, loader, mount, program);
  auto told = run_bench(context, place, program);
  if (told && mount && misses_our_folder(told->launched)) {
    mount.reset();
    told = run_bench(context, place, alone);
  }
  if (!told) return tl::unexpected(told.error());
  return FirstSeen{std::move(*told), std::move(mount), std::move(held)};
}

std::optional<ImageFiles> image_files_of(const BenchTold& bench) {
  const auto* const row = bench.report ? bench.report->row("image-files") : nullptr;
  return row == nullptr ? std::nullopt : parse_image_files(*row);
}

Expected<FilesSeen> files_step(const Context& context, Place& place, const std::filesystem::path& bench, const BenchTold& first,
                               const ChosenGpus& gpus, const LoaderEnvironment& loader) {
  FilesSeen seen;
  auto found = gpus.none() ? image_files_of(first) : std::nullopt;
  if (!found) {
    context.progress("examining the image's files");
    // An engine whose default runtime is NVIDIA's puts the driver's files even into a container without --gpus, where the image
    // asks for that; `void` keeps it from doing so.
    const auto told = run_bench(context, place,
                                bench_program(context, bench, {"--network=none", "--env=NVIDIA_VISIBLE_DEVICES=void"},
                                              {"--tests=image-files", "--files-of=/"}));
    if (!told) return tl::unexpected(told.error());
    seen.launched = told->launched;
    found = image_files_of(*told);
  }
  if (!found) return seen;
  found->library_path = library_path_of(loader);
  seen.folders.push_back(std::move(*found));
  return seen;
}

}  // namespace envgen::validate
