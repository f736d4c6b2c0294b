#!/usr/bin/env python3
"""Compares PER, OER and XER encodings with asn1tools.

    peers.py RECODER GENERATED ASN1TOOLS PYCRATE MESSAGES

RECODER is the example `per` of tagwise-tables, GENERATED the program of this folder, ASN1TOOLS and PYCRATE the unpacked source
distributions of the peers. First, asn1tools' own tests run: each message that they encode or decode is decoded and encoded again by
Tagwise. The same is done with messages in pycrate's tests. Then, random bits are read as each type of the modules, and asn1tools
decodes and encodes the values. Generated Rust decodes and encodes all messages and values of its modules, too. Its
messages are written to the file MESSAGES, for benchmarks: the set, the encoding rules, the type and the encoding. `./x per-peers` calls it.

EXPLAINED and TYPES list the known differences with their clauses. Any other one fails.
"""

import ast
import collections
import contextlib
import glob
import os
import random
import re
import runpy
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

RULES = {"uper": "uper", "per": "aper", "oer": "oer", "xer": "xer"}

# Encodings in the tests, alone or behind their rules and type, with the clause that asn1tools deviates from or that is not supported here.
EXPLAINED = [
    ("", "X.691 11.1.3.1: an encoding without bits is one zero byte"),
    ("c05000", "X.691 11.6.2: the length of a normally small number is aligned"),
    ("c07fc0", "X.691 11.6.2"),
    ("c0804000", "X.691 11.6.2"),
    ("c08040c0", "X.691 11.6.2"),
    ("c04000", "X.691 11.2: the contents of an open type are at least one byte"),
    ("8f", "an unknown item of an ENUMERATED has no number"),
    ("80800180", "X.691 19.5: the DEFAULT value of an addition is left out when it is encoded again"),
    ("8080c000", "X.691 19.5"),
    ("09050000029a0045", "the modules that MAPEM imports are not among the files"),
    ("1232303830313030393133303030352e333432", "a local time has no DER encoding"),
    ("666f6f", "X.696 27: a UTF8String has a length"),
    ("3c413e3139393230373232313332312e335a3c2f413e", "X.680 46.3: the fraction is one of minutes"),
    ("aper J 01", "X.691 30.5.2: a character of an alphabet with one has a bit in ALIGNED PER"),
    ("aper K 01", "X.691 30.5.2"),
    ("3c413e3132333c2f413e", "an odd number of hexadecimal digits is refused"),
]

# Types whose random values asn1tools reads or writes differently.
TYPES = {
    "ObjectSyntax": "X.691 23.4: alternatives are in the order of their tags, universal ones too",
    "SimpleSyntax": "X.691 23.4",
    "EcpkParameters": "X.691 23.4",
    "CCMParameters": "X.691 10.3: a union of single values is visible",
    "GCMParameters": "X.691 10.3",
    "UnknownLatitude": "X.691 10.3: a constraint to one value that has a name is visible",
    "UnknownLongitude": "X.691 10.3",
    "Vector": "X.680 13.4: EXTENSIBILITY IMPLIED extends ENUMERATED, too",
}


# The modules that generated Rust has, by a file of each set.
SETS = {"rrc_8_6_0.asn": "rrc", "s1ap_14_4_0.asn": "s1ap", "cam_pdu_descriptions_1_3_2.asn": "cam"}

# Messages in pycrate's tests: the variable, the encoding rules, the type and the module.
PYCRATE = [
    ("pkts_s1ap", "aper", "S1AP-PDU", "s1ap_14_4_0.asn"),
    ("pkts_nbiot", "uper", "BCCH-DL-SCH-Message-NB", "rrc_14_4_0.asn"),
]

# Control characters in XML.
CONTROLS = re.compile(
    "<(nul|soh|stx|etx|eot|enq|ack|bel|bs|vt|ff|so|si|dle|dc[1-4]|nak|syn|etb|can|em|sub|esc|is[1-4])/>|&#xD;"
)

# Modules of the tests that are not valid ASN.1.
INVALID = ["all_types.asn"]


def tree(data):
    """An XML document without the differences that BASIC-XER allows: white-space, empty-element tags and forms of numbers."""

    def node(element):
        children = [node(child) for child in element]
        text = element.text or ""
        if children:
            # Control characters are elements in text.
            text = text.strip() and text + "".join(child.tail or "" for child in element)
        elif "E" in text:
            try:
                text = float(text)
            except ValueError:
                pass
        return element.tag, text, children

    return node(xml.etree.ElementTree.fromstring(data.decode()))


