//! Extensions that few certificates have: of telephony, networks, grids and professions. They are no part of
//! [`ExtensionValue`](crate::ext::ExtensionValue), so that reading a certificate does not check them; they are read by type.
//!
//! ```
//! use tagwise_codec::Decode;
//! use tagwise_pkix::ext::{TnAuthList, TnEntry};
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
/// RFC 8226 §9: the telephone numbers that a subject may speak for.
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
/// RFC 8226 §9.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "TNEntry")]
pub enum TnEntry<'a> {
    /// All numbers of a provider.
    #[asn1(explicit = 0)]
    Spc(Ia5<'a>),
    /// Numbers in a row.
    #[asn1(explicit = 1)]
    Range(TelephoneNumberRange<'a>),
    /// One number.
    #[asn1(explicit = 2)]
    One(TelephoneNumber<'a>),
}

/// ```asn1
/// TelephoneNumberRange ::= SEQUENCE {
///   start TelephoneNumber,
///   count INTEGER (2..MAX), ... }
/// ```
///
/// RFC 8226 §9.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct TelephoneNumberRange<'a> {
    /// The first number.
    pub start: TelephoneNumber<'a>,
    /// Number of them.
    #[asn1(value(2..))]
    pub count: Int<'a>,
}

/// ```asn1
/// TelephoneNumber ::= IA5String (SIZE (1..15)) (FROM ("0123456789#*"))
/// ```
///
/// RFC 8226 §9.
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
/// RFC 3820 §3.8: a certificate that an end entity issued to act for it.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "ProxyCertInfoExtension")]
pub struct ProxyCertInfo<'a> {
    /// Number of proxies that may follow.
    #[asn1(name = "pCPathLenConstraint", value(0..))]
    pub path_len_constraint: Option<Int<'a>>,
    /// Policy: rights of the proxy.
    pub proxy_policy: ProxyPolicy<'a>,
}

/// ```asn1
/// ProxyPolicy ::= SEQUENCE {
///   policyLanguage  OBJECT IDENTIFIER,
///   policy          OCTET STRING OPTIONAL }
/// ```
///
/// RFC 3820 §3.8.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProxyPolicy<'a> {
    /// The language of the policy.
    pub policy_language: Oid<'a>,
    /// The policy in that language.
    pub policy: Option<OctetStr<'a>>,
}

/// ```asn1
/// RelatedCertificate ::= SEQUENCE {
///   hashAlgorithm  DigestAlgorithmIdentifier,
///   hashValue      OCTET STRING }
/// ```
///
/// RFC 9763 §4: another certificate of the same subject, for hybrid authentication.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct RelatedCertificate<'a> {
    /// The hash function.
    pub hash_algorithm: AlgorithmIdentifier<'a>,
    /// The hash of the other certificate.
    pub hash_value: OctetStr<'a>,
}

/// ```asn1
/// SSIDList ::= SEQUENCE SIZE (1..MAX) OF SSID
/// SSID ::= OCTET STRING (SIZE (1..32))
/// ```
///
/// RFC 4334 §3: wireless networks.
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
    /// The octets of the name.
    pub OctetStr<'a>,
);

/// ```asn1
/// NFTypes ::= SEQUENCE SIZE (1..MAX) OF NFType
/// NFType ::= IA5String (SIZE (1..32))
/// ```
///
/// RFC 9310 §4: network functions of 5G.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "NFTypes", size(1..))]
pub struct NfTypes<'a>(
    /// The types.
    pub SeqOf<'a, NfType<'a>>,
);

/// A type of network functions: see [`NfTypes`].
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq)]
#[asn1(name = "NFType", size(1..=32))]
pub struct NfType<'a>(
    /// Its name.
    pub Ia5<'a>,
);

