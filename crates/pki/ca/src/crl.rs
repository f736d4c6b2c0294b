//! Complete, delta, partitioned and indirect CRLs (RFC 5280 §5), numbered and signed in one transaction.

use std::collections::BTreeSet;

use tagwise_codec::{Decode, Int, SeqOf, encode};
use tagwise_crypto::{Signer, sign};
use tagwise_pkix::build::{self, ExtensionList, Unsigned};
use tagwise_pkix::ext::{
    CertificateIssuer, Count, CrlNumber, CrlReason, DeltaCrlIndicator, DistributionPointName, GeneralName,
    GeneralNames, InvalidityDate, IssuingDistributionPoint, KnownExtension, WholeSeconds,
};
use tagwise_pkix::name::NameBuf;
use tagwise_pkix::{CertificateList, Extension, Extensions, Name, RevokedCertificate, TbsCertList, UnixTime, Version};

use crate::authority::{decoded, identifier};
use crate::clock;
use crate::names::ia5;
use crate::partition::Partitions;
#[cfg(feature = "serve")]
use crate::partition::path_of;
use crate::series::Series;
use crate::store::{CrlDraft, CrlRecord, NewCrl, Revocation};
use crate::{Authority, Error, Now, Serial, Store};

/// A stored CRL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IssuedCrl {
    /// The CRL number.
    pub number: u64,
    /// The number of entries, each about a certificate.
    pub entries: usize,
    /// The number of entries for certificates that were released from hold (`removeFromCRL`), which only a delta CRL has.
    pub released: usize,
    /// The CRL's issue time (`thisUpdate`).
    pub this_update: UnixTime,
    /// The time by which the next CRL will be issued.
    pub next_update: UnixTime,
    /// The CRL in DER.
    pub der: Vec<u8>,
}

