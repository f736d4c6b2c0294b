#!/usr/bin/env python3
"""Compares messages of mobile networks with pycrate, by modules of 3GPP.

    telecom.py RECODER ROOM MODULES PYCRATE MESSAGES [SET...]

RECODER is the example `per` of tagwise-tables, ROOM a folder for what pycrate compiles, MODULES the folder with the modules of each set
(`epan/dissectors/asn1` in the sources of Wireshark), and PYCRATE the unpacked source distribution of pycrate. First, messages in
pycrate's tests are decoded and encoded again. The messages of messages.py are encoded and decoded, and pycrate does the same; those
of NGAP are appended to the file MESSAGES, for benchmarks. Then, each type of each set has values at the ends of its ranges and sizes, and with each
object of its object sets; pycrate, which compiles the same modules, decodes and encodes them again. `telecom.tsv` lists the known
differences: the set, the type, the number of encodings, the clause, and what pycrate does instead. Any other one fails.
`./x per-peers` calls it.
"""

import ast
import collections
import contextlib
import importlib.util
import json
import os
import pathlib
import subprocess
import sys

from messages import MESSAGES as MESSAGES_AS_JSON

HERE = pathlib.Path(__file__).resolve().parent
#: The sets of modules, with their encoding rules.
SETS = {
    "ngap": "aper",
    "f1ap": "aper",
    "e1ap": "aper",
    "xnap": "aper",
    "nrppa": "aper",
    "x2ap": "aper",
    "m2ap": "aper",
    "ranap": "aper",
    "hnbap": "aper",
    "rua": "aper",
    "nr-rrc": "uper",
    "lte-rrc": "uper",
    "rrc": "uper",
    "lpp": "uper",
}
#: The maximum number of encodings of a type.
COUNT = 400
#: Messages in pycrate's tests: the variable, the places, the set and the type.
MESSAGES = [
    ("pkts_rrc3g", slice(0, 3), "rrc", "PCCH-Message"),
    ("pkts_rrc3g", slice(3, 14), "rrc", "DL-DCCH-Message"),
    ("pkts_rrc3g", slice(14, None), "rrc", "UL-DCCH-Message"),
    ("pkts_rrc3g_nc", slice(None), "rrc", "DL-DCCH-Message"),
    ("pkts_x2ap", slice(None), "x2ap", "X2AP-PDU"),
    ("pkts_rrc_nr", slice(None), "nr-rrc", "CG-ConfigInfo"),
]


class Tagwise:
    """The recoder with the modules of a set."""

    def __init__(self, recoder, files):
        pipe = subprocess.PIPE
        self.process = subprocess.Popen([recoder, *files], stdin=pipe, stdout=pipe, text=True)

    def ask(self, *words):
        self.process.stdin.write(" ".join(map(str, words)) + "\n")
        self.process.stdin.flush()
        verdict, _, rest = self.process.stdout.readline().rstrip("\n").partition(" ")
        return verdict == "ok", rest

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def modules(folder, room, name):
    """Returns the files of a set, in UTF-8."""
    files = []
    for path in sorted((folder / name).glob("*.asn")):
        copy = room / name / path.name
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(path.read_bytes().decode("utf-8", errors="replace"))
        files.append(copy)
    return files


class Pycrate:
    """The types that pycrate compiles from modules."""

    def __init__(self, files, path):
        from pycrate_asn1rt.glob import GLOBAL as LOADED

        # Sets have modules of the same names.
        LOADED.clear()
        if not path.exists():
            from pycrate_asn1c.asnproc import GLOBAL, PycrateGenerator, compile_text

            with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):
                compile_text([file.read_text() for file in files])
                PycrateGenerator(dest=str(path))
                GLOBAL.clear()
        spec = importlib.util.spec_from_file_location(path.stem, path)
        spec.loader.exec_module(importlib.util.module_from_spec(spec))
        self.loaded = LOADED.MOD

    def __call__(self, module, name):
        return self.loaded[module][name] if name in self.loaded[module] else None

    def modules(self):
        return [module for module in self.loaded if not module.startswith("_")]


def messages(tagwise, test, which, report):
    """Decodes and encodes the messages of a set in pycrate's tests."""
    tree = ast.parse(test.read_text())
    found = {
        node.targets[0].id: [word.value for word in ast.walk(node.value) if isinstance(word, ast.Constant)]
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    }
    for variable, places, of, name in MESSAGES:
        if of != which:
            continue
        for text in found[variable][places]:
            is_ok, answer = tagwise.ask("recode", SETS[of], name, text)
            report.add(("messages", of, variable), is_ok and answer == text.upper(), text, answer)


