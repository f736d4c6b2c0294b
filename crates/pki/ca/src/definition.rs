//! Profiles that a CA's operator defines: usages, policies, names, keys and validity.

use core::time::Duration;
use std::borrow::Cow;

use tagwise_codec::{Encode, Oid, OidBuf, Open, SeqOf, encode};
use tagwise_crypto::KeyType;
use tagwise_pkix::build::ExtensionList;
use tagwise_pkix::ext::{
    BaseDistance, CertificatePolicies, GeneralSubtree, IpSubnet, NameConstraints, PolicyInformation,
    PolicyQualifierInfo, SubtreeName,
};
use tagwise_pkix::name::{NameBuf, text};
use tagwise_pkix::oids;

use crate::names::ia5;
use crate::{AltName, Error, NameKind, Transparency};

// The bits of keyUsage (RFC 5280 §4.2.1.3).
pub(crate) const DIGITAL_SIGNATURE: u64 = 1;
pub(crate) const NON_REPUDIATION: u64 = 1 << 1;
pub(crate) const KEY_ENCIPHERMENT: u64 = 1 << 2;
pub(crate) const KEY_AGREEMENT: u64 = 1 << 4;
pub(crate) const KEY_CERT_SIGN: u64 = 1 << 5;
const CRL_SIGN: u64 = 1 << 6;

/// The key usage of a CA: digitalSignature (for OCSP responses), keyCertSign and cRLSign.
pub(crate) const CA_USAGE: u64 = DIGITAL_SIGNATURE | KEY_CERT_SIGN | CRL_SIGN;

/// A profile that is defined at run time, such as in a file.
///
/// ```
/// use std::sync::Arc;
/// use tagwise_ca::{Definition, Profile};
/// let vpn = Definition { purposes: vec!["1.3.6.1.5.5.7.3.17".parse()?], ..Definition::new("vpn") };
/// vpn.check()?;
/// assert_eq!(Profile::Defined(Arc::new(vpn)).name(), "vpn");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Definition {
    /// The profile's name, such as `vpn`.
    pub name: String,
    /// True if the profile is for subordinate CAs.
    pub ca: bool,
    /// The maximum number of intermediates below a CA in a path, or `None` for the maximum that the issuer allows.
    pub path_len: Option<u8>,
    /// The key usages as a bit mask (bit `n` is `1 << n`, RFC 5280 §4.2.1.3), restricted to those that the key is capable of. If
    /// `None`, they are derived from the key type and the purposes.
    pub key_usage: Option<u64>,
    /// The extended key usages (RFC 5280 §4.2.1.12).
    pub purposes: Vec<OidBuf>,
    /// The certificate policies (RFC 5280 §4.2.1.4).
    pub policies: Vec<Policy>,
    /// The name constraints of a CA (RFC 5280 §4.2.1.10): permitted subtrees.
    pub permitted: Vec<Subtree>,
    /// The name constraints of a CA: excluded subtrees.
    pub excluded: Vec<Subtree>,
    /// The permitted kinds of alternative names.
    pub names: Vec<NameKind>,
    /// The kinds of alternative names of which certificates must contain at least one. Empty for no requirement.
    pub required_names: Vec<NameKind>,
    /// True to reject a common name that is not among the alternative names.
    pub common_name_in_names: bool,
    /// A template for the subject in RFC 4514 form, such as `CN={CN},O=Example`; see [`apply`](Self::apply).
    pub subject: Option<String>,
    /// Templates for additional alternative names, such as `dns:{CN}`.
    pub alternative_names: Vec<String>,
    /// The extensions that may be copied from requests.
    pub extensions: Vec<OidBuf>,
    /// The accepted keys, or empty for all.
    pub keys: Vec<KeyRule>,
    /// The default validity period.
    pub validity: Duration,
    /// The time by which the validity period starts before the issuance, for clients with a slow clock.
    pub backdate: Duration,
    /// The extensions copied from one request. See [`for_request`](Self::for_request).
    pub copied: Vec<CopiedExtension>,
    /// The logs of Certificate Transparency whose timestamps certificates must contain. Only
    /// [`Authority::issue_logged`](crate::Authority::issue_logged) supports them.
    pub transparency: Option<Transparency>,
}

/// An extension that is copied from a request.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CopiedExtension {
    /// The object identifier of the extension.
    pub id: OidBuf,
    /// True if the extension is critical.
    pub critical: bool,
    /// The extension's value, in DER.
    pub value: Vec<u8>,
}

/// A certificate policy.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Policy {
    /// The object identifier of the policy.
    pub id: OidBuf,
    /// The URI of the policy's certification practice statement.
    pub cps: Option<String>,
}

