//! Certification requests (RFC 2986): verifies signatures and extracts the requested values.

use std::collections::HashSet;

use tagwise_codec::{Decode, Oid, OidBuf, Options, RuleSet};
use tagwise_crypto::{Backend, verify};
use tagwise_pkix::csr::{CertificationRequest, Version};
use tagwise_pkix::ext::{
    Attribute, AuthorityKeyIdentifier, BasicConstraints, ExtKeyUsage, KeyUsage, KnownExtension, SubjectAltName,
    SubjectKeyIdentifier,
};
use tagwise_pkix::name::NameBuf;
use tagwise_pkix::{Extension, Extensions, Name, TbsCertificate, oids};

use crate::definition::{CopiedExtension, KEY_CERT_SIGN};
use crate::identity::path_len;
use crate::{AltName, Definition, Error, Restrictions};

/// The parts of a request that a CA considers.
///
/// Only the subject's names and the restrictions of a CA are copied from the request. The issuing CA decides everything
/// else. [`not_taken`](Self::not_taken) lists what the certificate omits.
#[derive(Debug)]
pub struct Requested {
    /// The requested distinguished name of the subject.
    pub subject: NameBuf,
    /// The requested subject alternative names that were accepted.
    pub names: Vec<AltName>,
    /// The reasons why other requested names were not accepted. If there are any, reject the request unless you supply the
    /// names yourself.
    pub refused: Vec<Error>,
    /// The subject's key, a SubjectPublicKeyInfo in DER.
    pub public_key: Vec<u8>,
    /// The requested subject key identifier. It is preserved for CAs, because certificates that they have issued refer to it
    /// (RFC 5280 §4.2.1.1).
    pub key_identifier: Option<Vec<u8>>,
    /// The requested path length constraint of a CA.
    pub path_len: Option<u8>,
    /// The requested restrictions of a CA.
    pub restrictions: Restrictions,
    /// The requested extensions other than the subject alternative names.
    extensions: Vec<Asked>,
    /// Other requested values, which are never copied.
    others: Vec<NotTaken>,
}

/// A requested extension.
#[derive(Debug)]
struct Asked {
    name: String,
    critical: bool,
    /// The content bytes of the extension's identifier.
    id: Vec<u8>,
    /// The extension's value, in DER.
    value: Vec<u8>,
}

/// A requested value that the certificate does not contain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotTaken {
    /// The kind of value, such as `extension`.
    pub kind: &'static str,
    /// The value, such as `keyUsage` or `DNS:www.example.org`.
    pub what: String,
    /// The reason why the value was omitted.
    pub why: String,
}

impl Definition {
    /// Returns the profile, with the requested extensions that it allows.
    #[must_use]
    pub fn for_request(&self, requested: &Requested) -> Self {
        let copied = requested.copied(&self.extensions);
        let copied =
            copied.map(|(id, critical, value)| CopiedExtension { id, critical, value: value.to_vec() }).collect();
        Self { copied, ..self.clone() }
    }
}

impl core::fmt::Display for NotTaken {
    /// Writes the kind, value and reason, such as `extension keyUsage: the profile sets another value`.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{} {}: {}", self.kind, self.what, self.why)
    }
}

impl NotTaken {
    /// The [`kind`](Self::kind) of requested extensions.
    pub const EXTENSION: &'static str = "extension";

    fn new(kind: &'static str, what: impl Into<String>, why: impl Into<String>) -> Self {
        Self { kind, what: what.into(), why: why.into() }
    }
}

const REQUEST: &str = "the request";

/// Returns the short name of an identifier, or its dotted form.
fn name(id: Oid<'_>) -> String {
    oids::lookup(id).map_or_else(|| id.to_string(), |known| known.short_name().to_owned())
}

