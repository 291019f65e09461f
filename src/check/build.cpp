#include <algorithm>

#include "check/specifier.hpp"
#include "check/subject.hpp"

namespace envgen::check {
namespace {

using matrix::Answer;
using Texts = std::vector<std::string>;

template <class List>
std::string joined(const List& items) {
  return items.empty() ? std::string("none") : fmt::format("{}", fmt::join(items, ", "));
}

void check_targets(const Subject& subject, std::string_view field, const std::optional<std::vector<Arch>>& answer,
                   const matrix::List<Arch>& fact, bool known) {
  if (!known) {
    if (answer)
      subject.wrong("{}: no fact lists what {} was compiled for, the answer says {}", field, subject.name(), joined(*answer));
    return;
  }
  const std::vector<Arch> listed(fact.begin(), fact.end());
  if (!answer || *answer != listed)
    subject.wrong("{}: {} carries {}, the answer says {}", field, subject.name(), joined(listed),
                  answer ? joined(*answer) : "unknown");
}

void check_pins(const Subject& subject) {
  const auto& pins = subject.framework().cuda_pins;
  std::size_t right = 0;
  std::size_t known = 0;
  for (const auto& extra : subject.matrix->tensorflow_extras) {
    if (subject.build.framework != Framework::tensorflow || extra.version != subject.build.version) continue;
    known += extra.pins.size();
    for (const auto& pin : extra.pins) {
      right += static_cast<std::size_t>(
          std::count(pins.begin(), pins.end(), std::pair<std::string, std::string>(pin.package.view(), pin.spec.view())));
    }
  }
  if (right != known || pins.size() != known)
    subject.wrong("cuda_pins: [and-cuda] of {} names {} packages, {} of the answer's {} are right", subject.name(), known, right,
                  pins.size());
}

/// Where it can be had must be true for the Python that was chosen.
void check_source(const Subject& subject) {
  const auto& answer = subject.framework();
  const auto& build = subject.build;
  if (subject.on_conda()) {
    Texts channels;
    for (const auto& channel : build.conda_channels) channels.emplace_back(channel.view());
    if (answer.conda_channels != channels)
      subject.wrong("conda_channels: {} comes from {}, the answer says {}", subject.name(), joined(channels),
                    joined(answer.conda_channels));
    if (answer.index_url || answer.on_package_index) subject.wrong("index_url: a conda package stands on no index");
    return;
  }
  if (answer.conda_spec || !answer.conda_channels.empty())
    subject.wrong("conda_spec: {} is installed with {}", subject.name(), name_of(subject.environment.installer));
  const bool on_package_index = build.package_index.contains(subject.environment.python);
  const bool on_wheel_index = build.wheel_index.contains(subject.environment.python);
  if (answer.on_package_index != on_package_index)
    subject.wrong("on_package_index: the package index has {} wheel of {} for Python {}", on_package_index ? "a" : "no",
                  subject.name(), subject.environment.python);
  if (answer.index_url && *answer.index_url != build.wheel_index_url.view())
    subject.wrong("index_url: the wheel index of {} is {}, the answer says {}", subject.name(), shown(build.wheel_index_url),
                  *answer.index_url);
  if (answer.index_url && !on_wheel_index)
    subject.wrong("index_url: {} has no wheel of {} for Python {}", *answer.index_url, subject.name(),
                  subject.environment.python);
  if (!answer.index_url && on_wheel_index)
    subject.wrong("index_url: {} has this wheel, the answer leaves it out", build.wheel_index_url.view());
  if (!on_package_index && !on_wheel_index)
    subject.wrong("index_url: no index has a wheel of {} for Python {}", subject.name(), subject.environment.python);
}

}  // namespace

void check_build(const Subject& subject) {
  const auto& answer = subject.framework();
  const auto& build = subject.build;
  const auto expect = [&](std::string_view field, const auto& value, const auto& fact) {
    if (!same(value, fact)) subject.wrong("{}: {} has {}, the answer says {}", field, subject.name(), shown(fact), shown(value));
  };
  expect("cuda", answer.cuda, build.cuda);
  expect("torch.toolkit", answer.toolkit, build.toolkit);
  expect("nccl", answer.nccl, build.nccl);
  expect("torch.glibc", answer.glibc, build.glibc);
  // Triton has wheels of its own: it is not on every Python that torch is on.
  const bool triton = build.triton_pythons.contains(subject.environment.python);
  expect("triton", answer.triton, triton ? build.triton.view() : std::string_view());
  check_targets(subject, "archs", answer.archs, build.sass, build.sass_known);
  check_targets(subject, "ptx", answer.ptx, build.ptx, build.ptx_known);
  const auto pythons = build.pythons.list();
  if (answer.pythons != pythons)
    subject.wrong("torch.pythons: {} has {}, the answer says {}", subject.name(), joined(pythons), joined(answer.pythons));
  const auto official = build.official == Answer::unknown ? std::nullopt : std::optional<bool>(build.official == Answer::yes);
  if (answer.official != official)
    subject.wrong("official: whether {} is official is {} in the matrix", subject.name(),
                  !official   ? "unknown"
                  : *official ? "yes"
                              : "no");
  check_source(subject);
  check_pins(subject);
  // Its platform is the answer's, by which the row was found.
  if (build.cpu && (subject.environment.cudnn || subject.environment.driver || !subject.environment.gpus.empty()))
    subject.wrong("cuda: a CPU build has no cuDNN, driver or GPU");
}

void check_requested_versions(const Subject& subject) {
  const auto& asked = subject.asked;
  const auto& build = subject.build;
  const bool torch = build.framework == Framework::torch;
  if (asked.wants_tensorflow && torch)
    subject.wrong("tensorflow: {} was asked for, the answer is a torch", asked.tensorflow.empty() ? "auto" : asked.tensorflow);
  if (!asked.wants_tensorflow && !torch) subject.wrong("torch: nobody asked for a TensorFlow");
  if (!asked.torch.empty() && torch && !satisfies(asked.torch, build.version))
    subject.wrong("torch: {} is not {}", build.version_text.view(), asked.torch);
  if (!asked.tensorflow.empty() && !torch && !satisfies(asked.tensorflow, build.version))
    subject.wrong("tensorflow: {} is not {}", build.version_text.view(), asked.tensorflow);
  if (!asked.tag.empty() && asked.tag != build.tag.view())
    subject.wrong("tag: {} was asked for, the answer is {}", asked.tag, build.tag.view());
  if (asked.cpu != build.cpu) subject.wrong("cuda: a {} build was asked for", asked.cpu ? "CPU" : "CUDA");
  for (const auto& text : asked.cuda) {
    if (text.starts_with("cu")) {
      if (build.tag.view() != text) subject.wrong("cuda: {} was asked for, the build is {}", text, build.tag.view());
      continue;
    }
    // Three digits name the toolkit, one or two the minor that the build is for.
    constexpr int of_minor = 2;
    const auto& toolkit = subject.environment.toolkit().version;
    const bool update = longest_clause(text) > of_minor;
    if (!satisfies(text, update && toolkit ? *toolkit : build.cuda, of_minor))
      subject.wrong("cuda: {} is not {}", update ? shown(toolkit) : shown(subject.framework().cuda), text);
  }
}

void check_companions(const Subject& subject) {
  const auto& release = subject.matrix.release(subject.build);
  const auto one = [&](std::string_view name, std::string_view asked, const std::optional<std::string>& answer,
                       const matrix::Text& own, const matrix::List<matrix::Companion>& rows) {
    if (!asked.empty()) {
      const auto version = answer ? Version::parse(*answer) : Expected<Version>(Version());
      if (!answer || !version || !satisfies(asked, *version)) subject.wrong("{}: {} is not {}", name, shown(answer), asked);
    }
    if (subject.on_conda()) {  // the channel's solver finds the wheel-less package of that version
      if (!same(answer, own))
        subject.wrong("{}: {} was released for {}, the answer says {}", name, shown(own), subject.name(), shown(answer));
      return;
    }
    const auto* row = std::find_if(rows.begin(), rows.end(), [&](const matrix::Companion& candidate) {
      return candidate.platform == subject.build.platform &&
             candidate.text.view() == (answer ? std::string_view(*answer) : own.view());
    });
    const bool has_wheel = row != rows.end() && row->pythons.contains(subject.environment.python);
    if (!answer) {
      if (has_wheel)
        subject.wrong("{}: {} has a wheel for Python {}, the answer leaves it out", name, own.view(), subject.environment.python);
      return;
    }
    if (row == rows.end()) {
      subject.wrong("{}: no row says that {} exists for {}", name, *answer, name_of(subject.environment.platform));
      return;
    }
    if (!has_wheel) subject.wrong("{}: {} has no wheel for Python {}", name, *answer, subject.environment.python);
    const bool declared = !row->requires_torch.empty() && satisfies(row->requires_torch, subject.build.version);
    if (*answer != own.view() && (asked.empty() || !declared))
      subject.wrong("{}: {} was released for {}, the answer says {}", name, shown(own), subject.name(), *answer);
    if (!row->requires_torch.empty() && !declared)
      subject.wrong("{}: {} requires torch {}", name, *answer, row->requires_torch.view());
  };
  const auto& answer = subject.framework();
  one("torchvision", subject.asked.torchvision, answer.torchvision, release.torchvision_text, subject.matrix->torchvision);
  one("torchaudio", subject.asked.torchaudio, answer.torchaudio, release.torchaudio_text, subject.matrix->torchaudio);
}

void check_cudnn(const Subject& subject) {
  const auto& answer = subject.environment.cudnn;
  const auto& build = subject.build;
  if (build.cpu) return;
  if (!answer) {
    subject.wrong("cudnn: {} brings a cuDNN, the answer has none", subject.name());
    return;
  }
  if (!same(answer->version, build.cudnn))
    subject.wrong("cudnn: {} has {}, the answer says {}", subject.name(), shown(build.cudnn), shown(answer->version));
  if (answer->major.value_or(0) != (build.cudnn ? build.cudnn.major() : 0))
    subject.wrong("cudnn.major: cuDNN {} is not of major {}", shown(answer->version), answer->major.value_or(0));
  const bool on_system = subject.environment.base == Base::slim;
  const auto from = subject.on_conda()          ? CudnnFrom::conda
                    : !subject.brings_no_cuda() ? CudnnFrom::wheel
                    : on_system                 ? CudnnFrom::system
                                                : CudnnFrom::image;
  if (answer->from != from)
    subject.wrong("cudnn.from: {} gets it from the {}, the answer says {}", subject.name(), name_of(from), name_of(answer->from));
  if (!subject.asked.cudnn.empty() && (!build.cudnn || !satisfied_by_all_under(subject.asked.cudnn, build.cudnn)))
    subject.wrong("cudnn: {} is not {}", shown(answer->version), subject.asked.cudnn);
}

}  // namespace envgen::check
