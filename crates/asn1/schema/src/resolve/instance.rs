//! Resolves assignments, and instances of parameterized ones (X.683).

use std::rc::Rc;

use crate::ast::{self, Actual, Body, Ref, TypeKind};
use crate::diagnostic::Clause;
use crate::lex::TokenKind;
use crate::model::{ClassId, Instance, ModuleId, TypeId, TypeName};
use crate::parse::{Failed, Parsed};
use crate::resolve::names::Found;
use crate::resolve::{Bound, Entity, Env, Resolver, Scope, State, ValueSlot, spend};
use crate::source::Span;
use crate::words::is_reserved;

/// The maximum nesting of instances in the actual parameters of instances.
const MAX_ENV_DEPTH: u32 = 32;
/// The maximum size of an actual parameter's text with outer parameters substituted, in bytes.
const MAX_KEY: usize = 4096;
/// The memory charge for an actual parameter's syntax tree, per byte of its text.
const INSTANCE: u64 = 64;
/// The maximum length of a chain of class aliases.
const MAX_ALIASES: usize = 64;

impl<'a> Resolver<'a> {
    /// Returns the entity that an assignment defines. Only its index is assigned here.
    pub(crate) fn entity(&mut self, def: u32) -> Option<Entity> {
        let (module, ast, entity, state) = {
            let known = self.defs.get(def as usize)?;
            (known.module, known.ast, known.entity, known.state)
        };
        if state != State::Pending {
            return entity;
        }
        if let Some(known) = self.defs.get_mut(def as usize) {
            known.state = State::Busy;
        }
        let entity = if ast.parameters.is_some() {
            Some(Entity::Template)
        } else {
            let name = TypeName { module: ModuleId(module), name: ast.name.text.clone(), instance: None };
            self.make(def, ast, Scope { module, env: 0 }, name)
        };
        if let Some(known) = self.defs.get_mut(def as usize) {
            (known.entity, known.state) = (entity, State::Done);
        }
        entity
    }

    /// Creates the entity that an assignment defines in an environment.
    fn make(&mut self, def: u32, ast: &'a ast::Assignment, scope: Scope, name: TypeName) -> Option<Entity> {
        let text = name.name.clone();
        Some(match &ast.body {
            Body::Type(ty) => match self.class_of(ty, scope) {
                Some(class) => Entity::Class(class),
                None => Entity::Type(self.named_type(def, ast, scope, name)),
            },
            Body::Set { governor, set } => match self.class_of(governor, scope) {
                Some(class) => Entity::Set(self.new_set(Some(text), class, Rc::new(set.clone()), scope, ast.span)),
                None => Entity::ValueSet(self.named_type(def, ast, scope, name)),
            },
            Body::Value { governor, value } => match self.class_of(governor, scope) {
                Some(class) => {
                    Entity::Object(self.new_object(Some(text), class, Rc::new(value.clone()), scope, ast.span))
                }
                None => {
                    let governor = self.type_of(governor, scope);
                    let ast = Rc::new(value.clone());
                    let span = value.span;
                    self.spend(span, spend::ITEM).ok()?;
                    self.values.push(ValueSlot {
                        state: State::Pending,
                        governor,
                        ast,
                        scope,
                        value: None,
                        size: 0,
                        span,
                    });
                    Entity::Value(self.values.len() as u32 - 1)
                }
            },
            Body::Class(class) => Entity::Class(self.new_class(text, Rc::new(class.clone()), scope)),
            Body::Macro | Body::Skipped => Entity::Skipped,
        })
    }

    fn named_type(&mut self, def: u32, ast: &ast::Assignment, scope: Scope, name: TypeName) -> TypeId {
        let id = self.new_type(scope, ast.span, Some(name), State::Pending);
        if let Some(info) = self.info_mut(id) {
            info.def = Some(def);
        }
        id
    }

