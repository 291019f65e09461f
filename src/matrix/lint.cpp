#include "matrix/lint.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "matrix/documents.hpp"
#include "matrix/gpu_names.hpp"
#include "matrix/loader.hpp"
#include "matrix/wheel_spec.hpp"
#include "model/choices.hpp"
#include "model/spelling.hpp"
#include "model/version_spec.hpp"

namespace envgen::matrix {
namespace {

using Row = Documents::Row;

/// The field as text; empty when it is missing, null or of another type (the loader names those).
std::string text_of(const Json& value, std::string_view field) {
  if (!value.is_object()) return {};
  const auto it = value.find(std::string(field));
  return it != value.end() && it->is_string() ? it->get<std::string>() : std::string();
}

const Json& member(const Json& value, std::string_view field) {
  static const Json null;
  if (!value.is_object()) return null;
  const auto it = value.find(std::string(field));
  return it == value.end() ? null : *it;
}

Version version_of(const Json& value, std::string_view field) {
  const auto text = text_of(value, field);
  if (text.empty()) return {};
  return Version::parse(text).value_or(Version());
}

std::string pointer(const Row& row, std::string_view field) { return fmt::format("{}/{}", row.where, field); }

/// The smallest version above all that lie under `version`.
Version after(Version version) {
  const auto bump = [](std::uint16_t part) { return static_cast<std::uint16_t>(part + 1); };
  switch (version.count()) {
    case 1:
      return Version(bump(version.part(0)));
    case 2:
      return {version.part(0), bump(version.part(1))};
    default:
      return {version.part(0), version.part(1), bump(version.part(2))};
  }
}

/// True when some version meets the specifier: the lowest that could is 0, an end of a clause, or just above one.
bool can_hold(const VersionSpec& spec) {
  std::vector<Version> candidates{Version(0)};
  for (const auto& clause : spec.clauses()) {
    candidates.push_back(clause.version);
    candidates.push_back(after(clause.version));
    const auto just_above = Version::parse(fmt::format("{}{}", clause.version.to_string(),
                                                       clause.version.count() == 1   ? ".0.0.1"
                                                       : clause.version.count() == 2 ? ".0.1"
                                                       : clause.version.count() == 3 ? ".1"
                                                                                     : ""));
    if (just_above) candidates.push_back(*just_above);
  }
  return std::any_of(candidates.begin(), candidates.end(), [&](Version version) { return spec.matches(version); });
}

/// The checks, each a pass over the tables it needs.
class Lint {
 public:
  explicit Lint(const Documents& documents) : documents_(documents) { collect(); }

  std::vector<Error> run() {
    check_sources();
    check_cells();
    check_releases();
    for (const auto& row : rows(tables::wheel_builds)) check_wheel_build(row);
    for (const auto& row : rows(tables::conda_builds)) check_contents(row);
    check_companions(tables::torchvision);
    check_companions(tables::torchaudio);
    check_labels();
    check_toolkits();
    check_cudnn();
    check_drivers();
    check_gpus();
    check_images();
    for (const auto& row : rows(tables::tensorflow_releases)) check_tensorflow(row);
    for (const auto& row : rows(tables::systems)) check_glibc(row);
    for (const auto& row : rows(tables::rules)) check_rule(row);
    check_presets();
    return std::move(findings_);
  }

 private:
  const std::vector<Row>& rows(const Table& table) const { return documents_.rows(table); }
  void find(const std::string& where, const std::string& message, std::vector<std::string> hints = {}) {
    // Names and texts of a file may hold control characters.
    findings_.push_back(Error{ErrorCode::differs, in_one_line(message), in_one_line(where), std::move(hints)});
  }

  std::set<Version> versions(const Table& table, std::string_view field) const {
    std::set<Version> result;
    for (const auto& row : rows(table)) {
      if (const auto version = version_of(*row.value, field)) result.insert(version);
    }
    return result;
  }

