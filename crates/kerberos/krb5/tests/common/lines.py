"""One command a line on standard input, one answer a line; an error begins with `!`."""

import sys


def serve(answer):
    state = {}
    for line in sys.stdin:
        # Empty messages are empty words.
        words = line.rstrip("\n").split(" ")
        try:
            print(answer(state, *words), flush=True)
        except Exception as error:  # noqa: BLE001: whatever it is goes to the test
            print("!" + " ".join(str(error).split()), flush=True)
