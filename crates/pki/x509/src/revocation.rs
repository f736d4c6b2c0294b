//! Iterates over a CRL's revoked certificates with their issuers (RFC 5280 §5.3.3), and indexes them by serial number.
//! It does not verify signatures or decide which CRL covers a certificate.

use core::fmt;
use core::hash::BuildHasher;
use std::hash::RandomState;

use prefetch_index::prefetch_index;
use tagwise_codec::{Decode as _, Error, Int, Items, Kept, SeqOf};

use crate::cert::CertificateSerialNumber;
use crate::crl::{CertificateList, RevokedCertificate, TbsCertList};
use crate::ext::{CertificateIssuer, CrlNumber, CrlReason, DeltaCrlIndicator, GeneralNames, IssuingDistributionPoint};
use crate::name::{Name, split};

/// A revoked certificate with its issuer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Revocation<'a> {
    /// The CRL entry.
    pub entry: RevokedCertificate<'a>,
    /// The certificate's issuer names, from this or a preceding entry (RFC 5280 §5.3.3). `None` means the CRL's issuer.
    pub certificate_issuer: Option<GeneralNames<'a>>,
}

impl Revocation<'_> {
    /// Returns the reason for the revocation, if given (RFC 5280 §5.3.1).
    ///
    /// # Errors
    /// Returns any error in the entry's extensions.
    pub fn reason(&self) -> Result<Option<CrlReason>, Error> {
        self.entry.crl_entry_extensions.map_or(Ok(None), |extensions| extensions.get::<CrlReason>())
    }

    /// Returns whether this delta CRL entry cancels a revocation (RFC 5280 §5.3.1).
    ///
    /// # Errors
    /// Returns any error in the entry's extensions.
    pub fn is_removal(&self) -> Result<bool, Error> {
        Ok(self.reason()? == Some(CrlReason::RemoveFromCrl))
    }

    /// Returns whether the certificate was issued by `issuer`, in a CRL issued by `crl_issuer`. Names are compared as
    /// in RFC 5280 §7.1.
    #[must_use]
    pub fn is_issued_by(&self, issuer: &Name<'_>, crl_issuer: &Name<'_>) -> bool {
        issued_by(self.certificate_issuer.as_ref(), issuer, crl_issuer)
    }
}

fn issued_by(names: Option<&GeneralNames<'_>>, issuer: &Name<'_>, crl_issuer: &Name<'_>) -> bool {
    match names {
        None => crl_issuer.matches(issuer),
        Some(names) => names.iter().map_while(Result::ok).any(|name| match name {
            crate::ext::GeneralName::DirectoryName(name) => name.matches(issuer),
            _ => false,
        }),
    }
}

impl<'a> TbsCertList<'a> {
    /// Iterates over the entries in order, with the issuer of each certificate. In an indirect CRL, an entry without an
    /// issuer has the preceding entry's issuer (RFC 5280 §5.3.3).
    ///
    /// A malformed entry yields an error and ends the iteration, because the issuer of later entries is then unknown. This is
    /// possible only if the CRL was decoded with `outline` or tolerantly. The remaining entries are available in
    /// `revoked_certificates`.
    ///
    /// ```no_run
    /// use tagwise_codec::Decode;
    /// use tagwise_x509::CertificateList;
    /// let der = std::fs::read("list.crl")?;
    /// let list = CertificateList::outline(&der)?;
    /// for revocation in list.tbs_cert_list.revocations() {
    ///     let revocation = revocation?;
    ///     println!("{} {:?}", revocation.entry.user_certificate.hex(), revocation.reason()?);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn revocations(&self) -> Revocations<'a> {
        let entries = self.revoked_certificates.unwrap_or_default().iter();
        Revocations { entries, certificate_issuer: None, ended: false }
    }

    /// Returns the CRL number (RFC 5280 §5.2.3).
    ///
    /// # Errors
    /// Returns any error in the preceding extensions or in this one. This is possible only if the CRL was decoded
    /// with `outline` or tolerantly.
    pub fn number(&self) -> Result<Option<CrlNumber<'a>>, Error> {
        self.crl_extensions.map_or(Ok(None), |extensions| extensions.get())
    }

    /// Returns the number of the base CRL, if this is a delta CRL (RFC 5280 §5.2.4).
    ///
    /// # Errors
    /// Returns any error in the preceding extensions or in this one. This is possible only if the CRL was decoded
    /// with `outline` or tolerantly.
    pub fn delta_base(&self) -> Result<Option<DeltaCrlIndicator<'a>>, Error> {
        self.crl_extensions.map_or(Ok(None), |extensions| extensions.get())
    }

    /// Returns the scope of the CRL (RFC 5280 §5.2.5).
    ///
    /// # Errors
    /// Returns any error in the preceding extensions or in this one. This is possible only if the CRL was decoded with `outline`
    /// or tolerantly.
    pub fn issuing_distribution_point(&self) -> Result<Option<IssuingDistributionPoint<'a>>, Error> {
        self.crl_extensions.map_or(Ok(None), |extensions| extensions.get())
    }

    /// Returns whether the CRL may list certificates from other issuers (RFC 5280 §5.2.5).
    ///
    /// # Errors
    /// Returns any error in the preceding extensions or in this one. This is possible only if the CRL was decoded with `outline`
    /// or tolerantly.
    pub fn is_indirect(&self) -> Result<bool, Error> {
        Ok(self.issuing_distribution_point()?.is_some_and(|point| point.indirect_crl))
    }
}

