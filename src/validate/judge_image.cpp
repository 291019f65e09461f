#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/spelling.hpp"
#include "validate/judge.hpp"

namespace envgen::validate {
namespace {

/// Failures of a start that the image or its user is to blame for, not the machine.
constexpr std::array<std::string_view, 4> not_of_the_machine{"image-needs-newer-driver", "driver-in-image", "ipc-not-shareable",
                                                             "podman-shm-with-host-ipc"};

/// A failure for something that this machine lacks.
Result lacking(std::string_view check, std::string message) {
  auto result = made(check, Status::fail, std::move(message));
  result.prerequisite = true;
  return result;
}

Result judge_no_engine(const Error& error) {
  auto result = lacking("engine", with_words(error.message, error.hints));
  result.diagnosis = recognised({error.message, fmt::format("{}", fmt::join(error.hints, "\n"))});
  return result;
}

Result judge_engine(const EngineSeen& seen) {
  if (!seen.leftovers) return judge_no_engine(seen.leftovers.error());
  const auto& facts = seen.facts;
  const auto& [removed, left] = *seen.leftovers;
  auto message = seen.name + " responds";
  if (!facts.local) message += ", on another machine";
  if (!removed.empty()) message += fmt::format("; removed {} container(s) left by an earlier run", removed.size());
  if (!left.empty()) message += fmt::format("; from an earlier run: {}", container::describe(left));
  auto result = made("engine", left.empty() ? Status::pass : Status::warn, std::move(message));
  result.evidence = {{"kind", name_of(seen.kind)},  {"version", facts.version},   {"address", seen.address},
                     {"local", facts.local},        {"runtimes", facts.runtimes}, {"cdi_devices", facts.cdi_devices},
                     {"leftovers_removed", removed}};
  return result;
}

/// `engines`: the processor of the engine's machine; empty: not told.
Result judge_found(const container::Image& image, const std::string& engines) {
  auto result = made("image", Status::pass,
                     fmt::format("{} for {}, {} layers, {} MB", visible(image.id, 19), visible(image.architecture, 20),
                                 image.layers, image.bytes / 1'000'000));
  if (!engines.empty() && container::machine_of(engines) != container::machine_of(image.architecture)) {
    result.status = Status::warn;
    result.message += fmt::format("; the engine's machine is {} and can run it only by emulation", visible(engines, 20));
  }
  result.evidence = {{"id", image.id}, {"architecture", image.architecture}, {"bytes", image.bytes}, {"layers", image.layers}};
  return result;
}

const std::string* label_of(const container::Image& image) {
  const auto label = image.labels.find("envgen.lock");
  return label == image.labels.end() ? nullptr : &label->second;
}

/// What the image is compared with; null: nothing.
const LockedTo* lock_of(const Options& options, const container::Image& image) {
  const auto& lock = options.lock;
  return lock && (lock->named || label_of(image) != nullptr) ? &*lock : nullptr;
}

Result judge_lock_label(const Options& options, const container::Image& image) {
  const auto is = [](Status status, std::string message) { return made("lock-label", status, std::move(message)); };
  const auto* const label = label_of(image);
  const auto* const lock = lock_of(options, image);
  if (lock == nullptr) {
    if (asks_for_versions(options)) return is(Status::skip, "versions were requested instead of a lock");
    if (label == nullptr) return is(Status::skip, "there is no lock to compare with (--lock FILE names one)");
    return is(Status::warn, "the image names a lock, but there is none to compare with (--lock FILE names one)");
  }
  const bool same = label != nullptr && *label == lock->promise;
  auto result = is(same ? Status::pass : Status::fail,
                   same               ? fmt::format("built from {}", lock->file)
                   : label != nullptr ? fmt::format("built from a lock other than {}: rebuild the image", lock->file)
                                      : "the image has no label envgen.lock: it was not built from envgen's Dockerfile");
  result.evidence = {{"label", label != nullptr ? Json(visible(*label, 100)) : Json()}, {"lock", lock->promise}};
  return result;
}

/// A name of the image's own may be root's, as a file that it wrote tells.
Result judge_user(const container::Image& image, const std::optional<MountSeen>& mount) {
  const auto name = image.user.substr(0, image.user.find(':'));
  const bool root = name.empty() || name == "root" || name == "0";
  auto result =
      made("user", root ? Status::warn : Status::pass,
           root ? "the container runs as root, and files it writes to a mount belong to root" : "runs as " + visible(name, 60));
  if (!root && mount && mount->owner && mount->owner->uid == 0) {
    result.status = Status::warn;
    result.message += ", whose uid is 0: files it writes to a mount belong to root";
  }
  result.evidence = {{"user", image.user}};
  return result;
}

/// The start of the first container, and where that made no program of envgen-bench, why.
std::vector<Result> judge_start(const Launched& launched, const std::vector<std::string>& flags) {
  if (launched.too_late) return {lacking("start", "the engine left no time to start it (--timeout gives more)")};
  if (launched.end == Launched::End::refused) {
    auto result = failed("start", launched);
    result.evidence = {{"flags", flags}, {"words", launched.words}};
    result.prerequisite =
        launched.silent || (result.diagnosis != nullptr && std::find(not_of_the_machine.begin(), not_of_the_machine.end(),
                                                                     result.diagnosis->id) == not_of_the_machine.end());
    return {std::move(result)};
  }
  auto start = made("start", Status::pass, fmt::format("started with {}", fmt::join(flags, " ")));
  start.evidence = {{"flags", flags}};
  if (launched.end != Launched::End::not_there) return {std::move(start)};
  start.status = Status::unknown;
  start.message = "the container was created, but envgen-bench did not start in it";
  auto bench = made("bench", Status::fail,
                    with_words("envgen-bench does not run in the image: it needs a glibc for its architecture", launched.words));
  bench.diagnosis = recognised(launched.words);
  return {std::move(start), std::move(bench)};
}

std::vector<Result> judge_files(const FilesSeen& seen, const Environment* lock) {
  if (!seen.folders.empty())
    return {judge_driver_files(seen.folders.front()), judge_second_libraries(seen.folders.front(), lock)};
  const auto& launched = seen.launched;
  if (launched.end == Launched::End::not_there) return {};
  const auto why = launched.why.empty() ? std::string("envgen-bench does not report them") : launched.why;
  const auto message = with_words(fmt::format("the image's files: {}", why), launched.words);
  return {made("driver-files", Status::unknown, message), made("second-libraries", Status::unknown, message)};
}

Result judge_removed(std::size_t containers, const std::vector<container::Left>& left) {
  if (!left.empty()) return made("removed", Status::fail, container::describe(left));
  return made("removed", Status::pass,
              containers == 1 ? "the container was removed" : fmt::format("all {} containers were removed", containers));
}

/// Of an engine and an image that are there.
Report judge_run(const Options& options, const ImageSeen& seen, const container::Image& image,
                 const std::vector<container::Left>& left) {
  const auto* const lock = lock_of(options, image);
  auto report = judge_programs(options, seen, lock, &seen.outside);
  const bool by_cdi = seen.gpus.by_cdi || std::any_of(seen.ways.begin(), seen.ways.end(),
                                                      [](const WaySeen& way) { return way.own && way.way == GpuWay::cdi; });
  auto gate = judge_image_gate(image, seen.engine.facts.local ? options.driver : std::nullopt, by_cdi);
  if (gate.status == Status::fail && seen.gpus.none()) gate.status = Status::warn;  // without a GPU nobody asks
  report.add({judge_found(image, seen.engine.facts.architecture), judge_lock_label(options, image), std::move(gate),
              judge_user(image, seen.mount)});
  if (seen.start) report.add(judge_start(*seen.start, container_flags(options, seen.gpus)));
  if (seen.mount)
    report.add({judge_mount(*seen.mount)});
  else if (seen.files)
    report.add("mount-owner", Status::skip, "the engine is not on this machine, so its folders cannot be examined");
  if (seen.files) report.add(judge_files(*seen.files, lock == nullptr ? nullptr : &lock->environment));
  const auto* const bench = seen.bench_report();
  for (const auto& way : seen.ways) {
    if (const auto* const tried = way.bench.get()) report.add_doubles(tried->doubles);
    report.add({judge_gpu_way(way, bench == nullptr ? 0 : bench->gpus.size(), options.require)});
  }
  if (seen.containers > 0) report.add({judge_removed(seen.containers, left)});
  return report;
}

}  // namespace

Report judge_image(const Options& options, const ImageSeen& seen, const std::vector<container::Left>& left) {
  auto report =
      seen.image && *seen.image ? judge_run(options, seen, **seen.image, left) : judge_programs(options, seen, nullptr, nullptr);
  report.image = options.image;
  report.engine = seen.engine.name;
  report.add({judge_engine(seen.engine)});
  if (seen.image && !*seen.image)
    report.add({lacking("image", with_words(seen.image->error().message, seen.image->error().hints))});
  report.skip_rest([&](const Check& check) { return why_not_made(options, seen, check); });
  return report;
}

}  // namespace envgen::validate
