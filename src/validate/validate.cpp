#include "validate/validate.hpp"

#include <algorithm>
#include <array>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>
#include <unistd.h>

#include "container/container.hpp"
#include "diagnosis/recognise.hpp"
#include "model/spelling.hpp"
#include "output/container_flags.hpp"
#include "util/interrupt.hpp"
#include "util/temporary_folder.hpp"
#include "validate/bench_report.hpp"
#include "validate/canary.hpp"
#include "validate/launch.hpp"
#include "validate/self_report.hpp"

namespace envgen::validate {
namespace {

constexpr std::array<std::string_view, 3> profile_names{"build", "smoke", "full"};
const std::string bench_in_container = "/envgen-bench";

/// Failures of a start that the image or its user is to blame for, not the machine.
constexpr std::array<std::string_view, 4> not_of_the_machine{"image-needs-newer-driver", "driver-in-image", "ipc-not-shareable",
                                                             "podman-shm-with-host-ipc"};

const diagnosis::Diagnosis* recognised(const std::vector<std::string>& words) {
  const auto found = diagnosis::recognise(fmt::format("{}", fmt::join(words, "\n")));
  return found.empty() ? nullptr : found.front().diagnosis;
}

std::string with_words(const std::string& why, const std::vector<std::string>& words) {
  return words.empty() ? why : fmt::format("{}: {}", why, fmt::join(words, " "));
}

Expected<output::GpuSelection> selection_of(const std::string& gpus, bool by_cdi) {
  output::Options options;
  options.container_gpus = {gpus, "--gpus"};
  if (by_cdi && !gpus.empty() && gpus.find_first_not_of("0123456789") == std::string::npos)
    return fail(ErrorCode::usage, "GPUs are named by CDI (--cdi, podman), and a number names none", "--gpus",
                {"--gpus device=0,1", "--gpus all"});
  return output::gpu_selection(options);
}

class Run {
 public:
  Run(const Options& options, const std::function<void(std::string_view)>& progress) : options_(options), progress_(progress) {
    report_.image = options.image;
    report_.profile = name_of(options.profile);
  }

  Expected<Report> make() {
    if (auto gone = go(); !gone) return tl::unexpected(gone.error());
    report_.skip_rest([&](const Check& check) { return why_not_made(check); });
    report_.require(options_.require);
    report_.sort();
    return std::move(report_);
  }

 private:
  Expected<void> go() {
    progress_("asking the engine");
    auto engine = container::Engine::find(options_.engine);
    if (!engine) return no_engine(engine.error());
    tell_engine(*engine);
    auto image = engine->image(options_.image);
    if (!image) return no_image(image.error());
    tell_image(*image);
    lock_label(*image);
    user(*image);
    if (auto chosen = choose_gpus(*engine); !chosen) return chosen;
    image_gate(*image, *engine);
    auto bench = options_.bench(image->architecture);
    if (!bench) return tl::unexpected(bench.error());

    const auto timeout = std::chrono::milliseconds(options_.timeout);
    Launcher launcher(*engine, image->id, timeout);
    auto gone = in_containers(*engine, launcher, *bench);
    if (launcher.launched() == 0) return gone;
    if (launcher.left().empty()) {
      report_.add("removed", Status::pass, fmt::format("{} containers, each removed", launcher.launched()));
    } else {
      report_.add("removed", Status::fail,
                  fmt::format("the engine does not remove {0}: {1} rm --force {0}", fmt::join(launcher.left(), " "),
                              name_of(engine->kind())));
    }
    return gone;
  }

  Expected<void> in_containers(const container::Engine& engine, Launcher& launcher, const std::filesystem::path& bench) {
    progress_("running envgen-bench in the container");
    if (auto ran = run_bench(engine, launcher, bench); !ran) return ran;
    if (!started_) return {};
    progress_("asking the image's Python");
    if (auto ran = run_python(launcher); !ran) return ran;
    progress_("writing into a mount");
    return run_mount(engine, launcher, bench);
  }

