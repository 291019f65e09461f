#include "render/reasons.hpp"

#include <array>
#include <bit>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace envgen::render {

using matrix::Build;
using resolver::Reason;
using resolver::set_of;

namespace {

std::string no_build_fits(const Phrases& say) { return fmt::format("no build fits {}, there is no environment.", say.values()); }

std::string known_releases(const Phrases& say) {
  const auto wanted = say.query.version.spec.single();
  std::vector<std::string> all;
  std::vector<std::string> of_minor;  // the whole list is long: only the releases of the same minor are worth reading
  for (const auto& release : say.matrix->releases) {
    if (release.framework != say.query.framework) continue;
    all.emplace_back(release.text.view());
    if (wanted.count() >= 2 && release.version.under(wanted.at(2))) of_minor.emplace_back(release.text.view());
  }
  if (!of_minor.empty())
    return fmt::format("{} {} has the releases {} only", say.framework(), wanted.at(2).to_string(), joined(of_minor));
  const auto* newest = say.matrix.newest(say.query.framework);
  return fmt::format("the matrix holds the releases {} to {} of {}", all.empty() ? std::string() : all.front(),
                     newest == nullptr ? std::string_view() : newest->text.view(), say.framework());
}

std::string no_such_cuda(const Phrases& say) {
  // The CUDA of a `2.3.1+cu121` and that of `--cuda` may both be part of the conflict.
  const auto asked = std::count_if(say.query.cuda.begin(), say.query.cuda.end(),
                                   [&](const resolver::AskedCuda& cuda) { return (say.conflict & set_of(cuda.value)) != 0; });
  if (asked > 1 && std::popcount(say.conflict) == asked && (say.step.values & ~say.conflict) == 0)
    return fmt::format("{} each name another CUDA, no build has both.", say.values(say.conflict));
  const bool complete = std::all_of(say.step.builds.begin(), say.step.builds.end(), [&](const Build* build) {
    return build->channel != matrix::Channel::wheels || build->framework != Framework::torch ||
           say.matrix.release(*build).tags_complete;
  });
  return fmt::format("{} {} is {}built for CUDA {} only, there is no build for {}.", say.framework(), say.versions(),
                     complete ? "" : "known to be ", joined(say.cudas()), say.values());
}

/// The builds have no wheel for the asked Python, or they have, but their official images bring another one.
std::string no_such_python(const Phrases& say) {
  PythonSet of_wheels;
  for (const auto* build : say.step.builds) of_wheels = of_wheels | build->pythons;
  const auto names = [](PythonSet pythons) {
    std::vector<std::string> words;
    for (const auto python : pythons.list()) words.push_back(python.to_string());
    return joined(words);
  };
  if (!say.from_official_image() || (of_wheels & say.query.pythons).empty())
    return fmt::format("{} has wheels for Python {} only, it has none for {}.", say.builds(), names(of_wheels), say.values());
  PythonSet of_images;
  for (const auto* build : say.step.builds) {
    for (const auto& image : say.matrix->official_images) {
      const bool of_build =
          image.framework == build->framework && image.version == build->version && image.cuda == build->cuda && !image.jupyter;
      if (of_build && image.python.minor != 0) of_images.add(image.python);
    }
  }
  return fmt::format("the images for {} have Python {} only, there is none with {}.", say.builds(), names(of_images),
                     say.values());
}

/// The systems of the images that the builds can start from: the official ones where they were asked for, else nvidia/cuda.
std::string no_such_system(const Phrases& say) {
  std::set<std::string> names;
  const bool official = say.from_official_image();
  for (const auto* build : say.step.builds) {
    for (const auto& image : say.matrix->official_images) {
      if (official && image.framework == build->framework && image.version == build->version && !image.os.empty())
        names.emplace(image.os.view());
    }
    if (official) continue;
    for (const auto& set : say.matrix.image_sets(*build)) names.emplace(say.matrix->os[set.os].id.view());
  }
  return fmt::format("the images for {} are made on {} only, there is none on {}.", say.builds(),
                     joined({names.begin(), names.end()}), say.query.os->id.view());
}

std::string other_pair(const Phrases& say, std::string_view companion, matrix::Text matrix::Release::*text) {
  const auto have = say.each([](const Build& b) { return b.version; },
                             [&](const Build& b) {
                               const auto own = (say.matrix.release(b).*text).view();
                               return fmt::format("{} for torch {}", own.empty() ? "none" : own, b.version_text.view());
                             });
  constexpr std::size_t most = 6;
  const std::vector<std::string> shown(have.begin(), have.begin() + static_cast<std::ptrdiff_t>(std::min(most, have.size())));
  return fmt::format("{} was released in pairs ({}{}), {} does not belong to {}.", companion, joined(shown),
                     have.size() > most ? ", ..." : "", say.values(), say.builds());
}

std::string missing_of_companion(const Phrases& say, std::string_view companion, const resolver::AskedVersion& asked) {
  if (say.build().channel == matrix::Channel::wheels)
    return fmt::format("which Pythons the {} of {} is built for", companion, say.label());
  return fmt::format("whether {} {} is built for {}", companion, say.query.values[static_cast<std::size_t>(asked.value)].text,
                     say.label());
}

std::string cudnn_too_new(const Phrases& say) {
  std::set<std::string> floors;
  for (const auto* build : say.step.builds) {
    const auto* row = say.matrix.cudnn(*build);
    if (row == nullptr) continue;
    for (const auto& gpus : row->gpus) {
      if (!gpus.cuda || build->cuda.under(gpus.cuda)) floors.insert(gpus.min.to_string());
    }
  }
  return fmt::format("{} brings cuDNN {}, which starts at compute capability {}, it does not serve {}.", say.builds(),
                     joined(say.cudnns()), joined({floors.begin(), floors.end()}, "or"), say.named(say.board()));
}

std::string unseen_board(const Phrases& say) {
  for (const auto& machine : say.query.machines) {
    if (std::find(machine.boards.begin(), machine.boards.end(), static_cast<std::uint16_t>(say.step.subject)) !=
        machine.boards.end())
      return fmt::format("{} is known to drivers {}, {} does not see it.", say.named(say.board()),
                         driver_range(*say.board().driver_row), say.driver(machine));
  }
  return "";
}

std::string two_kernel_modules(const Phrases& say) {
  std::vector<std::string> proprietary;
  std::vector<std::string> open;
  for (const auto b : say.machine().boards) {
    const auto& board = say.query.boards[b];
    if (board.tegra)
      return fmt::format("{} runs under the driver of its Jetson alone, no other GPU can share it.", say.named(board));
    if (board.driver_row == nullptr || board.driver_row->kernel_module == matrix::KernelModule::either) continue;
    auto& list = board.driver_row->kernel_module == matrix::KernelModule::open ? open : proprietary;
    if (std::find(list.begin(), list.end(), say.named(board)) == list.end()) list.push_back(say.named(board));
  }
  return fmt::format(
      "{} needs the proprietary kernel module and {} needs the open one, and one machine loads one of them, they cannot share a "
      "machine's driver.",
      joined(proprietary), joined(open));
}

std::string no_common_driver(const Phrases& say) {
  std::vector<std::string> ranges;
  const auto& host = say.machine();
  for (const auto b : host.boards) {
    const auto* row = say.query.boards[b].driver_row;
    if (row == nullptr || (!row->first_driver && row->last_branch == 0)) continue;
    auto text = fmt::format("{} is known to drivers {}", say.named(say.query.boards[b]), driver_range(*row));
    if (std::find(ranges.begin(), ranges.end(), text) == ranges.end()) ranges.push_back(std::move(text));
  }
  const bool share_none = host.last_branch != 0 && host.first_driver.branch() > host.last_branch;
  return fmt::format("{}, {} knows them all.", joined(ranges),
                     share_none ? "no driver of one machine" : "no driver " + host.driver_text);
}

std::string other_tags(const Phrases& say) {
  std::vector<std::string_view> tags;
  for (const auto& other : say.matrix->builds) {
    if (other.listed && other.channel == matrix::Channel::wheels && other.release == say.build().release &&
        other.platform == say.build().platform && !other.cpu)
      tags.push_back(other.tag.view());
  }
  std::sort(tags.begin(), tags.end());
  return fmt::format("which CUDA tags torch {} has besides {}", say.build().version_text.view(), fmt::join(tags, ", "));
}

constexpr bool selects = true;
constexpr bool rules_out = false;
constexpr auto never = nullptr;
constexpr Cited their_row{""};
using F = Cited;

/// In the order of Reason.
constexpr std::array<ReasonRow, resolver::reason_count> rows{{
    {Reason::framework, selects, their_row, never, no_build_fits},
    {Reason::version,
     selects,
     {.rows = F::releases_of_minor},
     never,
     [](const Phrases& say) { return fmt::format("{}, there is no {}.", known_releases(say), say.values()); }},
    {Reason::platform, selects, their_row, never,
     [](const Phrases& say) {
       const auto have =
           say.each([](const Build& b) { return b.platform; }, [](const Build& b) { return std::string(name_of(b.platform)); });
       return fmt::format("{} exists for {} only, there is none for {}.", say.builds(), joined(have), say.values());
     }},
    {Reason::installer, selects, their_row, never,
     [](const Phrases& say) {
       return fmt::format("{} is not to be had that way, {} does not offer it.", say.builds(), say.values());
     }},
    {Reason::cuda,
     selects,
     {"cuda"},
     [](const Phrases& say) { return fmt::format("which CUDA {} is built for", say.label()); },
     no_such_cuda},
    {Reason::cudnn,
     selects,
     {"cudnn"},
     [](const Phrases& say) {
       if (!say.build().cudnn) return fmt::format("which cuDNN {} brings", say.label());
       return fmt::format("which release of cuDNN {} {} brings", say.build().cudnn_text.view(), say.label());
     },
     [](const Phrases& say) {
       return fmt::format("{} brings {}, it does not have {}.", say.builds(),
                          say.all_for_cpu() ? "no cuDNN" : "cuDNN " + joined(say.cudnns()), say.values());
     }},
    {Reason::torchvision, selects, their_row,
     [](const Phrases& say) { return missing_of_companion(say, "torchvision", say.query.torchvision); },
     [](const Phrases& say) { return other_pair(say, "torchvision", &matrix::Release::torchvision_text); }},
    {Reason::torchaudio, selects, their_row,
     [](const Phrases& say) { return missing_of_companion(say, "torchaudio", say.query.torchaudio); },
     [](const Phrases& say) { return other_pair(say, "torchaudio", &matrix::Release::torchaudio_text); }},
    {Reason::python,
     selects,
     {"package_index"},
     [](const Phrases& say) {
       if (!say.build().pythons_known) return fmt::format("which Pythons {} is built for", say.label());
       return fmt::format("which Python the official image of {} has", say.label());
     },
     no_such_python},
    {Reason::companion_python,
     selects,
     {"package_index"},
     never,
     [](const Phrases& say) {
       return fmt::format("the companions of {} have no wheel for that Python, {} cannot be had together.", say.builds(),
                          say.values());
     }},
    {Reason::code,
     rules_out,
     {"sass", F::capability},
     [](const Phrases& say) { return fmt::format("whether {} has code for the {}", say.label(), say.board().name); },
     [](const Phrases& say) {
       return fmt::format(
           "{0} {1}, and {2} runs machine code of its own major up to {3} or PTX for at most {3}, none of them runs on it.",
           say.builds(), say.code(), say.named(say.board()), say.board().capability.to_string());
     }},
    {Reason::cudnn_gpu,
     rules_out,
     {.rows = F::gpus_of_cudnn | F::capability},
     [](const Phrases& say) { return fmt::format("whether the cuDNN of {} serves the {}", say.label(), say.board().name); },
     cudnn_too_new},
    {Reason::gpu_driver,
     rules_out,
     {.rows = F::capability | F::board_drivers},
     [](const Phrases& say) { return fmt::format("which drivers know the {}", say.board().name); },
     unseen_board},
    {Reason::driver,
     rules_out,
     {.rows = F::toolkit_drivers},
     [](const Phrases& say) {
       if (say.machine().tegra) return std::string("which driver numbers Jetson boards need");
       return fmt::format("whether driver {} carries CUDA {}", say.machine().drivers.front().to_string(),
                          say.build().cuda.to_string());
     },
     [](const Phrases& say) {
       return fmt::format("{}, {} carries nothing that is built on it: {}{}.", say.toolkit_needs(), say.driver(say.machine()),
                          say.builds(), say.compat_remark());
     }},
    {Reason::gpu_too_old,
     rules_out,
     {.rows = F::toolkit_drivers | F::machine_drivers},
     [](const Phrases& say) { return fmt::format("which driver CUDA {} needs", say.build().cuda.to_string()); },
     [](const Phrases& say) {
       return fmt::format("{}, and the last driver branch for {} is {}, {} cannot run there.", say.toolkit_needs(), say.boards(),
                          say.machine().last_branch, say.builds());
     }},
    {Reason::kernel_module, rules_out, {.rows = F::machine_drivers}, never, two_kernel_modules},
    {Reason::host_drivers, rules_out, {.rows = F::machine_drivers}, never, no_common_driver},
    {Reason::os, selects, their_row,
     [](const Phrases& say) { return fmt::format("which system the official image of {} is built on", say.label()); },
     no_such_system},
    {Reason::glibc,
     rules_out,
     {"glibc"},
     [](const Phrases& say) { return fmt::format("which glibc {} needs", say.label()); },
     [](const Phrases& say) {
       const auto need = say.each([](const Build& b) { return b.glibc; }, [](const Build& b) { return b.glibc.to_string(); });
       const auto* os = say.query.os;
       return fmt::format("{} needs glibc {}, and {} has glibc {}, it does not load there.", say.builds(), joined(need, "or"),
                          os == nullptr ? "the system" : os->id.view(), os == nullptr ? "an older one" : os->glibc.to_string());
     }},
    {Reason::base, rules_out, their_row, never,
     [](const Phrases& say) {
       return fmt::format("no image of that kind was published for {}, {} cannot be met.", say.builds(), say.values());
     }},
    {Reason::default_place, selects, their_row, never, no_build_fits},
    {Reason::image_gate, rules_out, their_row,
     [](const Phrases& say) { return fmt::format("which drivers the image for {} accepts (NVIDIA_REQUIRE_CUDA)", say.label()); },
     [](const Phrases& say) {
       return fmt::format(
           "the images for {} refuse a driver that does not report their CUDA (NVIDIA_REQUIRE_CUDA), they do not start under {}.",
           say.builds(), say.driver(say.machine()));
     }},
    {Reason::toolkit, rules_out, their_row,
     [](const Phrases& say) { return fmt::format("which CUDA update the official image of {} carries", say.label()); },
     [](const Phrases& say) {
       return fmt::format("no image for {} carries that toolkit update, {} cannot be met.", say.builds(), say.values());
     }},
    {Reason::arm_only,
     rules_out,
     {.rows = F::capability},
     never,
     [](const Phrases& say) {
       return fmt::format("{} is for {} and {} sits beside an Arm CPU only, it does not run there.", say.builds(),
                          name_of(Platform::linux_x86_64), say.named(say.board()));
     }},
    {Reason::driver_in_part,
     rules_out,
     {},
     [](const Phrases& say) {
       return fmt::format("which release driver {} stands for: CUDA {} needs {} or newer", say.machine().driver_text,
                          say.build().cuda.to_string(), say.driver_needed.to_string());
     },
     never},
    {Reason::open_tags, rules_out, {}, other_tags, never},
}};

constexpr bool each_has_its_row() {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].reason != static_cast<Reason>(i) || (rows[i].missing == never && rows[i].falls == never)) return false;
  }
  return true;
}
static_assert(each_has_its_row(), "a reason has no row, or not at its place");

}  // namespace

