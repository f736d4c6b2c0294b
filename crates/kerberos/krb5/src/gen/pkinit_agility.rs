//! ASN.1 module `KerberosV5-PK-INIT-Agility-SPEC`, from `KerberosV5-PK-INIT-Agility-SPEC.asn1`.
//!
//! Written by the schema compiler: change the schema or its overlay, not this file.
//!
//! Algorithm agility of PKINIT.
//! RFC 8636 Appendix A. What it adds to AuthPack and DHRepInfo stands in KerberosV5-PK-INIT-SPEC.

use super::kerberos::Int32;
use super::pkinit::AnyAlgorithmIdentifier;
use tagwise_codec::{Additions, OctetStr, SeqOf};
use tagwise_derive::Asn1;

/// ```asn1
/// TD-CMS-DIGEST-ALGORITHMS-DATA ::= SEQUENCE OF AnyAlgorithmIdentifier
/// ```
///
/// `KerberosV5-PK-INIT-Agility-SPEC.asn1`, line 15.
pub type TdCmsDigestAlgorithmsData<'a> = SeqOf<'a, AnyAlgorithmIdentifier<'a>>;

/// ```asn1
/// TD-CERT-DIGEST-ALGORITHMS-DATA ::= SEQUENCE {
///   allowedAlgorithms  [0] SEQUENCE OF AnyAlgorithmIdentifier,
///   rejectedAlgorithm  [1] AnyAlgorithmIdentifier OPTIONAL,
///   ...
/// }
/// ```
///
/// `KerberosV5-PK-INIT-Agility-SPEC.asn1`, line 17.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "TD-CERT-DIGEST-ALGORITHMS-DATA", constructor)]
pub struct TdCertDigestAlgorithmsData<'a> {
    /// `allowedAlgorithms [0] SEQUENCE OF AnyAlgorithmIdentifier`.
    #[asn1(explicit = 0)]
    pub allowed_algorithms: SeqOf<'a, AnyAlgorithmIdentifier<'a>>,
    /// `rejectedAlgorithm [1] AnyAlgorithmIdentifier OPTIONAL`.
    #[asn1(explicit = 1)]
    pub rejected_algorithm: Option<AnyAlgorithmIdentifier<'a>>,
    /// Extension additions of later versions.
    #[asn1(extensions)]
    pub additions: Additions<'a>,
}

/// The input of the reply key derivation. Party information is a KRB5PrincipalName, suppPubInfo a PkinitSuppPubInfo.
///
/// ```asn1
/// OtherInfo ::= SEQUENCE {
///   algorithmID   AnyAlgorithmIdentifier,
///   partyUInfo    [0] OCTET STRING,
///   partyVInfo    [1] OCTET STRING,
///   suppPubInfo   [2] OCTET STRING OPTIONAL,
///   suppPrivInfo  [3] OCTET STRING OPTIONAL
/// }
/// ```
///
/// `KerberosV5-PK-INIT-Agility-SPEC.asn1`, line 24.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct OtherInfo<'a> {
    /// `algorithmID AnyAlgorithmIdentifier`.
    #[asn1(name = "algorithmID")]
    pub algorithm_id: AnyAlgorithmIdentifier<'a>,
    /// `partyUInfo [0] OCTET STRING`.
    #[asn1(explicit = 0)]
    pub party_u_info: OctetStr<'a>,
    /// `partyVInfo [1] OCTET STRING`.
    #[asn1(explicit = 1)]
    pub party_v_info: OctetStr<'a>,
    /// `suppPubInfo [2] OCTET STRING OPTIONAL`.
    #[asn1(explicit = 2)]
    pub supp_pub_info: Option<OctetStr<'a>>,
    /// `suppPrivInfo [3] OCTET STRING OPTIONAL`.
    #[asn1(explicit = 3)]
    pub supp_priv_info: Option<OctetStr<'a>>,
}

/// The AS-REQ and the PA-PK-AS-REP exactly as sent.
///
/// ```asn1
/// PkinitSuppPubInfo ::= SEQUENCE {
///   enctype    [0] Int32,
///   as-REQ     [1] OCTET STRING,
///   pk-as-rep  [2] OCTET STRING,
///   ...
/// }
/// ```
///
/// `KerberosV5-PK-INIT-Agility-SPEC.asn1`, line 33.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct PkinitSuppPubInfo<'a> {
    /// `enctype [0] Int32`.
    #[asn1(explicit = 0)]
    pub enctype: Int32,
    /// `as-REQ [1] OCTET STRING`.
    #[asn1(explicit = 1, name = "as-REQ")]
    pub as_req: OctetStr<'a>,
    /// `pk-as-rep [2] OCTET STRING`.
    #[asn1(explicit = 2, name = "pk-as-rep")]
    pub pk_as_rep: OctetStr<'a>,
    /// Extension additions of later versions.
    #[asn1(extensions)]
    pub additions: Additions<'a>,
}
