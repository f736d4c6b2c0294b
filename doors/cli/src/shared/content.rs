//! The requested content of a certificate: names, key usages and extensions, from options or a TOML file.

use std::net::IpAddr;
use std::path::Path;

use serde::Deserialize;
use tagwise_ca::AltName;
use tagwise_codec::table::Shape;
use tagwise_codec::text::hex;
use tagwise_codec::value::from_dotted;
use tagwise_codec::{Any, Decode, Int, NamedBits, Oid, SeqOf, Typed};
use tagwise_pkix::build::{BuildError, CertificateBuilder, CsrBuilder, ExtensionList};
use tagwise_pkix::ext::{
    BasicConstraints, Count, ExtKeyUsage, GeneralName, KeyUsage, KnownExtension, SubjectAltName, TlsFeature,
};
use tagwise_pkix::name::{NameBuf, text, visible};
use tagwise_pkix::oids::{self, ObjectKind};
use tagwise_pkix::{Certificate, Extensions};

use crate::shared::context::Context;
use crate::shared::issuing::one_of;
use crate::shared::output::{Failure, name_of};

/// Names, key usages and extensions. A TOML file has the same keys.
#[derive(Clone, Debug, Default, clap::Args, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct ContentArgs {
    /// Subject, such as `CN=www.example.org,O=Example`, or in OpenSSL's form `/O=Example/CN=www.example.org`
    #[arg(long, value_name = "NAME", alias = "subj", alias = "dn")]
    pub(crate) subject: Option<String>,
    /// DNS name; may be repeated
    #[arg(long, value_name = "NAME", value_delimiter = ',', alias = "san", alias = "hostname")]
    pub(crate) dns: Vec<String>,
    /// IP address; may be repeated
    #[arg(long, value_name = "ADDRESS", value_delimiter = ',')]
    pub(crate) ip: Vec<IpAddr>,
    /// Mail address; may be repeated
    #[arg(long, value_name = "MAILBOX")]
    pub(crate) email: Vec<String>,
    /// URI; may be repeated
    #[arg(long, value_name = "URI")]
    pub(crate) uri: Vec<String>,
    /// Key usages, comma-separated, such as digitalSignature,keyEncipherment
    #[arg(long, value_name = "USAGE", value_delimiter = ',')]
    pub(crate) key_usage: Vec<String>,
    /// Extended key usages, comma-separated, such as serverAuth,clientAuth or dotted OBJECT IDENTIFIERs
    #[arg(long, value_name = "PURPOSE", value_delimiter = ',', alias = "eku")]
    pub(crate) ext_key_usage: Vec<String>,
    /// A CA certificate
    #[arg(long)]
    pub(crate) ca: bool,
    /// Maximum number of CAs below this one in a path
    #[arg(long, value_name = "N", requires = "ca")]
    pub(crate) path_len: Option<u8>,
    /// Require a stapled OCSP response (RFC 7633)
    #[arg(long)]
    pub(crate) must_staple: bool,
    /// Any extension, as an identifier and a value in DER, in hexadecimal: `2.999.1=0500` or `critical,2.999.1=0500`; may be repeated
    #[arg(long, value_name = "OID=HEX")]
    pub(crate) extension: Vec<String>,
}

/// The extensions that a certificate's issuer determines. They are not copied to requests.
const OF_ISSUER: [Oid<'static>; 9] = [
    oids::SUBJECT_KEY_IDENTIFIER,
    oids::AUTHORITY_KEY_IDENTIFIER,
    oids::CRL_DISTRIBUTION_POINTS,
    oids::FRESHEST_CRL,
    oids::AUTHORITY_INFO_ACCESS,
    oids::CERTIFICATE_POLICIES,
    oids::ISSUER_ALT_NAME,
    oids::SIGNED_CERTIFICATE_TIMESTAMP_LIST,
    oids::CT_POISON,
];

