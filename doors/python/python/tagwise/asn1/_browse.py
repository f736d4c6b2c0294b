"""A keyboard-driven terminal browser for elements."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Any

from tagwise.asn1._element import Element
from tagwise.asn1._print import line, text_of, visible

_HELP = "↑↓ PgUp PgDn Home End  → ← open close  * all  / search  n next  q quit"


def _plain(role: str, text: str) -> str:
    return text


class View:
    """The visible rows of an element, and the current row. It does not need a terminal, so tests can use it."""

    def __init__(self, root: Element, oids: Mapping[str, str] | None = None) -> None:
        self.root = root
        self.oids = oids
        self.at = 0
        self.wanted = ""
        self._open = {id(root)}
        self.rows: list[tuple[Element, int]] = []
        self._lay_out()

    @staticmethod
    def inside(element: Element) -> list[Element]:
        """Returns the displayed parts of an element."""
        return [element.defined] if element.defined is not None else element.children

    def _lay_out(self) -> None:
        rows: list[tuple[Element, int]] = []
        waiting = [(self.root, 0)]
        while waiting:
            element, depth = waiting.pop()
            rows.append((element, depth))
            if id(element) in self._open:
                waiting.extend((child, depth + 1) for child in reversed(self.inside(element)))
        self.rows = rows
        self.at = min(self.at, len(rows) - 1)

    @property
    def element(self) -> Element:
        """The current element."""
        return self.rows[self.at][0]

    def text(self, row: int) -> str:
        """Returns the text of a row."""
        element, depth = self.rows[row]
        mark = " " if not self.inside(element) else "-" if id(element) in self._open else "+"
        return f"{mark} {line(element, depth, self.oids, 32, _plain)}"

    def detail(self) -> list[str]:
        """Returns lines about the current element."""
        element = self.element
        header = element.header
        absent = "extension additions that the type does not know" if element.kind == "additions" else "absent, with its DEFAULT value"
        place = absent if header is None else (
            f"at {header.offset}, tag {header.tag}, {header.tlen}+{header.llen}+{header.vlen} bytes"
            f"{', indefinite length' if header.indefinite else ''}{', BER' if element.ber else ''}"
        )  # fmt: skip
        value = "" if element.children else text_of(element, self.oids, 4096)
        return [visible(f"{element.path or '.'}: {element.type_name}"), place, value]

    def step(self, by: int) -> None:
        """Moves the current row by the given number of rows."""
        self.at = max(0, min(len(self.rows) - 1, self.at + by))

    def open(self) -> None:
        """Opens the element, or moves to its first part if it is open."""
        element = self.element
        if id(element) in self._open and self.inside(element):
            self.step(1)
        elif self.inside(element):
            self._open.add(id(element))
            self._lay_out()

    def close(self) -> None:
        """Closes the element, or moves to its parent if it is closed."""
        element, depth = self.rows[self.at]
        if id(element) in self._open and element is not self.root:
            self._open.discard(id(element))
            self._lay_out()
            return
        while self.at > 0 and self.rows[self.at][1] >= depth:
            self.at -= 1

    def open_all(self) -> None:
        """Opens the element and everything in it."""
        here = self.element
        for element in here.walk():
            self._open.add(id(element))
        self._lay_out()

    def search(self, wanted: str) -> bool:
        """Moves to the next element whose path, type or value contains a text, and opens its parents."""
        self.wanted = wanted.lower()
        return self.again()

    def again(self) -> bool:
        """Moves to the next element that matches the last search."""
        elements = list(self.root.walk())
        start = next(index for index, one in enumerate(elements) if one is self.element) + 1
        for element in elements[start:] + elements[:start]:
            value = "" if element.children else text_of(element, self.oids, 4096)
            if self.wanted and self.wanted in f"{element.path} {element.type_name} {value}".lower():
                self._show(element)
                return True
        return False

    def _show(self, element: Element) -> None:
        path = [self.root]
        while path[-1] is not element:
            path.append(next(child for child in self.inside(path[-1]) if any(one is element for one in child.walk())))
        self._open.update(id(one) for one in path[:-1])
        self._lay_out()
        self.at = next(index for index, row in enumerate(self.rows) if row[0] is element)

    def press(self, key: str, page: int) -> bool:
        """Handles a key. Returns False to quit."""
        steps = {"up": -1, "down": 1, "k": -1, "j": 1, "page-up": -page, "page-down": page, " ": page}
        if key in ("q", "escape"):
            return False
        if key in steps:
            self.step(steps[key])
        elif key in ("home", "g"):
            self.at = 0
        elif key in ("end", "G"):
            self.at = len(self.rows) - 1
        elif key in ("right", "l", "enter"):
            self.open()
        elif key in ("left", "h"):
            self.close()
        elif key == "*":
            self.open_all()
        elif key == "n":
            self.again()
        return True


def run(root: Element, oids: Mapping[str, str] | None) -> bool:
    """Browses an element. Returns False if no suitable terminal is available."""
    try:
        import curses
    except ImportError:
        return False
    view = View(root, oids)
    try:
        curses.wrapper(_loop, view, curses)
    except curses.error:
        return False
    return True


def columns(character: str) -> int:
    """Returns the number of terminal columns for a character: none for a combining mark, two for a wide character."""
    if unicodedata.category(character) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1


def cut(text: str, width: int) -> str:
    """Returns the longest prefix of a text that fits into the given number of columns."""
    for at, character in enumerate(text):
        width -= columns(character)
        if width < 0:
            return text[:at]
    return text


def _loop(screen: Any, view: View, curses: Any) -> None:
    keys = {
        curses.KEY_UP: "up", curses.KEY_DOWN: "down", curses.KEY_LEFT: "left", curses.KEY_RIGHT: "right",
        curses.KEY_PPAGE: "page-up", curses.KEY_NPAGE: "page-down", curses.KEY_HOME: "home", curses.KEY_END: "end",
        curses.KEY_ENTER: "enter", 10: "enter", 13: "enter", 27: "escape",
    }  # fmt: skip
    try:
        curses.curs_set(0)
    except curses.error:
        pass  # Not every terminal can hide its cursor.
    top = 0
    while True:
        height, width = screen.getmaxyx()
        # Rows come first; what is said of the current one has what is left of a small terminal.
        page = max(1, height - 5)
        top = max(min(top, view.at), view.at - page + 1)
        screen.erase()

        def put(row: int, text: str, style: int) -> None:
            _put(screen, row, text, style, curses.error)

        for row in range(top, min(len(view.rows), top + page)):
            put(row - top, view.text(row), curses.A_REVERSE if row == view.at else 0)
        below = [*view.detail(), _HELP]
        first = max(page, height - len(below))
        for number, text in enumerate(below):
            put(first + number, text, curses.A_BOLD if number == 0 else curses.A_DIM)
        screen.refresh()
        code = screen.getch()
        key = keys.get(code, chr(code) if 0 < code < 256 else "")
        if key == "/":
            put(height - 1, "/".ljust(width), 0)
            curses.echo()
            view.search(screen.getstr(height - 1, 1, max(1, min(64, width - 3))).decode(errors="replace"))
            curses.noecho()
        elif not view.press(key, page):
            return


def _put(screen: Any, row: int, text: str, style: int, error: type[Exception]) -> None:
    """Writes as much of a line as fits. A terminal's bottom right cell cannot be written. Characters outside the
    terminal's encoding are shown as question marks."""
    height, width = screen.getmaxyx()
    if 0 <= row < height and width > 1:
        text = text.encode(screen.encoding, "replace").decode(screen.encoding)
        try:
            screen.addstr(row, 0, cut(text, width - 1), style)
        except error:
            pass  # The terminal became smaller just now.
