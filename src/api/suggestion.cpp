#include "api/suggestion.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "answers/headline.hpp"
#include "answers/phrases.hpp"
#include "api/answer.hpp"
#include "api/usage.hpp"
#include "model/shell_word.hpp"
#include "resolver/maturity.hpp"
#include "util/described.hpp"

namespace envgen::api {
namespace {

using diagnosis::Named;
using diagnosis::Seen;

std::optional<std::string> text_of(const Seen& seen, Named named) {
  return seen[named] ? std::optional(seen[named]->text) : std::nullopt;
}

/// The release of a torch that a request can name: `2.4.0` of 2.4.0+cu121; none of a nightly build, or of one of NVIDIA's.
std::optional<std::string> torch_release(const Seen& seen) {
  auto text = text_of(seen, Named::torch);
  if (!text) return text;
  text->resize(std::min(text->find('+'), text->size()));
  return Version::parse(*text) ? text : std::nullopt;
}

/// The driver itself, or the first branch that reports the CUDA that the log says it does.
std::optional<std::string> driver_of(const matrix::Matrix& matrix, const Seen& seen) {
  if (auto driver = text_of(seen, Named::driver)) return driver;
  const auto cuda = seen[Named::driver_cuda] ? Version::parse(seen[Named::driver_cuda]->text) : Version();
  if (!cuda || !*cuda) return std::nullopt;
  std::optional<std::uint16_t> first;
  for (const auto& branch : matrix->branches) {
    if (branch.cuda == *cuda) first = std::min(first.value_or(branch.branch), branch.branch);
  }
  return first ? std::optional(fmt::format("{}", *first)) : std::nullopt;
}

/// What a request is made of.
struct Asked {
  std::optional<std::string> gpu;
  std::optional<std::string> driver;
  std::optional<std::string> torch;
  std::optional<std::string> python;
  bool wsl = false;

  bool has(std::string_view name) const {
    if (name == diagnosis::name_of(Named::gpu)) return gpu.has_value();
    return (name == diagnosis::name_of(Named::driver) ? driver : torch).has_value();
  }
  Request request() const {
    Request request;
    const auto add = [&](Field field, const std::optional<std::string>& text) {
      if (text) request.values.push_back({field, *text, Origin::flag, "the log"});
    };
    add(Field::torch, torch);
    add(Field::python, python);
    add(Field::driver, driver);
    add(Field::gpu, gpu);
    if (wsl) add(Field::wsl, "true");
    return request;
  }
};

/// The values, and then fewer of them: hardware stays, and so does what the failure is about.
std::vector<Asked> attempts(const Asked& all, bool torch_stays) {
  std::vector<Asked> result{all};
  const auto add = [&](bool torch, bool python) {
    auto fewer = all;
    if (!torch) fewer.torch.reset();
    if (!python) fewer.python.reset();
    if (fewer.torch != result.back().torch || fewer.python != result.back().python) result.push_back(std::move(fewer));
  };
  if (!torch_stays) add(false, true);
  add(torch_stays, false);
  return result;
}

/// Of all that serve the machine; both none where nothing does.
struct Serving {
  Version oldest;
  Version newest;

