//! Conversion of OpenSSL's option values to the form of this program's options.

use tagwise_pkix::UnixTime;

use super::Parsed;
use super::line::{Word, file, quote, quoted};

/// The flags that select the digest or cipher of a message.
pub(super) const OF_MESSAGES: [&str; 13] = [
    "aes128",
    "aes192",
    "aes256",
    "aes-128-cbc",
    "aes-192-cbc",
    "aes-256-cbc",
    "aes-128-gcm",
    "aes-256-gcm",
    "sha256",
    "sha384",
    "sha512",
    "sha3-256",
    "sha3-512",
];

/// Applies a filter to the value of an option.
///
/// # Errors
/// Returns the option if its value has no equivalent.
pub(super) fn apply(filter: &str, name: &str, parsed: &Parsed) -> Result<String, String> {
    let word = match name {
        "1" => parsed.operands.first(),
        name => parsed.last(name),
    };
    let value = word.map(|word| word.text.as_str()).unwrap_or_default();
    let left = |why: &str| Err(format!("-{name} {}: {why}", quote(value)));
    let one_of = |table: &[(&str, &str)]| match table.iter().find(|(from, _)| from.eq_ignore_ascii_case(value)) {
        Some((_, to)) => Ok((*to).to_owned()),
        None => left("no equivalent"),
    };
    match filter {
        "pass" => match value.split_once(':') {
            Some(("file", name)) => Ok(file(&Word::plain(name))),
            Some(("fd", number)) if number.bytes().all(|byte| byte.is_ascii_digit()) => Ok(format!("/dev/fd/{number}")),
            Some(("env", variable)) => Ok(format!("<(printenv {})", quote(variable))),
            // The shell's own `printf` keeps the passphrase from the list of processes.
            Some(("pass", passphrase)) => {
                let word = word.map(|word| word.with(passphrase));
                Ok(format!("<(printf %s {})", word.as_ref().map(quoted).unwrap_or_default()))
            }
            _ if value == "stdin" => Ok("-".to_owned()),
            _ => left("expected a passphrase source, such as file:FILE"),
        },
        // A secret: see above.
        "printed" => Ok(format!("<(printf %s {})", word.map(quoted).unwrap_or_default())),
        "key" => match value.split_once(':') {
            Some(("rsa", bits)) => rsa(bits).ok_or_else(|| format!("-{name} {}", quote(value))),
            None if value == "rsa" => Ok("rsa2048".to_owned()),
            _ if value == "ec" => curve_option(parsed),
            None if matches!(value, "ed25519" | "ed448") => Ok(value.to_owned()),
            _ => left("unsupported kind of key; `tagwise key new --list` lists them"),
        },
        "algorithm" if unknown_option(parsed).is_some() => {
            Err(format!("-pkeyopt {}: no equivalent", quote(unknown_option(parsed).unwrap_or_default())))
        }
        "algorithm" => match value.to_ascii_lowercase().as_str() {
            "rsa" => {
                let bits = option(parsed, "rsa_keygen_bits").unwrap_or("2048");
                rsa(bits)
                    .ok_or_else(|| format!("-pkeyopt rsa_keygen_bits:{}: expected 2048, 3072 or 4096", quote(bits)))
            }
            "ec" => curve_option(parsed),
            kind @ ("ed25519" | "ed448" | "x25519" | "x448") => Ok(kind.to_owned()),
            kind => kind
                .parse::<tagwise_crypto::KeyType>()
                .map(|kind| kind.to_string())
                .or_else(|_| left("unsupported kind of key; `tagwise key new --list` lists them")),
        },
        "bits" => match word {
            None => Ok("rsa2048".to_owned()),
            Some(_) => rsa(value).ok_or_else(|| format!("{}: expected 2048, 3072 or 4096 bits", quote(value))),
        },
        "curve" => curve(value).ok_or_else(|| format!("-{name} {}", quote(value))),
        "ext" => extensions(parsed),
        // OpenSSL's default configuration makes self-signed certificates those of a CA (x509_extensions = v3_ca).
        "ca" => {
            let mut extensions = parsed.options.get("addext").into_iter().flatten();
            let is_given = extensions.any(|one| one.text.trim_start().starts_with("basicConstraints"));
            Ok(if is_given { String::new() } else { "--ca".to_owned() })
        }
        "copied" => match parsed.last("copy_extensions").map(|word| word.text.as_str()) {
            Some("copy") => Ok(String::new()),
            Some("copyall") => Err("-copy_extensions copyall: key identifiers are not copied".to_owned()),
            _ => Err("without -copy_extensions copy, openssl omits every requested name and extension; tagwise includes the names"
                .to_owned()),
        },
        "issuer" => match parsed.last("CAfile") {
            Some(anchor) if parsed.last("issuer") != Some(anchor) => Err(format!(
                "-CAfile {}: the response is verified with the key of -issuer; `tagwise verify` validates its path",
                quoted(anchor)
            )),
            _ => Ok(String::new()),
        },
        "anchors" => Ok(anchors(parsed, "")),
        "system" => Ok(anchors(parsed, "--trust system")),
        "defaults" => defaults(parsed),
        // The system's trust anchors are roots.
        "roots" if parsed.has("CAfile") && !parsed.has("partial_chain") => Ok("--self-signed-anchors".to_owned()),
        "roots" => Ok(String::new()),
        "md" => digest(value).ok_or_else(|| format!("-{name} {}: unsupported digest", quote(value))),
        // OpenSSL signs and encrypts texts with the line ends of mails (RFC 8551 §3.1.1), unless they are binary.
        "lines" => match value.to_ascii_uppercase().as_str() {
            "DER" | "PEM" if !parsed.has("binary") => {
                Err("without -binary, openssl changes the line ends of the content to CRLF; tagwise keeps the content".to_owned())
            }
            _ => Ok(String::new()),
        },
        "text" => match value.to_ascii_uppercase().as_str() {
            "" | "PEM" => Ok(String::new()),
            _ => left("keys are written in PEM"),
        },
        "aes256" => match value.to_ascii_lowercase().as_str() {
            "" | "aes256" | "aes-256-cbc" => Ok(String::new()),
            _ => left("keys are encrypted with AES-256-CBC"),
        },
        "der" => match value.to_ascii_uppercase().as_str() {
            "" | "PEM" => Ok(String::new()),
            "DER" => Ok("--der".to_owned()),
            _ => left("expected DER or PEM"),
        },
        // Messages are mails, unless another form is named.
        "detached" => Ok(match value.to_ascii_uppercase().as_str() {
            "DER" | "PEM" if !parsed.has("nodetach") => "--detached".to_owned(),
            _ => String::new(),
        }),
        "signed" | "encrypted" => match value.to_ascii_uppercase().as_str() {
            "" | "SMIME" if filter == "signed" && parsed.has("nodetach") => Ok("--smime=opaque".to_owned()),
            "" | "SMIME" => Ok("--smime".to_owned()),
            "PEM" => Ok("--pem".to_owned()),
            "DER" => Ok(String::new()),
            _ => left("messages are written in DER, in PEM or as mails"),
        },
        "signers" => Ok(signers(parsed)),
        "subject" => match word {
            Some(word) if value.starts_with('-') => Ok(format!("--subject={}", quoted(word))),
            Some(word) => Ok(format!("--subject {}", quoted(word))),
            None => Err("the prompt for a subject: --subject NAME is needed".to_owned()),
        },
        "form" if word.is_none() => Ok("pem".to_owned()),
        "form" => one_of(&[("DER", "der"), ("PEM", "pem")]),
        "span" => match value.parse::<u64>() {
            Ok(seconds) if seconds % 86_400 == 0 => Ok(format!("{}d", seconds / 86_400)),
            Ok(seconds) => Ok(format!("{seconds}s")),
            Err(_) => left("expected a number of seconds"),
        },
        "reason" => one_of(&[
            ("unspecified", "unspecified"),
            ("keyCompromise", "key-compromise"),
            ("CACompromise", "ca-compromise"),
            ("affiliationChanged", "affiliation-changed"),
            ("superseded", "superseded"),
            ("cessationOfOperation", "cessation-of-operation"),
            ("certificateHold", "hold"),
        ]),
        "purpose" => one_of(&[
            ("sslserver", "server"),
            ("nssslserver", "server"),
            ("sslclient", "client"),
            ("smimesign", "email"),
            ("smimeencrypt", "email"),
            ("timestampsign", "timestamp"),
            ("any", "any"),
        ]),
        "cms" => one_of(&[("smimesign", "email"), ("timestampsign", "timestamping"), ("any", "any")]),
        "time" => match value.parse::<i64>() {
            Ok(seconds) => Ok(UnixTime(seconds).to_string()),
            Err(_) => left("expected seconds since 1970"),
        },
        "to" => match parsed.operands.as_slice() {
            [] => Err("the recipients' certificates are missing".to_owned()),
            list => Ok(list.iter().map(|one| format!("--to {}", file(one))).collect::<Vec<_>>().join(" ")),
        },
        "cipher" => {
            let found = OF_MESSAGES.iter().take(8).find(|flag| parsed.has(flag));
            // OpenSSL's names without a mode are those of CBC.
            Ok(found.map_or(String::new(), |flag| {
                match flag.strip_prefix("aes").filter(|bits| !bits.starts_with('-')) {
                    Some(bits) => format!("--cipher aes-{bits}-cbc"),
                    None => format!("--cipher {flag}"),
                }
            }))
        }
        "digest" => {
            let found = OF_MESSAGES.iter().skip(8).find(|flag| parsed.has(flag));
            Ok(found.map_or(String::new(), |flag| format!("--digest {flag}")))
        }
        "dgst" => match apply("digest", "", parsed)? {
            given if given.is_empty() => Ok("--digest sha256".to_owned()),
            given => Ok(given),
        },
        "fields" => {
            let names: Vec<&str> = value.split(',').collect();
            match names.iter().find(|one| tagwise_show::named::field(one).is_none()) {
                Some(unknown) => Err(format!("-{name} {}: no equivalent", quote(unknown))),
                None => Ok(names.iter().map(|one| format!("--field {}", quote(one))).collect::<Vec<_>>().join(" ")),
            }
        }
        "field" if value.contains(',') => left("one extension at a time"),
        "field" => Ok(match tagwise_show::named::field(value) {
            Some(_) => quote(value),
            None => quote(&format!("tbsCertificate.extensions[{value}].extnValue")),
        }),
        "server" => server(parsed),
        other => Err(format!("-{name}: unknown filter {other}")),
    }
}

