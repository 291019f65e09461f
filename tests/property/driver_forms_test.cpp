#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "check/check.hpp"
#include "matrix/embedded/embedded.hpp"
#include "property/random_matrix.hpp"
#include "resolver/changed.hpp"
#include "resolver/materialize.hpp"
#include "support/request_text.hpp"
#include "support/thorough.hpp"

/// One driver, written in many ways, beside what else people ask for, over the shipped matrix. Each answer holds before the
/// independent check, and each nearest environment is one. And ways are compared: where one names fewer releases than
/// another and is answered, the other is not proven impossible.
/// ENVGEN_DRIVER_PLACES=N tries N surroundings instead of those of CI, ENVGEN_PROPERTY_SEED=S others.
namespace envgen::property {
namespace {

/// The releases of the facts, and some that are in none: after the last of a branch, after the newest branch.
std::vector<DriverVersion> releases_of(const matrix::Matrix& matrix) {
  std::set<DriverVersion> releases;
  for (const auto& branch : matrix->branches) releases.insert({branch.first, branch.latest});
  for (const auto& minor : matrix->cuda_minors) releases.insert(minor.native_driver);
  for (const auto& major : matrix->cuda_majors) releases.insert(major.minor_compat_driver);
  for (const auto* beyond : {"450.300", "470.257", "580.179", "580.200.01", "620.80", "621.20"})
    releases.insert(DriverVersion::parse(beyond).value());
  releases.erase(DriverVersion());  // where no fact names one
  return {releases.begin(), releases.end()};
}

/// Releases that tell sets of releases apart: those of the facts, their neighbours, and the ends of each branch.
std::set<Version> probes_of(const std::vector<DriverVersion>& releases) {
  constexpr std::uint16_t most = 65535;
  std::set<Version> probes;
  for (const auto driver : releases) {
    const auto v = driver.version();
    const auto next = [](int part) { return static_cast<std::uint16_t>(part + 1); };
    probes.insert({v, Version(v.major(), v.minor(), next(v.part(2))), Version(v.major(), next(v.minor())),
                   Version(v.major(), 0, 1), Version(v.major(), most, most)});
    if (v.part(2) > 0) probes.insert(Version(v.major(), v.minor(), static_cast<std::uint16_t>(v.part(2) - 1)));
  }
  return probes;
}

/// A way to write drivers, and which of the probes it names.
struct Form {
  std::string text;
  std::vector<bool> names;
};

class Forms {
 public:
  explicit Forms(const matrix::Matrix& matrix) : releases_(releases_of(matrix)), probes_(probes_of(releases_)) {}

  /// Ways to write a driver around one release, those that can be read.
  std::vector<Form> around(DriverVersion release, Random& random) const {
    const auto r = release.to_string();
    const auto b = static_cast<int>(release.branch());
    const auto two = fmt::format("{}.{:02}", b, release.version().minor());
    const auto other = pick(random, releases_).to_string();
    std::vector<std::string> texts{r, "==" + r, "!=" + r, "<" + r, "<=" + r, ">" + r, ">=" + r, "~=" + two, two, "==" + two};
    for (const auto* form : {"{}", "R{}", "=={}", "{}.*", "!={}.*", "<{}", "<={}", ">{}", ">={}", "!={}"})
      texts.push_back(fmt::format(fmt::runtime(form), b));
    for (const auto* form : {">={0},<{1}", ">{0},<{1}", "!={2}.*,>={0}", ">={0},<{3}", ">={1},<{0}", ">{1},<={0}", ">{4},<={0}",
                             ">={1},!={0}", ">450,<{1}", ">=470,<471", "!={2}.*", ">={2},<{1}", ">{4},<{0}"})
      texts.push_back(fmt::format(fmt::runtime(form), r, b + 1, two, b + 40, other));
    return read(texts);
  }

