#include "net/transfer.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "net/content_range.hpp"

namespace envgen::net {
namespace {

constexpr long most_redirects = 10;
constexpr std::size_t longest_header = 8192;
constexpr std::int64_t longest_pause = 31'536'000;  // seconds; what is longer is no request to wait

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return result;
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

std::string size_text(std::uint64_t bytes) {
  if (bytes >= (std::uint64_t{1} << 20) && bytes % (std::uint64_t{1} << 20) == 0) return fmt::format("{} MiB", bytes >> 20);
  return fmt::format("{} bytes", bytes);
}

bool is_encrypted(std::string_view url) { return lower(url.substr(0, 6)) == "https:"; }

Error network(std::string message, const std::string& url, std::vector<std::string> hints = {}) {
  return {ErrorCode::network, std::move(message), url, std::move(hints)};
}

}  // namespace

Transfer::Transfer(const CurlLibrary& curl, const HttpOptions& options, const Request& request, const std::optional<Kept>& kept)
    : curl_(curl), request_(request), kept_(kept), handle_(curl.easy_init()) {
  set_options(options);
}

Transfer::~Transfer() {
  curl_.easy_cleanup(handle_);
  curl_.slist_free_all(headers_);
}

void Transfer::set_options(const HttpOptions& options) {
  const auto set = [&](CURLoption option, auto value) { curl_.easy_setopt(handle_, option, value); };
  const auto header = [&](const std::string& line) { headers_ = curl_.slist_append(headers_, line.c_str()); };
  set(CURLOPT_URL, request_.url.c_str());
  set(CURLOPT_NOSIGNAL, 1L);
  set(CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_2TLS));
  set(CURLOPT_PIPEWAIT, 1L);
  set(CURLOPT_USERAGENT, "envgen");
  set(CURLOPT_NETRC, static_cast<long>(CURL_NETRC_OPTIONAL));
  // What began encrypted goes on encrypted, and nothing leads to a file of this machine.
  const bool encrypted = is_encrypted(request_.url);
  set(CURLOPT_PROTOCOLS, static_cast<long>(CURLPROTO_HTTP | CURLPROTO_HTTPS));
  set(CURLOPT_REDIR_PROTOCOLS, static_cast<long>(encrypted ? CURLPROTO_HTTPS : CURLPROTO_HTTP | CURLPROTO_HTTPS));
  set(CURLOPT_FOLLOWLOCATION, 1L);
  set(CURLOPT_MAXREDIRS, most_redirects);
  set(CURLOPT_CONNECTTIMEOUT, static_cast<long>(options.connect_timeout.count()));
  set(CURLOPT_LOW_SPEED_LIMIT, 100L);
  set(CURLOPT_LOW_SPEED_TIME, static_cast<long>(options.stalled_timeout.count()));
  set(CURLOPT_TIMEOUT, static_cast<long>(options.total_timeout.count()));
  set(CURLOPT_MAXFILESIZE_LARGE, static_cast<curl_off_t>(request_.most_bytes));
  if (!options.ca_bundle.empty()) set(CURLOPT_CAINFO, options.ca_bundle.c_str());
  if (!options.proxy.empty()) set(CURLOPT_PROXY, options.proxy.c_str());
  header("Accept: " + request_.accept);
  if (const auto& range = request_.range) {
    header(fmt::format("Range: bytes={}-{}", range->first ? std::to_string(*range->first) : "", range->last));
  } else {
    set(CURLOPT_ACCEPT_ENCODING, "");
  }
  if (kept_) {
    if (!kept_->etag.empty()) header("If-None-Match: " + kept_->etag);
    if (!kept_->last_modified.empty()) header("If-Modified-Since: " + kept_->last_modified);
  }
  set(CURLOPT_HTTPHEADER, headers_);
  set(CURLOPT_WRITEFUNCTION, &Transfer::on_body);
  set(CURLOPT_WRITEDATA, this);
  set(CURLOPT_HEADERFUNCTION, &Transfer::on_header);
  set(CURLOPT_HEADERDATA, this);
}

std::size_t Transfer::on_body(char* bytes, std::size_t size, std::size_t count, void* self) {
  auto& transfer = *static_cast<Transfer*>(self);
  const auto length = size * count;
  if (length > transfer.request_.most_bytes - transfer.body_.size()) {
    transfer.too_large_ = true;
    return 0;
  }
  transfer.body_.append(bytes, length);
  return length;
}

