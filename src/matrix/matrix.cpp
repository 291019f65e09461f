#include "matrix/matrix.hpp"

#include <algorithm>
#include <cmath>

#include "matrix/gpu_names.hpp"
#include "model/spelling.hpp"

namespace envgen::matrix {
namespace {

/// What /etc/os-release and people add to the name of a system: `Ubuntu 22.04.4 LTS`, `Debian GNU/Linux 12 (bookworm)`.
constexpr std::array<std::pair<std::string_view, std::string_view>, 5> words_of_os_release{{{"red hat enterprise linux", "rhel"},
                                                                                            {"gnu/linux", ""},
                                                                                            {"centos linux", "centos"},
                                                                                            {"rocky linux", "rocky"},
                                                                                            {" lts", ""}}};

/// `22.04` of `ubuntu22.04`.
std::string_view digits_from(std::string_view id) { return id.substr(std::min(id.find_first_of("0123456789"), id.size())); }

template <class Row>
const Row* row_at(const List<Row>& rows, int index) {
  return index < 0 ? nullptr : &rows[static_cast<std::size_t>(index)];
}

template <class Row, class Matches>
const Row* first_where(const List<Row>& rows, Matches matches) {
  const auto* it = std::find_if(rows.begin(), rows.end(), matches);
  return it == rows.end() ? nullptr : it;
}

}  // namespace

const Cudnn* Matrix::cudnn(const Build& build) const { return row_at(root_->cudnns, build.cudnn_row); }

const OfferedCudnn* Matrix::offered_cudnn(const Build& build, const Os* os) const {
  const auto* offered = row_at(root_->offered_cudnns, build.offered_cudnn_row);
  const bool runs = offered != nullptr && (os == nullptr || (os->glibc && os->glibc >= offered->glibc));
  return runs ? offered : nullptr;
}
const CudaMinor* Matrix::minor(const Build& build) const { return row_at(root_->cuda_minors, build.minor_row); }
const CudaMajor* Matrix::major(const Build& build) const { return row_at(root_->cuda_majors, build.major_row); }
const Companion* Matrix::torchvision(const Build& build) const { return row_at(root_->torchvision, build.torchvision_row); }
const Companion* Matrix::torchaudio(const Build& build) const { return row_at(root_->torchaudio, build.torchaudio_row); }
const ImageTag* Matrix::image(std::int32_t index) const { return row_at(root_->cuda_images, index); }

std::span<const ImageSet> Matrix::image_sets(const Build& build) const {
  return {root_->image_sets.begin() + build.first_image_set, build.image_sets};
}

std::span<const Toolkit> Matrix::toolkits(const Build& build) const {
  return {root_->toolkits.begin() + build.first_toolkit, build.toolkits};
}

const DriverBranch* Matrix::branch(std::uint16_t number) const {
  return first_where(root_->branches, [&](const DriverBranch& row) { return row.branch == number; });
}

const GpuDriver* Matrix::gpu_driver(Capability capability) const {
  return first_where(root_->gpu_drivers, [&](const GpuDriver& row) { return row.capability == capability; });
}

bool Matrix::tegra(Capability capability) const {
  const auto* row = gpu_driver(capability);
  return row != nullptr && row->tegra;
}

bool Matrix::only_beside_arm(Capability capability) const {
  bool any = false;
  for (const auto& gpu : root_->gpus) {
    if (gpu.capability != capability) continue;
    if (gpu.arm_only != Tribool::yes) return false;
    any = true;
  }
  return any;
}

const ForwardCompat* Matrix::forward_compat(Version cuda, std::uint16_t branch) const {
  return first_where(root_->forward_compat, [&](const ForwardCompat& row) { return row.cuda == cuda && row.branch == branch; });
}

const Os* Matrix::os_as_written(std::string_view text) const {
  auto id = lower(text);
  id.erase(std::min(id.find('('), id.size()));
  for (const auto& [words, instead] : words_of_os_release) {
    if (const auto at = id.find(words); at != std::string::npos) id.replace(at, words.size(), instead);
  }
  std::erase(id, ' ');
  if (const auto* known = os(id)) return known;
  // A point release: `ubuntu22.04.4`, `rhel8.6`; what `ubuntu22.10` is of has two numbers itself.
  id.erase(std::min(id.rfind('.'), id.size()));
  const auto* known = os(id);
  return known != nullptr && id.ends_with(digits_from(known->id.view())) ? known : nullptr;
}

const Os* Matrix::os(std::string_view id_or_alias) const {
  return first_where(root_->os, [&](const Os& row) {
    return row.id.view() == id_or_alias || std::any_of(row.aliases.begin(), row.aliases.end(),
                                                       [&](const PackedString& alias) { return alias.view() == id_or_alias; });
  });
}

const Preset* Matrix::preset(std::string_view name) const {
  return first_where(root_->presets, [&](const Preset& row) { return row.name.view() == name; });
}

const Mirror* Matrix::mirror(std::string_view name) const {
  return first_where(root_->mirrors, [&](const Mirror& row) { return row.name.view() == name; });
}

bool Matrix::has_release(Framework framework, Version beginning) const {
  return first_where(root_->releases, [&](const Release& release) {
           return release.framework == framework && release.version.under(beginning);
         }) != nullptr;
}

const Release* Matrix::newest(Framework framework) const {
  const Release* newest = nullptr;
  for (const auto& release : root_->releases) {
    if (release.framework == framework && (newest == nullptr || release.version > newest->version)) newest = &release;
  }
  return newest;
}

std::string_view Matrix::gpu_without_count(std::string_view text) const {
  const auto name = without_count(text);
  const auto shorter = without_loose_count(name);
  return shorter.size() < name.size() && gpus_named(name).empty() && !gpus_named(shorter).empty() ? shorter : name;
}

std::vector<const Gpu*> Matrix::gpus_named(std::string_view name) const {
  const auto find = [&](std::string_view key) -> const GpuName* {
    const auto& names = root_->gpu_names;
    const auto* it = std::lower_bound(names.begin(), names.end(), key,
                                      [](const GpuName& row, std::string_view wanted) { return row.key.view() < wanted; });
    return it != names.end() && it->key.view() == key ? it : nullptr;
  };
  const auto boards = [&](const GpuName* found) {
    std::vector<const Gpu*> result;
    for (const auto index : found->gpus) result.push_back(&root_->gpus[index]);
    return result;
  };
  const auto lookup = [&](std::string_view spelled) -> const GpuName* {
    if (const auto* found = find(light_key(spelled))) return found;
    if (const auto* found = find(full_key(spelled))) return found;
    const auto pci = pci_key(spelled);
    return pci.empty() ? nullptr : find(pci);
  };
  if (name.empty()) return {};
  if (const auto* found = lookup(name)) return boards(found);
  if (const auto vgpu = vgpu_of(name)) {
    if (!vgpu->has_cuda) return {};
    // Some have a name that is another board's elsewhere: the A100X of vGPUs is the A100-SXM4-40GB.
    const auto* own = lookup(std::string(vgpu->board) + " vGPU");
    return own != nullptr ? boards(own) : gpus_named(vgpu->board);
  }
  const auto [bare, gigabytes] = split_memory(name);
  if (gigabytes == 0) return {};
  const auto* found = lookup(bare);
  if (found == nullptr) return {};
  auto all = boards(found);
  // A size narrows a family down; a size that no board has (a card with its memory doubled) changes nothing else.
  std::vector<const Gpu*> sized;
  for (const auto* gpu : all) {
    if (std::lround(gpu->memory_gb) == gigabytes) sized.push_back(gpu);
  }
  return sized.empty() ? all : sized;
}

}  // namespace envgen::matrix
