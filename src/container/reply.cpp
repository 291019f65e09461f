#include "container/reply.hpp"

#include <fmt/format.h>

#include "util/json_text.hpp"

namespace envgen::container {

Expected<nlohmann::ordered_json> read_reply(const std::string& text, std::string_view command) {
  auto json = util::parse_json(text, std::string(command), {.what = "answer"});
  if (json && json->is_array() && json->size() == 1) return (*json)[0];  // podman's, with the same template
  if (json) return json;
  return fail(ErrorCode::missing, fmt::format("cannot read the output of {}: {}", command, json.error().message));
}

}  // namespace envgen::container
