#include <unistd.h>

#include <cstdio>
#include <string>

#include "isolation.hpp"
#include "options.hpp"
#include "report_json.hpp"
#include "report_text.hpp"
#include "runner.hpp"

namespace {

using namespace envgen::bench;

std::string list_text() {
  std::string out;
  for (const auto& test : all_tests()) {
    out += test.id + std::string(test.id.size() < 12 ? 12 - test.id.size() : 1, ' ') + name_of(test.kind) +
           (test.in_smoke ? ", smoke" : "") + ": " + test.about + "\n";
  }
  return out;
}

bool write_file(const std::string& path, const std::string& text) {
  const std::string beside = path + ".part";
  std::FILE* file = std::fopen(beside.c_str(), "w");
  if (file == nullptr) return false;
  const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  return std::fclose(file) == 0 && written && std::rename(beside.c_str(), path.c_str()) == 0;
}

}  // namespace

int main(int argc, char** argv) {
  const auto parsed = parse(argc, argv);
  if (parsed.exit_status) return *parsed.exit_status;
  const Options& options = parsed.options;
  if (options.list) {
    std::fputs(list_text().c_str(), stdout);
    return 0;
  }
  if (!options.touch.empty() && !write_file(options.touch, "")) std::perror(("envgen-bench: " + options.touch).c_str());
  catch_interrupts();
  const bool terminal = ::isatty(STDERR_FILENO) == 1;
  const auto report = run_all(options, [&](const std::string& test) {
    if (terminal) std::fprintf(stderr, "\r\033[K%s ...", test.c_str());
  });
  if (terminal) std::fputs("\r\033[K", stderr);
  const std::string text = options.format == Format::json
                               ? report_json(report, options).dump(1, ' ', false, Json::error_handler_t::replace) + "\n"
                               : report_text(report, options);
  if (options.output.empty()) {
    if (std::fputs(text.c_str(), stdout) < 0 || std::fflush(stdout) != 0) {
      std::fputs("envgen-bench: the report cannot be written to standard output\n", stderr);
      return 1;
    }
  } else if (!write_file(options.output, text)) {
    std::perror(("envgen-bench: " + options.output).c_str());
    return 1;
  }
  return exit_status(report, options);
}
