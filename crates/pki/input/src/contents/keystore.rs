//! Keystores: PKCS #12 files, which may require a password, and Java keystores, whose certificates are unencrypted.

use std::borrow::Cow;

use crate::{MESSAGES, Recognised, ValueKind as Content, foreign, keystore};
use tagwise_pkix::{Bundle, BundleKind};

use super::der::kind_of;
use super::{ContentsKind, Found, Gather, Spot};

/// A function that opens a PKCS #12 file and returns its certificates and CRLs, or an error message.
pub type Opener<'o> = dyn Fn(&[u8]) -> Result<Vec<Vec<u8>>, String> + Sync + 'o;

impl Gather<'_, '_> {
    /// Adds a value that is not a certificate, CRL or signed-data message.
    pub(super) fn other(&mut self, value: &[u8], spot: Spot) {
        match crate::recognise(value) {
            Recognised::Kind(Content::Pkcs12) => self.pkcs12(value, spot),
            _ if foreign::is_keystore(value) => self.keystore(value, spot),
            Recognised::Kind(kind) if !kind.is_certificate_or_list() => self.contents.others += 1,
            Recognised::Kind(_) | Recognised::Other(_) => {
                self.contents.others += 1;
                self.unread(spot, "unrecognized", "a value of an unknown type");
            }
        }
    }

    /// Adds the certificates and CRLs of a PKCS #12 file: all of them if the opener succeeds, otherwise only the unencrypted
    /// ones.
    fn pkcs12(&mut self, value: &[u8], spot: Spot) {
        if !MESSAGES {
            return self.fail(spot, "keystore", "a PKCS #12 file, which this build does not read");
        }
        let plain = Bundle::read_first(value).map(|(bundle, _)| bundle);
        let is_locked =
            plain.as_ref().map_or(true, |bundle| bundle.items().any(|item| item.kind == BundleKind::Encrypted));
        let opened = match (self.opener, plain) {
            (Some(open), _) if is_locked => open(value),
            (_, Ok(bundle)) => {
                if is_locked {
                    self.fail(spot, "keystore", "a PKCS #12 file: a password is needed to read its certificates");
                }
                let shown = |kind| matches!(kind, BundleKind::Certificate | BundleKind::CertificateList);
                Ok(bundle.items().filter(|item| shown(item.kind)).map(|item| item.octets.to_vec()).collect())
            }
            (_, Err(error)) => Err(format!("malformed: {error}")),
        };
        match opened {
            Ok(values) => self.values(values.iter().map(Vec::as_slice), spot),
            Err(message) => self.fail(spot, "keystore", format!("a PKCS #12 file: {message}")),
        }
    }

    /// Adds the certificates of a Java keystore, and counts its keys.
    pub(super) fn java(&mut self, octets: &[u8], spot: Spot) {
        match keystore::entries(octets) {
            Ok(entries) => {
                let (mut certificates, mut keys) = (Vec::new(), 0_usize);
                for stored in entries {
                    match stored {
                        keystore::Stored::Certificate(range) => certificates.extend(octets.get(range)),
                        keystore::Stored::PrivateKey(_) | keystore::Stored::SecretKey(_) => keys += 1,
                    }
                }
                self.contents.others += keys;
                if keys == 0 || !certificates.is_empty() {
                    self.values(certificates.into_iter(), spot);
                }
            }
            Err(at) => {
                let what = foreign::recognise(octets).map(|foreign| foreign.to_string()).unwrap_or_default();
                self.fail(spot, "keystore", format!("cannot read the entry at byte {at} of {what}"));
            }
        }
    }

    /// Adds a failure for a keystore that is recognized but not supported.
    pub(super) fn keystore(&mut self, octets: &[u8], spot: Spot) {
        let what = foreign::recognise(octets);
        let what = what.map_or_else(|| "a Bouncy Castle keystore (BCFKS)".to_owned(), |foreign| foreign.to_string());
        self.fail(spot, "keystore", format!("not supported: {what}"));
    }

    /// Adds values that have the same position.
    fn values<'v>(&mut self, values: impl Iterator<Item = &'v [u8]>, spot: Spot) {
        let mut out = Vec::new();
        let mut found = Vec::new();
        for value in values {
            let start = out.len();
            out.extend_from_slice(value);
            if out.len() > u32::MAX as usize {
                return self.fail(spot, "too-large", "more than 4 GiB of certificates");
            }
            let kind = kind_of(value).unwrap_or(ContentsKind::Certificate);
            found.push(Found { kind, start, len: value.len(), spot, settings: 0 });
        }
        if found.is_empty() {
            self.contents.others += 1;
        } else {
            self.keep(Cow::Owned(out), found);
        }
    }
}
