//! Per-message tokens (RFC 4121 §4.2): MIC and Wrap.

use std::sync::{Arc, OnceLock};

use tagwise_crypto::{Error, ErrorKind, Primitives, Secret};

use crate::crypto::{Key, OpeningKey, SealingKey, usage};

use super::GssError;

/// The length of a token header in bytes.
pub(super) const HEADER: usize = 16;
const SENT_BY_ACCEPTOR: u8 = 1;
pub(super) const SEALED: u8 = 2;
const ACCEPTOR_SUBKEY: u8 = 4;

const CLAUSE: &str = "RFC 4121 §4.2.6";

/// A context's key, with the side that chose it.
#[derive(Clone, Debug)]
pub(super) struct Keyed {
    pub(super) key: Key,
    /// True if the acceptor chose the key.
    pub(super) by_acceptor: bool,
    ready: Arc<Ready>,
}

/// The prepared keys of Wrap tokens, one for each direction. Each is prepared for the first token in its direction.
#[derive(Debug, Default)]
struct Ready {
    sealing: [OnceLock<SealingKey>; 2],
    opening: [OnceLock<OpeningKey>; 2],
}

/// A verified token.
#[derive(Debug)]
pub(super) struct Opened {
    pub(super) data: Secret,
    pub(super) sealed: bool,
    pub(super) sequence: u64,
}

/// Returns the key usages of Wrap and MIC tokens for the given sender.
const fn usages(sent_by_acceptor: bool) -> (u32, u32) {
    match sent_by_acceptor {
        true => (usage::GSS_ACCEPTOR_SEAL, usage::GSS_ACCEPTOR_SIGN),
        false => (usage::GSS_INITIATOR_SEAL, usage::GSS_INITIATOR_SIGN),
    }
}

/// Returns the key usage of Wrap tokens for the given sender.
pub(super) const fn wrap_usage(sent_by_acceptor: bool) -> u32 {
    usages(sent_by_acceptor).0
}

impl Keyed {
    pub(super) fn new(key: Key, by_acceptor: bool) -> Self {
        Self { key, by_acceptor, ready: Arc::default() }
    }

    /// Returns the key that encrypts one side's messages.
    pub(super) fn sealing(&self, backend: &dyn Primitives, sent_by_acceptor: bool) -> Result<&SealingKey, Error> {
        let [initiators, acceptors] = &self.ready.sealing;
        let cell = if sent_by_acceptor { acceptors } else { initiators };
        once(cell, || self.key.sealing_key(backend, wrap_usage(sent_by_acceptor)))
    }

    /// Returns the key that decrypts one side's messages.
    pub(super) fn opening(&self, backend: &dyn Primitives, sent_by_acceptor: bool) -> Result<&OpeningKey, Error> {
        let [initiators, acceptors] = &self.ready.opening;
        let cell = if sent_by_acceptor { acceptors } else { initiators };
        once(cell, || self.key.opening_key(backend, wrap_usage(sent_by_acceptor)))
    }

    fn flags(&self, sent_by_acceptor: bool, sealed: bool) -> u8 {
        let bit = |is_set: bool, bit: u8| if is_set { bit } else { 0 };
        bit(sent_by_acceptor, SENT_BY_ACCEPTOR) | bit(sealed, SEALED) | bit(self.by_acceptor, ACCEPTOR_SUBKEY)
    }

