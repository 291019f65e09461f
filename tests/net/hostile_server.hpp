#pragma once

#include <chrono>
#include <sstream>
#include <string>
#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "net/http_client.hpp"
#include "support/running_tool.hpp"
#include "support/temporary_folder.hpp"

namespace envgen::test {

/// A server whose answers are wrong in as many ways as it has paths (hostile_server.py), and clients that ask it again without
/// waiting long.
class HostileServer : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (ports_.empty() && std::chrono::steady_clock::now() < until) {
      if (const auto said = server_.out(); said.ends_with('\n')) ports_ = said;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    std::istringstream(ports_) >> http_ >> https_ >> nobody_;
    ASSERT_NE(nobody_, 0) << "the server does not start: " << server_.err();
  }

  std::string url(std::string_view path) const { return fmt::format("http://127.0.0.1:{}{}", http_, path); }
  std::string tls_url(std::string_view path) const { return fmt::format("https://127.0.0.1:{}{}", https_, path); }
  std::string nobodys_url() const { return fmt::format("http://127.0.0.1:{}/", nobody_); }
  std::string certificate() const { return (folder_.path() / "certificate.pem").string(); }

  net::HttpOptions options() const {
    net::HttpOptions result;
    result.cache = folder_.path() / "cache";
    result.first_delay = std::chrono::milliseconds(1);
    result.longest_delay = std::chrono::milliseconds(4);
    result.stalled_timeout = std::chrono::seconds(10);
    result.total_timeout = std::chrono::seconds(30);
    return result;
  }
  static Expected<net::Reply> ask(const net::HttpOptions& options, const net::Request& request) {
    auto client = net::http_client(options);
    if (!client) return tl::unexpected(client.error());
    return std::move((*client)->get(std::span(&request, 1)).front());
  }
  Expected<net::Reply> ask(const net::Request& request) const { return ask(options(), request); }
  /// How often the server was asked for a path.
  std::string asked(std::string_view path) const { return ask(net::Request{url(fmt::format("/count{}", path))}).value().body; }

  TemporaryFolder folder_;

 private:
  RunningTool server_{{"/usr/bin/env", "python3", ENVGEN_HOSTILE_SERVER, folder_.path().string()}, folder_.path()};
  std::string ports_;
  int http_ = 0;
  int https_ = 0;
  int nobody_ = 0;
};

}  // namespace envgen::test