  void collect() {
    releases_ = versions(tables::torch_releases, "version");
    tensorflows_ = versions(tables::tensorflow_releases, "version");
    toolkits_ = versions(tables::toolkits, "version");
    toolkit_minors_ = versions(tables::toolkits, "minor");
    minors_ = versions(tables::cuda_minors, "cuda");
    majors_ = versions(tables::cuda_majors, "cuda");
    cudnns_ = versions(tables::cudnn_releases, "version");
    branches_ = versions(tables::driver_branches, "branch");
    pythons_ = versions(tables::pythons, "version");
    for (const auto& row : rows(tables::systems)) systems_.insert(text_of(*row.value, "id"));
    for (const auto& row : rows(tables::gpu_drivers)) driver_capabilities_.insert(text_of(*row.value, "capability"));
    for (const auto& row : rows(tables::gpus)) {
      if (const auto capability = Capability::parse(text_of(*row.value, "capability")))
        capabilities_.insert(Version(capability->major, capability->minor));
    }
  }

  // Sources ---------------------------------------------------------------------------------------------------------

  void check_sources() {
    std::string last_file;
    for (const auto* table : tables::all()) {
      for (const auto& row : rows(*table)) {
        // The loader names a source that is missing, of another type, or not in the file's sources.
        if (member(*row.value, "source").is_string() && text_of(*row.value, "source").empty())
          find(pointer(row, "source"), "the row has no source");
        const auto& fields = member(*row.value, "field_sources");
        if (!fields.is_object()) continue;
        for (const auto& [field, source] : fields.items()) {
          if (!row.value->contains(field))
            find(pointer(row, "field_sources/" + field), fmt::format("the row has no field {}", in_quotes(field)));
          if (source.is_string() && source.get<std::string>().empty())
            find(pointer(row, "field_sources/" + field), "the field has no source");
        }
      }
      if (table->file == last_file) continue;
      last_file = std::string(table->file);
      for (const auto& [id, source] : documents_.sources(table->file)) {
        if (text_of(*source.value, "what").empty()) find(source.where + "/what", "the source does not say what was read");
        check_date(source, "read");
      }
    }
  }

  // Cells -----------------------------------------------------------------------------------------------------------

  void check_cells() {
    for (const auto* table : tables::all()) {
      for (const auto& row : rows(*table)) check_cell(row.where, *row.value);
    }
  }

  /// What no cell of any row can be.
  void check_cell(const std::string& where, const Json& cell) {
    if (cell.is_structured()) {
      for (const auto& [key, value] : cell.items()) check_cell(fmt::format("{}/{}", where, key), value);
    } else if (cell.is_number() && cell.get<double>() < 0) {
      find(where, fmt::format("{} is below zero", cell.dump()));
    }
  }

  // Small checks ----------------------------------------------------------------------------------------------------

  /// `2024`, `2024-06`, `2024-06-05`; null is fine.
  void check_date(const Row& row, std::string_view field) {
    const auto text = text_of(*row.value, field);
    if (text.empty()) return;
    constexpr std::string_view form = "dddd-dd-dd";
    bool good = text.size() == 4 || text.size() == 7 || text.size() == 10;
    for (std::size_t i = 0; good && i < text.size(); ++i)
      good = form[i] == 'd' ? text[i] >= '0' && text[i] <= '9' : text[i] == form[i];
    if (good && text.size() > 4) good = text.substr(5, 2) >= "01" && text.substr(5, 2) <= "12";
    if (good && text.size() > 7) good = text.substr(8, 2) >= "01" && text.substr(8, 2) <= "31";
    if (!good) find(pointer(row, field), fmt::format("{} is no date (2024-06-05, 2024-06 or 2024)", in_quotes(text)));
  }

  void check_order(const Row& row, std::string_view first, std::string_view last) {
    const auto from = text_of(*row.value, first);
    const auto to = text_of(*row.value, last);
    const auto common = std::min(from.size(), to.size());
    if (common > 0 && from.substr(0, common) > to.substr(0, common))
      find(pointer(row, last), fmt::format("{} {} lies before {} {}", last, in_quotes(to), first, in_quotes(from)));
  }

  void check_glibc(const Row& row) {
    const auto text = text_of(*row.value, "glibc");
    const auto version = version_of(*row.value, "glibc");
    if (!text.empty() && (version.major() != 2 || version.count() != 2))
      find(pointer(row, "glibc"), fmt::format("{} is no glibc version (2.28)", in_quotes(text)));
  }

