#!/usr/bin/env python3
"""Tests the grammar: the trees in corpus/, the queries, and the modules in schemas/ and in the corpora.

Requires the package `tree-sitter` from PyPI and a C compiler. A module of the corpora may have errors only if `tagwise schema fmt`
rejects it too. TAGWISE_COMMAND is the path of the command, and TAGWISE_CORPORA the folder of the corpora.
"""

import ctypes
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from tree_sitter import Language, Parser, Query

GRAMMAR = Path(__file__).resolve().parent.parent
ROOT = GRAMMAR.parent.parent
CORPORA = Path(os.environ.get("TAGWISE_CORPORA", ROOT.parent / "shared/corpora"))
COMMAND = os.environ.get("TAGWISE_COMMAND", ROOT / "target/debug/tagwise")


def language(folder: Path) -> Language:
    """Compiles the parser, and loads it."""
    library = folder / "asn1.so"
    sources = [GRAMMAR / "src/parser.c", GRAMMAR / "src/scanner.c"]
    compiler = [os.environ.get("CC", "cc"), "-O1", "-shared", "-fPIC", "-Wall", "-I", GRAMMAR / "src", "-o", library]
    subprocess.run([*compiler, *sources], check=True)
    function = ctypes.CDLL(str(library)).tree_sitter_asn1
    function.restype = ctypes.c_void_p
    capsule = ctypes.pythonapi.PyCapsule_New
    capsule.restype = ctypes.py_object
    capsule.argtypes = (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
    return Language(capsule(function(), b"tree_sitter.Language", None))


def expression(node) -> str:
    """Returns the named nodes of a tree as an S-expression with field names."""
    parts = [node.type]
    for index, child in enumerate(node.children):
        if child.is_named:
            name = node.field_name_for_child(index)
            parts.append((f"{name}: " if name else "") + expression(child))
    return f"({' '.join(parts)})"


def cases(path: Path):
    """Yields the name, the input and the expected tree of each case, in the format of `tree-sitter test`."""
    for part in re.split(r"^=+\n(?=.*\n=+\n)", path.read_text(), flags=re.MULTILINE)[1:]:
        name, rest = re.split(r"\n=+\n", part, maxsplit=1)
        source, tree = re.split(r"\n---+\n", rest, maxsplit=1)
        yield name, source, re.sub(r"\s+", " ", tree).replace(" )", ")").strip()


def first_error(node):
    """Returns the first node with a syntax error."""
    while not (node.is_error or node.is_missing):
        node = next(child for child in node.children if child.has_error or child.is_missing)
    return node


def compiles(path: Path) -> bool:
    """Returns whether the compiler reads the module without a syntax error. Imports may be missing."""
    return subprocess.run([COMMAND, "schema", "fmt", path], capture_output=True).returncode == 0


def main() -> int:
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        asn1 = language(Path(folder))
    parser = Parser(asn1)
    for query in sorted(GRAMMAR.glob("queries/*.scm")):
        Query(asn1, query.read_text())
    trees = 0
    for path in sorted(GRAMMAR.glob("test/corpus/*.txt")):
        for name, source, expected in cases(path):
            trees += 1
            found = expression(parser.parse(source.encode()).root_node)
            if found != expected:
                failures += 1
                print(f"{path.name}: {name}\n  expected {expected}\n  found    {found}")
    modules = sorted(ROOT.glob("schemas/**/*.asn1"))
    for pattern in ("*.asn1", "*.asn"):
        modules += sorted(CORPORA.rglob(pattern))
    rejected = 0
    for path in modules:
        root = parser.parse(path.read_bytes()).root_node
        if not root.has_error:
            continue
        if ROOT in path.parents or compiles(path):
            failures += 1
            node = first_error(root)
            line, column = node.start_point
            print(f"{path}:{line + 1}:{column + 1}: {node.type}: {node.text[:60]!r}")
        else:
            rejected += 1
    print(f"{trees} trees, {len(modules)} modules, of which {rejected} are not valid ASN.1; {failures} failures")
    return 1 if failures or not trees or not modules else 0


if __name__ == "__main__":
    sys.exit(main())
