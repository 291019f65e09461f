#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "matrix/matrix.hpp"
#include "model/request.hpp"
#include "model/version_spec.hpp"
#include "resolver/known_drivers.hpp"

namespace envgen::resolver {

/// A set of requested values: bit i stands for Query::values[i].
using ValueSet = std::uint64_t;
inline constexpr int no_value = -1;
constexpr ValueSet set_of(int value) { return value < 0 ? 0 : ValueSet{1} << value; }

struct AskedVersion {
  int value = no_value;
  VersionSpec spec;
};

struct AskedCuda {
  int value = no_value;
  bool cpu = false;
  VersionSpec spec;
};

/// A board that the environment must serve.
struct Board {
  int value = no_value;
  /// As gpus.json has it, of a slice `H200 MIG 1g.18gb`; for a capability alone, `GPU of compute capability 8.6`.
  std::string name;
  bool mig = false;                  ///< a MIG slice of it, which is judged as the board where its driver can divide it
  bool open_mig = false;             ///< which driver can divide it is unknown
  bool vgpu = false;                 ///< `name` is that of a vGPU on it, which is judged as the board
  const matrix::Gpu* gpu = nullptr;  ///< null when only the capability was given
  Capability capability;
  /// The smallest class that it may be of: whichever is meant by a family or by a capability alone has to work. None: no board
  /// of that capability is in the matrix.
  std::optional<matrix::GpuClass> gpu_class;
  const matrix::GpuDriver* driver_row = nullptr;
  std::vector<const matrix::Gpu*> rows;  ///< the boards that the name may mean; none when only the capability was given
  KnownDrivers known;                    ///< by driver_row and these; all where there is no such row
  bool tegra = false;
  bool arm_only = false;  ///< sits beside an Arm CPU only
};

/// What the text of a driver means.
///
/// A number names every release that begins with it: `535` is a branch, `525.60` is 525.60.x, `535.183.01` a release, whether the
/// facts know it or not (`==535` and `535.*` say the same). Any of them may be installed, so an answer must hold for the first
/// one that knows the boards. Where only a later one would do, the answer is unknown.
///
/// Everything else is a range, and means some driver in it: a release that the facts name, or a bound that the text names. A
/// bound that is excluded (`>580.178.04`) stands for the releases right after it. Clauses compare release numbers as PEP 440
/// does: 535 is 535.0.0 there, so `>535` holds R535, and `<=535` ends before it.
struct AskedDriver {
  std::vector<DriverVersion> releases;  ///< what may be meant, ascending; empty: the driver is free
  bool range = false;                   ///< any one of them is enough
};

/// What is wrong with a candidate, or not known of it. What is said of each stands in one row: answers/reasons.cpp.
enum class Reason : std::uint8_t {
  framework,
  version,
  platform,
  installer,
  cuda,
  cudnn,
  torchvision,
  torchaudio,
  python,
  companion_python,
  code,
  cudnn_gpu,
  gpu_driver,
  driver,
  gpu_too_old,
  kernel_module,
  host_drivers,
  os,
  glibc,
  executable_stack,
  base,
  default_place,
  image_gate,
  toolkit,
  arm_only,
  plain_system,
  image_cudnn,
  // What may be not known, but never is wrong.
  driver_in_part,  ///< which release an asked number stands for
  windows_driver,  ///< whether an early driver of Windows has CUDA for WSL 2
  open_tags        ///< the CUDA tags of a release whose list is not complete
};
inline constexpr std::size_t reason_count = static_cast<std::size_t>(Reason::open_tags) + 1;

/// Why a candidate falls, or what is not known about it: the requested values that together say so.
struct Objection {
  Reason reason = Reason::version;
  bool unknown = false;
  ValueSet values = 0;
  std::int16_t subject = -1;  ///< board or machine, where the reason is about one

