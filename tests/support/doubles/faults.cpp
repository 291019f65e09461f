#include "faults.hpp"

#include <unistd.h>

#include <cctype>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <string_view>

namespace envgen::doubles {
namespace {

/// Where a double of the engine's hook says it, which cannot change the environment of a container.
constexpr const char* settings_file = "/etc/envgen-doubles";

/// The value of a setting: of the environment, else of the file.
std::optional<std::string> setting(std::string_view name) {
  if (const char* value = std::getenv(std::string(name).c_str()); value != nullptr) return value;
  std::ifstream file(settings_file);
  for (std::string line; std::getline(file, line);) {
    if (line.size() > name.size() && line.starts_with(name) && line[name.size()] == '=') return line.substr(name.size() + 1);
  }
  return std::nullopt;
}

/// All that is to go wrong. The environment may change between two calls, the file does not.
std::string orders() {
  if (const char* value = std::getenv("ENVGEN_DOUBLE_FAULTS"); value != nullptr) return value;
  static const auto of_file = setting("ENVGEN_DOUBLE_FAULTS").value_or("");
  return of_file;
}

/// What ENVGEN_DOUBLE_FAULTS says of `function`; "" for nothing.
std::string order_for(std::string_view function) {
  const auto all = orders();
  std::string_view rest = all;
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
  if (order.empty() || std::isdigit(static_cast<unsigned char>(order.front())) == 0) return std::nullopt;
  return std::atoi(order.c_str());
}

bool told_anything(const std::string& function) { return !order_for(function).empty(); }

bool told(const std::string& function, std::string_view word) { return order_for(function) == word; }

std::optional<int> told_number(const std::string& function, std::string_view word) {
  const auto order = order_for(function);
  return order.starts_with(word) ? std::optional<int>(std::atoi(order.c_str() + word.size())) : std::nullopt;
}

void spoil(const std::string& function, void* written, std::size_t bytes) {
  auto* all = static_cast<unsigned char*>(written);
  if (told(function, "first")) all[0] ^= 1U;
  if (told(function, "corrupt")) all[bytes / 2] ^= 1U;
  if (told(function, "last")) all[bytes - 1] ^= 1U;
}

std::size_t written_part(const std::string& function, std::size_t bytes) {
  return told(function, "skip") ? 0 : told(function, "short") ? bytes - bytes / 4 : bytes;
}

int number_setting(const char* name, int otherwise) {
  const auto value = setting(name);
  return value ? std::atoi(value->c_str()) : otherwise;
}

std::string text_setting(const char* name, const char* otherwise) { return setting(name).value_or(otherwise); }

}  // namespace envgen::doubles
