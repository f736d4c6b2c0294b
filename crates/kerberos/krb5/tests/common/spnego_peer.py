"""The other side of a context, by pyspnego: one command a line on standard input, one answer a line."""

import spnego
from lines import serve
from spnego.iov import BufferType


def answer(state, command, *words):
    if command in ("initiate", "accept"):
        make = spnego.client if command == "initiate" else spnego.server
        state["context"] = make(hostname="localhost", service="host", protocol=words[0])
        return ((state["context"].step() or b"") if command == "initiate" else b"").hex()
    context = state["context"]
    if command == "step":
        return (context.step(bytes.fromhex(words[0])) or b"").hex() + (" done" if context.complete else " more")
    if command == "wrap":
        return context.wrap(bytes.fromhex(words[1]), words[0] == "1").data.hex()
    if command == "unwrap":
        got = context.unwrap(bytes.fromhex(words[0]))
        return got.data.hex() + (" sealed" if got.encrypted else " signed")
    if command == "mic":
        return context.sign(bytes.fromhex(words[0])).hex()
    if command == "verify":
        context.verify(bytes.fromhex(words[0]), bytes.fromhex(words[1]))
        return "ok"
    if command == "wrap_iov":
        sign = (BufferType.sign_only, bytes.fromhex(words[1]))
        iov = [BufferType.header, sign, bytes.fromhex(words[2]), BufferType.padding, BufferType.trailer]
        header, _, data, _, trailer = context.wrap_iov(iov, words[0] == "1").buffers
        return " ".join(part.data.hex() for part in (header, data, trailer))
    if command == "unwrap_iov":
        header, sign, data, trailer = (bytes.fromhex(word) for word in words)
        iov = [(BufferType.header, header), (BufferType.sign_only, sign), data, (BufferType.trailer, trailer)]
        got = context.unwrap_iov(iov)
        return got.buffers[2].data.hex() + (" sealed" if got.encrypted else " signed")
    if command == "peer":
        return context.client_principal
    raise ValueError(command)


serve(answer)
