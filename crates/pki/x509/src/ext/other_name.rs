//! Common otherName types, each from its own specification.

use core::fmt;

use tagwise_codec::text::hex::Hex;
use tagwise_codec::{General, Ia5, OctetStr, Oid, SeqOf, Unknown, Utf8};
use tagwise_derive::Asn1;

use crate::name::visible;
use crate::oids;

/// The value of an [`OtherName`](crate::ext::OtherName), selected by its `type-id`.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(open_type, name = "OtherNames")]
pub enum OtherNameValue<'a> {
    /// `szOID_NT_PRINCIPAL_NAME`: an Active Directory user principal name, as UTF8String.
    #[asn1(oid = oids::MS_NT_PRINCIPAL_NAME, name = "userPrincipalName")]
    Upn(Utf8<'a>),
    /// `id-on-dnsSRV`: `_Service.Name` (RFC 4985 §2).
    #[asn1(oid = oids::ON_DNS_SRV, name = "SRVName")]
    SrvName(SrvName<'a>),
    /// `id-on-SmtpUTF8Mailbox`: a mailbox with non-ASCII characters (RFC 9598 §3).
    #[asn1(oid = oids::ON_SMTP_UTF8_MAILBOX, name = "SmtpUTF8Mailbox")]
    SmtpUtf8Mailbox(SmtpUtf8Mailbox<'a>),
    /// `id-on-xmppAddr`: an XMPP address (RFC 6120 §13.7.1.4).
    #[asn1(oid = oids::ON_XMPP_ADDR, name = "XmppAddr")]
    XmppAddr(Utf8<'a>),
    /// `id-on-naiRealm`: a realm for network access identifiers (RFC 7585 §2.2).
    #[asn1(oid = oids::ON_NAI_REALM, name = "NAIRealm")]
    NaiRealm(NaiRealm<'a>),
    /// `id-pkinit-san`: a Kerberos principal (RFC 4556 §3.2.2).
    #[asn1(oid = oids::PKINIT_SAN, name = "KRB5PrincipalName")]
    Krb5PrincipalName(Krb5PrincipalName<'a>),
    /// `id-on-permanentIdentifier`: a permanent identifier of the subject (RFC 4043 §2).
    #[asn1(oid = oids::ON_PERMANENT_IDENTIFIER, name = "PermanentIdentifier")]
    PermanentIdentifier(PermanentIdentifier<'a>),
    /// `id-on-hardwareModuleName`: a hardware module's type and serial number (RFC 4108 §5).
    #[asn1(oid = oids::ON_HARDWARE_MODULE_NAME, name = "HardwareModuleName")]
    HardwareModuleName(HardwareModuleName<'a>),
    /// `szOID_NTDS_OBJECTSID`: a SID as text ([MS-WCCE] §2.2.2.7.7.4).
    #[asn1(oid = oids::MS_NTDS_OBJECTSID, name = "objectSid")]
    ObjectSid(OctetStr<'a>),
    /// `szOID_NTDS_REPLICATION`: the GUID of a domain controller.
    #[asn1(oid = oids::MS_NTDS_REPLICATION, name = "ntdsReplication")]
    NtdsReplication(OctetStr<'a>),
    /// The Federal Agency Smart Credential Number (FIPS 201-3 §4.2.1).
    #[asn1(oid = oids::PIV_FASC_N, name = "pivFASC-N")]
    FascN(OctetStr<'a>),
    /// An unknown type.
    #[asn1(unknown)]
    Unknown(Unknown<'a>),
}

/// Displays the name on one line that is safe to print.
impl fmt::Display for OtherNameValue<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut hex = |label: &str, octets: &[u8]| write!(f, "{label}{:X}", Hex(octets));
        match self {
            Self::NtdsReplication(guid) => hex("ntdsReplication:", guid),
            Self::FascN(number) => hex("FASC-N:", number),
            Self::HardwareModuleName(name) => {
                hex("hardwareModuleName:", &name.hw_serial_num)?;
                write!(f, " ({})", name.hw_type)
            }
            Self::Unknown(unknown) => hex("otherName:", unknown.bytes),
            Self::ObjectSid(sid) => write!(f, "SID:{}", sid.escape_ascii()),
            Self::Upn(name) => write!(f, "UPN:{}", visible(name)),
            Self::SrvName(name) => write!(f, "SRV:{}", visible(&name.0)),
            Self::SmtpUtf8Mailbox(mailbox) => write!(f, "SmtpUTF8Mailbox:{}", visible(&mailbox.0)),
            Self::XmppAddr(address) => write!(f, "XMPP:{}", visible(address)),
            Self::NaiRealm(realm) => write!(f, "NAIRealm:{}", visible(&realm.0)),
            Self::Krb5PrincipalName(name) => write!(f, "KRB5:{name}"),
            Self::PermanentIdentifier(identifier) => {
                f.write_str("permanentIdentifier:")?;
                if let Some(value) = &identifier.identifier_value {
                    write!(f, "{}", visible(value))?;
                }
                identifier.assigner.map_or(Ok(()), |assigner| write!(f, " ({assigner})"))
            }
        }
    }
}

/// ```asn1
/// SRVName ::= IA5String (SIZE (1..MAX))
/// ```
///
/// A service and domain name (RFC 4985 §2).
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq)]
#[asn1(name = "SRVName", size(1..))]
pub struct SrvName<'a>(
    /// `_Service.Name`.
    pub Ia5<'a>,
);

/// ```asn1
/// SmtpUTF8Mailbox ::= UTF8String (SIZE (1..MAX))
/// ```
///
/// An internationalized mailbox (RFC 9598 §3).
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq)]
#[asn1(name = "SmtpUTF8Mailbox", size(1..))]
pub struct SmtpUtf8Mailbox<'a>(
    /// The mailbox (RFC 6531 §3.3), with its domain in ASCII.
    pub Utf8<'a>,
);

/// ```asn1
/// NAIRealm ::= UTF8String (SIZE (1..MAX))
/// ```
///
/// A realm for network access identifiers (RFC 7585 §2.2).
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq)]
#[asn1(name = "NAIRealm", size(1..))]
pub struct NaiRealm<'a>(
    /// The realm, optionally with a wildcard.
    pub Utf8<'a>,
);

