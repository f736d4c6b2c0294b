//! Extensions of CRLs and of their entries (RFC 5280 §5.2.3, §5.2.4, §5.3).

use core::fmt;

use tagwise_codec::{GeneralizedTime, Oid};
use tagwise_derive::Asn1;

use crate::ext::{Count, GeneralNames, WholeSeconds};
use crate::oids;

/// ```asn1
/// CRLNumber ::= INTEGER (0..MAX)
/// ```
///
/// The CRL number, which increases with each CRL (RFC 5280 §5.2.3). It may have up to 20 bytes, so compare the
/// integers, not [`Count::get`].
///
/// ```
/// use tagwise_codec::Decode;
/// use tagwise_x509::ext::CrlNumber;
/// let old = CrlNumber::from_der(&[0x02, 0x01, 0x7F])?;
/// let new = CrlNumber::from_der(&[0x02, 0x02, 0x00, 0x80])?;
/// assert!(old < new);
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[asn1(name = "CRLNumber")]
pub struct CrlNumber<'a>(
    /// The CRL number.
    pub Count<'a>,
);

impl core::fmt::Display for CrlNumber<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.0.fmt(f)
    }
}

/// ```asn1
/// BaseCRLNumber ::= CRLNumber
/// ```
///
/// Marks a delta CRL, which lists changes since the base CRL with this number (RFC 5280 §5.2.4).
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq)]
#[asn1(name = "BaseCRLNumber")]
pub struct DeltaCrlIndicator<'a>(
    /// The number of the base CRL.
    pub CrlNumber<'a>,
);

/// ```asn1
/// CRLReason ::= ENUMERATED {
///      unspecified             (0),
///      keyCompromise           (1),
///      cACompromise            (2),
///      affiliationChanged      (3),
///      superseded              (4),
///      cessationOfOperation    (5),
///      certificateHold         (6),
///           -- value 7 is not used
///      removeFromCRL           (8),
///      privilegeWithdrawn      (9),
///      aACompromise           (10) }
/// ```
///
/// The reason for a revocation (RFC 5280 §5.3.1).
///
/// ```
/// use tagwise_codec::{Decode, encode};
/// use tagwise_x509::ext::CrlReason;
/// assert_eq!(CrlReason::from_der(&[0x0A, 0x01, 0x01])?, CrlReason::KeyCompromise);
/// assert_eq!(CrlReason::CaCompromise.name(), "cACompromise");
/// assert_eq!(CrlReason::from_der(&[0x0A, 0x01, 0x07]).unwrap_err().code(), "enumerated-unknown");
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[asn1(name = "CRLReason")]
pub enum CrlReason {
    /// No reason is given.
    Unspecified = 0,
    /// The private key is, or may be, compromised.
    KeyCompromise = 1,
    /// The CA's private key is, or may be, compromised.
    #[asn1(name = "cACompromise")]
    CaCompromise = 2,
    /// The subject's name or other information has changed.
    AffiliationChanged = 3,
    /// The certificate has been replaced.
    Superseded = 4,
    /// The certificate is no longer needed.
    CessationOfOperation = 5,
    /// The certificate is on hold.
    CertificateHold = 6,
    /// The certificate is no longer on hold, or has expired. Used only in delta CRLs.
    #[asn1(name = "removeFromCRL")]
    RemoveFromCrl = 8,
    /// A privilege in the certificate was withdrawn.
    PrivilegeWithdrawn = 9,
    /// The attribute authority is, or may be, compromised.
    #[asn1(name = "aACompromise")]
    AaCompromise = 10,
}

impl CrlReason {
    /// Returns the ASN.1 name of the reason.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unspecified => "unspecified",
            Self::KeyCompromise => "keyCompromise",
            Self::CaCompromise => "cACompromise",
            Self::AffiliationChanged => "affiliationChanged",
            Self::Superseded => "superseded",
            Self::CessationOfOperation => "cessationOfOperation",
            Self::CertificateHold => "certificateHold",
            Self::RemoveFromCrl => "removeFromCRL",
            Self::PrivilegeWithdrawn => "privilegeWithdrawn",
            Self::AaCompromise => "aACompromise",
        }
    }
}

impl fmt::Display for CrlReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// ```asn1
/// HoldInstructionCode ::= OBJECT IDENTIFIER
/// ```
///
/// The action for a certificate on hold (RFC 3280 §5.3.2, RFC 5280 §A.2).
///
/// ```
/// use tagwise_x509::ext::HoldInstructionCode;
/// assert_eq!(HoldInstructionCode::REJECT.name(), Some("id-holdinstruction-reject"));
/// ```
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HoldInstructionCode<'a>(
    /// The instruction's identifier.
    pub Oid<'a>,
);

impl HoldInstructionCode<'_> {
    /// `id-holdinstruction-none`: equivalent to no instruction.
    pub const NONE: HoldInstructionCode<'static> = HoldInstructionCode(oids::HOLDINSTRUCTION_NONE);
    /// `id-holdinstruction-callissuer`: call the issuer, or reject the certificate.
    pub const CALL_ISSUER: HoldInstructionCode<'static> = HoldInstructionCode(oids::HOLDINSTRUCTION_CALLISSUER);
    /// `id-holdinstruction-reject`: reject the certificate.
    pub const REJECT: HoldInstructionCode<'static> = HoldInstructionCode(oids::HOLDINSTRUCTION_REJECT);

    /// Returns the name of the instruction, if known.
    #[must_use]
    pub fn name(&self) -> Option<&'static str> {
        match *self {
            code if code == Self::NONE => Some("id-holdinstruction-none"),
            code if code == Self::CALL_ISSUER => Some("id-holdinstruction-callissuer"),
            code if code == Self::REJECT => Some("id-holdinstruction-reject"),
            _ => None,
        }
    }
}

/// ```asn1
/// InvalidityDate ::=  GeneralizedTime
/// ```
///
/// The time since which the key is known or suspected to be compromised, in whole seconds (RFC 5280 §5.3.2).
///
/// ```
/// use tagwise_codec::Decode;
/// use tagwise_x509::ext::InvalidityDate;
/// let date = InvalidityDate::from_der(b"\x18\x0f20261121100000Z")?;
/// assert_eq!(date.0.to_string(), "2026-11-21T10:00:00Z");
/// let error = InvalidityDate::from_der(b"\x18\x1120261121100000.5Z").unwrap_err();
/// assert_eq!(error.code(), "fractional-time");
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidityDate<'a>(
    /// The time.
    pub WholeSeconds<'a>,
);

/// ```asn1
/// ExpiredCertsOnCRL ::= GeneralizedTime
/// ```
///
/// States that the CRL still lists certificates that expired at or after this time (X.509).
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq)]
#[asn1(name = "ExpiredCertsOnCRL")]
pub struct ExpiredCertsOnCrl<'a>(
    /// The time.
    pub GeneralizedTime<'a>,
);

/// ```asn1
/// CertificateIssuer ::=     GeneralNames
/// ```
///
/// The certificate issuer for this and the following entries of an indirect CRL (RFC 5280 §5.3.3).
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct CertificateIssuer<'a>(
    /// The issuer's names.
    pub GeneralNames<'a>,
);