  /// Drivers have a branch of three digits and two or three parts. Tegra's start at 32.
  void check_driver(const Row& row, std::string_view field, bool tegra = false) {
    const auto text = text_of(*row.value, field);
    if (text.empty()) return;
    const auto version = version_of(*row.value, field);
    constexpr std::uint16_t oldest = 300;
    constexpr std::uint16_t newest = 999;
    const bool good =
        version.count() >= 2 && version.count() <= 3 && (tegra || (version.major() >= oldest && version.major() <= newest));
    if (!good) find(pointer(row, field), fmt::format("{} is no driver version (535.183.01)", in_quotes(text)));
  }

  void check_os(const std::string& where, const std::string& id) {
    if (id.empty() || systems_.count(id) > 0) return;
    const std::vector<std::string_view> known(systems_.begin(), systems_.end());
    find(where, fmt::format("the operating system {} is not in os.json", in_quotes(id)), did_you_mean(id, known, 1));
  }

  /// A CUDA minor needs a toolkit, a driver row and a major.
  void check_cuda(const std::string& where, Version minor) {
    if (!minor) return;
    if (minor.count() != 2)
      return find(where, fmt::format("a CUDA minor has two parts, {} has {}", minor.to_string(), minor.count()));
    if (toolkit_minors_.count(minor) == 0) find(where, fmt::format("no toolkit of CUDA {} is in cuda.json", minor.to_string()));
    if (minors_.count(minor) == 0) find(where, fmt::format("CUDA {} is not in the minors of cuda.json", minor.to_string()));
    if (majors_.count(minor.at(1)) == 0) find(where, fmt::format("CUDA {} is not in the majors of cuda.json", minor.major()));
  }

  void check_spec(const std::string& where, const std::string& text, const std::set<Version>* among, std::string_view what) {
    const auto spec = wheel_spec(text);
    if (!spec) return find(where, fmt::format("{} is {}", in_quotes(text), spec.error().message));
    if (!can_hold(*spec)) return find(where, fmt::format("no version meets {}", in_quotes(text)));
    if (among != nullptr && std::none_of(among->begin(), among->end(), [&](Version version) { return spec->matches(version); }))
      find(where, fmt::format("no {} in the matrix meets {}", what, in_quotes(text)));
  }

  void check_pythons(const Row& row, std::string_view field) {
    const auto& list = member(*row.value, field);
    if (!list.is_array()) return;
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (!list[i].is_string()) continue;
      const auto python = PythonVersion::parse(list[i].get<std::string>());
      constexpr std::uint8_t first_free_threaded = 13;
      if (python && python->free_threaded && python->minor < first_free_threaded)
        find(fmt::format("{}/{}", pointer(row, field), i),
             fmt::format("no Python {} was ever built: free-threading began with 3.13", python->to_string()));
    }
    if (list.is_array() && list.empty() && field == "pythons")
      find(pointer(row, field), "an empty list says that nothing can install it; null says unknown");
  }

  // torch -----------------------------------------------------------------------------------------------------------

  void check_releases() {
    std::set<Version> built;
    std::set<std::string> keys;
    for (const auto& row : rows(tables::wheel_builds)) {
      const auto version = version_of(*row.value, "torch");
      built.insert(version);
      keys.insert(fmt::format("{} {} {}", version.to_string(), text_of(*row.value, "platform"), text_of(*row.value, "cuda")));
    }
    for (const auto& row : rows(tables::torch_releases)) {
      const auto version = version_of(*row.value, "version");
      check_date(row, "released");
      if (built.count(version) == 0) find(row.where, fmt::format("torch {} has no build", version.to_string()));
      for (const std::string_view companion : {"torchvision", "torchaudio"}) {
        const auto wanted = version_of(*row.value, companion);
        const auto& rows_of = companion == "torchvision" ? tables::torchvision : tables::torchaudio;
        if (wanted && versions(rows_of, "version").count(wanted) == 0)
          find(pointer(row, companion), fmt::format("no {} {} is in torch.json", companion, wanted.to_string()));
      }
      const auto& defaults = member(*row.value, "default_cuda");
      if (!defaults.is_object()) continue;
      for (const auto& [platform, cuda] : defaults.items()) {
        const auto where = pointer(row, "default_cuda/" + platform);
        if (std::find(Names<Platform>::names.begin(), Names<Platform>::names.end(), platform) == Names<Platform>::names.end()) {
          find(where, fmt::format("{} is not one of {}", in_quotes(platform), fmt::join(Names<Platform>::names, ", ")));
        } else if (keys.count(fmt::format("{} {} {}", version.to_string(), platform,
                                          cuda.is_string() ? cuda.get<std::string>() : "")) == 0) {
          find(where, fmt::format("torch {} has no {} build for {}", version.to_string(),
                                  cuda.is_string() ? "CUDA " + cuda.get<std::string>() : "CPU", platform));
        }
      }
    }
  }

