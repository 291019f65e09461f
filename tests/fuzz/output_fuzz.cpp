// What a user writes into the outputs, and what stands where an output goes: the whole input is each of these texts.
#include <array>
#include <charconv>
#include <optional>
#include <string>

#include "files/file.hpp"
#include "files/gpu_selection.hpp"
#include "files/grammar.hpp"
#include "files/quoting.hpp"
#include "fuzz/fuzz.hpp"
#include "model/shell_word.hpp"

namespace {

using namespace envgen;
using fuzz::require;

const std::string flag = "--flag";

bool is_plain(char c, std::string_view marks) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || marks.find(c) != std::string_view::npos;
}

void require_refusal(const Error& error) {
  require(error.code == ErrorCode::usage && error.origin == flag, "a refusal is an error of usage, and says where");
  require(!error.message.empty() && fuzz::one_line(error.message), "it says what, in one line");
  require(!error.hints.empty(), "and what would be right");
}

// Quoting, read back ------------------------------------------------------------------------------------------------

/// What a POSIX shell makes of a word; none where it would do more with it than take quotes off.
std::optional<std::string> read_by_shell(std::string_view word) {
  std::string result;
  while (!word.empty()) {
    std::size_t taken = 1;
    if (word.front() == '\'') {
      const auto end = word.find('\'', 1);
      if (end == std::string_view::npos) return std::nullopt;
      result += word.substr(1, end - 1);
      taken = end + 1;
    } else if (word.starts_with("\\'")) {
      result += '\'';
      taken = 2;
    } else if (is_plain(word.front(), "@%_+=:,./-")) {
      result += word.front();
    } else {
      return std::nullopt;
    }
    word.remove_prefix(taken);
  }
  return result;
}

/// What stands between double quotes.
std::string_view inside(std::string_view quoted) {
  require(quoted.size() >= 2 && quoted.front() == '"' && quoted.back() == '"', "a text is put in double quotes");
  return quoted.substr(1, quoted.size() - 2);
}

void require_dockerfile_value(std::string_view text) {
  const auto quoted = files::dockerfile_value(text);
  const auto rest = inside(quoted);
  std::string read;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    require(rest[i] != '"' && rest[i] != '$', "nothing ends the value of an instruction, and nothing in it is a variable");
    if (rest[i] == '\\') require(++i < rest.size(), "the last quote of a value is not escaped");
    read += rest[i];
  }
  require(read == text, "a Dockerfile reads the text");
}

/// That it is the same text is shown by the target of the JSON writer.
void require_yaml_text(std::string_view text) {
  const auto quoted = files::yaml_text(text);
  const auto rest = inside(quoted);
  for (std::size_t i = 0; i < rest.size(); ++i) {
    require(static_cast<unsigned char>(rest[i]) >= 0x20 && rest[i] != '"', "nothing ends a scalar");
    if (rest[i] != '\\') continue;
    require(++i < rest.size() && std::string_view("\"\\/bfnrtu").find(rest[i]) != std::string_view::npos, "escapes are JSON's");
  }
}

void require_python_text(std::string_view text) {
  const auto quoted = files::python_text(text);
  const auto rest = inside(quoted);
  std::string read;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    const char c = rest[i];
    require(c >= 0x20 && c < 0x7F && std::string_view("\"'$`").find(c) == std::string_view::npos,
            "a literal is plain to Python, and to the shell around it");
    if (c != '\\') {
      read += c;
      continue;
    }
    require(rest.substr(i).starts_with("\\x") && i + 3 < rest.size(), "an escape is two hex digits");
    unsigned char byte = 0;
    const auto* digits = rest.data() + i + 2;
    require(std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2, "an escape is two hex digits");
    read += static_cast<char>(byte);
    i += 3;
  }
  require(read == text, "Python reads the text");
}

void quoting(std::string_view text) {
  const auto word = shell_word(text);
  require(!word.empty() && read_by_shell(word) == text, "a shell reads the text");
  require_dockerfile_value(text);
  require_yaml_text(text);
  require_python_text(text);
  require(files::yaml_texts({std::string(text), "x"}).size() == 2, "every text is quoted");
}

// Grammars ----------------------------------------------------------------------------------------------------------

