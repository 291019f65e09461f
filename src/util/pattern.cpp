#include "util/pattern.hpp"

#include <regex.h>

#include <stdexcept>

namespace envgen::util {

struct Pattern::Compiled {
  explicit Compiled(const std::string& expression) {
    if (::regcomp(&regex, expression.c_str(), REG_EXTENDED | REG_NOSUB) != 0)
      throw std::invalid_argument("not a regular expression: " + expression);
  }
  Compiled(const Compiled&) = delete;
  Compiled& operator=(const Compiled&) = delete;
  ~Compiled() { ::regfree(&regex); }

  ::regex_t regex{};
};

Pattern::Pattern(const std::string& expression) : compiled_(std::make_shared<Compiled>("^(" + expression + ")$")) {}

bool Pattern::matches(std::string_view text) const {
  if (text.find('\0') != std::string_view::npos) return false;
  return ::regexec(&compiled_->regex, std::string(text).c_str(), 0, nullptr, 0) == 0;
}

}  // namespace envgen::util
