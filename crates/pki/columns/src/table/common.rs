//! Columns of several kinds of values.

use tagwise_codec::{Error, Oid, UnixTime};
use tagwise_pkix::ext::{
    AuthorityInfoAccess, AuthorityKeyIdentifier, BasicConstraints, CertificatePolicies, CrlDistributionPoints,
    DistributionPointName, ExtKeyUsage, GeneralName, KeyUsage, SubjectAltName, SubjectKeyIdentifier,
};
use tagwise_pkix::{Name, Time, lint, oids};

use crate::column::{Column, Get, Word};
use crate::kind::Kind;
use crate::row::{Read, Row, Value, text_of};

/// Converts a time to microseconds. Years have four digits, so the result always fits.
pub(super) const fn micros(time: UnixTime) -> i64 {
    time.0.saturating_mul(1_000_000)
}

pub(super) fn moment(time: Option<Time<'_>>) -> Read<i64> {
    Ok(time.map(|time| micros(time.unix())))
}

fn attributes<'a>(
    row: &Row<'a>,
    name: Option<Name<'a>>,
    each: &mut dyn FnMut(&Row<'a>) -> Result<(), Error>,
) -> Read<()> {
    let Some(name) = name else { return Ok(None) };
    for rdn in name.rdns() {
        for attribute in rdn?.0.iter() {
            each(&row.part(Value::Attribute(attribute?)))?;
        }
    }
    Ok(Some(()))
}

/// Passes the texts of all attributes of one type to a function.
fn values(name: Option<Name<'_>>, wanted: Oid<'_>, each: &mut dyn FnMut(&str)) -> Read<()> {
    let Some(name) = name else { return Ok(None) };
    for rdn in name.rdns() {
        for attribute in rdn?.0.iter() {
            let attribute = attribute?;
            if attribute.attr_type == wanted {
                let mut text = String::new();
                text_of(&attribute.value, &mut text);
                each(&text);
            }
        }
    }
    Ok(Some(()))
}

