#include "project/diff.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/version.hpp"

namespace envgen::project {
namespace {

using Texts = std::vector<std::string>;
using MaybeText = std::optional<std::string>;
using MaybeTexts = std::optional<Texts>;
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

MaybeText number(const std::optional<int>& value) { return value ? MaybeText(std::to_string(*value)) : MaybeText(); }

/// Several entries of one name become one text, so that both locks can be compared by name.
void put(Named& named, const std::string& name, const std::string& text) {
  auto& old = named[name];
  old = old.empty() ? text : old + ", " + text;
}

class Differ {
 public:
  std::vector<Difference> run(const Lock& before, const Lock& after) {
    request(before.request, after.request);
    const auto& a = before.environment;
    const auto& b = after.environment;
    framework(a, b);
    toolkit_and_cudnn(a, b);
    python(a, b);
    driver(a.driver, b.driver);
    gpus(a.gpus, b.gpus);
    place(a, b);
    advice(a, b);
    frozen(a.frozen, b.frozen);
    wording(before, after);
    return std::move(result_);
  }

 private:
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

  template <class Choice>
  requires std::is_enum_v<Choice>
  void value(std::string field, std::string_view label, Choice from, Choice to) {
    value(std::move(field), label, std::string(name_of(from)), std::string(name_of(to)));
  }

  void flag(std::string field, bool from, bool to, std::string_view now, std::string_view no_longer) {
    if (from != to) add(std::move(field), from ? "true" : "false", to ? "true" : "false", std::string(to ? now : no_longer));
  }

  /// `gone` and `fresh` make a sentence of the items; they are told whether there are several.
  template <class Gone, class Fresh>
  void list(const std::string& field, const Texts& from, const Texts& to, Gone gone, Fresh fresh) {
    if (const auto items = only_in(from, to); !items.empty())
      add(field, listed(items), std::nullopt, gone(listed(items), items.size() > 1));
    if (const auto items = only_in(to, from); !items.empty())
      add(field, std::nullopt, listed(items), fresh(listed(items), items.size() > 1));
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
    named("request.", "asked for:", by_field(a), by_field(b));
  }

  void framework(const Environment& a, const Environment& b) {
    const auto name = [](const Environment& environment) {
      return environment.torch ? std::string("torch") : std::string("tensorflow");
    };
    const auto& from = a.build();
    const auto& to = b.build();
    const auto path = "environment." + name(b) + ".";
    if (name(a) != name(b)) {
      add("environment", name(a), name(b), fmt::format("{} {} -> {} {}", name(a), from.version, name(b), to.version));
    } else {
      value(path + "version", name(b), from.version, to.version);
    }
    value(path + "cuda", "CUDA", from.cuda, to.cuda, "cpu");
    value(path + "tag", "build tag", from.tag, to.tag);
    value(path + "torchvision", "torchvision", from.torchvision, to.torchvision, "not stated");
    value(path + "torchaudio", "torchaudio", from.torchaudio, to.torchaudio, "not stated");
    value(path + "index_url", "wheel index", from.index_url, to.index_url);
    flag(path + "on_package_index", from.on_package_index, to.on_package_index, "the package index carries the build now",
         "the package index no longer carries the build");
    const auto official = [](const std::optional<bool>& known) {
      return !known ? "unknown" : *known ? "official" : "a side build";
    };
    if (from.official != to.official)
      add(path + "official", official(from.official), official(to.official),
          fmt::format("the build was {}, it is {} now", official(from.official), official(to.official)));
    // Mostly the toolkit of the images, and then told there.
    if (from.toolkit != a.cuda_toolkit || to.toolkit != b.cuda_toolkit)
      value(path + "toolkit", "CUDA toolkit that the wheel was built with", from.toolkit, to.toolkit, "unknown");
    code(path + "archs", "machine code", from.archs, to.archs);
    code(path + "ptx", "PTX", from.ptx, to.ptx);
    value(path + "triton", "triton", from.triton, to.triton, "not stated");
    value(path + "nccl", "NCCL", from.nccl, to.nccl, "not stated");
    floor(path + "glibc", "glibc", "systems with an older glibc", from.glibc, to.glibc);
    value(path + "conda_spec", "conda package", from.conda_spec, to.conda_spec);
    list(
        path + "conda_channels", from.conda_channels, to.conda_channels,
        [](const auto& items, bool) { return fmt::format("conda channels no longer used: {}", items); },
        [](const auto& items, bool) { return fmt::format("conda channels now used: {}", items); });
    named(path + "cuda_pins.", "package", {from.cuda_pins.begin(), from.cuda_pins.end()},
          {to.cuda_pins.begin(), to.cuda_pins.end()});
    // Where the whole environment gains or loses a Python, that sentence says it.
    wheels(path + "pythons", from.pythons, to.pythons, a.pythons, b.pythons);
  }

