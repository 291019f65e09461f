#include "validate/sharing.hpp"

#include <fmt/format.h>

#include "model/spelling.hpp"
#include "util/json_members.hpp"
#include "util/pattern.hpp"

namespace envgen::validate {
namespace {

std::string megabytes(long long bytes) { return fmt::format("{} MiB", bytes >> 20); }

Result with_evidence(std::string_view check, const Result& seen) {
  Result result{std::string(check), Status::unknown, {}};
  result.evidence = seen.evidence;
  return result;
}

/// A container: the namespace of another one.
Result judge_donated(Result result, std::optional<unsigned long> donor) {
  const auto own = util::number_member(result.evidence, "inode");
  if (!donor || !own)
    return as(std::move(result), Status::unknown, "the namespace cannot be identified: the other container's cannot be read");
  if (static_cast<unsigned long>(*own) != *donor)
    return as(std::move(result), Status::fail, fmt::format("the namespace {} is not the other container's, {}", *own, *donor));
  result.evidence["mode"] = "container";
  return as(std::move(result), Status::pass, fmt::format("container: the namespace {} is the other container's", *own));
}

/// False: the mode is said to have been proven by the host's memory, and what stands there was not read.
bool brings_back(const Json& evidence, const std::string& mode, const std::string& secret) {
  if (secret.empty() || (mode != "host" && mode != "private-host-shm")) return true;
  return util::text_member(evidence, mode == "host" ? "sysv_rest" : "posix_rest") == secret;
}

}  // namespace

std::optional<long long> bytes_of(const std::string& size) {
  static const util::Pattern form("[0-9]{1,10}([bkmgBKMG][bB]?)?");
  if (!form.matches(size)) return std::nullopt;
  const auto unit = size.find_first_not_of("0123456789");
  const long long number = std::stoll(size.substr(0, unit));
  switch (unit == std::string::npos ? 'b' : lower(size.substr(unit, 1)).front()) {
    case 'k':
      return number << 10;
    case 'm':
      return number << 20;
    case 'g':
      return number << 30;
    default:
      return number;
  }
}

Result judge_ipc(const Result& seen, const SharingFlags& flags, const OutsideIpc& outside) {
  auto result = with_evidence("ipc", seen);
  result.evidence["asked"] = flags.ipc.empty() ? Json() : Json(flags.ipc);
  result.evidence["engine_mode"] = outside.engine_mode.empty() ? Json() : Json(outside.engine_mode);
  auto mode = util::text_member(seen.evidence, "mode").value_or("unknown");
  const auto why = util::text_member(seen.evidence, "why").value_or(seen.message);
  const auto is = [&](const std::string& known, Status status, std::string message) {
    result.evidence["mode"] = known;
    return as(result, status, std::move(message));
  };
  if (!outside.host_known && mode != "none")
    return is("unknown", Status::unknown, "the engine is not on this machine, so the namespace cannot be identified");
  if (flags.ipc.starts_with("container:")) return judge_donated(std::move(result), outside.donor);
  if (mode == "unknown") return as(std::move(result), Status::unknown, why);
  if (!brings_back(seen.evidence, mode, outside.secret))
    return is("unknown", Status::fail,
              fmt::format("the report says {} but does not return what the host's memory holds: it was forged", mode));
  // From within they are the same. podman 4.3 calls one shareable that was asked to be private, and lets nobody join it.
  if (mode == "private" && outside.engine_mode == "shareable" && flags.ipc != "private") mode = outside.engine_mode;
  // A mount of the host's /dev/shm leaves the namespace what it was asked to be.
  const bool own = mode == "private-host-shm" && (flags.ipc == "private" || flags.ipc == "shareable");
  if (flags.ipc.empty() || mode == flags.ipc || own) return is(mode, Status::pass, fmt::format("{}: {}", mode, why));
  return is(mode, Status::fail, fmt::format("--ipc={} gives {}: {}", flags.ipc, mode, why));
}

Result judge_ipc_here(const Result& seen) {
  auto result = with_evidence("ipc", seen);
  const auto mode = util::text_member(seen.evidence, "mode").value_or("unknown");
  const auto inode = util::number_member(seen.evidence, "inode");
  if (mode == "unknown" || !inode)
    return as(std::move(result), Status::unknown, util::text_member(seen.evidence, "why").value_or(seen.message));
  if (mode == "host")
    return as(std::move(result), Status::pass,
              fmt::format("the machine's own namespace, {}; more cannot be proven from inside", *inode));
  result.evidence["mode"] = "container";
  return as(std::move(result), Status::pass,
            fmt::format("the namespace {} of a container{}", *inode, mode == "none" ? ", without /dev/shm" : ""));
}

Result judge_shm_size(const Result& seen, const SharingFlags& flags) {
  const auto is = [&](Status status, std::string message) {
    return as(with_evidence("shm-size", seen), status, std::move(message));
  };
  const auto has = util::number_member(seen.evidence, "shm_bytes");
  const auto wanted = bytes_of(flags.shm_size);
  if (flags.shm_size.empty())
    return is(Status::skip, fmt::format("no --shm-size was requested{}",
                                        has && *has > 0 ? fmt::format("; /dev/shm has {}", megabytes(*has)) : ""));
  if (!has || !wanted) return is(Status::unknown, "the size of /dev/shm was not reported");
  if (flags.ipc == "host")
    return is(Status::warn, fmt::format("--ipc=host overrides --shm-size: /dev/shm is this machine's, with {}", megabytes(*has)));
  if (*has >= *wanted && *has - *wanted < (1 << 20))
    return is(Status::pass, fmt::format("/dev/shm has {}, as requested", megabytes(*has)));
  return is(Status::fail, fmt::format("/dev/shm has {}, but --shm-size={} was requested", megabytes(*has), flags.shm_size));
}

Result judge_shm(Result row, const SharingFlags& flags) {
  const bool room_was_asked = flags.ipc == "host" || !flags.shm_size.empty();
  const bool lacks_room = row.diagnosis != nullptr && row.diagnosis->id == "shm-bus-error";
  if (row.status == Status::fail && lacks_room && !room_was_asked) {
    row.status = Status::warn;
    row.message += "; --ipc=host or --shm-size gives it more";
  }
  return row;
}

}  // namespace envgen::validate
