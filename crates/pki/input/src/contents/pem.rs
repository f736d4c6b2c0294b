//! PEM (RFC 7468): certificates, CRLs and bundles. Keys and other blocks are counted, and blocks and bytes that nothing
//! recognizes are recorded.

use std::borrow::Cow;

use tagwise_codec::{Options, Session, pem};

use super::{ContentsKind, Found, Gather, Spot};
use crate::ValueKind as Content;
use crate::block::READ;
use crate::kind::kind_of_block;
use tagwise_codec::ber::Element;
use tagwise_pkix::Foreign;
use tagwise_pkix::oids::files::label;

impl Gather<'_, '_> {
    /// Reads the blocks of a text leniently, and the values embedded in the text around them. A block that does not decode is a
    /// failure.
    pub(super) fn pem(&mut self, text: &[u8], spot: Spot, depth: u8) {
        let mut out = Vec::new();
        let mut found = Vec::new();
        let gaps = self.blocks(text, spot, depth, &mut out, &mut found);
        if !found.is_empty() {
            self.keep(Cow::Owned(out), found);
        }
        for gap in gaps {
            self.gap(text, &gap, spot, depth);
        }
    }

    /// Adds the values embedded in the text around the blocks, without those of the blocks.
    pub(super) fn around(&mut self, text: &[u8], depth: u8) {
        let mut blocks = Gather::new(text.len(), &self.limits, None);
        let gaps = blocks.blocks(text, Spot::default(), 0, &mut Vec::new(), &mut Vec::new());
        for gap in gaps {
            self.gap(text, &gap, Spot::default(), depth);
        }
    }

    /// Reads the text outside of the blocks. RFC 7468 §2 permits explanatory text, which has no control characters. Base64 in whole
    /// lines is a value without its boundaries.
    fn gap(&mut self, text: &[u8], gap: &Gap, spot: Spot, depth: u8) {
        let octets = text.get(gap.range.clone()).unwrap_or_default();
        let here = Spot {
            offset: spot.offset.saturating_add(gap.range.start as u32),
            line: spot.line.max(1).saturating_add(gap.line.saturating_sub(1) as u32),
            ..spot
        };
        // Files may be padded, or end with the DOS character for their end.
        let is_binary = |octet: &u8| *octet < b' ' && !matches!(octet, 0 | b'\t'..=b'\r' | 0x1A | 0x1B);
        if let Some(at) = octets.iter().position(is_binary) {
            let line = octets.iter().take(at).filter(|octet| **octet == b'\n').count();
            let offset = here.offset.saturating_add(at as u32);
            let there = Spot { offset, line: here.line.saturating_add(line as u32), ..here };
            self.unread(there, "unrecognized", "binary data outside of the PEM blocks");
        }
        self.embedded(octets, gap.is_broken, here, depth);
    }

    /// Decodes the PEM blocks in a part of a text, and concatenates their bytes. Returns the text around the blocks.
    pub(super) fn blocks(
        &mut self,
        text: &[u8],
        spot: Spot,
        depth: u8,
        out: &mut Vec<u8>,
        found: &mut Vec<Found>,
    ) -> Vec<Gap> {
        let mut gaps = vec![Gap { range: 0..text.len(), line: 1, is_broken: false }];
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
                    if let Some(gap) = gaps.last_mut() {
                        gap.is_broken = true;
                    }
                    continue;
                }
            };
            let here = at(block.begin(), block.line());
            if let Some(gap) = gaps.last_mut() {
                gap.range.end = block.begin().max(gap.range.start);
                let lines = text.get(block.begin()..block.end()).unwrap_or_default();
                let lines = memchr::memchr_iter(b'\n', lines).count();
                let line = block.line().saturating_add(lines);
                gaps.push(Gap { range: block.end()..text.len(), line, is_broken: false });
            }
            let start = out.len();
            let is_read =
                |kind: Content| kind.is_certificate_or_list() || matches!(kind, Content::Cms | Content::Pkcs12);
            if !Content::of_label(block.label()).is_some_and(is_read) {
                self.contents.others += 1;
                let foreign = Foreign::recognise(block.label(), block.headers());
                if foreign.is_none() && is_unknown(block.label()) {
                    self.unread(here, "label", format!("unknown PEM label \"{}\"", block.label()));
                }
                if self.contents.foreign.is_none() {
                    self.contents.foreign = foreign;
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
                self.fail(here, "too-large", "more than 4 GiB of PEM");
                break;
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
        gaps
    }
}

/// Text outside of PEM blocks.
pub(super) struct Gap {
    range: std::ops::Range<usize>,
    /// The number of its first line, from 1.
    line: usize,
    /// True if the text contains a part of a malformed block.
    is_broken: bool,
}

/// Returns whether a label is unknown, so that the block may be a certificate or CRL under a misspelled one. RFC 7468 §2 has the label
/// determine the type, so the block is not used. The labels of keys and parameters vary, and the properties of a certificate precede it
/// (draft-ietf-tls-trust-anchor-ids §6).
fn is_unknown(label: &str) -> bool {
    let is_other = ["KEY", "PARAMETERS", "PROPERTIES"].iter().any(|end| label.ends_with(end));
    Content::of_label(label).is_none() && !is_other
}
