//! PEM (RFC 7468): certificates, CRLs and bundles. Keys and other blocks are counted.

use std::borrow::Cow;

use tagwise_codec::{Options, Rule, RuleSet, Session, pem};

use super::der::kind_of;
use super::{Found, Gather, Kind, Spot};
use tagwise_codec::ber::Element;
use tagwise_pkix::Foreign;
use tagwise_pkix::oids::files::label as labels;

/// Kind of a block by its label.
enum Label {
    Known(Kind),
    /// A certificate, and after it what OpenSSL trusts it for.
    Trusted,
    Bundle,
    Other,
}

fn label(label: &str) -> Label {
    match crate::Kind::of_label(label) {
        Some(crate::Kind::Certificate) if label == labels::TRUSTED_CERTIFICATE => Label::Trusted,
        Some(crate::Kind::Certificate) => Label::Known(Kind::Certificate),
        Some(crate::Kind::CertificateList) => Label::Known(Kind::Crl),
        Some(crate::Kind::Cms | crate::Kind::Pkcs12) => Label::Bundle,
        _ => Label::Other,
    }
}

impl Gather<'_, '_> {
    /// The blocks of a text. What is lax about it does not matter here; a block that does not decode is a failure.
    pub(super) fn pem(&mut self, text: &[u8], spot: Spot, depth: u8) {
        let mut out = Vec::new();
        let mut found = Vec::new();
        self.blocks(text, spot, depth, &mut out, &mut found);
        if !found.is_empty() {
            self.keep(Cow::Owned(out), found);
        }
    }

    /// The blocks of a part of a text, decoded behind each other.
    pub(super) fn blocks(&mut self, text: &[u8], spot: Spot, depth: u8, out: &mut Vec<u8>, found: &mut Vec<Found>) {
        // What is no base64 at all is not stepped over: octets that nobody wrote would only be malformed elsewhere.
        let rules = RuleSet::PEM_LAX.with(&Rule::PEM_HEADERS).without(&Rule::PEM_FOREIGN_OCTETS);
        let session = Session::new(Options::der().rules(rules));
        let lines = spot.line.saturating_sub(1);
        let at = |offset: usize, line: usize| Spot {
            offset: spot.offset.saturating_add(offset as u32),
            line: lines.saturating_add(line as u32),
            ..spot
        };
        for block in pem::blocks_with(text, &session) {
            let block = match block {
                Ok(block) => block,
                Err(error) => {
                    self.fail(at(error.offset(), error.line()), error.code(), error.kind().text());
                    continue;
                }
            };
            let here = at(block.begin(), block.line());
            let start = out.len();
            let label = label(block.label());
            if let Label::Other = label {
                self.contents.others += 1;
                if self.contents.foreign.is_none() {
                    self.contents.foreign = Foreign::recognise(block.label(), block.headers());
                }
                continue;
            }
            if let Err(error) = block.decode_into(out) {
                self.fail(at(error.offset(), error.line()), error.code(), error.kind().text());
                continue;
            }
            if out.len() == start {
                self.fail(here, "empty", "an empty block: no data between its BEGIN and END lines");
                continue;
            }
            // Offsets in a block are of 32 bits.
            if out.len() > u32::MAX as usize {
                out.truncate(start);
                return self.fail(here, "too-large", "more than 4 GiB of PEM");
            }
            let der = out.get(start..).unwrap_or_default();
            match label {
                // Some write bundles under the label of a certificate.
                Label::Known(_) if crate::kind::is_signed_data(der) => {
                    let bundle = out.split_off(start);
                    self.gather(Cow::Owned(bundle), here, depth);
                }
                Label::Known(kind) => {
                    let kind = kind_of(der).unwrap_or(kind);
                    found.push(Found { kind, start, len: out.len() - start, spot: here, settings: 0 });
                }
                Label::Trusted => {
                    let len = Element::read(der, 0, der.len()).map_or(der.len(), |element| element.end);
                    let settings = out.len() - start - len;
                    found.push(Found { kind: Kind::Certificate, start, len, spot: here, settings });
                }
                Label::Bundle => {
                    let bundle = out.split_off(start);
                    self.gather(Cow::Owned(bundle), here, depth);
                }
                Label::Other => {}
            }
        }
    }
}
