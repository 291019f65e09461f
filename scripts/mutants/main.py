"""See scripts/mutate.sh."""
import argparse
import json
import sys

import by_hand
import play
import tree

BY_HAND = tree.REPOSITORY / "tests" / "mutants" / "by_hand.txt"
EQUIVALENT = tree.REPOSITORY / "tests" / "mutants" / "equivalent.txt"
SCORE = tree.REPOSITORY / "tests" / "mutants" / "score.md"
SCORE_BY_HAND = tree.REPOSITORY / "tests" / "mutants" / "score_by_hand.md"
PLAYED = tree.BASE / "played.json"
# The share of changes that the tests of a room must notice; what stands here is what nothing else vouches for.
FLOORS = {"bench": 95, "check": 95, "resolver": 95, "validate": 95}
FLOOR = 90


def equivalents():
    """{(file, function, change): reason}: changes after which the program does the same, each with its reason."""
    known = {}
    for number, line in enumerate(EQUIVALENT.read_text().splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        parts = [part.strip() for part in line.split("|||")]
        if len(parts) != 4:
            sys.exit(f"error: {EQUIVALENT.name}:{number}: FILE ||| FUNCTION ||| CHANGE ||| REASON is wanted")
        known[tuple(parts[:3])] = parts[3]
    return known


def chosen(found, count, seed):
    """The same changes each time, as long as their function's text stays: those with the smallest digests, room by room."""
    rooms = {}
    for name, changes in found.items():
        rooms.setdefault(tree.room_of(name), []).extend(changes)
    picked = []
    for room in sorted(rooms):
        picked += sorted(rooms[room], key=lambda change: change.number(seed))[:count]
    return picked


def table(numbered, result, same):
    rows = {}
    for number, change in numbered.items():
        row = rows.setdefault(tree.room_of(change.file), [0, 0, 0])
        if (change.file, change.function, change.shown()) in same and result[number] is None:
            row[2] += 1
        else:
            row[0] += 1
            row[1] += result[number] is not None
    return rows


def noticed_before():
    """{key: the test that noticed} of the last run."""
    try:
        return {each["key"]: each["noticed"] for each in json.loads(PLAYED.read_text()) if each["noticed"] is not None}
    except FileNotFoundError:
        return {}


def report(numbered, result, same, rows, how):
    lines = ["# What the tests notice", "", f"Made by {how}. A change that makes no difference is in equivalent.txt.", "",
             "| room | changes | noticed | share | make no difference |", "|---|---|---|---|---|"]
    for room, (all_, good, equal) in sorted(rows.items()):
        lines.append(f"| {room} | {all_} | {good} | {100 * good / all_ if all_ else 100:.0f} % | {equal} |")
    lines += ["", "Not noticed:", ""]
    for number, change in numbered.items():
        if result[number] is None and (change.file, change.function, change.shown()) not in same:
            lines.append(f"- {change.file} `{change.function}`: `{change.shown()}`")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(prog="scripts/mutate.sh")
    parser.add_argument("rooms", nargs="*", metavar="ROOM", help="default: all, and bench")
    parser.add_argument("--sample", type=int, default=40, metavar="N", help="changes a room (default: 40; 0: all)")
    parser.add_argument("--seed", default="0", help="another one plays other changes")
    parser.add_argument("--by-hand", action="store_true", help="in place of these the changes of tests/mutants/by_hand.txt")
    parser.add_argument("--again", action="store_true", help="play only what the last run did not notice: after tests were added")
    parser.add_argument("--keep", action="store_true", help="write tests/mutants/score.md, or score_by_hand.md")
    parser.add_argument("--list", action="store_true", help="only print the changes")
    given = parser.parse_args()

    names = tree.files_of(given.rooms)
    tree.copy()
    tree.configure()
    if given.by_hand:
        try:
            listed = by_hand.parsed(BY_HAND, lambda name: (tree.REPOSITORY / name).read_bytes())
        except ValueError as error:
            sys.exit(f"error: {error}")
        picked = [change for change in listed if change.file in names]
    else:
        picked = chosen(tree.collect(names), given.sample or None, given.seed)
    numbered = dict(enumerate(picked, 1))
    if given.list:
        for change in picked:
            print(f"{change.file}:{change.line}: {change.shown()}")
        return 0
    print(f"building {len(numbered)} changes into one tree", file=sys.stderr)
    built = tree.build(numbered)
    tests = play.trace(list(play.listed()), len(numbered))
    before = noticed_before() if given.again else {}
    result = {number: before.get(change.key()) for number, change in built.items()}
    result |= play.play([number for number in built if result[number] is None], tests)

    same = equivalents()
    rows = table(built, result, same)
    tested = {number for test in tests for number in test.reaches}
    for number, change in built.items():
        if result[number] is None and (change.file, change.function, change.shown()) not in same:
            print(f"{number}: {change.file}:{change.line}: {change.shown()}   {'not noticed' if number in tested else 'no test comes here'}")
    details = [{"number": number, "key": change.key(), "file": change.file, "line": change.line, "function": change.function,
                "change": change.shown(), "noticed": result[number]} for number, change in built.items()]
    PLAYED.write_text(json.dumps(details, indent=1) + "\n")
    if given.keep and given.by_hand:
        SCORE_BY_HAND.write_text(report(built, result, same, rows, "`scripts/mutate.sh --by-hand --keep` from the changes of by_hand.txt"))
    elif given.keep:
        how = f"`scripts/mutate.sh --keep` ({given.sample or 'all'} changes a room, seed {given.seed})"
        SCORE.write_text(report(built, result, same, rows, how))
    bad = 0
    for room, (all_, good, equal) in sorted(rows.items()):
        share = 100 * good / all_ if all_ else 100
        low = share < FLOORS.get(room, FLOOR)
        bad += low
        print(f"{room:10} {good:4} of {all_:4} noticed  {share:5.1f} %  {equal:3} make no difference{'   too few' if low else ''}")
    print(f"{len(numbered) - len(built)} changes did not compile and were left out")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
