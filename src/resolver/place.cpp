#include "resolver/place.hpp"

#include <algorithm>

#include "resolver/asked_driver.hpp"
#include "resolver/maturity.hpp"

namespace envgen::resolver {

using matrix::Build;
using matrix::Channel;
using matrix::Evidence;
using matrix::ImageSet;
using matrix::ImageTag;
using matrix::Matrix;
using matrix::OfficialImage;
using matrix::Os;
using matrix::Tribool;

namespace {

/// The request's word on the exact toolkit update, where it names three digits: every asked clause must hold for it.
ValueSet against_toolkit(const Query& query, Version toolkit) {
  ValueSet against = 0;
  for (const auto& asked : query.cuda) {
    if (!asked.cpu && toolkit && !asked.spec.matches_at_own_precision(toolkit, 2)) against |= set_of(asked.value);
  }
  return against;
}

bool has_one_of(const Os& os, PythonSet pythons) { return !(os.pythons & pythons).empty(); }

class Placer {
 public:
  Placer(const Matrix& matrix, const Query& query, const Build& build) : matrix_(matrix), query_(query), build_(build) {}

  /// Calls `visit(Option&&)` for each place, best first, until it returns true.
  template <class Visit>
  void each(PythonSet pythons, Visit visit) {
    const bool asked = query_.base_value != no_value;
    if (asked && (query_.base == Base::pytorch || query_.base == Base::tensorflow)) return each_official_image(visit);
    // nvcc and headers come with nvidia/cuda, and without a container they are the machine's; a runtime brings CUDA in its
    // wheels, so a plain system ships nothing twice.
    const bool lacks_cuda = query_.variant == Variant::devel || !brings_cuda(matrix_, build_);
    const bool from_image = asked ? query_.base == Base::cuda : !build_.cpu && lacks_cuda && query_.engine != Engine::none;
    if (from_image && (each_cuda_image(pythons, visit) || asked)) return;
    // Only conda brings what a plain system lacks.
    if (from_image && build_.channel == Channel::wheels) return;
    each_system(pythons, visit);
  }

 private:
  /// Whatever was asked: a wheel does not load on a system with an older glibc, or with one that is too new for it.
  void glibc(const Os* os, Option& option) const {
    const auto needed = needed_glibc(matrix_, query_, build_);
    if (!os->glibc || !needed) {
      option.objections.push_back({Reason::glibc, true, 0, -1});
    } else if (os->glibc < needed) {
      option.objections.push_back({Reason::glibc, false, 0, -1});
    }
    if (build_.glibc_below && os->glibc && os->glibc >= build_.glibc_below)
      option.objections.push_back({Reason::executable_stack, false, 0, -1});
  }

  void asked_system(const Os* os, Option& option) const {
    if (query_.os == nullptr || os == query_.os) return;
    option.objections.push_back({Reason::os, os == nullptr, set_of(query_.os_value), -1});
  }

  /// Where the system of an official image was not read, it is some Ubuntu: docker.Makefile and TensorFlow's dockerfiles have
  /// never named another (pytorch/pytorch docker.Makefile, tensorflow/build tensorflow_runtime_dockerfiles/Dockerfile).
  void official_system(const Os* os, Option& option) const {
    asked_system(os, option);
    const bool unread = os == nullptr && query_.os != nullptr;
    if (unread && query_.os->family.view() != "ubuntu") option.objections.back().unknown = false;
  }

  void asked_toolkit(Version toolkit, Option& option) const {
    if (const auto against = against_toolkit(query_, toolkit)) option.objections.push_back({Reason::toolkit, false, against, -1});
  }

  /// Does one of a machine's asked drivers both open the image's gate and carry the build as well as the gate leaves it?
  Tribool gate_of_asked(int gate, const AskedMachine& machine, bool jit) const {
    const auto answer = gate_of_first(gate, machine, jit);
    if (answer != Tribool::no || machine.later.empty()) return answer;
    return gate_of_first(gate, under_later(machine), jit) == Tribool::no ? Tribool::no : Tribool::unknown;
  }

