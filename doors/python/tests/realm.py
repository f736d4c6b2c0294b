"""A throw-away realm of MIT's KDC on loopback, without privileges, and MIT's side of contexts."""

from __future__ import annotations

import itertools
import os
import pathlib
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator

from tagwise import krb5

ROOT = pathlib.Path(__file__).resolve().parents[3]
NAME = "KRB.TEST"
PEER = ROOT / "crates" / "kerberos" / "krb5" / "tests" / "common" / "gss_peer.py"
PROGRAMS = ("krb5kdc", "kadmind", "kadmin.local", "kdb5_util")

CONF = """[libdefaults]
 default_realm = KRB.TEST
 dns_lookup_kdc = false
 dns_lookup_realm = false
 dns_canonicalize_hostname = false
 rdns = false
 spake_preauth_groups = edwards25519
[realms]
 KRB.TEST = {{
  kdc = 127.0.0.1:{kdc}
  kpasswd_server = 127.0.0.1:{kpasswd}
  admin_server = 127.0.0.1:{kadmin}
 }}
[domain_realm]
 localhost = KRB.TEST
"""

KDC_CONF = """[kdcdefaults]
 kdc_listen = 127.0.0.1:{kdc}
 kdc_tcp_listen = 127.0.0.1:{kdc}
 spake_preauth_groups = edwards25519
[realms]
 KRB.TEST = {{
  database_module = main
  key_stash_file = {root}/stash
  acl_file = {root}/acl
  kadmind_listen = 127.0.0.1:{kadmin}
  kpasswd_listen = 127.0.0.1:{kpasswd}
  max_life = 10h
  max_renewable_life = 7d
  supported_enctypes = aes256-cts:normal aes128-cts:normal aes256-cts-hmac-sha384-192:normal camellia256-cts:normal
{pkinit} }}
[dbmodules]
 main = {{
  db_library = db2
  database_name = {root}/principal
 }}
[otp]
 DEFAULT = {{
  server = {root}/radius.sock
  timeout = 5
  retries = 1
  strip_realm = true
 }}
[logging]
 kdc = FILE:{root}/kdc.log
 admin_server = FILE:{root}/kadmind.log
"""

QUERIES = (
    "addprinc -pw alicepw +requires_preauth alice",
    "addprinc -pw bobpw bob",
    "addprinc -pw carolpw +requires_preauth carol",
    "addpol -minlength 8 strong",
    "addprinc -pw davepass1 -policy strong +requires_preauth dave",
    "addprinc -pw ottopw +requires_preauth otto",
    "addprinc -randkey WELLKNOWN/ANONYMOUS",
    "addprinc -randkey host/localhost",
    "addprinc -randkey HTTP/front.test",
    "modprinc +ok_to_auth_as_delegate HTTP/front.test",
)


def program(name: str) -> str | None:
    """A program of the realm's administration, which is not always in the path of users."""
    return shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/usr/bin:/usr/local/sbin")


def missing(what: str) -> None:
    """Skips a test, but where everything has to be there."""
    # The benchmark of contexts has no pytest.
    import pytest

    if os.environ.get("CI") == "true":
        pytest.fail(what)
    pytest.skip(what)


def gss_python() -> str:
    """The Python that has python-gssapi, which is Debian's."""
    python = os.environ.get("TAGWISE_GSS_PYTHON", "/usr/bin/python3")
    found = subprocess.run([python, "-c", "import gssapi"], capture_output=True, check=False)
    if found.returncode:
        missing("python-gssapi (Debian: python3-gssapi)")
    return python


#: Below the ports that the system gives to sockets without one of their own, which may be another's before a server has them.
_ports = itertools.count(os.getpid() * 613)


def free_port() -> int:
    """A port of loopback that nobody listens at, for a server that is started next."""
    while True:
        port = 10_000 + next(_ports) % 20_000
        try:
            socket.create_server(("127.0.0.1", port)).close()
        except OSError:
            continue
        return port


def answers(port: int) -> None:
    """Waits until something listens on a port."""
    until = time.monotonic() + 30
    while True:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return
        except OSError:
            assert time.monotonic() < until, "the realm does not start"
            time.sleep(0.05)


