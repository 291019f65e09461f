"""Where a small change can be made in a C++ file, and what the changes are: comparisons, conditions, literals, calls.

A site is an expression of the file's text, by byte offsets, with the texts that may stand in its place. clang's AST finds the
expressions; the changes are texts, so that a person can read them.
"""
import dataclasses
import hashlib
import re

import clang.cindex as cindex
from clang.cindex import CursorKind as Kind

OPPOSITE = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
FUNCTIONS = {Kind.FUNCTION_DECL, Kind.CXX_METHOD, Kind.CONSTRUCTOR, Kind.DESTRUCTOR, Kind.CONVERSION_FUNCTION, Kind.FUNCTION_TEMPLATE}
# Constants to the compiler, or types: a switch at run time cannot stand there.
CLOSED = {Kind.ENUM_CONSTANT_DECL, Kind.STATIC_ASSERT, Kind.FIELD_DECL, Kind.TEMPLATE_TYPE_PARAMETER, Kind.TEMPLATE_NON_TYPE_PARAMETER,
          Kind.TYPE_REF, Kind.TEMPLATE_REF, Kind.TYPE_ALIAS_DECL}
# A call that only saves time or memory: nothing can notice that it is gone.
THRIFTY = re.compile(r"^[\w.>-]*(\.|->)(reserve|shrink_to_fit)\([^;]*\)$")


@dataclasses.dataclass(frozen=True)
class Change:
    """One mutant: `text` in place of the expression at [start, end)."""

    file: str
    line: int
    function: str
    kind: str
    start: int
    end: int
    original: str
    text: str
    ordinal: int = 0  # among the equal changes of a function

    def key(self):
        return f"{self.file}|{self.function}|{self.original}|{self.text}|{self.ordinal}"

    def number(self, seed):
        return int.from_bytes(hashlib.sha256(f"{seed}|{self.key()}".encode()).digest()[:8], "big")

    def shown(self):
        return f"{self.original} -> {self.text}"


def on_one_line(text):
    return re.sub(r"\s+", " ", re.sub(r"//[^\n]*\n", " ", text)).strip()


class Collector:
    def __init__(self, name, source):
        self.name = name
        self.source = source
        self.found = {}

    def text(self, start, end):
        return self.source[start:end].decode()

    def add(self, kind, function, start, end, replacement):
        text = self.text(start, end)
        if 'R"' in text or "#" in re.sub(r'"[^"]*"', "", text) or len(text) > 600:
            return
        line = self.source.count(b"\n", 0, start) + 1
        change = Change(self.name, line, function, kind, start, end, on_one_line(text), on_one_line(replacement))
        self.found.setdefault((start, end, change.text), change)

    def changes(self):
        seen = {}
        for change in sorted(self.found.values(), key=lambda each: (each.start, each.end, each.text)):
            count = seen[change.key()] = seen.get(change.key(), -1) + 1
            yield dataclasses.replace(change, ordinal=count)

    def between(self, left, right):
        return on_one_line(self.text(left.extent.end.offset, right.extent.start.offset) + "\n")

    def binary(self, function, left, right):
        start, end = left.extent.start.offset, right.extent.end.offset
        if not left.extent.end.offset <= right.extent.start.offset:
            return
        operator = self.between(left, right)
        first, second = self.text(start, left.extent.end.offset), self.text(right.extent.start.offset, end)
        if operator in OPPOSITE:
            self.add("comparison", function, start, end, f"{first} {OPPOSITE[operator]} {second}")
        elif operator in ("&&", "||"):
            self.add("condition", function, start, end, f"static_cast<bool>({first})")
            self.add("condition", function, start, end, f"static_cast<bool>({second})")

    def expression(self, cursor, function):
        start, end = cursor.extent.start.offset, cursor.extent.end.offset
        children = list(cursor.get_children())
        if cursor.kind == Kind.BINARY_OPERATOR and len(children) == 2:
            self.binary(function, *children)
        elif cursor.kind == Kind.CALL_EXPR and re.fullmatch(r"operator(==|!=|<=>|<=?|>=?)", cursor.spelling):
            arguments = list(cursor.get_arguments())
            if len(arguments) == 2:
                self.binary(function, *arguments)
        elif cursor.kind == Kind.UNARY_OPERATOR and len(children) == 1 and self.source[start:start + 1] == b"!":
            self.add("condition", function, start, end, f"static_cast<bool>({self.text(start + 1, end)})")
        elif cursor.kind == Kind.CONDITIONAL_OPERATOR and len(children) == 3:
            where = children[0].extent
            self.add("condition", function, where.start.offset, where.end.offset, f"!({self.text(where.start.offset, where.end.offset)})")
        elif cursor.kind == Kind.INTEGER_LITERAL and re.fullmatch(r"[0-9]+[uUlLzZ]*", self.text(start, end)):
            self.add("number", function, start, end, f"{self.text(start, end)} + 1")
        elif cursor.kind == Kind.FLOATING_LITERAL:
            self.add("number", function, start, end, f"{self.text(start, end)} * 10")
        elif cursor.kind == Kind.CXX_BOOL_LITERAL_EXPR:
            self.add("answer", function, start, end, "false" if self.text(start, end) == "true" else "true")
        elif cursor.kind == Kind.IF_STMT:
            condition = next((child for child in children if child.kind.is_expression()), None)
            if condition is not None and condition.extent.start.offset > start:
                where = condition.extent
                self.add("check", function, where.start.offset, where.end.offset, "false")
        elif cursor.kind == Kind.COMPOUND_STMT:
            for child in children:
                if child.kind.is_expression() and self.is_call(child):
                    where = child.extent
                    self.add("call", function, where.start.offset, where.end.offset, "void()")

    def is_call(self, cursor):
        text = self.text(cursor.extent.start.offset, cursor.extent.end.offset)
        while cursor.kind == Kind.UNEXPOSED_EXPR:
            inner = list(cursor.get_children())
            if len(inner) != 1:
                return False
            cursor = inner[0]
        return cursor.kind == Kind.CALL_EXPR and text.endswith(")") and not self.is_thrifty(cursor)

    def is_thrifty(self, cursor):
        return THRIFTY.search(self.text(cursor.extent.start.offset, cursor.extent.end.offset)) is not None

    def walk(self, cursor, function):
        for child in cursor.get_children():
            if child.location.file is None or child.location.file.name != self.path or child.kind in CLOSED:
                continue
            name = child.spelling if child.kind in FUNCTIONS else function
            if child.kind == Kind.VAR_DECL and self.is_constant(child) or child.kind == Kind.CALL_EXPR and self.is_thrifty(child):
                continue
            if function or child.kind in FUNCTIONS:
                self.expression(child, name)
            if child.kind == Kind.CASE_STMT:  # what follows the label, not the label
                for part in list(child.get_children())[1:]:
                    self.expression(part, name)
                    self.walk(part, name)
            else:
                self.walk(child, name)

    def is_constant(self, cursor):
        return "constexpr" in self.text(cursor.extent.start.offset, cursor.extent.end.offset).split("=")[0].split("{")[0]

    def collect(self, path, arguments):
        self.path = path
        unit = cindex.Index.create().parse(path, args=arguments)
        errors = [str(each) for each in unit.diagnostics if each.severity >= cindex.Diagnostic.Error]
        if errors:
            raise RuntimeError(f"clang cannot read {path}: {errors[0]}")
        self.walk(unit.cursor, "")
        return list(self.changes())
