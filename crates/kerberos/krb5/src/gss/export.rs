//! Transfer of contexts between processes, in this library's own format, which includes the key.

use tagwise_crypto::{Backend, Secret};
use tagwise_pkix::UnixTime;

use crate::bin::{Cursor, Order, put32};
use crate::crypto::{EncType, Key};
use crate::{FileError, Principal};

use super::initiator::checked;
use super::per_message::Keyed;
use super::sequence::Window;
use super::{Context, Flags, GssError};

/// The first bytes of an exported context. The last one is the format version.
const MAGIC: &[u8; 8] = b"TWGSS\0\0\x01";
const ACCEPTOR: u8 = 1;
const ACCEPTORS_KEY: u8 = 2;

impl<'b> Context<'b> {
    /// Exports the context to another process that uses the same library version. This consumes the context, because two copies
    /// would reuse sequence numbers. The result contains the key.
    ///
    /// # Errors
    /// Returns [`GssError::State`] if a name is too long.
    pub fn export(self) -> Result<Secret, GssError> {
        let mut out = MAGIC.to_vec();
        let bit = |is_set: bool, bit: u8| if is_set { bit } else { 0 };
        out.push(bit(self.is_acceptor, ACCEPTOR) | bit(self.keyed.by_acceptor, ACCEPTORS_KEY));
        out.extend(self.flags.0.to_be_bytes());
        out.extend(self.keyed.key.enc_type().number().to_be_bytes());
        let (next, seen) = self.received.parts();
        for number in [self.send, next, seen, self.expires.0 as u64] {
            out.extend(number.to_be_bytes());
        }
        let put = |out: &mut Vec<u8>| {
            put32(out, &self.client.to_bytes()?)?;
            put32(out, &self.service.to_bytes()?)?;
            put32(out, self.keyed.key.expose())
        };
        put(&mut out).ok_or(GssError::State("a name in the context is too long"))?;
        Ok(Secret::from(out))
    }

    /// Imports a context from [`export`](Self::export). The input is trusted, so it must come through a secure channel.
    ///
    /// # Errors
    /// Returns [`GssError::Import`] with the error and its position, or [`GssError::Crypto`] if the key is not usable.
    pub fn import(backend: &'b dyn Backend, exported: &[u8]) -> Result<Self, GssError> {
        let mut cursor = Cursor::new(exported, Order::Big);
        if cursor.take(MAGIC.len())? != MAGIC {
            return Err(FileError::new(0, "not an exported context of this version").into());
        }
        let sides = cursor.u8()?;
        if sides & !(ACCEPTOR | ACCEPTORS_KEY) != 0 {
            return Err(FileError::new(MAGIC.len(), "unknown bits").into());
        }
        let flags = Flags(cursor.u32()?);
        let at = cursor.offset();
        let enc_type = EncType::from_number(cursor.i32()?);
        let enc_type = enc_type.ok_or(FileError::new(at, "an unknown encryption type"))?;
        let (send, next, seen) = (cursor.u64()?, cursor.u64()?, cursor.u64()?);
        let expires = UnixTime(cursor.u64()? as i64);
        let client = Principal::from_bytes(cursor.counted32()?)?;
        let service = Principal::from_bytes(cursor.counted32()?)?;
        let key = checked(Key::new(enc_type, Secret::from(cursor.counted32()?))?)?;
        if !cursor.is_empty() {
            return Err(FileError::new(cursor.offset(), "trailing data after the context").into());
        }
        Ok(Self {
            backend,
            keyed: Keyed::new(key, sides & ACCEPTORS_KEY != 0),
            is_acceptor: sides & ACCEPTOR != 0,
            flags,
            client,
            service,
            expires,
            send,
            received: Window::from_parts(next, seen),
        })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]
mod tests {
    use tagwise_crypto::ErrorKind;
    use tagwise_crypto::backends::AwsLc;

    use super::super::{MessagePart, Order as Place};
    use super::*;

    fn pair(backend: &dyn Backend, enc_type: EncType) -> [Context<'_>; 2] {
        let key = Key::generate(backend, enc_type).unwrap();
        let principal = |text| Principal::parse(text, None).unwrap();
        let of = |is_acceptor, send, first| Context {
            backend,
            keyed: Keyed::new(key.clone(), true),
            is_acceptor,
            flags: Flags::MUTUAL | Flags::REPLAY,
            client: principal("alice@KRB.TEST"),
            service: principal("host/localhost@KRB.TEST"),
            expires: UnixTime(1_800_000_000),
            send,
            received: Window::new(first),
        };
        [of(false, 5, 9), of(true, 9, 5)]
    }