/// Checks what the ASN.1 type of a request does not express: the version is v1 (RFC 2986 §4.1), and there is at most one value of a
/// challenge password and of an extension request (RFC 2985 §5.4.1 and §5.4.2).
///
/// # Errors
/// Returns [`Error::Refused`] if a request violates these rules, or [`Error::Malformed`] if an attribute does not decode.
pub fn check_request(request: &CertificationRequest<'_>) -> Result<(), Error> {
    let info = &request.certification_request_info;
    if info.version != Version::V1 {
        let what = format!("the version of the request is {}, expected 0 (v1)", info.version.0);
        return Err(Error::refused(what, "RFC 2986 §4.1"));
    }
    let (mut passwords, mut lists) = (0_usize, 0_usize);
    for attribute in info.attributes.iter() {
        let attribute = attribute.map_err(Error::malformed(REQUEST))?;
        match attribute.attr_type {
            oids::CHALLENGE_PASSWORD => passwords += attribute.values.iter().count(),
            oids::EXTENSION_REQUEST => lists += attribute.values.iter().count(),
            _ => {}
        }
    }
    let attributes =
        [(oids::CHALLENGE_PASSWORD, passwords, "RFC 2985 §5.4.1"), (oids::EXTENSION_REQUEST, lists, "RFC 2985 §5.4.2")];
    match attributes.into_iter().find(|(_, count, _)| *count > 1) {
        Some((id, count, clause)) => {
            Err(Error::refused(format!("the request has {count} values of {}, expected one", name(id)), clause))
        }
        None => Ok(()),
    }
}

impl Requested {
    /// Decodes a CertificationRequest in DER, and verifies its signature.
    ///
    /// # Errors
    /// Returns [`Error::Malformed`] if the request does not decode, [`Error::Refused`] if it violates the rules of [`check_request`], or
    /// [`Error::Crypto`] if the signature is invalid or unsupported.
    pub fn from_der(backend: &dyn Backend, der: &[u8]) -> Result<Self, Error> {
        Self::from_der_with(backend, der, RuleSet::NONE)
    }

    /// Decodes a CertificationRequest like [`from_der`](Self::from_der), but tolerates violations of the given decoding rules,
    /// such as missing or unsorted attributes. The requested values are checked as usual, and the certificate obeys all rules.
    ///
    /// # Errors
    /// Returns any error from [`from_der`](Self::from_der).
    pub fn from_der_with(backend: &dyn Backend, der: &[u8], allowed: RuleSet) -> Result<Self, Error> {
        let malformed = Error::malformed(REQUEST);
        let failed = |error: tagwise_codec::EncodeError| Error::Build(error.into());
        let options = Options::der().rules(allowed);
        let request = options.decode::<CertificationRequest<'_>>(der).map_err(&malformed)?.value;
        check_request(&request)?;
        let info = &request.certification_request_info;
        let key = info.subject_pk_info;
        let signature = request.signature.octets().unwrap_or_default();
        verify(backend, &key, &request.signature_algorithm, info.as_bytes(), signature)
            .map_err(Error::crypto(REQUEST))?;

        let mut read = Self::of_key(tagwise_codec::encode(&key).map_err(failed)?)?;
        read.subject = NameBuf::new(&info.subject).map_err(failed)?;
        for attribute in info.attributes.iter() {
            read.attribute(&attribute.map_err(&malformed)?)?;
        }
        Ok(read)
    }

    /// Creates a request from a bare SubjectPublicKeyInfo in DER, without any other requested values.
    ///
    /// # Errors
    /// Does not fail in practice.
    pub fn of_key(public_key: Vec<u8>) -> Result<Self, Error> {
        let nobody = NameBuf::parse("").map_err(|error| Error::refused(error.to_string(), None))?;
        let (names, refused, extensions, others) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let (key_identifier, path_len) = (None, None);
        let restrictions = Restrictions::default();
        Ok(Self {
            subject: nobody,
            names,
            refused,
            public_key,
            key_identifier,
            path_len,
            restrictions,
            extensions,
            others,
        })
    }

    /// Creates a request from a certificate template (RFC 4211 §5) or from the contents of a certificate to renew. The
    /// caller must check the proof of possession.
    ///
    /// # Errors
    /// Returns [`Error::Malformed`] if an extension does not decode.
    pub fn of_template(
        public_key: Vec<u8>,
        subject: &Name<'_>,
        extensions: Option<Extensions<'_>>,
    ) -> Result<Self, Error> {
        let mut read = Self::of_key(public_key)?;
        read.subject = NameBuf::new(subject).map_err(|error| Error::Build(error.into()))?;
        for extension in extensions.iter().flat_map(Extensions::iter) {
            read.extension(&extension.map_err(Error::malformed(REQUEST))?)?;
        }
        Ok(read)
    }