  void check_targets(const Row& row, Version cuda) {
    std::set<std::string> known;
    for (const auto& toolkit : rows(tables::toolkits)) {
      if (!cuda || version_of(*toolkit.value, "minor") != cuda) continue;
      for (const std::string_view field : {"archs", "arch_specific"}) {
        const auto& list = member(*toolkit.value, field);
        if (!list.is_array()) continue;
        for (const auto& arch : list) {
          if (arch.is_string()) known.insert(arch.get<std::string>());
        }
      }
    }
    if (known.empty()) return;
    for (const std::string_view field : {"sass", "ptx"}) {
      const auto& list = member(*row.value, field);
      if (!list.is_array()) continue;
      for (std::size_t i = 0; i < list.size(); ++i) {
        if (list[i].is_string() && known.count(list[i].get<std::string>()) == 0)
          find(fmt::format("{}/{}", pointer(row, field), i),
               fmt::format("no toolkit of CUDA {} compiles for {}", cuda.to_string(), list[i].get<std::string>()));
      }
    }
  }

  void check_cudnn_pin(const Row& row, bool prefix) {
    const auto wanted = version_of(*row.value, "cudnn");
    if (!wanted) return;
    const bool known = std::any_of(cudnns_.begin(), cudnns_.end(),
                                   [&](Version version) { return prefix ? version.under(wanted) : version == wanted; });
    if (!known) find(pointer(row, "cudnn"), fmt::format("cuDNN {} is not in cudnn.json", wanted.to_string()));
  }

  void check_wheel_build(const Row& row) {
    const auto cuda = version_of(*row.value, "cuda");
    check_cuda(pointer(row, "cuda"), cuda);
    const auto tag = text_of(*row.value, "tag");
    const auto wanted = cuda ? fmt::format("cu{}{}", cuda.major(), cuda.minor()) : "cpu";
    if (!tag.empty() && tag != wanted)
      find(pointer(row, "tag"),
           fmt::format("the tag {} does not fit {}", in_quotes(tag), cuda ? "CUDA " + cuda.to_string() : "a CPU build"));
    const auto toolkit = version_of(*row.value, "toolkit");
    if (toolkit && toolkits_.count(toolkit) == 0)
      find(pointer(row, "toolkit"), fmt::format("no toolkit {} is in cuda.json", toolkit.to_string()));
    if (toolkit && cuda && !toolkit.under(cuda))
      find(pointer(row, "toolkit"), fmt::format("the toolkit {} is no update of CUDA {}", toolkit.to_string(), cuda.to_string()));
    check_cudnn_pin(row, false);
    check_glibc(row);
    for (const std::string_view field : {"nccl", "triton"}) {
      const auto text = text_of(*row.value, field);
      if (!text.empty() && text != "none") check_spec(pointer(row, field), text, nullptr, field);
    }
    check_targets(row, cuda);
    check_pythons(row, "triton_pythons");
    check_pythons(row, "python_official");
  }

  /// What a conda build and a TensorFlow release say of themselves alike.
  void check_contents(const Row& row) {
    const auto cuda = version_of(*row.value, "cuda");
    check_cuda(pointer(row, "cuda"), cuda);
    check_cudnn_pin(row, true);
    check_glibc(row);
    check_pythons(row, "pythons");
    check_targets(row, cuda);
  }

