"""ACME, OCSP and EST requests per second: `serve.py TAGWISE [--earlier FILE] [--pebble FILE] [--step-ca FILE] [--orders N]`.

Tagwise runs as `serve run` with a SQLite file and its default settings, beside pebble and step-ca, with the same client
(`serve/main.go`, built with Go). All servers run the whole time and take turns of a few seconds. Prints medians of the rounds:
operations per second, latencies in milliseconds, the server's processor time per operation in microseconds, and the client's
share of the processors. The client and the servers share the machine.

`--earlier FILE` is another build of Tagwise to compare with. `--orders N` completes N orders with Tagwise, and prints its resident set
and the size of its database on the way; with `--est`, they are enrollments by EST. `--hold` repeats the orders while 300 idle and 100
slow connections are open. `--only TEXT` selects rows.
"""

import argparse
import contextlib
import json
import os
import re
import signal
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
SECRET = "correct horse battery staple"
# What the guide does not have: high rate limits, and validation on the loopback.
CONFIG = """
[ca]
sqlite = 'ca.db'
passphrase-file = 'secret.txt'
[[listen]]
address = '127.0.0.1:{port}'
[tls]
names = ['127.0.0.1']
[acme]
ip = ['127.0.0.0/8']
http-port = {http}
allow-addresses = ['127.0.0.0/8']
orders-per-hour = 1000000000
accounts-per-hour = 1000000000
preauthorization = {reuse}
[ocsp]
[crl]
[est]
[[enroll.grants]]
name = 'devices'
profile = 'client'
dns = ['bench.test']
[admin]
socket = 'admin.sock'
"""


def must(folder, *arguments, **others):
    """Runs a command that prepares a server, and returns its output."""
    done = subprocess.run([str(one) for one in arguments], cwd=folder, capture_output=True, text=True, check=False, **others)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, arguments))}: {done.stderr}{done.stdout}")
    return done.stdout