  /// The same, without the later releases that the asked number may mean.
  Tribool gate_of_first(int gate, const AskedMachine& machine, bool jit) const {
    const auto carried = [&](std::vector<DriverVersion> drivers) {
      auto one = machine;
      one.drivers = std::move(drivers);
      one.later.clear();
      return one.drivers.empty() ? Tribool::no : carried_on(matrix_, build_, one, jit, true).answer;
    };
    const auto sure = past_gate(matrix_, gate, build_, query_, machine, Tribool::yes);
    const auto perhaps = past_gate(matrix_, gate, build_, query_, machine, Tribool::unknown);
    const auto whole = carried(machine.drivers);
    if (!sure.empty() && carried(sure) == whole) return Tribool::yes;
    if (perhaps.empty()) return Tribool::no;
    return whole == Tribool::no || carried(perhaps) != Tribool::no ? Tribool::unknown : Tribool::no;
  }

  /// NVIDIA_REQUIRE_CUDA against each machine, under its driver or, where that is free, under some driver of its boards. Of an
  /// image that inherits its gate nothing is said where the driver is free, unless no driver of the boards reports its CUDA.
  void gates(int gate, bool inherited, Option& option) const {
    if (!checks_gate(query_)) return;
    const auto native = native_floor(matrix_, build_);
    for (std::size_t m = 0; m < query_.machines.size(); ++m) {
      const auto& machine = query_.machines[m];
      const bool free = machine.drivers.empty();
      if (machine.tegra || (inherited && free && (!native || machine.known.from(native)))) continue;
      const auto answer = free ? admitted_by(matrix_, gate, build_, query_, machine).answer
                               : gate_of_asked(gate, machine, needs_jit(matrix_, query_, build_, machine));
      if (answer == Tribool::yes) continue;
      auto values = set_of(machine.driver_value);
      if (free || gate_of_asked(gate, without_boards(machine), query_.ptx_value != no_value) != Tribool::no)
        values |= machine.values;
      if (!free && query_.ptx_value != no_value && gate_of_asked(gate, machine, false) != Tribool::no)
        values |= set_of(query_.ptx_value);
      option.objections.push_back({Reason::image_gate, answer == Tribool::unknown, values, static_cast<std::int16_t>(m)});
    }
  }

  Version toolkit_of(const ImageSet& images) const {
    // Tags of 10.2, 11.0 and 11.1 have two digits; the toolkit inside is the one that the build names, or the newest update.
    return images.cuda.count() >= 3 ? images.cuda : default_toolkit();
  }
  Version default_toolkit() const {
    if (build_.cpu) return {};
    if (build_.toolkit) return build_.toolkit;
    const auto toolkits = matrix_.toolkits(build_);
    return toolkits.empty() ? Version() : toolkits.back().version;
  }

  template <class Visit>
  bool each_cuda_image(PythonSet pythons, Visit& visit) {
    const auto of_variant = [&](const ImageSet& set, Variant variant) {
      return offered(matrix_, query_, start_image(matrix_, build_, variant, set));
    };
    const auto other_variant = query_.variant == Variant::devel ? Variant::runtime : Variant::devel;
    bool any = false;
    bool any_other = false;
    auto sets = in_order(matrix_.image_sets(build_));
    if (needs_own_python(pythons))
      std::stable_partition(sets.begin(), sets.end(),
                            [&](const ImageSet* set) { return has_one_of(matrix_->os[set->os], pythons); });
    for (const auto* set : sets) {
      const auto* tag = of_variant(*set, query_.variant);
      any_other = any_other || of_variant(*set, other_variant) != nullptr;
      if (tag == nullptr) continue;
      any = true;
      Option option;
      option.placement = {Base::cuda, &matrix_->os[set->os], set, nullptr, toolkit_of(*set)};
      asked_system(option.placement.os, option);
      glibc(option.placement.os, option);
      asked_toolkit(option.placement.toolkit, option);
      gates(tag->gate, false, option);
      if (visit(std::move(option))) return true;
    }
    const bool only_here = query_.base_value != no_value || build_.channel == Channel::wheels;
    return !any && only_here && visit(no_image(any_other));
  }

