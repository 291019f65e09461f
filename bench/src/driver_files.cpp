#include "driver_files.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string_view>

namespace envgen::bench {
namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// `470.57.02` or `550.40`: numbers between dots, two at least.
bool is_release(std::string_view text) {
  int dots = 0;
  char before = '.';
  for (const char c : text) {
    if (!is_digit(c) && (c != '.' || before == '.')) return false;
    dots += c == '.' ? 1 : 0;
    before = c;
  }
  return dots >= 1 && before != '.';
}

bool is_driver_node(const std::string& name) { return name.starts_with("nvidia") || name == "dxg"; }

}  // namespace

bool DeviceNode::is_gpu() const {
  const auto name = std::filesystem::path(path).filename().string();
  constexpr std::size_t prefix = 6;  // of nvidia0
  return name == "dxg" || (name.size() > prefix && std::all_of(name.begin() + prefix, name.end(), is_digit));
}

std::vector<DeviceNode> device_nodes(const std::filesystem::path& folder) {
  std::vector<DeviceNode> nodes;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    // nvidia-caps and nvidia-caps-imex-channels are folders.
    if (!is_driver_node(entry.path().filename().string()) || entry.is_directory(ignored)) continue;
    const int descriptor = ::open(entry.path().c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK);
    nodes.push_back({entry.path().string(), descriptor >= 0 ? "" : std::strerror(errno)});
    if (descriptor >= 0) ::close(descriptor);
  }
  std::sort(nodes.begin(), nodes.end(), [](const DeviceNode& a, const DeviceNode& b) { return a.path < b.path; });
  return nodes;
}

Json to_json(const std::vector<DeviceNode>& nodes) {
  Json json = Json::array();
  for (const auto& node : nodes) json.push_back({{"path", node.path}, {"error", node.error.empty() ? Json() : Json(node.error)}});
  return json;
}

std::string kernel_driver_version(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::string line;
  if (!std::getline(in, line)) return "";
  std::istringstream words(line);
  for (std::string word; words >> word;) {
    if (is_release(word)) return word;
  }
  return "";
}

std::string library_release(const std::string& path) {
  const auto name = std::filesystem::path(path).filename().string();
  const auto so = name.find(".so.");
  if (so == name.npos) return "";
  auto release = name.substr(so + 4);
  return is_release(release) ? release : "";
}

}  // namespace envgen::bench
