#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "net/client.hpp"

namespace envgen::test {

/// Answers by URL, as they were recorded or made up; what is not among them is 404.
class FakeClient : public net::Client {
 public:
  explicit FakeClient(std::map<std::string, std::string> bodies) : bodies_(std::move(bodies)) {}

  std::vector<Expected<net::Reply>> get(std::span<const net::Request> requests) override {
    std::vector<Expected<net::Reply>> replies;
    for (const auto& request : requests) {
      ++traffic_.requests;
      asked.push_back(request.immutable ? "a copy of " + request.url : request.url);
      net::Reply reply;
      reply.final_url = request.url;
      if (const auto found = bodies_.find(request.url); found != bodies_.end()) {
        reply.body = found->second;
        reply.from_cache = unchanged;
        if (reply.body.starts_with('{')) reply.content_type = "application/vnd.pypi.simple.v1+json";
      } else {
        reply.status = 404;
      }
      replies.emplace_back(std::move(reply));
    }
    return replies;
  }
  net::Traffic traffic() const override { return traffic_; }

  std::vector<std::string> asked;
  bool unchanged = false;  ///< every answer is that nothing has changed

 private:
  std::map<std::string, std::string> bodies_;
  net::Traffic traffic_;
};

}  // namespace envgen::test
