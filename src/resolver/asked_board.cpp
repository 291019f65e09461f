#include "resolver/query.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "matrix/gpu_names.hpp"
#include "model/add_once.hpp"
#include "model/spelling.hpp"

namespace envgen::resolver {

using matrix::Matrix;

namespace {

tl::unexpected<Error> unknown_capability(const Matrix& matrix, Capability capability) {
  std::vector<std::string> known;
  for (const auto& row : matrix->gpu_drivers) known.push_back(row.capability.to_string());
  return fail(ErrorCode::usage, fmt::format("no known GPU has compute capability {}", capability), {},
              {fmt::format("known: {}", fmt::join(known, ", "))});
}

/// The board that is named before `laptop`, `mobile` or `max-q`; null: there is none.
const matrix::Gpu* named_before_laptop(const Matrix& matrix, std::string_view text) {
  constexpr std::string_view laptop = "laptop";
  const auto key = matrix::light_key(text);
  if (!key.ends_with(laptop)) return nullptr;
  const auto gpus = matrix.gpus_named(std::string_view(key).substr(0, key.size() - laptop.size()));
  return gpus.empty() ? nullptr : gpus.front();
}

/// Of the boards of an architecture: `hopper` -> 9.0; empty: it is the name of none.
std::vector<std::string> capabilities_of(const Matrix& matrix, std::string_view architecture) {
  const auto wanted = lower(architecture);
  std::set<Capability> found;
  for (const auto& gpu : matrix->gpus) {
    if (lower(gpu.architecture.view()) == wanted) found.insert(gpu.capability);
  }
  std::vector<std::string> texts;
  for (const auto capability : found) texts.push_back(capability.to_string());
  return texts;
}

/// What to write instead of a name that nothing has.
std::vector<std::string> near_boards(const Matrix& matrix, std::string_view text) {
  const auto* board = named_before_laptop(matrix, text);
  if (board != nullptr && board->laptop)  // `GTX 960M Laptop`: the name says it already
    return {fmt::format("did you mean {}?", board->name.view())};
  std::vector<std::string_view> spellings;
  for (const auto& spelling : matrix->gpu_spellings) spellings.push_back(spelling.view());
  auto hints = did_you_mean(text, spellings);
  if (board != nullptr)
    hints.push_back(fmt::format("envgen knows only the desktop {}, compute capability {}; if yours is the same, use {}",
                                board->name.view(), board->capability, board->capability));
  return hints;
}

/// `A100,H100`, and a TORCH_CUDA_ARCH_LIST: `8.0;9.0`, `8.0 9.0+PTX`.
bool names_several(std::string_view text) {
  return text.find_first_of(",;") != std::string_view::npos ||
         (text.find(' ') != std::string_view::npos && Capability::parse(text.substr(0, text.find(' '))));
}

/// The profile of a name that is nothing else: `1g.10gb`, `MIG 1g.10gb`, Kubernetes' `nvidia.com/mig-1g.10gb`.
std::optional<matrix::MigProfile> profile_alone(std::string_view text) {
  const auto small = lower(text);
  std::string_view rest = small;
  for (const std::string_view before : {"nvidia.com/", "nvidia ", "mig"}) {
    if (rest.starts_with(before)) rest.remove_prefix(before.size());
  }
  rest.remove_prefix(std::min(rest.find_first_not_of(" -_"), rest.size()));
  return matrix::mig_profile(rest);
}

/// Which boards have it: the request must name one.
tl::unexpected<Error> profile_of_no_gpu(const Matrix& matrix, std::string_view text, const matrix::MigProfile& profile) {
  std::vector<std::string> boards;
  for (const auto& gpu : matrix->gpus) {
    const auto& own = gpu.mig_profiles;
    if (std::any_of(own.begin(), own.end(), [&](const auto& one) { return one.view() == profile.name(); }))
      boards.emplace_back(gpu.name.view());
  }
  std::vector<std::string> hints{
      fmt::format("write the GPU before it: --gpu '{} MIG {}'", boards.empty() ? "H100 PCIe" : boards.front(), profile.name())};
  if (!boards.empty()) hints.push_back(fmt::format("GPUs with this profile: {}", fmt::join(boards, ", ")));
  return fail(ErrorCode::usage, fmt::format("{} names a MIG profile, but no GPU", in_quotes(text)), {}, std::move(hints));
}

tl::unexpected<Error> unknown_gpu(const Matrix& matrix, std::string_view text) {
  if (without_spaces_around(text).empty())
    return fail(ErrorCode::usage, "the name of the GPU is empty", {},
                {"for example: --gpu 4090; leave the option out if the GPU does not matter"});
  if (names_several(text))
    return fail(ErrorCode::usage, fmt::format("{} is not one GPU", in_quotes(text)), {},
                {"repeat the option for each GPU: --gpu 5090 --gpu A100", "GPUs of one machine: --host gpu=5090,gpu=A100"});
  if (const auto vgpu = matrix::vgpu_of(text); vgpu && !vgpu->has_cuda && !matrix.gpus_named(vgpu->board).empty())
    return fail(ErrorCode::usage, fmt::format("{} is a vGPU without CUDA", in_quotes(text)), {},
                {"CUDA needs a vGPU of the Q or C series, such as A10-24Q"});
  if (const auto capabilities = capabilities_of(matrix, text); !capabilities.empty())
    return fail(ErrorCode::usage, fmt::format("{} is an architecture, not a GPU", in_quotes(text)), {},
                {fmt::format("name a GPU of it, or a compute capability: {}", fmt::join(capabilities, ", "))});
  constexpr std::size_t digits_of_a_count = 2;
  if (text.size() <= digits_of_a_count && text.find_first_not_of("0123456789") == std::string_view::npos)
    return fail(ErrorCode::usage, fmt::format("{} is not a GPU", in_quotes(text)), {},
                {fmt::format("for several of one kind, write --gpu {}xA100", text),
                 fmt::format("for a compute capability, give its minor version too: --gpu {}.0", text)});
  if (lower(text) == "all")
    return fail(ErrorCode::usage, "'all' is not a GPU", {},
                {"--gpu names the GPU that the environment is for; which GPUs a container gets: --container-gpus all"});
  if (const auto profile = profile_alone(text)) return profile_of_no_gpu(matrix, text, *profile);
  auto hints = near_boards(matrix, text);
  hints.emplace_back("'envgen list gpus' shows all names; a compute capability such as 8.6 works too");
  return fail(ErrorCode::usage, fmt::format("unknown GPU {}", in_quotes(text)), {}, std::move(hints));
}

tl::unexpected<Error> ambiguous_gpu(std::string_view text, const std::vector<const matrix::Gpu*>& gpus) {
  std::vector<std::string> names;
  names.reserve(gpus.size());
  for (const auto* gpu : gpus) names.push_back(fmt::format("{} ({})", gpu->name.view(), gpu->capability));
  return fail(ErrorCode::usage, fmt::format("{} matches GPUs of several generations", in_quotes(text)), {},
              {fmt::format("choose one: {}", fmt::join(names, ", "))});
}

/// The profiles of these boards, each once; empty where those of one that has MIG were not read.
std::vector<std::string> profiles_of(const std::vector<const matrix::Gpu*>& gpus) {
  std::vector<std::string> profiles;
  for (const auto* gpu : gpus) {
    if (gpu->mig == 0) continue;
    if (gpu->mig_profiles.empty()) return {};
    for (const auto& profile : gpu->mig_profiles) add_once(profiles, std::string(profile.view()));
  }
  return profiles;
}

/// Why a name of a slice is none of these boards'. Where their profiles were not read, a slice is only held against what no
/// profile exceeds: seven slices (NVIDIA's MIG user guide) and the memory of the board.
Expected<void> check_slice(std::string_view text, const std::string& slice, const std::vector<const matrix::Gpu*>& gpus) {
  constexpr Capability first_with_mig{8, 0};  // MIG user guide: Ampere and later
  const auto none = [&](const matrix::Gpu* gpu) { return gpu->mig == 0 || gpu->capability < first_with_mig; };
  if (std::all_of(gpus.begin(), gpus.end(), none))
    return fail(ErrorCode::usage,
                gpus.size() == 1
                    ? fmt::format("{} is a MIG slice, and the {} has no MIG", in_quotes(text), gpus.front()->name.view())
                    : fmt::format("{} is a MIG slice, and this GPU has no MIG", in_quotes(text)),
                {}, {"'envgen show gpu NAME' says how many MIG instances a GPU has"});
  if (slice.empty()) return {};
  constexpr int most_slices = 7;
  double memory = 0;
  for (const auto* gpu : gpus) memory = std::isnan(gpu->memory_gb) ? memory : std::max(memory, double{gpu->memory_gb});
  const auto profile = matrix::mig_profile(slice);
  const auto profiles = profiles_of(gpus);
  const auto may_exist = [&] {
    return profile->slices >= 1 && profile->slices <= most_slices && (memory == 0 || profile->gigabytes <= memory);
  };
  const auto is_read = [&] { return std::find(profiles.begin(), profiles.end(), profile->name()) != profiles.end(); };
  const bool fits = profile && (profiles.empty() ? may_exist() : is_read());
  if (fits) return {};
  auto form = profiles.empty() ? fmt::format("a slice is written 1g.10gb: 1 to {} of the GPU's slices{}", most_slices,
                                             memory == 0 ? std::string() : fmt::format(", and at most its {} GB", memory))
                               : fmt::format("its profiles: {}", fmt::join(profiles, ", "));
  return fail(ErrorCode::usage, fmt::format("{} names no MIG slice that this GPU can have", in_quotes(text)), {},
              {std::move(form), "'nvidia-smi mig -lgip' lists those of a machine"});
}

/// Why no board has this vGPU; which profiles each has is no fact here, but what none exceeds is: the memory of the board.
Expected<void> check_vgpu(std::string_view text, const matrix::Vgpu& vgpu, const matrix::Gpu& gpu) {
  constexpr Capability first_beyond_maxwell{6, 0};
  constexpr int only_of_maxwell_with_cuda = 8;
  if (gpu.gpu_class == matrix::GpuClass::consumer || gpu.laptop)
    return fail(ErrorCode::usage, fmt::format("{} is a vGPU, which the {} does not support", in_quotes(text), gpu.name.view()));
  if (vgpu.gigabytes == 0 || vgpu.gigabytes > gpu.memory_gb)
    return fail(ErrorCode::usage, fmt::format("{} is not a vGPU that the {} can have", in_quotes(text), gpu.name.view()), {},
                {"its number is gigabytes: at least 1, at most the memory of the GPU"});
  if (gpu.capability < first_beyond_maxwell && vgpu.gigabytes != only_of_maxwell_with_cuda)
    return fail(ErrorCode::usage, fmt::format("{} is a vGPU without CUDA", in_quotes(text)), {},
                {"on a Maxwell board such as the Tesla M60, only the 8Q profile has CUDA"});
  return {};
}

}  // namespace

Expected<Board> parse_board(const Matrix& matrix, std::string_view text) {
  text = matrix.gpu_without_count(text);
  Board board;
  if (const auto capability = Capability::parse(lower(text))) {
    board.capability = *capability;
    board.name = fmt::format("GPU of compute capability {}", *capability);
    if (matrix.gpu_driver(*capability) == nullptr) return unknown_capability(matrix, *capability);
    board.arm_only = matrix.only_beside_arm(*capability);
    for (const auto& gpu : matrix->gpus) {
      if (gpu.capability == board.capability) board.gpu_class = std::min(gpu.gpu_class, board.gpu_class.value_or(gpu.gpu_class));
    }
  } else {
    auto gpus = matrix.gpus_named(text);
    if (gpus.empty()) return unknown_gpu(matrix, text);
    const auto slice = matrix::slice_of(text);
    if (slice) {
      if (auto checked = check_slice(text, *slice, gpus); !checked) return tl::unexpected(checked.error());
      std::erase_if(gpus, [](const matrix::Gpu* gpu) { return gpu->mig == 0; });
    }
    const auto* first = gpus.front();
    for (const auto* gpu : gpus) {
      if (gpu->capability != first->capability) return ambiguous_gpu(text, gpus);
    }
    board.gpu = first;
    board.capability = first->capability;
    board.name = std::string(first->name.view());
    if (gpus.size() > 1) {
      // A family: its own name says it.
      board.name = std::string(text);
      for (const auto* gpu : gpus) {
        if (gpu->gpu_class < board.gpu->gpu_class) board.gpu = gpu;
      }
    } else if (slice) {
      board.name += slice->empty() ? " MIG" : " MIG " + *slice;
    }
    board.mig = slice.has_value();
    board.open_mig = board.mig && std::none_of(gpus.begin(), gpus.end(), [](const matrix::Gpu* gpu) { return gpu->mig_driver; });
    board.gpu_class = board.gpu->gpu_class;
    if (const auto vgpu = matrix::vgpu_of(text)) {
      if (auto checked = check_vgpu(text, *vgpu, *board.gpu); !checked) return tl::unexpected(checked.error());
      board.name = std::string(text);
      board.vgpu = true;
      board.gpu_class.reset();  // no source says whether cuda-compat runs in a virtual machine's guest driver
    }
    board.arm_only =
        std::any_of(gpus.begin(), gpus.end(), [](const matrix::Gpu* gpu) { return gpu->arm_only == matrix::Tribool::yes; });
    board.rows = std::move(gpus);
  }
  board.driver_row = matrix.gpu_driver(board.capability);
  board.known = drivers_that_know(board.driver_row, board.rows, board.mig);
  board.tegra = matrix.tegra(board.capability);
  return board;
}

}  // namespace envgen::resolver
