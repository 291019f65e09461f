#include "project/diff.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/version.hpp"
#include "project/leaves.hpp"

namespace envgen::project {
namespace {

using Texts = std::vector<std::string>;
using MaybeText = std::optional<std::string>;
using Named = std::map<std::string, std::string>;

/// What is in `a` and not in `b`, counting those that stand several times.
Texts only_in(const Texts& a, Texts b) {
  Texts result;
  for (const auto& text : a) {
    const auto found = std::find(b.begin(), b.end(), text);
    if (found == b.end()) {
      result.push_back(text);
    } else {
      b.erase(found);
    }
  }
  return result;
}

std::string listed(const Texts& texts) { return fmt::format("{}", fmt::join(texts, ", ")); }

/// Several entries of one name become one text, so that both locks can be compared by name.
void put(Named& named, const std::string& name, const std::string& text) {
  auto& old = named[name];
  old = old.empty() ? text : old + ", " + text;
}

Texts spelled(const std::vector<PythonVersion>& pythons) {
  Texts texts;
  for (const auto python : pythons) texts.push_back(python.to_string());
  return texts;
}

template <Spelled T>
MaybeText text_of(const std::optional<T>& value) {
  return value ? MaybeText(value->to_string()) : std::nullopt;
}

class Differ;

/// How a member of the environment is told. One that is not in the table is told by its name.
struct Told {
  std::string_view path;             ///< `build` stands for the framework
  std::string_view label;            ///< of a list: the sentence of what is gone
  std::string_view absent = "none";  ///< what stands for none; of a list: the sentence of what is new
  void (Differ::*tell)(const Told& told, const std::string& field, const Leaf& from, const Leaf& to) = nullptr;
};

class Differ {
 public:
  Differ(const Lock& before, const Lock& after) : before_(before), after_(after), a_(before.environment), b_(after.environment) {}

  std::vector<Difference> run() {
    request(before_.request, after_.request);
    if (framework(a_) != framework(b_))
      add("environment", framework(a_), framework(b_),
          fmt::format("{} {} -> {} {}", framework(a_), a_.build().version, framework(b_), b_.build().version));
    if (a_.driver && !b_.driver)
      add("environment.driver", text_of(a_.driver->range.minimum), std::nullopt, "a driver is no longer needed");
    if (!a_.driver && b_.driver)
      add("environment.driver", std::nullopt, text_of(b_.driver->range.minimum),
          fmt::format("a driver is now needed (minimum: {})", spelling_or(b_.driver->range.minimum, "unknown")));
    const auto from = leaves_of(a_);
    const auto to = leaves_of(b_);
    for (std::size_t i = 0; i < to.size(); ++i) member(from[i], to[i]);
    advice(a_, b_);
    frozen(a_.frozen, b_.frozen);
    wording(before_, after_);
    return std::move(result_);
  }

 private:
  static std::span<const Told> table();

  static std::string framework(const Environment& environment) { return environment.torch ? "torch" : "tensorflow"; }

  void member(const Leaf& from, const Leaf& to) {
    const auto begins = [&](std::string_view part) { return to.path.starts_with(part); };
    if (begins("driver.") && !(a_.driver && b_.driver)) return;  // told as a whole
    if (begins("system.") && a_.os != b_.os) return;             // what was read of another system needs no telling
    const auto rows = table();
    const auto known = std::find_if(rows.begin(), rows.end(), [&](const Told& told) { return told.path == to.path; });
    const auto label = in_words(to.path);
    const auto told = known == rows.end() ? Told{to.path, label} : *known;
    const auto field = "environment." + (begins("build.") ? framework(b_) + to.path.substr(to.path.find('.')) : to.path);
    if (told.tell != nullptr) {
      (this->*told.tell)(told, field, from, to);
    } else {
      value(field, told.label, from.one_text(), to.one_text(), told.absent);
    }
  }

  void add(std::string field, MaybeText from, MaybeText to, std::string text) {
    result_.push_back({std::move(field), std::move(from), std::move(to), std::move(text), true});
  }

  /// `label A -> B`, with `absent` for what is not there.
  void value(std::string field, std::string_view label, const MaybeText& from, const MaybeText& to,
             std::string_view absent = "none") {
    if (from != to)
      add(std::move(field), from, to,
          fmt::format("{} {} -> {}", label, from.value_or(std::string(absent)), to.value_or(std::string(absent))));
  }

