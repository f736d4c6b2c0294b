//! Constraints that encodings do not depend on.

use tagwise_codec::table::{ComponentConstraint, Constraint, Presence, Range, SetRef, TypeRef};
use tagwise_per::number::value;
use tagwise_per::plan::{Addition, Bounds, Layout};

use super::items::field_ident;
use super::{Form, Out, forms};
use crate::names::Words;

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
                    "{{ let start = d.position(); {}.and_then(|value| {{ let v = &value; d.{ensure}(start, {condition}).map(|()| value) }}) }}",
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
                // An upper bound alone does not change the encoding.
                !bounds.extensible && bounds.min.is_some() && same(ranges, bounds)
            }
            (Constraint::Size { ranges, .. }, Some(Layout::BitString(sized) | Layout::OctetString(sized))) => {
                !sized.size.extensible && same(ranges, &sized.size)
            }
            (Constraint::Size { ranges, .. }, Some(Layout::Characters(characters))) => {
                !characters.size.extensible && same(ranges, &characters.size)
            }
            (Constraint::Size { ranges, .. }, Some(Layout::List { size, .. })) => {
                !size.extensible && same(ranges, size)
            }
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
            (Constraint::Size { ranges, .. }, Layout::BitString(sized)) if sized.contents.is_none() && !sized.named => {
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
                for element in values.iter() {
                    // An identifier and a short length precede the content.
                    let content = element.get(2..).unwrap_or_default();
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
            (Constraint::Size { .. }, Layout::BitString(sized) | Layout::OctetString(sized))
                if sized.contents.is_some() =>
            {
                return self.problem("SIZE with gaps for a string with CONTAINING");
            }
            (Constraint::Pattern(_), _) => return self.problem("PATTERN"),
            (Constraint::WithComponents { components, partial }, Layout::Structure(_)) => {
                return self.structure_condition(index, components, *partial);
            }
            (Constraint::WithComponents { components, partial }, Layout::Choice(_)) => {
                return self.choice_condition(index, components, *partial);
            }
            (Constraint::WithComponent(parts), Layout::List { item, .. }) => {
                let item = *item;
                return Some(self.all(item, parts, " && ")?.map(|one| format!("v.iter().all(|v| {one})")));
            }
            _ => return self.problem("a constraint of this kind"),
        }))
    }

    /// The condition of WITH COMPONENTS for a SEQUENCE or SET.
    fn structure_condition(
        &mut self,
        index: u32,
        lines: &[ComponentConstraint],
        partial: bool,
    ) -> Option<Option<String>> {
        let base = self.base(index)?;
        let Some(Layout::Structure(structure)) = self.layout(base) else { return None };
        let groups = structure.additions.iter().filter_map(|addition| match addition {
            Addition::Group(list) => Some(list),
            Addition::One(_) => None,
        });
        let grouped: Vec<u32> = groups.flatten().copied().collect();
        let mut list = Vec::new();
        for (place, (field, inner)) in self.fields(base).iter().zip(&structure.fields).enumerate() {
            let place = place as u32;
            let line = lines.iter().find(|line| *line.name == *field.name);
            if grouped.contains(&place) || matches!(field.presence, Presence::Default(_)) && line.is_some() {
                return self.problem("WITH COMPONENTS for components in groups or with DEFAULT");
            }
            let name = field_ident(&field.name);
            let is_optional = !matches!(field.presence, Presence::Required) || !structure.root.contains(&place);
            let is_boxed = self.part(base, *inner, is_optional)?.ty.starts_with("Box<");
            let Some(line) = line else {
                if !partial && !matches!(field.presence, Presence::Required) {
                    return self.problem("WITH COMPONENTS without \"...\"");
                }
                continue;
            };
            match (line.present, is_optional) {
                (Some(true), true) => list.push(format!("v.{name}.is_some()")),
                (Some(false), true) => list.push(format!("v.{name}.is_none()")),
                (Some(false), false) => list.push("false".to_owned()),
                _ => {}
            }
            if let Some(condition) = self.all(*inner, &line.constraints, " && ")? {
                let unboxed = if is_boxed { "let v = &**v; " } else { "" };
                list.push(match is_optional {
                    true => format!("v.{name}.as_ref().is_none_or(|v| {{ {unboxed}{condition} }})"),
                    false => format!("{{ let v = &v.{name}; {unboxed}{condition} }}"),
                });
            }
        }
        Some((!list.is_empty()).then(|| format!("({})", list.join(" && "))))
    }

    /// The condition of WITH COMPONENTS for a CHOICE.
    fn choice_condition(&mut self, index: u32, lines: &[ComponentConstraint], partial: bool) -> Option<Option<String>> {
        let base = self.base(index)?;
        let Some(Layout::Choice(choice)) = self.layout(base) else { return None };
        let ty = self.items.get(&base)?.clone();
        let mut arms = String::new();
        for (field, inner) in self.fields(base).iter().zip(&choice.fields) {
            let line = lines.iter().find(|line| *line.name == *field.name);
            let others = lines.iter().all(|line| *line.name == *field.name || line.present != Some(true));
            let allowed = line.map_or(partial, |line| line.present != Some(false));
            let is_boxed = self.part(base, *inner, true)?.ty.starts_with("Box<");
            let unboxed = if is_boxed { "let v = &**v; " } else { "" };
            let variant = Words::of(&field.name).upper_camel();
            let condition = match line {
                _ if !others || !allowed => Some("false".to_owned()),
                Some(line) => self.all(*inner, &line.constraints, " && ")?,
                None => None,
            };
            arms.push_str(&match condition.as_deref() {
                Some("false") => format!("{ty}::{variant}(_) => false, "),
                Some(condition) => format!("{ty}::{variant}(v) => {{ {unboxed}{condition} }} "),
                None => format!("{ty}::{variant}(_) => true, "),
            });
        }
        if choice.extensible {
            let unknown = partial && lines.iter().all(|line| line.present != Some(true));
            arms.push_str(&format!("_ => {unknown}"));
        }
        Some(Some(format!("match v {{ {arms} }}")))
    }

    /// Several conditions together.
    fn all(&mut self, index: u32, parts: &[Constraint], operator: &str) -> Option<Option<String>> {
        let mut list = Vec::new();
        for part in parts {
            match self.condition(index, part)? {
                Some(condition) => list.push(condition),
                // Nothing to check makes any of several conditions true.
                None if operator == " || " => return Some(None),
                None => {}
            }
        }
        Some(match list.as_slice() {
            [] => None,
            [one] => Some(one.clone()),
            several => Some(format!("({})", several.join(operator))),
        })
    }

    /// A relation between components: the value that the selecting component determines.
    fn relation(&mut self, index: u32, set: SetRef, selector: &str) -> Option<String> {
        let set = set.get(Some(self.schema.tables()))?;
        let Some((sibling, key)) = self.sibling(selector) else {
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
