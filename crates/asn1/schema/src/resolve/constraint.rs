//! Resolves the constraints of types: those that a type adds, and the effective ones (X.680 §49, §50).

use crate::Int;
use crate::ast::{self, Spec};
use crate::diagnostic::Clause;
use crate::model::{
    Alphabet, Bounds, CharRange, Condition, Constraints, Contents, IntRange, SetId, SettingValue, Shape, Table, TypeId,
    UserDefined, Value,
};
use crate::parse::{Failed, Parsed};
use crate::resolve::element::{Context, Mode, part_of};
use crate::resolve::part::Part;
use crate::resolve::value::hollow;
use crate::resolve::{Pending, Resolver, Scope, State, ranges};
use crate::source::Span;

/// The charge for comparing two values.
pub(crate) const COMPARED: u64 = 4;

impl Resolver<'_> {
    /// Computes the constraints of a type, after computing the constraints of the types that it refers to.
    pub(crate) fn ensure_constraints(&mut self, id: TypeId) {
        if self.base(id).is_err() {
            return;
        }
        let mut chain = Vec::new();
        let mut at = id;
        while self.info(at).is_some_and(|info| info.constraint_state == State::Pending) {
            chain.push(at);
            // The base is known, so the chain ends.
            match self.model.ty(at).map(|ty| &ty.shape) {
                Some(Shape::Reference(target) | Shape::FixedField { ty: target, .. }) => at = *target,
                _ => break,
            }
        }
        for id in chain.into_iter().rev() {
            if self.constrain(id).is_err() {
                return;
            }
        }
    }

    /// Like [`ensure_constraints`](Self::ensure_constraints), for a type on which another constraint depends. Reports a
    /// constraint that is defined in terms of itself.
    pub(crate) fn ensure_constraints_for(&mut self, id: TypeId, span: Span) -> Parsed<()> {
        let mut at = Some(id);
        // A type on the way may be the one whose constraints are being computed.
        while let Some(id) = at {
            if self.info(id).is_some_and(|info| info.constraint_state == State::Busy) {
                let message = "this constraint is defined in terms of itself".to_owned();
                return self.fail(span, "circular", message, Clause::x680("51.3"));
            }
            at = match self.model.ty(id).map(|ty| &ty.shape) {
                Some(Shape::Reference(target) | Shape::FixedField { ty: target, .. })
                    if self.info(id).is_some_and(|info| info.constraint_state == State::Pending) =>
                {
                    Some(*target)
                }
                _ => None,
            };
        }
        self.deeper(span, |resolver| {
            resolver.base(id)?;
            resolver.ensure_constraints(id);
            Ok(())
        })
    }

    fn constrain(&mut self, id: TypeId) -> Parsed<()> {
        let Some(info) = self.info_mut(id) else { return Ok(()) };
        if info.constraint_state != State::Pending {
            return Ok(());
        }
        info.constraint_state = State::Busy;
        let (pending, scope) = (info.pending.clone(), info.scope);
        let inherited = match self.model.ty(id).map(|ty| &ty.shape) {
            Some(Shape::Reference(target) | Shape::FixedField { ty: target, .. }) => {
                self.model.ty(*target).map(|ty| (ty.effective.clone(), ty.visible.clone()))
            }
            _ => None,
        };
        let (mut effective, mut visible) = inherited.unwrap_or_default();
        // What a chain of types says is copied at each of them.
        self.spend(self.span_of_type(id), effective.bytes())?;
        let mut own = Constraints::default();
        for one in &pending {
            let _ = match one {
                Pending::Written(constraint) => {
                    let parent = part_of(&effective);
                    let had_table = own.table.is_some();
                    let applied = self.apply(constraint, scope, id, &mut own, &mut effective);
                    match applied {
                        // A table constraint may look like a subtype.
                        Ok(()) if own.table.is_some() == had_table => {
                            self.see(constraint, scope, id, &parent, &mut visible)
                        }
                        applied => applied,
                    }
                }
                Pending::FromSet(set, path, span) => self.apply_set(*set, path, *span, id, &mut own, &mut effective),
            };
        }
        if let Some(ty) = self.type_mut(id) {
            (ty.constraints, ty.effective, ty.visible) = (own, effective, visible);
        }
        if let Some(info) = self.info_mut(id) {
            info.constraint_state = State::Done;
        }
        Ok(())
    }

    /// Adds one constraint to a type's own constraints and to its effective ones.
    pub(crate) fn apply(
        &mut self,
        constraint: &ast::Constraint,
        scope: Scope,
        id: TypeId,
        own: &mut Constraints,
        effective: &mut Constraints,
    ) -> Parsed<()> {
        let base = self.base(id)?;
        own.spans.push(constraint.span);
        effective.spans.push(constraint.span);
        let Some(shape) = self.model.ty(base).map(|ty| hollow(&ty.shape)) else { return Err(Failed) };
        if let Some(exception) = &constraint.exception {
            self.exception(exception, scope);
        }
        match &constraint.spec {
            Spec::Subtype(sets) => {
                if let Some(table) = self.inline_table(id, sets, &[], scope)? {
                    self.put_table(table, id, own, effective);
                    return Ok(());
                }
                let parent = part_of(effective);
                self.spend_part(constraint.span, &parent)?;
                let context = Context { scope, ty: id, base, parent: &parent, mode: Mode::Values };
                let (root, additions) = self.sets_part(sets, context)?;
                // What is left of values is found by comparing each with each.
                let counts = |values: Option<&Vec<Value>>| values.map_or(0, |values| values.len() as u64);
                let (before, added) = (counts(effective.values.as_ref()), counts(root.values.as_ref()));
                self.spend(constraint.span, COMPARED * before * added + 2 * root.bytes())?;
                if let Some(fixed) = root.fixed
                    && let Some(Shape::Open(open)) = self.type_mut(id).map(|ty| &mut ty.shape)
                {
                    open.fixed = Some(fixed);
                }
                add(own, &root, additions.as_ref(), sets.extensible, &part_of(&Constraints::default()));
                add(effective, &root, additions.as_ref(), sets.extensible, &parent);
                self.check_empty(effective, constraint.span);
                Ok(())
            }
            Spec::User(braced) => {
                let text = self.text_of(braced.span);
                let text = text.strip_prefix('{').and_then(|text| text.strip_suffix('}')).unwrap_or(text).trim();
                self.spend(constraint.span, 2 * text.len() as u64)?;
                let user = UserDefined { text: text.to_owned(), span: braced.span };
                own.user.push(user.clone());
                effective.user.push(user);
                Ok(())
            }
            Spec::Contents { ty, encoded_by } => {
                let clause = Clause::x682("11.2");
                if !matches!(shape, Shape::OctetString | Shape::BitString(_)) {
                    let message = format!("CONTAINING and ENCODED BY do not apply to {}", shape.name());
                    return self.fail(constraint.span, "constraint", message, clause);
                }
                let ty = ty.as_ref().map(|ty| self.type_inside(ty, scope, id));
                let encoded_by = match encoded_by {
                    Some(value) => Some(self.oid_of(value, scope)?),
                    None => None,
                };
                let contents = Contents { ty, encoded_by };
                own.contents = Some(contents.clone());
                effective.contents = Some(contents);
                Ok(())
            }
            Spec::InlineTable { sets, at } => {
                let Some(table) = self.inline_table(id, sets, at, scope)? else {
                    let message = "expected an object set before the path".to_owned();
                    return self.fail(constraint.span, "constraint", message, Clause::x682("10.7"));
                };
                self.put_table(table, id, own, effective);
                Ok(())
            }
            Spec::Table { set, at, span } => {
                let table = self.table(id, set, at, scope, *span)?;
                self.put_table(table, id, own, effective);
                Ok(())
            }
        }
    }

    fn put_table(&mut self, table: Table, id: TypeId, own: &mut Constraints, effective: &mut Constraints) {
        own.table = Some(table.clone());
        if let Some(Shape::Open(open)) = self.type_mut(id).map(|ty| &mut ty.shape) {
            open.table = Some(table.clone());
        }
        self.put_instance(&table, id);
        effective.table = Some(table);
    }

    /// Checks that the names in an exception specification are defined. Its meaning is left to the user.
    pub(crate) fn exception(&mut self, exception: &ast::Exception, scope: Scope) {
        let _ = match &exception.ty {
            Some(ty) => {
                let ty = self.type_of(ty, scope);
                self.eval(&exception.value, scope, ty)
            }
            None => self.untyped(&exception.value, scope),
        };
    }

    fn check_empty(&mut self, effective: &Constraints, span: Span) {
        let is_empty = |bounds: &Option<Bounds>| {
            bounds.as_ref().is_some_and(|bounds| bounds.ranges.is_empty() && !bounds.extensible)
        };
        let no_values = effective.values.as_ref().is_some_and(Vec::is_empty) && !effective.values_extensible;
        // Without characters, only the empty string is left.
        let has_empty =
            effective.size.as_ref().is_none_or(|size| size.extensible || ranges::contain(&size.ranges, &Int::ZERO));
        let no_strings = !has_empty
            && effective.alphabet.as_ref().is_some_and(|alphabet| alphabet.ranges.is_empty() && !alphabet.extensible);
        if is_empty(&effective.value) || is_empty(&effective.size) || no_values || no_strings {
            let message = "no value of the type satisfies this constraint".to_owned();
            self.warn(span, "empty", message, Clause::x680("50.1"));
        }
    }

    /// Applies the values that the objects of a set contain in a field, as a constraint (X.681 §15).
    fn apply_set(
        &mut self,
        set: SetId,
        path: &[String],
        span: Span,
        id: TypeId,
        own: &mut Constraints,
        effective: &mut Constraints,
    ) -> Parsed<()> {
        self.ensure_set(set)?;
        let base = self.base(id)?;
        let is_integer = matches!(self.model.ty(base).map(|ty| &ty.shape), Some(Shape::Integer(_)));
        let Some(known) = self.model.set(set) else { return Err(Failed) };
        let (objects, extensible) = (known.objects.clone(), known.extensible);
        let mut part = Part::default();
        let (mut numbers, mut values) = (Vec::new(), Vec::new());
        for object in objects {
            self.ensure_object(object)?;
            let Some(object) = self.model.object(object) else { continue };
            match self.model.setting_at(object, path) {
                Some(SettingValue::Value(Value::Integer(number))) if is_integer => {
                    numbers.push(ranges::one(number.clone()));
                }
                Some(SettingValue::Value(value)) => values.push(value.clone()),
                Some(_) => part.inexact = true,
                None => {}
            }
            let last = values.last().map_or(0, Value::bytes);
            self.spend(span, COMPARED + last)?;
        }
        if is_integer {
            part.value = Some(ranges::normal(numbers));
        } else {
            part.values = Some(values);
        }
        let parent = part_of(effective);
        add(own, &part, None, extensible, &Part::default());
        add(effective, &part, None, extensible, &parent);
        own.spans.push(span);
        Ok(())
    }

    /// Returns the type that CONTAINING specifies for a type.
    pub(crate) fn contained(&mut self, ty: TypeId) -> Option<TypeId> {
        let span = self.model.ty(ty).map(|ty| ty.span)?;
        self.ensure_constraints_for(ty, span).ok()?;
        self.model.ty(ty)?.effective.contents.as_ref()?.ty
    }
}

