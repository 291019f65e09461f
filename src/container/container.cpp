#include "container/container.hpp"

#include <random>

#include <fmt/format.h>
#include <unistd.h>

#include "container/answer.hpp"
#include "container/owner.hpp"
#include "model/spelling.hpp"
#include "util/interrupt.hpp"
#include "util/json_members.hpp"

namespace envgen::container {
namespace {

constexpr std::chrono::seconds longest_step{120};  // a large image on a slow disk

util::ProcessLimits a_step() { return {.timeout = longest_step, .largest_out = largest_answer}; }
util::ProcessLimits a_whole_step() {
  auto limits = a_step();
  limits.until_its_end = true;
  return limits;
}

std::string fresh_name() {
  std::random_device random;
  return fmt::format("envgen-validate-{}-{:08x}", ::getpid(), random());
}

Expected<void> remove_container(const Engine& engine, const std::string& name) {
  const auto ran = engine.run({"rm", "--force", "--volumes", name}, a_whole_step());
  if (!ran) return tl::unexpected(ran.error());
  if (ran->ok() || lower(ran->err).find("no such container") != std::string::npos) return {};
  return fail(ErrorCode::missing, fmt::format("{} rm: {}", name_of(engine.kind()), ran->ending()), name,
              container::words_of(ran->err));
}

}  // namespace

Expected<State> parse_state(const std::string& text) {
  const auto json = read_answer(text, "inspect");
  if (!json) return tl::unexpected(json.error());
  const auto* about = util::member(*json, "State");
  const auto began = about == nullptr ? std::nullopt : util::text_member(*about, "StartedAt");
  if (!began) return fail(ErrorCode::missing, "the engine's answer describes no container", "inspect");
  State state;
  state.started = !began->empty() && !began->starts_with("0001-");
  state.exit_status = static_cast<int>(util::number_member(*about, "ExitCode").value_or(0));
  state.out_of_memory = util::flag_member(*about, "OOMKilled").value_or(false);
  state.error = util::text_member(*about, "Error").value_or("");
  if (const auto* host = util::member(*json, "HostConfig")) state.ipc_mode = util::text_member(*host, "IpcMode").value_or("");
  return state;
}

Container::Container(const Engine& engine) : engine_(engine), name_(fresh_name()) {}

Container::~Container() {
  if (there_) std::ignore = remove();
}

Expected<void> Container::create(const CreateOptions& options) {
  std::vector<std::string> words{"create", "--pull=never", "--name",
                                 name_,    "--label",      fmt::format("{}={}", owner_label, Owner::self().label())};
  words.insert(words.end(), options.flags.begin(), options.flags.end());
  words.insert(words.end(), {"--entrypoint", options.entrypoint, options.image});
  words.insert(words.end(), options.arguments.begin(), options.arguments.end());
  there_ = true;  // also after a failure: the engine may have got that far
  const auto made = engine_.ask(words, a_whole_step());
  if (!made) return tl::unexpected(made.error());
  if (util::interrupted()) return fail(ErrorCode::interrupted, "interrupted, and the container was removed");
  return {};
}

Expected<void> Container::copy_in(const std::filesystem::path& file, const std::string& to) const {
  const auto copied = engine_.ask({"cp", file.string(), name_ + ":" + to}, a_step());
  if (!copied) return tl::unexpected(copied.error());
  return {};
}

Expected<util::ProcessResult> Container::start(std::chrono::milliseconds timeout, std::size_t largest_out,
                                               const std::function<void(std::string_view)>& hears_err) const {
  return engine_.run({"start", "--attach", name_}, {.timeout = timeout, .largest_out = largest_out, .hears_err = hears_err});
}

Expected<void> Container::start_apart() const {
  if (const auto started = engine_.ask({"start", name_}, a_step()); !started) return tl::unexpected(started.error());
  return {};
}

Expected<std::string> Container::printed() const { return engine_.ask({"logs", name_}, a_step()); }

void Container::stop() const { std::ignore = engine_.run({"stop", "--time", "5", name_}, a_whole_step()); }

Expected<State> Container::state() const {
  const auto text = engine_.ask({"inspect", "--type", "container", "--format", "{{json .}}", name_}, a_step());
  if (!text) return tl::unexpected(text.error());
  return parse_state(*text);
}

Expected<void> Container::remove() {
  auto removed = remove_container(engine_, name_);
  if (removed) there_ = false;
  return removed;
}

std::vector<std::string> remove_leftovers(const Engine& engine) {
  std::vector<std::string> removed;
  const auto ids =
      engine.ask({"ps", "--all", "--quiet", "--no-trunc", "--filter", fmt::format("label={}", owner_label)}, a_step());
  if (!ids) return removed;
  for (const auto& id : words_of(*ids)) {
    const auto label = engine.ask(
        {"inspect", "--type", "container", "--format", fmt::format("{{{{index .Config.Labels \"{}\"}}}}", owner_label), id},
        a_step());
    if (!label) continue;
    const auto owner = Owner::parse(std::string_view(*label).substr(0, label->find('\n')));
    if (owner && owner->dead() && remove_container(engine, id)) removed.push_back(id);
  }
  return removed;
}

}  // namespace envgen::container