  void check_companions(const Table& table) {
    for (const auto& row : rows(table)) {
      // What is malformed, or contradicts a release, has the loader told.
      const auto torch = text_of(*row.value, "requires_torch");
      if (wheel_spec(torch)) check_spec(pointer(row, "requires_torch"), torch, &releases_, "torch");
      const auto python = text_of(*row.value, "requires_python");
      if (wheel_spec(python)) check_spec(pointer(row, "requires_python"), python, &pythons_, "Python");
      check_pythons(row, "pythons");
    }
  }

  void check_labels() {
    for (const auto& row : rows(tables::conda_labels)) {
      const auto cuda = text_of(*row.value, "cuda");
      if (!text_of(*row.value, "label").ends_with("cuda-" + cuda))
        find(pointer(row, "cuda"), fmt::format("the label does not end in cuda-{}", cuda));
    }
  }

  // CUDA, cuDNN, drivers --------------------------------------------------------------------------------------------

  void check_toolkits() {
    for (const auto& row : rows(tables::toolkits)) {
      check_cuda(pointer(row, "minor"), version_of(*row.value, "minor"));
      check_date(row, "released");
      check_driver(row, "driver");
      const auto& systems = member(*row.value, "os");
      for (std::size_t i = 0; systems.is_array() && i < systems.size(); ++i) {
        if (systems[i].is_string()) check_os(fmt::format("{}/os/{}", row.where, i), systems[i].get<std::string>());
      }
    }
    for (const auto& row : rows(tables::cuda_minors)) check_driver(row, "native_driver");
    for (const auto& row : rows(tables::cuda_majors)) check_driver(row, "minor_compat_driver");
  }

  void check_cudnn() {
    for (const auto& row : rows(tables::cudnn_releases)) {
      const auto& gpus = member(*row.value, "gpus");
      for (std::size_t i = 0; gpus.is_array() && i < gpus.size(); ++i) {
        const auto min = Capability::parse(text_of(gpus[i], "min"));
        const auto max = Capability::parse(text_of(gpus[i], "max"));
        if (min && max && *max < *min)
          find(fmt::format("{}/gpus/{}", row.where, i),
               fmt::format("the floor {} lies above the ceiling {}", min->to_string(), max->to_string()));
      }
      const auto& majors = member(*row.value, "cuda_majors");
      for (std::size_t i = 0; majors.is_array() && i < majors.size(); ++i) {
        if (majors[i].is_string() && majors[i].get<std::string>().find('.') != std::string::npos)
          find(fmt::format("{}/cuda_majors/{}", row.where, i),
               fmt::format("{} is no CUDA major", in_quotes(majors[i].get<std::string>())));
      }
    }
  }

  void check_drivers() {
    for (const auto& row : rows(tables::driver_branches)) {
      const auto branch = version_of(*row.value, "branch");
      const auto first = version_of(*row.value, "first");
      const auto latest = version_of(*row.value, "latest");
      for (const std::string_view field : {"first", "latest"}) {
        check_driver(row, field);
        const auto version = version_of(*row.value, field);
        if (version && version.major() != branch.major())
          find(pointer(row, field),
               fmt::format("{} is no release of the branch {}", text_of(*row.value, field), branch.to_string()));
      }
      if (first && latest && latest < first)
        find(pointer(row, "latest"), fmt::format("the latest release {} is older than the first, {}",
                                                 text_of(*row.value, "latest"), text_of(*row.value, "first")));
      check_date(row, "released");
      check_date(row, "eol");
      check_order(row, "released", "eol");
    }
    for (const auto& row : rows(tables::gpu_drivers)) {
      const bool tegra = member(*row.value, "tegra").is_boolean() && member(*row.value, "tegra").get<bool>();
      check_driver(row, "first_driver", tegra);
      const auto last = version_of(*row.value, "last_branch");
      if (last && !tegra && branches_.count(last) == 0)
        find(pointer(row, "last_branch"), fmt::format("the branch {} is not in drivers.json", last.to_string()));
    }
    for (const auto& row : rows(tables::forward_compat)) {
      const auto cuda = version_of(*row.value, "cuda");
      if (cuda && minors_.count(cuda) == 0)
        find(pointer(row, "cuda"), fmt::format("CUDA {} is not in the minors of cuda.json", cuda.to_string()));
      const auto branch = version_of(*row.value, "branch");
      if (branch && branches_.count(branch) == 0)
        find(pointer(row, "branch"), fmt::format("the branch {} is not in drivers.json", branch.to_string()));
    }
  }

