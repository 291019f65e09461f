#include <fmt/format.h>

#include "model/spelling.hpp"
#include "validate/steps.hpp"
#include "validate/words.hpp"

namespace envgen::validate {
namespace {

void tell_image(Run& run, const container::Image& image, const std::string& engines) {
  auto& result = run.report.add("image", Status::pass,
                                fmt::format("{} for {}, {} layers, {} MB", visible(image.id, 19), visible(image.architecture, 20),
                                            image.layers, image.bytes / 1'000'000));
  if (!engines.empty() && container::machine_of(engines) != container::machine_of(image.architecture)) {
    result.status = Status::warn;
    result.message += fmt::format("; the engine's machine is {}, and runs it by emulation at best", visible(engines, 20));
  }
  result.evidence = {{"id", image.id}, {"architecture", image.architecture}, {"bytes", image.bytes}, {"layers", image.layers}};
}

void lock_label(Run& run, const container::Image& image) {
  const auto& lock = run.options.lock;
  const auto label = image.labels.find("envgen.lock");
  const bool labelled = label != image.labels.end();
  if (!lock || (!lock->named && !labelled)) {
    if (asks_for_versions(run.options))
      run.report.add("lock-label", Status::skip, "versions were asked for in place of a lock");
    else if (labelled)
      run.report.add("lock-label", Status::warn,
                     "the image names a lock, and none is here to compare with (--lock FILE names one)");
    else
      run.report.add("lock-label", Status::skip, "no lock to compare with (--lock FILE names one)");
    return;
  }
  run.lock = &lock->environment;
  run.report.lock = lock->file;
  const bool same = labelled && label->second == lock->promise;
  auto& result = run.report.add("lock-label", same ? Status::pass : Status::fail,
                                same       ? fmt::format("built from {}", lock->file)
                                : labelled ? fmt::format("built from another lock than {}: build the image again", lock->file)
                                           : "the image has no label envgen.lock: envgen's Dockerfile did not make it");
  result.evidence = {{"label", labelled ? Json(visible(label->second, 100)) : Json()}, {"lock", lock->promise}};
}

void user(Run& run, const container::Image& image) {
  const auto name = image.user.substr(0, image.user.find(':'));
  const bool root = name.empty() || name == "root" || name == "0";
  auto& result = run.report.add(
      "user", root ? Status::warn : Status::pass,
      root ? "the container runs as root, and what it writes into a mount is root's" : "runs as " + visible(name, 60));
  result.evidence = {{"user", image.user}};
}

}  // namespace

Expected<std::optional<container::Image>> image_step(Run& run, const container::Engine& engine) {
  auto image = engine.image(run.options.image);
  if (!image) {
    const auto& error = image.error();
    if (error.code != ErrorCode::missing) return tl::unexpected(error);
    auto& result = run.report.add("image", Status::fail, with_words(error.message, error.hints));
    result.prerequisite = true;
    run.stopped = "there is no image";
    return std::nullopt;
  }
  tell_image(run, *image, engine.facts().architecture);
  run.loader = loader_environment(image->environment);
  lock_label(run, *image);
  user(run, *image);
  return std::optional(std::move(*image));
}

}  // namespace envgen::validate