/// Passes the text of a name to a function, if the name has the wanted type.
type Show = fn(&GeneralName<'_>, &mut dyn FnMut(&str));

/// Passes the subject alternative names that `show` selects to a function. A certificate without the extension has none.
fn names(row: &Row<'_>, each: &mut dyn FnMut(&str), show: Show) -> Read<()> {
    let Some(list) = row.extension::<SubjectAltName<'_>>()? else { return Ok(None) };
    for name in list.0.iter() {
        show(&name?, each);
    }
    Ok(Some(()))
}

/// Passes the text of an IA5String to a function. Invalid bytes, which only a tolerated deviation admits, become U+FFFD.
pub(super) fn ia5(text: tagwise_codec::Ia5<'_>, each: &mut dyn FnMut(&str)) {
    each(&String::from_utf8_lossy(text.as_bytes()));
}

fn access(row: &Row<'_>, method: Oid<'_>, each: &mut dyn FnMut(&str)) -> Read<()> {
    let Some(list) = row.extension::<AuthorityInfoAccess<'_>>()? else { return Ok(None) };
    for one in list.0.iter() {
        let one = one?;
        if let GeneralName::UniformResourceIdentifier(url) = one.access_location
            && one.access_method == method
        {
            ia5(url, each);
        }
    }
    Ok(Some(()))
}

const ATTRIBUTE: &[Column] = &[
    Column {
        name: "type",
        about: "name of the attribute type, or its dotted identifier",
        get: Get::Word(|row| {
            let Value::Attribute(attribute) = &row.value else { return Ok(None) };
            Ok(Some(Word::from(attribute.attr_type)))
        }),
    },
    Column {
        name: "value",
        about: "text, or `#` and the encoding in hexadecimal if the value is not text",
        get: Get::Text(|row, out| {
            let Value::Attribute(attribute) = &row.value else { return Ok(None) };
            text_of(&attribute.value, out);
            Ok(Some(()))
        }),
    },
];

pub(super) const SUBJECT: Column = Column {
    name: "subject",
    about: "distinguished name of the subject (RFC 4514)",
    get: Get::Text(|row, out| {
        let Some(name) = row.subject() else { return Ok(None) };
        for rdn in name.rdns() {
            rdn?;
        }
        // Writing to a String does not fail.
        let _ = name.write_rfc4514(out);
        Ok(Some(()))
    }),
};

pub(super) const SUBJECT_DER: Column =
    Column { name: "subject_der", about: "encoded subject", get: Get::Bytes(|row| Ok(row.subject_bytes())) };

pub(super) const SUBJECT_CN: Column = Column {
    name: "subject_cn",
    about: "common names of the subject",
    get: Get::Texts(|row, each| values(row.subject(), oids::COMMON_NAME, each)),
};

pub(super) const SUBJECT_ATTRIBUTES: Column = Column {
    name: "subject_attributes",
    about: "attributes of the subject, in the order of the encoding",
    get: Get::Rows(ATTRIBUTE, |row, each| attributes(row, row.subject(), each)),
};

pub(super) const ISSUER: Column = Column {
    name: "issuer",
    about: "distinguished name of the issuer (RFC 4514)",
    get: Get::Name(|row| Ok(row.issuer())),
};

pub(super) const ISSUER_CN: Column = Column {
    name: "issuer_cn",
    about: "common names of the issuer",
    get: Get::Texts(|row, each| values(row.issuer(), oids::COMMON_NAME, each)),
};

pub(super) const ISSUER_ATTRIBUTES: Column = Column {
    name: "issuer_attributes",
    about: "attributes of the issuer, in the order of the encoding",
    get: Get::Rows(ATTRIBUTE, |row, each| attributes(row, row.issuer(), each)),
};

pub(super) const ISSUER_DER: Column =
    Column { name: "issuer_der", about: "encoded issuer", get: Get::Bytes(|row| Ok(row.issuer_bytes())) };

pub(super) const NOT_BEFORE: Column =
    Column { name: "not_before", about: "start of validity, inclusive", get: Get::Time(|row| moment(row.start())) };

pub(super) const NOT_AFTER: Column =
    Column { name: "not_after", about: "end of validity, inclusive", get: Get::Time(|row| moment(row.end())) };

pub(super) const KEY_TYPE: Column = Column {
    name: "key_type",
    about: "algorithm of the public key, such as `RSA`, `EC` or `Ed25519`",
    get: Get::Word(|row| Ok(row.key().map(|key| Word::Known(key.algorithm)))),
};

pub(super) const KEY_BITS: Column = Column {
    name: "key_bits",
    about: "size of the public key in bits",
    get: Get::Int32(|row| Ok(row.key().and_then(|key| key.bits).and_then(|bits| i32::try_from(bits).ok()))),
};

pub(super) const KEY_CURVE: Column = Column {
    name: "key_curve",
    about: "name of the elliptic curve, such as `P-256`",
    get: Get::Word(|row| Ok(row.key().and_then(|key| key.curve).map(Word::Known))),
};

pub(super) const SPKI: Column =
    Column { name: "spki", about: "encoded SubjectPublicKeyInfo", get: Get::Bytes(|row| Ok(row.key_bytes())) };

pub(super) const SPKI_SHA256: Column = Column {
    name: "spki_sha256",
    about: "SHA-256 of the SubjectPublicKeyInfo",
    get: Get::Sha256(|row| Ok(row.key_bytes())),
};

pub(super) const SIGNATURE_ALGORITHM: Column = Column {
    name: "signature_algorithm",
    about: "name of the signature algorithm, such as `sha256WithRSAEncryption`, or its dotted identifier",
    get: Get::Word(|row| Ok(row.algorithm().map(|algorithm| algorithm.algorithm.into()))),
};

pub(super) const SAN_DNS: Column = Column {
    name: "san_dns",
    about: "DNS names among the subject alternative names",
    get: Get::Texts(|row, each| {
        names(row, each, |name, each| {
            if let GeneralName::DnsName(name) = name {
                ia5(*name, each);
            }
        })
    }),
};

pub(super) const SAN_IP: Column = Column {
    name: "san_ip",
    about: "IP addresses among the subject alternative names",
    get: Get::Texts(|row, each| {
        names(row, each, |name, each| {
            if let GeneralName::IpAddress(address) = name {
                each(&address.to_string());
            }
        })
    }),
};

pub(super) const SAN_EMAIL: Column = Column {
    name: "san_email",
    about: "mail addresses (rfc822Name) among the subject alternative names",
    get: Get::Texts(|row, each| {
        names(row, each, |name, each| {
            if let GeneralName::Rfc822Name(mailbox) = name {
                ia5(*mailbox, each);
            }
        })
    }),
};

pub(super) const SAN_URI: Column = Column {
    name: "san_uri",
    about: "URIs among the subject alternative names",
    get: Get::Texts(|row, each| {
        names(row, each, |name, each| {
            if let GeneralName::UniformResourceIdentifier(uri) = name {
                ia5(*uri, each);
            }
        })
    }),
};

pub(super) const SAN_OTHER: Column = Column {
    name: "san_other",
    about: "other subject alternative names, with their types: `dirName:`, `RID:`, `otherName:` and others",
    get: Get::Texts(|row, each| {
        names(row, each, |name, each| match name {
            GeneralName::DnsName(_)
            | GeneralName::IpAddress(_)
            | GeneralName::Rfc822Name(_)
            | GeneralName::UniformResourceIdentifier(_) => {}
            other => each(&other.to_string()),
        })
    }),
};

pub(super) const KEY_USAGE: Column = Column {
    name: "key_usage",
    about: "key usages, such as `digitalSignature`; null if the extension is absent",
    get: Get::Texts(|row, each| {
        let Some(usage) = row.extension::<KeyUsage<'_>>()? else { return Ok(None) };
        usage.names().for_each(each);
        Ok(Some(()))
    }),
};

pub(super) const EXTENDED_KEY_USAGE: Column = Column {
    name: "extended_key_usage",
    about: "extended key usages, such as `serverAuth`; null if the extension is absent",
    get: Get::Texts(|row, each| {
        let Some(usage) = row.extension::<ExtKeyUsage<'_>>()? else { return Ok(None) };
        for purpose in usage.0.iter() {
            each(&Word::from(purpose?).to_string());
        }
        Ok(Some(()))
    }),
};

pub(super) const POLICIES: Column = Column {
    name: "policies",
    about: "certificate policies: names or dotted identifiers; null if the extension is absent",
    get: Get::Texts(|row, each| {
        let Some(policies) = row.extension::<CertificatePolicies<'_>>()? else { return Ok(None) };
        for policy in policies.0.iter() {
            each(&Word::from(policy?.policy_identifier).to_string());
        }
        Ok(Some(()))
    }),
};

pub(super) const PATH_LENGTH: Column = Column {
    name: "path_length",
    about: "path length constraint; 9223372036854775807 stands for larger numbers",
    get: Get::Int64(|row| {
        let basic = row.extension::<BasicConstraints<'_>>()?;
        let count = basic.and_then(|basic| basic.path_len_constraint);
        Ok(count.map(|count| i64::try_from(count.get()).unwrap_or(i64::MAX)))
    }),
};

pub(super) const SKI: Column = Column {
    name: "subject_key_id",
    about: "subject key identifier",
    get: Get::Bytes(|row| Ok(row.extension::<SubjectKeyIdentifier<'_>>()?.map(|own| own.0.as_bytes()))),
};

pub(super) const AKI: Column = Column {
    name: "authority_key_id",
    about: "key identifier of the issuer",
    get: Get::Bytes(|row| {
        let issuer = row.extension::<AuthorityKeyIdentifier<'_>>()?;
        Ok(issuer.and_then(|issuer| issuer.key_identifier).map(|identifier| identifier.as_bytes()))
    }),
};

pub(super) const OCSP_URLS: Column = Column {
    name: "ocsp_urls",
    about: "URLs of OCSP responders",
    get: Get::Texts(|row, each| access(row, oids::AD_OCSP, each)),
};

pub(super) const ISSUER_URLS: Column = Column {
    name: "issuer_urls",
    about: "URLs of the issuer's certificate",
    get: Get::Texts(|row, each| access(row, oids::AD_CA_ISSUERS, each)),
};

pub(super) const CRL_URLS: Column = Column {
    name: "crl_urls",
    about: "URLs of CRLs",
    get: Get::Texts(|row, each| {
        let Some(points) = row.extension::<CrlDistributionPoints<'_>>()? else { return Ok(None) };
        for point in points.0.iter() {
            let Some(DistributionPointName::FullName(names)) = point?.distribution_point else { continue };
            for name in names.0.iter() {
                if let GeneralName::UniformResourceIdentifier(url) = name? {
                    ia5(url, each);
                }
            }
        }
        Ok(Some(()))
    }),
};

const EXTENSION: &[Column] = &[
    Column {
        name: "id",
        about: "dotted identifier of the extension",
        get: Get::Text(|row, out| {
            let Value::Extension(extension) = &row.value else { return Ok(None) };
            out.push_str(&extension.extn_id.to_string());
            Ok(Some(()))
        }),
    },
    Column {
        name: "name",
        about: "name of the extension, or null if it is unknown",
        get: Get::Word(|row| {
            let Value::Extension(extension) = &row.value else { return Ok(None) };
            Ok(oids::lookup(extension.extn_id).map(|info| Word::Known(info.name)))
        }),
    },
    Column {
        name: "critical",
        about: "whether the extension is critical",
        get: Get::Bool(|row| {
            let Value::Extension(extension) = &row.value else { return Ok(None) };
            Ok(Some(extension.critical))
        }),
    },
    Column {
        name: "value",
        about: "encoded value",
        get: Get::Bytes(|row| {
            let Value::Extension(extension) = &row.value else { return Ok(None) };
            Ok(Some(extension.extn_value.as_bytes()))
        }),
    },
];

pub(super) const EXTENSIONS: Column = Column {
    name: "extensions",
    about: "extensions with identifier, name, criticality and value; null if there are none",
    get: Get::Rows(EXTENSION, |row, each| {
        let Some(list) = row.extensions()? else { return Ok(None) };
        for extension in list.iter() {
            each(&row.part(Value::Extension(extension?)))?;
        }
        Ok(Some(()))
    }),
};

const FINDING: &[Column] = &[
    Column {
        name: "id",
        about: "identifier of the lint, such as `rfc5280.4.2.1.9.not_critical`",
        get: Get::Word(|row| {
            let Value::Finding(finding, _) = &row.value else { return Ok(None) };
            Ok(Some(Word::Known(finding.lint.id)))
        }),
    },
    Column {
        name: "severity",
        about: "`error` or `warning`",
        get: Get::Word(|row| {
            let Value::Finding(finding, _) = &row.value else { return Ok(None) };
            Ok(Some(Word::Known(finding.lint.severity.name())))
        }),
    },
    Column {
        name: "path",
        about: "path of the faulty element",
        get: Get::Text(|row, out| {
            let Value::Finding(finding, kind) = &row.value else { return Ok(None) };
            out.push_str(&match kind {
                Kind::Crl => finding.path::<tagwise_pkix::CertificateList<'_>>(row.der),
                _ => finding.path::<tagwise_pkix::Certificate<'_>>(row.der),
            });
            Ok(Some(()))
        }),
    },
    Column {
        name: "offset",
        about: "offset of the faulty element, in bytes",
        get: Get::Int64(|row| {
            let Value::Finding(finding, _) = &row.value else { return Ok(None) };
            Ok(i64::try_from(finding.offset).ok())
        }),
    },
    Column {
        name: "clause",
        about: "clause of the requirement",
        get: Get::Word(|row| {
            let Value::Finding(finding, _) = &row.value else { return Ok(None) };
            Ok(Some(Word::Known(finding.lint.clause)))
        }),
    },
];

pub(super) const LINTS: Column = Column {
    name: "lints",
    about: "lint findings: violations of RFC 5280's requirements on issuers",
    get: Get::Rows(FINDING, |row, each| {
        let (findings, kind) = match &row.value {
            Value::Certificate(certificate) => (lint::certificate(certificate, &row.lints), Kind::Certificate),
            Value::Crl(list) => (lint::crl(list, &row.lints), Kind::Crl),
            _ => return Ok(None),
        };
        for finding in &findings.sorted() {
            each(&row.part(Value::Finding(*finding, kind)))?;
        }
        Ok(Some(()))
    }),
};

pub(super) const SHA256: Column =
    Column { name: "sha256", about: "SHA-256 of the encoding", get: Get::Sha256(|row| Ok(Some(row.der))) };

pub(super) const SHA1: Column =
    Column { name: "sha1", about: "SHA-1 of the encoding", get: Get::Sha1(|row| Ok(Some(row.der))) };

pub(super) const SIZE: Column = Column {
    name: "size",
    about: "length of the encoding in bytes",
    get: Get::Int64(|row| Ok(i64::try_from(row.der.len()).ok())),
};

pub(super) const DER: Column = Column { name: "der", about: "the encoding", get: Get::Bytes(|row| Ok(Some(row.der))) };