  /// `told.label` of what is gone, `told.absent` of what is new.
  void items(const Told& told, const std::string& field, const Leaf& from, const Leaf& to) {
    list(field, from.items.value_or(Texts()), to.items.value_or(Texts()), told.label, told.absent);
  }
  void list(const std::string& field, const Texts& from, const Texts& to, std::string_view gone, std::string_view fresh) {
    const auto sentence = [](std::string_view text, const Texts& items) {
      return fmt::format(fmt::runtime(text), fmt::arg("items", listed(items)));
    };
    const auto lost = only_in(from, to);
    const auto won = only_in(to, from);
    if (!lost.empty()) add(field, listed(lost), std::nullopt, sentence(gone, lost));
    if (!won.empty()) add(field, std::nullopt, listed(won), sentence(fresh, won));
    // The order of channels decides what is installed.
    if (lost.empty() && won.empty()) value(field, in_words(field), listed(from), listed(to));
  }

  void named(const std::string& prefix, std::string_view label, const Named& from, const Named& to) {
    auto names = from;
    names.insert(to.begin(), to.end());
    const auto text_in = [](const Named& all, const std::string& name) {
      const auto found = all.find(name);
      return found == all.end() ? MaybeText() : MaybeText(found->second);
    };
    for (const auto& entry : names)
      value(prefix + entry.first, fmt::format("{} {}", label, entry.first), text_in(from, entry.first), text_in(to, entry.first));
  }

  void request(const Request& a, const Request& b) {
    const auto by_field = [](const Request& request) {
      Named fields;
      for (const auto& entry : request.values) put(fields, std::string(name_of(entry.field)), entry.text);
      return fields;
    };
    named("request.", "requested", by_field(a), by_field(b));
  }

  void version(const Told&, const std::string& field, const Leaf& from, const Leaf& to) {
    if (framework(a_) == framework(b_)) value(field, framework(b_), from.text, to.text);
  }

  /// The request says it, unless the driver is one that was found or that belongs to a host.
  void asked_driver(const Told& told, const std::string& field, const Leaf& from, const Leaf& to) {
    const auto is_of_request = [](const Difference& one) { return one.field == "request.driver"; };
    if (std::none_of(result_.begin(), result_.end(), is_of_request))
      value(field, told.label, from.one_text(), to.one_text(), told.absent);
  }

  void on_package_index(const Told&, const std::string& field, const Leaf& from, const Leaf& to) {
    if (from.text != to.text)
      add(field, from.text, to.text,
          b_.build().on_package_index ? "the package index now has the build" : "the package index no longer has the build");
  }

  void official(const Told&, const std::string& field, const Leaf& from, const Leaf& to) {
    const auto words = [](const Leaf& leaf) {
      return !leaf.text ? "unknown" : *leaf.text == "yes" ? "official" : "a side build";
    };
    if (from.text != to.text)
      add(field, words(from), words(to), fmt::format("the build was {} and is now {}", words(from), words(to)));
  }

  /// Mostly the toolkit of the images, and then told there.
  void toolkit(const Told& told, const std::string& field, const Leaf& from, const Leaf& to) {
    if (a_.build().toolkit != a_.toolkit().version || b_.build().toolkit != b_.toolkit().version)
      value(field, told.label, from.text, to.text, told.absent);
  }

  void code(const Told& told, const std::string& field, const Leaf& from, const Leaf& to) {
    const auto what = told.label;
    if (from.items && to.items)
      return list(field, *from.items, *to.items, fmt::format("{} for compute capability {{items}} was removed", what),
                  fmt::format("{} for compute capability {{items}} was added", what));
    if (from.items || to.items)
      add(field, from.one_text(), to.one_text(),
          to.items ? fmt::format("{} of the build is now known: {}", what, to.items->empty() ? "none" : *to.one_text())
                   : fmt::format("{} of the build is no longer known", what));
  }

  /// Where the whole environment gains or loses a Python, that sentence says it.
  void wheels(const Told&, const std::string& field, const Leaf& from, const Leaf& to) {
    const auto old = spelled(a_.pythons);
    const auto now = spelled(b_.pythons);
    const auto lost = only_in(only_in(*from.items, *to.items), only_in(old, now));
    const auto won = only_in(only_in(*to.items, *from.items), only_in(now, old));
    list(field, lost, won, "the framework no longer has a wheel for Python {items}",
         "the framework now has a wheel for Python {items}");
  }

  void glibc(const Told& told, const std::string& field, const Leaf&, const Leaf&) {
    floor(field, told.label, "systems with an older glibc", a_.build().glibc, b_.build().glibc);
  }

  /// A lower bound: what rises shuts somebody out.
  template <Spelled T>
  void floor(std::string field, std::string_view label, std::string_view older, const std::optional<T>& from,
             const std::optional<T>& to) {
    if (!from || !to || *from == *to)
      return value(std::move(field), fmt::format("{} minimum", label), text_of(from), text_of(to), "unknown");
    const bool rises = *from < *to;
    add(std::move(field), text_of(from), text_of(to),
        fmt::format("{} minimum {} from {} to {}: {} {}", label, rises ? "rises" : "falls", *from, *to, older,
                    rises ? "are no longer supported" : "are supported, too"));
  }

