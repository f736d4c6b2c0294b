//! Fields of certificates, CRLs, requests and public keys by their customary names: `notAfter`, `san`, `fingerprint`.
//!
//! A table maps the names, which other certificate tools use too, to each field's text.

use sha1::Sha1;
use sha2::{Digest, Sha256};
use tagwise_codec::text::hex::Hex;
use tagwise_codec::{Decode, Error, Oid, Options, RuleSet, encode, pem};
use tagwise_input::ValueKind;
use tagwise_pkix::csr::CertificationRequest;
use tagwise_pkix::ext::{
    AuthorityInfoAccess, AuthorityKeyIdentifier, BasicConstraints, CertificatePolicies, CrlDistributionPoints,
    DistributionPointName, ExtKeyUsage, GeneralName, KeyUsage, KnownExtension, SubjectAltName, SubjectKeyIdentifier,
};
use tagwise_pkix::name::text;
use tagwise_pkix::oids::files::label;
use tagwise_pkix::{
    AlgorithmIdentifier, Certificate, CertificateList, Extensions, Name, SubjectPublicKeyInfo, Time, oids,
};

use crate::MESSAGES;
use crate::model::summary;

/// A certificate, CRL, request or public key, whose fields have customary names.
#[derive(Debug)]
pub enum Named<'a> {
    /// A certificate.
    Certificate(Box<Certificate<'a>>, &'a [u8]),
    /// A certificate revocation list.
    Crl(Box<CertificateList<'a>>, &'a [u8]),
    /// A certification request.
    Request(Box<CertificationRequest<'a>>, &'a [u8]),
    /// A public key.
    Key(SubjectPublicKeyInfo<'a>),
}

/// A field with a customary name.
#[derive(Debug)]
pub struct NamedField {
    /// The customary name, followed by the accepted aliases.
    pub names: &'static [&'static str],
    /// A description in a few words.
    pub about: &'static str,
    /// The paths of the field by the value's type, if it is one component.
    paths: &'static [(ValueKind, &'static str)],
    texts: fn(&Named<'_>) -> Texts,
}

/// The lines of a field, or none if it is absent.
type Texts = Result<Vec<String>, Error>;

impl<'a> Named<'a> {
    /// Decodes a value of one of these kinds. Returns `None` for other kinds.
    ///
    /// # Errors
    /// If the value is malformed.
    pub fn read(kind: ValueKind, der: &'a [u8], rules: RuleSet) -> Result<Option<Self>, Error> {
        let options = Options::der().rules(rules);
        Ok(Some(match kind {
            ValueKind::Certificate => Self::Certificate(Box::new(options.decode(der)?.value), der),
            ValueKind::CertificateList => Self::Crl(Box::new(options.decode(der)?.value), der),
            ValueKind::CertificationRequest if MESSAGES => Self::Request(Box::new(options.decode(der)?.value), der),
            ValueKind::PublicKey => Self::Key(options.decode(der)?.value),
            _ => return Ok(None),
        }))
    }

    fn der(&self) -> Option<&'a [u8]> {
        match self {
            Self::Certificate(_, der) | Self::Crl(_, der) | Self::Request(_, der) => Some(der),
            Self::Key(_) => None,
        }
    }

    fn subject(&self) -> Option<Name<'a>> {
        match self {
            Self::Certificate(certificate, _) => Some(certificate.tbs_certificate.subject),
            Self::Request(request, _) => Some(request.certification_request_info.subject),
            Self::Crl(..) | Self::Key(_) => None,
        }
    }

    fn issuer(&self) -> Option<Name<'a>> {
        match self {
            Self::Certificate(certificate, _) => Some(certificate.tbs_certificate.issuer),
            Self::Crl(list, _) => Some(list.tbs_cert_list.issuer),
            Self::Request(..) | Self::Key(_) => None,
        }
    }

    fn start(&self) -> Option<Time<'a>> {
        match self {
            Self::Certificate(certificate, _) => Some(certificate.tbs_certificate.validity.not_before),
            Self::Crl(list, _) => Some(list.tbs_cert_list.this_update),
            Self::Request(..) | Self::Key(_) => None,
        }
    }

    fn end(&self) -> Option<Time<'a>> {
        match self {
            Self::Certificate(certificate, _) => Some(certificate.tbs_certificate.validity.not_after),
            Self::Crl(list, _) => list.tbs_cert_list.next_update,
            Self::Request(..) | Self::Key(_) => None,
        }
    }

    fn key(&self) -> Option<SubjectPublicKeyInfo<'a>> {
        match self {
            Self::Certificate(certificate, _) => Some(certificate.tbs_certificate.subject_public_key_info),
            Self::Request(request, _) => Some(request.certification_request_info.subject_pk_info),
            Self::Key(key) => Some(*key),
            Self::Crl(..) => None,
        }
    }

    fn algorithm(&self) -> Option<AlgorithmIdentifier<'a>> {
        match self {
            Self::Certificate(certificate, _) => Some(certificate.signature_algorithm),
            Self::Crl(list, _) => Some(list.signature_algorithm),
            Self::Request(request, _) => Some(request.signature_algorithm),
            Self::Key(_) => None,
        }
    }

    fn extensions(&self) -> Result<Option<Extensions<'a>>, Error> {
        Ok(match self {
            Self::Certificate(certificate, _) => certificate.tbs_certificate.extensions,
            Self::Crl(list, _) => list.tbs_cert_list.crl_extensions,
            Self::Request(request, _) => Some(request.extensions()?),
            Self::Key(_) => None,
        })
    }

    fn extension<T: KnownExtension + Decode<'a>>(&self) -> Result<Option<T>, Error> {
        self.extensions()?.map_or(Ok(None), |list| list.get::<T>())
    }
}

