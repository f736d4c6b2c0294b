//! Resolves classes (X.681 §9): fields and defaults.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use crate::Int;
use crate::ast::{self, Actual, FieldPresence, Governor, Ident};
use crate::diagnostic::Clause;
use crate::model::{
    Class, ClassField, ClassId, FieldKind, ModuleId, NamedNumber, SettingValue, Shape, SyntaxItem, TypeId, Value,
};
use crate::parse::{Failed, Parsed};
use crate::resolve::object::Settings;
use crate::resolve::spend::ITEM;
use crate::resolve::{Resolver, Scope, State, Todo};
use crate::source::Span;

/// The fields of a class, for parsing objects.
#[derive(Debug)]
pub(crate) struct Parts {
    pub(crate) name: String,
    pub(crate) fields: Vec<ClassField>,
    pub(crate) syntax: Option<Vec<SyntaxItem>>,
    /// The index of the first field with each name.
    places: HashMap<String, usize>,
    /// The fields that every object contains: those with a DEFAULT, and those that the object must set.
    pub(crate) needed: Vec<usize>,
}

impl Parts {
    pub(crate) fn place(&self, name: &str) -> Option<usize> {
        self.places.get(name).copied()
    }

    pub(crate) fn field(&self, name: &str) -> Option<&ClassField> {
        self.fields.get(self.place(name)?)
    }
}