/// Adds the restrictions of a set. The last of several serial constraints determines whether there are extensions (X.680 §50.8,
/// §50.10).
fn add(to: &mut Constraints, root: &Part, additions: Option<&Part>, extensible: bool, parent: &Part) {
    let more = |of: fn(&Part) -> Option<&Vec<IntRange>>| -> Vec<IntRange> {
        match (of(root), additions.and_then(of)) {
            (Some(root), Some(more)) => ranges::normal([root.as_slice(), more.as_slice()].concat()),
            _ => Vec::new(),
        }
    };
    to.value =
        bounds(&to.value, root.value.as_ref(), more(|part| part.value.as_ref()), extensible, parent.value.as_ref());
    let size_extensible = extensible || root.size_extensible;
    to.size =
        bounds(&to.size, root.size.as_ref(), more(|part| part.size.as_ref()), size_extensible, parent.size.as_ref());
    to.alphabet = match (&root.alphabet, to.alphabet.take()) {
        (Some(ranges), before) => {
            let ranges = match (&before, parent.alphabet.as_deref()) {
                (Some(_), Some(parent)) => ranges::meet(ranges, parent),
                (Some(before), None) => ranges::meet(ranges, &codes(before)),
                (None, _) => ranges.clone(),
            };
            Some(Alphabet { ranges: characters(&ranges), extensible: extensible || root.alphabet_extensible })
        }
        (None, before) => before.map(|alphabet| Alphabet { extensible: false, ..alphabet }),
    };
    to.values = match (to.values.take(), &root.values) {
        (Some(before), Some(values)) => Some(values.iter().filter(|value| before.contains(value)).cloned().collect()),
        (before, values) => before.or_else(|| values.clone()),
    };
    to.values_extensible = extensible && to.values.is_some();
    to.patterns.extend(root.patterns.iter().cloned());
    to.components.extend(root.components.iter().cloned());
    to.settings.extend(root.settings.iter().cloned());
    to.further.extend(root.further.iter().cloned());
    to.inexact |= root.inexact;
    match (&to.item, &root.item) {
        (Some(_), Some(item)) => {
            to.further.push(Condition::Any(vec![Constraints { item: Some(item.clone()), ..Constraints::default() }]));
        }
        (None, item) => to.item.clone_from(item),
        (Some(_), None) => {}
    }
    let says_more = !(root.patterns.is_empty()
        && root.components.is_empty()
        && root.settings.is_empty()
        && root.further.is_empty()
        && root.item.is_none());
    to.extensible = extensible && says_more;
}

