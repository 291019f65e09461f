#include "validate/validate.hpp"

#include <unistd.h>
#include <algorithm>
#include <array>
#include <filesystem>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "api/answer.hpp"
#include "cli/choice_options.hpp"
#include "cli/commands.hpp"
#include "cli/image_files.hpp"
#include "cli/report_output.hpp"
#include "cli/request_options.hpp"
#include "cli/usage_error.hpp"
#include "host/probe.hpp"
#include "model/spelling.hpp"
#include "project/lock.hpp"
#include "reports/baseline.hpp"
#include "reports/parse.hpp"
#include "util/pattern.hpp"
#include "validate/find_bench.hpp"

namespace envgen::cli {
namespace {

constexpr std::array<std::string_view, 3> engine_choices{"auto", "docker", "podman"};
constexpr std::array<std::string_view, 3> profile_choices{"smoke", "build", "full"};
constexpr std::array profile_values{validate::Profile::smoke, validate::Profile::build, validate::Profile::full};

struct ValidateOptions {
  validate::Options run;
  std::size_t engine = 0;
  std::size_t profile = 0;
  std::string bench;
  std::string lock;
  ReportOutput output;
  std::string baseline;
  std::optional<double> tolerance;
  std::string image;
  bool here = false;
  RequestOptions asked;
  int timeout = 0;
};

/// What an engine is given as a name: nothing that begins another option, and nothing that a terminal would obey.
/// `what`: `a name`.
CLI::Validator must_be(const char* what) {
  return {[what](const std::string& text) {
            return is_image_name(text) ? std::string() : fmt::format("{} is not {}", in_quotes(text), what);
          },
          ""};
}

std::string refuse_no_volume(const std::string& text) {
  static const util::Pattern form("[^:]+:/[^:]*(:[a-zA-Z,]+)?");
  return form.matches(text) ? std::string() : fmt::format("{} is not SOURCE:TARGET[:ro]", in_quotes(text));
}

std::string refuse_no_file(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored) ? std::string() : fmt::format("there is no file {}", in_quotes(path));
}

std::string refuse_no_check(const std::string& text) {
  if (text == validate::require_ipc_host || validate::find_check(text) != nullptr) return {};
  std::vector<std::string_view> names{validate::require_ipc_host};
  for (const auto& check : validate::checks()) names.push_back(check.id);
  auto message = fmt::format("{} is not a check; 'envgen checks' lists them", in_quotes(text));
  for (const auto& hint : did_you_mean(text, names)) message += fmt::format(" ({})", hint);
  return message;
}

Expected<std::optional<validate::LockedTo>> lock_to_compare(const std::string& named) {
  std::error_code ignored;
  const std::string file = named.empty() ? std::string(project::lock_file_name) : named;
  if (named.empty() && !std::filesystem::exists(file, ignored)) return std::optional<validate::LockedTo>();
  auto lock = project::read_lock(file);
  if (!lock) return tl::unexpected(lock.error());
  auto promise = project::promise_of(*lock);
  return validate::LockedTo{file, std::move(promise), std::move(lock->environment), !named.empty()};
}

/// The options of an engine and its containers, which an environment that one is in has not.
constexpr std::array container_options{"--engine", "--cdi", "--ipc", "--shm-size", "--volume", "--network", "--runtime"};

/// What is validated, and what does not go together. Errors: usage.
Expected<void> check_place(const ValidateOptions& options, const CLI::App& app) {
  if (options.image.empty() && !options.here)
    return fail(ErrorCode::usage, "an image, or --here, is required", {}, {"see 'envgen validate --help'"});
  if (!options.image.empty() && options.here) return fail(ErrorCode::usage, "an image and --here cannot be combined", "--here");
  const auto& gpus = options.run.gpus;
  if (profile_values.at(options.profile) == validate::Profile::build && gpus != "auto" && gpus != "none")
    return fail(ErrorCode::usage, "--profile build runs nothing that needs a GPU", "--container-gpus",
                {"use --profile smoke, or omit --container-gpus"});
  if (!options.here) {
    if (!options.run.python.empty())
      return fail(ErrorCode::usage, "it works only with --here: an image uses the Python on its PATH", "--python-executable");
    return {};
  }
  for (const auto* option : container_options) {
    if (app.count(option) > 0)
      return fail(ErrorCode::usage, "it applies to the container of an image; --here creates none", option);
  }
  return {};
}

/// The first value that is a version; null: only GPUs were named, if anything.
const RequestValue* asked_version(const ValidateOptions& options) {
  const auto& values = options.asked.request.values;
  const auto found = std::find_if(values.begin(), values.end(), [](const auto& value) { return value.field != Field::gpu; });
  return found == values.end() ? nullptr : &*found;
}

/// Understands what is asked of an image without a lock. Errors (usage): a value that is not understood; a lock beside it.
Expected<void> understand(ValidateOptions& options, const matrix::Matrix& matrix) {
  if (!asks_for_anything(options.asked)) return {};
  if (const auto* version = asked_version(options); version != nullptr && !options.lock.empty())
    return fail(ErrorCode::usage, "the image is compared with a lock or with versions, not both", version->where,
                {"omit --lock"});
  auto query = api::understood(matrix, options.asked.request);
  if (!query) return tl::unexpected(std::move(query.error()));
  options.run.asked = std::move(*query);
  return {};
}

/// The driver of this machine, with the CUDA that the facts know of its branch.
std::optional<validate::HostDriver> driver_here(const matrix::Matrix& matrix) {
  const auto report = host::probe({});
  if (!report.driver) return std::nullopt;
  validate::HostDriver driver{*report.driver, std::nullopt, report.tegra};
  if (const auto* branch = matrix.branch(report.driver->branch()); branch != nullptr && branch->cuda) driver.cuda = branch->cuda;
  return driver;
}

/// None: no baseline was named.
Expected<std::optional<validate::Report>> baseline_of(const ValidateOptions& options) {
  if (options.baseline.empty()) {
    if (options.tolerance) return fail(ErrorCode::usage, "--tolerance works only with --baseline");
    return std::optional<validate::Report>();
  }
  auto baseline = reports::read_report(options.baseline);
  if (!baseline) return tl::unexpected(baseline.error());
  return std::optional(std::move(*baseline));
}

Expected<Exit> run_validate(ValidateOptions options, const CLI::App& app, Context& context) {
  context.json = wants_json(options.output);
  if (auto checked = check_place(options, app); !checked) return tl::unexpected(checked.error());
  const auto matrix = context.matrix();
  if (!matrix) return tl::unexpected(matrix.error());
  auto& run = options.run;
  run.engine = engine_choices.at(options.engine);
  run.profile = profile_values.at(options.profile);
  constexpr int smoke_seconds = 300;
  constexpr int full_seconds = 3600;
  const int usual = run.profile == validate::Profile::full ? full_seconds : smoke_seconds;
  run.timeout = std::chrono::seconds(options.timeout == 0 ? usual : options.timeout);
  if (const auto named = validate::named_bench(options.bench); !named) return tl::unexpected(named.error());
  run.bench = [named = options.bench](const std::string& architecture) {
    auto found = validate::find_bench(named, architecture);
    if (!found) found.error().hints.emplace_back("or give it with --bench FILE");
    return found;
  };
  run.image = options.image;
  if (auto asked = understand(options, *matrix); !asked) return tl::unexpected(std::move(asked.error()));
  run.matrix = *matrix;
  if (asked_version(options) == nullptr) {
    auto lock = lock_to_compare(options.lock);
    if (!lock) return tl::unexpected(lock.error());
    run.lock = std::move(*lock);
  }
  run.driver = driver_here(*matrix);
  const auto targets = targets_of(options.output);
  if (!targets) return tl::unexpected(targets.error());
  if (auto checked = check_writable(*targets); !checked) return tl::unexpected(std::move(checked.error()));
  const auto baseline = baseline_of(options);
  if (!baseline) return tl::unexpected(baseline.error());

  const bool watched = ::isatty(STDERR_FILENO) == 1;
  const auto clear_line = [&] {
    if (watched) print_as_it_is("\r\x1b[K", stderr);
  };
  auto report = validate::run(run, [&](std::string_view doing) {
    clear_line();
    if (watched) print(fmt::format("{} ...", doing), stderr);
  });
  clear_line();
  if (!report) return tl::unexpected(report.error());
  report->program = "envgen " ENVGEN_VERSION;
  if (*baseline) {
    reports::compare_with_baseline(*report, **baseline, options.baseline, options.tolerance.value_or(reports::usual_tolerance));
    if (std::find(run.require.begin(), run.require.end(), "baseline") != run.require.end()) report->require({"baseline"});
  }
  // Every view is made of the JSON, so that 'envgen report' makes the same of a saved one.
  const auto saved = reports::parse_report(reports::json(*report), "report");
  if (!saved) return tl::unexpected(saved.error());
  if (auto wrote = write_report(*saved, *targets); !wrote) return wrote;
  if (!report->failed()) return Exit::ok;
  return report->lacks_prerequisite() ? Exit::missing : Exit::validation;
}

}  // namespace

