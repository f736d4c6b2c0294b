//! Messages of CMS read as streams, octet by octet and at once: the same either way, and what the decoder takes the readers take,
//! with the same content.
#![no_main]

use std::io::{self, Read};

use libfuzzer_sys::fuzz_target;
use tagwise_codec::ber;
use tagwise_pkix::cms::{Content, ContentInfo, ContentReader, EncryptedReader, SignedReader};

/// A reader that gives one octet at a time.
struct Slow<'a>(&'a [u8]);

impl Read for Slow<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Some(((first, rest), place)) = self.0.split_first().zip(buffer.first_mut()) else { return Ok(0) };
        (*place, self.0) = (*first, rest);
        Ok(1)
    }
}

/// What a reader makes of a message: the content, and the rest or why not.
macro_rules! read {
    ($reader:ident, $input:expr) => {
        $reader::new($input).map_err(|error| error.to_string()).and_then(|mut reader| {
            let mut content = Vec::new();
            reader.read_to_end(&mut content).map_err(|error| error.to_string())?;
            let detached = reader.is_detached();
            reader.finish().map(|tail| (detached, content, tail)).map_err(|error| error.to_string())
        })
    };
}

fuzz_target!(|data: &[u8]| {
    let (signed, encrypted, plain) =
        (read!(SignedReader, data), read!(EncryptedReader, data), read!(ContentReader, data));
    assert_eq!(signed, read!(SignedReader, Slow(data)));
    assert_eq!(encrypted, read!(EncryptedReader, Slow(data)));
    assert_eq!(plain, read!(ContentReader, Slow(data)));
    let Ok(canonical) = ber::to_der::<ContentInfo<'_>>(data) else { return };
    let Ok(message) = canonical.decode::<ContentInfo<'_>>() else { return };
    match message.content.get() {
        Ok(Content::SignedData(decoded)) => {
            // Content of PKCS #7 may be of any type (RFC 5652 §5.2.1); a stream has octets alone.
            if signed.as_ref().is_err_and(|error| error.contains("expected an OCTET STRING")) {
                return;
            }
            let (.., tail) = signed.unwrap();
            assert_eq!(tail.signers.len(), decoded.signer_infos.iter().count());
            assert_eq!(tail.certificates.len(), decoded.certificates.map_or(0, |list| list.iter().count()));
        }
        Ok(Content::EnvelopedData(decoded)) => {
            let (detached, content, _) = encrypted.unwrap();
            let wanted = decoded.encrypted_content_info.encrypted_content;
            assert_eq!(
                (detached, content),
                (wanted.is_none(), wanted.map(|octets| octets.to_vec()).unwrap_or_default())
            );
        }
        Ok(Content::DigestedData(decoded)) => {
            let Ok((.., tail)) = plain else { return };
            assert_eq!(tail.digest.as_deref(), Some(decoded.digest.as_bytes()));
        }
        _ => {}
    }
});
