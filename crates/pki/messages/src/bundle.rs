//! Extracts certificates, CRLs and keys from PKCS #7 / CMS signed data and PKCS #12 files, in one pass over DER or BER.
//!
//! Signatures, MACs and encrypted data are skipped, and items are not decoded. Contiguous bytes are borrowed from the
//! input; segmented BER strings are joined once.

use std::borrow::Cow;
use std::ops::Range;

use tagwise_codec::{Any, Error, Fault, Kind, Oid, Typed};

/// The contents of a CMS message (RFC 5652 §5.1: `certificates` and `crls` of signed data) or PKCS #12 file (RFC 7292
/// §4).
///
/// ```no_run
/// use tagwise_codec::Decode;
/// use tagwise_messages::Bundle;
/// use tagwise_x509::Certificate;
/// let file = std::fs::read("chain.p7b")?;
/// let bundle = Bundle::read(&file)?;
/// for der in bundle.certificates() {
///     println!("{}", Certificate::outline(der)?.tbs_certificate.subject.oneline());
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Bundle<'a> {
    octets: Cow<'a, [u8]>,
    items: Vec<Span>,
    /// Where strings that were joined start in `octets`, and where they stood in the input.
    joined: Vec<(usize, usize)>,
}

#[derive(Clone, Debug)]
struct Span {
    kind: BundleKind,
    octets: Range<usize>,
    attributes: Range<usize>,
}

/// The kind of an item of a [`Bundle`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BundleKind {
    /// A certificate.
    Certificate,
    /// A CRL.
    CertificateList,
    /// An attribute certificate, with its CMS tag (`[1]` or `[2]` instead of SEQUENCE).
    AttributeCertificate,
    /// An unencrypted private key: PKCS #8.
    PrivateKey,
    /// A password-encrypted private key: a PKCS #8 EncryptedPrivateKeyInfo.
    EncryptedPrivateKey,
    /// A secret that is not a private key.
    Secret,
    /// Encrypted contents of a PKCS #12 file: a ContentInfo.
    Encrypted,
    /// Anything else.
    Other,
}

/// An item of a [`Bundle`].
#[derive(Clone, Copy)]
pub struct BundleItem<'b> {
    /// Its kind.
    pub kind: BundleKind,
    /// The item's original bytes. Signed items are DER if their creator followed the standards.
    pub octets: &'b [u8],
    /// The attributes of the bag of PKCS #12, one after the other.
    attributes: &'b [u8],
}

/// Leaves out private content.
impl core::fmt::Debug for BundleItem<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "BundleItem({:?}, {} bytes)", self.kind, self.octets.len())
    }
}

/// One element: where its content and it itself end.
struct Element {
    tag: u8,
    start: usize,
    content: Range<usize>,
    end: usize,
}

const INTEGER: u8 = 0x02;
const OCTET_STRING: u8 = 0x04;
const OID: u8 = 0x06;
const SEQUENCE: u8 = 0x30;
const SET: u8 = 0x31;
const ZERO: u8 = 0xA0;
const ONE: u8 = 0xA1;

const ID_DATA: [u8; 9] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7, 1];
const ID_SIGNED_DATA: [u8; 9] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7, 2];
const ID_ENVELOPED_DATA: [u8; 9] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7, 3];
const ID_ENCRYPTED_DATA: [u8; 9] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7, 6];
/// `bagtypes` of PKCS #12, up to the last arc.
const BAG_TYPES: [u8; 10] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 12, 10, 1];
/// `x509Certificate`, `x509CRL`: the certificate and CRL types of PKCS #9.
const X509_CERTIFICATE: [u8; 10] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 9, 22, 1];
const X509_CRL: [u8; 10] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 9, 23, 1];
/// `pkcs-9-at-friendlyName`, `pkcs-9-at-localKeyId`.
const FRIENDLY_NAME: [u8; 9] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 9, 20];
const LOCAL_KEY_ID: [u8; 9] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 9, 21];

/// `trustedKeyUsage`, 2.16.840.1.113894.746875.1.1.
const TRUSTED_KEY_USAGE: [u8; 12] = [0x60, 0x86, 0x48, 1, 0x86, 0xF9, 0x66, 0xAD, 0xCA, 0x7B, 1, 1];

/// Limit of safe contents nested in each other, and of segments of strings: nobody nests either.
const MAX_DEPTH: usize = 16;