    /// Returns the class that a governor refers to, or `None` if it is a type. Does not report errors.
    pub(crate) fn class_of(&mut self, ty: &ast::Type, scope: Scope) -> Option<ClassId> {
        let mut reference = bare(ty)?.clone();
        let mut scope = scope;
        for _ in 0..MAX_ALIASES {
            match self.find(reference.module.as_ref(), &reference.name.text, scope) {
                Found::Language(index) => return self.class_of_the_language(index),
                Found::Nothing => return None,
                Found::Parameter(env, index) => {
                    let bound = self.envs.get(env as usize)?.parameters.get(index)?;
                    let Actual::Type(ty) = &*bound.actual else { return None };
                    (reference, scope) = (bare(ty)?.clone(), bound.scope);
                }
                Found::Def(def) => {
                    let known = self.defs.get(def as usize)?;
                    let (module, ast) = (known.module, known.ast);
                    match (&ast.body, &reference.actuals) {
                        (Body::Class(_), None) => {
                            return match self.entity(def)? {
                                Entity::Class(id) => Some(id),
                                _ => None,
                            };
                        }
                        (Body::Class(_), Some(actuals)) => {
                            let span = reference.name.span;
                            return match self.instantiate(def, actuals, scope, span).ok()? {
                                Entity::Class(id) => Some(id),
                                _ => None,
                            };
                        }
                        (Body::Type(ty), None) if ast.parameters.is_none() => {
                            (reference, scope) = (bare(ty)?.clone(), Scope { module, env: 0 });
                        }
                        _ => return None,
                    }
                }
            }
        }
        None
    }

    /// Creates an instance of a parameterized assignment.
    pub(crate) fn instantiate(&mut self, def: u32, actuals: &[Actual], scope: Scope, span: Span) -> Parsed<Entity> {
        let Some(known) = self.defs.get(def as usize) else { return Err(Failed) };
        let (module, ast) = (known.module, known.ast);
        let parameters = ast.parameters.as_deref().unwrap_or_default();
        if parameters.len() != actuals.len() {
            let count = |count: usize| format!("{count} parameter{}", if count == 1 { "" } else { "s" });
            let message = format!("{} has {}, but {} are given", ast.name.text, count(parameters.len()), actuals.len());
            return self.fail(span, "parameters", message, Clause::x683("9.6"));
        }
        let texts: Vec<(String, String)> = actuals.iter().map(|actual| self.texts(actual, scope)).collect();
        let key = texts.iter().map(|(key, _)| key.as_str()).collect::<Vec<_>>().join(" , ");
        // The text of a parameter is gone through, and its tree and its two texts are kept with the instance.
        self.spend(span, texts.iter().map(|(key, display)| (key.len() + display.len()) as u64).sum())?;
        if let Some(entity) = self.instances.get(&(def, key.clone())) {
            return (*entity).ok_or(Failed);
        }
        let depth = self.envs.get(scope.env as usize).map_or(0, |env| env.depth) + 1;
        if depth > MAX_ENV_DEPTH || key.len() > MAX_KEY || self.instances.len() >= self.limits.instances as usize {
            let message = format!("{} has infinitely many instances, or too many", ast.name.text);
            self.instances.insert((def, key), None);
            return self.fail(span, "instances", message, Clause::x683("8.1"));
        }
        let spans = actuals.iter().map(span_of);
        let governors = parameters.iter().filter_map(|one| one.governor.as_ref()).map(|governor| governor.span);
        let written: u64 = spans.chain(governors).map(|span| u64::from(span.end.saturating_sub(span.start))).sum();
        let texts_bytes: usize = texts.iter().map(|(key, display)| 2 * key.len() + 2 * display.len()).sum();
        let name_bytes = ast.name.text.len() + parameters.iter().map(|one| one.name.text.len()).sum::<usize>();
        self.spend(span, 2 * spend::ITEM + INSTANCE * written + (texts_bytes + name_bytes) as u64)?;
        let instance =
            Instance { of: ast.name.text.clone(), actuals: texts.iter().map(|(_, display)| display.clone()).collect() };
        let name = self.instance_name(module, &instance);
        let bound = parameters.iter().zip(actuals).zip(texts).map(|((parameter, actual), (key, display))| Bound {
            name: parameter.name.text.clone(),
            governor: parameter.governor.clone().map(Rc::new),
            actual: Rc::new(actual.clone()),
            scope,
            key,
            display,
            known: None,
        });
        let env = Env { parameters: bound.collect(), depth, module };
        self.envs.push(env);
        let inner = Scope { module, env: self.envs.len() as u32 - 1 };
        let name = TypeName { module: ModuleId(module), name, instance: Some(instance) };
        let entity = self.make(def, ast, inner, name);
        self.instances.insert((def, key), entity);
        entity.ok_or(Failed)
    }