  Expected<void> no_engine(const Error& error) {
    if (error.code != ErrorCode::missing) return tl::unexpected(error);
    auto& result = report_.add("engine", Status::fail, with_words(error.message, error.hints));
    result.diagnosis = recognised({error.message, fmt::format("{}", fmt::join(error.hints, "\n"))});
    result.prerequisite = true;
    stopped_ = "no engine answers";
    return {};
  }

  void tell_engine(const container::Engine& engine) {
    const auto& facts = engine.facts();
    report_.engine = fmt::format("{} {}", name_of(engine.kind()), visible(facts.version, 100));
    auto message = report_.engine + " answers";
    if (!facts.local) message += ", on another machine than this";
    const auto removed = container::remove_leftovers(engine);
    if (!removed.empty()) message += fmt::format("; removed {} container(s) that a killed run had left", removed.size());
    auto& result = report_.add("engine", Status::pass, std::move(message));
    result.evidence = {{"kind", name_of(engine.kind())}, {"version", facts.version},   {"address", engine.address()},
                       {"local", facts.local},           {"runtimes", facts.runtimes}, {"cdi_devices", facts.cdi_devices},
                       {"leftovers_removed", removed}};
  }

  Expected<void> no_image(const Error& error) {
    if (error.code != ErrorCode::missing) return tl::unexpected(error);
    auto& result = report_.add("image", Status::fail, with_words(error.message, error.hints));
    result.prerequisite = true;
    stopped_ = "there is no image";
    return {};
  }

  void tell_image(const container::Image& image) {
    auto& result = report_.add("image", Status::pass,
                               fmt::format("{} for {}, {} layers, {} MB", visible(image.id, 19), visible(image.architecture, 20),
                                           image.layers, image.bytes / 1'000'000));
    result.evidence = {{"id", image.id}, {"architecture", image.architecture}, {"bytes", image.bytes}, {"layers", image.layers}};
  }

  void lock_label(const container::Image& image) {
    const auto label = image.labels.find("envgen.lock");
    const bool labelled = label != image.labels.end();
    if (!options_.lock || (!options_.lock->named && !labelled)) {
      report_.add("lock-label", Status::skip,
                  labelled ? "the image names a lock, and none is here (--lock FILE names one)"
                           : "no lock to compare with (--lock FILE names one)");
      return;
    }
    lock_ = &options_.lock->environment;
    report_.lock = options_.lock->file;
    const auto& promise = options_.lock->promise;
    const bool same = labelled && label->second == promise;
    auto& result =
        report_.add("lock-label", same ? Status::pass : Status::fail,
                    same       ? fmt::format("built from {}", options_.lock->file)
                    : labelled ? fmt::format("built from another lock than {}: build the image again", options_.lock->file)
                               : "the image has no label envgen.lock: envgen's Dockerfile did not make it");
    result.evidence = {{"label", labelled ? Json(visible(label->second, 100)) : Json()}, {"lock", promise}};
  }

  void image_gate(const container::Image& image, const container::Engine& engine) {
    auto result = judge_image_gate(image, engine.facts().local ? options_.driver : std::nullopt);
    if (result.status == Status::fail && gpus_.none()) result.status = Status::warn;  // without a GPU nobody asks
    report_.results.push_back(std::move(result));
  }

  void user(const container::Image& image) {
    const auto name = image.user.substr(0, image.user.find(':'));
    const bool root = name.empty() || name == "root" || name == "0";
    auto& result = report_.add(
        "user", root ? Status::warn : Status::pass,
        root ? "the container runs as root, and what it writes into a mount is root's" : "runs as " + visible(name, 60));
    result.evidence = {{"user", image.user}};
  }

