#include "container/container.hpp"

#include <algorithm>
#include <random>
#include <thread>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "container/owner.hpp"
#include "container/reply.hpp"
#include "model/spelling.hpp"
#include "util/interrupt.hpp"
#include "util/json_members.hpp"

namespace envgen::container {
namespace {

constexpr std::chrono::seconds longest_step{120};  // a large image on a slow disk
constexpr std::chrono::seconds grace_of_create{3};
constexpr std::chrono::seconds grace_of_stop{5};  // half of the clean-up, so that `rm` has the rest

util::ProcessLimits a_step(std::chrono::seconds grace = {}) {
  return {.timeout = longest_step, .largest_out = largest_reply, .grace = grace};
}

std::string fresh_name() {
  std::random_device random;
  return fmt::format("envgen-validate-{}-{:08x}", ::getpid(), random());
}

Expected<void> remove_container(const Engine& engine, const std::string& name, const util::ProcessLimits& limits,
                                std::chrono::seconds beyond) {
  const auto removed = engine.ask({"rm", "--force", "--volumes", name}, limits, beyond);
  if (removed) return {};
  const auto& said = removed.error().hints;
  const bool absent = std::any_of(said.begin(), said.end(), [](const std::string& line) {
    return lower(line).find("no such container") != std::string::npos;
  });
  if (absent) return {};
  return tl::unexpected(removed.error());
}

/// Asking once more helps no more: it did not answer at all, or was not to be asked.
bool hopeless(const Error& error) { return error.code != ErrorCode::missing || came_too_late(error); }

Left left_by(EngineKind engine, const std::string& container, const Error& error) {
  if (error.code == ErrorCode::interrupted) return {engine, container, "its removal was interrupted"};
  return {engine, container,
          error.hints.empty() ? error.message : fmt::format("{}: {}", error.message, fmt::join(error.hints, " "))};
}

}  // namespace

Expected<State> parse_state(const std::string& text) {
  const auto json = read_reply(text, "inspect");
  if (!json) return tl::unexpected(json.error());
  const auto* about = util::member(*json, "State");
  const auto began = about == nullptr ? std::nullopt : util::text_member(*about, "StartedAt");
  if (!began) return fail(ErrorCode::missing, "the engine's output describes no container", "inspect");
  State state;
  state.started = !began->empty() && !began->starts_with("0001-");
  state.exit_status = static_cast<int>(util::number_member(*about, "ExitCode").value_or(0));
  state.out_of_memory = util::flag_member(*about, "OOMKilled").value_or(false);
  state.error = util::text_member(*about, "Error").value_or("");
  if (const auto* host = util::member(*json, "HostConfig")) state.ipc_mode = util::text_member(*host, "IpcMode").value_or("");
  return state;
}

std::string describe(const std::vector<Left>& left) {
  std::string names;
  for (const auto& one : left) names += " " + one.container;
  return fmt::format("the engine did not remove{0} ({1}): {2} rm --force{0}; the next run also removes it", names,
                     left.front().why, name_of(left.front().engine));
}

Container::Container(const Engine& engine, std::vector<Left>& left) : engine_(engine), left_(left), name_(fresh_name()) {}

Container::~Container() {
  if (!there_) return;
  if (const auto removed = remove(); !removed) left_.push_back(left_by(engine_.kind(), name_, removed.error()));
}

Expected<void> Container::create(const CreateOptions& options) {
  if (util::interrupted()) return util::fail_interrupted("interrupted");
  std::vector<std::string> words{"create", "--pull=never", "--name",
                                 name_,    "--label",      fmt::format("{}={}", owner_label, Owner::self().label())};
  words.insert(words.end(), options.flags.begin(), options.flags.end());
  words.insert(words.end(), {"--entrypoint", options.entrypoint, options.image});
  words.insert(words.end(), options.arguments.begin(), options.arguments.end());
  there_ = true;  // also after a failure: the engine may have got that far
  const auto made = engine_.ask(words, a_step(grace_of_create), grace_of_create);
  if (!made) {
    perhaps_later_ = came_too_late(made.error()) || made.error().code == ErrorCode::interrupted;
    return tl::unexpected(made.error());
  }
  if (util::interrupted()) return util::fail_interrupted("interrupted");
  return {};
}

Expected<void> Container::copy_in(const std::filesystem::path& file, const std::string& to) const {
  const auto copied = engine_.ask({"cp", file.string(), name_ + ":" + to}, a_step());
  if (!copied) return tl::unexpected(copied.error());
  return {};
}

Expected<util::ProcessResult> Container::start(std::size_t largest_out,
                                               const std::function<void(std::string_view)>& hears_err) const {
  return engine_.run({"start", "--attach", name_}, {.largest_out = largest_out, .hears_err = hears_err});
}

Expected<void> Container::start_apart() const {
  if (const auto started = engine_.ask({"start", name_}, a_step()); !started) return tl::unexpected(started.error());
  return {};
}

Expected<std::string> Container::printed() const { return engine_.ask({"logs", name_}, a_step()); }

Expected<void> Container::export_files(const std::function<void(std::string_view)>& hears) const {
  if (const auto exported = engine_.ask({"export", name_}, {.hears_out = hears}); !exported)
    return tl::unexpected(exported.error());
  return {};
}

void Container::stop() const {
  constexpr std::chrono::seconds longest{15};  // three times what its program is given
  std::ignore = engine_.run({"stop", "--time", "5", name_}, {.timeout = longest, .grace = grace_of_stop}, grace_of_stop);
}

Expected<State> Container::state() const {
  // Its program has ended in time, and is not to have done so for nothing.
  constexpr std::chrono::seconds beyond{3};
  const auto text = engine_.ask({"inspect", "--type", "container", "--format", "{{json .}}", name_}, a_step(), beyond);
  if (!text) return tl::unexpected(text.error());
  return parse_state(*text);
}

Expected<void> Container::remove() {
  constexpr std::chrono::seconds longest_search{3};
  constexpr std::chrono::milliseconds pause{100};
  const auto until = std::chrono::steady_clock::now() + longest_search;
  while (perhaps_later_) {
    const auto found = engine_.ask({"ps", "--all", "--quiet", "--filter", "name=" + name_}, a_step(clean_up_time), clean_up_time);
    if (!found) return tl::unexpected(found.error());
    if (!found->empty()) break;
    if (std::chrono::steady_clock::now() >= until)
      return fail(ErrorCode::missing, fmt::format("{} create was stopped, but may still create it", name_of(engine_.kind())));
    std::this_thread::sleep_for(pause);
  }
  const auto once = [&] { return remove_container(engine_, name_, a_step(clean_up_time), clean_up_time); };
  auto removed = once();
  if (!removed && !hopeless(removed.error())) removed = once();  // an engine that was busy or broken for a moment
  if (removed) there_ = perhaps_later_ = false;
  return removed;
}

Expected<Leftovers> remove_leftovers(const Engine& engine) {
  // Nobody waits long for what somebody else left.
  constexpr std::chrono::seconds longest{30};
  Leftovers leftovers;
  const auto ids =
      engine.ask({"ps", "--all", "--quiet", "--no-trunc", "--filter", fmt::format("label={}", owner_label)}, a_step());
  if (!ids && hopeless(ids.error())) return tl::unexpected(ids.error());
  if (!ids) return leftovers;
  for (const auto& id : words_of(*ids)) {
    const auto label = engine.ask(
        {"inspect", "--type", "container", "--format", fmt::format("{{{{index .Config.Labels \"{}\"}}}}", owner_label), id},
        a_step());
    if (!label && hopeless(label.error())) return tl::unexpected(label.error());
    if (!label) continue;
    const auto owner = Owner::parse(std::string_view(*label).substr(0, label->find('\n')));
    if (!owner || !owner->dead()) continue;
    const std::chrono::seconds of_the_rest = engine.time().left() / 4;
    const auto removed = remove_container(engine, id, {.timeout = std::clamp(of_the_rest, std::chrono::seconds(1), longest)}, {});
    if (removed) {
      leftovers.removed.push_back(id);
      continue;
    }
    if (removed.error().code != ErrorCode::missing) return tl::unexpected(removed.error());
    leftovers.left.push_back(left_by(engine.kind(), id, removed.error()));
    if (came_too_late(removed.error())) break;  // so would the others
  }
  return leftovers;
}

}  // namespace envgen::container
