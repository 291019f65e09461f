#include "resolver/changed.hpp"

#include <algorithm>

#include "model/usual_spelling.hpp"

namespace envgen::resolver {

std::optional<Request> changed(Request request, const std::vector<Change>& changes) {
  for (const auto& change : changes) {
    if (change.from.empty()) {
      request.values.push_back(
          {change.field, change.to, Origin::flag, std::string(field_rows.at(static_cast<std::size_t>(change.field)).flag)});
      continue;
    }
    const auto value = std::find_if(request.values.begin(), request.values.end(), [&](const RequestValue& one) {
      return one.field == change.field && usual_spelling(one.field, one.text) == change.from;
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

std::span<const Nearest> nearest_of(const Resolution& answer) {
  if (const auto* conflict = std::get_if<Conflict>(&answer)) return conflict->nearest;
  if (const auto* unknown = std::get_if<Unknown>(&answer)) return unknown->nearest;
  return {};
}

}  // namespace envgen::resolver
