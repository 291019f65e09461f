// What containers and their engine answer to validate: the first byte chooses the parser, the rest is the text.
#include <string>

#include "container/container.hpp"
#include "container/engine.hpp"
#include "container/image.hpp"
#include "fuzz/fuzz.hpp"
#include "validate/bench_report.hpp"
#include "validate/canary.hpp"
#include "validate/image_files.hpp"
#include "validate/self_report.hpp"

namespace {

using namespace envgen;
using fuzz::require;

/// The same of every refusal: it says what is wrong, in one line.
template <typename T>
bool read(const Expected<T>& answer, ErrorCode code) {
  if (answer) return true;
  require(answer.error().code == code, "a refusal is of the kind that the header names");
  require(!answer.error().message.empty() && fuzz::one_line(answer.error().message), "a refusal says why, in one line");
  return false;
}

void bench(const std::string& text) {
  const auto report = validate::parse_bench_report(text);
  if (!read(report, ErrorCode::bad_input)) return;
  for (const auto& row : report->rows) {
    require(fuzz::one_line(row.message), "a message is one line");
    validate::parse_image_files(row);
  }
}

void held(const std::string& text) {
  const auto held = validate::parse_held(text);
  if (!read(held, ErrorCode::missing)) return;
  for (const auto& flag : held->bench_flags) require(flag.starts_with("--ipc-") && fuzz::one_line(flag), "a flag is one");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string text(fuzz::text_of(data + 1, size - 1));
  switch (data[0]) {
    case 'b':
      bench(text);
      break;
    case 's':
      read(validate::parse_self_report(text, ""), ErrorCode::bad_input);
      break;
    case 'd':
      read(container::parse_docker_info(text, "unix:///var/run/docker.sock", "here"), ErrorCode::missing);
      break;
    case 'p':
      read(container::parse_podman_info(text, "here"), ErrorCode::missing);
      break;
    case 'i':
      read(container::parse_image(text, "example:1"), ErrorCode::missing);
      break;
    case 'c':
      read(container::parse_state(text), ErrorCode::missing);
      break;
    case 'h':
      held(text);
      break;
    default:
      break;
  }
  return 0;
}
