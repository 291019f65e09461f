#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/error.hpp"

namespace envgen::net {

/// Bytes `first` to `last` of a resource, both included (RFC 9110, 14.1.2). Without `first`: the last `last` bytes of it.
struct Range {
  std::optional<std::uint64_t> first;
  std::uint64_t last = 0;
};

/// One GET.
struct Request {
  std::string url;
  std::string accept = "*/*";                          ///< the media types that can be read
  std::optional<Range> range = {};                     ///< a part of the resource
  std::uint64_t most_bytes = std::uint64_t{64} << 20;  ///< a longer body is an error, whatever length was announced
  bool immutable = false;                              ///< never changes (a wheel): a copy in the cache is used without asking
};

/// What a server said. A status of 400 or more other than 404 and 410 is an error and not a Reply.
struct Reply {
  int status = 200;  ///< 200, 206, 404 or 410
  std::string body;
  std::string content_type;
  std::string final_url;                    ///< after redirects; what links in the body are relative to
  std::optional<std::uint64_t> whole_size;  ///< bytes of the whole resource, where a range was asked for
  bool from_cache = false;  ///< the server confirmed that the copy here is current, or was not asked (`--offline`)
};

/// What a client did, for the summary that `matrix update` prints.
struct Traffic {
  std::uint64_t requests = 0;   ///< sent, retries included
  std::uint64_t unchanged = 0;  ///< of these, answered by 304
  std::uint64_t bytes = 0;      ///< received, bodies and headers
};

/// Fetches over HTTP(S). What reads a source sees only this, so that a test gives it a map of answers instead.
class Client {
 public:
  Client() = default;
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  virtual ~Client() = default;

  /// All of them, several at once; the replies stand in the order of the requests.
  /// Errors (network): each with the URL as its origin, the cause in words, and how to fix it.
  virtual std::vector<Expected<Reply>> get(std::span<const Request> requests) = 0;
  virtual Traffic traffic() const = 0;
};

}  // namespace envgen::net