class Tagwise:
    """The recoder with some modules."""

    def __init__(self, recoder, files):
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            [recoder, *files], stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True
        )

    def ask(self, *words):
        try:
            self.process.stdin.write(" ".join(words) + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            return "refused"
        return self.process.stdout.readline().strip() or "refused"


class Generated(Tagwise):
    """Generated Rust for the modules of some files, or nothing for others."""

    def __init__(self, program, files):
        sets = [SETS[os.path.basename(file)] for file in files if os.path.basename(file) in SETS]
        self.process, self.sets = None, sets
        if len(sets) == 1:
            super().__init__(program, sets)

    def differs(self, rules, name, data, expected):
        """Returns what generated Rust makes of an encoding, if it is not what the engine makes of it."""
        if self.process is None or rules not in ("uper", "aper", "cuper", "caper"):
            return None
        answer = self.ask("recode", rules, name, data)
        # Types without a struct or enum of their own have no code.
        if answer in (expected, "unknown"):
            return None
        return f"generated Rust: {answer}, expected {expected}"


class Checked:
    """A specification of asn1tools whose messages Tagwise reads, too."""

    def __init__(self, real, rules, files, report):
        self.real, self.rules, self.report = real, rules, report
        self.files, self.tagwise, self.generated, self.seen = files, None, None, set()

    def __getattr__(self, name):
        return getattr(self.real, name)

    def check(self, name, data):
        text = bytes(data).hex()
        if (name, text) in self.seen:
            return
        self.seen.add((name, text))
        self.tagwise = self.tagwise or Tagwise(self.report.recoder, self.files)
        self.generated = self.generated or Generated(self.report.generated, self.files)
        answer = self.tagwise.ask("recode", self.rules, name, text)
        self.report.compare(self.generated, self.rules, name, text, answer)
        is_same = answer == f"ok {text.upper()}".strip()
        if self.rules == "xer" and answer.startswith("ok "):
            again = bytes.fromhex(answer[3:])
            # Times and hexadecimal digits have several forms.
            is_same = tree(again) == tree(bytes(data)) or self.real.decode(name, again) == self.real.decode(name, bytes(data))
        if answer == "refused" and any(os.path.basename(file) in INVALID for file in self.files):
            self.report.counts["explained"] += 1
            return
        self.report.add(f"{self.rules} {name}", text, is_same, answer)

    def encode(self, name, data, **options):
        encoded = self.real.encode(name, data, **options)
        self.check(name, encoded)
        return encoded

    def decode(self, name, data, **options):
        value = self.real.decode(name, data, **options)
        self.check(name, data)
        return value


class Report:
    def __init__(self, recoder, generated):
        self.recoder, self.generated = recoder, generated
        self.counts, self.failed, self.messages = collections.Counter(), [], []

    def compare(self, generated, rules, name, data, expected):
        """Compares generated Rust with the answer of the engine."""
        if generated.process is None or rules not in ("uper", "aper"):
            return
        different = generated.differs(rules, name, data, expected)
        self.counts["different" if different else "generated"] += 1
        if different:
            self.failed.append(f"{rules} {name} {data[:80]}: {different[:240]}")
        else:
            self.messages.append((generated.sets[0], rules, name, data))

    def programs(self):
        return [(Tagwise, self.recoder), (Generated, self.generated)]

    def add(self, place, text, is_same, answer):
        explained = any(encoding in (text, f"{place} {text}") for encoding, _ in EXPLAINED)
        result = "same" if is_same else "explained" if explained else "different"
        self.counts[result] += 1
        if result == "different":
            self.failed.append(f"{place} {text[:80]}: {answer[:160]}")


def real_messages(asn1tools, report, room):
    compile_files, compile_string = asn1tools.compile_files, asn1tools.compile_string
    compile_dict = asn1tools.compile_dict

    def files(names, codec="ber", *more, **options):
        real = compile_files(names, codec, *more, **options)
        names = [names] if isinstance(names, str) else names
        return Checked(real, RULES[codec], [os.path.abspath(name) for name in names], report) if codec in RULES else real

    def string(text, codec="ber", *more, **options):
        real = compile_string(text, codec, *more, **options)
        if codec not in RULES:
            return real
        with tempfile.NamedTemporaryFile("w", suffix=".asn1", delete=False, dir=room) as file:
            file.write(text)
        return Checked(real, RULES[codec], [file.name], report)

    # Many tests have the modules in a form that asn1tools has parsed, beside the files.
    parsed = {}
    for path in glob.glob("tests/files/**/*.asn", recursive=True):
        with contextlib.suppress(FileNotFoundError):
            parsed[path] = runpy.run_path(f"{path[:-4]}.py").get("EXPECTED")

    def modules(specification, codec="ber", *more, **options):
        names = [path for path, known in parsed.items() if codec in RULES and known == specification]
        real = compile_dict(specification, codec, *more, **options)
        return Checked(real, RULES[codec], [os.path.abspath(name) for name in names[:1]], report) if names else real

    asn1tools.compile_files, asn1tools.compile_string, asn1tools.compile_dict = files, string, modules
    tests = unittest.defaultTestLoader.loadTestsFromNames(["tests.test_per", "tests.test_uper", "tests.test_oer", "tests.test_xer"])
    with open(os.devnull, "w") as nowhere:
        unittest.TextTestRunner(stream=nowhere, verbosity=0).run(tests)
    asn1tools.compile_files, asn1tools.compile_string = compile_files, compile_string
    asn1tools.compile_dict = compile_dict


def pycrate_messages(report, sources, folder):
    """Messages in pycrate's tests, whose modules are among those of asn1tools."""
    with open(os.path.join(folder, "test/test_asn1rt.py")) as file:
        tree = ast.parse(file.read())
    found = {
        node.targets[0].id: [word.value for word in ast.walk(node.value) if isinstance(word, ast.Constant)]
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    }
    for variable, rules, name, module in PYCRATE:
        files = [os.path.join(sources, "tests/files/3gpp", module)]
        tagwise, generated = Tagwise(report.recoder, files), Generated(report.generated, files)
        for text in found[variable]:
            text = text.decode() if isinstance(text, bytes) else text
            answer = tagwise.ask("recode", rules, name, text)
            report.add(f"{rules} {name}", text, answer == f"ok {text.upper()}", answer)
            report.compare(generated, rules, name, text, answer)


def random_values(asn1tools, report):
    random.seed(7)
    for path in sorted(glob.glob("tests/files/*/*.asn") + glob.glob("tests/files/*.asn")):
        try:
            peers = {rules: asn1tools.compile_files(path, codec) for codec, rules in RULES.items() if rules not in ("oer", "xer")}
        except Exception:  # Modules without those that they import.
            continue
        tagwise, generated = (kind(program, [os.path.abspath(path)]) for kind, program in report.programs())
        for name in peers["uper"].types:
            for rules, peer in peers.items():
                for size in [4, 20, 60, 200] * 3:
                    answer = tagwise.ask("random", rules, name, random.randbytes(size).hex())
                    if answer.startswith("ok "):
                        octets = answer.split(" ")[1]
                        report.compare(generated, rules, name, octets, tagwise.ask("recode", rules, name, octets))
                    # Unknown parts and other versions' additions are not kept by asn1tools.
                    if not answer.startswith("ok ") or any(mark in answer for mark in ('"$uper"', '"$aper"', '"$count')):
                        continue
                    text = answer.split(" ")[1]
                    try:
                        again = peer.encode(name, peer.decode(name, bytes.fromhex(text))).hex().upper()
                    except Exception as error:
                        again = repr(error)
                    # An encoding without bits is empty for asn1tools.
                    if again != text and (not again or name in TYPES):
                        report.counts["explained"] += 1
                        continue
                    report.add(f"{path} {rules} {name}", text, again == text, again)


def random_xml(asn1tools, report):
    """Random bits are read as UPER; the values go through the XML of both."""
    random.seed(7)
    for path in sorted(glob.glob("tests/files/*/*.asn") + glob.glob("tests/files/*.asn")):
        try:
            peer = asn1tools.compile_files(path, "xer")
        except Exception:  # Modules without those that they import.
            continue
        tagwise = Tagwise(report.recoder, [os.path.abspath(path)])
        for name in peer.types:
            for size in [4, 20, 60, 200] * 3:
                answer = tagwise.ask("random", "uper", name, random.randbytes(size).hex())
                # asn1tools has no contents constraints in XML.
                if not answer.startswith("ok ") or '"$' in answer or '"containing"' in answer:
                    continue
                answer = tagwise.ask("encode", "xer", name, answer.split(" ", 2)[2])
                if not answer.startswith("ok "):
                    report.add(f"{path} xer {name}", "", "not supported" in answer, answer)
                    continue
                data = bytes.fromhex(answer[3:])
                try:
                    again = peer.encode(name, peer.decode(name, data))
                    # It writes components with their DEFAULT value (X.693 8.3).
                    recoded = tagwise.ask("recode", "xer", name, again.hex())
                    is_same = tree(again) == tree(data) or recoded == f"ok {data.hex().upper()}"
                except Exception as error:
                    again, is_same = repr(error), False
                # asn1tools loses control characters, which are elements in strings (X.680 12.15.5), and writes carriage returns as they are.
                if not is_same and CONTROLS.search(data.decode()):
                    report.counts["explained"] += 1
                    continue
                # Values of earlier versions have no extension additions (X.680 25.15), which asn1tools requires.
                if "not found in" in str(again):
                    report.counts["explained"] += 1
                    continue
                report.add(f"{path} xer {name}", data.decode(), is_same, str(again))


def main(recoder, generated, sources, pycrate, messages):
    recoder, generated, sources, pycrate, messages = map(
        os.path.abspath, (recoder, generated, sources, pycrate, messages)
    )
    os.chdir(sources)
    sys.path.insert(0, os.getcwd())
    import asn1tools

    status, real = 0, []
    comparisons = [
        ("messages of asn1tools' tests", real_messages),
        ("messages of pycrate's tests", pycrate_messages),
        ("random values", random_values),
        ("random values in XML", random_xml),
    ]
    for title, compare in comparisons:
        report = Report(recoder, generated)
        with tempfile.TemporaryDirectory() as room:
            arguments = {real_messages: [asn1tools, report, room], pycrate_messages: [report, sources, pycrate]}
            compare(*arguments.get(compare, [asn1tools, report]))
        if compare in (real_messages, pycrate_messages):
            real += report.messages
        print(f"{title}: {dict(report.counts)}")
        for line in report.failed[:20]:
            print(f"  {line}")
        status |= bool(report.failed)
    with open(messages, "w") as file:
        file.writelines("\t".join(message) + "\n" for message in real)
    return status


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
