#!/usr/bin/env python3
"""What ASN.1 compilers make of the corpora's modules, side by side.

    peers.py run asn1tools|pycrate < LIST      a line for each set: name, ok or error, milliseconds, what was said
    peers.py table LIST NAME=FILE ...          the table, as Markdown, of what several runs gave

LIST is what `cargo run -p tagwise-codegen --example corpora -- --list` prints. `./x modules --peers` calls all of it.
"""

import multiprocessing
import sys
import time

# A set that takes more seconds of the processor counts as refused: a busy machine changes nothing.
LIMIT = 60


def asn1tools(files):
    import asn1tools

    asn1tools.compile_files(files, "ber", encoding="latin-1")


def pycrate(files):
    from pycrate_asn1c.asnproc import compile_text

    texts = []
    for name in files:
        with open(name, encoding="latin-1") as file:
            texts.append(file.read())
    # It prints what it warns of.
    compile_text(texts, filenames=files)


def child(compiler, files, answer):
    import contextlib
    import io
    import resource

    # Beyond its limit the process is ended; the importing is done already, in its parent.
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT))
    started = time.process_time()
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            compiler(files)
        said = ("ok", "")
    except BaseException as error:  # whatever ends it, it did not compile
        text = str(error).strip() or type(error).__name__
        said = ("error", text.splitlines()[0])
    answer.send((said, (time.process_time() - started) * 1000))


def run(which):
    compiler = {"asn1tools": asn1tools, "pycrate": pycrate}[which]
    # Imported once, so that the time of a set is its own.
    if which == "asn1tools":
        import asn1tools as _  # noqa: F401
    else:
        import pycrate_asn1c.asnproc as _  # noqa: F401
    context = multiprocessing.get_context("fork")
    for line in sys.stdin:
        name, _expected, *files = line.rstrip("\n").split("\t")
        ours, theirs = context.Pipe(duplex=False)
        process = context.Process(target=child, args=(compiler, files, theirs))
        process.start()
        # Only the child holds the other end now, which closes when it ends.
        theirs.close()
        try:
            (verdict, said), millis = ours.recv()
        except EOFError:
            (verdict, said), millis = ("error", "no end"), LIMIT * 1000.0
        process.join()
        print(f"{name}\t{verdict}\t{millis:.3f}\t{said}".replace("\r", " "), flush=True)


FAMILIES = [
    ("asn1tools-git", "compiles", "asn1tools' own test modules and published ones"),
    ("erlang-public_key", "compiles", "Erlang's public_key"),
    ("heimdal", "compiles", "Heimdal's modules, in a dialect of their own"),
    ("rustcrypto-oiddbgen", "compiles", "modules RustCrypto has object identifiers from"),
    ("pycrate-pki", "compiles", "pycrate's folders of PKI modules"),
    ("asn1c-compiler-tests", "compiles", "asn1c's test cases `-OK`"),
    ("asn1c-compiler-tests", "warns", "asn1c's `-SW`, to be compiled with a warning"),
    ("asn1c-compiler-tests", "refused", "asn1c's `-SE` and `-NP`, to be refused"),
]


INTRODUCTION = """# ASN.1 compilers on published modules

`./x modules --peers` writes this. Every compiler gets the same sets of files: each file alone, and those together that import
from each other. A cell has how many sets a compiler accepts, and the time for all of the row, start of the process left out (of the
compilers in Python, the processor's time).
"""

NOTES = """
What each checks, and what a number means:

- *Tagwise* refuses what X.680 to X.683 forbid and a compiler can decide: names that nothing defines, imports from modules that
  are not there, components that cannot be told apart, values outside of their types, constraints that do not apply. All that it
  refuses here is in `tests/register/schema-modules.tsv`, each with its clause; most are files alone that import from others.
  *tables*, *Rust* and *pages* are the whole way from text to run-time tables, to Rust, to Markdown; whether the Rust compiles is
  what `./x modules` asks.
- *rasn-compiler* gives Rust for rasn; of the modules that are wrong it accepts nearly all. Whether its Rust compiles is not asked.
- *asn1tools* and *pycrate* give Python objects; times are those of an interpreter. pycrate's folders are what it is tested with.

Accepting more is not being better: the last row is made of modules that are wrong.
"""


def table(listing, columns):
    sets = []
    with open(listing, encoding="utf-8") as file:
        for line in file:
            name, expected, *files = line.rstrip("\n").split("\t")
            family = name.replace(":", "/").split("/")[0]
            sets.append((family, expected, name, len(files)))
    runs = []
    for column in columns:
        title, path = column.split("=", 1)
        with open(path, encoding="utf-8", errors="replace") as file:
            rows = (line.rstrip("\n").split("\t") for line in file)
            runs.append((title, {row[0]: (row[1], float(row[2])) for row in rows if len(row) > 2}))
    print(INTRODUCTION)
    print("| Sets | how many (files) | " + " | ".join(title for title, _ in runs) + " |")
    print("|---|---|" + "---|" * len(runs))
    for family, expected, what in FAMILIES:
        names = [(name, count) for f, e, name, count in sets if (f, e) == (family, expected)]
        cells = []
        for _, rows in runs:
            found = [rows[name] for name, _ in names if name in rows]
            accepted = sum(1 for verdict, _ in found if verdict == "ok")
            crashed = sum(1 for verdict, _ in found if verdict == "panic")
            seconds = sum(millis for _, millis in found) / 1000
            more = f", {crashed} panics" if crashed else ""
            took = f"{seconds:.1f} s" if seconds >= 10 else f"{seconds * 1000:.0f} ms"
            # A run that was cut short says of how many sets it speaks.
            part = f" of {len(found)}" if len(found) < len(names) else ""
            cells.append(f"{accepted}{part} ({took}{more})" if found else "not run")
        files = sum(count for _, count in names)
        print(f"| {what} | {len(names)} ({files}) | " + " | ".join(cells) + " |")
    print(NOTES)


if __name__ == "__main__":
    if sys.argv[1:2] == ["run"] and len(sys.argv) == 3:
        run(sys.argv[2])
    elif sys.argv[1:2] == ["table"] and len(sys.argv) > 3:
        table(sys.argv[2], sys.argv[3:])
    else:
        sys.exit(__doc__)
