#include "resolver/not_covered.hpp"

#include <algorithm>
#include <array>
#include <span>

#include <fmt/format.h>

#include "model/spelling.hpp"

namespace envgen::resolver {
namespace {

/// Of which fields a word can name it; a word is told by how it begins.
struct Subject {
  std::span<const Field> fields;
  std::span<const std::string_view> words;
  std::string_view message;  ///< or the device that it names: "an AMD GPU"
  std::array<std::string_view, 2> hints;
};

constexpr std::array place_fields{Field::os, Field::platform};
constexpr std::array board_fields{Field::gpu, Field::host, Field::cuda, Field::torch, Field::tensorflow};
constexpr std::array release_fields{Field::torch, Field::tensorflow, Field::torchvision, Field::torchaudio};
constexpr std::array tensorflow_field{Field::tensorflow};

constexpr std::array<std::string_view, 1> wsl{"wsl"};
constexpr std::array<std::string_view, 4> windows{"win", "msys", "mingw", "cygwin"};
constexpr std::array<std::string_view, 4> macos{"mac", "osx", "darwin", "sonoma"};
// The last of AMD and of Intel is its vendor's number in PCI ids.
constexpr std::array<std::string_view, 17> amd{"amd",   "radeon", "instinct", "rocm",  "gfx",   "rx",    "mi100", "mi2",  "mi3",
                                               "strix", "7900x",  "7800x",    "7700x", "6800x", "6900x", "9070",  "1002:"};
constexpr std::array<std::string_view, 13> intel{"intel", "arc",  "xpu",  "battlemage", "data center gpu", "max 1550", "max 1100",
                                                 "a770",  "a750", "b580", "b570",       "ponte vecchio",   "8086:"};
constexpr std::array<std::string_view, 3> gaudi{"gaudi", "hpu", "habana"};
constexpr std::array<std::string_view, 4> ascend{"ascend", "npu", "910b", "huawei"};
// The M4 of NVIDIA is known by this name, so it is never asked here.
constexpr std::array<std::string_view, 7> apple{"apple", "mps", "m1 ", "m2 ", "m3 ", "m4 ", "m5 "};
constexpr std::array<std::string_view, 1> tpu{"tpu"};
constexpr std::array<std::string_view, 1> cpu{"cpu"};
constexpr std::array<std::string_view, 2> musl{"alpine", "musl"};
constexpr std::array<std::string_view, 4> nightly{"nightly", "dev", "main", "master"};

constexpr std::array<std::string_view, 1> lts{"lts"};

constexpr std::array subjects{
    Subject{place_fields,
            wsl,
            "is not a Linux distribution",
            {"use --wsl; --os names the distribution that runs in it, such as ubuntu24.04", ""}},
    Subject{place_fields,
            windows,
            "is not supported: envgen supports only Linux",
            {"WSL 2 works, with the Windows driver: use --wsl, and name its Linux distribution with --os",
             "wheels for Windows itself: https://pytorch.org/get-started/locally/"}},
    Subject{
        place_fields,
        macos,
        "is macOS, which has no CUDA; envgen supports only Linux",
        {"PyTorch for macOS: pip install torch torchvision", "for a server or a container, name its system: --os ubuntu24.04"}},
    Subject{board_fields,
            amd,
            "an AMD GPU",
            {"builds for ROCm: https://pytorch.org/get-started/locally/", "the CPU build: --cuda cpu"}},
    Subject{place_fields,
            musl,
            "is not supported: there are no wheels of PyTorch for musl",
            {"choose a system with glibc: --os ubuntu24.04 or --os debian12", ""}},
    Subject{board_fields,
            gaudi,
            "an Intel Gaudi accelerator",
            {"PyTorch for Gaudi: https://docs.habana.ai/en/latest/PyTorch/PyTorch_Main.html", "the CPU build: --cuda cpu"}},
    Subject{board_fields,
            ascend,
            "an Ascend accelerator",
            {"PyTorch for Ascend: https://github.com/Ascend/pytorch", "the CPU build: --cuda cpu"}},
    Subject{board_fields,
            apple,
            "an Apple GPU",
            {"PyTorch for macOS, with the device mps: pip install torch torchvision", "the CPU build: --cuda cpu"}},
    Subject{board_fields,
            intel,
            "an Intel GPU",
            {"builds for XPU: https://docs.pytorch.org/docs/stable/notes/get_start_xpu.html", "the CPU build: --cuda cpu"}},
    Subject{board_fields, tpu, "a TPU", {"PyTorch for TPUs: https://github.com/pytorch/xla", "the CPU build: --cuda cpu"}},
    Subject{board_fields, cpu, "is not an NVIDIA GPU", {"the CPU build: --cuda cpu", ""}},
    Subject{release_fields, lts, "is not a release", {"for the newest release, omit the version", ""}},
    Subject{tensorflow_field,
            nightly,
            "is not a release; envgen supports only releases",
            {"nightly builds: pip install tf-nightly", "for the newest release, omit the version"}},
    Subject{release_fields,
            nightly,
            "is not a release; envgen supports only releases",
            {"nightly builds: https://pytorch.org/get-started/locally/", "for the newest release, omit the version"}},
};

/// `2.16.0rc1`, `2.16.0a0+git1234`, but not `2.16.0.post1`, of which there is none of torch.
bool is_a_pre_release(std::string_view text) {
  const auto end = text.find_first_not_of("0123456789.");
  if (end == 0 || end == std::string_view::npos) return false;
  for (const std::string_view mark : {"rc", "a", "b"}) {
    const auto rest = text.substr(end);
    if (rest.starts_with(mark) && rest.size() > mark.size() && is_digit(rest[mark.size()])) return true;
  }
  return false;
}

/// True when a word of the text, in small letters, begins with it.
bool has_word(std::string_view text, std::string_view word) {
  constexpr std::string_view separators = " ,=_-/+.()";
  for (auto at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    if (at == 0 || separators.find(text[at - 1]) != std::string_view::npos) return true;
  }
  return false;
}

/// "names an AMD GPU; ...", or a build for such.
std::string sentence(const Subject& subject, Field field) {
  const auto message = subject.message;
  const auto article = message.find(' ');
  if (!message.starts_with("a ") && !message.starts_with("an ")) return std::string(message);
  const bool is_board = field == Field::gpu || field == Field::host;
  const auto named = is_board ? std::string(message) : fmt::format("a build for {}s", message.substr(article + 1));
  return fmt::format("names {}; envgen covers only NVIDIA GPUs", named);
}

}  // namespace

std::optional<Error> not_covered(Field field, std::string_view text) {
  const auto small = lower(text) + " ";  // a word here may end in a blank: then it is the whole word
  if (std::find(release_fields.begin(), release_fields.end(), field) != release_fields.end() && is_a_pre_release(small))
    return Error{ErrorCode::usage,
                 fmt::format("{} is a pre-release; envgen supports only releases", in_quotes(text)),
                 {},
                 {field == Field::tensorflow
                      ? "pre-releases of TensorFlow: pip install --pre tensorflow"
                      : "pre-releases of torch: pip install --pre torch --index-url https://download.pytorch.org/whl/test",
                  "for the newest release, omit the version"}};
  for (const auto& subject : subjects) {
    if (std::find(subject.fields.begin(), subject.fields.end(), field) == subject.fields.end()) continue;
    const auto& words = subject.words;
    if (std::none_of(words.begin(), words.end(), [&](std::string_view word) { return has_word(small, word); })) continue;
    Error error{ErrorCode::usage, fmt::format("{} {}", in_quotes(text), sentence(subject, field)), {}, {}};
    for (const auto hint : subject.hints) {
      if (!hint.empty()) error.hints.emplace_back(hint);
    }
    return error;
  }
  return std::nullopt;
}

std::optional<Error> not_covered(Field field, Version version) {
  const bool named = (field == Field::torch && version == Version(1, 8, 2)) ||
                     (field == Field::torchvision && version == Version(0, 9, 2)) ||
                     (field == Field::torchaudio && version == Version(0, 8, 2));
  if (!named) return std::nullopt;
  return Error{ErrorCode::usage,
               fmt::format("'{}' is the LTS release, which is not in envgen's data", version),
               {},
               {"its wheels: pip install torch==1.8.2 -f https://download.pytorch.org/whl/lts/1.8/torch_lts.html",
                "the release before it: --torch 1.8.1"}};
}

}  // namespace envgen::resolver
