#include <algorithm>
#include <array>
#include <tuple>

#include <fmt/format.h>

#include "matrix/loading.hpp"
#include "model/spelling.hpp"

namespace envgen::matrix {
namespace {

/// The framework's release that the build is of.
void take_release(Loading& l, Build& row, const Cell& value) {
  into<&Build::version, &Build::version_text>(l, &row, value);
  const auto found = l.release_index.find({row.framework, row.version});
  if (found == l.release_index.end())
    return value.problem(fmt::format("no release {} is in the matrix", in_quotes(value.text())));
  row.release = found->second;
}

/// What may be the word `none`: the build has none.
template <auto text, auto none>
void unless_none(Loading& l, void* row, const Cell& value) {
  if (value.text() == "none") {
    member_of(row, none) = true;
  } else {
    into<text>(l, row, value);
  }
}

constexpr std::array<std::string_view, 2> conda_channels{"pytorch", "conda-forge"};
Channel channel_of(const Cell& value) {
  return value.choice(conda_channels) == 0 ? Channel::pytorch_channel : Channel::conda_forge;
}
void take_offering_channel(Loading&, OfferedCudnn& row, const Cell& value) { row.channel = channel_of(value); }
void take_channel(Loading&, Build& row, const Cell& value) {
  row.channel = channel_of(value);
  row.official = row.channel == Channel::pytorch_channel ? Tribool::yes : Tribool::no;
}

/// `arm-variant` of conda-forge: https://conda-forge.org/docs/how-to/advanced/cuda/tegra/
constexpr std::array<std::string_view, 1> arm_variants{"tegra"};
void take_arm_variant(Loading&, Build& row, const Cell&) { row.tegra = true; }

constexpr Field torch_field{"torch", Is::key, "release", by<Build, take_release>};
constexpr Field platform_field{"platform", Is::key, Names<Platform>::names, into<&Build::platform>};
// What every binary says of itself.
constexpr Field sass_field{"sass", Is::or_null, "archs", known_into<&Build::sass_known, &Build::sass>, "`[]` for a CPU build"};
constexpr Field ptx_field{"ptx", Is::or_null, "archs", known_into<&Build::ptx_known, &Build::ptx>, "`[]` for a CPU build"};
constexpr Field glibc_field{"glibc", Is::or_null, "glibc", into<&Build::glibc>};
constexpr Field glibc_below_field{"glibc_below", Is::optional, "glibc", into<&Build::glibc_below>,
                                  "the first glibc that refuses to load it: 2.41 refuses a library with an executable stack"};

constexpr Field wheel_index_fields[] = {
    {"url", Is::needed, "wheel_index", into<&Build::wheel_index_url>},
    {"pythons", Is::needed, "pythons", into<&Build::wheel_index>},
};
constexpr Field package_index_fields[] = {{"pythons", Is::needed, "pythons", into<&Build::package_index>}};
constexpr Field wheel_fields[] = {
    torch_field,
    {"tag", Is::key, "tag", into<&Build::tag>},
    platform_field,
    {"cuda", Is::or_null, "cuda", into<&Build::cuda>, "null: a CPU build"},
    {"toolkit", Is::or_null, "toolkit", into<&Build::toolkit>, "the update that the wheel was built with"},
    {"official", Is::or_null, "flag", into<&Build::official>, "in the official release matrix; side builds are false"},
    {"cudnn", Is::or_null, "version", into<&Build::cudnn>},
    {"nccl", Is::or_null, "pin", unless_none<&Build::nccl, &Build::nccl_none>, "null: unknown, or a CPU build"},
    {"triton", Is::or_null, "pin", unless_none<&Build::triton, &Build::triton_none>, "as the wheel writes it"},
    {"triton_pythons", Is::or_null, "pythons_or_none", into<&Build::triton_pythons>},
    sass_field,
    ptx_field,
    glibc_field,
    glibc_below_field,
    {"wheel_index", Is::or_null, "object", fields_into<wheel_index_fields>, "null: not seen there", &inside<wheel_index_fields>},
    {"package_index", Is::or_null, "object", fields_into<package_index_fields>, "null: it is not there",
     &inside<package_index_fields>},
    {"python_official", Is::optional, "pythons", nullptr, "those of the official release matrix"},
    {"install_bytes", Is::optional, "count", into<&Build::install_bytes>,
     "what pip downloads for the build from the package index, if the index has it"},
};
constexpr Field conda_fields[] = {
    torch_field,
    {"channel", Is::key, conda_channels, by<Build, take_channel>},
    {"cuda", Is::key_or_null, "cuda", into<&Build::cuda>, "null: a CPU build"},
    platform_field,
    {"arm_variant", Is::key_or_null, arm_variants, by<Build, take_arm_variant>,
     "for Jetson alone; null: conda's default, for every other machine"},
    {"spec", Is::needed, "conda_spec", into<&Build::conda_spec>, "`pytorch==2.3.1 pytorch-cuda=12.1`"},
    {"channels", Is::needed, "channels", into<&Build::conda_channels>, "in order"},
    {"pythons", Is::or_null, "pythons", known_into<&Build::pythons_known, &Build::pythons>},
    {"cudnn", Is::or_null, "version", into<&Build::cudnn>, "as the channel states it; may be only a major"},
    sass_field,
    ptx_field,
    glibc_field,
    glibc_below_field,
};
constexpr Field tensorflow_fields[] = {
    {"version", Is::key, "release", by<Build, take_release>},
    {"released", Is::optional, "date", nullptr, "if omitted: unknown"},
    {"pythons", Is::needed, "pythons", into<&Build::pythons, &Build::package_index>},
    {"cuda", Is::or_null, "cuda", into<&Build::cuda>, "of the tested build"},
    {"cudnn", Is::or_null, "minor", into<&Build::cudnn>, "of the tested build"},
    {"pins", Is::or_null, "pins", nullptr, "what `[and-cuda]` requires; null: the extra does not exist"},
    glibc_field,
    sass_field,
    ptx_field,
    {"fails_on", Is::optional, "capabilities_or_none", into<&Build::fails_on>,
     "on which it is known to fail, whatever code it contains"},
    {"images", Is::needed, "list, may be empty", nullptr, "of tensorflow/tensorflow", &tables::tensorflow_images},
};
constexpr Field label_fields[] = {
    {"label", Is::key, "label", into<&CondaLabel::label>, "`nvidia/label/cuda-12.1.1`"},
    {"cuda", Is::needed, "toolkit", into<&CondaLabel::cuda>},
    {"evidence", Is::or_null, Names<Evidence>::names, into<&CondaLabel::evidence>},
};

constexpr Field offered_cudnn_fields[] = {
    {"channel", Is::key, conda_channels, by<OfferedCudnn, take_offering_channel>},
    {"cuda", Is::key, "cuda", into<&OfferedCudnn::cuda>},
    {"cudnn", Is::key, "cudnn", into<&OfferedCudnn::cudnn>},
    {"glibc", Is::needed, "glibc", into<&OfferedCudnn::glibc>, "that the package requires"},
};

/// `cu121`, or `cpu`.
void put_tag(Loading& l, Build& row) {
  l.packer.put(row.tag, row.cpu ? std::string("cpu") : fmt::format("cu{}{}", row.cuda.major(), row.cuda.minor()));
}

void load_wheel_build(Loading& l, const Documents::Row& source, Build& row) {
  l.read(tables::wheel_builds, row, source);
  row.cpu = !row.cuda;
  row.pythons = row.wheel_index | row.package_index;
  row.pythons_known = !row.pythons.empty();
  const auto& release = l.root.releases[row.release];
  row.is_default = !row.cpu && release.default_cuda[static_cast<std::size_t>(row.platform)] == row.cuda;
}

void load_conda_build(Loading& l, const Documents::Row& source, Build& row) {
  l.read(tables::conda_builds, row, source);
  row.cpu = !row.cuda;
  put_tag(l, row);
}

/// What pip may take for the cuDNN that `[and-cuda]` asks for.
void put_cudnn_choices(Loading& l, Build& row, std::string_view package, const std::string& asked) {
  const auto spec = wheel_spec(asked);
  if (!spec) return;  // lint tells
  l.packer.put(row.cudnn_spec, asked);
  std::vector<std::uint16_t> choices;
  for (const auto& cudnn : l.root.cudnns) {
    const bool carried = std::find(cudnn.wheels.begin(), cudnn.wheels.end(), package) != cudnn.wheels.end();
    if (carried && cudnn.glibc && spec->matches(cudnn.version))
      choices.push_back(static_cast<std::uint16_t>(&cudnn - l.root.cudnns.begin()));
  }
  std::copy(choices.begin(), choices.end(), l.packer.fill(row.cudnn_choices, choices.size()));
}

void load_tensorflow_build(Loading& l, const Documents::Row& source, Build& row, TensorFlowExtra& extra) {
  row.framework = Framework::tensorflow;
  const auto cell = l.read(tables::tensorflow_releases, row, source);
  row.official = Tribool::yes;
  row.is_default = true;
  if (row.cuda) put_tag(l, row);
  row.pythons_known = !row.pythons.empty();
  row.triton_none = true;

  extra.version = row.version;
  extra.exists = !cell.at("pins").is_null();
  const auto pins = cell.at("pins").members();
  auto* pin_rows = l.packer.fill(extra.pins, pins.size());
  for (std::size_t i = 0; i < pins.size(); ++i) {
    l.packer.put(pin_rows[i].package, pins[i].first);
    l.packer.put(pin_rows[i].spec, pins[i].second.text());
    if (pins[i].first.starts_with("nvidia-cudnn-")) put_cudnn_choices(l, row, pins[i].first, std::string(pins[i].second.text()));
  }
}

/// What is known of a build that an open release may have besides those that are listed.
struct StandIn {
  std::uint32_t release = 0;
  Version cuda;
  Platform platform = Platform::linux_x86_64;
  Version glibc;
};

void stand_in(Loading& l, const StandIn& known, Build& row) {
  row.listed = false;
  row.release = known.release;
  row.version = l.root.releases[known.release].version;
  row.cuda = known.cuda;
  row.cpu = !known.cuda;
  row.platform = known.platform;
  row.glibc = known.glibc;
  l.packer.put(row.version_text, l.root.releases[known.release].text);
  put_tag(l, row);
  row.from.source = l.root.releases[known.release].from.source;
}

/// A build as it was read to find its place, from a row of a table or, a stand-in, from none.
struct Draft {
  const Build* build;
  const Table* table = nullptr;
  const Documents::Row* source = nullptr;
};

void fill(Loading& l, const Draft& draft, Build& row, TensorFlowExtra*& extra) {
  if (draft.table == &tables::wheel_builds) return load_wheel_build(l, *draft.source, row);
  if (draft.table == &tables::conda_builds) return load_conda_build(l, *draft.source, row);
  if (draft.table == &tables::tensorflow_releases) return load_tensorflow_build(l, *draft.source, row, *extra++);
  stand_in(l, {draft.build->release, draft.build->cuda, draft.build->platform, draft.build->glibc}, row);
}

/// The newest torch before `version` whose list is complete. No release has ever gone back behind its oldest CUDA or its oldest
/// glibc (tests/resolver/coverage_test.cpp). None: there is no such release.
Version complete_before(const Root& root, Version version) {
  Version newest;
  for (const auto& release : root.releases) {
    if (release.framework == Framework::torch && release.tags_complete && release.version < version)
      newest = std::max(newest, release.version);
  }
  return newest;
}

/// The oldest CUDA of its wheels; none: of none.
Version first_cuda_of(const std::vector<Draft>& all, Version release) {
  Version first;
  for (const auto& [build, table, source] : all) {
    const bool counts = release && table == &tables::wheel_builds && build->version == release && build->cuda;
    if (counts && (!first || build->cuda < first)) first = build->cuda;
  }
  return first;
}

/// The oldest glibc of its wheels for a platform; none where that of one was not read, or it has none.
Version first_glibc_of(const std::vector<Draft>& all, Version release, Platform platform) {
  Version first;
  for (const auto& [build, table, source] : all) {
    if (!release || table != &tables::wheel_builds || build->version != release || build->platform != platform) continue;
    if (!build->glibc) return {};
    if (!first || build->glibc < first) first = build->glibc;
  }
  return first;
}

/// What an open release may have besides: every CUDA minor that is not listed for it and was not left behind before it, or those
/// alone that it is said to leave open; and the CPU build (no CUDA).
void add_stand_ins(Loading& l, std::vector<Draft>& all) {
  std::vector<Version> tags{Version()};
  for (const auto& minor : l.root.cuda_minors) tags.push_back(minor.cuda);
  for (std::uint32_t i = 0; i < l.root.releases.size(); ++i) {
    const auto& release = l.root.releases[i];
    if (release.tags_complete) continue;
    const auto before = complete_before(l.root, release.version);
    const auto first = first_cuda_of(all, before);
    for (const auto platform : {Platform::linux_x86_64, Platform::linux_aarch64}) {
      const auto glibc = first_glibc_of(all, before, platform);
      for (const auto cuda : tags) {
        const auto& open = release.open_cuda;
        const bool may_have = release.open_cuda_known ? std::find(open.begin(), open.end(), cuda) != open.end() : cuda >= first;
        if (cuda && !may_have) continue;
        const bool known = std::any_of(all.begin(), all.end(), [&](const Draft& other) {
          return other.table == &tables::wheel_builds && other.build->version == release.version &&
                 other.build->platform == platform && other.build->cuda == cuda;
        });
        if (known) continue;
        auto* build = l.packer.reserve<Build>(1);
        stand_in(l, {i, cuda, platform, glibc}, *build);
        all.push_back({build});
      }
    }
  }
}

/// What comes before what in the order of preference `stable`: wheels before conda, official before side builds, builds whose
/// parts are known before others (an answer is to be exact), newest release first, within it the default CUDA, then the newest
/// CUDA. Of the channels of conda, that of PyTorch comes first for a release that both have; it ends with 2.5.
bool comes_before(const Draft& a, const Draft& b) {
  const auto rank = [](const Build& mine, const Build& other) {
    const bool wheels = mine.channel == Channel::wheels;
    const bool side_build = wheels && mine.official == Tribool::no;
    const bool incomplete = mine.listed && wheels && !mine.cpu && !mine.cudnn;
    return std::tuple(!mine.listed, mine.framework, !wheels, side_build, incomplete, other.version, mine.channel,
                      !mine.is_default, other.cuda, mine.platform);
  };
  return rank(*a.build, *b.build) < rank(*b.build, *a.build);
}

}  // namespace

const Table tables::wheel_builds{"torch.json", "builds", wheel_fields, "PyTorch wheels."};
const Table tables::conda_builds{"conda.json", "builds", conda_fields, "PyTorch on conda channels."};
const Table tables::conda_labels{"conda.json", "labels", label_fields, "Labels of the nvidia channel."};
const Table tables::offered_cudnns{"conda.json", "cudnn", offered_cudnn_fields,
                                   "The newest cuDNN of each major that a channel has for a CUDA: what a solver selects if a "
                                   "build does not pin the release."};
const Table tables::tensorflow_releases{"tensorflow.json", "releases", tensorflow_fields, "TensorFlow, one build per release."};

void load_builds(Loading& l) {
  // Each is read twice: where a row of the block stands is where it stays.
  Problems ignored;
  Packer scratch(l.packer.capacity());
  Loading reading{l.documents, scratch, l.root, ignored, l.source_index, l.release_index};
  std::vector<Draft> all;
  const auto& releases = l.documents.rows(tables::tensorflow_releases);
  auto* extra = scratch.reserve<TensorFlowExtra>(releases.size());
  for (const auto* table : {&tables::wheel_builds, &tables::conda_builds, &tables::tensorflow_releases}) {
    for (const auto& source : l.documents.rows(*table)) {
      auto* build = scratch.reserve<Build>(1);
      fill(reading, all.emplace_back(Draft{build, table, &source}), *build, extra);
    }
  }
  add_stand_ins(reading, all);
  std::stable_sort(all.begin(), all.end(), comes_before);

  auto* rows = l.packer.fill(l.root.builds, all.size());
  extra = l.packer.fill(l.root.tensorflow_extras, releases.size());
  for (std::size_t i = 0; i < all.size(); ++i) fill(l, all[i], rows[i], extra);
  l.root.listed_builds = static_cast<std::uint32_t>(
      std::count_if(all.begin(), all.end(), [](const Draft& draft) { return draft.source != nullptr; }));
  l.pack(tables::conda_labels, l.root.conda_labels);
  l.pack(tables::offered_cudnns, l.root.offered_cudnns);
}

}  // namespace envgen::matrix
