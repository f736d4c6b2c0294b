"""Prepares the input of perbench from the tests of asn1tools, which are read in place.

Arguments: the folder `tests` of asn1tools' source distribution, and the folder to write to. It writes the modules, reduced to the
types of the messages, and the messages: `messages.tsv` with module, type, rules and hexadecimal.
"""

import importlib
import os
import re
import sys
import unittest
from pathlib import Path

TESTS, OUT = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
OUT.mkdir(parents=True, exist_ok=True)

MODULES = {
    "rrc": (["3gpp/rrc_8_6_0.asn"], ["BCCH-DL-SCH-Message", "PCCH-Message", "UL-CCCH-Message"]),
    "cam": (["etsi/cam_pdu_descriptions_1_3_2.asn", "etsi/its_container_1_2_1.asn"], ["CAM"]),
    "s1ap": (["3gpp/s1ap_14_4_0.asn"], None),
}


def reduced(text, roots):
    """One module with the assignments that the roots need."""
    text = re.sub(r"--.*", "", text)
    bodies = re.findall(r"BEGIN\b(.*?)\bEND\b", text, re.S)
    found = {}
    for body in bodies:
        body = re.sub(r"\b(IMPORTS|EXPORTS)\b.*?;", "", body, flags=re.S)
        starts = list(re.finditer(r"^[ \t]*([A-Za-z][\w-]*)[ \t]*(?:[A-Z][\w -]*)?::=", body, re.M))
        for one, after in zip(starts, starts[1:] + [None]):
            end = after.start() if after else len(body)
            found.setdefault(one.group(1), body[one.start():end].strip())
    wanted, queue = [], list(roots)
    while queue:
        name = queue.pop()
        if name in found and name not in wanted:
            wanted.append(name)
            queue += re.findall(r"[A-Za-z][\w-]*", found[name])
    return "\n\n".join(found[name] for name in found if name in wanted)


for name, (files, roots) in MODULES.items():
    text = "\n".join((TESTS / "files" / file).read_text(encoding="utf-8") for file in files)
    if roots:
        text = f"{name.upper()} DEFINITIONS AUTOMATIC TAGS ::= BEGIN\n\n{reduced(text, roots)}\n\nEND\n"
    (OUT / f"{name}.asn1").write_text(text, encoding="utf-8")

# The messages are the arguments of the tests' comparisons.
os.chdir(TESTS.parent)
sys.path.insert(0, str(TESTS.parent))
lines = set()
for file, rules in (("test_uper", "uper"), ("test_per", "aper")):
    module = importlib.import_module(f"tests.{file}")
    case = next(v for v in vars(module).values() if isinstance(v, type) and issubclass(v, unittest.TestCase) and v.__module__ == module.__name__)
    for test, of in (("test_rrc_8_6_0", "rrc"), ("test_etsi_cam_pdu_descriptions_1_3_2", "cam"), ("test_s1ap_14_4_0", "s1ap")):
        if not hasattr(case, test):
            continue
        one = case(test)
        one.assert_encode_decode = lambda spec, ty, decoded, encoded, of=of, rules=rules, **_: lines.add((of, ty, rules, encoded.hex()))
        one.assertEqual = lambda *_: None
        if of == "s1ap":
            def seen(first, second, rules=rules):
                if isinstance(first, bytes):
                    lines.add(("s1ap", "S1AP-PDU", rules, first.hex()))
            one.assertEqual = seen
        getattr(one, test)()
(OUT / "messages.tsv").write_text("".join("\t".join(line) + "\n" for line in sorted(lines)), encoding="utf-8")