  /// All of them are older than uv installs, so that nobody provides one where the system does not.
  static bool needs_own_python(PythonSet pythons) {
    const auto all = pythons.list();
    return std::none_of(all.begin(), all.end(), [](PythonVersion python) { return python >= oldest_of_uv; });
  }
  /// What stands for the images that were never published. Where those of the other variant were, the variant is to blame too.
  Option no_image(bool of_other_variant) const {
    Option option;
    option.exists = false;
    // Without a word on the base a runtime is put onto a plain system, where its wheel brings CUDA.
    const bool by_variant = of_other_variant || (query_.base_value == no_value && brings_cuda(matrix_, build_));
    option.objections.push_back(
        {Reason::base, false, set_of(query_.base_value) | (by_variant ? set_of(query_.variant_value) : 0), -1});
    return option;
  }

  /// The sets in their order of preference, but at equal life and system the update that the build names comes first.
  std::vector<const ImageSet*> in_order(std::span<const ImageSet> sets) const {
    std::vector<const ImageSet*> ordered;
    for (const auto& set : sets) ordered.push_back(&set);
    if (!build_.toolkit) return ordered;
    for (std::size_t i = 0; i < ordered.size(); ++i) {
      for (std::size_t k = i + 1;
           k < ordered.size() && ordered[k]->living == ordered[i]->living && ordered[k]->os == ordered[i]->os; ++k) {
        if (ordered[k]->cuda == build_.toolkit)
          std::rotate(ordered.begin() + static_cast<std::ptrdiff_t>(i), ordered.begin() + static_cast<std::ptrdiff_t>(k),
                      ordered.begin() + static_cast<std::ptrdiff_t>(k) + 1);
      }
    }
    return ordered;
  }

  /// Wheels bring no nvcc, and a TensorFlow without `[and-cuda]` no CUDA at all: a plain system has neither. Channels of conda
  /// have nvcc, but not of every CUDA.
  void toolkit_of_plain_system(Option& option) const {
    if (build_.cpu || query_.engine == Engine::none) return;
    // Where there is no image either, it is not because of the plain system.
    const auto by_base = [&](Variant variant) { return has_image(variant) ? set_of(query_.base_value) : 0; };
    const auto fall = [&](ValueSet values) { option.objections.push_back({Reason::plain_system, false, values, -1}); };
    const bool devel = query_.variant == Variant::devel;
    const bool bare = !brings_cuda(matrix_, build_);
    if (bare) fall(by_base(Variant::devel) | by_base(Variant::runtime));
    if (devel && !conda_has_nvcc(matrix_, build_, option.placement.toolkit) && !(bare && has_image(Variant::devel)))
      fall(set_of(query_.variant_value) | by_base(Variant::devel));
  }

  bool has_image(Variant variant) const {
    const auto sets = matrix_.image_sets(build_);
    return std::any_of(sets.begin(), sets.end(), [&](const ImageSet& set) {
      return offered(matrix_, query_, start_image(matrix_, build_, variant, set)) != nullptr;
    });
  }

  template <class Visit>
  void each_system(PythonSet pythons, Visit& visit) {
    const auto settled = settled_pythons(matrix_, build_);
    std::vector<std::pair<Suits, const Os*>> systems;
    for (const auto& os : matrix_->os) systems.emplace_back(suits(matrix_, os, pythons, settled), &os);
    std::stable_sort(systems.begin(), systems.end(), [](const auto& a, const auto& b) {
      if (a.first != b.first) return a.first < b.first;
      return a.first == Suits::later ? a.second->glibc < b.second->glibc : a.second->lts && a.second->glibc > b.second->glibc;
    });
    for (const auto& [ignored, os] : systems) {
      if (visit(slim_option(os, set_on(os)))) return;
    }
  }

