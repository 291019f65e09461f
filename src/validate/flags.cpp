#include "validate/flags.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "model/spelling.hpp"
#include "output/container_flags.hpp"

namespace envgen::validate {

Expected<void> check_flags(const Options& options) {
  if (options.gpus != "auto") {
    if (auto selection = selection_of(options.gpus, options.cdi); !selection) return tl::unexpected(selection.error());
  }
  const auto& size = options.sharing.shm_size;
  if (!size.empty() && !bytes_of(size))
    return fail(ErrorCode::usage, fmt::format("{} is no size", in_quotes(size)), "--shm-size", {"8g, 512m"});
  const auto& ipc = options.sharing.ipc;
  constexpr std::array<std::string_view, 5> modes{"", "host", "private", "shareable", "none"};
  if (std::find(modes.begin(), modes.end(), ipc) == modes.end() && (!ipc.starts_with("container:") || ipc.ends_with(':')))
    return fail(ErrorCode::usage, fmt::format("{} is no IPC mode", in_quotes(ipc)), "--ipc",
                {"host, private, shareable, none, or container:NAME"});
  return {};
}

std::vector<std::string> container_flags(const Run& run) {
  const auto& options = run.options;
  std::vector<std::string> words;
  if (is_here(run)) return words;
  for (const auto& flag : output::gpu_flags(run.gpus.selection, run.gpus.by_cdi))
    words.insert(words.end(), flag.words.begin(), flag.words.end());
  if (!options.sharing.ipc.empty()) words.push_back("--ipc=" + options.sharing.ipc);
  if (!options.sharing.shm_size.empty()) words.push_back("--shm-size=" + options.sharing.shm_size);
  for (const auto& volume : options.volumes) words.push_back("--volume=" + volume);
  words.push_back("--network=" + options.network);
  if (!options.runtime.empty()) words.push_back("--runtime=" + options.runtime);
  return words;
}

}  // namespace envgen::validate
