//! RFC 5280 §6.3.3 for CRLs without distribution points: complete and delta ones, of end certificates or CAs only, with signers
//! of their own. Written from the text, as the rest is.

use super::{Inputs, Model, path, paths};
use crate::common::evidence::{
    INDIRECT, List, ONLY_CAS, ONLY_USERS, certificate_issuer, issuing_point, number, reason,
};
use crate::common::extension;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scope {
    All,
    Users,
    Cas,
}

/// A CRL, as far as §6.3.3 looks at it.
#[derive(Clone, Debug)]
pub struct CrlModel {
    pub issuer: &'static str,
    pub signer: &'static str,
    /// thisUpdate: hours of 2025-12-31, different for each.
    pub hour: u8,
    pub stale: bool,
    pub scope: Scope,
    pub number: u8,
    pub base: Option<u8>,
    pub unknown_critical: bool,
    /// Serial number, issuer if another one, reason.
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

    /// Whether the two have the same issuing distribution point.
    fn same_scope(&self, other: &Self) -> bool {
        let indirect = |crl: &Self| crl.entries.iter().any(|(_, issuer, _)| issuer.is_some());
        self.scope == other.scope && indirect(self) == indirect(other)
    }

    /// The reason of the last entry for a certificate. §5.3.3: an issuer holds for the entries after it, too.
    fn entry(&self, certificate: &Model) -> Option<u8> {
        let mut issuer = self.issuer;
        let mut found = None;
        for (serial, named, code) in &self.entries {
            issuer = named.unwrap_or(issuer);
            if *serial == certificate.serial && issuer == certificate.issuer {
                found = Some(*code);
            }
        }
        found
    }
}

/// The evidence, and how deep signers of signers are asked about.
pub struct Evidence<'m> {
    pub crls: &'m [CrlModel],
    pub pool: &'m [Model],
    pub inputs: &'m Inputs,
    pub depth: u8,
}

impl Evidence<'_> {
    /// §6.1.3 (a)(3) for every certificate of a path: none is revoked, and all of that is known.
    pub fn clears(&self, whole: &[&Model], depth: u8) -> bool {
        (0..whole.len()).all(|place| self.is_good(whole, place, depth))
    }

    /// §6.3.3 for one certificate of a path.
    fn is_good(&self, whole: &[&Model], place: usize, depth: u8) -> bool {
        let certificate = whole[place];
        let mut newest: Vec<&CrlModel> = self.crls.iter().filter(|crl| crl.base.is_none()).collect();
        newest.sort_by_key(|crl| std::cmp::Reverse(crl.hour));
        for complete in newest {
            // (b)
            let is_ca = certificate.basic.is_some_and(|(ca, _)| ca);
            let covers = match complete.scope {
                Scope::All => true,
                Scope::Users => !is_ca,
                Scope::Cas => is_ca,
            };
            if complete.issuer != certificate.issuer || !covers || complete.unknown_critical {
                continue;
            }
            // (f), (g)
            if !self.signs(complete.issuer, complete.signer, whole, place, depth) {
                continue;
            }
            // (c), (h): the newest delta that belongs to it.
            let mut deltas: Vec<&CrlModel> = self.crls.iter().filter(|delta| belongs(delta, complete)).collect();
            deltas.sort_by_key(|delta| delta.hour);
            let delta = deltas.pop();
            // (a)
            if complete.stale && delta.is_none() {
                continue;
            }
            // (i) to (k)
            let found = delta.and_then(|delta| delta.entry(certificate)).or_else(|| complete.entry(certificate));
            const REMOVE_FROM_CRL: u8 = 8;
            return found.is_none_or(|reason| reason == REMOVE_FROM_CRL);
        }
        false
    }

    /// (f): the holder of a key may sign CRLs, and has a valid path to the same anchor.
    fn signs(&self, name: &str, key: &str, whole: &[&Model], place: usize, depth: u8) -> bool {
        let may = |model: &Model| model.usage.is_none_or(|(_, crls)| crls);
        if self.inputs.anchor == (name, key) {
            return true;
        }
        // In the path, up to and with the certificate itself, whose path is valid but for what is being asked.
        let is = |model: &Model| model.subject == name && model.key == key && may(model);
        if whole[..=place].iter().any(|model| is(model)) {
            return true;
        }
        let others = self.pool.iter().chain(whole.last().copied()).filter(|model| is(model));
        others.into_iter().any(|signer| {
            let all = paths(signer, self.pool, self.inputs);
            let mut valid = all.iter().filter(|whole| path(whole, self.inputs).is_some());
            valid.any(|whole| depth >= self.depth || self.clears(whole, depth + 1))
        })
    }
}

/// §5.2.4, and (c) of §6.3.3, for a delta that is current.
fn belongs(delta: &CrlModel, complete: &CrlModel) -> bool {
    delta.base.is_some_and(|base| complete.number >= base)
        && complete.number < delta.number
        && delta.issuer == complete.issuer
        && delta.signer == complete.signer
        && delta.same_scope(complete)
        && !delta.stale
        && !delta.unknown_critical
}
