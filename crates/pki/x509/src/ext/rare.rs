//! Rare extensions for telephony, networks, grids and professions. They are not part of
//! [`ExtensionValue`](crate::ext::ExtensionValue), so decoding a certificate does not check them. Decode them by type.
//!
//! ```
//! use tagwise_codec::Decode;
//! use tagwise_x509::ext::{TnAuthList, TnEntry};
//! let list = TnAuthList::from_der(b"\x30\x08\xA0\x06\x16\x041234")?;
//! assert!(matches!(list.0.iter().next(), Some(Ok(TnEntry::Spc(code))) if code.as_str() == Some("1234")));
//! # Ok::<(), tagwise_codec::Error>(())
//! ```

use tagwise_codec::table::{Type, Typed};
use tagwise_codec::{Additions, Any, Ia5, Int, OctetStr, Oid, Printable, SeqOf};
use tagwise_derive::Asn1;

use crate::alg::AlgorithmIdentifier;
use crate::ext::{AltSignatureAlgorithm, AltSignatureValue, GeneralName, KnownExtension, SubjectAltPublicKeyInfo};
use crate::name::{DirectoryString, Name};
use crate::oids;

/// ```asn1
/// TNAuthorizationList ::= SEQUENCE SIZE (1..MAX) OF TNEntry
/// ```
///
/// Telephone numbers that the subject is authorized for (RFC 8226 §9).
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "TNAuthorizationList", size(1..))]
pub struct TnAuthList<'a>(
    /// The entries.
    pub SeqOf<'a, TnEntry<'a>>,
);

/// ```asn1
/// TNEntry ::= CHOICE {
///   spc   [0] ServiceProviderCode,
///   range [1] TelephoneNumberRange,
///   one   [2] TelephoneNumber }
/// ```
///
/// An entry of a [`TnAuthList`] (RFC 8226 §9).
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "TNEntry")]
pub enum TnEntry<'a> {
    /// All numbers of a provider.
    #[asn1(explicit = 0)]
    Spc(Ia5<'a>),
    /// A range of numbers.
    #[asn1(explicit = 1)]
    Range(TelephoneNumberRange<'a>),
    /// A single number.
    #[asn1(explicit = 2)]
    One(TelephoneNumber<'a>),
}

/// ```asn1
/// TelephoneNumberRange ::= SEQUENCE {
///   start TelephoneNumber,
///   count INTEGER (2..MAX), ... }
/// ```
///
/// A range of telephone numbers (RFC 8226 §9).
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct TelephoneNumberRange<'a> {
    /// The first number.
    pub start: TelephoneNumber<'a>,
    /// The number of telephone numbers in the range.
    #[asn1(value(2..))]
    pub count: Int<'a>,
}

/// ```asn1
/// TelephoneNumber ::= IA5String (SIZE (1..15)) (FROM ("0123456789#*"))
/// ```
///
/// A telephone number (RFC 8226 §9).
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq)]
#[asn1(size(1..=15), from("0123456789#*"))]
pub struct TelephoneNumber<'a>(
    /// The number.
    pub Ia5<'a>,
);

/// ```asn1
/// ProxyCertInfoExtension ::= SEQUENCE {
///   pCPathLenConstraint  INTEGER (0..MAX) OPTIONAL,
///   proxyPolicy          ProxyPolicy }
/// ```
///
/// Marks a proxy certificate, issued by an end entity to act on its behalf (RFC 3820 §3.8).
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "ProxyCertInfoExtension")]
pub struct ProxyCertInfo<'a> {
    /// The maximum number of further proxies in the path.
    #[asn1(name = "pCPathLenConstraint", value(0..))]
    pub path_len_constraint: Option<Int<'a>>,
    /// The proxy's rights.
    pub proxy_policy: ProxyPolicy<'a>,
}

/// ```asn1
/// ProxyPolicy ::= SEQUENCE {
///   policyLanguage  OBJECT IDENTIFIER,
///   policy          OCTET STRING OPTIONAL }
/// ```
///
/// The policy of a proxy certificate (RFC 3820 §3.8).
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProxyPolicy<'a> {
    /// The policy language.
    pub policy_language: Oid<'a>,
    /// The policy, written in that language.
    pub policy: Option<OctetStr<'a>>,
}

/// ```asn1
/// RelatedCertificate ::= SEQUENCE {
///   hashAlgorithm  DigestAlgorithmIdentifier,
///   hashValue      OCTET STRING }
/// ```
///
/// The hash of another certificate of the same subject, for hybrid authentication (RFC 9763 §4).
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct RelatedCertificate<'a> {
    /// The hash algorithm.
    pub hash_algorithm: AlgorithmIdentifier<'a>,
    /// The hash of the other certificate.
    pub hash_value: OctetStr<'a>,
}

