"""The protocol of SSH by asyncssh, whose contexts of GSS-API are the test's: what it wants of a context is asked on standard output."""

import asyncio
import sys

import asyncssh
import asyncssh.connection
from asyncssh.gss import GSSError
from lines import serve


def question(*words):
    """The test's answer, whose first word is empty if there is no token; one that begins with `!` is a failure."""
    print("?" + " ".join(words), flush=True)
    said = sys.stdin.readline().rstrip("\n")
    if said.startswith("!"):
        raise GSSError(0, 0)
    return said


class Context:
    mechs = [bytes.fromhex("06092a864886f712010202")]
    provides_mutual_auth = provides_integrity = True

    def __init__(self, host, *_):
        self.complete = False

    def reset(self):
        self.complete = False

    def step(self, token=None):
        # Without a token a context begins.
        answer, state = question("step", (token or b"").hex()).split(" ")
        self.complete = state == "done"
        return bytes.fromhex(answer) or None

    def sign(self, data):
        return bytes.fromhex(question("sign", data.hex()))

    def verify(self, data, signature):
        return question("verify", data.hex(), signature.hex()) == "yes"

    @property
    def user(self):
        return question("user")

    @property
    def host(self):
        return "host"


asyncssh.connection.GSSClient = asyncssh.connection.GSSServer = Context


async def log_in(port, user, way, known_hosts, command):
    keyed = way == "gssapi-keyex"
    options = {"gss_kex": keyed, "gss_auth": True, "client_keys": None, "agent_path": None, "config": None}
    connection = asyncssh.connect(
        "localhost", int(port), username=user, known_hosts=known_hosts, preferred_auth=[way], login_timeout=30, **options
    )
    async with connection as session:
        done = await session.run(command, encoding=None)
        return f"{done.exit_status} {(done.stdout + done.stderr).hex()}"


class Server(asyncssh.SSHServer):
    """Lets in who has the user's name, and puts the users of connections that ended into a queue."""

    ended = None
    user = ""

    def connection_lost(self, error):
        Server.ended.put_nowait(self.user)

    def begin_auth(self, username):
        return True

    def validate_gss_principal(self, username, user_principal, host_principal):
        if f"{username}@KRB.TEST" != user_principal:
            return False
        self.user = username
        return True


def answer(state, command, *words):
    loop = state.setdefault("loop", asyncio.new_event_loop())
    if command == "login":
        port, user, way, known_hosts, *line = words
        return loop.run_until_complete(log_in(port, user, way, known_hosts, " ".join(line)))
    if command == "listen":
        Server.ended = asyncio.Queue()

        def session(process):
            process.stdout.write(process.get_extra_info("username") + "\n")
            process.exit(0)

        # A server without a key of its own can have Kerberos prove who it is. OpenSSH's client stumbles over one that has both.
        keys = [asyncssh.generate_private_key("ssh-ed25519")] if words[0] == "keyed" else []
        listening = asyncssh.listen(
            "127.0.0.1", 0, server_factory=Server, process_factory=session, server_host_keys=keys, gss_host="localhost"
        )
        state["listening"] = loop.run_until_complete(listening)
        public = [key.export_public_key().decode().strip() for key in keys]
        return " ".join([str(state["listening"].sockets[0].getsockname()[1]), *public])
    if command == "session":
        # Until a connection has ended.
        return loop.run_until_complete(asyncio.wait_for(Server.ended.get(), 30))
    raise ValueError(command)


serve(answer)
