#include "cli/version.hpp"

#include <fmt/format.h>

#include "answers/answer_json.hpp"
#include "cli/revision.hpp"
#include "util/json_writer.hpp"

namespace envgen::cli {
namespace {

#if defined(__x86_64__)
constexpr std::string_view architecture = "x86_64";
#elif defined(__aarch64__)
constexpr std::string_view architecture = "aarch64";
#else
#error "a processor without a name in 'envgen --version --json'"
#endif

/// The C library whose headers it was compiled with, which is the newest that it may ask for.
std::string c_library() {
#if defined(__GLIBC__)
  return fmt::format("glibc {}.{}", __GLIBC__, __GLIBC_MINOR__);
#else
  return "musl";
#endif
}

std::string compiler() {
#if defined(__clang__)
  return fmt::format("Clang {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#else
  return fmt::format("GCC {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#endif
}

Expected<std::string> version_json(Context& context) {
  const auto matrix = context.matrix();
  if (!matrix) return tl::unexpected(matrix.error());
  constexpr int indent = 2;
  util::JsonWriter json(indent);
  json.begin_object();
  answers::write_head(json, *matrix);
  json.member("version", ENVGEN_VERSION).key("revision");
  revision().empty() ? json.null() : json.value(revision());
  json.key("target").begin_object().member("os", "linux").member("architecture", architecture).member("libc", c_library());
  json.end_object().member("compiler", compiler()).end_object();
  return json.take() + "\n";
}

}  // namespace

Expected<std::string> version_text(Context& context) {
  if (context.json) return version_json(context);
  return fmt::format("envgen {} (built-in data {}, read {})\n", ENVGEN_VERSION, context.embedded->revision.view(),
                     context.embedded->read.view());
}

}  // namespace envgen::cli
