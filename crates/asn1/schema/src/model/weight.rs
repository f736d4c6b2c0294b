//! The approximate memory size of model parts, which is charged to the allowance when they are copied.

use crate::Int;
use crate::model::{
    Bounds, Components, Condition, Constraints, Field, Inner, IntRange, Presence, Setting, SettingValue, Shape, Value,
};

/// The overhead of an allocation, in bytes.
const BLOCK: u64 = 16;

const fn size_of<T>() -> u64 {
    std::mem::size_of::<T>() as u64
}

fn text(text: &str) -> u64 {
    BLOCK + text.len() as u64
}

impl Int {
    /// Returns the heap memory used by the integer, in bytes.
    pub(crate) fn heap(&self) -> u64 {
        if self.is_zero() { 0 } else { BLOCK + self.width() }
    }
}

fn ints(list: &[Int]) -> u64 {
    list.iter().map(|int| size_of::<Int>() + int.heap()).sum()
}

impl Value {
    /// Returns the memory used by a value, excluding nested values, in bytes.
    pub(crate) fn own_bytes(&self) -> u64 {
        size_of::<Self>()
            + match self {
                Self::Integer(int) => int.heap(),
                Self::Enumerated(item) => text(&item.name) + item.number.heap(),
                Self::Real(_) => 2 * BLOCK,
                Self::BitString(bits) => BLOCK + bits.octets.len() as u64,
                Self::OctetString(octets) => BLOCK + octets.len() as u64,
                Self::ObjectIdentifier(arcs) | Self::RelativeOid(arcs) => BLOCK + ints(arcs),
                Self::Iri(one) | Self::String(one) | Self::Time(one) => text(one),
                Self::Sequence(parts) => {
                    BLOCK + parts.iter().map(|(name, _)| size_of::<String>() + text(name)).sum::<u64>()
                }
                Self::Choice(name, _) => BLOCK + text(name),
                Self::SequenceOf(_) | Self::Open(..) | Self::Containing(..) => BLOCK,
                Self::Boolean(_) | Self::Null => 0,
            }
    }

    /// Returns the memory used by a value, in bytes, and the depth of values nested in it. The depth is at most twice that allowed
    /// for the text from which the value was computed.
    pub(crate) fn measure(&self) -> (u64, u32) {
        let own = (self.own_bytes(), 1_u32);
        let add = |(bytes, depth): (u64, u32), part: &Self| {
            let (more, below) = part.measure();
            (bytes.saturating_add(more), depth.max(below + 1))
        };
        match self {
            Self::Sequence(parts) => parts.iter().map(|(_, part)| part).fold(own, add),
            Self::SequenceOf(parts) => parts.iter().fold(own, add),
            Self::Choice(_, inner) | Self::Open(_, inner) | Self::Containing(_, inner) => add(own, inner),
            _ => own,
        }
    }

    /// Returns the memory used by a value, in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        self.measure().0
    }
}

impl SettingValue {
    /// Returns the memory used by a value, in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        match self {
            Self::Value(value) => value.bytes(),
            _ => size_of::<Self>(),
        }
    }
}

impl Setting {
    /// Returns the memory used by a setting, in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        size_of::<Self>() + text(&self.field) + self.value.bytes()
    }
}

impl Field {
    /// Returns the memory used by a component, excluding its type, in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        let default = match &self.presence {
            Presence::Default(default) => default.value.bytes(),
            _ => 0,
        };
        size_of::<Self>() + text(&self.name) + default
    }
}

/// Returns the memory used by a list of ranges, in bytes.
pub(crate) fn ranges(list: &[IntRange]) -> u64 {
    let end = |end: &Option<Int>| end.as_ref().map_or(0, Int::heap);
    list.iter().map(|range| size_of::<IntRange>() + end(&range.min) + end(&range.max)).sum()
}

fn bounds(bounds: &Bounds) -> u64 {
    ranges(&bounds.ranges) + ranges(&bounds.additions)
}

/// Returns the memory used by a list of values, in bytes.
pub(crate) fn values(list: &[Value]) -> u64 {
    list.iter().map(Value::bytes).sum()
}

/// Returns the memory used by WITH COMPONENTS constraints, in bytes.
pub(crate) fn components(list: &[Components]) -> u64 {
    let inner = |all: &Components| -> u64 {
        all.list.iter().map(|one| size_of::<usize>() + text(&one.name) + one.inner.constraints.bytes()).sum()
    };
    list.iter().map(|all| size_of::<Components>() + inner(all)).sum()
}

/// Returns the memory used by an inner constraint, in bytes.
pub(crate) fn inner(inner: &Inner) -> u64 {
    BLOCK + inner.constraints.bytes()
}

/// The memory used by conditions, in bytes.
// Recursion follows conditions, whose depth is bounded where they are made.
pub(crate) fn conditions(list: &[Condition]) -> u64 {
    let each = list.iter().map(|condition| match condition {
        Condition::Any(parts) => parts.iter().map(Constraints::bytes).sum(),
        Condition::Not(part) => part.bytes(),
        Condition::Between { .. } => 8 * BLOCK,
    });
    each.map(|bytes: u64| size_of::<Condition>() + bytes).sum()
}

impl Constraints {
    /// The memory used by constraints, in bytes.
    // Recursion follows what constraints nest in the text.
    pub(crate) fn bytes(&self) -> u64 {
        let alphabet = self.alphabet.as_ref().map_or(0, |alphabet| 8 * alphabet.ranges.len() as u64);
        let patterns: u64 = self.patterns.iter().map(|pattern| 48 + text(&pattern.text)).sum();
        let user: u64 = self.user.iter().map(|user| 48 + text(&user.text)).sum();
        let settings: u64 = self.settings.iter().map(|one| 24 + text(one)).sum();
        size_of::<Self>()
            + self.value.as_ref().map_or(0, bounds)
            + self.size.as_ref().map_or(0, bounds)
            + alphabet
            + self.values.as_deref().map_or(0, values)
            + patterns
            + user
            + settings
            + components(&self.components)
            + self.item.as_deref().map_or(0, inner)
            + conditions(&self.further)
            + 12 * self.spans.len() as u64
    }
}

impl Shape {
    /// Returns the heap memory used by a shape, in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        match self {
            Self::Integer(names) | Self::BitString(names) => {
                names.iter().map(|one| 64 + text(&one.name) + one.number.heap()).sum()
            }
            Self::Enumerated(list) => list.items.iter().map(|one| 64 + text(&one.name) + one.number.heap()).sum(),
            Self::Sequence(fields) | Self::Set(fields) | Self::Choice(fields) | Self::InstanceOf { fields, .. } => {
                fields.list.iter().map(Field::bytes).sum()
            }
            _ => 64,
        }
    }
}
