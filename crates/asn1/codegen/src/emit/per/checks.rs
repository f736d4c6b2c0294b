//! Constraints that encodings do not depend on.

use tagwise_codec::table::{Constraint, Range, SetRef, TypeRef};
use tagwise_per::number::value;
use tagwise_per::plan::{Bounds, Layout};

use super::{Form, Out, forms};

impl Out<'_> {
    /// Adds the checks of a type's constraints.
    pub(super) fn checked(&mut self, index: u32, form: Form) -> Option<Form> {
        let mut conditions: Vec<(String, bool)> = Vec::new();
        for at in self.chain(index) {
            let Some(ty) = self.ty(at) else { continue };
            for constraint in ty.constraints.iter() {
                if self.is_implied(index, constraint) {
                    continue;
                }
                let is_size = matches!(constraint, Constraint::Size { .. });
                if let Some(condition) = self.condition(index, constraint)?
                    && !conditions.iter().any(|(known, _)| *known == condition)
                {
                    conditions.push((condition, is_size));
                }
            }
        }
        Some(conditions.into_iter().fold(form, |form, (condition, is_size)| {
            let ensure = if is_size { "ensure_size" } else { "ensure" };
            Form {
                read: format!(
                    "{}.and_then(|value| {{ let v = &value; d.{ensure}({condition}).map(|()| value) }})",
                    form.read
                ),
                write: format!("{{ e.{ensure}({condition})?; {} }}", form.write),
                ty: form.ty,
            }
        }))
    }

    /// Returns whether the encoding ensures a constraint, or it refuses nothing.
    fn is_implied(&self, index: u32, constraint: &Constraint) -> bool {
        let same = |ranges: &[Range], bounds: &Bounds| match ranges {
            [range] => range.min.or(bounds.min) == bounds.min && range.max == bounds.max,
            _ => false,
        };
        match (constraint, self.layout(index)) {
            (Constraint::Value { extensible: true, .. } | Constraint::Size { extensible: true, .. }, _)
            | (Constraint::Alphabet { extensible: true, .. }, _)
            | (Constraint::Containing(_) | Constraint::EncodedBy(_) | Constraint::User(_), _)
            | (Constraint::Extensible { .. } | Constraint::Table(_), _) => true,
            (Constraint::Value { ranges, .. }, Some(Layout::Integer(bounds))) => {
                !bounds.extensible && same(ranges, bounds)
            }
            (
                Constraint::Size { ranges, .. },
                Some(Layout::BitString(sized) | Layout::OctetString(sized)),
            ) => !sized.size.extensible && same(ranges, &sized.size),
            (Constraint::Size { ranges, .. }, Some(Layout::Characters(characters))) => {
                !characters.size.extensible && same(ranges, &characters.size)
            }
            (Constraint::Size { ranges, .. }, Some(Layout::List { size, .. })) => !size.extensible && same(ranges, size),
            (Constraint::Alphabet { ranges, .. }, Some(Layout::Characters(characters))) => {
                let pair = |range: &Range| (range.min, range.max);
                let own = characters.alphabet.iter().map(|(first, last)| (Some((*first).into()), Some((*last).into())));
                ranges.iter().map(pair).eq(own)
            }
            _ => false,
        }
    }

    /// The condition that a reference `v` must meet. `None` if there is nothing to check.
    fn condition(&mut self, index: u32, constraint: &Constraint) -> Option<Option<String>> {
        let layout = self.layout(index)?;
        Some(Some(match (constraint, layout) {
            (Constraint::Value { ranges, .. }, Layout::Integer(bounds)) => match forms::native(*bounds) {
                Some(_) => format!("matches!(*v, {})", patterns(ranges, *bounds)),
                None => {
                    let ranges: Vec<String> =
                        ranges.iter().map(|range| format!("({:?}, {:?})", range.min, range.max)).collect();
                    format!("code::within(v, &[{}])", ranges.join(", "))
                }
            },
            (Constraint::Size { ranges, .. }, Layout::BitString(sized))
                if sized.contents.is_none() && !sized.named =>
            {
                format!("matches!(v.bit_len(), {})", patterns(ranges, sized.size))
            }
            (Constraint::Size { ranges, .. }, Layout::OctetString(sized)) if sized.contents.is_none() => {
                format!("matches!(v.len() as u64, {})", patterns(ranges, sized.size))
            }
            (Constraint::Size { ranges, .. }, Layout::Characters(characters)) => {
                format!("matches!(v.len() as u64, {})", patterns(ranges, characters.size))
            }
            (Constraint::Size { ranges, .. }, Layout::List { size, .. }) => {
                format!("matches!(v.len() as u64, {})", patterns(ranges, *size))
            }
            (Constraint::Size { ranges, .. }, Layout::Octets) => {
                let any = Bounds { min: Some(0), ..Bounds::default() };
                format!("matches!(v.chars().count() as u64, {})", patterns(ranges, any))
            }
            (Constraint::Alphabet { ranges, .. }, Layout::Characters(_) | Layout::Octets) => {
                let any = Bounds { min: Some(0), ..Bounds::default() };
                format!("v.chars().all(|one| matches!(u64::from(u32::from(one)), {}))", patterns(ranges, any))
            }
            (Constraint::Values(values), Layout::Enumerated(_) | Layout::Boolean | Layout::Integer(_)) => {
                let mut list = Vec::new();
                for content in values.iter() {
                    let Some(literal) = self.literal(index, content) else {
                        return self.problem("this constraint by single values");
                    };
                    list.push(literal);
                }
                format!("matches!(*v, {})", list.join(" | "))
            }
            (Constraint::Relation { set, selector }, _) => return self.relation(index, *set, selector).map(Some),
            (Constraint::AllOf(parts), _) => return self.all(index, parts, " && "),
            (Constraint::AnyOf(parts), _) => return self.all(index, parts, " || "),
            (Constraint::NoneOf(parts), _) => match self.all(index, parts, " || ")? {
                Some(any) => format!("!({any})"),
                None => "false".to_owned(),
            },
            (Constraint::Includes(TypeRef::Index(other)), _) => {
                let Some(ty) = self.ty(*other) else { return Some(None) };
                return self.all(index, &ty.constraints, " && ");
            }
            (constraint, _) if self.is_implied(index, constraint) => return Some(None),
            (Constraint::Pattern(_), _) => return self.problem("PATTERN"),
            (Constraint::WithComponents { .. } | Constraint::WithComponent(_), _) => {
                return self.problem("constraints by WITH COMPONENTS");
            }
            _ => return self.problem("a constraint of this kind"),
        }))
    }

    /// Several conditions together.
    fn all(&mut self, index: u32, parts: &[Constraint], operator: &str) -> Option<Option<String>> {
        let mut list = Vec::new();
        for part in parts {
            match self.condition(index, part)? {
                Some(condition) => list.push(format!("({condition})")),
                // Nothing to check makes any of several conditions true.
                None if operator == " || " => return Some(None),
                None => {}
            }
        }
        Some((!list.is_empty()).then(|| list.join(operator)))
    }

    /// A relation between components: the value that the selecting component determines.
    fn relation(&mut self, index: u32, set: SetRef, selector: &str) -> Option<String> {
        let set = set.get(Some(self.schema.tables()))?;
        let Some((sibling, key)) = self.siblings.iter().find(|(name, _)| **name == *selector).cloned() else {
            return self.problem("open types and constraints whose selector is not a mandatory component before them");
        };
        let mut arms = Vec::new();
        for object in set.objects.iter() {
            let TypeRef::Index(ty) = object.ty else { continue };
            let Some(pattern) = self.literal(key, &object.key) else { return self.problem("selectors of this type") };
            if let Some(ty) = self.ty(ty)
                && let Some(condition) = self.all(index, &ty.constraints, " && ")?
            {
                arms.push(format!("{pattern} => {condition}, "));
            }
        }
        Some(format!("match \u{1}{sibling}\u{2} {{ {}_ => true }}", arms.concat()))
    }
}

/// The pattern for the numbers in some ranges and within bounds.
fn patterns(ranges: &[Range], bounds: Bounds) -> String {
    let list = ranges.iter().filter_map(|range| {
        let min = range.min.into_iter().chain(bounds.min).max();
        let max = range.max.into_iter().chain(bounds.max).min();
        match (min, max) {
            (Some(min), Some(max)) if min > max => None,
            (Some(min), Some(max)) if min == max => Some(format!("{min}")),
            (Some(min), Some(max)) => Some(format!("{min}..={max}")),
            (Some(min), None) => Some(format!("{min}..")),
            (None, Some(max)) => Some(format!("..={max}")),
            (None, None) => Some("_".to_owned()),
        }
    });
    let list: Vec<String> = list.collect();
    // No number is within empty ranges.
    if list.is_empty() { "_ if false".to_owned() } else { list.join(" | ") }
}

/// The number that INTEGER content has.
pub(super) fn number(content: &[u8]) -> Option<i128> {
    value(content)
}