  void wheels(const std::string& field, const Texts& from, const Texts& to, const Texts& all_from, const Texts& all_to) {
    const auto lost = only_in(only_in(from, to), only_in(all_from, all_to));
    const auto won = only_in(only_in(to, from), only_in(all_to, all_from));
    if (!lost.empty())
      add(field, listed(lost), std::nullopt,
          fmt::format("the framework itself has no wheel for Python {} any more", listed(lost)));
    if (!won.empty())
      add(field, std::nullopt, listed(won), fmt::format("the framework itself has a wheel for Python {} now", listed(won)));
  }

  void code(const std::string& field, std::string_view what, const MaybeTexts& from, const MaybeTexts& to) {
    if (!from || !to) {
      if (from.has_value() != to.has_value())
        add(field, from ? MaybeText(listed(*from)) : std::nullopt, to ? MaybeText(listed(*to)) : std::nullopt,
            to ? fmt::format("{} that the build holds is known now: {}", what, to->empty() ? "none" : listed(*to))
               : fmt::format("which {} the build holds is not known any more", what));
      return;
    }
    list(
        field, *from, *to,
        [&](const auto& items, bool) { return fmt::format("{} for compute capability {} is gone", what, items); },
        [&](const auto& items, bool) { return fmt::format("{} for compute capability {} is new", what, items); });
  }

  /// A lower bound: what rises shuts somebody out.
  void floor(std::string field, std::string_view label, std::string_view older, const MaybeText& from, const MaybeText& to) {
    const auto old_floor = from ? Version::parse(*from) : Version();
    const auto new_floor = to ? Version::parse(*to) : Version();
    if (!from || !to || !old_floor || !new_floor || *old_floor == *new_floor)
      return value(std::move(field), fmt::format("{} minimum", label), from, to, "unknown");
    const bool rises = *old_floor < *new_floor;
    add(std::move(field), from, to,
        fmt::format("{} minimum {} from {} to {}: {} {}", label, rises ? "rises" : "falls", *from, *to, older,
                    rises ? "stop working" : "work too"));
  }

  void toolkit_and_cudnn(const Environment& a, const Environment& b) {
    value("environment.cuda.toolkit", "CUDA toolkit", a.cuda_toolkit, b.cuda_toolkit);
    value("environment.cuda.gcc_max", "newest GCC for nvcc", number(a.gcc_max), number(b.gcc_max), "unknown");
    value("environment.cuda.conda_label", "conda channel of the toolkit", a.conda_label, b.conda_label, "none");
    const auto part = [](const Environment& environment, auto read) {
      return environment.cudnn ? read(*environment.cudnn) : MaybeText();
    };
    const auto version = [](const Environment::Cudnn& cudnn) { return MaybeText(cudnn.version.value_or("of unknown version")); };
    const auto major = [](const Environment::Cudnn& cudnn) { return number(cudnn.major); };
    const auto from = [](const Environment::Cudnn& cudnn) { return MaybeText(cudnn.from); };
    value("environment.cudnn.version", "cuDNN", part(a, version), part(b, version));
    if (part(a, version) == part(b, version)) value("environment.cudnn.major", "cuDNN major", part(a, major), part(b, major));
    value("environment.cudnn.from", "cuDNN comes from the", part(a, from), part(b, from), "nowhere");
  }

  void python(const Environment& a, const Environment& b) {
    value("environment.python", "Python", a.python, b.python);
    value("environment.python_provider", "Python comes from", a.python_provider, b.python_provider);
    list(
        "environment.pythons", a.pythons, b.pythons,
        [](const auto& items, bool many) { return fmt::format("Python {} {} no longer possible", items, many ? "are" : "is"); },
        [](const auto& items, bool many) { return fmt::format("Python {} {} possible", items, many ? "become" : "becomes"); });
  }

  void driver(const std::optional<Environment::Driver>& before, const std::optional<Environment::Driver>& after) {
    if (before && !after) return add("environment.driver", before->range.minimum, std::nullopt, "no driver is needed any more");
    if (!before && after)
      return add("environment.driver", std::nullopt, after->range.minimum,
                 fmt::format("a driver is needed now (minimum: {})", after->range.minimum.value_or("unknown")));
    if (!before) return;
    const auto& a = *before;
    const auto& b = *after;
    const std::string path = "environment.driver.";
    value(path + "asked", "asked driver", a.asked, b.asked);
    // Machines that differ have no range that could be compared; they are told one by one, below.
    if (a.by_range().size() == 1 && b.by_range().size() == 1) {
      // With a last branch the newer range may hold less than the older one: then only the numbers are told.
      if (a.range.last_branch == b.range.last_branch) {
        floor(path + "minimum", "driver", "hosts with an older driver", a.range.minimum, b.range.minimum);
      } else {
        value(path + "minimum", "driver minimum", a.range.minimum, b.range.minimum, "unknown");
      }
      value(path + "last_branch", "last driver branch", a.range.last_branch, b.range.last_branch, "the newest");
    }
    value(path + "native", "driver that reports this CUDA itself", a.native, b.native);
    if (!only_in(a.carried_by, b.carried_by).empty() || !only_in(b.carried_by, a.carried_by).empty()) {
      const auto carriers = [](const Texts& texts) { return texts.empty() ? MaybeText() : MaybeText(listed(texts)); };
      value(path + "carried_by", "what the driver question rests on:", carriers(a.carried_by), carriers(b.carried_by));
    }
    const auto machines = [](const Environment::Driver& driver) {
      Texts result;
      for (const auto& machine : driver.machines)
        result.push_back(fmt::format("{}{}: {} ({}{})", machine.gpus.empty() ? std::string("any GPU") : listed(machine.gpus),
                                     machine.asked ? fmt::format(" under driver {}", *machine.asked) : std::string(),
                                     machine.range.to_string(), listed(machine.carried_by),
                                     machine.compat ? "; cuda-compat: " + *machine.compat : std::string()));
      return result;
    };
    list(
        path + "machines", machines(a), machines(b),
        [](const auto& items, bool) { return fmt::format("drivers no longer for {}", items); },
        [](const auto& items, bool) { return fmt::format("drivers now for {}", items); });
    value(path + "compat_image", "image with cuda-compat", a.compat_image, b.compat_image);
  }

