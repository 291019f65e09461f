// The JSON writer, read back by another library: each line of the input is a step, its first byte says which.
#include <cstring>

#include <nlohmann/json.hpp>

#include "fuzz/fuzz.hpp"
#include "util/json_writer.hpp"

namespace {

using namespace envgen;
using Json = nlohmann::ordered_json;

/// Writes the steps twice, once by the writer and once as the document that must come of them.
class Pair {
 public:
  explicit Pair(int indent) : writer_(indent) { writer_.begin_array(); }

  void step(std::string_view line) {
    const char kind = line.empty() ? 'n' : line.front();
    const auto rest = line.empty() ? line : line.substr(1);
    switch (kind) {
      case 's':
        text(rest);
        break;
      case 'm':
        member(rest);
        break;
      case 'd':
        number(rest);
        break;
      case 'i':
        whole(rest);
        break;
      case 'b':
        writer_.value(rest.empty()), document_.push_back(rest.empty());
        break;
      default:
        writer_.null(), document_.push_back(nullptr);
        break;
    }
  }

  void compare() {
    writer_.end_array();
    const auto read = Json::parse(writer_.text(), nullptr, false);
    fuzz::require(!read.is_discarded(), "what the writer wrote is JSON");
    fuzz::require(read == document_, "and holds what it was given");
  }

 private:
  /// Bytes that are not UTF-8 are replaced by the writer and by nlohmann alike.
  static std::string clean(std::string_view bytes) {
    const auto dumped = Json(std::string(bytes)).dump(-1, ' ', false, Json::error_handler_t::replace);
    return Json::parse(dumped).get<std::string>();
  }
  static bool valid(std::string_view bytes) { return clean(bytes) == bytes; }

  void text(std::string_view bytes) {
    writer_.value(bytes);
    if (valid(bytes)) {
      document_.push_back(std::string(bytes));
    } else {  // how many marks stand for a broken sequence is each library's choice
      util::JsonWriter alone;
      alone.value(bytes);
      document_.push_back(Json::parse(alone.text(), nullptr, false));
    }
  }
  void member(std::string_view name) {
    writer_.begin_object().key(name).value(true).end_object();
    if (valid(name)) {
      document_.push_back(Json{{std::string(name), true}});
    } else {
      util::JsonWriter alone;
      alone.begin_object().key(name).value(true).end_object();
      document_.push_back(Json::parse(alone.text(), nullptr, false));
    }
  }
  void number(std::string_view bytes) {
    double value = 0;
    std::memcpy(&value, bytes.data(), std::min(bytes.size(), sizeof value));
    writer_.value(value);
    if (value - value == 0) {
      document_.push_back(value);
    } else {
      document_.push_back(nullptr);
    }
  }
  void whole(std::string_view bytes) {
    long long value = 0;
    std::memcpy(&value, bytes.data(), std::min(bytes.size(), sizeof value));
    writer_.value(value);
    document_.push_back(value);
  }

  util::JsonWriter writer_;
  Json document_ = Json::array();
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  for (const int indent : {0, 2}) {
    Pair pair(indent);
    for (const auto line : fuzz::split(fuzz::text_of(data, size), "\n")) pair.step(line);
    pair.compare();
  }
  return 0;
}
