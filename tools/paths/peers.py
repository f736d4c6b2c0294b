"""Verifiers: each takes cases and gives, for each, True or False and a reason. Cases that it has no means for are left out.

A verifier that ends in any other way than with a verdict, a crash above all, ends the run: that is no refusal."""

import base64
import concurrent.futures
import json
import pathlib
import re
import subprocess

from cases import when

WORKERS = 2


class Broken(Exception):
    """A verifier that gave no verdict."""


def no_verdict(what, case, done):
    return Broken(f"{what}: {case['id']}: exit code {done.returncode}: {(done.stderr or done.stdout).strip()[-500:]}")


def text_of(ders, label):
    blocks = []
    for der in ders:
        body = base64.encodebytes(der).decode()
        blocks.append(f"-----BEGIN {label}-----\n{body}-----END {label}-----\n")
    return "".join(blocks)


def write(folder, cases):
    """Files of every case, for commands."""
    for case in cases:
        place = folder / case["id"].replace(":", "_")
        place.mkdir(parents=True, exist_ok=True)
        case["folder"] = place
        (place / "leaf.pem").write_text(text_of([case["leaf"]], "CERTIFICATE"))
        (place / "pool.pem").write_text(text_of(case["pool"], "CERTIFICATE"))
        (place / "roots.pem").write_text(text_of(case["roots"], "CERTIFICATE"))
        (place / "crls.pem").write_text(text_of(case["crls"], "X509 CRL"))


def each(run, cases):
    with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        return dict(zip((case["id"] for case in cases), pool.map(run, cases)))


def tagwise(binary, cases):
    # What PKITS's certificates of 2011 do not do, and RFC 5280 asks of issuers alone. Its DSA is with SHA-1.
    old = "rfc5280.4.2.1.11.not_critical,rfc5280.4.2.1.9.not_critical"

    def run(case):
        place = case["folder"]
        # A PEM file with the certificate alone: others in it would be taken for parts of the path.
        words = [binary, "verify", place / "leaf.pem", "--trust", place / "roots.pem", "--at", case["time"], "--json",
                 "--profile", case["profile"], "--purpose", case["purpose"]]
        if case["pool"]:
            words += ["--untrusted", place / "pool.pem"]
        if case["crls"]:
            words += ["--crl", place / "crls.pem", "--revocation", "require"]
            words += ["--revocation-scope", "path" if case["set"] == "PKITS" else "leaf"]
        if case["name"]:
            words += [{"DNS": "--host", "IP": "--ip", "RFC822": "--email"}[case["name"][0]], case["name"][1]]
        for policy in case["policies"] or []:
            words += ["--policy", policy]
        for option in ("inhibit_mapping", "inhibit_any"):
            words += ["--" + option.replace("_", "-")] if case[option] else []
        words += ["--require-explicit-policy"] if case["explicit"] else []
        words += ["--max-depth", str(case["max_depth"])] if case["max_depth"] is not None else []
        words += ["--allow", old + ",weak-digest,key-size"] if case["set"] == "PKITS" else []
        done = subprocess.run(words, capture_output=True, text=True)
        if done.returncode in (0, 1, 4):
            result = json.loads(done.stdout)["results"][0]
            if result["status"] == "valid":
                numbers = [int(one["serial_number"], 16) for one in result["paths"][0]["certificates"]]
                return True, "valid", numbers
            report = result["report"]
            if report["outcome"] == "exhausted":
                return False, f"budget: {report['limit']}"
            best = max(report["rejected"], key=lambda one: (
                one.get("undecided", False), one["anchor"] is not None, len(one["certificates"])))
            others = sorted({one["rule"] for one in report["rejected"]} - {best["rule"]})
            elsewhere = f"; other paths: {', '.join(others)}" if others else ""
            return False, f"{best['rule']}: {best['message']} ({best['clause']}){elsewhere}"
        if done.returncode == 3:
            # A certificate or an anchor that cannot be read.
            return False, "unreadable: " + done.stderr.strip()[:200]
        raise no_verdict("tagwise", case, done)

    return each(run, cases)


UNREAD = re.compile("^(Could not (read|find|open)|Unable to load|Error loading|unable to load)")


