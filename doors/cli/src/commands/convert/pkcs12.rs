//! Certificates, CRLs and private keys in a PKCS #12 file without password and MAC.

use tagwise_codec::stream::Rules;
use tagwise_codec::{Decode, encode};
use tagwise_input::WrappedValue;
use tagwise_input::row;
use tagwise_pkix::build::{Digest, Pkcs12Item, Pkcs12Value, pkcs12_plain};
use tagwise_pkix::oids::files::label;
use tagwise_pkix::{Bundle, BundleKind, Certificate, private_key};

use super::place;

/// An item of the PKCS #12 file.
struct Thing {
    kind: BagKind,
    octets: Vec<u8>,
    name: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BagKind {
    Certificate,
    List,
    Key,
}

/// Packs all certificates, CRLs and keys among the values into one PKCS #12 file.
///
/// # Errors
/// Returns a description if the file cannot be created.
pub(super) fn of(values: &[WrappedValue], notes: &mut Vec<String>) -> Result<Vec<u8>, String> {
    let mut things = Vec::new();
    for value in values {
        let at = place(value);
        if let Some(problem) = &value.problem {
            return Err(format!("{at}{problem}"));
        }
        if let Some(foreign) = &value.foreign {
            return Err(format!("{at}{}", foreign));
        }
        let parts = row::values(&value.octets, Rules::Ber, false).map_err(|error| format!("{at}{error}"))?;
        for part in parts {
            collect(part, &at, &mut things, notes)?;
        }
    }
    if things.is_empty() {
        return Err("no certificate, CRL or private key found".to_owned());
    }
    plain(&things)
}

/// Collects a value, or the items that it contains.
fn collect(octets: &[u8], at: &str, things: &mut Vec<Thing>, notes: &mut Vec<String>) -> Result<(), String> {
    let kind = tagwise_input::certain_label(octets);
    let key = |converted: Result<Vec<u8>, private_key::KeyError>| match converted {
        Ok(key) => Ok((BagKind::Key, key)),
        Err(error) => Err(format!("{at}{error}")),
    };
    let (kind, octets) = match kind {
        Some(label::CERTIFICATE) => (BagKind::Certificate, octets.to_vec()),
        Some(label::X509_CRL) => (BagKind::List, octets.to_vec()),
        Some(label::PRIVATE_KEY) => (BagKind::Key, octets.to_vec()),
        Some(label::RSA_PRIVATE_KEY) => key(private_key::pkcs8_from_pkcs1(octets).map(|key| key.to_vec()))?,
        Some(label::EC_PRIVATE_KEY) => key(private_key::pkcs8_from_sec1(octets).map(|key| key.to_vec()))?,
        Some(label::ENCRYPTED_PRIVATE_KEY) => return Err(format!("{at}the private key is encrypted")),
        Some(
            label::CERTIFICATE_REQUEST | label::ATTRIBUTE_CERTIFICATE | label::PUBLIC_KEY | label::DSA_PRIVATE_KEY,
        ) => {
            notes.push(format!("{at}omitted: {}", kind.unwrap_or_default().to_lowercase()));
            return Ok(());
        }
        _ => return bundle(octets, at, things, notes),
    };
    things.push(Thing { kind, octets, name: None });
    Ok(())
}

/// Collects the unencrypted items of another container.
fn bundle(octets: &[u8], at: &str, things: &mut Vec<Thing>, notes: &mut Vec<String>) -> Result<(), String> {
    let bundle = Bundle::read(octets)
        .map_err(|error| format!("{at}not a certificate, CRL or private key, nor a container of them: {error}"))?;
    for item in bundle.items() {
        let kind = match item.kind {
            BundleKind::Certificate => BagKind::Certificate,
            BundleKind::CertificateList => BagKind::List,
            BundleKind::PrivateKey => BagKind::Key,
            BundleKind::EncryptedPrivateKey | BundleKind::Encrypted => {
                return Err(format!("{at}a password is required"));
            }
            _ => {
                notes.push(format!("{at}omitted: content that is not a certificate, CRL or private key"));
                continue;
            }
        };
        things.push(Thing { kind, octets: item.octets.to_vec(), name: item.friendly_name() });
    }
    Ok(())
}

/// Builds an unencrypted PKCS #12 file. As in OpenSSL, each key is linked to its certificate by the SHA-1 digest of the certificate.
fn plain(things: &[Thing]) -> Result<Vec<u8>, String> {
    let mut ties: Vec<Option<Vec<u8>>> = vec![None; things.len()];
    for (index, key) in things.iter().enumerate().filter(|(_, thing)| thing.kind == BagKind::Key) {
        let Ok(Some(public)) = private_key::public_key(&key.octets) else { continue };
        let of_key = |thing: &Thing| {
            let key = Certificate::outline(&thing.octets).map(|it| it.tbs_certificate.subject_public_key_info);
            thing.kind == BagKind::Certificate
                && key.ok().and_then(|key| encode(&key).ok()).is_some_and(|key| key == public)
        };
        let Some(own) = things.iter().position(of_key) else { continue };
        let digest = things.get(own).map(|thing| Digest::Sha1.of(&thing.octets));
        for at in [index, own] {
            if let Some(tie) = ties.get_mut(at) {
                tie.clone_from(&digest);
            }
        }
    }
    let items: Vec<_> = things
        .iter()
        .zip(&ties)
        .map(|(thing, tie)| Pkcs12Item {
            value: match thing.kind {
                BagKind::Certificate => Pkcs12Value::Certificate(&thing.octets),
                BagKind::List => Pkcs12Value::CertificateList(&thing.octets),
                BagKind::Key => Pkcs12Value::PrivateKey(&thing.octets),
            },
            friendly_name: thing.name.as_deref(),
            local_key_id: tie.as_deref(),
            trusted_for: &[],
        })
        .collect();
    pkcs12_plain(&items).map_err(|error| error.to_string())
}
