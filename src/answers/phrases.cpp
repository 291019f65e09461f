#include "answers/phrases.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "model/add_once.hpp"
#include "model/os_name.hpp"

namespace envgen::answers {

using matrix::Build;

std::string joined(const std::vector<std::string>& words, std::string_view last) {
  if (words.empty()) return "none";
  if (words.size() == 1) return words[0];
  std::string text;
  for (std::size_t i = 0; i + 1 < words.size(); ++i) text += (i == 0 ? "" : ", ") + words[i];
  return fmt::format("{} {} {}", text, last, words.back());
}

bool Phrases::all_for_cpu() const {
  return std::all_of(step.builds.begin(), step.builds.end(), [](const Build* one) { return one->cpu; });
}

bool Phrases::from_official_image() const {
  return query.base_value != resolver::no_value && (query.base == Base::pytorch || query.base == Base::tensorflow);
}

std::string Phrases::these(resolver::ValueSet set) const {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < query.values.size(); ++i) {
    if ((set & resolver::set_of(static_cast<int>(i))) == 0) continue;
    const auto& value = query.values[i];
    words.push_back(value.text == "true" ? fmt::format("--{}", name_of(value.field))
                                         : fmt::format("{} {}", name_of(value.field), value.text));
  }
  return joined(words);
}

std::string Phrases::named(resolver::ValueSet set) const {
  const auto product = [&](const auto& value) {
    switch (value.field) {
      case Field::tensorflow:
        return "TensorFlow " + value.text;
      case Field::cuda:
        return value.text == "cpu" ? std::string("the CPU") : "CUDA " + value.text;
      case Field::cudnn:
        return "cuDNN " + value.text;
      case Field::python:
        return "Python " + value.text;
      case Field::os:
        return query.os == nullptr ? value.text : os_name(query.os->id.view());
      case Field::platform:
      case Field::installer:
        return value.text;
      default:
        return std::string();
    }
  };
  std::vector<std::string> words;
  for (std::size_t i = 0; i < query.values.size(); ++i) {
    const auto one = resolver::set_of(static_cast<int>(i));
    if ((set & one) == 0) continue;
    auto name = product(query.values[i]);
    words.push_back(name.empty() ? these(one) : std::move(name));
  }
  return joined(words);
}

std::string Phrases::label() const {
  const auto& one = build();
  if (one.framework == Framework::tensorflow) return fmt::format("TensorFlow {}", one.version_text.view());
  const auto* channel = one.channel == matrix::Channel::conda_forge       ? " on conda-forge"
                        : one.channel == matrix::Channel::pytorch_channel ? " on the pytorch channel"
                                                                          : "";
  return fmt::format("{}{}{}", build_label(one), channel,
                     one.tegra                                 ? " for Jetson"
                     : one.platform == Platform::linux_aarch64 ? " for linux-aarch64"
                                                               : "");
}

std::string Phrases::versions(std::string_view last) const {
  constexpr std::size_t listed = 4;
  const auto names = each(&Build::version, [](const Build& b) { return std::string(b.version_text.view()); });
  return names.size() <= listed ? joined(names, last) : fmt::format("{} to {}", names.front(), names.back());
}

std::vector<std::string> Phrases::cudas() const {
  return each(&Build::cuda, [](const Build& b) { return b.cpu ? std::string("cpu") : b.cuda.to_string(); });
}

std::string Phrases::builds() const { return determined("all", "builds", "and"); }

std::string Phrases::builds(std::string_view one_does, std::string_view all_do) const {
  return fmt::format("{} {}", builds(), one_build() ? one_does : all_do);
}

std::string Phrases::any_build() const { return determined("any", "build", "or"); }

std::string Phrases::no_builds(std::string_view run, std::string_view does_not_run) const {
  return one_build() ? fmt::format("{} {}", builds(), does_not_run) : fmt::format("{} {}", determined("no", "builds", "or"), run);
}

std::string Phrases::cuda_text(std::string_view last) const {
  auto cuda = cudas();
  const bool also_cpu = std::erase(cuda, "cpu") != 0;
  if (cuda.empty()) return "the CPU";
  constexpr std::size_t listed = 5;
  const auto versions = cuda.size() <= listed ? joined(cuda, last) : fmt::format("{} to {}", cuda.front(), cuda.back());
  return also_cpu ? fmt::format("the CPU {} CUDA {}", last, versions) : "CUDA " + versions;
}

std::string Phrases::contents(std::string_view last) const {
  return fmt::format("{} {} {} {}", framework(), versions(last), all_for_cpu() ? "for" : "with", cuda_text(last));
}

std::string Phrases::selection() const {
  using resolver::Reason;
  const auto selects = [&](int value, std::initializer_list<Reason> own) {
    return (conflict & resolver::set_of(value)) != 0 && std::find(own.begin(), own.end(), step.reason) == own.end();
  };
  std::string text;
  if (selects(query.platform_value, {Reason::platform})) text += fmt::format(" on {}", name_of(query.platform));
  if (selects(query.python_value, {Reason::python, Reason::companion_python}))
    text += fmt::format(" that {} {}", one_build() ? "supports" : "support", named(resolver::set_of(query.python_value)));
  return text;
}

