//! Objects (X.681 §11) and what their fields hold.

use std::rc::Rc;

use crate::ast::{self, Actual, Ident, Ref, ValueKind};
use crate::diagnostic::Clause;
use crate::lex::Kind;
use crate::model::{ClassId, ModuleId, Object, ObjectId, Setting, SettingValue};
use crate::parse::{Failed, Parsed};
use crate::resolve::names::Found;
use crate::resolve::{Entity, Resolver, Scope, State, Todo};
use crate::source::Span;

impl Resolver<'_> {
    /// An object whose fields are not known yet.
    pub(crate) fn new_object(
        &mut self,
        name: Option<String>,
        class: ClassId,
        source: Rc<ast::Value>,
        scope: Scope,
        span: Span,
    ) -> ObjectId {
        self.spend(span);
        let id = ObjectId(self.model.objects.len() as u32);
        let module = ModuleId(scope.module);
        self.model.objects.push(Object { name, module, class, settings: Vec::new(), span });
        self.object_todo.push(Todo { state: State::Pending, scope, source });
        id
    }

    /// Fills in the fields of an object, if they are not there yet.
    pub(crate) fn ensure_object(&mut self, id: ObjectId) -> Parsed<()> {
        let Some(todo) = self.object_todo.get_mut(id.0 as usize) else { return Err(Failed) };
        let (source, scope, state) = (Rc::clone(&todo.source), todo.scope, todo.state);
        match state {
            State::Done => return Ok(()),
            State::Failed => return Err(Failed),
            State::Busy => {
                let message = "this object is needed to make sense of itself".to_owned();
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

    /// What the fields hold, and the object that this is another name of.
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
                Ok((self.model.object(id).map(|object| object.settings.clone()).unwrap_or_default(), Some(id)))
            }
            _ => self.fail(source.span, "kind", "expected an object".to_owned(), Clause::x681("11.3")),
        }
    }

    fn braced_settings(&mut self, braced: ast::Braced, class: ClassId, scope: Scope) -> Parsed<Vec<Setting>> {
        let Some(known) = self.model.class(class) else { return Err(Failed) };
        let (fields, syntax, name) = (known.fields.clone(), known.syntax.clone(), known.name.clone());
        let given = match &syntax {
            Some(items) => {
                let kinds = |name: &str| fields.iter().find(|field| field.name == name).map(|field| field.kind.clone());
                self.inside_whole(braced, |parser| parser.defined_syntax(items, &kinds))?
            }
            None => self.inside_whole(braced, |parser| parser.default_syntax())?,
        };
        let mut settings: Vec<Setting> = Vec::new();
        // Values governed by another field come after types.
        let is_late = |name: &Ident| {
            let field = fields.iter().find(|field| field.name == name.text);
            field.is_some_and(|field| {
                use crate::model::FieldKind::{VariableValue, VariableValueSet};
                matches!(field.kind, VariableValue(_) | VariableValueSet(_))
            })
        };
        for late in [false, true] {
            for (field, actual) in given.iter().filter(|(field, _)| is_late(field) == late) {
                let Some(known) = fields.iter().find(|known| known.name == field.text) else {
                    let message = format!("the class {name} has no field {}", field.text);
                    return self.fail(field.span, "undefined", message, Clause::x681("11.4"));
                };
                if settings.iter().any(|setting| setting.field == field.text) {
                    let message = format!("{} is set twice", field.text);
                    self.error(field.span, "duplicate", message, Clause::x681("11.4"));
                    continue;
                }
                let value = self.setting_of(actual, &known.kind, scope, &settings, field.span)?;
                settings.push(Setting { field: field.text.clone(), value, is_default: false });
            }
        }
        for (index, field) in fields.iter().enumerate() {
            if settings.iter().any(|setting| setting.field == field.name) {
                continue;
            }
            if let Some(value) = self.class_default(class, index)? {
                settings.push(Setting { field: field.name.clone(), value, is_default: true });
            } else if !field.optional && !self.has_default(class, index) {
                let message = format!("{} is not set, and the class {name} needs it", field.name);
                self.error(braced.span, "missing", message, Clause::x681("11.4"));
            }
        }
        Ok(settings)
    }

    fn has_default(&self, class: ClassId, index: usize) -> bool {
        let todo = self.class_todo.get(class.0 as usize);
        let field = todo.and_then(|todo| todo.source.fields.get(index));
        field.is_some_and(|field| matches!(field.presence, ast::FieldPresence::Default(_)))
    }

    /// The object that a value stands for.
    pub(crate) fn object_of(&mut self, value: &ast::Value, class: ClassId, scope: Scope) -> Parsed<ObjectId> {
        match &value.kind {
            ValueKind::Braced(_) => Ok(self.new_object(None, class, Rc::new(value.clone()), scope, value.span)),
            ValueKind::Reference(reference, fields) => {
                let mut id = self.object_named(reference, scope, Some(class))?;
                if !fields.is_empty() {
                    match self.setting_at(id, fields)? {
                        SettingValue::Object(inner) => id = inner,
                        _ => {
                            let message = "this field holds no object".to_owned();
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

    /// The object that a name stands for.
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
                let message = format!("expected an object; {} is none", name.text);
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
                return self.fail(span, "parameters", "this parameter is no object".to_owned(), Clause::x683("9.5"));
            }
        };
        let Some(class) = class else { return Err(Failed) };
        let id = self.object_of(&value, class, scope)?;
        if let Some(bound) = self.envs.get_mut(env as usize).and_then(|env| env.parameters.get_mut(index)) {
            bound.known = Some(Entity::Object(id));
        }
        Ok(id)
    }

    /// What a path of fields leads to from an object.
    pub(crate) fn setting_at(&mut self, object: ObjectId, path: &[Ident]) -> Parsed<SettingValue> {
        let mut object = object;
        let Some((last, before)) = path.split_last() else { return Err(Failed) };
        for name in before {
            match self.setting(object, name)? {
                SettingValue::Object(next) => object = next,
                _ => {
                    let message = format!("{} holds no object", name.text);
                    return self.fail(name.span, "kind", message, Clause::x681("15.1"));
                }
            }
        }
        self.setting(object, last)
    }

    fn setting(&mut self, object: ObjectId, name: &Ident) -> Parsed<SettingValue> {
        self.ensure_object(object)?;
        match self.model.object(object).and_then(|object| object.setting(&name.text)) {
            Some(value) => Ok(value.clone()),
            None => {
                let message = format!("the object has nothing in {}", name.text);
                self.fail(name.span, "undefined", message, Clause::x681("15.4"))
            }
        }
    }
}

impl crate::parse::Parser<'_> {
    /// `&id 5, &Type INTEGER` (X.681 §11.5).
    pub(crate) fn default_syntax(&mut self) -> Parsed<Vec<(Ident, Actual)>> {
        let clause = Clause::x681("11.5");
        let mut settings = Vec::new();
        while !self.is_end() {
            if !settings.is_empty() && !self.take(b',') {
                return self.expected("`,` or `}`", clause);
            }
            if !matches!(self.kind(), Kind::UpperField | Kind::LowerField) {
                return self.expected("a field: `&name`", clause);
            }
            let field = self.here();
            self.bump();
            settings.push((field, self.actual()?));
        }
        Ok(settings)
    }
}
