#include "net/http_client.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <random>
#include <set>
#include <thread>

#include <fmt/format.h>

#include "net/transfer.hpp"
#include "util/interrupt.hpp"

namespace envgen::net {
namespace {

using Clock = std::chrono::steady_clock;
constexpr long most_connections = 16;
constexpr long most_per_host = 8;
constexpr std::chrono::milliseconds look_up{100};  // how soon an interrupt is noticed
constexpr std::chrono::seconds short_patience{3};

/// `mirror.example:8443` of `https://bob:secret@mirror.example:8443/path`.
std::string host_of(std::string_view url) {
  const auto scheme = url.find("://");
  if (scheme != std::string_view::npos) url.remove_prefix(scheme + 3);
  url = url.substr(0, url.find_first_of("/?#"));
  return std::string(url.substr(url.rfind('@') + 1));
}

/// The wait before another try: it doubles with each, and differs between runs, so that those who failed together do not return
/// together.
class Backoff {
 public:
  explicit Backoff(const HttpOptions& options) : options_(options), random_(std::random_device{}()) {}

  /// None: the server asks for more patience than anybody has.
  std::optional<std::chrono::milliseconds> after(unsigned tries, std::optional<std::chrono::seconds> asked) {
    std::uniform_real_distribution<double> factor(0.5, 1.5);
    const auto base = options_.first_delay * (std::int64_t{1} << std::min(tries - 1, 20U));
    const auto delay = std::chrono::duration_cast<std::chrono::milliseconds>(base * factor(random_));
    if (!asked) return std::min(delay, options_.longest_delay);
    if (*asked > options_.longest_delay) return std::nullopt;
    return std::max(delay, std::chrono::duration_cast<std::chrono::milliseconds>(*asked));
  }

 private:
  const HttpOptions& options_;
  std::minstd_rand random_;
};

/// A request on its way to its reply.
struct Job {
  const Request* request = nullptr;
  std::optional<Kept> kept;
  std::unique_ptr<Transfer> transfer;
  unsigned tries = 0;
  Clock::time_point ready_at = {};
  std::optional<Expected<Reply>> reply;
};

class HttpClient : public Client {
 public:
  HttpClient(HttpOptions options, const CurlLibrary* curl)
      : options_(std::move(options)), cache_(options_.cache), curl_(curl), backoff_(options_) {
    if (curl_ == nullptr) return;
    multi_ = curl_->multi_init();
    curl_->multi_setopt(multi_, CURLMOPT_MAX_TOTAL_CONNECTIONS, most_connections);
    curl_->multi_setopt(multi_, CURLMOPT_MAX_HOST_CONNECTIONS, most_per_host);
  }
  ~HttpClient() override {
    if (multi_ != nullptr) curl_->multi_cleanup(multi_);
  }
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  std::vector<Expected<Reply>> get(std::span<const Request> requests) override;
  Traffic traffic() const override { return traffic_; }

 private:
  /// Nobody was reached so far, and not for want of tries: there is no network, or its way is blocked.
  bool network_is_dead() const { return !reached_ && !dead_.empty(); }
  bool is_tried_again(const Job& job, CURLcode code);
  void begin(Job& job);
  void end(Job& job, CURLcode code);
  void drop(Job& job);
  void drive(std::vector<Job>& jobs);
  void wait(const std::vector<Job>& jobs);