/// Iterator over the entries of a CRL: see [`TbsCertList::revocations`].
pub struct Revocations<'a> {
    entries: Items<'a, RevokedCertificate<'a>>,
    certificate_issuer: Option<GeneralNames<'a>>,
    ended: bool,
}

impl fmt::Debug for Revocations<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Revocations").finish_non_exhaustive()
    }
}

impl<'a> Iterator for Revocations<'a> {
    type Item = Result<Revocation<'a>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let read = self.entries.next()?.and_then(|entry| Ok((entry, issuer_of(&entry)?)));
        self.ended = read.is_err();
        Some(read.map(|(entry, issuer)| {
            self.certificate_issuer = issuer.or(self.certificate_issuer);
            Revocation { entry, certificate_issuer: self.certificate_issuer }
        }))
    }
}

/// Returns the certificate issuer that an entry specifies, if any.
fn issuer_of<'a>(entry: &RevokedCertificate<'a>) -> Result<Option<GeneralNames<'a>>, Error> {
    let Some(extensions) = entry.crl_entry_extensions else { return Ok(None) };
    // Hardly any entry has it, so its identifier is looked for before anything is decoded.
    if extensions.as_seq_of().content().is_some_and(|content| !names_issuer(content)) {
        return Ok(None);
    }
    Ok(extensions.get::<CertificateIssuer<'a>>()?.map(|issuer| issuer.0))
}

/// Returns whether the identifier of the extension certificateIssuer may be among the bytes.
fn names_issuer(octets: &[u8]) -> bool {
    octets.windows(5).any(|window| window == [0x06, 0x03, 0x55, 0x1D, 0x1D])
}

/// Returns the minimal bytes of a serial number. A tolerantly decoded entry may contain a padded one.
fn number(content: &[u8]) -> &[u8] {
    Int::from_signed(content).as_bytes()
}

/// An index of a CRL by serial number, for repeated lookups.
///
/// It uses eight bytes per slot and 1.5 to 3 slots per entry: 8 MiB for 415,756 entries. The CRL is borrowed. Serial
/// numbers are hashed with a random seed, so an attacker cannot choose serial numbers that slow down lookups.
///
/// ```no_run
/// use tagwise_codec::Decode;
/// use tagwise_x509::{Certificate, CertificateList, CrlIndex};
/// let (der, list) = (std::fs::read("certificate.der")?, std::fs::read("list.crl")?);
/// let list = CertificateList::from_der(&list)?;
/// let index = CrlIndex::new(&list)?;
/// let certificate = Certificate::from_der(&der)?;
/// let tbs = &certificate.tbs_certificate;
/// match index.get(tbs.serial_number, &tbs.issuer)? {
///     Some(revocation) => println!("revoked at {}", revocation.entry.revocation_date),
///     None => println!("not revoked by this list"),
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct CrlIndex<'a> {
    issuer: Name<'a>,
    /// The content of `revokedCertificates`, which starts at the offset `base`.
    content: &'a [u8],
    base: usize,
    kept: Kept,
    /// The upper half of a serial number's hash and the start of the entry in the content, or [`FREE`].
    slots: Box<[u64]>,
    keys: RandomState,
    len: usize,
    /// Each position in the content from which entries have a different certificate issuer, with that issuer.
    issuers: Vec<(u32, GeneralNames<'a>)>,
}

