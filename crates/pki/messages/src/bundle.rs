//! Extracts certificates, CRLs and keys from PKCS #7 / CMS signed data and PKCS #12 files, in one pass over DER or BER.
//!
//! Signatures, MACs and encrypted data are skipped, and items are not decoded. Contiguous bytes are borrowed from the
//! input. Segmented BER strings are concatenated once.

use std::borrow::Cow;
use std::ops::Range;

use tagwise_codec::ber::{Element, Elements};
use tagwise_codec::{Any, Error, Fault, FaultKind, Oid, Tag, Typed};

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
    /// For each concatenated string, its offset in `octets` and its offset in the input.
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
    /// The kind of item.
    pub kind: BundleKind,
    /// The item's original bytes. Signed items are DER if their creator followed the standards.
    pub octets: &'b [u8],
    /// The concatenated attributes of a PKCS #12 bag.
    attributes: &'b [u8],
}

/// Displays the kind and size, but not the bytes, which may be secret.
impl core::fmt::Debug for BundleItem<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "BundleItem({:?}, {} bytes)", self.kind, self.octets.len())
    }
}

const ZERO: Tag = Tag::context(0).constructed();
const ONE: Tag = Tag::context(1).constructed();
/// The tags of attribute certificates in CMS: `v1AttrCert [1]` and `v2AttrCert [2]` (RFC 5652 §10.2.2).
const ATTRIBUTE: [Tag; 2] = [ONE, Tag::context(2).constructed()];
/// The tag of a segmented OCTET STRING (X.690 §8.7.3).
const SEGMENTED: Tag = Tag::OCTET_STRING.constructed();

const ID_DATA: [u8; 9] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7, 1];
const ID_SIGNED_DATA: [u8; 9] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7, 2];
const ID_ENVELOPED_DATA: [u8; 9] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7, 3];
const ID_ENCRYPTED_DATA: [u8; 9] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7, 6];
/// The identifiers of PKCS #12 bag types, without the last arc (`bagtypes`).
const BAG_TYPES: [u8; 10] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 12, 10, 1];
/// The certificate and CRL types of PKCS #9: `x509Certificate`, `x509CRL`.
const X509_CERTIFICATE: [u8; 10] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 9, 22, 1];
const X509_CRL: [u8; 10] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 9, 23, 1];
/// The attribute types of PKCS #9: `pkcs-9-at-friendlyName`, `pkcs-9-at-localKeyId`.
const FRIENDLY_NAME: [u8; 9] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 9, 20];
const LOCAL_KEY_ID: [u8; 9] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 9, 21];

/// The attribute type `trustedKeyUsage` of Java truststores: 2.16.840.1.113894.746875.1.1.
const TRUSTED_KEY_USAGE: [u8; 12] = [0x60, 0x86, 0x48, 1, 0x86, 0xF9, 0x66, 0xAD, 0xCA, 0x7B, 1, 1];

/// The nesting limit for safe contents and for segments of strings; neither is nested in practice.
const MAX_DEPTH: usize = 16;

/// Returns the elements in a range.
const fn of(range: Range<usize>) -> Elements {
    Elements::new(range.start, range.end)
}

impl<'a> Bundle<'a> {
    /// Reads a CMS message with signed data or a PKCS #12 file. Other CMS messages contain no items.
    ///
    /// # Errors
    /// Returns an error, with its offset, if the structure around the items is malformed. Returns [`FaultKind::TrailingData`] if
    /// data follows the message.
    pub fn read(input: &'a [u8]) -> Result<Self, Error> {
        let (bundle, end) = Self::read_first(input)?;
        match end {
            end if end < input.len() => Err(Error::locate(Fault::new(FaultKind::TrailingData, end), Any::ty(), input)),
            _ => Ok(bundle),
        }
    }

    /// Reads a message at the start of an input. Returns its contents and the offset of its end.
    ///
    /// # Errors
    /// Returns an error, with its offset, if the structure around the items is malformed.
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

