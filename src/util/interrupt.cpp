#include "util/interrupt.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <utility>

namespace envgen::util {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::array signals{SIGINT, SIGTERM, SIGHUP};
constexpr milliseconds since_the_second{2000};

// NOLINTBEGIN(cppcoreguidelines-avoid-non-const-global-variables): a handler has no other
std::atomic<int> came = 0;
std::atomic<int> first = 0;  ///< signal
std::atomic<int> newest = 0;
std::atomic<bool> told = false;
std::array<std::atomic<Clock::rep>, 2> came_at{};  ///< the first and the second
std::array<struct sigaction, signals.size()> handled_before{};
int alive = 0;  ///< scopes
// NOLINTEND(cppcoreguidelines-avoid-non-const-global-variables)

extern "C" void remember(int signal) {
  static_assert(std::atomic<int>::is_always_lock_free && std::atomic<Clock::rep>::is_always_lock_free);
  const auto earlier = static_cast<std::size_t>(came.load());
  if (earlier < came_at.size()) came_at.at(earlier) = Clock::now().time_since_epoch().count();
  if (earlier == 0) first = signal;
  newest = signal;
  came.fetch_add(1);  // last: whoever sees it finds its time
}

milliseconds since(const std::atomic<Clock::rep>& then) {
  return std::chrono::duration_cast<milliseconds>(Clock::now().time_since_epoch() - Clock::duration(then.load()));
}

}  // namespace

InterruptScope::InterruptScope() {
  if (alive++ > 0) return;
  struct sigaction action {};
  action.sa_handler = remember;
  sigemptyset(&action.sa_mask);
  for (const int signal : signals) sigaddset(&action.sa_mask, signal);  // one after the other, so that each is counted
  for (std::size_t i = 0; i < signals.size(); ++i) {
    ::sigaction(signals[i], nullptr, &handled_before[i]);
    // One that whoever started this ignores (nohup) stays ignored.
    if (handled_before[i].sa_handler != SIG_IGN) ::sigaction(signals[i], &action, nullptr);
  }
}

InterruptScope::~InterruptScope() {
  if (--alive > 0) return;
  for (std::size_t i = 0; i < signals.size(); ++i) ::sigaction(signals[i], &handled_before[i], nullptr);
  const bool was_told = told.exchange(false);
  if (came.exchange(0) > 0 && !was_told) std::raise(newest);
}

bool interrupted() { return came != 0; }

int interrupting_signal() { return first; }

tl::unexpected<Error> fail_interrupted(std::string message, std::string origin) {
  told = true;
  return fail(ErrorCode::interrupted, std::move(message), std::move(origin));
}

milliseconds left_of(milliseconds grace) {
  const int number = came;
  if (number > 2) return milliseconds(0);
  auto left = grace;
  if (number > 0) left = grace - since(came_at[0]);
  if (number > 1) left = std::min(left, since_the_second - since(came_at[1]));
  return std::max(left, milliseconds(0));
}

}  // namespace envgen::util
