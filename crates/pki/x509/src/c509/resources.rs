//! AS numbers (RFC 3779 §3, RFC 8360), encoded as differences.

use tagwise_codec::Any;

use super::der::{any, children, content, list, number, parts, sequence, small};
use super::item::CborItem;

/// Encodes ASIdentifiers that contain only `asnum`. Null means that the issuer's resources are inherited.
pub(super) fn systems(value: &[u8]) -> Option<CborItem> {
    let parts = parts(value)?;
    let [asnum] = parts.as_slice() else { return None };
    let inner = any(content(asnum, 0xA0)?)?;
    if inner.as_bytes() == [0x05, 0x00] {
        return Some(CborItem::Null);
    }
    let mut before = 0;
    let mut next = |element: &Any<'_>| {
        let number = i128::from(number(element)?);
        let difference = number.checked_sub(before).filter(|difference| *difference >= 0)?;
        before = number;
        Some(CborItem::Int(difference))
    };
    let mut items = Vec::new();
    for element in children(&inner).filter(|_| inner.tag().first_octet() == 0x30)? {
        items.push(match element.tag().first_octet() {
            0x02 => next(&element)?,
            0x30 => match children(&element)?.as_slice() {
                [min, max] => CborItem::Array(vec![next(min)?, next(max)?]),
                _ => return None,
            },
            _ => return None,
        });
    }
    Some(CborItem::Array(items))
}

/// Converts ASIdentifiers from CBOR to DER.
pub(super) fn spell_systems(item: &CborItem) -> Option<Vec<u8>> {
    let inner = match item {
        CborItem::Null => vec![0x05, 0x00],
        item => {
            let mut before = 0u64;
            let mut next = |item: &CborItem| {
                before = before.checked_add(item.as_u64()?)?;
                Some(small(before))
            };
            let mut elements = Vec::new();
            for item in item.as_array()? {
                elements.push(match item {
                    CborItem::Array(range) => match range.as_slice() {
                        [min, max] => sequence(&[next(min)?, next(max)?]),
                        _ => return None,
                    },
                    one => next(one)?,
                });
            }
            sequence(&elements)
        }
    };
    Some(sequence(&[list(0xA0, &[inner])]))
}
