//! Computes values (X.680 §17.7) with their governing type.

use std::rc::Rc;

use crate::ast::{self, Actual, Ident, Ref, ValueKind};
use crate::diagnostic::Clause;
use crate::model::{Enumeration, Fields, Named, SettingValue, Shape, TypeId, Value};
use crate::near::nearest;
use crate::parse::{Failed, Parsed};
use crate::resolve::names::Found;
use crate::resolve::{Entity, Resolver, Scope, State};
use crate::source::Span;

const VALUE: Clause = Clause::x680("17.7");

impl Resolver<'_> {
    /// Returns the value of an assignment, which is computed on first use.
    pub(crate) fn value_of_slot(&mut self, slot: u32) -> Parsed<Value> {
        let Some(known) = self.values.get_mut(slot as usize) else { return Err(Failed) };
        let (governor, ast, scope, span) = (known.governor, Rc::clone(&known.ast), known.scope, known.span);
        match known.state {
            State::Done => {
                let size = known.size;
                self.spend(span, size)?;
                return self.values.get(slot as usize).and_then(|known| known.value.clone()).ok_or(Failed);
            }
            State::Failed => return Err(Failed),
            State::Busy => {
                let message = "this value is defined in terms of itself".to_owned();
                return self.fail(span, "circular", message, Clause::x680("3.8"));
            }
            State::Pending => known.state = State::Busy,
        }
        let mut value = self.eval(&ast, scope, governor);
        let (size, depth) = value.as_ref().map_or((0, 0), Value::measure);
        // It stays here, and goes into the model.
        self.spend(span, 2 * size)?;
        if depth > self.limits.depth {
            let message = format!("this value is nested deeper than {} levels", self.limits.depth);
            value = self.fail(span, "depth", message, Clause::NONE);
        }
        if let Some(known) = self.values.get_mut(slot as usize) {
            known.size = size;
            known.state = if value.is_ok() { State::Done } else { State::Failed };
            known.value = value.clone().ok();
        }
        value
    }

    /// Evaluates a value of a type.
    pub(crate) fn eval(&mut self, value: &ast::Value, scope: Scope, ty: TypeId) -> Parsed<Value> {
        self.deeper(value.span, |resolver| {
            let base = resolver.base(ty)?;
            let made = resolver.eval_as(value, scope, ty, base)?;
            resolver.spend(value.span, made.own_bytes())?;
            Ok(made)
        })
    }

    fn eval_as(&mut self, value: &ast::Value, scope: Scope, ty: TypeId, base: TypeId) -> Parsed<Value> {
        let span = value.span;
        if let ValueKind::Reference(reference, fields) = &value.kind {
            return self.eval_reference(reference, fields, scope, base, span);
        }
        let Some(shape) = self.model.ty(base).map(|ty| hollow(&ty.shape)) else { return Err(Failed) };
        match (&shape, &value.kind) {
            (Shape::Boolean, ValueKind::Boolean(value)) => Ok(Value::Boolean(*value)),
            (Shape::Null, ValueKind::Null) => Ok(Value::Null),
            (Shape::Integer(_), ValueKind::Number { negative, text }) => {
                self.int(text, *negative, span).map(Value::Integer)
            }
            (Shape::Real, _) => self.real(value, scope).map(Value::Real),
            (Shape::BitString(_), ValueKind::Braced(braced)) => self.bits_by_name(*braced, base),
            (Shape::BitString(_), ValueKind::BString(text)) => Ok(Value::BitString(super::literal::bits(text))),
            (Shape::BitString(_), ValueKind::HString(text)) => Ok(Value::BitString(super::literal::nibbles(text))),
            (Shape::OctetString, ValueKind::BString(text)) => Ok(Value::OctetString(super::literal::bits(text).octets)),
            (Shape::OctetString, ValueKind::HString(text)) => {
                Ok(Value::OctetString(super::literal::nibbles(text).octets))
            }
            (Shape::BitString(_) | Shape::OctetString, ValueKind::Containing(inner)) => {
                let Some(contained) = self.contained(ty) else {
                    let message = "the type has no CONTAINING constraint that defines the content".to_owned();
                    return self.fail(span, "type", message, Clause::x680("22.3"));
                };
                Ok(Value::Containing(contained, Box::new(self.eval(inner, scope, contained)?)))
            }
            (Shape::ObjectIdentifier, ValueKind::Braced(braced)) => {
                self.oid_inside(*braced, scope).map(Value::ObjectIdentifier)
            }
            (Shape::RelativeOid, ValueKind::Braced(braced)) => {
                self.relative_oid_inside(*braced, scope).map(Value::RelativeOid)
            }
            (Shape::OidIri | Shape::RelativeOidIri, ValueKind::CString(text)) => {
                let text = super::literal::text(text);
                let relative = matches!(shape, Shape::RelativeOidIri);
                if !super::iri::is_path(&text, relative) {
                    let message =
                        if relative { "labels must be separated by `/`" } else { "each label must begin with `/`" };
                    let clause = Clause::x680(if relative { "35.3" } else { "34.3" });
                    return self.fail(span, "type", message.to_owned(), clause);
                }
                Ok(Value::Iri(text))
            }
            (Shape::String(kind), ValueKind::CString(text)) => {
                let text = super::literal::text(text);
                self.check_string(&text, *kind, span)?;
                Ok(Value::String(text))
            }
            (Shape::String(kind), ValueKind::Braced(braced)) => {
                let text = self.characters(*braced, scope, ty)?;
                self.check_string(&text, *kind, span)?;
                Ok(Value::String(text))
            }
            (Shape::Time(kind), ValueKind::CString(text)) => {
                let text = super::literal::text(text);
                self.check_time(&text, *kind, span)?;
                Ok(Value::Time(super::clock::in_der_form(&text, *kind).unwrap_or(text)))
            }
            (Shape::Sequence(_) | Shape::Set(_) | Shape::InstanceOf { .. }, ValueKind::Braced(braced)) => {
                let in_order = !matches!(shape, Shape::Set(_));
                self.components_value(*braced, base, scope, in_order, span)
            }
            (Shape::SequenceOf(item) | Shape::SetOf(item), ValueKind::Braced(braced)) => {
                let (item, name) = (item.ty, item.name.is_some());
                self.list_value(*braced, item, name, scope)
            }
            (Shape::Choice(_), ValueKind::Choice(name, inner)) => {
                let Some(ty) = self.component_of(base, &name.text) else {
                    return self.unknown("alternative", name, base, Clause::x680("29.10"));
                };
                let value = self.eval(inner, scope, ty)?;
                Ok(Value::Choice(name.text.clone(), Box::new(value)))
            }
            (Shape::Open(_), ValueKind::Typed(inner, value)) => {
                let ty = self.type_of(inner, scope);
                Ok(Value::Open(ty, Box::new(self.eval(value, scope, ty)?)))
            }
            (Shape::External | Shape::EmbeddedPdv | Shape::CharacterString, ValueKind::Braced(braced)) => {
                self.presentation(*braced, scope)
            }
            _ => {
                let message = format!("expected a value of {}", shape.name());
                self.fail(span, "type", message, VALUE)
            }
        }
    }

    /// Evaluates a name: an item of the type, or a value reference.
    fn eval_reference(
        &mut self,
        reference: &Ref,
        fields: &[Ident],
        scope: Scope,
        base: TypeId,
        span: Span,
    ) -> Parsed<Value> {
        let Some(shape) = self.model.ty(base).map(|ty| hollow(&ty.shape)) else { return Err(Failed) };
        if reference.module.is_none() && reference.actuals.is_none() && fields.is_empty() {
            let name = &reference.name.text;
            let place = match shape {
                Shape::Integer(_) | Shape::Enumerated(_) => self.names_in(base).place(name),
                _ => None,
            };
            let items = match self.model.ty(base).map(|ty| &ty.shape) {
                Some(Shape::Integer(numbers)) => numbers.as_slice(),
                Some(Shape::Enumerated(enumeration)) => enumeration.items.as_slice(),
                _ => &[],
            };
            if let Some(item) = place.and_then(|place| items.get(place)) {
                return Ok(match shape {
                    Shape::Integer(_) => Value::Integer(item.number.clone()),
                    _ => Value::Enumerated(Named { name: name.clone(), number: item.number.clone() }),
                });
            }
            if matches!(shape, Shape::Enumerated(_)) && self.find(None, name, scope) == Found::Nothing {
                return self.unknown("item", &reference.name, base, Clause::x680("20.8"));
            }
        }
        let (value, ty) = self.value_named(reference, fields, scope, Some(base), span)?;
        match (&shape, ty) {
            // A value of any type is one of an open type.
            (Shape::Open(_), Some(ty)) if !matches!(value, Value::Open(..)) => Ok(Value::Open(ty, Box::new(value))),
            (_, Some(ty)) => {
                let of = self.base(ty)?;
                let other = self.model.ty(of).map(|ty| hollow(&ty.shape));
                match other {
                    Some(other) if fits(&other, &shape) => Ok(value),
                    Some(other) => {
                        let message = format!("expected a value of {}; this is one of {}", shape.name(), other.name());
                        self.fail(span, "type", message, VALUE)
                    }
                    None => Err(Failed),
                }
            }
            _ => Ok(value),
        }
    }

    /// Returns the value that a name refers to, and its type. For a parameter without its own type, this is the
    /// expected type.
    pub(crate) fn value_named(
        &mut self,
        reference: &Ref,
        fields: &[Ident],
        scope: Scope,
        want: Option<TypeId>,
        span: Span,
    ) -> Parsed<(Value, Option<TypeId>)> {
        let name = &reference.name;
        if !fields.is_empty() {
            let object = self.object_named(reference, scope, None)?;
            let value = match self.setting_at(object, fields)? {
                SettingValue::Value(value) => value,
                _ => {
                    let message = "this field does not contain a value".to_owned();
                    return self.fail(span, "kind", message, Clause::x681("15.1"));
                }
            };
            let class = self.model.object(object).map(|object| object.class);
            let ty = match class {
                Some(class) => self.fixed_type(class, fields)?,
                None => None,
            };
            return Ok((value, ty));
        }
        let entity = match self.lookup(reference.module.as_ref(), name, scope)? {
            Found::Parameter(env, index) => return self.parameter_value(env, index, want, span),
            Found::Def(def) => match &reference.actuals {
                Some(actuals) => Some(self.instantiate(def, actuals, scope, name.span)?),
                None => self.entity(def),
            },
            Found::Language(_) | Found::Nothing => None,
        };
        match entity {
            Some(Entity::Value(slot)) => {
                let value = self.deeper(span, |resolver| resolver.value_of_slot(slot))?;
                Ok((value, self.values.get(slot as usize).map(|slot| slot.governor)))
            }
            Some(Entity::Template) => {
                let message = format!("{} needs parameters", name.text);
                self.fail(name.span, "parameters", message, Clause::x683("9.2"))
            }
            Some(Entity::Skipped) => {
                let message = format!("{} was skipped: it uses a macro or XML notation", name.text);
                self.fail(name.span, "macro", message, Clause::x680("3.8"))
            }
            Some(_) => self.fail(name.span, "kind", format!("expected a value, found {}", name.text), VALUE),
            None => Err(Failed),
        }
    }

    fn parameter_value(
        &mut self,
        env: u32,
        index: usize,
        want: Option<TypeId>,
        span: Span,
    ) -> Parsed<(Value, Option<TypeId>)> {
        let Some(bound) = self.envs.get(env as usize).and_then(|env| env.parameters.get(index)) else {
            return Err(Failed);
        };
        let (actual, scope, governor) = (Rc::clone(&bound.actual), bound.scope, bound.governor.clone());
        let outer = self.scope_of_env(env);
        let governor = governor.map(|governor| self.type_of(&governor, outer)).or(want);
        let value = match &*actual {
            Actual::Value(value) => value.clone(),
            Actual::Braced(braced) => ast::Value { kind: ValueKind::Braced(*braced), span: braced.span },
            Actual::Type(ast::Type { kind: ast::TypeKind::Null, span, .. }) => {
                ast::Value { kind: ValueKind::Null, span: *span }
            }
            Actual::Type(_) => {
                return self.fail(span, "parameters", "this parameter is not a value".to_owned(), Clause::x683("9.5"));
            }
        };
        match governor {
            Some(ty) => Ok((self.eval(&value, scope, ty)?, Some(ty))),
            None => Ok((self.untyped(&value, scope)?, None)),
        }
    }

    /// Evaluates a value whose type is unknown: a number or a name.
    pub(crate) fn untyped(&mut self, value: &ast::Value, scope: Scope) -> Parsed<Value> {
        match &value.kind {
            ValueKind::Number { negative, text } => self.int(text, *negative, value.span).map(Value::Integer),
            ValueKind::Reference(reference, fields) => {
                let named = self
                    .deeper(value.span, |resolver| resolver.value_named(reference, fields, scope, None, value.span))?;
                Ok(named.0)
            }
            _ => self.fail(value.span, "type", "expected a number or the name of a value".to_owned(), VALUE),
        }
    }

    /// Evaluates a SEQUENCE or SET value: `{name value, …}`.
    fn components_value(
        &mut self,
        braced: ast::Braced,
        base: TypeId,
        scope: Scope,
        in_order: bool,
        span: Span,
    ) -> Parsed<Value> {
        let clause = Clause::x680("25.18");
        let given = self.inside_whole(braced, |parser| parser.named_values_inside())?;
        let names = self.names_in(base);
        let mut values: Vec<(usize, Ident, Value)> = Vec::new();
        for (name, value) in given {
            let Some(index) = names.place(&name.text) else {
                return self.unknown("component", &name, base, clause);
            };
            if in_order && values.last().is_some_and(|(last, ..)| *last >= index) {
                let message = format!("{} is out of order: it precedes this component in the SEQUENCE", name.text);
                return self.fail(name.span, "order", message, clause);
            }
            let Some(ty) = self.component_of(base, &name.text) else { return Err(Failed) };
            let value = self.eval(&value, scope, ty)?;
            values.push((index, name, value));
        }
        values.sort_by_key(|(index, ..)| *index);
        if let Some([_, (_, name, _)]) = values.windows(2).find(|two| matches!(two, [(a, ..), (b, ..)] if a == b)) {
            return self.fail(span, "duplicate", format!("duplicate value of {}", name.text), clause);
        }
        let mut present = values.iter().map(|(index, ..)| *index).peekable();
        for required in &names.required {
            while present.next_if(|index| index < required).is_some() {}
            if present.next_if_eq(required).is_none() {
                let name = match self.model.ty(base).map(|ty| &ty.shape) {
                    Some(Shape::Sequence(fields) | Shape::Set(fields) | Shape::InstanceOf { fields, .. }) => {
                        fields.list.get(*required).map(|field| field.name.clone())
                    }
                    _ => None,
                };
                let message = format!("missing value of {}, which is not OPTIONAL", name.unwrap_or_default());
                return self.fail(span, "missing", message, clause);
            }
        }
        Ok(Value::Sequence(values.into_iter().map(|(_, name, value)| (name.text, value)).collect()))
    }

    /// Evaluates a SEQUENCE OF or SET OF value: `{value, …}`, or `{name value, …}` if the element has a name.
    fn list_value(&mut self, braced: ast::Braced, item: TypeId, named: bool, scope: Scope) -> Parsed<Value> {
        let given = if named {
            let named = self.inside_whole(braced, |parser| parser.named_values_inside())?;
            named.into_iter().map(|(_, value)| value).collect()
        } else {
            self.inside_whole(braced, |parser| parser.values_inside())?
        };
        let mut values = Vec::new();
        for value in &given {
            values.push(self.eval(value, scope, item)?);
        }
        Ok(Value::SequenceOf(values))
    }

    /// Evaluates a value of EXTERNAL or a similar type: its components by name, without the types of their contents.
    fn presentation(&mut self, braced: ast::Braced, scope: Scope) -> Parsed<Value> {
        let given = self.inside_whole(braced, |parser| parser.named_values_inside())?;
        let mut values = Vec::new();
        for (name, value) in given {
            let span = value.span;
            let value = match &value.kind {
                ValueKind::Braced(braced) => Value::ObjectIdentifier(self.oid_inside(*braced, scope)?),
                ValueKind::CString(text) => Value::String(super::literal::text(text)),
                ValueKind::HString(text) => Value::OctetString(super::literal::nibbles(text).octets),
                ValueKind::BString(text) => Value::BitString(super::literal::bits(text)),
                ValueKind::Null => Value::Null,
                ValueKind::Choice(name, inner) => {
                    let inner = match &inner.kind {
                        ValueKind::HString(text) => Value::OctetString(super::literal::nibbles(text).octets),
                        ValueKind::BString(text) => Value::BitString(super::literal::bits(text)),
                        ValueKind::Null => Value::Null,
                        // Two of the ways to identify a syntax have components of their own (X.680 §36.5, §37.5, §44.5).
                        ValueKind::Braced(braced) if matches!(&*name.text, "syntaxes" | "context-negotiation") => {
                            self.deeper(span, |resolver| resolver.presentation(*braced, scope))?
                        }
                        ValueKind::Braced(braced) => Value::ObjectIdentifier(self.oid_inside(*braced, scope)?),
                        _ => self.untyped(inner, scope)?,
                    };
                    Value::Choice(name.text.clone(), Box::new(inner))
                }
                _ => self.untyped(&value, scope)?,
            };
            values.push((name.text, value));
        }
        Ok(Value::Sequence(values))
    }

    fn unknown<T>(&mut self, what: &str, name: &Ident, base: TypeId, clause: Clause) -> Parsed<T> {
        let known: Box<dyn Iterator<Item = &str>> = match self.model.ty(base).map(|ty| &ty.shape) {
            Some(Shape::Sequence(fields) | Shape::Set(fields) | Shape::Choice(fields)) => {
                Box::new(fields.list.iter().map(|field| field.name.as_str()))
            }
            Some(Shape::InstanceOf { fields, .. }) => Box::new(fields.list.iter().map(|field| field.name.as_str())),
            Some(Shape::Enumerated(enumeration)) => Box::new(enumeration.items.iter().map(|item| item.name.as_str())),
            _ => Box::new(std::iter::empty()),
        };
        let near = nearest(&name.text, known.take(self.hints()))
            .map(|near| format!("; did you mean {near}?"))
            .unwrap_or_default();
        self.fail(name.span, "undefined", format!("the type has no {what} {}{near}", name.text), clause)
    }
}

