//! Keys in files. Keys are recognized by PEM label, or by decoding if they are not in PEM. They are written with a
//! passphrase.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tagwise_pkix::oids::files::label;

use tagwise_codec::{Any, BitStr, Decode, Options, Rule, RuleSet, pem};
use tagwise_crypto::{
    Error, ErrorKind, KeyType, PasswordOptions, PrivateKey, PrivateKeyInfo, Scheme, Secret, decrypt_pkcs8,
    decrypt_traditional, decrypt_traditional_key, decryption_cost, encrypt_key, table,
};
use tagwise_input::{SignedPublicKeyAndChallenge, ValueKind};
use tagwise_input::{Wrapped, WrappedValue};
use tagwise_pkix::csr::CertificationRequest;
use tagwise_pkix::name::visible;
use tagwise_pkix::pkcs1::RsaPrivateKey;
use tagwise_pkix::pkcs8::{EncryptedPrivateKeyInfo, OneAsymmetricKey};
use tagwise_pkix::sec1::EcPrivateKey;
use tagwise_pkix::{AlgorithmIdentifier, Certificate, RsaPublicKey, SubjectPublicKeyInfo, oids};
use tagwise_show::SelfSignature;

use crate::shared::backend::Chosen;
use crate::shared::context::Context;
use crate::shared::found_key::{CERTIFICATE, Keys, PKCS12, REQUEST, pkcs8, public};
pub(crate) use crate::shared::found_key::{Found, Key, Spkac, refused};
use crate::shared::key_formats;
use crate::shared::output::{Access, Failure, name_of, write};
use crate::shared::parts::ends;
use crate::shared::passphrase::PassphraseArgs;
use crate::shared::pkcs12;

const PKCS8: &str = "PKCS #8";
const ENCRYPTED: &str = "PKCS #8, encrypted";
const PKCS1: &str = "PKCS #1";
const SEC1: &str = "SEC 1";
const TRADITIONAL: &str = "traditional PEM, encrypted";
const DSA: &str = "traditional DSA";
const SPKI: &str = "SubjectPublicKeyInfo";
const PKCS1_PUBLIC: &str = "PKCS #1, public";
const SPKAC: &str = "SPKAC";

/// Reads the keys in a file, including those in certificates and requests. The list is not empty.
///
/// # Errors
/// Returns an error if the file cannot be read or contains no key, a key is malformed, or the passphrase is wrong.
pub(crate) fn keys(
    context: &Context,
    backend: Chosen,
    path: &Path,
    passphrase: &PassphraseArgs,
) -> Result<Vec<Found>, Failure> {
    open(unlocked(context, backend, path, passphrase, None)?, path)
}

/// Returns the keys of a file of which none is locked.
fn open(keys: Keys, path: &Path) -> Result<Vec<Found>, Failure> {
    match keys.locked.first() {
        None => Ok(keys.found),
        Some(locked) => Err(Failure::negative(locked.message(path))),
    }
}

