#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "net/cache.hpp"
#include "net/curl_library.hpp"
#include "net/http_client.hpp"

namespace envgen::net {

/// One try of one request: a handle of libcurl and what comes in through it.
class Transfer {
 public:
  Transfer(const CurlLibrary& curl, const HttpOptions& options, const Request& request, const std::optional<Kept>& kept);
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;
  ~Transfer();

  CURL* handle() const { return handle_; }

  /// What came of it, once libcurl has ended it with `code`. A 304 gives the kept reply.
  Expected<Kept> outcome(CURLcode code) const;
  /// Whether another try may succeed, of a host that was reached.
  bool worth_another(CURLcode code) const;
  /// Whether the host was not reached at all: it has no address, takes no connection, or let the time for it pass.
  bool unreached(CURLcode code) const;
  /// What Retry-After asks for, where it is a number of seconds.
  std::optional<std::chrono::seconds> retry_after() const { return retry_after_; }
  bool unchanged() const { return status() == 304; }
  std::uint64_t bytes() const;

 private:
  static std::size_t on_body(char* bytes, std::size_t size, std::size_t count, void* self);
  static std::size_t on_header(char* bytes, std::size_t size, std::size_t count, void* self);
  void set_options(const HttpOptions& options);
  void take_header(std::string_view line);
  /// Whether this is a redirect from https to http, where nothing is encrypted any more.
  bool is_downgrade(std::string_view line) const;
  int status() const;
  std::string url_at_the_end() const;
  bool answered_in_other_words() const;
  Expected<Kept> received() const;
  Error failed(CURLcode code) const;
  Error refused(int status) const;

  const CurlLibrary& curl_;
  const Request& request_;
  const std::optional<Kept>& kept_;
  CURL* handle_;
  curl_slist* headers_ = nullptr;
  std::string body_;
  bool too_large_ = false;
  bool downgraded_ = false;
  std::string etag_, last_modified_, content_type_, content_range_;
  std::optional<std::chrono::seconds> retry_after_;
};

}  // namespace envgen::net
