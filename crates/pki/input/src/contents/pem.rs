//! PEM (RFC 7468): certificates, CRLs and bundles. Keys and other blocks are counted.

use std::borrow::Cow;

use tagwise_codec::{Options, Rule, RuleSet, Session, pem};

use super::{ContentsKind, Found, Gather, Spot};
use crate::ValueKind as Content;
use crate::kind::kind_of_block;
use tagwise_codec::ber::Element;
use tagwise_pkix::Foreign;
use tagwise_pkix::oids::files::label;

/// The tolerated rules. Characters outside base64 are errors: without them, the rest could decode to other bytes.
pub(super) const READ: RuleSet = RuleSet::PEM_LAX.with(&Rule::PEM_HEADERS).without(&Rule::PEM_FOREIGN_OCTETS);

impl Gather<'_, '_> {
    /// Reads the blocks of a text leniently. A block that does not decode is a failure.
    pub(super) fn pem(&mut self, text: &[u8], spot: Spot, depth: u8) {
        let mut out = Vec::new();
        let mut found = Vec::new();
        self.blocks(text, spot, depth, &mut out, &mut found);
        if !found.is_empty() {
            self.keep(Cow::Owned(out), found);
        }
    }

    /// Decodes the PEM blocks in a part of a text, and concatenates their bytes.
    pub(super) fn blocks(&mut self, text: &[u8], spot: Spot, depth: u8, out: &mut Vec<u8>, found: &mut Vec<Found>) {
        let session = Session::new(Options::der().rules(READ));
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
            let is_read =
                |kind: Content| kind.is_certificate_or_list() || matches!(kind, Content::Cms | Content::Pkcs12);
            if !Content::of_label(block.label()).is_some_and(is_read) {
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
            let kind = match kind_of_block(block.label(), der) {
                Some(Content::CertificateList) => ContentsKind::Crl,
                Some(Content::Certificate) => ContentsKind::Certificate,
                _ => {
                    let bundle = out.split_off(start);
                    self.gather(Cow::Owned(bundle), here, depth);
                    continue;
                }
            };
            // OpenSSL's trust settings follow the certificate.
            let len = match Element::read(der, 0, der.len()) {
                Ok(certificate) if block.label() == label::TRUSTED_CERTIFICATE => certificate.end,
                _ => der.len(),
            };
            found.push(Found { kind, start, len, spot: here, settings: der.len() - len });
        }
    }
}