impl Resolver<'_> {
    /// Returns the fields of a class that is already filled in. They are collected on first use.
    pub(crate) fn parts_of(&mut self, id: ClassId) -> Parsed<Rc<Parts>> {
        if let Some(parts) = self.class_parts.get(&id) {
            return Ok(Rc::clone(parts));
        }
        let Some(class) = self.model.class(id) else { return Err(Failed) };
        let mut places = HashMap::new();
        for (index, field) in class.fields.iter().enumerate() {
            places.entry(field.name.clone()).or_insert(index);
        }
        let needed = class.fields.iter().enumerate();
        let needed =
            needed.filter(|(index, field)| !field.optional || field.default.is_some() || self.has_default(id, *index));
        let needed = needed.map(|(index, _)| index).collect();
        let (name, fields, syntax) = (class.name.clone(), class.fields.clone(), class.syntax.clone());
        let bytes = fields.iter().map(|field| 256 + 2 * field.name.len() as u64).sum();
        let (span, parts) = (class.span, Rc::new(Parts { name, fields, syntax, places, needed }));
        // A class of which the fields are not all known yet has more.
        if self.class_todo.get(id.0 as usize).is_some_and(|todo| todo.state == State::Done) {
            self.class_parts.insert(id, Rc::clone(&parts));
        }
        self.spend(span, bytes)?;
        Ok(parts)
    }

    /// Creates a class whose fields are not yet known.
    pub(crate) fn new_class(&mut self, name: String, source: Rc<ast::Class>, scope: Scope) -> ClassId {
        let id = ClassId(self.model.classes.len() as u32);
        let span = source.span;
        let _ = self.spend(span, 2 * ITEM);
        let module = Some(ModuleId(scope.module));
        self.model.classes.push(Class { name, module, fields: Vec::new(), syntax: None, span });
        self.class_todo.push(Todo { state: State::Pending, scope, source });
        id
    }

    /// Returns a built-in class: TYPE-IDENTIFIER (X.681 Annex A) or ABSTRACT-SYNTAX (Annex B).
    pub(crate) fn class_of_the_language(&mut self, index: usize) -> Option<ClassId> {
        if let Some(id) = self.classes_of_the_language.get(index).copied().flatten() {
            return Some(id);
        }
        let scope = Scope { module: 0, env: 0 };
        let span = Span::default();
        let name = if index == 0 { "TYPE-IDENTIFIER" } else { "ABSTRACT-SYNTAX" };
        let source = Rc::new(ast::Class { fields: Vec::new(), syntax: None, span });
        let id = self.new_class(name.to_owned(), source, scope);
        let oid = self.new_type(scope, span, None, State::Done);
        self.set_shape(oid, Shape::ObjectIdentifier);
        let field = |name: &str, kind: FieldKind| ClassField {
            name: name.to_owned(),
            unique: name == "&id",
            kind,
            optional: false,
            default: None,
            span,
        };
        let mut fields = vec![field("&id", FieldKind::FixedValue(oid)), field("&Type", FieldKind::Type)];
        let literal = |word: &str| SyntaxItem::Literal(word.to_owned());
        let placed = |name: &str| SyntaxItem::Field(name.to_owned());
        let mut syntax = vec![placed("&Type"), literal("IDENTIFIED"), literal("BY"), placed("&id")];
        if index == 1 {
            let bits = self.new_type(scope, span, None, State::Done);
            let invalid = NamedNumber { name: "handles-invalid-encodings".to_owned(), number: Int::ZERO, span };
            self.set_shape(bits, Shape::BitString(vec![invalid]));
            let default = Some(SettingValue::Value(Value::BitString(crate::model::Bits::default())));
            fields.push(ClassField { default, ..field("&property", FieldKind::FixedValue(bits)) });
            syntax.push(SyntaxItem::Optional(vec![literal("HAS"), literal("PROPERTY"), placed("&property")]));
        }
        if let Some(class) = self.model.classes.get_mut(id.0 as usize) {
            (class.module, class.fields, class.syntax) = (None, fields, Some(syntax));
        }
        if let Some(todo) = self.class_todo.get_mut(id.0 as usize) {
            todo.state = State::Done;
        }
        if let Some(slot) = self.classes_of_the_language.get_mut(index) {
            *slot = Some(id);
        }
        Some(id)
    }

    /// Fills in the fields of a class, unless already done.
    pub(crate) fn ensure_class(&mut self, id: ClassId) -> Parsed<()> {
        let Some(todo) = self.class_todo.get_mut(id.0 as usize) else { return Err(Failed) };
        match todo.state {
            State::Done | State::Busy => return Ok(()),
            State::Failed => return Err(Failed),
            State::Pending => todo.state = State::Busy,
        }
        let (source, scope) = (Rc::clone(&todo.source), todo.scope);
        let kinds = self.field_kinds(id, &source, scope);
        let mut fields: Vec<ClassField> = Vec::new();
        let mut names: HashSet<&str> = HashSet::new();
        for ((index, field), kind) in source.fields.iter().enumerate().zip(kinds) {
            let name = field.name.text.clone();
            if !names.insert(&field.name.text) {
                let message = format!("duplicate field {name} in the class");
                self.error(field.name.span, "duplicate", message, Clause::x681("9.5"));
            }
            if field.unique && !matches!(kind, FieldKind::FixedValue(_)) {
                let message = "only a fixed-type value field can be UNIQUE".to_owned();
                self.error(field.name.span, "kind", message, Clause::x681("9.8"));
            }
            if let FieldPresence::Default(actual) = &field.presence {
                if field.unique {
                    let message = "a UNIQUE field cannot have a DEFAULT".to_owned();
                    self.error(field.name.span, "kind", message, Clause::x681("9.9"));
                }
                self.class_defaults.insert((id.0, index), (Rc::new(actual.clone()), scope));
            }
            let optional = matches!(field.presence, FieldPresence::Optional);
            fields.push(ClassField { name, kind, optional, default: None, unique: field.unique, span: field.span });
        }
        let known: HashSet<&str> = fields.iter().map(|field| field.name.as_str()).collect();
        let syntax = source.syntax.as_deref().map(|items| self.syntax_items(items, &known));
        if let Some(class) = self.model.classes.get_mut(id.0 as usize) {
            (class.fields, class.syntax) = (fields, syntax);
        }
        if let Some(todo) = self.class_todo.get_mut(id.0 as usize) {
            todo.state = State::Done;
        }
        Ok(())
    }

    /// Resolves the kinds of the fields.
    fn field_kinds(&mut self, id: ClassId, source: &ast::Class, scope: Scope) -> Vec<FieldKind> {
        let is_late = |field: &ast::Field| match &field.governor {
            Some(Governor::Type(ty)) => matches!(ty.kind, ast::TypeKind::Field(..)),
            _ => false,
        };
        let mut kinds: Vec<Option<FieldKind>> = Vec::new();
        for field in &source.fields {
            let kind = if is_late(field) { None } else { Some(self.field_kind(field, scope)) };
            if let (Some(kind), Some(class)) = (&kind, self.model.classes.get_mut(id.0 as usize)) {
                let (name, span) = (field.name.text.clone(), field.span);
                let kind = kind.clone();
                class.fields.push(ClassField { name, kind, optional: true, default: None, unique: false, span });
            }
            kinds.push(kind);
        }
        let fields = source.fields.iter().zip(kinds);
        fields.map(|(field, kind)| kind.unwrap_or_else(|| self.field_kind(field, scope))).collect()
    }

    fn field_kind(&mut self, field: &ast::Field, scope: Scope) -> FieldKind {
        match &field.governor {
            None => FieldKind::Type,
            Some(Governor::Field(path)) => {
                let path = path.iter().map(|name| name.text.clone()).collect();
                if field.is_upper { FieldKind::VariableValueSet(path) } else { FieldKind::VariableValue(path) }
            }
            Some(Governor::Type(ty)) => match (self.class_of(ty, scope), field.is_upper) {
                (Some(class), false) => FieldKind::Object(class),
                (Some(class), true) => FieldKind::ObjectSet(class),
                (None, false) => FieldKind::FixedValue(self.type_of(ty, scope)),
                (None, true) => FieldKind::FixedValueSet(self.type_of(ty, scope)),
            },
        }
    }

    /// Resolves WITH SYNTAX. Checks that each field in it belongs to the class, and that all required fields are present (X.681
    /// §10.6, §10.7).
    fn syntax_items(&mut self, items: &[ast::SyntaxItem], fields: &HashSet<&str>) -> Vec<SyntaxItem> {
        items
            .iter()
            .map(|item| match item {
                ast::SyntaxItem::Literal(word) => SyntaxItem::Literal(word.text.clone()),
                ast::SyntaxItem::Field(name) => {
                    if !fields.contains(name.text.as_str()) {
                        let message = format!("the class has no field {}", name.text);
                        self.error(name.span, "undefined", message, Clause::x681("10.7"));
                    }
                    SyntaxItem::Field(name.text.clone())
                }
                // The parser bounds how deep groups nest.
                ast::SyntaxItem::Optional(inner) => SyntaxItem::Optional(self.syntax_items(inner, fields)),
            })
            .collect()
    }

    /// Returns the DEFAULT of a field, which is computed on first use.
    pub(crate) fn class_default(&mut self, class: ClassId, index: usize) -> Parsed<Option<SettingValue>> {
        let field = self.model.class(class).and_then(|class| class.fields.get(index));
        let Some(field) = field else { return Err(Failed) };
        if let Some(default) = &field.default {
            let (bytes, span) = (ITEM + default.bytes() + field.name.len() as u64, field.span);
            self.spend(span, bytes)?;
            let field = self.model.class(class).and_then(|class| class.fields.get(index));
            return Ok(field.and_then(|field| field.default.clone()));
        }
        let (kind, span) = (field.kind.clone(), field.span);
        let Some((actual, scope)) = self.class_defaults.remove(&(class.0, index)) else { return Ok(None) };
        let default = self.setting_of(&actual, &kind, scope, &Settings::default(), span)?;
        if let Some(field) = self.model.classes.get_mut(class.0 as usize).and_then(|class| class.fields.get_mut(index))
        {
            field.default = Some(default.clone());
        }
        Ok(Some(default))
    }

    /// Computes the DEFAULTs of class fields that are not computed yet, because no object uses them.
    pub(crate) fn fill_class_defaults(&mut self) {
        let mut open: Vec<(u32, usize)> = self.class_defaults.keys().copied().collect();
        open.sort_unstable();
        for (class, index) in open {
            // A DEFAULT governed by another field has no meaning without an object.
            let kind = self.model.classes.get(class as usize).and_then(|class| class.fields.get(index));
            if matches!(
                kind.map(|field| &field.kind),
                Some(FieldKind::VariableValue(_) | FieldKind::VariableValueSet(_))
            ) {
                self.class_defaults.remove(&(class, index));
                continue;
            }
            let _ = self.class_default(ClassId(class), index);
        }
    }

    /// Follows a path of fields, starting in a class.
    pub(crate) fn field_at(&mut self, class: ClassId, path: &[Ident]) -> Parsed<FieldKind> {
        let mut class = class;
        let Some((last, before)) = path.split_last() else { return Err(Failed) };
        for name in before {
            match self.field_of(class, name)? {
                FieldKind::Object(next) | FieldKind::ObjectSet(next) => class = next,
                _ => {
                    let message = format!("{} does not contain objects", name.text);
                    return self.fail(name.span, "kind", message, Clause::x681("9.13"));
                }
            }
        }
        self.field_of(class, last)
    }

    fn field_of(&mut self, class: ClassId, name: &Ident) -> Parsed<FieldKind> {
        self.ensure_class(class)?;
        let parts = self.parts_of(class)?;
        match parts.field(&name.text) {
            Some(field) => Ok(field.kind.clone()),
            None => {
                let message = format!("the class {} has no field {}", parts.name, name.text);
                self.fail(name.span, "undefined", message, Clause::x681("14.1"))
            }
        }
    }

    /// Returns the type of the values in a field, if the class fixes it.
    pub(crate) fn fixed_type(&mut self, class: ClassId, path: &[Ident]) -> Parsed<Option<TypeId>> {
        Ok(match self.field_at(class, path)? {
            FieldKind::FixedValue(ty) | FieldKind::FixedValueSet(ty) => Some(ty),
            _ => None,
        })
    }

    /// Resolves an actual parameter or a setting to the value of a field.
    pub(crate) fn setting_of(
        &mut self,
        actual: &Actual,
        kind: &FieldKind,
        scope: Scope,
        siblings: &Settings,
        span: Span,
    ) -> Parsed<SettingValue> {
        let governed = |path: &[String]| match path.first().and_then(|first| siblings.value(first)) {
            Some(SettingValue::Type(ty)) => Some(*ty),
            _ => None,
        };
        let clause = Clause::x681("11.7");
        match kind {
            FieldKind::Type => match actual {
                Actual::Type(ty) => Ok(SettingValue::Type(self.type_of(ty, scope))),
                Actual::Value(ast::Value { kind: ast::ValueKind::Null, span }) => {
                    let ty = null_type(*span);
                    Ok(SettingValue::Type(self.type_of(&ty, scope)))
                }
                _ => self.fail(span, "kind", "expected a type".to_owned(), clause),
            },
            FieldKind::FixedValue(ty) => self.value_setting(actual, *ty, scope, span),
            FieldKind::VariableValue(path) => match governed(path) {
                Some(ty) => self.value_setting(actual, ty, scope, span),
                None => self.fail(span, "kind", "the type of this value is not defined".to_owned(), clause),
            },
            FieldKind::FixedValueSet(ty) => self.value_set_setting(actual, *ty, scope, span),
            FieldKind::VariableValueSet(path) => match governed(path) {
                Some(ty) => self.value_set_setting(actual, ty, scope, span),
                None => self.fail(span, "kind", "the type of these values is not defined".to_owned(), clause),
            },
            FieldKind::Object(class) => match actual {
                Actual::Value(value) => Ok(SettingValue::Object(self.object_of(value, *class, scope)?)),
                Actual::Braced(braced) => {
                    let value = ast::Value { kind: ast::ValueKind::Braced(*braced), span: braced.span };
                    Ok(SettingValue::Object(self.object_of(&value, *class, scope)?))
                }
                Actual::Type(_) => self.fail(span, "kind", "expected an object".to_owned(), clause),
            },
            FieldKind::ObjectSet(class) => {
                Ok(SettingValue::ObjectSet(self.set_of(actual, Some(*class), scope, span)?))
            }
        }
    }

    fn value_setting(&mut self, actual: &Actual, ty: TypeId, scope: Scope, span: Span) -> Parsed<SettingValue> {
        let value = match actual {
            Actual::Value(value) => self.eval(value, scope, ty)?,
            Actual::Braced(braced) => {
                let value = ast::Value { kind: ast::ValueKind::Braced(*braced), span: braced.span };
                self.eval(&value, scope, ty)?
            }
            Actual::Type(ast::Type { kind: ast::TypeKind::Null, .. }) => Value::Null,
            Actual::Type(_) => return self.fail(span, "kind", "expected a value".to_owned(), Clause::x681("11.7")),
        };
        Ok(SettingValue::Value(value))
    }

    fn value_set_setting(&mut self, actual: &Actual, ty: TypeId, scope: Scope, span: Span) -> Parsed<SettingValue> {
        match actual {
            Actual::Braced(braced) => {
                let sets = self.inside_whole(*braced, |parser| parser.element_sets())?;
                Ok(SettingValue::ValueSet(self.value_set(ty, sets, scope)))
            }
            Actual::Type(ty) => Ok(SettingValue::ValueSet(self.type_of(ty, scope))),
            Actual::Value(_) => self.fail(span, "kind", "expected a value set".to_owned(), Clause::x681("11.7")),
        }
    }
}

/// Creates the type NULL, for a `NULL` that was parsed as a value.
pub(crate) fn null_type(span: Span) -> ast::Type {
    ast::Type { tags: Vec::new(), prefixes: None, kind: ast::TypeKind::Null, constraints: Vec::new(), span }
}
