#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "check/check.hpp"
#include "files/conda_packages.hpp"
#include "files/summary.hpp"
#include "matrix/embedded/embedded.hpp"
#include "resolver/changed.hpp"
#include "resolver/materialize.hpp"
#include "resolver/predicates.hpp"
#include "support/request_text.hpp"
#include "support/thorough.hpp"

/// Every way to write a driver, over the shipped matrix: no answer may be one that the independent check refuses, which a user
/// would see as an internal error, and what files state of drivers and CUDA is true of the environment.
namespace envgen::property {
namespace {

/// The ways to write a driver of one branch: the branch, a release, and ranges that begin or end there.
std::vector<std::string> driver_texts(const matrix::DriverBranch& branch) {
  const auto first = branch.first.to_string();
  const auto latest = branch.latest.to_string();
  std::vector<std::string> texts{first,       latest,       ">=" + first, ">" + first,  "<=" + latest,
                                 "<" + first, "==" + first, "~=" + first, "!=" + first, fmt::format(">={},<={}", first, latest)};
  for (const auto* form : {"{}", "R{}", "nvidia-driver-{}", ">={}", ">{}", "<={}", "<{}", "=={}", "=={}.*", "{}.*", "!={}.*"})
    texts.push_back(fmt::format(fmt::runtime(form), branch.branch));
  texts.push_back(fmt::format(">={},<{}", branch.branch, branch.branch + 1));
  texts.push_back(fmt::format(">={},<{}", branch.branch, branch.branch + 40));
  return texts;
}

/// What the request has besides its driver: the boards and the variant take turns, for all of them would be too many.
std::string surroundings(std::size_t turn) {
  constexpr const char* boards[] = {"", " gpu=A100", " gpu=4090", "", " gpu=V100", " gpu=5090", " gpu=T4 gpu=H100"};
  constexpr const char* places[] = {"", "", " variant=devel", " ptx"};
  return boards[turn % std::size(boards)] + std::string(places[turn % std::size(places)]);
}

/// CI takes one request of so many.
std::size_t share() { return test::one_of(5); }

template <class Visit>
void for_each_request(Visit visit) {
  const auto matrix = matrix::embedded();
  std::size_t turn = 0;
  for (const int number : {450, 470, 535, 570, 580, 595}) {
    const auto* branch = matrix.branch(static_cast<std::uint16_t>(number));
    ASSERT_NE(branch, nullptr) << number;
    for (const auto& driver : driver_texts(*branch)) {
      for (const auto* installer : {"pip", "uv", "conda"}) {
        for (const auto* cuda : {"", " cuda=11.8", " cuda=12.9", " cuda=13.0"}) {
          const auto beside = surroundings(turn);
          if (turn++ % share() != 0) continue;
          visit(matrix, test::request_of(fmt::format("driver={} installer={}{}{}", driver, installer, cuda, beside)));
        }
      }
    }
  }
}

std::optional<Environment> environment_of(const matrix::Matrix& matrix, const Request& request) {
  const auto query = resolver::interpret(matrix, request);
  if (!query) return std::nullopt;
  const auto solution = resolver::find_best(matrix, *query);
  return solution ? std::optional(resolver::materialize(matrix, *query, *solution)) : std::nullopt;
}

/// What the check has against the answer to a request; empty: it has none, or there is no environment.
std::vector<std::string> refused(const matrix::Matrix& matrix, const Request& request) {
  const auto environment = environment_of(matrix, request);
  return environment ? check::violations(matrix, request, *environment) : std::vector<std::string>();
}

TEST(DriverGrid, TheCheckAgreesWithEveryAnswer) {
  std::size_t answers = 0;
  std::size_t nearest_ones = 0;
  for_each_request([&](const matrix::Matrix& matrix, const Request& request) {
    const auto query = resolver::interpret(matrix, request);
    if (!query) return;
    const auto answer = resolver::resolve(matrix, *query);
    if (const auto* solution = std::get_if<resolver::Solution>(&answer)) {
      ++answers;
      const auto wrong = check::violations(matrix, request, resolver::materialize(matrix, *query, *solution));
      EXPECT_TRUE(wrong.empty()) << test::text_of(request) << ": " << wrong.front();
    } else {
      for (const auto& nearest : resolver::nearest_of(answer)) {
        ++nearest_ones;
        const auto next = resolver::changed(request, nearest.changes);
        ASSERT_TRUE(next) << test::text_of(request);
        const auto wrong = refused(matrix, *next);
        EXPECT_TRUE(wrong.empty()) << "nearest of " << test::text_of(request) << ", " << test::text_of(*next) << ": "
                                   << wrong.front();
      }
    }
  });
  EXPECT_GT(answers, 1000 / share());
  EXPECT_GT(nearest_ones, 100 / share());
}

TEST(DriverGrid, TheCheckAgreesAboutTheDriversOfEachBoard) {
  const auto matrix = matrix::embedded();
  int answers = 0;
  for (const auto& gpu : matrix->gpus) {
    std::string name(gpu.name.view());
    std::replace(name.begin(), name.end(), ' ', '_');
    for (const auto first : gpu.first_drivers) {
      for (const auto& driver :
           {first.to_string(), fmt::format("{}", first.branch()), fmt::format("<={}", first), std::string()}) {
        for (const auto* beside : {"", ",gpu=A100", ",gpu=4060", ",gpu=5060"}) {
          const auto request =
              test::request_of(fmt::format("host=gpu={}{}{}{}{}", name, beside, driver.empty() ? "" : ",driver=", driver,
                                           answers % 3 == 0 ? " base=cuda" : ""));
          const auto environment = environment_of(matrix, request);
          if (!environment) continue;
          ++answers;
          const auto wrong = check::violations(matrix, request, *environment);
          EXPECT_TRUE(wrong.empty()) << test::text_of(request) << ": " << wrong.front();
        }
      }
    }
  }
  EXPECT_GT(answers, 1000);
}

TEST(DriverGrid, ASliceNeedsADriverThatDividesItsBoard) {
  const auto matrix = matrix::embedded();
  int answers = 0;
  int refusals = 0;
  for (const auto& gpu : matrix->gpus) {
    if (!gpu.mig_driver) continue;
    std::string name(gpu.name.view());
    std::replace(name.begin(), name.end(), ' ', '_');
    std::vector<DriverVersion> drivers(gpu.first_drivers.begin(), gpu.first_drivers.end());
    drivers.push_back(gpu.mig_driver);
    for (const auto driver : drivers) {
      for (const auto& text : {driver.to_string(), fmt::format("{}", driver.branch())}) {
        const auto request = test::request_of(fmt::format("host=gpu={}_MIG,driver={}", name, text));
        const auto environment = environment_of(matrix, request);
        const bool is_release = text.find('.') != std::string::npos;
        if (is_release && driver < gpu.mig_driver) {
          EXPECT_FALSE(environment) << test::text_of(request);
          ++refusals;
        }
        if (!environment) continue;
        ++answers;
        const auto wrong = check::violations(matrix, request, *environment);
        EXPECT_TRUE(wrong.empty()) << test::text_of(request) << ": " << wrong.front();
      }
    }
  }
  EXPECT_GT(answers, 40);
  EXPECT_GT(refusals, 5);
}

/// The drivers of the matrix that are named by a specifier.
std::vector<DriverVersion> known_drivers(const matrix::Matrix& matrix, const VersionSpec& spec) {
  std::vector<DriverVersion> drivers;
  for (const auto& branch : matrix->branches) {
    for (const auto driver : {branch.first, branch.latest}) {
      if (driver && spec.matches(driver.version())) drivers.push_back(driver);
    }
  }
  return drivers;
}

bool works(const Environment::DriverRange& range, DriverVersion driver) {
  return driver >= range.minimum.value() && (!range.last_branch || driver.branch() <= range.last_branch->branch());
}

/// What stands behind `driver ` in the head of a file, for the boards of one machine; empty: it states none.
std::string stated_driver(const std::string& title, const std::vector<std::string>& gpus) {
  constexpr std::string_view before = "driver ";
  const auto at = title.find(before, gpus.empty() ? 0 : title.find(gpus.front(), title.find(", for ")));
  if (at == std::string::npos) return {};
  return title.substr(at + before.size(), title.find(", for ", at) - at - before.size());
}

/// What was found wrong: the first of it in full, the rest by its number.
class Complaints {
 public:
  void add(const std::string& what) {
    if (++count_ <= most_shown) ADD_FAILURE() << what;
  }
  ~Complaints() {
    if (count_ > most_shown) ADD_FAILURE() << count_ << " complaints in all";
  }