const ReasonRow& row_of(Reason reason) { return rows[static_cast<std::size_t>(reason)]; }

void cite(const matrix::Matrix& matrix, const resolver::Query& query, const Step& step, std::set<std::uint16_t>& sources) {
  const auto& [field, cited] = row_of(step.reason).cited;
  for (const auto* build : step.builds) {
    if (field != nullptr) sources.insert(build->from.of(field));
    if (const auto* row = matrix.cudnn(*build); row != nullptr && (cited & F::gpus_of_cudnn) != 0)
      sources.insert(row->from.of("gpus"));
    if ((cited & F::toolkit_drivers) == 0) continue;
    if (const auto* row = matrix.minor(*build)) sources.insert(row->from.of("native_driver"));
    if (const auto* row = matrix.major(*build)) sources.insert(row->from.of("minor_compat_driver"));
  }
  const auto cite_drivers = [&](const resolver::Board& board) {
    if (board.driver_row == nullptr) return;
    sources.insert(board.driver_row->from.of("first_driver"));
    sources.insert(board.driver_row->from.of("last_branch"));
  };
  const Phrases said{matrix, query, step};
  if ((cited & F::capability) != 0 && said.board().gpu != nullptr) sources.insert(said.board().gpu->from.of("capability"));
  if ((cited & F::board_drivers) != 0) cite_drivers(said.board());
  if ((cited & F::machine_drivers) != 0) {
    for (const auto board : said.machine().boards) cite_drivers(query.boards[board]);
  }
  const auto wanted = query.version.spec.single();
  if ((cited & F::releases_of_minor) == 0 || wanted.count() < 2) return;
  for (const auto& release : matrix->releases) {
    if (release.framework == query.framework && release.version.under(wanted.at(2))) sources.insert(release.from.source);
  }
}

}  // namespace envgen::render
