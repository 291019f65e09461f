#include "faults.hpp"

#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <string_view>

namespace envgen::doubles {
namespace {

/// What ENVGEN_DOUBLE_FAULTS says of `function`; "" for nothing.
std::string order_for(std::string_view function) {
  const char* value = std::getenv("ENVGEN_DOUBLE_FAULTS");
  std::string_view rest = value != nullptr ? value : "";
  while (!rest.empty()) {
    const auto end = rest.find(',') == rest.npos ? rest.size() : rest.find(',');
    const auto order = rest.substr(0, end);
    rest.remove_prefix(end == rest.size() ? end : end + 1);
    const auto equals = order.find('=');
    if (equals != order.npos && order.substr(0, equals) == function) return std::string(order.substr(equals + 1));
  }
  return "";
}

}  // namespace

std::optional<int> fault_of(const char* function) {
  const auto order = order_for(function);
  if (order.empty() || order == "corrupt") return std::nullopt;
  if (order == "hang") {
    for (;;) ::pause();
  }
  if (order == "crash" || order == "bus") {
    // A sanitizer's handler would turn the signal into an exit.
    const int signal = order == "bus" ? SIGBUS : SIGSEGV;
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
  if (order == "exit") ::_exit(3);
  return std::atoi(order.c_str());
}

bool corrupts(const char* function) { return order_for(function) == "corrupt"; }

int number_setting(const char* name, int otherwise) {
  const char* value = std::getenv(name);
  return value != nullptr ? std::atoi(value) : otherwise;
}

std::string text_setting(const char* name, const char* otherwise) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : otherwise;
}

}  // namespace envgen::doubles
