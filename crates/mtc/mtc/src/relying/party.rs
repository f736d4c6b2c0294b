//! The verification procedure.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use tagwise_codec::UnixTime;

use super::{
    CosignatureReport, CosignatureStatus, Cosigner, GroupReport, Outcome, Policy, Refusal, SignatureCheck, Trust,
};
use crate::tree::{Subtree, evaluate_inclusion, verify_consistency};
use crate::{CaCertificate, CosignedSubtree, Draft, Error, Hash, MtcCertificate, RevokedRanges, TrustAnchorId};

/// A trusted CA.
#[derive(Clone, Debug)]
pub struct TrustedAuthority {
    draft: Draft,
    cosigner: Cosigner,
    /// The validity period of the CA certificate. Both ends are inclusive.
    validity: (UnixTime, UnixTime),
    /// The index of the group that must sign in addition to the CA.
    required: Option<usize>,
    revoked: RevokedRanges,
    /// The serial numbers that the CA may assign. Both ends are inclusive.
    serials: (u64, u64),
    /// The trusted subtrees by log number and range.
    subtrees: BTreeMap<(u16, Subtree), TrustedSubtree>,
}

/// A subtree trusted without signatures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrustedSubtree {
    /// The subtree's hash.
    pub hash: Hash,
    /// The end of trust as a Unix time, or `None` for no expiration.
    pub expiry: Option<u64>,
}

impl TrustedAuthority {
    /// Creates a trusted CA from its certificate. The CA's own signature suffices, unless [`require`](Self::require) adds
    /// requirements.
    ///
    /// # Errors
    /// Returns any error from [`Cosigner::new`].
    pub fn new(certificate: &CaCertificate<'_>) -> Result<Self, Error> {
        let cosigner = Cosigner::new(certificate.id, certificate.algorithm, certificate.key_info)?;
        Ok(Self {
            draft: certificate.draft,
            cosigner,
            validity: certificate.validity,
            required: None,
            revoked: certificate.revoked(),
            serials: (certificate.min_serial.number(), certificate.max_serial.number()),
            subtrees: BTreeMap::new(),
        })
    }

    /// Returns the CA's ID.
    #[must_use]
    pub const fn id(&self) -> &TrustAnchorId {
        self.cosigner.id()
    }

    /// Returns the CA's cosigner.
    #[must_use]
    pub const fn cosigner(&self) -> &Cosigner {
        &self.cosigner
    }

    /// Returns the validity period of the CA certificate. Both ends are inclusive.
    #[must_use]
    pub const fn validity(&self) -> (UnixTime, UnixTime) {
        self.validity
    }

    /// Requires a quorum of the policy's group with the given index, in addition to the CA's own signature.
    pub const fn require(&mut self, group: usize) {
        self.required = Some(group);
    }

    /// Returns the index of the group that is required in addition to the CA's own signature.
    #[must_use]
    pub const fn required(&self) -> Option<usize> {
        self.required
    }

    /// Returns whether the CA may assign a serial number in the given inclusive range.
    #[must_use]
    pub const fn may_give(&self, first: u64, last: u64) -> bool {
        first <= self.serials.1 && last >= self.serials.0
    }

    /// Revokes an inclusive range of serial numbers.
    pub fn revoke(&mut self, first: u64, last: u64) {
        self.revoked.add(first, last);
    }

    /// Trusts a subtree of the CA's log without signatures. The caller must have verified the subtree. See also
    /// [`trust_consistent`](Self::trust_consistent).
    pub fn trust(&mut self, log: u16, subtree: Subtree, trusted: TrustedSubtree) {
        self.subtrees.insert((log, subtree), trusted);
    }

    /// Trusts a subtree if a proof shows that the tree of a verified checkpoint contains it (MTC §7.4). Returns whether the
    /// proof is valid.
    pub fn trust_consistent(
        &mut self,
        log: u16,
        subtree: Subtree,
        trusted: TrustedSubtree,
        checkpoint: (u64, &Hash),
        proof: &[Hash],
    ) -> bool {
        let consistent = verify_consistency(subtree, checkpoint.0, proof, &trusted.hash, checkpoint.1);
        if consistent {
            self.trust(log, subtree, trusted);
        }
        consistent
    }

    /// Returns a trusted subtree of a log.
    #[must_use]
    pub fn subtree(&self, log: u16, subtree: Subtree) -> Option<&TrustedSubtree> {
        self.subtrees.get(&(log, subtree))
    }

