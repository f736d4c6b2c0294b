"""A throw-away realm of Heimdal's KDC on loopback, without privileges, with a rule of delegation, which MIT's database of files lacks.

Debian's packages of Heimdal and of MIT's KDC exclude each other: `TAGWISE_HEIMDAL` names a folder in which Heimdal's are unpacked.
"""

from __future__ import annotations

import os
import pathlib
import platform
import subprocess
import tempfile
from collections.abc import Iterator

from tagwise import krb5

from .realm import answers, free_port, missing

NAME = "HEIM.TEST"
ROOT = pathlib.Path(os.environ.get("TAGWISE_HEIMDAL", "/"))
FOLDERS = ("usr/bin", "usr/sbin", "usr/lib/heimdal-servers")

CLIENT_CONF = """[libdefaults]
 default_realm = HEIM.TEST
 dns_lookup_kdc = false
 dns_lookup_realm = false
 rdns = false
[realms]
 HEIM.TEST = {{
  kdc = 127.0.0.1:{kdc}
 }}
"""

KDC_CONF = """[kdc]
 database = {{
  dbname = {root}/heimdal
  realm = HEIM.TEST
  mkey_file = {root}/m-key
  acl_file = {root}/acl
  log_file = {root}/hdb.log
 }}
 require-preauth = false
 encode_as_rep_as_tgs_rep = false
[kadmin]
 default_keys = aes256-cts-hmac-sha1-96:pw-salt aes128-cts-hmac-sha1-96:pw-salt
[logging]
 kdc = FILE:{root}/kdc.log
"""


def program(name: str) -> pathlib.Path | None:
    return next((path for path in (ROOT / folder / name for folder in FOLDERS) if path.exists()), None)


class Heimdal:
    """Services: front may ask back, in the names of others, and nobody else."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder
        kdc = free_port()
        client_conf = CLIENT_CONF.format(kdc=kdc)
        (folder / "krb5.conf").write_text(client_conf + KDC_CONF.format(root=folder), encoding="utf-8")
        self.client = krb5.Client(krb5.Config(client_conf))
        self.run("kstash", "--random-key", f"--key-file={folder}/m-key")
        self.admin("init", "--realm-max-ticket-life=1day", "--realm-max-renewable-life=1week", NAME)
        self.admin("add", "--password=bobpw", "--use-defaults", "bob")
        services = ("HTTP/front.test", "HTTP/back.test", "host/localhost")
        for name in services:
            self.admin("add", "-r", "--use-defaults", name)
        self.admin("mod", "--attributes=trusted-for-delegation", "HTTP/front.test")
        self.admin("mod", "--constrained-delegation=HTTP/back.test@HEIM.TEST", "HTTP/front.test")
        self.admin("ext", "-k", f"{folder}/all.keytab", *services)
        self.keytab = krb5.Keytab.load(folder / "all.keytab")
        quiet = subprocess.DEVNULL
        command = self._command("kdc", f"--config-file={folder}/krb5.conf", "--addresses=127.0.0.1", f"--ports={kdc}")
        self.child = subprocess.Popen(command, env=self.environment, stdin=quiet, stdout=quiet, stderr=quiet)
        answers(kdc)

    @property
    def environment(self) -> dict[str, str]:
        own = {"KRB5_CONFIG": str(self.folder / "krb5.conf"), "TMPDIR": str(self.folder)}
        if ROOT != pathlib.Path("/"):
            own["LD_LIBRARY_PATH"] = str(ROOT / "usr/lib" / f"{platform.machine()}-linux-gnu")
        return {**os.environ, **own}

    @staticmethod
    def _command(name: str, *arguments: str) -> list[str]:
        found = program(name)
        assert found is not None, name
        return [str(found), *arguments]

    def run(self, name: str, *arguments: str) -> None:
        command = self._command(name, *arguments)
        done = subprocess.run(
            command, env=self.environment, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False
        )
        assert done.returncode == 0, (command, done.stdout, done.stderr)

    def admin(self, *arguments: str) -> None:
        self.run("kadmin.heimdal", "-c", f"{self.folder}/krb5.conf", "-l", "-r", NAME, *arguments)

    def stop(self) -> None:
        # The KDC has workers, which end when it is asked to end.
        self.child.terminate()
        self.child.wait()


def running() -> Iterator[Heimdal]:
    """A realm while it is used."""
    if any(program(name) is None for name in ("kdc", "kadmin.heimdal", "kstash")):
        missing("Heimdal's KDC (TAGWISE_HEIMDAL names a folder with Debian's heimdal-kdc and heimdal-clients)")
    with tempfile.TemporaryDirectory() as folder:
        realm = Heimdal(pathlib.Path(folder))
        try:
            yield realm
        finally:
            realm.stop()
