//! Splits strings of more than 1000 bytes into CER segments (X.690 §9.2).

use alloc::vec::Vec;

use crate::engine::canonical::header::Header;
use crate::engine::canonical::leaf::Leaf;
use crate::engine::canonical::tape::{Node, Tape};
use crate::tag::Tag;
use crate::writer::header_len;

/// Content length of a CER segment, and the maximum length of a primitive string, in bytes.
pub(super) const SEGMENT: usize = 1000;

impl Tape {
    /// Writes a string to the tape in segments and returns the total size. `pieces` holds the string's bytes. For a BIT STRING,
    /// it excludes the initial byte.
    pub(super) fn segment(
        &mut self,
        header: &Header,
        end: usize,
        leaf: Leaf,
        unused: u8,
        pieces: impl IntoIterator<Item = Node>,
    ) -> u64 {
        let tag = header.tag.constructed();
        let span = (header.content - header.at).min(255) as u8;
        self.nodes.push(Node::Indefinite { tag, source: header.at as u32, span });
        let mut total = tag.encoded_len() as u64 + 3;
        let mut open: Vec<Node> = Vec::new();
        let initial = u32::from(leaf.is_bits());
        let mut filled = initial;
        for mut piece in pieces {
            loop {
                let room = SEGMENT as u32 - filled;
                let (first, rest) = cut(piece, room);
                filled += len(&first);
                open.push(first);
                // A full segment is closed only if something follows.
                let Some(rest) = rest else { break };
                total += self.close_segment(header, leaf, filled, 0, &mut open);
                filled = initial;
                piece = rest;
            }
        }
        total += self.close_segment(header, leaf, filled, unused, &mut open);
        self.nodes.push(Node::End { source: end.saturating_sub(1) as u32 });
        total
    }

    fn close_segment(&mut self, header: &Header, leaf: Leaf, len: u32, unused: u8, open: &mut Vec<Node>) -> u64 {
        let tag = if leaf.is_bits() { Tag::BIT_STRING } else { Tag::OCTET_STRING };
        self.nodes.push(Node::Header { tag, len, source: header.content as u32, span: 1 });
        if leaf.is_bits() {
            self.make(&[unused], header.content..header.content + 1);
        }
        self.nodes.append(open);
        (header_len(tag, len as usize) + len as usize) as u64
    }
}

const fn len(node: &Node) -> u32 {
    match node {
        Node::Copy { len, .. } | Node::Made { len, .. } => *len,
        _ => 0,
    }
}

/// Splits a piece into its first `room` bytes and the rest, if any.
fn cut(piece: Node, room: u32) -> (Node, Option<Node>) {
    match piece {
        Node::Copy { start, len } if len > room => {
            (Node::Copy { start, len: room }, Some(Node::Copy { start: start + room, len: len - room }))
        }
        Node::Made { at, len, source, span } if len > room => (
            Node::Made { at, len: room, source, span },
            Some(Node::Made { at: at + room, len: len - room, source, span }),
        ),
        piece => (piece, None),
    }
}
