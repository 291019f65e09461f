#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

/// envgen as a library: a request goes in, and the answer, its lock and the files that are made of them come out. It holds the
/// data that this envgen was built with; it reads and writes no file, starts no process, uses no network and keeps no state, so
/// it may be called from several threads at once.
///
/// The API follows the version of envgen as semantic versioning has it. The ABI is not promised: what includes this header is
/// compiled again when envgen is replaced.
namespace envgen::library {

/// What a project says is not understood, or cannot be made. `what()` is the message as envgen prints it, with its origin.
class Failure : public std::runtime_error {
 public:
  Failure(const std::string& what, std::string text_of_json, std::vector<std::string> what_fixes_it)
      : std::runtime_error(what), json(std::move(text_of_json)), hints(std::move(what_fixes_it)) {}

  std::string json;                ///< the same as an object, in one line: `envgen resolve --json` prints such
  std::vector<std::string> hints;  ///< what fixes it, most likely first
};

/// What became of a request.
struct Answer {
  enum class Kind {
    environment,  ///< one that the independent check confirms
    conflict,     ///< proven: there is none
    unknown       ///< a fact is missing
  };
  Kind kind = Kind::unknown;
  std::string json;                               ///< `envgen resolve --json`, in one line; the contract is in ARCHITECTURE.md
  std::string text;                               ///< the same for people
  std::string lock;                               ///< what envgen.lock holds; empty without an environment
  std::vector<std::vector<std::string>> install;  ///< the arguments of each command that installs it
  std::vector<std::string> notes;                 ///< what was chosen on the way, such as devel for a package that compiles
};

/// One file that is made from an environment.
struct File {
  std::string path;  ///< inside the folder of envgen.json, with `/`
  std::string text;
  bool executable = false;
};

/// The answer to the request of a project. `project` is the text of an envgen.json, whose schema `envgen schema envgen` prints:
/// `{"request": {"torch": "2.3", "gpus": ["RTX 4090"]}}`. `auto` stands for nothing here: a library does not look at the machine.
/// Throws Failure: the text or a value in it is not understood.
Answer resolve(std::string_view project);

/// The files that a project lists in `"outputs"`, made from its lock, as `envgen generate` makes them.
/// Throws Failure: those of `resolve`; the lock is none, was edited, or answers another request; a file that cannot be made of
/// it.
std::vector<File> files(std::string_view project, std::string_view lock);

/// Of the program that this library belongs to: `0.1.0`.
std::string_view version();

}  // namespace envgen::library
