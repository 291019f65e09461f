#pragma once

#include <functional>
#include <string>
#include <vector>

#include "json.hpp"
#include "options.hpp"
#include "row.hpp"
#include "tests/table.hpp"

namespace envgen::bench {

/// Everything that a run found out.
struct Report {
  std::vector<Row> rows;
  Json driver = Json::object();
  Json device_nodes = Json::array();
  Json libraries = Json::array();
  Json gpus = Json::array();
  bool gpu_present = false;
  bool gpu_absent = false;  ///< there is none; false too where there may be one that does not answer
  bool interrupted = false;
  bool out_of_time = false;  ///< --total-timeout was over before the last test had its own time
  Json then;                 ///< what became of the program that runs after the tests; null: none was asked for
  Json touched;              ///< of the file that was to be made; null: none
  double seconds = 0;        ///< of the tests
  std::string started;       ///< UTC, ISO 8601
};

/// Runs `test` in a child process and returns its rows, whatever became of the child: a hang, a crash or a lie is a result.
std::vector<Row> run_test(const Test& test, const Context& context);

/// Runs the tests that the options ask for. `progress` hears of each test before it starts.
Report run_all(const Options& options, const std::function<void(const std::string&)>& progress);

/// 0; 5: a functional test failed, or with --strict-perf a speed; 6: no GPU where one is required; 130: interrupted.
int exit_status(const Report& report, const Options& options);

}  // namespace envgen::bench
