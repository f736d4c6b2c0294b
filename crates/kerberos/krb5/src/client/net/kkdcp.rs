//! KDC proxy messages (MS-KKDCP): length-prefixed, wrapped in DER, and posted over HTTPS.

use std::fmt;
use std::io;
use std::time::Duration;

use tagwise_codec::{Decode as _, General, OctetStr, encode};

use crate::microsoft::KdcProxyMessage;

/// The media type of requests and responses.
pub const MEDIA_TYPE: &str = "application/kerberos";
/// The maximum size of a response: a message with its length prefix and wrapper.
pub const MAX_ANSWER: usize = (1 << 20) + 1024;

/// An HTTPS client for KDC proxies.
pub trait Https: fmt::Debug {
    /// Posts a body of type [`MEDIA_TYPE`] to a realm's proxy, and returns the response body of at most [`MAX_ANSWER`] bytes.
    /// Implementations must verify the server's certificate and must not follow redirects.
    ///
    /// # Errors
    /// Returns an error if the server cannot be reached or authenticated, or does not respond with success.
    fn post(&self, realm: &str, url: &str, body: &[u8], timeout: Duration) -> io::Result<Vec<u8>>;
}

/// Sends a message to a KDC through a proxy.
pub(super) fn ask(
    https: &dyn Https,
    url: &str,
    realm: Option<&str>,
    message: &[u8],
    timeout: Duration,
) -> io::Result<Vec<u8>> {
    let wrong = |text: String| io::Error::new(io::ErrorKind::InvalidData, text);
    let body = wrap(message, realm).map_err(|error| wrong(error.to_string()))?;
    let answer = https.post(realm.unwrap_or_default(), url, &body, timeout)?;
    unwrap(&answer).map_err(|error| wrong(format!("the proxy's reply: {error}")))
}

fn wrap(message: &[u8], realm: Option<&str>) -> Result<Vec<u8>, tagwise_codec::EncodeError> {
    let len = u32::try_from(message.len()).unwrap_or(u32::MAX);
    let framed = [&len.to_be_bytes()[..], message].concat();
    let target_domain = realm.map(|realm| General::from_content(realm.as_bytes()));
    encode(&KdcProxyMessage { kerb_message: OctetStr::new(&framed), target_domain, dclocator_hint: None })
}

fn unwrap(answer: &[u8]) -> Result<Vec<u8>, String> {
    let answer = KdcProxyMessage::from_der(answer).map_err(|error| error.to_string())?;
    match answer.kerb_message.as_bytes().split_first_chunk::<4>() {
        Some((len, message)) if u32::try_from(message.len()) == Ok(u32::from_be_bytes(*len)) => Ok(message.to_vec()),
        _ => Err("the length prefix does not match the message".to_owned()),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[derive(Debug)]
    struct Fixed(Vec<u8>);

    impl Https for Fixed {
        fn post(&self, realm: &str, url: &str, body: &[u8], _: Duration) -> io::Result<Vec<u8>> {
            assert_eq!((realm, url), ("R", "https://proxy.test/KdcProxy"));
            // SEQUENCE { [0] OCTET STRING { length, "hi" }, [1] GeneralString "R" }
            assert_eq!(body, b"\x30\x0f\xa0\x08\x04\x06\x00\x00\x00\x02hi\xa1\x03\x1b\x01R");
            Ok(self.0.clone())
        }
    }

    #[test]
    fn wrapped() {
        let asked = |answer: &[u8]| {
            let https = Fixed(answer.to_vec());
            ask(&https, "https://proxy.test/KdcProxy", Some("R"), b"hi", Duration::from_secs(1))
        };
        assert_eq!(asked(b"\x30\x09\xa0\x07\x04\x05\x00\x00\x00\x01!").unwrap(), b"!");
        // A length that is too long, too short, and cut; an answer that is something else.
        for wrong in [
            &b"\x30\x09\xa0\x07\x04\x05\x00\x00\x00\x02!"[..],
            b"\x30\x09\xa0\x07\x04\x05\x00\x00\x00\x00!",
            b"\x30\x07\xa0\x05\x04\x03\x00\x00\x00",
            b"<html>",
        ] {
            assert_eq!(asked(wrong).unwrap_err().kind(), io::ErrorKind::InvalidData);
        }
    }
}