  void pins_of_cuda(const Told&, const std::string& field, const Leaf&, const Leaf&) {
    const auto& from = a_.build().cuda_pins;
    const auto& to = b_.build().cuda_pins;
    named(field + ".", "package", {from.begin(), from.end()}, {to.begin(), to.end()});
  }

  void cudnn(const Told& told, const std::string& field, const Leaf& from, const Leaf& to) {
    const auto words = [](const std::optional<Environment::Cudnn>& part, const Leaf& leaf) {
      return part ? MaybeText(leaf.text.value_or("of unknown version")) : std::nullopt;
    };
    value(field, told.label, words(a_.cudnn, from), words(b_.cudnn, to));
  }

  /// Told only where the version, which says as much, is the same.
  void cudnn_major(const Told& told, const std::string& field, const Leaf& from, const Leaf& to) {
    if (a_.cudnn.value_or(Environment::Cudnn()).version == b_.cudnn.value_or(Environment::Cudnn()).version)
      value(field, told.label, from.text, to.text);
  }

  void driver_minimum(const Told& told, const std::string& field, const Leaf& from, const Leaf& to) {
    // With a last branch the newer range may hold less than the older one: then only the numbers are told.
    if (!have_one_range()) return;
    const auto by_gate = [](const Environment& environment) {
      const auto& by = environment.driver->carried_by;
      return environment.driver->range.windows_cuda || std::find(by.begin(), by.end(), CarriedBy::image_gate) != by.end();
    };
    // An image may let older branches in, and a number of Linux says nothing of Windows.
    if (a_.driver->range.last_branch == b_.driver->range.last_branch && !by_gate(a_) && !by_gate(b_))
      return floor(field, "driver", "hosts with an older driver", a_.driver->range.minimum, b_.driver->range.minimum);
    value(field, told.label, from.text, to.text, told.absent);
  }

  void last_branch(const Told& told, const std::string& field, const Leaf& from, const Leaf& to) {
    if (have_one_range()) value(field, told.label, from.text, to.text, told.absent);
  }

  /// Machines that differ have no range that could be compared; they are told one by one.
  bool have_one_range() const { return a_.driver->by_range().size() == 1 && b_.driver->by_range().size() == 1; }

  void carried_by(const Told& told, const std::string& field, const Leaf& from, const Leaf& to) {
    if (only_in(*from.items, *to.items).empty() && only_in(*to.items, *from.items).empty()) return;
    const auto carriers = [](const Leaf& leaf) { return leaf.items->empty() ? MaybeText() : leaf.one_text(); };
    value(field, told.label, carriers(from), carriers(to));
  }

  void advice(const Environment& a, const Environment& b) {
    const auto pins = [](const Environment& environment) {
      Named result;
      for (const auto& pin : environment.pins) put(result, pin.package, pin.spec);
      return result;
    };
    named("pins.", "pin", pins(a), pins(b));
    named("env.", "variable", {a.env.begin(), a.env.end()}, {b.env.begin(), b.env.end()});
    for (const auto& text : only_in(a.warnings, b.warnings))
      add("warnings", text, std::nullopt, fmt::format("note removed: {}", text));
    for (const auto& text : only_in(b.warnings, a.warnings))
      add("warnings", std::nullopt, text, fmt::format("new note: {}", text));
  }

  void frozen(const std::optional<Environment::Frozen>& a, const std::optional<Environment::Frozen>& b) {
    const auto count = [](const Environment::Frozen& tree) { return fmt::format("{} packages", tree.packages.size()); };
    if (a && !b) return add("frozen", count(*a), std::nullopt, "the dependency tree is no longer frozen");
    if (!a && b) return add("frozen", std::nullopt, count(*b), fmt::format("the dependency tree is frozen: {}", count(*b)));
    if (!a) return;
    Named before, after;
    std::map<std::string, Texts> files;
    for (const auto& package : a->packages) {
      put(before, package.name, package.version);
      files[package.name + package.version] = package.hashes;
    }
    for (const auto& package : b->packages) {
      put(after, package.name, package.version);
      const auto old = files.find(package.name + package.version);
      if (old != files.end() && old->second != package.hashes)
        add("frozen." + package.name, std::nullopt, std::nullopt,
            fmt::format("the files of {} {} have changed", package.name, package.version));
    }
    named("frozen.", "frozen package", before, after);
    const auto digests = [](const Environment::Frozen& tree) {
      Named result;
      for (const auto& image : tree.images) put(result, image.name, image.digest.value_or("by tag only"));
      return result;
    };
    named("frozen.images.", "image", digests(*a), digests(*b));
  }

