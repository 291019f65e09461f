#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "model/capability.hpp"
#include "model/request.hpp"
#include "model/version.hpp"
#include "model/version_spec.hpp"
#include "property/random_matrix.hpp"

/// A second opinion on the resolver: naive, slow, and written from the design alone. It reads the JSON files itself, puts
/// every build on every base, system and Python, and judges each whole environment with three values. It shares nothing with
/// src/resolver and src/matrix but the types of src/model.
namespace envgen::property {

/// No, perhaps (a fact is missing), yes. `and` is the smaller one, `or` the larger one.
enum class Tri { no, maybe, yes };
constexpr Tri both(Tri a, Tri b) { return a < b ? a : b; }
constexpr Tri either(Tri a, Tri b) { return a < b ? b : a; }
constexpr Tri tri(bool value) { return value ? Tri::yes : Tri::no; }

/// What tells two environments apart here.
struct Place {
  std::string framework, version, tag, channel, platform, os, base, python;
  friend bool operator==(const Place&, const Place&) = default;
  friend auto operator<=>(const Place& a, const Place& b) {
    return std::tie(a.framework, a.version, a.tag, a.channel, a.platform, a.os, a.base, a.python) <=>
           std::tie(b.framework, b.version, b.tag, b.channel, b.platform, b.os, b.base, b.python);
  }
  std::string to_string() const;
};

/// What an environment may lean on: the driver and machine code; PTX, too; cuda-compat, too. The first that has one decides.
enum class Leaning { nothing, ptx, compat };

struct Opinion {
  Tri exists = Tri::no;
  std::set<Place> environments;  ///< those that certainly fit
  std::set<Place> perhaps;       ///< those that a missing fact keeps from being certain; not the unlisted builds
};

class Oracle {
 public:
  explicit Oracle(const MatrixFiles& files);

  Opinion judge(const Request& request, Leaning leaning = Leaning::compat) const;
  Tri exists(const Request& request) const { return judge(request).exists; }

  /// The order of preference `stable` among builds, as the design writes it: official ones before side builds, those
  /// whose cuDNN is known before others, the newest torch, its default CUDA, the newest CUDA. Smaller is better.
  using Rank = std::tuple<bool, bool, bool, std::vector<int>, bool, bool, std::vector<int>>;
  Rank rank(const Place& place) const;
  bool lts(const std::string& os) const;
  bool is_ubuntu(const std::string& os) const;
  std::optional<Version> os_version(const std::string& os) const;
  /// The Python that an operating system brings itself; empty when it is not one.
  std::string python_of(const std::string& os) const;

 private:
  struct Toolkit {
    Version version, minor;
    std::optional<std::vector<Arch>> archs;
    std::vector<Arch> specific;
  };
  struct Major {
    int cuda = 0;
    std::optional<DriverVersion> driver;
    std::vector<std::pair<Version, DriverVersion>> except;
  };
  struct CudnnRange {
    std::optional<Version> cuda;
    Capability min;
    std::optional<Capability> max;
    bool ends = false;
  };
  struct Cudnn {
    Version version;
    std::optional<std::vector<CudnnRange>> gpus;
    std::set<int> majors;  ///< of CUDA, for which it was made
    std::set<std::string> wheels;
    std::optional<Version> glibc;  ///< of the wheels
  };
  struct Branch {
    int number = 0;
    std::optional<Version> cuda;
    std::optional<DriverVersion> first, latest;
  };
  struct GpuDriver {
    Capability capability;
    std::optional<DriverVersion> first;
    std::optional<int> last;
    std::string module;
    bool tegra = false;
  };
  struct ForwardCompat {
    Version cuda;
    int branch = 0;
    bool works = false;
  };
  struct Board {
    std::string name, kind;  ///< kind: the class, empty = unknown (only a capability was given)
    Capability capability;
    bool arm_only = false;
    /// For each board that may be meant the first releases that know it; none where only the capability says.
    std::vector<std::vector<DriverVersion>> firsts = {};
  };
  struct Os {
    std::string id;
    bool lts = false;
    std::string family;
    Version version;
    std::vector<std::string> pythons;
    std::optional<Version> glibc;
  };
  struct Release {
    Version version;
    bool complete = false;
    std::optional<std::vector<Version>> open;  ///< where it is not complete: the CUDA minors that it may have besides
    std::map<std::string, Version> defaults;
    std::optional<Version> torchvision, torchaudio;
    std::optional<Version> python_floor;  ///< of all its builds, listed or not
    bool after_gap = false;
  };
  struct Build {
    std::string framework, text, tag, channel, platform;
    Version version;
    std::optional<Version> cuda;
    bool cpu = false;
    bool listed = true;
    bool side = false;
    bool brings_cuda = true;
    bool tegra = false;
    std::optional<std::string> cudnn;
    std::optional<std::vector<Arch>> sass, ptx;
    std::optional<Version> glibc, glibc_below;
    std::optional<std::set<std::string>> pythons;
    std::vector<Capability> fails_on;
    std::vector<std::size_t> cudnn_choices;  ///< indices into cudnns_ of what pip may take
  };
  struct Companion {
    Version version;
    std::string platform;
    std::optional<VersionSpec> requires_torch;
    std::optional<std::set<std::string>> pythons;  ///< none: any, from `floor` on
    Version floor;
  };
  struct Gate {
    Version cuda;
    std::vector<std::pair<std::string, int>> exceptions;
  };
  struct OfferedCudnn {
    std::string channel;
    Version cuda, cudnn, glibc;
  };
  struct Image {
    Version cuda;
    bool with_cudnn = false;
    std::string variant, os, evidence;
    std::optional<std::string> gate;
  };
  struct Official {
    std::string framework, variant, evidence;
    Version version;
    std::optional<Version> cuda;
    std::optional<std::string> os, python, gate, cudnn;
  };