/// An extension: its identifier, criticality, and DER-encoded value.
#[derive(Clone, Debug)]
struct Entry {
    id: Vec<u8>,
    critical: bool,
    value: Vec<u8>,
}

/// The content of a certificate or request to build.
#[derive(Clone, Debug)]
pub(crate) struct Content {
    pub(crate) subject: NameBuf,
    pub(crate) names: Vec<AltName>,
    extensions: Vec<Entry>,
}

impl Content {
    /// Returns the content of a request for a single alternative name.
    pub(crate) fn of_name(name: AltName) -> Self {
        Self { subject: NameBuf::default(), names: vec![name], extensions: Vec::new() }
    }
}

/// Parses a subject from the command line, in RFC 4514 or OpenSSL form.
///
/// # Errors
/// Returns an error if the text is not a name.
pub(crate) fn subject(option: &str, given: &str) -> Result<NameBuf, Failure> {
    let written = match given.strip_prefix('/') {
        Some(rest) => slashed(rest),
        None => given.to_owned(),
    };
    NameBuf::parse(&written).map_err(|error| Failure::usage(format!("{option}: {error}")))
}

/// Checks a subject as CAs do, so that no request is created that they refuse.
///
/// # Errors
/// Returns an error for the first attribute with a wrong length.
pub(crate) fn check_subject(subject: &NameBuf) -> Result<(), Failure> {
    tagwise_ca::check_subject(subject).map_err(|error| Failure::negative(error.to_string()))
}

/// Converts OpenSSL's form `O=Example/CN=www`, which begins with the root RDN, to RFC 4514, which ends with it. `\` quotes the next
/// character, and `+` joins the attributes of one RDN, as in `openssl req -subj`.
fn slashed(text: &str) -> String {
    let mut rdns = Vec::new();
    let mut rdn = String::new();
    let mut in_value = false;
    let mut characters = text.chars();
    while let Some(next) = characters.next() {
        match next {
            '/' => {
                rdns.push(std::mem::take(&mut rdn));
                in_value = false;
            }
            '+' => {
                rdn.push('+');
                in_value = false;
            }
            '=' if !in_value => {
                rdn.push('=');
                in_value = true;
            }
            '\\' => quoted(characters.next().unwrap_or('\\'), &mut rdn),
            other if in_value => quoted(other, &mut rdn),
            other => rdn.push(other),
        }
    }
    rdns.push(rdn);
    rdns.retain(|rdn| !rdn.is_empty());
    rdns.reverse();
    rdns.join(",")
}

/// Appends a character of a value, escaped as in RFC 4514 §2.4.
fn quoted(character: char, text: &mut String) {
    if matches!(character, ',' | '+' | '"' | '\\' | '<' | '>' | ';' | '=' | '#' | ' ') {
        text.push('\\');
    }
    text.push(character);
}

impl ContentArgs {
    /// Reads a TOML file with the keys of these options.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or is not TOML with these keys.
    pub(crate) fn load(context: &Context, path: &Path) -> Result<Self, Failure> {
        let octets = context.load(path).map_err(|error| Failure::file(path, "read", &error))?;
        let negative = |error: &dyn std::fmt::Display| {
            Failure::negative(format!("{}: {}", name_of(path), error.to_string().trim_end()))
        };
        let text = std::str::from_utf8(&octets).map_err(|error| negative(&error))?;
        toml::from_str(text).map_err(|error| negative(&error))
    }

    /// Fills options that are absent here from those in a file.
    pub(crate) fn or(self, file: Self) -> Self {
        fn list<T>(own: Vec<T>, file: Vec<T>) -> Vec<T> {
            if own.is_empty() { file } else { own }
        }
        Self {
            subject: self.subject.or(file.subject),
            dns: list(self.dns, file.dns),
            ip: list(self.ip, file.ip),
            email: list(self.email, file.email),
            uri: list(self.uri, file.uri),
            key_usage: list(self.key_usage, file.key_usage),
            ext_key_usage: list(self.ext_key_usage, file.ext_key_usage),
            ca: self.ca || file.ca,
            path_len: self.path_len.or(file.path_len),
            must_staple: self.must_staple || file.must_staple,
            extension: list(self.extension, file.extension),
        }
    }

