#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "matrix/loading.hpp"
#include "model/spelling.hpp"

namespace envgen::matrix {
namespace {

void take_conditions(Loading& l, Rule& row, const Cell& when) {
  static const std::set<std::string_view> names{"installer", "base", "variant", "channel",
                                                "os",        "gpu",  "wsl"};  // the others are versions
  when.allow_only({"torch", "cuda", "cudnn", "python", "tensorflow", "installer", "base", "variant", "channel", "os",
                   "gpu_capability", "gpu", "wsl"});
  const auto conditions = when.members();
  auto* rows = l.packer.fill(row.when, conditions.size());
  for (std::size_t k = 0; k < conditions.size(); ++k) {
    const auto& [field, value] = conditions[k];
    l.packer.put(rows[k].field, field);
    l.packer.put(rows[k].spec, value.text());
    if (names.contains(field)) continue;
    const auto spec = VersionSpec::parse(value.text());
    if (!spec) {
      value.problem(fmt::format("{} is {}", in_quotes(value.text()), spec.error().message));
      continue;
    }
    auto* clauses = l.packer.fill(rows[k].clauses, spec->clauses().size());
    std::copy(spec->clauses().begin(), spec->clauses().end(), clauses);
  }
}

/// `stands_for`: the one value that is not taken as it is.
template <class Row, const std::string_view& stands_for>
void take_variable(Loading& l, Row& row, const Cell& variable) {
  for (const auto& [name, value] : variable.members()) {
    l.packer.put(row.env_name, name);
    l.packer.put(row.env_value, value.text());
    if (name.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") != std::string::npos)
      value.problem(fmt::format("{} is not the name of a variable", in_quotes(name)));
    if (value.text().find_first_of("{}") != std::string_view::npos && value.text() != stands_for)
      value.problem(fmt::format("{} is not a known placeholder; the only one is {}", in_quotes(value.text()), stands_for));
  }
}

void take_stale_lists(Loading& l, Rule& row, const Cell& names) {
  auto* lists = l.packer.fill(row.stale_lists, names.items().size());
  for (const auto& name : names.items()) {
    if (name.text().find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789.-") != std::string_view::npos)
      name.problem(fmt::format("{} is not the name of an apt list", in_quotes(name.text())));
    l.packer.put(*lists++, name.text());
  }
}

void take_request(Loading& l, Preset& row, const Cell& request) {
  std::vector<std::pair<std::string, std::string>> values;
  for (const auto& [field, value] : request.members()) {
    if (field == "gpus") {
      for (const auto& gpu : value.items()) values.emplace_back("gpu", gpu.text());
    } else if (field == "hosts") {
      for (const auto& host : value.items()) {
        std::string text;
        for (const auto& gpu : host.at("gpus").items()) text += (text.empty() ? "gpu=" : ",gpu=") + std::string(gpu.text());
        const auto driver = host.maybe("driver").text_or_null();
        if (!driver.empty()) text += ",driver=" + std::string(driver);
        values.emplace_back("host", text);
      }
    } else {
      values.emplace_back(field, value.is_text() ? std::string(value.text()) : value.flag() ? "true" : "false");
    }
  }
  auto* rows = l.packer.fill(row.request, values.size());
  for (std::size_t k = 0; k < values.size(); ++k) {
    l.packer.put(rows[k].field, values[k].first);
    l.packer.put(rows[k].text, values[k].second);
  }
}

constexpr Field pin_fields[] = {
    {"package", Is::needed, "package", into<&Rule::pin_package>},
    {"spec", Is::needed, "specifier", into<&Rule::pin_spec>},
};
constexpr Field action_fields[] = {
    {"pin", Is::optional, "object", fields_into<pin_fields>, "one of the four is required", &inside<pin_fields>},
    {"env", Is::optional, "variable", by<Rule, take_variable<Rule, reported_cuda>>,
     "`{\"NAME\": \"value\"}`, one variable; `{cuda}` is the CUDA that the requested drivers report, or the build's"},
    {"warn", Is::optional, "text", into<&Rule::warn>, "`{gpu}` is those of the GPUs that `gpu` or `gpu_capability` is true of"},
    {"stale_lists", Is::optional, "ids", by<Rule, take_stale_lists>,
     "files in `/etc/apt/sources.list.d` of the image to remove before apt fetches"},
};
constexpr Field rule_fields[] = {
    {"id", Is::key, "rule", into<&Rule::id>},
    {"title", Is::needed, "text", for_people},
    {"when", Is::needed, "when_all", by<Rule, take_conditions>},
    {"action", Is::needed, "object", fields_into<action_fields>, "", &inside<action_fields>},
    {"minor", Is::optional, "flag", into<&Rule::minor>,
     "true: it matters only with certain packages or for certain code, so its warning comes after the others"},
    {"symptom", Is::or_null, "text", for_people, "the message that people see"},
    {"why", Is::needed, "text", into<&Rule::why>},
    {"fix", Is::or_null, "text", for_people},
};
constexpr Field preset_fields[] = {
    {"name", Is::key, "id", into<&Preset::name>},
    {"what", Is::needed, "text", into<&Preset::what>},
    {"request", Is::needed, "request", by<Preset, take_request>, "members of the request of envgen.json"},
};
constexpr Field mirror_fields[] = {
    {"name", Is::key, "id", into<&Mirror::name>},
    {"what", Is::needed, "text", into<&Mirror::what>},
    {"apt", Is::or_null, "address", into<&Mirror::apt>,
     "has `ubuntu`, `ubuntu-ports`, `debian` and `debian-security`; over http: a plain image trusts no certificate until its "
     "first package is installed"},
    {"pip_index", Is::or_null, "address", into<&Mirror::pip_index>},
    {"conda", Is::or_null, "address", into<&Mirror::conda>, "replaces `https://conda.anaconda.org`"},
    {"conda_channels", Is::needed, "ids", into<&Mirror::conda_channels>, "the channels of conda.json that it has"},
    {"torch", Is::or_null, "address", into<&Mirror::torch>,
     "a PEP 503 index that replaces `https://download.pytorch.org/whl`; a flat list is not one"},
};
constexpr Field extension_fields[] = {
    {"name", Is::key, "package", into<&Extension::name>, "as PEP 503 normalises it"},
    {"when_used", Is::needed, "flag", into<&Extension::when_used>, "it compiles at first use, not at installation"},
    {"env", Is::or_null, "variable", by<Extension, take_variable<Extension, board_majors>>,
     "tells it to compile for a GPU, if TORCH_CUDA_ARCH_LIST does not; `{majors}` stands for the majors of the boards: `80;90`"},
    {"instead", Is::optional, "text", into<&Extension::instead>, "what serves on a GPU that it does not run on"},
};
constexpr Field package_needs_fields[] = {
    {"package", Is::key, "package", into<&PackageNeeds::package>, "of `extensions` or `requirements`"},
    {"from", Is::key, "version", into<&PackageNeeds::release>, "its first release of which this holds"},
    {"archs", Is::optional, "capabilities_or_none", into<&PackageNeeds::archs>,
     "it is compiled for these, without PTX, whatever GPUs are asked for; left out: unknown, or for any"},
    {"min_capability", Is::optional, "capability", into<&PackageNeeds::min_capability>,
     "the first compute capability that it runs on; left out: unknown, or any"},
    {"min_cuda", Is::optional, "minor", into<&PackageNeeds::min_cuda>,
     "the first CUDA that compiles it; left out: unknown, or any"},
    {"min_torch", Is::optional, "version", into<&PackageNeeds::min_torch>,
     "the first torch that it is for; left out: unknown, or any"},
};
constexpr Field package_requirement_fields[] = {
    {"package", Is::key, "package", into<&PackageRequirement::package>, "as PEP 503 normalises it"},
    {"requires", Is::key, "package", into<&PackageRequirement::of>, "another package, or `python`"},
    {"spec", Is::key, "specifier", into<&PackageRequirement::spec>, "what they require of it"},
    {"releases", Is::needed, "package_releases", into<&PackageRequirement::releases>, "of the package"},
};
constexpr Field tool_fields[] = {
    {"name", Is::key, "package", into<&Tool::name>},
    {"platform", Is::key_or_null, Names<Platform>::names, into<&Tool::platform>, "null: for all"},
    {"python", Is::key_or_null, "plain_python", into<&Tool::python>,
     "`3.8`: for it and later ones; `3.7`, `3.6`: for it alone; `3.5`: fetches uv for it and 3.6; null: for all"},
    {"version", Is::needed, "tool_version", into<&Tool::version>},
    {"hashes", Is::needed, "hashes", into<&Tool::hashes>, "of its files; none: it is installed by version only"},
};

}  // namespace

const Table tables::rules{"pitfalls.json", "rules", rule_fields,
                          "Known incompatibilities: when each applies, and what envgen does about it."};
const Table tables::presets{"presets.json", "presets", preset_fields, "Named requests."};
const Table tables::mirrors{"mirrors.json", "mirrors", mirror_fields, "Package mirrors."};
const Table tables::extensions{"extensions.json", "extensions", extension_fields,
                               "pip packages that compile CUDA code against the installed torch."};
const Table tables::package_needs{"extensions.json", "needs", package_needs_fields,
                                  "What releases of a package need: a row holds up to that of the next release."};
const Table tables::package_requirements{
    "extensions.json", "requirements", package_requirement_fields,
    "What releases of a package require of others and of Python: pip installs them beside nothing else."};
const Table tables::tools{"tools.json", "tools", tool_fields,
                          "What the generated files install themselves, each in a version that was read."};

void load_rules(Loading& loading) {
  loading.pack(tables::rules, loading.root.rules);
  loading.pack(tables::presets, loading.root.presets);
  loading.pack(tables::mirrors, loading.root.mirrors);
  loading.pack(tables::extensions, loading.root.extensions);
  loading.pack(tables::package_needs, loading.root.package_needs);
  loading.pack(tables::package_requirements, loading.root.package_requirements);
  loading.pack(tables::tools, loading.root.tools);
}

}  // namespace envgen::matrix
