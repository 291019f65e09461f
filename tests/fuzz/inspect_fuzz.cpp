// What a wheel, a library or an image hold that is inspected: the first byte chooses the reader, the second the size of the
// pieces that it is given, the rest is the file.
#include <memory>
#include <string>

#include "fuzz/fuzz.hpp"
#include "inspect/image.hpp"
#include "inspect/report.hpp"
#include "support/zip_maker.hpp"

namespace {

using namespace envgen;
using fuzz::require;

void check(const Expected<inspect::Inspected>& inspected) {
  if (!inspected) {
    require(!inspected.error().message.empty() && fuzz::one_line(inspected.error().message), "a refusal says why, in one line");
    require(inspected.error().code == ErrorCode::bad_input || inspected.error().code == ErrorCode::missing,
            "a refusal is of the kind that the header names");
    return;
  }
  require(!inspect::inspected_text(*inspected, {}).empty(), "what was read is shown");
  require(inspect::inspected_json(*inspected).ends_with("}\n"), "what was read is an object of JSON");
}

/// Whether all pieces were wanted.
template <class Reader>
void feed(Reader& reader, std::string_view bytes, std::size_t piece) {
  for (std::size_t at = 0; at < bytes.size(); at += piece) {
    if (!reader.feed(inspect::bytes_of(bytes.substr(at, piece)))) return;
  }
}

void library(std::string_view bytes, std::size_t piece) {
  inspect::LibraryReader reader("torch/lib/libtorch_python.so", bytes.size(), "f");
  feed(reader, bytes, piece);
  auto read = reader.finish();
  inspect::LibraryReader at_once("torch/lib/libtorch_python.so", bytes.size(), "f");
  at_once.feed(inspect::bytes_of(bytes));
  const auto again = at_once.finish();
  require(read.has_value() == again.has_value(), "the size of the pieces changes nothing");
  if (!read) {
    require(fuzz::one_line(read.error().message), "a refusal is one line");
    return;
  }
  require(read->targets == again->targets && read->needed == again->needed && read->glibc == again->glibc,
          "the size of the pieces changes nothing");
  check(inspect::Inspected{"f", {}, {std::move(*read)}, {}});
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const auto bytes = fuzz::text_of(data + 2, size - 2);
  const std::size_t piece = std::size_t{data[1]} + 1;
  switch (data[0]) {
    case 'z': {
      test::MemorySource source{std::string(bytes)};
      check(inspect::inspect_wheel(source, "f.whl"));
      break;
    }
    case 'e':
      library(bytes, piece);
      break;
    case 't': {
      inspect::ImageInspection image("f");
      feed(image, bytes, piece);
      if (const auto again = image.wants_again(); again && *again) feed(image, bytes, piece);
      check(image.finish());
      break;
    }
    default:
      break;
  }
  return 0;
}