  /// One machine: its boards and, where a driver was named, the drivers that may be meant.
  struct AskedMachine {
    std::vector<Board> boards;
    bool driver_named = false;
    bool by_number = false;  ///< a branch or a release: the first of these that knows the boards is meant, or perhaps a later one
    std::vector<DriverVersion> drivers;
  };
  struct Asked;

  void read_cuda(const MatrixFiles& files);
  void read_drivers(const MatrixFiles& files);
  void read_places(const MatrixFiles& files);
  void read_builds(const MatrixFiles& files);

  Asked understand(const Request& request) const;
  Board board_of(const std::string& text) const;
  std::set<DriverVersion> known_drivers() const;
  std::string branch_on_windows(const std::string& number) const;
  void name_drivers(const std::string& text, AskedMachine& machine) const;
  const GpuDriver& facts_of(const Board& board) const;
  bool knows(DriverVersion driver, const Board& board) const;
  /// The drivers of no Jetson that know every board of a machine, of these and of those at which some board begins to be known.
  std::vector<DriverVersion> that_know_all(std::vector<DriverVersion> drivers, const AskedMachine& machine, bool more) const;
  bool is_tegra(Capability capability) const;

  Opinion opinion_of(const Asked& asked) const;
  bool hopeless(const Asked& asked) const;
  static bool on_wrong_platform(const Asked& asked);
  bool outside(const Asked& asked) const;
  Tri of_build(const Asked& asked, const Build& build) const;
  Tri companion_fits(const std::optional<VersionSpec>& asked, const Build& build, bool vision, const std::string& python) const;
  Tri python_fits(const Asked& asked, const Build& build, const std::string& python) const;
  void judge_places(const Asked& asked, const Build& build, Opinion& opinion) const;
  std::vector<Build> all_builds(const Asked& asked) const;
  const OfferedCudnn* offered_cudnn(const Asked& asked, const Build& build) const;
  static bool fails(const Build& build, const Board& board);
  Tri cudnn_serves(const Asked& asked, const Build& build, const Board& board) const;
  Tri release_serves(const Cudnn& cudnn, const Build& build, const Board& board) const;
  Tri some_choice_fits(const Asked& asked, const Build& build, const std::string& system) const;
  Tri has_sass(const Build& build, const Board& board) const;
  Tri has_ptx(const Build& build, const Board& board) const;
  bool sass_runs(Arch target, Capability capability) const;
  Tri reports(DriverVersion driver, Version cuda) const;
  Tri minor_compatible(DriverVersion driver, Version cuda) const;
  Tri forward_compatible(DriverVersion driver, Version cuda, const AskedMachine& machine) const;
  /// Some one driver of the machine serves all its boards with this build, and opens the image's gate.
  Tri served(const Asked& asked, const Build& build, const AskedMachine& machine, const Image* image) const;
  Tri gate_opens(const Image& image, const AskedMachine& machine, DriverVersion driver) const;
  static Tri gate_excepts(const Gate& gate, const AskedMachine& machine, DriverVersion driver, Tri reported);
  std::vector<DriverVersion> possible_drivers(const AskedMachine& machine) const;
  Tri all_served(const Asked& asked, const Build& build, const Image* image) const;
  bool cuda_fits(const Asked& asked, const Build& build, std::optional<Version> update) const;

  std::vector<Toolkit> toolkits_;
  std::set<Version> labels_;  ///< the toolkits that have a label on conda
  std::vector<std::pair<Version, std::optional<DriverVersion>>> natives_;
  std::vector<Major> majors_;
  std::vector<Cudnn> cudnns_;
  std::vector<OfferedCudnn> offered_;
  std::vector<Branch> branches_;
  std::vector<GpuDriver> gpu_drivers_;
  std::vector<ForwardCompat> forward_compat_;
  std::vector<Board> boards_;
  std::vector<std::pair<std::string, std::vector<std::string>>> families_;
  std::vector<Os> systems_;
  std::vector<Release> releases_;
  std::vector<Build> builds_;
  std::vector<Companion> torchvision_, torchaudio_;
  std::map<std::string, Gate> gates_;
  std::vector<Image> images_;
  std::vector<Official> officials_;
};

}  // namespace envgen::property