/// Reads the keys in a file, including those that no passphrase decrypts. Of a keystore, only the keys with the name are read, if one is
/// given: others may have different passphrases.
///
/// # Errors
/// Returns an error if the file cannot be read or contains no key, a key is malformed, or the file's passphrase is wrong.
pub(crate) fn unlocked(
    context: &Context,
    backend: Chosen,
    path: &Path,
    passphrase: &PassphraseArgs,
    name: Option<&str>,
) -> Result<Keys, Failure> {
    let octets = context.load_again(path).map_err(|error| Failure::file(path, "read", &error))?;
    let negative = |text: String| Failure::negative(format!("{}: {text}", name_of(path)));
    if octets.is_empty() {
        return Err(negative("the file is empty".to_owned()));
    }
    if let Some(found) = key_formats::keys(context, backend, path, &octets, passphrase, name)? {
        return Ok(found);
    }
    let source = Wrapped::open(octets, None).map_err(negative)?;
    let mut values: Vec<(WrappedValue, bool)> = source.values.into_iter().flat_map(row).collect();
    let (mut found, mut locked, mut unchecked, mut is_store) = (Vec::new(), Vec::new(), None, false);
    // One budget for all keys of the file.
    let mut options = PasswordOptions::DEFAULT;
    for (value, is_part) in &mut values {
        // Encodings of keys are a SEQUENCE, unlike other forms.
        if value.octets.first() == Some(&0x30) {
            context.allowed.alone(&mut value.octets).map_err(&negative)?;
        }
        context.allowed.canonical(&mut value.octets);
        let value = &*value;
        if let Some(problem) = &value.problem {
            return Err(negative(visible(problem).to_string()));
        }
        let place =
            value.block.as_ref().map_or(String::new(), |(label, line)| format!("{}, line {line}: ", visible(label)));
        let failed = |error: &tagwise_crypto::Error| negative(format!("{place}{error}"));
        if let Some((label::OPENSSH_PRIVATE_KEY, line)) = value.block.as_ref().map(|(label, line)| (&**label, *line)) {
            let keys = key_formats::keys(context, backend, path, &value.octets, passphrase, None)?;
            for key in keys.unwrap_or_default().found {
                found.push(Found { line: Some(line), ..key });
            }
            continue;
        }
        if let Some(foreign) = &value.foreign {
            let (Some(dek_info), Some((label, line))) = (&foreign.dek_info, &value.block) else {
                return Err(negative(format!("{place}{foreign}")));
            };
            let passphrase = passphrase.of(&name_of(path))?;
            let read = match label.as_str() {
                label::DSA_PRIVATE_KEY => {
                    let plain = decrypt_traditional(backend, dek_info, &value.octets, passphrase.expose());
                    plain.and_then(|plain| dsa_key(plain.expose()))
                }
                label => private(decrypt_traditional_key(backend, label, dek_info, &value.octets, passphrase.expose())),
            };
            let key = read.map_err(|error| failed(&error))?;
            found.push(Found::new(Some(*line), TRADITIONAL, key));
            continue;
        }
        let Some(form) = form(context, value) else {
            if *is_part {
                return Err(negative("unknown data beside a key, a certificate or a request".to_owned()));
            }
            continue;
        };
        if form == PKCS12 {
            let keys = pkcs12::keys(context, backend, path, &value.octets, passphrase, name)?;
            found.extend(keys.found);
            locked.extend(keys.locked);
            unchecked = unchecked.or(keys.unchecked);
            is_store = true;
            continue;
        }
        let malformed = |error: &tagwise_codec::Error| negative(format!("{place}{error}"));
        let key = match form {
            PKCS8 => pkcs8(&value.octets).map_err(|error| failed(&error))?,
            DSA => dsa_key(&value.octets).map_err(|error| failed(&error))?,
            PKCS1 => private(PrivateKeyInfo::from_pkcs1(&value.octets)).map_err(|error| failed(&error))?,
            SEC1 => private(PrivateKeyInfo::from_sec1(&value.octets)).map_err(|error| failed(&error))?,
            ENCRYPTED => {
                let passphrase = passphrase.of(&name_of(path))?;
                let cost = decryption_cost(&value.octets);
                let read = decrypt_pkcs8(backend, &value.octets, passphrase.expose(), &options);
                options.max_iterations = options.max_iterations.saturating_sub(u32::try_from(cost).unwrap_or(u32::MAX));
                read.and_then(|plain| pkcs8(plain.expose())).map_err(|error| failed(&error))?
            }
            PKCS1_PUBLIC => {
                RsaPublicKey::from_der(&value.octets).map_err(|error| malformed(&error))?;
                let info = SubjectPublicKeyInfo {
                    algorithm: AlgorithmIdentifier { algorithm: oids::RSA_ENCRYPTION, parameters: Some(Any::null(0)) },
                    subject_public_key: BitStr::from_octets(&value.octets),
                };
                public(context, backend, &info).map_err(|error| failed(&error))?
            }
            CERTIFICATE => {
                let certificate = lax(context).outline::<Certificate<'_>>(&value.octets);
                let certificate = certificate.map_err(|error| malformed(&error))?.value;
                public(context, backend, &certificate.tbs_certificate.subject_public_key_info)
                    .map_err(|error| failed(&error))?
            }
            SPKAC => {
                let read = SignedPublicKeyAndChallenge::from_der(&value.octets).map_err(|error| malformed(&error))?;
                public(context, backend, &read.public_key_and_challenge.spki).map_err(|error| failed(&error))?
            }
            REQUEST => {
                let request = lax(context).outline::<CertificationRequest<'_>>(&value.octets);
                let request = request.map_err(|error| malformed(&error))?.value;
                let info = request.certification_request_info.subject_pk_info;
                public(context, backend, &info).map_err(|error| failed(&error))?
            }
            _ => {
                let read = allowed(context).decode::<SubjectPublicKeyInfo<'_>>(&value.octets);
                let info = read
                    .map_err(|error| negative(format!("{place}{error}{}", crate::shared::rules::hint(&error))))?
                    .value;
                public(context, backend, &info).map_err(|error| failed(&error))?
            }
        };
        let spkac = if form == SPKAC { spkac(&value.octets) } else { None };
        found.push(Found { spkac, ..Found::new(value.block.as_ref().map(|(_, line)| *line), form, key) });
    }
    if !found.is_empty() || !locked.is_empty() || is_store && name.is_some() {
        return Ok(Keys { found, locked, unchecked });
    }
    if is_store {
        return Err(negative("no key found in this PKCS #12 file".to_owned()));
    }
    let labels: Vec<String> =
        values.iter().filter_map(|(value, _)| Some(visible(&value.block.as_ref()?.0).to_string())).collect();
    Err(negative(match labels.as_slice() {
        [] => values.first().map_or("no key found".to_owned(), |(value, _)| no_key(context, &value.octets)),
        labels => format!("no supported key found, only {}", labels.join(", ")),
    }))
}

