//! Resolves tags: which are EXPLICIT (X.680 §31.2.7), and the possible first tags of encodings.

use crate::diagnostic::Clause;
use crate::model::{Outer, Shape, StringKind, Tag, TagClass, TimeKind, TypeId};
use crate::resolve::{Resolver, State};

/// A step of the walk. A type is entered, and finished after its dependencies.
enum Step {
    Enter(TypeId),
    Leave(TypeId),
}

impl Resolver<'_> {
    /// Determines all tags.
    pub(crate) fn settle_tags(&mut self) {
        let count = self.model.types.len() as u32;
        for id in (0..count).map(TypeId) {
            self.settle_explicit(id);
        }
        for id in (0..count).map(TypeId) {
            self.settle_outer(id);
        }
    }

    /// Determines which tags are EXPLICIT. The innermost tag on a type without a tag of its own is explicit, and IMPLICIT is an
    /// error there.
    fn settle_explicit(&mut self, id: TypeId) {
        let Some(info) = self.info(id) else { return };
        let Some(word) = info.words.last().copied() else { return };
        if word == Some(true) || !self.is_untagged(id) {
            return;
        }
        let span = self.span_of_type(id);
        if let Some(tagging) = self.type_mut(id).and_then(|ty| ty.tags.last_mut()) {
            tagging.explicit = true;
        }
        if word == Some(false) {
            let message = "a CHOICE, an open type or a parameter has no tag that IMPLICIT could replace".to_owned();
            self.error(span, "tag", message, Clause::x680("31.2.9"));
        }
    }

    /// Returns whether the type inside the tags has no tag of its own: a CHOICE, an open type or a parameter.
    fn is_untagged(&self, id: TypeId) -> bool {
        let mut at = id;
        for step in 0..=self.model.types.len() {
            let (Some(ty), Some(info)) = (self.model.ty(at), self.info(at)) else { return false };
            if step > 0 && !ty.tags.is_empty() {
                return false;
            }
            if info.is_dummy {
                return true;
            }
            match &ty.shape {
                Shape::Reference(target) | Shape::FixedField { ty: target, .. } => at = *target,
                Shape::Choice(_) | Shape::Open(_) => return true,
                _ => return false,
            }
        }
        false
    }

    fn settle_outer(&mut self, id: TypeId) {
        let mut steps = vec![Step::Enter(id)];
        while let Some(step) = steps.pop() {
            match step {
                Step::Enter(id) => {
                    let Some(info) = self.info_mut(id) else { continue };
                    match info.outer_state {
                        State::Done | State::Failed => continue,
                        State::Busy => {
                            info.outer_state = State::Failed;
                            let span = self.span_of_type(id);
                            // Types that are nothing but names of each other were refused before.
                            if self.info(id).is_some_and(|info| info.state == State::Done) {
                                let message = "this CHOICE contains itself without an intervening tag".to_owned();
                                self.error(span, "circular", message, Clause::x680("29.3"));
                            }
                            continue;
                        }
                        State::Pending => info.outer_state = State::Busy,
                    }
                    steps.push(Step::Leave(id));
                    let Some(ty) = self.model.ty(id) else { continue };
                    if !ty.tags.is_empty() {
                        continue;
                    }
                    match &ty.shape {
                        Shape::Reference(target) | Shape::FixedField { ty: target, .. } => {
                            steps.push(Step::Enter(*target));
                        }
                        Shape::Choice(fields) => {
                            steps.extend(fields.list.iter().map(|field| Step::Enter(field.ty)));
                        }
                        _ => {}
                    }
                }
                Step::Leave(id) => {
                    // CHOICEs in CHOICEs gather the tags of all.
                    let (bytes, span) = (2 * size_of::<Tag>() * self.count_tags(id), self.span_of_type(id));
                    if self.spend(span, bytes as u64).is_err() {
                        return;
                    }
                    let (outer, is_vague) = (self.outer_of(id), self.is_vague(id));
                    if let Some(ty) = self.type_mut(id) {
                        ty.outer = outer;
                    }
                    if let Some(info) = self.info_mut(id) {
                        (info.outer_state, info.is_vague) = (State::Done, is_vague);
                    }
                }
            }
        }
    }

    /// Returns whether a type's possible first tags are unknown because of an error that was already reported. Requires the
    /// tags of its parts.
    fn is_vague(&self, id: TypeId) -> bool {
        let (Some(ty), Some(info)) = (self.model.ty(id), self.info(id)) else { return true };
        let of = |id: TypeId| self.info(id).is_none_or(|info| info.is_vague);
        if !ty.tags.is_empty() {
            return false;
        }
        info.state != State::Done
            || match &ty.shape {
                Shape::Reference(target) | Shape::FixedField { ty: target, .. } => of(*target),
                Shape::Choice(fields) => fields.list.iter().any(|field| of(field.ty)),
                _ => false,
            }
    }

    /// Returns the number of tags to collect for a type.
    fn count_tags(&self, id: TypeId) -> usize {
        let count = |id: &TypeId| match self.model.ty(*id).map(|ty| &ty.outer) {
            Some(Outer::Choice { tags, .. }) => tags.len(),
            _ => 1,
        };
        match self.model.ty(id).map(|ty| &ty.shape) {
            Some(Shape::Reference(target) | Shape::FixedField { ty: target, .. }) => count(target),
            Some(shape) => self.count_tags_in(shape),
            _ => 0,
        }
    }

    /// Returns the number of possible first tags of a type's components.
    pub(crate) fn count_tags_in(&self, shape: &Shape) -> usize {
        let count = |id: TypeId| match self.model.ty(id).map(|ty| &ty.outer) {
            Some(Outer::Choice { tags, .. }) => tags.len(),
            _ => 1,
        };
        match shape {
            Shape::Sequence(fields) | Shape::Set(fields) | Shape::Choice(fields) => {
                fields.list.iter().map(|field| count(field.ty)).sum()
            }
            _ => 0,
        }
    }

    /// Computes the possible first tags of a type's encodings from those of its parts.
    fn outer_of(&self, id: TypeId) -> Outer {
        let any = Outer::Any;
        let Some(ty) = self.model.ty(id) else { return any };
        if let Some(first) = ty.tags.first() {
            return Outer::Tag(first.tag);
        }
        match &ty.shape {
            Shape::Reference(target) | Shape::FixedField { ty: target, .. } => {
                self.model.ty(*target).map_or(any, |ty| ty.outer.clone())
            }
            Shape::Choice(fields) => {
                let mut tags = Vec::new();
                let mut extensible = fields.marker.is_some();
                for field in &fields.list {
                    match self.model.ty(field.ty).map(|ty| &ty.outer) {
                        Some(Outer::Tag(tag)) => tags.push(*tag),
                        Some(Outer::Choice { tags: inner, extensible: more }) => {
                            tags.extend(inner);
                            extensible |= more;
                        }
                        Some(Outer::Any) | None => return any,
                    }
                }
                tags.sort_unstable();
                tags.dedup();
                Outer::Choice { tags, extensible }
            }
            shape => universal(shape).map_or(any, |number| Outer::Tag(Tag { class: TagClass::Universal, number })),
        }
    }
}

