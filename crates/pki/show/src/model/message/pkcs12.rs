//! A summary of PKCS #12 files (RFC 7292): their protection, and the contents that need no password.

use tagwise_codec::{Decode, RuleSet};
use tagwise_pkix::pkcs8::{EncryptedPrivateKeyInfo, OneAsymmetricKey};
use tagwise_pkix::pkcs12::{Pfx, SafeContent, SafeContentInfo};
use tagwise_pkix::{Bundle, BundleItem, BundleKind, Certificate, CertificateList, oids};

use super::Shown;
use crate::lens::{Read, problem_in, read};
use crate::model::key::algorithm;
use crate::tree::{Line, Record, Tone, Value};

pub(super) fn file<'a>(der: &'a [u8], rules: RuleSet) -> Shown<'a> {
    let Read { value, problem, notes } = read::<Pfx<'a>>(der, rules);
    let mut record = Record::default();
    if let Some(pfx) = &value {
        record = record.with("version", Value::Number(u64::from(pfx.version.0)));
        let mac = pfx.mac_data.as_ref().map(|mac| {
            let salt = mac.mac_salt.as_bytes().len();
            Record::default()
                .with("digest_algorithm", algorithm(&mac.mac.digest_algorithm))
                .with("iterations", Value::Number(mac.iterations))
                .with("salt_octets", Value::number(salt))
                .into()
        });
        record = match mac {
            Some(mac) => record.with("mac", mac),
            None => record.with("mac", Record::titled(Line::new(Tone::Warn, "none")).into()),
        };
    }
    match Bundle::read(der) {
        Ok(bundle) => {
            let bags = bundle.items().map(|item| bag(&item)).collect();
            Shown { value: Some(record.with("bags", Value::List(bags)).into()), problem, notes }
        }
        Err(error) => {
            let problem = problem.or_else(|| Some(problem_in::<Pfx<'a>>(&error, der)));
            Shown { value: value.map(|_| record.into()), problem, notes }
        }
    }
}

/// Describes an item of the keystore. Certificates and CRLs are shown separately after the keystore, so only their names are
/// included here.
fn bag<'a>(item: &BundleItem<'_>) -> Value<'a> {
    let (word, words) = match item.kind {
        BundleKind::Certificate => ("certificate", "certificate"),
        BundleKind::CertificateList => ("crl", "CRL"),
        BundleKind::PrivateKey => ("private-key", "private key, unencrypted"),
        BundleKind::EncryptedPrivateKey => ("encrypted-private-key", "private key, encrypted"),
        BundleKind::Secret => ("secret", "secret"),
        BundleKind::Encrypted => ("encrypted", "encrypted bags"),
        _ => ("other", "something else"),
    };
    let tone = if item.kind == BundleKind::PrivateKey { Tone::Warn } else { Tone::Strong };
    let algorithm = algorithm_of(item);
    let of = match item.kind {
        BundleKind::Certificate => {
            Certificate::outline(item.octets).ok().map(|found| found.tbs_certificate.subject.oneline().to_string())
        }
        BundleKind::CertificateList => {
            CertificateList::outline(item.octets).ok().map(|found| found.tbs_cert_list.issuer.oneline().to_string())
        }
        _ => algorithm.clone(),
    };
    let mut title = Line::new(tone, words);
    if let Some(of) = of {
        title = title.and(Tone::Plain, format!("  {of}"));
    }
    Record::titled(title)
        .json("kind", Value::word(word))
        .json("size", Value::number(item.octets.len()))
        .json("algorithm", algorithm.map_or(Value::Null, Value::text))
        .with_some("friendly_name", item.friendly_name().map(Value::text))
        .with_some("local_key_id", item.local_key_id().map(|id| Value::Hex(id.to_vec().into())))
        .into()
}

/// Returns the algorithm of a key, or the encryption algorithm.
fn algorithm_of(item: &BundleItem<'_>) -> Option<String> {
    let id = match item.kind {
        BundleKind::PrivateKey => OneAsymmetricKey::outline(item.octets).ok()?.private_key_algorithm.algorithm,
        BundleKind::EncryptedPrivateKey => {
            EncryptedPrivateKeyInfo::outline(item.octets).ok()?.encryption_algorithm.algorithm
        }
        BundleKind::Encrypted => match SafeContentInfo::outline(item.octets).ok()?.content.get().ok()? {
            SafeContent::EncryptedData(data) => data.encrypted_content_info.content_encryption_algorithm.algorithm,
            _ => return None,
        },
        _ => return None,
    };
    Some(oids::lookup(id).map_or_else(|| id.to_string(), |info| info.short_name().to_owned()))
}
