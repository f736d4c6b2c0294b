//! JSON checks that parsers omit: of two equal keys, most of them silently keep the last.

/// Returns the first duplicate key in an object, with the offset of its second occurrence, or `None` if there is none. The
/// text may contain several concatenated documents, and is assumed to be valid JSON.
///
/// ```
/// use tagwise_testing::json::duplicate_key;
/// assert_eq!(duplicate_key(r#"{"a":{"b":1},"c":[{"b":2},{"b":"\"b\":"}]}"#), None);
/// assert_eq!(duplicate_key(r#"{"a":1,"b":{"a":2},"a":3}"#), Some(("a".to_owned(), 19)));
/// ```
#[must_use]
pub fn duplicate_key(text: &str) -> Option<(String, usize)> {
    // The keys of each object that is open; none for a list.
    let mut open: Vec<Option<Vec<&str>>> = Vec::new();
    let bytes = text.as_bytes();
    let (mut at, mut expects_key) = (0, false);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'{' => {
                open.push(Some(Vec::new()));
                expects_key = true;
            }
            b'[' => {
                open.push(None);
                expects_key = false;
            }
            b'}' | b']' => {
                open.pop();
                expects_key = false;
            }
            b',' => expects_key = open.last().is_some_and(Option::is_some),
            b'"' => {
                let start = at + 1;
                at = start;
                while bytes.get(at).is_some_and(|byte| *byte != b'"') {
                    at += if bytes.get(at) == Some(&b'\\') { 2 } else { 1 };
                }
                if let (true, Some(Some(keys)), Some(key)) = (expects_key, open.last_mut(), text.get(start..at)) {
                    if keys.contains(&key) {
                        return Some((key.to_owned(), start - 1));
                    }
                    keys.push(key);
                    expects_key = false;
                }
            }
            _ => {}
        }
        at += 1;
    }
    None
}
