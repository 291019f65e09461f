#include "net/cache.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "model/printable.hpp"
#include "util/base_folders.hpp"
#include "util/files.hpp"
#include "util/sha256.hpp"

namespace envgen::net {
namespace {

constexpr std::size_t largest_kept = std::size_t{512} << 20;

std::string digest_of(std::string_view text) {
  util::Sha256 digest;
  digest.add(text);
  return digest.hex();
}

}  // namespace

std::filesystem::path Cache::path_of(const Request& request) const {
  util::Sha256 digest;
  digest.add(request.url);
  digest.add(request.accept);
  if (request.range)
    digest.add(fmt::format("{}-{}", request.range->first ? std::to_string(*request.range->first) : "", request.range->last));
  const auto name = digest.hex();
  return *folder_ / name.substr(0, 2) / name.substr(2);
}

std::optional<Kept> Cache::find(const Request& request) const {
  if (!folder_) return std::nullopt;
  const auto path = path_of(request);
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return std::nullopt;
  auto file = util::read_file(path, largest_kept);
  if (!file) return std::nullopt;
  const auto end = file->find('\n');
  const auto head = nlohmann::json::parse(file->substr(0, end), nullptr, false);
  if (end == std::string::npos || !head.is_object()) return std::nullopt;
  try {
    Kept kept;
    kept.reply.status = head.at("status").get<int>();
    kept.reply.content_type = head.at("content_type").get<std::string>();
    kept.reply.final_url = head.at("final_url").get<std::string>();
    if (kept.reply.final_url.empty()) kept.reply.final_url = request.url;
    if (head.contains("whole_size")) kept.reply.whole_size = head["whole_size"].get<std::uint64_t>();
    kept.etag = head.at("etag").get<std::string>();
    kept.last_modified = head.at("last_modified").get<std::string>();
    kept.reply.body = file->substr(end + 1);
    if (head.at("sha256").get<std::string>() != digest_of(kept.reply.body)) return std::nullopt;
    kept.reply.from_cache = true;
    return kept;
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

void Cache::keep(const Request& request, const Kept& kept) const {
  if (!folder_) return;
  const bool elsewhere = kept.reply.final_url != request.url;
  // What a redirect led to may hold a token in its address, which belongs in no file.
  if (elsewhere && without_secrets(kept.reply.final_url) != kept.reply.final_url) return;
  nlohmann::json head{{"status", kept.reply.status},
                      {"content_type", kept.reply.content_type},
                      {"final_url", elsewhere ? kept.reply.final_url : ""},
                      {"etag", kept.etag},
                      {"last_modified", kept.last_modified},
                      {"sha256", digest_of(kept.reply.body)}};
  if (kept.reply.whole_size) head["whole_size"] = *kept.reply.whole_size;
  const auto path = path_of(request);
  std::error_code error;
  std::filesystem::create_directories(path.parent_path(), error);
  if (error) return;
  const auto line = head.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
  (void)util::write_file(path, line + "\n" + kept.reply.body);
}

std::optional<std::filesystem::path> cache_folder() {
  const std::filesystem::path folder = util::user_cache_folder();
  return folder.empty() ? std::nullopt : std::optional(folder / "envgen" / "http");
}

}  // namespace envgen::net
