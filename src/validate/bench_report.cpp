#include "validate/bench_report.hpp"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "model/spelling.hpp"
#include "util/json_members.hpp"
#include "util/json_text.hpp"
#include "util/pattern.hpp"

namespace envgen::validate {
namespace {

constexpr long long known_schema = 1;
constexpr std::size_t longest_message = 2000;
constexpr const char* origin = "envgen-bench's report";

tl::unexpected<Error> refuse(std::string message) { return fail(ErrorCode::bad_input, std::move(message), origin); }

/// The failure that a row tells of: by the id that envgen-bench gives it, else by its words and what the libraries printed.
const diagnosis::Diagnosis* diagnosed(const Result& result, const Json& row) {
  const auto* failure = util::member(row, "failure");
  const bool told = failure != nullptr && failure->is_object();
  if (!told && result.status != Status::fail) return nullptr;
  if (const auto* known = told ? diagnosis::find(util::text_member(*failure, "id").value_or("")) : nullptr; known != nullptr)
    return known;
  constexpr std::size_t longest_output = 8192;
  return recognised({result.message, util::text_member(result.evidence, "output").value_or("").substr(0, longest_output)});
}

bool is_null_or(const Json* member, bool (Json::*is_type)() const noexcept) {
  return member == nullptr || member->is_null() || (member->*is_type)();
}

/// What `ipc_mode` of envgen-bench can say. A mode that is said to be proven has a namespace.
Expected<void> check_ipc(const Result& row) {
  constexpr std::array<std::string_view, 5> modes{"host", "private", "private-host-shm", "none", "unknown"};
  const auto* said = util::member(row.evidence, "mode");
  if (said == nullptr && row.status != Status::pass) return {};  // it was not made, or did not get so far
  const auto mode = util::text_member(row.evidence, "mode");
  if (!mode || std::find(modes.begin(), modes.end(), *mode) == modes.end())
    return refuse(mode ? fmt::format("{} is not an IPC mode", in_quotes(*mode)) : "the row ipc has no mode");
  if (*mode != "unknown" && !util::number_member(row.evidence, "inode")) return refuse("the row ipc has no inode");
  return {};
}

Expected<Result> parse_row(const Json& row) {
  static const util::Pattern id_form("[a-z0-9]+([.-][a-z0-9]+)*");
  const auto id = util::text_member(row, "id");
  const auto status = util::text_member(row, "status");
  const auto message = util::text_member(row, "message");
  if (!id || !status || !message || !id_form.matches(*id)) return refuse("a row has no id, status or message");
  const auto known = parse_status(*status);
  if (!known) return refuse(fmt::format("{} is not a row status", in_quotes(*status)));
  if (!is_null_or(util::member(row, "device"), &Json::is_number_integer))
    return refuse(fmt::format("the device of the row {} is not a number", *id));
  if (!is_null_or(util::member(row, "evidence"), &Json::is_object))
    return refuse(fmt::format("the evidence of the row {} is not an object", *id));
  if (!is_null_or(util::member(row, "failure"), &Json::is_object))
    return refuse(fmt::format("the failure of the row {} is not an object", *id));
  Result result{*id, *known, visible(*message, longest_message)};
  result.device = util::number_member(row, "device");
  if (const auto* evidence = util::member(row, "evidence"); evidence != nullptr && evidence->is_object())
    result.evidence = *evidence;
  if (*id == "ipc") {
    if (const auto checked = check_ipc(result); !checked) return tl::unexpected(checked.error());
  }
  result.diagnosis = diagnosed(result, row);
  return result;
}

/// None: it is no such end. What the program printed is believed as far as it is believed of one in a container of its own.
std::optional<Launched> parse_then(const Json& then) {
  Launched launched{Launched::End::failed};
  const auto end = util::text_member(then, "end");
  if (end == "not-there") {
    launched.end = Launched::End::not_there;
    return launched;
  }
  const auto status = util::number_member(then, "exit_status");
  const auto signal = util::number_member(then, "signal");
  const auto out = util::text_member(then, "out");
  const auto err = util::text_member(then, "err");
  const auto cut = util::flag_member(then, "out_cut");
  if (!end || !status || !signal || !out || !err || !cut) return std::nullopt;
  launched.exit_status = static_cast<int>(*status);
  launched.words = container::words_of(*err);
  launched.out = *out;
  if (end == "timed-out") {
    launched.why = "it timed out and was killed";
  } else if (end == "killed") {
    launched.why = fmt::format("it was killed by signal {}", *signal);
  } else if (*cut) {
    launched.why = "it printed more than 1 MiB";
  } else if (end == "exited") {
    launched.end = Launched::End::done;
  } else {
    return std::nullopt;
  }
  return launched;
}

template <class Parsed>
std::optional<Parsed> parsed_member(const Json& object, std::string_view member) {
  const auto text = util::text_member(object, member);
  if (!text) return std::nullopt;
  const auto parsed = Parsed::parse(*text);
  return parsed ? std::optional(*parsed) : std::nullopt;
}

std::optional<DriverFacts> parse_driver(const Json& report) {
  const auto* driver = util::member(report, "driver");
  const auto* nodes = util::member(report, "device_nodes");
  const auto* libraries = util::member(report, "libraries");
  if (driver == nullptr || nodes == nullptr || !nodes->is_array() || libraries == nullptr || !libraries->is_array())
    return std::nullopt;
  DriverFacts facts;
  facts.kernel_module = parsed_member<DriverVersion>(*driver, "kernel_module");
  facts.libcuda = shown(util::text_member(*driver, "libcuda").value_or(""));
  facts.release = parsed_member<DriverVersion>(*driver, "libcuda_release");
  facts.cuda = parsed_member<Version>(*driver, "cuda");
  facts.compat = util::flag_member(*driver, "forward_compatibility").value_or(false);
  for (const auto& library : *libraries) {
    if (util::text_member(library, "name") == "libcuda")
      facts.problem = visible(util::text_member(library, "problem").value_or(""), longest_message);
  }
  for (const auto& node : *nodes) {
    facts.nodes.push_back({shown(util::text_member(node, "path").value_or("")),
                           visible(util::text_member(node, "error").value_or(""), longest_message)});
  }
  return facts;
}

/// A report that was cut or changed by hand hardly adds up.
Expected<void> check_sums(const Json& summary, const std::vector<Result>& rows) {
  for (const auto status : {Status::pass, Status::warn, Status::fail, Status::skip, Status::unknown}) {
    const auto said = util::number_member(summary, name_of(status));
    const auto counted = std::count_if(rows.begin(), rows.end(), [&](const Result& row) { return row.status == status; });
    if (said != counted)
      return refuse(fmt::format("its summary does not match its rows: {} rows have the status {}", counted, name_of(status)));
  }
  return {};
}

/// Which test of which GPU, or two of them, a row is about.
std::string name_of_row(const Result& row) {
  const auto peer = util::number_member(row.evidence, "peer");
  return row.check + (row.device ? fmt::format(" of GPU {}", *row.device) : "") + (peer ? fmt::format(" to {}", *peer) : "");
}

Expected<void> check_once(const std::vector<Result>& rows) {
  std::set<std::string> names;
  for (const auto& row : rows) {
    if (!names.insert(name_of_row(row)).second) return refuse(fmt::format("the row {} appears twice", name_of_row(row)));
  }
  return {};
}

/// How CLI11 refuses an option that it does not know.
bool knows_no_nonce(const Launched& launched) {
  constexpr int wrong_usage = 2;
  return launched.exit_status == wrong_usage && std::any_of(launched.words.begin(), launched.words.end(), [](const auto& line) {
           return line.find("--report-nonce") != std::string::npos;
         });
}

/// The tests of envgen-bench; `gemm-fp16.speed` is a row of the test `gemm-fp16`.
constexpr std::array<std::string_view, 21> tests_of_bench{
    "probe",     "ipc",      "kernel", "runtime", "h2d",  "d2h",      "copy-both", "d2d", "gemm-fp32", "gemm-tf32",  "gemm-fp16",
    "gemm-bf16", "gemm-fp8", "vector", "block",   "peer", "cuda-ipc", "nccl",      "shm", "storage",   "image-files"};

Expected<void> check_tests(const BenchReport& report) {
  const auto there = [&](long long gpu) { return gpu >= 0 && gpu < static_cast<long long>(report.gpus.size()); };
  for (const auto& row : report.rows) {
    const auto test = std::string_view(row.check).substr(0, row.check.find('.'));
    if (std::find(tests_of_bench.begin(), tests_of_bench.end(), test) == tests_of_bench.end())
      return refuse(fmt::format("envgen-bench has no test {}", in_quotes(row.check)));
    const auto peer = util::number_member(row.evidence, "peer");
    if ((row.device && !there(*row.device)) || (peer && !there(*peer)))
      return refuse(fmt::format("the row {} refers to a GPU that is not listed", name_of_row(row)));
  }
  return {};
}

}  // namespace

const Result* BenchReport::row(std::string_view test, std::optional<Status> status) const {
  const auto found = std::find_if(rows.begin(), rows.end(),
                                  [&](const Result& one) { return one.check == test && (!status || one.status == *status); });
  return found == rows.end() ? nullptr : &*found;
}

Expected<BenchReport> parse_bench_report(const std::string& text) {
  if (text.find_first_not_of(" \n") == std::string::npos) return refuse("it is empty");
  const auto json = util::parse_json(text, origin, {.what = "report"});
  if (!json) return tl::unexpected(json.error());
  const auto* program = util::member(*json, "program");
  if (program == nullptr || util::text_member(*program, "name") != "envgen-bench") return refuse("another program wrote it");
  if (util::number_member(*json, "schema_version") != known_schema)
    return refuse("its schema_version is not 1: use the envgen-bench from this envgen");
  const auto interrupted = util::flag_member(*json, "interrupted");
  const auto* gpu = util::member(*json, "gpu");
  const auto* gpus = util::member(*json, "gpus");
  const auto* summary = util::member(*json, "summary");
  const auto* tests = util::member(*json, "tests");
  if (!interrupted || gpu == nullptr || gpus == nullptr || !gpus->is_array() || summary == nullptr || tests == nullptr ||
      !tests->is_array())
    return refuse("a member is missing");
  const auto present = util::flag_member(*gpu, "present");
  const auto absent = util::flag_member(*gpu, "absent");
  if (!present || !absent || *present == gpus->empty() || (*present && *absent))
    return refuse("its statements about the GPUs contradict each other");
  BenchReport report;
  report.interrupted = *interrupted;
  report.out_of_time = util::flag_member(*json, "out_of_time").value_or(false);
  report.exit_status = util::number_member(*json, "exit_status");
  report.gpu_present = *present;
  report.gpu_absent = *absent;
  report.driver = parse_driver(*json);
  report.doubles = util::texts_member(*json, "doubles");
  report.seconds = util::real_member(*json, "seconds").value_or(0);
  if (const auto* then = util::member(*json, "then"); then != nullptr && then->is_object()) report.then = parse_then(*then);
  if (const auto* touched = util::member(*json, "touched"); touched != nullptr && touched->is_object()) {
    const auto error = util::text_member(*touched, "error");
    report.touched = !error;
    report.touch_error = visible(error.value_or(""), longest_message);
  }
  constexpr std::size_t longest_word = 40;
  report.nonce = util::text_member(*json, "nonce").value_or("");
  report.program = visible("envgen-bench " + util::text_member(*program, "version").value_or(""), longest_word);
  report.started = visible(util::text_member(*json, "started").value_or(""), longest_word);
  report.profile = visible(util::text_member(*json, "profile").value_or(""), longest_word);
  report.machine = machine_of_bench(*json);
  for (const auto& one : report.machine.gpus) {
    const auto capability = Capability::parse(one.capability);
    report.gpus.push_back({one.name, capability ? std::optional(*capability) : std::nullopt});
  }
  for (const auto& test : *tests) {
    auto row = parse_row(test);
    if (!row) return tl::unexpected(row.error());
    report.rows.push_back(std::move(*row));
  }
  if (report.rows.empty()) return refuse("it has no rows");
  if (const auto checked = check_once(report.rows); !checked) return tl::unexpected(checked.error());
  if (const auto checked = check_sums(*summary, report.rows); !checked) return tl::unexpected(checked.error());
  return report;
}

Expected<BenchReport> bench_report_of(const Launched& launched, const std::string& nonce) {
  if (knows_no_nonce(launched))
    return refuse(
        "this envgen-bench is older than this envgen, and its report cannot be tied to this run: use the one from "
        "this envgen");
  auto report = parse_bench_report(launched.out);
  if (!report) return report;
  if (report->nonce != nonce)
    return refuse(report->nonce.empty() ? "it lacks the nonce of this run: envgen-bench did not write it"
                                        : "its nonce is not the one of this run: it was written for another run");
  if (report->exit_status && *report->exit_status != launched.exit_status)
    return refuse(fmt::format("it reports exit status {}", *report->exit_status));
  if (const auto checked = check_tests(*report); !checked) return tl::unexpected(checked.error());
  return report;
}

}  // namespace envgen::validate