class Server:
    """A running server, with the counters that the system keeps of it."""

    def __init__(self, folder, arguments, directory, env=None):
        self.folder, self.directory = folder, directory
        with (folder / "log.txt").open("wb") as log:
            self.child = subprocess.Popen(
                [str(one) for one in arguments], cwd=folder, env={**os.environ, **(env or {})}, stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )

    def wait(self, ready=b"newOrder"):
        """Waits until the server accepts connections, and its answer contains `ready`."""
        for _ in range(600):
            if self.child.poll() is not None:
                break
            done = subprocess.run(["curl", "-sk", self.directory], capture_output=True, check=False)
            if ready in done.stdout:
                return self
            time.sleep(0.1)
        raise SystemExit((self.folder / "log.txt").read_text()[-2000:])

    def processor(self):
        """Seconds of the processors so far."""
        fields = Path(f"/proc/{self.child.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def resident(self):
        """MiB of memory."""
        return int(re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{self.child.pid}/status").read_text()).group(1)) / 1024

    def stored(self):
        """MiB of the database's files."""
        return sum(file.stat().st_size for file in self.folder.rglob("*") if "db" in str(file.relative_to(self.folder)) and file.is_file()) / 1048576

    def stop(self):
        """Ends the server."""
        self.child.send_signal(signal.SIGTERM)
        try:
            self.child.wait(20)
        except subprocess.TimeoutExpired:
            self.child.kill()
            self.child.wait()


def tagwise(program, folder, port, http, reuse, key):
    """Starts Tagwise with a new CA."""
    folder.mkdir()
    os.umask(0o077)
    (folder / "secret.txt").write_text(SECRET)
    must(
        folder, program, "ca", "init", "--db", "ca.db", "--subject", "CN=Bench", "--key-type", key, "--passphrase-file", "secret.txt", "-o", "root.pem",
        "--ocsp-url", f"http://127.0.0.1:{port}/ocsp",
    )
    (folder / "server.toml").write_text(CONFIG.format(port=port, http=http, reuse=str(reuse).lower()))
    return Server(folder, [program, "serve", "run", "--config", "server.toml"], f"https://127.0.0.1:{port}/acme/directory").wait()


def certificate(folder):
    """Creates a self-signed certificate and its key with OpenSSL."""
    new = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-noenc", "-days", "365"]
    must(folder, "openssl", "req", "-x509", *new, "-keyout", "key.pem", "-out", "cert.pem", "-subj", "/CN=Bench", "-addext", "subjectAltName=IP:127.0.0.1")


def pebble(program, folder, port, http, reuse, _key):
    """Starts pebble with an ECDSA key."""
    folder.mkdir()
    certificate(folder)
    config = {
        "listenAddress": f"127.0.0.1:{port}", "managementListenAddress": f"127.0.0.1:{port + 1}", "certificate": "cert.pem", "privateKey": "key.pem",
        "httpPort": http, "tlsPort": 5001, "ocspResponderURL": "", "keyAlgorithm": "ecdsa", "retryAfter": {"authz": 1, "order": 1},
        "profiles": {"default": {"description": "default", "validityPeriod": 7776000}},
    }
    (folder / "pebble.json").write_text(json.dumps({"pebble": config}))
    env = {
        "PEBBLE_VA_NOSLEEP": "1", "PEBBLE_VA_ALWAYS_VALID": "1", "PEBBLE_WFE_NONCEREJECT": "0", "PEBBLE_AUTHZREUSE": "100" if reuse else "0",
    }
    return Server(folder, [program, "-config", "pebble.json"], f"https://127.0.0.1:{port}/dir", env).wait()


def step(program, folder, port, http, _reuse, _key):
    """Starts step-ca with the database that `step ca init` configures."""
    folder.mkdir()
    certificate(folder)
    config = {
        "root": "cert.pem", "crt": "cert.pem", "key": "key.pem", "address": f"127.0.0.1:{port}", "dnsNames": ["127.0.0.1"],
        "logger": {"format": "text"}, "db": {"type": "badgerv2", "dataSource": "db"},
        "authority": {"provisioners": [{"type": "ACME", "name": "acme"}]},
    }
    (folder / "ca.json").write_text(json.dumps(config))
    return Server(folder, [program, "ca.json", "--acme-http-port", http, "--insecure"], f"https://127.0.0.1:{port}/acme/acme/directory").wait()


class Rows:
    """Measured values by row and server."""

    def __init__(self):
        self.values = {}

    def measure(self, row, server, client, arguments):
        """Runs the client, and adds what it and the system counted."""
        before = server.processor()
        found = json.loads(must(server.folder, client, *arguments))
        used, done, seconds = server.processor() - before, found["done"], found["seconds"]
        share = 100 * found["client"] / seconds / os.cpu_count()
        values = (done / seconds, found["p50"], found["p99"], 1e6 * used / max(done, 1), share, 100 * used / seconds / os.cpu_count())
        self.values.setdefault(row, []).append(values)
        return found

    def print(self):
        """Prints the medians as a table."""
        print("| | per second | range | p50 ms | p99 ms | server's CPU, µs each | share of the processors: server, client |")
        print("|---|--:|--:|--:|--:|--:|--:|")
        for row, list_ in self.values.items():
            rate, p50, p99, used, client, server = (statistics.median(column) for column in zip(*list_, strict=True))
            rates = [one[0] for one in list_]
            print(f"| {row} | {rate:,.0f} | {min(rates):,.0f} to {max(rates):,.0f} | {p50:.1f} | {p99:.1f} | {used:,.0f} | {server:.0f} %, {client:.0f} % |")


def load():
    """The machine's load."""
    return " ".join(f"{one:.2f}" for one in os.getloadavg())


def ocsp(program, server):
    """Creates an OCSP request for an issued certificate."""
    listed = must(server.folder, program, "ca", "list", "--db", "ca.db")
    serial = next(line.split()[0] for line in listed.splitlines() if "127.1" in line or "server" in line)
    must(server.folder, program, "ca", "export", "--serial", serial, "--db", "ca.db", "-o", "leaf.pem")
    must(server.folder, "openssl", "ocsp", "-issuer", "root.pem", "-cert", "leaf.pem", "-no_nonce", "-reqout", "ocsp.der")


def user(program, server):
    """Creates a user for EST."""
    added = must(server.folder, program, "ca", "enroll", "add", "user", "--db", "ca.db", "--grant", "devices")
    return ":".join(re.findall(r"^(?:id|secret):\s*(\S+)", added, re.MULTILINE))


def est(server, login):
    """The client's arguments for enrollments by EST."""
    url = server.directory.replace("/acme/directory", "/.well-known/est/simpleenroll")
    return ["est", "-url", url, "-user", login, "-name", "a.bench.test"]


def csrs(program, server, count, key):
    """Creates certification requests for the identifiers of the client, with keys of a kind."""
    folder = server.folder / "csrs"
    folder.mkdir(exist_ok=True)
    for index in range(count):
        new = [program, "key", "new", key, "-o", f"{index}.key", "--no-passphrase"]
        must(folder, *new)
        must(folder, program, "csr", "new", "--key", f"{index}.key", "--ip", f"127.1.{index // 256}.{index % 256}", "--der", "-o", f"{index}.der")
    return folder


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tagwise", type=Path)
    parser.add_argument("--earlier", type=Path)
    parser.add_argument("--pebble", type=Path)
    parser.add_argument("--step-ca", type=Path)
    parser.add_argument("--client", type=Path, help="the built client [default: built with Go]")
    parser.add_argument("--folder", type=Path, help="folder for the databases, on a disk [default: the current one]")
    parser.add_argument("--connections", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=4)
    parser.add_argument("--orders", type=int, default=0)
    parser.add_argument("--est", action="store_true")
    parser.add_argument("--hold", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--port", type=int, default=14100, help="the first of the servers' ports [default: 14100]")
    options = parser.parse_args()
    program = options.tagwise.resolve()
    peers = (("earlier Tagwise", tagwise, options.earlier), ("pebble", pebble, options.pebble), ("step-ca", step, options.step_ca))
    peers = [(name, begin, path.resolve()) for name, begin, path in peers if path]
    rows = Rows()
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=(options.folder or Path.cwd()).resolve())))
        client = options.client and options.client.resolve()
        if client is None:
            client = folder / "client"
            must(HERE, "go", "build", "-o", client, "serve/main.go")
        print(f"{must(folder, program, '--version').splitlines()[0]}, {os.cpu_count()} processors, {options.connections} connections, load {load()}", flush=True)

        port = iter(range(options.port, options.port + 900, 10))
        servers = {}

        def start(name, begin, path, *, reuse, key="ecdsa-p256"):
            own = next(port)
            http = own + 5
            server = begin(path, folder / str(own), own, http, reuse, key)
            stack.callback(server.stop)
            servers[name] = (server, http)

        both = [("Tagwise", tagwise, program), *peers]
        for name, begin, path in both:
            # Several connections that order new authorizations at the same time can stop pebble 2.10 for good: its requests wait for each
            # other's locks.
            alone = ", one connection" if begin is pebble else ""
            start(f"order, http-01, {name}{alone}", begin, path, reuse=False)
            if begin is not step:
                start(f"order, authorization reused, {name}", begin, path, reuse=True)
        start("order, authorization reused, ML-DSA-44, Tagwise", tagwise, program, reuse=True, key="mldsa44")
        servers = {name: found for name, found in servers.items() if options.only in name}
        folders = {name: csrs(program, found[0], options.connections, "mldsa44") for name, found in servers.items() if "ML-DSA" in name}

        work = ["-connections", options.connections, "-seconds", options.seconds]

        def order(name, *, row=None):
            server, http = servers[name]
            more = ["-csrs", folders[name]] if name in folders else ["-connections", 1] if "one connection" in name else []
            return rows.measure(row or name, server, client, ["acme", "-directory", server.directory, "-port", http, *work, *more])

        for turn in range(options.rounds):
            for name in list(servers)[turn % len(servers) :] + list(servers)[: turn % len(servers)]:
                order(name)
            print(f"round {turn + 1}: load {load()}", flush=True)

        name = "order, authorization reused, Tagwise"
        if name in servers:
            server, http = servers[name]
            url = server.directory.removesuffix("/acme/directory")
            ocsp(program, server)
            enroll = [*est(server, user(program, server)), *work, "-most", 10000]
            for _ in range(options.rounds):
                rows.measure("OCSP, Tagwise", server, client, ["post", "-url", f"{url}/ocsp", "-type", "application/ocsp-request", "-body", "ocsp.der", *work])
                rows.measure("EST simpleenroll, Tagwise", server, client, enroll)
            if options.hold:
                for _ in range(options.rounds):
                    held = subprocess.Popen([client, "hold", "-address", url.removeprefix("https://"), "-seconds", str(options.seconds + 4)])
                    time.sleep(2)
                    order(name, row=f"{name}, 400 others idle or slow")
                    held.wait()
        rows.print()
        for name, (server, _) in servers.items():
            print(f"{name}: {server.resident():.0f} MiB resident, {server.stored():.0f} MiB stored")
        if options.orders:
            start("memory", tagwise, program, reuse=True)
            server, http = servers["memory"]
            action = ["acme", "-directory", server.directory, "-port", http]
            if options.est:
                action = est(server, user(program, server))
            done, before = 0, time.perf_counter()
            print(f"orders {done}: {server.resident():.1f} MiB resident, {server.stored():.1f} MiB stored", flush=True)
            for goal in sorted({options.orders, *(goal for goal in (1_000, 10_000, 30_000, 100_000, 300_000) if goal < options.orders)}):
                limits = ["-connections", options.connections, "-seconds", 36000, "-most", goal - done]
                done += rows.measure("memory", server, client, [*action, *limits])["done"]
                rate = f"{time.perf_counter() - before:.0f} s, load {load()}"
                print(f"orders {done}: {server.resident():.1f} MiB resident, {server.stored():.1f} MiB stored, {rate}", flush=True)
            rows, work = Rows(), ["-connections", options.connections, "-seconds", options.seconds]
            builds = [("Tagwise", program), ("earlier Tagwise", options.earlier and options.earlier.resolve())]
            for name, path in [*builds, *builds[:1]]:
                if path:
                    server.stop()
                    server = Server(server.folder, [path, "serve", "run", "--config", "server.toml"], server.directory).wait()
                    stack.callback(server.stop)
                    rows.measure(f"{name}, {done} certificates", server, client, ["acme", "-directory", server.directory, "-port", http, *work])
            rows.print()


if __name__ == "__main__":
    main()