def openssl(binary, cases):
    def run(case):
        place = case["folder"]
        words = [binary, "verify", "-x509_strict", "-partial_chain", "-CAfile", place / "roots.pem", "-no-CApath", "-no-CAstore",
                 "-attime", str(int(when(case["time"]).timestamp()))]
        if case["pool"]:
            words += ["-untrusted", place / "pool.pem"]
        if case["purpose"] != "any":
            words += ["-purpose", "sslserver" if case["purpose"] == "server" else "sslclient"]
        if case["crls"]:
            words += ["-CRLfile", place / "crls.pem", "-extended_crl", "-use_deltas"]
            words += ["-crl_check_all" if case["set"] == "PKITS" else "-crl_check"]
        if case["name"]:
            option = {"DNS": "-verify_hostname", "IP": "-verify_ip", "RFC822": "-verify_email"}[case["name"][0]]
            words += [option, case["name"][1]]
        words += ["-policy_check"]
        # Without one, its user-initial-policy-set is empty, not anyPolicy.
        for policy in case["policies"] or ["anyPolicy"]:
            words += ["-policy", policy]
        words += ["-explicit_policy"] if case["explicit"] else []
        words += ["-inhibit_map"] if case["inhibit_mapping"] else []
        words += ["-inhibit_any"] if case["inhibit_any"] else []
        words += ["-verify_depth", str(case["max_depth"])] if case["max_depth"] is not None else []
        done = subprocess.run(words + [place / "leaf.pem"], capture_output=True, text=True)
        if done.returncode == 0:
            return True, "OK"
        said = [line for line in done.stderr.splitlines() if line.startswith("error ")]
        # `error 20 at 0 depth lookup: unable to get local issuer certificate`
        if said and done.returncode == 2:
            return False, said[0].split("lookup: ")[-1]
        # A file that it cannot read is a refusal of what is in it.
        unread = [line for line in done.stderr.splitlines() if UNREAD.search(line)]
        if unread and done.returncode in (1, 2):
            return False, "unreadable: " + unread[0][:120]
        raise no_verdict("openssl", case, done)

    return each(run, cases)


def by_lines(words, cases, wanted):
    """A program that reads cases as JSON lines and answers in kind."""
    own = [case for case in cases if wanted(case)]
    lines = []
    for case in own:
        plain = {key: value for key, value in case.items() if key != "folder"}
        encode = lambda der: base64.b64encode(der).decode()
        plain["leaf"] = encode(case["leaf"])
        for key in ("pool", "roots", "crls"):
            plain[key] = [encode(der) for der in case[key]]
        plain["unix"] = int(when(case["time"]).timestamp())
        lines.append(json.dumps(plain))
    done = subprocess.run(words, input="\n".join(lines) + "\n", capture_output=True, text=True)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    if done.returncode or [answer["id"] for answer in answers] != [case["id"] for case in own]:
        first = own[min(len(answers), len(own) - 1)] if own else {"id": "no case"}
        raise no_verdict(words[0], first, done)
    return {answer["id"]: (answer["valid"], answer["reason"]) for answer in answers}


def is_mailbox(case):
    return bool(case["name"]) and case["name"][0] == "RFC822"


def go(binary, cases):
    # Revocation and limits of length are for the caller there, and so are the inputs of policies but one.
    def wanted(case):
        # A mailbox can be asked for neither here nor of webpki and PyCA.
        plain = not (case["explicit"] or case["inhibit_mapping"] or case["inhibit_any"])
        return plain and not case["crls"] and case["max_depth"] is None and not is_mailbox(case)
    return by_lines([str(binary)], cases, wanted)


def webpki(binary, cases):
    # It has no policies, and takes no path without a purpose of TLS.
    def wanted(case):
        plain = case["policies"] is None and not (case["explicit"] or case["inhibit_mapping"] or case["inhibit_any"])
        return plain and case["purpose"] != "any" and case["max_depth"] is None and not is_mailbox(case)
    return by_lines([str(binary)], cases, wanted)


def pyca(cases):
    from cryptography import x509
    from cryptography.x509 import verification
    import ipaddress

    def run(case):
        if case["crls"] or case["purpose"] == "any" or case["policies"] is not None or is_mailbox(case):
            return None
        try:
            leaf = x509.load_der_x509_certificate(case["leaf"])
            pool = [x509.load_der_x509_certificate(der) for der in case["pool"]]
            roots = [x509.load_der_x509_certificate(der) for der in case["roots"]]
            builder = verification.PolicyBuilder().store(verification.Store(roots)).time(when(case["time"]).replace(tzinfo=None))
            if case["max_depth"] is not None:
                builder = builder.max_chain_depth(case["max_depth"])
            if case["purpose"] == "client":
                builder.build_client_verifier().verify(leaf, pool)
            elif case["name"] is None:
                return None
            else:
                kind, value = case["name"]
                name = x509.IPAddress(ipaddress.ip_address(value)) if kind == "IP" else x509.DNSName(value)
                builder.build_server_verifier(name).verify(leaf, pool)
        except verification.VerificationError as error:
            return False, str(error)[:160]
        # What it raises at malformed certificates; anything else is a fault of its or ours.
        except (ValueError, x509.UnsupportedGeneralNameType) as error:
            return False, f"{type(error).__name__}: {error}"[:160]
        return True, "OK"

    answers = {case["id"]: run(case) for case in cases}
    return {name: answer for name, answer in answers.items() if answer}
