#pragma once

#include <array>
#include <csignal>

namespace envgen::test {

/// While one lives, the signals that end a run are not ignored, whatever whoever started this test ignores.
class HeardSignals {
 public:
  HeardSignals() {
    for (std::size_t i = 0; i < signals.size(); ++i) before_.at(i) = ::signal(signals.at(i), SIG_DFL);
  }
  ~HeardSignals() {
    for (std::size_t i = 0; i < signals.size(); ++i) ::signal(signals.at(i), before_.at(i));
  }
  HeardSignals(const HeardSignals&) = delete;
  HeardSignals& operator=(const HeardSignals&) = delete;

 private:
  static constexpr std::array signals{SIGINT, SIGTERM, SIGHUP};
  std::array<void (*)(int), signals.size()> before_{};
};

}  // namespace envgen::test
