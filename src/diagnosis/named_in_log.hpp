#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace envgen::diagnosis {

/// What a log says of the environment that it comes from.
enum class Named : std::uint8_t {
  gpu,          ///< `NVIDIA GeForce RTX 5090`; where only that is told, its capability: `sm_120`
  torch,        ///< `2.4.0+cu121`
  cuda,         ///< that torch was built with: `12.1`
  driver,       ///< `550.54.15`
  driver_cuda,  ///< the newest CUDA that the driver reports: `12.4`
  last_branch,  ///< of drivers for the GPU, as the kernel module of a later one says: `470`
  python,       ///< `3.12`
  wsl,          ///< `2`: the log is of WSL 2, where the driver is the Windows one
  platform,     ///< `windows`, `macos` or `rocm`: one that envgen does not cover
  tensorflow,   ///< `2.8.0`
};
/// As the data and JSON name them, in the order of `Named`.
inline constexpr std::array<std::string_view, 10> named_names{"gpu",         "torch",  "cuda", "driver",   "driver_cuda",
                                                              "last_branch", "python", "wsl",  "platform", "tensorflow"};
constexpr std::string_view name_of(Named named) { return named_names[static_cast<std::size_t>(named)]; }

/// One such value, and where it stands.
struct Mention {
  std::string text;
  std::size_t line = 0;  ///< counted from 1
};

/// The values of a log, each only where it is certain: of two different ones, neither is told.
struct Seen {
  std::array<std::optional<Mention>, named_names.size()> values;
  std::string_view pins_torch = {};  ///< a program of the log that requires exactly one torch: `vLLM`; empty: none

  const std::optional<Mention>& operator[](Named named) const { return values[static_cast<std::size_t>(named)]; }
  std::optional<Mention>& operator[](Named named) { return values[static_cast<std::size_t>(named)]; }
};

/// Gathers these values from the lines of a log. What the failing program says of itself counts for more than what stands
/// elsewhere: an inventory of the machine, a command, a path.
class NamedInLog {
 public:
  /// The words, in small letters, without one of which a line names nothing.
  static std::span<const std::string_view> words();

  /// A line that holds one of them, as it was written and as patterns are compared with it.
  void read(std::string_view line, std::string_view folded, std::size_t number);

  /// `is_board`: whether a GPU has this name. Where a name ends is told by that alone.
  Seen seen(const std::function<bool(std::string_view)>& is_board) const;

  /// Whether torch is the CPU build, as its version says: `2.4.0+cpu`.
  std::optional<bool> has_cpu_torch() const;

  /// The line on which torch.utils.collect_env names a driver that is too old for torch's CUDA, where it finds no CUDA.
  const std::optional<Mention>& too_old_driver() const { return too_old_driver_; }

 private:
  struct Candidate {
    Mention mention;
    int weight = 0;
  };
  using Candidates = std::vector<Candidate>;

  Candidates& of(Named named) { return found_[static_cast<std::size_t>(named)]; }
  const Candidates& of(Named named) const { return found_[static_cast<std::size_t>(named)]; }
  void read_torch(std::string_view line, std::string_view folded, std::size_t number);
  void read_tensorflow(std::string_view folded, std::size_t number);
  void read_gpu(std::string_view line, std::string_view folded, std::size_t number);
  void read_short_name(std::string_view line, std::string_view folded, std::size_t number);
  void read_capability(std::string_view folded, std::size_t number);
  void read_driver(std::string_view folded, std::size_t number);
  void read_kernel_module(std::string_view folded, std::size_t number);
  void read_python(std::string_view folded, std::size_t number);
  void read_platform(std::string_view folded, std::size_t number);
  void read_collected(std::string_view line, std::string_view folded, std::size_t number);
  std::optional<Mention> board(const std::function<bool(std::string_view)>& is_board) const;
  static void add(Candidates& candidates, std::string text, std::size_t line, int weight);
  static std::optional<Mention> certain(const Candidates& candidates);

  std::array<Candidates, named_names.size()> found_;
  Candidates capabilities_;
  int collected_cuda_ = 0;       ///< the major that torch.utils.collect_env names
  bool collected_none_ = false;  ///< and it finds no CUDA
  std::optional<Mention> too_old_driver_;
  std::string_view pins_torch_;
};

}  // namespace envgen::diagnosis
