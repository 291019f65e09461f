#include "render/proof.hpp"

#include <algorithm>
#include <bit>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "resolver/predicates.hpp"

namespace envgen::render {

using matrix::Build;
using matrix::Matrix;
using resolver::Conflict;
using resolver::Query;
using resolver::Reason;
using resolver::Step;

namespace {

/// "a", "a and b", "a, b and c".
std::string joined(const std::vector<std::string>& words, std::string_view last = "and") {
  if (words.empty()) return "none";
  if (words.size() == 1) return words[0];
  std::string text;
  for (std::size_t i = 0; i + 1 < words.size(); ++i) text += (i == 0 ? "" : ", ") + words[i];
  return fmt::format("{} {} {}", text, last, words.back());
}

template <class Key, class Name>
std::vector<std::string> distinct(const std::vector<const Build*>& builds, Key key, Name name) {
  std::vector<std::pair<decltype(key(*builds[0])), std::string>> all;
  for (const auto* build : builds) {
    auto k = key(*build);
    if (std::none_of(all.begin(), all.end(), [&](const auto& pair) { return pair.first == k; }))
      all.emplace_back(k, name(*build));
  }
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> names;
  for (auto& [k, text] : all) names.push_back(std::move(text));
  return names;
}

std::vector<std::string> versions(const std::vector<const Build*>& builds) {
  return distinct(
      builds, [](const Build& b) { return b.version; }, [](const Build& b) { return std::string(b.version_text.view()); });
}

std::vector<std::string> cudas(const std::vector<const Build*>& builds) {
  return distinct(
      builds, [](const Build& b) { return b.cuda; },
      [](const Build& b) { return b.cpu ? std::string("cpu") : b.cuda.to_string(); });
}

/// "2.3.0 and 2.3.1", or, for a long row, "1.11.0 to 2.13.0 (29 releases)".
std::string version_range(const std::vector<const Build*>& builds) {
  constexpr std::size_t listed = 4;
  const auto names = versions(builds);
  return names.size() <= listed ? joined(names) : fmt::format("{} to {}", names.front(), names.back());
}

class Prover {
 public:
  Prover(const Matrix& matrix, const Query& query, const Conflict& conflict)
      : matrix_(matrix), query_(query), conflict_(conflict) {}

  std::vector<std::string> lines() {
    std::vector<std::string> result;
    for (const auto& step : conflict_.steps) result.push_back(sentence(step));
    if (result.size() > 1) {
      for (std::size_t i = 1; i < result.size(); ++i) result[i].replace(0, std::string_view("Because").size(), "And because");
    }
    // With cuda-compat, which another board may use, the same values may hold: the sentence is true of this request alone.
    const bool could_be_lifted = std::any_of(conflict_.steps.begin(), conflict_.steps.end(), [&](const Step& step) {
      return step.reason == Reason::driver && !compat_remark(step).empty();
    });
    result.push_back(
        fmt::format("So {} cannot hold together{}.", values(everything()), could_be_lifted ? " without cuda-compat" : ""));
    if (conflict_.values.size() == 1) result.back() = fmt::format("So {} cannot be met.", values(everything()));
    return result;
  }

 private:
  resolver::ValueSet everything() const {
    resolver::ValueSet set = 0;
    for (const auto index : conflict_.values) set |= resolver::set_of(index);
    return set;
  }

  /// The values of a set as they were written: "torch 2.3, cuda 12.1 and gpu 5090".
  std::string values(resolver::ValueSet set) const {
    std::vector<std::string> words;
    for (std::size_t i = 0; i < query_.values.size(); ++i) {
      if ((set & resolver::set_of(static_cast<int>(i))) == 0) continue;
      const auto& value = query_.values[i];
      words.push_back(value.text == "true" ? fmt::format("--{}", name_of(value.field))
                                           : fmt::format("{} {}", name_of(value.field), value.text));
    }
    return joined(words);
  }

