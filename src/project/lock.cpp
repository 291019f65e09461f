#include "project/lock.hpp"

#include <fmt/format.h>

#include "model/shell_word.hpp"
#include "model/spelling.hpp"
#include "project/request_json.hpp"
#include "util/described.hpp"
#include "util/files.hpp"
#include "util/json_text.hpp"
#include "util/sha256.hpp"

namespace envgen::project {
namespace {

using Json = util::JsonCell::Json;

constexpr std::string_view integrity_member = "integrity";

std::string hash_of(const nlohmann::json& values) {
  util::Sha256 digest;
  digest.add(values.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace));
  return "sha256:" + digest.hex();
}

/// All of a lock but its own sum.
template <class Visit>
void members_of(const Lock& lock, Visit visit) {
  visit("schema_version", lock_schema_version);
  visit("matrix", util::NamedTexts{{"revision", lock.matrix_revision}, {"hash", lock.matrix_hash}});
  visit("request", lock.request);
  visit("environment", lock.environment);
  Environment::advice(lock.environment, visit);
}

nlohmann::json tree_of(const Lock& lock) {
  auto tree = nlohmann::json::object();
  members_of(lock, util::into(tree));
  return tree;
}

Expected<void> check_version(const Json& document, const std::string& root) {
  const auto where = root + "/schema_version";
  const auto found = document.find("schema_version");
  if (found == document.end() || !found->is_number_integer())
    return fail(ErrorCode::bad_input, "this is not an envgen.lock: an integer is required here", where);
  const auto version = found->get<std::int64_t>();
  if (version > lock_schema_version)
    return fail(ErrorCode::bad_input,
                fmt::format("the lock has schema version {}; this envgen reads versions up to {}", version, lock_schema_version),
                where, {"update envgen"});
  if (version < 1) return fail(ErrorCode::bad_input, fmt::format("there is no schema version {}", version), where);
  return {};
}

Expected<Lock> parsed(const std::string& text, const std::string& name, Edited edited) {
  auto document = util::parse_json(text, name);
  if (!document) return tl::unexpected(document.error());
  const auto root = name + "#";
  if (!document->is_object()) return fail(ErrorCode::bad_input, "this is not an envgen.lock: an object is required here", root);
  if (auto version = check_version(*document, root); !version) return tl::unexpected(version.error());

  Lock lock;
  const auto written = document->find(std::string(integrity_member));
  // Over the values, not the bytes: another layout or other line ends (a checkout on Windows) is no edit.
  nlohmann::json rest(*document);  // sorts the members
  rest.erase(std::string(integrity_member));
  lock.edited = written == document->end() || *written != hash_of(rest);
  if (lock.edited && edited == Edited::refused)
    return fail(ErrorCode::bad_input, "the lock was changed after envgen wrote it (by hand, or by a merge)", root + "/integrity");

  util::Problems problems;
  const util::JsonCell cell(&*document, root, problems);
  const auto matrix = cell.at("matrix");
  lock.matrix_revision = matrix.at("revision").text();
  lock.matrix_hash = matrix.at("hash").text();
  const auto request = document->find("request");
  lock.request = read_request(request == document->end() ? Json() : *request, root + "/request", problems).request;
  lock.environment = read_environment(cell);
  if (problems.empty()) return lock;
  return tl::unexpected(std::move(problems.front()));
}

/// `name`: of the file that was read as a lock. Nothing but a lock is offered to be overwritten.
Error with_rewrite_hint(Error error, const std::filesystem::path& name, std::string_view text = {}) {
  const auto extension = name.extension();
  const bool is_project = extension == ".json" || extension == ".jsonc";
  const bool is_lock = extension == ".lock" || text.find(fmt::format("\"{}\"", integrity_member)) != std::string_view::npos;
  error.hints.push_back(is_project ? "for a project file: --project " + shell_word(in_one_line(name.string()))
                        : is_lock  ? fmt::format("'{}' overwrites it", lock_command(name, " --force"))
                                   : std::string("a lock is a file written by 'envgen lock', such as envgen.lock"));
  return error;
}

}  // namespace

Environment read_environment(const util::JsonCell& answer) {
  Environment result;
  const auto cell = answer.at("environment");
  util::read_json(cell, result);
  if (result.torch.has_value() == result.tensorflow.has_value())
    cell.problem("one of torch and tensorflow is required here; the other must be null");
  util::Reading visit{answer};
  Environment::advice(result, visit);
  return result;
}

std::string promise_of(const Lock& lock) {
  const auto& environment = lock.environment;
  nlohmann::json promise{{"environment", util::tree_of(environment)}, {"env", util::tree_of(environment.env)}};
  for (const auto& pin : environment.pins) promise["pins"].push_back({pin.package, pin.spec});
  if (environment.frozen) {
    promise["frozen"] = util::tree_of(environment.frozen->packages);
    if (!environment.frozen->images.empty()) promise["images"] = util::tree_of(environment.frozen->images);
  }
  return hash_of(promise);
}

std::filesystem::path lock_beside(const std::filesystem::path& project) {
  auto lock = project;
  if (lock.extension() == ".json") return lock.replace_extension(".lock");
  return lock += ".lock";  // so that neither gpu.jsonc nor gpu.lock shares the lock of gpu.json
}

std::string lock_command(const std::filesystem::path& lock, std::string_view options) {
  if (lock == lock_file_name) return fmt::format("envgen lock{}", options);
  const auto with = [&](std::string_view option, const std::filesystem::path& file) {
    return fmt::format("envgen lock {} {}{}", option, shell_word(in_one_line(file.string())), options);
  };
  auto project = lock;
  for (const char* extension : {".json", ""}) {
    std::error_code ignored;
    const bool is_there = std::filesystem::is_regular_file(project.replace_extension(extension), ignored);
    if (is_there && lock == lock_beside(project)) return with("--project", project);
  }
  return with("-o", lock);
}

std::string lock_text(const Lock& lock) {
  constexpr int indent = 2;
  util::JsonWriter json(indent);
  json.begin_object();
  members_of(lock, util::into(json));
  json.member(integrity_member, hash_of(tree_of(lock))).end_object();
  return json.take() + "\n";
}

Expected<Lock> parse_lock(const std::string& text, const std::string& name, Edited edited) {
  return parsed(text, name, edited).map_error([&](Error error) { return with_rewrite_hint(std::move(error), name, text); });
}

Expected<Lock> read_lock(const std::filesystem::path& path, Advice advice) {
  const auto text = util::read_file(path, largest_lock);
  if (text)
    return advice == Advice::none ? parsed(*text, path.string(), Edited::refused)
                                  : parse_lock(*text, path.string(), Edited::refused);
  auto error = text.error();
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) {
    if (advice == Advice::rewrite) error.hints.push_back(fmt::format("'{}' writes it", lock_command(path)));
  } else if (std::filesystem::is_directory(path, ignored)) {
    error.hints.emplace_back("a lock is a file, and this is a folder: rename it, or name the lock in it");
  } else if (std::filesystem::file_size(path, ignored) <= largest_lock) {
    error.hints.emplace_back("check the owner and the permissions of the file");
  } else if (advice == Advice::rewrite) {
    error = with_rewrite_hint(std::move(error), path);
  }
  return tl::unexpected(std::move(error));
}

}  // namespace envgen::project
