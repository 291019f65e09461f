#include <fmt/format.h>

#include "validate/agreement.hpp"
#include "validate/bench_report.hpp"
#include "validate/steps.hpp"
#include "validate/words.hpp"

namespace envgen::validate {

std::optional<ImageFiles> image_files_of(const Run& run, const Launched& launched) {
  if (launched.end != Launched::End::done) return std::nullopt;
  const auto bench = bench_report_of(launched, run.nonce);
  return bench ? image_files_of(*bench) : std::nullopt;
}

std::optional<ImageFiles> image_files_of(const BenchReport& bench) {
  for (const auto& row : bench.rows) {
    if (row.check == "image-files") return parse_image_files(row);
  }
  return std::nullopt;
}

void compare_self_report(Run& run, const ImageFiles& found) {
  if (!run.told) return;
  auto result = judge_agreement(*run.told, found);
  if (result.status == Status::fail) doubt(run.report.results);
  run.report.results.push_back(std::move(result));
}

Expected<void> files_step(Run& run, Place& place, const std::filesystem::path& bench) {
  if (!run.files) {
    run.progress("looking at the image's files");
    // An engine whose default runtime is NVIDIA's puts the driver's files even into a container without --gpus, where the image
    // asks for that; `void` keeps it from doing so.
    const auto launched = place.launch({{"--network=none", "--env=NVIDIA_VISIBLE_DEVICES=void"},
                                        bench_in_container,
                                        bench_arguments(run, {"--tests=image-files", "--files-of=/"}),
                                        bench});
    if (!launched) return tl::unexpected(launched.error());
    run.files = image_files_of(run, *launched);
    if (!run.files && launched->end != Launched::End::not_there) {
      const auto why = launched->why.empty() ? std::string("envgen-bench does not tell of them") : launched->why;
      for (const auto* check : {"driver-files", "second-libraries"})
        run.report.add(check, Status::unknown, with_words(fmt::format("the image's files: {}", why), launched->words));
    }
  }
  if (!run.files) {
    if (run.told) run.report.add("self-report", Status::unknown, "what Python says could not be compared with the image's files");
    return {};
  }
  run.files->library_path = library_path_of(run.loader);
  run.report.results.push_back(judge_driver_files(*run.files));
  run.report.results.push_back(judge_second_libraries(*run.files, run.lock));
  compare_self_report(run, *run.files);
  return {};
}

}  // namespace envgen::validate