/// Identifier and length bytes: the tag's first byte, how many bytes they take, the length if it is definite.
fn header(octets: &[u8], at: usize) -> Result<(u8, usize, Option<usize>), Fault> {
    let rest = octets.get(at..).unwrap_or_default();
    let truncated = || Fault::new(Kind::Truncated, at);
    let (tag, mut after) = rest.split_first().ok_or_else(truncated)?;
    if tag & 0x1F == 0x1F {
        // None of the types here has such a tag; but it can be stepped over.
        let more = after.iter().position(|octet| octet & 0x80 == 0).ok_or_else(truncated)?;
        after = after.get(more + 1..).unwrap_or_default();
    }
    let (first, after) = after.split_first().ok_or_else(truncated)?;
    let before = rest.len() - after.len();
    match *first {
        0x80 if tag & 0x20 != 0 => Ok((*tag, before, None)),
        0x80 => Err(Fault::new(Kind::PrimitiveIndefinite, at)),
        len @ 0..0x80 => Ok((*tag, before, Some(usize::from(len)))),
        0xFF => Err(Fault::new(Kind::LengthReserved, at)),
        count => {
            let count = usize::from(count & 0x7F);
            let len = after.get(..count).ok_or_else(truncated)?;
            let len = len.iter().try_fold(0u32, |len, octet| len.checked_mul(256)?.checked_add((*octet).into()));
            let len = len.ok_or_else(|| Fault::new(Kind::LengthTooLarge, at))?;
            Ok((*tag, before + count, Some(len as usize)))
        }
    }
}

/// The element at a place in a range.
#[inline]
fn element(octets: &[u8], at: usize, end: usize) -> Result<Element, Fault> {
    let window = octets.get(..end).unwrap_or(octets);
    let (tag, header_len, len) = header(window, at)?;
    let start = at + header_len;
    match len {
        Some(len) => {
            let stop = start.checked_add(len).filter(|stop| *stop <= end);
            let stop = stop.ok_or_else(|| Fault::new(Kind::LengthOverrun, at))?;
            Ok(Element { tag, start: at, content: start..stop, end: stop })
        }
        None => {
            let stop = end_of_contents(window, start)?;
            Ok(Element { tag, start: at, content: start..stop, end: stop + 2 })
        }
    }
}

/// Finds the end-of-contents bytes of content of indefinite length.
fn end_of_contents(octets: &[u8], mut at: usize) -> Result<usize, Fault> {
    let mut open = 1usize;
    loop {
        if octets.get(at..at + 2) == Some(&[0, 0]) {
            open -= 1;
            if open == 0 {
                return Ok(at);
            }
            at += 2;
            continue;
        }
        let (_, header_len, len) = header(octets, at)?;
        at += header_len;
        match len {
            Some(len) => at = at.saturating_add(len),
            None => open += 1,
        }
        if at > octets.len() {
            return Err(Fault::new(Kind::LengthOverrun, octets.len()));
        }
    }
}

/// Elements of a range, one after the other.
struct Walk {
    at: usize,
    end: usize,
}

impl Walk {
    const fn new(range: Range<usize>) -> Self {
        Self { at: range.start, end: range.end }
    }

    const fn is_empty(&self) -> bool {
        self.at >= self.end
    }

    fn next(&mut self, octets: &[u8]) -> Result<Element, Fault> {
        if self.is_empty() {
            return Err(Fault::new(Kind::Missing, self.at));
        }
        let found = element(octets, self.at, self.end)?;
        self.at = found.end;
        Ok(found)
    }

    fn expect(&mut self, octets: &[u8], tag: u8) -> Result<Element, Fault> {
        let found = self.next(octets)?;
        if found.tag == tag { Ok(found) } else { Err(Fault::new(Kind::UnexpectedTag, found.start)) }
    }

    fn optional(&mut self, octets: &[u8], tag: u8) -> Result<Option<Element>, Fault> {
        let is = !self.is_empty() && octets.get(self.at) == Some(&tag);
        if is { self.next(octets).map(Some) } else { Ok(None) }
    }
}

impl<'a> Bundle<'a> {
    /// Reads a CMS message with signed data or a PKCS #12 file. Other CMS messages yield no items.
    ///
    /// # Errors
    /// An error in the structure around the items, with its offset; [`Kind::TrailingData`] if data follows the message.
    pub fn read(input: &'a [u8]) -> Result<Self, Error> {
        let (bundle, end) = Self::read_first(input)?;
        match end {
            end if end < input.len() => Err(Error::locate(Fault::new(Kind::TrailingData, end), Any::ty(), input)),
            _ => Ok(bundle),
        }
    }