    /// Reads the outermost element, and returns its end.
    fn whole(&mut self) -> Result<usize, Fault> {
        if self.octets.len() > u32::MAX as usize {
            return Err(Fault::new(FaultKind::InputTooLarge, 0));
        }
        let outer = Elements::new(0, self.octets.len()).expect(&self.octets, Tag::SEQUENCE)?;
        let mut walk = outer.children();
        if walk.optional(&self.octets, Tag::INTEGER)?.is_none() {
            self.message(outer.content)?;
            return Ok(outer.end);
        }
        // PFX ::= SEQUENCE { version INTEGER {v3(3)}(v3,...), authSafe ContentInfo, macData MacData OPTIONAL }
        let safe = walk.expect(&self.octets, Tag::SEQUENCE)?;
        let mut info = safe.children();
        let id = info.expect(&self.octets, Tag::OBJECT_IDENTIFIER)?;
        let content = info.expect(&self.octets, ZERO)?.content;
        let inner = if self.is(&id.content, &ID_SIGNED_DATA) {
            // Public-key integrity mode: the safe is what is signed.
            let signed = of(content).expect(&self.octets, Tag::SEQUENCE)?;
            let mut signed = signed.children();
            signed.expect(&self.octets, Tag::INTEGER)?;
            signed.expect(&self.octets, Tag::SET)?;
            let mut encapsulated = signed.expect(&self.octets, Tag::SEQUENCE)?.children();
            encapsulated.expect(&self.octets, Tag::OBJECT_IDENTIFIER)?;
            encapsulated.expect(&self.octets, ZERO)?.content
        } else {
            content
        };
        let string = of(inner).next(&self.octets)?;
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

    /// Reads `ContentInfo ::= SEQUENCE { contentType ContentType, content [0] EXPLICIT ANY DEFINED BY contentType }`.
    fn message(&mut self, info: Range<usize>) -> Result<(), Fault> {
        let mut info = of(info);
        let id = info.expect(&self.octets, Tag::OBJECT_IDENTIFIER)?;
        if !self.is(&id.content, &ID_SIGNED_DATA) {
            return Ok(());
        }
        let content = info.expect(&self.octets, ZERO)?;
        let signed = content.children().expect(&self.octets, Tag::SEQUENCE)?;
        // SignedData ::= SEQUENCE { version, digestAlgorithms SET, encapContentInfo, certificates [0] IMPLICIT, crls [1] IMPLICIT, … }
        let mut signed = signed.children();
        signed.expect(&self.octets, Tag::INTEGER)?;
        signed.expect(&self.octets, Tag::SET)?;
        signed.expect(&self.octets, Tag::SEQUENCE)?;
        if let Some(certificates) = signed.optional(&self.octets, ZERO)? {
            self.choices(certificates.content, BundleKind::Certificate, &ATTRIBUTE)?;
        }
        if let Some(lists) = signed.optional(&self.octets, ONE)? {
            self.choices(lists.content, BundleKind::CertificateList, &[])?;
        }
        Ok(())
    }

    /// Reads a CertificateSet or RevocationInfoChoices: its untagged items, and those with a tag of an attribute
    /// certificate.
    fn choices(&mut self, range: Range<usize>, kind: BundleKind, attribute: &[Tag]) -> Result<(), Fault> {
        let mut walk = of(range);
        while !walk.is_empty() {
            let item = walk.next(&self.octets)?;
            let kind = match item.tag {
                Tag::SEQUENCE => kind,
                tag if attribute.contains(&tag) => BundleKind::AttributeCertificate,
                _ => BundleKind::Other,
            };
            self.push(kind, item.range(), 0..0);
        }
        Ok(())
    }

    /// Returns the content of an OCTET STRING, with segments concatenated.
    fn string(&mut self, string: &Element) -> Result<Range<usize>, Fault> {
        match string.tag {
            Tag::OCTET_STRING => return Ok(string.content.clone()),
            SEGMENTED => {}
            _ => return Err(Fault::new(FaultKind::UnexpectedTag, string.start)),
        }
        let mut open = vec![string.children()];
        let mut joined: Vec<u8> = Vec::with_capacity(string.content.len());
        while let Some(walk) = open.last_mut() {
            if walk.is_empty() {
                open.pop();
                continue;
            }
            let segment = walk.next(&self.octets)?;
            match segment.tag {
                Tag::OCTET_STRING => joined.extend(self.octets.get(segment.content).unwrap_or_default()),
                SEGMENTED if open.len() < MAX_DEPTH => open.push(segment.children()),
                SEGMENTED => return Err(Fault::new(FaultKind::DepthExceeded, segment.start)),
                _ => return Err(Fault::new(FaultKind::UnexpectedTag, segment.start)),
            }
        }
        let origin = self.joined.iter().rev().find(|(start, _)| string.start >= *start).map_or(string.start, |at| at.1);
        let octets = self.octets.to_mut();
        let start = octets.len();
        octets.append(&mut joined);
        self.joined.push((start, origin));
        Ok(start..octets.len())
    }

    /// Reads `AuthenticatedSafe ::= SEQUENCE OF ContentInfo`.
    fn authenticated_safe(&mut self, safe: Range<usize>) -> Result<(), Fault> {
        let list = of(safe).expect(&self.octets, Tag::SEQUENCE)?;
        let mut list = list.children();
        while !list.is_empty() {
            let info = list.expect(&self.octets, Tag::SEQUENCE)?;
            let whole = info.range();
            let mut walk = info.children();
            let id = walk.expect(&self.octets, Tag::OBJECT_IDENTIFIER)?.content;
            if self.is(&id, &ID_DATA) {
                let content = walk.expect(&self.octets, ZERO)?;
                let string = content.children().next(&self.octets)?;
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

    /// Reads `SafeContents ::= SEQUENCE OF SafeBag` and nested SafeContents.
    fn safe_contents(&mut self, contents: Range<usize>) -> Result<(), Fault> {
        let list = of(contents).expect(&self.octets, Tag::SEQUENCE)?;
        let mut open = vec![list.children()];
        while let Some(walk) = open.last_mut() {
            if walk.is_empty() {
                open.pop();
                continue;
            }
            // SafeBag ::= SEQUENCE { bagId, bagValue [0] EXPLICIT, bagAttributes SET OF PKCS12Attribute OPTIONAL }
            let bag = walk.expect(&self.octets, Tag::SEQUENCE)?;
            let mut parts = bag.children();
            let id = parts.expect(&self.octets, Tag::OBJECT_IDENTIFIER)?.content;
            let value = parts.expect(&self.octets, ZERO)?;
            let attributes = parts.optional(&self.octets, Tag::SET)?.map_or(0..0, |set| set.content);
            let inner = value.children().next(&self.octets)?;
            let whole = inner.range();
            let kind = self.octets.get(id).and_then(|id| id.strip_prefix(&BAG_TYPES));
            match kind {
                Some([1]) => self.push(BundleKind::PrivateKey, whole, attributes),
                Some([2]) => self.push(BundleKind::EncryptedPrivateKey, whole, attributes),
                Some([3]) => self.typed(inner.content, &X509_CERTIFICATE, BundleKind::Certificate, attributes)?,
                Some([4]) => self.typed(inner.content, &X509_CRL, BundleKind::CertificateList, attributes)?,
                Some([5]) => self.push(BundleKind::Secret, whole, attributes),
                Some([6]) if open.len() < MAX_DEPTH => open.push(inner.children()),
                Some([6]) => return Err(Fault::new(FaultKind::DepthExceeded, bag.start)),
                _ => self.push(BundleKind::Other, whole, attributes),
            }
        }
        Ok(())
    }

    /// Reads `CertBag ::= SEQUENCE { certId, certValue [0] EXPLICIT OCTET STRING }`, or the equivalent CRLBag.
    fn typed(
        &mut self,
        bag: Range<usize>,
        wanted: &[u8],
        kind: BundleKind,
        attributes: Range<usize>,
    ) -> Result<(), Fault> {
        let mut walk = of(bag);
        let id = walk.expect(&self.octets, Tag::OBJECT_IDENTIFIER)?.content;
        let value = walk.expect(&self.octets, ZERO)?.content;
        if !self.is(&id, wanted) {
            self.push(BundleKind::Other, value, attributes);
            return Ok(());
        }
        let string = of(value).next(&self.octets)?;
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

    /// Returns the trusted purposes of a certificate in a Java truststore (`trustedKeyUsage`). Empty if there are none.
    pub fn trusted_usages(&self) -> impl Iterator<Item = Oid<'b>> + use<'b> {
        let octets = self.attributes;
        let mut values = self.values(&TRUSTED_KEY_USAGE).map(of);
        core::iter::from_fn(move || {
            let walk = values.as_mut().filter(|walk| !walk.is_empty())?;
            Oid::from_content(octets.get(walk.expect(octets, Tag::OBJECT_IDENTIFIER).ok()?.content)?).ok()
        })
    }

    /// Returns the values of an attribute.
    fn values(&self, wanted: &[u8]) -> Option<Range<usize>> {
        let mut list = Elements::new(0, self.attributes.len());
        while !list.is_empty() {
            let attribute = list.next(self.attributes).ok()?;
            let mut parts = attribute.children();
            let id = parts.expect(self.attributes, Tag::OBJECT_IDENTIFIER).ok()?.content;
            if self.attributes.get(id) == Some(wanted) {
                return Some(parts.expect(self.attributes, Tag::SET).ok()?.content);
            }
        }
        None
    }

    /// Returns the first value of an attribute.
    fn attribute(&self, wanted: &[u8]) -> Option<(Tag, &'b [u8])> {
        let value = of(self.values(wanted)?).next(self.attributes).ok()?;
        Some((value.tag, self.attributes.get(value.content)?))
    }

    /// Returns the PKCS #12 display name: `friendlyName` (RFC 2985 §5.5.1).
    #[must_use]
    pub fn friendly_name(&self) -> Option<String> {
        let (tag, octets) = self.attribute(&FRIENDLY_NAME)?;
        let units = octets.as_chunks::<2>().0.iter().map(|unit| u16::from_be_bytes(*unit));
        (tag == Tag::BMP_STRING)
            .then(|| char::decode_utf16(units).map(|char| char.unwrap_or(char::REPLACEMENT_CHARACTER)).collect())
    }

    /// Returns the identifier that links a key to its certificate: `localKeyId` (RFC 2985 §5.5.2).
    #[must_use]
    pub fn local_key_id(&self) -> Option<&'b [u8]> {
        self.attribute(&LOCAL_KEY_ID).filter(|(tag, _)| *tag == Tag::OCTET_STRING).map(|(_, octets)| octets)
    }
}

#[cfg(test)]
mod tests;
