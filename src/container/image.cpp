#include "container/image.hpp"

#include "container/reply.hpp"
#include "util/json_members.hpp"

namespace envgen::container {

Expected<Image> parse_image(const std::string& text, const std::string& name) {
  const auto json = read_reply(text, "image inspect");
  if (!json) return tl::unexpected(json.error());
  const auto* config = util::member(*json, "Config");
  if (config == nullptr || !util::text_member(*json, "Id"))
    return fail(ErrorCode::missing, "the engine's output describes no image", name);
  Image image;
  image.id = *util::text_member(*json, "Id");
  image.architecture = util::text_member(*json, "Architecture").value_or("");
  image.user = util::text_member(*config, "User").value_or("");
  image.bytes = util::number_member(*json, "Size").value_or(0);
  if (const auto* root = util::member(*json, "RootFS")) image.layers = util::texts_member(*root, "Layers").size();
  if (const auto* labels = util::member(*config, "Labels"); labels != nullptr && labels->is_object()) {
    for (const auto& [label, value] : labels->items()) {
      if (value.is_string()) image.labels.emplace(label, value.get<std::string>());
    }
  }
  for (const auto& variable : util::texts_member(*config, "Env")) {
    const auto equals = variable.find('=');
    if (equals != std::string::npos) image.environment.emplace(variable.substr(0, equals), variable.substr(equals + 1));
  }
  return image;
}

std::string machine_of(const std::string& architecture) {
  if (architecture == "amd64") return "x86_64";
  if (architecture == "arm64") return "aarch64";
  return architecture;
}

}  // namespace envgen::container