    fn attribute(&mut self, attribute: &Attribute<'_>) -> Result<(), Error> {
        let malformed = Error::malformed(REQUEST);
        if attribute.attr_type != oids::EXTENSION_REQUEST {
            let why = "only the attribute extensionRequest is supported";
            self.others.push(NotTaken::new("attribute", name(attribute.attr_type), why));
            return Ok(());
        }
        // There is one value.
        let Some(value) = attribute.values.iter().next() else { return Ok(()) };
        let asked: Extensions<'_> = value.map_err(&malformed)?.decode_as().map_err(&malformed)?;
        asked.iter().try_for_each(|extension| self.extension(&extension.map_err(&malformed)?))
    }

    fn extension(&mut self, extension: &Extension<'_>) -> Result<(), Error> {
        let malformed = Error::malformed(REQUEST);
        let (id, value) = (extension.extn_id, extension.extn_value.as_bytes());
        match id {
            SubjectKeyIdentifier::ID => {
                let own: SubjectKeyIdentifier<'_> = extension.extn_value.decode_as().map_err(&malformed)?;
                self.key_identifier = Some(own.0.as_bytes().to_vec());
            }
            BasicConstraints::ID => {
                self.path_len = path_len(extension.extn_value.decode_as().map_err(&malformed)?);
            }
            _ => self.restrictions.add(extension).map_err(&malformed)?,
        }
        if id != oids::SUBJECT_ALT_NAME {
            let critical = extension.critical;
            self.extensions.push(Asked { name: name(id), critical, id: id.as_bytes().to_vec(), value: value.to_vec() });
            return Ok(());
        }
        let list: SubjectAltName<'_> = extension.extn_value.decode_as().map_err(&malformed)?;
        for name in list.0.iter() {
            let name = name.map_err(&malformed)?;
            match AltName::of(&name) {
                Ok(name) => self.names.push(name),
                Err(error) => {
                    self.others.push(NotTaken::new("name", name.to_string(), error.to_string()));
                    self.refused.push(error);
                }
            }
        }
        Ok(())
    }

