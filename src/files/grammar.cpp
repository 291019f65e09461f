#include "files/grammar.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "files/requirement.hpp"
#include "model/printable.hpp"
#include "model/spelling.hpp"
#include "util/pattern.hpp"

namespace envgen::files {
namespace {

/// Longer ones are no mistakes of spelling.
constexpr std::size_t longest = 256;

/// Users and groups of Debian and Ubuntu: passwd.master and group.master of base-passwd 3.6.1.
constexpr std::array<std::string_view, 44> system_names{
    "root",  "daemon", "bin",      "sys",     "adm",  "tty",    "disk",     "lp",     "mail",  "news",  "uucp",
    "man",   "proxy",  "kmem",     "dialout", "fax",  "voice",  "cdrom",    "floppy", "tape",  "sudo",  "audio",
    "dip",   "backup", "operator", "list",    "irc",  "src",    "shadow",   "utmp",   "video", "sasl",  "plugdev",
    "staff", "games",  "users",    "nogroup", "sync", "nobody", "www-data", "_apt",   "gnats", "input", "render"};

bool is(std::string_view text, const util::Pattern& grammar) { return text.size() <= longest && grammar.matches(text); }

Expected<void> require(bool holds, std::string_view text, const std::string& where, std::string_view what,
                       std::string_view example) {
  if (holds) return {};
  return fail(ErrorCode::usage, fmt::format("{} is not {}", in_quotes(text), what), where, {fmt::format("such as {}", example)});
}

Expected<void> check(std::string_view text, const std::string& where, const util::Pattern& grammar, std::string_view what,
                     std::string_view example) {
  return require(is(text, grammar), text, where, what, example);
}

/// Whether it is a URL without credentials, a query and a fragment.
bool ends_in_path(std::string_view url) {
  static const util::Pattern pattern{std::string(grammar::url)};
  return is(url, pattern);
}

/// What is refused is printed without what may be secret in it, the whole query included: messages end in logs.
std::string without_secret_parts(std::string_view url) {
  auto shown = without_secrets(url);
  const auto at = shown.rfind('@');
  if (shown.find("://") == std::string::npos && at != std::string::npos) shown.replace(0, at, "***");  // it has no scheme
  if (const auto query = shown.find_first_of("?#"); query != std::string::npos)
    shown.replace(query + 1, std::string::npos, "***");
  return shown;
}

Expected<void> check_address(std::string_view text, const std::string& where, std::string_view what, std::string_view example) {
  return require(ends_in_path(text), without_secret_parts(text), where, what, example);
}

/// What pip takes for the address or the path of a package: `git+https://...`, `x @ https://...`, `./x`, `x.whl`.
bool is_place(std::string_view text) {
  constexpr std::array<std::string_view, 4> archives{".whl", ".tar.gz", ".tar.bz2", ".zip"};
  return text.find("://") != std::string_view::npos ||
         (!text.empty() && std::string_view("./~").find(text[0]) != std::string_view::npos) ||
         std::any_of(archives.begin(), archives.end(), [&](std::string_view ending) { return text.ends_with(ending); });
}

bool is_requirement(std::string_view text) {
  static const util::Pattern pattern{std::string(grammar::pip_requirement)};
  return is(text, pattern) && !is_place(text);
}

constexpr std::string_view example_of_requirement = "'numpy>=1.26,<2'";

/// Why it is none, and what would be one.
Error not_a_requirement(std::string_view text, const std::string& where) {
  if (is_place(text))
    return {ErrorCode::usage,
            fmt::format("{} is an address or a file, not a package name", in_quotes(without_secret_parts(text))),
            where,
            {"install it in a Dockerfile or script of your own, after what envgen's files install"}};
  if (const auto bare = without_spaces_around(text); bare != text && is_requirement(bare))
    return {ErrorCode::usage,
            fmt::format("{} begins or ends with a space", in_quotes(text)),
            where,
            {fmt::format("did you mean '{}'?", bare)}};
  const auto unconditional = without_spaces_around(text.substr(0, text.find(';')));
  if (text.find(';') != std::string_view::npos && is_requirement(unconditional))
    return {ErrorCode::usage,
            fmt::format("{} has a condition, but an environment has one Python and one platform", in_quotes(text)),
            where,
            {fmt::format("where it holds, write '{}'", unconditional)}};
  return {ErrorCode::usage,
          fmt::format("{} is not a pip requirement by name", in_quotes(text)),
          where,
          {fmt::format("such as {}", example_of_requirement)}};
}

/// A clause of PEP 440, with the other spellings that it knows: `>=1.26`, `==2.0.*`, `~=1.4`, `==2.0rc1+cu121`; `===` takes any.
bool is_version_clause(std::string_view clause) {
  const std::string release = "v?([0-9]+!)?[0-9]+(\\.[0-9]+)*";
  const std::string stage = "([-_.]?(a|b|c|rc|alpha|beta|pre|preview)[-_.]?[0-9]*)?(-[0-9]+|[-_.]?(post|rev|r)[-_.]?[0-9]*)?";
  const std::string dev = "([-_.]?dev[-_.]?[0-9]*)?";
  static const util::Pattern pattern(
      fmt::format("===.*|(==|!=) *{0}{1}(\\.\\*|{2}(\\+[a-z0-9]+([-_.][a-z0-9]+)*)?)|~= *{0}\\.[0-9]+{1}{2}|"
                  "(<=?|>=?) *{0}{1}{2}",
                  release, stage, dev));
  return pattern.matches(lower(clause));
}

}  // namespace

Expected<void> check_apt_package(std::string_view text, const std::string& where) {
  static const util::Pattern pattern{std::string(grammar::apt_package)};
  return check(text, where, pattern, "an apt package name", "libgl1");
}

Expected<void> check_pip_requirement(std::string_view text, const std::string& where) {
  if (!is_requirement(text)) return tl::unexpected(not_a_requirement(text, where));
  for (const auto clause : requirement_clauses(text)) {
    if (!is_version_clause(clause))
      return fail(ErrorCode::usage, fmt::format("'{}' of {} is not a version range", clause, in_quotes(text)), where,
                  {fmt::format("such as {}", example_of_requirement)});
  }
  return {};
}

Expected<void> check_user_name(std::string_view text, const std::string& where) {
  static const util::Pattern pattern{std::string(grammar::user_name)};
  if (auto checked = check(text, where, pattern, "a user name", "dev"); !checked) return checked;
  if (std::find(system_names.begin(), system_names.end(), text) == system_names.end()) return {};
  return fail(ErrorCode::usage, fmt::format("{} is a system user or group", in_quotes(text)), where, {"such as dev"});
}

Expected<void> check_hash(std::string_view text, const std::string& where) {
  constexpr std::array<std::pair<std::string_view, std::size_t>, 3> kinds{{{"sha256:", 64}, {"sha384:", 96}, {"sha512:", 128}}};
  for (const auto& [name, digits] : kinds) {
    if (text.size() == name.size() + digits && text.starts_with(name) &&
        text.find_first_not_of("0123456789abcdef", name.size()) == std::string_view::npos)
      return {};
  }
  return fail(ErrorCode::usage, fmt::format("{} is not a file hash", in_quotes(text)), where,
              {"such as sha256: followed by 64 digits"});
}

Expected<void> check_url(std::string_view text, const std::string& where) {
  return check_address(text, where, "an http, https or file URL without a password, query or fragment",
                       "https://mirror.example.org/simple");
}

Expected<void> check_base_url(std::string_view text, const std::string& where) {
  return check_address(text, where, "an http, https or file URL without a password, query or fragment",
                       "https://mirror.example.org/path");
}

Expected<void> check_conda_channel(std::string_view text, const std::string& where) {
  static const util::Pattern grammar("[A-Za-z0-9][A-Za-z0-9._/-]*");
  return check(text, where, grammar, "a conda channel", "conda-forge");
}

Expected<void> check_image(std::string_view text, const std::string& where) {
  static const util::Pattern pattern{std::string(grammar::image)};
  constexpr std::size_t longest_tag = std::string_view(":").size() + 128;
  constexpr std::size_t digest_size = std::string_view("@sha256:").size() + 64;
  const auto name = text.substr(0, text.find('@'));
  const auto tag = name.substr(std::min(name.size(), name.find(':', name.rfind('/') + 1)));
  const bool sizes = tag.size() <= longest_tag && (name == text || text.size() == name.size() + digest_size);
  // A login in front of the registry is no part of a name, and is not printed.
  const bool login = name != text && !text.substr(name.size()).starts_with("@sha256:");
  return require(sizes && is(text, pattern), login ? without_secret_parts(text) : std::string(text), where, "an image name",
                 "registry.example.org/base:1.0");
}

Expected<void> check_path(std::string_view text, const std::string& where) {
  static const util::Pattern pattern{std::string(grammar::path)};
  return check(text, where, pattern, "a path without spaces or quotes", "/etc/ssl/certs/ca-certificates.crt");
}

Expected<void> check_envgen_version(std::string_view text, const std::string& where) {
  static const util::Pattern pattern{std::string(grammar::envgen_version)};
  return check(text, where, pattern, "a release of envgen", "1.0.0");
}

Expected<void> check_sha256(std::string_view text, const std::string& where) {
  static const util::Pattern pattern{std::string(grammar::sha256)};
  if (is(text, pattern)) return {};
  return fail(ErrorCode::usage, fmt::format("{} is not a SHA-256", in_quotes(text)), where,
              {"64 digits (0-9, a-f), as the release's SHA256SUMS has them"});
}

Expected<void> check_runner_label(std::string_view text, const std::string& where) {
  static const util::Pattern pattern{std::string(grammar::runner_label)};
  return check(text, where, pattern, "a runner label", "self-hosted");
}

Expected<void> check_size(std::string_view text, const std::string& where) {
  static const util::Pattern pattern{std::string(grammar::size)};
  const bool bytes = text.find_first_not_of("0123456789") == std::string_view::npos && !text.empty() && text.front() != '0';
  if (bytes && !is(text, pattern))
    return fail(ErrorCode::usage, fmt::format("{} is a number of bytes", in_quotes(text)), where,
                {text.size() > 3 ? "give it a unit: 512m, 8g" : fmt::format("did you mean {}g?", text)});
  return check(text, where, pattern, "a memory size", "8g");
}

}  // namespace envgen::files