  /// cuda-compat lifts drivers of data-centre boards only, so it is no answer for other boards, or where none was asked for.
  std::string compat_remark(const Step& step) const {
    const auto& asked = machine(step);
    const auto lifts = [&](const Build* build) {
      return std::any_of(asked.drivers.begin(), asked.drivers.end(), [&](DriverVersion driver) {
        return resolver::is_forward_compatible(matrix_, *build, driver) == matrix::Answer::yes;
      });
    };
    if (std::none_of(step.builds.begin(), step.builds.end(), lifts)) return "";
    if (asked.boards.empty()) return " (cuda-compat could lift it, but on data-centre boards only, and no GPU was asked for)";
    if (asked.datacenter != matrix::Answer::no) return "";
    std::vector<std::string> others;
    for (const auto b : asked.boards) {
      const auto& gpu = query_.boards[b].gpu;
      if (gpu != nullptr && !resolver::is_for_cuda_compat(*gpu)) others.push_back(query_.boards[b].name);
    }
    if (others.empty()) return "";
    return fmt::format(" (cuda-compat could lift it, but on data-centre boards only, which the {} is not)", others.front());
  }

  std::string framework() const { return query_.framework == Framework::torch ? "torch" : "TensorFlow"; }

  /// The builds of a step: "every torch 2.3 build (2.3.0 and 2.3.1, for CUDA 11.8 and 12.1)".
  std::string builds(const std::vector<const Build*>& list) const {
    const auto cuda = cudas(list);
    constexpr std::size_t listed = 5;
    const auto cuda_text = cuda.size() <= listed ? joined(cuda) : fmt::format("{} to {}", cuda.front(), cuda.back());
    const bool cpu = std::all_of(list.begin(), list.end(), [](const Build* build) { return build->cpu; });
    if (cpu)
      return list.size() == 1 ? fmt::format("the CPU build of {} {}", framework(), version_range(list))
                              : fmt::format("every CPU build of {} {}", framework(), version_range(list));
    if (list.size() == 1) return fmt::format("the {} {} build for CUDA {}", framework(), version_range(list), cuda_text);
    return fmt::format("every {} build of {} for CUDA {}", framework(), version_range(list), cuda_text);
  }

  const resolver::Board& board(const Step& step) const { return query_.boards[static_cast<std::size_t>(step.subject)]; }
  const resolver::Machine& machine(const Step& step) const { return query_.machines[static_cast<std::size_t>(step.subject)]; }

  static std::string named(const resolver::Board& board) {
    return board.gpu == nullptr ? "a " + board.name
                                : fmt::format("the {} (compute capability {})", board.name, board.capability.to_string());
  }

  std::string boards(const resolver::Machine& machine) const {
    std::vector<std::string> words;
    for (const auto b : machine.boards) {
      auto word = named(query_.boards[b]);
      if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(std::move(word));
    }
    return joined(words);
  }

  std::string driver(const resolver::Machine& machine) const {
    const auto& text = machine.driver_text;
    if (machine.asked.range) return fmt::format("a driver {}", text);
    const auto first = machine.asked.releases.front().to_string();
    const bool in_part = std::count(text.begin(), text.end(), '.') < 2 && text.find(first) == std::string::npos;
    return in_part ? fmt::format("driver {} (its first release is {})", text, first) : "driver " + text;
  }

  std::string compiled_for(const std::vector<const Build*>& list) const {
    std::set<Arch> sass;
    std::set<Arch> ptx;
    for (const auto* build : list) {
      sass.insert(build->sass.begin(), build->sass.end());
      ptx.insert(build->ptx.begin(), build->ptx.end());
    }
    const auto names = [](const std::set<Arch>& archs) {
      std::vector<std::string> words;
      for (const auto& arch : archs) words.push_back(arch.to_string());
      return joined(words);
    };
    if (sass.empty() && ptx.empty()) return "holds no GPU code";
    const bool differ =
        std::any_of(list.begin(), list.end(), [&](const Build* build) { return build->sass.size() != sass.size(); });
    return fmt::format("is compiled for {}{}{}", differ ? "some of " : "", names(sass),
                       ptx.empty() ? " and holds no PTX" : fmt::format(" and holds PTX for {}", names(ptx)));
  }

