#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/error.hpp"

namespace envgen::util {

/// What a template is filled with. A name holds a text, a flag or a list of further views; a view inside a list sees the names
/// around it, too.
class View {
 public:
  View& text(std::string name, std::string value);
  View& flag(std::string name, bool value);
  View& list(std::string name, std::vector<View> items);
  /// Each text under the name `item`.
  View& texts(std::string name, const std::vector<std::string>& items);

  struct Entry {
    std::string name{};
    std::string text{};
    bool is_flag = false;
    bool is_list = false;
    bool on = false;
    std::vector<View> items{};
  };
  const std::vector<Entry>& entries() const { return entries_; }

 private:
  std::vector<Entry> entries_;
};

/// Fills the template `templates/NAME` (mustache, without HTML escaping: each text was quoted for its format before).
/// Errors (internal): there is no such template, it is malformed, or it uses a name that the view lacks.
Expected<std::string> fill(std::string_view name, const View& view);

}  // namespace envgen::util
