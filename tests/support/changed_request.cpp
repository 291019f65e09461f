#include "support/changed_request.hpp"

#include <algorithm>

namespace envgen::test {

std::optional<Request> changed_request(Request request, const std::vector<resolver::Change>& changes) {
  for (const auto& change : changes) {
    if (change.from.empty()) {
      request.values.push_back({change.field, change.to, Origin::flag, "--flag"});
      continue;
    }
    const auto value = std::find_if(request.values.begin(), request.values.end(), [&](const RequestValue& one) {
      return one.field == change.field && one.text == change.from;
    });
    if (value == request.values.end()) return std::nullopt;
    if (change.to.empty()) {
      request.values.erase(value);
    } else {
      value->text = change.to;
    }
  }
  return request;
}

std::span<const resolver::Nearest> nearest_of(const resolver::Resolution& answer) {
  if (const auto* conflict = std::get_if<resolver::Conflict>(&answer)) return conflict->nearest;
  if (const auto* unknown = std::get_if<resolver::Unknown>(&answer)) return unknown->nearest;
  return {};
}

}  // namespace envgen::test
