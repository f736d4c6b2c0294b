//! A view of a certificate that stores only byte positions: the fastest way to read many certificates.

use tagwise_codec::{BitStr, CivilTime, Error, Fault, Int, Reader, SeqOf, Tag, Typed};

use crate::alg::{AlgorithmIdentifier, SubjectPublicKeyInfo};
use crate::bulk;
use crate::cert::{Certificate, CertificateSerialNumber, Extensions, TbsCertificate, Version};
use crate::certificates;
use crate::fast::{self, Frame, Span};
use crate::index::CertificateIndex;
use crate::name::Name;
use crate::time::Validity;

/// A view of a certificate: the positions of its fields in the borrowed bytes.
///
/// Reading checks the structure of RFC 5280 §4.1: all tags and lengths, the version, the serial number, the three algorithm
/// identifiers, and both times. It does not check names, algorithm parameters, unique identifiers (which the view omits) or
/// extensions. For the key and the signature, it checks only the number of unused bits. The `outline` function of
/// [`Certificate`] accepts the same inputs. [`CertificateView::from_der`] checks everything, like `Certificate::from_der`,
/// and returns the same positions.
///
/// ```no_run
/// use tagwise_x509::CertificateView;
/// let der = std::fs::read("certificate.der")?;
/// let outline = CertificateView::outline(&der)?;
/// println!("{} until {}", outline.subject(), outline.not_after());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CertificateView<'a> {
    content: &'a [u8],
    /// The length of the Certificate's header.
    header: u32,
    frame: Frame,
}

impl<'a> CertificateView<'a> {
    /// Reads a certificate's top-level structure. Names, extensions and algorithm parameters are not checked.
    ///
    /// # Errors
    /// Returns the errors of [`Certificate`]'s [`outline`](tagwise_codec::Decode::outline).
    #[inline]
    pub fn outline(der: &'a [u8]) -> Result<Self, Error> {
        fast::touch(der);
        Self::read_loaded(der)
    }

