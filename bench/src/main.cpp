#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

#include "hold_ipc.hpp"
#include "isolation.hpp"
#include "options.hpp"
#include "report_json.hpp"
#include "report_text.hpp"
#include "runner.hpp"
#include "say.hpp"

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

/// What a file is written to before it gets its name, so that a reader never sees half of it.
std::string part_of(const std::string& path) { return path + ".part"; }

/// Why a report could not be written there, as far as that shows before the tests; empty: nothing shows.
std::string why_not_writable(const std::string& path) {
  struct ::stat target {};
  // A rename would replace a device by a file.
  if (::stat(path.c_str(), &target) == 0 && !S_ISREG(target.st_mode)) return "not a regular file; not replaced";
  std::FILE* file = std::fopen(part_of(path).c_str(), "w");
  if (file == nullptr) return std::strerror(errno);
  std::fclose(file);
  std::remove(part_of(path).c_str());
  return {};
}

bool write_file(const std::string& path, const std::string& text) {
  std::FILE* file = std::fopen(part_of(path).c_str(), "w");
  if (file == nullptr) return false;
  const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  if (std::fclose(file) == 0 && written && std::rename(part_of(path).c_str(), path.c_str()) == 0) return true;
  const int error = errno;
  std::remove(part_of(path).c_str());
  errno = error;
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  const auto parsed = parse(argc, argv);
  if (parsed.exit_status) return *parsed.exit_status;
  const Options& options = parsed.options;
  if (options.list) {
    say(list_text(), stdout);
    return 0;
  }
  if (options.hold_ipc) return hold_ipc(*options.hold_ipc);
  if (!options.output.empty()) {
    if (const auto why = why_not_writable(options.output); !why.empty()) {
      complain(options.output + ": " + why);
      return 1;
    }
  }
  catch_interrupts();
  const bool terminal = ::isatty(STDERR_FILENO) == 1;
  const auto report = run_all(options, [&](const std::string& test) {
    if (options.progress) std::fprintf(stderr, "envgen-bench: running %s\n", test.c_str());
    if (terminal) std::fprintf(stderr, "\r\033[K%s ...", test.c_str());
  });
  if (terminal) std::fputs("\r\033[K", stderr);
  const bool json = options.format == Format::json;
  const auto notation = json ? envgen::Notation::json : envgen::Notation::text;
  const std::string text = json ? report_json(report, options).dump(1, ' ', false, Json::error_handler_t::replace) + "\n"
                                : report_text(report, options);
  if (options.output.empty()) {
    if (!say(text, stdout, notation)) {
      complain("cannot write the report to standard output");
      return 1;
    }
  } else if (!write_file(options.output, envgen::printable(text, notation))) {
    complain(options.output + ": " + std::strerror(errno));
    say(text, stdout, notation);  // what was measured is not lost
    return 1;
  }
  return exit_status(report, options);
}