    /// Reads a message at the start of an input, and returns its end.
    ///
    /// # Errors
    /// An error in the structure around the items, with its offset.
    pub fn read_first(input: &'a [u8]) -> Result<(Self, usize), Error> {
        let mut bundle = Self { octets: Cow::Borrowed(input), items: Vec::new(), joined: Vec::new() };
        match bundle.whole() {
            Ok(end) => Ok((bundle, end)),
            Err(fault) => {
                // Where a string was joined, the offset is that of the string.
                let at = bundle.joined.iter().rev().find(|(start, _)| fault.offset() >= *start);
                let fault = at.map_or(fault, |(_, origin)| Fault::new(fault.kind(), *origin));
                Err(Error::locate(fault, Any::ty(), input))
            }
        }
    }

    /// Reads the outermost element, and gives its end.
    fn whole(&mut self) -> Result<usize, Fault> {
        if self.octets.len() > u32::MAX as usize {
            return Err(Fault::new(Kind::InputTooLarge, 0));
        }
        let outer = Walk::new(0..self.octets.len()).expect(&self.octets, SEQUENCE)?;
        let mut walk = Walk::new(outer.content.clone());
        if walk.optional(&self.octets, INTEGER)?.is_none() {
            self.message(outer.content)?;
            return Ok(outer.end);
        }
        // PFX ::= SEQUENCE { version INTEGER {v3(3)}(v3,...), authSafe ContentInfo, macData MacData OPTIONAL }
        let safe = walk.expect(&self.octets, SEQUENCE)?;
        let mut info = Walk::new(safe.content);
        let id = info.expect(&self.octets, OID)?;
        let content = info.expect(&self.octets, ZERO)?.content;
        let inner = if self.is(&id.content, &ID_SIGNED_DATA) {
            // Public-key integrity mode: the safe is what is signed.
            let signed = Walk::new(content).expect(&self.octets, SEQUENCE)?;
            let mut signed = Walk::new(signed.content);
            signed.expect(&self.octets, INTEGER)?;
            signed.expect(&self.octets, SET)?;
            let mut encapsulated = Walk::new(signed.expect(&self.octets, SEQUENCE)?.content);
            encapsulated.expect(&self.octets, OID)?;
            encapsulated.expect(&self.octets, ZERO)?.content
        } else {
            content
        };
        let string = Walk::new(inner).next(&self.octets)?;
        let safe = self.string(&string)?;
        self.authenticated_safe(safe)?;
        Ok(outer.end)
    }

    fn is(&self, range: &Range<usize>, octets: &[u8]) -> bool {
        self.octets.get(range.clone()) == Some(octets)
    }

    fn push(&mut self, kind: BundleKind, octets: Range<usize>, attributes: Range<usize>) {
        self.items.push(Span { kind, octets, attributes });
    }

    /// `ContentInfo ::= SEQUENCE { contentType ContentType, content [0] EXPLICIT ANY DEFINED BY contentType }`
    fn message(&mut self, info: Range<usize>) -> Result<(), Fault> {
        let mut info = Walk::new(info);
        let id = info.expect(&self.octets, OID)?;
        if !self.is(&id.content, &ID_SIGNED_DATA) {
            return Ok(());
        }
        let content = info.expect(&self.octets, ZERO)?;
        let signed = Walk::new(content.content).expect(&self.octets, SEQUENCE)?;
        // SignedData ::= SEQUENCE { version, digestAlgorithms SET, encapContentInfo, certificates [0] IMPLICIT, crls [1] IMPLICIT, … }
        let mut signed = Walk::new(signed.content);
        signed.expect(&self.octets, INTEGER)?;
        signed.expect(&self.octets, SET)?;
        signed.expect(&self.octets, SEQUENCE)?;
        if let Some(certificates) = signed.optional(&self.octets, ZERO)? {
            self.choices(certificates.content, BundleKind::Certificate, &[ONE, 0xA2])?;
        }
        if let Some(lists) = signed.optional(&self.octets, ONE)? {
            self.choices(lists.content, BundleKind::CertificateList, &[])?;
        }
        Ok(())
    }

