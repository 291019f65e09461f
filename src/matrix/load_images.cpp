#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "matrix/loading.hpp"
#include "model/spelling.hpp"

namespace envgen::matrix {
namespace {

Evidence evidence(const Cell& cell) {
  return static_cast<Evidence>(cell.choice({"listed", "recipe", "used", "inferred", "used-doubtful"}));
}

void load_gates(Loading& l, std::map<std::string, std::int16_t, std::less<>>& index) {
  const auto& gates = l.documents.rows("images.json", "gates");
  auto* rows = l.packer.fill(l.root.gates, gates.size());
  for (std::size_t i = 0; i < gates.size(); ++i) {
    const auto cell = l.cell(gates[i]);
    cell.allow_in_row({"id", "cuda", "exceptions"});
    l.packer.put(rows[i].id, cell.at("id").text());
    rows[i].cuda = cell.at("cuda").version();
    const auto exceptions = cell.at("exceptions").items();
    auto* exception_rows = l.packer.fill(rows[i].exceptions, exceptions.size());
    for (std::size_t k = 0; k < exceptions.size(); ++k) {
      l.packer.put(exception_rows[k].brand, exceptions[k].at("brand").text());
      exception_rows[k].branch = exceptions[k].at("branch").version().major();
    }
    l.provenance(rows[i].from, gates[i]);
    index[std::string(rows[i].id.view())] = static_cast<std::int16_t>(i);
  }
}

/// A registry may give a tag to another image; a digest names one. `sha256:` and 64 digits, by the OCI image specification.
void put_digest(Loading& l, Text& digest, const Cell& row) {
  const auto cell = row.maybe("digest");
  const auto text = cell.text_or_null();
  constexpr std::string_view algorithm = "sha256:";
  constexpr std::size_t digits = 64;
  const bool right = text.starts_with(algorithm) && text.size() == algorithm.size() + digits &&
                     text.find_first_not_of("0123456789abcdef", algorithm.size()) == std::string_view::npos;
  if (!text.empty() && !right) cell.problem(fmt::format("{} is no digest: sha256: and 64 digits", in_quotes(text)));
  l.packer.put(digest, text);
}

void load_cuda_images(Loading& l) {
  std::map<std::string, std::int16_t, std::less<>> gates;
  load_gates(l, gates);
  const auto& images = l.documents.rows("images.json", "cuda");
  auto* rows = l.packer.fill(l.root.cuda_images, images.size());
  for (std::size_t i = 0; i < images.size(); ++i) {
    const auto cell = l.cell(images[i]);
    cell.allow_in_row({"tag", "cuda", "cudnn", "variant", "os", "evidence", "status", "gate", "digest"});
    auto& row = rows[i];
    l.packer.put(row.tag, cell.at("tag").text());
    put_digest(l, row.digest, cell);
    row.cuda = cell.at("cuda").version();
    row.cudnn = cell.at("cudnn").version_or_null();
    const auto flavour = cell.at("variant").choice({"base", "runtime", "devel"});
    row.is_base = flavour == 0;
    row.variant = flavour == 2 ? Variant::devel : Variant::runtime;
    l.packer.put(row.os, cell.at("os").text());
    row.evidence = evidence(cell.at("evidence"));
    constexpr TagStatus statuses[] = {TagStatus::supported, TagStatus::later, TagStatus::unknown, TagStatus::eol,
                                      TagStatus::dropped};
    row.status = statuses[cell.at("status").choice({"supported", "later", "unknown", "eol", "dropped"})];
    const auto gate = cell.at("gate");
    if (!gate.is_null()) {
      const auto it = gates.find(gate.text());
      if (it == gates.end()) {
        gate.problem(fmt::format("no gate {} is in gates", in_quotes(gate.text())));
      } else {
        row.gate = it->second;
        const auto cuda = l.root.gates[static_cast<std::size_t>(row.gate)].cuda;
        if (cuda && row.cuda && cuda != row.cuda.at(2))
          gate.problem(fmt::format("the gate {} asks for CUDA {}, and the image has CUDA {}", in_quotes(gate.text()),
                                   cuda.to_string(), row.cuda.to_string()));
      }
    }
    l.provenance(row.from, images[i]);
  }
}

bool lives(TagStatus status) { return status == TagStatus::supported || status == TagStatus::later; }

/// Groups the tags by CUDA update and OS. Preference within a minor: living tags, the newest Ubuntu LTS, other systems,
/// the newest update.
void make_image_sets(Loading& l) {
  struct Draft {
    Version cuda;
    std::uint16_t os = 0;
    std::int32_t tags[4] = {-1, -1, -1, -1};
    bool living = false;
  };
  std::map<std::pair<Version, std::uint16_t>, Draft> drafts;
  for (std::size_t i = 0; i < l.root.cuda_images.size(); ++i) {
    const auto& image = l.root.cuda_images[i];
    if (image.is_base || image.evidence == Evidence::used_doubtful) continue;
    const auto os =
        std::find_if(l.root.os.begin(), l.root.os.end(), [&](const Os& row) { return row.id.view() == image.os.view(); });
    if (os == l.root.os.end()) continue;  // lint names images of an unknown OS
    const auto os_index = static_cast<std::uint16_t>(os - l.root.os.begin());
    auto& draft = drafts[{image.cuda, os_index}];
    draft.cuda = image.cuda;
    draft.os = os_index;
    // cuDNN 7 and 8 images stand side by side for 10.2: the newest is the one to use.
    auto& slot = draft.tags[(image.variant == Variant::devel ? 0 : 2) + (image.cudnn ? 1 : 0)];
    if (slot < 0 || l.root.cuda_images[static_cast<std::size_t>(slot)].cudnn < image.cudnn) slot = static_cast<std::int32_t>(i);
    draft.living = draft.living || lives(image.status);
  }
  std::vector<Draft> ordered;
  ordered.reserve(drafts.size());
  for (auto& [key, draft] : drafts) ordered.push_back(draft);
  const auto rank = [&](const Draft& draft) {
    const auto& os = l.root.os[draft.os];
    const auto version = Version::parse(os.version).value_or(Version());
    return std::tuple(draft.cuda.at(2), !draft.living, !os.lts, ~version.at(2).part(0), ~version.at(2).part(1));
  };
  std::stable_sort(ordered.begin(), ordered.end(), [&](const Draft& a, const Draft& b) {
    const auto left = rank(a);
    const auto right = rank(b);
    if (left != right) return left < right;
    return a.cuda > b.cuda;
  });
  auto* rows = l.packer.fill(l.root.image_sets, ordered.size());
  for (std::size_t i = 0; i < ordered.size(); ++i) {
    rows[i].cuda = ordered[i].cuda;
    rows[i].minor = ordered[i].cuda.at(2);
    rows[i].os = ordered[i].os;
    rows[i].devel = ordered[i].tags[0];
    rows[i].devel_cudnn = ordered[i].tags[1];
    rows[i].runtime = ordered[i].tags[2];
    rows[i].runtime_cudnn = ordered[i].tags[3];
    rows[i].living = ordered[i].living;
  }
}

void load_official_images(Loading& l) {
  const auto& pytorch = l.documents.rows("images.json", "pytorch");
  std::vector<std::pair<Documents::Row, Json>> tensorflow;
  for (const auto& release : l.documents.rows("tensorflow.json", "releases")) {
    for (const auto& image : l.cell(release).at("images").items()) tensorflow.emplace_back(release, image.raw());
  }
  auto* rows = l.packer.fill(l.root.official_images, pytorch.size() + tensorflow.size());
  const auto python = [](const Cell& cell, PythonVersion& version) {
    if (cell.is_null()) return;
    if (auto parsed = PythonVersion::parse(cell.text())) {
      version = *parsed;
    } else {
      cell.problem(parsed.error().message);
    }
  };
  for (std::size_t i = 0; i < pytorch.size(); ++i) {
    const auto cell = l.cell(pytorch[i]);
    cell.allow_in_row({"tag", "torch", "cuda", "cudnn", "variant", "evidence", "layout", "os", "python", "digest"});
    auto& row = rows[i];
    l.packer.put(row.tag, cell.at("tag").text());
    put_digest(l, row.digest, cell);
    row.version = cell.at("torch").version();
    row.cuda = cell.at("cuda").version_or_null();
    row.cudnn = cell.at("cudnn").version_or_null();
    row.variant = cell.at("variant").choice<Variant>();
    row.evidence = evidence(cell.at("evidence"));
    l.packer.put(row.layout, cell.at("layout").text_or_null());
    l.packer.put(row.os, cell.at("os").text_or_null());
    python(cell.at("python"), row.python);
    l.provenance(row.from, pytorch[i]);
  }
  for (std::size_t i = 0; i < tensorflow.size(); ++i) {
    const auto release = l.cell(tensorflow[i].first);
    const Cell cell(&tensorflow[i].second, release.where() + "/images", l.problems);
    cell.allow_only({"tag", "variant", "evidence", "os", "python", "layout", "digest"});
    auto& row = rows[pytorch.size() + i];
    row.framework = Framework::tensorflow;
    l.packer.put(row.tag, cell.at("tag").text());
    put_digest(l, row.digest, cell);
    row.version = release.at("version").version();
    row.cuda = release.at("cuda").version_or_null();
    row.jupyter = cell.at("variant").choice({"gpu", "gpu-jupyter"}) == 1;
    row.evidence = evidence(cell.at("evidence"));
    l.packer.put(row.layout, cell.at("layout").text_or_null());
    l.packer.put(row.os, cell.at("os").text_or_null());
    python(cell.at("python"), row.python);
    l.provenance(row.from, tensorflow[i].first);
  }
}

}  // namespace

void load_images(Loading& loading) {
  load_cuda_images(loading);
  make_image_sets(loading);
  load_official_images(loading);
}

}  // namespace envgen::matrix
