"""Compares the verdicts of `tagwise verify` with those of OpenSSL, Go, rustls-webpki and PyCA cryptography, case by case.

`agree.py --tagwise FILE [--openssl FILE] [--go FILE] [--webpki FILE] [--pyca] --corpora FOLDER [--count N] [--scratch FOLDER]`:
PKITS, x509-limbo and N generated hierarchies. The matrix goes to bench/results/paths.md. Each difference must have a reason in
reasons.tsv beside this file: the first row whose peer, direction and pattern fit. Without one, or with a row that nothing needs,
the exit code is 1.
"""

import argparse
import collections
import csv
import pathlib
import platform
import re
import subprocess
import sys
import tempfile

import cases
import generate
import peers

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
REPORT = ROOT / "bench/results/paths.md"
EXAMPLES = 3


def arguments():
    parser = argparse.ArgumentParser()
    for name in ("tagwise", "openssl", "go", "webpki", "corpora", "scratch"):
        parser.add_argument(f"--{name}", type=pathlib.Path, required=name in ("tagwise", "corpora"))
    parser.add_argument("--pyca", action="store_true")
    parser.add_argument("--count", type=int, default=2000)
    return parser.parse_args()


def reasons():
    with (HERE / "reasons.tsv").open(newline="") as file:
        return [row | {"used": 0} for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)]


def reason_of(table, peer, direction, ours, theirs, name):
    text = f"{name}\t{ours}\t{theirs}"
    for row in table:
        if peer in row["peers"].split(",") and row["direction"] == direction and re.search(row["pattern"], text):
            row["used"] += 1
            return row["reason"]
    return None


def versions(options):
    said = lambda *words: subprocess.run(words, capture_output=True, text=True).stdout.strip()
    rows = {"tagwise": said(options.tagwise, "--version")}
    if options.openssl:
        rows["openssl"] = said(options.openssl, "version").split(" (")[0]
    if options.go:
        rows["go"] = " ".join(["crypto/x509 of"] + said("go", "version").split()[2:3])
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
        if options.openssl:
            answers["openssl"] = peers.openssl(options.openssl, every)
    if options.go:
        answers["go"] = peers.go(options.go, every)
    if options.webpki:
        answers["webpki"] = peers.webpki(options.webpki, every)
    if options.pyca:
        answers["pyca"] = peers.pyca(every)
    table = reasons()
    text, unexplained = report(every, answers, table, versions(options))
    REPORT.write_text(text)
    stale = [row for row in table if not row["used"] and set(row["peers"].split(",")) <= set(answers)]
    for peer, direction, name, ours, theirs in unexplained:
        print(f"unexplained\t{peer}\t{direction}\t{name}\t{ours}\t{theirs}", file=sys.stderr)
    for row in stale:
        print(f"needed by nothing\t{row['peers']}\t{row['direction']}\t{row['pattern']}", file=sys.stderr)
    print(f"{len(every)} cases; {REPORT.relative_to(ROOT)}; {len(unexplained)} unexplained, {len(stale)} reasons needed by nothing")
    return 1 if unexplained or stale else 0


def report(every, answers, table, version):
    lines = ["# Verdicts on paths", "",
             "What `tagwise verify` and its peers say about the same cases, by `./x agree-paths`. Each has its own limits: a case that one",
             "has no means for (policies, CRLs, limits of length, names of mail) is not counted there.", ""]
    lines += ["| verifier | version |", "|---|---|"] + [f"| {name} | {text} |" for name, text in version.items()] + [""]
    sets = list(dict.fromkeys(case["set"] for case in every))
    lines += ["## As the sets expect", "", "| verifier | " + " | ".join(name for name in sets if name != "generated") + " |",
              "|---|" + "---|" * (len(sets) - 1)]
    for peer, given in answers.items():
        cells = []
        for name in sets[:-1]:
            own = [case for case in every if case["set"] == name and case["id"] in given]
            good = sum(given[case["id"]][0] == case["expected"] for case in own)
            cells.append(f"{good} of {len(own)}")
        lines.append(f"| {peer} | " + " | ".join(cells) + " |")
    lines += ["", "## Against Tagwise", "",
              "| set | peer | cases | both valid | both invalid | only Tagwise valid | only the peer valid |", "|---|---|---|---|---|---|---|"]
    counts = collections.OrderedDict()
    unexplained = []
    for peer, given in answers.items():
        if peer == "tagwise":
            continue
        for name in sets:
            cells = collections.Counter()
            for case in (case for case in every if case["set"] == name and case["id"] in given):
                ours, theirs = answers["tagwise"][case["id"]], given[case["id"]]
                cells[ours[0], theirs[0]] += 1
                if ours[0] == theirs[0]:
                    continue
                direction = "only-tagwise" if ours[0] else "only-peer"
                reason = reason_of(table, peer, direction, ours[1], theirs[1], case["id"])
                if reason is None:
                    unexplained.append((peer, direction, case["id"], ours[1], theirs[1]))
                    reason = "not explained"
                counts.setdefault((direction, reason), {}).setdefault(peer, []).append(case["id"])
            lines.append(f"| {name} | {peer} | {cells.total()} | {cells[True, True]} | {cells[False, False]} | {cells[True, False]} "
                         f"| {cells[False, True]} |")
    for direction, title in (("only-tagwise", "Tagwise accepts, the peer refuses"), ("only-peer", "The peer accepts, Tagwise refuses")):
        lines += ["", f"## {title}", "", "| cases | peer | why | for example |", "|---|---|---|---|"]
        for (own, reason), by_peer in sorted(counts.items(), key=lambda item: -sum(map(len, item[1].values()))):
            if own != direction:
                continue
            for peer, names in by_peer.items():
                examples = ", ".join(f"`{name}`" for name in names[:EXAMPLES])
                lines.append(f"| {len(names)} | {peer} | {reason} | {examples} |")
    return "\n".join(lines) + "\n", unexplained


if __name__ == "__main__":
    sys.exit(main())