  std::string toolkit_needs(const Step& step, bool jit) const {
    std::set<std::string> needs;
    for (const auto* build : step.builds) {
      const auto native = resolver::native_floor(matrix_, *build);
      const auto minor = resolver::minor_compat_floor(matrix_, *build);
      if (jit || !minor) {
        needs.insert(fmt::format("CUDA {} needs driver {}{}", build->cuda.to_string(),
                                 native ? native.to_string() : "of an unknown number", jit ? " to compile PTX" : ""));
      } else {
        needs.insert(fmt::format("CUDA {}.x needs driver {} (minor-version compatibility)", build->cuda.major(),
                                 std::min(minor, native ? native : minor).to_string()));
      }
    }
    constexpr std::size_t most = 4;
    std::vector<std::string> words(needs.begin(), needs.end());
    if (words.size() > most) words.resize(most);
    return joined(words);
  }

  bool jit(const Step& step) const {
    if (query_.ptx_value != resolver::no_value && (step.values & resolver::set_of(query_.ptx_value)) != 0) return true;
    return std::all_of(step.builds.begin(), step.builds.end(), [&](const Build* build) {
      return std::any_of(machine(step).boards.begin(), machine(step).boards.end(), [&](auto b) {
        return resolver::code_path(matrix_, *build, query_.boards[b].capability).runs == resolver::Runs::ptx;
      });
    });
  }

  static std::string driver_range(const matrix::GpuDriver& row) {
    if (row.first_driver && row.last_branch != 0)
      return fmt::format("from {} to branch {}", row.first_driver.to_string(), row.last_branch);
    if (row.first_driver) return fmt::format("from {} on", row.first_driver.to_string());
    return fmt::format("up to branch {}", row.last_branch);
  }

