#include "update/simple_index.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/spelling.hpp"
#include "model/version.hpp"
#include "update/answers.hpp"
#include "update/html.hpp"
#include "update/wheel_name.hpp"
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
  std::string metadata_sha256;
};

bool is_file_name(std::string_view text) {
  return !text.empty() && text.front() != '.' && std::all_of(text.begin(), text.end(), [](char c) {
    return is_letter(c) || is_digit(c) || std::string_view("._+!-").find(c) != std::string_view::npos;
  });
}

/// nullopt: no wheel, or not one that a matrix has.
Expected<std::optional<IndexedWheel>> wheel_of(std::string_view project, const Listed& listed, const std::string& page) {
  if (!is_file_name(listed.file)) return other_shape(fmt::format("{} is not the name of a file", in_quotes(listed.file)), page);
  if (!listed.file.ends_with(".whl")) return std::nullopt;
  const auto name = WheelName::parse(listed.file);
  if (!name) return other_shape(fmt::format("{} is not the name of a wheel", in_quotes(listed.file)), page);
  if (name->project != project)
    return other_shape(fmt::format("{} is a wheel of a project other than {}", in_quotes(listed.file), project), page);
  const bool any_platform = listed.file.ends_with("-any.whl");
  const auto version = Version::parse(name->version);
  // No release is written in two ways: `2.13` is 2.13.0 to pip, and would be another row here.
  constexpr int parts = 3;
  const bool is_release = version && version->count() >= parts && version->to_string() == name->version;
  if (!is_release || !name->local.empty() || (name->platform.empty() && !any_platform) || (!name->python && !name->any_python))
    return std::nullopt;
  IndexedWheel wheel;
  wheel.version = name->version;
  wheel.python = name->python ? name->python->to_string() : "any";
  wheel.platforms = any_platform ? std::vector<std::string>{"linux-x86_64", "linux-aarch64"} : std::vector{name->platform};
  wheel.glibc = name->glibc;
  wheel.file = listed.file;
  wheel.url = resolved_link(page, listed.url);
  if (!wheel.url.starts_with("https://") && !wheel.url.starts_with("http://"))
    return other_shape(fmt::format("{} is not a link that can be followed", in_quotes(listed.url)), page);
  wheel.requires_python = listed.requires_python;
  wheel.uploaded = listed.uploaded;
  wheel.yanked = listed.yanked;
  wheel.has_metadata = listed.has_metadata;
  wheel.metadata_sha256 = listed.metadata_sha256;
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
  if (!json) return other_shape(fmt::format("not JSON ({})", json.error().message), reply.final_url);
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
    for (const auto* name : {"core-metadata", "data-dist-info-metadata"}) {
      const auto& hashes = cell.maybe(name).raw();
      if (hashes.is_object() && listed.metadata_sha256.empty()) listed.metadata_sha256 = text_in(hashes, "sha256");
    }
    all.push_back(std::move(listed));
    if (!problems.empty()) break;
  }
  if (!problems.empty()) return other_shape(problems.front().message, in_one_line(problems.front().origin));
  return all;
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
      return other_shape("a link on the page is not terminated", reply.final_url);
    const auto tag = page.substr(begin, end - begin);
    Listed listed;
    listed.url = attribute(tag, "href").value_or("");
    const auto text = unescaped(without_spaces_around(page.substr(end + 1, close - end - 1)));
    listed.file = text;
    listed.requires_python = attribute(tag, "data-requires-python").value_or("");
    listed.yanked = attribute(tag, "data-yanked").has_value();
    const auto told = [&](const char* name) { return attribute(tag, name).value_or("false") != "false"; };
    listed.has_metadata = told("data-core-metadata") || told("data-dist-info-metadata");
    constexpr std::string_view sha256 = "sha256=";
    for (const auto* name : {"data-core-metadata", "data-dist-info-metadata"}) {
      const auto hash = attribute(tag, name).value_or("");
      if (hash.starts_with(sha256) && listed.metadata_sha256.empty()) listed.metadata_sha256 = hash.substr(sha256.size());
    }
    all.push_back(std::move(listed));
    from = close;
  }
  if (all.empty() && page.find("<html") == std::string_view::npos && page.find("<HTML") == std::string_view::npos)
    return other_shape("neither JSON nor HTML", reply.final_url);
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