    /// CertificateSet or RevocationInfoChoices: what is untagged, and what has one of the tags of attribute certificates.
    fn choices(&mut self, range: Range<usize>, kind: BundleKind, attribute: &[u8]) -> Result<(), Fault> {
        let mut walk = Walk::new(range);
        while !walk.is_empty() {
            let item = walk.next(&self.octets)?;
            let kind = match item.tag {
                SEQUENCE => kind,
                tag if attribute.contains(&tag) => BundleKind::AttributeCertificate,
                _ => BundleKind::Other,
            };
            self.push(kind, item.start..item.end, 0..0);
        }
        Ok(())
    }

    /// The content of an OCTET STRING, joined if it is in segments.
    fn string(&mut self, string: &Element) -> Result<Range<usize>, Fault> {
        match string.tag {
            OCTET_STRING => return Ok(string.content.clone()),
            0x24 => {}
            _ => return Err(Fault::new(Kind::UnexpectedTag, string.start)),
        }
        let mut open = vec![Walk::new(string.content.clone())];
        let mut joined: Vec<u8> = Vec::with_capacity(string.content.len());
        while let Some(walk) = open.last_mut() {
            if walk.is_empty() {
                open.pop();
                continue;
            }
            let segment = walk.next(&self.octets)?;
            match segment.tag {
                OCTET_STRING => joined.extend(self.octets.get(segment.content).unwrap_or_default()),
                0x24 if open.len() < MAX_DEPTH => open.push(Walk::new(segment.content)),
                0x24 => return Err(Fault::new(Kind::DepthExceeded, segment.start)),
                _ => return Err(Fault::new(Kind::UnexpectedTag, segment.start)),
            }
        }
        let origin = self.joined.iter().rev().find(|(start, _)| string.start >= *start).map_or(string.start, |at| at.1);
        let octets = self.octets.to_mut();
        let start = octets.len();
        octets.append(&mut joined);
        self.joined.push((start, origin));
        Ok(start..octets.len())
    }

    /// `AuthenticatedSafe ::= SEQUENCE OF ContentInfo`
    fn authenticated_safe(&mut self, safe: Range<usize>) -> Result<(), Fault> {
        let list = Walk::new(safe).expect(&self.octets, SEQUENCE)?;
        let mut list = Walk::new(list.content);
        while !list.is_empty() {
            let info = list.expect(&self.octets, SEQUENCE)?;
            let whole = info.start..info.end;
            let mut walk = Walk::new(info.content);
            let id = walk.expect(&self.octets, OID)?.content;
            if self.is(&id, &ID_DATA) {
                let content = walk.expect(&self.octets, ZERO)?;
                let string = Walk::new(content.content).next(&self.octets)?;
                let contents = self.string(&string)?;
                self.safe_contents(contents)?;
            } else if self.is(&id, &ID_ENCRYPTED_DATA) || self.is(&id, &ID_ENVELOPED_DATA) {
                self.push(BundleKind::Encrypted, whole, 0..0);
            } else {
                self.push(BundleKind::Other, whole, 0..0);
            }
        }
        Ok(())
    }

    /// `SafeContents ::= SEQUENCE OF SafeBag`, and those nested in them.
    fn safe_contents(&mut self, contents: Range<usize>) -> Result<(), Fault> {
        let list = Walk::new(contents).expect(&self.octets, SEQUENCE)?;
        let mut open = vec![Walk::new(list.content)];
        while let Some(walk) = open.last_mut() {
            if walk.is_empty() {
                open.pop();
                continue;
            }
            // SafeBag ::= SEQUENCE { bagId, bagValue [0] EXPLICIT, bagAttributes SET OF PKCS12Attribute OPTIONAL }
            let bag = walk.expect(&self.octets, SEQUENCE)?;
            let mut parts = Walk::new(bag.content.clone());
            let id = parts.expect(&self.octets, OID)?.content;
            let value = parts.expect(&self.octets, ZERO)?;
            let attributes = parts.optional(&self.octets, SET)?.map_or(0..0, |set| set.content);
            let inner = Walk::new(value.content).next(&self.octets)?;
            let whole = inner.start..inner.end;
            let kind = self.octets.get(id).and_then(|id| id.strip_prefix(&BAG_TYPES));
            match kind {
                Some([1]) => self.push(BundleKind::PrivateKey, whole, attributes),
                Some([2]) => self.push(BundleKind::EncryptedPrivateKey, whole, attributes),
                Some([3]) => self.typed(inner.content, &X509_CERTIFICATE, BundleKind::Certificate, attributes)?,
                Some([4]) => self.typed(inner.content, &X509_CRL, BundleKind::CertificateList, attributes)?,
                Some([5]) => self.push(BundleKind::Secret, whole, attributes),
                Some([6]) if open.len() < MAX_DEPTH => open.push(Walk::new(inner.content)),
                Some([6]) => return Err(Fault::new(Kind::DepthExceeded, bag.start)),
                _ => self.push(BundleKind::Other, whole, attributes),
            }
        }
        Ok(())
    }

