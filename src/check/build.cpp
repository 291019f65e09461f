#include "check/checked_answer.hpp"
#include "check/specifier.hpp"

namespace envgen::check {
namespace {

using matrix::Tribool;

/// What a build was compiled for; none: nobody read it.
std::optional<std::vector<Arch>> targets(const matrix::List<Arch>& archs, bool known) {
  return known ? std::optional(std::vector<Arch>(archs.begin(), archs.end())) : std::nullopt;
}

bool are_cuda_pins(const Environment::Names& said, const matrix::List<matrix::Pin>& pins) {
  return std::equal(said.begin(), said.end(), pins.begin(), pins.end(), [](const auto& one, const matrix::Pin& pin) {
    return one.first == pin.package.view() && one.second == pin.spec.view();
  });
}

}  // namespace

void check_build(const CheckedAnswer& checked) {
  const auto& said = checked.environment.build();
  const auto& build = checked.build;
  const auto has_python = [&](PythonSet pythons) { return pythons.contains(checked.environment.python); };
  checked.expect("build.cuda", said.cuda, build.cuda);
  checked.expect("build.toolkit", said.toolkit, build.toolkit);
  checked.expect("build.nccl", said.nccl, build.nccl);
  checked.expect("build.glibc", said.glibc, build.glibc);
  // Triton has wheels of its own: it is not on every Python that torch is on.
  checked.expect("build.triton", said.triton, has_python(build.triton_pythons) ? build.triton.view() : std::string_view());
  checked.expect("build.archs", said.archs, targets(build.sass, build.sass_known));
  checked.expect("build.ptx", said.ptx, targets(build.ptx, build.ptx_known));
  checked.expect("build.pythons", said.pythons, build.pythons.list());
  checked.expect("build.official", said.official,
                 build.official == Tribool::unknown ? std::nullopt : std::optional(build.official == Tribool::yes));
  // Where it can be had must be true for the Python that was chosen.
  const bool on_wheel_index = has_python(build.wheel_index);
  const bool on_package_index = has_python(build.package_index);
  checked.expect("build.index_url", said.index_url, on_wheel_index ? build.wheel_index_url.view() : std::string_view());
  checked.expect("build.on_package_index", said.on_package_index, on_package_index);
  if (!checked.on_conda() && !on_wheel_index && !on_package_index)
    checked.wrong("build: no index has a wheel for Python {}", checked.environment.python);
  checked.expect("build.conda_spec", said.conda_spec, build.conda_spec);
  checked.expect("build.conda_channels", said.conda_channels, texts_of(build.conda_channels));
  const auto* extra = checked.cuda_extra();
  if (extra == nullptr ? !said.cuda_pins.empty() : !are_cuda_pins(said.cuda_pins, extra->pins))
    checked.wrong("build.cuda_pins: they are not those of [and-cuda]");
  // Its platform is the answer's, by which the row was found.
  if (build.cpu && (checked.environment.cudnn || checked.environment.driver || !checked.environment.gpus.empty()))
    checked.wrong("cuda: a CPU build has no cuDNN, driver or GPU");
}

void check_requested_versions(const CheckedAnswer& checked) {
  const auto& asked = checked.asked;
  const auto& build = checked.build;
  checked.expect("framework", build.framework, asked.framework);
  const auto field = build.framework == Framework::torch ? Field::torch : Field::tensorflow;
  checked.expect_asked(field, build.version_text, satisfies(asked[field], build.version));
  if (!asked.tag.empty()) checked.expect("build.tag", build.tag.view(), std::string_view(asked.tag));
  checked.expect("build.cpu", build.cpu, asked.cpu);
  for (const auto& text : asked.cuda) {
    if (text.starts_with("cu")) {
      checked.expect("build.tag", build.tag.view(), std::string_view(text));
      continue;
    }
    // Three digits name the toolkit, one or two the minor that the build is for.
    constexpr int of_minor = 2;
    const auto cuda = longest_clause(text) > of_minor && checked.toolkit() ? checked.toolkit() : build.cuda;
    if (!satisfies(text, cuda, of_minor)) checked.wrong("cuda: {} is not {}", shown(cuda), text);
  }
}

PythonSet check_companions(const CheckedAnswer& checked) {
  const auto& release = checked.matrix.release(checked.build);
  auto pythons = checked.build.pythons;
  const auto one = [&](Field field, const std::optional<std::string>& said, const matrix::PackedString& own,
                       const matrix::List<matrix::Companion>& rows) {
    const auto name = name_of(field);
    const auto asked = checked.asked[field];
    checked.expect_asked(field, said, said && satisfies(asked, Version::parse(*said).value_or(Version())));
    // The pytorch channel has the package of that version; of conda-forge nothing was read, so nothing is promised.
    if (checked.on_conda())
      return checked.expect(name, said, checked.build.channel == matrix::Channel::conda_forge ? std::string_view() : own.view());
    const auto* row = std::find_if(rows.begin(), rows.end(), [&](const matrix::Companion& candidate) {
      return candidate.platform == checked.build.platform &&
             candidate.text.view() == (said ? std::string_view(*said) : own.view());
    });
    const bool has_wheel = row != rows.end() && row->pythons.contains(checked.environment.python);
    if (!said) return has_wheel ? checked.expect(name, said, own) : void();
    if (!has_wheel) checked.wrong("{}: there is no wheel of {} for Python {}", name, *said, checked.environment.python);
    if (row == rows.end()) return;
    pythons = pythons & row->pythons;
    const bool declared = !row->requires_torch.empty() && satisfies(row->requires_torch, checked.build.version);
    if (asked.empty() || !declared) checked.expect(name, said, own);
    const auto of = [&](Version cuda) { return cuda == checked.build.cuda; };
    if (*said != own.view() && !checked.build.cpu && !row->cuda.empty() && std::none_of(row->cuda.begin(), row->cuda.end(), of))
      checked.wrong("{}: {} was not made for CUDA {}", name, *said, checked.build.cuda);
    const bool loads = checked.environment.build().on_package_index && checked.build.cuda.major() == row->linked_cuda.major();
    if (row->linked_cuda && !loads) checked.wrong("{}: the wheel of {} links with CUDA {}", name, *said, row->linked_cuda);
    if (!row->requires_torch.empty() && !declared)
      checked.wrong("{}: {} requires torch {}", name, *said, row->requires_torch.view());
  };
  const auto& said = checked.environment.build();
  one(Field::torchvision, said.torchvision, release.torchvision_text, checked.matrix->torchvision);
  one(Field::torchaudio, said.torchaudio, release.torchaudio_text, checked.matrix->torchaudio);
  return pythons;
}

}  // namespace envgen::check
