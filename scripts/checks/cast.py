"""Prints an SVG of a terminal in which commands are typed, one after another, and what each prints.

usage: cast.py COMMAND...    Each is run by bash, with colours off.
The picture plays by itself and holds no script; where animations are off (prefers-reduced-motion) everything is there at once.
"""
import html
import subprocess
import sys

COLUMNS, CHARACTER, LINE, MARGIN = 80, 8.43, 19, 16  # a monospaced font of 14 px
PAUSE = 1.2  # seconds between a command and the next one


def wrapped(line):
    """As a terminal shows it: what is too long goes on below."""
    return [line[at : at + COLUMNS] for at in range(0, len(line), COLUMNS)] or [""]


def text_of(line, row, step, kind):
    y = MARGIN + 26 + row * LINE
    shown = html.escape(line).replace(" ", "\u00a0")
    return f'<text class="{kind}" style="animation-delay:{step * PAUSE:.1f}s" x="{MARGIN}" y="{y}">{shown}</text>'


rows, lines = 0, []
for step, command in enumerate(sys.argv[1:]):
    run = subprocess.run(["bash", "-c", command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    for line in wrapped("$ " + command):
        lines.append(text_of(line, rows, step, "command"))
        rows += 1
    for number, line in enumerate(run.stdout.splitlines()):
        for part in wrapped(line):
            lines.append(text_of(part, rows, step + 0.5, "headline" if number == 0 else "output"))
            rows += 1
    rows += 1
width, height = COLUMNS * CHARACTER + 2 * MARGIN, MARGIN + 26 + rows * LINE
print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}" role="img">')
print(f"<title>{html.escape('; '.join(sys.argv[1:]))}</title>")
print(
    "<style>text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;fill:#d5dae3;animation:appear .3s both}"
    ".command{fill:#8fd18b}.headline{fill:#fff;font-weight:bold}@keyframes appear{from{opacity:0}to{opacity:1}}"
    "@media(prefers-reduced-motion:reduce){text{animation:none}}</style>"
)
print(f'<rect width="100%" height="100%" rx="8" fill="#1d2129"/>')
for x, colour in ((20, "#ed6a5e"), (40, "#f5bf4f"), (60, "#61c554")):
    print(f'<circle cx="{x}" cy="18" r="6" fill="{colour}"/>')
print("\n".join(lines))
print("</svg>")
