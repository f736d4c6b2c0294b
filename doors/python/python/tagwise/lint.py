"""Lints: RFC 5280's requirements on issuers beyond the encoding, each with its clause.

>>> from tagwise import lint
>>> one = lint.by_id("rfc5280.4.1.2.2.zero_serial")
>>> one.severity, one.clause, one.scope
('error', 'RFC 5280 §4.1.2.2', 'certificate')
>>> len([each for each in lint.LINTS if each.severity == "error"]) > 50
True

`certificate.lint()` and `crl.lint()` run them all; `check` runs the selected ones on any object with lints. No paths
are built, no signatures are verified, and the current time is not used.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import TYPE_CHECKING, Protocol

from tagwise import _native
from tagwise._data import Data

__all__ = ["LINTS", "Finding", "Lint", "by_id", "check", "select"]


class Lint(Data):
    """A requirement that is checked."""

    __slots__ = ("_about", "_clause", "_id", "_scope", "_severity", "_title")
    _fields = ("id", "clause", "severity", "scope", "title", "about")

    def __init__(self, id: str, clause: str, severity: str, scope: str, title: str, about: str) -> None:
        self._id = id
        self._clause = clause
        self._severity = severity
        self._scope = scope
        self._title = title
        self._about = about

    @property
    def id(self) -> str:
        """The stable identifier."""
        return self._id

    @property
    def clause(self) -> str:
        """The section of the standard."""
        return self._clause

    @property
    def severity(self) -> str:
        """`error` for a violated requirement of the standard, `warning` for a recommendation."""
        return self._severity

    @property
    def scope(self) -> str:
        """`certificate`, `crl` or `both`."""
        return self._scope

    @property
    def title(self) -> str:
        """The short description that findings show."""
        return self._title

    @property
    def about(self) -> str:
        """The requirement, with an explanation."""
        return self._about


class Finding(Data):
    """A violation that was found."""

    __slots__ = ("_clause", "_lint", "_offset", "_path", "_severity", "_text")
    _fields = ("lint", "severity", "clause", "offset", "text", "path")

    def __init__(self, lint: str, severity: str, clause: str, offset: int, text: str, path: str) -> None:
        self._lint = lint
        self._severity = severity
        self._clause = clause
        self._offset = offset
        self._text = text
        self._path = path

    @property
    def lint(self) -> str:
        """The identifier of the lint."""
        return self._lint

    @property
    def severity(self) -> str:
        """`error` or `warning`."""
        return self._severity

    @property
    def clause(self) -> str:
        """The section of the standard."""
        return self._clause

    @property
    def offset(self) -> int:
        """The offset of the faulty element or, if an element is missing, of the enclosing one."""
        return self._offset

    @property
    def text(self) -> str:
        """A short description of the violation."""
        return self._text

    @property
    def path(self) -> str:
        """The path of the faulty element."""
        return self._path


if TYPE_CHECKING:
    #: All lints, in the order of the standard.
    LINTS: tuple[Lint, ...]


def __getattr__(name: str) -> tuple[Lint, ...]:
    if name == "LINTS":
        return _lints()
    raise AttributeError(f"module 'tagwise.lint' has no attribute {name!r}")


@functools.cache
def _lints() -> tuple[Lint, ...]:
    return tuple(Lint(*one) for one in _native.lints())


def by_id(id: str) -> Lint:
    """Returns the lint with the given identifier."""
    for lint in _lints():
        if lint.id == id:
            return lint
    raise KeyError(id)


def select(*prefixes: str) -> list[Lint]:
    """Returns the lints with the given identifiers or prefixes of identifiers, such as sections.

    >>> [one.id for one in select("rfc5280.4.2.1.14")]
    ['rfc5280.4.2.1.14.not_critical']
    """
    chosen = [lint for lint in _lints() if any(lint.id == one or lint.id.startswith(one + ".") for one in prefixes)]
    for one in prefixes:
        if not any(lint.id == one or lint.id.startswith(one + ".") for lint in chosen):
            raise KeyError(one)
    return chosen


class Linted(Protocol):
    """A certificate or a CRL."""

    def _lint(
        self, only: list[str] | None = ..., severity: str = ...
    ) -> list[tuple[str, str, str, int, str, str]]: ...


def check(
    value: Linted, *, only: Iterable[str] | None = None, skip: Iterable[str] = (), severity: str = "warning"
) -> list[Finding]:
    """Returns the findings for a certificate or a CRL. `only` and `skip` select lints as in `select`; `severity` is
    the minimum severity."""
    chosen = _lints() if only is None else select(*only)
    skipped = {lint.id for lint in select(*skip)}
    wanted = [lint.id for lint in chosen if lint.id not in skipped]
    return [Finding(*one) for one in value._lint(wanted, severity)]