 private:
  static constexpr int most_shown = 8;
  int count_ = 0;
};

/// What is wrong with the drivers that a head states for one machine.
class HeadOfMachine {
 public:
  HeadOfMachine(const matrix::Matrix& matrix, const Environment::Machine& machine, std::string stated, std::string context)
      : matrix_(matrix), machine_(machine), stated_(std::move(stated)), context_(std::move(context) + " states " + stated_) {}

  std::size_t ranges = 0;
  std::size_t exceptions = 0;

  void judge(Complaints& complaints) {
    const auto& asked = *machine_.asked;
    if (asked.find_first_of("<>~!") == std::string::npos) {  // a branch or a release
      if (stated_ != asked) complaints.add(context_);
      return;
    }
    ASSERT_TRUE(machine_.range.minimum) << context_;
    ++ranges;
    const auto meant = known_drivers(matrix_, VersionSpec::parse(asked).value());
    if (std::none_of(meant.begin(), meant.end(), [&](DriverVersion one) { return works(machine_.range, one); })) {
      ++exceptions;
      if (stated_ != asked + " (where the image's NVIDIA_REQUIRE_CUDA allows the branch)") complaints.add(context_);
      return;
    }
    const auto spec = VersionSpec::parse(stated_);
    if (!spec) return complaints.add(context_);
    const auto named = known_drivers(matrix_, *spec);
    for (const auto one : meant) {
      const bool is_named = std::find(named.begin(), named.end(), one) != named.end();
      if (is_named != works(machine_.range, one))
        complaints.add(context_ + ", and " + one.to_string() + (is_named ? " does not do" : " would do"));
    }
    if (named.size() > meant.size()) complaints.add(context_ + ", which is more than was asked for");
  }

