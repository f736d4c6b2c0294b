//! Complete and delta CRLs (RFC 5280 §5), numbered and signed in one transaction.

use tagwise_codec::{Decode, Int, SeqOf};
use tagwise_crypto::{Signer, sign};
use tagwise_pkix::build::{self, ExtensionList, Unsigned};
use tagwise_pkix::ext::{
    Count, CrlNumber, CrlReason, DeltaCrlIndicator, DistributionPointName, GeneralName, GeneralNames, InvalidityDate,
    IssuingDistributionPoint, WholeSeconds,
};
use tagwise_pkix::{Extension, Extensions, RevokedCertificate, TbsCertList, UnixTime, Version};

use crate::authority::{decoded, identifier};
use crate::clock;
use crate::names::ia5;
use crate::partition::Partitions;
use crate::store::{CrlDraft, CrlRecord, NewCrl, Revocation};
use crate::{Authority, Error, Now, Serial, Store};

/// A stored CRL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IssuedCrl {
    /// The CRL number.
    pub number: u64,
    /// The number of revoked certificates that the CRL lists.
    pub entries: usize,
    /// The CRL's issue time (`thisUpdate`).
    pub this_update: UnixTime,
    /// The time by which the next CRL will be issued.
    pub next_update: UnixTime,
    /// The CRL in DER.
    pub der: Vec<u8>,
}

impl Authority {
    /// Creates and stores the next CRL, which lists all currently revoked certificates.
    ///
    /// If the clock was ahead earlier ([`Now::clock_was_wrong`]), revocation dates in the future are set to the current time,
    /// and OCSP responses with later times are deleted.
    ///
    /// # Errors
    /// Returns [`Error::NotTheKey`] if the signer's key is not the CA's, [`Error::PastUnknown`] if an imported CA's earlier
    /// revocations are unknown, or any error from the key or the store. Returns [`Error::Refused`] if the CA certificate is not valid now,
    /// or the next update is not after this update. Returns [`Error::ClockDisagrees`] if the last CRL or a revocation is later than now.
    pub fn crl(
        &self,
        store: &mut dyn Store,
        signer: &dyn Signer,
        now: impl Into<Now>,
        next_update: UnixTime,
    ) -> Result<IssuedCrl, Error> {
        self.next_crl(store, signer, now.into(), next_update, &mut |_| Ok(()))
    }

    /// Creates and stores the next complete CRL. `beside` is called with its draft, in the same transaction.
    fn next_crl(
        &self,
        store: &mut dyn Store,
        signer: &dyn Signer,
        now: Now,
        next_update: UnixTime,
        beside: &mut dyn FnMut(&CrlDraft) -> Result<(), Error>,
    ) -> Result<IssuedCrl, Error> {
        self.check_now(now.unix())?;
        self.check_signer(signer)?;
        if now.is_put_right() {
            store.put_clock_right(self.id, now.unix())?;
        }
        let mut entries = 0;
        let record = store.add_crl(self.id, now, &mut |draft| {
            entries = draft.revoked.len();
            for (serial, revocation) in &draft.revoked {
                check_date(now.unix(), serial, revocation)?;
            }
            let this_update = draft.this_update;
            let der = self.sign_crl(signer, draft, this_update, next_update)?;
            beside(draft)?;
            Ok(NewCrl { this_update, next_update, der })
        })?;
        let CrlRecord { number, this_update, der, .. } = record;
        Ok(IssuedCrl { number, entries, this_update, next_update, der })
    }

    /// Returns the number of partitions of the CA's certificates, if its CRL URL names them (`{8}`). Each certificate names
    /// the CRL of its partition.
    #[must_use]
    pub fn crl_partitions(&self) -> Option<u16> {
        self.same.partitions.as_ref().map(Partitions::count)
    }