class Report:
    def __init__(self):
        self.counts, self.different, self.examples = collections.Counter(), collections.Counter(), {}

    def add(self, key, is_same, text, answer):
        self.counts[(*key[:2], is_same)] += 1
        if not is_same:
            self.different[key] += 1
            self.examples.setdefault(key, (text[:120], answer[:160]))


def values(tagwise, find, which, report):
    """Compares values of each type of a set."""
    rules = SETS[which]
    _, names = tagwise.ask("names", "-", "-", "-")
    for full in names.split():
        module, name = full.split(".")
        is_ok, rest = tagwise.ask("values", rules, full, COUNT)
        encodings = rest.split() if is_ok else []
        if not is_ok:
            report.add(("values", which, name), False, "", rest)
        if not encodings:
            report.counts[("values", which, "types without values")] += 1
            continue
        try:
            ty = find(module, name)
            read, write = getattr(ty, f"from_{rules}"), getattr(ty, f"to_{rules}")
        except Exception as error:  # Each is a difference.
            report.add(("values", which, name), False, "", repr(error))
            continue
        for text in encodings:
            try:
                read(bytes.fromhex(text))
                answer = write().hex().upper()
            except Exception as error:  # Each is a difference.
                answer = repr(error)
            report.add(("values", which, name), answer == text, text, answer)


def known():
    rows = [line.split("\t") for line in (HERE / "telecom.tsv").read_text().splitlines() if line and line[0] != "#"]
    return {(kind, which, name): int(count) for kind, which, name, count, _clause, _reason in rows}


def constructed(tagwise, find, which, report, rows):
    """Compares the messages of messages.py with pycrate, contents of strings included."""
    rules = SETS[which]
    for of, name, value in MESSAGES_AS_JSON:
        if of != which:
            continue
        is_ok, text = tagwise.ask("encode", rules, name, json.dumps(value))
        if not is_ok:
            report.add(("constructed", which, name), False, "", text)
            continue
        _, decoded = tagwise.ask("decode", rules, name, text)
        report.add(("constructed", which, name), decoded and json.loads(decoded) == value, text, decoded)
        try:
            ty = next(ty for module in find.modules() if (ty := find(module, name)))
            getattr(ty, f"from_{rules}")(bytes.fromhex(text))
            again = getattr(ty, f"to_{rules}")().hex().upper()
            # It prints contents of strings as values, too.
            printed = json.loads(ty.to_jer())
        except Exception as error:  # Each is a difference.
            again, printed = repr(error), None
        report.add(("constructed", which, name), again == text, text, again)
        is_same = printed is not None and plain(printed) == plain(value)
        report.add(("constructed", which, name), is_same, text, json.dumps(printed))
        if which == "ngap":
            rows.append((which, rules, name, text))


def plain(value):
    """JER without what differs between tools: the level above contents of strings, which is the type's name in pycrate, the lengths of
    bit strings with an extensible size, and the case of hexadecimal digits."""
    if isinstance(value, dict):
        name = next(iter(value), "")
        if len(value) == 1 and (name == "containing" or name[0].isupper()):
            return plain(value[name])
        if set(value) == {"value", "length"}:
            return plain(value["value"])
        return {name: plain(part) for name, part in value.items()}
    if isinstance(value, list):
        return [plain(part) for part in value]
    return value.upper() if isinstance(value, str) else value


def main(recoder, room, folder, pycrate, file, *names):
    room, folder = pathlib.Path(room), pathlib.Path(folder)
    room.mkdir(parents=True, exist_ok=True)
    listed, status, rows = known(), 0, []
    for which in names or SETS:
        report = Report()
        files = modules(folder, room, which)
        tagwise = Tagwise(recoder, files)
        messages(tagwise, pathlib.Path(pycrate) / "test/test_asn1rt.py", which, report)
        find = Pycrate(files, room / f"pycrate_{which.replace('-', '_')}.py")
        constructed(tagwise, find, which, report, rows)
        values(tagwise, find, which, report)
        tagwise.close()
        counts = "; ".join(f"{kind}, {what}: {count}" for (kind, _, what), count in report.counts.items())
        print(f"{which}: {counts.replace('True', 'same').replace('False', 'different')}", flush=True)
        for key in sorted(set(report.different) | {key for key in listed if key[1] == which}):
            if report.different[key] != listed.get(key, 0):
                status = 1
                print("\t".join([*key, str(report.different[key])]), "listed:", listed.get(key, 0), *report.examples.get(key, ()))
    with open(file, "a") as out:
        out.writelines("\t".join(row) + "\n" for row in rows)
    return status


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