fn rsa(bits: &str) -> Option<String> {
    matches!(bits, "2048" | "3072" | "4096").then(|| format!("rsa{bits}"))
}

/// Returns the key type for OpenSSL's name of a curve.
fn curve(name: &str) -> Option<String> {
    let kind = match name {
        "P-256" | "prime256v1" | "secp256r1" => "ecdsa-p256",
        "P-384" | "secp384r1" => "ecdsa-p384",
        "P-521" | "secp521r1" => "ecdsa-p521",
        _ => return None,
    };
    Some(kind.to_owned())
}

/// Returns the options for the signers of a message. As in OpenSSL, each `-signer` and each `-inkey` begins another signer if the
/// present one has that already, and a signer's key is otherwise in the file with its certificate.
fn signers(parsed: &Parsed) -> String {
    let mut pairs: Vec<(Option<&Word>, Option<&Word>)> = Vec::new();
    for (name, word) in &parsed.order {
        let (is_signer, is_key) = (name == "signer", name == "inkey");
        match pairs.last_mut() {
            Some((signer @ None, _)) if is_signer => *signer = Some(word),
            Some((_, key @ None)) if is_key => *key = Some(word),
            _ if is_signer => pairs.push((Some(word), None)),
            _ if is_key => pairs.push((None, Some(word))),
            _ => {}
        }
    }
    let options = pairs.into_iter().map(|(signer, key)| {
        let key = key.or(signer).map(|key| format!("--key {}", file(key)));
        let certificate = signer.map(|signer| format!("--certificate {}", file(signer)));
        key.into_iter().chain(certificate).collect::<Vec<_>>().join(" ")
    });
    options.collect::<Vec<_>>().join(" ")
}