class Realm:
    """A KDC and a password server."""

    def __init__(self, folder: pathlib.Path, pkinit: str = "") -> None:
        self.folder = folder
        self.kdc, self.kadmin = free_port(), free_port()
        ports = {"kdc": self.kdc, "kadmin": self.kadmin, "kpasswd": free_port()}
        (folder / "krb5.conf").write_text(CONF.format(**ports), encoding="utf-8")
        kdc_conf = KDC_CONF.format(root=folder, pkinit=pkinit, **ports)
        (folder / "kdc.conf").write_text(kdc_conf, encoding="utf-8")
        (folder / "acl").write_text("", encoding="utf-8")
        self.config = krb5.Config(path=folder / "krb5.conf")
        self.client = krb5.Client(self.config)
        self.children: list[subprocess.Popen[bytes]] = []

    @property
    def environment(self) -> dict[str, str]:
        own = {
            "KRB5_CONFIG": str(self.folder / "krb5.conf"),
            "KRB5_KDC_PROFILE": str(self.folder / "kdc.conf"),
            "KRB5RCACHEDIR": str(self.folder),
            "KRB5_KTNAME": str(self.folder / "all.keytab"),
            "TMPDIR": str(self.folder),
        }
        # What is loaded before the tests, such as a checker of memory, is not meant for MIT's programs.
        return {**{name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}, **own}

    def run(self, name: str, *arguments: str) -> str:
        found = program(name)
        assert found is not None, name
        done = subprocess.run(
            [found, *arguments], env=self.environment, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False
        )
        assert done.returncode == 0, (name, arguments, done.stdout, done.stderr)
        return done.stdout

    def start(self) -> None:
        self.run("kdb5_util", "create", "-s", "-P", "masterpw", "-r", NAME)
        services = "host/localhost HTTP/front.test krbtgt/KRB.TEST bob"
        for query in (*QUERIES, f"ktadd -k {self.folder}/all.keytab -norandkey {services}"):
            self.run("kadmin.local", "-r", NAME, "-q", query)
        tokens = '[{"type":"DEFAULT","indicators":["otp"]}]'
        self.run("kadmin.local", "-r", NAME, "set_string", "otto", "otp", tokens)
        for name, options in (("krb5kdc", ["-n"]), ("kadmind", ["-nofork"])):
            command = [program(name) or name, *options, "-r", NAME]
            quiet = subprocess.DEVNULL
            self.children.append(
                subprocess.Popen(command, env=self.environment, stdin=quiet, stdout=quiet, stderr=quiet)
            )
        for port in (self.kdc, self.kadmin):
            answers(port)

    def stop(self) -> None:
        for child in self.children:
            child.kill()
            child.wait()

    @property
    def keytab(self) -> krb5.Keytab:
        """The keys of its services, and of bob."""
        return krb5.Keytab.load(self.folder / "all.keytab")

    def cache(self, name: str, **asked: object) -> krb5.CredentialCache:
        """A cache in a file, with an initial ticket of somebody whose password is NAMEpw."""
        cache = krb5.CredentialCache(f"FILE:{self.folder}/{name}.cc", config=self.config)
        self.client.kinit(name, password=f"{name}pw", cache=cache, **asked)  # type: ignore[arg-type]
        return cache


def running(pkinit: str = "", folder: pathlib.Path | None = None) -> Iterator[Realm]:
    """A realm while it is used."""
    if any(program(name) is None for name in PROGRAMS):
        missing("MIT's KDC (Debian: krb5-kdc, krb5-admin-server)")
    with tempfile.TemporaryDirectory() as own:
        realm = Realm(folder or pathlib.Path(own), pkinit)
        try:
            realm.start()
            yield realm
        finally:
            realm.stop()


class Peer:
    """MIT's side of contexts, by python-gssapi in a process of its own: one command a line, one answer a line."""

    def __init__(self, realm: Realm, cache: krb5.CredentialCache | None = None) -> None:
        environment = {**realm.environment, "PYTHONDONTWRITEBYTECODE": "1"}
        if cache is not None:
            environment["KRB5CCNAME"] = cache.name
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            [gss_python(), str(PEER)], env=environment, stdin=pipe, stdout=pipe, text=True, bufsize=1
        )

    def ask(self, *words: str) -> str:
        """Its answer; an error begins with `!`."""
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(" ".join(words) + "\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().rstrip("\n")

    def must(self, *words: str) -> str:
        """Its answer, which is no error."""
        answer = self.ask(*words)
        assert not answer.startswith("!"), (words[0], answer)
        return answer

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                stream.close()
