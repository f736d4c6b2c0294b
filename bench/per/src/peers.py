#!/usr/bin/env python3
"""Decodes and encodes messages with asn1tools or pycrate, as often as the benchmark asks.

    peers.py LIBRARY FILE...

Each line of the standard input is `check RULES TYPE HEX`, `decode TIMES RULES TYPE HEX` or `encode TIMES RULES TYPE HEX`. Each line of the
output is the encoding and the value in JER, or the processor time of the calls in nanoseconds, or `refused`.
"""

import importlib.util
import json
import os
import sys
import tempfile
import time


class Asn1tools:
    def __init__(self, files):
        import asn1tools

        codecs = {"uper": "uper", "aper": "per", "jer": "jer"}
        self.codecs = {rules: asn1tools.compile_files(files, codec) for rules, codec in codecs.items()}

    def calls(self, rules, name, data):
        codec = self.codecs[rules]
        value = codec.decode(name, data)
        decode, encode = (lambda: codec.decode(name, data)), (lambda: bytes(codec.encode(name, value)))
        return decode, encode, lambda: self.codecs["jer"].encode(name, value).decode()


class Pycrate:
    def __init__(self, files):
        from pycrate_asn1c.asnproc import GLOBAL, PycrateGenerator, compile_text

        compile_text([open(file).read() for file in files])
        with tempfile.TemporaryDirectory() as room:
            path = os.path.join(room, "perbench_modules.py")
            PycrateGenerator(dest=path)
            GLOBAL.clear()
            spec = importlib.util.spec_from_file_location("perbench_modules", path)
            self.module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(self.module)

    def calls(self, rules, name, data):
        name = name.replace("-", "_")
        found = [getattr(module, name) for module in vars(self.module).values() if hasattr(module, "_all_") and hasattr(module, name)]
        ty = found[0]
        read, write = getattr(ty, f"from_{rules}"), getattr(ty, f"to_{rules}")

        def decode():
            read(data)
            return ty.get_val()

        value = decode()
        return decode, (lambda: write(value)), ty.to_jer


def main(library, *files):
    # What compilers print is not an answer.
    answers, sys.stdout = sys.stdout, sys.stderr
    made = {"asn1tools": Asn1tools, "pycrate": Pycrate}[library](list(files))
    known = {}
    for line in sys.stdin:
        verb, *words = line.split()
        times = int(words.pop(0)) if verb != "check" else 1
        try:
            key = tuple(words)
            if key not in known:
                rules, name, data = words
                known[key] = made.calls(rules, name, bytes.fromhex(data))
            decode, encode, text = known[key]
            if verb == "check":
                answer = encode().hex().upper() + " " + json.dumps(json.loads(text()))
            else:
                call = decode if verb == "decode" else encode
                start = time.process_time_ns()
                for _ in range(times):
                    call()
                answer = str(time.process_time_ns() - start)
        except Exception as error:  # The message is left out for this library.
            print(f"{library} {words[:2]}: {error!r}", file=sys.stderr)
            answer = "refused"
        print(answer, file=answers, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
