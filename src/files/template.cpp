#include "files/template.hpp"

namespace envgen::files {

Expected<File> made_file(std::string path, std::string_view template_name, View view, bool executable) {
  auto text = fill(template_name, view.text("mark", unsealed_mark()));
  if (!text) return tl::unexpected(std::move(text.error()));
  File file{std::move(path), seal(std::move(*text)), executable};
  for (const auto& entry : view.entries()) {
    if (entry.name != "notes") continue;
    for (const auto& note : entry.items) file.notes.push_back(note.entries().front().text);
  }
  return file;
}

Expected<Files> only(Expected<File> file) {
  if (!file) return tl::unexpected(std::move(file.error()));
  return Files{std::move(*file)};
}

}  // namespace envgen::files
