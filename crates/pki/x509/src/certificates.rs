//! Decodes many certificates with memory prefetching.

use tagwise_codec::{DecodeValue, Error, Fault, Reader, Tag, Typed};

use crate::bulk;
use crate::cert::Certificate;
use crate::fast;

impl<'a> Certificate<'a> {
    /// Decodes many certificates with [`from_der`](tagwise_codec::Decode::from_der), which checks the complete encoding, while
    /// prefetching the next ones: see [`bulk::ahead`].
    ///
    /// ```
    /// use tagwise_x509::Certificate;
    ///
    /// /// Returns the number of valid certificates with extensions.
    /// fn extended(ders: &[Vec<u8>]) -> usize {
    ///     let valid = Certificate::from_der_all(ders).filter_map(Result::ok);
    ///     valid.filter(|certificate| certificate.tbs_certificate.extensions.is_some()).count()
    /// }
    /// # assert_eq!(extended(&[vec![0x30, 0x00]]), 0);
    /// ```
    pub fn from_der_all<T: AsRef<[u8]> + ?Sized + 'a>(
        ders: impl IntoIterator<Item = &'a T>,
    ) -> impl Iterator<Item = Result<Self, Error>> {
        bulk::each_in_place(ders, |der| loaded(der, |reader| reader))
    }

    /// Decodes many certificates like [`from_der_all`](Self::from_der_all), but with
    /// [`from_der_sealed`](tagwise_codec::Decode::from_der_sealed): extension values and the key are not checked.
    ///
    /// ```
    /// use tagwise_x509::Certificate;
    ///
    /// fn well_formed(ders: &[Vec<u8>]) -> usize {
    ///     Certificate::from_der_sealed_all(ders).filter(Result::is_ok).count()
    /// }
    /// # assert_eq!(well_formed(&[vec![0x30, 0x00]]), 0);
    /// ```
    pub fn from_der_sealed_all<T: AsRef<[u8]> + ?Sized + 'a>(
        ders: impl IntoIterator<Item = &'a T>,
    ) -> impl Iterator<Item = Result<Self, Error>> {
        bulk::each_in_place(ders, |der| loaded(der, Reader::sealed))
    }

    /// Decodes many certificates like [`from_der_all`](Self::from_der_all), but with
    /// [`outline`](tagwise_codec::Decode::outline). If only the positions of the fields are needed,
    /// [`CertificateView::outline_all`](crate::CertificateView::outline_all) is faster.
    ///
    /// ```
    /// use tagwise_x509::Certificate;
    ///
    /// /// Returns the first certificate with a valid top-level structure.
    /// fn first(ders: &[Vec<u8>]) -> Option<Certificate<'_>> {
    ///     Certificate::outline_all(ders).find_map(Result::ok)
    /// }
    /// # assert_eq!(first(&[vec![0x30, 0x00]]), None);
    /// ```
    pub fn outline_all<T: AsRef<[u8]> + ?Sized + 'a>(
        ders: impl IntoIterator<Item = &'a T>,
    ) -> impl Iterator<Item = Result<Self, Error>> {
        bulk::each_in_place(ders, |der| loaded(der, Reader::outlined))
    }
}

#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn loaded<'a>(
    der: &'a [u8],
    mode: impl Fn(Reader<'a, 'static>) -> Reader<'a, 'static> + Copy,
) -> Option<Result<Certificate<'a>, Error>> {
    match fast::loaded(der, mode) {
        Some(parts) => Some(Ok(parts.build())),
        None => Some(other(der, mode)),
    }
}

#[inline(never)]
fn other<'a>(
    der: &'a [u8],
    mode: impl Fn(Reader<'a, 'static>) -> Reader<'a, 'static>,
) -> Result<Certificate<'a>, Error> {
    match general(der, mode) {
        Ok((certificate, _)) => Ok(certificate),
        Err(fault) => Err(Error::locate(fault, Certificate::ty(), der)),
    }
}