  bool offers_any(const ImageSet& set) const {
    const auto images = {set.devel, set.devel_cudnn, set.runtime, set.runtime_cudnn};
    return std::any_of(images.begin(), images.end(), [&](auto image) { return offered(matrix_, query_, image) != nullptr; });
  }

  /// The images of a plain system for this build and its toolkit, dead ones too; null: none were published.
  const ImageSet* set_on(const Os* os) const {
    if (build_.cpu) return nullptr;
    return first_set(os, asked_or_default_toolkit(), [&](const ImageSet& set) { return offers_any(set); });
  }

  Option slim_option(const Os* os, const ImageSet* set) const {
    Option option;
    option.placement = {Base::slim, os, set, nullptr, set == nullptr ? asked_or_default_toolkit() : toolkit_of(*set)};
    asked_system(os, option);
    glibc(os, option);
    asked_toolkit(option.placement.toolkit, option);
    toolkit_of_plain_system(option);
    return option;
  }

  /// Without an image the toolkit is free: the update that was asked for, else the build's own.
  Version asked_or_default_toolkit() const {
    const auto own = default_toolkit();
    if (own && against_toolkit(query_, own) == 0) return own;
    const auto toolkits = matrix_.toolkits(build_);
    for (auto it = toolkits.rbegin(); it != toolkits.rend(); ++it) {
      if (against_toolkit(query_, it->version) == 0) return it->version;
    }
    return own;
  }

  template <class Visit>
  void each_official_image(Visit& visit) {
    const auto framework = query_.base == Base::pytorch ? Framework::torch : Framework::tensorflow;
    bool any = false;
    bool any_other = false;
    for (const auto& image : matrix_->official_images) {
      if (image.framework != framework) continue;
      if (!matrix::is_image_of(image, build_) || build_.channel != matrix::Channel::wheels) continue;
      if (image.evidence == Evidence::used_doubtful || (image.evidence == Evidence::inferred && !query_.allow_inferred)) continue;
      if (build_.platform != Platform::linux_x86_64) continue;  // the arm64 variants install from the CPU index
      any_other = any_other || image.variant != query_.variant;
      if (image.variant != query_.variant) continue;  // TensorFlow's have no nvcc
      any = true;
      Option option;
      const auto* os = image.os.empty() ? nullptr : matrix_.os(image.os);
      const auto* images = first_set(os, default_toolkit(), [](const ImageSet&) { return true; });
      option.placement = {query_.base, os, images, &image, default_toolkit()};
      official_system(os, option);
      if (os != nullptr && os->glibc && build_.glibc) glibc(os, option);
      if (build_.toolkit) {
        asked_toolkit(build_.toolkit, option);
      } else if (const auto against = against_some_update(); against != 0) {
        option.objections.push_back({Reason::toolkit, true, against, -1});  // a tag names the minor alone
      }
      image_python(image, option);
      if (!loads_cudnn(image, build_)) option.objections.push_back({Reason::image_cudnn, false, set_of(query_.base_value), -1});
      // The gate of the nvidia/cuda image that it is made on; which one that is, was mostly not read.
      // https://github.com/pytorch/pytorch/blob/main/docker.Makefile, https://github.com/tensorflow/tensorflow/issues/25618
      if (inherits_gate(image)) gates(image.gate, true, option);
      if (visit(std::move(option))) return;
    }
    if (!any) visit(no_image(any_other));
  }

