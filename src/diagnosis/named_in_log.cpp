#include "diagnosis/named_in_log.hpp"

#include <algorithm>
#include <initializer_list>

#include <fmt/format.h>

#include "diagnosis/readable.hpp"
#include "model/spelling.hpp"
#include "model/version.hpp"

namespace envgen::diagnosis {
namespace {

/// The platform that needs no remark.
constexpr std::string_view covered = "linux";

constexpr int said = 3;       // by what failed, of itself
constexpr int shown = 2;      // by a tool that was asked, or in a path of what failed
constexpr int mentioned = 1;  // anywhere
constexpr int guessed = 0;    // a name that is too short to be sure of

bool holds(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

bool holds_one(std::string_view text, std::initializer_list<std::string_view> some) {
  return std::any_of(some.begin(), some.end(), [&](std::string_view part) { return holds(text, part); });
}

bool is_word(char c) { return is_letter(c) || is_digit(c) || c == '_'; }

/// What stands before and behind each place of `word` that no letter or digit stands before; no more of it than says something,
/// for a line may repeat a word thousands of times.
template <class Take>
void for_each_after(std::string_view text, std::string_view word, Take take) {
  constexpr std::size_t near = 80;
  for (auto at = text.find(word); at != std::string_view::npos; at = text.find(word, at + word.size())) {
    const auto begin = at - std::min(at, near);
    if (at == 0 || !is_word(text[at - 1])) take(text.substr(begin, at - begin), text.substr(at + word.size(), near));
  }
}

/// Digits and dots at the beginning, `12.1` or `550.54.15`; a dot at the end belongs to the sentence.
std::string_view number_at(std::string_view text) {
  auto number = text.substr(0, std::min(text.find_first_not_of("0123456789."), text.size()));
  while (number.ends_with('.')) number.remove_suffix(1);
  return number;
}

/// The same behind what stands between a name and its value.
std::string_view value_at(std::string_view text) {
  const auto begin = text.find_first_not_of(" :='(|");
  constexpr std::size_t furthest = 40;  // nvidia-smi -q fills up with blanks, which were made one
  if (begin == std::string_view::npos || begin == 0 || begin > furthest) return {};
  text.remove_prefix(begin);
  constexpr std::string_view verb = "is ";  // in a sentence: my driver is 572.16
  if (text.starts_with(verb)) text.remove_prefix(verb.size());
  return number_at(text);
}

int first_part(std::string_view number) {
  int value = 0;
  constexpr int longest = 6;
  for (std::size_t i = 0; i < number.size() && i < longest && is_digit(number[i]); ++i) value = value * 10 + (number[i] - '0');
  return value;
}

/// `12.1` of 12.1, of 12.1.105, and of the number 12010 as CUDA has it; empty: it is no CUDA.
std::string cuda_of(std::string_view number) {
  constexpr int first = 1000;
  constexpr int newest = 100;
  const auto value = first_part(number);
  if (!holds(number, ".")) return value >= first ? fmt::format("{}.{}", value / first, value % first / 10) : std::string();
  const auto minor = number.substr(number.find('.') + 1);
  return value < newest ? fmt::format("{}.{}", value, first_part(minor)) : std::string();
}

/// Drivers have three digits in front, which no CUDA and no Python has.
bool is_driver(std::string_view number) {
  constexpr int first = 300;
  constexpr int last = 1000;
  const auto branch = first_part(number);
  return branch >= first && branch < last;
}

/// `2.4.0+cu121` at the beginning of what follows the name of a framework, or nothing where that is a range.
std::string release_at(std::string_view rest) {
  for (const std::string_view word : {".__version__", " version", "_version"}) {
    if (rest.starts_with(word)) rest.remove_prefix(word.size());
  }
  constexpr std::string_view verb = " is";
  if (rest.starts_with(" is ")) rest.remove_prefix(verb.size());
  const auto begin = rest.find_first_not_of(" :='(-v");
  constexpr std::size_t furthest = 6;
  if (begin == 0 || begin == std::string_view::npos || begin > furthest || !is_digit(rest[begin])) return {};
  rest.remove_prefix(begin);
  const auto number = number_at(rest);
  constexpr int last_major = 9;  // what is larger is a date
  if (!holds(number, ".") || first_part(number) > last_major) return {};
  std::string version(number);
  rest.remove_prefix(number.size());
  const auto take = [&](std::string_view allowed) {
    const auto end = std::min(rest.find_first_not_of(allowed), rest.size());
    version += rest.substr(0, end);
    rest.remove_prefix(end);
  };
  constexpr std::string_view small = "abcdefghijklmnopqrstuvwxyz0123456789.";
  if (!rest.empty() && (is_letter(rest.front()) || rest.starts_with(".dev"))) take(small);
  for (const std::string_view plus : {"+", "%2b"}) {  // the second in the address of a wheel
    if (!rest.starts_with(plus)) continue;
    rest.remove_prefix(plus.size());
    version += '+';
    take(small);
  }
  while (version.ends_with('.') || version.ends_with('+')) version.pop_back();
  return version;
}

/// What another package wants, or what was there before, is not what is here.
bool is_of_another(std::string_view before) {
  constexpr std::array<std::string_view, 9> words{"requires ",     "require ",     "depends on ",
                                                  "built for ",    "built with ",  "compiled with ",
                                                  "uninstalling ", "uninstalled ", "installation: "};
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) { return before.ends_with(word); });
}

/// What a line holds that may say which TensorFlow it is. Its own messages name it in every line, in a path.
constexpr std::array<std::string_view, 9> tensorflow_words{"tensorflow==",     "tensorflow-gpu==",   "tensorflow-2",
                                                           "tensorflow_gpu-2", "tensorflow 2",       "tensorflow (2",
                                                           "tensorflow: 2",    "tensorflow version", "tf 2"};

/// Where the name of a board may begin.
constexpr std::array<std::string_view, 7> vendors{"nvidia ", "geforce ", "tesla ", "quadro ", "rtx ", "gtx ", "titan "};

bool names_vendor(std::string_view text) {
  return std::any_of(vendors.begin(), vendors.end(), [&](std::string_view word) { return text.starts_with(word); });
}

/// Of PCI, with which the id of a board begins: `10de:2684`.
constexpr std::string_view pci_vendor = "10de:";

/// At most this many words are a name: `NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition`.
constexpr std::size_t most_words = 9;

/// What stands at the beginning up to what no name holds.
std::string_view name_at(std::string_view text) {
  constexpr std::size_t longest = 120;
  text = text.substr(0, longest);
  text = text.substr(0, std::min(text.find_first_of("|,;:'\"`[]{}<>="), text.size()));
  std::size_t end = 0;
  for (std::size_t words = 0; words < most_words && end < text.size(); ++words)
    end = std::min(text.find(' ', end + 1), text.size());
  return without_spaces_around(text.substr(0, end));
}

/// `Tesla T4` of `Tesla T4 GPU`, which is understood as well.
std::string_view without_kind(std::string_view board, const std::function<bool(std::string_view)>& is_board) {
  for (const std::string_view kind : {" GPU", " GPUs"}) {
    if (!board.ends_with(kind)) continue;
    const auto name = board.substr(0, board.size() - kind.size());
    if (is_board(name)) return name;
  }
  return board;
}

/// The longest beginning, in words, that is the name of a board; empty: none is.
std::string_view board_in(std::string_view text, const std::function<bool(std::string_view)>& is_board) {
  if (text.starts_with(pci_vendor)) return is_board(text) ? text : std::string_view();
  constexpr std::string_view maker = "NVIDIA ";  // of which the kernel module may print two
  while (text.starts_with(maker) && text.substr(maker.size()).starts_with(maker)) text.remove_prefix(maker.size());
  while (!text.empty()) {
    const auto space = text.rfind(' ');
    const bool is_one_word = space == std::string_view::npos;
    if (is_one_word && std::none_of(text.begin(), text.end(), is_digit)) return {};  // the maker alone is no board
    if (is_board(text)) return without_kind(text, is_board);
    if (is_one_word) return {};
    text = text.substr(0, space);
  }
  return {};
}

/// Names that people write without the maker and the series.
constexpr std::array<std::string_view, 31> short_names{"5090", "5080", "5070", "5060", "5050", "4090", "4080", "4070",
                                                       "4060", "4050", "3090", "3080", "3070", "3060", "3050", "2080",
                                                       "2070", "2060", "1660", "1650", "1080", "1070", "1060", "1050",
                                                       "a100", "h100", "h200", "b200", "v100", "l40s", "a6000"};

/// Whether a text ends with one of what people write before such a name: a number alone may count anything.
bool is_of_an_owner(std::string_view before) {
  constexpr std::array<std::string_view, 7> words{"my ", "new ", "our ", "a ", "an ", "dual ", "2x "};
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
    return before.ends_with(word) && (before.size() == word.size() || !is_word(before[before.size() - word.size() - 1]));
  });
}

