"""Compares what `tagwise show --json` and PyCA cryptography say, field by field.

`agree.py TAGWISE CORPORA [--bless]`: all certificates of ccadb, and the certificates, requests, CRLs and OCSP messages of pyca.
Every disagreement stands in tests/register/agreement.tsv with its reason, and every row there must be met; reasons are in
reasons.tsv beside this file. The counts go to bench/results/agreement.md.
"""

import collections
import csv
import datetime
import json
import pathlib
import subprocess
import sys
import warnings

import cryptography

import ours
import theirs

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
REGISTER = ROOT / "tests/register/agreement.tsv"
REPORT = ROOT / "bench/results/agreement.md"
COLUMNS = ["item", "field", "tagwise", "cryptography", "reason"]
LONG = 120
AT_ONCE = 500


def shown(value):
    """A value for the register: short, in one line."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=True, default=plain)
    text = text.encode("unicode_escape").decode("ascii")
    return text if len(text) <= LONG else f"{text[:LONG]}…{len(text)}"


def plain(value):
    return getattr(value, "hex", None) or getattr(value, "value", None) or type(value).__name__


class Comparison:
    """Walks two values side by side; counts what is equal, notes what is not."""

    def __init__(self, item):
        self.verdict = verdict(item)
        self.equal = collections.Counter()
        self.ours_only = collections.Counter()
        self.differ = []

    def walk(self, path, one, other):
        field = path.split("[")[0].split(".")[0]
        if isinstance(one, ours.Typed):
            return self.typed(path, field, one, other)
        if isinstance(other, theirs.Octets):
            if isinstance(one, str):
                return self.leaf(path, field, one, other.hex)
            self.ours_only[field] += 1
            return None
        if isinstance(one, ours.Text):
            if isinstance(other, str) and not other.startswith("!") and one.holds(bytes.fromhex(other)):
                self.equal[field] += 1
            else:
                self.differ.append((path, one.characters, other))
            return None
        if isinstance(one, (dict, list)) and isinstance(other, str) and other.startswith("!") and path != "parameters":
            # They stop at the first error; we go on behind it.
            self.differ.append((path, f"read; {self.verdict}", other))
            return None
        if isinstance(one, dict) and isinstance(other, dict) and one.get("kind") != other.get("kind"):
            return self.leaf(path, field, one, other)
        if isinstance(one, ours.Half):
            return self.leaf(path, field, one.parity, other & 1 if isinstance(other, int) else other)
        if isinstance(one, dict) and isinstance(other, dict):
            for key in sorted(one.keys() | other.keys()):
                self.walk(f"{path}.{key}" if path else key, one.get(key), other.get(key))
            return None
        if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
            for index, (left, right) in enumerate(zip(one, other)):
                self.walk(f"{path}[{index}]", left, right)
            if not one:
                self.equal[field] += 1
            return None
        return self.leaf(path, field, one, other)

    def typed(self, path, field, one, other):
        """What we name by its meaning and they give as octets: a string is held to the characters in them."""
        if isinstance(one.value, str) and isinstance(other, str) and not other.startswith("!"):
            text = ours.element(bytes.fromhex(other))[1].decode("utf-8", "replace")
            if one.value.endswith(text):
                self.equal[field] += 1
                return
        if isinstance(other, str) and other.startswith("!"):
            self.differ.append((path, one.value, other))
            return
        self.ours_only[field] += 1

    def leaf(self, path, field, one, other):
        if type(one) is type(other) and one == other:
            self.equal[field] += 1
        else:
            self.differ.append((path, one, other))


def verdict(item):
    """What strict reading finds wrong: the first error, or what `--allow all` tolerated."""
    errors = [f"{error['code']} at {error.get('offset', 0)}" for error in item.get("errors", [])]
    errors += [f"{note['rule']} at {note['offset']}" for note in item.get("notes", [])]
    return "strictly: " + ", ".join(errors) if errors else "strictly too"


def show(tagwise, octets):
    """The items that are found in octets."""
    run = subprocess.run(
        [tagwise, "show", "--json", "--allow", "all", "--entries", "all", "-"], input=octets, capture_output=True
    )
    if run.returncode not in (0, 1):
        sys.exit(f"agree: {tagwise} ended with {run.returncode}: {run.stderr.decode()}")
    [file] = json.loads(run.stdout)["files"]
    return file["items"]


def ccadb(tagwise, corpora):
    """Item name, kind, octets, what we say."""
    octets = (corpora / "ccadb/certs.der").read_bytes()
    with open(corpora / "ccadb/index.csv", newline="") as file:
        rows = [(row["sha256"], int(row["offset"]), int(row["length"])) for row in csv.DictReader(file)]
    for start in range(0, len(rows), AT_ONCE):
        part = rows[start : start + AT_ONCE]
        first, end = part[0][1], part[-1][1] + part[-1][2]
        items = show(tagwise, octets[first:end])
        if len(items) != len(part):
            sys.exit(f"agree: {len(items)} items of {len(part)}")
        for (digest, offset, length), item in zip(part, items):
            if item["fingerprints"]["sha256"] != digest.lower():
                sys.exit(f"agree: {digest} is another certificate here")
            yield f"ccadb/{digest[:16]}", "certificate", octets[offset : offset + length], item


def pyca(tagwise, corpora):
    """The same of every file of pyca that has one of these types in it."""
    import base64
    import re

    block = re.compile(rb"-----BEGIN ([A-Z0-9 ]+)-----(.*?)-----END", re.S)
    for path in sorted((corpora / "pyca").rglob("*")):
        if not path.is_file():
            continue
        octets = path.read_bytes()
        name = path.relative_to(corpora)
        parts = [(None, octets)]
        if b"-----BEGIN" in octets:
            parts = []
            for label, body in block.findall(octets):
                # Headers of RFC 1421 end at an empty line.
                body = body.split(b"\n\n")[-1] if b": " in body else body
                try:
                    parts.append((label.decode(), base64.b64decode(body, validate=False)))
                except ValueError:
                    continue
        for number, (label, der) in enumerate(parts):
            kind = kind_of(label, name)
            if kind is None:
                continue
            items = show(tagwise, der)
            item = next((item for item in items if item["kind"] == kind), None)
            key = f"{name}#{number}" if label else str(name)
            if item is None:
                found = items[0]["kind"] if items else "nothing"
                item = {"errors": [{"code": f"taken for {found}"}]}
            yield key, kind, der, item


def kind_of(label, path):
    """By its PEM label, or what pyca's folders and names say of a DER file."""
    labels = {
        "CERTIFICATE": "certificate",
        "X509 CERTIFICATE": "certificate",
        "X509 CRL": "crl",
        "CERTIFICATE REQUEST": "certification-request",
        "NEW CERTIFICATE REQUEST": "certification-request",
    }
    if label is not None:
        return labels.get(label)
    parts, name = path.parts, path.name
    if path.suffix != ".der" or "x509" not in parts:
        return None
    if "ocsp" in parts:
        return "ocsp-request" if "req" in name.split(".")[-2].split("-") or name.startswith("req") else "ocsp-response"
    if "requests" in parts:
        return "certification-request"
    return "crl" if name.startswith("crl") else "certificate"


