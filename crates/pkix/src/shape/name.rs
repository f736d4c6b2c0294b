//! Relative distinguished names of one attribute.

use tagwise_codec::{Ia5, Printable, Reader, SetOf, Utf8};

use crate::name::RelativeDistinguishedName;

/// One X.520 attribute with a short value: `30 LL 06 03 55 04 attribute tag LL value`.
#[inline(always)]
pub(crate) fn rdn<'a>(reader: &mut Reader<'a, '_>, len: usize) -> Option<RelativeDistinguishedName<'a>> {
    // An outline delimits the set without help. Two levels are entered: the set and the attribute.
    if !reader.is_deep() || reader.depth_left() < 2 {
        return None;
    }
    let (content, _) = reader.rest().split_at_checked(len)?;
    let [0x30, outer, 0x06, 0x03, 0x55, 0x04, attribute, tag, inner, value @ ..] = content else { return None };
    let lengths = usize::from(*outer) == content.len() - 2 && usize::from(*inner) == value.len() && *outer < 0x80;
    if !lengths || *attribute >= 0x80 {
        return None;
    }
    let valid = match tag {
        0x13 => Printable::from_content(value).is_ok(),
        0x0C => Utf8::from_content(value).is_ok(),
        0x16 => Ia5::from_content(value).is_ok(),
        _ => false,
    };
    if !valid {
        return None;
    }
    let offset = reader.offset();
    reader.take(len).ok()?;
    Some(RelativeDistinguishedName(SetOf::deferred(content, offset)))
}
