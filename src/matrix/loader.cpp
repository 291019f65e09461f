#include "matrix/loader.hpp"

#include <sys/mman.h>
#include <cstring>
#include <new>

#include <fmt/format.h>

#include "matrix/loading.hpp"

namespace envgen::matrix {
namespace {

constexpr std::align_val_t block_alignment{16};

/// Tables with no rows would make every answer "unknown"; a layer over nothing is such a case.
void require_tables(const Loading& loading) {
  bool any = false;
  const auto need = [&](std::size_t count, std::string_view what, std::string_view file) {
    if (count != 0) return;
    Error error{ErrorCode::bad_input, fmt::format("the matrix has no {}", what), std::string(file), {}};
    if (!any) error.hints.emplace_back("a layer adds to other facts: name their folder before it");
    any = true;
    loading.problems.push_back(std::move(error));
  };
  need(loading.root.releases.size(), "release", "torch.json");
  need(loading.root.builds.size(), "build", "torch.json");
  need(loading.root.cuda_majors.size(), "CUDA major", "cuda.json");
  need(loading.root.branches.size(), "driver branch", "drivers.json");
  need(loading.root.os.size(), "operating system", "os.json");
}

/// Row numbers inside the block have 16 bits, but for builds and releases. False: a table is larger, which is a problem.
bool fits(const Documents& documents, Problems& problems) {
  constexpr std::size_t most_rows = 32767;
  const auto before = problems.size();
  const auto check = [&](std::string_view file, std::string_view list, std::size_t rows) {
    if (rows > most_rows)
      problems.push_back(Error{ErrorCode::bad_input,
                               fmt::format("{} rows exceed the limit of {}", rows, most_rows),
                               fmt::format("{}#/{}", file, list),
                               {}});
  };
  std::size_t sources = 0;
  std::string_view last_file;
  for (const auto* table : tables::all()) {
    if (table->list != "builds" && table->list != "releases") check(table->file, table->list, documents.rows(*table).size());
    if (table->file != last_file) sources += documents.sources(table->file).size();
    last_file = table->file;
  }
  check("matrix", "sources", sources);
  return problems.size() == before;
}

void load_layers(Loading& loading) {
  const auto& layers = loading.documents.layers();
  auto* rows = loading.packer.fill(loading.root.layers, layers.size());
  for (const auto& layer : layers) {
    rows->kind = layer.kind;
    loading.packer.put(rows->name, layer.name);
    loading.packer.put(rows->revision, layer.revision);
    loading.packer.put(rows->read, layer.read);
    ++rows;
  }
}

}  // namespace

Block::Block(std::span<const std::byte> bytes) {
  auto* memory = static_cast<std::byte*>(::operator new(bytes.size(), block_alignment));
  std::memcpy(memory, bytes.data(), bytes.size());
  memory_ = {memory, Free{0}};
  bytes_ = {memory, bytes.size()};
}

Block::Block(std::span<const std::byte> mapped, std::size_t offset)
    : memory_(mapped.data(), Free{mapped.size()}), bytes_(mapped.subspan(offset)) {}

void Block::Free::operator()(const std::byte* memory) const {
  if (mapped != 0) {
    ::munmap(const_cast<std::byte*>(memory), mapped);
  } else {
    ::operator delete(const_cast<std::byte*>(memory), block_alignment);
  }
}

std::size_t room_for(const Documents& documents) {
  // A packed row is never larger than eight times its JSON text; the constant covers a nearly empty matrix.
  constexpr std::size_t bytes_per_text_byte = 12;
  constexpr std::size_t least_bytes = std::size_t{4} << 20;
  return least_bytes + documents.text_bytes() * bytes_per_text_byte;
}

bool load_all(Loading& loading) {
  if (!fits(loading.documents, loading.problems)) return false;
  load_sources(loading);
  load_toolkits(loading);
  load_releases(loading);
  load_builds(loading);
  load_companions(loading);
  load_gpus(loading);
  load_os(loading);
  load_images(loading);
  load_rules(loading);
  link_builds(loading);
  require_tables(loading);

  auto& root = loading.root;
  const Cell head(&loading.documents.head(), "matrix.json#", loading.problems);
  if (head.at("schema_version").count_or_zero() != 1) head.at("schema_version").problem("this envgen reads schema_version 1");
  loading.packer.put(root.revision, head.at("revision").text());
  loading.packer.put(root.read, head.at("read").text());
  loading.packer.put(root.hash, loading.documents.hash());
  load_layers(loading);
  root.magic = block_magic;
  root.bytes = loading.packer.size();
  return true;
}

Loaded load(const std::vector<std::filesystem::path>& layers, LayerKind kind) {
  const auto documents = Documents::read(layers, kind);
  if (documents) return load(*documents);
  Loaded loaded;
  loaded.problems.push_back(documents.error());
  return loaded;
}

Loaded load(const Documents& documents) {
  Loaded loaded;
  Packer packer(room_for(documents));
  Loading loading{documents, packer, *packer.reserve<Root>(1), loaded.problems};
  if (load_all(loading) && loaded.problems.empty())
    loaded.block = std::make_unique<Block>(std::span(packer.data(), packer.size()));
  return loaded;
}

Expected<std::unique_ptr<Block>> block_of(Loaded loaded) {
  if (loaded.block) return std::move(loaded.block);
  auto error = std::move(loaded.problems.front());
  if (loaded.problems.size() > 1)
    error.hints.push_back(fmt::format("and {} more: see 'envgen matrix lint'", loaded.problems.size() - 1));
  return tl::unexpected(std::move(error));
}

}  // namespace envgen::matrix
