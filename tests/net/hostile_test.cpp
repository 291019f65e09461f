#include <arpa/inet.h>
#include <sys/socket.h>

#include <array>
#include <filesystem>

#include "hostile_server.hpp"
#include "model/printable.hpp"
#include "util/descriptor.hpp"

namespace envgen::net {
namespace {

using Hostile = test::HostileServer;

struct Case {
  const char* path;
  const char* message;
};

TEST_F(Hostile, EachAnswerIsRefusedForWhatItIs) {
  constexpr Case cases[] = {
      {"/login", "the server denied access (HTTP 401)"},
      {"/forbidden", "the server denied access (HTTP 403)"},
      {"/proxy-login", "the proxy requires authentication (HTTP 407)"},
      {"/teapot", "the server answered with HTTP 418"},
      {"/short", "the response ended early, after 4 bytes, 4 times"},
      {"/broken", "the server failed (HTTP 500), 4 times"},
      {"/unavailable", "the server failed (HTTP 503)"},
      {"/limited", "the server limits the request rate (HTTP 429)"},
      {"/loop", "more than 10 redirects"},
      {"/to-file", "only http and https are read, and this leads elsewhere"},
      {"/bomb", "the response exceeds its limit of 1 MiB"},
      {"/endless", "the response exceeds its limit of 1 MiB"},
      {"/ten-gigabytes", "the response exceeds its limit of 1 MiB"},
      {"/damaged-gzip", "the answer's compression or framing is damaged"},
      {"/negative", "the response is not HTTP"},
      {"/not-http", "the response is not HTTP"},
      {"/nul-header", "the response is not HTTP"},
      {"/closed", "the server closed the connection without a response, 4 times"},
      {"/large-headers", "the response headers are too large"},
      {"/bad-chunks", "the connection was interrupted, 4 times"},
      {"/cut-chunks", "the response ended early, after 4 bytes, 4 times"},
      {"/unasked-part", "the server sent part of the file, but all of it was requested"},
      {"/unasked-304", "the server reports no change, but there is no local copy"},
  };
  for (const auto& [path, message] : cases) {
    const auto reply = ask({.url = url(path), .most_bytes = 1 << 20});
    ASSERT_FALSE(reply) << path << ": " << reply->body.size();
    EXPECT_EQ(reply.error().message, message) << path;
    EXPECT_EQ(reply.error().origin, url(path));
    EXPECT_EQ(reply.error().code, ErrorCode::network);
  }
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "cache")) << "what is wrong is not kept";
}

TEST_F(Hostile, WhatDripsIsGivenUp) {
  auto quick = options();
  quick.tries = 1;
  quick.stalled_timeout = std::chrono::seconds(1);
  const auto reply = ask(quick, {url("/slow")});
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().message, "the server timed out, or sent fewer than 100 bytes per second");
}

TEST_F(Hostile, NobodyAnswers) {
  auto reply = ask({nobodys_url()});
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().message, "cannot connect, 4 times");
  EXPECT_EQ(reply.error().hints, (std::vector<std::string>{"check the network; behind a proxy, set https_proxy",
                                                           "--offline uses the copies fetched earlier"}));
  auto through = options();
  through.proxy = nobodys_url();
  reply = ask(through, {"http://example.invalid/"});
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().message, "cannot connect, 4 times");
  reply = ask({"file:///etc/passwd"});
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().message, "only http and https are read, and this leads elsewhere");
  reply = ask({"http://"});
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().message, "this is not a URL");
}

TEST_F(Hostile, TlsIsVerified) {
  auto reply = ask({tls_url("/good")});
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().message, "the server's TLS certificate is not trusted");
  EXPECT_EQ(reply.error().hints,
            (std::vector<std::string>{"behind a proxy that inspects TLS, set its CA: export SSL_CERT_FILE=FILE"}));
  auto trusting = options();
  trusting.ca_bundle = certificate();
  reply = ask(trusting, {tls_url("/good")});
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->body, "facts");
  reply = ask(trusting, {tls_url("/to-file")});
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().message, "only https is read from here on, and this leads elsewhere");
  trusting.ca_bundle = "/no/such/bundle.pem";
  reply = ask(trusting, {tls_url("/good")});
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().message, "cannot read the CA bundle");
  auto plain = url("/good");
  reply = ask({plain.replace(0, 4, "https")});
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().message, "the server does not speak TLS");
}

TEST_F(Hostile, WhatIsEncryptedIsNotRedirectedToWhatIsNot) {
  auto trusting = options();
  trusting.ca_bundle = certificate();
  for (const auto& url : {tls_url("/to-http"), url("/there-and-back")}) {
    const auto reply = ask(trusting, {url});
    ASSERT_FALSE(reply) << url << ": " << reply->body;
    EXPECT_EQ(reply.error().message, "it is redirected from https to http, which is not followed");
    EXPECT_EQ(reply.error().origin, url);
    EXPECT_EQ(reply.error().code, ErrorCode::network);
  }
  EXPECT_EQ(asked("/to-http"), "2") << "a refusal is not tried again";
  EXPECT_EQ(asked("/unencrypted"), "0");
  const auto better = ask(trusting, {url("/to-https")});
  ASSERT_TRUE(better) << better.error().message;
  EXPECT_EQ(better->final_url, tls_url("/good"));
  EXPECT_TRUE(ask(trusting, {tls_url("/with-location")})) << "which is no redirect";
}