    /// Returns the subject alternative names.
    ///
    /// # Errors
    /// Returns an error if a name is malformed.
    pub(crate) fn names(&self) -> Result<Vec<AltName>, Failure> {
        let dns = self.dns.iter().map(|name| AltName::dns(name));
        let ip = self.ip.iter().map(|address| Ok(AltName::ip(*address)));
        let email = self.email.iter().map(|name| AltName::email(name));
        let uri = self.uri.iter().map(|name| AltName::uri(name));
        let names = dns.chain(ip).chain(email).chain(uri).collect::<Result<_, tagwise_ca::Error>>();
        names.map_err(|error| Failure::usage(error.to_string()))
    }

    /// Builds the content. Parts that the options do not specify come from `base`.
    ///
    /// # Errors
    /// Returns an error if an option is malformed.
    pub(crate) fn content(&self, base: Option<Content>) -> Result<Content, Failure> {
        let mut content =
            base.unwrap_or_else(|| Content { subject: NameBuf::default(), names: Vec::new(), extensions: Vec::new() });
        if let Some(given) = &self.subject {
            content.subject = subject("--subject", given)?;
        }
        let names = self.names()?;
        if !names.is_empty() {
            content.extensions.retain(|entry| entry.id != oids::SUBJECT_ALT_NAME.as_bytes());
            content.names = names;
        } else if !self.gives(oids::SUBJECT_ALT_NAME) {
            content.check_names()?;
        }
        let mut list = ExtensionList::new();
        self.usages(&mut list)?;
        for extension in list.extensions() {
            content.replace(Entry {
                id: extension.extn_id.as_bytes().to_vec(),
                critical: extension.critical,
                value: extension.extn_value.as_bytes().to_vec(),
            });
        }
        let mut given: Vec<Entry> = Vec::new();
        for written in &self.extension {
            let entry = entry(written)?;
            self.check_basic(written, &entry)?;
            let other = match self.option_of(&entry.id) {
                None if given.iter().any(|other| other.id == entry.id) => Some("another --extension"),
                other => other,
            };
            if let Some(other) = other {
                let written = visible(&written);
                return Err(Failure::usage(format!("--extension {written} contradicts {other}: give one of them")));
            }
            given.push(entry);
        }
        given.into_iter().for_each(|entry| content.replace(entry));
        Ok(content)
    }