/// The number of entries that are hashed before the first of them is inserted.
const AHEAD: usize = 16;

/// The value of an empty slot. No entry starts at the last byte of 4 GiB.
const FREE: u64 = u64::MAX;

impl<'a> CrlIndex<'a> {
    /// Indexes a CRL. It finds the boundaries of each entry and hashes the serial number. Entries are decoded on lookup.
    ///
    /// # Errors
    /// Returns an error if the boundaries of an entry cannot be determined or its issuer cannot be read. This is possible only
    /// if the CRL was decoded with `outline` or tolerantly. Also fails if the list was built from items and never encoded, because it
    /// has no bytes to index.
    pub fn new(list: &CertificateList<'a>) -> Result<Self, Error> {
        Self::of(&list.tbs_cert_list)
    }

    /// Indexes the to-be-signed part of a CRL: see [`CrlIndex::new`].
    ///
    /// # Errors
    /// Returns the errors of [`CrlIndex::new`].
    pub fn of(list: &TbsCertList<'a>) -> Result<Self, Error> {
        let entries = list.revoked_certificates.unwrap_or_default();
        let Some(content) = entries.content() else {
            // An index that says of nothing that it is revoked would be worse than none.
            let missing = RevokedCertificate::outline(&[]).err().filter(|_| !entries.is_empty());
            return missing.map_or_else(|| Ok(Self::sized(list, &[], 0, 0)), Err);
        };
        let mut index = Self::sized(list, content, entries.offset(), entries.len());
        index.kept = entries.kept();
        // Entries whose slots are on their way from memory, in a ring.
        let mut coming: [Option<(u64, usize)>; AHEAD] = [None; AHEAD];
        let mut next = 0;
        let mut rest = content;
        while let Some((element, after)) = split(rest) {
            let at = content.len() - rest.len();
            let Some((serial, others)) = split(element.content).filter(|(serial, _)| serial.tag == 0x02) else { break };
            // A date and a reason alone, as most entries have them, are too short for it.
            if others.len() > 29 && names_issuer(others) {
                let issuer = index.decode(at)?.map_or(Ok(None), |entry| issuer_of(&entry))?;
                index.issuers.extend(issuer.map(|issuer| (at as u32, issuer)));
            }
            let hash = index.keys.hash_one(number(serial.content));
            prefetch_index(&index.slots, hash as usize & (index.slots.len() - 1));
            if let Some((hash, at)) = coming.get_mut(next).and_then(|slot| slot.replace((hash, at))) {
                index.put(hash, at);
            }
            next = (next + 1) % AHEAD;
            rest = after;
        }
        // In their order, which decides nothing.
        for (hash, at) in coming.into_iter().flatten() {
            index.put(hash, at);
        }
        // What could not be delimited is told by the decoder.
        match rest {
            [] => Ok(index),
            _ => match entries.iter().find_map(Result::err) {
                Some(error) => Err(error),
                None => Ok(index),
            },
        }
    }

    fn sized(list: &TbsCertList<'a>, content: &'a [u8], base: usize, count: usize) -> Self {
        let size = (count + count / 2 + 1).next_power_of_two();
        Self {
            issuer: list.issuer,
            content,
            base,
            kept: Kept::NONE,
            slots: vec![FREE; size].into_boxed_slice(),
            keys: RandomState::new(),
            len: 0,
            issuers: Vec::new(),
        }
    }

    fn put(&mut self, hash: u64, at: usize) {
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        // There are more slots than entries.
        while let Some(found) = self.slots.get_mut(slot) {
            if *found == FREE {
                *found = (hash >> 32) << 32 | at as u64;
                self.len += 1;
                return;
            }
            slot = (slot + 1) & mask;
        }
    }

