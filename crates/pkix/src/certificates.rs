//! Many certificates, decoded one after the other.

use tagwise_codec::{DecodeValue, Error, Fault, Reader, Tag, Typed};

use crate::bulk;
use crate::cert::Certificate;
use crate::shape;

impl<'a> Certificate<'a> {
    /// Reads many certificates as [`from_der`](tagwise_codec::Decode::from_der) does, each a whole input of which every octet is
    /// checked, while those that come next are on their way from memory: [`bulk::ahead`], and what else is faster for it.
    ///
    /// ```
    /// use tagwise_pkix::Certificate;
    ///
    /// /// How many are valid, and have extensions.
    /// fn extended(ders: &[Vec<u8>]) -> usize {
    ///     let valid = Certificate::from_der_all(ders).filter_map(Result::ok);
    ///     valid.filter(|certificate| certificate.tbs_certificate.extensions.is_some()).count()
    /// }
    /// # assert_eq!(extended(&[vec![0x30, 0x00]]), 0);
    /// ```
    pub fn from_der_all<T: AsRef<[u8]> + ?Sized + 'a>(
        ders: impl IntoIterator<Item = &'a T>,
    ) -> impl Iterator<Item = Result<Self, Error>> {
        bulk::each(ders, |der| loaded(der, |reader| reader))
    }

    /// The same as [`from_der_sealed`](tagwise_codec::Decode::from_der_sealed) does: not looking inside the values of extensions and the
    /// key.
    ///
    /// ```
    /// use tagwise_pkix::Certificate;
    ///
    /// fn well_formed(ders: &[Vec<u8>]) -> usize {
    ///     Certificate::from_der_sealed_all(ders).filter(Result::is_ok).count()
    /// }
    /// # assert_eq!(well_formed(&[vec![0x30, 0x00]]), 0);
    /// ```
    pub fn from_der_sealed_all<T: AsRef<[u8]> + ?Sized + 'a>(
        ders: impl IntoIterator<Item = &'a T>,
    ) -> impl Iterator<Item = Result<Self, Error>> {
        bulk::each(ders, |der| loaded(der, Reader::sealed))
    }

    /// The same as [`outline`](tagwise_codec::Decode::outline) does. Where positions will do,
    /// [`CertificateOutline::read_all`](crate::CertificateOutline::read_all) is faster.
    ///
    /// ```
    /// use tagwise_pkix::Certificate;
    ///
    /// /// The first certificate whose frame is valid.
    /// fn first(ders: &[Vec<u8>]) -> Option<Certificate<'_>> {
    ///     Certificate::outline_all(ders).find_map(Result::ok)
    /// }
    /// # assert_eq!(first(&[vec![0x30, 0x00]]), None);
    /// ```
    pub fn outline_all<T: AsRef<[u8]> + ?Sized + 'a>(
        ders: impl IntoIterator<Item = &'a T>,
    ) -> impl Iterator<Item = Result<Self, Error>> {
        bulk::each(ders, |der| loaded(der, Reader::outlined))
    }
}

#[inline(always)]
fn loaded<'a>(
    der: &'a [u8],
    mode: impl Fn(Reader<'a, 'static>) -> Reader<'a, 'static> + Copy,
) -> Result<Certificate<'a>, Error> {
    match shape::loaded(der, mode) {
        Some(parts) => Ok(parts.build()),
        None => other(der, mode),
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

/// A whole certificate of any form by the general decoder, and a reader at its content.
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
