"""Entries of a log over HTTP, per second: `mtc_http.py MTCHTTP [--tessera FILE] [--tagwise FILE] [--connections N,N] [--rounds N]`.

MTCHTTP is the bench's server over the library's log (`bench/mtc/src/http.rs`). It is beside `cmd/conformance/posix` of Tessera, which is built
with Go unless a built one is given. The same client (`serve/main.go`, built with Go) sends both the same entries to `/add`, and counts an entry
when a published checkpoint contains it. With `--tagwise`, certificates by EST from a CA with a log are measured too, each of which is delivered
once it is in a signed checkpoint. Servers take turns. Prints medians of the rounds. The client and the servers share the machine.
"""

import argparse
import contextlib
import json
import os
import statistics
import tempfile
from pathlib import Path

from serve import CONFIG, HERE, SECRET, Server, est, load, must, user

TESSERA = "github.com/transparency-dev/tessera"
VERSION = "v1.0.4"


def tessera(folder):
    """Builds Tessera's server."""
    room = folder / "module"
    room.mkdir()
    must(room, "go", "mod", "init", "local")
    must(room, "go", "get", f"{TESSERA}/cmd/conformance/posix@{VERSION}")
    must(room, "go", "build", "-o", "posix", f"{TESSERA}/cmd/conformance/posix")
    return room / "posix"


def certificates(program, folder, port):
    """Starts a CA with a log."""
    folder.mkdir()
    os.umask(0o077)
    (folder / "secret.txt").write_text(SECRET)
    must(
        folder, program, "ca", "init", "--db", "ca.db", "--subject", "CN=Bench", "--mtc", "32473.1", "--passphrase-file", "secret.txt", "-o", "root.pem"
    )
    (folder / "server.toml").write_text(CONFIG.format(port=port, http=port + 5, reuse="true"))
    return Server(folder, [program, "serve", "run", "--config", "server.toml"], f"https://127.0.0.1:{port}/acme/directory").wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mtchttp", type=Path)
    parser.add_argument("--tessera", type=Path, help="the built server [default: built with Go]")
    parser.add_argument("--tagwise", type=Path, help="the command, whose certificates are measured too")
    parser.add_argument("--folder", type=Path, help="folder for the logs, on a disk [default: the current one]")
    parser.add_argument("--connections", default="32,512")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--port", type=int, default=14100, help="the first of the servers' ports [default: 14100]")
    options = parser.parse_args()
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=(options.folder or Path.cwd()).resolve())))
        client = folder / "client"
        must(HERE, "go", "build", "-o", client, "serve/main.go")
        peer = options.tessera.resolve() if options.tessera else tessera(folder)
        servers = {}

        own, port = folder / "own", options.port
        own.mkdir()
        servers["Tagwise"] = Server(own, [options.mtchttp.resolve(), own, port], f"http://127.0.0.1:{port}/1/checkpoint").wait(b"oid/")

        other, port = folder / "tessera", options.port + 10
        other.mkdir()
        (other / "key").write_text(must(other, client, "key", "-name", "bench"))
        command = [peer, "-storage_dir", other / "log", "-private_key", other / "key", "-listen", f"127.0.0.1:{port}"]
        servers["Tessera"] = Server(other, command, f"http://127.0.0.1:{port}/checkpoint").wait(b"bench")

        if options.tagwise:
            program = options.tagwise.resolve()
            server = certificates(program, folder / "ca", options.port + 20)
            servers["Tagwise, certificates by EST"] = server
            login = user(program, server)
        for server in servers.values():
            stack.callback(server.stop)

        rows = {}
        for turn in range(options.rounds):
            for connections in options.connections.split(","):
                work = ["-connections", connections, "-seconds", options.seconds]
                for name in list(servers)[turn % len(servers) :] + list(servers)[: turn % len(servers)]:
                    server = servers[name]
                    action = ["add", "-url", server.directory.replace("/1/", "/").replace("/checkpoint", "/add"), "-body", own / "entry.der"]
                    action += ["-checkpoint", server.directory]
                    # The service's default limit of connections.
                    if "EST" in name and int(connections) > 256:
                        continue
                    if "EST" in name:
                        action = [*est(server, login), "-most", 20000]
                    before = server.processor()
                    found = json.loads(must(server.folder, client, *action, *work))
                    done, seconds = found["done"], found.get("covered", found["seconds"])
                    row = (
                        done / seconds, found["p50"], found["p99"], found.get("covered_p50", found["p50"]), found.get("covered_p99", found["p99"]),
                        1e6 * (server.processor() - before) / done, 1e6 * found["client"] / done,
                    )
                    rows.setdefault((connections, name), []).append(row)
            print(f"round {turn + 1}: load {load()}", flush=True)
        size = (own / "entry.der").stat().st_size
        print(f"entries of {size} bytes, {os.cpu_count()} processors, {options.rounds} rounds of {options.seconds:g} s")
        print("| connections | log | entries per second | range | answered, p50, p99 ms | in a checkpoint, p50, p99 ms | server's CPU, client's, µs each |")
        print("|--:|---|--:|--:|--:|--:|--:|")
        for (connections, name), list_ in sorted(rows.items(), key=lambda row: int(row[0][0])):
            rate, half, most, covered, latest, used, client = (statistics.median(column) for column in zip(*list_, strict=True))
            rates = [one[0] for one in list_]
            print(
                f"| {connections} | {name} | {rate:,.0f} | {min(rates):,.0f} to {max(rates):,.0f} | {half:.1f}, {most:.1f} | {covered:.1f}, {latest:.1f} "
                f"| {used:.0f}, {client:.0f} |"
            )


main()