  // GPUs ------------------------------------------------------------------------------------------------------------

  struct Holder {
    std::string gpu;
    std::string capability;
    std::string where;
  };

  void check_gpus() {
    std::set<std::string> allowed;
    for (const auto& row : rows(tables::ambiguous)) {
      allowed.insert(light_key(text_of(*row.value, "name")));
      allowed.insert(full_key(text_of(*row.value, "name")));
    }
    std::map<std::string, std::vector<Holder>> names;
    std::map<std::string, std::vector<Holder>> ids;
    std::map<std::string, Holder> boards;
    const auto add = [&](const std::string& name, const Holder& holder) {
      for (const auto& key : std::set<std::string>{light_key(name), full_key(name)}) names[key].push_back(holder);
    };
    for (const auto& row : rows(tables::gpus)) {
      const Holder holder{text_of(*row.value, "name"), text_of(*row.value, "capability"), row.where};
      boards[holder.gpu] = holder;
      add(holder.gpu, {holder.gpu, holder.capability, pointer(row, "name")});
      if (driver_capabilities_.count(holder.capability) == 0)
        find(pointer(row, "capability"),
             fmt::format("no gpu_drivers row of drivers.json is for the capability {}", holder.capability));
      const auto& aliases = member(*row.value, "aliases");
      for (std::size_t i = 0; aliases.is_array() && i < aliases.size(); ++i) {
        if (!aliases[i].is_string()) continue;
        const auto where = fmt::format("{}/aliases/{}", row.where, i);
        const auto alias = aliases[i].get<std::string>();
        if (full_key(alias).empty())
          find(where, fmt::format("{} is no name", in_quotes(alias)));
        else
          add(alias, {holder.gpu, holder.capability, where});
      }
      const auto& pci = member(*row.value, "pci_ids");
      for (std::size_t i = 0; pci.is_array() && i < pci.size(); ++i) {
        if (!pci[i].is_string()) continue;
        const auto id = pci[i].get<std::string>();
        const auto where = fmt::format("{}/pci_ids/{}", row.where, i);
        const bool good =
            id.size() == 9 && id.starts_with("10de:") && id.find_first_not_of("0123456789abcdef", 5) == std::string::npos;
        if (!good) find(where, fmt::format("{} is no PCI id (10de:2684, small letters)", in_quotes(id)));
        ids[id].push_back({holder.gpu, holder.capability, where});
      }
      const auto& verified = member(*row.value, "verified");
      for (std::size_t i = 0; verified.is_array() && i < verified.size(); ++i) {
        if (verified[i].is_string() && !row.value->contains(verified[i].get<std::string>()))
          find(fmt::format("{}/verified/{}", row.where, i),
               fmt::format("the row has no field {}", in_quotes(verified[i].get<std::string>())));
      }
    }
    for (const auto& row : rows(tables::families)) {
      const auto& members = member(*row.value, "members");
      if (!members.is_array() || members.empty()) find(pointer(row, "members"), "a family has members");
      for (std::size_t i = 0; members.is_array() && i < members.size(); ++i) {
        if (!members[i].is_string()) continue;
        const auto board = boards.find(members[i].get<std::string>());
        if (board != boards.end())
          add(text_of(*row.value, "name"), {board->second.gpu, board->second.capability, pointer(row, "name")});
      }
    }
    for (const auto& [key, holders] : names) {
      if (allowed.count(key) > 0) continue;
      report_clash(holders, "name", key, " (list it in 'ambiguous' where people must say which)");
    }
    for (const auto& [id, holders] : ids) report_clash(holders, "PCI id", id, "");
  }

  void report_clash(const std::vector<Holder>& holders, std::string_view what, const std::string& key, std::string_view remedy) {
    for (const auto& holder : holders) {
      if (holder.capability == holders.front().capability) continue;
      find(holder.where, fmt::format("the {} {} stands for {} ({}) and {} ({}){}", what, in_quotes(key), holders.front().gpu,
                                     holders.front().capability, holder.gpu, holder.capability, remedy));
      return;
    }
  }

  // Images, TensorFlow ----------------------------------------------------------------------------------------------

