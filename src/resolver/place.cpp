#include "resolver/place.hpp"

#include <algorithm>

namespace envgen::resolver {

using matrix::Answer;
using matrix::Build;
using matrix::Evidence;
using matrix::ImageSet;
using matrix::ImageTag;
using matrix::Matrix;
using matrix::OfficialImage;
using matrix::Os;

namespace {

/// The request's word on the exact toolkit update, where it names three digits: every asked clause must hold for it.
ValueSet against_toolkit(const Query& query, Version toolkit) {
  ValueSet against = 0;
  for (const auto& asked : query.cuda) {
    if (!asked.cpu && toolkit && !asked.spec.matches_at_own_precision(toolkit, 2)) against |= set_of(asked.value);
  }
  return against;
}

class Placer {
 public:
  Placer(const Matrix& matrix, const Query& query, const Build& build) : matrix_(matrix), query_(query), build_(build) {}

  /// Calls `visit(Option&&)` for each place, best first, until it returns true.
  template <class Visit>
  void each(PythonSet pythons, Visit visit) {
    const auto cuda_base = [&] { return each_cuda_image(visit); };
    const auto slim_base = [&] { return each_system(pythons, visit); };
    if (query_.base_value != no_value) {
      switch (query_.base) {
        case Base::slim:
          slim_base();
          return;
        case Base::cuda:
          cuda_base();
          return;
        case Base::pytorch:
        case Base::tensorflow:
          each_official_image(visit);
          return;
      }
      return;
    }
    // nvcc and headers come with nvidia/cuda; a runtime brings CUDA in its wheels, so a plain system ships nothing twice.
    if (query_.variant == Variant::devel && !build_.cpu && cuda_base()) return;
    slim_base();
  }

 private:
  /// The system that was asked for decides, wherever the place is: no other could stand in for it.
  void glibc(const Os* os, Option& option) const {
    const ValueSet values = set_of(query_.os_value);
    if (query_.os != nullptr) os = query_.os;
    if (os == nullptr || !os->glibc || !build_.glibc) {
      option.findings.push_back({Reason::glibc, true, values, -1});
    } else if (os->glibc < build_.glibc) {
      option.findings.push_back({Reason::glibc, false, values, -1});
    }
  }

  /// `offer`: the values that the place hangs on; without them there would be others.
  void asked_system(const Os* os, ValueSet offer, Option& option) const {
    if (query_.os == nullptr || os == query_.os) return;
    option.findings.push_back({Reason::os, os == nullptr, set_of(query_.os_value) | offer, -1});
  }

  void asked_toolkit(Version toolkit, ValueSet offer, Option& option) const {
    if (const auto against = against_toolkit(query_, toolkit))
      option.findings.push_back({Reason::toolkit, false, against | offer, -1});
  }

