#include <fstream>

#include "hostile_server.hpp"
#include "net/cache.hpp"
#include "net/content_range.hpp"
#include "net/curl_library.hpp"
#include "net/ranged_source.hpp"

namespace envgen::net {
namespace {

using HttpClient = test::HostileServer;

TEST_F(HttpClient, KeepsTheOrderOfWhatItIsAsked) {
  std::vector<Request> requests;
  for (int i = 0; i < 40; ++i) requests.push_back({url(i % 2 == 0 ? "/good" : "/missing")});
  auto client = http_client(options()).value();
  const auto replies = client->get(requests);
  ASSERT_EQ(replies.size(), 40U);
  for (std::size_t i = 0; i < replies.size(); ++i) {
    ASSERT_TRUE(replies[i]);
    EXPECT_EQ(replies[i]->status, i % 2 == 0 ? 200 : 404);
    EXPECT_EQ(replies[i]->body, i % 2 == 0 ? "facts" : "none");
  }
  EXPECT_EQ(client->traffic().requests, 40U);
  EXPECT_EQ(client->get({}).size(), 0U);
}

TEST_F(HttpClient, FollowsRedirectsAndSaysWhereTheyEnd) {
  const auto reply = ask({url("/to-good")});
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->body, "facts") << "the body of the redirect is no part of it";
  EXPECT_EQ(reply->final_url, url("/good"));
  EXPECT_EQ(reply->content_type, "text/plain");
}

TEST_F(HttpClient, AsksWhetherACopyIsCurrent) {
  auto first = http_client(options()).value();
  const Request request{url("/conditional")};
  ASSERT_TRUE(first->get(std::span(&request, 1)).front());
  EXPECT_EQ(first->traffic().unchanged, 0U);
  const auto once = first->traffic().bytes;
  auto second = http_client(options()).value();
  const auto reply = second->get(std::span(&request, 1)).front();
  ASSERT_TRUE(reply);
  EXPECT_TRUE(reply->from_cache);
  EXPECT_EQ(reply->body.size(), 5000U);
  EXPECT_EQ(reply->content_type, "text/plain");
  EXPECT_EQ(second->traffic().unchanged, 1U);
  EXPECT_LT(second->traffic().bytes, once / 20);
}

TEST_F(HttpClient, AsksNotAtAllForWhatNeverChanges) {
  const Request request{.url = url("/good"), .immutable = true};
  ASSERT_TRUE(ask(request));
  auto again = http_client(options()).value();
  EXPECT_TRUE(again->get(std::span(&request, 1)).front()->from_cache);
  EXPECT_EQ(again->traffic().requests, 0U);
}

TEST_F(HttpClient, OfflineUsesCopiesAlone) {
  ASSERT_TRUE(ask({url("/good")}));
  auto offline = options();
  offline.offline = true;
  offline.library = "no-such-libcurl.so";  // is not needed then
  const auto kept = ask(offline, {url("/good")});
  ASSERT_TRUE(kept);
  EXPECT_EQ(kept->body, "facts");
  const auto never = ask(offline, {url("/conditional")});
  ASSERT_FALSE(never);
  EXPECT_EQ(never.error().message, "never fetched, so there is no copy to use offline");
  EXPECT_EQ(never.error().hints, std::vector<std::string>{"run the command once without --offline"});
}

TEST_F(HttpClient, ADamagedCopyIsFetchedAgain) {
  ASSERT_TRUE(ask({.url = url("/conditional"), .immutable = true}));
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_.path() / "cache")) {
    if (entry.is_regular_file()) std::ofstream(entry.path(), std::ios::app) << "more";
  }
  const auto reply = ask({.url = url("/conditional"), .immutable = true});
  ASSERT_TRUE(reply);
  EXPECT_FALSE(reply->from_cache);
  EXPECT_EQ(reply->body.size(), 5000U);
}

TEST_F(HttpClient, WithoutAPlaceForCopiesItJustFetches) {
  auto nowhere = options();
  nowhere.cache = "/proc/no/such/place";
  ASSERT_TRUE(ask(nowhere, {url("/good")}));
  nowhere.cache.reset();
  ASSERT_TRUE(ask(nowhere, {url("/good")}));
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "cache"));
}

TEST_F(HttpClient, ReadsWhatHoldsAnyByte) {
  const auto reply = ask({url("/nul")});
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->body, std::string("a\0b", 3));
}

