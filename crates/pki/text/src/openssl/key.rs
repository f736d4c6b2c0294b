//! Public keys (`EVP_PKEY_print_public`): RSA, RSASSA-PSS, DSA, elliptic curves, and the RFC 8410 curves (X25519, Ed25519 etc.).

use core::fmt::{self, Write};

use crate::openssl::objects;
use crate::openssl::octets::{block, is_integer, labelled, magnitude};
use crate::openssl::signature::pss;
use crate::openssl::walk::{BIT_STRING, INTEGER, OCTET_STRING, OID, Seq};
use tagwise_pkix::alg::SubjectPublicKeyInfo;
use tagwise_pkix::oids;

/// The indentation of every line.
const INDENT: usize = 16;

/// Writes the lines of a key.
pub(super) fn public_key(info: &SubjectPublicKeyInfo<'_>, out: &mut dyn Write) -> fmt::Result {
    let mut text = String::new();
    match print(info, &mut text) {
        Some(()) => out.write_str(&text),
        None => out.write_str("            Unable to load Public Key\n"),
    }
}

/// Returns the size of a number in bits.
fn bits(number: &[u8]) -> usize {
    let (_, number) = magnitude(number);
    number.first().map_or(0, |first| number.len() * 8 - first.leading_zeros() as usize)
}

fn print(info: &SubjectPublicKeyInfo<'_>, out: &mut String) -> Option<()> {
    let algorithm = info.algorithm.algorithm;
    let parameters = info.algorithm.parameters.map(|parameters| parameters.as_bytes());
    let key = info.subject_public_key.as_bytes();
    match algorithm {
        oids::RSA_ENCRYPTION => rsa(key, out),
        oids::RSASSA_PSS => {
            rsa(key, out)?;
            restrictions(parameters, out)
        }
        oids::DSA => dsa(parameters, key, out),
        oids::EC_PUBLIC_KEY => curve(parameters?, key, out),
        _ => {
            let (name, len) = match algorithm.as_bytes() {
                [0x2B, 0x65, 0x6E] => ("X25519", 32),
                [0x2B, 0x65, 0x6F] => ("X448", 56),
                [0x2B, 0x65, 0x70] => ("ED25519", 32),
                [0x2B, 0x65, 0x71] => ("ED448", 57),
                _ => return None,
            };
            if key.len() != len || parameters.is_some() {
                return None;
            }
            write!(out, "{:INDENT$}{name} Public-Key:\n{:INDENT$}pub:\n", "", "").ok()?;
            block(key, INDENT + 4, out).ok()
        }
    }
}

fn size(bits: usize, out: &mut String) -> Option<()> {
    writeln!(out, "{:INDENT$}Public-Key: ({bits} bit)", "").ok()
}

fn rsa(key: &[u8], out: &mut String) -> Option<()> {
    let mut seq = Seq::whole(key)?;
    let (modulus, exponent) = (seq.expect(INTEGER)?, seq.expect(INTEGER)?);
    seq.end()?;
    if !is_integer(modulus) || !is_integer(exponent) {
        return None;
    }
    size(bits(modulus), out)?;
    labelled("Modulus:", modulus, INDENT, out).ok()?;
    labelled("Exponent:", exponent, INDENT, out).ok()
}