  void add(Version version) {
    oldest = oldest ? std::min(oldest, version) : version;
    newest = std::max(newest, version);
  }
};

bool needs_compat(const Environment& environment) { return environment.driver && answers::needs_compat(*environment.driver); }

/// The best one that the driver supports by itself: cuda-compat is one more package to install, and root's to install.
std::optional<Environment> without_compat(const matrix::Matrix& matrix, const Request& request) {
  std::optional<Environment> found;
  const auto any = each_environment(matrix, request, [&](const Environment& environment) {
    if (!needs_compat(environment)) found = environment;
    return !found;
  });
  return any ? found : std::nullopt;
}

bool is_served(const matrix::Matrix& matrix, const Request& request) { return without_compat(matrix, request).has_value(); }

Serving serving_releases(const matrix::Matrix& matrix, Asked values) {
  Serving serving;
  for (const auto& release : matrix->releases) {
    if (release.framework != Framework::torch) continue;
    values.torch = release.text.view();
    if (is_served(matrix, values.request())) serving.add(release.version);
  }
  return serving;
}

/// `torch 2.7.0 or newer`.
std::string in_words(const matrix::Matrix& matrix, const Serving& releases) {
  const auto& [oldest, newest] = releases;
  if (newest == matrix.newest(Framework::torch)->version) return fmt::format("torch {} or newer", oldest.to_string());
  if (oldest == newest) return "torch " + oldest.to_string();
  return fmt::format("torch {} to {}", oldest.to_string(), newest.to_string());
}

/// `, built for CUDA 12.8 or newer`, where a recent release has builds that do not serve the machine.
std::string cudas_for(const matrix::Matrix& matrix, const Asked& values, const Serving& releases) {
  Serving cudas;
  for (const auto& minor : matrix->cuda_minors) {
    auto request = values.request();
    request.values.push_back({Field::cuda, minor.cuda.to_string(), Origin::flag, "the log"});
    if (is_served(matrix, request)) cudas.add(minor.cuda);
  }
  bool some_older = false;
  bool some_newer = false;
  for (const auto& build : matrix->builds) {
    const bool recent = build.listed && build.framework == Framework::torch && build.cuda && build.version >= releases.oldest &&
                        build.version <= releases.newest && resolver::is_supported(matrix, build);
    some_older = some_older || (recent && build.cuda < cudas.oldest);
    some_newer = some_newer || (recent && build.cuda > cudas.newest);
  }
  if (some_older) return fmt::format(", built for CUDA {} or newer", cudas.oldest);
  return some_newer ? fmt::format(", built for CUDA {} or older", cudas.newest) : std::string();
}

/// The build that the log has is the one that was found, as far as the log tells.
bool is_the_same(const Environment& environment, const Asked& asked, const Seen& seen) {
  const auto& build = environment.build();
  if (asked.torch != build.version || seen[Named::torch]->text.ends_with("+cpu")) return false;
  const auto& cuda = seen[Named::cuda];
  return cuda ? build.cuda && build.cuda->to_string() == cuda->text : build.on_package_index;
}

/// `the Tesla T4`; a compute capability and a PCI id have no article.
std::string_view article_of(std::string_view gpu) {
  return gpu.starts_with("sm_") || gpu.find(':') != std::string_view::npos ? "" : "the ";
}

std::string machine_of(const Asked& values) {
  if (!values.gpu) return "driver " + values.driver.value_or("");
  return fmt::format("{}{}", article_of(*values.gpu), *values.gpu) + (values.driver ? " with driver " + *values.driver : "");
}

/// `Python 3.8 to 3.11`, of all that a torch has wheels for beside the other values.
std::string pythons_for(const matrix::Matrix& matrix, Asked values) {
  constexpr int first = 6;
  constexpr int last = 20;
  std::string oldest;
  std::string newest;
  for (int minor = first; minor <= last; ++minor) {
    values.python = fmt::format("3.{}", minor);
    if (!is_served(matrix, values.request())) continue;
    if (oldest.empty()) oldest = *values.python;
    newest = *values.python;
  }
  return oldest == newest ? "Python " + oldest : fmt::format("Python {} to {}", oldest, newest);
}

/// `driver 450.80.02 to 470.xx`. A release of Windows has another number than the one of Linux, and the same branch.
std::string driver_in_words(const Environment::DriverRange& range) {
  if (range.windows_cuda) return fmt::format("Windows driver {} or newer", range.minimum->branch());
  return "driver " + answers::range_in_words(range);
}

std::string summary_of(const matrix::Matrix& matrix, const Environment& environment, const Asked& all, const Asked& asked,
                       bool torch_stays) {
  const auto& build = environment.build();
  const auto built_for = build.cuda ? "CUDA " + build.cuda->to_string() : "the CPU";
  if (torch_stays)
    return fmt::format("torch {} has wheels for {}{}; this installs its build for {}.", build.version, pythons_for(matrix, asked),
                       all.python && !asked.python ? ", not for " + *all.python : "", built_for);
  std::string summary;
  if (asked.torch) {
    const auto kind = build.cuda ? built_for : "CPU";
    summary = fmt::format("torch {} has a {} build{} that runs {}{}", build.version, kind,
                          asked.python ? " for Python " + *asked.python : "", asked.gpu ? "on " : "with ", machine_of(asked));
  } else {
    const auto releases = serving_releases(matrix, asked);
    auto machine = machine_of(asked);
    if (!asked.python && machine.starts_with("the ")) machine.front() = 'T';  // it begins the sentence
    summary = asked.gpu ? fmt::format("{} needs {}{}", machine, in_words(matrix, releases), cudas_for(matrix, asked, releases))
                        : fmt::format("{} {} with {}", in_words(matrix, releases),
                                      releases.oldest == releases.newest ? "runs" : "run", machine);
    if (asked.python) summary = fmt::format("On Python {}, {}", *asked.python, summary);
  }
  if (all.python && !asked.python)
    summary += fmt::format("; there is no wheel for Python {}, so use Python {}", *all.python, environment.python);
  summary += ".";
  const auto& driver = environment.driver;
  if (!asked.driver && driver && driver->range.minimum)
    summary += fmt::format(" {} needs {}.", asked.torch ? "It" : fmt::format("torch {} for {}", build.version, built_for),
                           driver_in_words(driver->range));
  return summary;
}

std::string refusal_of(const matrix::Matrix& matrix, const Asked& values) {
  if (values.gpu || values.driver) return fmt::format("No known torch supports {}.", machine_of(values));
  const auto& newest = *matrix.newest(Framework::torch);
  if (const auto torch = Version::parse(values.torch.value_or("")); torch && *torch > newest.version)
    return fmt::format("torch {} is newer than envgen's data, which ends at {}; it may not have been released yet.", *torch,
                       newest.text.view());
  return fmt::format("No build of torch {} is known.", values.torch.value_or(""));
}

bool is_of_windows(const Seen& seen) { return seen[Named::platform] && seen[Named::platform]->text == "windows"; }

/// pip had no wheel for the Python that it ran with, whichever that was.
constexpr std::string_view no_wheel = "torch-no-wheel";
/// To pip, torch==2.9.0 is there already where 2.9.0+cpu is installed, and not every log names the release.
constexpr std::string_view cpu_build = "torch-cpu-build";

/// The address of a CUDA's wheels, but for its number: 128.
constexpr std::string_view wheel_index = "https://download.pytorch.org/whl/cu";

/// Windows: the package index has only the CPU build there, so the command that installs torch names PyTorch's own index, which
/// has nothing else. What else it installs comes before it.
std::vector<files::Command> with_index(const std::vector<files::Command>& commands, const Environment& environment) {
  const auto is_torch = [](const std::string& word) { return word.starts_with("torch"); };
  const auto& cuda = environment.build().cuda;
  std::vector<files::Command> result;
  for (const auto& command : commands) {
    const bool has_index = std::find(command.begin(), command.end(), "--index-url") != command.end();
    if (has_index || !cuda || std::none_of(command.begin(), command.end(), is_torch)) {
      result.push_back(command);
      continue;
    }
    files::Command torch{"pip", "install"};
    files::Command others = torch;
    for (std::size_t i = torch.size(); i < command.size(); ++i) (is_torch(command[i]) ? torch : others).push_back(command[i]);
    constexpr std::size_t bare = 2;
    if (others.size() > bare) result.push_back(std::move(others));
    auto tag = cuda->to_string();
    std::erase(tag, '.');
    torch.insert(torch.end(), {"--index-url", std::string(wheel_index) + tag});
    result.push_back(std::move(torch));
  }
  return result;
}

/// The install commands, by the Python of the environment where that is not the one of the log.
std::vector<files::Command> commands_of(const Environment& environment, std::string_view id, bool other_python,
                                        const Seen& seen) {
  auto commands = files::install_commands(environment);
  const bool windows = is_of_windows(seen);
  if (windows) commands = with_index(commands, environment);
  const auto installed = torch_release(seen);
  const bool may_be_there = installed ? installed == environment.build().version : id == cpu_build;
  if (other_python) {
    const auto python = windows ? std::vector<std::string>{"py", fmt::format("-{}", environment.python)}
                                : std::vector<std::string>{fmt::format("python{}", environment.python)};
    for (auto& command : commands) {
      command.insert(command.begin(), "-m");
      command.insert(command.begin(), python.begin(), python.end());
    }
  } else if (!commands.empty() && id != no_wheel && may_be_there) {
    commands.insert(commands.begin(), {"pip", "uninstall", "--yes", "torch", "torchvision", "torchaudio"});
  }
  return commands;
}

std::vector<std::string> in_a_shell(const std::vector<files::Command>& commands) {
  std::vector<std::string> lines;
  for (const auto& command : commands) lines.push_back(shell_words(command));
  return lines;
}

/// What conda has for a machine that no wheel supports.
std::optional<Suggestion> of_conda(const matrix::Matrix& matrix, const Asked& values) {
  auto request = values.request();
  request.values.push_back({Field::installer, std::string(name_of(Installer::conda)), Origin::flag, "the log"});
  const auto answered = answer(matrix, request);
  if (!answered || !answered->environment) return std::nullopt;
  const auto& environment = *answered->environment;
  return Suggestion{
      answered->request,
      fmt::format("No known torch wheel supports {}; conda's torch {} does.", machine_of(values), environment.build().version),
      files::install_commands(environment), files::install_lines(environment)};
}

/// What serves the GPU under another driver than the one of the log, which nothing serves.
std::optional<Suggestion> of_another_driver(const matrix::Matrix& matrix, const Asked& all, std::string_view id,
                                            const Seen& seen) {
  const auto asked = DriverVersion::parse(all.driver.value_or(""));
  if (!all.gpu || !asked) return std::nullopt;
  auto others = all;
  others.torch.reset();
  others.driver.reset();
  for (const auto& values : attempts(others, false)) {
    const auto answered = answer(matrix, values.request());
    if (!answered || !answered->environment) continue;
    const auto& environment = *answered->environment;
    if (!environment.driver || !environment.driver->range.minimum) return std::nullopt;
    const auto& range = environment.driver->range;
    const bool too_old = range.windows_cuda ? asked->branch() < range.minimum->branch() : *asked < *range.minimum;
    const auto wanted = too_old             ? driver_in_words(range)
                        : range.last_branch ? fmt::format("a driver up to {}.xx", range.last_branch->branch())
                                            : std::string();
    if (wanted.empty()) return std::nullopt;
    const bool other_python = all.python != values.python;
    auto commands = commands_of(environment, id, other_python, seen);
    auto lines = other_python && !is_of_windows(seen) ? files::install_lines(environment) : in_a_shell(commands);
    return Suggestion{answered->request,
                      fmt::format("{} Install {}, and then torch {} for CUDA {}.", refusal_of(matrix, all), wanted,
                                  environment.build().version, environment.build().cuda.value_or(Version())),
                      std::move(commands), std::move(lines)};
  }
  return std::nullopt;
}

/// `id`: of the failure that it is for.
std::optional<Suggestion> suggestion_for(const matrix::Matrix& matrix, const Asked& all, std::string_view id, bool torch_stays,
                                         const Seen& seen) {
  std::optional<Suggestion> refused;
  const auto attempted = attempts(all, torch_stays);
  for (const auto& values : attempted) {
    auto answered = answer(matrix, values.request());
    if (!answered) continue;  // a value that no request understands
    if (answered->environment && needs_compat(*answered->environment)) {
      answered->environment = without_compat(matrix, values.request());
      // Asked again, the request would name the one with cuda-compat: it says which build is meant.
      if (answered->environment) {
        const auto& build = answered->environment->build();
        if (!values.torch) answered->request.values.push_back({Field::torch, build.version, Origin::flag, "the log"});
        if (build.cuda) answered->request.values.push_back({Field::cuda, build.cuda->to_string(), Origin::flag, "the log"});
      }
    }
    if (!answered->environment) {
      refused = {answered->request, refusal_of(matrix, values), {}, {}};
      continue;
    }
    const auto& environment = *answered->environment;
    if (!torch_stays && is_the_same(environment, values, seen)) return std::nullopt;
    const bool other_python = all.python != values.python;
    auto commands = commands_of(environment, id, other_python, seen);
    const bool with_venv = (other_python || id == no_wheel) && !is_of_windows(seen);
    auto lines = with_venv ? files::install_lines(environment) : in_a_shell(commands);
    return Suggestion{answered->request, summary_of(matrix, environment, all, values, torch_stays), std::move(commands),
                      std::move(lines)};
  }
  if (refused && !torch_stays) {
    if (auto conda = of_conda(matrix, attempted.back())) return conda;
    if (auto other = of_another_driver(matrix, all, id, seen)) return other;
  }
  return refused;
}

std::optional<Suggestion> of_first(const matrix::Matrix& matrix, const std::vector<diagnosis::Finding>& findings,
                                   const Seen& seen) {
  const bool windows = is_of_windows(seen);
  if (seen[Named::platform] && !windows) return std::nullopt;
  // The driver of Windows is the one of WSL 2, and is judged by its branch.
  const Asked all{text_of(seen, Named::gpu), driver_of(matrix, seen), torch_release(seen), text_of(seen, Named::python),
                  windows || seen[Named::wsl].has_value()};
  for (const auto& finding : findings) {
    const auto needed = diagnosis::parts(finding.diagnosis->resolves, ' ');
    if (needed.empty() || !std::all_of(needed.begin(), needed.end(), [&](auto name) { return all.has(name); })) continue;
    const std::string_view id = finding.diagnosis->id;
    const bool torch_stays = std::find(needed.begin(), needed.end(), name_of(Named::torch)) != needed.end();
    if (torch_stays && seen[Named::cuda]) {  // the build that was asked for, where there is one
      auto exactly = all;
      exactly.torch = seen[Named::torch]->text;
      if (auto found = suggestion_for(matrix, exactly, id, torch_stays, seen); found && !found->install.empty()) return found;
    }
    return suggestion_for(matrix, all, id, torch_stays, seen);
  }
  return std::nullopt;
}

}  // namespace

bool is_board(const matrix::Matrix& matrix, std::string_view name) {
  return understood(matrix, {{{Field::gpu, std::string(name), Origin::flag, "the log"}}}).has_value();
}

std::optional<Suggestion> suggestion(const matrix::Matrix& matrix, const std::vector<diagnosis::Finding>& findings,
                                     const Seen& seen) {
  auto found = of_first(matrix, findings, seen);
  if (!found || seen.pins_torch.empty() || found->install.empty()) return found;
  // Another torch alone breaks a program that requires exactly one.
  found->summary += fmt::format(
      " {0} requires exactly one torch: install a {0} with such a torch, or its image, not torch alone.", seen.pins_torch);
  found->install.clear();
  found->lines.clear();
  return found;
}

Seen for_commands(const matrix::Matrix& matrix, const Seen& seen) {
  auto named = seen;
  const auto torch = torch_release(seen);
  const auto is_that = [&](const auto& release) {
    return release.framework == Framework::torch && torch && release.text.view() == *torch;
  };
  if (std::none_of(matrix->releases.begin(), matrix->releases.end(), is_that)) named[Named::torch].reset();
  return named;
}

std::string suggestion_text(const Suggestion& suggestion, const Seen& seen, const util::Terminal& terminal) {
  std::vector<std::string> named;
  const auto add = [&](Named value, std::string_view what) {
    if (seen[value]) named.push_back(fmt::format("{}{} (line {})", what, seen[value]->text, seen[value]->line));
  };
  if (seen[Named::gpu]) add(Named::gpu, article_of(seen[Named::gpu]->text));
  add(Named::torch, "torch ");
  add(Named::driver, "the driver ");
  if (!seen[Named::driver]) add(Named::driver_cuda, "a driver for CUDA ");
  add(Named::python, "Python ");
  add(Named::wsl, "WSL ");
  std::string text;
  for (const auto& line : util::wrap(fmt::format("The log names {}.", answers::joined(named)), terminal.prose_width()))
    text += line + "\n";
  for (const auto& line : util::wrap(suggestion.summary, terminal.prose_width())) text += util::bold(line, terminal) + "\n";
  for (const auto& line : suggestion.lines) text += "  " + line + "\n";
  return text + "  envgen resolve " + flags_of(suggestion.request) + "\n";
}

std::string platform_text(const std::vector<diagnosis::Finding>& findings, const Seen& seen,
                          const std::optional<Suggestion>& suggestion, const util::Terminal& terminal) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 3> sentences{{
      {"windows", "The log is from Windows. envgen covers only Linux and WSL 2."},
      {"macos", "The log is from macOS, which has no CUDA. envgen covers only Linux and WSL 2."},
      {"rocm", "The log is from ROCm, for AMD GPUs. envgen covers only NVIDIA GPUs."},
  }};
  std::string sentence;
  for (const auto& [platform, text] : sentences) {
    if (seen[Named::platform] && seen[Named::platform]->text == platform) sentence = text;
  }
  const bool another_build =
      std::any_of(findings.begin(), findings.end(), [](const auto& finding) { return !finding.diagnosis->resolves.empty(); });
  if (is_of_windows(seen) && another_build) {
    const bool cpu =
        std::any_of(findings.begin(), findings.end(), [](const auto& finding) { return finding.diagnosis->id == cpu_build; });
    sentence += " The package index has only CPU builds of torch for Windows";
    sentence += suggestion && !suggestion->install.empty()
                    ? ", so the commands below use PyTorch's own index."
                    : fmt::format(": {} with --index-url {}128 (cu126 for a GPU older than Turing).",
                                  cpu ? "uninstall that build, and install torch" : "install torch", wheel_index);
  }
  std::string result;
  if (sentence.empty()) return result;
  for (const auto& line : util::wrap(sentence, terminal.prose_width())) result += line + "\n";
  return result;
}

void write_suggestion(util::JsonWriter& json, const std::optional<Suggestion>& suggestion) {
  if (!suggestion) {
    json.null();
    return;
  }
  json.begin_object().key("request");
  util::write_json(json, suggestion->request);
  json.member("summary", suggestion->summary).key("install");
  util::write_json(json, suggestion->install);
  json.end_object();
}

}  // namespace envgen::api