    /// Returns the given option that sets this extension.
    fn option_of(&self, id: &[u8]) -> Option<&'static str> {
        let options = [
            (KeyUsage::ID, !self.key_usage.is_empty(), "--key-usage"),
            (ExtKeyUsage::ID, !self.ext_key_usage.is_empty(), "--ext-key-usage"),
            (TlsFeature::ID, self.must_staple, "--must-staple"),
        ];
        options.into_iter().find(|(of, is_given, _)| *is_given && of.as_bytes() == id).map(|(.., name)| name)
    }

    /// Returns whether `--extension` gives the extension with this identifier.
    pub(crate) fn gives(&self, id: Oid<'_>) -> bool {
        self.extension.iter().any(|written| entry(written).is_ok_and(|entry| entry.id == id.as_bytes()))
    }

    /// Checks that basic constraints given as an extension agree with `--ca`, which also sets what a CA needs besides.
    fn check_basic(&self, written: &str, entry: &Entry) -> Result<(), Failure> {
        if entry.id != BasicConstraints::ID.as_bytes() {
            return Ok(());
        }
        let is_ca = BasicConstraints::from_der(&entry.value).is_ok_and(|basic| basic.ca);
        let written = visible(&written);
        match (is_ca, self.ca) {
            (true, false) => Err(Failure::usage(format!("--extension {written} makes the subject a CA: pass --ca"))),
            (false, true) => Err(Failure::usage(format!("--extension {written} contradicts --ca"))),
            _ => Ok(()),
        }
    }

    fn usages(&self, list: &mut ExtensionList) -> Result<(), Failure> {
        let failed = |error: BuildError| Failure::usage(error.to_string());
        if self.ca {
            let basic = BasicConstraints { ca: true, path_len_constraint: self.path_len.map(Count::new) };
            list.add(true, &basic).map_err(failed)?;
        }
        let mut mask = 0;
        for name in &self.key_usage {
            mask |= usage(name)?;
        }
        if self.ca && mask == 0 {
            // RFC 5280 §4.2.1.3: a CA asserts keyCertSign.
            mask = usage("keyCertSign")? | usage("cRLSign")?;
        }
        if mask != 0 {
            list.add(true, &KeyUsage(NamedBits::from_mask(mask))).map_err(failed)?;
        }
        let purposes = self.ext_key_usage.iter().map(|name| purpose(name)).collect::<Result<Vec<_>, _>>()?;
        let purposes: Vec<Oid<'_>> = purposes.iter().filter_map(|id| Oid::from_content(id).ok()).collect();
        if !purposes.is_empty() {
            // RFC 3161 §2.3: a time-stamping key's purpose is critical.
            let critical = purposes.contains(&oids::KP_TIME_STAMPING);
            list.add(critical, &ExtKeyUsage(SeqOf::from_slice(&purposes))).map_err(failed)?;
        }
        if self.must_staple {
            // status_request.
            let features = [Int::from_signed(&[5])];
            list.add(false, &TlsFeature(SeqOf::from_slice(&features))).map_err(failed)?;
        }
        Ok(())
    }
}

/// Returns the bit of a key usage, by name.
fn usage(name: &str) -> Result<u64, Failure> {
    let Shape::BitString(named) = &<KeyUsage<'_> as Typed>::ty().shape else { return Ok(0) };
    // OpenSSL's and RFC 5280's other name for nonRepudiation.
    let wanted = if name.eq_ignore_ascii_case("contentCommitment") { "nonRepudiation" } else { name.trim() };
    let found = named.iter().find(|bit| bit.name.eq_ignore_ascii_case(wanted));
    found.and_then(|bit| 1u64.checked_shl(u32::try_from(bit.number).ok()?)).ok_or_else(|| {
        let names: Vec<&str> = named.iter().map(|bit| &*bit.name).collect();
        Failure::usage(format!("unknown key usage '{}', expected one of {}", visible(&name), names.join(", ")))
    })
}

/// Returns the identifier of an extended key usage purpose, as content bytes.
fn purpose(name: &str) -> Result<Vec<u8>, Failure> {
    let name = name.trim();
    let by_name = || oids::by_name(name).filter(|info| info.kind == ObjectKind::KeyPurpose);
    from_dotted(name).or_else(|| by_name().map(|info| info.oid.as_bytes().to_vec())).ok_or_else(|| {
        Failure::usage(format!(
            "unknown extended key usage '{}', expected a name such as serverAuth or clientAuth, or a dotted OBJECT IDENTIFIER: `tagwise oid --kind key-purpose` lists the names",
            visible(&name)
        ))
    })
}

