"""Writes the files of the matrix as people read them: a row, a source or a form is a line where it fits in 120 columns, and is wrapped
between its members where it does not. No line is longer but that of a single text.

usage: matrix.py [--check] FILE...    --check: writes nothing; exit status 1, and their names, where files are written otherwise
"""
import json
import sys

width = 120


class Number(str):
    """As it is spelled."""


def compact(value):
    if isinstance(value, Number):
        return str(value)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{compact(name)}: {compact(member)}" for name, member in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(compact, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def members(value):
    if isinstance(value, dict):
        return [(compact(name) + ": ", member) for name, member in value.items()]
    return [("", item) for item in value]


def wrapped(value, column):
    """The value as it stands from this column on, a comma or the end of what holds it behind it."""
    line = compact(value)
    if column + len(line) + 2 <= width or not isinstance(value, (dict, list)):
        return line
    lines = []
    for name, member in members(value):
        whole = name + compact(member)
        if lines and "\n" not in lines[-1] and column + 1 + len(lines[-1]) + len(", ") + len(whole) + 2 <= width:
            lines[-1] += ", " + whole
        else:
            lines.append(name + wrapped(member, column + 1 + len(name)))
    return line[0] + (",\n" + " " * (column + 1)).join(lines) + line[-1]


def written(document):
    """Members below one another, and the items of each likewise."""
    if len(compact(document)) <= width:
        return compact(document) + "\n"
    parts = []
    for name, part in members(document):
        text = compact(part)
        if len(name + text) + 4 > width and isinstance(part, (dict, list)):
            text = text[0] + "\n" + ",\n".join("    " + item + wrapped(value, 4 + len(item)) for item, value in members(part)) + "\n  " + text[-1]
        parts.append(f"  {name}{text}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


check = "--check" in sys.argv[1:2]
bad = 0
for path in sys.argv[1 + check :]:
    with open(path, encoding="utf-8") as file:
        text = file.read()
    new = written(json.loads(text, parse_float=Number, parse_int=Number))
    if text == new:
        continue
    if check:
        print(f"{path} is not as scripts/checks/matrix.py writes it")
        bad = 1
    else:
        with open(path, "w", encoding="utf-8") as file:
            file.write(new)
sys.exit(bad)
