#include "check/checked_answer.hpp"
#include "check/specifier.hpp"

namespace envgen::check {

void check_python(const CheckedAnswer& checked, PythonSet pythons) {
  const auto& environment = checked.environment;
  const auto python = environment.python;
  if (!pythons.contains(python)) checked.wrong("python: not every part has a wheel for {}", python);
  checked.expect("pythons", environment.pythons, pythons.list());
  const auto asked = checked.asked[Field::python];
  const bool tag = asked.starts_with("cp") || asked.starts_with("py");
  if (asked.ends_with('t') || tag) {
    const auto one = PythonVersion::parse(tag ? "cp" + std::string(asked.substr(2)) : std::string(asked));
    return checked.expect_asked(Field::python, python, one && *one == python);
  }
  const bool any_regular = !(checked.build.pythons & PythonSet::regular()).empty();
  if (python.free_threaded && any_regular) checked.wrong("python: nobody asked for the free-threaded {}", python);
  checked.expect_asked(Field::python, python, satisfies(asked, python.version(), 2));
}

void check_system(const CheckedAnswer& checked) {
  const auto& environment = checked.environment;
  const auto& asked = checked.asked;
  const auto* os = environment.os ? checked.matrix.os(*environment.os) : nullptr;
  if (environment.os && (os == nullptr || os->id.view() != *environment.os)) checked.wrong("os: there is no {}", *environment.os);
  if (!asked.os.empty() && (os == nullptr || os != checked.matrix.os(asked.os)))
    checked.wrong("os: {} is not {}", shown(environment.os), asked.os);
  if (os != nullptr && os->glibc && os->glibc < checked.build.glibc)
    checked.wrong("os: the glibc of {} is older than {}", os->id.view(), checked.build.glibc);
  if (os != nullptr && checked.build.glibc_below && os->glibc >= checked.build.glibc_below)
    checked.wrong("os: the glibc of {} refuses the build, which needs one below {}", os->id.view(), checked.build.glibc_below);

  const auto* image = checked.official_image;
  checked.expect("python_provider", environment.python_provider,
                 checked.on_conda()                                          ? PythonProvider::conda
                 : image != nullptr && image->python.minor != 0              ? PythonProvider::image
                 : os != nullptr && os->pythons.contains(environment.python) ? PythonProvider::system
                 : environment.python >= oldest_of_uv                        ? PythonProvider::uv
                                                                             : PythonProvider::other);
  // What is not asked for stays at the default, what is asked for is kept.
  const auto choice = [&](Field field, auto said, auto fallback) {
    checked.expect(name_of(field), name_of(said), asked[field].empty() ? name_of(fallback) : asked[field]);
  };
  const bool arm_board =
      std::any_of(asked.boards.begin(), asked.boards.end(), [](const AskedBoard& board) { return board.arm_only; });
  if (arm_board) checked.expect("platform", environment.platform, Platform::linux_aarch64);
  choice(Field::platform, environment.platform, arm_board ? Platform::linux_aarch64 : Platform::linux_x86_64);
  choice(Field::variant, environment.variant, Variant::runtime);
  choice(Field::installer, environment.installer, Installer::pip);
  // Both are taken without being asked for, official images are not.
  choice(Field::base, environment.base, environment.base == Base::cuda ? Base::cuda : Base::slim);
  checked.expect("engine", environment.engine ? name_of(*environment.engine) : std::string_view(), asked[Field::engine]);
}

}  // namespace envgen::check
