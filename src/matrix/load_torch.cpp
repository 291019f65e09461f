#include <algorithm>
#include <array>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "matrix/loading.hpp"
#include "matrix/wheel_spec.hpp"
#include "model/spelling.hpp"

namespace envgen::matrix {
namespace {

constexpr std::array platforms{Platform::linux_x86_64, Platform::linux_aarch64};

void load_releases(Loading& l) {
  const auto& torch = l.documents.rows("torch.json", "releases");
  const auto& tensorflow = l.documents.rows("tensorflow.json", "releases");
  auto* rows = l.packer.fill(l.root.releases, torch.size() + tensorflow.size());
  for (std::size_t i = 0; i < torch.size(); ++i) {
    const auto cell = l.cell(torch[i]);
    cell.allow_in_row({"version", "released", "tags_complete", "default_cuda", "torchvision", "torchaudio"});
    auto& row = rows[i];
    row.version = cell.at("version").version();
    l.packer.put(row.text, cell.at("version").text());
    l.packer.put(row.released, cell.at("released").text_or_null());
    row.tags_complete = cell.at("tags_complete").flag();
    for (const auto p : platforms)
      row.default_cuda[static_cast<std::size_t>(p)] = cell.at("default_cuda").maybe(name_of(p)).version_or_null();
    row.torchvision = cell.at("torchvision").version_or_null();
    l.packer.put(row.torchvision_text, cell.at("torchvision").text_or_null());
    row.torchaudio = cell.at("torchaudio").version_or_null();
    l.packer.put(row.torchaudio_text, cell.at("torchaudio").text_or_null());
    l.provenance(row.from, torch[i]);
  }
  for (std::size_t i = 0; i < tensorflow.size(); ++i) {
    const auto cell = l.cell(tensorflow[i]);
    auto& row = rows[torch.size() + i];
    row.framework = Framework::tensorflow;
    row.version = cell.at("version").version();
    l.packer.put(row.text, cell.at("version").text());
    row.tags_complete = true;  // one build a release: there are no tags to miss
    l.provenance(row.from, tensorflow[i]);
  }
  for (std::size_t i = 0; i < l.root.releases.size(); ++i)
    l.release_index.emplace(std::pair(rows[i].framework, rows[i].version), static_cast<std::uint32_t>(i));
}

std::uint32_t release_of(Loading& l, Framework framework, const Cell& version) {
  const auto found = l.release_index.find({framework, version.version()});
  if (found != l.release_index.end()) return found->second;
  version.problem(fmt::format("no release {} is in the matrix", in_quotes(version.text())));
  return 0;
}

void load_wheel_build(Loading& l, const Documents::Row& source, Build& row) {
  const auto cell = l.cell(source);
  cell.allow_in_row({"torch", "tag", "platform", "cuda", "toolkit", "official", "cudnn", "nccl", "triton", "triton_pythons",
                     "sass", "ptx", "glibc", "wheel_index", "package_index", "python_official", "install_bytes"});
  row.release = release_of(l, Framework::torch, cell.at("torch"));
  row.version = cell.at("torch").version();
  l.packer.put(row.version_text, cell.at("torch").text());
  l.packer.put(row.tag, cell.at("tag").text());
  row.platform = cell.at("platform").choice<Platform>();
  row.cuda = cell.at("cuda").version_or_null();
  row.cpu = cell.at("cuda").is_null();
  row.toolkit = cell.at("toolkit").version_or_null();
  l.packer.put(row.toolkit_text, cell.at("toolkit").text_or_null());
  const auto official = cell.at("official");
  row.official = official.is_null() ? Answer::unknown : official.flag() ? Answer::yes : Answer::no;
  row.cudnn = cell.at("cudnn").version_or_null();
  l.packer.put(row.cudnn_text, cell.at("cudnn").text_or_null());
  const auto part = [&](std::string_view field, Text& text, bool& none) {
    const auto value = cell.at(field).text_or_null();
    none = value == "none";
    if (!none) l.packer.put(text, value);
  };
  part("nccl", row.nccl, row.nccl_none);
  part("triton", row.triton, row.triton_none);
  row.triton_pythons = cell.at("triton_pythons").pythons();
  l.archs(row.sass, cell.at("sass"));
  row.sass_known = !cell.at("sass").is_null();
  l.archs(row.ptx, cell.at("ptx"));
  row.ptx_known = !cell.at("ptx").is_null();
  row.glibc = cell.at("glibc").version_or_null();
  const auto index = cell.at("wheel_index");
  if (!index.is_null()) {
    l.packer.put(row.wheel_index_url, index.at("url").text());
    row.wheel_index = index.at("pythons").pythons();
  }
  const auto package = cell.at("package_index");
  if (!package.is_null()) row.package_index = package.at("pythons").pythons();
  row.pythons = row.wheel_index | row.package_index;
  row.pythons_known = !row.pythons.empty();
  const auto& release = l.root.releases[row.release];
  row.is_default = !row.cpu && release.default_cuda[static_cast<std::size_t>(row.platform)] == row.cuda;
  row.install_bytes = cell.maybe("install_bytes").count_or_zero();
  l.provenance(row.from, source);
}

void load_conda_build(Loading& l, const Documents::Row& source, Build& row) {
  const auto cell = l.cell(source);
  cell.allow_in_row({"torch", "channel", "cuda", "platform", "spec", "channels", "pythons", "cudnn", "sass", "ptx", "glibc"});
  row.release = release_of(l, Framework::torch, cell.at("torch"));
  row.channel = cell.at("channel").choice({"pytorch", "conda-forge"}) == 0 ? Channel::pytorch_channel : Channel::conda_forge;
  row.official = row.channel == Channel::pytorch_channel ? Answer::yes : Answer::no;
  row.version = cell.at("torch").version();
  l.packer.put(row.version_text, cell.at("torch").text());
  row.platform = cell.at("platform").choice<Platform>();
  row.cuda = cell.at("cuda").version_or_null();
  row.cpu = cell.at("cuda").is_null();
  l.packer.put(row.tag, row.cpu ? std::string("cpu") : fmt::format("cu{}{}", row.cuda.major(), row.cuda.minor()));
  row.cudnn = cell.at("cudnn").version_or_null();
  l.packer.put(row.cudnn_text, cell.at("cudnn").text_or_null());
  l.archs(row.sass, cell.at("sass"));
  row.sass_known = !cell.at("sass").is_null();
  l.archs(row.ptx, cell.at("ptx"));
  row.ptx_known = !cell.at("ptx").is_null();
  row.glibc = cell.at("glibc").version_or_null();
  row.pythons = cell.at("pythons").pythons();
  row.pythons_known = !cell.at("pythons").is_null();
  l.packer.put(row.conda_spec, cell.at("spec").text());
  l.texts(row.conda_channels, cell.at("channels"));
  l.provenance(row.from, source);
}

void load_tensorflow_build(Loading& l, const Documents::Row& source, Build& row, TensorFlowExtra& extra) {
  const auto cell = l.cell(source);
  cell.allow_in_row({"version", "pythons", "cuda", "cudnn", "pins", "glibc", "sass", "ptx", "images"});
  row.framework = Framework::tensorflow;
  row.release = release_of(l, Framework::tensorflow, cell.at("version"));
  row.version = cell.at("version").version();
  l.packer.put(row.version_text, cell.at("version").text());
  row.official = Answer::yes;
  row.is_default = true;
  row.cuda = cell.at("cuda").version_or_null();
  row.cpu = false;
  if (row.cuda) l.packer.put(row.tag, fmt::format("cu{}{}", row.cuda.major(), row.cuda.minor()));
  row.cudnn = cell.at("cudnn").version_or_null();
  l.packer.put(row.cudnn_text, cell.at("cudnn").text_or_null());
  row.pythons = row.package_index = cell.at("pythons").pythons();
  row.pythons_known = !row.pythons.empty();
  row.triton_none = true;
  l.archs(row.sass, cell.at("sass"));
  row.sass_known = !cell.at("sass").is_null();
  l.archs(row.ptx, cell.at("ptx"));
  row.ptx_known = !cell.at("ptx").is_null();
  row.glibc = cell.at("glibc").version_or_null();
  l.provenance(row.from, source);

  extra.version = row.version;
  extra.exists = !cell.at("pins").is_null();
  const auto pins = cell.at("pins").members();
  auto* pin_rows = l.packer.fill(extra.pins, pins.size());
  for (std::size_t i = 0; i < pins.size(); ++i) {
    l.packer.put(pin_rows[i].package, pins[i].first);
    l.packer.put(pin_rows[i].spec, pins[i].second.text());
  }
}

/// One raw row waiting to be placed: what it is sorted by, and how it is filled.
struct Pending {
  enum class Kind { wheel, conda, tensorflow, open } kind = Kind::wheel;
  const Documents::Row* source = nullptr;
  std::uint32_t release = 0;  // open
  Version cuda;               // open
  Platform platform{};        // open
  // The order of preference `stable`: wheels before conda, official before side builds, builds whose parts are known before
  // others, newest release first, within it the default CUDA, then the newest CUDA.
  bool open_last = false;
  Framework framework{};
  int channel = 0;
  bool side = false;
  bool incomplete = false;  ///< its cuDNN was not read: an answer would not be exact
  Version version;
  bool not_default = false;
  Version order_cuda;
};

/// The oldest CUDA of the newest torch before `version` whose list is complete: no release has ever gone back behind it
/// (tests/resolver/coverage_test.cpp). None: there is no such release.
Version first_cuda_before(const Root& root, const std::vector<Pending>& all, Version version) {
  Version newest;
  for (const auto& release : root.releases) {
    if (release.framework == Framework::torch && release.tags_complete && release.version < version)
      newest = std::max(newest, release.version);
  }
  Version first;
  for (const auto& wheel : all) {
    const bool counts = newest && wheel.kind == Pending::Kind::wheel && wheel.version == newest && wheel.order_cuda;
    if (counts && (!first || wheel.order_cuda < first)) first = wheel.order_cuda;
  }
  return first;
}

std::vector<Pending> pending_builds(Loading& l) {
  std::vector<Pending> all;
  Problems ignored;  // each row is read again, with its problems, when it is filled
  const auto peek = [&](const Documents::Row& row) { return Cell(row.value, row.where, ignored); };
  for (const auto& row : l.documents.rows("torch.json", "builds")) {
    const auto cell = peek(row);
    Pending p;
    p.kind = Pending::Kind::wheel;
    p.source = &row;
    p.version = cell.at("torch").version();
    p.order_cuda = cell.at("cuda").version_or_null();
    const auto official = cell.at("official");
    p.side = !official.is_null() && !official.flag();
    p.incomplete = p.order_cuda && cell.at("cudnn").is_null();
    p.platform = cell.at("platform").choice<Platform>();
    p.not_default = true;
    const auto release = l.release_index.find({Framework::torch, p.version});
    if (release != l.release_index.end() && p.order_cuda)
      p.not_default = l.root.releases[release->second].default_cuda[static_cast<std::size_t>(p.platform)] != p.order_cuda;
    all.push_back(p);
  }
  for (const auto& row : l.documents.rows("conda.json", "builds")) {
    const auto cell = peek(row);
    Pending p;
    p.kind = Pending::Kind::conda;
    p.source = &row;
    p.version = cell.at("torch").version();
    p.order_cuda = cell.at("cuda").version_or_null();
    p.channel = cell.at("channel").choice({"pytorch", "conda-forge"}) == 0 ? 1 : 2;
    p.platform = cell.at("platform").choice<Platform>();
    all.push_back(p);
  }
  for (const auto& row : l.documents.rows("tensorflow.json", "releases")) {
    Pending p;
    p.kind = Pending::Kind::tensorflow;
    p.source = &row;
    p.framework = Framework::tensorflow;
    p.version = peek(row).at("version").version();
    p.incomplete = peek(row).at("cudnn").is_null();
    all.push_back(p);
  }
  // What an open release may have besides: every CUDA minor that is not listed for it and was not left behind before it, and the
  // CPU build (no CUDA).
  std::vector<Version> tags{Version()};
  for (const auto& minor : l.root.cuda_minors) tags.push_back(minor.cuda);
  for (std::size_t i = 0; i < l.root.releases.size(); ++i) {
    const auto& release = l.root.releases[i];
    if (release.tags_complete) continue;
    const auto first = first_cuda_before(l.root, all, release.version);
    for (const auto p : platforms) {
      for (const auto cuda : tags) {
        if (cuda && cuda < first) continue;
        const bool known = std::any_of(all.begin(), all.end(), [&](const Pending& other) {
          return other.kind == Pending::Kind::wheel && other.version == release.version && other.platform == p &&
                 other.order_cuda == cuda;
        });
        if (known) continue;
        Pending open;
        open.kind = Pending::Kind::open;
        open.release = static_cast<std::uint32_t>(i);
        open.cuda = open.order_cuda = cuda;
        open.platform = p;
        open.version = release.version;
        open.open_last = true;
        all.push_back(open);
      }
    }
  }
  std::stable_sort(all.begin(), all.end(), [](const Pending& a, const Pending& b) {
    return std::tie(a.open_last, a.framework, a.channel, a.side, a.incomplete, b.version, a.not_default, b.order_cuda,
                    a.platform) < std::tie(b.open_last, b.framework, b.channel, b.side, b.incomplete, a.version, b.not_default,
                                           a.order_cuda, b.platform);
  });
  return all;
}

void load_builds(Loading& l) {
  const auto all = pending_builds(l);
  auto* rows = l.packer.fill(l.root.builds, all.size());
  auto* extras = l.packer.fill(l.root.tensorflow_extras, l.documents.rows("tensorflow.json", "releases").size());
  std::size_t extra = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    auto& row = rows[i];
    const auto& p = all[i];
    if (!p.open_last) l.root.listed_builds = static_cast<std::uint32_t>(i + 1);
    switch (p.kind) {
      case Pending::Kind::wheel:
        load_wheel_build(l, *p.source, row);
        break;
      case Pending::Kind::conda:
        load_conda_build(l, *p.source, row);
        break;
      case Pending::Kind::tensorflow:
        load_tensorflow_build(l, *p.source, row, extras[extra++]);
        break;
      case Pending::Kind::open:
        row.listed = false;
        row.release = p.release;
        row.version = p.version;
        row.cuda = p.cuda;
        row.cpu = !p.cuda;
        row.platform = p.platform;
        l.packer.put(row.version_text, l.root.releases[p.release].text);
        l.packer.put(row.tag, row.cpu ? std::string("cpu") : fmt::format("cu{}{}", p.cuda.major(), p.cuda.minor()));
        row.from.source = l.root.releases[p.release].from.source;
        break;
    }
  }
}

/// What a wheel of torchvision or torchaudio asks for; none where nobody read it. It must fit the release that names it, all
/// builds of it: an answer holds both.
void load_requirement(Loading& l, const Cell& cell, std::string_view list, Companion& row) {
  const auto asked = cell.at("requires_torch");
  const auto text = asked.text_or_null();
  l.packer.put(row.requires_torch, text);
  if (!asked.is_text()) return;
  if (const auto spec = wheel_spec(text); !spec)
    return asked.problem(fmt::format("{} is {}", in_quotes(text), spec.error().message));
  const auto of_all = VersionSpec::parse(text);
  for (const auto& release : l.root.releases) {
    const auto own = list == "torchvision" ? release.torchvision : release.torchaudio;
    if (release.framework == Framework::torch && own && own == row.version && !(of_all && of_all->matches(release.version)))
      asked.problem(fmt::format("{} asks for torch {}, but torch {} names it as its {}", row.text.view(), in_one_line(text),
                                release.text.view(), list));
  }
}

void load_companions(Loading& l, std::string_view list, List<Companion>& target) {
  const auto& documents = l.documents.rows("torch.json", list);
  auto* rows = l.packer.fill(target, documents.size());
  for (std::size_t i = 0; i < documents.size(); ++i) {
    const auto cell = l.cell(documents[i]);
    cell.allow_in_row({"version", "platform", "requires_torch", "pythons", "requires_python"});
    auto& row = rows[i];
    row.version = cell.at("version").version();
    l.packer.put(row.text, cell.at("version").text());
    row.platform = cell.at("platform").choice<Platform>();
    row.pythons = cell.at("pythons").pythons();
    const auto requires_python = row.pythons == PythonSet::all() ? cell.at("requires_python") : cell.maybe("requires_python");
    const auto floor = requires_python.text_or_null();
    if (const auto spec = wheel_spec(floor); requires_python.is_text() && !spec)
      requires_python.problem(fmt::format("{} is {}", in_quotes(floor), spec.error().message));
    if (row.pythons == PythonSet::all()) {
      // A py3-none wheel installs wherever requires_python allows; its floor is what is read here.
      PythonSet allowed;
      for (std::uint8_t minor = 0; minor < 32; ++minor) {
        const auto at_least =
            floor.starts_with(">=") ? Version::parse(floor.substr(2, floor.find(',') - 2)) : Expected<Version>(Version(3, 0));
        if (at_least && Version(3, minor) >= *at_least) {
          allowed.add({minor, false});
          allowed.add({minor, true});
        }
      }
      row.pythons = allowed;
    }
    load_requirement(l, cell, list, row);
    l.provenance(row.from, documents[i]);
  }
}

void load_labels(Loading& l) {
  const auto& labels = l.documents.rows("conda.json", "labels");
  auto* rows = l.packer.fill(l.root.conda_labels, labels.size());
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto cell = l.cell(labels[i]);
    cell.allow_in_row({"label", "cuda", "evidence"});
    l.packer.put(rows[i].label, cell.at("label").text());
    l.packer.put(rows[i].cuda, cell.at("cuda").text());
    l.packer.put(rows[i].evidence, cell.at("evidence").text_or_null());
    l.provenance(rows[i].from, labels[i]);
  }
}

}  // namespace

void load_torch(Loading& loading) {
  load_releases(loading);
  load_builds(loading);
  load_companions(loading, "torchvision", loading.root.torchvision);
  load_companions(loading, "torchaudio", loading.root.torchaudio);
  load_labels(loading);
}

}  // namespace envgen::matrix
