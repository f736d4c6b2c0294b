//! Signature algorithms and signatures (`X509_signature_print`).

use core::fmt::{self, Write};

use crate::openssl::octets::{dump, is_integer, labelled, serial};
use crate::openssl::walk::{INTEGER, OID, SEQUENCE, Seq};
use crate::openssl::{Algorithm, objects};
use tagwise_pkix::oids;

/// Writes the signature algorithm from the to-be-signed part.
pub(super) fn algorithm(algorithm: &Algorithm<'_>, out: &mut dyn Write) -> fmt::Result {
    print(algorithm, None, out)
}

/// Writes the algorithm and the signature that follow the to-be-signed part.
pub(super) fn whole(algorithm: &Algorithm<'_>, signature: &[u8], out: &mut dyn Write) -> fmt::Result {
    print(algorithm, Some(signature), out)
}

fn print(algorithm: &Algorithm<'_>, signature: Option<&[u8]>, out: &mut dyn Write) -> fmt::Result {
    let oid = algorithm.algorithm.as_bytes();
    out.write_str("    Signature Algorithm: ")?;
    objects::long(oid, out)?;
    if signature.is_some() {
        out.write_str("\n    Signature Value:")?;
    }
    if algorithm.algorithm == oids::RSASSA_PSS {
        out.write_str("        ")?;
        let parameters = algorithm.parameters.and_then(|parameters| pss(parameters.as_bytes()));
        match parameters {
            None => out.write_str("(INVALID PSS PARAMETERS)\n")?,
            Some(parameters) => parameters.print(out)?,
        }
    } else {
        out.write_str("\n")?;
    }
    let Some(signature) = signature else { return Ok(()) };
    if is_dsa(oid) {
        let mut pair = Seq::whole(signature).unwrap_or(Seq(&[]));
        let numbers = pair.expect(INTEGER).zip(pair.expect(INTEGER));
        if let Some((r, s)) = numbers.filter(|(r, s)| pair.is_empty() && is_integer(r) && is_integer(s)) {
            labelled("r:   ", r, 8, out)?;
            return labelled("s:   ", s, 8, out);
        }
        out.write_str("\n")?;
    }
    dump(signature, 8, out)
}

/// Returns whether an identifier is DSA with SHA-1, SHA-224 to SHA-512, or an older DSA identifier.
const fn is_dsa(oid: &[u8]) -> bool {
    matches!(
        oid,
        [0x2A, 0x86, 0x48, 0xCE, 0x38, 4, 3]
            | [0x2B, 0x0E, 3, 2, 13 | 27]
            | [0x60, 0x86, 0x48, 1, 0x65, 3, 4, 3, 1..=8]
    )
}

/// RSASSA-PSS parameters (RFC 4055 §3.1) as content bytes, or `None` for a DEFAULT value.
pub(super) struct Pss<'a> {
    /// The identifier of the hash.
    pub(super) hash: Option<&'a [u8]>,
    /// The identifiers of the mask generation function and its hash.
    pub(super) mask: Option<(&'a [u8], &'a [u8])>,
    pub(super) salt: Option<&'a [u8]>,
    pub(super) trailer: Option<&'a [u8]>,
}

pub(super) fn pss(parameters: &[u8]) -> Option<Pss<'_>> {
    let mut seq = Seq::whole(parameters)?;
    let algorithm = |content| {
        let mut inner = Seq(content).sequence()?;
        Some((inner.expect(OID)?, inner))
    };
    let hash = match seq.optional(0xA0) {
        Some(content) => Some(algorithm(content)?.0),
        None => None,
    };
    let mask = match seq.optional(0xA1) {
        Some(content) => {
            let (function, mut rest) = algorithm(content)?;
            // id-mgf1 is the only function there is (RFC 4055 §2.2).
            (function == [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 1, 8]).then_some(())?;
            Some((function, Seq(rest.expect(SEQUENCE)?).expect(OID)?))
        }
        None => None,
    };
    let mut number = |tag| match seq.optional(tag) {
        Some(content) => Seq(content).expect(INTEGER).map(Some),
        None => Some(None),
    };
    let (salt, trailer) = (number(0xA2)?, number(0xA3)?);
    seq.end()?;
    Some(Pss { hash, mask, salt, trailer })
}

impl Pss<'_> {
    fn print(&self, out: &mut dyn Write) -> fmt::Result {
        out.write_str("\n        Hash Algorithm: ")?;
        match self.hash {
            Some(hash) => objects::long(hash, out)?,
            None => out.write_str("sha1 (default)")?,
        }
        out.write_str("\n        Mask Algorithm: ")?;
        match self.mask {
            Some((function, hash)) => {
                objects::long(function, out)?;
                out.write_str(" with ")?;
                objects::long(hash, out)?;
            }
            None => out.write_str("mgf1 with sha1 (default)")?,
        }
        out.write_str("\n         Salt Length: 0x")?;
        match self.salt {
            Some(salt) => serial(salt, out)?,
            None => out.write_str("14 (default)")?,
        }
        out.write_str("\n        Trailer Field: 0x")?;
        match self.trailer {
            Some(trailer) => serial(trailer, out)?,
            None => out.write_str("01 (default)")?,
        }
        out.write_str("\n")
    }
}