  /// The image's Python is the only one there: the request, the wheel and every asked companion must do with it.
  void image_python(const OfficialImage& image, Option& option) const {
    if (image.python.minor == 0) {  // was not read
      option.objections.push_back({Reason::python, true, set_of(query_.python_value), -1});
      return;
    }
    if (!wanted_pythons(query_, build_).contains(image.python)) {
      const bool by_default = default_pythons(build_).contains(image.python);
      option.objections.push_back({Reason::python, false, by_default ? set_of(query_.python_value) : 0, -1});
    }
    if (build_.framework != Framework::torch) return;
    const auto companion = [&](const AskedVersion& asked, const matrix::Companion* row) {
      if (asked.value != no_value && row != nullptr && !pythons_of(*row, build_).contains(image.python))
        option.objections.push_back({Reason::companion_python, false, set_of(asked.value), -1});
    };
    companion(query_.torchvision, torchvision_of(matrix_, query_, build_));
    companion(query_.torchaudio, torchaudio_of(matrix_, query_, build_));
  }

  ValueSet against_some_update() const {
    ValueSet against = 0;
    for (const auto& toolkit : matrix_.toolkits(build_)) against |= against_toolkit(query_, toolkit.version);
    return against;
  }

  template <class Accept>
  const ImageSet* first_set(const Os* os, Version toolkit, Accept accept) const {
    for (const auto* set : in_order(matrix_.image_sets(build_))) {
      if (&matrix_->os[set->os] == os && toolkit_of(*set) == toolkit && accept(*set)) return set;
    }
    return nullptr;
  }

  const Matrix& matrix_;
  const Query& query_;
  const Build& build_;
};

}  // namespace

Suits suits(const Matrix& matrix, const Os& os, PythonSet pythons, PythonSet settled) {
  if (!os.lts) return Suits::rest;
  const bool fits = has_one_of(os, pythons);
  const bool is_supported = !is_past(matrix, os.eol.view());
  const bool of_its_time = has_one_of(os, settled) && is_supported;
  if (fits) return of_its_time ? Suits::settled_python : Suits::own_python;
  if (of_its_time) return Suits::its_time;
  return is_supported && !settled.empty() ? Suits::later : Suits::lts;
}

bool is_open(const std::vector<Objection>& objections) {
  return std::all_of(objections.begin(), objections.end(), [](const Objection& objection) { return objection.unknown; });
}

bool may_be_placed(const Matrix& matrix, const Query& query, const Build& build) {
  bool open = false;
  Placer(matrix, query, build).each(wanted_pythons(query, build), [&](Option&& option) {
    open = is_open(option.objections);
    return open;
  });
  return open;
}

std::optional<Placement> place(const Matrix& matrix, const Query& query, const Build& build, const Companions& companions,
                               std::vector<Objection>* missing) {
  std::optional<Placement> best;
  std::vector<Objection> unknown;
  Placer(matrix, query, build).each(companions.pythons, [&](Option&& option) {
    if (option.objections.empty()) {
      best = option.placement;
      return true;
    }
    if (is_open(option.objections) && unknown.empty()) unknown = std::move(option.objections);
    return false;
  });
  if (!best && missing != nullptr) missing->insert(missing->end(), unknown.begin(), unknown.end());
  return best;
}

std::vector<Option> all_places(const Matrix& matrix, const Query& query, const Build& build, PythonSet pythons) {
  std::vector<Option> all;
  Placer(matrix, query, build).each(pythons, [&](Option&& option) {
    all.push_back(std::move(option));
    return false;
  });
  return all;
}

std::vector<Option> distinct_places(const Matrix& matrix, const Query& query, const Build& build, PythonSet pythons) {
  std::vector<Option> distinct;
  Placer(matrix, query, build).each(pythons, [&](Option&& option) {
    const bool seen = std::any_of(distinct.begin(), distinct.end(), [&](const Option& other) {
      return other.exists == option.exists && other.objections == option.objections;
    });
    if (!seen) distinct.push_back(std::move(option));
    return false;
  });
  return distinct;
}

}  // namespace envgen::resolver
