#include "files/extension_program.hpp"
#include "validate/steps.hpp"

namespace envgen::validate {

std::vector<std::string> python_arguments(const Context& context) {
  return {"-c", files::self_report_program().value_or(""), context.nonce};
}

Expected<PythonTold> python_step(const Context& context, Place& place, const ChosenGpus& gpus, const BenchReport* first,
                                 std::string_view doing) {
  if (first != nullptr && first->then) return python_told(*first->then, context.nonce);
  context.progress(doing);
  const auto& options = context.options;
  std::vector<std::string> pythons(python_names.begin(), python_names.end());
  if (!options.python.empty()) pythons = {options.python};
  PythonTold none;
  none.launched.end = Launched::End::not_there;
  for (const auto& python : pythons) {
    auto launched = place.launch({container_flags(options, gpus), python, python_arguments(context), {}});
    if (!launched) return tl::unexpected(launched.error());
    if (launched->end != Launched::End::not_there) return python_told(std::move(*launched), context.nonce);
  }
  return none;
}

}  // namespace envgen::validate