/// ```asn1
/// SSIDList ::= SEQUENCE SIZE (1..MAX) OF SSID
/// SSID ::= OCTET STRING (SIZE (1..32))
/// ```
///
/// Wireless networks for which the certificate may be used (RFC 4334 §3).
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "SSIDList", size(1..))]
pub struct SsidList<'a>(
    /// The networks.
    pub SeqOf<'a, Ssid<'a>>,
);

/// The name of a wireless network: see [`SsidList`].
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq)]
#[asn1(name = "SSID", size(1..=32))]
pub struct Ssid<'a>(
    /// The name's bytes.
    pub OctetStr<'a>,
);

/// ```asn1
/// NFTypes ::= SEQUENCE SIZE (1..MAX) OF NFType
/// NFType ::= IA5String (SIZE (1..32))
/// ```
///
/// 5G network function types (RFC 9310 §4).
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "NFTypes", size(1..))]
pub struct NfTypes<'a>(
    /// The types.
    pub SeqOf<'a, NfType<'a>>,
);

/// A network function type: see [`NfTypes`].
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq)]
#[asn1(name = "NFType", size(1..=32))]
pub struct NfType<'a>(
    /// The type's name.
    pub Ia5<'a>,
);

/// ```asn1
/// MUDURLSyntax ::= IA5String
/// ```
///
/// The location of a device's usage description (RFC 8520 §11).
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq)]
#[asn1(name = "MUDURLSyntax")]
pub struct MudUrl<'a>(
    /// The URL.
    pub Ia5<'a>,
);

/// ```asn1
/// MUDsignerSyntax ::= Name
/// ```
///
/// The signer of a device's usage description (RFC 8520 §11).
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "MUDsignerSyntax")]
pub struct MudSigner<'a>(
    /// The subject of the signer's certificate.
    pub Name<'a>,
);

/// ```asn1
/// MASAURLSyntax ::= IA5String
/// ```
///
/// The manufacturer's service for voucher requests (RFC 8995 §2.3.2).
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq)]
#[asn1(name = "MASAURLSyntax")]
pub struct MasaUrl<'a>(
    /// The service's URL or its authority part.
    pub Ia5<'a>,
);

/// ```asn1
/// SMIMECapabilities ::= SEQUENCE OF SMIMECapability
/// ```
///
/// Capabilities of a recipient's software, in order of preference (RFC 8551 §2.5.2; in certificates, RFC 4262 §2).
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "SMIMECapabilities")]
pub struct SmimeCapabilities<'a>(
    /// The capabilities.
    pub SeqOf<'a, SmimeCapability<'a>>,
);

/// ```asn1
/// SMIMECapability ::= SEQUENCE {
///   capabilityID  OBJECT IDENTIFIER,
///   parameters    ANY DEFINED BY capabilityID OPTIONAL }
/// ```
///
/// A capability with its parameters (RFC 8551 §2.5.2).
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "SMIMECapability")]
pub struct SmimeCapability<'a> {
    /// The capability's identifier.
    #[asn1(name = "capabilityID")]
    pub capability_id: Oid<'a>,
    /// The capability's parameters.
    pub parameters: Option<Any<'a>>,
}

/// ```asn1
/// BiometricSyntax ::= SEQUENCE OF BiometricData
/// ```
///
/// Hashes of biometric data such as pictures (RFC 3739 §3.2.5).
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct BiometricSyntax<'a>(
    /// The hashes and their types.
    pub SeqOf<'a, BiometricData<'a>>,
);

/// ```asn1
/// BiometricData ::= SEQUENCE {
///   typeOfBiometricData  TypeOfBiometricData,
///   hashAlgorithm        AlgorithmIdentifier,
///   biometricDataHash    OCTET STRING,
///   sourceDataUri        IA5String OPTIONAL,
///   ... }
/// ```
///
/// A hash of biometric data (RFC 3739 §3.2.5).
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct BiometricData<'a> {
    /// The type of the data.
    pub type_of_biometric_data: TypeOfBiometricData<'a>,
    /// The hash algorithm.
    pub hash_algorithm: AlgorithmIdentifier<'a>,
    /// The hash of the data.
    pub biometric_data_hash: OctetStr<'a>,
    /// The URI of the data.
    pub source_data_uri: Option<Ia5<'a>>,
    /// Unknown extension additions.
    #[asn1(extensions)]
    pub additions: Additions<'a>,
}

/// ```asn1
/// TypeOfBiometricData ::= CHOICE {
///   predefinedBiometricType  INTEGER { picture(0), handwritten-signature(1) },
///   biometricDataOid         OBJECT IDENTIFIER }
/// ```
///
/// The type of biometric data (RFC 3739 §3.2.5).
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypeOfBiometricData<'a> {
    /// A predefined type: 0 is a picture, 1 a handwritten signature.
    PredefinedBiometricType(Int<'a>),
    /// A type identified by an object identifier.
    BiometricDataOid(Oid<'a>),
}

/// ```asn1
/// AdmissionSyntax ::= SEQUENCE {
///   admissionAuthority    GeneralName OPTIONAL,
///   contentsOfAdmissions  SEQUENCE OF Admissions }
/// ```
///
/// Professions and their admission authorities (Common PKI 2.0, part 1 §4.1, table 29b).
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct AdmissionSyntax<'a> {
    /// The admission authority.
    pub admission_authority: Option<GeneralName<'a>>,
    /// The admissions.
    pub contents_of_admissions: SeqOf<'a, Admissions<'a>>,
}