    /// Reads the top-level structures of many certificates, with prefetching: see [`bulk::ahead`].
    ///
    /// ```
    /// use tagwise_x509::{CertificateView, UnixTime};
    ///
    /// /// Returns the earliest end of a validity period.
    /// fn first_end(ders: &[Vec<u8>]) -> Option<UnixTime> {
    ///     CertificateView::outline_all(ders).filter_map(Result::ok).map(|outline| outline.not_after().unix()).min()
    /// }
    /// # assert_eq!(first_end(&[vec![0x30, 0x00]]), None);
    /// ```
    pub fn outline_all<T: AsRef<[u8]> + ?Sized + 'a>(
        ders: impl IntoIterator<Item = &'a T>,
    ) -> impl Iterator<Item = Result<Self, Error>> {
        bulk::each(ders, Self::read_loaded)
    }

    /// Decodes a certificate and checks every byte, including the contents of names, extensions and keys, like
    /// `Certificate::from_der`.
    ///
    /// ```
    /// use tagwise_x509::CertificateView;
    /// # let der = [0x30, 0x00];
    /// let error = CertificateView::from_der(&der).unwrap_err();
    /// assert_eq!(error.path(), "tbsCertificate");
    /// ```
    ///
    /// # Errors
    /// Returns the errors of [`Certificate`]'s `from_der`.
    #[inline]
    pub fn from_der(der: &'a [u8]) -> Result<Self, Error> {
        fast::touch(der);
        Self::from_der_loaded(der)
    }

    /// Like [`CertificateView::from_der`], for many certificates with prefetching: see
    /// [`CertificateView::outline_all`].
    ///
    /// ```
    /// use tagwise_x509::CertificateView;
    ///
    /// fn sound(ders: &[Vec<u8>]) -> usize {
    ///     CertificateView::from_der_all(ders).filter(Result::is_ok).count()
    /// }
    /// # assert_eq!(sound(&[vec![0x30, 0x00]]), 0);
    /// ```
    pub fn from_der_all<T: AsRef<[u8]> + ?Sized + 'a>(
        ders: impl IntoIterator<Item = &'a T>,
    ) -> impl Iterator<Item = Result<Self, Error>> {
        bulk::each_in_place(ders, |der| Some(Self::from_der_loaded(der)))
    }

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn from_der_loaded(der: &'a [u8]) -> Result<Self, Error> {
        match fast::sound(der) {
            Some((content, frame)) => Ok(Self { content, header: fast::WHOLE_HEADER, frame }),
            None => Self::general_from_der(der),
        }
    }

    /// Like [`CertificateView::outline`], for bytes that are probably in the cache.
    // Inlined, so that who needs a few parts does not pay for the others.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn read_loaded(der: &'a [u8]) -> Result<Self, Error> {
        match fast::whole(der) {
            Some((content, frame)) => Ok(Self { content, header: fast::WHOLE_HEADER, frame }),
            None => Self::general(der),
        }
    }

    /// Reads a certificate's top-level structure with the general decoder, for inputs that the fast path does not support.
    #[inline(never)]
    pub(crate) fn general(der: &'a [u8]) -> Result<Self, Error> {
        Self::by_steps(der, Reader::outlined)
    }

    /// Decodes and checks a whole certificate with the general decoder.
    #[inline(never)]
    fn general_from_der(der: &'a [u8]) -> Result<Self, Error> {
        Self::by_steps(der, |reader| reader)
    }

    /// Decodes the certificate, and then finds the field positions by stepping over the same elements again.
    fn by_steps(der: &'a [u8], mode: fn(Reader<'a, 'static>) -> Reader<'a, 'static>) -> Result<Self, Error> {
        let read = || {
            let (certificate, steps) = certificates::general(der, mode)?;
            // A reader refuses more octets than a u32 counts, and so every position fits.
            let header = steps.position();
            let frame = general_frame(&certificate.tbs_certificate, steps, header)?;
            Ok(Self { content: der.get(header..).unwrap_or_default(), header: header as u32, frame })
        };
        read().map_err(|fault| Error::locate(fault, Certificate::ty(), der))
    }

    /// Creates an index of the fields that a certificate store needs.
    #[must_use]
    pub fn index(&self) -> CertificateIndex {
        CertificateIndex::of(&self.frame, self.header)
    }

    /// Returns the to-be-signed bytes.
    #[must_use]
    pub fn tbs_bytes(&self) -> &'a [u8] {
        self.content.get(..self.frame.tbs as usize).unwrap_or_default()
    }

    /// Returns the version.
    #[must_use]
    pub const fn version(&self) -> Version {
        Version(self.frame.version)
    }

    /// Returns the serial number.
    #[must_use]
    pub fn serial_number(&self) -> CertificateSerialNumber<'a> {
        CertificateSerialNumber(Int::from_signed(self.octets(self.frame.serial)))
    }

    /// Returns the issuer's distinguished name.
    #[must_use]
    pub fn issuer(&self) -> Name<'a> {
        self.name(self.frame.issuer)
    }

    /// Returns the subject's distinguished name.
    #[must_use]
    pub fn subject(&self) -> Name<'a> {
        self.name(self.frame.subject)
    }

    /// Returns the start of the validity period, inclusive.
    #[must_use]
    pub const fn not_before(&self) -> CivilTime {
        self.frame.not_before
    }

    /// Returns the end of the validity period, inclusive.
    #[must_use]
    pub const fn not_after(&self) -> CivilTime {
        self.frame.not_after
    }

    /// Returns the signature algorithm.
    ///
    /// # Errors
    /// Returns any error in its parameters.
    pub fn signature_algorithm(&self) -> Result<AlgorithmIdentifier<'a>, Error> {
        self.algorithm(self.frame.algorithm)
    }

    /// Returns the subject's public key and its algorithm.
    ///
    /// # Errors
    /// Returns any error in the algorithm's parameters.
    pub fn subject_public_key_info(&self) -> Result<SubjectPublicKeyInfo<'a>, Error> {
        Ok(SubjectPublicKeyInfo {
            algorithm: self.algorithm(self.frame.key_algorithm)?,
            subject_public_key: self.bits(self.frame.key),
        })
    }

    /// Returns the subject's public key, without the algorithm.
    #[must_use]
    pub fn subject_public_key(&self) -> BitStr<'a> {
        self.bits(self.frame.key)
    }

    /// Returns the extensions, if present.
    #[must_use]
    pub fn extensions(&self) -> Option<Extensions<'a>> {
        let span = self.frame.extensions;
        (span.len > 0).then(|| Extensions::deferred(SeqOf::deferred(self.octets(span), self.offset(span))))
    }

    /// Returns the signature.
    #[must_use]
    pub fn signature_value(&self) -> BitStr<'a> {
        self.bits(self.frame.signature)
    }

    fn octets(&self, span: Span) -> &'a [u8] {
        span.of(self.content)
    }

    const fn offset(&self, span: Span) -> usize {
        self.header as usize + span.start as usize
    }

    fn name(&self, span: Span) -> Name<'a> {
        Name(SeqOf::deferred(self.octets(span), self.offset(span)))
    }

    fn algorithm(&self, span: Span) -> Result<AlgorithmIdentifier<'a>, Error> {
        let (octets, offset) = (self.octets(span), self.offset(span));
        if let Some(algorithm) = fast::algorithm(octets, offset, true) {
            return Ok(algorithm);
        }
        let read = || {
            let reader = Reader::new(octets)?.at_base(offset);
            let mut reader = reader.ahead(0, octets.len()).unwrap_or(reader);
            let value = AlgorithmIdentifier { algorithm: reader.read()?, parameters: reader.read_optional()? };
            reader.finish()?;
            Ok(value)
        };
        read().map_err(|fault: Fault| Error::locate_at(fault, AlgorithmIdentifier::ty(), octets, offset))
    }

    fn bits(&self, span: Span) -> BitStr<'a> {
        match self.octets(span) {
            [unused, octets @ ..] => BitStr::new(octets, *unused).unwrap_or(BitStr::from_octets(octets)),
            [] => BitStr::from_octets(&[]),
        }
    }
}

