"""Limits on the cost of decoding and encoding."""

from __future__ import annotations

from contextvars import ContextVar, Token

from tagwise import _native

_Values = tuple[int, int, int, int]
#: The depth, elements, output and values limits, which the native module reads.
_IN_FORCE: ContextVar[_Values | None] = ContextVar("tagwise.budget", default=None)
_USUAL = (64, 1 << 32, 1 << 32, 1 << 23)
_GREATEST = (128, (1 << 64) - 1, (1 << 64) - 1, (1 << 64) - 1)


class budget:
    """Limits the cost of all decoding and encoding by `tagwise.asn1` and `tagwise.x509` in a `with` block.

    `depth` limits the nesting of constructed values (default 64, at most 128). `elements` limits the number of
    SEQUENCE OF and SET OF items in one decoding (default 2³²). `output` limits the number of bytes that one encoding,
    or one conversion from BER or CER, writes (default 2³²). `values` limits the number of values that one decoding by a
    schema creates, with absent components, and so its memory (default 2²³, which take about 1 GB). Exceeding a limit raises `Asn1Error`, whose `code` is
    `depth-exceeded`, `elements-exceeded` or `output-exceeded`. Limits that are not given keep the values that apply
    outside the block.

    The block applies to its thread or `asyncio` task, like `decimal.localcontext`. Parts that are decoded lazily use the
    budget at the time of access.

    >>> import tagwise
    >>> from tagwise import asn1
    >>> numbers = asn1.compile_text("M DEFINITIONS ::= BEGIN Numbers ::= SEQUENCE OF INTEGER END")["Numbers"]
    >>> with tagwise.budget(elements=2):
    ...     numbers.decode(numbers.encode([1, 2, 3]))
    Traceback (most recent call last):
    ...
    tagwise.Asn1Error: the number of elements exceeds the budget, at byte 11 (budget)
    """

    __slots__ = ("_given", "_tokens")

    def __init__(
        self,
        *,
        depth: int | None = None,
        elements: int | None = None,
        output: int | None = None,
        values: int | None = None,
    ) -> None:
        self._given = (depth, elements, output, values)
        self._tokens: list[Token[_Values | None]] = []
        for name, value, greatest in zip(("depth", "elements", "output", "values"), self._given, _GREATEST):
            if value is None:
                continue
            if not isinstance(value, int):
                raise TypeError(f"{name} is an integer")
            if not 0 <= value <= greatest:
                raise ValueError(f"{name} is from 0 to {greatest}")

    def __enter__(self) -> budget:
        around = _IN_FORCE.get() or _USUAL
        depth, elements, output, values = (old if new is None else new for new, old in zip(self._given, around))
        _native.limited(True)
        self._tokens.append(_IN_FORCE.set((depth, elements, output, values)))
        return self

    def __exit__(self, *_error: object) -> None:
        _IN_FORCE.reset(self._tokens.pop())
        _native.limited(False)

    def __repr__(self) -> str:
        depth, elements, output, values = self._given
        return f"budget(depth={depth}, elements={elements}, output={output}, values={values})"
