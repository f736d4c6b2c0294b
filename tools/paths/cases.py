"""Cases for `agree.py`: PKITS, x509-limbo and generated hierarchies, in one shape.

A case has `id`, `set`, `expected` (True, False, or None where nobody says), DER in `leaf`, `pool`, `roots` and `crls`, and the
requirements: `time`, `purpose`, `name`, `policies`, `explicit`, `inhibit_mapping`, `inhibit_any`, `max_depth`, `profile`.
"""

import base64
import datetime
import json
import re

POLICY_ARC = "2.16.840.1.101.3.2.1.48."
# The time of cases of x509-limbo that name none: that of the set's making.
LIMBO_TIME = "2026-03-14T15:33:20Z"


def case(identifier, origin, expected, leaf, pool, roots, **rest):
    requirements = {
        "time": None, "purpose": "server", "name": None, "policies": None, "explicit": False, "inhibit_mapping": False,
        "inhibit_any": False, "max_depth": None, "profile": "rfc5280", "crls": [],
    }
    unknown = set(rest) - set(requirements)
    assert not unknown, unknown
    return {"id": identifier, "set": origin, "expected": expected, "leaf": leaf, "pool": pool, "roots": roots, **requirements, **rest}


def pem(text):
    body = re.search(r"-----BEGIN [^-]+-----(.*?)-----END", text, re.S).group(1)
    return base64.b64decode(body)


def pkits(corpora):
    folder = corpora / "pkits"
    cases = []
    for row in json.loads((folder / "pkits-expected.json").read_text())["cases"]:
        certificates = [(folder / "certs" / f"{name}.crt").read_bytes() for name in row["certs"]]
        initial = row["initial_policy_set"]
        number = lambda name: POLICY_ARC + name.rsplit("-", 1)[1]
        # A test of several inputs has a part for each.
        part = re.search(r"Subpart(\d+)$", row["id"])
        name = row["number"] + (f".{part.group(1)}" if part else "")
        cases.append(case(
            f"pkits::{name}", "PKITS", row["should_validate"], certificates[-1], certificates[1:-1], certificates[:1],
            time="2011-04-15T00:00:00Z", purpose="any", explicit=row["initial_explicit_policy"],
            policies=None if initial == ["anyPolicy"] else [number(name) for name in initial],
            inhibit_mapping=row["initial_policy_mapping_inhibit"], inhibit_any=row["initial_inhibit_any_policy"],
            crls=[(folder / "crls" / f"{name}.crl").read_bytes() for name in row["crls"]],
        ))
    assert len({case["id"] for case in cases}) == len(cases)
    return cases


def limbo(corpora):
    cases = []
    for row in json.loads((corpora / "x509-limbo/limbo-core.json").read_text())["testcases"]:
        name = row["expected_peer_name"]
        if row["expected_peer_names"]:
            name = row["expected_peer_names"][0]
        web = row["id"].split("::")[0] in ("webpki", "online", "cve")
        time = row["validation_time"] or LIMBO_TIME
        purposes = row["extended_key_usage"]
        cases.append(case(
            row["id"], "x509-limbo", row["expected_result"] == "SUCCESS", pem(row["peer_certificate"]),
            [pem(text) for text in row["untrusted_intermediates"]], [pem(text) for text in row["trusted_certs"]],
            # Whole seconds: certificates have no others (RFC 5280 §4.1.2.5).
            time=re.sub(r"\.\d+", "", time).replace("+00:00", "Z"), name=name and [name["kind"], name["value"]],
            purpose="client" if "clientAuth" in purposes or row["validation_kind"] == "CLIENT" else "server",
            max_depth=row["max_chain_depth"], profile="webpki" if web else "rfc5280", crls=[pem(text) for text in row["crls"]],
        ))
    return cases


def when(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
