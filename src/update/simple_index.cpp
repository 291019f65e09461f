#include "update/simple_index.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/python_version.hpp"
#include "model/spelling.hpp"
#include "model/version.hpp"
#include "util/json_cell.hpp"
#include "util/json_text.hpp"

namespace envgen::update {
namespace {

/// A file as an index lists it.
struct Listed {
  std::string file;
  std::string url;
  std::string requires_python;
  std::string uploaded;
  bool yanked = false;
  bool has_metadata = false;
};

tl::unexpected<Error> other_shape(std::string what, const std::string& url) {
  return fail(ErrorCode::bad_input, fmt::format("not the answer of a package index: {}", what), url);
}

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  for (;;) {
    const auto end = text.find(at);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

/// PEP 503: what project names are compared by.
std::string normal(std::string_view name) {
  std::string text;
  for (const char c : lower(name)) {
    const bool joint = c == '-' || c == '_' || c == '.';
    if (!joint) text += c;
    if (joint && !text.ends_with('-')) text += '-';
  }
  return text;
}

bool is_name(std::string_view text) {
  return !text.empty() && text.front() != '.' && std::all_of(text.begin(), text.end(), [](char c) {
    return is_letter(c) || is_digit(c) || std::string_view("._+!-").find(c) != std::string_view::npos;
  });
}

/// `manylinux_2_28_x86_64`: 2.28. The old names stand for a glibc (PEP 600).
std::string glibc_of(std::string_view tag) {
  struct Old {
    std::string_view name;
    std::string_view glibc;
  };
  constexpr std::array<Old, 3> old{{{"manylinux1_", "2.5"}, {"manylinux2010_", "2.12"}, {"manylinux2014_", "2.17"}}};
  for (const auto& each : old) {
    if (tag.starts_with(each.name)) return std::string(each.glibc);
  }
  constexpr std::string_view prefix = "manylinux_";
  if (!tag.starts_with(prefix)) return {};
  const auto parts = split(tag.substr(prefix.size()), '_');
  if (parts.size() < 2) return {};
  const auto version = Version::parse(fmt::format("{}.{}", parts[0], parts[1]));
  return version ? version->to_string() : std::string();
}

/// The Pythons of `cp312-cp312`, `cp313-cp313t`, `cp37-cp37m`, `py3-none`.
std::vector<std::string> pythons_of(std::string_view python_tags, std::string_view abi) {
  std::vector<std::string> pythons;
  for (const auto tag : split(python_tags, '.')) {
    if (tag == "py3" && abi == "none") return {"any"};
    if (!tag.starts_with("cp3") || !abi.starts_with(tag)) continue;
    const auto python = PythonVersion::parse(std::string(tag) + (abi.ends_with('t') ? "t" : ""));
    if (python) pythons.push_back(python->to_string());
  }
  return pythons;
}

void set_platforms(IndexedWheel& wheel, std::string_view tags) {
  constexpr std::string_view x86 = "linux-x86_64";
  constexpr std::string_view arm = "linux-aarch64";
  std::optional<Version> least;
  for (const auto tag : split(tags, '.')) {
    if (tag == "any") wheel.platforms = {std::string(x86), std::string(arm)};
    if (tag.find("linux") == std::string_view::npos || tag.starts_with("musllinux")) continue;
    const auto platform = tag.ends_with("_x86_64") ? x86 : tag.ends_with("_aarch64") ? arm : std::string_view();
    if (platform.empty()) continue;
    if (std::find(wheel.platforms.begin(), wheel.platforms.end(), platform) == wheel.platforms.end())
      wheel.platforms.emplace_back(platform);
    if (const auto glibc = Version::parse(glibc_of(tag)); glibc && (!least || *glibc < *least)) least = *glibc;
  }
  if (least) wheel.glibc = least->to_string();
}

/// nullopt: no wheel, or not one that a matrix has.
Expected<std::optional<IndexedWheel>> wheel_of(std::string_view project, const Listed& listed, const std::string& page) {
  constexpr std::string_view ending = ".whl";
  if (!is_name(listed.file)) return other_shape(fmt::format("{} is not the name of a file", in_quotes(listed.file)), page);
  if (!listed.file.ends_with(ending)) return std::nullopt;
  const auto parts = split(std::string_view(listed.file).substr(0, listed.file.size() - ending.size()), '-');
  constexpr std::size_t without_build = 5;
  if (parts.size() != without_build && parts.size() != without_build + 1)
    return other_shape(fmt::format("{} is not the name of a wheel", in_quotes(listed.file)), page);
  if (normal(parts[0]) != normal(project))
    return other_shape(fmt::format("{} is a wheel of another project than {}", in_quotes(listed.file), project), page);
  IndexedWheel wheel;
  const auto version = Version::parse(parts[1]);
  if (!version) return std::nullopt;
  wheel.version = std::string(parts[1]);
  wheel.pythons = pythons_of(parts[parts.size() - 3], parts[parts.size() - 2]);
  set_platforms(wheel, parts.back());
  if (wheel.pythons.empty() || wheel.platforms.empty()) return std::nullopt;
  wheel.file = listed.file;
  wheel.url = resolved_link(page, listed.url);
  if (!wheel.url.starts_with("https://") && !wheel.url.starts_with("http://"))
    return other_shape(fmt::format("{} is not a link that can be followed", in_quotes(listed.url)), page);
  wheel.requires_python = listed.requires_python;
  wheel.uploaded = listed.uploaded;
  wheel.yanked = listed.yanked;
  wheel.has_metadata = listed.has_metadata;
  return wheel;
}

/// A day, of a time of RFC 3339; empty: it is none.
std::string day_of(std::string_view time) {
  constexpr std::size_t day = 10;
  constexpr std::string_view form = "0000-00-00";
  if (time.size() < day) return {};
  for (std::size_t i = 0; i < day; ++i) {
    if (form[i] == '-' ? time[i] != '-' : !is_digit(time[i])) return {};
  }
  return std::string(time.substr(0, day));
}

Expected<std::vector<Listed>> listed_as_json(const net::Reply& reply) {
  const auto json = util::parse_json(reply.body, reply.final_url, {.what = "answer"});
  if (!json) return tl::unexpected(json.error());
  util::Problems problems;
  std::vector<Listed> all;
  const util::JsonCell top(&*json, reply.final_url + "#", problems);
  for (const auto& cell : top.at("files").items()) {
    Listed listed;
    listed.file = std::string(cell.at("filename").text());
    listed.url = std::string(cell.at("url").text());
    listed.requires_python = std::string(cell.maybe("requires-python").text_or_null());
    listed.uploaded = day_of(cell.maybe("upload-time").text_or_null());
    const auto told = [&](const char* name) {  // false, true, an object of hashes, or a reason
      const auto value = cell.maybe(name).raw();
      return !value.is_null() && value != false;
    };
    listed.yanked = told("yanked");
    listed.has_metadata = told("core-metadata") || told("data-dist-info-metadata");
    all.push_back(std::move(listed));
    if (!problems.empty()) break;
  }
  if (!problems.empty()) return other_shape(problems.front().message, problems.front().origin);
  return all;
}

/// The entities that stand in attributes of index pages.
std::string unescaped(std::string_view text) {
  struct Entity {
    std::string_view name;
    char character;
  };
  constexpr std::array<Entity, 6> entities{
      {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&#34;", '"'}, {"&#39;", '\''}}};
  std::string result;
  while (!text.empty()) {
    const auto entity =
        std::find_if(entities.begin(), entities.end(), [&](const Entity& each) { return text.starts_with(each.name); });
    result += entity == entities.end() ? text.front() : entity->character;
    text.remove_prefix(entity == entities.end() ? 1 : entity->name.size());
  }
  return result;
}

/// The value of an attribute of a tag, `href="..."`; nullopt: it is not there.
std::optional<std::string> attribute(std::string_view tag, std::string_view name) {
  for (std::size_t from = 0;;) {
    const auto at = tag.find(name, from);
    if (at == std::string_view::npos) return std::nullopt;
    from = at + name.size();
    const bool begins = at > 0 && (tag[at - 1] == ' ' || tag[at - 1] == '\n' || tag[at - 1] == '\t');
    if (!begins) continue;
    if (from + 1 >= tag.size() || tag[from] != '=') return std::string();
    const char quote = tag[from + 1];
    if (quote != '"' && quote != '\'') continue;
    const auto end = tag.find(quote, from + 2);
    if (end == std::string_view::npos) return std::nullopt;
    return unescaped(tag.substr(from + 2, end - from - 2));
  }
}

Expected<std::vector<Listed>> listed_as_html(const net::Reply& reply) {
  std::vector<Listed> all;
  const std::string_view page = reply.body;
  for (std::size_t from = 0;;) {
    const auto begin = page.find("<a ", from);
    if (begin == std::string_view::npos) break;
    const auto end = page.find('>', begin);
    const auto close = page.find("</a>", begin);
    if (end == std::string_view::npos || close == std::string_view::npos || close < end)
      return other_shape("a link on the page does not end", reply.final_url);
    const auto tag = page.substr(begin, end - begin);
    Listed listed;
    listed.url = attribute(tag, "href").value_or("");
    const auto text = unescaped(without_spaces_around(page.substr(end + 1, close - end - 1)));
    listed.file = text;
    listed.requires_python = attribute(tag, "data-requires-python").value_or("");
    listed.yanked = attribute(tag, "data-yanked").has_value();
    const auto told = [&](const char* name) { return attribute(tag, name).value_or("false") != "false"; };
    listed.has_metadata = told("data-core-metadata") || told("data-dist-info-metadata");
    all.push_back(std::move(listed));
    from = close;
  }
  if (all.empty() && page.find("<html") == std::string_view::npos && page.find("<HTML") == std::string_view::npos)
    return other_shape("neither JSON nor a page", reply.final_url);
  return all;
}

}  // namespace

std::string resolved_link(std::string_view page, std::string_view link) {
  link = link.substr(0, link.find('#'));
  const auto scheme_end = page.find("://");
  const auto colon = link.find(':');
  if (colon != std::string_view::npos && colon < link.find('/')) return std::string(link);
  if (scheme_end == std::string_view::npos) return {};
  if (link.starts_with("//")) return fmt::format("{}:{}", page.substr(0, scheme_end), link);
  const auto path_begin = std::min(page.find('/', scheme_end + 3), page.size());
  const auto host = page.substr(0, path_begin);
  auto path = page.substr(path_begin, std::min(page.find_first_of("?#", path_begin), page.size()) - path_begin);
  std::string whole(link.starts_with('/') ? std::string_view() : path.substr(0, path.rfind('/') + 1));
  whole += link;
  std::vector<std::string_view> steps;
  for (const auto step : split(std::string_view(whole).substr(whole.starts_with('/') ? 1 : 0), '/')) {
    if (step == "..") {
      if (!steps.empty()) steps.pop_back();
    } else if (step != ".") {
      steps.push_back(step);
    }
  }
  return fmt::format("{}/{}", host, fmt::join(steps, "/"));
}

Expected<std::vector<IndexedWheel>> wheels_of_index(std::string_view project, const net::Reply& reply) {
  const bool is_json = reply.content_type.find("json") != std::string::npos;
  const auto all = is_json ? listed_as_json(reply) : listed_as_html(reply);
  if (!all) return tl::unexpected(all.error());
  std::vector<IndexedWheel> wheels;
  for (const auto& listed : *all) {
    auto wheel = wheel_of(project, listed, reply.final_url);
    if (!wheel) return tl::unexpected(wheel.error());
    if (*wheel) wheels.push_back(std::move(**wheel));
  }
  return wheels;
}

}  // namespace envgen::update