/// ```asn1
/// MUDURLSyntax ::= IA5String
/// ```
///
/// RFC 8520 §11: where a device's description is.
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
/// RFC 8520 §11: who signs the device's description.
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
/// RFC 8995 §2.3.2: the service of the manufacturer.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq)]
#[asn1(name = "MASAURLSyntax")]
pub struct MasaUrl<'a>(
    /// Its URL, or its authority part.
    pub Ia5<'a>,
);

/// ```asn1
/// SMIMECapabilities ::= SEQUENCE OF SMIMECapability
/// ```
///
/// RFC 8551 §2.5.2, in certificates by RFC 4262 §2: what a recipient's software can do, the best first.
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
/// RFC 8551 §2.5.2.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "SMIMECapability")]
pub struct SmimeCapability<'a> {
    /// Identifier of the capability.
    #[asn1(name = "capabilityID")]
    pub capability_id: Oid<'a>,
    /// Its parameters.
    pub parameters: Option<Any<'a>>,
}

/// ```asn1
/// BiometricSyntax ::= SEQUENCE OF BiometricData
/// ```
///
/// RFC 3739 §3.2.5: hashes of pictures and the like.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct BiometricSyntax<'a>(
    /// The data.
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
/// RFC 3739 §3.2.5.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct BiometricData<'a> {
    /// Type of the data.
    pub type_of_biometric_data: TypeOfBiometricData<'a>,
    /// The hash function.
    pub hash_algorithm: AlgorithmIdentifier<'a>,
    /// The hash of the data.
    pub biometric_data_hash: OctetStr<'a>,
    /// URI of the data.
    pub source_data_uri: Option<Ia5<'a>>,
    /// Extension additions of later versions.
    #[asn1(extensions)]
    pub additions: Additions<'a>,
}

/// ```asn1
/// TypeOfBiometricData ::= CHOICE {
///   predefinedBiometricType  INTEGER { picture(0), handwritten-signature(1) },
///   biometricDataOid         OBJECT IDENTIFIER }
/// ```
///
/// RFC 3739 §3.2.5.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypeOfBiometricData<'a> {
    /// 0 is a picture, 1 a handwritten signature.
    PredefinedBiometricType(Int<'a>),
    /// Another kind.
    BiometricDataOid(Oid<'a>),
}

/// ```asn1
/// AdmissionSyntax ::= SEQUENCE {
///   admissionAuthority    GeneralName OPTIONAL,
///   contentsOfAdmissions  SEQUENCE OF Admissions }
/// ```
///
/// Common PKI 2.0, part 1 §4.1, table 29b: professions, and who admits to them.
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
/// Common PKI 2.0, part 1 §4.1.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct Admissions<'a> {
    /// The admission authority, if another.
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
/// Common PKI 2.0, part 1 §4.1. The size of the text is not checked.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct NamingAuthority<'a> {
    /// Its identifier.
    pub naming_authority_id: Option<Oid<'a>>,
    /// Its address.
    pub naming_authority_url: Option<Ia5<'a>>,
    /// Its name.
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
/// Common PKI 2.0, part 1 §4.1. Sizes are not checked.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct ProfessionInfo<'a> {
    /// The naming authority of the profession.
    #[asn1(explicit = 0)]
    pub naming_authority: Option<NamingAuthority<'a>>,
    /// Names of the profession.
    pub profession_items: SeqOf<'a, DirectoryString<'a>>,
    /// Its identifiers, one for each item.
    #[asn1(name = "professionOIDs")]
    pub profession_oids: Option<SeqOf<'a, Oid<'a>>>,
    /// The number in the register.
    pub registration_number: Option<Printable<'a>>,
    /// More, of no known structure.
    pub add_profession_info: Option<OctetStr<'a>>,
}

macro_rules! known {
    ($($ty:ty = $oid:ident;)*) => {
        $(impl KnownExtension for $ty {
            const ID: Oid<'static> = oids::$oid;
        })*

        /// The types of the extensions that are no part of [`ExtensionValue`](crate::ext::ExtensionValue), by identifier.
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