  /// Every other time one at which something ends: a branch that boards know last, what a CUDA major asks for, the facts.
  DriverVersion any_release(Random& random) const {
    static const std::vector<std::string> ends{"470.256.02", "580.178.04", "450.80.02", "520.61.05", "525.60.13", "616.00"};
    return chance(random, 50) ? DriverVersion::parse(pick(random, ends)).value() : pick(random, releases_);
  }

 private:
  std::vector<Form> read(const std::vector<std::string>& texts) const {
    std::vector<Form> forms;
    for (const auto& text : texts) {
      auto spec = VersionSpec::parse(text.starts_with('R') ? text.substr(1) : text);
      if (!spec) continue;
      // A number names what begins with it, and `==` says no less.
      if (const auto number = spec->single(); number && number.count() < 3) spec = VersionSpec(number);
      Form form{text, {}};
      for (const auto& probe : probes_) form.names.push_back(spec->matches(probe));
      if (std::find(form.names.begin(), form.names.end(), true) != form.names.end()) forms.push_back(std::move(form));
    }
    return forms;
  }

  std::vector<DriverVersion> releases_;
  std::set<Version> probes_;
};

bool is_within(const Form& narrow, const Form& wide) {
  for (std::size_t i = 0; i < narrow.names.size(); ++i) {
    if (narrow.names[i] && !wide.names[i]) return false;
  }
  return true;
}

/// What stands beside the driver, which takes the place of `{}`.
std::string surroundings(Random& random) {
  static const std::vector<std::string> machines{"driver={}",
                                                 "gpu=V100 driver={}",
                                                 "gpu=A100 driver={}",
                                                 "gpu=P100 driver={}",
                                                 "gpu=K80 driver={}",
                                                 "gpu=4090 driver={}",
                                                 "gpu=H100 driver={}",
                                                 "gpu=B200 driver={}",
                                                 "gpu=T4 driver={}",
                                                 "gpu=7.0 driver={}",
                                                 "gpu=8.0 driver={}",
                                                 "gpu=V100 gpu=H100 driver={}",
                                                 "gpu=A100 gpu=4090 driver={}",
                                                 "host=gpu=V100,gpu=H100 driver={}",
                                                 "host=gpu=K80,gpu=A100 driver={}",
                                                 "host=gpu=H100 host=gpu=V100,driver=470 driver={}",
                                                 "host=gpu=A100 host=gpu=P100,driver=470.42.01 driver={}",
                                                 "host=gpu=V100,driver={} host=gpu=P100,driver=470.42.01",
                                                 "host=gpu=H100,driver={} host=gpu=V100,driver=470",
                                                 "host=gpu=A100,driver={} host=gpu=A100,driver=450"};
  static const std::vector<std::string> frameworks{"",
                                                   "",
                                                   "torch=2.15.0",
                                                   "torch=2.14.0",
                                                   "torch=2.10.0",
                                                   "torch=2.8.0",
                                                   "torch=2.5.1",
                                                   "torch=2.0.1",
                                                   "torch=1.13.1",
                                                   "torch=1.7.1",
                                                   "tensorflow=2.18.0",
                                                   "tensorflow=2.12.1",
                                                   "tensorflow=2.10.0"};
  static const std::vector<std::string> cudas{"10.2", "11.0", "11.3", "11.6", "11.8", "12",
                                              "12.1", "12.4", "12.6", "12.8", "13.0", "13.2"};
  auto text = pick(random, machines);
  const auto& framework = pick(random, frameworks);
  text += " " + framework;
  if (chance(random, 40)) text += " cuda=" + pick(random, cudas);
  if (chance(random, 35)) text += " ptx";
  if (chance(random, 45))
    text += " base=" + pick(random, std::vector<std::string>{"cuda", "cuda", "cuda", "slim",
                                                             framework.starts_with("tensor") ? "tensorflow" : "pytorch"});
  if (chance(random, 30)) text += " variant=devel";
  if (chance(random, 10)) text += " installer=conda";
  return text;
}

enum class Outcome { unreadable, answered, impossible, unknown };

/// The answers to the forms of one place, each looked at once.
class Place {
 public:
  Place(const matrix::Matrix& matrix, std::string text) : matrix_(matrix), text_(std::move(text)) {}

