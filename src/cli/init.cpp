#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "api/files.hpp"
#include "api/request.hpp"
#include "cli/answer.hpp"
#include "cli/choice_options.hpp"
#include "cli/commands.hpp"
#include "cli/output_options.hpp"
#include "cli/request_options.hpp"
#include "diagnosis/diagnosis.hpp"
#include "model/shell_word.hpp"
#include "model/spelling.hpp"
#include "project/project_file.hpp"
#include "util/files.hpp"
#include "util/json_writer.hpp"

namespace envgen::cli {
namespace {

struct InitOptions {
  std::vector<std::string> kinds;
  RequestOptions request;
  OutputFlags flags;
  std::string output{project::project_file_name};
  bool force = false;
};

/// The names of `dockerfile,ci` as well.
std::vector<std::string> kinds_in(const std::vector<std::string>& words) {
  std::vector<std::string> names;
  for (const auto& word : words) {
    for (const auto part : diagnosis::parts(word, ',')) {
      if (const auto name = without_spaces_around(part); !name.empty()) names.emplace_back(name);
    }
  }
  return names;
}

std::vector<std::string> usual_kinds(const Request& request) {
  const auto* engine = request.find(Field::engine);
  if (engine != nullptr && engine->text == name_of(Engine::none)) return {"setup"};
  return {"dockerfile", "run"};
}

Expected<Exit> run_init(const InitOptions& options, Context& context) {
  auto matrix = context.matrix();
  if (!matrix) return tl::unexpected(matrix.error());
  project::WrittenOutputs outputs;
  std::string installer;  // that an output can only be made for
  for (const auto& name : kinds_in(options.kinds.empty() ? usual_kinds(options.request.request) : options.kinds)) {
    const auto kind = find_kind(name, "init");
    if (!kind) return tl::unexpected(kind.error());
    const auto is_same = [&](const auto& other) { return other.value == (*kind)->name; };
    if (std::none_of(outputs.files.begin(), outputs.files.end(), is_same))
      outputs.files.push_back({std::string((*kind)->name), "init"});
    if (!(*kind)->installer.empty()) installer = (*kind)->installer;
  }
  auto chosen = output_options(options.flags, {});
  if (!chosen) return tl::unexpected(chosen.error());
  const auto known = api::with_facts(*chosen, *matrix);
  if (!known) return tl::unexpected(known.error());
  outputs.options = std::move(*chosen);
  auto request = make_request(options.request, {}, *matrix);
  if (!request) return tl::unexpected(request.error());
  if (!installer.empty() && request->find(Field::installer) == nullptr)
    request->values.push_back(flag_value(Field::installer, std::move(installer)));
  // As generate does: what compiles needs nvcc, whether or not the file says so.
  const auto compiling = api::with_outputs(*request, outputs, *matrix, note);
  if (!compiling) return tl::unexpected(compiling.error());
  const auto answer = api::answer(*matrix, *compiling);
  if (!answer) return tl::unexpected(answer.error());
  // A file to start from must not start with a conflict, nor with files that cannot be made.
  if (!answer->environment) return show(*answer, {}, *matrix, context);
  const auto names = project::names_of(outputs.files);
  for (const auto& name : names) {
    const auto made = files::make(*files::find_output(name), {*answer->environment, *known, {}, names});
    if (!made) return tl::unexpected(made.error());
  }

  const bool to_stdout = options.output == "-";
  std::error_code ignored;
  if (!to_stdout && !options.force && std::filesystem::exists(options.output, ignored))
    return fail(ErrorCode::differs, "the file already exists; unchanged", options.output,
                {"--force overwrites it", "-o FILE writes to another one"});
  RequestOptions start{{}, options.request.preset};
  for (const auto& value : request->values) {
    if (value.origin != Origin::preset) start.request.values.push_back(value);
  }
  if (to_stdout) return written_as_it_is(project::project_template(start, outputs));
  if (auto wrote = util::write_file(options.output, project::project_template(start, outputs)); !wrote)
    return tl::unexpected(wrote.error());
  const bool is_usual = options.output == project::project_file_name;
  const auto name = in_one_line(options.output);
  if (!context.json)
    return written(fmt::format("wrote {0}\nNext: envgen generate{1}{2}\n", name, is_usual ? "" : " --project ",
                               is_usual ? "" : shell_word(name)));
  util::JsonWriter json;
  json.begin_object().member("schema_version", 1).member("project", options.output).end_object();
  return written(json.take() + "\n");
}

}  // namespace

Action setup_init(CLI::App& app, Context& context) {
  auto options = std::make_shared<InitOptions>();
  app.add_option("OUTPUT", options->kinds,
                 "the files that the project generates (default: dockerfile and run; setup, for --engine none)")
      ->type_name("");
  add_request_options(app, options->request);
  add_output_options(app, options->flags);
  app.add_option("-o,--output", options->output, "the file to write (default: envgen.json; - is standard output)")
      ->check(refuse_empty)
      ->type_name("FILE")
      ->group("Output");
  app.add_flag("--force", options->force, "overwrite the file if it already exists")->group("Output");
  add_format(app, context);
  app.footer("The flags become values in the file; everything else is a comment. 'auto' is replaced by what this machine has.");
  return [options, &context] { return run_init(*options, context); };
}

}  // namespace envgen::cli
