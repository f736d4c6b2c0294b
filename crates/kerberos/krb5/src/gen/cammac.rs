//! ASN.1 module `KerberosV5CAMMAC`, from `KerberosV5CAMMAC.asn1`.
//!
//! Written by the schema compiler: change the schema or its overlay, not this file.
//!
//! Authorization data in a container that several keys authenticate, and authentication indicators.
//! RFC 7751 Appendix A, RFC 8129 §3.
#![allow(clippy::large_enum_variant)]

use super::kerberos::{AuthorizationData, Checksum, Int32, PrincipalName};
use tagwise_codec::{Any, SeqOf, Utf8};
use tagwise_derive::Asn1;

/// ```asn1
/// AD-CAMMAC ::= SEQUENCE {
///   elements         [0] AuthorizationData,
///   kdc-verifier     [1] Verifier-MAC OPTIONAL,
///   svc-verifier     [2] Verifier-MAC OPTIONAL,
///   other-verifiers  [3] SEQUENCE (SIZE (1..MAX)) OF Verifier OPTIONAL
/// }
/// ```
///
/// `KerberosV5CAMMAC.asn1`, line 13.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "AD-CAMMAC", constructor)]
pub struct AdCammac<'a> {
    /// `elements [0] AuthorizationData`.
    #[asn1(explicit = 0)]
    pub elements: AuthorizationData<'a>,
    /// `kdc-verifier [1] Verifier-MAC OPTIONAL`.
    #[asn1(explicit = 1, name = "kdc-verifier")]
    pub kdc_verifier: Option<VerifierMac<'a>>,
    /// `svc-verifier [2] Verifier-MAC OPTIONAL`.
    #[asn1(explicit = 2, name = "svc-verifier")]
    pub svc_verifier: Option<VerifierMac<'a>>,
    /// `other-verifiers [3] SEQUENCE (SIZE (1..MAX)) OF Verifier OPTIONAL`.
    #[asn1(explicit = 3, size(1..), name = "other-verifiers")]
    pub other_verifiers: Option<SeqOf<'a, Verifier<'a>>>,
}

/// ```asn1
/// Verifier ::= CHOICE {
///   mac  Verifier-MAC,
///   ...
/// }
/// ```
///
/// `KerberosV5CAMMAC.asn1`, line 20.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub enum Verifier<'a> {
    /// `mac Verifier-MAC`.
    Mac(VerifierMac<'a>),
    /// An alternative that a later version adds.
    #[asn1(unknown)]
    Unknown(Any<'a>),
}

/// ```asn1
/// Verifier-MAC ::= SEQUENCE {
///   identifier  [0] PrincipalName OPTIONAL,
///   kvno        [1] UInt32 OPTIONAL,
///   enctype     [2] Int32 OPTIONAL,
///   mac         [3] Checksum
/// }
/// ```
///
/// `KerberosV5CAMMAC.asn1`, line 25.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "Verifier-MAC", constructor)]
pub struct VerifierMac<'a> {
    /// `identifier [0] PrincipalName OPTIONAL`.
    #[asn1(explicit = 0)]
    pub identifier: Option<PrincipalName<'a>>,
    /// `kvno [1] UInt32 OPTIONAL`.
    #[asn1(explicit = 1)]
    pub kvno: Option<crate::UInt32>,
    /// `enctype [2] Int32 OPTIONAL`.
    #[asn1(explicit = 2)]
    pub enctype: Option<Int32>,
    /// `mac [3] Checksum`.
    #[asn1(explicit = 3)]
    pub mac: Checksum<'a>,
}

/// ```asn1
/// AD-AUTHENTICATION-INDICATOR ::= SEQUENCE OF UTF8String
/// ```
///
/// `KerberosV5CAMMAC.asn1`, line 32.
pub type AdAuthenticationIndicator<'a> = SeqOf<'a, Utf8<'a>>;