/// Returns the value of `-pkeyopt NAME:VALUE`.
fn option<'p>(parsed: &'p Parsed, name: &str) -> Option<&'p str> {
    let mut options = parsed.options.get("pkeyopt").map(Vec::as_slice).unwrap_or_default().iter();
    options
        .rfind(|option| option.text.split_once(':').is_some_and(|(found, _)| found == name))
        .and_then(|option| option.text.split_once(':').map(|(_, value)| value))
}

fn curve_option(parsed: &Parsed) -> Result<String, String> {
    let named = option(parsed, "ec_paramgen_curve").or_else(|| option(parsed, "group"));
    let named = named.ok_or("-pkeyopt ec_paramgen_curve: the curve is missing")?;
    curve(named).ok_or_else(|| format!("-pkeyopt ec_paramgen_curve:{}: unsupported curve", quote(named)))
}

/// Returns the options for `-addext NAME=VALUE`.
fn extensions(parsed: &Parsed) -> Result<String, String> {
    let mut options: Vec<String> = Vec::new();
    for extension in parsed.options.get("addext").into_iter().flatten() {
        let left = || format!("-addext {}", quoted(extension));
        let (name, value) = extension.text.split_once('=').ok_or_else(left)?;
        let items = value.split(',').map(str::trim);
        let items = items.filter(|item| *item != "critical");
        match name.trim() {
            "subjectAltName" => {
                for item in items {
                    let (kind, value) = item.split_once(':').ok_or_else(left)?;
                    let option = match kind.trim() {
                        "DNS" => "--dns",
                        "IP" => "--ip",
                        "email" => "--email",
                        "URI" => "--uri",
                        _ => return Err(left()),
                    };
                    let word = extension.with(value);
                    options.extend([option.to_owned(), quoted(&word)]);
                }
            }
            "keyUsage" => options.extend(["--key-usage".to_owned(), items.collect::<Vec<_>>().join(",")]),
            "extendedKeyUsage" => options.extend(["--ext-key-usage".to_owned(), items.collect::<Vec<_>>().join(",")]),
            "basicConstraints" => {
                for item in items {
                    match item.split_once(':') {
                        Some(("CA", "TRUE" | "true")) => options.push("--ca".to_owned()),
                        Some(("CA", "FALSE" | "false")) => {}
                        Some(("pathlen", number)) => options.extend(["--path-len".to_owned(), quote(number)]),
                        _ => return Err(left()),
                    }
                }
            }
            _ => return Err(left()),
        }
    }
    Ok(options.join(" "))
}