    /// Iterates over the start positions of the entries with a serial number.
    fn places(&self, serial: CertificateSerialNumber<'_>) -> impl Iterator<Item = usize> {
        let octets = serial.as_bytes();
        let hash = self.keys.hash_one(octets);
        let mask = self.slots.len() - 1;
        let chain = (0..self.slots.len()).map_while(move |step| {
            let slot = *self.slots.get((hash as usize).wrapping_add(step) & mask)?;
            (slot != FREE).then_some(slot)
        });
        let chain = chain.filter(move |slot| slot >> 32 == hash >> 32).map(|slot| slot as u32 as usize);
        chain.filter(move |at| {
            let entry = self.content.get(*at..).and_then(split);
            let found = entry.and_then(|(entry, _)| split(entry.content));
            found.is_some_and(|(found, _)| number(found.content) == octets)
        })
    }

    /// Decodes the entry that starts at a position.
    fn decode(&self, at: usize) -> Result<Option<RevokedCertificate<'a>>, Error> {
        let bytes = self.content.get(at..).and_then(split).map_or(&[][..], |(entry, _)| entry.bytes);
        let entry = SeqOf::<RevokedCertificate<'a>>::deferred(bytes, self.base + at).keeping(self.kept);
        entry.iter().next().transpose()
    }

    fn issuer_at(&self, at: usize) -> Option<GeneralNames<'a>> {
        let before = self.issuers.partition_point(|(start, _)| *start as usize <= at);
        before.checked_sub(1).and_then(|last| self.issuers.get(last)).map(|(_, issuer)| *issuer)
    }

    /// Returns the last entry for the given serial number and issuer.
    ///
    /// # Errors
    /// Returns any error in the entry. This is possible only if the CRL was decoded with `outline` or tolerantly.
    pub fn get(&self, serial: CertificateSerialNumber<'_>, issuer: &Name<'_>) -> Result<Option<Revocation<'a>>, Error> {
        let of_issuer = |at: &usize| issued_by(self.issuer_at(*at).as_ref(), issuer, &self.issuer);
        let last = self.places(serial).filter(of_issuer).max();
        last.map_or(Ok(None), |at| self.revocation(at))
    }

    /// Iterates over the entries with the given serial number, for any issuer.
    pub fn entries(&self, serial: CertificateSerialNumber<'_>) -> impl Iterator<Item = Result<Revocation<'a>, Error>> {
        self.places(serial).filter_map(|at| self.revocation(at).transpose())
    }

    /// Returns whether there is an entry with the given serial number, for any issuer. This is the fastest lookup.
    #[must_use]
    pub fn contains(&self, serial: CertificateSerialNumber<'_>) -> bool {
        self.places(serial).next().is_some()
    }

    fn revocation(&self, at: usize) -> Result<Option<Revocation<'a>>, Error> {
        let entry = self.decode(at)?;
        Ok(entry.map(|entry| Revocation { entry, certificate_issuer: self.issuer_at(at) }))
    }

    /// Looks up a certificate in this CRL as updated by a delta CRL. The delta CRL takes precedence, and its removals cancel
    /// revocations (RFC 5280 §5.2.4). The caller must check that issuer, scope and CRL numbers of the two CRLs match.
    ///
    /// # Errors
    /// Returns the errors of [`CrlIndex::get`].
    pub fn get_with_delta(
        &self,
        delta: &CrlIndex<'a>,
        serial: CertificateSerialNumber<'_>,
        issuer: &Name<'_>,
    ) -> Result<Option<Revocation<'a>>, Error> {
        match delta.get(serial, issuer)? {
            Some(revocation) if revocation.is_removal()? => Ok(None),
            Some(revocation) => Ok(Some(revocation)),
            None => self.get(serial, issuer),
        }
    }

    /// Returns the number of entries.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Returns whether the CRL has no entries.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the memory used by the index, in bytes, excluding the CRL.
    #[must_use]
    pub fn memory(&self) -> usize {
        size_of::<Self>() + size_of_val(&*self.slots) + self.issuers.capacity() * size_of::<(u32, GeneralNames<'a>)>()
    }
}

impl fmt::Debug for CrlIndex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CrlIndex({} entries of {})", self.len, crate::name::visible(&self.issuer))
    }
}

#[cfg(test)]
mod tests;
