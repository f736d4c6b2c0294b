//! Candidate issuers: determines which names lead to an anchor, and the order in which candidates are tried.

use std::cmp::Reverse;
use std::collections::VecDeque;
use std::rc::Rc;

use tagwise_pkix::{CertificateBuf, UnixTime};

use crate::anchors::Anchor;
use crate::budget::Limit;
use crate::cert::Cert;
use crate::pool::key_identifier;
use crate::search::Engine;

/// A possible issuer.
#[derive(Clone, Copy)]
pub(crate) enum Above {
    Anchor(u32),
    Pool(u32),
}

impl<'p, V: ?Sized> Engine<'p, V> {
    /// Returns the result of [`Engine::distances`], computed once for each pool and set of permitted anchors.
    pub(crate) fn known_distances(&mut self) -> Rc<[u32]> {
        if let Some(known) = self.distances.get(&self.only_anchor) {
            return known.clone();
        }
        let distances: Rc<[u32]> = self.distances().into();
        self.distances.insert(self.only_anchor, distances.clone());
        distances
    }

    /// Returns, for each name in the pool, the number of certificates between an issuer of that name and the nearest anchor.
    fn distances(&self) -> Vec<u32> {
        let mut distances = vec![u32::MAX; self.pool.names()];
        let mut queue = VecDeque::new();
        for (key, name) in self.pool.name_keys() {
            let mut anchored = self.anchors.numbers(key).iter();
            let is_anchored = anchored.any(|number| self.only_anchor.is_none_or(|only| only == *number));
            if let Some(slot) = distances.get_mut(name as usize).filter(|_| is_anchored) {
                *slot = 0;
                queue.push_back(name);
            }
        }
        while let Some(name) = queue.pop_front() {
            let next = distances.get(name as usize).map_or(u32::MAX, |distance| distance.saturating_add(1));
            for subject in self.pool.issued_by(name) {
                if let Some(slot) = distances.get_mut(subject as usize).filter(|slot| **slot == u32::MAX) {
                    *slot = next;
                    queue.push_back(subject);
                }
            }
        }
        distances
    }

    /// Returns possible issuers by name, in order of likelihood: first those with matching key identifiers, then anchors, valid
    /// certificates, certificates near an anchor, and newer ones. Key identifiers may be wrong, so issuers with a different one
    /// come last but are not excluded.
    pub(crate) fn issuers_of(&mut self, cert: &Cert<'p>, distances: &[u32]) -> Result<Vec<Above>, Limit> {
        let issuer = cert.certificate.tbs_certificate.issuer;
        let key = issuer.match_key();
        let anchors =
            self.anchors.numbers(&key).iter().filter(|number| self.only_anchor.is_none_or(|only| only == **number));
        let mut list: Vec<(Above, Rank)> = anchors
            .map(|number| {
                let certificate = self.anchors.get(*number).and_then(Anchor::certificate);
                let fit =
                    certificate.map_or(Fit::Unknown, |certificate| fit(cert, certificate, key_identifier(certificate)));
                (
                    Above::Anchor(*number),
                    Rank {
                        fit,
                        pool: false,
                        invalid: false,
                        distance: 0,
                        youngest: Reverse(UnixTime::MAX),
                        number: *number,
                    },
                )
            })
            .collect();
        for number in self.pool.numbers(&key) {
            let Some(candidate) = self.pool.get(*number) else { continue };
            let distance = distances.get(self.pool.issuer_of(*number) as usize).copied().unwrap_or(u32::MAX);
            if distance == u32::MAX {
                continue;
            }
            let validity = candidate.get().tbs_certificate.validity;
            let rank = Rank {
                fit: fit(cert, candidate, self.pool.key_identifier_of(*number)),
                pool: true,
                invalid: !validity.contains(self.policy.time),
                distance,
                youngest: Reverse(validity.not_before.unix()),
                number: *number,
            };
            list.push((Above::Pool(*number), rank));
        }
        self.meter.name_comparisons(list.len() as u64)?;
        list.sort_by_key(|(_, rank)| *rank);
        Ok(list.into_iter().map(|(above, _)| above).collect())
    }
}

/// The degree to which a certificate's authority key identifier matches a possible issuer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    Same,
    Unknown,
    Other,
}

/// The rank of a possible issuer. Fields are compared in order, and smaller ranks come first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    fit: Fit,
    pool: bool,
    invalid: bool,
    distance: u32,
    /// The issuer's notBefore, reversed so that newer certificates come first.
    youngest: Reverse<UnixTime>,
    number: u32,
}

fn fit(cert: &Cert<'_>, issuer: &CertificateBuf, key: Option<&[u8]>) -> Fit {
    let Some(authority) = &cert.authority_key else { return Fit::Unknown };
    if let Some(serial) = authority.value.authority_cert_serial_number
        && serial != issuer.get().tbs_certificate.serial_number
    {
        return Fit::Other;
    }
    match (authority.value.key_identifier, key) {
        (Some(wanted), Some(own)) if wanted.as_bytes() == own => Fit::Same,
        (Some(_), Some(_)) => Fit::Other,
        _ => Fit::Unknown,
    }
}
