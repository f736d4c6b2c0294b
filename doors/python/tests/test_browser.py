"""The command that shows and browses files: `python -m tagwise.asn1`."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys
import time

import pytest
from tagwise import asn1, pem
from tagwise.asn1 import __main__, _browse

TEXT = """
Example DEFINITIONS ::= BEGIN
  Log ::= SEQUENCE { name UTF8String, items SEQUENCE OF Item, last BOOLEAN DEFAULT TRUE }
  Item ::= SEQUENCE { id OBJECT IDENTIFIER, octets OCTET STRING }
END
"""
VALUE = {"name": "first", "items": [{"id": f"2.999.{number}", "octets": bytes([number])} for number in range(20)]}


@pytest.fixture(scope="module")
def ty() -> asn1.Type:
    return asn1.compile_text(TEXT)["Log"]


@pytest.fixture
def files(ty: asn1.Type, tmp_path: pathlib.Path) -> pathlib.Path:
    (tmp_path / "log.asn1").write_text(TEXT, encoding="utf-8")
    (tmp_path / "log.der").write_bytes(ty.encode(VALUE))
    (tmp_path / "log.pem").write_text(pem.encode("LOG", ty.encode(VALUE)), encoding="utf-8")
    (tmp_path / "oids.json").write_text(json.dumps({"2.999.3": "three"}), encoding="utf-8")
    (tmp_path / "broken.der").write_bytes(ty.encode(VALUE)[:-1])
    return tmp_path


def test_colours(files: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    for value, coloured in ((None, True), ("", True), ("1", False)):
        monkeypatch.delenv("NO_COLOR", raising=False)
        if value is not None:
            monkeypatch.setenv("NO_COLOR", value)
        assert __main__.main([str(files / "log.der"), "--text"]) == 0
        assert ("\x1b[" in capsys.readouterr().out) == coloured
        assert __main__.main([str(files / "log.der"), "--text", "--colours", "always"]) == 0
        assert "\x1b[" in capsys.readouterr().out


def test_text(files: pathlib.Path, ty: asn1.Type, capsys: pytest.CaptureFixture[str]) -> None:
    typed = ["--module", str(files / "*.asn1"), "--type", "Log"]
    whole = asn1.pprint(ty.inspect(ty.encode(VALUE)))
    for name in ("log.der", "log.pem"):
        assert __main__.main([str(files / name), *typed]) == 0
        assert capsys.readouterr().out == whole + "\n"
    assert __main__.main([str(files / "log.der"), *typed, "--path", "items[3]", "--oids", str(files / "oids.json")]) == 0
    out = capsys.readouterr().out
    assert len(out.splitlines()) == 3 and "2.999.3 (three)" in out
    assert __main__.main([str(files / "log.der"), "--colours", "always"]) == 0
    out = capsys.readouterr().out
    assert "\x1b[" in out and "UTF8String" in out
    assert __main__.main([str(files / "log.der"), "--module", "tests.test_declared", "--type", "Point"]) == 1
    for wrong, code in (
        ([str(files / "broken.der"), *typed], 1),
        ([str(files / "broken.der")], 1),
        ([str(files / "nothing.der")], 2),
        ([str(files / "log.der"), "--module", str(files / "log.asn1"), "--type", "Other"], 2),
        ([str(files / "log.der"), "--type", "Log"], 2),
        ([str(files / "log.der"), "--rules", "DER", "--allow", "no-such-rule", *typed], 2),
    ):
        assert __main__.main(wrong) == code
        assert str(files) in capsys.readouterr().err


def test_as_a_program(files: pathlib.Path) -> None:
    command = [sys.executable, "-m", "tagwise.asn1", "-"]
    done = subprocess.run(command, input=(files / "log.der").read_bytes(), capture_output=True, check=True)
    assert done.stdout.decode().splitlines()[1].split()[-1] == "first"


def test_keys(ty: asn1.Type) -> None:
    view = _browse.View(ty.inspect(ty.encode(VALUE)), {"2.999.7": "seven"})

    def press(*keys: str) -> str:
        for key in keys:
            assert view.press(key, 5)
        return view.element.path

    assert [element.path for element, _ in view.rows] == ["", "name", "items", "last"]
    assert press("down", "down") == "items" and view.text(2).startswith("+ ")
    assert press("right") == "items" and len(view.rows) == 24 and view.text(2).startswith("- ")
    assert press("right", "right", "right") == "items[0].id"
    assert press("left") == "items[0]" and press("left") == "items[0]" and press("left") == "items"
    assert press("left") == "items" and len(view.rows) == 4
    assert press("*") == "items" and len(view.rows) == 64
    assert press("page-down") == "items[1].id" and press("page-up") == "items" and press("end") == "last" and press("home") == ""
    assert view.search("seven") and view.element.path == "items[7].id"
    assert not view.search("nowhere") and view.element.path == "items[7].id"
    assert view.search("items[4]") and view.element.path == "items[4]" and press("n") == "items[4].id"
    path, place, value = view.detail()
    assert path == "items[4].id: OBJECT IDENTIFIER" and "tag [UNIVERSAL 6]" in place and value == "2.999.4"
    press("end")
    assert "DEFAULT" in view.detail()[1] and "DEFAULT" in view.text(view.at)
    assert not view.press("q", 5) and not view.press("escape", 5)


Keys = list["bytes | tuple[int, int]"]


def browsed(arguments: list[str], keys: Keys, size: tuple[int, int] = (24, 80), env: dict[str, str] | None = None) -> bytes:
    """All that the browser sends to a terminal of a size, in rows and columns, while keys are pressed and the size changes."""
    pty = pytest.importorskip("pty")
    termios = pytest.importorskip("termios")
    pytest.importorskip("curses")
    child, terminal = pty.fork()
    if child == 0:
        # The browser starts once the terminal has its size.
        os.read(0, 1)
        # Only what is here: `readline` puts LINES and COLUMNS where `os.environ` does not see them.
        kept = {name: value for name, value in os.environ.items() if name not in ("LINES", "COLUMNS")}
        whole = {**kept, "TERM": "xterm", "LC_ALL": "C.UTF-8", **(env or {})}
        os.execve(sys.executable, [sys.executable, "-m", "tagwise.asn1", *arguments], whole)
    termios.tcsetwinsize(terminal, size) if sys.version_info >= (3, 11) else pytest.skip("no way to set a terminal's size")
    os.write(terminal, b"\n")
    shown = b""
    os.set_blocking(terminal, False)
    keys = [*keys]
    end = time.monotonic() + 60
    ended = False
    while time.monotonic() < end and not ended:
        try:
            shown += os.read(terminal, 65536)
        except BlockingIOError:
            if b"\x1b" in shown and keys:
                key = keys.pop(0)
                if isinstance(key, bytes):
                    os.write(terminal, key)
                else:
                    termios.tcsetwinsize(terminal, key)
            time.sleep(0.2)
        except OSError:
            ended = True
    _, status = os.waitpid(child, 0)
    assert ended and os.waitstatus_to_exitcode(status) == 0, shown
    return shown


def test_in_a_terminal(files: pathlib.Path) -> None:
    arguments = ["--module", str(files / "log.asn1"), "--type", "Log", str(files / "log.der")]
    shown = browsed(arguments, [b"j", b"j", b"l", b"/", b"2.999.9\n", b"q"])
    # What is in the closed items is shown once the search has opened them.
    assert b"items" in shown and b"OBJECT IDENTIFIER" in shown and b"2.999.19" not in shown


def test_columns() -> None:
    assert [_browse.columns(one) for one in "a漢é\u0301あｱ🔒\u20dd"] == [1, 2, 1, 0, 2, 1, 2, 0]
    assert _browse.cut("漢字か", 5) == "漢字" and _browse.cut("漢字か", 6) == "漢字か" and _browse.cut("e\u0301" * 9, 3) == "e\u0301" * 3
    assert _browse.cut("a漢", 2) == "a" and _browse.cut("", 3) == "" and _browse.cut("abc", 0) == ""


@pytest.mark.parametrize("size", [(24, 80), (5, 20), (4, 20), (2, 3), (1, 1)])
def test_wide_characters(tmp_path: pathlib.Path, size: tuple[int, int]) -> None:
    wide, file = "漢".encode(), tmp_path / "wide.der"
    file.write_bytes(b"\x0c\x81\x96" + wide * 50)
    resized: Keys = [(7, 60), b"k", (3, 20), b"j", (5, 20), b"k", b"/", b"zz\n", b"q"]
    shown = browsed([str(file)], [b"j", *resized], size)
    # The value alone has 100 columns: whatever the terminal has, a row ends before its end.
    assert wide * ((max(60, size[1]) + 1) // 2) not in shown
    assert (wide * 5 in shown) and b"UTF8String" in shown


def test_control_characters(tmp_path: pathlib.Path) -> None:
    odd = "\x1b]0;x\x07\x9b2J\r\n\u202e\u200b"
    file, names = tmp_path / "odd.der", tmp_path / "oids.json"
    text = odd.encode()
    file.write_bytes(bytes([0x30, len(text) + 7, 0x0C, len(text)]) + text + b"\x06\x03\x88\x37\x03")
    names.write_text(json.dumps({"2.999.3": odd}), encoding="utf-8")
    for locale in ("C.UTF-8", "C"):
        shown = browsed(["--oids", str(names), str(file)], [b"j", b"j", b"/", b"999\n", b"q"], (24, 130), {"LC_ALL": locale})
        assert b"]0;x" in shown
        assert not any(one in shown for one in (b"\x1b]0", b"\x07\xc2\x9b", "\x9b".encode(), "\u202e".encode(), "\u200b".encode()))
    assert odd not in asn1.pprint(asn1.inspect(file.read_bytes()), oids={"2.999.3": odd})
    assert asn1.pprint(asn1.inspect(file.read_bytes()), oids={"2.999.3": odd}).count("\\x1b]0;x") == 2


def test_tags_around_a_choice_are_said_once() -> None:
    text = "M DEFINITIONS ::= BEGIN A ::= SEQUENCE { b [0] CHOICE { c [1] IMPLICIT INTEGER } } END"
    root = asn1.compile_text(text)["A"].inspect(bytes.fromhex("3005a003810105"))
    assert [line.split("] ", 1)[1].strip() for line in asn1.pprint(root).splitlines()] == [
        ". A", "b [0] EXPLICIT CHOICE", "c [1] INTEGER 5",
    ]  # fmt: skip
    inner = root["b.c"]
    assert inner.outer is root["b"] and root.outer is None


def test_untyped_names() -> None:
    shown = asn1.pprint(asn1.inspect(bytes.fromhex("3014" + "280706022a03810101" + "1f1f083230323631313231")))
    assert "EXTERNAL" in shown and "DATE 2026-11-21" in shown


def test_words_of_what_is_wrong(files: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    typed = ["--module", str(files / "*.asn1"), "--type", "Logg"]
    for arguments, says in (
        ([str(files / "nothing")], "nothing: No such file or directory"),
        ([str(files / "log.der"), *typed], "log.der: --type Logg: unknown type"),
        ([str(files / "log.der"), "--type", "Log"], "--module"),
    ):
        assert __main__.main(arguments) == 2
        assert says in capsys.readouterr().err