/// Prints the restrictions of an RSASSA-PSS key.
fn restrictions(parameters: Option<&[u8]>, out: &mut String) -> Option<()> {
    let Some(parameters) = parameters else {
        return writeln!(out, "{:INDENT$}No PSS parameter restrictions", "").ok();
    };
    let pss = pss(parameters)?;
    let hash = |oid: Option<&[u8]>| match oid {
        None | Some([0x2B, 0x0E, 3, 2, 0x1A]) => Some("SHA1"),
        Some([0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, arc]) => {
            let names = ["SHA2-256", "SHA2-384", "SHA2-512", "SHA2-224", "SHA2-512/224", "SHA2-512/256"];
            names.get(usize::from(*arc).wrapping_sub(1)).copied()
        }
        Some(_) => None,
    };
    let small = |content: Option<&[u8]>, default: u64| match content {
        None => Some(default),
        Some(content)
            if is_integer(content) && content.len() <= 4 && content.first().is_some_and(|top| *top < 0x80) =>
        {
            Some(content.iter().fold(0, |sum: u64, octet| sum << 8 | u64::from(*octet)))
        }
        Some(_) => None,
    };
    let default = |is: bool| if is { " (default)" } else { "" };
    let mask = pss.mask.map(|(_, hash)| hash);
    let (digest, mask, salt, trailer) = (hash(pss.hash)?, hash(mask)?, small(pss.salt, 20)?, small(pss.trailer, 1)?);
    writeln!(out, "{:INDENT$}PSS parameter restrictions:", "").ok()?;
    writeln!(out, "{:INDENT$}  Hash Algorithm: {digest}{}", "", default(digest == "SHA1")).ok()?;
    writeln!(out, "{:INDENT$}  Mask Algorithm: MGF1 with {mask}{}", "", default(mask == "SHA1")).ok()?;
    writeln!(out, "{:INDENT$}  Minimum Salt Length: {salt}{}", "", default(salt == 20)).ok()?;
    writeln!(out, "{:INDENT$}  Trailer Field: 0x{trailer:x}{}", "", default(trailer == 1)).ok()
}

fn dsa(parameters: Option<&[u8]>, key: &[u8], out: &mut String) -> Option<()> {
    let public = Seq(key).expect(INTEGER)?;
    // Parameters may be the issuer's (RFC 3279 §2.3.2), absent or NULL; OpenSSL loads no such key.
    let mut seq = Seq::whole(parameters?)?;
    let (p, q, g) = (seq.expect(INTEGER)?, seq.expect(INTEGER)?, seq.expect(INTEGER)?);
    seq.end()?;
    size(bits(p), out)?;
    labelled("pub: ", public, INDENT, out).ok()?;
    for (label, number) in ["P:   ", "Q:   ", "G:   "].into_iter().zip([p, q, g]) {
        labelled(label, number, INDENT, out).ok()?;
    }
    Some(())
}

fn curve(parameters: &[u8], key: &[u8], out: &mut String) -> Option<()> {
    let pub_lines = |out: &mut String| {
        writeln!(out, "{:INDENT$}pub:", "").ok()?;
        block(key, INDENT + 4, out).ok()
    };
    if !matches!(key, [2 | 3, ..] | [4 | 6 | 7, ..]) {
        return None;
    }
    if let Some(oid) = Seq(parameters).optional(OID) {
        let name = objects::lookup(oid)?.short;
        let curve = objects::curve(name)?;
        size(curve.bits as usize, out)?;
        pub_lines(out)?;
        writeln!(out, "{:INDENT$}ASN1 OID: {name}", "").ok()?;
        return match curve.nist {
            Some(nist) => writeln!(out, "{:INDENT$}NIST CURVE: {nist}", "").ok(),
            None => Some(()),
        };
    }
    let domain = Domain::read(parameters)?;
    size(bits(domain.order), out)?;
    pub_lines(out)?;
    domain.print(out)
}

/// The content of a `SpecifiedECDomain` (SEC 1 §C.2).
struct Domain<'a> {
    field: Field<'a>,
    a: &'a [u8],
    b: &'a [u8],
    seed: Option<&'a [u8]>,
    base: &'a [u8],
    order: &'a [u8],
    cofactor: Option<&'a [u8]>,
}

