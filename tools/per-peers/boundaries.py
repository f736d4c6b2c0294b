#!/usr/bin/env python3
"""Compares the encodings of boundary values with other implementations.

    boundaries.py RECODER ROOM PEER...

RECODER is the example `per` of tagwise-tables, ROOM a folder for what peers compile, and PEER one of asn1tools, pycrate, erlang and
asn1c. Each encoding of each type of boundaries.asn1 is decoded and encoded again by the peer. `differences.tsv` lists the
known differences: the peer, the encoding rules, the type, the number of encodings, the clause, and what the peer does instead. Any
other one fails. `./x per-peers` calls it.
"""

import collections
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
MODULE = HERE / "boundaries.asn1"
RULES = ["uper", "aper", "oer"]
#: The maximum number of encodings of a type.
COUNT = 200


def encodings(recoder):
    """Returns the encodings of each type under each of the encoding rules."""
    types = re.findall(r"^(\w+) ::=", MODULE.read_text(), re.MULTILINE)
    asked = [(rules, name) for rules in RULES for name in types]
    lines = "".join(f"boundaries {rules} {name} {COUNT}\n" for rules, name in asked)
    answers = subprocess.run([recoder, MODULE], input=lines, capture_output=True, text=True, check=True).stdout
    found = {}
    for key, answer in zip(asked, answers.splitlines(), strict=True):
        verdict, _, rest = answer.partition(" ")
        # NULL has no bytes in OER.
        if verdict != "ok" or not rest and key[1] != "Nothing":
            raise SystemExit(f"{key}: no values: {answer}")
        found[key] = rest.split(" ")
    return found


class Python:
    """asn1tools and pycrate: a function for each type that decodes and encodes again."""

    def __init__(self, codecs):
        self.codecs = codecs

    def recode(self, rules, cases):
        for name, octets in cases:
            try:
                yield self.codecs[rules](name, bytes.fromhex(octets)).hex().upper()
            except Exception as error:  # Each is a difference.
                yield repr(error).replace("\n", " ")[:100]


def asn1tools(_room):
    import asn1tools

    def codec(rules):
        compiled = asn1tools.compile_files(str(MODULE), rules)
        return lambda name, octets: compiled.encode(name, compiled.decode(name, octets))

    return Python({"uper": codec("uper"), "aper": codec("per"), "oer": codec("oer")})


def pycrate(room):
    import importlib.util

    from pycrate_asn1c.asnproc import GLOBAL, PycrateGenerator, compile_text

    compile_text(MODULE.read_text())
    generated = room / "boundaries_pycrate.py"
    PycrateGenerator(dest=str(generated))
    GLOBAL.clear()
    spec = importlib.util.spec_from_file_location("boundaries_pycrate", generated)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)

    def codec(rules):
        def recode(name, octets):
            ty = getattr(module.Boundaries, name)
            getattr(ty, f"from_{rules}")(octets)
            return getattr(ty, f"to_{rules}")()

        return recode

    return Python({rules: codec(rules) for rules in RULES})


class Erlang:
    """Erlang's compiler. OER is not one of its encoding rules."""

    PROGRAM = """
-module(recode).
-export([main/0]).
main() -> loop(io:get_line("")).
loop(eof) -> ok;
loop(Line) ->
    [Name, Hex] = string:tokens(string:trim(Line), " "),
    Answer = try
        {ok, Value} = 'Boundaries':decode(list_to_atom(Name), binary:decode_hex(list_to_binary(Hex))),
        {ok, Octets} = 'Boundaries':encode(list_to_atom(Name), Value),
        binary_to_list(binary:encode_hex(Octets))
    catch _:Reason -> "error " ++ lists:sublist(lists:flatten(io_lib:format("~0p", [Reason])), 90) end,
    io:format("~s~n", [Answer]),
    loop(io:get_line("")).
"""

    def __init__(self, room):
        self.room = room

    def recode(self, rules, cases):
        room = self.room / f"erlang-{rules}"
        room.mkdir(parents=True, exist_ok=True)
        (room / "recode.erl").write_text(self.PROGRAM)
        # Its files are named after the module.
        (room / "Boundaries.asn1").write_text(MODULE.read_text())
        backend = {"uper": "-buper", "aper": "-bper"}[rules]
        run = {"cwd": room, "check": True, "capture_output": True}
        subprocess.run(["erlc", backend, "Boundaries.asn1"], **run)
        subprocess.run(["erlc", "recode.erl"], **run)
        lines = "".join(f"{name} {octets}\n" for name, octets in cases)
        command = ["erl", "-noshell", "-pa", room, "-eval", "recode:main(), halt()."]
        return subprocess.run(command, input=lines.encode(), capture_output=True, check=True).stdout.decode(errors="replace").splitlines()


class Asn1c:
    """asn1c, whose released versions support UPER only."""

    def __init__(self, room):
        self.room = room / "asn1c"

    def recode(self, rules, cases):
        if not (self.room / "recode").exists():
            self.room.mkdir(parents=True, exist_ok=True)
            run = {"cwd": self.room, "check": True, "capture_output": True}
            # Its numbers have 63 bits, and SET is not supported.
            text = re.sub(r"^(EightOctets|Unordered) .*", "", MODULE.read_text(), flags=re.MULTILINE)
            (self.room / "boundaries.asn1").write_text(text)
            subprocess.run(["asn1c", "-gen-PER", "-fcompound-names", "-pdu=all", "boundaries.asn1"], **run)
            sources = [path for path in self.room.glob("*.c")]
            flags = ["-w", "-O1", "-I.", "-DASN_PDU_COLLECTION", "-DPDU=Bit", "-o", "recode"]
            subprocess.run(["cc", *flags, *sources], **run)
        for name, octets in cases:
            (self.room / "input").write_bytes(bytes.fromhex(octets))
            command = [self.room / "recode", "-p", name, "-iper", "-oper", self.room / "input"]
            done = subprocess.run(command, capture_output=True)
            error = done.stderr.decode(errors="replace").replace("\n", " ").strip()
            yield done.stdout.hex().upper() if done.returncode == 0 else f"exit {done.returncode} {error[:90]}"


PEERS = {
    "asn1tools": (asn1tools, RULES),
    "pycrate": (pycrate, RULES),
    "erlang": (Erlang, ["uper", "aper"]),
    "asn1c": (Asn1c, ["uper"]),
}


def known():
    rows = [line.split("\t") for line in (HERE / "differences.tsv").read_text().splitlines() if line and line[0] != "#"]
    return {(peer, rules, name): int(count) for peer, rules, name, count, _clause, _reason in rows}


def main(recoder, room, *names):
    room = pathlib.Path(room)
    room.mkdir(parents=True, exist_ok=True)
    found, listed, status = encodings(recoder), known(), 0
    for peer in names:
        make, supported = PEERS[peer]
        codec, same, different, examples = make(room), 0, collections.Counter(), {}
        for rules in supported:
            cases = [(name, octets) for (of, name), all in found.items() if of == rules for octets in all]
            for (name, octets), answer in zip(cases, codec.recode(rules, cases), strict=True):
                if answer == octets:
                    same += 1
                    continue
                different[(peer, rules, name)] += 1
                examples.setdefault((peer, rules, name), (octets[:60], answer[:100]))
        print(f"{peer}: {same} encodings are the same, {different.total()} differ")
        for key in sorted(set(different) | {key for key in listed if key[0] == peer}):
            if different[key] != listed.get(key, 0):
                status = 1
                print("\t".join([*key, str(different[key])]), "listed:", listed.get(key, 0), *examples.get(key, ()))
    return status


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
