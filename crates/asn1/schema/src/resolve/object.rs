//! Resolves objects and their field settings (X.681 §11).

use std::collections::HashMap;
use std::rc::Rc;

use crate::ast::{self, Actual, Ident, Ref, ValueKind};
use crate::diagnostic::Clause;
use crate::lex::TokenKind;
use crate::model::{ClassId, ModuleId, Object, ObjectId, Setting, SettingValue};
use crate::parse::{Failed, Parsed};
use crate::resolve::names::Found;
use crate::resolve::{Entity, Resolver, Scope, State, Todo, spend};
use crate::source::Span;

/// The known settings of an object's fields.
#[derive(Default)]
pub(crate) struct Settings {
    list: Vec<Setting>,
    places: HashMap<String, usize>,
}

impl Settings {
    pub(crate) fn value(&self, field: &str) -> Option<&SettingValue> {
        self.list.get(*self.places.get(field)?).map(|setting| &setting.value)
    }

    fn add(&mut self, field: &str, value: SettingValue, is_default: bool) {
        self.places.insert(field.to_owned(), self.list.len());
        self.list.push(Setting { field: field.to_owned(), value, is_default });
    }
}

impl Resolver<'_> {
    /// Creates an object whose fields are not yet known.
    pub(crate) fn new_object(
        &mut self,
        name: Option<String>,
        class: ClassId,
        source: Rc<ast::Value>,
        scope: Scope,
        span: Span,
    ) -> ObjectId {
        let _ = self.spend(span, spend::ITEM);
        let id = ObjectId(self.model.objects.len() as u32);
        let module = ModuleId(scope.module);
        self.model.objects.push(Object { name, module, class, settings: Vec::new(), span });
        self.object_todo.push(Todo { state: State::Pending, scope, source });
        id
    }

    /// Fills in the fields of an object, unless already done.
    pub(crate) fn ensure_object(&mut self, id: ObjectId) -> Parsed<()> {
        let Some(todo) = self.object_todo.get_mut(id.0 as usize) else { return Err(Failed) };
        let (source, scope, state) = (Rc::clone(&todo.source), todo.scope, todo.state);
        match state {
            State::Done => return Ok(()),
            State::Failed => return Err(Failed),
            State::Busy => {
                let message = "this object is defined in terms of itself".to_owned();
                return self.fail(source.span, "circular", message, Clause::x681("11.4"));
            }
            State::Pending => todo.state = State::Busy,
        }
        let Some(class) = self.model.object(id).map(|object| object.class) else { return Err(Failed) };
        let filled = self.deeper(source.span, |resolver| resolver.settings(&source, class, scope));
        if let Some(todo) = self.object_todo.get_mut(id.0 as usize) {
            todo.state = if filled.is_ok() { State::Done } else { State::Failed };
        }
        let (settings, same) = filled?;
        if let Some(same) = same {
            self.same_objects.insert(id, self.same_objects.get(&same).copied().unwrap_or(same));
        }
        if let Some(object) = self.model.objects.get_mut(id.0 as usize) {
            object.settings = settings;
        }
        Ok(())
    }

    /// Resolves the settings of the fields, and the object that this one is an alias of, if any.
    fn settings(
        &mut self,
        source: &ast::Value,
        class: ClassId,
        scope: Scope,
    ) -> Parsed<(Vec<Setting>, Option<ObjectId>)> {
        self.ensure_class(class)?;
        match &source.kind {
            ValueKind::Braced(braced) => Ok((self.braced_settings(*braced, class, scope)?, None)),
            ValueKind::Reference(..) => {
                let id = self.object_of(source, class, scope)?;
                self.ensure_object(id)?;
                let settings = self.model.object(id).map(|object| object.settings.as_slice()).unwrap_or_default();
                let bytes = settings.iter().map(Setting::bytes).sum();
                self.spend(source.span, bytes)?;
                Ok((self.model.object(id).map(|object| object.settings.clone()).unwrap_or_default(), Some(id)))
            }
            _ => self.fail(source.span, "kind", "expected an object".to_owned(), Clause::x681("11.3")),
        }
    }

    fn braced_settings(&mut self, braced: ast::Braced, class: ClassId, scope: Scope) -> Parsed<Vec<Setting>> {
        let parts = self.parts_of(class)?;
        let given = match &parts.syntax {
            Some(items) => {
                let kinds = |name: &str| parts.field(name).map(|field| field.kind.clone());
                self.inside_whole(braced, |parser| parser.defined_syntax(items, &kinds))?
            }
            None => self.inside_whole(braced, |parser| parser.default_syntax())?,
        };
        let mut settings = Settings::default();
        // Values governed by another field come after types.
        let is_late = |name: &Ident| {
            use crate::model::FieldKind::{VariableValue, VariableValueSet};
            parts.field(&name.text).is_some_and(|field| matches!(field.kind, VariableValue(_) | VariableValueSet(_)))
        };
        for late in [false, true] {
            for (field, actual) in given.iter().filter(|(field, _)| is_late(field) == late) {
                let Some(known) = parts.field(&field.text) else {
                    let message = format!("the class {} has no field {}", parts.name, field.text);
                    return self.fail(field.span, "undefined", message, Clause::x681("11.4"));
                };
                if settings.value(&field.text).is_some() {
                    let message = format!("duplicate setting of {}", field.text);
                    self.error(field.span, "duplicate", message, Clause::x681("11.4"));
                    continue;
                }
                let value = self.setting_of(actual, &known.kind, scope, &settings, field.span)?;
                settings.add(&field.text, value, false);
            }
        }
        for index in parts.needed.iter().copied() {
            let Some(field) = parts.fields.get(index) else { continue };
            if settings.value(&field.name).is_some() {
                continue;
            }
            if let Some(value) = self.class_default(class, index)? {
                settings.add(&field.name, value, true);
            } else if !field.optional && !self.has_default(class, index) {
                let message = format!("{} is not set, but the class {} requires it", field.name, parts.name);
                self.error(braced.span, "missing", message, Clause::x681("11.4"));
            }
        }
        Ok(settings.list)
    }

    pub(crate) fn has_default(&self, class: ClassId, index: usize) -> bool {
        let todo = self.class_todo.get(class.0 as usize);
        let field = todo.and_then(|todo| todo.source.fields.get(index));
        field.is_some_and(|field| matches!(field.presence, ast::FieldPresence::Default(_)))
    }

    /// Returns the object that a value denotes.
    pub(crate) fn object_of(&mut self, value: &ast::Value, class: ClassId, scope: Scope) -> Parsed<ObjectId> {
        match &value.kind {
            ValueKind::Braced(_) => Ok(self.new_object(None, class, Rc::new(value.clone()), scope, value.span)),
            ValueKind::Reference(reference, fields) => {
                let mut id = self.object_named(reference, scope, Some(class))?;
                if !fields.is_empty() {
                    match self.setting_at(id, fields)? {
                        SettingValue::Object(inner) => id = inner,
                        _ => {
                            let message = "this field does not contain an object".to_owned();
                            return self.fail(value.span, "kind", message, Clause::x681("15.1"));
                        }
                    }
                }
                self.check_class(id, class, value.span)?;
                Ok(id)
            }
            _ => self.fail(value.span, "kind", "expected an object".to_owned(), Clause::x681("11.3")),
        }
    }

    fn check_class(&mut self, id: ObjectId, class: ClassId, span: Span) -> Parsed<()> {
        let Some(is) = self.model.object(id).map(|object| object.class) else { return Err(Failed) };
        if is == class {
            return Ok(());
        }
        let name = |id: ClassId| self.model.class(id).map(|class| class.name.clone()).unwrap_or_default();
        let message = format!("expected an object of the class {}; this is one of {}", name(class), name(is));
        self.fail(span, "kind", message, Clause::x681("11.2"))
    }

    /// Returns the object with the given name.
    pub(crate) fn object_named(&mut self, reference: &Ref, scope: Scope, class: Option<ClassId>) -> Parsed<ObjectId> {
        let name = &reference.name;
        let entity = match self.lookup(reference.module.as_ref(), name, scope)? {
            Found::Parameter(env, index) => return self.parameter_object(env, index, class, name.span),
            Found::Def(def) => match &reference.actuals {
                Some(actuals) => Some(self.instantiate(def, actuals, scope, name.span)?),
                None => self.entity(def),
            },
            Found::Language(_) | Found::Nothing => None,
        };
        match entity {
            Some(Entity::Object(id)) => Ok(id),
            Some(Entity::Skipped) | None => Err(Failed),
            Some(_) => {
                let message = format!("expected an object, found {}", name.text);
                self.fail(name.span, "kind", message, Clause::x681("11.3"))
            }
        }
    }

    fn parameter_object(&mut self, env: u32, index: usize, class: Option<ClassId>, span: Span) -> Parsed<ObjectId> {
        let Some(bound) = self.envs.get(env as usize).and_then(|env| env.parameters.get(index)) else {
            return Err(Failed);
        };
        let (actual, scope, known) = (Rc::clone(&bound.actual), bound.scope, bound.known);
        let governor = bound.governor.clone();
        if let Some(Entity::Object(id)) = known {
            return Ok(id);
        }
        let outer = self.scope_of_env(env);
        let class = governor.and_then(|governor| self.class_of(&governor, outer)).or(class);
        let value = match &*actual {
            Actual::Value(value) => value.clone(),
            Actual::Braced(braced) => ast::Value { kind: ValueKind::Braced(*braced), span: braced.span },
            Actual::Type(_) => {
                return self.fail(
                    span,
                    "parameters",
                    "this parameter is not an object".to_owned(),
                    Clause::x683("9.5"),
                );
            }
        };
        let Some(class) = class else { return Err(Failed) };
        let id = self.object_of(&value, class, scope)?;
        if let Some(bound) = self.envs.get_mut(env as usize).and_then(|env| env.parameters.get_mut(index)) {
            bound.known = Some(Entity::Object(id));
        }
        Ok(id)
    }

    /// Follows a path of fields, starting from an object.
    pub(crate) fn setting_at(&mut self, object: ObjectId, path: &[Ident]) -> Parsed<SettingValue> {
        let mut object = object;
        let Some((last, before)) = path.split_last() else { return Err(Failed) };
        for name in before {
            match self.setting(object, name)? {
                SettingValue::Object(next) => object = next,
                _ => {
                    let message = format!("{} does not contain objects", name.text);
                    return self.fail(name.span, "kind", message, Clause::x681("15.1"));
                }
            }
        }
        self.setting(object, last)
    }

    fn setting(&mut self, object: ObjectId, name: &Ident) -> Parsed<SettingValue> {
        self.ensure_object(object)?;
        let found = self.model.object(object).map(|object| (object.setting(&name.text), object.settings.len()));
        let found = found.map(|(value, count)| (value.cloned(), value.map_or(0, SettingValue::bytes), count));
        match found {
            Some((Some(value), bytes, count)) => {
                // The fields were gone through for it.
                self.spend(name.span, bytes + 8 * count as u64)?;
                Ok(value)
            }
            _ => {
                let message = format!("the object does not set the field {}", name.text);
                self.fail(name.span, "undefined", message, Clause::x681("15.4"))
            }
        }
    }
}

impl crate::parse::Parser<'_> {
    /// Parses `&id 5, &Type INTEGER` (X.681 §11.5).
    pub(crate) fn default_syntax(&mut self) -> Parsed<Vec<(Ident, Actual)>> {
        let clause = Clause::x681("11.5");
        let mut settings = Vec::new();
        while !self.is_end() {
            if !settings.is_empty() && !self.take(b',') {
                return self.expected("`,` or `}`", clause);
            }
            if !matches!(self.kind(), TokenKind::UpperField | TokenKind::LowerField) {
                return self.expected("a field: `&name`", clause);
            }
            let field = self.here();
            self.bump();
            settings.push((field, self.actual()?));
        }
        Ok(settings)
    }
}