/// Whether there is a folder of Windows: `d:\\comfyui`.
bool has_drive(std::string_view folded) {
  constexpr std::string_view root = ":\\";
  for (auto at = folded.find(root); at != std::string_view::npos; at = folded.find(root, at + 1)) {
    if (at > 0 && is_letter(folded[at - 1]) && (at == 1 || !is_word(folded[at - 2]))) return true;
  }
  return false;
}

}  // namespace

std::span<const std::string_view> NamedInLog::words() {
  // Of the signs of Linux, those that a training log has in every line are left out: a line of Python's or the driver's has them
  // too.
  static constexpr std::array<std::string_view, 37> all{
      "torch",      "nvidia-smi", "driver ",   "driver:", "driverversion", "found version", "was detected",  "kernel module",
      "python",     "nvidia ",    "geforce ",  "tesla ",  "quadro ",       "rtx ",          "capability",    "cuda arch (",
      "compute_",   "gtx ",       "titan ",    "+cu",     "+cpu",          "standard-wsl2", "/usr/lib/wsl/", "is cuda available",
      "wsl",        ":\\",        "windows",   "macos",   "hip error",     "/dev/kfd",      "hip gpu",       "+rocm",
      "platform: ", "ubuntu",     "/usr/lib/", "vllm",    "sglang"};
  static const std::vector<std::string_view> with_names = [] {
    std::vector<std::string_view> words(all.begin(), all.end());
    words.insert(words.end(), short_names.begin(), short_names.end());
    words.insert(words.end(), tensorflow_words.begin(), tensorflow_words.end());
    return words;
  }();
  return with_names;
}

