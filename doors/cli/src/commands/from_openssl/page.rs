//! The guide's page: common command lines, with their translations.

use super::translate;

/// Common command lines, grouped by task.
pub(super) const EXAMPLES: &[(&str, &[&str])] = &[
    (
        "Look at certificates",
        &[
            "openssl x509 -in cert.pem -noout -text",
            "openssl x509 -in cert.pem -noout -enddate",
            "openssl x509 -in cert.pem -noout -dates",
            "openssl x509 -in cert.pem -noout -subject",
            "openssl x509 -in cert.pem -noout -issuer",
            "openssl x509 -in cert.pem -noout -serial",
            "openssl x509 -in cert.pem -noout -fingerprint -sha256",
            "openssl x509 -in cert.pem -noout -fingerprint",
            "openssl x509 -in cert.pem -noout -pubkey",
            "openssl x509 -in cert.pem -noout -modulus",
            "openssl x509 -in cert.pem -noout -ext subjectAltName",
            "openssl x509 -in cert.pem -noout -subject -issuer -enddate",
            "openssl x509 -in cert.pem -noout -checkend 86400",
            "openssl x509 -in cert.pem -noout -email",
            "openssl x509 -in cert.pem -noout -ocsp_uri",
        ],
    ),
    (
        "Convert certificates",
        &[
            "openssl x509 -in cert.pem -outform DER -out cert.der",
            "openssl x509 -in cert.der -inform DER -out cert.pem",
            "openssl crl2pkcs7 -nocrl -certfile chain.pem -out chain.p7b",
            "openssl pkcs7 -in chain.p7b -print_certs -out chain.pem",
        ],
    ),
    (
        "Keys",
        &[
            "openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out ec.key",
            "openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:3072 -out rsa.key",
            "openssl genpkey -algorithm ED25519 -out ed.key",
            "openssl genrsa -out rsa.key 2048",
            "openssl pkcs8 -topk8 -nocrypt -in rsa.key -out rsa8.key",
            "openssl ecparam -name prime256v1 -genkey -noout -out ec.key",
            "openssl pkey -in server.key -pubout -out server.pub",
            "openssl pkey -in server.key -text -noout",
            "openssl rsa -in rsa.key -traditional -out rsa1.key",
            "openssl ec -in ec.key -out ec1.key",
            "openssl dgst -sha256 -sign server.key -out letter.sig letter.txt",
            "openssl dgst -sha256 -verify server.pub -signature letter.sig letter.txt",
        ],
    ),
    (
        "Requests and certificates",
        &[
            "openssl req -new -newkey rsa:2048 -nodes -keyout www.key -out www.csr -subj /O=Example/CN=www.example.org",
            "openssl req -new -key server.key -subj /CN=www.example.org -addext subjectAltName=DNS:www.example.org -out www.csr",
            "openssl req -in www.csr -noout -text",
            "openssl req -in www.csr -noout -verify",
            "openssl req -in www.csr -noout -subject",
            "openssl req -x509 -newkey rsa:2048 -nodes -keyout localhost.key -out localhost.pem -days 365 -subj /CN=localhost -addext subjectAltName=DNS:localhost,IP:127.0.0.1",
            "openssl x509 -req -in www.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 90 -copy_extensions copy -out www.pem",
        ],
    ),
    (
        "A certificate authority",
        &[
            "openssl ca -in www.csr -out www.pem -batch",
            "openssl ca -revoke www.pem -crl_reason keyCompromise",
            "openssl ca -gencrl -out ca.crl",
        ],
    ),
    (
        "CRLs and OCSP",
        &[
            "openssl crl -in ca.crl -noout -text",
            "openssl crl -in ca.crl -noout -nextupdate",
            "openssl crl -in ca.crl -noout -crlnumber",
            "openssl crl -in ca.crl -outform DER -out ca.der",
            "openssl ocsp -respin response.ocsp -text -noverify",
            "openssl ocsp -reqin request.ocsp -text",
            "openssl ocsp -issuer ca.pem -cert cert.pem -url http://ocsp.example.org/",
        ],
    ),
    (
        "Verify",
        &[
            "openssl verify -CAfile ca.pem cert.pem",
            "openssl verify -CAfile root.pem -untrusted ca.pem -purpose sslserver -verify_hostname www.example.org cert.pem",
            "openssl verify -CAfile ca.pem -crl_check -CRLfile ca.crl cert.pem",
            "openssl verify -CAfile ca.pem -attime 1795219200 cert.pem",
        ],
    ),
    (
        "PKCS #12",
        &[
            "openssl pkcs12 -export -inkey server.key -in cert.pem -certfile ca.pem -name www -passout file:secret.txt -out www.p12",
            "openssl pkcs12 -in www.p12 -info -noout -passin file:secret.txt",
            "openssl pkcs12 -in www.p12 -nokeys -passin file:secret.txt -out certs.pem",
            "openssl pkcs12 -in www.p12 -nocerts -noenc -passin file:secret.txt -out www.key",
        ],
    ),
    (
        "Messages and time stamps",
        &[
            "openssl cms -sign -binary -in letter.txt -signer cert.pem -inkey server.key -nodetach -outform PEM -out letter.p7",
            "openssl cms -verify -in letter.p7 -inform PEM -CAfile ca.pem -purpose any -out letter.out",
            "openssl cms -encrypt -binary -in letter.txt -aes256 -outform PEM -out letter.cms cert.pem",
            "openssl cms -decrypt -in letter.cms -inform PEM -inkey server.key -recip cert.pem -out letter.out",
            "openssl smime -verify -in letter.p7 -inform PEM -noverify -out letter.out",
            "openssl ts -query -data letter.txt -sha256 -cert -out letter.tsq",
            "openssl ts -query -in letter.tsq -text",
            "openssl ts -verify -in letter.tsr -data letter.txt -CAfile tsa.pem",
        ],
    ),
    (
        "Servers",
        &[
            "openssl s_client -connect www.example.org:443 -servername www.example.org -showcerts </dev/null",
            "openssl s_client -connect mail.example.org:25 -starttls smtp </dev/null",
            "openssl s_client -connect 192.0.2.7:143 -starttls imap -servername mail.example.org </dev/null",
            "openssl s_client -connect www.example.org:443 </dev/null 2>/dev/null | openssl x509 -noout -enddate",
            "openssl s_client -connect www.example.org:443 </dev/null 2>/dev/null | openssl x509 -noout -enddate -subject",
            "openssl s_client -connect www.example.org:443 </dev/null 2>/dev/null | openssl x509 -out www.pem",
        ],
    ),
    ("Any encoding", &["openssl asn1parse -in cert.pem", "openssl asn1parse -in cert.der -inform DER -i"]),
];