/// The named fields. Names are compared case-insensitively.
pub static FIELDS: &[NamedField] = &[
    NamedField {
        names: &["subject", "dn"],
        about: "distinguished name of the subject (RFC 4514)",
        paths: &[
            (ValueKind::Certificate, "tbsCertificate.subject"),
            (ValueKind::CertificationRequest, "certificationRequestInfo.subject"),
        ],
        texts: |value| Ok(value.subject().map(|name| name.rfc4514().to_string()).into_iter().collect()),
    },
    NamedField {
        names: &["issuer"],
        about: "distinguished name of the issuer (RFC 4514)",
        paths: &[(ValueKind::Certificate, "tbsCertificate.issuer"), (ValueKind::CertificateList, "tbsCertList.issuer")],
        texts: |value| Ok(value.issuer().map(|name| name.rfc4514().to_string()).into_iter().collect()),
    },
    NamedField {
        names: &["cn", "commonName", "common-name"],
        about: "common names of the subject",
        paths: &[],
        texts: |value| {
            let name = value.subject();
            let attributes = name.iter().flat_map(Name::attributes);
            let common = attributes.filter(|attribute| attribute.attr_type == oids::COMMON_NAME);
            Ok(common.filter_map(|attribute| text(&attribute.value).map(|text| text.into_owned())).collect())
        },
    },
    NamedField {
        names: &["serial", "serialNumber", "serial-number"],
        about: "serial number in hexadecimal",
        paths: &[(ValueKind::Certificate, "tbsCertificate.serialNumber")],
        texts: |value| match value {
            Named::Certificate(certificate, _) => Ok(vec![certificate.tbs_certificate.serial_number.hex().to_string()]),
            _ => Ok(Vec::new()),
        },
    },
    NamedField {
        names: &["notBefore", "not-before", "startdate", "start-date", "thisUpdate", "lastUpdate", "valid-from"],
        about: "start of validity, or issue of a CRL",
        paths: &[
            (ValueKind::Certificate, "tbsCertificate.validity.notBefore"),
            (ValueKind::CertificateList, "tbsCertList.thisUpdate"),
        ],
        texts: |value| Ok(value.start().map(|time| time.to_string()).into_iter().collect()),
    },
    NamedField {
        names: &["notAfter", "not-after", "enddate", "end-date", "expiry", "expires", "nextUpdate", "valid-until"],
        about: "end of validity, or next update of a CRL",
        paths: &[
            (ValueKind::Certificate, "tbsCertificate.validity.notAfter"),
            (ValueKind::CertificateList, "tbsCertList.nextUpdate"),
        ],
        texts: |value| Ok(value.end().map(|time| time.to_string()).into_iter().collect()),
    },
    NamedField {
        names: &["dates", "validity"],
        about: "start and end of validity",
        paths: &[(ValueKind::Certificate, "tbsCertificate.validity")],
        texts: |value| Ok(value.start().into_iter().chain(value.end()).map(|time| time.to_string()).collect()),
    },
    NamedField {
        names: &["san", "subjectAltName", "subject-alt-name", "altnames", "names", "sans"],
        about: "subject alternative names",
        paths: &[(ValueKind::Certificate, "tbsCertificate.extensions[subjectAltName].extnValue")],
        texts: |value| names(value, |name| Some(name.to_string())),
    },
    NamedField {
        names: &["dns", "dnsNames", "hosts", "hostnames"],
        about: "DNS names among the alternative names",
        paths: &[],
        texts: |value| {
            names(value, |name| match name {
                GeneralName::DnsName(name) => name.as_str().map(str::to_owned),
                _ => None,
            })
        },
    },
    NamedField {
        names: &["email", "emails", "mail"],
        about: "mail addresses among the alternative names and in the subject",
        paths: &[],
        texts: |value| {
            let mut found = names(value, |name| match name {
                GeneralName::Rfc822Name(name) => name.as_str().map(str::to_owned),
                _ => None,
            })?;
            let name = value.subject();
            for attribute in name.iter().flat_map(Name::attributes) {
                let written = text(&attribute.value).filter(|_| attribute.attr_type == oids::EMAIL_ADDRESS);
                found.extend(written.map(|text| text.into_owned()).filter(|text| !found.contains(text)));
            }
            Ok(found)
        },
    },
    NamedField {
        names: &["fingerprint", "sha256", "thumbprint", "sha256-fingerprint"],
        about: "SHA-256 of the DER",
        paths: &[],
        texts: |value| Ok(value.der().map(|der| Hex(&Sha256::digest(der)).to_string()).into_iter().collect()),
    },
    NamedField {
        names: &["sha1", "sha1-fingerprint", "fingerprint-sha1"],
        about: "SHA-1 of the DER",
        paths: &[],
        texts: |value| Ok(value.der().map(|der| Hex(&Sha1::digest(der)).to_string()).into_iter().collect()),
    },
    NamedField {
        names: &["pubkey", "publicKey", "public-key", "spki"],
        about: "public key in PEM",
        paths: &[
            (ValueKind::Certificate, "tbsCertificate.subjectPublicKeyInfo"),
            (ValueKind::CertificationRequest, "certificationRequestInfo.subjectPKInfo"),
        ],
        texts: |value| {
            let key = spki(value).and_then(|der| pem::encode(label::PUBLIC_KEY, &der).ok());
            Ok(key.map(|text| text.trim_end().to_owned()).into_iter().collect())
        },
    },
    NamedField {
        names: &["spki-sha256", "pin", "key-fingerprint", "pubkey-sha256"],
        about: "SHA-256 of the public key",
        paths: &[],
        texts: |value| Ok(spki(value).map(|der| Hex(&Sha256::digest(&der)).to_string()).into_iter().collect()),
    },
    NamedField {
        names: &["key-type", "keytype", "key-algorithm", "keyalg", "public-key-algorithm"],
        about: "type and size of the public key",
        paths: &[],
        texts: |value| Ok(value.key().map(|key| summary(&key)).into_iter().collect()),
    },
    NamedField {
        names: &["key-size", "keysize", "bits", "key-bits"],
        about: "size of the public key in bits",
        paths: &[],
        texts: |value| {
            let bits = value.key().and_then(|key| key.info().bits);
            Ok(bits.map(|bits| bits.to_string()).into_iter().collect())
        },
    },
    NamedField {
        names: &["modulus"],
        about: "modulus of an RSA key in hexadecimal",
        paths: &[],
        texts: |value| {
            let key = value.key();
            let rsa = key.as_ref().and_then(SubjectPublicKeyInfo::rsa);
            Ok(rsa.map(|rsa| Hex(rsa.modulus.magnitude()).to_string()).into_iter().collect())
        },
    },
    NamedField {
        names: &["sigalg", "signature-algorithm", "signatureAlg"],
        about: "signature algorithm",
        paths: &[],
        texts: |value| Ok(value.algorithm().map(|algorithm| word(algorithm.algorithm)).into_iter().collect()),
    },
    NamedField {
        names: &["keyusage", "key-usage", "ku"],
        about: "key usages",
        paths: &[(ValueKind::Certificate, "tbsCertificate.extensions[keyUsage].extnValue")],
        texts: |value| {
            let usage = value.extension::<KeyUsage<'_>>()?;
            Ok(usage.iter().flat_map(KeyUsage::names).map(str::to_owned).collect())
        },
    },
    NamedField {
        names: &["eku", "extendedKeyUsage", "extKeyUsage", "ext-key-usage", "purpose", "purposes"],
        about: "extended key usages",
        paths: &[(ValueKind::Certificate, "tbsCertificate.extensions[extKeyUsage].extnValue")],
        texts: |value| {
            let usage = value.extension::<ExtKeyUsage<'_>>()?;
            usage.iter().flat_map(|usage| usage.0.iter()).map(|id| id.map(word)).collect()
        },
    },
    NamedField {
        names: &["ca", "is-ca", "isCA"],
        about: "whether it is a CA certificate: true or false",
        paths: &[],
        texts: |value| match value {
            Named::Certificate(certificate, _) => Ok(vec![certificate.is_authority()?.to_string()]),
            _ => Ok(Vec::new()),
        },
    },
    NamedField {
        names: &["basicConstraints", "basic-constraints"],
        about: "CA flag and path length",
        paths: &[(ValueKind::Certificate, "tbsCertificate.extensions[basicConstraints].extnValue")],
        texts: |value| {
            let basic = value.extension::<BasicConstraints<'_>>()?;
            Ok(basic
                .map(|basic| match basic.path_len_constraint {
                    Some(count) => format!("CA:{}, pathlen:{}", basic.ca, count.get()),
                    None => format!("CA:{}", basic.ca),
                })
                .into_iter()
                .collect())
        },
    },
    NamedField {
        names: &["ski", "subjectKeyIdentifier", "subject-key-identifier", "keyid", "key-id"],
        about: "subject key identifier in hexadecimal",
        paths: &[(ValueKind::Certificate, "tbsCertificate.extensions[subjectKeyIdentifier].extnValue")],
        texts: |value| {
            let own = value.extension::<SubjectKeyIdentifier<'_>>()?;
            Ok(own.map(|own| Hex(own.0.as_bytes()).to_string()).into_iter().collect())
        },
    },
    NamedField {
        names: &["aki", "authorityKeyIdentifier", "authority-key-identifier"],
        about: "authority key identifier in hexadecimal",
        paths: &[(ValueKind::Certificate, "tbsCertificate.extensions[authorityKeyIdentifier].extnValue")],
        texts: |value| {
            let issuer = value.extension::<AuthorityKeyIdentifier<'_>>()?.and_then(|issuer| issuer.key_identifier);
            Ok(issuer.map(|issuer| Hex(issuer.as_bytes()).to_string()).into_iter().collect())
        },
    },
    NamedField {
        names: &["ocsp-uri", "ocsp_uri", "ocsp", "ocsp-url"],
        about: "URLs of OCSP responders",
        paths: &[],
        texts: |value| access(value, oids::AD_OCSP),
    },
    NamedField {
        names: &["ca-issuers", "issuer-url", "issuer-uri", "aia"],
        about: "URLs of the issuer's certificate",
        paths: &[],
        texts: |value| access(value, oids::AD_CA_ISSUERS),
    },
    NamedField {
        names: &["crl-uri", "crl-url", "crldp", "crlDistributionPoints"],
        about: "URLs of CRLs",
        paths: &[(ValueKind::Certificate, "tbsCertificate.extensions[cRLDistributionPoints].extnValue")],
        texts: |value| {
            let mut urls = Vec::new();
            let points = value.extension::<CrlDistributionPoints<'_>>()?;
            for point in points.iter().flat_map(|points| points.0.iter()) {
                if let Some(DistributionPointName::FullName(list)) = point?.distribution_point {
                    for name in list.0.iter() {
                        urls.extend(url(&name?));
                    }
                }
            }
            Ok(urls)
        },
    },
    NamedField {
        names: &["policies", "certificatePolicies", "policy"],
        about: "certificate policies",
        paths: &[(ValueKind::Certificate, "tbsCertificate.extensions[certificatePolicies].extnValue")],
        texts: |value| {
            let policies = value.extension::<CertificatePolicies<'_>>()?;
            let policies = policies.iter().flat_map(|list| list.0.iter());
            policies.map(|policy| policy.map(|policy| word(policy.policy_identifier))).collect()
        },
    },
    NamedField {
        names: &["extensions", "ext"],
        about: "names of the extensions",
        paths: &[
            (ValueKind::Certificate, "tbsCertificate.extensions"),
            (ValueKind::CertificateList, "tbsCertList.crlExtensions"),
        ],
        texts: |value| {
            let list = value.extensions()?;
            list.iter().flat_map(Extensions::iter).map(|one| one.map(|one| word(one.extn_id))).collect()
        },
    },
    NamedField {
        names: &["version"],
        about: "version, from 1",
        paths: &[(ValueKind::Certificate, "tbsCertificate.version")],
        texts: |value| {
            Ok(match value {
                Named::Certificate(certificate, _) => {
                    vec![(u64::from(certificate.tbs_certificate.version.0) + 1).to_string()]
                }
                Named::Crl(list, _) => {
                    vec![list.tbs_cert_list.version.map_or(1, |version| u64::from(version.0) + 1).to_string()]
                }
                Named::Request(request, _) => {
                    vec![(u64::from(request.certification_request_info.version.0) + 1).to_string()]
                }
                Named::Key(_) => Vec::new(),
            })
        },
    },
    NamedField {
        names: &["crlNumber", "crl-number"],
        about: "number of a CRL",
        paths: &[(ValueKind::CertificateList, "tbsCertList.crlExtensions[cRLNumber].extnValue")],
        texts: |value| match value {
            Named::Crl(list, _) => {
                Ok(list.tbs_cert_list.number()?.map(|number| number.0.get().to_string()).into_iter().collect())
            }
            _ => Ok(Vec::new()),
        },
    },
    NamedField {
        names: &["revoked", "revokedCertificates"],
        about: "serial numbers of revoked certificates",
        paths: &[(ValueKind::CertificateList, "tbsCertList.revokedCertificates")],
        texts: |value| match value {
            Named::Crl(list, _) => {
                list.entries().map(|entry| entry.map(|entry| entry.user_certificate.hex().to_string())).collect()
            }
            _ => Ok(Vec::new()),
        },
    },
];

