//! The constraints that random values can easily satisfy.

use tagwise_codec::table::{ComponentConstraint, Constraint, List, Range, Schema, Shape, StringKind, TypeRef};
use tagwise_codec::{Int, Reader};

use super::Dice;

/// The constraints of one value that must hold together, without set arithmetic.
#[derive(Debug, Default)]
pub(super) struct Obeyed {
    pub(super) list: Vec<&'static Constraint>,
    /// The additional type that a component contains.
    pub(super) containing: Option<TypeRef>,
}

/// Returns the encoding rules for a string's content.
pub(super) fn encoded_by(constraints: &'static [Constraint]) -> Option<&'static [u8]> {
    constraints.iter().find_map(|constraint| match constraint {
        Constraint::EncodedBy(oid) => Some(&**oid),
        _ => None,
    })
}

impl Obeyed {
    /// Adds constraints to a list: one alternative of each union, and nothing for exceptions.
    pub(super) fn flatten(
        constraints: &'static [Constraint],
        schema: Option<&'static Schema>,
        dice: &mut Dice,
        into: &mut Vec<&'static Constraint>,
    ) {
        for constraint in constraints {
            match constraint {
                Constraint::AllOf(list) => Self::flatten(list, schema, dice, into),
                Constraint::AnyOf(list) if !list.is_empty() => {
                    let one = dice.below(list.len());
                    Self::flatten(&list[one..=one], schema, dice, into);
                }
                Constraint::Includes(ty) => {
                    let mut next = ty.get(schema);
                    for _ in 0..8 {
                        let Some(ty) = next else { break };
                        Self::flatten(&ty.constraints, schema, dice, into);
                        next = match &ty.shape {
                            Shape::Named(inner) | Shape::Tagged { inner, .. } => inner.get(schema),
                            _ => None,
                        };
                    }
                }
                Constraint::AnyOf(_) | Constraint::NoneOf(_) | Constraint::Extensible { .. } => {}
                one => into.push(one),
            }
        }
    }

    fn ranges(&self, of: impl Fn(&'static Constraint) -> Option<&'static [Range]>) -> Option<&'static [Range]> {
        self.list.iter().rev().find_map(|constraint| of(constraint)).filter(|ranges| !ranges.is_empty())
    }

    /// Chooses a length.
    pub(super) fn len(&self, dice: &mut Dice) -> Option<usize> {
        let ranges = self.ranges(|constraint| match constraint {
            Constraint::Size { ranges, .. } => Some(ranges),
            _ => None,
        })?;
        Some(number(dice, ranges, 0, 40) as usize)
    }

    fn lines(&self) -> impl Iterator<Item = (&'static [ComponentConstraint], bool)> {
        self.list.iter().filter_map(|constraint| match constraint {
            Constraint::WithComponents { components, partial } => Some((&**components, *partial)),
            _ => None,
        })
    }

    /// Returns whether a component must be present or absent, or `None` if no constraint requires either.
    pub(super) fn present(&self, name: &str) -> Option<bool> {
        self.lines().find_map(|(lines, partial)| match lines.iter().find(|line| *line.name == *name) {
            Some(line) => line.present,
            None if !partial => Some(false),
            None => None,
        })
    }

    /// Returns whether an alternative may be chosen.
    pub(super) fn may(&self, name: &str) -> bool {
        let others =
            |lines: &[ComponentConstraint]| lines.iter().any(|line| line.present == Some(true) && *line.name != *name);
        self.present(name) != Some(false) && !self.lines().any(|(lines, _)| others(lines))
    }

    /// Returns the constraints on a component's value.
    pub(super) fn line(&self, name: &str) -> Option<&'static [Constraint]> {
        self.lines().find_map(|(lines, _)| Some(&*lines.iter().find(|line| *line.name == *name)?.constraints))
    }

    /// Returns the constraints on the elements of a list.
    pub(super) fn item(&self) -> &'static [Constraint] {
        let one = self.list.iter().find_map(|constraint| match constraint {
            Constraint::WithComponent(constraints) => Some(&**constraints),
            _ => None,
        });
        one.unwrap_or_default()
    }

    /// Returns the type of the encoding that a string contains, and its encoding rules, if they are supported here.
    pub(super) fn encoded(&self) -> Option<(&'static [u8], TypeRef)> {
        let rules = self.list.iter().find_map(|constraint| match constraint {
            Constraint::EncodedBy(oid) => Some(&**oid),
            _ => None,
        })?;
        let inside = self.list.iter().find_map(|constraint| match constraint {
            Constraint::Containing(ty) => Some(*ty),
            _ => None,
        });
        let ty = inside.or(self.containing)?;
        matches!(rules, [0x51, 1] | [0x51, 2, 0 | 1]).then_some((rules, ty))
    }

    /// Generates the content of a primitive value.
    pub(super) fn content(&self, shape: &Shape, dice: &mut Dice) -> Option<Vec<u8>> {
        let single = self.list.iter().find_map(|constraint| match constraint {
            Constraint::Values(values) if !values.is_empty() => Some(&**values),
            _ => None,
        });
        if let Some(values) = single {
            let mut reader = Reader::new(dice.pick::<List<u8>>(values)).ok()?;
            let (_, len) = reader.header().ok()?;
            return reader.take(len).ok().map(<[u8]>::to_vec);
        }
        match shape {
            Shape::Integer(_) => {
                let ranges = self.ranges(|constraint| match constraint {
                    Constraint::Value { ranges, .. } => Some(ranges),
                    _ => None,
                })?;
                let number = number(dice, ranges, i128::from(i64::MIN), i128::from(i64::MAX));
                Some(Int::from_signed(&number.to_be_bytes()).as_bytes().to_vec())
            }
            Shape::OctetString => {
                let len = self.len(dice)?;
                Some(dice.octets(len))
            }
            Shape::BitString(names) if names.is_empty() => {
                let bits = self.len(dice)?;
                let unused = (8 - bits % 8) % 8;
                let mut content = vec![unused as u8];
                content.extend(dice.octets(bits.div_ceil(8)));
                if let ([_, .., last], true) = (content.as_mut_slice(), bits > 0) {
                    *last &= 0xFF << unused;
                }
                Some(content)
            }
            Shape::String(kind) => self.text(*kind, dice),
            _ => None,
        }
    }

    fn text(&self, kind: StringKind, dice: &mut Dice) -> Option<Vec<u8>> {
        let alphabet = self.ranges(|constraint| match constraint {
            Constraint::Alphabet { ranges, .. } => Some(ranges),
            _ => None,
        });
        let len = match (self.len(dice), alphabet) {
            (Some(len), _) => len,
            (None, Some(_)) => dice.below(5),
            (None, None) => return None,
        };
        const DIGITS: &[Range] = &[Range { min: Some(48), max: Some(57) }];
        let alphabet = alphabet.unwrap_or(DIGITS);
        let points: Vec<u32> = (0..len).map(|_| number(dice, alphabet, 0, 0xFFFF) as u32).collect();
        Some(match kind {
            StringKind::Utf8 => points.into_iter().filter_map(char::from_u32).collect::<String>().into_bytes(),
            StringKind::Universal => points.into_iter().flat_map(u32::to_be_bytes).collect(),
            StringKind::Bmp => points.into_iter().flat_map(|point| (point as u16).to_be_bytes()).collect(),
            _ => points.into_iter().map(|point| point as u8).collect(),
        })
    }
}

/// A number in one of some ranges, mostly near one of its ends.
fn number(dice: &mut Dice, ranges: &[Range], least: i128, most: i128) -> i128 {
    let range = dice.pick(ranges);
    let min = range.min.unwrap_or(least);
    let max = range.max.unwrap_or(most).max(min);
    let width = u128::try_from(max.saturating_sub(min)).unwrap_or(0);
    let step = match dice.below(4) {
        0 => 0,
        1 => width,
        2 => width.min(3),
        _ => u128::from(dice.roll()) % width.saturating_add(1).max(1),
    };
    min.saturating_add(i128::try_from(step).unwrap_or(i128::MAX)).min(max.min(most.max(min)))
}