  void gpus(const std::vector<Environment::Board>& a, const std::vector<Environment::Board>& b) {
    const auto texts = [](const std::vector<Environment::Board>& boards) {
      Texts result;
      for (const auto& board : boards)
        result.push_back(fmt::format("{} (capability {}, {} {}, extensions for {})", board.name, board.capability, board.runs,
                                     board.via, board.nvcc.value_or("unknown")));
      return result;
    };
    list(
        "environment.gpus", texts(a), texts(b),
        [](const auto& items, bool) { return fmt::format("no longer served: {}", items); },
        [](const auto& items, bool) { return fmt::format("served now: {}", items); });
  }

  void place(const Environment& a, const Environment& b) {
    value("environment.os", "system", a.os, b.os, "unknown");
    if (a.os == b.os) system(a, b);
    value("environment.platform", "platform", a.platform, b.platform);
    value("environment.variant", "variant", a.variant, b.variant);
    value("environment.installer", "installer", a.installer, b.installer);
    value("environment.base", "base", a.base, b.base);
    const auto image = [&](std::string_view name, MaybeText Environment::Images::*member) {
      value(fmt::format("environment.images.{}", name), fmt::format("image ({})", name), a.images.*member, b.images.*member);
    };
    image("devel", &Environment::Images::devel);
    image("devel_cudnn", &Environment::Images::devel_cudnn);
    image("runtime", &Environment::Images::runtime);
    image("runtime_cudnn", &Environment::Images::runtime_cudnn);
    image("official_devel", &Environment::Images::official_devel);
    image("official_runtime", &Environment::Images::official_runtime);
    value("environment.image_layout", "Python of the official image", a.image_layout, b.image_layout, "unknown");
  }

  /// What was read of one system; that of another one needs no telling.
  void system(const Environment& a, const Environment& b) {
    const auto part = [](const Environment& environment, auto read) {
      return environment.system ? read(*environment.system) : MaybeText();
    };
    const auto tell = [&](std::string_view name, std::string_view label, auto read) {
      value(fmt::format("environment.system.{}", name), label, part(a, read), part(b, read), "unknown");
    };
    using System = Environment::System;
    tell("family", "family of the system", [](const System& system) { return MaybeText(system.family); });
    tell("version", "version of the system", [](const System& system) { return MaybeText(system.version); });
    tell("image", "plain image of the system", [](const System& system) { return system.image; });
    tell("gcc", "GCC of the system", [](const System& system) { return number(system.gcc); });
    tell("pep668", "the system's Python refuses pip:", [](const System& system) {
      return system.pep668 ? MaybeText(*system.pep668 ? "yes" : "no") : MaybeText();
    });
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
      add("warnings", text, std::nullopt, fmt::format("no longer to mind: {}", text));
    for (const auto& text : only_in(b.warnings, a.warnings))
      add("warnings", std::nullopt, text, fmt::format("new to mind: {}", text));
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
            fmt::format("the files of {} {} are others", package.name, package.version));
    }
    named("frozen.", "frozen package", before, after);
    const auto digests = [](const Environment::Frozen& tree) {
      Named result;
      for (const auto& image : tree.images) put(result, image.name, image.digest.value_or("by its tag alone"));
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
          changed == 1 ? "1 reason or source differs" : fmt::format("{} reasons or sources differ", changed));
    value("matrix.revision", "facts of", a.matrix_revision, b.matrix_revision);
    if (a.matrix_hash != b.matrix_hash && a.matrix_revision == b.matrix_revision)
      add("matrix.hash", a.matrix_hash, b.matrix_hash,
          fmt::format("the facts differ, though both are of revision {}", a.matrix_revision));
    for (auto i = first; i < result_.size(); ++i) result_[i].matters = false;
  }

  std::vector<Difference> result_;
};

}  // namespace

std::vector<Difference> differences(const Lock& before, const Lock& after) { return Differ().run(before, after); }

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
