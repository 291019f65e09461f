"""The changes that a person chose: tests/mutants/by_hand.txt."""
import sites


def parsed(path, source_of):
    """The changes of the file. `source_of`: a file's name to its bytes. ValueError: a line that is none, or whose text does not stand once."""
    changes = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        parts = [part.strip() for part in line.split("|||")]
        if len(parts) != 4 or parts[1] not in ("expression", "statement"):
            raise ValueError(f"{path.name}:{number}: FILE ||| expression or statement ||| TEXT ||| CHANGED is wanted")
        name, kind, old, new = parts
        old, new = (text.encode().decode("unicode_escape") if "\\" in text else text for text in (old, new))
        source = source_of(name)
        text = old.encode()
        if source.count(text) != 1:
            raise ValueError(f"{path.name}:{number}: stands {source.count(text)} times in {name}, not once: {old}")
        start = source.index(text)
        changes.append(sites.Change(name, source.count(b"\n", 0, start) + 1, "", kind, start, start + len(text), sites.on_one_line(old),
                                    sites.on_one_line(new)))
    return changes
