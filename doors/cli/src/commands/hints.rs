//! Hints for commands of other programs: OpenSSL, step, certtool, easy-rsa and keytool.

use super::from_openssl::{is_tool, translate};

/// Typed words, with the right command. The longest match applies.
const HINTS: &[(&str, &str)] = &[
    // OpenSSL, where the rest of the line has no translation.
    ("x509", "tagwise show FILE, or tagwise get notAfter FILE for one field; tagwise csr sign signs a request"),
    ("req", "tagwise csr new --key-out KEY --subject NAME -o CSR, or tagwise csr show CSR"),
    ("genrsa", "tagwise key new rsa3072 -o KEY"),
    ("gendsa", "tagwise key new ecdsa-p256 -o KEY"),
    ("genpkey", "tagwise key new ecdsa-p256 -o KEY"),
    ("ecparam", "tagwise key new ecdsa-p256 -o KEY"),
    ("pkey", "tagwise key show KEY, or tagwise key convert --to public KEY"),
    ("rsa", "tagwise key show KEY, or tagwise key convert --to pkcs1 KEY"),
    ("ec", "tagwise key show KEY, or tagwise key convert --to sec1 KEY"),
    ("pkcs8", "tagwise key convert --to pkcs8 KEY"),
    ("pkcs7", "tagwise convert --to certs,pem FILE, or tagwise show FILE"),
    ("crl2pkcs7", "tagwise convert --to p7,pem FILE"),
    ("crl", "tagwise show FILE, or tagwise ca crl for the next CRL of a CA"),
    ("ocsp", "tagwise ocsp ask CERT --issuer CA asks a responder, and tagwise verify --ocsp RESPONSE uses a response"),
    ("s_client", "tagwise show tls://HOST:PORT"),
    ("smime", "tagwise cms sign, verify, encrypt or decrypt"),
    ("ts", "tagwise tsp request, reply or verify"),
    ("dgst", "tagwise key sign FILE --key KEY, or tagwise key verify; sha256sum FILE prints a digest"),
    ("pkeyutl", "tagwise key sign FILE --key KEY, or tagwise key verify"),
    ("asn1parse", "tagwise dump FILE"),
    ("asn1", "tagwise dump FILE"),
    ("spkac", "tagwise show FILE"),
    ("storeutl", "tagwise scan FILE"),
    ("rehash", "tagwise verify --trust FOLDER: folders need no hashes"),
    ("enc", "tagwise cms encrypt --password FILE"),
    ("list", "tagwise version, or tagwise key new --list"),
    ("ciphers", "tagwise show tls://HOST:PORT shows the cipher suite of a connection"),
    // step.
    ("certificate create", "tagwise cert self-signed --host NAME, or tagwise csr new for a request"),
    ("certificate inspect", "tagwise show FILE"),
    ("certificate lint", "tagwise lint FILE"),
    ("certificate verify", "tagwise verify FILE --trust ROOT"),
    ("certificate fingerprint", "tagwise get fingerprint FILE"),
    ("certificate sign", "tagwise csr sign CSR --ca CA --ca-key KEY"),
    (
        "certificate bundle",
        "cat LEAF INTERMEDIATE; tagwise convert --to certs,pem FILE extracts the certificates of any file",
    ),
    ("certificate p12", "tagwise p12 create --key KEY --certificate FILE -o OUT"),
    ("certificate format", "tagwise convert --to der FILE, or --to pem"),
    ("certificate key", "tagwise get pubkey FILE"),
    ("certificate needs-renewal", "tagwise check --expires-within 30d FILE"),
    ("crypto keypair", "tagwise key new ecdsa-p256 -o KEY --public PUB"),
    ("crypto key inspect", "tagwise key show KEY"),
    ("crypto key public", "tagwise key convert --to public KEY"),
    ("crypto key format", "tagwise key convert --to pkcs8 KEY"),
    ("crypto change-pass", "tagwise key convert --to pkcs8 --new-passphrase-file FILE KEY"),
    ("crypto hash", "sha256sum FILE, or tagwise get fingerprint FILE for a certificate"),
    ("crypto", "tagwise key new, show, convert, sign or verify"),
    // easy-rsa.
    ("init-pki", "tagwise ca init --subject NAME"),
    ("build-ca", "tagwise ca init --subject NAME"),
    ("gen-req", "tagwise csr new --key-out KEY --subject NAME -o CSR"),
    ("sign-req", "tagwise ca issue CSR -o FILE"),
    ("build-server-full", "tagwise ca issue --new-key ecdsa-p256 --key-out KEY --dns NAME -o FILE"),
    (
        "build-client-full",
        "tagwise ca issue --new-key ecdsa-p256 --key-out KEY --subject NAME --profile client -o FILE",
    ),
    ("gen-crl", "tagwise ca crl -o FILE"),
    ("show-cert", "tagwise show FILE"),
    ("show-req", "tagwise csr show FILE"),
    ("show-expire", "tagwise check --expires-within 90d FOLDER"),
    ("show-crl", "tagwise show FILE"),
    ("export-p12", "tagwise p12 create --key KEY --certificate FILE -o OUT"),
    ("gen-dh", "nothing: TLS uses named groups, and no file of parameters"),
    // certtool and keytool, whose commands are options.
    ("--generate-privkey", "tagwise key new ecdsa-p256 -o KEY"),
    ("--generate-self-signed", "tagwise cert self-signed --host NAME"),
    ("--generate-request", "tagwise csr new --key-out KEY --subject NAME -o CSR"),
    ("--generate-certificate", "tagwise csr sign CSR --ca CA --ca-key KEY -o FILE"),
    ("--generate-crl", "tagwise ca crl -o FILE"),
    ("--certificate-info", "tagwise show FILE"),
    ("--crq-info", "tagwise csr show FILE"),
    ("--crl-info", "tagwise show FILE"),
    ("--key-info", "tagwise key show FILE"),
    ("--p12-info", "tagwise p12 show FILE"),
    ("--p7-info", "tagwise show FILE"),
    ("--verify-chain", "tagwise verify FILE --trust ROOT"),
    ("--verify", "tagwise verify FILE --trust ROOT"),
    ("--to-p12", "tagwise p12 create --key KEY --certificate FILE -o OUT"),
    ("--fingerprint", "tagwise get fingerprint FILE"),
    ("-list", "tagwise show KEYSTORE, or tagwise p12 show FILE"),
    ("-printcert", "tagwise show FILE"),
    ("-genkeypair", "tagwise key new ecdsa-p256 -o KEY"),
    ("-certreq", "tagwise csr new --key KEY --subject NAME -o CSR"),
    ("-exportcert", "tagwise convert --to certs,pem KEYSTORE"),
    ("-importcert", "tagwise p12 create --layout java-truststore --certificate FILE -o OUT"),
    // Words that say what somebody wants.
    ("connect", "tagwise show tls://HOST:PORT"),
    ("client", "tagwise show tls://HOST:PORT"),
    ("tls", "tagwise show tls://HOST:PORT"),
    ("server", "tagwise show tls://HOST:PORT"),
    ("fingerprint", "tagwise get fingerprint FILE"),
    ("thumbprint", "tagwise get fingerprint FILE"),
    ("hash", "tagwise get fingerprint FILE"),
    ("expiry", "tagwise get notAfter FILE, or tagwise check --expires-within 30d FILE"),
    ("expires", "tagwise get notAfter FILE, or tagwise check --expires-within 30d FILE"),
    ("expire", "tagwise get notAfter FILE, or tagwise check --expires-within 30d FILE"),
    ("monitor", "tagwise check --expires-within 30d --format nagios FILE"),
    ("nagios", "tagwise check --expires-within 30d --format nagios FILE"),
    ("selfsigned", "tagwise cert self-signed --host NAME"),
    ("self-signed", "tagwise cert self-signed --host NAME"),
    ("selfsign", "tagwise cert self-signed --host NAME"),
    ("keygen", "tagwise key new ecdsa-p256 -o KEY"),
    ("genkey", "tagwise key new ecdsa-p256 -o KEY"),
    ("generate", "tagwise key new ecdsa-p256 -o KEY, tagwise csr new, or tagwise cert self-signed"),
    ("new", "tagwise key new, tagwise csr new, or tagwise cert self-signed"),
    ("create", "tagwise key new, tagwise csr new, tagwise cert self-signed, or tagwise p12 create"),
    ("sign", "tagwise csr sign CSR, tagwise cms sign FILE, or tagwise key sign FILE"),
    ("encrypt", "tagwise cms encrypt FILE --to CERT"),
    ("decrypt", "tagwise cms decrypt MESSAGE --key KEY"),
    ("issue", "tagwise ca issue CSR -o FILE"),
    ("revoke", "tagwise ca revoke SERIAL"),
    ("renew", "tagwise ca issue CSR, or tagwise csr new --from CERT for a new request"),
    ("parse", "tagwise show FILE, or tagwise dump FILE"),
    ("chain", "tagwise verify FILE --trust ROOT, or tagwise tree FOLDER"),
    ("extract", "tagwise p12 extract FILE, or tagwise convert --to certs,pem FILE"),
    ("split", "tagwise convert --to certs,pem FILE"),
    ("bundle", "tagwise convert --to certs,pem FILE"),
    ("jks", "tagwise show KEYSTORE"),
    ("keystore", "tagwise show KEYSTORE, or tagwise p12 show FILE"),
    ("p7", "tagwise convert --to p7 FILE, or tagwise show FILE"),
    ("p7b", "tagwise convert --to p7 FILE, or tagwise show FILE"),
    ("pem", "tagwise convert --to pem FILE"),
    ("der", "tagwise convert --to der FILE"),
    ("stamp", "tagwise tsp request FILE"),
    ("modulus", "tagwise get modulus FILE, or tagwise match KEY CERT"),
    ("openssl", "tagwise from-openssl 'openssl …'"),
    // Of commands that exist.
    ("ca sign", "tagwise ca issue CSR -o FILE, or tagwise csr sign CSR --ca CA --ca-key KEY"),
    ("ca new", "tagwise ca init --subject NAME"),
    ("ca create", "tagwise ca init --subject NAME"),
    ("ca gencrl", "tagwise ca crl -o FILE"),
    ("ca serve", "tagwise ca serve-ocsp"),
    ("ca certificate", "tagwise ca issue CSR -o FILE"),
    ("cert create", "tagwise cert self-signed --host NAME, or tagwise ca issue for a CA"),
    ("cert verify", "tagwise verify FILE --trust ROOT"),
    ("cert check", "tagwise check FILE, tagwise lint FILE, or tagwise verify FILE"),
    ("cert sign", "tagwise csr sign CSR --ca CA --ca-key KEY"),
    ("cert issue", "tagwise ca issue CSR -o FILE"),
    ("cert convert", "tagwise convert --to der FILE, or --to pem"),
    ("cert fingerprint", "tagwise get fingerprint FILE"),
    ("key check", "tagwise key show KEY"),
    ("key pub", "tagwise key convert --to public KEY"),
    ("key public", "tagwise key convert --to public KEY"),
    ("key passwd", "tagwise key convert --to pkcs8 --new-passphrase-file FILE KEY"),
    ("key match", "tagwise match KEY CERT"),
    ("key encrypt", "tagwise key convert --to pkcs8 --new-passphrase-file FILE KEY"),
    ("key decrypt", "tagwise key convert --to pkcs8 --no-passphrase KEY"),
    ("p12 export", "tagwise p12 create --key KEY --certificate FILE -o OUT"),
    ("p12 import", "tagwise p12 extract FILE"),
    ("p12 list", "tagwise p12 show FILE"),
    ("cms show", "tagwise show FILE"),
    ("tsp show", "tagwise show FILE"),
    ("tsp stamp", "tagwise tsp request FILE"),
];