fn bounds(
    before: &Option<Bounds>,
    root: Option<&Vec<IntRange>>,
    additions: Vec<IntRange>,
    extensible: bool,
    parent: Option<&Vec<IntRange>>,
) -> Option<Bounds> {
    match (before, root) {
        (_, Some(root)) => {
            let ranges = match (before, parent) {
                (Some(before), None) => ranges::meet(&before.ranges, root),
                (_, Some(parent)) => ranges::meet(parent, root),
                (None, None) => ranges::normal(root.clone()),
            };
            Some(Bounds { ranges, extensible, additions })
        }
        (Some(before), None) => {
            Some(Bounds { ranges: before.ranges.clone(), extensible: false, additions: Vec::new() })
        }
        (None, None) => None,
    }
}

/// Returns the code points of an alphabet.
pub(crate) fn codes(alphabet: &Alphabet) -> Vec<IntRange> {
    let ranges = alphabet.ranges.iter();
    ranges.map(|range| IntRange { min: Some(range.first.into()), max: Some(range.last.into()) }).collect()
}

/// Converts ranges of integers to ranges of characters.
pub(crate) fn characters(ranges: &[IntRange]) -> Vec<CharRange> {
    let code = |int: &Option<Int>, or: u32| int.as_ref().map_or(Some(or), Int::to_u32);
    let each = ranges
        .iter()
        .filter_map(|range| Some(CharRange { first: code(&range.min, 0)?, last: code(&range.max, 0x10_FFFF)? }));
    each.collect()
}
