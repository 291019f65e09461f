#include "inspect/links.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "inspect/places.hpp"
#include "model/spelling.hpp"

namespace envgen::inspect {
namespace {

// An image of conda has some hundred thousand links; of the hard ones only those of interest are kept.
constexpr std::size_t most_kept = 1'000'000;
constexpr std::uint64_t most_text = std::uint64_t{128} << 20;
constexpr std::size_t most_names = 100'000;
constexpr std::uint64_t most_steps = 20'000'000;
/// As Linux has it: MAXSYMLINKS, PATH_MAX.
constexpr int longest_chain = 40;
constexpr std::size_t longest_path = 4096;

/// The parts of a path between its slashes, the last one first.
void push_parts(std::vector<std::string>& parts, std::string_view path) {
  while (!path.empty()) {
    const auto slash = path.rfind('/');
    const auto part = slash == std::string_view::npos ? path : path.substr(slash + 1);
    if (!part.empty() && part != ".") parts.emplace_back(part);
    path = path.substr(0, path.size() - part.size());
    if (path.ends_with('/')) path.remove_suffix(1);
  }
}

/// Without `./`, and without `..`, which leads no higher than to the top.
std::string tidy(std::string_view path) {
  std::vector<std::string> parts;
  push_parts(parts, path);
  std::string result;
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
    if (*part == "..") {
      result.resize(result.find('/') == std::string::npos ? 0 : result.rfind('/'));
    } else {
      result += (result.empty() ? "" : "/") + *part;
    }
  }
  return result;
}

bool lies_below(std::string_view path, std::string_view folder) {
  return folder.empty() || (path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/'));
}

}  // namespace

void Links::add(const TarMember& member) {
  const bool hard = member.kind == TarMember::Kind::hard_link;
  auto path = tidy(member.path);
  const auto keep = [&](std::size_t size) {
    size_ += size;
    return links_.size() + present_.size() < most_kept && size_ <= most_text;
  };
  if (!hard && member.kind != TarMember::Kind::symlink) {
    const bool fits = (member.kind == TarMember::Kind::file) == (place_of(path) != Place::other);
    if (fits && may_lead_to_interest(path) && keep(path.size())) present_.insert(std::move(path));
    return;
  }
  // Of a folder there is no hard link, so its own name tells whether somebody may want it.
  const auto name = file_name(path);
  if (hard && place_of(name) != Place::library && name != "version.py" && name != "METADATA" && name != "WHEEL") return;
  if (keep(path.size() + member.target.size())) links_.insert_or_assign(std::move(path), Link{member.target, hard});
}

std::optional<std::string> Links::resolved(std::string_view path) {
  if (path.size() > longest_path) return std::nullopt;
  std::vector<std::string> rest;
  push_parts(rest, path);
  std::string done;
  for (int followed = 0; !rest.empty();) {
    if (++steps_ > most_steps) return std::nullopt;
    const auto part = std::move(rest.back());
    rest.pop_back();
    if (part == "..") {
      done.resize(done.find('/') == std::string::npos ? 0 : done.rfind('/'));
      continue;
    }
    auto next = done.empty() ? part : done + "/" + part;
    if (next.size() > longest_path) return std::nullopt;
    const auto found = links_.find(next);
    if (found == links_.end()) {
      done = std::move(next);
      continue;
    }
    if (++followed > longest_chain || found->second.target.size() > longest_path) return std::nullopt;
    // A hard link names a member of the archive.
    if (found->second.hard || found->second.target.starts_with('/')) done.clear();
    push_parts(rest, found->second.target);
  }
  return done;
}

/// Whether the image has it, or something in it; of files of interest this is known after the first time.
bool Links::is_there(const std::string& real) const {
  const auto below = real + "/";
  const auto file = present_.lower_bound(below);
  const auto link = links_.lower_bound(below);
  return present_.count(real) != 0 || (file != present_.end() && file->starts_with(below)) ||
         (link != links_.end() && link->first.starts_with(below));
}

/// Whether what a link leads to is read under a name of its own.
bool Links::is_read_anyway(const std::string& name, const std::string& real, bool hard) const {
  const auto place = place_of(name);
  const auto of_name = packages_folder(name);
  const auto of_real = packages_folder(real);
  if (place == Place::other) {
    const auto package = [](std::string_view path) { return path.substr(0, path.find('/', 1)); };
    return hard ||
           (!of_real.empty() && is_there(real) &&
            package(std::string_view(name).substr(of_name.size())) == package(std::string_view(real).substr(of_real.size())));
  }
  // Hard links tie two environments that are whole.
  return present_.count(real) != 0 && place_of(real) == place && (!hard || of_name == of_real);
}

/// How a link in what another link leads to stands to it.
Links::Way Links::way_of(const std::string& name, const std::string& real, std::size_t parent) const {
  for (auto at = parent; at != 0; at = names_[at - 1].parent) {
    const auto& above = names_[at - 1].real;
    if (lies_below(above, real)) return Way::up;  // a folder that holds itself does so without end
    if (lies_below(real, above) && place_of(real) == place_of(name)) return Way::inside;
  }
  return Way::elsewhere;
}

void Links::follow(const std::string& name, const std::string& path, const Link& link, std::size_t parent) {
  if (!may_lead_to_interest(name)) return;
  auto real = resolved(path);
  if (!real) {
    if (is_missed(name)) unreadable_.push_back({name, "its link is a loop, or passes through more than 40 others"});
    return;
  }
  const auto way = way_of(name, *real, parent);
  if (way == Way::up || is_read_anyway(name, *real, link.hard)) return;
  by_real_[*real].push_back(names_.size());
  names_.push_back({std::move(*real), name, parent, way == Way::inside, false});
}

Expected<void> Links::follow() {
  if (links_.size() + present_.size() >= most_kept || size_ > most_text)
    return fail(ErrorCode::bad_input, "the image exceeds the limit for links: a million, or 128 MiB of names");
  for (const auto& [path, link] : links_) follow(path, path, link, 0);
  // Links that lie in what links lead to.
  for (std::size_t i = 0; i < names_.size(); ++i) {
    if (names_[i].only_looked_for) continue;
    const auto below = names_[i].real.empty() ? std::string() : names_[i].real + "/";
    const auto name = names_[i].name + "/";
    for (auto link = links_.lower_bound(below); link != links_.end() && link->first.starts_with(below) && ++steps_ < most_steps;
         ++link)
      follow(name + link->first.substr(below.size()), link->first, link->second, i + 1);
    if (names_.size() > most_names || steps_ > most_steps) return fail(ErrorCode::bad_input, "its links are nested too deeply");
  }
  return {};
}

std::vector<std::string> Links::names_of(const TarMember& member) {
  std::vector<std::string> names;
  const auto path = tidy(member.path);
  if (path.size() > longest_path) return names;
  const bool is_file = member.kind == TarMember::Kind::file;
  const auto take = [&](std::size_t end) {
    const auto found = by_real_.find(std::string_view(path).substr(0, end));
    if (found == by_real_.end()) return;
    const bool whole = end == path.size();
    for (const auto place : found->second) {
      auto& known = names_[place];
      known.seen = known.seen || place_of(known.name) == Place::other || (whole && is_file);
      if (known.only_looked_for) continue;
      auto name = whole ? known.name : fmt::format("{}/{}", known.name, std::string_view(path).substr(end + (end == 0 ? 0 : 1)));
      const bool is_read = !whole && is_of_interest(path) && place_of(path) == place_of(name);
      if (is_file && !is_read && is_of_interest(name) && place_of(name) != Place::other) names.push_back(std::move(name));
    }
  };
  take(0);
  for (auto end = path.find('/'); end != std::string::npos; end = path.find('/', end + 1)) take(end);
  if (!path.empty()) take(path.size());
  return names;
}

std::vector<Unreadable> Links::unreadable() const {
  auto all = unreadable_;
  for (const auto& name : names_) {
    if (name.seen || !is_missed(name.name)) continue;
    all.push_back({name.name, fmt::format("its link points to '{}', which is {} the image", in_one_line(name.real),
                                          place_of(name.name) == Place::other ? "not in" : "not a regular file in")});
  }
  std::sort(all.begin(), all.end(), [](const Unreadable& a, const Unreadable& b) { return a.path < b.path; });
  return all;
}

}  // namespace envgen::inspect
