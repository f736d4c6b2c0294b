"""Shows an ASN.1 file: `python -m tagwise.asn1 FILE [--module M.asn1 --type T]`."""

from __future__ import annotations

import argparse
import importlib
import json
import os
import pathlib
import sys
from typing import Any

from tagwise import asn1, pem
from tagwise._errors import Asn1Error


def data_of(path: str) -> bytes:
    """Returns the bytes of a file, or of its first PEM block; `-` is standard input."""
    data = sys.stdin.buffer.read() if path == "-" else pathlib.Path(path).read_bytes()
    if b"-----BEGIN " not in data:
        return data
    blocks = pem.blocks(data)
    return blocks[0].data if blocks else data


def type_of(modules: list[str], name: str) -> asn1.Type:
    """Returns a type from module files, or from a Python module: `package.module`."""
    if not all(one.endswith((".asn1", ".asn", ".txt")) or "*" in one for one in modules):
        return asn1.type_of(getattr(importlib.import_module(modules[0]), name))
    return asn1.compile(*modules)[name]


def arguments(argv: list[str] | None) -> argparse.Namespace:
    """Parses the command line."""
    parser = argparse.ArgumentParser(prog="python -m tagwise.asn1", description="Show a file of ASN.1, or browse it in a terminal.")
    parser.add_argument("file", help="DER, BER, CER or PEM; - for the standard input")
    parser.add_argument("--module", action="append", default=[], help="ASN.1 files or a Python module; may be repeated (*.asn1)")
    parser.add_argument("--type", help="the type's name (Certificate); without it, elements are shown by their tags")
    parser.add_argument("--rules", default="BER", choices=["DER", "BER", "CER"], help="encoding rules (default: BER)")
    parser.add_argument("--allow", action="append", default=[], metavar="RULE", help="tolerate a rule; may be repeated")
    parser.add_argument("--oids", help="a JSON file with names of object identifiers by their dotted forms")
    parser.add_argument("--path", help='show only what is at a pattern of paths ("**.extensions[*]")')
    parser.add_argument("--text", action="store_true", help="print, and do not browse")
    parser.add_argument("--colours", choices=["auto", "always", "never"], default="auto", help="colours (default: auto)")
    return parser.parse_args(argv)


def element_of(options: argparse.Namespace) -> asn1.Element:
    """Decodes the file as the given type, or as elements of unknown type if no type is given."""
    data = data_of(options.file)
    if options.type is None:
        return asn1.inspect(data, rules=options.rules)
    if not options.module:
        raise ValueError("--type needs the modules that have the type: --module \"*.asn1\"")
    return type_of(options.module, options.type).inspect(data, rules=options.rules, allow=options.allow)


def main(argv: list[str] | None = None) -> int:
    """Runs the program and returns its exit code."""
    options = arguments(argv)
    try:
        names: dict[str, str] | None = None
        if options.oids is not None:
            loaded: Any = json.loads(pathlib.Path(options.oids).read_text(encoding="utf-8"))
            names = {str(oid): str(name) for oid, name in loaded.items()}
        element = element_of(options)
    except Asn1Error as error:
        print(f"{options.file}: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"{error.filename or options.file}: {error.strerror or error}", file=sys.stderr)
        return 2
    except KeyError as error:
        print(f"{options.file}: --type {options.type}: {error.args[0]}", file=sys.stderr)
        return 2
    except (ValueError, ImportError, AttributeError) as error:
        print(f"{options.file}: {error}", file=sys.stderr)
        return 2
    terminal = sys.stdout.isatty() and sys.stdin.isatty()
    if terminal and not options.text and options.path is None:
        from tagwise.asn1 import _browse

        if _browse.run(element, names):
            return 0
    # https://no-color.org: any value but the empty one.
    wanted = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    colours = options.colours == "always" or (options.colours == "auto" and wanted)
    print(asn1.pprint(element, colours=colours, oids=names, only=options.path))
    return 0


if __name__ == "__main__":
    sys.exit(main())
