#include "check/specifier.hpp"
#include "check/subject.hpp"

namespace envgen::check {
namespace {

using matrix::Answer;

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

void check_build(const Subject& subject) {
  const auto& said = subject.environment.build();
  const auto& build = subject.build;
  const auto has_python = [&](PythonSet pythons) { return pythons.contains(subject.environment.python); };
  subject.expect("build.cuda", said.cuda, build.cuda);
  subject.expect("build.toolkit", said.toolkit, build.toolkit);
  subject.expect("build.nccl", said.nccl, build.nccl);
  subject.expect("build.glibc", said.glibc, build.glibc);
  // Triton has wheels of its own: it is not on every Python that torch is on.
  subject.expect("build.triton", said.triton, has_python(build.triton_pythons) ? build.triton.view() : std::string_view());
  subject.expect("build.archs", said.archs, targets(build.sass, build.sass_known));
  subject.expect("build.ptx", said.ptx, targets(build.ptx, build.ptx_known));
  subject.expect("build.pythons", said.pythons, build.pythons.list());
  subject.expect("build.official", said.official,
                 build.official == Answer::unknown ? std::nullopt : std::optional(build.official == Answer::yes));
  // Where it can be had must be true for the Python that was chosen.
  const bool on_wheel_index = has_python(build.wheel_index);
  const bool on_package_index = has_python(build.package_index);
  subject.expect("build.index_url", said.index_url, on_wheel_index ? build.wheel_index_url.view() : std::string_view());
  subject.expect("build.on_package_index", said.on_package_index, on_package_index);
  if (!subject.on_conda() && !on_wheel_index && !on_package_index)
    subject.wrong("build: no index has a wheel for Python {}", subject.environment.python);
  subject.expect("build.conda_spec", said.conda_spec, build.conda_spec);
  subject.expect("build.conda_channels", said.conda_channels, texts_of(build.conda_channels));
  const auto* extra = subject.cuda_extra();
  if (extra == nullptr ? !said.cuda_pins.empty() : !are_cuda_pins(said.cuda_pins, extra->pins))
    subject.wrong("build.cuda_pins: they are not those of [and-cuda]");
  // Its platform is the answer's, by which the row was found.
  if (build.cpu && (subject.environment.cudnn || subject.environment.driver || !subject.environment.gpus.empty()))
    subject.wrong("cuda: a CPU build has no cuDNN, driver or GPU");
}

void check_requested_versions(const Subject& subject) {
  const auto& asked = subject.asked;
  const auto& build = subject.build;
  subject.expect("framework", build.framework, asked.framework);
  const auto field = build.framework == Framework::torch ? Field::torch : Field::tensorflow;
  subject.expect_asked(field, build.version_text, satisfies(asked[field], build.version));
  if (!asked.tag.empty()) subject.expect("build.tag", build.tag.view(), std::string_view(asked.tag));
  subject.expect("build.cpu", build.cpu, asked.cpu);
  for (const auto& text : asked.cuda) {
    if (text.starts_with("cu")) {
      subject.expect("build.tag", build.tag.view(), std::string_view(text));
      continue;
    }
    // Three digits name the toolkit, one or two the minor that the build is for.
    constexpr int of_minor = 2;
    const auto cuda = longest_clause(text) > of_minor && subject.toolkit() ? subject.toolkit() : build.cuda;
    if (!satisfies(text, cuda, of_minor)) subject.wrong("cuda: {} is not {}", shown(cuda), text);
  }
}

PythonSet check_companions(const Subject& subject) {
  const auto& release = subject.matrix.release(subject.build);
  auto pythons = subject.build.pythons;
  const auto one = [&](Field field, const std::optional<std::string>& said, const matrix::Text& own,
                       const matrix::List<matrix::Companion>& rows) {
    const auto name = name_of(field);
    const auto asked = subject.asked[field];
    subject.expect_asked(field, said, said && satisfies(asked, Version::parse(*said).value_or(Version())));
    // The solver of a channel finds the package of that version.
    if (subject.on_conda()) return subject.expect(name, said, own);
    const auto* row = std::find_if(rows.begin(), rows.end(), [&](const matrix::Companion& candidate) {
      return candidate.platform == subject.build.platform &&
             candidate.text.view() == (said ? std::string_view(*said) : own.view());
    });
    const bool has_wheel = row != rows.end() && row->pythons.contains(subject.environment.python);
    if (!said) return has_wheel ? subject.expect(name, said, own) : void();
    if (!has_wheel) subject.wrong("{}: there is no wheel of {} for Python {}", name, *said, subject.environment.python);
    if (row == rows.end()) return;
    pythons = pythons & row->pythons;
    const bool declared = !row->requires_torch.empty() && satisfies(row->requires_torch, subject.build.version);
    if (asked.empty() || !declared) subject.expect(name, said, own);
    if (!row->requires_torch.empty() && !declared)
      subject.wrong("{}: {} requires torch {}", name, *said, row->requires_torch.view());
  };
  const auto& said = subject.environment.build();
  one(Field::torchvision, said.torchvision, release.torchvision_text, subject.matrix->torchvision);
  one(Field::torchaudio, said.torchaudio, release.torchaudio_text, subject.matrix->torchaudio);
  return pythons;
}

void check_cudnn(const Subject& subject) {
  const auto& said = subject.environment.cudnn;
  const auto& build = subject.build;
  if (build.cpu) return;
  if (!said) return subject.wrong("cudnn: there has to be one");
  subject.expect("cudnn.version", said->version, build.cudnn);
  subject.expect("cudnn.major", said->major, build.cudnn ? std::optional<int>(build.cudnn.major()) : std::nullopt);
  subject.expect("cudnn.from", said->from,
                 subject.on_conda()                       ? CudnnFrom::conda
                 : !subject.brings_no_cuda()              ? CudnnFrom::wheel
                 : subject.environment.base == Base::slim ? CudnnFrom::system
                                                          : CudnnFrom::image);
  const auto asked = subject.asked[Field::cudnn];
  subject.expect_asked(Field::cudnn, said->version, build.cudnn && satisfied_by_all_under(asked, build.cudnn));
}

}  // namespace envgen::check
