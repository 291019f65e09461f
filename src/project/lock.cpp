#include "project/lock.hpp"

#include <fmt/format.h>

#include "project/environment_json.hpp"
#include "project/request_json.hpp"
#include "render/answer_json.hpp"
#include "util/files.hpp"
#include "util/json_text.hpp"
#include "util/sha256.hpp"

namespace envgen::project {
namespace {

using Json = util::JsonCell::Json;

constexpr std::string_view integrity_member = "integrity";
constexpr const char* rewrite_hint = "'envgen lock --force' writes it anew";

std::string hash_of(const nlohmann::json& values) {
  util::Sha256 digest;
  digest.add(values.dump(-1, ' ', true));
  return "sha256:" + digest.hex();
}

/// Over the values, not the bytes: another layout or other line ends (a checkout on Windows) is no edit.
std::string integrity_of(const Json& document) {
  nlohmann::json rest(document);  // sorts the members
  rest.erase(std::string(integrity_member));
  return hash_of(rest);
}

std::string text_with(const Lock& lock, std::string_view integrity, int indent) {
  util::JsonWriter json(indent);
  json.begin_object().member("schema_version", lock_schema_version);
  json.key("matrix").begin_object().member("revision", lock.matrix_revision).member("hash", lock.matrix_hash).end_object();
  json.key("request");
  render::write_request(json, lock.request);
  json.key("environment");
  render::write_environment(json, lock.environment);
  render::write_advice(json, lock.environment);
  json.member(integrity_member, integrity).end_object();
  return json.take();
}

Expected<void> check_version(const Json& document, const std::string& root) {
  const auto where = root + "/schema_version";
  const auto found = document.find("schema_version");
  if (found == document.end() || !found->is_number_integer())
    return fail(ErrorCode::bad_input, "this is no envgen.lock: a whole number is needed here", where, {rewrite_hint});
  const auto version = found->get<std::int64_t>();
  if (version > lock_schema_version)
    return fail(ErrorCode::bad_input,
                fmt::format("the lock is of schema {}, this envgen reads up to {}", version, lock_schema_version), where,
                {"update envgen", rewrite_hint});
  if (version < 1) return fail(ErrorCode::bad_input, fmt::format("there is no schema {}", version), where, {rewrite_hint});
  return {};
}

}  // namespace

std::string promise_of(const Lock& lock) {
  const auto all = nlohmann::json::parse(text_with(lock, {}, 0));
  nlohmann::json promise{{"environment", all.at("environment")}, {"env", all.at("env")}};
  for (const auto& pin : all.at("pins")) promise["pins"].push_back({pin.at("package"), pin.at("spec")});
  if (const auto frozen = all.find("frozen"); frozen != all.end()) {
    promise["frozen"] = frozen->at("packages");
    if (frozen->contains("images")) promise["images"] = frozen->at("images");
  }
  return hash_of(promise);
}

std::string lock_text(const Lock& lock) {
  constexpr int indent = 2;
  return text_with(lock, integrity_of(Json::parse(text_with(lock, {}, 0))), indent) + "\n";
}

Expected<Lock> parse_lock(const std::string& text, const std::string& name, Edited edited) {
  auto document = util::parse_json(text, name);
  if (!document) {
    auto error = document.error();
    error.hints.emplace_back(rewrite_hint);
    return tl::unexpected(std::move(error));
  }
  const auto root = name + "#";
  if (!document->is_object())
    return fail(ErrorCode::bad_input, "this is no envgen.lock: an object is needed here", root, {rewrite_hint});
  if (auto version = check_version(*document, root); !version) return tl::unexpected(version.error());

  Lock lock;
  const auto written = document->find(std::string(integrity_member));
  lock.edited = written == document->end() || *written != integrity_of(*document);
  if (lock.edited && edited == Edited::refused)
    return fail(ErrorCode::bad_input, "the lock was changed after envgen wrote it (by hand, or by a merge)", root + "/integrity",
                {rewrite_hint});

  util::Problems problems;
  const util::JsonCell cell(&*document, root, problems);
  const auto matrix = cell.at("matrix");
  lock.matrix_revision = matrix.at("revision").text();
  lock.matrix_hash = matrix.at("hash").text();
  const auto request = document->find("request");
  lock.request = read_request(request == document->end() ? Json() : *request, root + "/request", problems).request;
  lock.environment = read_environment(cell);
  if (problems.empty()) return lock;
  auto error = std::move(problems.front());
  error.hints.emplace_back(rewrite_hint);
  return tl::unexpected(std::move(error));
}

Expected<Lock> read_lock(const std::filesystem::path& path) {
  const auto text = util::read_file(path, largest_lock);
  if (text) return parse_lock(*text, path.string(), Edited::refused);
  auto error = text.error();
  std::error_code ignored;
  error.hints.emplace_back(std::filesystem::exists(path, ignored) ? rewrite_hint : "'envgen lock' writes it");
  return tl::unexpected(std::move(error));
}

}  // namespace envgen::project