  friend auto operator<=>(const Objection&, const Objection&) = default;
};

/// Boards under one driver. A bare `--gpu` is a machine of its own; so is a bare `--driver` without any machine.
struct AskedMachine {
  ValueSet values = 0;  ///< everything that was said of it
  int driver_value = no_value;
  std::string driver_text;
  AskedDriver asked;
  /// Those of the asked drivers that know every board, ascending: any one that works is enough. Empty: the driver is free. Of a
  /// number the first alone, unless nothing runs under that.
  std::vector<DriverVersion> drivers;
  /// Later releases that begin with the asked number: one that works makes the answer unknown instead of no.
  std::vector<DriverVersion> later;
  std::vector<std::uint16_t> boards;  ///< indexes into Query::boards
  // What its boards say together.
  KnownDrivers known;  ///< the drivers that know all of them; those of Jetson boards are left out
  bool tegra = false;
  matrix::Tribool datacenter = matrix::Tribool::no;  ///< all of them, so that cuda-compat may carry them
  std::vector<Objection> doubts;  ///< what is not known of the asked driver, whichever build for CUDA it is to carry
};

/// A request as the search understands it: typed values, each with the bit that stands for it.
struct Query {
  std::vector<RequestValue> values;
  Framework framework = Framework::torch;
  int framework_value = no_value;
  AskedVersion version;
  AskedVersion torchvision;
  AskedVersion torchaudio;
  AskedVersion cudnn;
  std::vector<AskedCuda> cuda;  ///< `--cuda`, and the `+cu121` of a torch version
  int python_value = no_value;
  PythonSet pythons = PythonSet::regular();
  std::vector<Board> boards;
  std::vector<AskedMachine> machines;
  int os_value = no_value;
  const matrix::Os* os = nullptr;
  int platform_value = no_value;
  Platform platform = Platform::linux_x86_64;
  bool platform_from_gpu = false;
  int variant_value = no_value;
  Variant variant = Variant::runtime;
  int installer_value = no_value;
  Installer installer = Installer::pip;
  int base_value = no_value;
  Base base = Base::slim;
  int engine_value = no_value;
  Engine engine = Engine::docker;
  bool start_image_runs = true;  ///< Request::start_image_runs
  bool wsl = false;              ///< WSL 2: the driver is the Windows one, and cuda-compat is of no use
  Prefer prefer = Prefer::stable;
  int ptx_value = no_value;
  bool allow_inferred = false;
  /// What falls whatever the build is: a driver that does not know its board, a host whose boards no driver serves.
  std::vector<Objection> always;
};

/// A Jetson has builds of its own, which are not facts of the matrix: an answer that finds none says so.
inline constexpr std::string_view jetson_note =
    "NVIDIA's own builds for Jetson (JetPack wheels and L4T containers) are not in envgen's data";
inline constexpr Capability orin{8, 7};
/// What is known of an Orin beyond PyTorch's own rule, by which it runs no code for 8.0 or 8.6 before CUDA 13.2.
inline constexpr std::string_view orin_reports =
    "reports conflict: 8.0 code from CUDA 13.0 ran on an Orin (nvidia-holoscan/holohub#1687), but code from CUDA 12 did not "
    "(jax-ml/jax#40492)";
/// All that the matrix says of a release of JetPack; no such system is among its systems.
inline constexpr std::string_view jetpack_fact =
    "about JetPack, envgen knows only this: from 7.2 on, an Orin (8.7) runs the 8.0 and 8.6 code of builds for CUDA 13.2 or "
    "later; on JetPack 6, it runs conda-forge's builds for Jetson (--gpu Orin --installer conda --cuda 12.9)";
/// Whether the name of a system is one of JetPack: `jetpack7.2`, `l4t-r36`.
inline bool is_jetpack(std::string_view lower_name) { return lower_name.starts_with("jetpack") || lower_name.starts_with("l4t"); }
inline bool names_jetson(const Query& query) {
  return std::any_of(query.boards.begin(), query.boards.end(), [](const Board& board) { return board.tegra; });
}

/// Reads the texts of a request. Errors (usage) name the flag, the value, and the nearest spelling.
Expected<Query> interpret(const matrix::Matrix& matrix, const Request& request);

/// Reads a name of a GPU, or a compute capability. Errors name the text and the nearest names.
Expected<Board> parse_board(const matrix::Matrix& matrix, std::string_view text);

}  // namespace envgen::resolver
