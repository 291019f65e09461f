#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "container/container.hpp"
#include "model/error.hpp"
#include "util/run_time.hpp"
#include "validate/result.hpp"

namespace envgen::validate {

/// One program in a container of its own.
struct Program {
  std::vector<std::string> flags;
  std::string entrypoint;
  std::vector<std::string> arguments;
  std::filesystem::path file;  ///< copied in as the entrypoint; empty: the image has it
  std::function<void(std::string_view)> hears =
      {};                            ///< is given the lines of its error output that begin with `progress_mark`, without it
  bool looks_for_libraries = false;  ///< of one that is copied in: LD_LIBRARY_PATH is part of what it tests, and stays
};

/// What a line of progress on the error output begins with; such a line is none of the words that a program leaves.
inline constexpr std::string_view progress_mark = "envgen-bench: running ";

/// The most that a program may print.
inline constexpr std::size_t largest_out_mib = 16;

/// How far it got.
struct Launched {
  enum class End { refused, not_there, failed, done };
  End end = End::refused;
  std::string why{};                 ///< of all but `done`: one line
  std::vector<std::string> words{};  ///< the engine's or the program's own, a line each
  std::string out{};                 ///< what the program printed
  int exit_status = 0;
  std::string ipc_mode{};
  bool out_of_memory = false;  ///< the kernel killed it
  bool too_late = false;       ///< it was not started, for the time was over
  bool silent = false;         ///< refused, for the engine did not answer in time
};

/// A program that was started, and what it reported where that is believed.
template <class Report>
struct Told {
  Launched launched{};
  Expected<Report> report = fail(ErrorCode::missing, "it did not finish");

  const Report* get() const { return report ? &*report : nullptr; }
};

/// The failed check of a program that did not get to its end (`End` is not `done`); unknown of one that came too late.
Result failed(std::string_view check, const Launched& launched);
/// ... that ended, and whose report cannot be read.
Result failed(std::string_view check, const Launched& launched, const Error& of_its_report);
template <class Report>
Result failed(std::string_view check, const Told<Report>& told) {
  return told.launched.end == Launched::End::done ? failed(check, told.launched, told.report.error())
                                                  : failed(check, told.launched);
}
/// Why a program that printed more than `largest_out_mib` was ended.
std::string printed_too_much();

/// A program that came too late.
Launched out_of_time();

/// True of one whose container ran, whatever then became of its program.
inline bool started(const Launched& launched) { return !launched.too_late && launched.end != Launched::End::refused; }

/// Where the programs of a run are started.
class Place {
 public:
  virtual ~Place() = default;
  /// refused: no such process or container can be made. not_there: there is no such program, or it cannot be run. failed:
  /// it was killed, its time was over, or it wrote too much. done: it ended by itself. Errors: interrupted, and what keeps a
  /// program from being started at all.
  virtual Expected<Launched> launch(const Program& program) = 0;
};

/// Containers of one image, removed when their programs have ended.
class Launcher : public Place {
 public:
  /// `left` is told of the containers that the engine does not remove.
  Launcher(const container::Engine& engine, std::string image, std::vector<container::Left>& left)
      : engine_(engine), image_(std::move(image)), left_(left) {}

  Expected<Launched> launch(const Program& program) override;

  std::size_t launched() const { return launched_; }

 private:
  Expected<Launched> launch_in(container::Container& container, const Program& program) const;

  const container::Engine& engine_;
  std::string image_;
  std::vector<container::Left>& left_;
  std::size_t launched_ = 0;
};

/// The environment that envgen itself is in: programs are its children, without a container. The flags of a program, which are
/// an engine's, are left aside; one that brings its file is run where that lies.
class Here : public Place {
 public:
  explicit Here(util::RunTime time) : time_(time) {}
  Expected<Launched> launch(const Program& program) override;

 private:
  util::RunTime time_;
};

}  // namespace envgen::validate
