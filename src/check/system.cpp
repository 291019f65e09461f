#include "check/specifier.hpp"
#include "check/subject.hpp"

namespace envgen::check {

void check_python(const Subject& subject, PythonSet pythons) {
  const auto& environment = subject.environment;
  const auto python = environment.python;
  if (!pythons.contains(python)) subject.wrong("python: not every part has a wheel for {}", python);
  subject.expect("pythons", environment.pythons, pythons.list());
  const auto asked = subject.asked[Field::python];
  if (asked.ends_with('t') || asked.starts_with("cp")) {
    const auto one = PythonVersion::parse(asked);
    return subject.expect_asked(Field::python, python, one && *one == python);
  }
  const bool any_regular = !(subject.build.pythons & PythonSet::regular()).empty();
  if (python.free_threaded && any_regular) subject.wrong("python: nobody asked for the free-threaded {}", python);
  subject.expect_asked(Field::python, python, satisfies(asked, python.version(), 2));
}

void check_system(const Subject& subject) {
  const auto& environment = subject.environment;
  const auto& asked = subject.asked;
  const auto* os = environment.os ? subject.matrix.os(*environment.os) : nullptr;
  if (environment.os && (os == nullptr || os->id.view() != *environment.os)) subject.wrong("os: there is no {}", *environment.os);
  if (!asked.os.empty() && (os == nullptr || os != subject.matrix.os(asked.os)))
    subject.wrong("os: {} is not {}", shown(environment.os), asked.os);
  if (os != nullptr && os->glibc && os->glibc < subject.build.glibc)
    subject.wrong("os: the glibc of {} is older than {}", os->id.view(), subject.build.glibc.to_string());

  const auto* image = subject.official_image;
  subject.expect("python_provider", environment.python_provider,
                 subject.on_conda()                                          ? PythonProvider::conda
                 : image != nullptr && image->python.minor != 0              ? PythonProvider::image
                 : os != nullptr && os->pythons.contains(environment.python) ? PythonProvider::system
                 : environment.python >= oldest_of_uv                        ? PythonProvider::uv
                                                                             : PythonProvider::other);
  // What is not asked for stays at the default, what is asked for is kept.
  const auto choice = [&](Field field, auto said, auto fallback) {
    subject.expect(name_of(field), name_of(said), asked[field].empty() ? name_of(fallback) : asked[field]);
  };
  const bool arm_board =
      std::any_of(asked.boards.begin(), asked.boards.end(), [](const AskedBoard& board) { return board.arm_only; });
  if (arm_board) subject.expect("platform", environment.platform, Platform::linux_aarch64);
  choice(Field::platform, environment.platform, arm_board ? Platform::linux_aarch64 : Platform::linux_x86_64);
  choice(Field::variant, environment.variant, Variant::runtime);
  choice(Field::installer, environment.installer, Installer::pip);
  // Both are taken without being asked for, official images are not.
  choice(Field::base, environment.base, environment.base == Base::cuda ? Base::cuda : Base::slim);
}

}  // namespace envgen::check