/// Returns the kind of a shape, without its lists.
pub(crate) fn hollow(shape: &Shape) -> Shape {
    match shape {
        Shape::Integer(_) => Shape::Integer(Vec::new()),
        Shape::BitString(_) => Shape::BitString(Vec::new()),
        Shape::Enumerated(enumeration) => {
            let (root, extensible) = (enumeration.root, enumeration.extensible);
            Shape::Enumerated(Enumeration { items: Vec::new(), root, extensible })
        }
        Shape::Sequence(_) => Shape::Sequence(Fields::default()),
        Shape::Set(_) => Shape::Set(Fields::default()),
        Shape::Choice(_) => Shape::Choice(Fields::default()),
        Shape::InstanceOf { class, .. } => Shape::InstanceOf { class: *class, fields: Fields::default() },
        other => other.clone(),
    }
}

/// Returns whether a value of one type can be used as a value of another (X.680 Annex F). Built-in types must be the
/// same. Character strings are compatible with each other if both use ISO/IEC 10646 characters, or both use registered
/// character sets.
pub(crate) fn fits(is: &Shape, want: &Shape) -> bool {
    match (is, want) {
        (Shape::String(a), Shape::String(b)) => is_registered(*a) == is_registered(*b),
        (Shape::Open(_), _) | (_, Shape::Open(_)) => true,
        _ => std::mem::discriminant(is) == std::mem::discriminant(want),
    }
}

const fn is_registered(kind: crate::model::StringKind) -> bool {
    use crate::model::StringKind::{General, Graphic, ObjectDescriptor, Teletex, Videotex};
    matches!(kind, General | Graphic | ObjectDescriptor | Teletex | Videotex)
}