/// Returns a hint for a form of values that is no value of `--rules`, `--from` or `--to`.
pub(crate) fn form_hint(value: &str) -> Option<String> {
    let hint = match value {
        "jer" | "json" => {
            "JER (X.697) is written with tagwise decode --schema SCHEMA --jer FILE, and read with tagwise convert --schema SCHEMA \
             --from json --to der FILE"
        }
        "gser" => "GSER (RFC 3641) is written with tagwise decode --schema SCHEMA --gser FILE; it cannot be read",
        _ => return None,
    };
    Some(hint.to_owned())
}

/// Returns the hint for an invalid command line. The arguments do not include the program's name.
pub(crate) fn hint(arguments: &[String]) -> Option<String> {
    let first = arguments.first()?;
    // A line of OpenSSL, with options that begin with one hyphen.
    let is_openssl = first == "openssl";
    let has_option = arguments.iter().any(|word| word.len() > 2 && word.starts_with('-') && !word.starts_with("--"));
    if is_openssl || is_tool(first) && has_option {
        let quoted = arguments.iter().map(|word| format!("'{}'", word.replace('\'', "'\\''")));
        let line = quoted.skip(usize::from(is_openssl)).collect::<Vec<_>>().join(" ");
        if let Ok(done) = translate(&format!("openssl {line}"))
            && done.left.is_empty()
        {
            return Some(done.line);
        }
    }
    let typed = arguments.join(" ");
    let fits = |words: &str| typed.strip_prefix(words).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '));
    let found = HINTS.iter().filter(|(words, _)| fits(words)).max_by_key(|(words, _)| words.len());
    found.map(|(_, hint)| (*hint).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(line: &str) -> Option<String> {
        hint(&line.split(' ').map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn lines_of_openssl_are_translated() {
        assert_eq!(of("x509 -in a.pem -noout -enddate").as_deref(), Some("tagwise get --first notAfter a.pem"));
        assert_eq!(of("openssl x509 -in a.pem -noout -enddate").as_deref(), Some("tagwise get --first notAfter a.pem"));
        assert!(of("x509 a.pem").is_some_and(|hint| hint.starts_with("tagwise show FILE")));
    }

    #[test]
    fn forms_of_values_have_their_command() {
        assert!(form_hint("jer").is_some_and(|hint| hint.contains(" --from json ")));
        assert!(form_hint("gser").is_some_and(|hint| hint.contains(" --gser ")));
        assert_eq!(form_hint("exr"), None);
    }

    #[test]
    fn the_longest_beginning_counts() {
        assert_eq!(of("crypto keypair a b").as_deref(), Some("tagwise key new ecdsa-p256 -o KEY --public PUB"));
        assert_eq!(of("show cert.pem"), None);
    }

    #[test]
    fn each_line_has_one_hint() {
        let mut words: Vec<&str> = HINTS.iter().map(|(words, _)| *words).collect();
        words.sort_unstable();
        assert!(words.windows(2).all(|pair| pair.first() != pair.last()));
    }
}