def read_rows(path):
    if not path.exists():
        return {}
    with open(path, encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file][1:]
    return {(row[0], row[1]): row for row in rows}


def reasons():
    with open(HERE / "reasons.tsv", encoding="utf-8") as file:
        return {line.split("\t")[0]: line.rstrip("\n").split("\t") for line in file if line.strip()}


def main():
    # It warns where it takes what it should not.
    warnings.simplefilter("ignore")
    arguments = [argument for argument in sys.argv[1:] if argument != "--bless"]
    bless = "--bless" in sys.argv
    tagwise, corpora = arguments[0], pathlib.Path(arguments[1])
    registered, found = read_rows(REGISTER), {}
    counts = {}
    for label, source in (("ccadb", ccadb), ("pyca", pyca)):
        for key, kind, der, item in source(tagwise, corpora):
            row = counts.setdefault((label, kind), collections.Counter())
            compared = Comparison(item)
            compared.walk("", ours.read(kind, item), theirs.read(kind, der))
            row["items"] += 1
            row["agree"] += not compared.differ
            row["fields"] += compared.equal.total()
            row["ours only"] += compared.ours_only.total()
            row["differences"] += len(compared.differ)
            for path, one, other in compared.differ:
                found[key, path] = [key, path, shown(one), shown(other)]
    known = reasons()
    failures = []
    rows = []
    for key, row in sorted(found.items()):
        old = registered.get(key)
        reason = old[4] if old and len(old) > 4 else "?"
        rows.append([*row, reason])
        if reason not in known:
            failures.append("no reason: " + "\t".join(row))
        elif old[:4] != row and not bless:
            failures.append("otherwise: " + "\t".join(row))
    failures += [f"not met any more: {item} {field}" for item, field in registered.keys() - found.keys() if not bless]
    unused = known.keys() - {row[4] for row in rows}
    failures += [f"a reason for nothing: {reason}" for reason in sorted(unused)]
    if bless:
        with open(REGISTER, "w", encoding="utf-8") as file:
            file.writelines("\t".join(row) + "\n" for row in [COLUMNS, *rows])
    report(counts, rows, known)
    for failure in failures[:200]:
        print(failure)
    total = sum(row["items"] for row in counts.values())
    print(f"{total} items, {len(rows)} disagreements, {len(failures)} of them not explained, or otherwise than registered")
    sys.exit(1 if failures else 0)


def report(counts, rows, known):
    """The counts as a page."""
    lines = [
        "# Agreement with PyCA cryptography",
        "",
        f"`./x agree`, {datetime.date.today()}: `tagwise show --json --allow all` and cryptography {cryptography.__version__}, field by field:",
        "version, serial number, every attribute of names, validity, key and its numbers, signature algorithm, parameters and octets, every",
        "extension's identifier, criticality and fields, entries of CRLs, statuses of OCSP. A field is a leaf: a text, a number, a time.",
        "",
        "| set | kind | items | in full agreement | fields equal | fields only Tagwise takes apart | disagreements |",
        "|---|---|---|---|---|---|---|",
    ]
    for (label, kind), row in counts.items():
        lines.append(
            f"| {label} | {kind} | {row['items']:,} | {row['agree']:,} | {row['fields']:,} | {row['ours only']:,} | {row['differences']:,} |"
        )
    by_reason = collections.Counter(row[4] for row in rows)
    lines += ["", "Every disagreement stands in `tests/register/agreement.tsv` with one of these reasons:", "", "| reason | rows | what decides |", "|---|---|---|"]
    for reason, count in by_reason.most_common():
        lines.append(f"| {reason} | {count:,} | {(known.get(reason) or ['', '?'])[1]} |")
    REPORT.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
