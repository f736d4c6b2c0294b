"""Tests of `agree.py` and `peers.py` that need no verifier: what counts as a verdict, as a reason, and as a page."""

import contextlib
import io
import pathlib
import re
import stat
import sys
import tempfile
import unittest
import unittest.mock

import agree
import cases
import facts
import peers


def case(identifier, expected=True, **rest):
    return cases.case(identifier, "set", expected, b"leaf", [], [b"root"], time="2026-06-01T00:00:00Z", **rest)


def program(folder, text):
    """A verifier that does what a line of a shell says."""
    place = pathlib.Path(folder) / "verifier"
    place.write_text(f"#!/bin/sh\n{text}\n")
    place.chmod(place.stat().st_mode | stat.S_IXUSR)
    return place


class Verdicts(unittest.TestCase):
    def run_one(self, verifier, text, **rest):
        with tempfile.TemporaryDirectory() as folder:
            one = [case("a::b", **rest)]
            peers.write(pathlib.Path(folder), one)
            return verifier(program(folder, text), one)["a::b"]

    def test_openssl(self):
        refused = "echo 'error 20 at 0 depth lookup: unable to get local issuer certificate' >&2; exit 2"
        self.assertEqual(self.run_one(peers.openssl, refused), (False, "unable to get local issuer certificate"))
        self.assertEqual(self.run_one(peers.openssl, "exit 0"), (True, "OK"))
        unread = "echo 'Could not read certificate file from leaf.pem' >&2; exit 2"
        self.assertFalse(self.run_one(peers.openssl, unread)[0])
        for broken in ("kill -SEGV $$", "echo 'verify: Unknown option' >&2; exit 1", "exit 2", "exit 134"):
            with self.assertRaises(peers.Broken, msg=broken):
                self.run_one(peers.openssl, broken)

    def test_tagwise(self):
        self.assertEqual(self.run_one(peers.tagwise, "echo 'no anchor' >&2; exit 3"), (False, "unreadable: no anchor"))
        for broken in ("exit 101", "kill -ABRT $$", "exit 2"):
            with self.assertRaises(peers.Broken, msg=broken):
                self.run_one(peers.tagwise, broken)

    def test_programs_that_answer_lines(self):
        for verifier in (peers.go, peers.webpki):
            good = """cat >/dev/null; echo '{"id": "a::b", "valid": false, "reason": "why"}'"""
            self.assertEqual(self.run_one(verifier, good), (False, "why"))
            for broken in (good + "; exit 2", "cat >/dev/null", "cat >/dev/null; kill -SEGV $$", good.replace("a::b", "c")):
                with self.assertRaises(peers.Broken, msg=broken):
                    self.run_one(verifier, broken)

    def test_mailboxes(self):
        # None of these three can be asked for one: a verdict without it would be about something else.
        one = [case("a::b", name=["RFC822", "eva@example.org"])]
        self.assertEqual(peers.pyca(one), {})
        for verifier in (peers.go, peers.webpki):
            with tempfile.TemporaryDirectory() as folder:
                self.assertEqual(verifier(program(folder, "cat >/dev/null"), one), {})