  std::string sentence(const Step& step) const {
    switch (step.reason) {
      case Reason::code:
        return fmt::format(
            "Because {} {}, and {} runs machine code of its own major up to {} or PTX for at most {}, none of them runs on it.",
            builds(step.builds), compiled_for(step.builds), named(board(step)), board(step).capability.to_string(),
            board(step).capability.to_string());
      case Reason::cudnn_gpu: {
        const auto cudnn = distinct(
            step.builds, [](const Build& b) { return b.cudnn; }, [](const Build& b) { return std::string(b.cudnn_text.view()); });
        std::set<std::string> floors;
        for (const auto* build : step.builds) {
          if (const auto* row = matrix_.cudnn(*build)) {
            for (const auto& gpus : row->gpus) {
              if (!gpus.cuda || build->cuda.under(gpus.cuda)) floors.insert(gpus.min.to_string());
            }
          }
        }
        return fmt::format("Because {} brings cuDNN {}, which starts at compute capability {}, it does not serve {}.",
                           builds(step.builds), joined(cudnn), joined({floors.begin(), floors.end()}, "or"), named(board(step)));
      }
      case Reason::gpu_driver: {
        const auto& asked = board(step);
        for (const auto& machine : query_.machines) {
          if (std::find(machine.boards.begin(), machine.boards.end(), static_cast<std::uint16_t>(step.subject)) ==
              machine.boards.end())
            continue;
          return fmt::format("Because {} is known to drivers {}, {} does not see it.", named(asked),
                             driver_range(*asked.driver_row), driver(machine));
        }
        return "";
      }
      case Reason::driver:
        return fmt::format("Because {}, {} carries nothing that is built on it: {}{}.", toolkit_needs(step, jit(step)),
                           driver(machine(step)), builds(step.builds), compat_remark(step));
      case Reason::gpu_too_old:
        return fmt::format("Because {}, and the last driver branch for {} is {}, {} cannot run there.",
                           toolkit_needs(step, jit(step)), boards(machine(step)), machine(step).last_branch, builds(step.builds));
      case Reason::kernel_module: {
        std::vector<std::string> proprietary;
        std::vector<std::string> open;
        for (const auto b : machine(step).boards) {
          const auto* row = query_.boards[b].driver_row;
          if (query_.boards[b].tegra)
            return fmt::format("Because {} runs under the driver of its Jetson alone, no other GPU can share it.",
                               named(query_.boards[b]));
          if (row == nullptr) continue;
          auto& list = row->kernel_module == matrix::KernelModule::open ? open : proprietary;
          if (row->kernel_module != matrix::KernelModule::either &&
              std::find(list.begin(), list.end(), named(query_.boards[b])) == list.end())
            list.push_back(named(query_.boards[b]));
        }
        return fmt::format(
            "Because {} needs the proprietary kernel module and {} needs the open one, and one machine loads one of them, they "
            "cannot share a machine's driver.",
            joined(proprietary), joined(open));
      }
      case Reason::host_drivers: {
        std::vector<std::string> ranges;
        for (const auto b : machine(step).boards) {
          const auto* row = query_.boards[b].driver_row;
          if (row == nullptr || (!row->first_driver && row->last_branch == 0)) continue;
          auto text = fmt::format("{} is known to drivers {}", named(query_.boards[b]), driver_range(*row));
          if (std::find(ranges.begin(), ranges.end(), text) == ranges.end()) ranges.push_back(std::move(text));
        }
        const auto& host = machine(step);
        const bool share_none = host.last_branch != 0 && host.first_driver.branch() > host.last_branch;
        return fmt::format("Because {}, {} knows them all.", joined(ranges),
                           share_none ? "no driver of one machine" : "no driver " + host.driver_text);
      }
      case Reason::arm_only:
        return fmt::format("Because {} is for {} and {} sits beside an Arm CPU only, it does not run there.", builds(step.builds),
                           name_of(Platform::linux_x86_64), named(board(step)));
      case Reason::version:
        return fmt::format("Because {}, there is no {}.", all_releases(), values(step.values));
      case Reason::cuda:
        if (contradicts_itself(step))
          return fmt::format("Because {} each name another CUDA, no build has both.", values(step.values | everything()));
        return fmt::format("Because {} {} is {}built for CUDA {} only, there is no build for {}.", framework(),
                           version_range(step.builds), complete(step.builds) ? "" : "known to be ", joined(cudas(step.builds)),
                           values(step.values));
      case Reason::cudnn: {
        if (std::all_of(step.builds.begin(), step.builds.end(), [](const Build* build) { return build->cpu; }))
          return fmt::format("Because {} brings no cuDNN, it does not have {}.", builds(step.builds), values(step.values));
        const auto have = distinct(
            step.builds, [](const Build& b) { return b.cudnn; }, [](const Build& b) { return std::string(b.cudnn_text.view()); });
        return fmt::format("Because {} brings cuDNN {}, it does not have {}.", builds(step.builds), joined(have),
                           values(step.values));
      }
      case Reason::python:
        return pythons(step);
      case Reason::companion_python:
        return fmt::format("Because the companions of {} have no wheel for that Python, {} cannot be had together.",
                           builds(step.builds), values(step.values));
      case Reason::torchvision:
      case Reason::torchaudio: {
        const bool vision = step.reason == Reason::torchvision;
        const auto have = distinct(
            step.builds, [](const Build& b) { return b.version; },
            [&](const Build& b) {
              const auto& release = matrix_.release(b);
              const auto text = vision ? release.torchvision_text.view() : release.torchaudio_text.view();
              return text.empty() ? fmt::format("none for torch {}", b.version_text.view())
                                  : fmt::format("{} for torch {}", text, b.version_text.view());
            });
        constexpr std::size_t most = 6;
        std::vector<std::string> shown(have.begin(), have.begin() + static_cast<std::ptrdiff_t>(std::min(most, have.size())));
        return fmt::format("Because {} was released in pairs ({}{}), {} does not belong to {}.",
                           vision ? "torchvision" : "torchaudio", joined(shown), have.size() > most ? ", ..." : "",
                           values(step.values), builds(step.builds));
      }
      case Reason::platform: {
        const auto have = distinct(
            step.builds, [](const Build& b) { return b.platform; },
            [](const Build& b) { return std::string(name_of(b.platform)); });
        return fmt::format("Because {} exists for {} only, there is none for {}.", builds(step.builds), joined(have),
                           values(step.values));
      }
      case Reason::installer:
        return fmt::format("Because {} is not to be had that way, {} does not offer it.", builds(step.builds),
                           values(step.values));
      case Reason::os:
        return fmt::format("Because the images for {} are made on {} only, there is none on {}.", builds(step.builds),
                           systems(step.builds), query_.os->id.view());
      case Reason::glibc: {
        const auto need = distinct(
            step.builds, [](const Build& b) { return b.glibc; }, [](const Build& b) { return b.glibc.to_string(); });
        return fmt::format("Because {} needs glibc {}, and {} has glibc {}, it does not load there.", builds(step.builds),
                           joined(need, "or"), query_.os == nullptr ? std::string_view("the system") : query_.os->id.view(),
                           query_.os == nullptr ? std::string("an older one") : query_.os->glibc.to_string());
      }
      case Reason::base:
        return fmt::format("Because no image of that kind was published for {}, {} cannot be met.", builds(step.builds),
                           values(step.values));
      case Reason::image_gate:
        return fmt::format(
            "Because the images for {} refuse a driver that does not report their CUDA (NVIDIA_REQUIRE_CUDA), they do not start "
            "under {}.",
            builds(step.builds), driver(machine(step)));
      case Reason::toolkit:
        return fmt::format("Because no image for {} carries that toolkit update, {} cannot be met.", builds(step.builds),
                           values(step.values));
      case Reason::framework:
      case Reason::default_place:
        break;
    }
    return fmt::format("Because no build fits {}, there is no environment.", values(step.values));
  }