/// Returns the field with the given name or alias.
///
/// ```
/// use tagwise_show::named;
/// assert_eq!(named::field("enddate").unwrap().name(), "notAfter");
/// assert!(named::field("tbsCertificate").is_none());
/// ```
#[must_use]
pub fn field(name: &str) -> Option<&'static NamedField> {
    FIELDS.iter().find(|field| field.names.iter().any(|known| known.eq_ignore_ascii_case(name)))
}

impl NamedField {
    /// Returns the customary name.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.names.first().copied().unwrap_or_default()
    }

    /// Returns the path of the field in a value of a kind, if it is a single component.
    #[must_use]
    pub fn path(&self, kind: ValueKind) -> Option<&'static str> {
        self.paths.iter().find(|(known, _)| *known == kind).map(|(_, path)| *path)
    }

    /// Returns the lines of the field in a value, or none if it is absent.
    ///
    /// # Errors
    /// Returns an error if a part of the value is malformed.
    pub fn texts(&self, value: &Named<'_>) -> Result<Vec<String>, Error> {
        (self.texts)(value)
    }
}

fn spki(value: &Named<'_>) -> Option<Vec<u8>> {
    value.key().and_then(|key| encode(&key).ok())
}

/// Returns the customary name of an identifier, or its dotted form.
fn word(id: Oid<'_>) -> String {
    let Some(info) = oids::lookup(id) else { return id.to_string() };
    // SKI and RSA-SHA1 are shorter, but not how standards write them.
    let whole = matches!(info.kind, oids::ObjectKind::Extension | oids::ObjectKind::Signature);
    if whole { info.name } else { info.short_name() }.to_owned()
}

fn names(value: &Named<'_>, show: impl Fn(&GeneralName<'_>) -> Option<String>) -> Texts {
    let list = value.extension::<SubjectAltName<'_>>()?;
    let mut texts = Vec::new();
    for name in list.iter().flat_map(|list| list.0.iter()) {
        texts.extend(show(&name?));
    }
    Ok(texts)
}

fn url(name: &GeneralName<'_>) -> Option<String> {
    match name {
        GeneralName::UniformResourceIdentifier(url) => url.as_str().map(str::to_owned),
        _ => None,
    }
}

fn access(value: &Named<'_>, method: Oid<'_>) -> Texts {
    let list = value.extension::<AuthorityInfoAccess<'_>>()?;
    let mut texts = Vec::new();
    for one in list.iter().flat_map(|list| list.0.iter()) {
        let one = one?;
        texts.extend(url(&one.access_location).filter(|_| one.access_method == method));
    }
    Ok(texts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_has_one_field() {
        let mut names: Vec<String> =
            FIELDS.iter().flat_map(|field| field.names).map(|name| name.to_ascii_lowercase()).collect();
        let count = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