/// Returns the universal tag of a built-in type (X.680 Table 1).
pub(crate) const fn universal(shape: &Shape) -> Option<u32> {
    Some(match shape {
        Shape::Boolean => 1,
        Shape::Integer(_) => 2,
        Shape::BitString(_) => 3,
        Shape::OctetString => 4,
        Shape::Null => 5,
        Shape::ObjectIdentifier => 6,
        Shape::String(kind) => match kind {
            StringKind::ObjectDescriptor => 7,
            StringKind::Utf8 => 12,
            StringKind::Numeric => 18,
            StringKind::Printable => 19,
            StringKind::Teletex => 20,
            StringKind::Videotex => 21,
            StringKind::Ia5 => 22,
            StringKind::Graphic => 25,
            StringKind::Visible => 26,
            StringKind::General => 27,
            StringKind::Universal => 28,
            StringKind::Bmp => 30,
        },
        Shape::External | Shape::InstanceOf { .. } => 8,
        Shape::Real => 9,
        Shape::Enumerated(_) => 10,
        Shape::EmbeddedPdv => 11,
        Shape::RelativeOid => 13,
        Shape::Sequence(_) | Shape::SequenceOf(_) => 16,
        Shape::Set(_) | Shape::SetOf(_) => 17,
        Shape::Time(kind) => match kind {
            TimeKind::Time => 14,
            TimeKind::Utc => 23,
            TimeKind::Generalized => 24,
            TimeKind::Date => 31,
            TimeKind::TimeOfDay => 32,
            TimeKind::DateTime => 33,
            TimeKind::Duration => 34,
        },
        Shape::CharacterString => 29,
        Shape::OidIri => 35,
        Shape::RelativeOidIri => 36,
        Shape::Choice(_) | Shape::Open(_) | Shape::Reference(_) | Shape::FixedField { .. } => return None,
    })
}
