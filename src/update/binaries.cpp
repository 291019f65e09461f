#include "update/binaries.hpp"

#include <algorithm>
#include <charconv>
#include <set>

#include <fmt/format.h>

#include "inspect/zip.hpp"
#include "model/capability.hpp"

namespace envgen::update {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// `9.0a` of `90a`, `12.0` of `120`; none of what is no target.
std::optional<std::string> target_of(std::string_view digits) {
  std::string_view suffix;
  if (digits.ends_with('a') || digits.ends_with('f')) {
    suffix = digits.substr(digits.size() - 1);
    digits.remove_suffix(1);
  }
  if (digits.size() < 2 || digits.size() > 3 || !std::all_of(digits.begin(), digits.end(), is_digit)) return std::nullopt;
  return fmt::format("{}.{}{}", digits.substr(0, digits.size() - 1), digits.back(), suffix);
}

/// Targets in the order of their capabilities; `9.0a` behind `9.0`.
struct InOrder {
  bool operator()(const std::string& a, const std::string& b) const { return key(a) < key(b); }
  static std::pair<Version, std::string> key(const std::string& target) {
    const auto end = target.find_last_of("0123456789") + 1;
    return {Version::parse(target.substr(0, end)).value_or(Version()), target.substr(end)};
  }
};
using Targets = std::set<std::string, InOrder>;

Json list_of(const Targets& targets) {
  Json list = Json::array();
  for (const auto& target : targets) list.push_back(target);
  return list;
}

/// Gives each text of printable ASCII between other bytes in a stream to `take`, as `strings` prints them; what is longer than
/// any list of targets is cut.
class Texts {
 public:
  explicit Texts(std::function<void(std::string_view)> take) : take_(std::move(take)) {}

  void add(inspect::Bytes bytes) {
    for (const auto byte : bytes) {
      const char c = static_cast<char>(byte);
      if (c >= ' ' && c <= '~') {
        if (text_.size() < longest) text_ += c;
      } else {
        end();
      }
    }
  }
  void end() {
    if (text_.size() >= 5) take_(text_);
    text_.clear();
  }

 private:
  static constexpr std::size_t longest = 1024;
  std::function<void(std::string_view)> take_;
  std::string text_;
};

/// The texts of the member whose name ends so. Errors (bad_input): there is none.
Expected<void> texts_of_member(util::ByteSource& wheel, const std::string& origin, std::string_view ending,
                               const std::function<void(std::string_view)>& take) {
  const auto archive = inspect::Zip::open(wheel, origin);
  if (!archive) return tl::unexpected(archive.error());
  const auto& members = archive->members();
  const auto member =
      std::find_if(members.begin(), members.end(), [&](const inspect::ZipMember& each) { return each.name.ends_with(ending); });
  if (member == members.end()) return fail(ErrorCode::bad_input, fmt::format("the wheel has no {}", ending), origin);
  Texts texts(take);
  auto unpacked = archive->unpack(*member, [&](inspect::Bytes bytes) {
    texts.add(bytes);
    return true;
  });
  texts.end();
  return unpacked;
}

/// Takes `sm_75 sm_80 compute_90` apart. None: a word is no target.
std::optional<CompiledFor> arch_list_of(std::string_view text) {
  Targets sass;
  Targets ptx;
  while (!text.empty()) {
    const auto word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    constexpr std::string_view code = "sm_";
    constexpr std::string_view virtual_code = "compute_";
    const bool is_ptx = word.starts_with(virtual_code);
    if (!is_ptx && !word.starts_with(code)) return std::nullopt;
    const auto target = target_of(word.substr(is_ptx ? virtual_code.size() : code.size()));
    if (!target) return std::nullopt;
    (is_ptx ? ptx : sass).insert(*target);
  }
  return sass.empty() && ptx.empty() ? std::nullopt : std::optional(CompiledFor{list_of(sass), list_of(ptx)});
}

}  // namespace

Expected<std::optional<CompiledFor>> read_arch_list(util::ByteSource& wheel, const std::string& origin) {
  std::optional<CompiledFor> found;
  const auto read = texts_of_member(wheel, origin, "torch/lib/libtorch_python.so", [&](std::string_view text) {
    const bool may_be = text.starts_with("sm_") || text.starts_with("compute_");
    if (auto list = may_be ? arch_list_of(text) : std::nullopt; list && (!found || list->sass.size() > found->sass.size()))
      found = std::move(list);
  });
  if (!read) return tl::unexpected(read.error());
  return found;
}

Expected<std::optional<unsigned>> read_linked_cuda(util::ByteSource& wheel, const std::string& origin) {
  std::optional<unsigned> major;
  const auto read = texts_of_member(wheel, origin, "torchaudio/lib/libtorchaudio.so", [&](std::string_view text) {
    constexpr std::string_view runtime = "libcudart.so.";
    if (!text.starts_with(runtime)) return;
    const auto version = Version::parse(text.substr(runtime.size()));
    if (version) major = version->major();
  });
  if (!read) return tl::unexpected(read.error());
  return major;
}

Expected<NvccTargets> read_nvcc_targets(util::ByteSource& wheel, const std::string& origin) {
  Targets archs;
  Targets specific;
  const auto read = texts_of_member(wheel, origin, "/bin/nvcc", [&](std::string_view text) {
    constexpr std::string_view code = "sm_";
    if (!text.starts_with(code)) return;
    const auto target = target_of(text.substr(code.size()));
    if (target) (is_digit(target->back()) ? archs : specific).insert(*target);
  });
  if (!read) return tl::unexpected(read.error());
  if (archs.empty()) return fail(ErrorCode::bad_input, "its nvcc names no target (sm_90)", origin);
  return NvccTargets{list_of(archs), list_of(specific)};
}

Expected<std::optional<int>> read_newest_gcc(util::ByteSource& wheel, const std::string& origin) {
  std::optional<int> newest;
  const auto read = texts_of_member(wheel, origin, "/crt/host_config.h", [&](std::string_view line) {
    constexpr std::string_view condition = "#if __GNUC__ > ";
    if (newest || !line.starts_with(condition)) return;
    int major = 0;
    const auto digits = line.substr(condition.size());
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), major);
    if (error == std::errc() && major >= 4 && major <= 99) newest = major;
  });
  if (!read) return tl::unexpected(read.error());
  return newest;
}

}  // namespace envgen::update
