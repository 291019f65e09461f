#include "project/leaves.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "util/described.hpp"

namespace envgen::project {
namespace {

std::string text_of(const std::string& text) { return text; }
std::string text_of(bool flag) { return flag ? "yes" : "no"; }
std::string text_of(int number) { return std::to_string(number); }
template <class Choice>
requires std::is_enum_v<Choice> std::string text_of(Choice choice) { return std::string(name_of(choice)); }
std::string text_of(const Spelled auto& value) { return value.to_string(); }

std::string text_of(const Environment::Machine& machine) {
  const auto gpus = machine.gpus.empty() ? std::string("any GPU") : fmt::format("{}", fmt::join(machine.gpus, ", "));
  return fmt::format("{}{}: {} ({}{})", gpus, machine.asked ? " with driver " + *machine.asked : "", machine.range.to_string(),
                     fmt::join(names_of(machine.carried_by), ", "),
                     machine.compat ? fmt::format("; cuda-compat: {}", name_of(*machine.compat)) : "");
}

std::string text_of(const Environment::Board& board) {
  return fmt::format("{} (capability {}, {} {}, extensions for {})", board.name, board.capability, name_of(board.runs), board.via,
                     board.nvcc.value_or("unknown"));
}

class Collector {
 public:
  Collector(std::vector<Leaf>& leaves, std::string prefix, bool there)
      : leaves_(leaves), prefix_(std::move(prefix)), there_(there) {}

  template <class T>
  void operator()(std::string_view name, const T& member) {
    take(prefix_ + std::string(name), member, there_);
  }
  template <class T>
  void late(std::string_view name, const T& member) {
    (*this)(name, member);
  }
  template <class T>
  void sparse(std::string_view name, const T& member) {
    (*this)(name, member);
  }

 private:
  template <class T>
  void take(const std::string& path, const T& member, bool there) {
    if constexpr (std::is_base_of_v<Environment::FrameworkBuild, T>) {
      if (!there) return;
      // What either framework has, so that it is told when one takes the place of the other.
      Collector visit(leaves_, "build.", there);
      Environment::BuildOf<Framework::torch>::members(member, visit);
      visit("cuda_pins", member.cuda_pins);
    } else if constexpr (util::Described<T>) {
      Collector visit(leaves_, path + ".", there);
      T::members(member, visit);
    } else if constexpr (util::is_optional<T>) {
      static const typename T::value_type none{};
      take(path, member ? *member : none, there && member);
    } else if constexpr (util::is_list<T>) {
      std::vector<std::string> items;
      for (const auto& item : member) items.push_back(text_of(item));
      leaves_.push_back({path, {}, there ? std::optional(std::move(items)) : std::nullopt});
    } else if constexpr (std::is_same_v<T, util::NamedTexts>) {
      leaves_.push_back({path, {}, {}});  // told name by name
    } else {
      leaves_.push_back({path, there ? std::optional(text_of(member)) : std::nullopt, {}});
    }
  }

  std::vector<Leaf>& leaves_;
  std::string prefix_;
  bool there_;
};

}  // namespace

std::optional<std::string> Leaf::one_text() const {
  return items ? std::optional(fmt::format("{}", fmt::join(*items, ", "))) : text;
}

std::vector<Leaf> leaves_of(const Environment& environment) {
  std::vector<Leaf> leaves;
  Collector visit(leaves, "", true);
  Environment::members(environment, visit);
  return leaves;
}

std::string in_words(std::string_view path) {
  if (path.starts_with("images.")) return fmt::format("image ({})", path.substr(path.find('.') + 1));
  std::string words(path.substr(path.rfind('.') + 1));
  std::replace(words.begin(), words.end(), '_', ' ');
  return words;
}

}  // namespace envgen::project