/// All of them are dead where the network is: each is then asked once, and not for long.
TEST_F(Hostile, WhoWasNotReachedIsNotAskedAsOftenAgain) {
  const auto client = http_client(options()).value();
  const auto asked = [&](const std::string& url) {
    const Request request{url};
    const auto before = client->traffic().requests;
    const auto reply = std::move(client->get(std::span(&request, 1)).front());
    return fmt::format("{} {}", client->traffic().requests - before, reply ? reply->body : reply.error().message);
  };
  const auto same = nobodys_url();
  auto other = same;
  other.replace(other.find("127.0.0.1"), 9, "127.0.0.2");
  EXPECT_EQ(asked(same), "4 cannot connect, 4 times");
  EXPECT_EQ(asked(same + "page"), "1 cannot connect");
  EXPECT_EQ(asked(other), "1 cannot connect") << "nobody was reached, so this may be the network";
  EXPECT_EQ(asked(url("/good")), "1 facts");
  other.replace(other.find("127.0.0.2"), 9, "127.0.0.3");
  EXPECT_EQ(asked(other), "4 cannot connect, 4 times") << "there is a network";
  EXPECT_EQ(asked(same), "1 cannot connect");
  EXPECT_EQ(asked(url("/broken")), "4 the server failed (HTTP 500), 4 times");
}

/// A port whose queue is full, so that what asks for a connection is dropped.
class Silence {
 public:
  Silence() {
    address_.sin_family = AF_INET;
    address_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address_);
    auto* address =
        reinterpret_cast<sockaddr*>(&address_);  // NOLINT(cppcoreguidelines-pro-type-reinterpret-cast): as sockets have it
    EXPECT_EQ(::bind(sockets_.front().get(), address, size), 0);
    EXPECT_EQ(::getsockname(sockets_.front().get(), address, &size), 0);
    EXPECT_EQ(::listen(sockets_.front().get(), 0), 0);
    for (std::size_t i = 1; i < sockets_.size(); ++i) (void)::connect(sockets_[i].get(), address, size);
  }
  std::string url() const { return fmt::format("http://127.0.0.1:{}/", ntohs(address_.sin_port)); }

 private:
  static util::Descriptor opened() { return util::Descriptor(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)); }
  std::array<util::Descriptor, 4> sockets_{opened(), opened(), opened(), opened()};
  sockaddr_in address_{};
};

TEST_F(Hostile, WhoTakesNoConnectionIsNotWaitedForTwice) {
  const Silence silence;
  auto patient = options();
  patient.connect_timeout = std::chrono::seconds(1);
  auto reply = ask(patient, {silence.url()});
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().message, "no connection could be made in time");
  EXPECT_EQ(reply.error().hints.front(), "check the network; behind a proxy, set https_proxy");
  patient.connect_timeout = std::chrono::seconds(20);
  patient.total_timeout = std::chrono::seconds(60);
  const auto client = http_client(patient).value();
  const std::array<Request, 2> requests{Request{nobodys_url()}, Request{silence.url()}};
  ASSERT_FALSE(client->get(std::span(requests).first(1)).front());
  const auto began = std::chrono::steady_clock::now();
  ASSERT_FALSE(client->get(std::span(requests).last(1)).front());
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(10)) << "where nobody else was reached";
}

TEST_F(Hostile, RangesAreHeldToWhatWasAsked) {
  const Request middle{.url = url("/range"), .range = Range{100, 199}};
  const auto part = ask(middle);
  ASSERT_TRUE(part) << part.error().message;
  EXPECT_EQ(part->body.size(), 100U);
  EXPECT_EQ(part->whole_size, 256U * 400U);
  for (const auto* path : {"/other-range", "/range-of-nothing"}) {
    const auto reply = ask({.url = url(path), .range = Range{100, 199}});
    ASSERT_FALSE(reply) << path;
    EXPECT_EQ(reply.error().message, "the server sent a different part of the file than requested");
  }
  const auto whole = ask({.url = url("/no-range"), .range = Range{100, 199}});
  ASSERT_FALSE(whole);
  EXPECT_EQ(whole.error().message, "the server does not support HTTP range requests");
}

TEST_F(Hostile, WhoAsksForADayIsNotWaitedFor) {
  const auto reply = ask({url("/limited")});
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().hints, std::vector<std::string>{"run the command again after 99999 s, as the server asks"});
  EXPECT_EQ(asked("/limited"), "1");
  auto patient = options();
  patient.longest_delay = std::chrono::seconds(2);
  const auto began = std::chrono::steady_clock::now();
  const auto later = ask(patient, {url("/soon")});
  ASSERT_TRUE(later) << later.error().message;
  EXPECT_GE(std::chrono::steady_clock::now() - began, std::chrono::seconds(1));
}

TEST_F(Hostile, WhatPassesIsTriedAgain) {
  const auto reply = ask({url("/recovers")});
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->body, "well again");
  EXPECT_EQ(asked("/recovers"), "3");
}

TEST_F(Hostile, ALoginIsNotShown) {
  const auto shown = without_secrets(ask({.url = fmt::format("http://me:secret@{}", url("/login").substr(7))}).error().origin);
  EXPECT_EQ(shown.find("secret"), std::string::npos);
}

}  // namespace
}  // namespace envgen::net
