#include "validate/canary.hpp"

#include <thread>

#include <fmt/format.h>

#include "util/interrupt.hpp"
#include "util/json_members.hpp"
#include "util/json_text.hpp"
#include "util/pattern.hpp"
#include "validate/steps.hpp"

namespace envgen::validate {

Expected<HeldIpc> parse_held(const std::string& line) {
  static const util::Pattern name_form("envgen-canary-[0-9a-f]{8}");
  static const util::Pattern nonce_form("[0-9a-f]{32}");
  const auto json = util::parse_json(line, "envgen-bench", {.what = "answer"});
  if (!json) return fail(ErrorCode::missing, json.error().message, "envgen-bench");
  const auto inode = util::number_member(*json, "inode");
  const auto key = util::number_member(*json, "key");
  const auto name = util::text_member(*json, "name");
  const auto nonce = util::text_member(*json, "nonce");
  if (!inode || !key || !name || !nonce || *inode <= 0 || !name_form.matches(*name) || !nonce_form.matches(*nonce))
    return fail(ErrorCode::missing, "envgen-bench does not report what it holds", "envgen-bench");
  return held_ipc(static_cast<unsigned long>(*inode), *key, *name, *nonce);
}

Expected<void> RemoteCanary::make(const std::string& image, const std::filesystem::path& bench) {
  const auto seconds = fmt::format("--hold-ipc={}", longest_.count());
  std::vector<std::string> flags{"--ipc=host", "--network=none"};
  for (const auto& change : without_loader_environment(false)) flags.push_back("--env=" + change);
  if (auto made = container_.create({image, std::move(flags), bench_in_container, {seconds}}); !made) return made;
  if (auto copied = container_.copy_in(bench, bench_in_container); !copied) return copied;
  if (auto started = container_.start_apart(); !started) return started;
  constexpr int tries = 50;
  constexpr std::chrono::milliseconds pause{100};
  for (int i = 0; i < tries; ++i) {
    if (util::interrupted()) return util::fail_interrupted("interrupted");
    const auto said = container_.printed();
    if (!said) return tl::unexpected(said.error());
    if (const auto end = said->find('\n'); end != std::string::npos) {
      auto held = parse_held(said->substr(0, end));
      if (!held) return tl::unexpected(held.error());
      held_ = std::move(*held);
      return {};
    }
    std::this_thread::sleep_for(pause);
  }
  return fail(ErrorCode::missing, "envgen-bench holds no segment or file there", "envgen-bench");
}

RemoteCanary::~RemoteCanary() {
  if (!held_.bench_flags.empty()) container_.stop();  // it takes away what it holds; the container goes by its own destructor
}

}  // namespace envgen::validate