void NamedInLog::read(std::string_view line, std::string_view folded, std::size_t number) {
  for (const auto& [word, name] : {std::pair("vllm", "vLLM"), std::pair("sglang", "SGLang")}) {
    if (pins_torch_.empty() && holds(folded, word)) pins_torch_ = name;
  }
  read_torch(line, folded, number);
  read_tensorflow(folded, number);
  read_gpu(line, folded, number);
  read_short_name(line, folded, number);
  read_capability(folded, number);
  read_driver(folded, number);
  read_kernel_module(folded, number);
  read_python(folded, number);
  read_platform(folded, number);
  read_collected(line, folded, number);
}

void NamedInLog::read_torch(std::string_view line, std::string_view folded, std::size_t number) {
  const bool of_itself = holds_one(folded, {"pytorch version", "__version__", "your installed torch", "requirement torch",
                                            "found for torch", "version of torch", "because torch", "user requested torch"});
  const auto take = [&](std::string_view before, std::string_view rest) {
    if (is_of_another(before)) return;
    // xFormers: PyTorch 2.3.0+cu121 with CUDA 1201 (you have 2.1.0+cu121). The first is what it was built for.
    constexpr std::string_view installed = "(you have";
    const auto at = rest.find(installed);
    if (at != std::string_view::npos) rest.remove_prefix(at + installed.size());
    const bool is_here = of_itself || at != std::string_view::npos || before.ends_with("you have ");
    if (auto version = release_at(rest); !version.empty())
      add(of(Named::torch), std::move(version), number, is_here ? said : mentioned);
  };
  for_each_after(folded, "torch", take);
  for_each_after(folded, "pytorch", take);
  // What print(torch.__version__) printed; torchvision's begins with a zero.
  const auto message = folded.substr(std::min(prefix_length(line), folded.size()));
  const auto bare = message.substr(std::min(message.find_first_not_of('\''), message.size()));
  if (auto version = release_at(" " + std::string(bare.substr(0, bare.find(' '))));
      first_part(version) > 0 && holds_one(version, {"+c", "+rocm"}))
    add(of(Named::torch), std::move(version), number, mentioned);
  for (const std::string_view words : {"cuda used to build pytorch", "torch.version.cuda"}) {
    for_each_after(folded, words, [&](std::string_view, std::string_view rest) {
      if (auto cuda = cuda_of(value_at(rest)); !cuda.empty()) add(of(Named::cuda), std::move(cuda), number, said);
    });
  }
}

