"""PyCA's own tests of `cryptography.x509`, unchanged, on `tagwise.x509`.

    python run.py ROOM [--limbo FILE] [--bless] [PYTEST ARGUMENTS ...]

ROOM keeps what pip downloads. FILE is the x509-limbo cases; without it, the tests that run them are skipped, which is allowed to them
alone. The interpreter must have tagwise and requirements.txt beside this file. register.tsv has every test that does not pass, and
why: a test that fails and is not there is an error, and so is one that is there and passes, and one without a reason. Fewer passes
than FLOOR are an error, whatever the register says. --bless rewrites the register; a test that is new in it is `missing` until someone
says more. With arguments for pytest, they are all that is run, and its code is the answer.
"""

from __future__ import annotations

import collections
import os
import pathlib
import re
import subprocess
import sys
import tarfile

HERE = pathlib.Path(__file__).resolve().parent
#: The version whose tests are run: the one that is installed for them.
(VERSION,) = re.findall(r"^cryptography==(\S+)$", (HERE / "requirements.txt").read_text(encoding="utf-8"), re.MULTILINE)
REGISTER = HERE / "register.tsv"
HEADER = "# test\toutcome\tclause or reason"
#: A register says why; these words are for what is still to be done.
MISSING = "missing"
#: The tests that pass at least; it only rises. Without the cases of limbo, those that run them are taken off.
FLOOR = 1116
#: What pytest answers when it ran to its end: all passed, or some failed.
RAN = (0, 1)


def source(room: pathlib.Path) -> pathlib.Path:
    """The tests, from the source distribution."""
    unpacked = room / f"cryptography-{VERSION}"
    if not unpacked.is_dir():
        room.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", "cryptography"]
        subprocess.run([*command, "--dest", str(room), f"cryptography=={VERSION}"], check=True)
        with tarfile.open(room / f"cryptography-{VERSION}.tar.gz") as archive:
            archive.extractall(room, filter="data")
    # Beside `src`, the tests would import what is not built.
    tests = room / "run"
    tests.mkdir(exist_ok=True)
    link = tests / "tests"
    if not link.exists():
        link.symlink_to(unpacked / "tests", target_is_directory=True)
    return tests


def run(room: pathlib.Path, limbo: pathlib.Path | None, arguments: list[str]) -> tuple[int, dict[str, str]]:
    """What pytest answered, and how each test ended."""
    if limbo is not None:
        # The tests want a folder, and this name in it.
        (room / "limbo").mkdir(parents=True, exist_ok=True)
        link = room / "limbo" / "limbo.json"
        link.unlink(missing_ok=True)
        link.symlink_to(limbo)
        arguments = [*(arguments or ["tests/x509"]), "--x509-limbo-root", str(room / "limbo")]
    results = room / "results.tsv"
    results.unlink(missing_ok=True)
    places = os.pathsep.join(filter(None, [str(HERE), os.environ.get("PYTHONPATH")]))
    environment = os.environ | {"TAGWISE_PYCA_RESULTS": str(results), "PYTHONPATH": places}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tagwise_instead", "-p", "no:cacheprovider", "--tb=short"]
    options = ["--rootdir", str(room / "run"), "--benchmark-disable", "-W", "ignore::pytest.PytestUnknownMarkWarning", "--disable-warnings"]
    with (room / "pytest.log").open("w", encoding="utf-8") as log:
        done = subprocess.run(
            [*command, *options, *(arguments or ["tests/x509"])],
            cwd=source(room),
            env=environment,
            check=False,
            stdout=log,
        )
    lines = results.read_text(encoding="utf-8").splitlines() if results.exists() else []
    return done.returncode, dict(line.split("\t") for line in lines)


def register() -> dict[str, tuple[str, str]]:
    if not REGISTER.exists():
        return {}
    lines = [line.split("\t") for line in REGISTER.read_text(encoding="utf-8").splitlines() if line[:1] != "#"]
    known = {test: (outcome, why) for test, outcome, why in lines}
    if len(known) != len(lines):
        raise ValueError("a test is in the register twice")
    return known


def main() -> int:
    arguments = sys.argv[1:]
    if not arguments:
        print(__doc__, file=sys.stderr)
        return 2
    room, limbo, bless = pathlib.Path(arguments.pop(0)).resolve(), None, False
    if arguments[:1] == ["--limbo"]:
        limbo = pathlib.Path(arguments[1]).resolve()
        arguments = arguments[2:]
        if not limbo.is_file():
            print(f"there is no file {limbo}", file=sys.stderr)
            return 2
    if arguments[:1] == ["--bless"]:
        bless = bool(arguments.pop(0))
    if arguments:
        code, _ = run(room, limbo, arguments)
        print((room / "pytest.log").read_text(encoding="utf-8"))
        return code
    (code, outcomes), known = run(room, limbo, []), register()
    if code not in RAN or not outcomes:
        print((room / "pytest.log").read_text(encoding="utf-8"))
        print(f"pytest did not run to its end: it answered {code}")
        return code or 1
    # Each of limbo's cases is a part of a test, and counts as one only with it.
    skipped = {test for test in outcomes if limbo is None and "/test_limbo.py::" in test}
    counts = collections.Counter(outcomes.values())
    others = {test: how for test, how in outcomes.items() if how != "passed" and test not in skipped}
    if bless:
        lines = [f"{test}\t{outcome}\t{known.get(test, ('', MISSING))[1]}" for test, outcome in sorted(others.items())]
        REGISTER.write_text("\n".join([HEADER, *lines]) + "\n", encoding="utf-8")
        known = register()
    unexpected = [f"{test}: {outcome}" for test, outcome in sorted(others.items()) if known.get(test, ("",))[0] != outcome]
    unexpected += [f"{test}: {outcomes.get(test, 'not there')}, and the register says {known[test][0]}" for test in sorted(known) if test not in others and test not in skipped]
    without = sorted(test for test, (_, why) in known.items() if not why.strip() or why.startswith(MISSING))
    unexpected += [f"{test}: the register gives no reason" for test in without]
    floor = FLOOR - len(skipped)
    if counts["passed"] < floor:
        unexpected.append(f"{counts['passed']} tests passed; they were {floor} at least")
    for line in unexpected:
        print(line)
    print(
        f"PyCA's tests: {counts['passed']} passed, {counts['failed']} failed, {counts['skipped']} skipped; "
        f"{len(known)} in the register, of which {len(without)} are without a reason; {len(unexpected)} unexpected"
    )
    return int(bool(unexpected))


if __name__ == "__main__":
    sys.exit(main())
