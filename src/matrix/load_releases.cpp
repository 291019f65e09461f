#include <array>

#include <fmt/format.h>

#include "matrix/loading.hpp"
#include "model/spelling.hpp"
#include "model/version_spec.hpp"

namespace envgen::matrix {
namespace {

void take_defaults(Loading&, Release& row, const Cell& value) {
  for (std::size_t platform = 0; platform < Names<Platform>::names.size(); ++platform)
    row.default_cuda[platform] = value.maybe(Names<Platform>::names[platform]).version_or_null();
}

/// A wheel installs wherever requires_python allows; its floor is what is read here.
PythonSet pythons_from(std::string_view floor) {
  PythonSet allowed;
  for (std::uint8_t minor = 0; minor < 32; ++minor) {
    const auto at_least =
        floor.starts_with(">=") ? Version::parse(floor.substr(2, floor.find(',') - 2)) : Expected<Version>(Version(3, 0));
    if (at_least && Version(3, minor) >= *at_least) {
      allowed.add({minor, false});
      allowed.add({minor, true});
    }
  }
  return allowed;
}

void take_requires_python(Loading&, Release& row, const Cell& value) {
  const auto floor = value.text();
  if (const auto spec = wheel_spec(floor); !spec)
    return value.problem(fmt::format("{} is {}", in_quotes(floor), spec.error().message));
  row.allowed_pythons = pythons_from(floor);
}

/// They are taken out of what requires_python allows, so this column is read after it.
void take_no_pythons(Loading&, Release& row, const Cell& value) {
  row.allowed_pythons = PythonSet(row.allowed_pythons.bits() & ~value.pythons().bits());
}

constexpr Field release_fields[] = {
    {"version", Is::key, "release", into<&Release::version, &Release::text>},
    {"released", Is::or_null, "date", into<&Release::released>},
    {"tags_complete", Is::needed, "flag", into<&Release::tags_complete>, "every CUDA tag of this release is listed here"},
    {"open_cuda", Is::optional, "minors", known_into<&Release::open_cuda_known, &Release::open_cuda>,
     "if tags are missing: the other CUDA minors it may be built for; if omitted: any that no earlier release has left "
     "behind"},
    {"gap_before", Is::optional, "flag", into<&Release::gap_before>,
     "true: it was added on its own; whether there are releases between it and the one before it is unknown"},
    {"default_cuda", Is::needed, "default_cuda", by<Release, take_defaults>,
     "what the package index installs; null: a CPU build; an absent platform: no wheel there, or unknown"},
    {"torchvision", Is::or_null, "release", into<&Release::torchvision, &Release::torchvision_text>,
     "null: none was released for it"},
    {"torchaudio", Is::or_null, "release", into<&Release::torchaudio, &Release::torchaudio_text>, "likewise"},
    {"requires_python", Is::optional, "specifier", by<Release, take_requires_python>,
     "of its wheels: no build of it, listed or not, is for an older Python"},
    {"no_pythons", Is::optional, "pythons", by<Release, take_no_pythons>,
     "newer ones that no build of it is for, listed or not; needs `requires_python`"},
    {"gcc_min", Is::optional, "major_number", major_into<&Release::gcc_min>,
     "the oldest GCC that compiles against its headers; if omitted: unknown"},
};
constexpr Field companion_fields[] = {
    {"version", Is::key, "release", into<&Companion::version, &Companion::text>},
    {"platform", Is::key, Names<Platform>::names, into<&Companion::platform>},
    {"requires_torch", Is::or_null, "specifier", into<&Companion::requires_torch>, "null: it declares none"},
    {"pythons", Is::needed, "pythons_or_any", into<&Companion::pythons>,
     "`[\"any\"]` for a py3-none wheel, which installs wherever `requires_python` allows"},
    {"cuda", Is::optional, "minors", into<&Companion::cuda>,
     "if it supports later torch releases: only builds for these CUDA minors and CPU builds; if omitted: all"},
    {"linked_cuda", Is::optional, "major_number", major_into<&Companion::linked_cuda>,
     "if it supports later torch releases with one wheel on the package index: the CUDA major of that wheel's libcudart; "
     "whether PyTorch's wheel index has others is unknown"},
    {"requires_python", Is::optional, "specifier_or_null", nullptr, "null: it declares none"},
};

/// What a wheel of torchvision or torchaudio asks for; none where nobody read it. It must fit the release that names it, all
/// builds of it: an answer holds both.
void check_requirement(const Loading& l, const Cell& asked, std::string_view list, const Companion& row) {
  if (!asked.is_text()) return;
  const auto text = asked.text();
  if (const auto spec = wheel_spec(text); !spec)
    return asked.problem(fmt::format("{} is {}", in_quotes(text), spec.error().message));
  const auto of_all = VersionSpec::parse(text);
  for (const auto& release : l.root.releases) {
    const auto own = list == "torchvision" ? release.torchvision : release.torchaudio;
    if (release.framework == Framework::torch && own && own == row.version && !(of_all && of_all->matches(release.version)))
      asked.problem(fmt::format("{} requires torch {}, but torch {} names it as its {}", row.text.view(), in_one_line(text),
                                release.text.view(), list));
  }
}

}  // namespace

const Table tables::torch_releases{"torch.json", "releases", release_fields, "PyTorch."};
const Table tables::torchvision{"torch.json", "torchvision", companion_fields, "Its companion on the package index."};
const Table tables::torchaudio{"torch.json", "torchaudio", companion_fields, "Likewise."};

void load_releases(Loading& l) {
  const auto& torch = l.documents.rows(tables::torch_releases);
  const auto& tensorflow = l.documents.rows(tables::tensorflow_releases);
  auto* row = l.packer.fill(l.root.releases, torch.size() + tensorflow.size());
  for (const auto& source : torch) l.read(tables::torch_releases, *row++, source);
  for (const auto& source : tensorflow) {
    row->framework = Framework::tensorflow;
    into<&Release::version, &Release::text>(l, row, l.cell(source).at("version"));
    l.packer.put(row->released, l.cell(source).maybe("released").text_or_null());
    row->tags_complete = true;  // one build a release: there are no tags to miss
    l.provenance(row++->from, source);
  }
  for (const auto& release : l.root.releases)
    l.release_index.emplace(std::pair(release.framework, release.version),
                            static_cast<std::uint32_t>(&release - l.root.releases.begin()));
}

void load_companions(Loading& l) {
  for (const auto& [table, list] :
       {std::pair(&tables::torchvision, &l.root.torchvision), std::pair(&tables::torchaudio, &l.root.torchaudio)}) {
    l.pack(*table, *list, [&l, name = table->list](Companion& row, const Cell& cell) {
      const bool any = row.pythons == PythonSet::all();
      const auto python = any ? cell.at("requires_python") : cell.maybe("requires_python");
      const auto floor = python.text_or_null();
      if (const auto spec = wheel_spec(floor); python.is_text() && !spec)
        python.problem(fmt::format("{} is {}", in_quotes(floor), spec.error().message));
      if (any) row.pythons = pythons_from(floor);
      check_requirement(l, cell.at("requires_torch"), name, row);
    });
  }
}

}  // namespace envgen::matrix
