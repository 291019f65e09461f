#include "then.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "isolation.hpp"

namespace envgen::bench {
namespace {

constexpr std::size_t most_out = 1U << 20;

/// Where PATH has the program; "": nowhere.
std::string path_of(const std::string& program) {
  const char* value = std::getenv("PATH");
  std::string_view rest = value != nullptr ? value : "";
  while (!rest.empty()) {
    const auto end = std::min(rest.find(':'), rest.size());
    const auto path = std::string(rest.substr(0, end)) + "/" + program;
    if (::access(path.c_str(), X_OK) == 0) return path;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return "";
}

/// What the dynamic linker obeys, as the program is to find it: envgen-bench itself may have been started without it.
void restore_environment(const std::vector<std::string>& environment) {
  for (const char* name : {"LD_PRELOAD", "LD_AUDIT", "LD_LIBRARY_PATH"}) {
    if (const char* value = std::getenv(name); value != nullptr && *value == '\0') ::unsetenv(name);
  }
  for (const auto& entry : environment) {
    const auto equals = entry.find('=');
    if (equals != entry.npos) ::setenv(entry.substr(0, equals).c_str(), entry.substr(equals + 1).c_str(), 1);
  }
}

void become(const std::string& path, const std::string& name, const std::vector<std::string>& arguments, int out) {
  std::vector<char*> words{const_cast<char*>(name.c_str())};
  for (const auto& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  ::dup2(out, STDOUT_FILENO);
  ::execv(path.c_str(), words.data());
  std::fprintf(stderr, "%s: %s\n", path.c_str(), std::strerror(errno));
  constexpr int cannot_run = 126;
  ::_exit(cannot_run);
}

const char* end_of(const Outcome& outcome) {
  switch (outcome.end) {
    case Outcome::End::finished:
    case Outcome::End::exited:
      return "exited";
    case Outcome::End::crashed:
      return "killed";
    case Outcome::End::timed_out:
    case Outcome::End::stuck:
      return "timed-out";
    case Outcome::End::interrupted:
    case Outcome::End::not_started:
      break;
  }
  return "not-started";
}

}  // namespace

Json run_then(const Options& options, const TimeBudget& budget) {
  if (options.then.empty() || interrupted()) return {};
  std::string path;
  std::string name;
  for (std::size_t i = 0; i < options.then.size() && path.empty(); ++i) path = path_of(name = options.then[i]);
  if (path.empty()) return {{"program", nullptr}, {"end", "not-there"}};
  Outcome outcome;
  outcome.end = Outcome::End::not_started;
  if (const auto limit = budget.next(); limit && !limit->cut)
    outcome = run_isolated(
        [&](int descriptor) {
          restore_environment(options.then_environment);
          become(path, name, options.then_arguments, descriptor);
        },
        limit->seconds);
  const bool cut = outcome.sent.size() > most_out;
  if (cut) outcome.sent.resize(most_out);
  return {{"program", path},          {"end", end_of(outcome)},          {"exit_status", outcome.exit_status},
          {"signal", outcome.signal}, {"seconds", outcome.seconds},      {"out", std::move(outcome.sent)},
          {"out_cut", cut},           {"err", std::move(outcome.output)}};
}

Json touch(const Options& options) {
  if (options.touch.empty()) return {};
  constexpr unsigned mode = 0644;
  const int descriptor = ::open(options.touch.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  const int error = errno;
  if (descriptor >= 0) ::close(descriptor);
  return {{"path", options.touch}, {"error", descriptor >= 0 ? Json() : Json(std::strerror(error))}};
}

}  // namespace envgen::bench
