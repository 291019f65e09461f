// Versions, ranges, drivers, Pythons, capabilities and choices: what a parser takes, it prints so that it reads the same again.
#include "fuzz/fuzz.hpp"
#include "model/capability.hpp"
#include "model/choices.hpp"
#include "model/python_version.hpp"
#include "model/spelling.hpp"
#include "model/version.hpp"
#include "model/version_spec.hpp"

namespace {

using namespace envgen;
using fuzz::require;

template <class T>
void round_trip(std::string_view text, const char* what) {
  const auto value = T::parse(text);
  if (!value) {
    require(!value.error().message.empty(), "an error has a message");
    return;
  }
  const auto again = T::parse(value->to_string());
  require(again && *again == *value, what);
}

void ranges(std::string_view text) {
  const auto spec = VersionSpec::parse(text);
  if (!spec) return;
  // `1,2` is printed as `==1.*,==2.*`, which may be longer than what is read.
  constexpr std::size_t longest = 200;
  const auto printed = spec->to_string();
  if (printed.size() > longest) return;
  const auto again = VersionSpec::parse(printed);
  require(again.has_value(), "a printed range is a range");
  for (const Version version : {Version(0), Version(2, 3), Version(2, 3, 1), Version(12, 1), Version(65535, 65535, 65535)}) {
    require(spec->matches(version) == again->matches(version), "a printed range matches the same");
    require(spec->matches_at_own_precision(version, 2) == again->matches_at_own_precision(version, 2),
            "likewise at its precision");
  }
  if (const auto single = spec->single()) require(spec->matches(single), "the one version of a range is in it");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = fuzz::text_of(data, size);
  round_trip<Version>(text, "a printed version reads the same");
  round_trip<DriverVersion>(text, "a printed driver reads the same");
  round_trip<PythonVersion>(text, "a printed Python reads the same");
  round_trip<Capability>(text, "a printed capability reads the same");
  round_trip<Arch>(text, "a printed target reads the same");
  ranges(text);
  if (!parse_choice<Base>(text)) parse_choice<Platform>(text);
  const auto quoted = in_quotes(text);
  for (const char c : quoted) require(static_cast<unsigned char>(c) >= 0x20, "a quoted text holds no control character");
  return 0;
}
