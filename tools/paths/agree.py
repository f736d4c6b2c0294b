"""Compares the verdicts of `tagwise verify` with those of OpenSSL, Go, rustls-webpki and PyCA cryptography, case by case.

`agree.py --tagwise FILE [--openssl FILE] [--go FILE] [--webpki FILE] [--pyca] --corpora FOLDER [--count N] [--scratch FOLDER]
[--answers FILE]`: PKITS, x509-limbo and N generated hierarchies. Each difference must have a reason in reasons.tsv beside this file:
the first row whose peer, direction and pattern fit. The pattern is looked for in the case's name, Tagwise's answer, the peer's, and the
facts about Tagwise's path (facts.py), with tabs between. Where a set itself expects another verdict than Tagwise, the peer is `set`.
Without a reason, or with a row that one of its peers does not need, the exit code is 1.

The matrix goes to bench/results/paths.md, unless N is smaller than the default: a sample does not meet every difference, so that it
writes no page, and rows that it does not need are none of its business. `--answers` writes every verdict as JSON.
"""

import argparse
import collections
import csv
import json
import pathlib
import platform
import re
import subprocess
import sys
import tempfile

import cases
import facts
import generate
import peers

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
REPORT = ROOT / "bench/results/paths.md"
PEERS = ("openssl", "go", "webpki", "pyca")
# The generated hierarchies that the page has.
COUNT = 2000


def arguments():
    parser = argparse.ArgumentParser()
    for name in ("tagwise", "openssl", "go", "webpki", "corpora", "scratch"):
        parser.add_argument(f"--{name}", type=pathlib.Path, required=name in ("tagwise", "corpora"))
    parser.add_argument("--pyca", action="store_true")
    parser.add_argument("--count", type=int, default=COUNT)
    parser.add_argument("--answers", type=pathlib.Path)
    return parser.parse_args()


def reasons():
    with (HERE / "reasons.tsv").open(newline="") as file:
        return [row | {"used": set()} for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)]


def reason_of(table, peer, direction, ours, theirs, name, path):
    text = f"{name}\t{ours}\t{theirs}\t{path}"
    for row in table:
        if peer in row["peers"].split(",") and row["direction"] == direction and re.search(row["pattern"], text):
            row["used"].add(peer)
            return row["reason"]
    return None


def versions(options):
    said = lambda *words: subprocess.run(words, capture_output=True, text=True).stdout.strip()
    rows = {"tagwise": said(options.tagwise, "--version")}
    if options.openssl:
        rows["openssl"] = " ".join(said(options.openssl, "version").split()[:2])
    if options.go:
        rows["go"] = "crypto/x509 of " + said("go", "version").split()[2]
    if options.webpki:
        lock = (HERE / "webpki/Cargo.lock").read_text()
        rows["webpki"] = "rustls-webpki " + re.search(r'name = "rustls-webpki"\nversion = "([^"]+)"', lock).group(1)
    if options.pyca:
        import cryptography
        rows["pyca"] = f"cryptography {cryptography.__version__} on Python {platform.python_version()}"
    return rows


def main():
    options = arguments()
    every = cases.pkits(options.corpora) + cases.limbo(options.corpora) + generate.generated(options.count)
    with tempfile.TemporaryDirectory(dir=options.scratch) as scratch:
        peers.write(pathlib.Path(scratch), every)
        answers = {"tagwise": peers.tagwise(options.tagwise, every)}
    answers |= {name: ask(options, name, every) for name in PEERS if getattr(options, name)}
    alone(options, every, answers)
    table = reasons()
    answers["set"] = {case["id"]: (case["expected"], "as the set expects") for case in every if case["expected"] is not None}
    if options.answers:
        options.answers.write_text(json.dumps(answers))
    text, unexplained = report(every, answers, table, versions(options))
    is_sample = options.count < COUNT
    if not is_sample:
        REPORT.write_text(text)
    stale = [] if is_sample else unneeded(table, answers)
    for peer, direction, name, ours, theirs in unexplained:
        print(f"unexplained\t{peer}\t{direction}\t{name}\t{ours}\t{theirs}", file=sys.stderr)
    for peer, row in stale:
        print(f"not needed\t{peer}\t{row['direction']}\t{row['pattern']}", file=sys.stderr)
    page = "a sample, without a page" if is_sample else REPORT.relative_to(ROOT)
    print(f"{len(every)} cases; {page}; {len(unexplained)} unexplained, {len(stale)} reasons that a peer does not need")
    return 1 if unexplained or stale else 0


def unneeded(table, answers):
    """The rows that explain nothing about a peer that they name."""
    return [(peer, row) for row in table for peer in row["peers"].split(",") if peer in answers and peer not in row["used"]]