  std::string with(const Form& form) const { return fmt::format(fmt::runtime(text_), form.text); }

  /// What is wrong with the answer goes to `complaints`.
  Outcome ask(const Form& form, std::vector<std::string>& complaints) const {
    const auto text = with(form);
    // A host ends at its comma.
    if (text_.find(",driver={}") != std::string::npos && form.text.find(',') != std::string::npos) return Outcome::unreadable;
    const auto request = test::request_of(text);
    const auto query = resolver::interpret(matrix_, request);
    if (!query) return Outcome::unreadable;
    const auto answer = resolver::resolve(matrix_, *query);
    if (const auto* solution = std::get_if<resolver::Solution>(&answer)) {
      hold(request, *query, *solution, text, complaints);
      return Outcome::answered;
    }
    for (const auto& nearest : resolver::nearest_of(answer)) {
      const auto next = resolver::changed(request, nearest.changes);
      const auto again = next ? resolver::interpret(matrix_, *next) : tl::unexpected(Error{});
      const auto found = again ? resolver::find_best(matrix_, *again) : std::nullopt;
      if (!found) {
        complaints.push_back("a nearest environment of " + text + " is none" + (next ? ": " + test::text_of(*next) : ""));
        continue;
      }
      hold(*next, *again, *found, "nearest of " + text + ", " + test::text_of(*next), complaints);
    }
    return std::holds_alternative<resolver::Conflict>(answer) ? Outcome::impossible : Outcome::unknown;
  }

 private:
  void hold(const Request& request, const resolver::Query& query, const resolver::Solution& solution, const std::string& what,
            std::vector<std::string>& complaints) const {
    for (const auto& wrong : check::violations(matrix_, request, resolver::materialize(matrix_, query, solution)))
      complaints.push_back(what + ": " + wrong);
  }

  const matrix::Matrix& matrix_;
  std::string text_;
};

std::uint64_t number_from(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

TEST(DriverForms, AreAnsweredAlike) {
  const auto share = test::one_of(3);
  constexpr std::size_t forms_of_a_place = 12;
  constexpr std::size_t most_shown = 20;
  const auto matrix = matrix::embedded();
  const Forms all_forms(matrix);
  Random random(number_from("ENVGEN_PROPERTY_SEED", 14));
  std::map<Outcome, std::size_t> outcomes;
  std::vector<std::string> complaints;
  std::size_t compared = 0;
  for (std::uint64_t i = 0; i < number_from("ENVGEN_DRIVER_PLACES", 45 / share); ++i) {
    const Place place(matrix, surroundings(random));
    auto forms = all_forms.around(all_forms.any_release(random), random);
    while (forms.size() > forms_of_a_place) forms.erase(forms.begin() + static_cast<std::ptrdiff_t>(below(random, forms.size())));
    std::vector<Outcome> found;
    for (const auto& form : forms) {
      found.push_back(place.ask(form, complaints));
      ++outcomes[found.back()];
    }
    for (std::size_t narrow = 0; narrow < forms.size(); ++narrow) {
      if (found[narrow] != Outcome::answered) continue;
      for (std::size_t wide = 0; wide < forms.size(); ++wide) {
        if (wide == narrow || !is_within(forms[narrow], forms[wide])) continue;
        ++compared;
        if (found[wide] == Outcome::impossible)
          complaints.push_back(place.with(forms[wide]) + " is proven impossible, and " + forms[narrow].text + " is answered");
      }
    }
  }
  for (std::size_t i = 0; i < std::min(most_shown, complaints.size()); ++i) ADD_FAILURE() << complaints[i];
  EXPECT_EQ(complaints.size(), 0U);
  EXPECT_GT(outcomes[Outcome::answered], 100 / share);
  EXPECT_GT(outcomes[Outcome::impossible], 50 / share);
  EXPECT_GT(outcomes[Outcome::unknown], 10 / share);
  EXPECT_GT(compared, 100 / share);
}

}  // namespace
}  // namespace envgen::property
