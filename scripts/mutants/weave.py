"""Writes changes into a file's text, each behind a switch at run time, so that one build holds them all."""


def woven(source, numbered, header):
    """The text with all changes in it. `numbered`: {number: Change}. No line moves, so that a compiler's error names the site."""
    sites = {}
    for number, change in numbered.items():
        sites.setdefault((change.start, change.end), []).append((number, change))
    # Outer before inner; expressions nest, and never overlap otherwise.
    ordered = sorted(sites, key=lambda span: (span[0], -span[1]))

    def render(start, end, spans):
        out, at = b"", start
        while spans:
            (first, last), inner = spans[0], [span for span in spans[1:] if span[1] <= spans[0][1]]
            spans = spans[1 + len(inner):]
            original = render(first, last, inner)
            out += source[at:first] + switched(sites[(first, last)], original)
            at = last
        return out + source[at:end]

    def switched(changes, original):
        if changes[0][1].kind == "statement":
            number, change = changes[0]
            return f"if (::mutant::on({number})) {{ {change.text} }} else {{ ".encode() + original + b" }"
        before = "".join(f"::mutant::on({number}) ? {alternative(change)} : " for number, change in changes)
        kind = changes[0][1].kind
        return b"(" + before.encode() + (b"void(" if kind == "call" else b"static_cast<bool>(" if kind == "check" else b"(") + original + b"))"

    def alternative(change):
        return change.text if change.kind == "call" else f"({change.text})"

    return f'#include "{header}"\n#line 1\n'.encode() + render(0, len(source), ordered)