enum Field<'a> {
    Prime(&'a [u8]),
    Two { basis: &'static str, polynomial: Vec<u8> },
}

impl<'a> Domain<'a> {
    fn read(parameters: &'a [u8]) -> Option<Self> {
        let mut seq = Seq::whole(parameters)?;
        seq.expect(INTEGER)?;
        let mut field = seq.sequence()?;
        let field = match field.expect(OID)? {
            // prime-field
            [0x2A, 0x86, 0x48, 0xCE, 0x3D, 1, 1] => Field::Prime(field.expect(INTEGER)?),
            // characteristic-two-field
            [0x2A, 0x86, 0x48, 0xCE, 0x3D, 1, 2] => Field::two(field.sequence()?)?,
            _ => return None,
        };
        let mut curve = seq.sequence()?;
        let (a, b) = (curve.expect(OCTET_STRING)?, curve.expect(OCTET_STRING)?);
        let seed = curve.optional(BIT_STRING).and_then(|seed| seed.get(1..));
        let (base, order) = (seq.expect(OCTET_STRING)?, seq.expect(INTEGER)?);
        Some(Self { field, a, b, seed, base, order, cofactor: seq.optional(INTEGER) })
    }

    fn print(&self, out: &mut String) -> Option<()> {
        // Octet strings are numbers without a sign.
        let number =
            |label: &str, octets: &[u8], out: &mut String| labelled(label, &[&[0], octets].concat(), INDENT, out).ok();
        let line = |text: &str, out: &mut String| writeln!(out, "{:INDENT$}{text}", "").ok();
        match &self.field {
            Field::Prime(prime) => {
                line("Field Type: prime-field", out)?;
                labelled("Prime:", prime, INDENT, out).ok()?;
            }
            Field::Two { basis, polynomial } => {
                line("Field Type: characteristic-two-field", out)?;
                line(&format!("Basis Type: {basis}"), out)?;
                number("Polynomial:", polynomial, out)?;
            }
        }
        number("A:   ", self.a, out)?;
        number("B:   ", self.b, out)?;
        let form = match self.base {
            [2 | 3, ..] => "compressed",
            [6 | 7, ..] => "hybrid",
            _ => "uncompressed",
        };
        line(&format!("Generator ({form}):"), out)?;
        block(self.base, INDENT + 4, out).ok()?;
        labelled("Order: ", self.order, INDENT, out).ok()?;
        if let Some(cofactor) = self.cofactor {
            labelled("Cofactor: ", cofactor, INDENT, out).ok()?;
        }
        if let Some(seed) = self.seed {
            line("Seed:", out)?;
            block(seed, INDENT + 4, out).ok()?;
        }
        Some(())
    }
}

/// The largest exponent of a polynomial that is printed. No field in use has a degree near it.
const MAX_DEGREE: usize = 1 << 12;

impl Field<'_> {
    /// Parses a binary field: `Characteristic-two ::= SEQUENCE { m INTEGER, basis OBJECT IDENTIFIER, parameters ANY DEFINED BY basis }`.
    fn two(mut seq: Seq<'_>) -> Option<Self> {
        let small = |content: &[u8]| {
            let value =
                content.iter().try_fold(0usize, |sum, octet| sum.checked_mul(256)?.checked_add((*octet).into()));
            value.filter(|value| *value <= MAX_DEGREE)
        };
        let degree = small(seq.expect(INTEGER)?)?;
        let mut polynomial = vec![0u8; degree / 8 + 1];
        let len = polynomial.len();
        let mut set = |exponent: usize| {
            let octet = polynomial.get_mut(len.checked_sub(exponent / 8 + 1)?)?;
            *octet |= 1 << (exponent % 8);
            Some(())
        };
        set(degree)?;
        set(0)?;
        let basis = match seq.expect(OID)? {
            [0x2A, 0x86, 0x48, 0xCE, 0x3D, 1, 2, 3, 2] => {
                set(small(seq.expect(INTEGER)?)?)?;
                "tpBasis"
            }
            [0x2A, 0x86, 0x48, 0xCE, 0x3D, 1, 2, 3, 3] => {
                let mut terms = seq.sequence()?;
                for _ in 0..3 {
                    set(small(terms.expect(INTEGER)?)?)?;
                }
                "ppBasis"
            }
            _ => return None,
        };
        Some(Self::Two { basis, polynomial })
    }
}