  HttpOptions options_;
  Cache cache_;
  const CurlLibrary* curl_;
  CURLM* multi_ = nullptr;
  Backoff backoff_;
  Traffic traffic_;
  bool reached_ = false;        ///< some host
  std::set<std::string> dead_;  ///< hosts that were not reached in all tries
};

std::vector<Expected<Reply>> HttpClient::get(std::span<const Request> requests) {
  const util::InterruptScope scope;
  std::vector<Job> jobs(requests.size());
  for (std::size_t i = 0; i < requests.size(); ++i) {
    auto& job = jobs[i];
    job.request = &requests[i];
    job.kept = cache_.find(requests[i]);
    if (job.kept && (options_.offline || requests[i].immutable)) {
      job.reply = job.kept->reply;
    } else if (options_.offline) {
      job.reply = fail(ErrorCode::network, "never fetched, so there is no copy to use offline", requests[i].url,
                       {"run the command once without --offline"});
    }
  }
  drive(jobs);
  std::vector<Expected<Reply>> replies;
  replies.reserve(jobs.size());
  for (auto& job : jobs) replies.push_back(std::move(*job.reply));
  return replies;
}

void HttpClient::drive(std::vector<Job>& jobs) {
  // More than these would wait inside libcurl, where their time runs.
  constexpr std::size_t most_begun = 32;
  while (true) {
    if (util::interrupted()) {
      for (auto& job : jobs) {
        if (job.transfer) drop(job);
        if (!job.reply) job.reply = util::fail_interrupted("the transfer was stopped", job.request->url);
      }
      return;
    }
    auto begun =
        static_cast<std::size_t>(std::count_if(jobs.begin(), jobs.end(), [](const Job& job) { return job.transfer != nullptr; }));
    const auto now = Clock::now();
    bool open = false;
    for (auto& job : jobs) {
      if (job.reply) continue;
      open = true;
      if (job.transfer || begun == most_begun || job.ready_at > now) continue;
      begin(job);
      ++begun;
    }
    if (!open) return;
    int running = 0;
    curl_->multi_perform(multi_, &running);
    int left = 0;
    while (const auto* message = curl_->multi_info_read(multi_, &left)) {
      if (message->msg != CURLMSG_DONE) continue;
      const auto job = std::find_if(jobs.begin(), jobs.end(), [&](const Job& each) {
        return each.transfer && each.transfer->handle() == message->easy_handle;
      });
      if (job != jobs.end()) end(*job, message->data.result);
    }
    wait(jobs);
  }
}

void HttpClient::wait(const std::vector<Job>& jobs) {
  if (std::all_of(jobs.begin(), jobs.end(), [](const Job& job) { return job.reply.has_value(); })) return;
  if (std::any_of(jobs.begin(), jobs.end(), [](const Job& job) { return job.transfer != nullptr; })) {
    curl_->multi_wait(multi_, nullptr, 0, static_cast<int>(look_up.count()), nullptr);
    return;
  }
  auto until = Clock::now() + look_up;
  for (const auto& job : jobs) {
    if (!job.reply) until = std::min(until, job.ready_at);
  }
  std::this_thread::sleep_until(until);
}

void HttpClient::begin(Job& job) {
  ++job.tries;
  ++traffic_.requests;
  auto options = options_;
  if (network_is_dead()) options.connect_timeout = std::min(options.connect_timeout, short_patience);
  job.transfer = std::make_unique<Transfer>(*curl_, options, *job.request, job.kept);
  curl_->multi_add_handle(multi_, job.transfer->handle());
}

void HttpClient::drop(Job& job) {
  curl_->multi_remove_handle(multi_, job.transfer->handle());
  job.transfer.reset();
}

/// Several sources wait for their tries one after another, so what cannot be reached is tried once where it was tried in vain.
bool HttpClient::is_tried_again(const Job& job, CURLcode code) {
  reached_ = reached_ || job.transfer->bytes() > 0;
  if (!job.transfer->unreached(code)) return job.transfer->worth_another(code) && job.tries < options_.tries;
  const auto host = host_of(job.request->url);
  const bool in_vain = network_is_dead() || dead_.contains(host);
  // What asks for a connection has been sent several times when the time for it is over.
  if (code != CURLE_OPERATION_TIMEDOUT && job.tries < options_.tries && !in_vain) return true;
  dead_.insert(host);
  return false;
}

void HttpClient::end(Job& job, CURLcode code) {
  traffic_.bytes += job.transfer->bytes();
  if (is_tried_again(job, code)) {
    if (const auto delay = backoff_.after(job.tries, job.transfer->retry_after())) {
      job.ready_at = Clock::now() + *delay;
      return drop(job);
    }
  }
  auto outcome = job.transfer->outcome(code);
  if (!outcome) {
    if (job.tries > 1) outcome.error().message += fmt::format(", {} times", job.tries);
    job.reply = tl::unexpected(std::move(outcome.error()));
  } else {
    if (job.transfer->unchanged()) {
      ++traffic_.unchanged;
    } else {
      cache_.keep(*job.request, *outcome);
    }
    job.reply = std::move(outcome->reply);
  }
  drop(job);
}

}  // namespace

std::string ca_bundle_of_environment() {
  for (const auto* variable : {"CURL_CA_BUNDLE", "SSL_CERT_FILE", "PIP_CERT"}) {
    if (const char* value = std::getenv(variable); value != nullptr && *value != '\0') return value;
  }
  return {};
}

Expected<std::unique_ptr<Client>> http_client(HttpOptions options) {
  const CurlLibrary* curl = nullptr;
  if (!options.offline) {
    const auto opened = curl_library(options.library);
    if (!opened) return tl::unexpected(opened.error());
    curl = *opened;
  }
  return std::make_unique<HttpClient>(std::move(options), curl);
}

}  // namespace envgen::net
