//! Certificate property lists, which provide a server with information about a certification path.

use alloc::vec::Vec;

use crate::error::{Error, ErrorKind};
use crate::wire::{Wire, put_number, put_vector};
use crate::{TrustAnchorId, TrustAnchorPattern};

/// The PEM label of a property list, which precedes the end-entity certificate.
pub const PROPERTIES_LABEL: &str = "CERTIFICATE PROPERTIES";

const ID: u16 = 0;
const GROUPS: u16 = 1;
const NEGOTIATION: u16 = 2;

/// A certificate property list (draft-ietf-tls-trust-anchor-ids-06 §6).
///
/// ```text
/// enum { trust_anchor_id(0), trust_anchor_groups(1), trust_anchor_negotiation(2), (2^16-1) } CertificatePropertyType;
/// struct { CertificatePropertyType type; opaque data<0..2^16-1>; } CertificateProperty;
/// CertificateProperty CertificatePropertyList<0..2^16-1>;
/// ```
///
/// ```
/// use tagwise_mtc::CertificateProperties;
/// let ca = "32473.1".parse()?;
/// let properties = CertificateProperties::of_landmark(&ca, 1, 1)?;
/// assert_eq!(CertificateProperties::decode(&properties.encode()?)?, properties);
/// # Ok::<(), tagwise_mtc::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CertificateProperties {
    /// The trust anchor ID of the path.
    pub trust_anchor: Option<TrustAnchorId>,
    /// Patterns for further IDs that select the path if a relying party requests them, or `None` if the property is absent.
    pub groups: Option<Vec<TrustAnchorPattern>>,
    /// True if the path must be sent only to relying parties that request it.
    pub needs_negotiation: bool,
    /// Other properties with their contents, in ascending order of type.
    pub others: Vec<(u16, Vec<u8>)>,
}

impl CertificateProperties {
    /// Creates the properties of a standalone certificate (MTC §8): the CA's ID, and all landmark groups.
    ///
    /// # Errors
    /// Returns an error if an ID becomes too long.
    pub fn of_standalone(ca: &TrustAnchorId) -> Result<Self, Error> {
        let groups = TrustAnchorPattern::new(ca, &[(2, Some(2)), (0, None), (0, None)])?;
        Ok(Self { trust_anchor: Some(*ca), groups: Some(Vec::from([groups])), ..Self::default() })
    }

    /// Creates the properties of a landmark-relative certificate (MTC §8): the landmark's ID, its group and later groups. Such
    /// a certificate is sent only on request, never as a fallback.
    ///
    /// # Errors
    /// Returns any error from [`TrustAnchorId::landmark`].
    pub fn of_landmark(ca: &TrustAnchorId, log: u16, landmark: u64) -> Result<Self, Error> {
        let trust_anchor = ca.landmark(log, landmark)?;
        let log = u64::from(log);
        let groups = TrustAnchorPattern::new(ca, &[(2, Some(2)), (log, Some(log)), (landmark, None)])?;
        Ok(Self {
            trust_anchor: Some(trust_anchor),
            groups: Some(Vec::from([groups])),
            needs_negotiation: true,
            others: Vec::new(),
        })
    }

    /// Decodes a list.
    ///
    /// # Errors
    /// Returns [`ErrorKind::PropertyOrder`] if the properties are out of order, [`ErrorKind::PropertyContent`] if a property
    /// that must be empty is not, or any error in an ID, pattern or vector.
    pub fn decode(bytes: &[u8]) -> Result<Self, Error> {
        let mut outer = Wire::new(bytes);
        let mut list = outer.vector(2, 0)?;
        outer.finish()?;
        let mut out = Self::default();
        let mut last = None;
        while !list.is_empty() {
            let at = list.fail(ErrorKind::PropertyOrder);
            let kind = list.u16()?;
            if last.is_some_and(|last| kind <= last) {
                return Err(at);
            }
            last = Some(kind);
            let mut data = list.vector(2, 0)?;
            let base = data.offset();
            match kind {
                ID => {
                    let id = TrustAnchorId::from_bytes(data.rest()).map_err(|error| error.rebase(base))?;
                    out.trust_anchor = Some(id);
                }
                GROUPS => {
                    let mut patterns = data.vector(2, 1)?;
                    data.finish()?;
                    let mut groups = Vec::new();
                    while !patterns.is_empty() {
                        let pattern = patterns.vector(1, 0)?;
                        let base = pattern.offset();
                        let pattern = TrustAnchorPattern::from_bytes(pattern.rest());
                        groups.push(pattern.map_err(|error| error.rebase(base))?);
                    }
                    out.groups = Some(groups);
                }
                NEGOTIATION if !data.is_empty() => return Err(data.fail(ErrorKind::PropertyContent)),
                NEGOTIATION => out.needs_negotiation = true,
                _ => out.others.push((kind, data.rest().to_vec())),
            }
        }
        Ok(out)
    }

    /// Encodes the list.
    ///
    /// # Errors
    /// Returns [`ErrorKind::TooLong`] if a property is too long, [`ErrorKind::TooShort`] if the list of groups is empty, or
    /// [`ErrorKind::PropertyOrder`] if other properties are out of order.
    pub fn encode(&self) -> Result<Vec<u8>, Error> {
        let mut list = Vec::new();
        let mut put = |kind: u16, data: &[u8]| {
            put_number(&mut list, u64::from(kind), 2);
            put_vector(&mut list, 2, data)
        };
        if let Some(id) = &self.trust_anchor {
            put(ID, id.as_bytes())?;
        }
        if let Some(groups) = &self.groups {
            if groups.is_empty() {
                return Err(Error::new(ErrorKind::TooShort, 0));
            }
            let mut patterns = Vec::new();
            for pattern in groups {
                put_vector(&mut patterns, 1, pattern.as_bytes())?;
            }
            let mut data = Vec::new();
            put_vector(&mut data, 2, &patterns)?;
            put(GROUPS, &data)?;
        }
        if self.needs_negotiation {
            put(NEGOTIATION, &[])?;
        }
        let mut last = NEGOTIATION;
        for (kind, data) in &self.others {
            if *kind <= last {
                return Err(Error::new(ErrorKind::PropertyOrder, 0));
            }
            last = *kind;
            put(*kind, data)?;
        }
        let mut out = Vec::new();
        put_vector(&mut out, 2, &list)?;
        Ok(out)
    }

    /// Returns whether the path matches a requested ID: its own ID, or one matched by its patterns.
    #[must_use]
    pub fn matches(&self, requested: &TrustAnchorId) -> bool {
        self.trust_anchor.as_ref() == Some(requested)
            || self.groups.iter().flatten().any(|pattern| pattern.contains(requested))
    }
}