Action setup_validate(CLI::App& app, Context& context) {
  auto options = std::make_shared<ValidateOptions>();
  auto& run = options->run;
  app.add_option("image", options->image, "the name of a local image")->check(must_be("an image name"))->type_name("IMAGE");
  app.add_flag("--here", options->here,
               "the current environment, without an engine: a venv, conda, Colab, AutoDL or a container");
  app.add_option("--python-executable", run.python, "with --here: the Python to use (default: python, else python3, on PATH)")
      ->check(refuse_empty)
      ->type_name("FILE");
  add_choice(app, "--profile", options->profile, profile_choices,
             "smoke: whether it works (the default); build: only what needs no GPU; full: also its speed");
  app.add_option("--lock", options->lock,
                 "the lock to compare with (default: envgen.lock in this folder, for --here, and for images that "
                 "have the label envgen.lock)")
      ->check(refuse_empty)
      ->type_name("FILE");
  app.add_option("--require", run.require,
                 "fail unless this check passes: gpu, ipc-host, peer, or another one (repeatable or comma-separated)")
      ->check(CLI::Validator(refuse_no_check, ""))
      ->type_name("CHECK")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("--bench", options->bench, "the envgen-bench binary for the image's architecture (also: ENVGEN_BENCH)")
      ->check(CLI::Validator(refuse_no_file, ""))
      ->type_name("FILE");
  constexpr int a_day = 86400;
  app.add_option("--timeout", options->timeout,
                 "end the run after this many seconds, and clean up for at most 10 more (default: 300; full: 3600)")
      ->check(number_within(1, a_day, true))
      ->type_name("SECONDS");

  const auto of_container = [](CLI::Option* option) { option->group("Container"); };
  add_choice(app, "--engine", options->engine, engine_choices,
             "auto (the default) tries docker, then podman; DOCKER_HOST is used");
  of_container(app.get_option("--engine"));
  of_container(
      app.add_option("--container-gpus,--gpus", run.gpus,
                     "all, none, a number, device=0,1, GPU-UUID, or a MIG slice: MIG-UUID (default: all, if the host has any)")
          ->check(refuse_empty)
          ->type_name("GPUS"));
  of_container(app.add_flag("--cdi", run.cdi, "inject the GPUs with CDI, as podman always does"));
  of_container(app.add_option("--ipc", run.sharing.ipc, "the container's IPC namespace (default: the engine's default)")
                   ->check(must_be("a name"))
                   ->type_name("host|private|shareable|none|container:NAME"));
  of_container(
      app.add_option("--shm-size", run.sharing.shm_size, "the size of /dev/shm: 8g")->check(refuse_empty)->type_name("SIZE"));
  of_container(app.add_option("--volume", run.volumes, "mount SOURCE:TARGET[:ro] into the container (repeatable)")
                   ->check(CLI::Validator(refuse_no_volume, ""))
                   ->type_name("VOLUME")
                   ->allow_extra_args(false));
  run.network = "none";
  of_container(app.add_option("--network", run.network, "the network that containers are attached to (default: none)")
                   ->check(must_be("a name"))
                   ->type_name("NAME"));
  of_container(app.add_option("--runtime", run.runtime, "the OCI runtime: nvidia")->check(must_be("a name"))->type_name("NAME"));

  app.add_option("--baseline", options->baseline,
                 "fail if performance has dropped since this earlier report (from validate or envgen-bench)")
      ->check(refuse_empty)
      ->type_name("FILE");
  add_tolerance(app, options->tolerance);
  add_report_output(app, options->output);
  app.footer(
      "'envgen checks' lists what is verified, and how. Exit status: 0 on success; 5 if a check failed; 6 if this machine lacks "
      "something: an "
      "engine, the image, access to its GPUs.");
  add_comparison_options(app, options->asked);
  return [options, &app, &context] { return run_validate(*options, app, context); };
}

}  // namespace envgen::cli