    /// Iterates over the trusted subtrees with their log numbers.
    pub fn subtrees(&self) -> impl Iterator<Item = (u16, Subtree, TrustedSubtree)> + '_ {
        self.subtrees.iter().map(|((log, subtree), trusted)| (*log, *subtree, *trusted))
    }
}

/// A relying party (MTC §7.1).
#[derive(Clone, Debug, Default)]
pub struct RelyingParty {
    policy: Policy,
    authorities: BTreeMap<TrustAnchorId, TrustedAuthority>,
}

impl RelyingParty {
    /// Creates a relying party that trusts no CA.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the cosigners and groups.
    #[must_use]
    pub const fn policy(&self) -> &Policy {
        &self.policy
    }

    /// Returns the cosigners and groups for modification.
    pub const fn policy_mut(&mut self) -> &mut Policy {
        &mut self.policy
    }

    /// Trusts a CA, replacing any with the same ID.
    pub fn add(&mut self, authority: TrustedAuthority) {
        self.authorities.insert(*authority.id(), authority);
    }

    /// Returns the CA with the given ID.
    #[must_use]
    pub fn authority(&self, id: &TrustAnchorId) -> Option<&TrustedAuthority> {
        self.authorities.get(id)
    }

    /// Returns the CA with the given ID, for modifying its trust settings.
    pub fn authority_mut(&mut self, id: &TrustAnchorId) -> Option<&mut TrustedAuthority> {
        self.authorities.get_mut(id)
    }

    /// Iterates over the CAs.
    pub fn authorities(&self) -> impl Iterator<Item = &TrustedAuthority> {
        self.authorities.values()
    }

    /// Verifies a certificate at the given time. Its proof must be valid, and the time must be within the validity periods of
    /// the certificate and of the CA certificate. Without a time, validity periods and the expiration of subtrees are not
    /// checked.
    ///
    /// At most one signature is checked for each recognized cosigner, starting with the CA. Checking stops when the policy is
    /// satisfied.
    pub fn verify(&self, der: &[u8], now: Option<UnixTime>, check: &dyn SignatureCheck) -> Outcome {
        let mut outcome = self.verify_proof(der, now, check);
        if outcome.is_accepted()
            && let Some(now) = now
            && let Err(refusal) = self.in_time(der, now)
        {
            outcome.result = Err(refusal);
        }
        outcome
    }

    /// Verifies only the proof of a certificate (MTC §7.2), which replaces the signature check. The rest of path
    /// validation, including validity, is left to the caller. The time determines which trusted subtrees have expired.
    pub fn verify_proof(&self, der: &[u8], now: Option<UnixTime>, check: &dyn SignatureCheck) -> Outcome {
        let mut outcome = Outcome::begin();
        outcome.result = self.steps(der, now, check, &mut outcome);
        outcome
    }

    /// Checks the validity periods of the certificate and the CA certificate.
    fn in_time(&self, der: &[u8], now: UnixTime) -> Result<(), Refusal> {
        let certificate = MtcCertificate::from_der(der).map_err(Refusal::Malformed)?;
        let authority = self.authorities.get(certificate.issuer()).ok_or(Refusal::UnknownAuthority)?;
        let (from, to) = certificate.validity().map_err(Refusal::Malformed)?;
        if now < from {
            return Err(Refusal::NotYetValid);
        }
        if now > to {
            return Err(Refusal::Expired);
        }
        if now < authority.validity.0 || now > authority.validity.1 {
            return Err(Refusal::AuthorityValidity);
        }
        Ok(())
    }

