#include "answers/reasons.hpp"

#include <array>
#include <bit>
#include <cctype>
#include <functional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "answers/gpu_phrases.hpp"
#include "answers/release_phrases.hpp"
#include "model/add_once.hpp"
#include "model/os_name.hpp"
#include "resolver/cudnn_choice.hpp"
#include "resolver/known_drivers.hpp"
#include "resolver/place.hpp"

namespace envgen::answers {

using matrix::Build;
using resolver::Reason;
using resolver::set_of;

namespace {

/// The text of a sentence as an argument of a template.
template <std::size_t size>
struct FixedString {
  char chars[size];
  consteval FixedString(const char (&text)[size]) { std::copy_n(text, size, chars); }  // NOLINT(google-explicit-constructor)
  constexpr std::string_view view() const { return {chars, size - 1}; }
};

/// A sentence of these phrases, which are functions of what is told.
template <FixedString text, auto... phrases>
std::string says(const Phrases& say) {
  return fmt::format(text.view(), std::invoke(phrases, say)...);
}

/// A phrase of the table: the builds and what each, or all of them, do.
template <FixedString one_does, FixedString all_do>
std::string builds_do(const Phrases& say) {
  return say.builds(one_does.view(), all_do.view());
}

std::string no_such_release(const Phrases& say) {
  const auto wanted = say.query.version.spec.single();
  std::vector<std::string> all;
  std::vector<std::string> of_minor;  // the whole list is long: only the releases of the same minor are worth reading
  for (const auto& release : say.matrix->releases) {
    if (release.framework != say.query.framework) continue;
    all.emplace_back(release.text.view());
    if (wanted.count() >= 2 && release.version.under(wanted.at(2))) of_minor.emplace_back(release.text.view());
  }
  if (!of_minor.empty())
    return fmt::format("there is no {}: {} {} was released only as {}.", say.values(), say.framework(), wanted.at(2),
                       joined(of_minor));
  const auto* newest = say.matrix.newest(say.query.framework);
  return fmt::format("no {0} release matches {1}: envgen's data has {0} {2} to {3}.", say.framework(),
                     say.query.values[static_cast<std::size_t>(say.query.version.value)].text,
                     all.empty() ? std::string() : all.front(), newest == nullptr ? std::string_view() : newest->text.view());
}

constexpr std::size_t most_listed = 6;

/// The major version of CUDA that was asked for where `cudas` has it among many others: only its own are worth reading.
std::string major_worth_reading(const Phrases& say, const std::vector<std::string>& cudas) {
  if (cudas.size() <= most_listed) return {};
  for (const auto& asked : say.query.cuda) {
    const auto wanted = asked.spec.single();
    if ((say.step.values & set_of(asked.value)) == 0 || wanted.count() == 0) continue;
    auto major = fmt::format("{}", wanted.major());
    if (std::any_of(cudas.begin(), cudas.end(), [&](const auto& one) { return one.starts_with(major + "."); })) return major;
  }
  return {};
}

std::string no_such_cuda(const Phrases& say) {
  // The CUDA of a `2.3.1+cu121` and that of `--cuda` may both be part of the conflict.
  const auto asked = std::count_if(say.query.cuda.begin(), say.query.cuda.end(),
                                   [&](const resolver::AskedCuda& cuda) { return (say.conflict & set_of(cuda.value)) != 0; });
  if (asked > 1 && std::popcount(say.conflict) == asked)
    return fmt::format("each build is for one CUDA version, but {} name different ones.", say.named(say.conflict));
  bool complete = true;
  std::vector<std::string> perhaps;
  for (const auto* build : say.step.builds) {
    const auto& release = say.matrix.release(*build);
    if (build->channel != matrix::Channel::wheels || build->framework != Framework::torch || release.tags_complete) continue;
    complete = complete && release.open_cuda_known;
    for (const auto cuda : release.open_cuda) add_once(perhaps, cuda.to_string());
  }
  auto cudas = say.cudas();
  std::erase_if(perhaps, [&](const std::string& one) { return std::find(cudas.begin(), cudas.end(), one) != cudas.end(); });
  // A companion has chosen among the builds before.
  const auto companions = set_of(say.query.torchvision.value) | set_of(say.query.torchaudio.value);
  const auto with =
      (say.conflict & companions) != 0 ? fmt::format(" with {}", say.named(say.conflict & companions)) : std::string();
  const auto* known = complete ? "" : "known ";
  const auto major = major_worth_reading(say, cudas);
  if (!major.empty()) {
    const auto of_another = [&](const std::string& one) { return !one.starts_with(major + "."); };
    std::erase_if(cudas, of_another);
    std::erase_if(perhaps, of_another);
  }
  return fmt::format("there is no build for {}: the only {}{}builds of {} {}{} are for CUDA {}{}.", say.values(), known,
                     major.empty() ? "" : fmt::format("CUDA {} ", major), say.framework(), say.versions(), with,
                     cudas.size() > most_listed ? fmt::format("{} to {}", cudas.front(), cudas.back()) : joined(cudas),
                     perhaps.empty() ? std::string() : fmt::format(" (and perhaps {})", joined(perhaps)));
}

/// `pytorch/pytorch devel`, of the base and the variant that were asked for; empty: more was.
std::string kind_of_image(const Phrases& say) {
  constexpr std::array<std::string_view, 4> repositories{"plain", "nvidia/cuda", "pytorch/pytorch", "tensorflow/tensorflow"};
  const auto base = say.step.values & set_of(say.query.base_value);
  const auto variant = say.step.values & set_of(say.query.variant_value);
  std::vector<std::string_view> words;
  if (base != 0) words.push_back(repositories[static_cast<std::size_t>(say.query.base)]);
  if (variant != 0) words.push_back(name_of(say.query.variant));
  return say.step.values == (base | variant) ? fmt::format("{}", fmt::join(words, " ")) : std::string();
}

std::string no_image(const Phrases& say) {
  if (say.step.values == 0)
    return say.builds("includes no CUDA and has", "include no CUDA and have") + " no matching nvidia/cuda image.";
  const auto kind = kind_of_image(say);
  return kind.empty() ? fmt::format("no image for {} was published for {}.", say.values(), say.contents("or"))
                      : fmt::format("no {} image was published for {}.", kind, say.contents("or"));
}

std::string no_toolkit(const Phrases& say) {
  const bool devel = say.query.variant == Variant::devel;
  return fmt::format("{} include {}, and neither does the distribution's image; this rules out {}.",
                     say.builds("does not", "do not"), devel ? "nvcc" : "CUDA", say.values());
}

/// Whether a Python was asked for that is not too old for a release, and that no build of it is for all the same.
bool is_left_out(const matrix::Release& release, const Query& query) {
  const auto oldest = release.allowed_pythons.list().front();
  return query.pythons.newest().minor >= oldest.minor && (query.pythons & release.allowed_pythons).empty();
}

/// The builds have no wheel for the asked Python, or they have, but their official images bring another one.
std::string no_such_python(const Phrases& say) {
  PythonSet of_wheels;
  for (const auto* build : say.step.builds) of_wheels = of_wheels | build->pythons;
  const auto names = [](PythonSet pythons) {
    std::vector<std::string> words;
    const auto all = pythons.list();
    for (const auto python : all) words.push_back(python.to_string());
    const bool any_free = std::any_of(all.begin(), all.end(), [](PythonVersion python) { return python.free_threaded; });
    const bool in_a_row = !all.empty() && all.back().minor - all.front().minor + 1 == static_cast<int>(all.size());
    return !any_free && in_a_row && all.size() > 2 ? fmt::format("{} to {}", words.front(), words.back()) : joined(words);
  };
  // Which other CUDA a release is built for may not be known; what it asks for is.
  std::vector<std::string> asking;
  for (const auto* build : say.step.builds) {
    const auto& release = say.matrix.release(*build);
    if (release.tags_complete || release.allowed_pythons.empty()) continue;
    add_once(asking, is_left_out(release, say.query)
                         ? fmt::format("no other build of {} {} has one", say.framework(), release.text.view())
                         : fmt::format("{} {} requires {} or newer", say.framework(), release.text.view(),
                                       release.allowed_pythons.list().front().to_string()));
  }
  if (!say.from_official_image() || (of_wheels & say.query.pythons).empty())
    return fmt::format("{} wheels only for Python {}{}, not for {}.", say.builds("has", "have"), names(of_wheels),
                       asking.empty() ? std::string() : fmt::format(" ({})", joined(asking)), say.values());
  PythonSet of_images;
  for (const auto* build : say.step.builds) {
    for (const auto& image : say.matrix->official_images) {
      if (matrix::is_image_of(image, *build) && image.python.minor != 0) of_images.add(image.python);
    }
  }
  return fmt::format("the images for {} have only Python {}, not {}.", say.contents(), names(of_images), say.values());
}

/// The systems of the images that the builds can start from: the official ones where they were asked for, else nvidia/cuda.
std::string systems(const Phrases& say) {
  std::set<std::string> names;
  const bool official = say.from_official_image();
  bool unread = false;
  for (const auto* build : say.step.builds) {
    for (const auto& image : say.matrix->official_images) {
      if (!official || image.framework != build->framework || image.version != build->version) continue;
      if (!image.os.empty()) names.insert(os_name(image.os.view()));
      unread = unread || image.os.empty();
    }
    if (official) continue;
    for (const auto& set : say.matrix.image_sets(*build)) {
      const auto image = resolver::start_image(say.matrix, *build, say.query.variant, set);
      if (resolver::offered(say.matrix, say.query, image) != nullptr) names.insert(os_name(say.matrix->os[set.os].id.view()));
    }
  }
  if (unread && say.query.os != nullptr && say.query.os->family.view() != "ubuntu") return "Ubuntu";
  return joined({names.begin(), names.end()});
}

std::string which_python(const Phrases& say) {
  return say.build().pythons_known ? fmt::format("which Python version the official image of {} has", say.label())
                                   : fmt::format("which Python versions {} is built for", say.label());
}

std::string whether_it_carries(const Phrases& say) {
  if (say.machine().tegra) return "which driver versions Jetson boards need";
  return fmt::format("whether driver {} supports CUDA {}", say.machine().drivers.front(), say.build().cuda);
}

/// The driver supports the GPU, but not to divide it.
bool lacks_only_mig(const resolver::Board& board, const resolver::AskedMachine& machine) {
  if (!board.mig) return false;
  const auto whole = resolver::drivers_that_know(board.driver_row, board.rows);
  const auto& releases = machine.asked.releases;
  return std::any_of(releases.begin(), releases.end(), [&](DriverVersion one) { return whole.knows(one); });
}

std::string driver_not_of_board(const Phrases& say) {
  const auto& machines = say.query.machines;
  const auto& machine = *std::find_if(machines.begin(), machines.end(), [&](const resolver::AskedMachine& one) {
    return std::find(one.boards.begin(), one.boards.end(), say.step.subject) != one.boards.end();
  });
  const auto& known = say.board().known;
  const auto& firsts = known.firsts();
  // Which release a branch begins with matters where the board is new to that branch.
  const bool other_branch =
      !machine.asked.releases.empty() && std::none_of(firsts.begin(), firsts.end(), [&](DriverVersion first) {
        return first.branch() == machine.asked.releases.front().branch();
      });
  const auto driver = other_branch && !machine.asked.range ? "driver " + machine.driver_text : Phrases::driver_of(machine);
  if (firsts.empty() && known.last_branch() != 0)
    return fmt::format("R{} is the last driver branch that supports {}; {} does not.", known.last_branch(), say.named_board(),
                       driver);
  const bool one_bound = firsts.size() == 1 && known.last_branch() == 0;
  const auto refusal = lacks_only_mig(say.board(), machine) ? "supports the GPU, but not MIG on it"
                       : one_bound                          ? "does not support it"
                                                            : "does not";
  if (one_bound) return fmt::format("{} needs driver {} or newer; {} {}.", say.named_board(), firsts.front(), driver, refusal);
  return fmt::format("only drivers {} support {}; {} {}.", known.to_string(), say.named_board(), driver, refusal);
}

std::string two_kernel_modules(const Phrases& say) {
  std::vector<std::string> proprietary;
  std::vector<std::string> open;
  for (const auto b : say.machine().boards) {
    const auto& board = say.query.boards[b];
    if (board.tegra)
      return fmt::format("{} works only with JetPack's own driver, so no other GPU can be in the same host.",
                         Phrases::named(board));
    if (board.driver_row == nullptr || board.driver_row->kernel_module == matrix::KernelModule::either) continue;
    add_once(board.driver_row->kernel_module == matrix::KernelModule::open ? open : proprietary, Phrases::named(board));
  }
  return fmt::format(
      "{} {} the proprietary kernel modules, and {} the open ones; a machine can load only one kind, so these GPUs cannot share "
      "a machine.",
      joined(proprietary), proprietary.size() == 1 ? "needs" : "need", joined(open));
}

std::string no_common_driver(const Phrases& say) {
  std::vector<std::string> ranges;
  const auto& host = say.machine();
  for (const auto b : host.boards) {
    const auto& board = say.query.boards[b];
    const auto drivers = board.known.to_string();
    if (!drivers.empty()) add_once(ranges, fmt::format("drivers {} support {}", drivers, Phrases::named(board)));
  }
  return fmt::format("{}; {} supports {}.", joined(ranges), host.known.any() ? "no driver " + host.driver_text : "no driver",
                     ranges.size() == 2 ? "both" : "all of them");
}

// Phrases of a word or two.
std::string contents(const Phrases& say) { return say.contents(); }
std::string all_builds(const Phrases& say) { return say.builds(); }
std::string platforms(const Phrases& say) {
  return joined(say.each(&Build::platform, [](const Build& b) { return std::string(name_of(b.platform)); }));
}
std::string glibcs(const Phrases& say) {
  const auto& builds = say.step.builds;
  // What an open release may have besides is not named, and falls with those that are.
  const bool open = std::any_of(builds.begin(), builds.end(), [&](const Build* build) {
    return build->channel == matrix::Channel::wheels && !say.matrix.release(*build).tags_complete;
  });
  return joined(say.each(&Build::glibc, [](const Build& b) { return b.glibc.to_string(); }), "or") +
         (open ? " (so does any build not listed; inferred: PyTorch has never gone back to an older glibc)" : "");
}
std::string refusing_glibc(const Phrases& say) {
  return joined(say.each(&Build::glibc_below, [](const Build& b) { return b.glibc_below.to_string(); }), "or");
}
std::string newer_glibc(const Phrases& say) {
  return say.query.os == nullptr ? "such a one" : "glibc " + say.query.os->glibc.to_string();
}
std::string_view board_name(const Phrases& say) { return say.board().name; }
std::string_view of_windows(const Phrases& say) { return say.query.wsl ? "Windows " : ""; }
std::string cuda(const Phrases& say) { return say.build().cuda.to_string(); }
std::string_view asked_driver(const Phrases& say) { return say.machine().driver_text; }
std::string needed_driver(const Phrases& say) { return say.needed.to_string(); }
std::string image_versions(const Phrases& say) { return say.versions(); }
std::string cudnns_of_images(const Phrases& say) {
  std::vector<std::string> cudnns;
  for (const auto* build : say.step.builds) {
    for (const auto& image : say.matrix->official_images) {
      if (matrix::is_image_of(image, *build) && image.cudnn) add_once(cudnns, image.cudnn.to_string());
    }
  }
  return joined(cudnns, "or");
}
std::string majors_of_cudnn(const Phrases& say) {
  return joined(say.each(&Build::cudnn, [](const Build& build) { return std::to_string(build.cudnn.major()); }), "or");
}
int last_branch(const Phrases& say) { return say.machine().known.last_branch(); }
std::string system(const Phrases& say) { return say.query.os == nullptr ? "the system" : os_name(say.query.os->id.view()); }
std::string system_glibc(const Phrases& say) {
  return say.query.os == nullptr ? "an older one" : say.query.os->glibc.to_string();
}

constexpr bool selects = true;
constexpr bool rules_out = false;
/// Of a reason that is never unknown: what is true of any, should the resolver say so before its row does.
constexpr auto never = says<"whether {} satisfies the request", &Phrases::label>;
constexpr auto no_build_fits = says<"no build satisfies {}.", &Phrases::values>;
constexpr Cited from(int rows) { return {nullptr, rows}; }
constexpr Cited from(const char* field, int rows = 0) { return {field, rows}; }
constexpr auto their_row = from("");
constexpr Cited nowhere;
using F = Cited;
using P = Phrases;

/// In the order of Reason.
constexpr std::array<ReasonRow, resolver::reason_count> reason_rows{{
    {Reason::framework, selects, their_row, never, no_build_fits},
    {Reason::version, selects, from(F::releases_of_minor), never, no_such_release},
    {Reason::platform, selects, their_row, never, says<"{} for {}, not {}.", builds_do<"is", "are">, platforms, &P::values>},
    {Reason::installer, selects, their_row, never,
     says<"{} published only for other installers, not for {}.", builds_do<"is", "are">, &P::values>},
    {Reason::cuda, selects, from("cuda"), says<"which CUDA {} is built for", &P::label>, no_such_cuda},
    {Reason::cudnn, selects, from("cudnn"), says<"{} is used by {}", which_cudnn, &P::label>, no_such_cudnn},
    {Reason::torchvision, selects, their_row, companion_fit, no_such_companion},
    {Reason::torchaudio, selects, their_row, companion_fit, no_such_companion},
    {Reason::python, selects, from("package_index"), which_python, no_such_python},
    {Reason::companion_python, selects, from("package_index"), never,
     says<"the companions of {} have no wheel for a suitable Python, which rules out {}.", all_builds, &P::values>},
    {Reason::code, rules_out, from("sass", F::capability), says<"whether {} has code for the {}", &P::label, board_name>,
     no_code_runs},
    {Reason::cudnn_gpu, rules_out, from(F::capability), whether_cudnn_serves, cudnn_serves_not},
    {Reason::gpu_driver, rules_out, from(F::capability | F::board_drivers),
     says<"which {}drivers support the {}", of_windows, board_name>, driver_not_of_board},
    {Reason::driver, rules_out, from(F::toolkit_drivers), whether_it_carries,
     says<"{}; {} is too old for {}{}", &P::toolkit_needs, &P::driver, &P::any_build, &P::compat_remark>},
    {Reason::gpu_too_old, rules_out, from(F::toolkit_drivers | F::machine_drivers), says<"which driver CUDA {} needs", cuda>,
     says<"{}, but R{} is the last driver branch that supports {}, and that is too old for {}.", &P::toolkit_needs, last_branch,
          &P::named_boards, &P::any_build>},
    {Reason::kernel_module, rules_out, from(F::machine_drivers), never, two_kernel_modules},
    {Reason::host_drivers, rules_out, from(F::machine_drivers), never, no_common_driver},
    {Reason::os, selects, their_row, says<"which operating system the official image of {} is based on", &P::label>,
     says<"the only images for {} are based on {}, not on {}.", contents, systems, system>},
    {Reason::glibc, rules_out, from("glibc"), says<"which glibc {} needs", &P::label>,
     says<"{} glibc {}; {} has {}.", builds_do<"needs", "need">, glibcs, system, system_glibc>},
    {Reason::executable_stack, rules_out, from("glibc_below"), never,
     says<"the libraries of {} need an executable stack, which glibc {} and newer refuse; {} has {}.", all_builds, refusing_glibc,
          system, newer_glibc>},
    {Reason::base, rules_out, their_row, never, no_image},
    {Reason::default_place, selects, their_row, never, no_build_fits},
    {Reason::image_gate, rules_out, their_row, says<"which drivers the image for {} accepts (NVIDIA_REQUIRE_CUDA)", &P::label>,
     says<"the images for {} require a driver that reports their CUDA (NVIDIA_REQUIRE_CUDA); they do not start with {}{}.",
          contents, &P::driver, &P::gate_remark>},
    {Reason::toolkit, rules_out, their_row, says<"which CUDA update the official image of {} has", &P::label>,
     says<"the images for {} contain a different CUDA update, not {}.", contents, &P::values>},
    {Reason::arm_only, rules_out, from(F::capability), never,
     says<"{} comes only with an Arm CPU; builds for linux-x86_64 do not run on it.", &P::named_board>},
    {Reason::plain_system, rules_out, nowhere, never, no_toolkit},
    {Reason::image_cudnn, rules_out, from("images"), never,
     says<"the tensorflow/tensorflow images of {} contain cuDNN {}; that TensorFlow needs cuDNN {} and finds no GPU without it.",
          image_versions, cudnns_of_images, majors_of_cudnn>},
    {Reason::driver_in_part, rules_out, nowhere,
     says<"which release driver {} means: CUDA {} needs {} or newer", asked_driver, cuda, needed_driver>, no_build_fits},
    {Reason::windows_driver, rules_out, nowhere,
     says<"whether Windows driver {} supports CUDA in WSL 2: NVIDIA names only R495 and newer", asked_driver>, no_build_fits},
    {Reason::open_tags, rules_out, nowhere, which_tags, no_build_fits},
}};

constexpr bool each_has_its_row() {
  for (std::size_t i = 0; i < reason_rows.size(); ++i) {
    if (reason_rows[i].reason != static_cast<Reason>(i) || reason_rows[i].missing == nullptr || reason_rows[i].falls == nullptr)
      return false;
  }
  return true;
}
static_assert(each_has_its_row(), "a reason has no row, or not at its place, or a sentence is missing");

/// What is said of a build's cuDNN.
void cite_cudnn(const matrix::Matrix& matrix, const resolver::Query& query, const Step& step, const Build& build,
                std::set<std::uint16_t>& sources) {
  const Phrases said{matrix, query, step};
  if (step.reason == Reason::code && resolver::fails_on(build, said.board().capability))
    sources.insert(build.from.of("fails_on"));
  const bool chosen = resolver::chooses_cudnn(query, build);
  if (chosen && (step.reason == Reason::cudnn || step.reason == Reason::cudnn_gpu)) sources.insert(build.from.of("pins"));
  if (step.reason != Reason::cudnn_gpu) return;
  for (const auto& row : matrix->cudnns) {
    const auto& choices = build.cudnn_choices;
    const auto index = &row - matrix->cudnns.begin();
    const bool its_own =
        chosen ? index == choices.front() || index == choices.back() : build.cudnn && row.version.under(build.cudnn);
    if (its_own) sources.insert(row.from.of("gpus"));
  }
  const auto* later = resolver::later_cudnn_without(matrix, build.cudnn, said.board().capability);
  if (later != nullptr) sources.insert(later->from.of("gpus"));
}

}  // namespace

const ReasonRow& row_of(Reason reason) { return reason_rows[static_cast<std::size_t>(reason)]; }

std::string why_it_falls(const Phrases& say) {
  auto sentence = row_of(say.step.reason).falls(say);
  sentence[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(sentence[0])));
  return sentence;
}

