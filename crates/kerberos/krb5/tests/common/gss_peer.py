"""The other side of a context, by MIT's library: one command a line on standard input, one answer a line."""

import gssapi
from gssapi.raw import IOV, ChannelBindings, IOVBufferType, MechType, unwrap_iov, wrap_iov
from gssapi.raw.oids import OID
from lines import serve

SPNEGO = OID.from_int_seq("1.3.6.1.5.5.2")
MECHS = {"krb5": MechType.kerberos, "spnego": SPNEGO}


def bindings(text):
    return None if text == "-" else ChannelBindings(application_data=bytes.fromhex(text))


def answer(state, command, *words):
    if command == "initiate":
        service, mech, flags, bound = words
        name = gssapi.Name(service, gssapi.NameType.kerberos_principal)
        state["context"] = gssapi.SecurityContext(
            name=name, mech=MECHS[mech], flags=int(flags), usage="initiate", channel_bindings=bindings(bound)
        )
        return (state["context"].step() or b"").hex()
    if command == "accept":
        state["context"] = gssapi.SecurityContext(usage="accept", channel_bindings=bindings(words[0]))
        return "ok"
    context = state["context"]
    if command == "step":
        return (context.step(bytes.fromhex(words[0])) or b"").hex() + (" done" if context.complete else " more")
    if command == "wrap":
        return context.wrap(bytes.fromhex(words[1]), words[0] == "1").message.hex()
    if command == "unwrap":
        got = context.unwrap(bytes.fromhex(words[0]))
        return got.message.hex() + (" sealed" if got.encrypted else " signed")
    if command == "wrap_iov":
        sign = (IOVBufferType.sign_only, bytes.fromhex(words[1]))
        iov = IOV(sign, (IOVBufferType.data, bytes.fromhex(words[2])), std_layout=True, auto_alloc=True)
        wrap_iov(context, iov, words[0] == "1")
        values = {buffer.type: buffer.value or b"" for buffer in iov}
        if values.get(IOVBufferType.padding):
            raise ValueError("there is padding")
        return " ".join(values[kind].hex() for kind in (IOVBufferType.header, IOVBufferType.data, IOVBufferType.trailer))
    if command == "unwrap_iov":
        header, sign, data, trailer = (bytes.fromhex(word) for word in words)
        iov = IOV(
            (IOVBufferType.header, False, header),
            (IOVBufferType.sign_only, False, sign),
            (IOVBufferType.data, False, data),
            (IOVBufferType.trailer, False, trailer),
            std_layout=False,
        )
        got = unwrap_iov(context, iov)
        return iov[2].value.hex() + (" sealed" if got.encrypted else " signed")
    if command == "mic":
        return context.get_signature(bytes.fromhex(words[0])).hex()
    if command == "verify":
        context.verify_signature(bytes.fromhex(words[0]), bytes.fromhex(words[1]))
        return "ok"
    if command == "names":
        return f"{context.initiator_name} {context.target_name}"
    if command == "delegated":
        return str(context.delegated_creds.name)
    raise ValueError(command)


serve(answer)
