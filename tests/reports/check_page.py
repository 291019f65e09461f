"""The page of a report: well-formed, loads nothing, and every result of the JSON is in it. usage: check_page.py PAGE REPORT.json"""
import json
import re
import sys
import xml.etree.ElementTree as ElementTree

page = open(sys.argv[1], encoding="utf-8").read()
report = json.load(open(sys.argv[2], encoding="utf-8"))
root = ElementTree.fromstring(page.removeprefix("<!DOCTYPE html>\n"))
policy = root.find("head/meta[@http-equiv='Content-Security-Policy']").get("content")
assert policy.startswith("default-src 'none'; style-src 'unsafe-inline';"), policy
ids = {element.get("id") for element in root.iter() if element.get("id")}
for element in root.iter():
    assert element.tag not in {"script", "img", "link", "iframe", "object", "embed", "base", "form"}, element.tag
    for name, value in element.attrib.items():
        assert not name.lower().startswith("on"), name
        if name in {"href", "src", "xlink:href"}:
            assert value.startswith("#") and value[1:] in ids, value
style = root.find("head/style").text
assert not re.search(r"@import|url\(|https?:", style)
words = "".join(root.find("body").itertext())
for check in report["checks"]:
    assert check["message"] in words, check["message"]
    assert check["id"] in words, check["id"]
rows = [row for row in root.findall(".//section[h2='All checks']//tbody/tr")]
assert len(rows) == sum(check["status"] != "skip" for check in report["checks"]), len(rows)
speeds = [c for c in report["checks"] if c["evidence"].get("value") and ("peer" not in c["evidence"] or c["evidence"].get("expected"))]
bars = root.findall(".//div[@class='bar']")
assert len(bars) >= len(speeds), (len(bars), len(speeds))
with_reference = sum(bool(c["evidence"].get("expected")) for c in speeds)
assert len(root.findall(".//line[@class='reference']")) == with_reference
pairs = sum(c["id"] == "peer" and "one_way_bytes_per_second" in c["evidence"] for c in report["checks"])
cells = [cell for cell in root.findall(".//table[@class='matrix']//td") if (cell.get("class") or "").startswith("h")]
assert len(cells) == 2 * pairs, (len(cells), pairs)
if report["doubles"]:
    assert "Test doubles replaced" in "".join(root.find("body/header").itertext())