void NamedInLog::read_tensorflow(std::string_view folded, std::size_t number) {
  for (const std::string_view name : {"tensorflow", "tensorflow-gpu", "tensorflow_gpu", "tf"}) {
    for_each_after(folded, name, [&](std::string_view before, std::string_view rest) {
      auto version = is_of_another(before) ? std::string() : release_at(rest);
      if (Version::parse(version))
        add(of(Named::tensorflow), std::move(version), number, holds(rest, "version") ? said : mentioned);
    });
  }
}

void NamedInLog::read_gpu(std::string_view line, std::string_view folded, std::size_t number) {
  const bool of_itself =
      holds_one(folded, {"cuda capability", "which is of", "has compute capability", "is not compatible", "found gpu"});
  std::size_t end = 0;  // of what was taken: `NVIDIA GeForce RTX` is one name
  for (std::size_t at = 0; at < folded.size(); ++at) {
    if (at < end || (at > 0 && is_word(folded[at - 1]))) continue;
    const auto rest = folded.substr(at);
    if (!names_vendor(rest)) continue;
    const auto name = name_at(line.substr(at));
    add(of(Named::gpu), std::string(name), number, of_itself ? said : mentioned);
    end = at + name.size();
  }
}

void NamedInLog::read_short_name(std::string_view line, std::string_view folded, std::size_t number) {
  for (const auto name : short_names) {
    for (auto at = folded.find(name); at != std::string_view::npos; at = folded.find(name, at + name.size())) {
      if (is_of_an_owner(folded.substr(0, at))) add(of(Named::gpu), std::string(name_at(line.substr(at))), number, guessed);
    }
  }
}

void NamedInLog::read_capability(std::string_view folded, std::size_t number) {
  if (holds_one(folded, {"at least", "minimum", "or newer", "or higher", "supports", "requires"})) return;
  const auto take = [&](std::string_view rest) {
    std::string digits;
    for (const char c : rest.substr(0, std::min(rest.find_first_not_of("0123456789."), rest.size()))) {
      if (is_digit(c)) digits += c;
    }
    constexpr std::size_t longest = 3;  // 12.0
    if (digits.size() >= 2 && digits.size() <= longest) add(capabilities_, "sm_" + digits, number, said);
  };
  for (const std::string_view words : {"cuda capability sm_", "cuda capability ", "compute capability (cc) ",
                                       "compute capability ", "cuda arch (", "gpu architecture 'compute_"}) {
    for_each_after(folded, words, [&](std::string_view, std::string_view rest) { take(rest); });
  }
}

void NamedInLog::read_driver(std::string_view folded, std::size_t number) {
  const auto take = [&](std::string_view value, int weight) {
    if (is_driver(value)) {
      add(of(Named::driver), std::string(value), number, weight);
    } else if (auto cuda = cuda_of(value); !cuda.empty() && first_part(value) > 0) {
      add(of(Named::driver_cuda), std::move(cuda), number, weight);
    }
  };
  const auto is_wanted = [](std::string_view before) { return holds_one(before, {"require", "minimum", "need"}); };
  const auto take_after = [&](std::string_view words, int weight) {
    for_each_after(folded, words, [&](std::string_view before, std::string_view rest) {
      if (!is_wanted(before)) take(value_at(rest), weight);
    });
  };
  take_after("driver version", said);
  for_each_after(folded, "driver", [&](std::string_view before, std::string_view rest) {
    // `driver 570.124.06 from NVIDIA`, `Driver: 535.183.01`; a bound, such as `driver 525 or newer`, is not what is here.
    const auto value = value_at(rest);
    const bool is_bound = is_wanted(before) || holds_one(before, {"at least", "install"}) ||
                          holds_one(rest, {"or newer", "or later", "or higher", "or above"});
    if (!is_bound && is_driver(value) && holds(value, ".")) take(value, mentioned);
  });
  take_after("cudadriverversion", shown);
  take_after("found version", said);
  take_after("nvidia-smi", shown);
  const bool of_smi = holds_one(folded, {"driver version", "nvidia-smi"});
  if (of_smi) take_after("cuda version", shown);
  if (holds(folded, "was detected")) take_after("version", said);
  // What nvidia-smi --query-gpu=name,driver_version printed.
  if (const auto comma = folded.find(", "); comma != std::string_view::npos && names_vendor(folded.substr(0, comma))) {
    const auto value = number_at(folded.substr(comma + 2));
    if (is_driver(value) && holds(value, ".")) take(value, shown);
  }
  // NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.104.05  Sat Aug 19 ...
  for_each_after(folded, "kernel module", [&](std::string_view, std::string_view rest) {
    while (!rest.empty() && !is_driver(number_at(rest))) {
      const auto space = rest.find(' ');
      rest = space == std::string_view::npos ? std::string_view() : rest.substr(space + 1);
    }
    if (!rest.empty() && holds(number_at(rest), ".")) take(number_at(rest), shown);
  });
}

