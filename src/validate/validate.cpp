#include "validate/validate.hpp"

#include <array>
#include <ctime>

#include "util/interrupt.hpp"
#include "validate/canary.hpp"
#include "validate/flags.hpp"
#include "validate/judge.hpp"
#include "validate/steps.hpp"

namespace envgen::validate {
namespace {

constexpr std::array<std::string_view, 3> profile_names{"build", "smoke", "full"};

/// `2026-11-22T10:00:00Z`
std::string utc(std::time_t time) {
  std::tm parts{};
  ::gmtime_r(&time, &parts);
  std::array<char, 32> text{};
  return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

}  // namespace

std::string_view name_of(Profile profile) { return profile_names[static_cast<std::size_t>(profile)]; }

Expected<Report> run(const Options& options, const std::function<void(std::string_view)>& progress) {
  if (auto checked = check_flags(options); !checked) return tl::unexpected(checked.error());
  const auto began = std::chrono::steady_clock::now();
  const auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  const util::InterruptScope scope;  // containers, segments and folders are taken away first
  const Context context{options, progress, made_nonce()};
  std::vector<container::Left> left;
  auto report = options.image.empty()
                    ? see_here(context).map([&](const ProgramsSeen& seen) { return judge_here(options, seen); })
                    : see_image(context, left).map([&](const ImageSeen& seen) { return judge_image(options, seen, left); });
  if (report && util::interrupted()) report = util::fail_interrupted("interrupted");  // when nothing asked any more
  if (!report) {
    if (!left.empty()) report.error().hints.push_back(container::describe(left));
    return report;
  }
  report->started = utc(now);
  report->require(options.require);
  report->sort();
  report->seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return report;
}

}  // namespace envgen::validate
