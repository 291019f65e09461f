#include <algorithm>

#include "check/specifier.hpp"
#include "check/subject.hpp"

namespace envgen::check {
namespace {

/// Every Python that torch and each companion of the answer have a wheel for.
PythonSet common_pythons(const Subject& subject) {
  auto pythons = subject.build.pythons;
  if (subject.on_conda()) return pythons;
  const auto narrow = [&](const std::optional<std::string>& version, const matrix::List<matrix::Companion>& rows) {
    for (const auto& row : rows) {
      if (version && row.platform == subject.build.platform && row.text.view() == *version) pythons = pythons & row.pythons;
    }
  };
  narrow(subject.framework().torchvision, subject.matrix->torchvision);
  narrow(subject.framework().torchaudio, subject.matrix->torchaudio);
  return pythons;
}

void check_provider(const Subject& subject, const matrix::Os* os) {
  const auto& environment = subject.environment;
  const auto* image = official_image(subject);
  const bool of_image = image != nullptr && image->python.minor != 0;
  const bool of_system = os != nullptr && os->pythons.contains(subject.environment.python);
  const auto expected = subject.on_conda()                           ? PythonProvider::conda
                        : of_image                                   ? PythonProvider::image
                        : of_system                                  ? PythonProvider::system
                        : subject.environment.python >= oldest_of_uv ? PythonProvider::uv
                                                                     : PythonProvider::other;
  if (environment.python_provider != expected)
    subject.wrong("python_provider: Python {} comes from {} on {}, the answer says {}", environment.python, name_of(expected),
                  shown(environment.os), name_of(environment.python_provider));
}

/// What is not asked for stays at the default, what is asked for is kept.
template <class Choice>
void check_choice(const Subject& subject, std::string_view field, std::string_view asked, Choice answer,
                  std::optional<Choice> fallback) {
  if (!asked.empty() && asked != name_of(answer))
    subject.wrong("{}: {} was asked for, the answer is {}", field, asked, name_of(answer));
  else if (asked.empty() && fallback && *fallback != answer)
    subject.wrong("{}: the default is {}, the answer is {}", field, name_of(*fallback), name_of(answer));
}

}  // namespace

void check_python(const Subject& subject) {
  const auto& environment = subject.environment;
  const auto common = common_pythons(subject);
  if (!common.contains(subject.environment.python))
    subject.wrong("python: Python {} has no wheel of every part of {}", environment.python, subject.name());
  const auto asked = subject.asked.python;
  if (asked.ends_with('t') || asked.starts_with("cp")) {
    const auto one = PythonVersion::parse(asked);
    if (!one || *one != subject.environment.python) subject.wrong("python: {} is not {}", environment.python, asked);
  } else {
    const bool any_regular = !(subject.build.pythons & PythonSet::regular()).empty();
    if (subject.environment.python.free_threaded && any_regular)
      subject.wrong("python: nobody asked for the free-threaded {}", environment.python);
    if (!asked.empty() && !satisfies(asked, subject.environment.python.version(), 2))
      subject.wrong("python: {} is not {}", environment.python, asked);
  }
  const auto list = common.list();
  if (list != environment.pythons)
    subject.wrong("pythons: every part of {} has a wheel for {}, the answer says {}", subject.name(), fmt::join(list, ", "),
                  fmt::join(environment.pythons, ", "));
}

void check_system(const Subject& subject) {
  const auto& environment = subject.environment;
  const auto& asked = subject.asked;
  const auto* os = environment.os ? subject.matrix.os(*environment.os) : nullptr;
  if (environment.os && (os == nullptr || os->id.view() != *environment.os))
    subject.wrong("os: there is no system {} in the matrix", *environment.os);
  if (!asked.os.empty()) {
    const auto* wanted = subject.matrix.os(asked.os);
    if (wanted == nullptr || os != wanted)
      subject.wrong("os: {} was asked for, the answer is {}", asked.os, shown(environment.os));
  }
  if (os != nullptr && os->glibc && os->glibc < subject.build.glibc)
    subject.wrong("glibc: {} needs {}, {} has {}", subject.name(), subject.build.glibc.to_string(), os->id.view(),
                  os->glibc.to_string());
  check_provider(subject, os);
  const bool arm_board =
      std::any_of(asked.boards.begin(), asked.boards.end(), [](const AskedBoard& board) { return board.arm_only; });
  if (arm_board && environment.platform != Platform::linux_aarch64)
    subject.wrong("platform: an asked board sits beside an Arm CPU only, the answer is {}", name_of(environment.platform));
  check_choice<Platform>(subject, "platform", asked.platform, environment.platform,
                         arm_board ? Platform::linux_aarch64 : Platform::linux_x86_64);
  check_choice<Variant>(subject, "variant", asked.variant, environment.variant, Variant::runtime);
  check_choice<Installer>(subject, "installer", asked.installer, environment.installer, Installer::pip);
  check_choice<Base>(subject, "base", asked.base, environment.base, {});
  if (asked.base.empty() && (environment.base == Base::pytorch || environment.base == Base::tensorflow))
    subject.wrong("base: an official image is taken only when asked for, the answer is {}", name_of(environment.base));
}

}  // namespace envgen::check
