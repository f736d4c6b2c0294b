"""Contexts of GSS-API: messages wrapped and unwrapped, tagwise.gss beside python-gssapi on MIT's library.

    python bench_gss.py [--rounds N] [--milliseconds M]

Python is one that has python-gssapi (Debian's: python3-gssapi). Both libraries are in one process and take turns; their contexts are
established with tickets of a KDC of MIT's on loopback, and each unwraps what the other wrapped before anything is measured. Each figure is
of the least of the rounds, in processor time: encryption with AES-256, tokens unwrapped in their order.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import platform
import sys
from collections.abc import Callable
from typing import Any

from common import clock, version

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "doors" / "python"))

from tests.realm import Realm, running

SIZES = ((1024, "1 KiB"), (65536, "64 KiB"))
TYPES = ("aes256-cts", "aes256-sha2")

Pair = tuple[Any, Any]


def ours(realm: Realm, cache: str) -> Pair:
    from tagwise import gss

    name = gss.Name("host@localhost", gss.NameType.hostbased_service)
    mine = gss.Credentials(usage="initiate", cache=cache, client=realm.client)
    theirs = gss.Credentials(usage="accept", keytab=realm.keytab, client=realm.client)
    return established(gss.SecurityContext(name=name, creds=mine), gss.SecurityContext(creds=theirs))


def mits(realm: Realm, cache: str) -> Pair:
    import gssapi

    name = gssapi.Name("host@localhost", gssapi.NameType.hostbased_service)
    mine = gssapi.Credentials(usage="initiate", store={"ccache": cache})
    theirs = gssapi.Credentials(usage="accept", store={"keytab": str(realm.folder / "all.keytab")})
    one = gssapi.SecurityContext(name=name, creds=mine, usage="initiate")
    return established(one, gssapi.SecurityContext(creds=theirs, usage="accept"))


def mixed(realm: Realm, cache: str) -> None:
    """Each library unwraps what the other one wrapped."""
    import gssapi
    from tagwise import gss

    name = gss.Name("host@localhost", gss.NameType.hostbased_service)
    mine = gss.Credentials(usage="initiate", cache=cache, client=realm.client)
    theirs = gssapi.Credentials(usage="accept", store={"keytab": str(realm.folder / "all.keytab")})
    one, other = established(gss.SecurityContext(name=name, creds=mine), gssapi.SecurityContext(creds=theirs, usage="accept"))
    for size, _ in SIZES:
        message = os.urandom(size)
        assert other.unwrap(one.wrap(message, True).message).message == message
        assert one.unwrap(other.wrap(message, True).message).message == message


def established(one: Any, other: Any) -> Pair:
    token = one.step()
    while token is not None:
        token = other.step(token)
        if token is not None:
            token = one.step(token)
    assert one.complete and other.complete
    return one, other


def measured(pairs: dict[str, Pair], size: int, rounds: int, seconds: float) -> dict[str, tuple[float, float]]:
    """The least seconds of a wrap and of an unwrap, by library."""
    message = os.urandom(size)
    best = {name: (float("inf"), float("inf")) for name in pairs}
    counts = {name: count_for(one, other, message, seconds) for name, (one, other) in pairs.items()}
    for _ in range(rounds):
        for name, (one, other) in pairs.items():
            count = counts[name]
            wrap, unwrap = one.wrap, other.unwrap
            start = clock()
            tokens = [wrap(message, True) for _ in range(count)]
            wrapped = clock() - start
            messages = [token.message for token in tokens]
            start = clock()
            for token in messages:
                unwrap(token)
            unwrapped = clock() - start
            best[name] = (min(best[name][0], wrapped / count), min(best[name][1], unwrapped / count))
    return best


def count_for(one: Any, other: Any, message: bytes, seconds: float) -> int:
    """How many messages take about so long."""
    start, count = clock(), 0
    while count < 8 or clock() - start < seconds:
        assert other.unwrap(one.wrap(message, True).message).message == message
        count += 1
    # Tokens of a round are kept in memory.
    return min(count, (64 << 20) // len(message))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--milliseconds", type=int, default=100)
    options = parser.parse_args()
    mit = os.popen("krb5-config --version").read().strip() or "MIT's library"
    print(f"Python {platform.python_version()}; {version('tagwise')}, {version('gssapi')} on {mit}\n")
    print("| what | tagwise.gss, messages/s | MB/s | python-gssapi, messages/s | MB/s | ratio |")
    print("|---|--:|--:|--:|--:|--:|")
    for realm in running():
        os.environ.update(realm.environment)
        make: dict[str, Callable[[Realm, str], Pair]] = {"tagwise": ours, "gssapi": mits}
        for enc_type in TYPES:
            # The context's key is of the type of the session key.
            tgt = realm.client.kinit("alice", password="alicepw")
            place = realm.cache("alice")
            place.store(realm.client.get_service_ticket("host/localhost", tgt=tgt, enctypes=[enc_type]))
            # MIT's acceptors choose a subkey of the permitted type that initiators like best (RFC 4537). The ticket is of the first.
            first = dict.fromkeys((enc_type, *TYPES))
            conf = (realm.folder / "krb5.conf").read_text(encoding="utf-8")
            only = realm.folder / f"{enc_type}.conf"
            only.write_text(conf.replace("[libdefaults]", f"[libdefaults]\n permitted_enctypes = {' '.join(first)}", 1), encoding="utf-8")
            os.environ["KRB5_CONFIG"] = str(only)
            cache = place.name
            mixed(realm, cache)
            pairs = {name: one(realm, cache) for name, one in make.items()}
            # Tokens of one length: keys of one type.
            assert len({len(one.wrap(b"", True).message) for one, _ in pairs.values()}) == 1
            pairs = {name: one(realm, cache) for name, one in make.items()}
            for size, told in SIZES:
                best = measured(pairs, size, options.rounds, options.milliseconds / 1000)
                for at, what in enumerate(("wrap", "unwrap")):
                    cells = []
                    for name in make:
                        seconds = best[name][at]
                        cells += [f"{1 / seconds:,.0f}", f"{size / seconds / 1e6:,.0f}"]
                    ratio = best["gssapi"][at] / best["tagwise"][at]
                    print(f"| {what}, {enc_type}, {told} | " + " | ".join(cells) + f" | {ratio:.2f} |")


if __name__ == "__main__":
    main()