std::size_t Transfer::on_header(char* bytes, std::size_t size, std::size_t count, void* self) {
  auto& transfer = *static_cast<Transfer*>(self);
  const std::string_view line(bytes, size * count);
  transfer.downgraded_ = transfer.is_downgrade(line);
  if (transfer.downgraded_) return 0;
  transfer.take_header(line);
  return line.size();
}

bool Transfer::is_downgrade(std::string_view line) const {
  // CURLOPT_REDIR_PROTOCOLS goes by where the request began; a chain that began at http may be at https by now.
  constexpr std::string_view name = "location:";
  constexpr int redirect = 3;
  if (lower(line.substr(0, name.size())) != name || status() / 100 != redirect || !is_encrypted(url_at_the_end())) return false;
  return lower(trimmed(line.substr(name.size())).substr(0, 5)) == "http:";
}

void Transfer::take_header(std::string_view line) {
  if (line.starts_with("HTTP/")) {  // of the next answer, after a redirect
    etag_.clear();
    last_modified_.clear();
    content_type_.clear();
    content_range_.clear();
    retry_after_.reset();
    body_.clear();
    return;
  }
  const auto colon = line.find(':');
  if (colon == std::string_view::npos || line.size() > longest_header) return;
  const auto name = lower(line.substr(0, colon));
  const auto value = trimmed(line.substr(colon + 1));
  if (name == "etag") etag_ = value;
  if (name == "last-modified") last_modified_ = value;
  if (name == "content-type") content_type_ = value;
  if (name == "content-range") content_range_ = value;
  if (name == "retry-after") {
    std::int64_t seconds = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), seconds);
    if (error == std::errc() && end == value.data() + value.size() && seconds >= 0)
      retry_after_ = std::chrono::seconds(std::min(seconds, longest_pause));
  }
}

int Transfer::status() const {
  long status = 0;
  curl_.easy_getinfo(handle_, CURLINFO_RESPONSE_CODE, &status);
  return static_cast<int>(status);
}

std::uint64_t Transfer::bytes() const {
  curl_off_t body = 0;
  long headers = 0;
  curl_.easy_getinfo(handle_, CURLINFO_SIZE_DOWNLOAD_T, &body);
  curl_.easy_getinfo(handle_, CURLINFO_HEADER_SIZE, &headers);
  return static_cast<std::uint64_t>(body) + static_cast<std::uint64_t>(headers);
}

std::string Transfer::url_at_the_end() const {
  const char* url = nullptr;
  curl_.easy_getinfo(handle_, CURLINFO_EFFECTIVE_URL, &url);
  return url != nullptr ? url : request_.url;
}

bool Transfer::worth_another(CURLcode code) const {
  switch (code) {
    case CURLE_OK: {
      constexpr std::array passing{408, 429, 500, 502, 503, 504};
      return std::find(passing.begin(), passing.end(), status()) != passing.end();
    }
    case CURLE_OPERATION_TIMEDOUT:
    case CURLE_GOT_NOTHING:
    case CURLE_PARTIAL_FILE:
    case CURLE_RECV_ERROR:
    case CURLE_SEND_ERROR:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM:
      return true;
    default:
      return false;
  }
}

bool Transfer::unreached(CURLcode code) const {
  if (code == CURLE_COULDNT_RESOLVE_HOST || code == CURLE_COULDNT_RESOLVE_PROXY || code == CURLE_COULDNT_CONNECT) return true;
  long sent = 0;
  curl_.easy_getinfo(handle_, CURLINFO_REQUEST_SIZE, &sent);
  return code == CURLE_OPERATION_TIMEDOUT && sent == 0;
}

Expected<Kept> Transfer::outcome(CURLcode code) const {
  if (code != CURLE_OK) return tl::unexpected(failed(code));
  const int got = status();
  if (got == 304) {
    if (kept_) return *kept_;
    return tl::unexpected(network("the server reports no change, but there is no local copy", request_.url));
  }
  if (got == 404 || got == 410 || got == 200 || got == 206) return received();
  return tl::unexpected(refused(got));
}

Expected<Kept> Transfer::received() const {
  Kept kept;
  kept.etag = etag_;
  kept.last_modified = last_modified_;
  kept.reply.status = status();
  kept.reply.content_type = content_type_;
  kept.reply.final_url = url_at_the_end();
  if (kept.reply.status == 206) {
    if (!request_.range)
      return tl::unexpected(network("the server sent part of the file, but all of it was requested", request_.url));
    const auto sent = ContentRange::parse(content_range_);
    if (!sent || !sent->answers(*request_.range) || sent->length() != body_.size())
      return tl::unexpected(network("the server sent a different part of the file than requested", request_.url));
    kept.reply.whole_size = sent->whole;
  } else if (kept.reply.status == 200 && request_.range) {
    return tl::unexpected(network("the server does not support HTTP range requests", request_.url));
  }
  kept.reply.body = body_;
  return kept;
}

