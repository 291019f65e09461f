#include "update/answers.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "util/json_text.hpp"

namespace envgen::update {
namespace {

int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string percent_decoded(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size() && digit(text[i + 1]) >= 0 && digit(text[i + 2]) >= 0) {
      result += static_cast<char>(digit(text[i + 1]) * 16 + digit(text[i + 2]));
      i += 2;
    } else {
      result += text[i];
    }
  }
  return result;
}

/// `torch.whl` of `/whl/cu121/torch.whl?x#sha256=...`.
std::string_view last_step(std::string_view address) {
  address = address.substr(0, address.find_first_of("?#"));
  while (address.ends_with('/')) address.remove_suffix(1);
  return address.substr(address.rfind('/') + 1);
}

bool is_plain(std::string_view name) {
  return !name.empty() && std::none_of(name.begin(), name.end(), [](char c) {
    return c == '/' || c == '\\' || static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
  });
}

}  // namespace

tl::unexpected<Error> other_shape(std::string_view what, const std::string& url) {
  return fail(ErrorCode::network, fmt::format("the response is not in the format of this source: {}", what), url,
              {"nothing from it was used; a newer envgen may support its new format"});
}

Expected<void> not_shrunk(std::size_t listed, std::size_t known, std::string_view what, const std::string& url) {
  if (listed >= known || known - listed <= std::max<std::size_t>(2, known / 10)) return {};
  return fail(ErrorCode::network,
              fmt::format("{}: {} listed here, {} known; this looks like a partial copy", what, listed, known), url,
              {"nothing from it was used"});
}

Expected<net::Reply> get(net::Client& client, const std::string& url, std::string accept) {
  const std::array<net::Request, 1> requests{net::Request{url, std::move(accept)}};
  return std::move(client.get(requests).front());
}

Expected<std::string> body_of(Expected<net::Reply> reply, const std::string& url) {
  if (!reply) return tl::unexpected(std::move(reply.error()));
  if (reply->status != 200) return fail(ErrorCode::network, fmt::format("it is not there (HTTP {})", reply->status), url);
  return std::move(reply->body);
}

Expected<Json> object_of(Expected<net::Reply> reply, const std::string& url) {
  auto body = body_of(std::move(reply), url);
  if (!body) return tl::unexpected(std::move(body.error()));
  auto json = util::parse_json(*body, url, {.deepest = 64, .what = "answer"});
  if (!json) return other_shape(fmt::format("not JSON ({})", json.error().message), url);
  if (!json->is_object()) return other_shape("not a JSON object", url);
  return std::move(*json);
}

std::vector<std::string> linked_names(std::string_view html) {
  std::vector<std::string> names;
  constexpr std::string_view tag = "<a ";
  // Each byte is passed once, whatever the page is made of: a tag ends before the next one is looked for.
  std::size_t end_of_tag = 0;
  for (auto begin = html.find(tag); begin != std::string_view::npos; begin = html.find(tag, end_of_tag)) {
    end_of_tag = html.find('>', begin);
    if (end_of_tag == std::string_view::npos) break;
    const auto attributes = html.substr(begin, end_of_tag - begin);
    const auto href = attributes.find("href=");
    if (href == std::string_view::npos || href + 6 >= attributes.size()) continue;
    const char quote = attributes[href + 5];
    if (quote != '"' && quote != '\'') continue;
    const auto end = attributes.find(quote, href + 6);
    if (end == std::string_view::npos) continue;
    auto name = percent_decoded(last_step(attributes.substr(href + 6, end - href - 6)));
    if (is_plain(name)) names.push_back(std::move(name));
  }
  return names;
}

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  while (true) {
    const auto end = text.find(at);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::string text_in(const Json& object, std::string_view member) {
  const auto found = object.find(std::string(member));
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

bool has_row(const matrix::Documents& known, const matrix::Table& table, std::string_view field, const std::string& value) {
  const auto& rows = known.rows(table);
  return std::any_of(rows.begin(), rows.end(), [&](const auto& row) { return text_in(*row.value, field) == value; });
}

}  // namespace envgen::update