TEST_F(HttpClient, ReadsAFileByItsParts) {
  auto client = http_client(options()).value();
  const auto source = RangedSource::open(*client, url("/range"), 1000);
  ASSERT_TRUE(source) << source.error().message;
  EXPECT_EQ((*source)->size(), 102'400U);
  std::array<std::byte, 4> bytes{};
  ASSERT_TRUE((*source)->read(102'396, bytes));
  EXPECT_EQ(bytes[3], std::byte{255});
  EXPECT_EQ(client->traffic().requests, 1U) << "the end is there already";
  ASSERT_TRUE((*source)->read(256, bytes));
  EXPECT_EQ(bytes[2], std::byte{2});
  EXPECT_EQ(client->traffic().requests, 2U);
  std::vector<std::byte> piece(1000);
  for (std::uint64_t at = 260; at < 40'000; at += piece.size()) {
    ASSERT_TRUE((*source)->read(at, piece));
    ASSERT_EQ(piece[0], static_cast<std::byte>(at % 256)) << at;
    ASSERT_EQ(piece[999], static_cast<std::byte>((at + 999) % 256)) << at;
  }
  EXPECT_LT(client->traffic().requests, 10U) << "who reads on is given more at once";
  ASSERT_TRUE((*source)->read(100, bytes)) << "and back";
  EXPECT_EQ(bytes[0], std::byte{100});
  ASSERT_TRUE((*source)->read(102'398, std::span(bytes).first(2)));
  EXPECT_TRUE((*source)->read(102'400, std::span(bytes).first(0)));
  const auto past = (*source)->read(102'398, bytes);
  ASSERT_FALSE(past);
  EXPECT_EQ(past.error().message, "4 bytes at 102398 extend past its end at 102400");
  EXPECT_EQ(past.error().origin, url("/range"));
  const auto none = RangedSource::open(*client, url("/missing"));
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().message, "no such file (HTTP 404)");
}

TEST_F(HttpClient, AFileThatShrinksWhileItIsReadIsAnError) {
  auto client = http_client(options()).value();
  const auto source = RangedSource::open(*client, url("/shrinking"), 1000);
  ASSERT_TRUE(source) << source.error().message;
  std::vector<std::byte> piece(1000);
  const auto read = (*source)->read(50'000, piece);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().message, "the file changed while it was being read");
  EXPECT_EQ(read.error().code, ErrorCode::network);
}

TEST(CurlLibrary, ThatIsMissingIsNamedWithItsPackage) {
  HttpOptions options;
  options.library = "no-such-libcurl.so";
  const auto client = http_client(options);
  ASSERT_FALSE(client);
  EXPECT_EQ(client.error().code, ErrorCode::missing);
  EXPECT_EQ(client.error().message, "libcurl, which network access needs, is not installed");
  EXPECT_EQ(client.error().hints.front(), "Debian, Ubuntu: apt-get install libcurl4");
  const auto other = curl_library("libm.so.6");
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().message, "this libcurl has no function curl_global_init");
}

TEST(ContentRange, IsReadToTheLetter) {
  const auto some = ContentRange::parse("bytes 5-9/100");
  ASSERT_TRUE(some);
  EXPECT_EQ(some->length(), 5U);
  EXPECT_TRUE(some->answers({5, 9}));
  EXPECT_FALSE(some->answers({5, 10}));
  EXPECT_FALSE(some->answers({4, 9}));
  const auto end = ContentRange::parse("bytes 90-99/100");
  EXPECT_TRUE(end->answers({std::nullopt, 10}));
  EXPECT_TRUE(end->answers({90, 2000})) << "the file ends before";
  EXPECT_FALSE(end->answers({std::nullopt, 20}));
  EXPECT_TRUE(ContentRange::parse("bytes 0-99/100")->answers({std::nullopt, 500}));
  for (const auto* wrong : {"", "bytes", "bytes 5-9", "bytes 9-5/100", "bytes 5-100/100", "bytes 5-9/*", "bytes -9/100",
                            "bytes 5-9/100 ", "bytes a-9/100", "items 5-9/100", "bytes 5-99999999999999999999/1"})
    EXPECT_FALSE(ContentRange::parse(wrong)) << wrong;
}

TEST(CaBundle, IsTheFirstThatTheEnvironmentNames) {
  for (const auto* variable : {"CURL_CA_BUNDLE", "SSL_CERT_FILE", "PIP_CERT"}) ::unsetenv(variable);
  EXPECT_EQ(ca_bundle_of_environment(), "");
  ::setenv("PIP_CERT", "pip.pem", 1);
  EXPECT_EQ(ca_bundle_of_environment(), "pip.pem");
  ::setenv("SSL_CERT_FILE", "ssl.pem", 1);
  EXPECT_EQ(ca_bundle_of_environment(), "ssl.pem");
  ::setenv("CURL_CA_BUNDLE", "", 1);
  EXPECT_EQ(ca_bundle_of_environment(), "ssl.pem");
}

TEST(CacheFolder, IsThatOfTheXdgSpecification) {
  ::setenv("HOME", "/home/me", 1);
  ::unsetenv("XDG_CACHE_HOME");
  EXPECT_EQ(cache_folder(), "/home/me/.cache/envgen/http");
  ::setenv("XDG_CACHE_HOME", "relative", 1);
  EXPECT_EQ(cache_folder(), "/home/me/.cache/envgen/http");
  ::setenv("XDG_CACHE_HOME", "/cache", 1);
  EXPECT_EQ(cache_folder(), "/cache/envgen/http");
  ::unsetenv("XDG_CACHE_HOME");
  ::unsetenv("HOME");
  EXPECT_EQ(cache_folder(), std::nullopt);
}

}  // namespace
}  // namespace envgen::net
