#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace envgen::bench {

/// What the caller on the host hands in, so that the ways of sharing IPC can be told apart (facts/failures.md).
struct IpcCanary {
  std::optional<unsigned long> host_inode;  ///< of the caller's own /proc/self/ns/ipc
  std::optional<int> sysv_key;              ///< of a SysV segment that begins with the nonce
  std::string posix_name;                   ///< of a file in the host's /dev/shm that begins with the nonce
  std::string nonce;
};

enum class Profile { smoke, full };
enum class Format { text, json };

struct Options {
  Profile profile = Profile::full;
  std::vector<std::string> tests;  ///< ids, or the first part of ids (`gemm`); empty: those of the profile
  bool list = false;
  std::optional<int> device;  ///< empty: every device
  double timeout_seconds = 120;
  std::optional<double> total_seconds;  ///< for all tests together, and what runs after them; empty: no limit
  Format format = Format::text;
  std::string output;  ///< a file; empty: standard output
  bool strict_performance = false;
  bool require_gpu = false;
  std::string work_folder;                       ///< whose storage is tested; empty: none
  std::string files_of;                          ///< the folder that image-files walks; empty: none
  std::map<std::string, std::string> libraries;  ///< name to path
  IpcCanary canary;
  std::vector<std::string> then;              ///< programs of which the first that is there runs after the tests
  std::vector<std::string> then_arguments;    ///< of whichever it is
  std::vector<std::string> then_environment;  ///< `NAME=VALUE` that this program was started without, and that one is not
  std::string report_nonce;                   ///< by which its reader knows the report; empty: none was given
  std::vector<std::string> library_path;      ///< folders where libraries are looked for as by LD_LIBRARY_PATH
  std::string touch;                          ///< a file to make; empty: none
  bool progress = false;                      ///< a line on standard error before each test, for a program that reads it
  std::optional<double> hold_ipc;             ///< see hold_ipc.hpp
  /// By how much the sizes are divided: for tests of this program on doubles. Named in the report.
  int scale = 1;
};

/// The command line as options, or the exit status with which the program ends at once (0 after --help and --version, 2 for a
/// mistake, which is told on standard error).
struct Parsed {
  Options options;
  std::optional<int> exit_status;
};
Parsed parse(int argc, const char* const* argv);

}  // namespace envgen::bench