/// Decodes a complete certificate of any form with the general decoder, and returns it with a reader at its content.
pub(crate) fn general<'a>(
    der: &'a [u8],
    mode: impl Fn(Reader<'a, 'static>) -> Reader<'a, 'static>,
) -> Result<(Certificate<'a>, Reader<'a, 'static>), Fault> {
    let mut reader = mode(Reader::new(der)?);
    let len = reader.expect(Tag::SEQUENCE)?;
    let content = reader.clone();
    let certificate = Certificate::decode_value(&mut reader, len)?;
    reader.finish()?;
    Ok((certificate, content))
}

#[cfg(test)]
mod tests {
    use tagwise_codec::{Decode, Options};

    use super::*;
    use crate::fixture::{NAME, element};

    /// Returns a certificate of the common form, with this issuer, algorithm and extensions.
    fn common(issuer: &[u8], algorithm: &[u8], extensions: &[u8]) -> Vec<u8> {
        let validity = element(0x30, &[b"\x17\x0D250101000000Z", b"\x17\x0D260101000000Z"]);
        let bits = element(0x03, &[&[0], &[7; 300]]);
        let key = element(0x30, &[b"\x30\x03\x06\x01\x2A", &bits]);
        let head = b"\xA0\x03\x02\x01\x02\x02\x01\x01";
        let tbs = element(0x30, &[head, algorithm, issuer, &validity, b"\x30\x00", &key, extensions]);
        element(0x30, &[&tbs, algorithm, &bits])
    }

    /// Certificates with so many levels in the value of an attribute of the issuer, in the parameters of the algorithm, in an
    /// attribute of subjectDirectoryAttributes.
    fn deep(levels: usize) -> [Vec<u8>; 3] {
        let value = (0..levels).fold(Vec::new(), |inner, _| element(0x30, &[&inner]));
        let attribute = element(0x30, &[b"\x06\x03\x2A\x03\x04", &value]);
        let issuer = element(0x30, &[&element(0x31, &[&attribute])]);
        let rsa = element(0x30, &[b"\x06\x09\x2A\x86\x48\x86\xF7\x0D\x01\x01\x0B\x05\x00"]);
        let algorithm = element(0x30, &[b"\x06\x01\x2A", &value]);
        let attributes = element(0x30, &[&element(0x30, &[b"\x06\x03\x2A\x03\x04", &element(0x31, &[&value])])]);
        let extension = element(0x30, &[b"\x06\x03\x55\x1D\x09", &element(0x04, &[&attributes])]);
        let extensions = element(0xA3, &[&element(0x30, &[&extension])]);
        [common(&issuer, &rsa, &[]), common(NAME, &algorithm, &[]), common(NAME, &rsa, &extensions)]
    }

    /// Equality is of values; this shows where they were read, too.
    fn shown<T: std::fmt::Debug>(of: impl IntoIterator<Item = T>) -> Vec<String> {
        of.into_iter().map(|one| format!("{one:?}")).collect()
    }

    #[test]
    fn as_one_by_one() {
        let mut accepted = [0; 3];
        for (place, der) in (1..70).flat_map(|levels| deep(levels).into_iter().enumerate()) {
            // Parameters of more than 127 octets are not of the common form.
            assert!(fast::whole(&der).is_some() || place == 1);
            let many = [der.clone(), vec![0x30, 0], der.clone()];
            assert_eq!(
                shown(Certificate::from_der_all(&many)),
                shown(many.iter().map(|der| Certificate::from_der(der)))
            );
            assert_eq!(
                shown(Certificate::from_der_sealed_all(&many)),
                shown(many.iter().map(|der| Certificate::from_der_sealed(der)))
            );
            assert_eq!(shown(Certificate::outline_all(&many)), shown(many.iter().map(|der| Certificate::outline(der))));
            // And as the general decoder, which alone reads with options, down to the same level.
            let general = Options::der().decode::<Certificate<'_>>(&der).map(|read| read.value);
            let own = Certificate::from_der_all([&der]).next().unwrap();
            assert_eq!(shown([&own]), shown([&general]), "{place}");
            accepted[place] += usize::from(own.is_ok());
        }
        // One level is a Certificate, one a TBSCertificate, and so on.
        assert_eq!(accepted, [64 - 5, 64 - 3, 64 - 9]);
    }
}
