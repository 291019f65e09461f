#include "matrix/loading.hpp"

namespace envgen::matrix {

void load_os(Loading& l) {
  const auto& systems = l.documents.rows("os.json", "os");
  auto* rows = l.packer.fill(l.root.os, systems.size());
  for (std::size_t i = 0; i < systems.size(); ++i) {
    const auto cell = l.cell(systems[i]);
    cell.allow_in_row({"id", "aliases", "family", "version", "lts", "pythons", "optional_pythons", "glibc", "gcc", "eol",
                       "cuda_repo", "deadsnakes", "pep668", "default_user", "image"});
    auto& row = rows[i];
    l.packer.put(row.id, cell.at("id").text());
    l.texts(row.aliases, cell.at("aliases"));
    l.packer.put(row.family, cell.at("family").text());
    l.packer.put(row.version, cell.at("version").text());
    row.lts = cell.at("lts").flag();
    row.pythons = cell.at("pythons").pythons();
    row.optional_pythons = cell.at("optional_pythons").pythons();
    row.glibc = cell.at("glibc").version_or_null();
    if (const auto gcc = cell.at("gcc").count_or_zero(); gcc != 0) row.gcc = Version(static_cast<std::uint16_t>(gcc));
    l.packer.put(row.eol, cell.at("eol").text_or_null());
    l.packer.put(row.cuda_repo, cell.at("cuda_repo").text_or_null());
    l.packer.put(row.image, cell.at("image").text_or_null());
    row.deadsnakes = cell.at("deadsnakes").pythons();
    row.known_pep668 = !cell.at("pep668").is_null();
    row.pep668 = row.known_pep668 && cell.at("pep668").flag();
    l.provenance(row.from, systems[i]);
  }
  const auto& pythons = l.documents.rows("os.json", "pythons");
  auto* python_rows = l.packer.fill(l.root.pythons, pythons.size());
  for (std::size_t i = 0; i < pythons.size(); ++i) {
    const auto cell = l.cell(pythons[i]);
    cell.allow_in_row({"version", "released", "eol"});
    if (auto version = PythonVersion::parse(cell.at("version").text())) {
      python_rows[i].version = *version;
    } else {
      cell.at("version").problem(version.error().message);
    }
    l.packer.put(python_rows[i].released, cell.at("released").text_or_null());
    l.packer.put(python_rows[i].eol, cell.at("eol").text_or_null());
    l.provenance(python_rows[i].from, pythons[i]);
  }
}

}  // namespace envgen::matrix
