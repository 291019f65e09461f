#include "cli/image_files.hpp"

#include <chrono>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "cli/choice_options.hpp"
#include "container/container.hpp"
#include "inspect/image.hpp"
#include "model/spelling.hpp"
#include "util/interrupt.hpp"
#include "util/pattern.hpp"

namespace envgen::cli {

bool is_image_name(const std::string& text) {
  static const util::Pattern form("[A-Za-z0-9_/][A-Za-z0-9_./:@+-]*");
  return form.matches(text);
}

Expected<inspect::Inspected> inspect_image(const std::string& name, std::string_view choice) {
  if (!is_image_name(name)) return fail(ErrorCode::usage, fmt::format("{} is not the name of an image", in_quotes(name)));
  constexpr std::chrono::seconds longest{900};  // 20 GB at 25 MB/s
  const util::InterruptScope scope;
  const auto engine = container::Engine::find(choice, util::RunTime(longest));
  if (!engine) return tl::unexpected(engine.error());
  if (const auto image = engine->image(name); !image) return tl::unexpected(image.error());
  inspect::ImageInspection inspection(name);
  std::vector<container::Left> left;
  Expected<void> exported;
  {
    container::Container container(*engine, left);
    exported = container.create({name, {"--network=none"}, "/bin/true", {}});
    const auto take = [&](std::string_view bytes) { inspection.feed(std::as_bytes(std::span(bytes))); };
    if (exported) exported = container.export_files(take);
    if (exported) {
      const auto again = inspection.wants_again();
      if (!again) exported = tl::unexpected(again.error());
      if (again && *again) exported = container.export_files(take);
    }
  }
  if (!left.empty()) note(container::describe(left));
  if (!exported) return tl::unexpected(exported.error());
  return inspection.finish();
}

}  // namespace envgen::cli