  /// True when the CUDA of a `2.3.1+cu121` and that of `--cuda` are both part of the conflict.
  bool contradicts_itself(const Step& step) const {
    const auto all = everything();
    const auto asked = std::count_if(query_.cuda.begin(), query_.cuda.end(),
                                     [&](const resolver::AskedCuda& cuda) { return (all & resolver::set_of(cuda.value)) != 0; });
    return asked > 1 && std::popcount(all) == asked && (step.values & ~all) == 0;
  }

  /// True when the lists of CUDA tags of all these builds' releases are complete.
  bool complete(const std::vector<const Build*>& list) const {
    return std::all_of(list.begin(), list.end(), [&](const Build* build) {
      return build->channel != matrix::Channel::wheels || build->framework != Framework::torch ||
             matrix_.release(*build).tags_complete;
    });
  }

  bool starts_from_official_image() const {
    return query_.base_value != resolver::no_value && (query_.base == Base::pytorch || query_.base == Base::tensorflow);
  }

  /// The builds have no wheel for the asked Python, or they have, but their official images bring another one.
  std::string pythons(const Step& step) const {
    PythonSet of_wheels;
    for (const auto* build : step.builds) of_wheels = of_wheels | build->pythons;
    const auto names = [](PythonSet pythons) {
      std::vector<std::string> words;
      for (const auto python : pythons.list()) words.push_back(python.to_string());
      return joined(words);
    };
    if (!starts_from_official_image() || (of_wheels & query_.pythons).empty())
      return fmt::format("Because {} has wheels for Python {} only, it has none for {}.", builds(step.builds), names(of_wheels),
                         values(step.values));
    PythonSet of_images;
    for (const auto* build : step.builds) {
      for (const auto& image : matrix_->official_images) {
        const bool of_build =
            image.framework == build->framework && image.version == build->version && image.cuda == build->cuda && !image.jupyter;
        if (of_build && image.python.minor != 0) of_images.add(image.python);
      }
    }
    return fmt::format("Because the images for {} have Python {} only, there is none with {}.", builds(step.builds),
                       names(of_images), values(step.values));
  }

