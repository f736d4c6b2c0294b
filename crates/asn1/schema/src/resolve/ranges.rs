//! Sets of integers as ranges: ascending, disjoint, not adjacent.

use crate::Int;
use crate::model::IntRange;

/// Returns all integers.
pub(crate) fn all() -> Vec<IntRange> {
    vec![IntRange { min: None, max: None }]
}

/// Returns a single integer.
pub(crate) fn one(int: Int) -> IntRange {
    IntRange { min: Some(int.clone()), max: Some(int) }
}

/// Sorts and merges ranges.
pub(crate) fn normal(mut ranges: Vec<IntRange>) -> Vec<IntRange> {
    ranges.retain(|range| match (&range.min, &range.max) {
        (Some(min), Some(max)) => min <= max,
        _ => true,
    });
    // No limit below comes first.
    ranges.sort_by(|a, b| a.min.cmp(&b.min));
    let mut joined: Vec<IntRange> = Vec::new();
    for range in ranges {
        match joined.last_mut() {
            Some(last) if touches(last, &range) => {
                if let (Some(end), Some(new)) = (&last.max, &range.max) {
                    if new > end {
                        last.max = range.max;
                    }
                } else {
                    last.max = None;
                }
            }
            _ => joined.push(range),
        }
    }
    joined
}

/// Returns whether `next`, which does not begin before `last`, overlaps or directly follows it.
fn touches(last: &IntRange, next: &IntRange) -> bool {
    match (&last.max, &next.min) {
        (Some(end), Some(begin)) => *begin <= end.next(),
        _ => true,
    }
}

/// Returns whether an integer is in a set.
pub(crate) fn contain(ranges: &[IntRange], number: &Int) -> bool {
    let behind = ranges.partition_point(|range| range.max.as_ref().is_some_and(|max| max < number));
    ranges.get(behind).is_some_and(|range| range.contains(number))
}

/// Returns the intersection of two sets.
pub(crate) fn meet(a: &[IntRange], b: &[IntRange]) -> Vec<IntRange> {
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    let mut both = Vec::new();
    while let (Some(x), Some(y)) = (a.peek(), b.peek()) {
        let min = match (&x.min, &y.min) {
            (Some(x), Some(y)) => Some(x.max(y).clone()),
            (x, y) => x.clone().or_else(|| y.clone()),
        };
        let x_ends_first = match (&x.max, &y.max) {
            (Some(x), Some(y)) => x <= y,
            (Some(_), None) => true,
            (None, _) => false,
        };
        let max = if x_ends_first { x.max.clone() } else { y.max.clone() };
        both.push(IntRange { min, max });
        if x_ends_first {
            a.next()
        } else {
            b.next()
        };
    }
    normal(both)
}

/// Returns the complement of a set.
pub(crate) fn complement(ranges: &[IntRange]) -> Vec<IntRange> {
    let mut rest = Vec::new();
    let mut begin: Option<Int> = None;
    let mut is_first = true;
    for range in ranges {
        if let Some(min) = &range.min {
            rest.push(IntRange { min: begin.clone(), max: Some(min.previous()) });
        } else if !is_first {
            return normal(rest);
        }
        is_first = false;
        match &range.max {
            Some(max) => begin = Some(max.next()),
            None => return normal(rest),
        }
    }
    rest.push(IntRange { min: begin, max: None });
    normal(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranges(of: &[(i64, i64)]) -> Vec<IntRange> {
        of.iter().map(|(min, max)| IntRange { min: Some((*min).into()), max: Some((*max).into()) }).collect()
    }

    #[test]
    fn arithmetic() {
        let a = normal(ranges(&[(5, 9), (1, 3), (4, 4), (20, 30), (8, 2)]));
        assert_eq!(a, ranges(&[(1, 9), (20, 30)]));
        assert_eq!(meet(&a, &ranges(&[(3, 21), (25, 26)])), ranges(&[(3, 9), (20, 21), (25, 26)]));
        assert_eq!(
            [0, 1, 9, 10, 20, 31].map(|number: i64| contain(&a, &number.into())),
            [false, true, true, false, true, false]
        );
        assert!(contain(&all(), &5.into()) && !contain(&[], &5.into()));
        assert_eq!(meet(&a, &all()), a);
        assert_eq!(meet(&a, &complement(&a)), []);
        assert_eq!(normal([complement(&a), a.clone()].concat()), all());
        assert_eq!(complement(&all()), []);
        assert_eq!(complement(&[]), all());
        assert_eq!(complement(&complement(&a)), a);
    }
}
