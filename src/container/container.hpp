#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "container/engine.hpp"

namespace envgen::container {

inline constexpr std::string_view owner_label = "envgen.validate";

/// What taking away what was made may need in all, after the end of the run's time or after an interrupt.
inline constexpr std::chrono::seconds clean_up_time{10};

struct CreateOptions {
  std::string image;
  std::vector<std::string> flags;  ///< words of `create` beyond those that are ours
  std::string entrypoint;
  std::vector<std::string> arguments;
};

/// What an engine knows of a container after its end.
struct State {
  bool started = false;
  int exit_status = 0;
  bool out_of_memory = false;
  std::string error;     ///< why it did not start
  std::string ipc_mode;  ///< as the engine understood the flags
};

/// A container that the engine did not remove.
struct Left {
  EngineKind engine;
  std::string container;
  std::string why;
};
/// All of a run, at least one, in one line with the command that removes them.
std::string describe(const std::vector<Left>& left);

/// A container of ours, which goes when this does: on every way out, an interrupt included. What a SIGKILL leaves, and what a
/// hung engine does not remove, carries a label by which `remove_leftovers` of the next run finds it.
class Container {
 public:
  /// `left` is told of it where the engine does not remove it.
  Container(const Engine& engine, std::vector<Left>& left);
  ~Container();
  Container(const Container&) = delete;
  Container& operator=(const Container&) = delete;

  const std::string& name() const { return name_; }

  /// Not ended by an interrupt at once, for an engine goes on when its client has died: the client has some seconds to end by
  /// itself. Where it does not, the container is looked for until it is there when it is to be removed.
  Expected<void> create(const CreateOptions& options);
  /// A file, with its mode, to a path in the container: by the engine, so it needs no mount, and works where the engine is
  /// remote.
  Expected<void> copy_in(const std::filesystem::path& file, const std::string& to) const;
  /// Starts it and waits for its end. `exit_status` of the result is the container's, where it started.
  /// `hears_err` is given its error output as it comes, in pieces.
  Expected<util::ProcessResult> start(std::size_t largest_out, const std::function<void(std::string_view)>& hears_err = {}) const;
  /// Starts it, and goes on.
  Expected<void> start_apart() const;
  /// What a container that was started apart has printed until now.
  Expected<std::string> printed() const;
  /// All of its files, in pieces of a tar archive, whether it was started or not.
  Expected<void> export_files(const std::function<void(std::string_view)>& hears) const;
  /// Tells its program to end, and waits for that for some seconds.
  void stop() const;
  Expected<State> state() const;
  /// What is not there is removed; a removal that fails is tried twice. Errors: the engine does not remove it.
  Expected<void> remove();

 private:
  const Engine& engine_;
  std::vector<Left>& left_;
  std::string name_;
  bool there_ = false;
  bool perhaps_later_ = false;  ///< the client of `create` was ended, and the engine may go on
};

/// What runs before this one left behind.
struct Leftovers {
  std::vector<std::string> removed;  ///< their ids
  std::vector<Left> left;            ///< what is for the next run
};
/// Removes it. Errors: the engine gave no answer in time; interrupted. Where it answers anything else, there is nothing to
/// remove.
Expected<Leftovers> remove_leftovers(const Engine& engine);

/// Errors: the answer describes no container.
Expected<State> parse_state(const std::string& text);

}  // namespace envgen::container