void cite(const matrix::Matrix& matrix, const resolver::Query& query, const Step& step, std::set<std::uint16_t>& sources) {
  const auto& [field, cited] = row_of(step.reason).cited;
  for (const auto* build : step.builds) {
    const bool fails = step.reason == Reason::code && resolver::fails_on(*build, Phrases{matrix, query, step}.board().capability);
    if (fails) sources.insert(build->from.of("fails_on"));
    if (field != nullptr && !fails) sources.insert(build->from.of(field));
    cite_cudnn(matrix, query, step, *build, sources);
    cite_companions({matrix, query, step}, *build, sources);
    // That there are no other builds is a fact, too.
    if (const auto& release = matrix.release(*build); step.reason == Reason::cuda && build->channel == matrix::Channel::wheels &&
                                                      (release.tags_complete || release.open_cuda_known))
      sources.insert(release.from.of(release.tags_complete ? "tags_complete" : "open_cuda"));
    if (const auto& release = matrix.release(*build);
        step.reason == Reason::python && !release.tags_complete && !release.allowed_pythons.empty())
      sources.insert(release.from.of(is_left_out(release, query) ? "no_pythons" : "requires_python"));
    if ((cited & F::toolkit_drivers) == 0) continue;
    if (const auto* row = matrix.minor(*build)) sources.insert(row->from.of("native_driver"));
    if (const auto* row = matrix.major(*build)) sources.insert(row->from.of("minor_compat_driver"));
  }
  const auto cite_drivers = [&](const resolver::Board& board) {
    if (board.driver_row == nullptr) return;
    sources.insert(board.driver_row->from.of("first_driver"));
    sources.insert(board.driver_row->from.of("last_branch"));
    for (const auto* row : board.rows) {
      if (!row->first_drivers.empty()) sources.insert(row->from.of("first_drivers"));
      if (board.mig && row->mig_driver) sources.insert(row->from.of("mig_driver"));
    }
  };
  const Phrases said{matrix, query, step};
  if ((cited & F::capability) != 0 && said.board().gpu != nullptr) sources.insert(said.board().gpu->from.of("capability"));
  if ((cited & F::board_drivers) != 0) cite_drivers(said.board());
  if (step.reason == Reason::driver) {
    for (const auto& refusal : said.compat_refusals()) sources.insert(refusal.row->from.source);
  }
  if ((cited & F::machine_drivers) != 0) {
    for (const auto board : said.machine().boards) cite_drivers(query.boards[board]);
  }
  const auto wanted = query.version.spec.single();
  if ((cited & F::releases_of_minor) == 0 || wanted.count() < 2) return;
  for (const auto& release : matrix->releases) {
    if (release.framework == query.framework && release.version.under(wanted.at(2))) sources.insert(release.from.source);
  }
}

}  // namespace envgen::answers