  /// What leaves the environment as it is.
  void wording(const Lock& a, const Lock& b) {
    const auto first = result_.size();
    const auto reasons = [](const Environment& environment) {
      Texts result;
      for (const auto& reason : environment.reasons)
        result.push_back(fmt::format("{}\n{}\n{}\n{}", reason.field, reason.value, reason.why, fmt::join(reason.sources, "\n")));
      for (const auto& pin : environment.pins) result.push_back(fmt::format("{}\n{}\n{}", pin.package, pin.why, pin.source));
      return result;
    };
    const auto old_texts = reasons(a.environment);
    const auto new_texts = reasons(b.environment);
    const auto changed = std::max(only_in(old_texts, new_texts).size(), only_in(new_texts, old_texts).size());
    if (changed != 0)
      add("reasons", std::nullopt, std::nullopt,
          changed == 1 ? "1 reason or source changed" : fmt::format("{} reasons or sources changed", changed));
    value("matrix.revision", "data revision", a.matrix_revision, b.matrix_revision);
    if (a.matrix_hash != b.matrix_hash && a.matrix_revision == b.matrix_revision)
      add("matrix.hash", a.matrix_hash, b.matrix_hash,
          fmt::format("the data differs, although both have revision {}", a.matrix_revision));
    for (auto i = first; i < result_.size(); ++i) result_[i].matters = false;
  }

  const Lock& before_;
  const Lock& after_;
  const Environment& a_;
  const Environment& b_;
  std::vector<Difference> result_;
};

std::span<const Told> Differ::table() {
  static constexpr Told rows[] = {
      {"build.version", "", "", &Differ::version},
      {"build.cuda", "CUDA", "cpu"},
      {"build.tag", "build tag"},
      {"build.torchvision", "torchvision", "not stated"},
      {"build.torchaudio", "torchaudio", "not stated"},
      {"build.index_url", "wheel index"},
      {"build.on_package_index", "", "", &Differ::on_package_index},
      {"build.official", "", "", &Differ::official},
      {"build.toolkit", "CUDA toolkit that the wheel was built with", "unknown", &Differ::toolkit},
      {"build.archs", "SASS", "", &Differ::code},
      {"build.ptx", "PTX", "", &Differ::code},
      {"build.pythons", "", "", &Differ::wheels},
      {"build.triton", "triton", "not stated"},
      {"build.nccl", "NCCL", "not stated"},
      {"build.glibc", "glibc", "", &Differ::glibc},
      {"build.conda_spec", "conda package"},
      {"build.conda_channels", "conda channels no longer used: {items}", "conda channels now used: {items}", &Differ::items},
      {"build.cuda_pins", "", "", &Differ::pins_of_cuda},
      {"cuda.toolkit", "CUDA toolkit"},
      {"cuda.gcc_max", "newest GCC for nvcc", "unknown"},
      {"cuda.conda_label", "conda channel of the toolkit"},
      {"cudnn.version", "cuDNN", "", &Differ::cudnn},
      {"cudnn.major", "cuDNN major", "", &Differ::cudnn_major},
      {"cudnn.from", "cuDNN comes from the", "nowhere"},
      {"python", "Python"},
      {"python_provider", "Python comes from"},
      {"pythons", "no longer supports Python {items}", "now supports Python {items}", &Differ::items},
      {"driver.asked", "requested driver", "none", &Differ::asked_driver},
      {"driver.minimum", "driver minimum", "unknown", &Differ::driver_minimum},
      {"driver.last_branch", "last driver branch", "the newest", &Differ::last_branch},
      {"driver.native", "driver with native support for this CUDA"},
      {"driver.carried_by", "the driver supports the build through:", "", &Differ::carried_by},
      {"driver.machines", "driver before, for {items}", "driver now, for {items}", &Differ::items},
      {"driver.compat_image", "image with cuda-compat"},
      {"gpus", "no longer supported: {items}", "now supported: {items}", &Differ::items},
      {"engine", "container engine", "not requested"},
      {"os", "system", "unknown"},
      {"system.family", "family of the system", "unknown"},
      {"system.version", "version of the system", "unknown"},
      {"system.image", "official image of the system", "unknown"},
      {"system.gcc", "GCC of the system", "unknown"},
      {"system.pep668", "the system Python refuses pip:", "unknown"},
      {"image_layout", "Python of the official image", "unknown"},
  };
  return rows;
}

}  // namespace

std::vector<Difference> differences(const Lock& before, const Lock& after) { return Differ(before, after).run(); }

bool any_matters(std::span<const Difference> differences) {
  return std::any_of(differences.begin(), differences.end(), [](const Difference& difference) { return difference.matters; });
}

void write_differences(util::JsonWriter& json, std::span<const Difference> differences) {
  json.begin_array();
  for (const auto& difference : differences) {
    json.begin_object().member("field", difference.field).member("from", difference.from).member("to", difference.to);
    json.member("matters", difference.matters).member("text", difference.text).end_object();
  }
  json.end_array();
}

}  // namespace envgen::project