  /// What `--gpus` comes to on this engine.
  Expected<void> choose_gpus(const container::Engine& engine) {
    by_cdi_ = options_.cdi || engine.kind() == container::EngineKind::podman;
    auto text = options_.gpus;
    if (options_.profile == Profile::build) text = "none";
    if (text == "auto") {
      const auto& facts = engine.facts();
      const auto has = [](const std::vector<std::string>& names, std::string_view part) {
        return std::any_of(names.begin(), names.end(), [&](const auto& name) { return name.find(part) != std::string::npos; });
      };
      const bool any =
          (facts.local && options_.driver) || has(facts.runtimes, "nvidia") || has(facts.cdi_devices, "nvidia.com/gpu");
      text = any ? "all" : "none";
    }
    auto selection = selection_of(text, by_cdi_);
    if (!selection) return tl::unexpected(selection.error());
    gpus_ = std::move(*selection);
    report_.gpus = text;
    return {};
  }

  std::vector<std::string> flags() const {
    std::vector<std::string> words;
    for (const auto& flag : output::gpu_flags(gpus_, by_cdi_)) words.insert(words.end(), flag.words.begin(), flag.words.end());
    if (!options_.sharing.ipc.empty()) words.push_back("--ipc=" + options_.sharing.ipc);
    if (!options_.sharing.shm_size.empty()) words.push_back("--shm-size=" + options_.sharing.shm_size);
    words.push_back("--network=" + options_.network);
    if (!options_.runtime.empty()) words.push_back("--runtime=" + options_.runtime);
    return words;
  }

  Expected<void> run_bench(const container::Engine& engine, Launcher& launcher, const std::filesystem::path& file) {
    const Canary canary;
    Program program{flags(), bench_in_container, {"--format=json"}, file};
    program.arguments.emplace_back(options_.profile == Profile::full ? "--profile=full" : "--profile=smoke");
    if (options_.profile == Profile::build) program.arguments.emplace_back("--tests=probe,ipc,shm");
    if (engine.facts().local) {
      const auto words = canary.bench_flags();
      program.arguments.insert(program.arguments.end(), words.begin(), words.end());
    }
    const auto launched = launcher.launch(program);
    if (!launched) return tl::unexpected(launched.error());
    if (!judge_start(*launched)) return {};
    if (launched->end == Launched::End::failed) {
      report_.add("bench", Status::fail, launched->why).diagnosis = recognised(launched->words);
      return {};
    }
    const auto bench = parse_bench_report(launched->out);
    if (!bench) {
      auto words = launched->words;
      report_
          .add("bench", Status::fail,
               with_words(
                   fmt::format("{} (exit status {}): {}", bench.error().origin, launched->exit_status, bench.error().message),
                   words))
          .diagnosis = recognised(words);
      return {};
    }
    bench_reported_ = true;
    report_.doubles = bench->doubles;
    report_.machine = bench->machine;
    if (bench->interrupted) {
      report_.add("bench", Status::fail, "envgen-bench was interrupted");
    } else {
      report_.add("bench", Status::pass, fmt::format("envgen-bench reports {} tests", bench->rows.size()));
    }
    take_rows(*bench, engine, launched->ipc_mode);
    return {};
  }

  /// False: the program did not run.
  bool judge_start(const Launched& launched) {
    using End = Launched::End;
    if (launched.end == End::refused) {
      auto& result = report_.add("start", Status::fail, with_words(launched.why, launched.words));
      result.diagnosis = recognised(launched.words);
      result.evidence = {{"flags", flags()}, {"words", launched.words}};
      result.prerequisite = result.diagnosis != nullptr && std::find(not_of_the_machine.begin(), not_of_the_machine.end(),
                                                                     result.diagnosis->id) == not_of_the_machine.end();
      stopped_ = "the container did not start";
      return false;
    }
    started_ = true;
    auto& result = report_.add("start", Status::pass, fmt::format("started with {}", fmt::join(flags(), " ")));
    result.evidence = {{"flags", flags()}};
    if (launched.end != End::not_there) return true;
    result.status = Status::unknown;
    result.message = "the container was made, and had no program to run";
    report_.add("bench", Status::fail,
                with_words("envgen-bench does not run in the image, which needs a glibc for its processor", launched.words));
    return false;
  }