 private:
  const matrix::Matrix& matrix_;
  const Environment::Machine& machine_;
  std::string stated_;
  std::string context_;
};

/// Each machine its own: what they have in common may be less than any of them needs.
TEST(DriverGrid, TheHeadOfAFileStatesDriversThatWork) {
  Complaints complaints;
  std::size_t ranges = 0;
  std::size_t exceptions = 0;
  std::size_t one_by_one = 0;
  for_each_request([&](const matrix::Matrix& matrix, const Request& request) {
    const auto environment = environment_of(matrix, request);
    if (!environment) return;
    const auto title = files::title(*environment);
    if (environment->driver->by_range().size() > 1) ++one_by_one;
    for (const auto& machine : environment->driver->machines) {
      HeadOfMachine head(matrix, machine, stated_driver(title, machine.gpus), test::text_of(request));
      head.judge(complaints);
      ranges += head.ranges;
      exceptions += head.exceptions;
    }
  });
  EXPECT_GT(ranges, 500 / share());
  EXPECT_GT(exceptions, 0U);
  EXPECT_GT(one_by_one, 0U);
}

TEST(DriverGrid, CondaIsToldOfACudaThatADriverOfTheAnswerReports) {
  Complaints complaints;
  std::size_t told = 0;
  for_each_request([&](const matrix::Matrix& matrix, const Request& request) {
    const auto environment = environment_of(matrix, request);
    const auto* text = environment ? files::overridden_cuda(*environment) : nullptr;
    if (text == nullptr) return;
    ++told;
    const auto& driver = *environment->driver;
    const auto overridden = Version::parse(*text).value();
    const auto cuda = environment->torch->cuda.value();
    const auto context = test::text_of(request) + ": CONDA_OVERRIDE_CUDA=" + *text + " beside CUDA " + cuda.to_string();
    if (overridden.major() < cuda.major()) complaints.add(context);
    const bool by_compat =
        std::find(driver.carried_by.begin(), driver.carried_by.end(), CarriedBy::forward_compat) != driver.carried_by.end();
    if (by_compat && overridden != cuda) complaints.add(context + ", which cuda-compat brings");
    const auto spec = VersionSpec::parse(*driver.asked);
    if (by_compat || !spec || spec->single()) return;
    // The first known driver that was asked for and works.
    const auto meant = known_drivers(matrix, *spec);
    const auto first = std::find_if(meant.begin(), meant.end(), [&](DriverVersion one) { return works(driver.range, one); });
    if (first != meant.end() && overridden > std::max(cuda, resolver::reported_cuda(matrix, *first)))
      complaints.add(context + ", and driver " + first->to_string() + " reports less");
    if (first != meant.end() && overridden < resolver::reported_cuda(matrix, *first))
      complaints.add(context + ", and no driver of the answer reports so little");
  });
  EXPECT_GT(told, 100 / share());
}

}  // namespace
}  // namespace envgen::property
