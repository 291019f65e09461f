#include "cli/matrix_update.hpp"

#include <algorithm>
#include <ctime>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/choice_options.hpp"
#include "cli/image_files.hpp"
#include "cli/progress.hpp"
#include "model/spelling.hpp"
#include "net/cache.hpp"
#include "net/http_client.hpp"
#include "update/local_wheel.hpp"
#include "update/update.hpp"
#include "util/interrupt.hpp"

namespace envgen::cli {
namespace {

std::string today() {
  const std::time_t now = std::time(nullptr);
  std::tm day{};
  ::gmtime_r(&now, &day);
  constexpr int first_year = 1900;
  return fmt::format("{:04}-{:02}-{:02}", day.tm_year + first_year, day.tm_mon + 1, day.tm_mday);
}

/// The folder that is written: the last of --matrix, or the user's.
Expected<update::Place> place_of(const Context& context) {
  update::Place place;
  if (!context.matrix_folders.empty()) {
    const std::vector<std::filesystem::path> folders(context.matrix_folders.begin(), context.matrix_folders.end());
    place.folder = folders.back();
    place.facts = [folders] { return matrix::Documents::read(folders); };
    place.below = [folders] { return matrix::Documents::read({folders.begin(), folders.end() - 1}); };
    return place;
  }
  if (context.built_in_alone)
    return fail(ErrorCode::usage, "the built-in data is part of envgen, and new data is written beside it", "--built-in",
                {"omit it, or name a folder with --matrix"});
  place.folder = context.user_layer();
  if (place.folder.empty())
    return fail(ErrorCode::missing, "there is no place for the user's own data: neither XDG_DATA_HOME nor HOME is a folder", {},
                {"name a folder with --matrix"});
  place.user = true;
  place.facts = [&context] { return context.documents(); };
  place.below = [&context] { return matrix::Documents::built_in(context.built_in.documents); };
  return place;
}

/// The client, and what goes on while it works.
struct Session {
  std::function<Expected<update::PipSettings>()> pip;
  std::unique_ptr<net::Client> client;
};

Expected<Session> open_session(const UpdateOptions& options, std::span<const update::Source* const> sources) {
  Session session;
  auto known = std::make_shared<std::optional<Expected<update::PipSettings>>>();
  session.pip = [known]() -> Expected<update::PipSettings> {
    if (!*known) *known = update::pip_settings();
    return **known;
  };
  net::HttpOptions http;
  http.cache = net::cache_folder();
  http.offline = options.offline;
  http.ca_bundle = net::ca_bundle_of_environment();
  const bool asks_pip =
      std::any_of(sources.begin(), sources.end(), [](const update::Source* each) { return each->name == "package-index"; });
  if (const auto pip = asks_pip ? session.pip() : tl::unexpected(Error{}); pip) {
    if (http.ca_bundle.empty()) http.ca_bundle = pip->ca_bundle;
    http.proxy = pip->proxy;
  }
  auto client = net::http_client(std::move(http));
  if (!client) return tl::unexpected(client.error());
  session.client = std::move(*client);
  return session;
}

update::Run run_of(const Session& session, Progress& progress) {
  return {*session.client,
          [&progress](std::string_view what, std::size_t done, std::size_t all) { progress.show(what, done, all); }, session.pip,
          today()};
}

/// What could not be read is told on stderr; the result says it as well where programs read it.
Expected<Exit> ended_with(const update::Result& result, const std::string& text, Exit otherwise, Context& context) {
  if (!context.json) {
    for (const auto& each : result.sources) {
      if (each.error) print_error(*each.error, context);
    }
  }
  return ended(print(text), result.all_read() ? otherwise : Exit::network);
}

Expected<Exit> write_and_tell(update::Draft& draft, update::Result result, const UpdateOptions& options, Context& context) {
  if (draft.changed() && !options.dry_run) {
    auto written = draft.write();
    if (!written) return tl::unexpected(written.error());
    result.written = std::move(written->files);
    result.folder = std::move(written->folder);
  }
  return ended_with(result,
                    context.json ? update::update_json(result, options.dry_run) : update::update_text(result, options.dry_run),
                    Exit::ok, context);
}

}  // namespace

void add_update_options(CLI::App& app, UpdateOptions& options, Context& context) {
  add_verify_options(app, options, context);
  app.add_flag("--dry-run", options.dry_run,
               "report what is new, but change no data; downloads are kept for the next run, as always");
}

void add_verify_options(CLI::App& app, UpdateOptions& options, Context& context) {
  std::string names;
  std::string with_mirrors;
  for (const auto& source : update::sources()) {
    names += fmt::format("{}{}", names.empty() ? "" : ", ", source.name);
    if (source.has_mirrors) with_mirrors += fmt::format("{}{}", with_mirrors.empty() ? "" : ", ", source.name);
  }
  app.add_option("--source", options.sources, fmt::format("read only this source (repeatable): {}", names))
      ->type_name("NAME")
      ->allow_extra_args(false);
  app.add_option("--mirror", options.mirrors,
                 fmt::format("read a source from this URL instead of its own (repeatable): {}", with_mirrors))
      ->type_name("NAME=URL")
      ->allow_extra_args(false);
  app.add_flag("--offline", options.offline, "use what an earlier run fetched, without network access");
  add_format(app, context);
}

void add_add_options(CLI::App& app, UpdateOptions& options, Context& context) {
  app.add_option("FRAMEWORK", options.framework, "torch")->type_name("")->required();
  app.add_option("VERSION", options.version, "the release: 2.16.0")->type_name("")->required();
  app.add_option("WHEEL", options.wheel, "its wheel (default: read the package index)")->type_name("");
  app.add_flag("--dry-run", options.dry_run,
               "report what would be added, but change no data; downloads are kept for the next run");
  app.add_flag("--offline", options.offline, "use what an earlier run fetched, without network access");
  add_format(app, context);
}

Expected<Exit> run_update(const UpdateOptions& options, Context& context) {
  const auto sources = update::sources_named(options.sources);
  if (!sources) return tl::unexpected(sources.error());
  const auto mirrors = update::mirrors_named(options.mirrors);
  if (!mirrors) return tl::unexpected(mirrors.error());
  auto place = place_of(context);
  if (!place) return tl::unexpected(place.error());
  auto draft = update::Draft::of(std::move(*place), today());
  if (!draft) return tl::unexpected(draft.error());
  const util::InterruptScope scope;
  const auto session = open_session(options, *sources);
  if (!session) return tl::unexpected(session.error());
  Progress progress;
  auto run = run_of(*session, progress);
  run.mirrors = *mirrors;
  auto result = update::read_sources(*draft, *sources, run);
  progress.clear();
  if (!result) return tl::unexpected(result.error());
  return write_and_tell(*draft, std::move(*result), options, context);
}

Expected<Exit> run_verify(const UpdateOptions& options, Context& context) {
  const auto sources = update::sources_named(options.sources);
  if (!sources) return tl::unexpected(sources.error());
  const auto mirrors = update::mirrors_named(options.mirrors);
  if (!mirrors) return tl::unexpected(mirrors.error());
  const auto documents = context.documents();
  if (!documents) return tl::unexpected(documents.error());
  update::Result result;
  if (!options.against_wheel.empty()) {
    auto compared = update::verify_wheel(*documents, options.against_wheel, today());
    if (!compared) return tl::unexpected(compared.error());
    result = std::move(*compared);
  } else if (!options.against_image.empty()) {
    const auto image = inspect_image(options.against_image, image_engines.at(options.engine));
    if (!image) return tl::unexpected(image.error());
    auto compared = update::verify_image(*documents, *image, today());
    if (!compared) return tl::unexpected(compared.error());
    result = std::move(*compared);
  } else {
    const util::InterruptScope scope;
    const auto session = open_session(options, *sources);
    if (!session) return tl::unexpected(session.error());
    Progress progress;
    auto run = run_of(*session, progress);
    run.mirrors = *mirrors;
    auto read = update::verify_sources(*documents, *sources, run);
    progress.clear();
    if (!read) return tl::unexpected(read.error());
    result = std::move(*read);
  }
  const bool differs = std::any_of(result.sources.begin(), result.sources.end(),
                                   [](const update::SourceResult& each) { return each.merged.differing > 0; });
  return ended_with(result, context.json ? update::verify_json(result) : update::verify_text(result),
                    differs ? Exit::differs : Exit::ok, context);
}

Expected<Exit> run_add(const UpdateOptions& options, Context& context) {
  if (options.framework != "torch")
    return fail(ErrorCode::usage, fmt::format("releases of {} cannot be added", in_quotes(options.framework)), "matrix add",
                {"envgen matrix add torch 2.16.0"});
  const auto version = Version::parse(options.version);
  if (!version) return fail(ErrorCode::usage, version.error().message, "matrix add", {"envgen matrix add torch 2.16.0"});
  constexpr int parts = 3;
  if (version->count() < parts)
    return fail(ErrorCode::usage,
                fmt::format("{} is only part of a version: a release has three numbers", in_quotes(options.version)),
                "matrix add", {fmt::format("envgen matrix add torch {}.0", options.version)});
  auto place = place_of(context);
  if (!place) return tl::unexpected(place.error());
  auto draft = update::Draft::of(std::move(*place), today());
  if (!draft) return tl::unexpected(draft.error());
  if (!options.wheel.empty()) {
    auto result = update::add_wheel(*draft, options.wheel, options.version, today());
    if (!result) return tl::unexpected(result.error());
    return write_and_tell(*draft, std::move(*result), options, context);
  }
  const util::InterruptScope scope;
  const auto sources = update::sources_named({"package-index"});
  const auto session = open_session(options, *sources);
  if (!session) return tl::unexpected(session.error());
  Progress progress;
  auto result = update::add_release(*draft, options.version, run_of(*session, progress));
  progress.clear();
  if (!result) return tl::unexpected(result.error());
  return write_and_tell(*draft, std::move(*result), options, context);
}

}  // namespace envgen::cli
