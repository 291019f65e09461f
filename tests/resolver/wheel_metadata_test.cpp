#include <fstream>
#include <iostream>
#include <map>
#include <regex>
#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "check/specifier.hpp"
#include "model/python_version.hpp"
#include "support/answers.hpp"

/// What torch's own wheels pin is the best truth there is. For every torch on the package index from 1.13 on, each value
/// of the resolved environment is held against the METADATA of its wheel.
namespace envgen::test {
namespace {

using Json = nlohmann::json;

struct Requirement {
  std::string package;
  std::string specifier;  ///< `==8.9.2.26`
  std::string marker;
};

/// `nvidia-cudnn-cu12 (==8.9.2.26) ; platform_system == "Linux"`, with or without the parentheses.
Requirement read_requirement(const std::string& text) {
  static const std::regex form(R"(([A-Za-z0-9._-]+)(?:\[[^\]]*\])?\s*\(?([^;()]*)\)?\s*(?:;\s*(.*))?)");
  std::smatch parts;
  if (!std::regex_match(text, parts, form)) throw std::runtime_error("not a requirement: " + text);
  auto specifier = parts[2].str();
  specifier.erase(specifier.find_last_not_of(' ') + 1);
  return {parts[1].str(), specifier, parts[3].str()};
}

/// The markers that torch uses: comparisons of one name, joined by `and`.
bool applies(const std::string& marker, const std::string& machine, PythonVersion python) {
  static const std::regex comparison(R"re((\w+) (==|<|>=) "([^"]*)"(?: and )?)re");
  std::size_t read = 0;
  for (std::sregex_iterator it(marker.begin(), marker.end(), comparison), end; it != end; ++it) {
    read += static_cast<std::size_t>(it->length());
    const auto name = (*it)[1].str();
    const auto value = (*it)[3].str();
    if (name == "platform_system") {
      if (value != "Linux") return false;
    } else if (name == "platform_machine") {
      if (value != machine) return false;
    } else if (name == "python_version") {
      if (!check::satisfies((*it)[2].str() + value, python.version())) return false;
    } else {
      throw std::runtime_error("a marker that this test does not know: " + marker);
    }
  }
  if (read != marker.size()) throw std::runtime_error("a marker that this test does not understand: " + marker);
  return true;
}

/// The platform in a word without an underscore, which the requests of tests read as a space.
std::string platform_word(const Json& wheel) { return wheel.at("platform") == "linux-x86_64" ? "amd64" : "aarch64"; }

/// What one wheel asks for on one Python: package -> specifier.
std::map<std::string, std::string> pins_of(const Json& wheel, PythonVersion python) {
  std::map<std::string, std::string> pins;
  const auto platform = wheel.at("platform").get<std::string>();
  const auto machine = platform.substr(platform.find('-') + 1);
  for (const auto& text : wheel.at("requires")) {
    const auto requirement = read_requirement(text.get<std::string>());
    if (applies(requirement.marker, machine, python)) pins[requirement.package] = requirement.specifier;
  }
  return pins;
}

std::optional<std::string> pin_of(const std::map<std::string, std::string>& pins, std::string_view prefix) {
  for (const auto& [package, specifier] : pins) {
    if (package.starts_with(prefix)) return specifier.starts_with("==") ? specifier.substr(2) : specifier;
  }
  return std::nullopt;
}

std::optional<std::string> cuda_minor(const std::map<std::string, std::string>& pins) {
  auto version = pin_of(pins, "cuda-toolkit");
  if (!version) version = pin_of(pins, "nvidia-cuda-runtime-cu");
  if (!version) return std::nullopt;
  return Version::parse(*version)->at(2).to_string();
}

std::string shown(const std::optional<std::string>& text) { return text.value_or("none"); }

TEST(WheelMetadata, EveryTorchOnThePackageIndexAgreesWithItsOwnWheel) {
  const auto data = Json::parse(std::ifstream(ENVGEN_TEST_DATA "/wheel_metadata.json"));
  int wheels = 0;
  int agreeing = 0;
  int answers = 0;
  for (const auto& wheel : data.at("torch")) {
    const auto version = wheel.at("version").get<std::string>();
    if (*Version::parse(version) < Version(1, 13)) continue;
    ++wheels;
    std::vector<std::string> disagreements;
    std::set<std::string> on_index;
    for (const auto& tag : wheel.at("pythons")) {
      const auto python = *PythonVersion::parse(tag.get<std::string>());
      on_index.insert(python.to_string());
      const auto pins = pins_of(wheel, python);
      const auto cuda = cuda_minor(pins);
      const auto platform = platform_word(wheel);
      // Asked by the CUDA of its own pins: the default of a release is what the package index installs.
      const auto request =
          "torch===" + version + " platform=" + platform + " python=" + python.to_string() + " cuda=" + cuda.value_or("cpu");
      const auto environment = environment_of(request);
      ++answers;
      const auto expect = [&](std::string_view what, const std::string& answer, const std::string& metadata) {
        if (answer != metadata)
          disagreements.push_back(request + ": " + std::string(what) + " is " + answer + ", the wheel says " + metadata);
      };
      if (!environment) {
        disagreements.push_back(request + ": " + summary(request));
        continue;
      }
      const auto& torch = *environment->torch;
      expect("version", torch.version, version);
      expect("package index", torch.on_package_index ? "yes" : "no", "yes");
      expect("cuda", spelling_or(torch.cuda, "none"), shown(cuda));
      expect("cudnn", environment->cudnn ? spelling_or(environment->cudnn->version, "none") : "none",
             shown(pin_of(pins, "nvidia-cudnn-cu")));
      expect("nccl", shown(torch.nccl), shown(pin_of(pins, "nvidia-nccl-cu")));
      expect("triton", shown(torch.triton), shown(pin_of(pins, "triton")));
      expect("python", environment->python.to_string(), python.to_string());
      for (const auto& other : torch.pythons) {
        const auto twin = environment_of("torch===" + version + " platform=" + platform + " python=" + other.to_string() +
                                         " cuda=" + cuda.value_or("cpu"));
        if (twin && twin->torch->on_package_index &&
            std::none_of(wheel.at("pythons").begin(), wheel.at("pythons").end(),
                         [&](const Json& entry) { return PythonVersion::parse(entry.get<std::string>()) == other; }))
          disagreements.push_back(request + ": the package index has no wheel for Python " + other.to_string());
      }
    }
    agreeing += disagreements.empty() ? 1 : 0;
    for (const auto& disagreement : disagreements) ADD_FAILURE() << disagreement;
  }
  // From 1.13.0 to 2.15.0, each for x86_64 and aarch64.
  EXPECT_EQ(wheels, 60);
  EXPECT_EQ(agreeing, wheels);
  std::cout << agreeing << " of " << wheels << " wheels agree in cuDNN, NCCL, Triton, Python and the minor of CUDA (" << answers
            << " answers)\n";
}

/// Left to itself, a release resolves to the CUDA that its wheel on the package index was built with.
TEST(WheelMetadata, TheDefaultCudaIsThatOfThePackageIndex) {
  const auto data = Json::parse(std::ifstream(ENVGEN_TEST_DATA "/wheel_metadata.json"));
  int compared = 0;
  for (const auto& wheel : data.at("torch")) {
    const auto version = wheel.at("version").get<std::string>();
    const auto cuda = cuda_minor(pins_of(wheel, PythonVersion{10, false}));
    if (*Version::parse(version) < Version(1, 13) || !cuda) continue;
    ++compared;
    const auto platform = platform_word(wheel);
    const auto environment = environment_of("torch===" + version + " platform=" + platform);
    ASSERT_TRUE(environment) << version << " for " << platform;
    EXPECT_EQ(spelling_or(environment->torch->cuda, "none"), *cuda) << version << " for " << platform;
  }
  EXPECT_GE(compared, 30);
  std::cout << compared << " releases resolve to the CUDA of their wheel on the package index\n";
}

}  // namespace
}  // namespace envgen::test