/// Returns the frame of a decoded certificate of any form (RFC 5280 §4.1). `steps` is positioned at its content, which
/// starts at `header`.
fn general_frame(tbs: &TbsCertificate<'_>, mut steps: Reader<'_, '_>, header: usize) -> Result<Frame, Fault> {
    let (version, Validity { not_before, not_after }) = (tbs.version, tbs.validity);
    let span =
        |reader: &Reader<'_, '_>, len: usize| Span { start: (reader.position() - header) as u32, len: len as u32 };
    let content = |reader: &mut Reader<'_, '_>| -> Result<Span, Fault> {
        let (_, len) = reader.header()?;
        let span = span(reader, len);
        reader.take(len)?;
        Ok(span)
    };
    let tbs_len = steps.expect(Tag::SEQUENCE)?;
    let tbs = (steps.position() - header + tbs_len) as u32;
    let outer = steps.enter(tbs_len)?;
    if steps.at(Tag::context(0)) {
        steps.skip()?;
    }
    let serial = content(&mut steps)?;
    let algorithm = content(&mut steps)?;
    let issuer = content(&mut steps)?;
    steps.skip()?;
    let subject = content(&mut steps)?;
    let (key_algorithm, key) = steps.element(Tag::SEQUENCE, |steps| Ok((content(steps)?, content(steps)?)))?;
    let mut extensions = Span { start: tbs, len: 0 };
    while !steps.is_empty() {
        let is_extensions = steps.at(Tag::context(3));
        let (_, len) = steps.header()?;
        if is_extensions {
            extensions = steps.nested(len, content)?;
        } else {
            steps.take(len)?;
        }
    }
    steps.leave(outer)?;
    let outer_algorithm = content(&mut steps)?;
    let signature = content(&mut steps)?;
    Ok(Frame {
        tbs,
        version: version.0,
        serial,
        algorithm,
        issuer,
        not_before: not_before.civil(),
        not_after: not_after.civil(),
        subject,
        key_algorithm,
        key,
        extensions,
        outer_algorithm,
        signature,
    })
}

#[cfg(test)]
mod tests {
    use tagwise_codec::Decode;

    use super::*;
    use crate::fixture::{NAME, element};

    /// Returns a certificate of version 1, which is not of the common form, with so many levels in the parameters of its algorithm.
    fn deep(levels: usize) -> Vec<u8> {
        let parameters = (0..levels).fold(Vec::new(), |inner, _| element(0x30, &[&inner]));
        let algorithm = element(0x30, &[b"\x06\x01\x2A", &parameters]);
        let validity = element(0x30, &[b"\x17\x0D250101000000Z", b"\x17\x0D260101000000Z"]);
        let key = element(0x30, &[b"\x30\x03\x06\x01\x2A", b"\x03\x02\x00\x07"]);
        let tbs = element(0x30, &[b"\x02\x01\x01", &algorithm, NAME, &validity, b"\x30\x00", &key]);
        element(0x30, &[&tbs, &algorithm, b"\x03\x02\x00\x07"])
    }

    #[test]
    fn as_deep_as_the_struct() {
        let mut accepted = 0;
        for levels in 50..70 {
            let der = deep(levels);
            assert!(fast::whole(&der).is_none());
            let (own, whole) = (CertificateView::from_der(&der), Certificate::from_der(&der));
            assert_eq!(own.as_ref().err().map(Error::to_string), whole.as_ref().err().map(Error::to_string));
            assert_eq!(Certificate::from_der_all([&der[..]]).next(), Some(whole));
            accepted += usize::from(own.is_ok());
            let (own, whole) = (CertificateView::outline(&der), Certificate::outline(&der));
            assert_eq!(own.as_ref().err().map(Error::to_string), whole.as_ref().err().map(Error::to_string));
        }
        assert!((1..20).contains(&accepted), "{accepted}");
    }
}
