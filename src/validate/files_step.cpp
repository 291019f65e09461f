#include <fmt/format.h>

#include "validate/bench_report.hpp"
#include "validate/steps.hpp"
#include "validate/words.hpp"

namespace envgen::validate {

std::optional<ImageFiles> image_files_of(const Launched& launched) {
  if (launched.end != Launched::End::done) return std::nullopt;
  const auto bench = bench_report_of(launched);
  return bench ? image_files_of(*bench) : std::nullopt;
}

std::optional<ImageFiles> image_files_of(const BenchReport& bench) {
  for (const auto& row : bench.rows) {
    if (row.check == "image-files") return parse_image_files(row);
  }
  return std::nullopt;
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
    run.files = image_files_of(*launched);
    if (!run.files && launched->end != Launched::End::not_there) {
      const auto why = launched->why.empty() ? std::string("envgen-bench does not tell of them") : launched->why;
      for (const auto* check : {"driver-files", "second-libraries"})
        run.report.add(check, Status::unknown, with_words(fmt::format("the image's files: {}", why), launched->words));
    }
  }
  if (!run.files) return {};
  run.files->library_path = run.library_path;
  run.report.results.push_back(judge_driver_files(*run.files));
  run.report.results.push_back(judge_second_libraries(*run.files, run.lock));
  return {};
}

}  // namespace envgen::validate