/// A subtree in name constraints.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Subtree {
    /// A domain and everything below it, such as `example.org`.
    Dns(String),
    /// A mailbox (`user@example.org`), all mailboxes at a host (`example.org`), or at all hosts in a domain (`.example.org`).
    Email(String),
    /// An IPv4 subnet: the address and its mask.
    V4([u8; 8]),
    /// An IPv6 subnet: the address and its mask.
    V6([u8; 32]),
}

/// A rule that accepts keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KeyRule {
    /// RSA keys with at least this many bits.
    RsaFrom(u32),
    /// Keys of this type and size.
    Exactly(KeyType),
}

impl Definition {
    /// The default validity period in [`new`](Self::new): 90 days.
    pub const VALIDITY: Duration = Duration::from_secs(90 * 86_400);

    /// Creates a profile without extended key usages that accepts any key and any names.
    #[must_use]
    pub fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            ca: false,
            path_len: None,
            key_usage: None,
            purposes: Vec::new(),
            policies: Vec::new(),
            permitted: Vec::new(),
            excluded: Vec::new(),
            names: NameKind::ALL.to_vec(),
            required_names: Vec::new(),
            common_name_in_names: false,
            subject: None,
            alternative_names: Vec::new(),
            extensions: Vec::new(),
            keys: Vec::new(),
            validity: Self::VALIDITY,
            backdate: Duration::ZERO,
            copied: Vec::new(),
            transparency: None,
        }
    }

    /// Checks that the profile does not contradict itself.
    ///
    /// # Errors
    /// Returns [`Error::Refused`] with the contradiction and its clause.
    pub fn check(&self) -> Result<(), Error> {
        let refuse =
            |what: &str, clause: &'static str| Err(Error::refused(format!("profile {}: {what}", self.name), clause));
        let plain = |octet: u8| octet.is_ascii_alphanumeric() || b"-_+.".contains(&octet);
        if self.name.is_empty() || self.name.len() > 64 || !self.name.bytes().all(plain) {
            return Err(Error::refused(
                "a profile's name must consist of 1 to 64 letters, digits, hyphens, underscores, plus signs and dots",
                None,
            ));
        }
        let signs_certificates = self.key_usage.is_some_and(|usage| usage & KEY_CERT_SIGN != 0);
        if !self.ca && signs_certificates {
            return refuse("keyCertSign is only for CAs", "RFC 5280 §4.2.1.9");
        }
        if self.ca && self.key_usage.is_some() && !signs_certificates {
            return refuse("a CA needs the key usage keyCertSign", "RFC 5280 §4.2.1.3");
        }
        if self.has_purpose(oids::KP_TIME_STAMPING) && self.purposes.len() > 1 {
            return refuse("timeStamping must be the only purpose", "RFC 3161 §2.3");
        }
        if self.key_usage == Some(0) {
            return refuse("at least one key usage is required", "RFC 5280 §4.2.1.3");
        }
        if !self.ca && self.path_len.is_some() {
            return refuse("a path length is only for CAs", "RFC 5280 §4.2.1.9");
        }
        if !(self.ca || self.permitted.is_empty() && self.excluded.is_empty()) {
            return refuse("name constraints are only for CAs", "RFC 5280 §4.2.1.10");
        }
        if self.validity.is_zero() {
            return refuse("the validity must be at least a second", "RFC 5280 §4.1.2.5");
        }
        if let Some(kind) = self.required_names.iter().find(|kind| !self.names.contains(kind)) {
            return refuse(&format!("{kind} names are required, but not allowed"), "RFC 5280 §4.2.1.6");
        }
        let ours = [
            oids::BASIC_CONSTRAINTS,
            oids::KEY_USAGE,
            oids::EXT_KEY_USAGE,
            oids::SUBJECT_KEY_IDENTIFIER,
            oids::AUTHORITY_KEY_IDENTIFIER,
            oids::SUBJECT_ALT_NAME,
            oids::NAME_CONSTRAINTS,
            oids::CERTIFICATE_POLICIES,
            oids::AUTHORITY_INFO_ACCESS,
            oids::CRL_DISTRIBUTION_POINTS,
            oids::CT_POISON,
            oids::SIGNED_CERTIFICATE_TIMESTAMP_LIST,
        ];
        if let Some(transparency) = &self.transparency {
            transparency.check().or_else(|what| refuse(&what, "RFC 6962 §3.3"))?;
        }
        if let Some(id) = self.extensions.iter().find(|id| ours.contains(&id.as_oid())) {
            return refuse(&format!("the extension {id} is set by the CA, and cannot be copied"), "RFC 5280 §4.2");
        }
        Ok(())
    }

    /// Returns whether the profile is for OCSP responders of the CA (RFC 6960 §4.2.2.2).
    pub(crate) fn is_responder(&self) -> bool {
        matches!(self.purposes.as_slice(), [only] if only.as_oid() == oids::KP_OCSP_SIGNING)
    }

    /// Returns what the holders of this profile's certificates can sign in the CA's place, if anything: `certificates`, `CRLs` or
    /// `OCSP responses`. Clients must not obtain such certificates without an operator.
    ///
    /// ```
    /// use tagwise_ca::Definition;
    /// let ocsp = Definition { purposes: vec![tagwise_pkix::oids::KP_OCSP_SIGNING.into()], ..Definition::new("status") };
    /// assert_eq!(ocsp.signs_for_ca(), Some("OCSP responses"));
    /// assert_eq!(Definition::new("server").signs_for_ca(), None);
    /// ```
    #[must_use]
    pub fn signs_for_ca(&self) -> Option<&'static str> {
        let has = |bit: u64| self.key_usage.is_some_and(|usage| usage & bit != 0);
        if self.ca || has(KEY_CERT_SIGN) {
            Some("certificates")
        } else if has(CRL_SIGN) {
            Some("CRLs")
        } else if self.has_purpose(oids::KP_OCSP_SIGNING) {
            Some("OCSP responses")
        } else {
            None
        }
    }

    pub(crate) fn has_purpose(&self, purpose: Oid<'_>) -> bool {
        self.purposes.iter().any(|own| own.as_oid() == purpose)
    }

    /// Restricts key usages to those that a key is capable of (RFC 5480 §3, RFC 8410 §5, RFC 9881 §5, RFC 9935 §5).
    pub(crate) fn restrict(usage: u64, key: KeyType) -> Result<u64, Error> {
        const DATA_ENCIPHERMENT: u64 = 1 << 3;
        let transports = matches!(key, KeyType::Rsa(_)) || key.encapsulates();
        let agrees = matches!(key, KeyType::P256 | KeyType::P384 | KeyType::P521 | KeyType::X25519 | KeyType::X448)
            || matches!(key, KeyType::Curve(_));
        let mut able = 0;
        if key.signs() {
            able |= DIGITAL_SIGNATURE | NON_REPUDIATION | CA_USAGE;
        }
        if transports {
            able |= KEY_ENCIPHERMENT;
        }
        if matches!(key, KeyType::Rsa(_)) {
            able |= DATA_ENCIPHERMENT;
        }
        if agrees {
            // encipherOnly and decipherOnly depend on keyAgreement.
            able |= KEY_AGREEMENT | 1 << 7 | 1 << 8;
        }
        match usage & able {
            0 => Err(Error::refused(
                format!("a {key} key is not capable of any of the profile's key usages"),
                "RFC 5280 §4.2.1.3",
            )),
            usage => Ok(usage),
        }
    }

    /// Adds the extensions that depend only on the profile.
    pub(crate) fn write(&self, list: &mut ExtensionList) -> Result<(), Error> {
        if !self.policies.is_empty() {
            let uri = |policy: &Policy| policy.cps.as_deref().map(|uri| encoded(&ia5(uri)?)).transpose();
            let uris = self.policies.iter().map(uri).collect::<Result<Vec<Option<Vec<u8>>>, Error>>()?;
            let mut qualifiers: Vec<Vec<PolicyQualifierInfo<'_>>> = Vec::with_capacity(uris.len());
            for uri in &uris {
                qualifiers.push(uri.iter().map(|uri| qualifier(uri)).collect());
            }
            let infos: Vec<PolicyInformation<'_>> = self
                .policies
                .iter()
                .zip(&qualifiers)
                .map(|(policy, qualifiers)| PolicyInformation {
                    policy_identifier: policy.id.as_oid(),
                    policy_qualifiers: (!qualifiers.is_empty()).then(|| SeqOf::from_slice(qualifiers)),
                })
                .collect();
            list.add(false, &CertificatePolicies(SeqOf::from_slice(&infos)))?;
        }
        if !(self.permitted.is_empty() && self.excluded.is_empty()) {
            let (permitted, excluded) = (subtrees(&self.permitted)?, subtrees(&self.excluded)?);
            let some = |list: &[GeneralSubtree<'_>]| !list.is_empty();
            // RFC 5280 §4.2.1.10: critical.
            list.add(
                true,
                &NameConstraints {
                    permitted_subtrees: some(&permitted).then(|| SeqOf::from_slice(&permitted)),
                    excluded_subtrees: some(&excluded).then(|| SeqOf::from_slice(&excluded)),
                },
            )?;
        }
        for CopiedExtension { id, critical, value } in &self.copied {
            list.add_der(id.as_oid(), *critical, value.as_slice())?;
        }
        Ok(())
    }

    /// Applies the templates to a requested subject and alternative names.
    ///
    /// `{CN}`, `{O}` and other short names of attributes are replaced with the values in the requested subject. `{dns}`, `{ip}`,
    /// `{email}`, `{uri}` and `{upn}` are replaced with the first requested name of that kind.
    ///
    /// # Errors
    /// Returns [`Error::Refused`] if a placeholder is unknown or has no value, or a result is invalid.
    pub fn apply(&self, subject: NameBuf, mut names: Vec<AltName>) -> Result<(NameBuf, Vec<AltName>), Error> {
        let fill = |template: &str, escape: fn(&str) -> Cow<'_, str>| fill(template, &subject, &names, escape);
        let filled = self.subject.as_deref().map(|template| fill(template, escaped)).transpose()?;
        let mut more = Vec::new();
        for template in &self.alternative_names {
            let name = fill(template, |value| Cow::Borrowed(value))?;
            more.push(AltName::parse(&name)?);
        }
        names.extend(more.into_iter().filter(|name| !names.contains(name)).collect::<Vec<_>>());
        let subject = match filled {
            Some(text) => NameBuf::parse(&text).map_err(|error| {
                Error::refused(format!("the profile {}: the subject {text}: {error}", self.name), None)
            })?,
            None => subject,
        };
        Ok((subject, names))
    }
}

