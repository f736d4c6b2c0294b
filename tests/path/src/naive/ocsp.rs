//! OCSP responses with one single response, with the properties that RFC 6960 §3.2 and §4.2.2.2 consider.

use super::Model;
use crate::evidence::{GOOD, Ocsp, UNKNOWN, by_key, by_name, ocsp_extension, revoked};
use crate::name;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum State {
    Good,
    Revoked,
    Unknown,
}

/// A ResponderID.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Id {
    Name(&'static str),
    Key(&'static str),
}

impl Id {
    pub fn is(self, name: &str, key: &str) -> bool {
        match self {
            Self::Name(own) => own == name,
            Self::Key(own) => own == key,
        }
    }
}

#[derive(Clone, Debug)]
pub struct OcspModel {
    /// The name and key of the certificate's issuer.
    pub issuer: (&'static str, &'static str),
    pub serial: u32,
    pub state: State,
    /// thisUpdate, as an hour of 2025-12-31. It is different for each response.
    pub hour: u8,
    pub stale: bool,
    pub unknown_critical: bool,
    pub responder: Id,
    pub signer: &'static str,
    /// The certificate included in the response.
    pub certificate: Option<Model>,
}

impl OcspModel {
    pub fn response(&self) -> Ocsp {
        const HOURS: [&str; 12] = [
            "20251231000000Z",
            "20251231010000Z",
            "20251231020000Z",
            "20251231030000Z",
            "20251231040000Z",
            "20251231050000Z",
            "20251231060000Z",
            "20251231070000Z",
            "20251231080000Z",
            "20251231090000Z",
            "20251231100000Z",
            "20251231110000Z",
        ];
        Ocsp {
            issuer: (name(self.issuer.0), self.issuer.1.as_bytes().to_vec()),
            serial: self.serial,
            status: match self.state {
                State::Good => GOOD.to_vec(),
                State::Revoked => revoked(),
                State::Unknown => UNKNOWN.to_vec(),
            },
            this_update: HOURS[usize::from(self.hour)],
            next_update: Some(if self.stale { "20251231235959Z" } else { "20260110000000Z" }),
            responder: match self.responder {
                Id::Name(name) => by_name(name),
                Id::Key(key) => by_key(key),
            },
            signer: self.signer.as_bytes().to_vec(),
            certificates: self.certificate.iter().map(|model| model.spec().der()).collect(),
            extensions: if self.unknown_critical { vec![ocsp_extension(99, true, b"\x05\x00")] } else { Vec::new() },
            ..Ocsp::new(self.issuer.0, self.issuer.1)
        }
    }
}
