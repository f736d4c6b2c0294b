//! Names that resemble each other, for what is misspelt.

/// The name that most resembles another one, if one does: for `did you mean`.
///
/// ```
/// let known = ["Certificate", "Certificates", "Name"];
/// assert_eq!(tagwise_schema::nearest("Certifcate", known), Some("Certificate"));
/// assert_eq!(tagwise_schema::nearest("Extension", known), None);
/// ```
#[must_use]
pub fn nearest<'n>(name: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let limit = if name.len() > 5 { 2 } else { 1 };
    names
        .into_iter()
        .filter(|candidate| candidate.len().abs_diff(name.len()) <= limit && *candidate != name)
        .map(|candidate| (distance(name, candidate, limit), candidate))
        .filter(|(far, _)| *far <= limit)
        .min_by(|(a, x), (b, y)| (a, x).cmp(&(b, y)))
        .map(|(_, candidate)| candidate)
}

/// The number of letters to change, add, drop or swap, counted no further than a limit.
fn distance(a: &str, b: &str, limit: usize) -> usize {
    if a.len() > 64 || b.len() > 64 {
        return limit + 1;
    }
    if a.eq_ignore_ascii_case(b) {
        return 1;
    }
    let b: Vec<u8> = b.bytes().collect();
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    let mut last_a = 0;
    for (i, x) in a.bytes().enumerate() {
        let mut next = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let at = |list: &[usize], index: usize| list.get(index).copied().unwrap_or(usize::MAX / 2);
            let mut cost = (at(&row, j) + usize::from(x != *y)).min(at(&row, j + 1) + 1).min(at(&next, j) + 1);
            if i > 0 && j > 0 && last_a == *y && b.get(j - 1) == Some(&x) {
                cost = cost.min(at(&before, j - 1) + 1);
            }
            next.push(cost);
        }
        last_a = x;
        before = std::mem::replace(&mut row, next);
    }
    row.last().copied().unwrap_or(limit + 1)
}
