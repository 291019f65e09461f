#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "net/client.hpp"

namespace envgen::net {

/// How the network is used. What is not said here libcurl takes from the environment: https_proxy, http_proxy and no_proxy, and
/// the logins in ~/.netrc.
struct HttpOptions {
  std::optional<std::filesystem::path> cache;  ///< where replies are kept; none: nowhere
  bool offline = false;                        ///< only what is in the cache
  std::string ca_bundle;                       ///< a PEM file of the certificates to trust; empty: those of this system
  std::string proxy;                           ///< empty: that of the environment
  std::string library;                         ///< libcurl's file name; empty: the one that this machine has

  unsigned tries = 4;                               ///< of each request, where another one may succeed
  std::chrono::milliseconds first_delay{500};       ///< before the second try; it doubles with each, give or take a half
  std::chrono::milliseconds longest_delay{60'000};  ///< a server that asks for more (Retry-After) is not asked again
  std::chrono::seconds connect_timeout{10};
  std::chrono::seconds stalled_timeout{20};  ///< for as long fewer than 100 bytes a second came
  std::chrono::seconds total_timeout{600};
};

/// The file that CURL_CA_BUNDLE, SSL_CERT_FILE or PIP_CERT names, the first of them that is set; else empty.
std::string ca_bundle_of_environment();

/// A client by libcurl. Errors (missing): there is no usable libcurl; offline it is not needed.
Expected<std::unique_ptr<Client>> http_client(HttpOptions options);

}  // namespace envgen::net