    /// Iterates over the requested extensions with these identifiers, as identifier, criticality and value.
    pub(crate) fn copied<'a>(&'a self, wanted: &'a [OidBuf]) -> impl Iterator<Item = (OidBuf, bool, &'a [u8])> + 'a {
        wanted.iter().filter_map(|id| {
            let asked = self.extensions.iter().find(|asked| asked.id == id.as_bytes())?;
            Some((id.clone(), asked.critical, asked.value.as_slice()))
        })
    }

    /// Returns the first requested extension that the CA is not willing to include in a certificate with the given contents (RFC 8555
    /// §7.4). Unlike [`not_taken`](Self::not_taken), key usages, purposes and key identifiers may differ, because clients request them by
    /// default and the profile decides about them. A request for the rights of a CA is not ignored.
    ///
    /// # Errors
    /// Returns [`Error::Malformed`] if an extension does not decode.
    pub fn unwilling(&self, certificate: &TbsCertificate<'_>) -> Result<Option<NotTaken>, Error> {
        let is_ca = certificate.extensions.map_or(Ok(None), |list| list.get::<BasicConstraints<'_>>());
        let is_ca = is_ca.map_err(Error::malformed("the certificate"))?.is_some_and(|own| own.ca);
        let mut tolerated: Vec<&str> = Vec::new();
        for asked in &self.extensions {
            let value = asked.value.as_slice();
            let is_tolerated = if asked.id == BasicConstraints::ID.as_bytes() {
                is_ca || !BasicConstraints::from_der(value).map_err(Error::malformed(REQUEST))?.ca
            } else if asked.id == KeyUsage::ID.as_bytes() {
                let usage = KeyUsage::from_der(value).map_err(Error::malformed(REQUEST))?.0.to_mask();
                is_ca || usage.is_some_and(|usage| usage & KEY_CERT_SIGN == 0)
            } else {
                let ours = [ExtKeyUsage::ID, SubjectKeyIdentifier::ID, AuthorityKeyIdentifier::ID];
                ours.iter().any(|id| asked.id == id.as_bytes())
            };
            if is_tolerated {
                tolerated.push(&asked.name);
            }
        }
        let mut list = self.not_taken(certificate)?.into_iter();
        Ok(list.find(|left| left.kind == NotTaken::EXTENSION && !tolerated.contains(&left.what.as_str())))
    }

    /// Returns the requested values that an issued or unsigned certificate does not contain.
    ///
    /// # Errors
    /// Returns [`Error::Malformed`] if the certificate's extensions do not decode.
    pub fn not_taken(&self, certificate: &TbsCertificate<'_>) -> Result<Vec<NotTaken>, Error> {
        let malformed = Error::malformed("the certificate");
        let mut list = Vec::new();
        let subject = self.subject.name();
        if !subject.is_empty() && !subject.matches(&certificate.subject) {
            list.push(NotTaken::new("subject", subject.to_string(), "the certificate has a different value"));
        }
        let names =
            certificate.extensions.map_or(Ok(None), |list| list.get::<SubjectAltName<'_>>()).map_err(&malformed)?;
        let given = names.iter().flat_map(|names| names.0.iter()).map_while(Result::ok);
        let given: HashSet<AltName> = given.filter_map(|name| AltName::of(&name).ok()).collect();
        for name in &self.names {
            if !given.contains(name) {
                list.push(NotTaken::new("name", name.to_string(), "the certificate has different values"));
            }
        }
        list.extend(self.others.iter().cloned());
        for asked in &self.extensions {
            let found = certificate.extensions.iter().flat_map(Extensions::iter).map_while(Result::ok);
            let mut found = found.filter(|given| given.extn_id.as_bytes() == asked.id);
            let why = match found.next() {
                Some(given) if given.extn_value.as_bytes() == asked.value => continue,
                Some(_) => "the profile sets a different value",
                None => "the profile has no such value",
            };
            list.push(NotTaken::new(NotTaken::EXTENSION, &asked.name, why));
        }
        Ok(list)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn element(tag: u8, parts: &[&[u8]]) -> Vec<u8> {
        let content = parts.concat();
        [&[tag, u8::try_from(content.len()).unwrap()][..], &content].concat()
    }

    /// A request of a version with attributes, whose signature is not verified.
    fn checked(version: u8, attributes: &[&[u8]]) -> Result<(), String> {
        let key = element(0x30, &[b"\x30\x03\x06\x01\x2A", b"\x03\x02\x00\x07"]);
        let info = element(0x30, &[&[2, 1, version], b"\x30\x00", &key, &element(0xA0, attributes)]);
        let der = element(0x30, &[&info, b"\x30\x03\x06\x01\x2A", b"\x03\x02\x00\x07"]);
        let request = CertificationRequest::from_der(&der).unwrap();
        check_request(&request).map_err(|error| error.to_string())
    }

    /// An attribute of PKCS #9 (1.2.840.113549.1.9) with values.
    fn attribute(number: u8, values: &[&[u8]]) -> Vec<u8> {
        let id = [&b"\x06\x09\x2A\x86\x48\x86\xF7\x0D\x01\x09"[..], &[number]].concat();
        element(0x30, &[&id, &element(0x31, values)])
    }

    #[test]
    fn requests_have_version_1_and_single_values() {
        let [one, other] = [&b"\x0C\x01a"[..], b"\x0C\x01b"];
        assert_eq!(checked(0, &[&attribute(7, &[one]), &attribute(14, &[one])]), Ok(()));
        // The attribute unstructuredName may have several values.
        assert_eq!(checked(0, &[&attribute(2, &[one, other])]), Ok(()));
        assert_eq!(checked(1, &[]).unwrap_err(), "the version of the request is 1, expected 0 (v1) (RFC 2986 §4.1)");
        for (number, name, clause) in
            [(7, "challengePassword", "RFC 2985 §5.4.1"), (14, "extensionRequest", "RFC 2985 §5.4.2")]
        {
            let expected = format!("the request has 2 values of {name}, expected one ({clause})");
            assert_eq!(checked(0, &[&attribute(number, &[one, other])]).unwrap_err(), expected);
            let twice = [&attribute(number, &[one])[..], &attribute(number, &[other])];
            assert_eq!(checked(0, &twice).unwrap_err(), expected);
        }
    }
}