  void take_rows(const BenchReport& bench, const container::Engine& engine, const std::string& ipc_mode) {
    for (const auto& row : bench.rows) {
      if (row.check == "probe") {
        judge_gpu(row, bench);
      } else if (row.check == "ipc") {
        report_.results.push_back(judge_ipc(row, options_.sharing, engine.facts().local, donor(engine), ipc_mode));
        report_.results.push_back(judge_shm_size(row, options_.sharing));
      } else if (row.check == "shm") {
        report_.results.push_back(judge_shm(row, options_.sharing));
      } else if (!gpus_.none()) {
        report_.results.push_back(row);
      }
    }
  }

  void judge_gpu(const Result& probe, const BenchReport& bench) {
    if (gpus_.none()) return;
    auto result = probe;
    result.check = "gpu";
    const long long wanted = gpus_.count ? *gpus_.count : static_cast<long long>(gpus_.devices.size());
    if (!bench.gpu_present) {
      result.status = Status::fail;
      result.message = fmt::format("--gpus {} was asked for, and CUDA sees none: {}", report_.gpus, probe.message);
    } else if (!gpus_.all && result.status == Status::pass && bench.gpus != wanted) {
      result.status = Status::fail;
      result.message = fmt::format("--gpus {} was asked for, and CUDA counts {}", report_.gpus, bench.gpus);
    }
    report_.results.push_back(std::move(result));
  }

  /// The namespace of the container that `--ipc=container:X` names.
  std::optional<unsigned long> donor(const container::Engine& engine) const {
    constexpr std::string_view prefix = "container:";
    if (!engine.facts().local || !options_.sharing.ipc.starts_with(prefix)) return std::nullopt;
    const auto pid =
        engine.ask({"inspect", "--type", "container", "--format", "{{.State.Pid}}", options_.sharing.ipc.substr(prefix.size())},
                   {.timeout = container::longest_answer});
    if (!pid) return std::nullopt;
    return ipc_namespace(pid->substr(0, pid->find('\n')));
  }

  Expected<void> run_python(Launcher& launcher) {
    for (const auto* python : {"python", "python3"}) {
      const auto launched = launcher.launch({flags(), python, {"-c", self_report_script()}, {}});
      if (!launched) return tl::unexpected(launched.error());
      if (launched->end == Launched::End::not_there) continue;
      judge_python(*launched);
      return {};
    }
    no_python_ = true;
    if (lock_ != nullptr) report_.add("python", Status::fail, fmt::format("Python {} is locked, and not there", lock_->python));
    return {};
  }

  void judge_python(const Launched& launched) {
    if (launched.end != Launched::End::done) {
      report_.add("python", Status::fail, with_words(launched.why, launched.words)).diagnosis = recognised(launched.words);
      return;
    }
    const auto said = parse_self_report(launched.out);
    if (!said) {
      report_
          .add("python", Status::fail,
               with_words(fmt::format("{} (exit status {}): {}", said.error().origin, launched.exit_status, said.error().message),
                          launched.words))
          .diagnosis = recognised(launched.words);
      return;
    }
    for (auto& result : judge_self_report(*said, lock_, !gpus_.none())) report_.results.push_back(std::move(result));
  }