struct Grammar {
  Expected<void> (*check)(std::string_view, const std::string&);
  std::string_view marks;  ///< what may stand beside letters and digits; nothing here ends a line, or is run in quotes
};
constexpr std::array<Grammar, 6> grammars{{{files::check_apt_package, "+.-=:~"},
                                           {files::check_pip_requirement, "._-[]<>=!~,*+ "},
                                           {files::check_user_name, "_-"},
                                           {files::check_url, "._~:/+%=,-"},
                                           {files::check_image, "._-:/@"},
                                           {files::check_size, ""}}};

void grammar(const Grammar& one, std::string_view text) {
  const auto checked = one.check(text, flag);
  if (!checked) return require_refusal(checked.error());
  require(!text.empty() && is_plain(text.front(), "_"), "what is taken is no option, and not nothing");
  for (const char c : text) require(is_plain(c, one.marks), "what is taken holds what its kind may hold");
  for (const auto& quoted : {shell_word(text), files::dockerfile_value(text), files::yaml_text(text), files::python_text(text)})
    require(fuzz::one_line(quoted), "what is taken stays in its line");
}

// GPUs of a container -----------------------------------------------------------------------------------------------

void require_selection(const files::GpuSelection& selection, std::string_view text) {
  const int ways = (selection.all ? 1 : 0) + (selection.count ? 1 : 0) + (selection.devices.empty() ? 0 : 1);
  require(ways == (selection.none() ? 0 : 1), "GPUs are chosen in one way");
  require(selection.all == (text == "all") && selection.none() == (text == "none"), "all and none are what they say");
  if (selection.count) require(*selection.count > 0 && std::to_string(*selection.count) == text, "a number is that number");
  std::string written = "device=";
  for (const auto& device : selection.devices) {
    for (const char c : device) require(is_plain(c, ":/-"), "a device holds no more than docker's names do");
    written += (written.back() == '=' ? "" : ",") + device;
  }
  if (!selection.devices.empty()) require(written == text, "no device is lost, and none is empty");
  const auto names = files::cdi_names(selection);
  require(names.size() == selection.devices.size() + (selection.all ? 1 : 0), "each device has its name");
  for (const auto& name : names) require(name.starts_with("nvidia.com/gpu=") && name.back() != '=', "a name is NVIDIA's");
}

void gpus(std::string_view text) {
  files::Options options;
  options.container_gpus = {std::string(text), flag};
  const auto docker = files::gpu_selection(options);
  options.podman = true;
  const auto podman = files::gpu_selection(options);
  if (!docker) {
    require_refusal(docker.error());
    require(!podman, "podman takes nothing that docker does not");
    return;
  }
  require_selection(*docker, text);
  require(podman.has_value() == !docker->count, "podman takes all but a number");
  if (!podman) return require_refusal(podman.error());
  require(files::cdi_names(*podman) == files::cdi_names(*docker), "and takes it alike");
}

// Files that stand where one will be written ------------------------------------------------------------------------

void marks(const std::string& text) {
  using files::State;
  const auto sealed = files::seal(text);
  require(sealed.size() == text.size() && files::seal(sealed) == sealed, "sealing twice is sealing once");
  const bool marked = files::state_of(text) != State::unmarked;
  require(files::state_of(sealed) == (marked ? State::untouched : State::unmarked), "a sealed text is untouched");
  if (!marked) require(sealed == text, "a text without a mark stays as it is");

  const auto whole = files::seal(text + "\n# " + files::unsealed_mark() + "\n" + text);
  require(files::state_of(whole) == State::untouched, "a file as it was written is untouched");
  require(files::state_of(whole + " ") == State::edited, "a longer one is edited");
  require(files::state_of(" " + whole) == State::edited, "wherever it is longer");
  if (!text.empty()) require(files::state_of(whole.substr(0, whole.size() - 1)) == State::edited, "and so is a shorter one");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(fuzz::text_of(data, size));
  for (const auto& one : grammars) grammar(one, text);
  if (files::check_apt_package(text, flag)) require(!text.ends_with('-'), "apt removes no package");
  gpus(text);
  quoting(text);
  marks(text);
  return 0;
}
