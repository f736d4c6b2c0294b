//! A 48-byte index of a certificate, for stores with many certificates.

use tagwise_codec::{CivilTime, Error};

use crate::bulk;
use crate::fast::{self, Frame, Span};
use crate::view::CertificateView;

/// The positions of a certificate's serial number, names and key, with its validity period. Intended for millions of
/// entries, stored next to the certificates.
///
/// Reading performs the same checks as [`CertificateView`]. To access the parts, pass the same bytes again. With other
/// bytes, the results are arbitrary, or empty if out of range.
///
/// ```no_run
/// use tagwise_x509::CertificateIndex;
/// let der = std::fs::read("certificate.der")?;
/// let index = CertificateIndex::read(&der)?;
/// println!("{:02X?} until {}", index.serial_number(&der), index.not_after());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CertificateIndex {
    serial: Span,
    issuer: Span,
    subject: Span,
    key: Span,
    not_before: CivilTime,
    not_after: CivilTime,
}

// What it is for.
const _: () = assert!(size_of::<CertificateIndex>() <= 48);

impl CertificateIndex {
    /// Indexes a certificate.
    ///
    /// # Errors
    /// Returns any error from [`CertificateView::outline`].
    #[inline]
    pub fn read(der: &[u8]) -> Result<Self, Error> {
        fast::touch(der);
        Self::read_loaded(der)
    }

    /// Indexes many certificates, with prefetching as in [`CertificateView::outline_all`].
    ///
    /// ```
    /// use tagwise_x509::CertificateIndex;
    ///
    /// fn index(ders: &[Vec<u8>]) -> Vec<CertificateIndex> {
    ///     CertificateIndex::read_all(ders).filter_map(Result::ok).collect()
    /// }
    /// # assert!(index(&[vec![0x30, 0x00]]).is_empty());
    /// ```
    pub fn read_all<'a, T: AsRef<[u8]> + ?Sized + 'a>(
        ders: impl IntoIterator<Item = &'a T>,
    ) -> impl Iterator<Item = Result<Self, Error>> {
        bulk::each(ders, Self::read_loaded)
    }

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn read_loaded(der: &[u8]) -> Result<Self, Error> {
        match fast::whole(der) {
            Some((_, frame)) => Ok(Self::of(&frame, fast::WHOLE_HEADER)),
            None => CertificateView::general(der).map(|outline| outline.index()),
        }
    }

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn of(frame: &Frame, header: u32) -> Self {
        let whole = |span: Span| Span { start: span.start + header, ..span };
        Self {
            serial: whole(frame.serial),
            issuer: whole(frame.issuer),
            subject: whole(frame.subject),
            key: whole(frame.key),
            not_before: frame.not_before,
            not_after: frame.not_after,
        }
    }

    /// Returns the serial number: the content bytes of its INTEGER.
    #[must_use]
    pub fn serial_number<'a>(&self, der: &'a [u8]) -> &'a [u8] {
        self.serial.of(der)
    }

    /// Returns the issuer: the content bytes of its Name.
    #[must_use]
    pub fn issuer<'a>(&self, der: &'a [u8]) -> &'a [u8] {
        self.issuer.of(der)
    }

    /// Returns the subject: the content bytes of its Name.
    #[must_use]
    pub fn subject<'a>(&self, der: &'a [u8]) -> &'a [u8] {
        self.subject.of(der)
    }

    /// Returns the key without its algorithm: the bits of its BIT STRING.
    #[must_use]
    pub fn subject_public_key<'a>(&self, der: &'a [u8]) -> &'a [u8] {
        self.key.of(der).get(1..).unwrap_or_default()
    }

    /// Returns the start of the validity period, inclusive.
    #[must_use]
    pub const fn not_before(&self) -> CivilTime {
        self.not_before
    }

    /// Returns the end of the validity period, inclusive.
    #[must_use]
    pub const fn not_after(&self) -> CivilTime {
        self.not_after
    }
}

#[cfg(test)]
mod tests {
    use tagwise_codec::{BitStr, Decode, Int, encode, oid};

    use super::*;
    use crate::cert::{Certificate, CertificateSerialNumber, TbsCertificate, Version};
    use crate::name::NameBuf;
    use crate::{AlgorithmIdentifier, SubjectPublicKeyInfo, Time, UnixTime, Validity};

    /// With a key of so many bytes: short ones leave the common form.
    fn certificate(key: usize) -> Vec<u8> {
        let algorithm = AlgorithmIdentifier { algorithm: oid!("1.2.3.4"), parameters: None };
        let (issuer, subject) = (NameBuf::parse("CN=issuer,C=DE").unwrap(), NameBuf::parse("CN=subject").unwrap());
        let octets = vec![7; key];
        let time = |seconds| Time::from_unix(UnixTime(seconds)).unwrap();
        let tbs = TbsCertificate {
            version: Version::V3,
            serial_number: CertificateSerialNumber(Int::from_signed(&[1, 2, 3])),
            signature: algorithm,
            issuer: issuer.name(),
            validity: Validity { not_before: time(1_000_000_000), not_after: time(1_700_000_000) },
            subject: subject.name(),
            subject_public_key_info: SubjectPublicKeyInfo {
                algorithm,
                subject_public_key: BitStr::from_octets(&octets),
            },
            issuer_unique_id: None,
            subject_unique_id: None,
            extensions: None,
        };
        let parts = [encode(&tbs), encode(&algorithm), encode(&BitStr::from_octets(&octets))];
        let content = parts.into_iter().collect::<Result<Vec<_>, _>>().unwrap().concat();
        let len = (content.len() as u16).to_be_bytes();
        let header = if len[0] == 0 { vec![0x30, 0x81, len[1]] } else { vec![0x30, 0x82, len[0], len[1]] };
        [header, content].concat()
    }

    #[test]
    fn as_the_outline() {
        for (key, common) in [(64, false), (300, true)] {
            let der = certificate(key);
            assert_eq!(fast::whole(&der).is_some(), common);
            let (outline, index) = (CertificateView::outline(&der).unwrap(), CertificateIndex::read(&der).unwrap());
            let whole = Certificate::from_der(&der).unwrap();
            assert_eq!(index, outline.index());
            assert_eq!(index.serial_number(&der), [1, 2, 3]);
            assert_eq!(index.issuer(&der), outline.issuer().0.content().unwrap());
            assert_eq!(index.subject(&der), outline.subject().0.content().unwrap());
            assert_eq!(index.subject_public_key(&der), vec![7; key]);
            assert_eq!(index.not_before(), whole.tbs_certificate.validity.not_before.civil());
            assert_eq!(index.not_after(), outline.not_after());
            let many = [der.clone(), vec![0x30, 0], der.clone()];
            let read: Vec<_> = CertificateIndex::read_all(&many).collect();
            assert!(matches!(read.as_slice(), [Ok(one), Err(_), Ok(other)] if *one == index && *other == index));
            // Of other octets, nothing or something, and no panic.
            assert_eq!((index.subject_public_key(&[]), index.issuer(&der[..20])), (&[][..], &[][..]));
            let error = CertificateIndex::read(&der[..der.len() - 1]).unwrap_err();
            assert_eq!(error.to_string(), CertificateView::outline(&der[..der.len() - 1]).unwrap_err().to_string());
        }
    }
}