std::string Phrases::determined(std::string_view determiner, std::string_view noun, std::string_view last) const {
  const auto selected = selection();
  if (one_build())
    return all_for_cpu() ? fmt::format("the CPU build of {} {}{}", framework(), versions(), selected)
                         : fmt::format("the {} {} build for {}{}", framework(), versions(), cuda_text(last), selected);
  if (all_for_cpu()) return fmt::format("{} CPU {} of {} {}{}", determiner, noun, framework(), versions(last), selected);
  return fmt::format("{} {} of {} {} for {}{}", determiner, noun, framework(), versions(last), cuda_text(last), selected);
}

namespace {

/// Older than the oldest, or newer than the newest: then these say enough.
bool is_outside(Capability capability, const std::set<Arch>& archs) {
  return capability < archs.begin()->capability || capability > archs.rbegin()->capability;
}

}  // namespace

std::string Phrases::code() const {
  std::set<Arch> sass;
  std::set<Arch> ptx;
  for (const auto* one : step.builds) {
    sass.insert(one->sass.begin(), one->sass.end());
    ptx.insert(one->ptx.begin(), one->ptx.end());
  }
  const auto names = [](const std::set<Arch>& archs) {
    std::vector<std::string> words;
    for (const auto& arch : archs) words.push_back(arch.to_string());
    return joined(words);
  };
  const auto* it = one_build() ? "it has" : "they have";
  if (sass.empty() && ptx.empty()) return fmt::format("{} no GPU code", all_for_cpu() ? "CPU builds have" : it);
  // Which PTX was not read is among these, or the builds would not fall.
  const bool read = std::all_of(step.builds.begin(), step.builds.end(), [](const Build* one) { return one->ptx_known; });
  const auto no_ptx = read ? "no PTX" : "no PTX for other capabilities";
  const auto ptx_text = ptx.empty() ? no_ptx : "PTX for " + names(ptx);
  if (sass.empty()) return fmt::format("{} no binaries, only {}", it, ptx_text);
  const auto* noun = sass.size() == 1 ? "compute capability" : "compute capabilities";
  const auto sass_text = sass.size() > 1 && is_outside(board().capability, sass)
                             ? fmt::format("{} {} to {}", noun, sass.begin()->to_string(), sass.rbegin()->to_string())
                             : fmt::format("{} {}", noun, names(sass));
  return fmt::format("{} binaries only for {}, and {}", it, sass_text, ptx_text);
}

std::string Phrases::toolkit_needs() const {
  // The driver compiles PTX where that was asked for, or where no build has machine code for some board.
  const bool jit = (resolver::set_of(query.ptx_value) & step.values) != 0 ||
                   std::all_of(step.builds.begin(), step.builds.end(), [&](const Build* one) {
                     return std::any_of(machine().boards.begin(), machine().boards.end(), [&](auto b) {
                       return resolver::code_path(matrix, *one, query.boards[b].capability).runs == resolver::Runs::ptx;
                     });
                   });
  std::set<std::string> needs;
  for (const auto* one : step.builds) {
    const auto native = resolver::native_floor(matrix, *one);
    const auto minor = resolver::minor_compat_floor(matrix, *one);
    if (jit || !minor) {
      needs.insert(fmt::format("{}CUDA {}{} needs driver {} or newer", jit ? "JIT-compiling " : "", one->cuda, jit ? " PTX" : "",
                               native ? native.to_string() : "of unknown version"));
    } else {
      needs.insert(fmt::format("CUDA {}.x needs driver {} or newer (minor-version compatibility)", one->cuda.major(),
                               std::min(minor, native ? native : minor).to_string()));
    }
  }
  constexpr std::size_t most = 4;
  std::vector<std::string> words(needs.begin(), needs.end());
  if (words.size() > most) words.resize(most);
  return joined(words);
}

std::string Phrases::named(const resolver::Board& one) {
  return one.gpu == nullptr ? "a " + one.name : fmt::format("the {} (compute capability {})", one.name, one.capability);
}

std::string Phrases::named_boards() const {
  std::vector<std::string> words;
  for (const auto b : machine().boards) add_once(words, named(query.boards[b]));
  return joined(words);
}

std::string Phrases::driver_of(const resolver::AskedMachine& one) {
  const auto& text = one.driver_text;
  if (one.driver_value == resolver::no_value) return "any driver that supports the machine's GPUs";
  if (one.asked.range) return "driver " + text;
  const auto release = one.asked.releases.front();
  // A number of Windows stands for its branch, whose releases on Linux say nothing of it.
  const auto number = Version::parse(text);
  if (number && !release.version().under(*number)) return "driver " + text;
  const auto first = release.to_string();
  const bool in_part = std::count(text.begin(), text.end(), '.') < 2 && text.find(first) == std::string::npos;
  return in_part ? fmt::format("driver {} (first release {})", text, first) : "driver " + text;
}