    pub(super) fn wrap_header(&self, sent_by_acceptor: bool, sealed: bool, extra: u16, sequence: u64) -> [u8; HEADER] {
        let [a, b] = extra.to_be_bytes();
        let mut header = [5, 4, self.flags(sent_by_acceptor, sealed), 0xFF, a, b, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        put_sequence(&mut header, sequence);
        header
    }

    /// Creates a MIC token.
    pub(super) fn mic(
        &self,
        backend: &dyn Primitives,
        sent_by_acceptor: bool,
        sequence: u64,
        data: &[u8],
    ) -> Result<Vec<u8>, Error> {
        let mut header =
            [4, 4, self.flags(sent_by_acceptor, false), 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0, 0, 0, 0];
        put_sequence(&mut header, sequence);
        let checksum = self.key.checksum(backend, usages(sent_by_acceptor).1, &[data, &header].concat())?;
        Ok([&header[..], &checksum].concat())
    }

    /// Verifies a MIC token, and returns its sequence number.
    pub(super) fn verify(
        &self,
        backend: &dyn Primitives,
        sent_by_acceptor: bool,
        token: &[u8],
        data: &[u8],
    ) -> Result<u64, GssError> {
        let (header, checksum) = self.header(token, [4, 4], sent_by_acceptor)?;
        if header.get(4..8) != Some(&[0xFF; 4]) || header.get(2).is_some_and(|flags| flags & SEALED != 0) {
            return Err(GssError::Token("invalid filler in a MIC token", "RFC 4121 §4.2.6.1"));
        }
        let kind = self.key.enc_type().checksum().number();
        let signed = [data, &header].concat();
        self.key.verify(backend, usages(sent_by_acceptor).1, &signed, kind, checksum)?;
        Ok(sequence_of(&header))
    }

    /// Creates a Wrap token, with or without encryption.
    pub(super) fn wrap(
        &self,
        backend: &dyn Primitives,
        sent_by_acceptor: bool,
        sequence: u64,
        data: &[u8],
        sealed: bool,
    ) -> Result<Vec<u8>, Error> {
        if sealed {
            let header = self.wrap_header(sent_by_acceptor, true, 0, sequence);
            let sealing = self.sealing(backend, sent_by_acceptor)?;
            return sealing.encrypt_behind(backend, &header, &[data, &header], &[]);
        }
        let usage = wrap_usage(sent_by_acceptor);
        // The checksum is over a header whose counts are zero; they are set behind it.
        let header = self.wrap_header(sent_by_acceptor, false, 0, sequence);
        let checksum = self.key.checksum(backend, usage, &[data, &header].concat())?;
        let header = self.wrap_header(sent_by_acceptor, false, checksum.len() as u16, sequence);
        Ok([&header[..], data, &checksum].concat())
    }

    /// Verifies a Wrap token, and returns its content.
    pub(super) fn unwrap(
        &self,
        backend: &dyn Primitives,
        sent_by_acceptor: bool,
        token: &[u8],
    ) -> Result<Opened, GssError> {
        let (mut header, body) = self.header(token, [5, 4], sent_by_acceptor)?;
        let [_, _, flags, _, e0, e1, r0, r1, ..] = header;
        let (extra, rotation) = (usize::from(u16::from_be_bytes([e0, e1])), usize::from(u16::from_be_bytes([r0, r1])));
        // What was rotated to the right is rotated back.
        let mut body = Secret::from(body);
        if let Some(by) = rotation.checked_rem(body.len()) {
            body.expose_mut().rotate_left(by);
        }
        let sequence = sequence_of(&header);
        let short = || GssError::Token("the token is too short", "RFC 4121 §4.2.4");
        [header[6], header[7]] = [0, 0];
        if flags & SEALED != 0 {
            let mut data = self.opening(backend, sent_by_acceptor)?.decrypt_beside(backend, body, &[])?;
            let at = data.len().checked_sub(HEADER).ok_or_else(short)?;
            if data.expose().get(at..) != Some(&header[..]) {
                return Err(Error::new(ErrorKind::Integrity, "the header of a Wrap token").into());
            }
            data.truncate(at.checked_sub(extra).ok_or_else(short)?);
            return Ok(Opened { data, sealed: true, sequence });
        }
        let at = body.len().checked_sub(extra).ok_or_else(short)?;
        let (data, checksum) = body.expose().split_at_checked(at).ok_or_else(short)?;
        [header[4], header[5]] = [0, 0];
        let kind = self.key.enc_type().checksum().number();
        self.key.verify(backend, wrap_usage(sent_by_acceptor), &[data, &header].concat(), kind, checksum)?;
        Ok(Opened { data: Secret::from(data), sealed: false, sequence })
    }

    /// Splits a token and checks its header: the identifier, the sender and the key.
    pub(super) fn header<'t>(
        &self,
        token: &'t [u8],
        id: [u8; 2],
        sent_by_acceptor: bool,
    ) -> Result<([u8; HEADER], &'t [u8]), GssError> {
        let (header, rest) =
            token.split_first_chunk::<HEADER>().ok_or(GssError::Token("the token is too short", CLAUSE))?;
        let [a, b, flags, filler, ..] = *header;
        if [a, b] != id {
            return Err(GssError::Token("unexpected token ID", CLAUSE));
        }
        if filler != 0xFF {
            return Err(GssError::Token("invalid filler", CLAUSE));
        }
        if (flags & SENT_BY_ACCEPTOR != 0) != sent_by_acceptor {
            return Err(GssError::Token(
                "the token was created by this side of the context, not by the peer",
                "RFC 4121 §4.2.2",
            ));
        }
        if (flags & ACCEPTOR_SUBKEY != 0) != self.by_acceptor {
            return Err(GssError::Token("the token is not protected with the negotiated key", "RFC 4121 §4.2.2"));
        }
        Ok((*header, rest))
    }
}

/// Returns the value of a cell, after creating it if necessary.
fn once<T>(cell: &OnceLock<T>, make: impl FnOnce() -> Result<T, Error>) -> Result<&T, Error> {
    match cell.get() {
        Some(made) => Ok(made),
        None => {
            let made = make()?;
            Ok(cell.get_or_init(|| made))
        }
    }
}

fn put_sequence(header: &mut [u8; HEADER], sequence: u64) {
    let [.., a, b, c, d, e, f, g, h] = header;
    [*a, *b, *c, *d, *e, *f, *g, *h] = sequence.to_be_bytes();
}

pub(super) const fn sequence_of(header: &[u8; HEADER]) -> u64 {
    let [_, _, _, _, _, _, _, _, sequence @ ..] = *header;
    u64::from_be_bytes(sequence)
}
