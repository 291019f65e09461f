#include "files/kinds.hpp"

#include "files/interpreter.hpp"
#include "files/summary.hpp"
#include "files/template.hpp"

namespace envgen::files {
namespace {

constexpr int indent = 2;

/// One configuration of the debugger (debugpy; the type `python` is deprecated).
void debug(util::JsonWriter& json, std::string_view name, std::string_view how, std::string_view what, bool just_my_code,
           const std::vector<std::string>& arguments = {}) {
  json.begin_object().member("name", name).member("type", "debugpy").member("request", "launch").member(how, what);
  if (!arguments.empty()) json.member("args", arguments);
  json.member("console", "integratedTerminal").member("justMyCode", just_my_code).end_object();
}

/// The debugger starts what the interpreter of the workspace is, inside a container and outside.
std::string launch_text(const Environment& environment) {
  util::JsonWriter json(indent);
  json.begin_object().member("version", "0.2.0").key("configurations").begin_array();
  debug(json, "Python: this file", "program", "${file}", true);
  debug(json, "Python: this file, into the framework", "program", "${file}", false);
  if (environment.torch) {
    const bool cuda = environment.build().cuda.has_value();
    debug(json, cuda ? "torchrun: this file, one process per GPU" : "torchrun: this file, 2 processes", "module",
          "torch.distributed.run", true, {"--standalone", cuda ? "--nproc_per_node=gpu" : "--nproc_per_node=2", "${file}"});
  }
  json.end_array().end_object();
  return json.take();
}

/// Settings of the workspace hold inside a dev container, too, and stand above those of devcontainer.json, which name the
/// container's interpreter. So beside one none is named here: outside, VS Code finds .venv and .conda in the workspace by itself
/// (https://code.visualstudio.com/docs/python/environments).
std::string settings_text(const Inputs& inputs) {
  util::JsonWriter json(indent);
  json.begin_object();
  write_editor_settings(json, inputs.makes("devcontainer") ? std::string() : interpreter_of_setup(inputs.environment));
  json.end_object();
  return json.take();
}

std::string extensions_text(const Environment& environment) {
  util::JsonWriter json(indent);
  json.begin_object().member("recommendations", editor_extensions(environment)).end_object();
  return json.take();
}

}  // namespace

std::vector<std::string> editor_extensions(const Environment& environment) {
  std::vector<std::string> extensions{"ms-python.python",   "ms-python.debugpy",  "ms-python.pylint", "ms-python.black-formatter",
                                      "ms-toolsai.jupyter", "mhutchie.git-graph", "eamodio.gitlens"};
  if (environment.variant == Variant::devel) {
    extensions.emplace_back("ms-vscode.cpptools");
    extensions.emplace_back("nvidia.nsight-vscode-edition");
  }
  return extensions;
}

void write_editor_settings(util::JsonWriter& json, const std::string& interpreter_path) {
  if (!interpreter_path.empty()) json.member("python.defaultInterpreterPath", interpreter_path);
  json.key("[python]").begin_object();
  json.member("editor.defaultFormatter", "ms-python.black-formatter").member("editor.formatOnSave", true).end_object();
}

Expected<Files> vscode(const Inputs& inputs) {
  Files files;
  const auto add = [&](std::string path, std::string body) -> Expected<void> {
    View view;
    view.text("title", title(inputs.environment)).texts("notes", {}).flag("netrc", false).text("body", std::move(body));
    auto file = made_file(std::move(path), "jsonc", std::move(view));
    if (!file) return tl::unexpected(std::move(file.error()));
    files.push_back(std::move(*file));
    return {};
  };
  if (auto added = add(".vscode/settings.json", settings_text(inputs)); !added) return tl::unexpected(added.error());
  if (auto added = add(".vscode/launch.json", launch_text(inputs.environment)); !added) return tl::unexpected(added.error());
  if (auto added = add(".vscode/extensions.json", extensions_text(inputs.environment)); !added)
    return tl::unexpected(added.error());
  return files;
}

}  // namespace envgen::files
