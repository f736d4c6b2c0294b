//! Similar names, for suggestions.

/// Returns the name most similar to `name`, if any, for `did you mean` suggestions.
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

/// Returns the number of letters to change, insert, delete or swap. Stops counting at the limit.
fn distance(a: &str, b: &str, limit: usize) -> usize {
    if a.len() > 64 || b.len() > 64 {
        return limit + 1;
    }
    if a.eq_ignore_ascii_case(b) {
        return 1;
    }
    strsim::osa_distance(a, b)
}