/// The values of `-pkeyopt` that are translated. Those with a value have an effect only if it differs.
const KEY_OPTIONS: [(&str, Option<&str>); 6] = [
    ("rsa_keygen_bits", None),
    ("rsa_keygen_pubexp", Some("65537")),
    ("rsa_keygen_primes", Some("2")),
    ("ec_paramgen_curve", None),
    ("group", None),
    ("ec_param_enc", Some("named_curve")),
];

/// Returns the first `-pkeyopt` that has no equivalent.
fn unknown_option(parsed: &Parsed) -> Option<&str> {
    let mut given = parsed.options.get("pkeyopt").into_iter().flatten().map(|word| word.text.as_str());
    given.find(|option| {
        let (name, value) = option.split_once(':').unwrap_or((option, ""));
        !KEY_OPTIONS.iter().any(|(known, only)| *known == name && only.is_none_or(|only| only == value))
    })
}

/// Returns a digest's name in the form that `--digest` accepts.
fn digest(name: &str) -> Option<String> {
    let name = name.to_ascii_lowercase();
    let name = name.replacen("sha-", "sha", 1);
    ["sha256", "sha384", "sha512"].contains(&name.as_str()).then_some(name)
}

/// Returns the options for the trust anchors: those of files and folders, or else the system's, as `default` writes them.
fn anchors(parsed: &Parsed, default: &str) -> String {
    let named = ["CAfile", "CApath", "CAstore", "trusted"].into_iter().flat_map(|name| parsed.values(name));
    let named: Vec<String> = named.map(|word| format!("--trust {}", file(word))).collect();
    if !named.is_empty() {
        return named.join(" ");
    }
    // Without any, no certificate is valid.
    if parsed.has("no-CAfile") && parsed.has("no-CApath") { "--trust /dev/null" } else { default }.to_owned()
}

/// Checks that the system's trust anchors are enabled or disabled as a whole.
///
/// # Errors
/// Returns the difference from OpenSSL otherwise.
fn defaults(parsed: &Parsed) -> Result<String, String> {
    let is_named = ["CAfile", "CApath", "CAstore", "trusted"].into_iter().any(|name| parsed.has(name));
    let off = ["no-CAfile", "no-CApath", "no-CAstore"].map(|name| parsed.has(name));
    match off {
        _ if is_named => Ok(String::new()),
        [false, false, _] | [true, true, true] => Ok(String::new()),
        [true, true, false] => Err(
            "-no-CAfile -no-CApath: OpenSSL 3 reads the system's trust anchors without -no-CAstore; tagwise trusts nothing"
                .to_owned(),
        ),
        [is_file, ..] => {
            let name = if is_file { "no-CAfile" } else { "no-CApath" };
            Err(format!("-{name}: the system's trust anchors are used as a whole"))
        }
    }
}

/// Returns the URL of a server, with the protocol from `-starttls`.
fn server(parsed: &Parsed) -> Result<String, String> {
    let scheme = match parsed.last("starttls").map(|word| word.text.as_str()) {
        None => "tls",
        Some("smtp") => "smtp+starttls",
        Some("ldap") => "ldap+starttls",
        Some(
            same
            @ ("imap" | "pop3" | "ftp" | "xmpp" | "xmpp-server" | "postgres" | "mysql" | "lmtp" | "nntp" | "sieve"),
        ) => same,
        Some(other) => return Err(format!("-starttls {}", quote(other))),
    };
    let given = parsed.last("connect").or_else(|| parsed.operands.first());
    // The default of `openssl s_client` is localhost:4433.
    let (word, port) = match given {
        Some(word) => (word.clone(), None),
        None => (parsed.last("host").cloned().unwrap_or_else(|| Word::plain("localhost")), parsed.last("port")),
    };
    let has_port = word.text.rsplit_once(':').is_some_and(|(_, port)| !port.ends_with(']'));
    let port = port.map_or("4433", |port| port.text.as_str());
    let address = if has_port { word.text.clone() } else { format!("{}:{port}", word.text) };
    let mut text = quoted(&word.with(format!("{scheme}://{address}")));
    let host = address.rsplit_once(':').map_or(&*address, |(host, _)| host);
    // The name is otherwise that of the address.
    if let Some(name) = parsed.last("servername").filter(|name| name.text != host) {
        text.push_str(&format!(" --servername {}", quoted(name)));
    }
    Ok(text)
}
