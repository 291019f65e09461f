#include "container/owner.hpp"

#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <fstream>
#include <iterator>

#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>

namespace envgen::container {
namespace {

std::string began(long pid) {
  std::ifstream file(fmt::format("/proc/{}/stat", pid));
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  auto place = text.rfind(')');  // the name before it may hold anything
  constexpr int fields_after_name = 20;
  for (int i = 0; i < fields_after_name && place != std::string::npos; ++i) place = text.find(' ', place + 1);
  if (place == std::string::npos) return {};
  return text.substr(place + 1, text.find(' ', place + 1) - place - 1);
}

std::string machine() {
  utsname names{};
  ::uname(&names);
  std::array<char, 64> link{};
  const auto size = ::readlink("/proc/self/ns/pid", link.data(), link.size());
  return fmt::format("{}/{}", names.nodename, std::string_view(link.data(), size > 0 ? static_cast<std::size_t>(size) : 0));
}

}  // namespace

Owner Owner::self() {
  const long pid = ::getpid();
  return {container::machine(), pid, container::began(pid)};
}

std::string Owner::label() const { return fmt::format("{} {} {}", machine, pid, began); }

std::optional<Owner> Owner::parse(std::string_view label) {
  const auto second = label.rfind(' ');
  if (second == std::string_view::npos || second == 0) return std::nullopt;
  const auto first = label.rfind(' ', second - 1);
  if (first == std::string_view::npos) return std::nullopt;
  Owner owner{std::string(label.substr(0, first)), 0, std::string(label.substr(second + 1))};
  const auto digits = label.substr(first + 1, second - first - 1);
  const auto* const end = std::from_chars(digits.data(), digits.data() + digits.size(), owner.pid).ptr;
  if (end != digits.data() + digits.size() || owner.pid <= 0) return std::nullopt;  // 0 also where they are too many
  return owner;
}

bool Owner::dead() const {
  if (machine != container::machine()) return false;
  if (::kill(static_cast<pid_t>(pid), 0) != 0 && errno == ESRCH) return true;
  const auto now = container::began(pid);
  return !now.empty() && now != began;
}

}  // namespace envgen::container
