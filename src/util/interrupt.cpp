#include "util/interrupt.hpp"

#include <array>
#include <csignal>

namespace envgen::util {
namespace {

constexpr std::array signals{SIGINT, SIGTERM, SIGHUP};

volatile std::sig_atomic_t came = 0;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables): a handler has no other
std::array<struct sigaction, signals.size()> handled_before{};  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
int alive = 0;                                                  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

extern "C" void remember(int) { came = 1; }

}  // namespace

InterruptScope::InterruptScope() {
  if (alive++ > 0) return;
  came = 0;
  struct sigaction action {};
  action.sa_handler = remember;
  sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < signals.size(); ++i) {
    ::sigaction(signals[i], nullptr, &handled_before[i]);
    // One that whoever started this ignores (nohup) stays ignored.
    if (handled_before[i].sa_handler != SIG_IGN) ::sigaction(signals[i], &action, nullptr);
  }
}

InterruptScope::~InterruptScope() {
  if (--alive > 0) return;
  for (std::size_t i = 0; i < signals.size(); ++i) ::sigaction(signals[i], &handled_before[i], nullptr);
}

bool interrupted() { return came != 0; }

}  // namespace envgen::util