/// ```asn1
/// KRB5PrincipalName ::= SEQUENCE {
///     realm                   [0] Realm,
///     principalName           [1] PrincipalName
/// }
/// ```
///
/// A Kerberos principal with its realm (RFC 4556 §3.2.2).
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "KRB5PrincipalName")]
pub struct Krb5PrincipalName<'a> {
    /// The realm.
    #[asn1(explicit = 0)]
    pub realm: General<'a>,
    /// The principal within the realm.
    #[asn1(explicit = 1)]
    pub principal_name: PrincipalName<'a>,
}

/// ```asn1
/// PrincipalName   ::= SEQUENCE {
///         name-type       [0] Int32,
///         name-string     [1] SEQUENCE OF KerberosString
/// }
///
/// KerberosString  ::= GeneralString (IA5String)
/// ```
///
/// A Kerberos principal name (RFC 4120 §5.2.2). The strings need not be ASCII, because implementations write UTF-8.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct PrincipalName<'a> {
    /// The name type.
    #[asn1(explicit = 0, name = "name-type")]
    pub name_type: i32,
    /// The name's components.
    #[asn1(explicit = 1, name = "name-string")]
    pub name_string: SeqOf<'a, General<'a>>,
}

/// Displays `primary/instance@REALM`, with `\` before separators that are part of a component.
impl fmt::Display for Krb5PrincipalName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, component) in self.principal_name.name_string.iter().map_while(Result::ok).enumerate() {
            if index > 0 {
                f.write_str("/")?;
            }
            principal_part(&component, f)?;
        }
        f.write_str("@")?;
        principal_part(&self.realm, f)
    }
}

fn principal_part(part: &General<'_>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut rest = part.as_bytes();
    while let Some(at) = rest.iter().position(|octet| matches!(octet, b'/' | b'@' | b'\\')) {
        let (plain, after) = rest.split_at_checked(at).unwrap_or_default();
        write!(f, "{}", visible(&General::from_content(plain)))?;
        if let [separator, tail @ ..] = after {
            write!(f, "\\{}", char::from(*separator))?;
            rest = tail;
        }
    }
    write!(f, "{}", visible(&General::from_content(rest)))
}

/// ```asn1
/// PermanentIdentifier ::= SEQUENCE {
///     identifierValue    UTF8String             OPTIONAL,
///     assigner           OBJECT IDENTIFIER      OPTIONAL
/// }
/// ```
///
/// A permanent identifier of the subject (RFC 4043 §2).
#[derive(Asn1, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PermanentIdentifier<'a> {
    /// The identifier. If absent, the subject's serialNumber attribute applies.
    pub identifier_value: Option<Utf8<'a>>,
    /// The assigner of the identifier. If absent, it is the certificate's issuer.
    pub assigner: Option<Oid<'a>>,
}

/// ```asn1
/// HardwareModuleName ::= SEQUENCE {
///   hwType OBJECT IDENTIFIER,
///   hwSerialNum OCTET STRING }
/// ```
///
/// A hardware module's type and serial number (RFC 4108 §5).
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq)]
pub struct HardwareModuleName<'a> {
    /// The module's type.
    pub hw_type: Oid<'a>,
    /// The module's serial number.
    pub hw_serial_num: OctetStr<'a>,
}
