"""A JUnit report as its readers take it: which elements there are, and that the counts are true. usage: check_junit.py FILE"""
import sys
import xml.etree.ElementTree as ElementTree

root = ElementTree.parse(sys.argv[1]).getroot()
assert root.tag == "testsuites" and set(root.attrib) == {"name", "tests", "failures", "errors", "skipped", "time"}, root.attrib
(suite,) = root
assert suite.tag == "testsuite" and suite[0].tag == "properties"
assert all(one.tag == "property" and set(one.attrib) == {"name", "value"} for one in suite[0])
cases = suite.findall("testcase")
for case in cases:
    assert set(case.attrib) == {"classname", "name"} and len(case) == 1, case.attrib
    outcome = case[0]
    if outcome.tag == "failure":
        assert set(outcome.attrib) == {"message", "type"} and outcome.text, outcome.attrib
    elif outcome.tag == "skipped":
        assert set(outcome.attrib) == {"message"}, outcome.attrib
    else:
        assert outcome.tag == "system-out" and not outcome.attrib, outcome.tag
for element in (root, suite):
    assert int(element.get("tests")) == len(cases)
    assert int(element.get("failures")) == len(suite.findall("testcase/failure"))
    assert int(element.get("skipped")) == len(suite.findall("testcase/skipped"))
    assert element.get("errors") == "0" and float(element.get("time")) >= 0
assert "Z" not in suite.get("timestamp")
