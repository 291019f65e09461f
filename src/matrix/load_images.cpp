#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "matrix/loading.hpp"
#include "model/spelling.hpp"

namespace envgen::matrix {
namespace {

/// A registry may give a tag to another image; a digest names one. `sha256:` and 64 digits, by the OCI image specification.
template <class Row>
void take_digest(Loading& l, Row& row, const Cell& cell) {
  const auto text = cell.text();
  constexpr std::string_view algorithm = "sha256:";
  constexpr std::size_t digits = 64;
  const bool right = text.starts_with(algorithm) && text.size() == algorithm.size() + digits &&
                     text.find_first_not_of("0123456789abcdef", algorithm.size()) == std::string_view::npos;
  if (!text.empty() && !right) cell.problem(fmt::format("{} is not a digest: sha256: and 64 digits", in_quotes(text)));
  l.packer.put(row.digest, text);
}
template <class Row>
constexpr Field digest_field{"digest", Is::optional, "digest", by<Row, take_digest<Row>>,
                             "the image that the tag pointed to when it was read"};

constexpr std::array<std::string_view, 3> flavours{"base", "runtime", "devel"};
void take_flavour(Loading&, ImageTag& row, const Cell& cell) {
  const auto flavour = flavours[cell.choice(flavours)];
  row.is_base = flavour == "base";
  row.variant = flavour == "devel" ? Variant::devel : Variant::runtime;
}

template <class Row>
void take_gate(Loading& l, Row& row, const Cell& cell) {
  const auto& gates = l.root.gates;
  const auto* gate = std::find_if(gates.begin(), gates.end(), [id = cell.text()](const Gate& g) { return g.id.view() == id; });
  if (gate == gates.end()) return cell.problem(fmt::format("no gate {} is in gates", in_quotes(cell.text())));
  row.gate = static_cast<std::int16_t>(gate - gates.begin());
  if (gate->cuda && row.cuda && gate->cuda != row.cuda.at(2))
    cell.problem(
        fmt::format("the gate {} requires CUDA {}, but the image has CUDA {}", in_quotes(cell.text()), gate->cuda, row.cuda));
}

constexpr Field gate_exception_fields[] = {
    {"brand", Is::needed, Names<Brand>::names, into<&GateException::brand>},
    {"branch", Is::needed, "branch", into<&GateException::branch>},
};
constexpr Field gate_fields[] = {
    {"id", Is::key, "gate", into<&Gate::id>},
    {"cuda", Is::needed, "minor", into<&Gate::cuda>, "the minor that the driver must report"},
    {"exceptions", Is::needed, "list, may be empty", rows_into<&Gate::exceptions, gate_exception_fields>,
     "a GPU of that brand, as the driver reports it, under that branch passes too", &inside<gate_exception_fields>},
};
constexpr Field cuda_image_fields[] = {
    {"tag", Is::key, "cuda_tag", into<&ImageTag::tag>},
    digest_field<ImageTag>,
    {"cuda", Is::needed, "tagged_version", into<&ImageTag::cuda>, "as in the tag"},
    {"cudnn", Is::or_null, "major", into<&ImageTag::cudnn>, "null: without"},
    {"variant", Is::needed, flavours, by<ImageTag, take_flavour>},
    {"os", Is::needed, "system", into<&ImageTag::os>},
    {"evidence", Is::needed, Names<Evidence>::names, into<&ImageTag::evidence>},
    {"status", Is::needed, Names<TagStatus>::names, into<&ImageTag::status>},
    {"gate", Is::or_null, "gate", by<ImageTag, take_gate<ImageTag>>, "an id of `gates`"},
};
constexpr Field image_evidence{"evidence", Is::needed, Names<Evidence>::names, into<&OfficialImage::evidence>};
constexpr Field image_layout{"layout", Is::or_null, "layout", into<&OfficialImage::layout>,
                             "where its Python comes from: conda, or the system"};
constexpr Field image_os{"os", Is::or_null, "system", into<&OfficialImage::os>};
constexpr Field image_python{"python", Is::or_null, "python", into<&OfficialImage::python>};
constexpr Field image_gate{"gate", Is::optional, "gate", by<OfficialImage, take_gate<OfficialImage>>,
                           "an id of `gates`; if omitted: inferred from those of its CUDA"};
constexpr Field pytorch_image_fields[] = {
    {"tag", Is::key, "pytorch_tag", into<&OfficialImage::tag>},
    digest_field<OfficialImage>,
    {"torch", Is::needed, "tagged_version", into<&OfficialImage::version>},
    {"cuda", Is::or_null, "minor", into<&OfficialImage::cuda>},
    {"cudnn", Is::or_null, "major", into<&OfficialImage::cudnn>},
    {"variant", Is::needed, Names<Variant>::names, into<&OfficialImage::variant>},
    image_evidence,
    image_layout,
    image_os,
    image_python,
    image_gate,
};
constexpr std::array<std::string_view, 2> tensorflow_variants{"gpu", "gpu-jupyter"};
void take_jupyter(Loading&, OfficialImage& row, const Cell& cell) { row.jupyter = cell.choice(tensorflow_variants) == 1; }

constexpr Field tensorflow_image_fields[] = {
    {"tag", Is::needed, "tensorflow_tag", into<&OfficialImage::tag>},
    digest_field<OfficialImage>,
    {"cuda", Is::optional, "minor", into<&OfficialImage::cuda>, "that it holds; if omitted: that of the tested build"},
    {"cudnn", Is::optional, "major", into<&OfficialImage::cudnn>, "that it holds; if omitted: unknown"},
    {"variant", Is::needed, tensorflow_variants, by<OfficialImage, take_jupyter>},
    image_evidence,
    image_layout,
    image_os,
    image_python,
    image_gate,
};

/// Groups the tags by CUDA update and OS. Preference within a minor: living tags, the newest Ubuntu LTS, other systems,
/// the newest update.
void make_image_sets(Loading& l) {
  std::map<std::pair<Version, std::uint16_t>, ImageSet> sets;
  for (std::size_t i = 0; i < l.root.cuda_images.size(); ++i) {
    const auto& image = l.root.cuda_images[i];
    if (image.is_base || image.evidence == Evidence::used_doubtful) continue;
    const auto* os =
        std::find_if(l.root.os.begin(), l.root.os.end(), [&](const Os& row) { return row.id.view() == image.os.view(); });
    if (os == l.root.os.end()) continue;  // lint names images of an unknown OS
    const auto os_index = static_cast<std::uint16_t>(os - l.root.os.begin());
    auto& set = sets[{image.cuda, os_index}];
    set.cuda = image.cuda;
    set.minor = image.cuda.at(2);
    set.os = os_index;
    // cuDNN 7 and 8 images stand side by side for 10.2: the newest is the one to use.
    auto& slot = image.variant == Variant::devel ? image.cudnn ? set.devel_cudnn : set.devel
                 : image.cudnn                   ? set.runtime_cudnn
                                                 : set.runtime;
    if (slot < 0 || l.root.cuda_images[static_cast<std::size_t>(slot)].cudnn < image.cudnn) slot = static_cast<std::int32_t>(i);
    set.living = set.living || image.status == TagStatus::supported || image.status == TagStatus::later;
  }
  auto* rows = l.packer.fill(l.root.image_sets, sets.size());
  std::transform(sets.begin(), sets.end(), rows, [](const auto& entry) { return entry.second; });
  const auto rank = [&](const ImageSet& set) {
    const auto& os = l.root.os[set.os];
    const auto version = Version::parse(os.version).value_or(Version());
    return std::tuple(set.minor, !set.living, !os.lts, ~version.at(2).part(0), ~version.at(2).part(1));
  };
  std::stable_sort(rows, rows + sets.size(), [&](const ImageSet& a, const ImageSet& b) {
    const auto left = rank(a);
    const auto right = rank(b);
    if (left != right) return left < right;
    return a.cuda > b.cuda;
  });
}

/// The rows of pytorch/pytorch, then those inside the releases of TensorFlow.
void load_official_images(Loading& l) {
  std::vector<std::pair<const Documents::Row*, Cell>> tensorflow;
  for (const auto& release : l.documents.rows(tables::tensorflow_releases)) {
    for (auto& image : l.cell(release).at("images").items()) tensorflow.emplace_back(&release, std::move(image));
  }
  const auto& pytorch = l.documents.rows(tables::pytorch_images);
  auto* row = l.packer.fill(l.root.official_images, pytorch.size() + tensorflow.size());
  for (const auto& source : pytorch) l.read(tables::pytorch_images, *row++, source);
  for (const auto& [source, image] : tensorflow) {
    l.read(tables::tensorflow_images, static_cast<void*>(row), image);
    const auto release = l.cell(*source);
    row->framework = Framework::tensorflow;
    row->version = release.at("version").version();
    if (!row->cuda) row->cuda = release.at("cuda").version_or_null();
    l.provenance(row++->from, *source);
  }
}

}  // namespace

const Table tables::cuda_images{"images.json", "cuda", cuda_image_fields, "Tags of nvidia/cuda."};
const Table tables::gates{"images.json", "gates", gate_fields,
                          "What nvidia/cuda images require of the driver (NVIDIA_REQUIRE_CUDA)."};
const Table tables::pytorch_images{"images.json", "pytorch", pytorch_image_fields, "Tags of pytorch/pytorch."};
const Table tables::tensorflow_images{.fields = tensorflow_image_fields};

void load_images(Loading& loading) {
  loading.pack(tables::gates, loading.root.gates);
  loading.pack(tables::cuda_images, loading.root.cuda_images);
  make_image_sets(loading);
  load_official_images(loading);
}

}  // namespace envgen::matrix
