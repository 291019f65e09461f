"""See scripts/checks/mutants.sh."""
import os
import pathlib
import subprocess
import sys
import tempfile

import by_hand
import sites
import tree
import weave

SOURCE = b"""#include <cstdio>
#include <string>
#include <vector>
constexpr int never = 7;
bool small(int value) { return value < 3; }
std::string judge(int value, const std::string& name) {
  if (!small(value)) return "large";
  std::vector<int> all;
  all.reserve(2);
  all.push_back(never);
  return value > 0 && name == "a" ? "both" : all.empty() ? "empty" : "one";
}
double part(int value) { return value * 0.5; }
bool yes() { return true; }
int next(int value) { return value + 1; }  // a < b is a comment
int main() {
  std::printf("%s %s %s %s %.1f %d %d\\n", judge(3, "a").c_str(), judge(1, "a").c_str(), judge(0, "a").c_str(), judge(1, "b").c_str(),
              part(1), yes() ? 1 : 0, next(1));
}
"""
UNCHANGED = "large both one one 0.5 1 2"
# What each change makes the program print.
EXPECTED = {
    "value < 3 -> value <= 3": "both both one one 0.5 1 2",
    "!small(value) -> static_cast<bool>(small(value))": "both large large large 0.5 1 2",
    "!small(value) -> false": "both both one one 0.5 1 2",
    "all.push_back(never) -> void()": "large both empty empty 0.5 1 2",
    "value > 0 -> value >= 0": "large both both one 0.5 1 2",
    'value > 0 && name == "a" -> static_cast<bool>(value > 0)': "large both one both 0.5 1 2",
    'value > 0 && name == "a" -> static_cast<bool>(name == "a")': "large both both one 0.5 1 2",
    'name == "a" -> name != "a"': "large one one both 0.5 1 2",
    'value > 0 && name == "a" -> !(value > 0 && name == "a")': "large one both both 0.5 1 2",
    "all.empty() -> !(all.empty())": "large both empty empty 0.5 1 2",
    "0.5 -> 0.5 * 10": "large both one one 5.0 1 2",
    "true -> false": "large both one one 0.5 0 2",
    "1 -> 1 + 1": "large both one one 0.5 1 3",  # in next()
    "3 -> 3 + 1": "both both one one 0.5 1 2",
    "0 -> 0 + 1": "large one one one 0.5 1 2",
}


BY_HAND = """# a comment
p.cpp ||| expression ||| value < 3 ||| value < 2
p.cpp ||| statement ||| all.push_back(never); |||
"""
REFUSED = {
    "p.cpp ||| expression ||| value < 3": "list.txt:1: FILE ||| expression or statement ||| TEXT ||| CHANGED is wanted",
    "p.cpp ||| expression ||| value ||| x": "list.txt:1: stands 9 times in p.cpp, not once: value",
}


def chosen_by_hand(folder):
    """What is wrong with the reading of tests/mutants/by_hand.txt."""
    path = folder / "list.txt"
    path.write_text(BY_HAND)
    found = [(change.line, change.kind, change.shown()) for change in by_hand.parsed(path, lambda name: SOURCE)]
    if found != [(5, "expression", "value < 3 -> value < 2"), (10, "statement", "all.push_back(never); -> ")]:
        yield f"by hand: {found}"
    for text, message in REFUSED.items():
        path.write_text(text)
        try:
            by_hand.parsed(path, lambda name: SOURCE)
            yield f"not refused: {text}"
        except ValueError as error:
            if str(error) != message:
                yield f"{error}, not {message}"


def errors_of_a_compiler():
    """What is wrong with the reading of a compiler's messages, of which ccache makes some relative."""
    log = (f"../tree/src/a.cpp:3:4: error: x\n{tree.TREE}/bench/src/b.cpp:9:1: note: required from here\n"
           "../tree/src/c.cpp:3:4: warning: x\n/usr/include/d.cpp:3: error: z\n")
    found = tree.errors_in(log)
    if found != {("src/a.cpp", "3"), ("bench/src/b.cpp", "9")}:
        yield f"errors of a compiler: {found}"


def main():
    wrong = list(errors_of_a_compiler())
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        wrong += chosen_by_hand(folder)
        path = folder / "program.cpp"
        path.write_bytes(SOURCE)
        changes = [change for change in sites.Collector("program.cpp", SOURCE).collect(str(path), ["-std=c++20"])
                   if change.function != "main"]
        numbered = dict(enumerate(changes, 1))
        text = weave.woven(SOURCE, numbered, pathlib.Path(__file__).parent / "switch.hpp")
        (folder / "woven.cpp").write_bytes(text)
        subprocess.run(["c++", "-std=c++20", "-o", folder / "woven", folder / "woven.cpp"], check=True)

        def printed(extra):
            return subprocess.run([folder / "woven"], env={**os.environ, **extra}, check=True, capture_output=True, text=True).stdout.strip()

        if printed({}) != UNCHANGED:
            wrong.append(f"without any change: {printed({})}")
        found = {change.shown() for change in changes}
        for missing in EXPECTED.keys() - found:
            wrong.append(f"not found: {missing}")
        for surplus in found - EXPECTED.keys():
            wrong.append(f"found beside them: {surplus}")
        trace = folder / "trace"
        trace.write_bytes(bytes(len(numbered) + 1))
        printed({"ENVGEN_MUTANT_TRACE": str(trace)})
        for number, change in numbered.items():
            said = printed({"ENVGEN_MUTANT": str(number)})
            if said != EXPECTED.get(change.shown()):
                wrong.append(f"{change.shown()}: {said}")
            if trace.read_bytes()[number] != 1:
                wrong.append(f"not traced: {change.shown()}")
    print("\n".join(wrong) or f"{len(EXPECTED)} changes do what they say")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