  /// The systems of the images that some builds can start from: the official ones where they were asked for, else nvidia/cuda.
  std::string systems(const std::vector<const Build*>& list) const {
    std::set<std::string> names;
    const bool official = starts_from_official_image();
    for (const auto* build : list) {
      for (const auto& image : matrix_->official_images) {
        if (official && image.framework == build->framework && image.version == build->version && !image.os.empty())
          names.emplace(image.os.view());
      }
      if (official) continue;
      for (const auto& set : matrix_.image_sets(*build)) names.emplace(matrix_->os[set.os].id.view());
    }
    return joined({names.begin(), names.end()});
  }

  std::string all_releases() const {
    const auto wanted = query_.version.spec.single();
    // The whole list is long: only the releases of the same minor are worth reading.
    if (wanted.count() >= 2) {
      const auto minor = wanted.at(2);
      std::vector<std::string> names;
      for (const auto& release : matrix_->releases) {
        if (release.framework == query_.framework && release.version.under(minor)) names.emplace_back(release.text.view());
      }
      if (!names.empty()) return fmt::format("{} {} has the releases {} only", framework(), minor.to_string(), joined(names));
    }
    const auto* newest = matrix_.newest(query_.framework);
    std::string oldest;
    for (const auto& release : matrix_->releases) {
      if (release.framework == query_.framework && oldest.empty()) oldest = release.text.view();
    }
    return fmt::format("the matrix holds the releases {} to {} of {}", oldest,
                       newest == nullptr ? std::string_view() : newest->text.view(), framework());
  }

  const Matrix& matrix_;
  const Query& query_;
  const Conflict& conflict_;
};

std::string spoken_of(const resolver::BeyondDefault& beyond) {
  if (beyond.field == Field::installer) return "wheels";
  return beyond.field == Field::variant ? beyond.usual + " images" : beyond.usual;
}

std::string_view publisher(const Query& query) { return query.framework == Framework::torch ? "PyTorch" : "TensorFlow"; }

}  // namespace

std::string build_label(const Build& build) {
  return fmt::format("{} {}+{}", build.framework == Framework::torch ? "torch" : "TensorFlow", build.version_text.view(),
                     build.tag.view());
}

std::vector<std::string> proof_lines(const Matrix& matrix, const Query& query, const Conflict& conflict) {
  auto lines = Prover(matrix, query, conflict).lines();
  for (const auto& beyond : conflict.beyond_defaults)
    lines.push_back(fmt::format("This holds for {}, the default; with --{} {} there {} one.", spoken_of(beyond),
                                name_of(beyond.field), beyond.other, beyond.found == matrix::Answer::yes ? "is" : "may be"));
  if (resolver::names_jetson(query))
    lines.push_back(fmt::format("This holds for the builds that {} publishes. {}.", publisher(query), resolver::jetson_note));
  return lines;
}

std::string changes_text(const std::vector<resolver::Change>& changes) {
  std::vector<std::string> words;
  for (const auto& change : changes)
    words.push_back(change.from.empty() ? fmt::format("with {} {}", name_of(change.field), change.to)
                    : change.to.empty() ? fmt::format("without {} {}", name_of(change.field), change.from)
                                        : fmt::format("with {} {} instead of {}", name_of(change.field), change.to, change.from));
  return joined(words);
}

}  // namespace envgen::render