  void check_images() {
    for (const auto& row : rows(tables::gates)) {
      const auto& exceptions = member(*row.value, "exceptions");
      for (std::size_t i = 0; exceptions.is_array() && i < exceptions.size(); ++i) {
        const auto branch = version_of(exceptions[i], "branch");
        if (branch && branches_.count(branch) == 0)
          find(fmt::format("{}/exceptions/{}/branch", row.where, i),
               fmt::format("the branch {} is not in drivers.json", branch.to_string()));
      }
    }
    for (const auto& row : rows(tables::cuda_images)) {
      const auto tag = text_of(*row.value, "tag");
      const auto cuda = text_of(*row.value, "cuda");
      const auto system = text_of(*row.value, "os");
      check_os(pointer(row, "os"), system);
      // Old tags have two parts: 10.2 is 10.2.89. A doubtful tag is kept so that nobody takes it for a gap.
      const auto version = version_of(*row.value, "cuda");
      const bool known = std::any_of(toolkits_.begin(), toolkits_.end(), [&](Version toolkit) { return toolkit.under(version); });
      if (version && !known && text_of(*row.value, "evidence") != "used-doubtful")
        find(pointer(row, "cuda"), fmt::format("no toolkit {} is in cuda.json", cuda));
      if (!tag.starts_with(cuda + "-"))
        find(pointer(row, "tag"), fmt::format("the tag {} does not begin with its CUDA {}", in_quotes(tag), cuda));
      if (!tag.ends_with("-" + system))
        find(pointer(row, "tag"), fmt::format("the tag {} does not end in its system {}", in_quotes(tag), system));
      const auto variant = text_of(*row.value, "variant");
      if (tag.find("-" + variant) == std::string::npos)
        find(pointer(row, "tag"), fmt::format("the tag {} does not name its variant {}", in_quotes(tag), variant));
      const bool cudnn = tag.find("-cudnn") != std::string::npos;
      if (cudnn == member(*row.value, "cudnn").is_null())
        find(pointer(row, "cudnn"), fmt::format("the tag {} {}", in_quotes(tag), cudnn ? "has cuDNN" : "has no cuDNN"));
    }
    for (const auto& row : rows(tables::pytorch_images)) {
      const auto tag = text_of(*row.value, "tag");
      const auto torch = version_of(*row.value, "torch");
      if (torch && releases_.count(torch) == 0)
        find(pointer(row, "torch"), fmt::format("no release {} is in torch.json", torch.to_string()));
      if (!tag.starts_with(text_of(*row.value, "torch") + "-"))
        find(pointer(row, "tag"),
             fmt::format("the tag {} does not begin with its torch {}", in_quotes(tag), text_of(*row.value, "torch")));
      if (const auto cuda = version_of(*row.value, "cuda")) check_cuda(pointer(row, "cuda"), cuda.at(2));
      check_os(pointer(row, "os"), text_of(*row.value, "os"));
    }
  }

  void check_tensorflow(const Row& row) {
    check_contents(row);
    const auto& pins = member(*row.value, "pins");
    if (pins.is_object()) {
      for (const auto& [package, spec] : pins.items()) {
        if (!spec.is_string()) continue;
        const auto where = pointer(row, "pins/" + package);
        const bool cudnn = package.starts_with("nvidia-cudnn-");
        check_spec(where, spec.get<std::string>(), cudnn ? &cudnns_ : nullptr, "cuDNN");
      }
    }
    const auto& images = member(*row.value, "images");
    for (std::size_t i = 0; images.is_array() && i < images.size(); ++i) {
      const auto where = fmt::format("{}/images/{}", row.where, i);
      const auto tag = text_of(images[i], "tag");
      check_os(where + "/os", text_of(images[i], "os"));
      if (!tag.starts_with(text_of(*row.value, "version") + "-"))
        find(where + "/tag", fmt::format("the tag {} does not begin with its version", in_quotes(tag)));
    }
  }

  // Rules and presets -----------------------------------------------------------------------------------------------

