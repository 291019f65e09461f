#include "validate/launch.hpp"

#include <sstream>

#include <fmt/format.h>

#include "model/spelling.hpp"
#include "validate/loader_environment.hpp"

namespace envgen::validate {
namespace {

Launched refused(const Error& error) {
  Launched launched{Launched::End::refused, error.message, error.hints};
  launched.silent = container::came_too_late(error);
  return launched;
}

/// `exec container process (missing dynamic library?) `/envgen-bench`: No such file or directory`, of crun 1.21.
bool says_crun(const std::string& text, const std::string& entrypoint) {
  return text.find("exec container process") != std::string::npos &&
         text.find(fmt::format("`{}`", entrypoint)) != std::string::npos;
}

/// What docker's and podman's runtimes say where the program is not in the image, or its loader or its processor is another one.
/// Of a file that a hook or a mount of the engine's misses they say much the same, but not by the program's name.
bool cannot_be_run(const std::string& text, const std::string& entrypoint) {
  const auto words = lower(text);
  const auto says = [&](std::string_view sign) { return words.find(sign) != std::string::npos; };
  if (says("executable file not found") || says("exec format error") || says("executable file `") || says("open executable: "))
    return true;
  if (!says("no such file or directory")) return false;
  const auto name = lower(entrypoint);
  return says(fmt::format("exec: \"{}\"", name)) || says(fmt::format("exec {}: ", name)) ||
         says(fmt::format("stat {}: ", name)) || says("exec user process caused") || says_crun(text, entrypoint);
}

/// The container's first process found its program to be none: some runtimes then call it started, and it ended by itself.
bool says_so_itself(const std::string& err, const std::string& entrypoint) {
  return err.starts_with(fmt::format("exec {}: ", entrypoint)) || err.find("exec user process caused") != std::string::npos ||
         says_crun(err, entrypoint);
}

/// Finds the lines of progress in what comes in pieces.
class ProgressLines {
 public:
  explicit ProgressLines(const std::function<void(std::string_view)>& hears) : hears_(hears) {}

  void operator()(std::string_view piece) {
    constexpr std::size_t longest_line = 200;
    for (const char c : piece) {
      if (c != '\n') {
        if (line_.size() < longest_line) line_ += c;
        continue;
      }
      if (line_.starts_with(progress_mark)) hears_(visible(line_.substr(progress_mark.size()), longest_line));
      line_.clear();
    }
  }

 private:
  const std::function<void(std::string_view)>& hears_;
  std::string line_;
};

std::string without_progress(const std::string& err) {
  std::string rest;
  std::istringstream lines(err);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(progress_mark)) rest += line + '\n';
  }
  return rest;
}

}  // namespace

Result failed(std::string_view check, const Launched& launched) {
  auto result = made(check, launched.too_late ? Status::unknown : Status::fail, with_words(launched.why, launched.words));
  result.diagnosis = launched.out_of_memory ? diagnosis::find("host-oom") : recognised(launched.words);
  return result;
}

Result failed(std::string_view check, const Launched& launched, const Error& of_its_report) {
  const auto why = fmt::format("{} (exit status {}): {}", of_its_report.origin, launched.exit_status, of_its_report.message);
  auto result = made(check, Status::fail, with_words(why, launched.words));
  result.diagnosis = recognised(launched.words);
  return result;
}

Launched out_of_time() {
  Launched launched{Launched::End::failed, "it was not started because the run had timed out (--timeout gives more)"};
  launched.too_late = true;
  return launched;
}

std::string printed_too_much() { return fmt::format("it printed more than {} MiB", largest_out_mib); }

Expected<Launched> Launcher::launch(const Program& program) {
  if (engine_.time().left().count() == 0) return out_of_time();
  container::Container container(engine_, left_);
  ++launched_;
  return launch_in(container, program);
}

Expected<Launched> Launcher::launch_in(container::Container& container, const Program& program) const {
  const auto ours = [](const Error& error) { return error.code != ErrorCode::missing; };
  auto flags = program.flags;
  if (!program.file.empty()) {  // the image's own start as they do for everybody
    for (const auto& change : without_loader_environment(program.looks_for_libraries)) flags.push_back("--env=" + change);
  }
  auto made = container.create({image_, flags, program.entrypoint, program.arguments});
  if (made && !program.file.empty()) made = container.copy_in(program.file, program.entrypoint);
  if (!made && ours(made.error())) return tl::unexpected(made.error());
  if (!made) return refused(made.error());
  std::function<void(std::string_view)> hears_err;
  if (program.hears) hears_err = ProgressLines(program.hears);
  auto ran = container.start(largest_out_mib << 20, hears_err);
  if (!ran && container::came_too_late(ran.error())) return refused(ran.error());
  if (!ran) return tl::unexpected(ran.error());
  if (program.hears) ran->err = without_progress(ran->err);
  if (ran->timed_out) {  // nor would the engine, where it is what hangs, tell the state
    const auto why = fmt::format("{}; it was killed", ran->ending());
    return Launched{Launched::End::failed, why, container::words_of(ran->err), std::move(ran->out)};
  }
  const auto state = container.state();
  if (!state) {
    if (ours(state.error())) return tl::unexpected(state.error());
    return Launched{Launched::End::failed,
                    with_words(fmt::format("the engine does not report how the container ended: {}", state.error().message),
                               state.error().hints),
                    container::words_of(ran->err)};
  }
  Launched launched{Launched::End::done, {}, container::words_of(ran->err), std::move(ran->out), state->exit_status,
                    state->ipc_mode};
  if (!state->started || !state->error.empty() || says_so_itself(ran->err, program.entrypoint)) {
    launched.words = container::words_of(ran->err.empty() ? state->error : ran->err);
    launched.end = cannot_be_run(ran->err + state->error, program.entrypoint) ? Launched::End::not_there : Launched::End::refused;
    launched.why = fmt::format("{} start: {}", name_of(engine_.kind()), ran->ending());
  } else if (state->out_of_memory) {
    launched.end = Launched::End::failed;
    launched.why = "the kernel killed it: the container ran out of memory";
    launched.out_of_memory = true;
  } else if (ran->out_cut) {
    launched.end = Launched::End::failed;
    launched.why = printed_too_much();
  } else if (constexpr int killed = 128; launched.exit_status > killed) {
    launched.end = Launched::End::failed;
    launched.why = fmt::format("it was killed by signal {}", launched.exit_status - killed);
  }
  return launched;
}

}  // namespace envgen::validate