class Reasons(unittest.TestCase):
    def setUp(self):
        row = {"peers": "go,openssl", "direction": "only-peer", "pattern": "\texpired", "reason": "RFC", "used": set()}
        self.table = [row]
        self.every = [case("a::1", expected=False), case("a::2")]
        self.answers = {
            "tagwise": {"a::1": (False, "expired"), "a::2": (True, "valid", [])}, "go": {"a::1": (True, "OK"), "a::2": (True, "OK")},
            "openssl": {"a::1": (False, "expired"), "a::2": (True, "OK")},
        }

    def test_each_peer_needs_its_rows(self):
        text, unexplained = agree.report(self.every, self.answers, self.table, {})
        self.assertEqual(unexplained, [])
        self.assertIn("- RFC: go 1, as `a::1`.", text)
        self.assertEqual([peer for peer, _ in agree.unneeded(self.table, self.answers)], ["openssl"])

    def test_the_register(self):
        rows = agree.reasons()
        self.assertEqual(len({(row["direction"], row["pattern"]) for row in rows}), len(rows))
        for row in rows:
            re.compile(row["pattern"])
            self.assertLessEqual(set(row["peers"].split(",")), {*agree.PEERS, "set"})
            self.assertIn(row["direction"], ("only-peer", "only-tagwise"))
            # A rule alone, or a message alone, says too little about a case: two columns, the case, or facts of the path.
            self.assertTrue(row["pattern"].startswith(("^", "\\t")), row["pattern"])
            for fact in re.findall(r"\\b([a-z-]+)\\b", row["pattern"]):
                self.assertIn(fact, facts.KNOWN)

    def test_facts(self):
        generated = agree.generate.generated(60)
        number = lambda der: facts.x509.load_der_x509_certificate(der).serial_number
        found = {fact for one in generated for fact in facts.of_path(one, (True, "valid", [
            number(one["leaf"]), *(number(der) for der in one["pool"])])).split()}
        self.assertLessEqual(found, set(facts.KNOWN))
        self.assertGreaterEqual(len(found), 6)
        self.assertEqual(facts.of_path(generated[0], (False, "expired")), "")
        self.assertEqual(facts.of_path(case("a::b"), (True, "valid", [1])), "")

    def test_what_a_set_expects(self):
        self.answers["set"] = {"a::1": (False, ""), "a::2": (True, "")}
        lines = agree.claims(self.every, self.answers)
        self.assertEqual(lines, ["- Of the 1 paths that set expects to be refused, Tagwise accepts 0; of the 1 that it expects to be "
                                 "valid, it refuses 0."])
        self.answers["tagwise"]["a::1"] = (True, "valid", [])
        self.assertIn("Tagwise accepts 1 (`a::1`)", agree.claims(self.every, self.answers)[0])
        # Without a reason, that is a failure like any other.
        _, unexplained = agree.report(self.every, self.answers, self.table, {})
        self.assertIn(("set", "only-tagwise", "a::1"), [row[:3] for row in unexplained])

    def run_main(self, count):
        """The exit code of a run of so many hierarchies, and the page, if it is written."""
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder) / "page.md"
            words = ["agree.py", "--tagwise", "tagwise", "--openssl", "openssl", "--corpora", folder, "--count", str(count)]
            patches = [
                unittest.mock.patch.object(sys, "argv", words), unittest.mock.patch.object(agree, "REPORT", page),
                unittest.mock.patch.object(agree, "ROOT", pathlib.Path(folder)),
                unittest.mock.patch.object(cases, "pkits", lambda _: self.every), unittest.mock.patch.object(cases, "limbo", lambda _: []),
                unittest.mock.patch.object(agree.generate, "generated", lambda _: []),
                unittest.mock.patch.object(peers, "tagwise", lambda *_: self.answers["tagwise"]),
                unittest.mock.patch.object(agree, "ask", lambda *_: dict(self.answers["openssl"])),
                unittest.mock.patch.object(agree, "alone", lambda *_: None),
                unittest.mock.patch.object(agree, "versions", lambda _: {}),
                unittest.mock.patch.object(agree, "reasons", lambda: self.table),
            ]
            with contextlib.ExitStack() as stack, contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                for patch in patches:
                    stack.enter_context(patch)
                return agree.main(), page.exists()

    def test_samples(self):
        # The row is of OpenSSL and nothing needs it: a failure of the whole run, and none of a sample's, which writes no page.
        self.assertEqual(self.run_main(agree.COUNT), (1, True))
        self.assertEqual(self.run_main(100), (0, False))
        # What is not explained is a failure of both.
        self.answers["openssl"]["a::2"] = (False, "why")
        self.assertEqual(self.run_main(100), (1, False))


if __name__ == "__main__":
    unittest.main()