  /// NVIDIA_REQUIRE_CUDA against each machine whose driver is known.
  void gates(const ImageTag& image, Option& option) const {
    for (std::size_t m = 0; m < query_.machines.size(); ++m) {
      const auto& machine = query_.machines[m];
      if (machine.drivers.empty() || machine.tegra) continue;
      auto best = Answer::no;
      bool boards_matter = false;
      for (const auto driver : machine.drivers) {
        boards_matter = boards_matter || gate_knows(matrix_, image, driver);
        const auto opens = gate_opens(matrix_, image, build_, query_, machine, driver);
        if (opens == Answer::yes) best = Answer::yes;
        if (opens == Answer::unknown && best == Answer::no) best = Answer::unknown;
      }
      if (best != Answer::yes)
        option.findings.push_back(
            {Reason::image_gate, best == Answer::unknown,
             set_of(machine.driver_value) | set_of(query_.base_value) | (boards_matter ? machine.values : 0),
             static_cast<std::int16_t>(m)});
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
  bool each_cuda_image(Visit& visit) {
    const bool devel = query_.variant == Variant::devel;
    const bool both = query_.base_value != no_value && query_.variant_value != no_value;
    const ValueSet base = set_of(query_.base_value);
    bool any = false;
    for (const auto* set : in_order(matrix_.image_sets(build_))) {
      const auto* tag = offered(matrix_, query_, devel ? set->devel : set->runtime);
      // Where only the variant is missing, the variant is to blame too.
      const auto* other = tag == nullptr && both ? offered(matrix_, query_, devel ? set->runtime : set->devel) : nullptr;
      if (tag == nullptr && other == nullptr) continue;
      any = true;
      Option option;
      option.placement = {Base::cuda, &matrix_->os[set->os], set, nullptr, toolkit_of(*set)};
      if (tag == nullptr) option.findings.push_back({Reason::base, false, base | set_of(query_.variant_value), -1});
      asked_system(option.placement.os, base, option);
      glibc(option.placement.os, option);
      asked_toolkit(option.placement.toolkit, base, option);
      gates(tag == nullptr ? *other : *tag, option);
      if (visit(std::move(option))) return true;
    }
    return !any && base != 0 && visit(no_image());
  }

  /// What stands for the images that were never published.
  Option no_image() const {
    Option option;
    option.findings.push_back({Reason::base, false, set_of(query_.base_value), -1});
    if (query_.os != nullptr) glibc(query_.os, option);
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

  template <class Visit>
  void each_system(PythonSet pythons, Visit& visit) {
    // Where nvidia/cuda images exist, their best system: so that the devel and the runtime image of one environment agree.
    std::vector<const Os*> seen;
    const auto is_seen = [&](const Os* os) { return std::find(seen.begin(), seen.end(), os) != seen.end(); };
    if (!build_.cpu) {
      for (const auto* set : in_order(matrix_.image_sets(build_))) {
        const auto* os = &matrix_->os[set->os];
        if (is_seen(os)) continue;
        if (offered(matrix_, query_, set->devel) == nullptr && offered(matrix_, query_, set->runtime) == nullptr) continue;
        auto option = slim_option(os, set);
        if (option.findings.empty()) seen.push_back(os);
        if (visit(std::move(option))) return;
      }
    }
    // Else the newest Ubuntu LTS whose own Python fits, then any Ubuntu LTS, then the rest.
    std::vector<const Os*> systems;
    for (const auto& os : matrix_->os) systems.push_back(&os);
    std::stable_sort(systems.begin(), systems.end(), [&](const Os* a, const Os* b) {
      if (a->lts != b->lts) return a->lts;
      const bool a_fits = !(a->pythons & pythons).empty();
      const bool b_fits = !(b->pythons & pythons).empty();
      if (a->lts && a_fits != b_fits) return a_fits;
      return a->lts && a->glibc > b->glibc;
    });
    for (const auto* os : systems) {
      if (!is_seen(os) && visit(slim_option(os, nullptr))) return;
    }
  }

  Option slim_option(const Os* os, const ImageSet* set) const {
    Option option;
    option.placement = {Base::slim, os, set, nullptr, set == nullptr ? asked_or_default_toolkit() : toolkit_of(*set)};
    asked_system(os, 0, option);
    glibc(os, option);
    asked_toolkit(option.placement.toolkit, 0, option);
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
    const ValueSet base = set_of(query_.base_value);
    bool any = false;
    for (const auto& image : matrix_->official_images) {
      if (image.framework != framework || image.framework != build_.framework || image.version != build_.version || image.jupyter)
        continue;
      if (image.cuda != build_.cuda || build_.channel != matrix::Channel::wheels) continue;
      const bool of_variant = image.variant == query_.variant;  // TensorFlow's have no nvcc
      if (!of_variant && query_.variant_value == no_value) continue;
      if (image.evidence == Evidence::used_doubtful || (image.evidence == Evidence::inferred && !query_.allow_inferred)) continue;
      if (build_.platform != Platform::linux_x86_64) continue;  // the arm64 variants install from the CPU index
      any = true;
      Option option;
      const auto* os = image.os.empty() ? nullptr : matrix_.os(image.os);
      option.placement = {query_.base, os, images_on(os), &image, default_toolkit()};
      if (!of_variant) option.findings.push_back({Reason::base, false, base | set_of(query_.variant_value), -1});
      asked_system(os, base, option);
      if (os != nullptr && query_.os != nullptr && os != query_.os) glibc(query_.os, option);
      if (build_.toolkit) {
        asked_toolkit(build_.toolkit, base, option);
      } else if (const auto against = against_some_update(); against != 0) {
        option.findings.push_back({Reason::toolkit, true, against | base, -1});  // a tag names the minor alone
      }
      if (query_.python_value != no_value) {
        const bool read = image.python.minor != 0;
        if (!read || !query_.pythons.contains(image.python))
          option.findings.push_back({Reason::python, !read, base | set_of(query_.python_value), -1});
      }
      if (visit(std::move(option))) return;
    }
    if (!any) visit(no_image());
  }

  ValueSet against_some_update() const {
    ValueSet against = 0;
    for (const auto& toolkit : matrix_.toolkits(build_)) against |= against_toolkit(query_, toolkit.version);
    return against;
  }

  const ImageSet* images_on(const Os* os) const {
    for (const auto* set : in_order(matrix_.image_sets(build_))) {
      if (os != nullptr && &matrix_->os[set->os] == os) return set;
    }
    return nullptr;
  }

  const Matrix& matrix_;
  const Query& query_;
  const Build& build_;
};

}  // namespace

const ImageTag* offered(const Matrix& matrix, const Query& query, std::int32_t index) {
  const auto* image = matrix.image(index);
  if (image == nullptr || (image->evidence == Evidence::inferred && !query.allow_inferred)) return nullptr;
  return image;
}

std::optional<Placement> place(const Matrix& matrix, const Query& query, const Build& build, const Companions& companions,
                               std::vector<Finding>* missing) {
  std::optional<Placement> best;
  std::vector<Finding> unknown;
  Placer(matrix, query, build).each(companions.pythons, [&](Option&& option) {
    if (option.findings.empty()) {
      best = option.placement;
      return true;
    }
    const bool open =
        std::all_of(option.findings.begin(), option.findings.end(), [](const Finding& finding) { return finding.unknown; });
    if (open && unknown.empty()) unknown = std::move(option.findings);
    return false;
  });
  if (!best && missing != nullptr) missing->insert(missing->end(), unknown.begin(), unknown.end());
  return best;
}

std::vector<Option> all_places(const Matrix& matrix, const Query& query, const Build& build) {
  std::vector<Option> all;
  Placer(matrix, query, build).each(build.pythons & query.pythons, [&](Option&& option) {
    all.push_back(std::move(option));
    return false;
  });
  return all;
}

}  // namespace envgen::resolver