/// Returns the reason why bytes are not a key. For a malformed encoding of a key, this is its fault.
fn no_key(context: &Context, octets: &[u8]) -> String {
    // What reads with every rule tolerated is a key whose encoding is at fault.
    let fault = if lax(context).outline::<OneAsymmetricKey<'_>>(octets).is_ok() {
        OneAsymmetricKey::from_der(octets).err()
    } else if lax(context).outline::<EncryptedPrivateKeyInfo<'_>>(octets).is_ok() {
        EncryptedPrivateKeyInfo::from_der(octets).err()
    } else if lax(context).outline::<SubjectPublicKeyInfo<'_>>(octets).is_ok() {
        SubjectPublicKeyInfo::from_der(octets).err()
    } else if lax(context).outline::<RsaPrivateKey<'_>>(octets).is_ok() {
        RsaPrivateKey::from_der(octets).err()
    } else if lax(context).outline::<EcPrivateKey<'_>>(octets).is_ok() {
        EcPrivateKey::from_der(octets).err()
    } else {
        // The first fault of the outermost element, if there is one.
        Any::from_der(octets).err()
    };
    fault.map_or("no key found".to_owned(), |fault| format!("no readable key found: {fault}"))
}

/// The options for parts that may break the rules that `--allow` names.
fn allowed(context: &Context) -> Options<'static> {
    Options::der().rules(context.allowed.decoding)
}

/// The options for certificates and requests, of which only the key is of interest. Data after them could be another value.
fn lax(context: &Context) -> Options<'static> {
    let rules = RuleSet::ALL.without(&Rule::TRAILING_DATA).union(context.allowed.decoding);
    Options::der().rules(rules).parts(context.allowed.decoding)
}

/// Returns the concatenated values of a value that is not in PEM, and whether there are several. Data that is not a value is one of them,
/// or belongs to the one before it, so that it is reported.
fn row(value: WrappedValue) -> Vec<(WrappedValue, bool)> {
    let ends = match value.block.is_none() && value.problem.is_none() && value.foreign.is_none() {
        true => ends(&value.octets),
        false => Vec::new(),
    };
    if ends.len() < 2 {
        return vec![(value, false)];
    }
    let starts = std::iter::once(0).chain(ends.iter().copied());
    let part = |(start, end): (usize, &usize)| {
        let mut part = value.clone();
        part.octets = value.octets.get(start..*end).unwrap_or_default().to_vec();
        (part, true)
    };
    starts.zip(&ends).map(part).collect()
}

/// Verifies a signed public key and challenge.
fn spkac(octets: &[u8]) -> Option<Spkac> {
    let read = SignedPublicKeyAndChallenge::from_der(octets).ok()?;
    let signed = tagwise_codec::encode(&read.public_key_and_challenge).ok()?;
    let key = &read.public_key_and_challenge.spki;
    let signature = read.signature.octets().unwrap_or_default();
    let signature = self_signature(key, &read.signature_algorithm, &signed, signature);
    let algorithm = read.signature_algorithm.algorithm;
    let algorithm = oids::lookup(algorithm).map_or_else(|| algorithm.to_string(), |info| info.short_name().to_owned());
    Some(Spkac { algorithm, challenge: read.public_key_and_challenge.challenge.to_string(), signature })
}

/// Verifies the signature of a request with its own key. A good one with MD5 is weak, as with SHA-1.
pub(crate) fn self_signature<'a>(
    key: &SubjectPublicKeyInfo<'a>,
    algorithm: &AlgorithmIdentifier<'a>,
    signed: &'a [u8],
    signature: &'a [u8],
) -> SelfSignature {
    let answer = tagwise_show::verify(key, algorithm, signed, signature);
    if !matches!(answer, SelfSignature::Unknown(_)) || algorithm.algorithm != oids::MD5_WITH_RSA_ENCRYPTION {
        return answer;
    }
    match tagwise_keys::md5_rsa::verify(key, signed, signature) {
        Ok(()) => SelfSignature::Weak("MD5 is not secure (RFC 6151 §2)".to_owned()),
        Err(error) if error.kind().is_unsupported() || error.kind() == ErrorKind::KeySize => answer,
        Err(error) => SelfSignature::Invalid(error.to_string()),
    }
}

