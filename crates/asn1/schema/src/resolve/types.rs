//! Resolves the structure of types (X.680 §17–§47), without constraints.

use std::rc::Rc;

use crate::ast::{self, Body, Ident, Ref, TypeKind};
use crate::departure::Departure;
use crate::diagnostic::Clause;
use crate::model::{FieldKind, ListElement, OpenType, Shape, Tag, TagClass, Tagging, TypeId};
use crate::parse::{Failed, Parsed};
use crate::resolve::fields;
use crate::resolve::instance::bare;
use crate::resolve::names::Found;
use crate::resolve::{Entity, Pending, Resolver, Scope, State};
use crate::source::Span;

/// The charge for following one reference.
const STEP: u64 = 4;

impl Resolver<'_> {
    /// Resolves a type: the referenced one for a bare name, or otherwise a new one.
    pub(crate) fn type_of(&mut self, ty: &ast::Type, scope: Scope) -> TypeId {
        match bare(ty) {
            Some(reference) => self.named(reference, scope).unwrap_or_else(|_| self.broken(ty.span)),
            None => self.new_node(ty, scope, None),
        }
    }

    /// Resolves a type inside a constraint. Its enclosing types are the enclosing types of the constrained type.
    pub(crate) fn type_inside(&mut self, ty: &ast::Type, scope: Scope, constrained: TypeId) -> TypeId {
        if bare(ty).is_some() {
            return self.type_of(ty, scope);
        }
        let parent = self.info(constrained).and_then(|info| info.parent);
        self.new_node(ty, scope, parent)
    }

    /// Creates a new type, even for a plain reference.
    pub(crate) fn new_node(&mut self, ty: &ast::Type, scope: Scope, parent: Option<TypeId>) -> TypeId {
        let id = self.new_type(scope, ty.span, None, State::Busy);
        if self.is_spent {
            return id;
        }
        if let Some(info) = self.info_mut(id) {
            info.parent = parent;
        }
        let filled = self.deeper(ty.span, |resolver| resolver.fill(id, ty, scope));
        let state = if filled.is_ok() { State::Done } else { State::Failed };
        if let Some(info) = self.info_mut(id) {
            info.state = state;
        }
        id
    }

    /// Creates the type of a value set.
    pub(crate) fn value_set(&mut self, governor: TypeId, sets: ast::ElementSets, scope: Scope) -> TypeId {
        let span = sets.span;
        let id = self.new_type(scope, span, None, State::Done);
        if self.is_spent {
            return id;
        }
        if let Some(ty) = self.type_mut(id) {
            ty.shape = Shape::Reference(governor);
        }
        let constraint = ast::Constraint { spec: ast::Spec::Subtype(sets), exception: None, span };
        if let Some(info) = self.info_mut(id) {
            info.pending.push(Pending::Written(Rc::new(constraint)));
        }
        id
    }

    /// Fills in the structure of a type, unless already done.
    pub(crate) fn ensure_type(&mut self, id: TypeId) -> Parsed<()> {
        let Some(info) = self.info(id) else { return Err(Failed) };
        let (state, scope, def) = (info.state, info.scope, info.def);
        match state {
            State::Done => return Ok(()),
            State::Failed => return Err(Failed),
            State::Busy => {
                let span = self.model.ty(id).map_or_else(Span::default, |ty| ty.span);
                let message = "this type is defined in terms of itself".to_owned();
                return self.fail(span, "circular", message, Clause::x680("3.8"));
            }
            State::Pending => {}
        }
        let Some(ast) = def.and_then(|def| self.defs.get(def as usize)).map(|def| def.ast) else { return Err(Failed) };
        if let Some(info) = self.info_mut(id) {
            info.state = State::Busy;
        }
        let filled = self.deeper(ast.name.span, |resolver| match &ast.body {
            Body::Type(ty) => resolver.fill(id, ty, scope),
            Body::Set { governor, set } => {
                let target = resolver.type_of(governor, scope);
                let span = set.span;
                let constraint = ast::Constraint { spec: ast::Spec::Subtype(set.clone()), exception: None, span };
                if let Some(info) = resolver.info_mut(id) {
                    info.pending.push(Pending::Written(Rc::new(constraint)));
                }
                resolver.set_shape(id, Shape::Reference(target));
                Ok(())
            }
            _ => Err(Failed),
        });
        if let Some(info) = self.info_mut(id) {
            info.state = if filled.is_ok() { State::Done } else { State::Failed };
        }
        filled
    }

    pub(crate) fn set_shape(&mut self, id: TypeId, shape: Shape) {
        if let Some(ty) = self.type_mut(id) {
            ty.shape = shape;
        }
    }

    /// Fills in a type's tags and shape, and its deferred constraints and DEFAULTs.
    fn fill(&mut self, id: TypeId, ty: &ast::Type, scope: Scope) -> Parsed<()> {
        let prefixes = ty.prefixes.clone();
        let mut tags = Vec::new();
        let mut words = Vec::new();
        let by_default = self.module_of(scope).is_none_or(|info| info.ast.tags == ast::Tags::Explicit);
        for tag in &ty.tags {
            let number = self.integer(&tag.number, scope, Clause::x680("31.2.4"))?;
            let Some(number) = number.to_u32() else {
                let message = format!("{number} is not a valid tag number");
                return self.fail(tag.number.span, "tag", message, Clause::x680("31.2.4"));
            };
            if tag.class == TagClass::Universal {
                let message = "the class UNIVERSAL is reserved for the types of X.680".to_owned();
                self.diagnostics.depart(Departure::UniversalTag, tag.number.span, message);
            }
            let tag_of_type = Tag { class: tag.class, number };
            tags.push(Tagging { tag: tag_of_type, explicit: tag.explicit.unwrap_or(by_default), automatic: false });
            words.push(tag.explicit);
        }
        if let Some(ty) = self.type_mut(id) {
            ty.tags = tags;
            ty.prefixes = prefixes;
        }
        if let Some(info) = self.info_mut(id) {
            info.words = words;
            info.pending.extend(ty.constraints.iter().cloned().map(Rc::new).map(Pending::Written));
        }
        let shape = self.shape(id, &ty.kind, scope, ty.span)?;
        self.set_shape(id, shape);
        Ok(())
    }

    fn shape(&mut self, id: TypeId, kind: &TypeKind, scope: Scope, span: Span) -> Parsed<Shape> {
        Ok(match kind {
            TypeKind::Boolean => Shape::Boolean,
            TypeKind::Integer(numbers) => Shape::Integer(self.named_numbers(numbers, scope, Clause::x680("19.4"))?),
            TypeKind::Enumerated(items) => Shape::Enumerated(self.enumeration(items, scope, span)?),
            TypeKind::Real => Shape::Real,
            TypeKind::BitString(bits) => Shape::BitString(self.named_bits(bits, scope)?),
            TypeKind::OctetString => Shape::OctetString,
            TypeKind::Null => Shape::Null,
            TypeKind::ObjectIdentifier => Shape::ObjectIdentifier,
            TypeKind::RelativeOid => Shape::RelativeOid,
            TypeKind::OidIri => Shape::OidIri,
            TypeKind::RelativeOidIri => Shape::RelativeOidIri,
            TypeKind::String(kind) => Shape::String(*kind),
            TypeKind::Time(kind) => Shape::Time(*kind),
            TypeKind::External => Shape::External,
            TypeKind::EmbeddedPdv => Shape::EmbeddedPdv,
            TypeKind::CharacterString => Shape::CharacterString,
            TypeKind::Sequence(components) => {
                Shape::Sequence(self.fields(id, components, scope, fields::ListKind::Sequence)?)
            }
            TypeKind::Set(components) => Shape::Set(self.fields(id, components, scope, fields::ListKind::Set)?),
            TypeKind::Choice(components) => {
                Shape::Choice(self.fields(id, components, scope, fields::ListKind::Choice)?)
            }
            TypeKind::SequenceOf(name, item) => Shape::SequenceOf(self.item(id, name.as_ref(), item, scope)),
            TypeKind::SetOf(name, item) => Shape::SetOf(self.item(id, name.as_ref(), item, scope)),
            TypeKind::Any(defined_by) => Shape::Open(OpenType {
                class: None,
                field: Vec::new(),
                table: None,
                defined_by: defined_by.as_ref().map(|name| name.text.clone()),
                fixed: None,
            }),
            TypeKind::Reference(reference) => {
                let target = self.named(reference, scope)?;
                let found = self.find(reference.module.as_ref(), &reference.name.text, scope);
                if let (Found::Parameter(..), Some(info)) = (found, self.info_mut(id)) {
                    info.is_dummy = true;
                }
                Shape::Reference(target)
            }
            TypeKind::Field(reference, path) => self.field_type(id, reference, path, scope, span)?,
            TypeKind::Selection(name, choice) => self.selection(name, choice, scope)?,
            TypeKind::InstanceOf(reference) => self.instance_of(id, reference, scope, span)?,
        })
    }

    fn item(&mut self, id: TypeId, name: Option<&Ident>, item: &ast::Type, scope: Scope) -> ListElement {
        let ty = self.new_node(item, scope, Some(id));
        ListElement { name: name.map(|name| name.text.clone()), ty }
    }

    /// Returns the type with the given name.
    pub(crate) fn named(&mut self, reference: &Ref, scope: Scope) -> Parsed<TypeId> {
        let name = &reference.name;
        let found = self.lookup(reference.module.as_ref(), name, scope)?;
        let entity = match found {
            Found::Parameter(env, index) => return self.parameter_type(env, index, name.span),
            Found::Def(def) => match &reference.actuals {
                Some(actuals) => Some(self.instantiate(def, actuals, scope, name.span)?),
                None => self.entity(def),
            },
            Found::Language(_) | Found::Nothing => None,
        };
        let what = match entity {
            Some(Entity::Type(id) | Entity::ValueSet(id)) => return Ok(id),
            Some(Entity::Template) => {
                let message = format!("{} needs parameters", name.text);
                return self.fail(name.span, "parameters", message, Clause::x683("9.2"));
            }
            Some(Entity::Skipped) => return Ok(self.skipped(name.span, scope)),
            Some(Entity::Class(_)) => "a class",
            Some(Entity::Object(_)) => "an object",
            Some(Entity::Set(_)) => "an object set",
            Some(Entity::Value(_)) => "a value",
            None if matches!(found, Found::Language(_)) => "a class",
            None => return Err(Failed),
        };
        let message = format!("expected a type; {} is {what}", name.text);
        self.fail(name.span, "kind", message, Clause::x680("17.3"))
    }

    /// Creates a type in place of one that a skipped macro would have defined. It accepts any value.
    fn skipped(&mut self, span: Span, scope: Scope) -> TypeId {
        let id = self.new_type(scope, span, None, State::Done);
        let open = OpenType { class: None, field: Vec::new(), table: None, defined_by: None, fixed: None };
        self.set_shape(id, Shape::Open(open));
        id
    }

    /// Resolves a selection type: `name < Choice` (X.680 §30).
    fn selection(&mut self, name: &Ident, choice: &ast::Type, scope: Scope) -> Parsed<Shape> {
        let clause = Clause::x680("30.1");
        let target = self.type_of(choice, scope);
        let base = self.base(target)?;
        let Some(Shape::Choice(_)) = self.model.ty(base).map(|ty| &ty.shape) else {
            return self.fail(choice.span, "type", "expected a CHOICE after `<`".to_owned(), clause);
        };
        match self.component_of(base, &name.text) {
            Some(ty) => Ok(Shape::Reference(ty)),
            None => self.fail(name.span, "undefined", format!("the CHOICE has no alternative {}", name.text), clause),
        }
    }

    /// Resolves a type from a field: `CLASS.&field`, `object.&Type` or `Set.&value` (X.681 §14, §15).
    fn field_type(&mut self, id: TypeId, reference: &Ref, path: &[Ident], scope: Scope, span: Span) -> Parsed<Shape> {
        let as_type = ast::Type {
            tags: Vec::new(),
            prefixes: None,
            kind: TypeKind::Reference(reference.clone()),
            constraints: Vec::new(),
            span: reference.name.span,
        };
        let field: Vec<String> = path.iter().map(|name| name.text.clone()).collect();
        let Some(class) = self.class_of(&as_type, scope) else {
            return self.type_from_objects(id, reference, path, scope, span);
        };
        let kind = self.field_at(class, path)?;
        match kind {
            FieldKind::Type | FieldKind::VariableValue(_) | FieldKind::VariableValueSet(_) => {
                Ok(Shape::Open(OpenType { class: Some(class), field, table: None, defined_by: None, fixed: None }))
            }
            FieldKind::FixedValue(ty) | FieldKind::FixedValueSet(ty) => Ok(Shape::FixedField { class, field, ty }),
            FieldKind::Object(_) | FieldKind::ObjectSet(_) => {
                let message = "this field contains objects, not a type or value".to_owned();
                self.fail(span, "kind", message, Clause::x681("14.1"))
            }
        }
    }

    fn type_from_objects(
        &mut self,
        id: TypeId,
        reference: &Ref,
        path: &[Ident],
        scope: Scope,
        span: Span,
    ) -> Parsed<Shape> {
        let clause = Clause::x681("15.1");
        let field: Vec<String> = path.iter().map(|name| name.text.clone()).collect();
        let is_lower = reference.name.text.starts_with(|char: char| char.is_ascii_lowercase());
        if is_lower {
            let object = self.object_named(reference, scope, None)?;
            return match self.setting_at(object, path)? {
                crate::model::SettingValue::Type(ty) | crate::model::SettingValue::ValueSet(ty) => {
                    Ok(Shape::Reference(ty))
                }
                _ => self.fail(span, "kind", "this field does not contain a type".to_owned(), clause),
            };
        }
        let set = match self.find(reference.module.as_ref(), &reference.name.text, scope) {
            Found::Nothing => return self.lookup(reference.module.as_ref(), &reference.name, scope).and(Err(Failed)),
            _ => self.set_named(reference, scope, None),
        };
        let Ok(set) = set else {
            let message = format!("{} is neither a class nor an object set", reference.name.text);
            return self.fail(reference.name.span, "kind", message, Clause::x681("14.1"));
        };
        let Some(class) = self.model.set(set).map(|set| set.class) else { return Err(Failed) };
        match self.field_at(class, path)? {
            FieldKind::FixedValue(ty) | FieldKind::FixedValueSet(ty) => {
                if let Some(info) = self.info_mut(id) {
                    info.pending.push(Pending::FromSet(set, field, span));
                }
                Ok(Shape::Reference(ty))
            }
            _ => self.fail(
                span,
                "kind",
                "only a fixed-type field of an object set can be used as a type; this field's type can differ in each object".to_owned(),
                clause,
            ),
        }
    }

    /// Returns the base type after references, with its structure filled in.
    pub(crate) fn base(&mut self, id: TypeId) -> Parsed<TypeId> {
        let mut path = Vec::new();
        let mut at = id;
        let base = loop {
            if let Some(known) = self.info(at).and_then(|info| info.base) {
                break known;
            }
            self.ensure_type(at)?;
            match self.model.ty(at).map(|ty| &ty.shape) {
                Some(Shape::Reference(target) | Shape::FixedField { ty: target, .. }) => {
                    path.push(at);
                    at = *target;
                }
                Some(_) => break at,
                None => return Err(Failed),
            }
            if path.len() > self.model.types.len() {
                // Only types whose structure is there lead in circles; each is refused once.
                let span = self.model.ty(id).map_or_else(Span::default, |ty| ty.span);
                for id in path {
                    if let Some(info) = self.info_mut(id) {
                        info.state = State::Failed;
                    }
                }
                let message = "this type is defined only as a reference to itself".to_owned();
                return self.fail(span, "circular", message, Clause::x680("3.8"));
            }
        };
        // Who walks along the references of each type, as back ends do, goes as far again from each.
        let mut far = self.info(at).map_or(0, |info| info.far);
        for id in path.into_iter().rev() {
            far += 1;
            if let Some(info) = self.info_mut(id) {
                (info.base, info.far) = (Some(base), far);
            }
            self.spend(self.span_of_type(id), STEP * far)?;
        }
        Ok(base)
    }
}