std::string Phrases::compat_lift() const {
  const auto& asked = machine();
  const auto lifts = [&](const Build* one) {
    return std::any_of(asked.drivers.begin(), asked.drivers.end(), [&](DriverVersion driver) {
      return resolver::is_forward_compatible(matrix, *one, driver) == matrix::Tribool::yes;
    });
  };
  if (std::none_of(step.builds.begin(), step.builds.end(), lifts)) return "";
  const auto but = but_not(resolver::is_for_cuda_compat, "not one");
  if (but.empty()) return "";
  if (const auto* card = perhaps_server_ready(); card != nullptr)
    return fmt::format(
        " cuda-compat could help, but only on data-centre GPUs and the RTX cards that NVIDIA calls NGC Server Ready; whether the "
        "{} is one is not known.",
        card->name.view());
  return fmt::format(" cuda-compat helps only on data-centre GPUs, {}.", but);
}

namespace {

bool is_perhaps_server_ready(const resolver::Board& board) {
  return board.gpu != nullptr && board.gpu->gpu_class == matrix::GpuClass::workstation && !board.gpu->laptop &&
         board.gpu->name.view().find("RTX") != std::string_view::npos;
}

}  // namespace

const matrix::Gpu* Phrases::perhaps_server_ready() const {
  const matrix::Gpu* card = nullptr;
  for (const auto b : machine().boards) {
    const auto& one = query.boards[b];
    if (!one.gpu_class || resolver::is_for_cuda_compat(*one.gpu_class)) continue;
    if (!is_perhaps_server_ready(one)) return nullptr;
    card = one.gpu;
  }
  return card;
}

std::string Phrases::but_not(const std::function<bool(matrix::GpuClass)>& is_one, std::string_view none) const {
  if (machine().boards.empty()) return "and no GPU was requested";
  const resolver::Board* named = nullptr;
  for (const auto b : machine().boards) {
    const auto& one = query.boards[b];
    if (!one.gpu_class || is_one(*one.gpu_class)) continue;
    // One of which that is certain says it best.
    if (named == nullptr || (is_perhaps_server_ready(*named) && !is_perhaps_server_ready(one))) named = &one;
  }
  if (named == nullptr) return "";
  return named->gpu != nullptr ? fmt::format("and the {} is {}", named->name, none)
                               : fmt::format("and not every GPU of compute capability {} is one", named->capability);
}

std::string Phrases::gate_remark() const {
  using matrix::GpuClass;
  const auto let_by = [&](const matrix::Gate& gate, GpuClass gpu_class) {
    return std::any_of(machine().drivers.begin(), machine().drivers.end(), [&](DriverVersion driver) {
      return resolver::gate_lets(gate, gpu_class, driver.branch()) == matrix::Tribool::yes;
    });
  };
  const auto passes = [&](GpuClass gpu_class) {
    return std::any_of(matrix->cuda_images.begin(), matrix->cuda_images.end(), [&](const matrix::ImageTag& image) {
      if (image.gate < 0 || (query.os != nullptr && image.os.view() != query.os->id.view())) return false;
      const auto& gate = matrix->gates[static_cast<std::size_t>(image.gate)];
      const auto is_of = [&](const Build* one) { return one->cuda == gate.cuda.at(2); };
      return std::any_of(step.builds.begin(), step.builds.end(), is_of) && let_by(gate, gpu_class);
    });
  };
  const bool workstation = passes(GpuClass::workstation);
  // Where a gate of that CUDA lets every GPU pass, this image has another one.
  if (!passes(GpuClass::datacenter) || passes(GpuClass::consumer)) return "";
  const auto starts_on = [&](GpuClass gpu_class) {
    return gpu_class == GpuClass::datacenter || (workstation && gpu_class == GpuClass::workstation);
  };
  const auto but = but_not(starts_on, workstation ? "neither" : "not one");
  return but.empty() ? ""
                     : fmt::format("; they start only on data-centre{} GPUs, {}", workstation ? " and workstation" : "", but);
}

std::vector<resolver::CompatRow> Phrases::compat_refusals() const {
  std::vector<resolver::CompatRow> refusals;
  if (machine().datacenter != matrix::Tribool::yes) return refusals;
  for (const auto* one : step.builds) {
    for (const auto driver : machine().drivers) {
      const auto known = resolver::compat_row(matrix, one->cuda, driver.branch());
      if (known.row != nullptr && !known.row->works) refusals.push_back(known);
    }
  }
  return refusals;
}

std::string Phrases::compat_remark() const {
  if (const auto lift = compat_lift(); !lift.empty()) return "." + lift;
  const auto refusals = compat_refusals();
  if (refusals.empty()) return ".";
  const bool inferred = std::any_of(refusals.begin(), refusals.end(), [](const auto& one) { return one.inferred; });
  return fmt::format(", and cuda-compat does not help{}.",
                     inferred ? " (inferred: once a cuda-compat drops a branch, no later one supports it)" : "");
}

}  // namespace envgen::answers