def ask(options, name, some):
    """The answers of one peer."""
    if name == "pyca":
        return peers.pyca(some)
    if name != "openssl":
        return getattr(peers, name)(getattr(options, name), some)
    with tempfile.TemporaryDirectory(dir=options.scratch) as scratch:
        peers.write(pathlib.Path(scratch), some)
        return peers.openssl(options.openssl, some)


def alone(options, every, answers):
    """Asks each peer once more what it alone refuses, with the certificates of Tagwise's path and no others. If it accepts these, it
    has tried others; if not, it says what is wrong with this path."""
    from cryptography import x509
    for name, given in answers.items():
        if name == "tagwise":
            continue
        some = []
        for case in every:
            ours = answers["tagwise"][case["id"]]
            # Certificates beside the path may be those of signers of CRLs.
            if ours[0] and not case["crls"] and case["id"] in given and not given[case["id"]][0]:
                on_path = lambda der: x509.load_der_x509_certificate(der).serial_number in ours[2][1:]
                some.append(case | {"pool": [der for der in case["pool"] if on_path(der)]})
        for number, answer in ask(options, name, some).items():
            given[number] = (False, f"another path was tried: {given[number][1]}" if answer[0] else answer[1])


def claims(every, answers):
    """What the verdicts say of each set that expects some."""
    lines = []
    for name in dict.fromkeys(case["set"] for case in every if case["expected"] is not None):
        own = [case for case in every if case["set"] == name and case["expected"] is not None]
        bad = [case["id"] for case in own if not case["expected"]]
        accepted = [number for number in bad if answers["tagwise"][number][0]]
        good = [case["id"] for case in own if case["expected"]]
        refused = [number for number in good if not answers["tagwise"][number][0]]
        named = lambda ids: f" ({', '.join(f'`{number}`' for number in ids)})" if ids else ""
        lines.append(f"- Of the {len(bad)} paths that {name} expects to be refused, Tagwise accepts {len(accepted)}{named(accepted)}; of the "
                     f"{len(good)} that it expects to be valid, it refuses {len(refused)}{named(refused)}.")
    return lines


def report(every, answers, table, version):
    sets = list(dict.fromkeys(case["set"] for case in every))
    lines = ["# Verdicts on paths", "",
             "The verdicts of `tagwise verify` and of its peers on the same cases, by `./x agree-paths`: PKITS, x509-limbo's core set, and",
             "generated hierarchies. A case that a peer has no means for (policies, CRLs, limits of length, mailboxes) is not counted there.",
             "Each cell has the cases that are as the set expects, or as Tagwise decides for generated ones, of those counted; then, after `+`,",
             "those that Tagwise alone accepts, and after `-`, those that the peer alone accepts. Every difference has a reason below, with",
             "the clause that decides; `set` there is what the set itself expects.", "", *claims(every, answers), "",
             "| verifier | " + " | ".join(sets) + " |", "|---|" + "---|" * len(sets)]
    reasons_by = {}
    unexplained = []
    for peer, given in answers.items():
        cells = []
        for name in sets:
            own = [case for case in every if case["set"] == name and case["id"] in given]
            if not own or peer == "tagwise" and own[0]["expected"] is None:
                cells.append("")
                continue
            good, alone = 0, collections.Counter()
            for case in own:
                ours, theirs = answers["tagwise"][case["id"]], given[case["id"]]
                good += theirs[0] == (ours[0] if case["expected"] is None else case["expected"])
                if ours[0] == theirs[0]:
                    continue
                direction = "only-tagwise" if ours[0] else "only-peer"
                alone[direction] += 1
                reason = reason_of(table, peer, direction, ours[1], theirs[1], case["id"], facts.of_path(case, ours))
                if reason is None:
                    unexplained.append((peer, direction, case["id"], ours[1], theirs[1]))
                    reason = "not explained"
                reasons_by.setdefault((direction, reason), {}).setdefault(peer, []).append(case["id"])
            both = "" if peer == "tagwise" else f" (+{alone['only-tagwise']} -{alone['only-peer']})"
            cells.append(f"{good} of {len(own)}{both}")
        if peer != "set":
            lines.append(f"| {version.get(peer, peer)} | " + " | ".join(cells) + " |")
    for direction, title in (("only-tagwise", "Tagwise accepts, a peer refuses"), ("only-peer", "A peer accepts, Tagwise refuses")):
        lines += ["", f"## {title}", ""]
        for (own, reason), by_peer in sorted(reasons_by.items(), key=lambda item: -sum(map(len, item[1].values()))):
            if own == direction:
                counts = ", ".join(f"{peer} {len(names)}" for peer, names in by_peer.items())
                lines.append(f"- {reason}: {counts}, as `{next(iter(by_peer.values()))[0]}`.")
    return "\n".join(lines) + "\n", unexplained


if __name__ == "__main__":
    sys.exit(main())