Error Transfer::refused(int status) const {
  if (status == 401 || status == 403)
    return network(fmt::format("the server denied access (HTTP {})", status), request_.url,
                   {"put a login in ~/.netrc, or in the URL that pip is configured with"});
  if (status == 407)
    return network("the proxy requires authentication (HTTP 407)", request_.url, {"https_proxy=http://USER:PASSWORD@HOST:PORT"});
  if (status == 429)
    return network("the server limits the request rate (HTTP 429)", request_.url,
                   {retry_after_ ? fmt::format("run the command again after {} s, as the server asks", retry_after_->count())
                                 : std::string("wait, then run the command again")});
  if (status >= 500) return network(fmt::format("the server failed (HTTP {})", status), request_.url, {"try again later"});
  return network(fmt::format("the server answered with HTTP {}", status), request_.url);
}

/// libcurl calls an answer without a status line the "unsupported protocol" HTTP/0.9.
bool Transfer::answered_in_other_words() const { return status() == 0 && lower(request_.url.substr(0, 4)) == "http"; }

Error Transfer::failed(CURLcode code) const {
  const auto& url = request_.url;
  const std::vector<std::string> reach{"check the network; behind a proxy, set https_proxy",
                                       "--offline uses the copies fetched earlier"};
  // More than 100 KB of headers are CURLE_TOO_LARGE (100) since libcurl 8.6, and were this before.
  if (code == CURLE_OUT_OF_MEMORY || static_cast<int>(code) == 100) return network("the response headers are too large", url);
  switch (code) {
    case CURLE_COULDNT_RESOLVE_HOST:
      return network("cannot resolve the host name", url, reach);
    case CURLE_COULDNT_RESOLVE_PROXY:
      return network("cannot resolve the proxy's host name", url, {"check https_proxy and http_proxy"});
    case CURLE_COULDNT_CONNECT:
      return network("cannot connect", url, reach);
    case CURLE_OPERATION_TIMEDOUT:
      if (unreached(code)) return network("no connection could be made in time", url, reach);
      return network("the server timed out, or sent fewer than 100 bytes per second", url, reach);
    case CURLE_GOT_NOTHING:
      return network("the server closed the connection without a response", url);
    case CURLE_PARTIAL_FILE:
      return network(fmt::format("the response ended early, after {} bytes", body_.size()), url);
    case CURLE_RECV_ERROR:
    case CURLE_SEND_ERROR:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM:
      return network("the connection was interrupted", url);
    case CURLE_PEER_FAILED_VERIFICATION:
      return network("the server's TLS certificate is not trusted", url,
                     {"behind a proxy that inspects TLS, set its CA: export SSL_CERT_FILE=FILE"});
    case CURLE_SSL_CACERT_BADFILE:
      return network("cannot read the CA bundle", url, {"check CURL_CA_BUNDLE, SSL_CERT_FILE and PIP_CERT"});
    case CURLE_SSL_CONNECT_ERROR:
      return network("the server does not speak TLS", url,
                     {"check the port, and whether the URL should start with http:// or https://"});
    case CURLE_TOO_MANY_REDIRECTS:
      return network(fmt::format("more than {} redirects", most_redirects), url);
    case CURLE_UNSUPPORTED_PROTOCOL:
      if (answered_in_other_words()) return failed(CURLE_WEIRD_SERVER_REPLY);
      return network(is_encrypted(url) ? "only https is read from here on, and this leads elsewhere"
                                       : "only http and https are read, and this leads elsewhere",
                     url);
    case CURLE_URL_MALFORMAT:
      return network("this is not a URL", url);
    case CURLE_FILESIZE_EXCEEDED:
      return network(fmt::format("the response exceeds its limit of {}", size_text(request_.most_bytes)), url);
    case CURLE_WRITE_ERROR:
      if (downgraded_) return network("it is redirected from https to http, which is not followed", url);
      if (too_large_) return failed(CURLE_FILESIZE_EXCEEDED);
      return network("the answer's compression or framing is damaged", url);
    case CURLE_BAD_CONTENT_ENCODING:
      return network("the answer's compression or framing is damaged", url);
    case CURLE_WEIRD_SERVER_REPLY:
      return network("the response is not HTTP", url);
    default:
      return network(fmt::format("libcurl: {}", curl_.easy_strerror(code)), url);
  }
}

}  // namespace envgen::net