    /// Returns an actual parameter's text in two forms: one that identifies instances, and one for display.
    fn texts(&self, actual: &Actual, scope: Scope) -> (String, String) {
        let span = span_of(actual);
        let Some((tokens, _)) = self.files.get(span.file as usize) else { return Default::default() };
        let begin = tokens.list.partition_point(|token| token.start < span.start);
        let inside =
            tokens.list.iter().skip(begin).take_while(|token| token.end <= span.end && token.kind != TokenKind::End);
        let (mut key, mut display) = (String::new(), String::new());
        for token in inside {
            let text = tokens.text(*token);
            if !key.is_empty() {
                key.push(' ');
                display.push(' ');
            }
            let is_name = matches!(token.kind, TokenKind::Upper | TokenKind::Lower) && !is_reserved(text);
            let found = if is_name { self.find(None, text, scope) } else { Found::Nothing };
            match found {
                Found::Parameter(env, index) => {
                    let bound = self.envs.get(env as usize).and_then(|env| env.parameters.get(index));
                    key.push_str(bound.map_or("", |bound| &bound.key));
                    display.push_str(bound.map_or("", |bound| &bound.display));
                }
                Found::Def(def) => {
                    let module = self.defs.get(def as usize).map_or(0, |def| def.module);
                    key.push_str(&format!("{module}."));
                    key.push_str(text);
                    display.push_str(text);
                }
                _ => {
                    key.push_str(text);
                    display.push_str(text);
                }
            }
            // What is too long is refused by its key; it need not be finished.
            if key.len() > MAX_KEY {
                break;
            }
        }
        (key, display)
    }

    /// Creates a name for an instance from the names of the template and of the parameters, as far as these are words.
    fn instance_name(&mut self, module: u32, instance: &Instance) -> String {
        let mut name = instance.of.clone();
        for actual in &instance.actuals {
            for word in actual.split(|char: char| !char.is_ascii_alphanumeric() && char != '-') {
                let word = word.trim_matches('-');
                if !word.is_empty() && name.len() + word.len() < 80 {
                    name.push('-');
                    name.push_str(word);
                }
            }
        }
        let mut unique = name.clone();
        let mut number = self.taken.get(&(module, name.clone())).copied().unwrap_or(1);
        loop {
            let slot = (module, unique.clone());
            let is_assigned = matches!(self.find(None, &unique, Scope { module, env: 0 }), Found::Def(_));
            if !is_assigned && !self.taken.contains_key(&slot) {
                self.taken.insert(slot, 1);
                break;
            }
            number += 1;
            unique = format!("{name}-{number}");
        }
        // Further instances of the name need not try the numbers that are taken.
        self.taken.insert((module, name), number);
        unique
    }

    /// Returns the type of a parameter.
    pub(crate) fn parameter_type(&mut self, env: u32, index: usize, span: Span) -> Parsed<TypeId> {
        let Some(bound) = self.envs.get(env as usize).and_then(|env| env.parameters.get(index)) else {
            return Err(Failed);
        };
        let (actual, scope, known) = (Rc::clone(&bound.actual), bound.scope, bound.known);
        let governor = bound.governor.clone();
        if let Some(Entity::Type(id)) = known {
            return Ok(id);
        }
        let id = match &*actual {
            Actual::Type(ty) => self.type_of(ty, scope),
            Actual::Value(ast::Value { kind: ast::ValueKind::Null, span }) => {
                let ty = ast::Type {
                    tags: Vec::new(),
                    prefixes: None,
                    kind: TypeKind::Null,
                    constraints: Vec::new(),
                    span: *span,
                };
                self.type_of(&ty, scope)
            }
            Actual::Braced(braced) if governor.is_some() => {
                let sets = self.inside_whole(*braced, |parser| parser.element_sets())?;
                let inner = self.scope_of_env(env);
                let governor = governor.map_or(Err(Failed), |governor| Ok(self.type_of(&governor, inner)))?;
                self.value_set(governor, sets, scope)
            }
            _ => {
                return self.fail(span, "parameters", "this parameter is not a type".to_owned(), Clause::x683("9.5"));
            }
        };
        if let Some(bound) = self.envs.get_mut(env as usize).and_then(|env| env.parameters.get_mut(index)) {
            bound.known = Some(Entity::Type(id));
        }
        Ok(id)
    }

    /// Returns the scope in which the dummy parameters of an environment are declared and their governors are resolved.
    pub(crate) fn scope_of_env(&self, env: u32) -> Scope {
        Scope { module: self.envs.get(env as usize).map_or(0, |env| env.module), env }
    }
}

/// Returns the position of an actual parameter.
fn span_of(actual: &Actual) -> Span {
    match actual {
        Actual::Type(ty) => ty.span,
        Actual::Value(value) => value.span,
        Actual::Braced(braced) => braced.span,
    }
}

/// Returns the referenced type, if the type is a plain reference.
pub(crate) fn bare(ty: &ast::Type) -> Option<&Ref> {
    match &ty.kind {
        TypeKind::Reference(reference) if ty.tags.is_empty() && ty.prefixes.is_none() && ty.constraints.is_empty() => {
            Some(reference)
        }
        _ => None,
    }
}