    /// Creates the next CRLs of all partitions, and stores the complete CRL, from the same records and with the same number
    /// and times. The CRLs of partitions have an issuing distribution point (RFC 5280 §5.2.5), and are not stored. The first
    /// is that of partition 1. Without partitions, there is only the complete CRL.
    ///
    /// # Errors
    /// The errors of [`crl`](Self::crl).
    pub fn partitioned_crls(
        &self,
        store: &mut dyn Store,
        signer: &dyn Signer,
        now: impl Into<Now>,
        next_update: UnixTime,
    ) -> Result<(IssuedCrl, Vec<IssuedCrl>), Error> {
        let mut parts = Vec::new();
        let whole = self.next_crl(store, signer, now.into(), next_update, &mut |draft| {
            parts.clear();
            let Some(partitions) = &self.same.partitions else { return Ok(()) };
            for number in 1..=partitions.count() {
                let mut draft = draft.clone();
                draft.revoked.retain(|(serial, _)| partitions.has(number, serial));
                let url = partitions.url(number);
                let unsigned = self.prepare_scoped(signer, &draft, draft.this_update, next_update, Some(&url))?;
                parts.push(IssuedCrl {
                    number: draft.number,
                    entries: draft.revoked.len(),
                    this_update: draft.this_update,
                    next_update,
                    der: sign(&unsigned, signer).map_err(Error::crypto("the CA's key"))?,
                });
            }
            Ok(())
        })?;
        Ok((whole, parts))
    }

    /// Creates the next delta CRL, which lists the changes since the last complete CRL (RFC 5280 §5.2.4). It has a CRL
    /// number of its own, and is not stored.
    ///
    /// # Errors
    /// Returns [`Error::Refused`] if there is no complete CRL, or any error from [`crl`](Self::crl).
    pub fn delta_crl(
        &self,
        store: &mut dyn Store,
        signer: &dyn Signer,
        now: UnixTime,
        next_update: UnixTime,
    ) -> Result<IssuedCrl, Error> {
        self.check_now(now)?;
        self.check_signer(signer)?;
        let mut entries = 0;
        let record = store.add_delta_crl(self.id, now.into(), &mut |draft| {
            entries = draft.revoked.len();
            for (serial, revocation) in &draft.revoked {
                check_date(now, serial, revocation)?;
            }
            let this_update = draft.this_update;
            let der = self.sign_crl(signer, draft, this_update, next_update)?;
            Ok(NewCrl { this_update, next_update, der })
        })?;
        let CrlRecord { number, this_update, der, .. } = record;
        Ok(IssuedCrl { number, entries, this_update, next_update, der })
    }

    /// Creates and signs a CRL. Store it before publishing it.
    ///
    /// # Errors
    /// Returns any error from [`prepare_crl`](Self::prepare_crl), or an error if signing fails.
    pub fn sign_crl(
        &self,
        signer: &dyn Signer,
        draft: &CrlDraft,
        now: UnixTime,
        next_update: UnixTime,
    ) -> Result<Vec<u8>, Error> {
        let unsigned = self.prepare_crl(signer, draft, now, next_update)?;
        sign(&unsigned, signer).map_err(Error::crypto("the CA's key"))
    }

    /// Creates an unsigned CRL, to be signed with the CA's key.
    ///
    /// # Errors
    /// Returns [`Error::NotTheKey`] if the signer's key is not the CA's, [`Error::Refused`] if the next update is not after `now`, or any
    /// error from the builder.
    pub fn prepare_crl(
        &self,
        signer: &dyn Signer,
        draft: &CrlDraft,
        now: UnixTime,
        next_update: UnixTime,
    ) -> Result<Unsigned, Error> {
        self.prepare_scoped(signer, draft, now, next_update, None)
    }