  Expected<void> run_mount(const container::Engine& engine, Launcher& launcher, const std::filesystem::path& file) {
    if (!engine.facts().local) {
      report_.add("mount-owner", Status::skip, "the engine is not on this machine, and so a folder of it cannot be looked at");
      return {};
    }
    const auto folder = util::TemporaryFolder::make("envgen-mount");
    if (!folder) return tl::unexpected(folder.error());
    std::filesystem::permissions(folder->path(), std::filesystem::perms::all);  // whoever the container's user is
    const std::string inside = "/envgen-mount";
    Program program{{"--network=none", fmt::format("--mount=type=bind,source={},target={}", folder->path().string(), inside)},
                    bench_in_container,
                    {"--tests=ipc", "--format=json", "--output=" + inside + "/report.json"},
                    file};
    const auto launched = launcher.launch(program);
    if (!launched) return tl::unexpected(launched.error());
    if (launched->end == Launched::End::not_there) {
      report_.add("mount-owner", Status::skip, "envgen-bench does not run in the image");
      return {};
    }
    struct stat written {};
    if (launched->end != Launched::End::done || ::stat((folder->path() / "report.json").c_str(), &written) != 0) {
      report_.add("mount-owner", Status::fail, with_words("the user could not write into a mounted folder", launched->words));
      return {};
    }
    const bool own = written.st_uid == ::geteuid();
    const bool root = written.st_uid == 0 && !own;
    auto& result = report_.add("mount-owner", root ? Status::warn : Status::pass,
                               fmt::format("what it writes into a mount belongs to {}:{}{}", written.st_uid, written.st_gid,
                                           own ? ", as what you write" : ""));
    result.evidence = {{"uid", written.st_uid}, {"gid", written.st_gid}, {"caller_uid", ::geteuid()}};
    return {};
  }

  std::string why_not_made(const Check& check) const {
    if (!stopped_.empty()) return stopped_;
    const bool by_python = check.needs == Needs::python || check.id == "framework-gpu";
    if (check.needs == Needs::gpu) {
      if (options_.profile == Profile::build) return "--profile build tries nothing that needs a GPU";
      if (gpus_.none())
        return options_.gpus == "none" ? "--gpus none was asked for" : "no GPU is known here (--gpus all asks for them)";
    }
    if (by_python) return no_python_ ? "the image has no Python" : "the image's Python does not tell";
    if (!bench_reported_) return "envgen-bench did not report";
    return options_.profile == Profile::smoke ? "not of --profile smoke (full makes it)" : "envgen-bench tells nothing of it";
  }

  const Options& options_;
  const std::function<void(std::string_view)>& progress_;
  Report report_;
  const Environment* lock_ = nullptr;
  output::GpuSelection gpus_;
  bool by_cdi_ = false;
  bool started_ = false;
  bool bench_reported_ = false;
  bool no_python_ = false;
  std::string stopped_;  ///< why nothing more was tried
};

Expected<void> check_flags(const Options& options) {
  if (options.gpus != "auto") {
    if (auto selection = selection_of(options.gpus, options.cdi); !selection) return tl::unexpected(selection.error());
  }
  const auto& size = options.sharing.shm_size;
  if (!size.empty() && !bytes_of(size))
    return fail(ErrorCode::usage, fmt::format("{} is no size", in_quotes(size)), "--shm-size", {"8g, 512m"});
  const auto& ipc = options.sharing.ipc;
  constexpr std::array<std::string_view, 5> modes{"", "host", "private", "shareable", "none"};
  if (std::find(modes.begin(), modes.end(), ipc) == modes.end() && (!ipc.starts_with("container:") || ipc.ends_with(':')))
    return fail(ErrorCode::usage, fmt::format("{} is no IPC mode", in_quotes(ipc)), "--ipc",
                {"host, private, shareable, none, or container:NAME"});
  return {};
}

}  // namespace

std::string_view name_of(Profile profile) { return profile_names[static_cast<std::size_t>(profile)]; }

Expected<Report> run(const Options& options, const std::function<void(std::string_view)>& progress) {
  if (auto checked = check_flags(options); !checked) return tl::unexpected(checked.error());
  const auto began = std::chrono::steady_clock::now();
  const auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  const util::InterruptScope scope;  // containers, segments and folders are taken away first
  auto report = Run(options, progress).make();
  if (report) {
    report->seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    report->started = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now));
  }
  return report;
}

}  // namespace envgen::validate
