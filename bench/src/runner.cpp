#include "runner.hpp"

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <ctime>
#include <string_view>
#include <utility>

#include "isolation.hpp"
#include "then.hpp"

namespace envgen::bench {
namespace {

/// In the child: what the test said, as JSON.
std::string run_body(const Test& test, const Context& context) {
  std::vector<Row> rows;
  try {
    rows = test.run(context);
  } catch (const TestFailed& failed) {
    Row row;
    row.status = Status::fail;
    row.message = failed.what();
    row.failure = failed.failure();
    rows.push_back(std::move(row));
  } catch (const TestSkipped& skipped) {
    Row row;
    row.status = Status::skip;
    row.message = skipped.what();
    rows.push_back(std::move(row));
  } catch (const std::exception& error) {  // out of memory, say
    Row row;
    row.status = Status::fail;
    row.message = error.what();
    row.failure = Failure{"", error.what(), {}, "", ""};
    rows.push_back(std::move(row));
  }
  Json json = Json::array();
  for (const auto& row : rows) json.push_back(to_json(row));
  // Names of files and devices need not be UTF-8.
  return Json{{"rows", std::move(json)}}.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const auto count = ::write(descriptor, text.data(), text.size());
    if (count <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
}

/// The two digits after the point are all that a person reads.
std::string seconds_text(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*f s", seconds < 10 ? 1 : 0, seconds);
  return text;
}

Row failed_row(Failure failure) {
  Row row;
  row.status = Status::fail;
  row.message = failure.message;
  row.failure = std::move(failure);
  return row;
}

constexpr const char* cut_mark = "out_of_time";

/// A hang, or a test that was under way: with more time one would know.
Row cut_short(const TimeLimit& limit) {
  Row row;
  row.message = "no time left: killed after " + seconds_text(limit.seconds) + " (--total-timeout)";
  row.evidence[cut_mark] = true;
  return row;
}

/// The row of a child that did not end by itself, or sent nothing that can be read.
Row row_of(const Test& test, const Context& context, const Outcome& outcome) {
  switch (outcome.end) {
    case Outcome::End::timed_out:
      if (context.limit.cut) return cut_short(context.limit);
      return failed_row(
          {test.timeout_failure, "killed after " + seconds_text(context.limit.seconds) + " without a result", {}, "", ""});
    case Outcome::End::stuck:
      return failed_row({test.timeout_failure,
                         "hangs in the kernel (process " + std::to_string(outcome.child) + " cannot be killed) since " +
                             seconds_text(context.limit.seconds) + " after its start",
                         {},
                         "",
                         ""});
    case Outcome::End::crashed:
      return failed_row({"", std::string("crashed: ") + ::strsignal(outcome.signal), outcome.signal, "", ""});
    case Outcome::End::exited:
      return failed_row({"", "a library exited the test's process with status " + std::to_string(outcome.exit_status),
                         outcome.exit_status, "", ""});
    case Outcome::End::not_started:
      return failed_row(system_failure("", "fork", "cannot start the test's process", outcome.error_number));
    case Outcome::End::interrupted: {
      Row row;
      row.status = Status::skip;
      row.message = "interrupted";
      return row;
    }
    case Outcome::End::finished:
      break;
  }
  return failed_row({"", "the test's process ended without a result", {}, "", ""});
}

std::vector<Row> rows_of(const Test& test, const Context& context, const Outcome& outcome) {
  if (outcome.end == Outcome::End::finished) {
    try {
      std::vector<Row> rows;
      const Json sent = Json::parse(outcome.sent);
      for (const auto& row : sent.at("rows")) rows.push_back(row_from_json(row));
      if (!rows.empty()) return rows;
    } catch (const std::exception&) {
      // A library that writes into every descriptor, or ends the process early: no result.
    }
  }
  return {row_of(test, context, outcome)};
}

std::string label(const Test& test, const Context& context) {
  switch (test.scope) {
    case Scope::machine:
    case Scope::all_devices:
      return test.id;
    case Scope::device:
      return test.id + " (GPU " + std::to_string(context.device) + ")";
    case Scope::pair:
      return test.id + " (GPU " + std::to_string(context.device) + " to " + std::to_string(context.peer) + ")";
  }
  return test.id;
}

Row not_made(const Test& test, std::string why) {
  Row row;
  row.id = test.id;
  row.kind = test.kind;
  row.status = Status::skip;
  row.message = std::move(why);
  return row;
}

/// Which of the GPUs it is about.
void tell_gpus(const Test& test, const Context& context, Row& row) {
  if (test.scope == Scope::device || test.scope == Scope::pair) row.device = context.device;
  if (test.scope == Scope::pair) row.evidence["peer"] = context.peer;
}

std::string now_utc() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  ::gmtime_r(&now, &utc);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

bool wanted(const Test& test, const Options& options) {
  if (options.tests.empty()) return options.profile == Profile::full || test.in_smoke;
  return std::any_of(options.tests.begin(), options.tests.end(), [&](const std::string& name) { return matches(test, name); });
}

/// The contexts in which a test is run: one for each GPU or pair that the options leave.
std::vector<Context> contexts_for(const Test& test, const Context& base, int count) {
  std::vector<Context> contexts;
  const auto chosen = [&](int device) { return !base.options.device || *base.options.device == device; };
  switch (test.scope) {
    case Scope::machine:
    case Scope::all_devices:
      contexts.push_back(base);
      break;
    case Scope::device:
      for (int device = 0; device < count; ++device) {
        if (!chosen(device)) continue;
        contexts.push_back(base);
        contexts.back().device = device;
      }
      break;
    case Scope::pair:
      for (int device = 0; device < count; ++device) {
        for (int peer = 0; peer < count; ++peer) {
          if (device == peer || !chosen(device)) continue;
          contexts.push_back(base);
          contexts.back().device = device;
          contexts.back().peer = peer;
        }
      }
      break;
  }
  return contexts;
}

/// One run of the program: the probe first, for everything else depends on it.
class Run {
 public:
  Run(const Options& options, const std::function<void(const std::string&)>& progress)
      : options_(options),
        progress_(progress),
        places_(places_here(options.libraries)),
        sizes_(sizes_for(options)),
        budget_(options) {
    places_.library_path = options.library_path;
  }

  Report all() && {
    report_.started = now_utc();
    const Context base{options_, places_, sizes_};
    for (const auto& test : all_tests()) {
      if (test.id == "probe") {
        probe(test, base);
      } else if (wanted(test, options_)) {
        run(test, base);
      }
    }
    report_.interrupted = interrupted().has_value();
    report_.seconds = budget_.spent();
    report_.touched = touch(options_);
    if (!options_.then.empty()) progress_(options_.then.front());
    report_.then = run_then(options_, budget_);
    return std::move(report_);
  }

 private:
  void add(const Test& test, Context context) {
    const auto limit = budget_.next();
    report_.out_of_time = report_.out_of_time || !limit;
    if (!limit) {
      report_.rows.push_back(not_made(test, "no time left (--total-timeout)"));
      return tell_gpus(test, context, report_.rows.back());
    }
    context.limit = *limit;
    progress_(label(test, context));
    auto rows = run_test(test, context);
    report_.out_of_time = report_.out_of_time || rows.front().evidence.contains(cut_mark);
    for (auto& row : rows) report_.rows.push_back(std::move(row));
  }

  void probe(const Test& test, const Context& base) {
    add(test, base);
    Row& row = report_.rows.back();
    const auto take = [&](const char* name, Json& to) {
      const auto found = row.evidence.find(name);
      if (found == row.evidence.end()) return;
      to = *found;
      row.evidence.erase(name);
    };
    take("driver", report_.driver);
    take("device_nodes", report_.device_nodes);
    take("libraries", report_.libraries);
    take("gpus", report_.gpus);
    Json gpu;
    take("gpu", gpu);
    if (gpu.is_object()) {
      report_.gpu_present = gpu.at("present").get<bool>();
      report_.gpu_absent = gpu.at("absent").get<bool>();
      count_ = gpu.at("count").get<int>();
    }
    if (report_.gpu_absent && options_.require_gpu) {
      row.status = Status::fail;
      if (!row.failure) row.failure = Failure{"", row.message, {}, "", ""};
    }
  }

  void run(const Test& test, const Context& base) {
    if (interrupted()) return report_.rows.push_back(not_made(test, "interrupted"));
    if (test.scope != Scope::machine) {
      if (!report_.gpu_present) {
        return report_.rows.push_back(not_made(test, report_.gpu_absent ? "no GPU" : "the probe failed"));
      }
      if (options_.device && *options_.device >= count_) {
        return report_.rows.push_back(not_made(test, "no GPU " + std::to_string(*options_.device)));
      }
    }
    if (test.scope == Scope::pair && count_ < 2) return report_.rows.push_back(not_made(test, "needs two GPUs"));
    Context context = base;
    context.device_count = count_;
    for (const auto& each : contexts_for(test, context, count_)) {
      if (interrupted()) return report_.rows.push_back(not_made(test, "interrupted"));
      add(test, each);
    }
  }

  const Options& options_;
  const std::function<void(const std::string&)>& progress_;
  Places places_;
  Sizes sizes_;
  TimeBudget budget_;
  Report report_;
  int count_ = 0;
};

}  // namespace

std::vector<Row> run_test(const Test& test, const Context& context) {
  const auto outcome =
      run_isolated([&](int descriptor) { write_all(descriptor, run_body(test, context)); }, context.limit.seconds);
  auto rows = rows_of(test, context, outcome);
  Row& main = rows.front();
  main.id = test.id;
  main.kind = test.kind;
  main.seconds = outcome.seconds;
  if (main.status == Status::fail && !outcome.output.empty()) {
    main.evidence["output"] = outcome.output;
    if (main.failure && main.failure->id.empty()) main.failure->id = output_failure_id(outcome.output);
  }
  for (auto& row : rows) tell_gpus(test, context, row);
  return rows;
}

Report run_all(const Options& options, const std::function<void(const std::string&)>& progress) {
  return Run(options, progress).all();
}

int exit_status(const Report& report, const Options& options) {
  if (report.interrupted) return 130;
  if (options.require_gpu && !report.gpu_present) return report.gpu_absent ? 6 : 5;
  const bool failed = std::any_of(report.rows.begin(), report.rows.end(), [&](const Row& row) {
    return row.status == Status::fail &&
           (row.kind == Kind::functional || (row.kind == Kind::performance && options.strict_performance));
  });
  return failed ? 5 : 0;
}

}  // namespace envgen::bench