/// What NVIDIA's kernel module says of a board that it does not drive.
void NamedInLog::read_kernel_module(std::string_view folded, std::size_t number) {
  for_each_after(folded, "(pci id: ", [&](std::string_view, std::string_view rest) {
    constexpr std::size_t size = 9;  // 10de:2684
    if (rest.starts_with(pci_vendor)) add(of(Named::gpu), std::string(rest.substr(0, size)), number, said);
  });
  for_each_after(folded, "supported through the nvidia ", [&](std::string_view, std::string_view rest) {
    const auto branch = number_at(rest);
    if (is_driver(branch) && holds(rest, " legacy driver")) add(of(Named::last_branch), std::string(branch), number, said);
  });
  for_each_after(folded, "nvidia ", [&](std::string_view before, std::string_view rest) {
    const auto release = number_at(rest);
    if (is_driver(release) && rest.substr(release.size()).starts_with(" driver release"))
      add(of(Named::driver), std::string(release), number, said);
    if (!rest.starts_with("driver will ignore") || !before.ends_with(' ')) return;
    before.remove_suffix(1);
    const auto ignoring = number_at(before.substr(before.rfind(' ') + 1));
    if (is_driver(ignoring)) add(of(Named::driver), std::string(ignoring), number, said);
  });
}

void NamedInLog::read_python(std::string_view folded, std::size_t number) {
  const auto take = [&](std::string_view value, int weight) {
    const auto dot = value.find('.');
    if (dot == std::string_view::npos || first_part(value) != 3) return;
    add(of(Named::python), fmt::format("3.{}", first_part(value.substr(dot + 1))), number, weight);
  };
  for_each_after(folded, "python version", [&](std::string_view, std::string_view rest) { take(value_at(rest), said); });
  for_each_after(folded, "python", [&](std::string_view before, std::string_view rest) {
    const auto value = number_at(rest);
    if (!value.empty() && rest.substr(value.size()).starts_with('/')) return take(value, shown);
    const auto apart = value_at(rest);
    constexpr std::size_t longest_range = 12;
    const bool is_range = holds_one(rest.substr(0, longest_range), {"+", "<", ">", "~", "!"});
    if (!is_range && !before.ends_with("-")) take(apart, mentioned);
  });
}

void NamedInLog::read_platform(std::string_view folded, std::size_t number) {
  // The kernel (5.15.146.1-microsoft-standard-WSL2), and the folder in which Windows puts its driver's libraries.
  if (holds_one(folded, {"standard-wsl2", "/usr/lib/wsl/"})) add(of(Named::wsl), "2", number, said);
  if (holds_one(folded, {"in wsl", "on wsl", "under wsl", "inside wsl", "wsl is detected"}))
    add(of(Named::wsl), "2", number, mentioned);
  auto& platforms = of(Named::platform);
  if (has_drive(folded) || holds(folded, "platform: windows")) add(platforms, "windows", number, said);
  if (holds_one(folded, {"windows 10", "windows 11"})) add(platforms, "windows", number, mentioned);
  if (holds_one(folded, {"you're on macos", "platform: macos"})) add(platforms, "macos", number, said);
  if (holds_one(folded, {"macos m", "macos 1", "macos 26"})) add(platforms, "macos", number, mentioned);
  if (holds_one(folded, {"hip error", "/dev/kfd", "no hip gpu"})) add(platforms, "rocm", number, said);
  // Linux has its say against what somebody only mentions.
  if (holds_one(folded, {"linux", "ubuntu", "/usr/lib/", "/home/"})) add(platforms, std::string(covered), number, shown);
}