/// Parses `[critical,]OID=HEX`.
fn entry(written: &str) -> Result<Entry, Failure> {
    let wrong = |what: &str| {
        Failure::usage(format!("--extension {}: {what}, expected OID=HEX such as 2.999.1=0500", visible(&written)))
    };
    let (critical, rest) = match written.strip_prefix("critical,") {
        Some(rest) => (true, rest),
        None => (false, written),
    };
    let (id, value) = rest.split_once('=').ok_or_else(|| wrong("the value is missing"))?;
    let by_name = || oids::by_name(id).map(|info| info.oid.as_bytes().to_vec());
    let id = from_dotted(id).or_else(by_name).ok_or_else(|| wrong("unknown identifier"))?;
    let value = hex::decode(value.as_bytes()).map_err(|_| wrong("the value is not hexadecimal"))?;
    Any::from_der(&value).map_err(|error| wrong(&format!("the value is not DER: {error}")))?;
    Ok(Entry { id, critical, value })
}

impl Content {
    fn replace(&mut self, entry: Entry) {
        self.extensions.retain(|other| other.id != entry.id);
        self.extensions.push(entry);
    }

    /// Returns the content of an existing certificate or request without the extensions that the issuer determines, and the names of
    /// these extensions.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or does not contain exactly one certificate or request.
    pub(crate) fn of_file(context: &Context, path: &Path) -> Result<(Self, Vec<String>), Failure> {
        let (kind, der) = one_of(context, path, &[&oids::files::CERTIFICATE, &oids::files::CERTIFICATION_REQUEST])?;
        let negative =
            |error: &dyn std::fmt::Display| Failure::negative(format!("{}: {}", name_of(path), visible(&error)));
        let encoding = |error: tagwise_codec::EncodeError| negative(&error);
        if kind == 0 {
            let read = Certificate::from_der(&der).map_err(|error| negative(&error))?;
            let tbs = &read.tbs_certificate;
            return Self::of(NameBuf::new(&tbs.subject).map_err(encoding)?, tbs.extensions)
                .map_err(|error| negative(&error));
        }
        let read = tagwise_pkix::csr::CertificationRequest::from_der(&der).map_err(|error| negative(&error))?;
        tagwise_ca::check_request(&read).map_err(|error| negative(&error))?;
        let list = read.extensions().map_err(|error| negative(&error))?;
        let subject = NameBuf::new(&read.subject()).map_err(encoding)?;
        Self::of(subject, Some(list)).map_err(|error| negative(&error))
    }

    fn of(subject: NameBuf, list: Option<Extensions<'_>>) -> Result<(Self, Vec<String>), tagwise_codec::Error> {
        let mut content = Self { subject, names: Vec::new(), extensions: Vec::new() };
        let mut left = Vec::new();
        for extension in list.iter().flat_map(Extensions::iter) {
            let extension = extension?;
            let id = extension.extn_id;
            // One that says that the subject is not a CA is the default.
            let is_default = id == BasicConstraints::ID && extension.extn_value.as_bytes() == [0x30, 0];
            if OF_ISSUER.contains(&id) {
                left.push(oids::lookup(id).map_or_else(|| id.to_string(), |info| info.short_name().to_owned()));
            } else if !is_default {
                let value = extension.extn_value.as_bytes().to_vec();
                content.extensions.push(Entry { id: id.as_bytes().to_vec(), critical: extension.critical, value });
            }
        }
        Ok((content, left))
    }

    /// Checks copied alternative names as the options for names do, so that no request is created that CAs refuse.
    fn check_names(&self) -> Result<(), Failure> {
        let failed = |error: &dyn std::fmt::Display| Failure::negative(visible(error).to_string());
        for entry in self.extensions.iter().filter(|entry| entry.id == oids::SUBJECT_ALT_NAME.as_bytes()) {
            let list = SubjectAltName::from_der(&entry.value).map_err(|error| failed(&error))?;
            for name in list.0.iter() {
                let name = name.map_err(|error| failed(&error))?;
                let checked = match &name {
                    GeneralName::DnsName(name) => AltName::dns(name.as_str().unwrap_or_default()),
                    GeneralName::Rfc822Name(name) => AltName::email(name.as_str().unwrap_or_default()),
                    GeneralName::UniformResourceIdentifier(name) => AltName::uri(name.as_str().unwrap_or_default()),
                    _ => continue,
                };
                checked.map_err(|error| failed(&error))?;
            }
        }
        Ok(())
    }

