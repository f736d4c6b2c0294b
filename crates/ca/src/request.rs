//! Requests for certificates (RFC 2986): whose they are is checked, and what they ask for is taken out.

use tagwise_codec::Decode;
use tagwise_crypto::{Backend, verify};
use tagwise_pkix::csr::CertificationRequest;
use tagwise_pkix::ext::SubjectAltName;
use tagwise_pkix::name::NameBuf;
use tagwise_pkix::{Extensions, oids};

use crate::{AltName, Error};

/// What a request asks for, as far as a CA here listens.
///
/// Of the extensions that are asked for only the subject's names are taken: what a certificate may do is for the CA to say.
#[derive(Debug)]
pub struct Requested {
    /// The name of the subject.
    pub subject: NameBuf,
    /// More names.
    pub names: Vec<AltName>,
    /// Why other names that it asks for are not taken. Whoever does not say names himself should refuse the request.
    pub refused: Vec<Error>,
    /// The subject's key, a SubjectPublicKeyInfo in DER.
    pub public_key: Vec<u8>,
    /// Extensions that are asked for and not taken, by name or in dots.
    pub ignored: Vec<String>,
}

const REQUEST: &str = "the request";

impl Requested {
    /// Reads a CertificationRequest in DER, and checks that it was signed with the key that is to be certified.
    ///
    /// # Errors
    /// [`Error::Malformed`]; [`Error::Crypto`] for a signature that is wrong or not known.
    pub fn from_der(backend: &dyn Backend, der: &[u8]) -> Result<Self, Error> {
        let malformed = Error::malformed(REQUEST);
        let request = CertificationRequest::from_der(der).map_err(&malformed)?;
        let info = &request.certification_request_info;
        let key = info.subject_pk_info;
        let signature = request.signature.octets().unwrap_or_default();
        verify(backend, &key, &request.signature_algorithm, info.as_bytes(), signature)
            .map_err(Error::crypto(REQUEST))?;

        let (mut names, mut refused, mut ignored) = (Vec::new(), Vec::new(), Vec::new());
        for attribute in info.attributes.iter() {
            let attribute = attribute.map_err(&malformed)?;
            if attribute.attr_type != oids::EXTENSION_REQUEST {
                continue;
            }
            // RFC 2985 §5.4.2: a single value.
            for value in attribute.values.iter().take(1) {
                let asked: Extensions<'_> = value.map_err(&malformed)?.decode_as().map_err(&malformed)?;
                for extension in asked.iter() {
                    let extension = extension.map_err(&malformed)?;
                    if extension.extn_id == oids::SUBJECT_ALT_NAME {
                        let list: SubjectAltName<'_> = extension.extn_value.decode_as().map_err(&malformed)?;
                        for name in list.0.iter() {
                            match AltName::of(&name.map_err(&malformed)?) {
                                Ok(name) => names.push(name),
                                Err(error) => refused.push(error),
                            }
                        }
                    } else {
                        let id = extension.extn_id;
                        ignored.push(
                            oids::lookup(id).map_or_else(|| id.to_string(), |known| known.short_name().to_owned()),
                        );
                    }
                }
            }
        }
        let failed = |error: tagwise_codec::EncodeError| Error::Build(error.into());
        Ok(Self {
            subject: NameBuf::new(&info.subject).map_err(failed)?,
            names,
            refused,
            public_key: tagwise_codec::encode(&key).map_err(failed)?,
            ignored,
        })
    }
}
