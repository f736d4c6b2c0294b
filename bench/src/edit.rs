//! Small edits of DER: enough to make bad certificates out of a good one, and large ones out of a small one.

/// One value with the shortest length.
#[must_use]
pub fn tlv(tag: u8, content: &[u8]) -> Vec<u8> {
    let length = content.len();
    let header = match length {
        0..=0x7f => vec![tag, length as u8],
        0x80..=0xff => vec![tag, 0x81, length as u8],
        0x100..=0xffff => vec![tag, 0x82, (length >> 8) as u8, length as u8],
        _ => vec![tag, 0x83, (length >> 16) as u8, (length >> 8) as u8, length as u8],
    };
    [&header, content].concat()
}

/// The values inside a constructed value.
///
/// # Errors
/// Where the octets do not divide into values.
pub fn children(value: &[u8]) -> Result<Vec<Vec<u8>>, String> {
    let bad = || "not a constructed DER value".to_owned();
    let mut rest = content(value).ok_or_else(bad)?;
    let mut found = Vec::new();
    while !rest.is_empty() {
        let size = size(rest).ok_or_else(bad)?;
        let (first, after) = rest.split_at_checked(size).ok_or_else(bad)?;
        found.push(first.to_vec());
        rest = after;
    }
    Ok(found)
}

/// Replaces the value at `path`, a list of child numbers, by what `change` makes of it, and mends the lengths above.
///
/// # Errors
/// Where the path leads nowhere.
pub fn replace(value: &[u8], path: &[usize], change: &dyn Fn(&[u8]) -> Vec<u8>) -> Result<Vec<u8>, String> {
    let Some((first, deeper)) = path.split_first() else {
        return Ok(change(value));
    };
    let mut parts = children(value)?;
    let part = parts.get_mut(*first).ok_or("the path leads nowhere")?;
    *part = replace(part, deeper, change)?;
    Ok(tlv(value[0], &parts.concat()))
}

/// The content of a value with a low tag and a definite length.
#[must_use]
pub fn content(value: &[u8]) -> Option<&[u8]> {
    let header = match value.get(1)? {
        first @ 0x80.. => 2 + usize::from(first & 0x7f),
        _ => 2,
    };
    value.get(header..size(value)?)
}

/// The size of the first value, header included, of a low tag and a definite length.
#[must_use]
pub fn size(bytes: &[u8]) -> Option<usize> {
    let first = usize::from(*bytes.get(1)?);
    if first < 0x80 {
        return Some(2 + first);
    }
    let count = first & 0x7f;
    let octets = bytes.get(2..2 + count)?;
    let length = octets.iter().fold(0usize, |sum, octet| sum << 8 | usize::from(*octet));
    Some(2 + count + length)
}
