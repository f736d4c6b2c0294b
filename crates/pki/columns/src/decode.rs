//! Decodes a row, as strictly as the options require.

use std::borrow::Cow;

use tagwise_codec::text::base64;
use tagwise_codec::{Decode, Error, Options as Decoding, RuleSet, ber};
use tagwise_pkix::cms::{Content, ContentInfo, SignerInfo};
use tagwise_pkix::csr::CertificationRequest;
use tagwise_pkix::ocsp::{Nonce, OcspResponse, Response};
use tagwise_pkix::pem;

use crate::failure::Failure;
use crate::kind::Kind;
use crate::options::Options;
use crate::row::{Row, Value};

/// Returns whether a value of a binary column is text. The kinds of values are SEQUENCEs, so their encodings begin with 0x30, and
/// their base64 with `M`.
pub(crate) fn is_text(octets: &[u8]) -> bool {
    match octets.first() {
        None | Some(0x30) => false,
        Some(b'M' | b' ' | b'\t' | b'\r' | b'\n' | 0xEF) => true,
        Some(_) => is_pem(octets),
    }
}

fn is_pem(text: &[u8]) -> bool {
    text.windows(10).any(|window| window == b"-----BEGIN")
}

/// Decodes PEM or base64.
pub(crate) fn from_text(kind: Kind, text: &[u8]) -> Result<Vec<u8>, Failure> {
    if !is_pem(text) {
        return Ok(base64::decode_wrapped(text)?);
    }
    let der = pem::first(kind.file(), text)?;
    match pem::all(kind.file(), text).nth(1) {
        None => Ok(der),
        Some(Ok(_)) => Err(Failure::second_block()),
        Some(Err(error)) => Err(error.into()),
    }
}

/// Decodes a row and passes it on, with its error if only a part of it is readable.
pub(crate) fn with_row<R>(
    kind: Kind,
    der: &[u8],
    options: &Options,
    visit: impl FnOnce(&Row<'_>, Option<Error>) -> R,
) -> Result<R, Error> {
    let lints = options.lints;
    let (value, error) = match kind {
        Kind::Certificate => {
            let (value, error) = decode(der, options)?;
            (Value::Certificate(value), error)
        }
        Kind::Crl => {
            let (value, error) = decode(der, options)?;
            (Value::Crl(value), error)
        }
        Kind::Request => {
            // Attributes have any type, so the requested extensions are not decoded with the request.
            let extensions = |value: &CertificationRequest<'_>| value.extensions().map(|_| ());
            let (value, error) = decode_with(der, options, extensions)?;
            (Value::Request(value), error)
        }
        Kind::LogEntry => {
            let (value, error) = decode(der, options)?;
            (Value::LogEntry(value), error)
        }
        Kind::Ocsp => {
            let (response, error) = decode::<OcspResponse<'_>>(der, options)?;
            let basic = response.response_bytes.map(|bytes| bytes.response.get()).transpose();
            let (basic, error) = part(basic, error, options)?;
            let basic = basic.flatten().and_then(|response| match response {
                Response::Response(basic) => Some(basic),
                Response::Unknown(_) => None,
            });
            let extensions = basic.as_ref().and_then(|basic| basic.tbs_response_data.response_extensions);
            let nonce = || extensions.map(|list| list.get::<Nonce<'_>>()).transpose();
            let (_, error) = inner(nonce, error, options)?;
            (Value::Ocsp(response.response_status, basic), error)
        }
        Kind::Cms => {
            // CMS messages may be in BER (RFC 5652 §2).
            let der_form = match ber::to_der::<ContentInfo<'_>>(der) {
                Ok(canonical) => canonical.bytes,
                Err(_) => Cow::Borrowed(der),
            };
            let (message, error) = decode::<ContentInfo<'_>>(&der_form, options)?;
            let (content, error) = part(message.content.get(), error, options)?;
            let signed = content.and_then(|content| match content {
                Content::SignedData(signed) => Some(signed),
                _ => None,
            });
            let mut signers = signed.iter().flat_map(|signed| signed.signer_infos.iter());
            let (_, error) = inner(|| signers.try_for_each(attributes), error, options)?;
            let value = Value::Cms(message.content_type, signed);
            return Ok(visit(&Row { der, value, lints }, error));
        }
    };
    Ok(visit(&Row { der, value, lints }, error))
}

/// Unwraps a part. An unreadable part is absent if rows may be incomplete.
fn part<T>(
    read: Result<T, Error>,
    error: Option<Error>,
    options: &Options,
) -> Result<(Option<T>, Option<Error>), Error> {
    match read {
        Ok(value) => Ok((Some(value), error)),
        Err(own) if options.partial => Ok((None, error.or(Some(own)))),
        Err(own) => Err(own),
    }
}

/// Checks a part that is not decoded with its value, unless only the outline is checked. Its error does not depend on the
/// requested columns.
fn inner<T>(
    read: impl FnOnce() -> Result<T, Error>,
    error: Option<Error>,
    options: &Options,
) -> Result<(Option<T>, Option<Error>), Error> {
    if options.outline { Ok((None, error)) } else { part(read(), error, options) }
}

/// Checks the signed attributes that columns contain.
fn attributes(signer: Result<SignerInfo<'_>, Error>) -> Result<(), Error> {
    let signer = signer?;
    signer.signing_time()?;
    signer.message_digest().map(|_| ())
}

/// Decodes a value, and returns it with its first error if the value is incomplete.
fn decode<'a, T: Decode<'a>>(der: &'a [u8], options: &Options) -> Result<(T, Option<Error>), Error> {
    decode_with(der, options, |_| Ok(()))
}

/// Decodes a value like `decode`, with a check of what is not decoded with it. An outline is not checked.
fn decode_with<'a, T: Decode<'a>>(
    der: &'a [u8],
    options: &Options,
    check: impl Fn(&T) -> Result<(), Error>,
) -> Result<(T, Option<Error>), Error> {
    let read = if options.outline {
        T::outline(der)
    } else {
        T::from_der(der).and_then(|value| check(&value).map(|()| value))
    };
    match read {
        Ok(value) => Ok((value, None)),
        Err(error) => again(der, options, error, check),
    }
}

#[cold]
fn again<'a, T: Decode<'a>>(
    der: &'a [u8],
    options: &Options,
    error: Error,
    check: impl Fn(&T) -> Result<(), Error>,
) -> Result<(T, Option<Error>), Error> {
    let tolerant = Decoding::der().rules(options.rules);
    if !options.rules.is_empty() {
        let read = if options.outline { tolerant.outline(der) } else { tolerant.decode(der) };
        if let Ok(read) = read
            && (options.outline || check(&read.value).is_ok())
        {
            return Ok((read.value, None));
        }
    }
    if options.partial {
        let every = Decoding::der().rules(RuleSet::ALL);
        if let Ok(read) = every.decode(der).or_else(|_| every.outline(der)) {
            return Ok((read.value, Some(error)));
        }
    }
    Err(error)
}
