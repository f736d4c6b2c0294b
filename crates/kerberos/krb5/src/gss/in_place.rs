//! In-place wrapping of messages, with a separate header and trailer, and optional sign-only parts. Corresponds to IOV
//! functions such as `gss_wrap_iov`.

use tagwise_crypto::{Error, ErrorKind, Secret};

use crate::crypto::Beside;

use super::per_message::{HEADER, SEALED, sequence_of, wrap_usage};
use super::{Context, GssError, Order};

/// A part of a message, in order.
#[derive(Debug)]
pub enum MessagePart<'d> {
    /// Data to encrypt or sign in place.
    Data(&'d mut [u8]),
    /// Associated data, which is not sent. It is signed, but not part of the token.
    SignOnly(&'d [u8]),
}

/// The header and trailer of a token. Without sign-only parts, they form a regular Wrap token together with the data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ends {
    /// The bytes before the data.
    pub header: Vec<u8>,
    /// The bytes after the data.
    pub trailer: Vec<u8>,
}

/// A message unwrapped in place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnwrappedInPlace {
    /// True if it was encrypted.
    pub sealed: bool,
    /// The message's position in the peer's sequence.
    pub order: Order,
}

/// Appends the data of all parts to `text`, and returns the parts that are only signed, with their positions in it.
fn gathered<'p>(parts: &'p [MessagePart<'_>], text: &mut Vec<u8>) -> Vec<Beside<'p>> {
    let mut beside = Vec::new();
    for part in parts {
        match part {
            MessagePart::Data(data) => text.extend(&**data),
            MessagePart::SignOnly(octets) => beside.push(Beside { at: text.len(), octets }),
        }
    }
    beside
}

/// Returns the bytes that an unencrypted token's checksum covers: the text with its associated data, and the header.
fn signed(text: &[u8], beside: &[Beside<'_>], header: &[u8]) -> Secret {
    let mut pieces = Beside::pieces(text, beside);
    pieces.push(header);
    Secret::from(pieces.concat())
}

/// Puts data back where it came from.
fn scatter(parts: &mut [MessagePart<'_>], mut text: &[u8]) {
    for part in parts {
        if let MessagePart::Data(data) = part
            && let Some((own, rest)) = text.split_at_checked(data.len())
        {
            data.copy_from_slice(own);
            text = rest;
        }
    }
}

impl Context<'_> {
    /// Returns the lengths of the header and trailer, which do not depend on the message.
    #[must_use]
    pub fn ends(&self, sealed: bool) -> (usize, usize) {
        let enc_type = self.keyed.key.enc_type();
        match sealed {
            true => (HEADER.saturating_add(enc_type.confounder_len()), HEADER.saturating_add(enc_type.mac_len())),
            false => (HEADER, enc_type.mac_len()),
        }
    }

    /// Wraps a message in place. The message is encrypted if `sealed` is set, and otherwise only protected by a checksum.
    ///
    /// # Errors
    /// Returns [`GssError::Crypto`] if encryption or signing fails. The data is then unchanged.
    pub fn wrap_in_place(&mut self, parts: &mut [MessagePart<'_>], sealed: bool) -> Result<Ends, GssError> {
        let mut text = Vec::new();
        let beside = gathered(parts, &mut text);
        let header = self.keyed.wrap_header(self.is_acceptor, sealed, 0, self.send);
        let (data_len, usage) = (text.len(), wrap_usage(self.is_acceptor));
        let text = Secret::from(text);
        let short = || GssError::Crypto(Error::new(ErrorKind::Failed, "a Wrap token"));
        let ends = if sealed {
            let sealing = self.keyed.sealing(self.backend, self.is_acceptor)?;
            let sent = sealing.encrypt_behind(self.backend, &[], &[text.expose(), &header], &beside)?;
            let (confounder, rest) =
                sent.split_at_checked(self.keyed.key.enc_type().confounder_len()).ok_or_else(short)?;
            let (data, trailer) = rest.split_at_checked(data_len).ok_or_else(short)?;
            scatter(parts, data);
            Ends { header: [&header[..], confounder].concat(), trailer: trailer.to_vec() }
        } else {
            let signed = signed(text.expose(), &beside, &header);
            let trailer = self.keyed.key.checksum(self.backend, usage, signed.expose())?;
            let header = self.keyed.wrap_header(self.is_acceptor, false, trailer.len() as u16, self.send);
            Ends { header: header.to_vec(), trailer }
        };
        self.send = self.send.wrapping_add(1);
        Ok(ends)
    }

    /// Verifies a message from the peer and decrypts it in place. A replay is an error.
    ///
    /// # Errors
    /// Returns a [`GssError`] if the message is invalid. The data is then unchanged.
    pub fn unwrap_in_place(
        &mut self,
        header: &[u8],
        parts: &mut [MessagePart<'_>],
        trailer: &[u8],
    ) -> Result<UnwrappedInPlace, GssError> {
        let (mut head, confounder) = self.keyed.header(header, [5, 4], !self.is_acceptor)?;
        let [_, _, flags, _, e0, e1, r0, r1, ..] = head;
        if [r0, r1] != [0, 0] {
            return Err(GssError::Token(
                "the token is rotated, and its header and trailer are separate",
                "RFC 4121 §4.2.5",
            ));
        }
        let (extra, usage) = (usize::from(u16::from_be_bytes([e0, e1])), wrap_usage(!self.is_acceptor));
        let short = || GssError::Token("the length of the header or trailer does not match", "RFC 4121 §4.2.4");
        let sealed = flags & SEALED != 0;
        let confounder_len = if sealed { self.keyed.key.enc_type().confounder_len() } else { 0 };
        if confounder.len() != confounder_len {
            return Err(short());
        }
        let sequence = sequence_of(&head);
        if sealed {
            let mut text = confounder.to_vec();
            let mut data = Vec::new();
            let beside = gathered(parts, &mut data);
            text.extend(&data);
            text.extend(trailer);
            let opening = self.keyed.opening(self.backend, !self.is_acceptor)?;
            let plain = opening.decrypt_beside(self.backend, Secret::from(text), &beside)?;
            let (opened, rest) = plain.expose().split_at_checked(data.len()).ok_or_else(short)?;
            // Behind the data: the filler, and the header once more.
            let (filler, copy) = rest.split_at_checked(extra).ok_or_else(short)?;
            if filler.len() != extra || copy != head {
                return Err(Error::new(ErrorKind::Integrity, "the header of a Wrap token").into());
            }
            scatter(parts, opened);
        } else {
            if trailer.len() != extra {
                return Err(short());
            }
            [head[4], head[5]] = [0, 0];
            let mut text = Vec::new();
            let beside = gathered(parts, &mut text);
            let kind = self.keyed.key.enc_type().checksum().number();
            let signed = signed(&text, &beside, &head);
            self.keyed.key.verify(self.backend, usage, signed.expose(), kind, trailer)?;
        }
        let order = self.received.take(sequence).ok_or(GssError::Replay)?;
        Ok(UnwrappedInPlace { sealed, order })
    }
}