    #[test]
    fn a_context_goes_on() {
        let backend = AwsLc::new();
        let [mut ours, mut theirs] = pair(&backend, EncType::Aes256CtsHmacSha384192);
        let (first, second) = (ours.wrap(b"one", true).unwrap(), ours.wrap(b"two", true).unwrap());
        assert_eq!(theirs.unwrap(&first).unwrap().order, Place::InOrder);
        let exported = theirs.export().unwrap();
        let mut theirs = Context::import(&backend, exported.expose()).unwrap();
        assert!(matches!(theirs.unwrap(&first), Err(GssError::Replay)), "what was seen stays seen");
        assert_eq!(theirs.unwrap(&second).unwrap().data.expose(), b"two");
        assert_eq!((theirs.client().to_string(), theirs.is_acceptor()), ("alice@KRB.TEST".to_owned(), true));
        assert_eq!((theirs.expires(), theirs.flags()), (UnixTime(1_800_000_000), Flags::MUTUAL | Flags::REPLAY));
        ours.unwrap(&theirs.wrap(b"three", false).unwrap()).unwrap();
        assert!(!format!("{exported:?}").contains("54, 57"), "the key does not show");
        // Cut and changed anywhere.
        for at in 0..exported.len() {
            assert!(Context::import(&backend, &exported.expose()[..at]).is_err(), "cut at {at}");
        }
        assert!(Context::import(&backend, &[exported.expose(), b"x"].concat()).is_err());
        let mut other = exported.expose().to_vec();
        other[7] = 2;
        assert!(matches!(Context::import(&backend, &other), Err(GssError::Import(error)) if error.offset() == 0));
    }

    #[test]
    fn in_place() {
        let backend = AwsLc::new();
        for enc_type in EncType::ALL.iter().copied().filter(|enc_type| !enc_type.is_legacy()) {
            for sealed in [true, false] {
                let [mut ours, mut theirs] = pair(&backend, enc_type);
                let (mut one, mut two) = (*b"a message", vec![7; 1000]);
                let parts = &mut [MessagePart::Data(&mut one), MessagePart::Data(&mut two)];
                let ends = ours.wrap_in_place(parts, sealed).unwrap();
                assert_eq!((ends.header.len(), ends.trailer.len()), ours.ends(sealed));
                assert_eq!(one == *b"a message", !sealed);
                // Together it is a token like others.
                let token = [&ends.header[..], &one, &two, &ends.trailer].concat();
                let data = theirs.clone().unwrap(&token).unwrap().data;
                assert_eq!(data.expose(), [&b"a message"[..], &[7; 1000]].concat());
                let parts = &mut [MessagePart::Data(&mut one), MessagePart::Data(&mut two)];
                let opened = theirs.unwrap_in_place(&ends.header, parts, &ends.trailer).unwrap();
                assert_eq!((opened.sealed, opened.order, &one), (sealed, Place::InOrder, b"a message"));
                signed_along(&backend, enc_type, sealed);
            }
        }
    }

    /// Checks that sign-only data must be present and in its position.
    fn signed_along(backend: &AwsLc, enc_type: EncType, sealed: bool) {
        let [mut ours, theirs] = pair(backend, enc_type);
        let (mut one, mut two) = (*b"first part", *b"second");
        let parts = &mut [
            MessagePart::SignOnly(b"head"),
            MessagePart::Data(&mut one),
            MessagePart::SignOnly(b"mid"),
            MessagePart::Data(&mut two),
        ];
        let ends = ours.wrap_in_place(parts, sealed).unwrap();
        let opened = |head: &[u8], mid: &[u8], swapped: bool| {
            let (mut one, mut two) = (one, two);
            let parts = &mut match swapped {
                false => [
                    MessagePart::SignOnly(head),
                    MessagePart::Data(&mut one),
                    MessagePart::SignOnly(mid),
                    MessagePart::Data(&mut two),
                ],
                true => [
                    MessagePart::SignOnly(head),
                    MessagePart::Data(&mut one),
                    MessagePart::Data(&mut two),
                    MessagePart::SignOnly(mid),
                ],
            };
            theirs.clone().unwrap_in_place(&ends.header, parts, &ends.trailer).map(|_| (one, two))
        };
        assert_eq!(opened(b"head", b"mid", false).unwrap(), (*b"first part", *b"second"));
        for (head, mid, swapped) in [(&b"heaD"[..], &b"mid"[..], false), (b"head", b"", false), (b"head", b"mid", true)]
        {
            let refused = opened(head, mid, swapped).unwrap_err();
            assert!(matches!(&refused, GssError::Crypto(error) if error.kind() == ErrorKind::Integrity), "{refused:?}");
        }
    }
}