/// The scope of an indirect CRL (RFC 5280 §5).
#[derive(Clone, Copy, Debug, Default)]
pub struct IndirectScope<'a> {
    /// The URL of the CRL, which becomes the name of its distribution point. Certificates name it, with the CRL's issuer
    /// ([`Urls::crl_issuer`](crate::Urls)).
    pub url: Option<&'a str>,
    /// The other CAs and their entries, which come from [`Store::revoked`](crate::Store::revoked), and can be read from other
    /// databases.
    pub others: &'a [(&'a Authority, Vec<(Serial, Revocation)>)],
    /// The names of CAs whose entries are in the last indirect CRL and no longer needed, because all of their certificates have
    /// expired (RFC 5280 §3.3).
    pub dropped: &'a [NameBuf],
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
    /// or does not allow CRLs ([`check_signs_crls`](Self::check_signs_crls)), or the next update is not after this update. Returns [`Error::ClockDisagrees`] if the last CRL or a revocation is later than now.
    pub fn crl(
        &self,
        store: &mut dyn Store,
        signer: &dyn Signer,
        now: impl Into<Now>,
        next_update: UnixTime,
    ) -> Result<IssuedCrl, Error> {
        self.partitioned_crls(store, signer, now, next_update).map(|(whole, _)| whole)
    }

    /// Returns the number of partitions of the CA's certificates, if its CRL URL names them (`{8}`). Each certificate names
    /// the CRL of its partition.
    #[must_use]
    pub fn crl_partitions(&self) -> Option<u16> {
        self.same.partitions.as_ref().map(Partitions::count)
    }

    /// Creates and stores the next complete CRL, and those of all partitions, from the same records and with the same number
    /// and times. The CRLs of partitions have an issuing distribution point (RFC 5280 §5.2.5). The first
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
        let now = now.into();
        self.check_now(now.unix())?;
        self.check_crl_signer(signer)?;
        if now.is_put_right() {
            store.put_clock_right(self.id, now.unix())?;
        }
        let mut parts = Vec::new();
        let mut entries = Entries::default();
        let record = store.add_crl(self.id, now, &mut |draft| {
            entries = Entries::of(draft);
            let made;
            (made, parts) = self.with_partitions(signer, draft, now, next_update)?;
            Ok(made)
        })?;
        Ok((IssuedCrl::of(record, entries), parts))
    }

    /// Creates the next delta CRL, which lists the changes since the last complete CRL (RFC 5280 §5.2.4), and stores it.
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
        self.partitioned_delta_crls(store, signer, now, next_update).map(|(whole, _)| whole)
    }

    /// Creates and stores the next delta CRL, and those of all partitions, like [`partitioned_crls`](Self::partitioned_crls).
    ///
    /// # Errors
    /// The errors of [`delta_crl`](Self::delta_crl).
    pub fn partitioned_delta_crls(
        &self,
        store: &mut dyn Store,
        signer: &dyn Signer,
        now: UnixTime,
        next_update: UnixTime,
    ) -> Result<(IssuedCrl, Vec<IssuedCrl>), Error> {
        self.check_now(now)?;
        self.check_crl_signer(signer)?;
        let mut parts = Vec::new();
        let mut entries = Entries::default();
        let record = store.add_delta_crl(self.id, now.into(), &mut |draft| {
            entries = Entries::of(draft);
            let made;
            (made, parts) = self.with_partitions(signer, draft, now.into(), next_update)?;
            Ok(made)
        })?;
        Ok((IssuedCrl::of(record, entries), parts))
    }

    /// Checks that a signer's key is the CA's, and that the CA may sign CRLs.
    fn check_crl_signer(&self, signer: &dyn Signer) -> Result<(), Error> {
        self.check_signer(signer)?;
        self.check_signs_crls()
    }

    /// Creates a CRL, and the CRLs of all partitions from the same draft.
    fn with_partitions(
        &self,
        signer: &dyn Signer,
        draft: &CrlDraft,
        now: Now,
        next_update: UnixTime,
    ) -> Result<(NewCrl, Vec<IssuedCrl>), Error> {
        for (serial, revocation) in &draft.revoked {
            check_date(now.unix(), serial, revocation)?;
        }
        let this_update = draft.this_update;
        let der = self.sign_crl(signer, draft, this_update, next_update)?;
        let (mut parts, mut beside) = (Vec::new(), Vec::new());
        if let Some(partitions) = &self.same.partitions {
            for number in 1..=partitions.count() {
                let mut part = draft.clone();
                part.revoked.retain(|(serial, _)| partitions.has(number, serial));
                let scope = Scope { url: Some(partitions.url(number)), ..Scope::default() };
                let unsigned = self.prepare_scoped(signer, &part, (this_update, next_update), &scope)?;
                let der = sign(&unsigned, signer).map_err(Error::crypto("the CA's key"))?;
                let series = match draft.base {
                    Some(_) => Series::PartitionDelta(number),
                    None => Series::Partition(number),
                };
                beside.push((series, der.clone()));
                let (number, Entries { entries, released }) = (draft.number, Entries::of(&part));
                parts.push(IssuedCrl { number, entries, released, this_update, next_update, der });
            }
        }
        Ok((NewCrl { this_update, next_update, der, beside }, parts))
    }

    /// Creates and stores the next indirect CRL, which lists the revoked certificates of this CA and of others (RFC 5280 §5).
    ///
    /// # Errors
    /// Returns [`Error::Refused`] if two of the CAs have the same name, or if a CA with entries in the last indirect CRL is neither
    /// covered nor dropped. Also returns any error from [`crl`](Self::crl).
    pub fn indirect_crl(
        &self,
        store: &mut dyn Store,
        signer: &dyn Signer,
        now: impl Into<Now>,
        next_update: UnixTime,
        scope: &IndirectScope<'_>,
    ) -> Result<IssuedCrl, Error> {
        let IndirectScope { url, others, dropped } = *scope;
        let now = now.into();
        self.check_now(now.unix())?;
        self.check_crl_signer(signer)?;
        let name = |of: &Self| of.certificate().tbs_certificate.subject.rfc4514().to_string();
        for (at, (other, _)) in others.iter().enumerate() {
            let subject = &other.certificate().tbs_certificate.subject;
            let mut before = others.iter().take(at).map(|(other, _)| *other).chain([self]);
            if before.any(|earlier| earlier.certificate().tbs_certificate.subject.matches(subject)) {
                return Err(Error::refused(
                    format!("two CAs of the indirect CRL have the name {}", name(other)),
                    "RFC 5280 §5.3.3",
                ));
            }
        }
        let last = store.series_crl(self.id, Series::Indirect)?;
        let previous = last.as_ref().map(|last| last.crl.number);
        if let Some(last) = last {
            let names = others.iter().map(|(other, _)| other.certificate().tbs_certificate.subject);
            let names = names.chain([self.certificate().tbs_certificate.subject]);
            let names: Vec<Name<'_>> = names.chain(dropped.iter().map(NameBuf::name)).collect();
            check_none_left_out(&last.crl.der, &names)?;
        }
        let mut entries = Entries::default();
        let record = store.add_indirect_crl(self.id, now, &mut |draft| {
            // The check above was of another one.
            if draft.previous != previous {
                return Err(Error::refused(
                    "another indirect CRL was issued at the same time: issue this one again",
                    None,
                ));
            }
            let mut draft = draft.clone();
            let mut scope = Scope { url: url.map(str::to_owned), is_indirect: true, issuers: Vec::new() };
            for (other, revoked) in others.iter().filter(|(_, revoked)| !revoked.is_empty()) {
                let names = [GeneralName::DirectoryName(other.certificate().tbs_certificate.subject)];
                let names = CertificateIssuer(GeneralNames(SeqOf::from_slice(&names)));
                let names = encode(&names).map_err(|error| Error::Build(error.into()))?;
                scope.issuers.push((draft.revoked.len(), names));
                draft.revoked.extend_from_slice(revoked);
            }
            entries = Entries::of(&draft);
            for (serial, revocation) in &draft.revoked {
                check_date(now.unix(), serial, revocation)?;
            }
            let this_update = draft.this_update;
            let unsigned = self.prepare_scoped(signer, &draft, (this_update, next_update), &scope)?;
            let der = sign(&unsigned, signer).map_err(Error::crypto("the CA's key"))?;
            Ok(NewCrl { this_update, next_update, der, beside: Vec::new() })
        })?;
        Ok(IssuedCrl::of(record, entries))
    }

    /// Returns the series of the CRL whose URL in certificates has this path, if this CA issues it. `Some(None)` is the
    /// complete CRL.
    #[cfg(feature = "serve")]
    #[must_use]
    pub(crate) fn series_at(&self, path: &str) -> Option<Option<Series>> {
        match (&self.same.partitions, self.urls().crl.as_deref()) {
            (Some(partitions), _) => partitions.at_path(path).map(|number| Some(Series::Partition(number))),
            (None, Some(url)) if self.urls().crl_issuer.is_none() => (path_of(url) == Some(path)).then_some(None),
            _ => None,
        }
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
    /// Returns [`Error::NotTheKey`] if the signer's key is not the CA's, [`Error::Refused`] if the CA's certificate does not allow CRLs
    /// ([`check_signs_crls`](Self::check_signs_crls)) or the next update is not after `now`, or any error from the builder.
    pub fn prepare_crl(
        &self,
        signer: &dyn Signer,
        draft: &CrlDraft,
        now: UnixTime,
        next_update: UnixTime,
    ) -> Result<Unsigned, Error> {
        self.prepare_scoped(signer, draft, (now, next_update), &Scope::default())
    }

    /// Creates an unsigned CRL with a scope.
    fn prepare_scoped(
        &self,
        signer: &dyn Signer,
        draft: &CrlDraft,
        (now, next_update): (UnixTime, UnixTime),
        scope: &Scope,
    ) -> Result<Unsigned, Error> {
        self.check_crl_signer(signer)?;
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
        scope.add(&mut list)?;
        let extensions = list.extensions();

        let reasons = Reasons::new()?;
        let mut issuers = scope.issuers.iter().peekable();
        let own = draft.revoked.iter().enumerate().map(|(at, (_, revocation))| {
            own_extensions(revocation, issuers.next_if(|(first, _)| *first == at).map(|(_, names)| names.as_slice()))
        });
        let own = own.collect::<Result<Vec<_>, _>>()?;
        let own: Vec<Option<Vec<Extension<'_>>>> =
            own.iter().map(|list| list.as_ref().map(ExtensionList::extensions)).collect();
        let shared = reasons.extensions();
        let mut revoked = Vec::with_capacity(draft.revoked.len());
        for ((serial, revocation), own) in draft.revoked.iter().zip(&own) {
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

/// Checks that the names include every CA that has entries in the last indirect CRL. An entry stays until a CRL was issued after
/// the certificate's expiry (RFC 5280 §3.3).
fn check_none_left_out(last: &[u8], names: &[Name<'_>]) -> Result<(), Error> {
    let malformed = Error::malformed("the last indirect CRL");
    let last = CertificateList::from_der(last).map_err(&malformed)?;
    let mut missing = BTreeSet::new();
    let mut checked = None;
    for entry in last.tbs_cert_list.revocations() {
        let issuer = entry.map_err(&malformed)?.certificate_issuer;
        let Some(issuer) = issuer.filter(|issuer| checked != Some(*issuer)) else { continue };
        checked = Some(issuer);
        let of_issuer: Vec<Name<'_>> = issuer.0.iter().map_while(Result::ok).filter_map(directory_name).collect();
        if !of_issuer.iter().any(|own| names.iter().any(|name| name.matches(own))) {
            missing.extend(of_issuer.iter().map(|name| name.rfc4514().to_string()));
        }
    }
    if missing.is_empty() {
        return Ok(());
    }
    let missing: Vec<String> = missing.into_iter().collect();
    let what =
        format!("the last indirect CRL also lists certificates of {}, which this one leaves out", missing.join("; "));
    Err(Error::refused(what, "RFC 5280 §3.3"))
}

fn directory_name(name: GeneralName<'_>) -> Option<Name<'_>> {
    match name {
        GeneralName::DirectoryName(name) => Some(name),
        _ => None,
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

/// Creates the extensions of an entry with an invalidity date, or of the first entry of another CA.
fn own_extensions(revocation: &Revocation, issuer: Option<&[u8]>) -> Result<Option<ExtensionList>, Error> {
    if revocation.invalid_since.is_none() && issuer.is_none() {
        return Ok(None);
    }
    let mut list = ExtensionList::new();
    add_reason(&mut list, revocation.reason)?;
    if let Some(since) = revocation.invalid_since {
        list.add(false, &InvalidityDate(WholeSeconds(clock::generalized(since)?)))?;
    }
    if let Some(names) = issuer {
        // RFC 5280 §5.3.3: critical. It also applies to the entries that follow.
        list.add_der(CertificateIssuer::ID, true, names)?;
    }
    Ok(Some(list))
}

/// The certificates that a CRL covers.
#[derive(Default)]
struct Scope {
    /// The URL of the distribution point, if the CRL covers only the certificates that name it.
    url: Option<String>,
    /// True if the CRL also covers other CAs' certificates.
    is_indirect: bool,
    /// The other CAs: the index of each one's first entry, and its CertificateIssuer in DER. In the order of the entries.
    issuers: Vec<(usize, Vec<u8>)>,
}

impl Scope {
    /// Adds the issuing distribution point, unless the CRL covers all certificates of its CA.
    fn add(&self, list: &mut ExtensionList) -> Result<(), Error> {
        if self.url.is_none() && !self.is_indirect {
            return Ok(());
        }
        let names = self.url.as_deref().map(ia5).transpose()?.map(|url| [GeneralName::UniformResourceIdentifier(url)]);
        let name = names.as_ref().map(|names| DistributionPointName::FullName(GeneralNames(SeqOf::from_slice(names))));
        let indirect_crl = self.is_indirect;
        let point =
            IssuingDistributionPoint { distribution_point: name, indirect_crl, ..IssuingDistributionPoint::default() };
        // RFC 5280 §5.2.5: critical, and the name is that in the certificates.
        list.add(true, &point)?;
        Ok(())
    }
}

/// The numbers of entries of a CRL.
#[derive(Clone, Copy, Default)]
struct Entries {
    entries: usize,
    released: usize,
}

impl Entries {
    fn of(draft: &CrlDraft) -> Self {
        let is_released = |(_, revocation): &&(Serial, Revocation)| revocation.reason == CrlReason::RemoveFromCrl;
        Self { entries: draft.revoked.len(), released: draft.revoked.iter().filter(is_released).count() }
    }
}

impl IssuedCrl {
    fn of(record: CrlRecord, Entries { entries, released }: Entries) -> Self {
        let CrlRecord { number, this_update, next_update, der } = record;
        Self { number, entries, released, this_update, next_update, der }
    }
}