/// Encodes a value in DER.
fn encoded(value: &impl Encode) -> Result<Vec<u8>, Error> {
    encode(value).map_err(|error| Error::Build(error.into()))
}

/// Creates a CPS qualifier from a URI in DER.
const fn qualifier(uri: &[u8]) -> PolicyQualifierInfo<'_> {
    PolicyQualifierInfo { policy_qualifier_id: oids::QT_CPS, qualifier: Open::new(oids::QT_CPS.as_bytes(), uri) }
}

fn subtrees(list: &[Subtree]) -> Result<Vec<GeneralSubtree<'_>>, Error> {
    list.iter().map(general_subtree).collect()
}

fn general_subtree(subtree: &Subtree) -> Result<GeneralSubtree<'_>, Error> {
    let base = match subtree {
        Subtree::Dns(name) => SubtreeName::DnsName(ia5(name)?),
        Subtree::Email(name) => SubtreeName::Rfc822Name(ia5(name)?),
        Subtree::V4(octets) => SubtreeName::IpAddress(IpSubnet::v4(octets)),
        Subtree::V6(octets) => SubtreeName::IpAddress(IpSubnet::v6(octets)),
    };
    Ok(GeneralSubtree { base, minimum: BaseDistance::ZERO, maximum: None })
}

/// Replaces the placeholders in a template.
fn fill(
    template: &str,
    subject: &NameBuf,
    names: &[AltName],
    escape: fn(&str) -> Cow<'_, str>,
) -> Result<String, Error> {
    let mut filled = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        let (key, after) = after
            .split_once('}')
            .ok_or_else(|| Error::refused(format!("unterminated `{{` in the template {template}"), None))?;
        let value = value(key, subject, names)
            .ok_or_else(|| Error::refused(format!("the request has no {key} for the template {template}"), None))?;
        filled.push_str(before);
        filled.push_str(&escape(&value));
        rest = after;
    }
    filled.push_str(rest);
    Ok(filled)
}

fn value(key: &str, subject: &NameBuf, names: &[AltName]) -> Option<String> {
    if let Ok(kind) = key.parse::<NameKind>() {
        return names.iter().find(|name| name.kind() == kind).map(AltName::value);
    }
    let known = oids::by_name(key)?;
    let subject = subject.name();
    let found = subject.attributes().find(|attribute| attribute.attr_type == known.oid);
    found.and_then(|attribute| text(&attribute.value).map(Cow::into_owned))
}

/// Escapes a value as in RFC 4514 §2.4.
fn escaped(value: &str) -> Cow<'_, str> {
    let mut text = String::with_capacity(value.len());
    let last = value.chars().count().saturating_sub(1);
    for (at, character) in value.chars().enumerate() {
        let special = ",+\"\\<>;=".contains(character)
            || at == 0 && matches!(character, ' ' | '#')
            || at == last && character == ' ';
        if special {
            text.push('\\');
        }
        text.push(character);
    }
    Cow::Owned(text)
}