    fn steps(
        &self,
        der: &[u8],
        now: Option<UnixTime>,
        check: &dyn SignatureCheck,
        outcome: &mut Outcome,
    ) -> Result<Trust, Refusal> {
        // Steps 1 to 3: algorithm, proof, serial number.
        let certificate = MtcCertificate::from_der(der).map_err(Refusal::Malformed)?;
        let (draft, serial, proof) = (certificate.draft(), certificate.serial(), certificate.proof());
        outcome.draft = Some(draft);
        outcome.issuer = Some(*certificate.issuer());
        outcome.serial = Some(serial);
        outcome.subtree = Some(proof.subtree);
        let authority = self.authorities.get(certificate.issuer()).ok_or(Refusal::UnknownAuthority)?;
        if authority.draft != draft {
            return Err(Refusal::WrongDraft);
        }
        // Steps 4 to 6: revocation, log.
        if authority.revoked.contains(serial.number()) {
            return Err(Refusal::Revoked);
        }
        if serial.log() == 0 {
            return Err(Refusal::NoLog);
        }
        let log = certificate.issuer().log(serial.log()).map_err(Refusal::Malformed)?;
        outcome.log = Some(log);
        // Steps 7 to 10: the entry, and the root that the proof leads to.
        let entry_hash = certificate.entry_hash();
        outcome.entry_hash = Some(entry_hash);
        let root = evaluate_inclusion(proof.subtree, serial.index(), &entry_hash, proof.inclusion_proof);
        let root = root.ok_or(Refusal::Proof)?;
        outcome.root = Some(root);
        // Step 11: a known subtree decides.
        let known = authority.subtrees.get(&(serial.log(), proof.subtree));
        let known = known.filter(|known| match (known.expiry, now) {
            (Some(expiry), Some(now)) => u64::try_from(now.0).is_ok_and(|now| now <= expiry),
            _ => true,
        });
        let trust = match known {
            Some(known) if known.hash == root => Trust::TrustedSubtree,
            Some(_) => return Err(Refusal::SubtreeMismatch),
            None => {
                let cosigned = Cosigned { policy: &self.policy, authority, log: &log, check };
                cosigned.verify(&certificate, &root, outcome)?;
                Trust::Cosignatures
            }
        };
        Ok(trust)
    }
}

/// The inputs of step 12, which verifies cosignatures.
struct Cosigned<'a> {
    policy: &'a Policy,
    authority: &'a TrustedAuthority,
    log: &'a TrustAnchorId,
    check: &'a dyn SignatureCheck,
}

impl Cosigned<'_> {
    fn verify(&self, certificate: &MtcCertificate<'_>, root: &Hash, outcome: &mut Outcome) -> Result<(), Refusal> {
        let proof = certificate.proof();
        let origin = self.log.name();
        let holds = |cosigner: &Cosigner, signature: &[u8]| {
            let name = cosigner.id().name();
            let message =
                CosignedSubtree { cosigner: &name, timestamp: 0, origin: &origin, subtree: proof.subtree, hash: root };
            let message = message.encode().map_err(|_name_too_long| super::SignatureFault::Key)?;
            self.check.verify(cosigner.algorithm(), cosigner.key_info(), &message, signature)
        };
        let ca = self.authority.id();
        let mut valid: Vec<TrustAnchorId> = Vec::new();
        let own = proof.signatures.iter().find(|one| one.cosigner == *ca);
        let own = own.map(|one| holds(&self.authority.cosigner, one.signature));
        // Without the CA's signature, no other one counts.
        let mut satisfied = own != Some(Ok(())) || self.authority.required.is_none();
        let groups = |valid: &[TrustAnchorId]| -> Vec<GroupReport> {
            self.authority.required.map(|group| self.policy.evaluate(group, valid)).unwrap_or_default()
        };
        for one in proof.signatures.iter() {
            let status = if one.cosigner == *ca {
                match own {
                    Some(Err(fault)) => CosignatureStatus::Invalid(fault),
                    _ => CosignatureStatus::Valid,
                }
            } else {
                let needed = || self.authority.required.is_some_and(|group| self.policy.reaches(group, &one.cosigner));
                match self.policy.cosigner(&one.cosigner) {
                    None => CosignatureStatus::Unknown,
                    Some(_) if satisfied || !needed() => CosignatureStatus::NotNeeded,
                    Some(cosigner) => match holds(cosigner, one.signature) {
                        Ok(()) => {
                            valid.push(one.cosigner);
                            satisfied = groups(&valid).last().is_some_and(GroupReport::is_met);
                            CosignatureStatus::Valid
                        }
                        Err(fault) => CosignatureStatus::Invalid(fault),
                    },
                }
            };
            outcome.cosignatures.push(CosignatureReport { cosigner: one.cosigner, status });
        }
        outcome.groups = groups(&valid);
        if own != Some(Ok(())) {
            return Err(Refusal::AuthoritySignature);
        }
        // A missing group is never satisfied.
        match self.authority.required {
            None => Ok(()),
            Some(_) if outcome.groups.last().is_some_and(GroupReport::is_met) => Ok(()),
            Some(_) => Err(Refusal::Quorum),
        }
    }
}
