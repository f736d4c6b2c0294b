//! Resolves table constraints and component relations (X.682 §10).

use crate::ast::{Actual, AtPath, Braced, Element, ElementSets, Ref, Set, Value, ValueKind};
use crate::diagnostic::Clause;
use crate::lex::TokenKind;
use crate::model::{ClassId, FieldKind, Fields, Selector, SetId, Shape, Table, TypeId};
use crate::parse::{Failed, Parsed};
use crate::resolve::names::Found;
use crate::resolve::{Entity, Resolver, Scope, State};
use crate::source::Span;
use crate::words::is_reserved;

const TABLE: Clause = Clause::x682("10.3");

impl Resolver<'_> {
    /// Resolves the table that a constraint refers to, and the components that select its rows.
    pub(crate) fn table(&mut self, id: TypeId, set: &Ref, at: &[AtPath], scope: Scope, span: Span) -> Parsed<Table> {
        let Some(class) = self.class_held(id) else {
            let message = "only a class field can be constrained by an object set".to_owned();
            return self.fail(span, "constraint", message, TABLE);
        };
        self.check_instance(id, at)?;
        let set_id = self.set_named(set, scope, Some(class))?;
        self.check_table(set_id, class, set.name.span)?;
        let mut selectors = Vec::new();
        for path in at {
            selectors.push(self.selector(id, path, Some(set_id))?);
        }
        Ok(Table { set: set_id, selectors })
    }

    /// Resolves a table constraint with an unnamed object set: `({one | other, ...})`, `({Set.&Field})` (X.682 §10.3).
    /// Depending on their content, the same braces may instead contain a value of the type.
    pub(crate) fn inline_table(
        &mut self,
        id: TypeId,
        sets: &ElementSets,
        at: &[AtPath],
        scope: Scope,
    ) -> Parsed<Option<Table>> {
        let Some(Set::Element(Element::Value(Value { kind: ValueKind::Braced(braced), span }), _)) = &sets.root else {
            return Ok(None);
        };
        let Some(class) = self.class_held(id).filter(|_| !sets.extensible) else { return Ok(None) };
        if !self.holds_objects(*braced, id, scope) {
            return Ok(None);
        }
        self.check_instance(id, at)?;
        let set = self.set_of(&Actual::Braced(*braced), Some(class), scope, *span)?;
        self.check_table(set, class, *span)?;
        let selectors = at.iter().map(|path| self.selector(id, path, None)).collect::<Parsed<Vec<_>>>()?;
        Ok(Some(Table { set, selectors }))
    }

    /// Returns whether braces contain objects and object sets rather than a value of a type.
    fn holds_objects(&mut self, braced: Braced, id: TypeId, scope: Scope) -> bool {
        let files = self.files;
        let Some((tokens, _)) = files.get(braced.span.file as usize) else { return false };
        let (first, second) = (tokens.at(braced.open as usize + 1), tokens.at(braced.open as usize + 2));
        let base = self.base(id).ok().and_then(|base| self.model.ty(base)).map(|base| &base.shape);
        // Values of these have braces, too, in which others are.
        let has_parts =
            matches!(base, Some(Shape::SequenceOf(_) | Shape::SetOf(_) | Shape::Sequence(_) | Shape::Set(_)));
        match first.kind {
            TokenKind::Ellipsis => true,
            TokenKind::Symbol(b'{' | b'(') => !has_parts,
            // A type before `:` begins a value of an open type.
            TokenKind::Upper => !matches!(second.kind, TokenKind::Symbol(b':')) && !is_reserved(tokens.text(first)),
            TokenKind::Lower if matches!(second.kind, TokenKind::Symbol(b'(' | b':')) => false,
            TokenKind::Lower => match self.find(None, tokens.text(first), scope) {
                Found::Def(def) => matches!(self.entity(def), Some(Entity::Object(_))),
                Found::Parameter(env, index) => {
                    let bound = self.envs.get(env as usize).and_then(|env| env.parameters.get(index));
                    let governor = bound.and_then(|bound| bound.governor.clone());
                    let outer = self.scope_of_env(env);
                    governor.is_some_and(|governor| self.class_of(&governor, outer).is_some())
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// Checks that the objects of a table are of the field's class.
    fn check_table(&mut self, set_id: SetId, class: ClassId, span: Span) -> Parsed<()> {
        let of = self.model.set(set_id).map(|set| set.class);
        if of.is_some_and(|of| of != class) {
            let name = |id: ClassId| self.model.class(id).map(|class| class.name.clone()).unwrap_or_default();
            let message = format!(
                "the set has the class {}, but the field has the class {}",
                of.map(name).unwrap_or_default(),
                name(class)
            );
            // RFC 5958 has a set of another class, without objects: it holds none of either class.
            self.ensure_set(set_id)?;
            let is_empty = self.model.set(set_id).is_some_and(|set| set.objects.is_empty() && set.extensible);
            if !is_empty {
                return self.fail(span, "kind", message, TABLE);
            }
            self.warn(span, "kind", message, TABLE);
        }
        Ok(())
    }

    /// Returns the class and field from which a type's values come.
    pub(crate) fn field_held(&mut self, id: TypeId) -> Option<(ClassId, Vec<String>)> {
        let mut at = id;
        // The base is known, so references end.
        self.base(id).ok()?;
        loop {
            match &self.model.ty(at)?.shape {
                Shape::Reference(target) => at = *target,
                Shape::FixedField { class, field, .. } => return Some((*class, field.clone())),
                Shape::Open(open) => return Some((open.class?, open.field.clone())),
                _ => return None,
            }
        }
    }

    /// Returns the class of the field in a type, or that of the objects of an INSTANCE OF.
    fn class_held(&mut self, id: TypeId) -> Option<ClassId> {
        if let Some((class, _)) = self.field_held(id) {
            return Some(class);
        }
        let base = self.base(id).ok()?;
        match self.model.ty(base)?.shape {
            Shape::InstanceOf { class, .. } => Some(class),
            _ => None,
        }
    }

    /// Checks a table constraint on an INSTANCE OF: it has no selectors (X.682 §10.3). It must be written with the type, because
    /// it changes the type's components.
    fn check_instance(&mut self, id: TypeId, at: &[AtPath]) -> Parsed<()> {
        if self.field_held(id).is_some() {
            return Ok(());
        }
        if let Some(path) = at.first() {
            let message = "unexpected path: INSTANCE OF selects its type itself".to_owned();
            return self.fail(path.span, "constraint", message, TABLE);
        }
        if !matches!(self.model.ty(id).map(|ty| &ty.shape), Some(Shape::InstanceOf { .. })) {
            let message = "not supported: an object set for a reference to INSTANCE OF, expected it after the class";
            return self.fail(self.span_of_type(id), "constraint", message.to_owned(), TABLE);
        }
        Ok(())
    }

    /// Applies the table constraint of an INSTANCE OF to its components (X.681 Annex C): the identifier is that of an object in the
    /// set, which selects the type of the value.
    pub(crate) fn put_instance(&mut self, table: &Table, id: TypeId) {
        let Some(Shape::InstanceOf { fields, .. }) = self.model.ty(id).map(|ty| &ty.shape) else { return };
        let [type_id, value] = fields.list.as_slice() else { return };
        let (name, type_id, value) = (type_id.name.clone(), type_id.ty, value.ty);
        let span = self.span_of_type(id);
        let selector = Selector { level: 1, path: vec![name], up: 0, field: vec!["&id".to_owned()], span };
        let of_value = Table { set: table.set, selectors: vec![selector] };
        for (part, table) in [(type_id, table), (value, &of_value)] {
            // Those of the class's types come first.
            let _ = self.ensure_constraints_for(part, span);
            let Some(ty) = self.type_mut(part) else { continue };
            ty.constraints.table = Some(table.clone());
            ty.effective.table = Some(table.clone());
            if let Shape::Open(open) = &mut ty.shape {
                open.table = Some(table.clone());
            }
        }
    }

    /// Returns the SEQUENCEs, SETs and CHOICEs that enclose a type in its text, innermost first.
    pub(crate) fn around(&self, id: TypeId) -> Vec<TypeId> {
        let mut around = Vec::new();
        let mut at = self.info(id).and_then(|info| info.parent);
        while let Some(parent) = at {
            let shape = self.model.ty(parent).map(|ty| &ty.shape);
            // While a type is filled in, its shape is not there yet; lists have theirs last, too, so that the tree tells.
            if !matches!(shape, Some(Shape::SequenceOf(_) | Shape::SetOf(_))) {
                around.push(parent);
            }
            at = self.info(parent).and_then(|info| info.parent);
        }
        around
    }

    /// Resolves the component that selects a row of a set. If a set constrains the component, it must be the same one. This is not
    /// checked for sets without names, which are a departure.
    fn selector(&mut self, id: TypeId, path: &AtPath, set: Option<SetId>) -> Parsed<Selector> {
        let around = self.around(id);
        let up = match path.level {
            0 => around.len().checked_sub(1),
            level => Some(level as usize - 1),
        };
        let start = up.and_then(|up| Some((up, around.get(up).copied()?)));
        let Some((up, mut at)) = start else {
            let message = "no enclosing SEQUENCE, SET or CHOICE at the start of the path".to_owned();
            return self.fail(path.span, "path", message, Clause::x682("10.8"));
        };
        for name in &path.names {
            let base = self.base(at)?;
            let has_components = matches!(
                self.model.ty(base).map(|ty| &ty.shape),
                Some(Shape::Sequence(_) | Shape::Set(_) | Shape::Choice(_))
            );
            let Some(component) = has_components.then(|| self.component_of(base, &name.text)).flatten() else {
                let message = format!("unknown component {}", name.text);
                return self.fail(name.span, "undefined", message, Clause::x682("10.8"));
            };
            at = component;
        }
        let held = self.field_held(at);
        let Some((class, field)) = held else {
            let message = "the selecting component must be a class field".to_owned();
            return self.fail(path.span, "kind", message, Clause::x682("10.11"));
        };
        let parts = self.parts_of(class)?;
        let last = field.last().and_then(|name| parts.field(name));
        // Fields of fields are looked at where the path was made.
        let is_fixed = field.len() > 1 || last.is_some_and(|last| matches!(last.kind, FieldKind::FixedValue(_)));
        if !is_fixed {
            let message = "the selecting component must contain a value of a single type".to_owned();
            return self.fail(path.span, "kind", message, Clause::x682("10.11"));
        }
        self.ensure_constraints_for(at, path.span)?;
        let other = self.model.ty(at).and_then(|ty| ty.effective.table.as_ref()).map(|table| table.set);
        if let (Some(set), Some(other)) = (set, other)
            && !self.are_same_objects(set, other, path.span)?
        {
            let message = "the selecting component is constrained by another object set".to_owned();
            return self.fail(path.span, "constraint", message, Clause::x682("10.11"));
        }
        Ok(Selector {
            level: path.level,
            path: path.names.iter().map(|name| name.text.clone()).collect(),
            up: up as u32,
            field,
            span: path.span,
        })
    }

    /// Returns whether two sets have the same objects. A parameter that is a set may be given twice under two names.
    fn are_same_objects(&mut self, one: SetId, other: SetId, span: Span) -> Parsed<bool> {
        if one == other {
            return Ok(true);
        }
        self.ensure_set(one)?;
        self.ensure_set(other)?;
        let (Some(a), Some(b)) = (self.model.set(one), self.model.set(other)) else { return Err(Failed) };
        let is_same = a.objects == b.objects && a.extensible == b.extensible;
        let compared = a.objects.len().min(b.objects.len()) as u64;
        self.spend(span, compared)?;
        Ok(is_same)
    }

    /// Resolves `INSTANCE OF CLASS` (X.681 Annex C): a SEQUENCE of the identifier and the value.
    pub(crate) fn instance_of(&mut self, id: TypeId, reference: &Ref, scope: Scope, span: Span) -> Parsed<Shape> {
        use crate::model::{Field, OpenType, Presence, Tag, TagClass, Tagging};
        let as_type = crate::ast::Type {
            tags: Vec::new(),
            prefixes: None,
            kind: crate::ast::TypeKind::Reference(reference.clone()),
            constraints: Vec::new(),
            span: reference.name.span,
        };
        let Some(class) = self.class_of(&as_type, scope) else {
            let message = "expected a class after INSTANCE OF".to_owned();
            return self.fail(span, "kind", message, Clause::x681("C.2"));
        };
        self.ensure_class(class)?;
        let kind = self.model.class(class).and_then(|class| class.field("&id")).map(|field| field.kind.clone());
        let has_type = self.model.class(class).is_some_and(|class| class.field("&Type").is_some());
        let (Some(FieldKind::FixedValue(oid)), true) = (kind, has_type) else {
            let message = "INSTANCE OF is only for classes like TYPE-IDENTIFIER".to_owned();
            return self.fail(span, "kind", message, Clause::x681("C.2"));
        };
        let type_id = self.new_type(scope, span, None, State::Done);
        self.set_shape(type_id, Shape::FixedField { class, field: vec!["&id".to_owned()], ty: oid });
        let value = self.new_type(scope, span, None, State::Done);
        let field = vec!["&Type".to_owned()];
        let open = OpenType { class: Some(class), field, table: None, defined_by: None, fixed: None };
        self.set_shape(value, Shape::Open(open));
        let tag = Tag { class: TagClass::Context, number: 0 };
        if let Some(ty) = self.type_mut(value) {
            ty.tags.push(Tagging { tag, explicit: true, automatic: false });
        }
        for (inner, words) in [(type_id, Vec::new()), (value, vec![Some(true)])] {
            if let Some(info) = self.info_mut(inner) {
                (info.parent, info.words) = (Some(id), words);
            }
        }
        let field =
            |name: &str, ty| Field { name: name.to_owned(), ty, presence: Presence::Required, group: None, span };
        let list = vec![field("type-id", type_id), field("value", value)];
        Ok(Shape::InstanceOf { class, fields: Fields { list, marker: None } })
    }

    /// Returns the position of a type, for messages.
    pub(crate) fn span_of_type(&self, id: TypeId) -> Span {
        self.model.ty(id).map_or_else(Span::default, |ty| ty.span)
    }
}
