"""Facts about the CAs of a path, by which a reason for a difference is held to what is in the certificates."""

from cryptography import x509

KNOWN = ("ca-purposes", "ca-without-key-usage", "constrains-directory-names", "constrains-other-forms", "constrains-the-empty-host",
         "other-key-identifier", "policy-limits", "self-issued")


def of_path(case, answer):
    """The facts, in their order with spaces between, about the path of an answer: nothing, if there is no path."""
    if not answer[0] or len(answer) < 3:
        return ""
    try:
        every = [x509.load_der_x509_certificate(der) for der in case["pool"] + case["roots"] + [case["leaf"]]]
        found = set()
        path = [next(one for one in every if one.serial_number == number) for number in answer[2]]
        for certificate in path[1:]:
            found |= set(of_ca(certificate, path))
        for below, above in zip(path, path[1:]):
            found |= {"other-key-identifier"} if not identifies(below, above) else set()
        roots = [x509.load_der_x509_certificate(der) for der in case["roots"]]
        root = next((root for root in roots if root.subject == path[-1].issuer), None)
        if root is not None:
            found |= set(of_ca(root, path)) - {"self-issued"}
            found |= {"other-key-identifier"} if not identifies(path[-1], root) else set()
    except (ValueError, StopIteration):
        # What cannot be read has no facts, and what rests on facts has no reason then.
        return ""
    assert found <= set(KNOWN), found
    return " ".join(sorted(found))


def value(certificate, kind):
    try:
        return certificate.extensions.get_extension_for_class(kind).value
    except x509.ExtensionNotFound:
        return None


def of_ca(certificate, path):
    if value(certificate, x509.ExtendedKeyUsage) is not None:
        yield "ca-purposes"
    if value(certificate, x509.KeyUsage) is None:
        yield "ca-without-key-usage"
    if value(certificate, x509.PolicyConstraints) or value(certificate, x509.InhibitAnyPolicy):
        yield "policy-limits"
    if certificate.subject == certificate.issuer:
        yield "self-issued"
    constraints = value(certificate, x509.NameConstraints)
    names = [] if constraints is None else [*(constraints.permitted_subtrees or []), *(constraints.excluded_subtrees or [])]
    for name in names:
        if isinstance(name, x509.DirectoryName):
            yield "constrains-directory-names"
        elif isinstance(name, x509.DNSName):
            if name.value == "":
                yield "constrains-the-empty-host"
        elif not isinstance(name, x509.IPAddress):
            yield "constrains-other-forms"


def identifies(below, above):
    """Whether the key identifiers of two certificates fit, as far as both have one."""
    own, wanted = value(above, x509.SubjectKeyIdentifier), value(below, x509.AuthorityKeyIdentifier)
    return own is None or wanted is None or wanted.key_identifier in (None, own.digest)