/// Returns the only key in a file. Keys in certificates and requests are used if there are no others.
///
/// # Errors
/// Returns the errors of [`keys`], or an error if there is no key or more than one.
pub(crate) fn one(
    context: &Context,
    backend: Chosen,
    path: &Path,
    passphrase: &PassphraseArgs,
) -> Result<Found, Failure> {
    one_named(context, backend, path, passphrase, None)
}

/// Returns the only key in a file, or the one with the given name.
///
/// # Errors
/// Returns any error from [`one`].
pub(crate) fn one_named(
    context: &Context,
    backend: Chosen,
    path: &Path,
    passphrase: &PassphraseArgs,
    name: Option<&str>,
) -> Result<Found, Failure> {
    let keys = unlocked(context, backend, path, passphrase, name)?;
    let unchecked = keys.unchecked;
    let mut found = open(keys, path)?;
    if let Some(name) = name {
        found.retain(|key| key.name.as_deref() == Some(name));
        if found.is_empty() {
            return Err(Failure::negative(format!("{}: no key named '{}' found", name_of(path), visible(name))));
        }
    }
    if found.iter().any(|key| !key.is_carried()) {
        found.retain(|key| !key.is_carried());
    }
    match (found.pop(), found.len()) {
        (Some(key), 0) => match unchecked.filter(|_| !matches!(key.key, Key::Public(_))) {
            None => Ok(key),
            Some(why) => {
                let hint = "extract the key with `tagwise p12 extract --keys --allow-no-mac`";
                Err(Failure::negative(format!("{}: {why}: {hint}", name_of(path))))
            }
        },
        _ => Err(Failure::negative(format!("{}: more than one key found", name_of(path)))),
    }
}

fn private(read: Result<PrivateKeyInfo, tagwise_crypto::Error>) -> Result<Key, tagwise_crypto::Error> {
    read.map(|info| Key::Private(Box::new(info)))
}

/// Reads a DSA private key.
fn dsa_key(octets: &[u8]) -> Result<Key, tagwise_crypto::Error> {
    let malformed = || Err(Error::new(ErrorKind::MalformedKey, "DSA").because("expected six numbers"));
    tagwise_keys::dsa::read(octets).unwrap_or_else(malformed).map(|key| Key::Dsa(Box::new(key)))
}

/// Form of a value, if it is a key.
fn form(context: &Context, value: &WrappedValue) -> Option<&'static str> {
    if let Some((label, _)) = &value.block {
        if label == label::DSA_PRIVATE_KEY {
            return Some(DSA);
        }
        return match ValueKind::of_label(label)? {
            ValueKind::PrivateKey => Some(PKCS8),
            ValueKind::EncryptedPrivateKey => Some(ENCRYPTED),
            ValueKind::RsaPrivateKey => Some(PKCS1),
            ValueKind::EcPrivateKey => Some(SEC1),
            ValueKind::PublicKey => Some(SPKI),
            ValueKind::RsaPublicKey => Some(PKCS1_PUBLIC),
            ValueKind::Certificate => Some(CERTIFICATE),
            ValueKind::CertificationRequest => Some(REQUEST),
            ValueKind::Pkcs12 => Some(PKCS12),
            // EC PARAMETERS in front of a key.
            _ => None,
        };
    }
    let octets = &value.octets;
    if OneAsymmetricKey::outline(octets).is_ok() {
        Some(PKCS8)
    } else if allowed(context).outline::<SubjectPublicKeyInfo<'_>>(octets).is_ok() {
        Some(SPKI)
    } else if EncryptedPrivateKeyInfo::outline(octets).is_ok() {
        Some(ENCRYPTED)
    } else if RsaPrivateKey::outline(octets).is_ok() {
        Some(PKCS1)
    } else if EcPrivateKey::outline(octets).is_ok() {
        Some(SEC1)
    } else if SignedPublicKeyAndChallenge::outline(octets).is_ok() {
        Some(SPKAC)
    } else if lax(context).outline::<Certificate<'_>>(octets).is_ok() {
        Some(CERTIFICATE)
    } else if lax(context).outline::<CertificationRequest<'_>>(octets).is_ok() {
        Some(REQUEST)
    } else if RsaPublicKey::outline(octets).is_ok() {
        Some(PKCS1_PUBLIC)
    } else if tagwise_pkix::pkcs12::Store::read(octets).is_ok() {
        Some(PKCS12)
    } else if tagwise_keys::dsa::read(octets).is_some() {
        Some(DSA)
    } else if PrivateKeyInfo::from_sec1(octets).map_or_else(|error| error.kind() == ErrorKind::Unsupported, |_| true) {
        // With explicit parameters (SEC 1 §C.2), which RFC 5915 §3 does not permit.
        Some(SEC1)
    } else {
        None
    }
}