    /// Returns whether there is neither a subject nor an alternative name.
    pub(crate) fn is_nameless(&self) -> bool {
        self.subject.name().is_empty() && !self.has_names()
    }

    /// Returns whether there are alternative names.
    pub(crate) fn has_names(&self) -> bool {
        !self.names.is_empty() || self.has(oids::SUBJECT_ALT_NAME)
    }

    /// Returns whether an extension is present.
    pub(crate) fn has(&self, id: Oid<'_>) -> bool {
        self.extensions.iter().any(|entry| entry.id == id.as_bytes())
    }

    /// Returns the subject's common name, if there is one.
    pub(crate) fn common_name(&self) -> Option<String> {
        let name = self.subject.name();
        let found = name.attributes().find(|attribute| attribute.attr_type == oids::COMMON_NAME)?;
        text(&found.value).map(std::borrow::Cow::into_owned)
    }

    /// Sets the subject, names and extensions of a builder.
    ///
    /// # Errors
    /// Returns any error from the builder.
    pub(crate) fn give<B: Builder>(&self, builder: B) -> Result<B, Failure> {
        let failed = |error: BuildError| Failure::negative(error.to_string());
        let mut builder = builder.subject_name(&self.subject).map_err(failed)?;
        for name in &self.names {
            let name = name.general().map_err(|error| Failure::negative(error.to_string()))?;
            builder = builder.general_name(&name).map_err(failed)?;
        }
        for entry in &self.extensions {
            let Ok(id) = Oid::from_content(&entry.id) else { continue };
            builder = builder.any_extension(id, entry.critical, entry.value.clone()).map_err(failed)?;
        }
        Ok(builder)
    }
}

/// A builder of certificates or requests.
pub(crate) trait Builder: Sized {
    fn subject_name(self, name: &NameBuf) -> Result<Self, BuildError>;
    fn general_name(self, name: &GeneralName<'_>) -> Result<Self, BuildError>;
    fn any_extension(self, id: Oid<'_>, critical: bool, value: Vec<u8>) -> Result<Self, BuildError>;
}

macro_rules! builder {
    ($($ty:ty),*) => {$(
        impl Builder for $ty {
            fn subject_name(self, name: &NameBuf) -> Result<Self, BuildError> {
                self.subject_name(&name.name())
            }

            fn general_name(self, name: &GeneralName<'_>) -> Result<Self, BuildError> {
                self.name(name)
            }

            fn any_extension(self, id: Oid<'_>, critical: bool, value: Vec<u8>) -> Result<Self, BuildError> {
                self.extension_der(id, critical, value)
            }
        }
    )*};
}

builder!(CertificateBuilder, CsrBuilder);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_the_form_of_openssl() {
        for (given, wanted) in [
            ("O=Example/CN=www.example.org", "CN=www.example.org,O=Example"),
            ("C=DE/O=A, B\\/C/CN=x", "CN=x,O=A\\,\\ B/C,C=DE"),
            ("CN=a=b", "CN=a\\=b"),
            ("O=X+OU=Y/CN=z/", "CN=z,O=X+OU=Y"),
            ("CN=#1", "CN=\\#1"),
        ] {
            assert_eq!(slashed(given), wanted, "{given}");
            assert!(NameBuf::parse(wanted).is_ok(), "{wanted}");
        }
    }

    #[test]
    fn usages_by_name() {
        assert_eq!(usage("digitalSignature").ok(), Some(1));
        assert_eq!(usage("crlsign").ok(), Some(1 << 6));
        assert_eq!(usage("contentCommitment").ok(), Some(2));
        assert!(usage("signing").is_err());
        assert!(purpose("serverAuth").is_ok() && purpose("2.999.1").is_ok());
        assert!(purpose("commonName").is_err());
    }
}