const HEAD: &str = "\
# Coming from the openssl command

This page is generated by `tagwise from-openssl`, which translates any command line. It never runs one.

```console
$ tagwise from-openssl 'openssl x509 -in cert.pem -noout -subject -enddate'
tagwise show --first --subject --enddate cert.pem
```

Options without an equivalent are named, and the exit code is 4:

```console
$ tagwise from-openssl 'openssl x509 -in cert.pem -noout -enddate -setalias web' || echo exit code $?
tagwise get --first notAfter cert.pem
tagwise: not translated: -setalias web
exit code 4
```

If you type a command of OpenSSL by mistake, the error names the right one:

```console
$ tagwise x509 -in cert.pem -noout -enddate || echo exit code $?
tagwise: unknown command 'x509'
hint: tagwise get --first notAfter cert.pem
exit code 2
```

Some results differ on purpose:

- Names are written as in RFC 4514, in the reverse order of OpenSSL's. Times are in the form of RFC 3339.
- Formats are detected: `-inform` and `-keyform` have no equivalent.
- Passphrases are never arguments. `pass:` becomes a process substitution of bash; a file is better.
- OpenSSL reads the first certificate, request or CRL of a file, and so does `--first`. Without it, `get`, `show`, `check` and `verify` read every one.
- `csr sign` copies the requested alternative names, as `-copy_extensions copy` does, and its profile determines the other extensions.
- `verify` applies the name constraints, path length and purposes in a trust anchor's certificate only with `--enforce anchor-constraints`, which the translation adds. `cms verify` and `tsp verify` ignore them.
- With `--self-signed-anchors`, an intermediate certificate in `--trust` is not a trust anchor, as in OpenSSL. Without it, every certificate in `--trust` is one, as with `-partial_chain`.
- Without a digest, `pkeyutl -rawin` uses SHA-256. `key sign` and `key verify` use SHA-384 for P-384, and SHA-512 for P-521 and for RSA keys of 4,096 bits.
- Messages are encrypted with AES-GCM, and for RSA keys with OAEP, unless options say otherwise.
- `tagwise ca` has its own database, and can import that of `openssl ca`: see [A certificate authority](ca.md).
- `verify --trust` replaces the system's trust anchors instead of adding to them.
- Private keys are never overwritten, and are encrypted unless you pass an option.
- Keys, serial numbers and randomized signatures differ on every run.
";

/// Builds the page.
pub(super) fn page() -> String {
    let mut page = HEAD.to_owned();
    for (task, lines) in EXAMPLES {
        page.push_str(&format!("\n## {task}\n\n```sh\n"));
        for (index, line) in lines.iter().enumerate() {
            let translated = translate(line).map_or_else(|error| error, |done| done.line);
            let gap = if index > 0 { "\n" } else { "" };
            page.push_str(&format!("{gap}# {line}\n{translated}\n"));
        }
        page.push_str("```\n");
    }
    page
}