/// Reads the only private key in a file, for other commands.
///
/// # Errors
/// Returns an error if the key cannot be read or is a public key.
pub(crate) fn private_key_of(
    context: &Context,
    backend: Chosen,
    path: &Path,
    passphrase: &PassphraseArgs,
) -> Result<Arc<dyn PrivateKey>, Failure> {
    private_key_named(context, backend, path, passphrase, None)
}

/// Reads the only private key in a file, or the one with the given name.
///
/// # Errors
/// Returns any error from [`private_key_of`].
pub(crate) fn private_key_named(
    context: &Context,
    backend: Chosen,
    path: &Path,
    passphrase: &PassphraseArgs,
    name: Option<&str>,
) -> Result<Arc<dyn PrivateKey>, Failure> {
    match one_named(context, backend, path, passphrase, name)?.key {
        Key::Private(info) => backend.private_key(&info).map_err(|error| refused(&error)),
        Key::Dsa(_) => Err(Failure::negative(format!(
            "{}: DSA private keys are only read; signing with DSA is not supported",
            name_of(path)
        ))),
        Key::Public(_) => {
            Err(Failure::negative(format!("{}: expected a private key, found a public key", name_of(path))))
        }
    }
}

/// Writes a PKCS #8 key as PEM to a new file or to standard output, encrypted if there is a passphrase.
pub(crate) fn deliver_key(
    backend: Chosen,
    pkcs8: &Secret,
    passphrase: Option<&Secret>,
    path: Option<&PathBuf>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    deliver_private(key_text(backend, pkcs8, passphrase)?.expose(), path, out)
}

/// Encodes a PKCS #8 key as PEM, encrypted if there is a passphrase.
pub(crate) fn key_text(backend: Chosen, pkcs8: &Secret, passphrase: Option<&Secret>) -> Result<Secret, Failure> {
    match passphrase {
        Some(passphrase) => {
            let encrypted = encrypt_key(backend, pkcs8, passphrase.expose(), &PasswordOptions::DEFAULT);
            armoured(label::ENCRYPTED_PRIVATE_KEY, &encrypted.map_err(|error| refused(&error))?)
        }
        None => armoured(label::PRIVATE_KEY, pkcs8.expose()),
    }
}

/// Writes a private key to a new file or to standard output.
pub(crate) fn deliver_private(octets: &[u8], path: Option<&PathBuf>, out: &mut dyn Write) -> Result<(), Failure> {
    match path.filter(|path| path.as_os_str() != "-") {
        Some(path) => write(path, octets, Access::Private).map_err(|error| Failure::file(path, "written", &error)),
        None => {
            out.write_all(octets)?;
            Ok(out.flush()?)
        }
    }
}

pub(crate) fn armoured(label: &str, der: &[u8]) -> Result<Secret, Failure> {
    let text = pem::encode(label, der).map_err(|error| Failure::negative(error.to_string()))?;
    Ok(Secret::from(text.into_bytes()))
}

/// Returns the signature scheme of a key with a digest: RSA (PKCS #1) or ECDSA.
///
/// # Errors
/// Returns an error for other keys, and for an unknown digest.
pub(crate) fn by_digest(key: KeyType, digest: &str) -> Result<Scheme, Failure> {
    match key {
        KeyType::Rsa(_) => by_name(&format!("RSA-{digest}")),
        KeyType::P256 | KeyType::P384 | KeyType::P521 => by_name(&format!("ECDSA-{digest}")),
        key => Err(Failure::usage(format!("--digest requires an RSA or elliptic curve key; this key is {key}"))),
    }
}

/// Returns the signature scheme with a name.
///
/// # Errors
/// Returns an error for an unknown name.
pub(crate) fn by_name(name: &str) -> Result<Scheme, Failure> {
    let row = table::SIGNATURES.iter().find(|row| row.name.eq_ignore_ascii_case(name));
    row.and_then(|row| row.scheme).ok_or_else(|| Failure::usage(format!("unknown algorithm '{}'", visible(name))))
}