  void check_rule(const Row& row) {
    const auto& when = member(*row.value, "when");
    if (when.is_object()) {
      for (const auto& [field, value] : when.items()) {
        if (value.is_string()) check_condition(pointer(row, "when/" + field), field, value.get<std::string>());
      }
    }
    const auto& action = member(*row.value, "action");
    const auto& pin = member(action, "pin");
    if (const auto spec = text_of(pin, "spec"); !spec.empty())
      check_spec(pointer(row, "action/pin/spec"), spec, nullptr, "version");
    if (action.is_object() && action.empty()) find(pointer(row, "action"), "the rule does nothing: pin, env or warn");
  }

  void check_condition(const std::string& where, const std::string& field, const std::string& text) {
    const std::map<std::string_view, std::pair<const std::set<Version>*, std::string_view>> specs{
        {"torch", {&releases_, "torch"}},  {"tensorflow", {&tensorflows_, "tensorflow"}},
        {"cuda", {&minors_, "CUDA"}},      {"cudnn", {&cudnns_, "cuDNN"}},
        {"python", {&pythons_, "Python"}}, {"gpu_capability", {&capabilities_, "GPU's compute capability"}}};
    static constexpr std::array<std::string_view, 3> channels{"wheels", "pytorch", "conda-forge"};
    const std::map<std::string_view, std::span<const std::string_view>> choices{{"installer", Names<Installer>::names},
                                                                                {"base", Names<Base>::names},
                                                                                {"variant", Names<Variant>::names},
                                                                                {"channel", channels}};
    // Alternatives are separated by a bar.
    for (std::string_view rest = text;;) {
      const auto bar = rest.find('|');
      const std::string part(rest.substr(0, bar));
      if (const auto spec = specs.find(field); spec != specs.end()) {
        check_spec(where, part, spec->second.first, spec->second.second);
      } else if (const auto choice = choices.find(field); choice != choices.end()) {
        if (const auto parsed = parse_choice(part, choice->second); !parsed)
          find(where, parsed.error().message, parsed.error().hints);
      } else if (field == "os") {
        check_os(where, part);
      }
      if (bar == std::string_view::npos) return;
      rest.remove_prefix(bar + 1);
    }
  }

  void check_presets() {
    static constexpr std::array<std::string_view, 14> fields{"torch", "torchvision", "torchaudio", "tensorflow", "cuda",
                                                             "cudnn", "python",      "driver",     "gpus",       "hosts",
                                                             "os",    "platform",    "variant",    "installer"};
    for (const auto& row : rows(tables::presets)) {
      const auto& request = member(*row.value, "request");
      if (!request.is_object()) continue;
      for (const auto& [field, value] : request.items()) {
        const auto where = pointer(row, "request/" + field);
        if (std::find(fields.begin(), fields.end(), field) == fields.end() && field != "base" && field != "prefer" &&
            field != "ptx") {
          find(where, fmt::format("{} is no field of a request", in_quotes(field)));
        } else if (field == "os" && value.is_string()) {
          check_os(where, value.get<std::string>());
        } else if ((field == "torch" || field == "tensorflow") && value.is_string()) {
          check_spec(where, value.get<std::string>(), field == "torch" ? &releases_ : &tensorflows_, field);
        } else if (field == "cuda" && value.is_string() && value.get<std::string>() != "cpu") {
          check_spec(where, value.get<std::string>(), nullptr, field);
        }
      }
    }
  }

  const Documents& documents_;
  std::vector<Error> findings_;
  std::set<Version> releases_, tensorflows_, toolkits_, toolkit_minors_, minors_, majors_, cudnns_, branches_, pythons_,
      capabilities_;
  std::set<std::string> systems_, driver_capabilities_;
};

/// Reading stops at the first file that cannot be read; what is wrong inside a file is a finding.
bool is_finding(const Error& error) { return error.origin.find("#/") != std::string::npos; }

}  // namespace

Expected<std::vector<Error>> lint(const std::vector<std::filesystem::path>& layers) {
  const auto documents = Documents::read(layers);
  if (!documents) {
    if (is_finding(documents.error())) return std::vector<Error>{documents.error()};
    return tl::unexpected(documents.error());
  }
  auto findings = load(layers).problems;
  auto more = Lint(*documents).run();
  findings.insert(findings.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  for (auto& finding : findings) finding.code = ErrorCode::differs;
  return findings;
}

}  // namespace envgen::matrix
