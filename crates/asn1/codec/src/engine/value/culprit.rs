//! The part of a value that violates a constraint on its components (X.680 §51.8).

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::constraint::looked_at;
use super::judge::{Judge, Verdict};
use super::{Data, Value};
use crate::encode::EncodeError;
use crate::table::{ComponentConstraint, Constraint, Field, Presence};

/// A step of the path to the part.
enum Step<'v> {
    Component(&'v Field),
    Item(usize),
}

/// The innermost part that violates a constraint.
pub(super) struct Culprit<'c, 'v, 'a> {
    steps: Vec<Step<'v>>,
    pub(super) value: &'v Value<'a>,
    pub(super) constraint: &'c Constraint,
    /// The component that must be present or absent, if that is the violation.
    presence: Option<(&'v Field, bool)>,
}

impl Culprit<'_, '_, '_> {
    /// Returns whether the part violates a constraint of WITH COMPONENTS or WITH COMPONENT.
    pub(super) fn is_inner(&self) -> bool {
        !self.steps.is_empty() || self.presence.is_some()
    }

    /// Describes a component that must be present or absent.
    pub(super) fn presence(&self) -> Option<String> {
        let (field, must) = self.presence?;
        Some(format!("{} must be {}", &*field.name, if must { "present" } else { "absent" }))
    }

    /// Adds the path of the part to an error.
    pub(super) fn locate(&self, error: EncodeError) -> EncodeError {
        self.steps.iter().rev().fold(error, |error, step| match step {
            Step::Component(field) => error.inside_field(field),
            Step::Item(number) => error.inside_item(*number),
        })
    }
}

impl<'a> Judge<'_, 'a> {
    /// Finds the innermost part that violates a constraint, which the value violates.
    pub(super) fn culprit<'c, 'v>(self, constraint: &'c Constraint, value: &'v Value<'a>) -> Culprit<'c, 'v, 'a> {
        let mut found = Culprit { steps: Vec::new(), value, constraint, presence: None };
        // Each round enters a constraint that is part of the last one.
        while let Some(constraint) = self.inner(&mut found) {
            found.constraint = constraint;
        }
        found
    }

    /// Returns the violated part of a constraint, and enters the part of the value that it applies to.
    fn inner<'c, 'v>(self, at: &mut Culprit<'c, 'v, 'a>) -> Option<&'c Constraint> {
        let broken = |constraints: &'c [Constraint], value: &'v Value<'a>| {
            constraints.iter().find(|one| matches!(self.part(value).verdict(one, value), Verdict::Broken(_)))
        };
        match at.constraint {
            Constraint::AllOf(parts) => broken(parts, at.value),
            Constraint::WithComponent(parts) => {
                let Data::Items(items) = &looked_at(at.value).data else { return None };
                let (number, item, one) = items
                    .iter()
                    .enumerate()
                    .find_map(|(number, item)| broken(parts, item).map(|one| (number, item, one)))?;
                at.steps.push(Step::Item(number));
                at.value = item;
                Some(one)
            }
            Constraint::WithComponents { components: lines, partial } => {
                let (field, value) = match &looked_at(at.value).data {
                    Data::Components(components) => {
                        components.iter().find(|(field, part)| self.is_culprit(lines, *partial, field, *part))?
                    }
                    Data::Alternative(chosen) => (chosen.field, Some(&*chosen.value)),
                    _ => return None,
                };
                let line = lines.iter().find(|line| *line.name == *field.name);
                match (value, line) {
                    (Some(value), Some(line)) if line.present != Some(false) => {
                        let one = broken(&line.constraints, value)?;
                        at.steps.push(Step::Component(field));
                        at.value = value;
                        return Some(one);
                    }
                    (Some(_), _) if line.is_some() || !*partial => at.presence = Some((field, false)),
                    (None, _) => at.presence = Some((field, true)),
                    _ => {}
                }
                None
            }
            _ => None,
        }
    }

    /// Returns whether a component of a SEQUENCE or SET violates its line, other than by a DEFAULT value.
    fn is_culprit(
        self,
        lines: &[ComponentConstraint],
        partial: bool,
        field: &Field,
        value: Option<&Value<'_>>,
    ) -> bool {
        let is_broken = |one: &Constraint, value| matches!(self.part(value).verdict(one, value), Verdict::Broken(_));
        match (lines.iter().find(|line| *line.name == *field.name), value) {
            (Some(line), Some(value)) => {
                line.present == Some(false) || line.constraints.iter().any(|one| is_broken(one, value))
            }
            (Some(line), None) => line.present == Some(true) && !matches!(field.presence, Presence::Default(_)),
            (None, value) => !partial && value.is_some() && !matches!(field.presence, Presence::Required),
        }
    }
}