/// ```asn1
/// Admissions ::= SEQUENCE {
///   admissionAuthority  [0] EXPLICIT GeneralName OPTIONAL,
///   namingAuthority     [1] EXPLICIT NamingAuthority OPTIONAL,
///   professionInfos     SEQUENCE OF ProfessionInfo }
/// ```
///
/// Admissions by one authority (Common PKI 2.0, part 1 §4.1).
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct Admissions<'a> {
    /// The admission authority, if it differs from the outer one.
    #[asn1(explicit = 0)]
    pub admission_authority: Option<GeneralName<'a>>,
    /// The naming authority of the professions.
    #[asn1(explicit = 1)]
    pub naming_authority: Option<NamingAuthority<'a>>,
    /// The professions.
    pub profession_infos: SeqOf<'a, ProfessionInfo<'a>>,
}

/// ```asn1
/// NamingAuthority ::= SEQUENCE {
///   namingAuthorityId    OBJECT IDENTIFIER OPTIONAL,
///   namingAuthorityUrl   IA5String OPTIONAL,
///   namingAuthorityText  DirectoryString (SIZE (1..128)) OPTIONAL }
/// ```
///
/// A naming authority (Common PKI 2.0, part 1 §4.1). The size of the text is not checked.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct NamingAuthority<'a> {
    /// The authority's identifier.
    pub naming_authority_id: Option<Oid<'a>>,
    /// The authority's URL.
    pub naming_authority_url: Option<Ia5<'a>>,
    /// The authority's name.
    pub naming_authority_text: Option<DirectoryString<'a>>,
}

/// ```asn1
/// ProfessionInfo ::= SEQUENCE {
///   namingAuthority     [0] EXPLICIT NamingAuthority OPTIONAL,
///   professionItems     SEQUENCE OF DirectoryString (SIZE (1..128)),
///   professionOIDs      SEQUENCE OF OBJECT IDENTIFIER OPTIONAL,
///   registrationNumber  PrintableString (SIZE (1..128)) OPTIONAL,
///   addProfessionInfo   OCTET STRING OPTIONAL }
/// ```
///
/// A profession (Common PKI 2.0, part 1 §4.1). Sizes are not checked.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct ProfessionInfo<'a> {
    /// The naming authority of the profession.
    #[asn1(explicit = 0)]
    pub naming_authority: Option<NamingAuthority<'a>>,
    /// The names of the profession.
    pub profession_items: SeqOf<'a, DirectoryString<'a>>,
    /// The identifiers of the profession, one per name.
    #[asn1(name = "professionOIDs")]
    pub profession_oids: Option<SeqOf<'a, Oid<'a>>>,
    /// The registration number.
    pub registration_number: Option<Printable<'a>>,
    /// Additional information without a defined structure.
    pub add_profession_info: Option<OctetStr<'a>>,
}

macro_rules! known {
    ($($ty:ty = $oid:ident;)*) => {
        $(impl KnownExtension for $ty {
            const ID: Oid<'static> = oids::$oid;
        })*

        /// The extension types outside [`ExtensionValue`](crate::ext::ExtensionValue), by identifier.
        pub const RARE: &[(Oid<'static>, fn() -> &'static Type)] = &[$((<$ty>::ID, <$ty as Typed>::ty)),*];
    };
}

known! {
    SubjectAltPublicKeyInfo<'_> = SUBJECT_ALT_PUBLIC_KEY_INFO;
    AltSignatureAlgorithm<'_> = ALT_SIGNATURE_ALGORITHM;
    AltSignatureValue<'_> = ALT_SIGNATURE_VALUE;
    TnAuthList<'_> = PE_TN_AUTH_LIST;
    ProxyCertInfo<'_> = PE_PROXY_CERT_INFO;
    RelatedCertificate<'_> = PE_RELATED_CERT;
    SsidList<'_> = PE_WLAN_SSID;
    NfTypes<'_> = PE_NFTYPE;
    MudUrl<'_> = PE_MUD_URL;
    MudSigner<'_> = PE_MUDSIGNER;
    MasaUrl<'_> = PE_MASA_URL;
    SmimeCapabilities<'_> = SMIME_CAPABILITIES;
    BiometricSyntax<'_> = BIOMETRIC_INFO;
    AdmissionSyntax<'_> = ISISMTT_AT_ADMISSION;
}