    /// Creates an unsigned CRL; with a URL, it is that of a partition, named by the URL.
    fn prepare_scoped(
        &self,
        signer: &dyn Signer,
        draft: &CrlDraft,
        now: UnixTime,
        next_update: UnixTime,
        url: Option<&str>,
    ) -> Result<Unsigned, Error> {
        self.check_signer(signer)?;
        if next_update <= now {
            return Err(Error::refused("the next CRL would be due before this one is issued", "RFC 5280 §5.1.2.5"));
        }
        let issuer = self.certificate();
        let mut list = ExtensionList::new();
        self.same.add_key(&mut list)?;
        let number = signed(draft.number);
        if let Some(number) = Count::from_int(Int::from_signed(&number)) {
            list.add(false, &CrlNumber(number))?;
        }
        let base = draft.base.map(signed);
        if let Some(base) = base.as_ref().and_then(|base| Count::from_int(Int::from_signed(base))) {
            // RFC 5280 §5.2.4: critical.
            list.add(true, &DeltaCrlIndicator(CrlNumber(base)))?;
        }
        if let Some(url) = url {
            // RFC 5280 §5.2.5: critical, and the name is that in the certificates.
            let names = [GeneralName::UniformResourceIdentifier(ia5(url)?)];
            let name = DistributionPointName::FullName(GeneralNames(SeqOf::from_slice(&names)));
            let point =
                IssuingDistributionPoint { distribution_point: Some(name), ..IssuingDistributionPoint::default() };
            list.add(true, &point)?;
        }
        let extensions = list.extensions();

        let reasons = Reasons::new()?;
        let dated = draft.revoked.iter().map(|(_, revocation)| dated(revocation)).collect::<Result<Vec<_>, _>>()?;
        let dated: Vec<Option<Vec<Extension<'_>>>> =
            dated.iter().map(|list| list.as_ref().map(ExtensionList::extensions)).collect();
        let shared = reasons.extensions();
        let mut revoked = Vec::with_capacity(draft.revoked.len());
        for ((serial, revocation), own) in draft.revoked.iter().zip(&dated) {
            let extensions = match own {
                Some(own) => own.as_slice(),
                None => {
                    shared.iter().find(|(reason, _)| *reason == revocation.reason).map_or(&[][..], |(_, list)| list)
                }
            };
            revoked.push(RevokedCertificate {
                user_certificate: serial.number(),
                revocation_date: clock::time(revocation.at)?,
                crl_entry_extensions: Extensions::new(extensions),
            });
        }
        let algorithm = identifier(signer)?;
        Ok(build::crl(&TbsCertList {
            version: Some(Version::V2),
            signature: decoded(&algorithm)?,
            issuer: issuer.tbs_certificate.subject,
            this_update: clock::time(now)?,
            next_update: Some(clock::time(next_update)?),
            // RFC 5280 §5.1.2.6: absent if no certificate is revoked.
            revoked_certificates: (!revoked.is_empty()).then(|| SeqOf::from_slice(&revoked)),
            crl_extensions: Extensions::new(&extensions),
        })?)
    }
}

/// Encodes a number with a leading zero byte, which keeps it non-negative.
fn signed(number: u64) -> [u8; 9] {
    let mut octets = [0; 9];
    octets.iter_mut().skip(1).zip(number.to_be_bytes()).for_each(|(to, from)| *to = from);
    octets
}

/// Checks that a revocation date is not later than now. Relying parties might otherwise consider the certificate valid until
/// that date.
pub(crate) fn check_date(now: UnixTime, serial: &Serial, revocation: &Revocation) -> Result<(), Error> {
    clock::check(now, revocation.at, || format!("the certificate {serial} was revoked"))
}

/// The extensions of entries by reason. Most entries have no other extensions, so they share these.
struct Reasons(Vec<(CrlReason, ExtensionList)>);

impl Reasons {
    fn new() -> Result<Self, Error> {
        let one = |code: u8| {
            let reason = reason(code)?;
            let mut list = ExtensionList::new();
            add_reason(&mut list, reason)?;
            Ok((reason, list))
        };
        Ok(Self((0..=10).filter(|code| *code != 7).map(one).collect::<Result<_, Error>>()?))
    }

    fn extensions(&self) -> Vec<(CrlReason, Vec<Extension<'_>>)> {
        self.0.iter().map(|(reason, list)| (*reason, list.extensions())).collect()
    }
}

/// Converts a reason code (RFC 5280 §5.3.1).
pub(crate) fn reason(code: u8) -> Result<CrlReason, Error> {
    CrlReason::from_der(&[0x0A, 1, code]).map_err(Error::malformed("the reason of a revocation"))
}

/// Adds the reason, unless it is `unspecified` (RFC 5280 §5.3.1).
fn add_reason(list: &mut ExtensionList, reason: CrlReason) -> Result<(), Error> {
    if reason != CrlReason::Unspecified {
        list.add(false, &reason)?;
    }
    Ok(())
}

/// Creates the extensions of an entry with an invalidity date.
fn dated(revocation: &Revocation) -> Result<Option<ExtensionList>, Error> {
    let Some(since) = revocation.invalid_since else { return Ok(None) };
    let mut list = ExtensionList::new();
    add_reason(&mut list, revocation.reason)?;
    list.add(false, &InvalidityDate(WholeSeconds(clock::generalized(since)?)))?;
    Ok(Some(list))
}