void NamedInLog::read_collected(std::string_view line, std::string_view folded, std::size_t number) {
  for_each_after(folded, "cuda used to build pytorch",
                 [&](std::string_view, std::string_view rest) { collected_cuda_ = first_part(value_at(rest)); });
  if (holds(folded, "is cuda available: ")) collected_none_ = holds(folded, "is cuda available: false");
  for_each_after(folded, "nvidia driver version", [&](std::string_view, std::string_view rest) {
    constexpr std::array<std::pair<int, int>, 3> needed{
        {{11, 450}, {12, 525}, {13, 580}}};  // the first branch of each CUDA major
    const auto value = value_at(rest);
    const bool is_old = std::any_of(needed.begin(), needed.end(), [&](const auto& pair) {
      return collected_cuda_ == pair.first && is_driver(value) && first_part(value) < pair.second;
    });
    if (collected_none_ && is_old) too_old_driver_ = {std::string(line), number};
  });
}

std::optional<bool> NamedInLog::has_cpu_torch() const {
  const auto torch = certain(of(Named::torch));
  if (!torch || !holds_one(torch->text, {"+cpu", "+cu"})) return std::nullopt;
  return torch->text.ends_with("+cpu");
}

void NamedInLog::add(Candidates& candidates, std::string text, std::size_t line, int weight) {
  constexpr std::size_t most = 64;  // a log that names more is not of one environment
  for (auto& known : candidates) {
    if (known.mention.text != text) continue;
    if (weight > known.weight) known = {{std::move(text), line}, weight};
    return;
  }
  if (candidates.size() < most) candidates.push_back({{std::move(text), line}, weight});
}

std::optional<Mention> NamedInLog::certain(const Candidates& candidates) {
  const auto is_part = [](std::string_view part, std::string_view whole) {  // 2.4.0 of 2.4.0+cu121
    return whole.starts_with(part) && (whole.size() == part.size() || whole[part.size()] == '+');
  };
  int best = 0;
  for (const auto& candidate : candidates) best = std::max(best, candidate.weight);
  std::optional<Mention> result;
  for (const auto& [mention, weight] : candidates) {
    if (weight < best) continue;
    if (!result || is_part(result->text, mention.text)) {
      result = mention;
    } else if (!is_part(mention.text, result->text)) {
      return std::nullopt;
    }
  }
  for (const auto& [mention, weight] : candidates) {
    if (weight < best && is_part(result->text, mention.text)) result = mention;
  }
  return result;
}

std::optional<Mention> NamedInLog::board(const std::function<bool(std::string_view)>& is_board) const {
  Candidates boards;
  for (const auto& candidate : found_[static_cast<std::size_t>(Named::gpu)]) {
    if (const auto name = board_in(candidate.mention.text, is_board); !name.empty())
      add(boards, std::string(name), candidate.mention.line, candidate.weight);
  }
  // `RTX 5090` is no other board than `NVIDIA GeForce RTX 5090`.
  std::erase_if(boards, [all = boards](const Candidate& shorter) {
    return std::any_of(all.begin(), all.end(), [&](const Candidate& longer) {
      return longer.weight >= shorter.weight && longer.mention.text.ends_with(" " + shorter.mention.text);
    });
  });
  const bool names_itself = std::any_of(boards.begin(), boards.end(), [](const auto& board) { return board.weight == said; });
  auto capability = certain(capabilities_);
  if (capability && !names_itself) return capability;
  return certain(boards);
}

Seen NamedInLog::seen(const std::function<bool(std::string_view)>& is_board) const {
  Seen seen;
  for (std::size_t i = 0; i < found_.size(); ++i) seen.values.at(i) = certain(found_.at(i));
  seen[Named::gpu] = board(is_board);
  seen.pins_torch = pins_torch_;
  auto& platform = seen[Named::platform];
  if (const auto& installed = seen[Named::torch]; installed && holds(installed->text, "+rocm"))
    platform = {"rocm", installed->line};
  // A path of Windows is nothing unusual in WSL.
  if (platform && (seen[Named::wsl] || platform->text == covered)) platform.reset();
  const auto& torch = seen[Named::torch];
  const auto tag = torch ? torch->text.find("+cu") : std::string::npos;
  constexpr std::size_t tag_size = 3;
  if (tag != std::string::npos) {  // +cu121
    const auto digits = number_at(std::string_view(torch->text).substr(tag + tag_size));
    if (digits.size() >= 2)
      seen[Named::cuda] = {fmt::format("{}.{}", digits.substr(0, digits.size() - 1), digits.back()), torch->line};
  }
  return seen;
}

}  // namespace envgen::diagnosis
