//! RFC 5280 §6.3.3 for CRLs without distribution points: complete and delta CRLs, which may be limited to end-entity or CA
//! certificates and may have their own signers. Like the rest of `naive`, it was written from the RFC's text.

use super::Model;
use crate::evidence::{INDIRECT, List, ONLY_CAS, ONLY_USERS, certificate_issuer, issuing_point, number, reason};
use crate::extension;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scope {
    All,
    Users,
    Cas,
}

/// The properties of a CRL that RFC 5280 §6.3.3 considers.
#[derive(Clone, Debug)]
pub struct CrlModel {
    pub issuer: &'static str,
    pub signer: &'static str,
    /// thisUpdate, as an hour of 2025-12-31. It is different for each CRL.
    pub hour: u8,
    pub stale: bool,
    pub scope: Scope,
    pub number: u8,
    pub base: Option<u8>,
    pub unknown_critical: bool,
    /// The serial number, the issuer (if it differs from the CRL's), and the reason of each entry.
    pub entries: Vec<(u32, Option<&'static str>, u8)>,
}

impl CrlModel {
    pub fn list(&self) -> List {
        let mut list = List::new(self.issuer, self.signer).with(number(self.number));
        const HOURS: [&str; 12] = [
            "251231000000Z",
            "251231010000Z",
            "251231020000Z",
            "251231030000Z",
            "251231040000Z",
            "251231050000Z",
            "251231060000Z",
            "251231070000Z",
            "251231080000Z",
            "251231090000Z",
            "251231100000Z",
            "251231110000Z",
        ];
        list.this_update = HOURS[usize::from(self.hour)];
        if self.stale {
            list.next_update = Some("251231235959Z");
        }
        let mut point = Vec::new();
        match self.scope {
            Scope::All => {}
            Scope::Users => point.push(ONLY_USERS.to_vec()),
            Scope::Cas => point.push(ONLY_CAS.to_vec()),
        }
        if self.entries.iter().any(|(_, issuer, _)| issuer.is_some()) {
            point.push(INDIRECT.to_vec());
        }
        if !point.is_empty() {
            list = list.with(issuing_point(&point));
        }
        if let Some(base) = self.base {
            list = list.with(extension(27, true, &[2, 1, base]));
        }
        if self.unknown_critical {
            list = list.with(extension(99, true, b"\x05\x00"));
        }
        for (serial, issuer, code) in &self.entries {
            let mut extensions = vec![reason(*code)];
            extensions.extend(issuer.map(certificate_issuer));
            list = list.revokes(*serial, &extensions);
        }
        list
    }

    /// Returns whether this is a delta CRL for a complete CRL of the same issuer and scope.
    pub fn updates(&self, complete: &Self) -> bool {
        self.base.is_some_and(|base| complete.number >= base)
            && complete.number < self.number
            && self.issuer == complete.issuer
            && self.same_scope(complete)
    }

    /// Whether the two have the same issuing distribution point.
    pub fn same_scope(&self, other: &Self) -> bool {
        let indirect = |crl: &Self| crl.entries.iter().any(|(_, issuer, _)| issuer.is_some());
        self.scope == other.scope && indirect(self) == indirect(other)
    }

    /// Returns the reason of the last entry for a certificate. An entry's issuer also applies to the entries after it (RFC 5280
    /// §5.3.3). With a critical extension that nobody knows, it is not known whose certificates are meant, and the serial number alone
    /// counts (§5.2).
    pub fn entry(&self, certificate: &Model) -> Option<u8> {
        let mut issuer = self.issuer;
        let mut found = None;
        for (serial, named, code) in &self.entries {
            issuer = named.unwrap_or(issuer);
            if *serial == certificate.serial && (self.unknown_critical || issuer == certificate.issuer) {
                found = Some(*code);
            }
        }
        found
    }
}

/// Returns whether a current delta CRL applies to a complete CRL (RFC 5280 §5.2.4 and §6.3.3 (c)).
pub fn belongs(delta: &CrlModel, complete: &CrlModel) -> bool {
    delta.updates(complete) && delta.signer == complete.signer && !delta.stale && !delta.unknown_critical
}