    /// `CertBag ::= SEQUENCE { certId, certValue [0] EXPLICIT OCTET STRING }`, and the same of CRLs.
    fn typed(
        &mut self,
        bag: Range<usize>,
        wanted: &[u8],
        kind: BundleKind,
        attributes: Range<usize>,
    ) -> Result<(), Fault> {
        let mut walk = Walk::new(bag);
        let id = walk.expect(&self.octets, OID)?.content;
        let value = walk.expect(&self.octets, ZERO)?.content;
        if !self.is(&id, wanted) {
            self.push(BundleKind::Other, value, attributes);
            return Ok(());
        }
        let string = Walk::new(value).next(&self.octets)?;
        let octets = self.string(&string)?;
        self.push(kind, octets, attributes);
        Ok(())
    }

    /// Iterates over all items in order.
    pub fn items(&self) -> impl Iterator<Item = BundleItem<'_>> {
        self.items.iter().map(|span| BundleItem {
            kind: span.kind,
            octets: self.octets.get(span.octets.clone()).unwrap_or_default(),
            attributes: self.octets.get(span.attributes.clone()).unwrap_or_default(),
        })
    }

    /// Iterates over the certificates.
    pub fn certificates(&self) -> impl Iterator<Item = &[u8]> {
        self.items().filter(|item| item.kind == BundleKind::Certificate).map(|item| item.octets)
    }

    /// Iterates over the CRLs.
    pub fn lists(&self) -> impl Iterator<Item = &[u8]> {
        self.items().filter(|item| item.kind == BundleKind::CertificateList).map(|item| item.octets)
    }
}

impl<'b> BundleItem<'b> {
    pub(crate) const fn new(kind: BundleKind, octets: &'b [u8], attributes: &'b [u8]) -> Self {
        Self { kind, octets, attributes }
    }

    /// The trusted purposes of a certificate in a Java truststore: `trustedKeyUsage`. Empty if there are none.
    pub fn trusted_usages(&self) -> impl Iterator<Item = Oid<'b>> + use<'b> {
        let octets = self.attributes;
        let mut values = self.values(&TRUSTED_KEY_USAGE).map(Walk::new);
        core::iter::from_fn(move || {
            let walk = values.as_mut().filter(|walk| !walk.is_empty())?;
            Oid::from_content(octets.get(walk.expect(octets, OID).ok()?.content)?).ok()
        })
    }

    /// The values of an attribute.
    fn values(&self, wanted: &[u8]) -> Option<Range<usize>> {
        let mut list = Walk::new(0..self.attributes.len());
        while !list.is_empty() {
            let attribute = list.next(self.attributes).ok()?;
            let mut parts = Walk::new(attribute.content);
            let id = parts.expect(self.attributes, OID).ok()?.content;
            if self.attributes.get(id) == Some(wanted) {
                return Some(parts.expect(self.attributes, SET).ok()?.content);
            }
        }
        None
    }

    /// The first value of an attribute.
    fn attribute(&self, wanted: &[u8]) -> Option<(u8, &'b [u8])> {
        let value = Walk::new(self.values(wanted)?).next(self.attributes).ok()?;
        Some((value.tag, self.attributes.get(value.content)?))
    }

    /// The PKCS #12 display name: `friendlyName` (RFC 2985 §5.5.1).
    #[must_use]
    pub fn friendly_name(&self) -> Option<String> {
        let (tag, octets) = self.attribute(&FRIENDLY_NAME)?;
        let units = octets.as_chunks::<2>().0.iter().map(|unit| u16::from_be_bytes(*unit));
        (tag == 0x1E)
            .then(|| char::decode_utf16(units).map(|char| char.unwrap_or(char::REPLACEMENT_CHARACTER)).collect())
    }

    /// The identifier that links a key to its certificate: `localKeyId` (RFC 2985 §5.5.2).
    #[must_use]
    pub fn local_key_id(&self) -> Option<&'b [u8]> {
        self.attribute(&LOCAL_KEY_ID).filter(|(tag, _)| *tag == OCTET_STRING).map(|(_, octets)| octets)
    }
}

#[cfg(test)]
mod tests;
