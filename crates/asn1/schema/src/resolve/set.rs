//! Resolves object sets (X.681 §12): expands nested sets, and performs set arithmetic.

use std::collections::HashSet;
use std::rc::Rc;

use crate::ast::{self, Actual, Element, ElementSets, Ident, Ref, Set, TypeKind, ValueKind};
use crate::diagnostic::Clause;
use crate::model::{ClassId, ModuleId, ObjectId, ObjectSet, SetId, SettingValue};
use crate::parse::{Failed, Parsed};
use crate::resolve::instance::bare;
use crate::resolve::names::Found;
use crate::resolve::{Entity, Resolver, Scope, State, Todo, spend};
use crate::source::Span;

const SET: Clause = Clause::x681("12.3");

/// The memory charge for an object in a set: its index in a list and in a table, and the copies made by set arithmetic.
const OBJECT: u64 = 32;

/// The distinct objects collected so far, in order.
#[derive(Default)]
struct Objects {
    list: Vec<ObjectId>,
    seen: HashSet<ObjectId>,
    /// True if one of the sets is extensible.
    extensible: bool,
}

impl Objects {
    fn add(&mut self, id: ObjectId) {
        if self.seen.insert(id) {
            self.list.push(id);
        }
    }
}

impl Resolver<'_> {
    /// Creates an object set whose objects are not yet known.
    pub(crate) fn new_set(
        &mut self,
        name: Option<String>,
        class: ClassId,
        source: Rc<ElementSets>,
        scope: Scope,
        span: Span,
    ) -> SetId {
        let _ = self.spend(span, spend::ITEM);
        let id = SetId(self.model.sets.len() as u32);
        let module = ModuleId(scope.module);
        self.model.sets.push(ObjectSet { name, module, class, objects: Vec::new(), root: 0, extensible: false, span });
        self.set_todo.push(Todo { state: State::Pending, scope, source });
        id
    }

    /// Collects the objects of a set, unless already done.
    pub(crate) fn ensure_set(&mut self, id: SetId) -> Parsed<()> {
        let Some(todo) = self.set_todo.get_mut(id.0 as usize) else { return Err(Failed) };
        let (source, scope, state) = (Rc::clone(&todo.source), todo.scope, todo.state);
        match state {
            State::Done => return Ok(()),
            State::Failed => return Err(Failed),
            State::Busy => {
                let message = "this object set contains itself".to_owned();
                return self.fail(source.span, "circular", message, Clause::x681("12.2"));
            }
            State::Pending => todo.state = State::Busy,
        }
        let Some(class) = self.model.set(id).map(|set| set.class) else { return Err(Failed) };
        let gathered = self.deeper(source.span, |resolver| {
            let mut objects = Objects::default();
            resolver.gather_sets(&source, class, scope, &mut objects)
        });
        if let Some(todo) = self.set_todo.get_mut(id.0 as usize) {
            todo.state = if gathered.is_ok() { State::Done } else { State::Failed };
        }
        let (objects, root, extensible) = gathered?;
        if let Some(set) = self.model.sets.get_mut(id.0 as usize) {
            (set.objects, set.root, set.extensible) = (objects, root, extensible);
        }
        Ok(())
    }

    fn gather_sets(
        &mut self,
        source: &ElementSets,
        class: ClassId,
        scope: Scope,
        objects: &mut Objects,
    ) -> Parsed<(Vec<ObjectId>, usize, bool)> {
        if let Some(root) = &source.root {
            self.gather_set(root, class, scope, objects)?;
        }
        let root = objects.list.len();
        if let Some(additions) = &source.additions {
            self.gather_set(additions, class, scope, objects)?;
        }
        let extensible = source.extensible || objects.extensible;
        Ok((std::mem::take(&mut objects.list), root, extensible))
    }

    fn gather_set(&mut self, set: &Set, class: ClassId, scope: Scope, into: &mut Objects) -> Parsed<()> {
        self.deeper(set_span(set), |resolver| resolver.gather_set_of(set, class, scope, into))
    }

    fn gather_set_of(&mut self, set: &Set, class: ClassId, scope: Scope, into: &mut Objects) -> Parsed<()> {
        match set {
            Set::Union(parts) => {
                // One object that is wrong does not hide what is wrong with others.
                let mut result = Ok(());
                for part in parts {
                    result = self.gather_set(part, class, scope, into).and(result);
                }
                result
            }
            Set::Intersection(parts) => {
                let mut kept: Option<Vec<ObjectId>> = None;
                for part in parts {
                    let mut one = Objects::default();
                    self.gather_set(part, class, scope, &mut one)?;
                    kept = Some(match kept {
                        None => one.list,
                        Some(kept) => kept.into_iter().filter(|id| one.seen.contains(id)).collect(),
                    });
                }
                kept.unwrap_or_default().into_iter().for_each(|id| into.add(id));
                Ok(())
            }
            Set::Except(from, without) => {
                let (mut kept, mut gone) = (Objects::default(), Objects::default());
                self.gather_set(from, class, scope, &mut kept)?;
                self.gather_set(without, class, scope, &mut gone)?;
                into.extensible |= kept.extensible;
                kept.list.into_iter().filter(|id| !gone.seen.contains(id)).for_each(|id| into.add(id));
                Ok(())
            }
            Set::AllExcept(inner) => {
                let span = set_span(inner);
                self.fail(span, "set", "an object set cannot contain all objects of a class".to_owned(), SET)
            }
            Set::Element(element, span) => self.gather_element(element, class, scope, *span, into),
        }
    }

    fn gather_element(
        &mut self,
        element: &Element,
        class: ClassId,
        scope: Scope,
        span: Span,
        into: &mut Objects,
    ) -> Parsed<()> {
        match element {
            // `object.&Objects`, through objects that may stand in fields themselves (X.681 §15.1).
            Element::Value(ast::Value { kind: ValueKind::Reference(reference, fields), .. }) if ends_in_set(fields) => {
                let id = self.set_from_objects(reference, fields, Some(class), scope, span)?;
                self.add_set(id, class, span, into)
            }
            Element::Value(value) => {
                into.add(self.object_of(value, class, scope)?);
                Ok(())
            }
            Element::Group(set) => self.gather_set(set, class, scope, into),
            Element::Type(ty) => {
                let id = self.set_of_type(ty, Some(class), scope, span)?;
                self.add_set(id, class, span, into)
            }
            _ => self.fail(span, "kind", "expected an object or an object set".to_owned(), SET),
        }
    }

    /// Adds the objects of a set. The set must be of the given class.
    fn add_set(&mut self, id: SetId, class: ClassId, span: Span, into: &mut Objects) -> Parsed<()> {
        self.ensure_set(id)?;
        let Some(set) = self.model.set(id) else { return Err(Failed) };
        if set.class != class {
            let name = |id: ClassId| self.model.class(id).map(|class| class.name.clone()).unwrap_or_default();
            let message = format!("expected objects of the class {}; these are of {}", name(class), name(set.class));
            return self.fail(span, "kind", message, SET);
        }
        into.extensible |= set.extensible;
        set.objects.iter().for_each(|id| into.add(*id));
        let copied = set.objects.len() as u64;
        self.spend(span, OBJECT * copied)
    }

    /// Returns the set that a type notation denotes: a named set, or the objects in a field of another set's objects.
    fn set_of_type(&mut self, ty: &ast::Type, class: Option<ClassId>, scope: Scope, span: Span) -> Parsed<SetId> {
        if let Some(reference) = bare(ty) {
            return self.set_named(reference, scope, class);
        }
        match &ty.kind {
            TypeKind::Field(reference, path) if ty.tags.is_empty() && ty.constraints.is_empty() => {
                self.set_from_objects(reference, path, class, scope, span)
            }
            _ => self.fail(span, "kind", "expected the name of an object set".to_owned(), SET),
        }
    }

    /// Resolves `Set.&objects` or `object.&Objects` (X.681 §15).
    fn set_from_objects(
        &mut self,
        reference: &Ref,
        path: &[Ident],
        class: Option<ClassId>,
        scope: Scope,
        span: Span,
    ) -> Parsed<SetId> {
        let is_lower = reference.name.text.starts_with(|char: char| char.is_ascii_lowercase());
        let mut objects = Objects::default();
        let mut sources = Vec::new();
        if is_lower {
            sources.push(self.object_named(reference, scope, None)?);
        } else {
            let set = self.set_named(reference, scope, None)?;
            self.ensure_set(set)?;
            let Some(set) = self.model.set(set) else { return Err(Failed) };
            objects.extensible |= set.extensible;
            sources.extend(&set.objects);
        }
        for field in path {
            let (mut next, mut before) = (Vec::new(), 0);
            for source in std::mem::take(&mut sources) {
                self.spend(span, OBJECT + OBJECT * next.len().saturating_sub(before) as u64)?;
                before = next.len();
                self.ensure_object(source)?;
                let setting = self.model.object(source).and_then(|object| object.setting(&field.text)).cloned();
                match setting {
                    Some(SettingValue::Object(id)) => next.push(id),
                    Some(SettingValue::ObjectSet(id)) => {
                        self.ensure_set(id)?;
                        if let Some(set) = self.model.set(id) {
                            objects.extensible |= set.extensible;
                            next.extend(&set.objects);
                        }
                    }
                    // Objects that leave the field out contribute nothing (X.681 §15.4).
                    None => {}
                    Some(_) => {
                        let message = format!("{} does not contain objects", field.text);
                        return self.fail(field.span, "kind", message, Clause::x681("15.1"));
                    }
                }
            }
            sources = next;
        }
        sources.into_iter().for_each(|id| objects.add(id));
        let first = objects.list.first().and_then(|id| self.model.object(*id)).map(|object| object.class);
        let Some(class) = class.or(first) else {
            return self.fail(span, "kind", "the class of these objects is unknown".to_owned(), SET);
        };
        let empty = ElementSets { root: None, extensible: false, additions: None, span };
        let id = self.new_set(None, class, Rc::new(empty), scope, span);
        if let Some(todo) = self.set_todo.get_mut(id.0 as usize) {
            todo.state = State::Done;
        }
        if let Some(set) = self.model.sets.get_mut(id.0 as usize) {
            set.root = objects.list.len();
            (set.objects, set.extensible) = (objects.list, objects.extensible);
        }
        Ok(id)
    }

    /// Returns the set that an actual parameter or a setting denotes.
    pub(crate) fn set_of(
        &mut self,
        actual: &Actual,
        class: Option<ClassId>,
        scope: Scope,
        span: Span,
    ) -> Parsed<SetId> {
        match actual {
            Actual::Type(ty) => self.set_of_type(ty, class, scope, span),
            Actual::Braced(braced) => {
                let is_empty = braced.close == braced.open + 1;
                let sets = if is_empty {
                    ElementSets { root: None, extensible: false, additions: None, span: braced.span }
                } else {
                    self.inside_whole(*braced, |parser| parser.element_sets())?
                };
                // `{Set}` is the set itself, with its name.
                if let (Some(Set::Element(Element::Type(ty), span)), false) = (&sets.root, sets.extensible) {
                    return self.set_of_type(ty, class, scope, *span);
                }
                let Some(class) = class else {
                    let message = "the class of these objects is unknown".to_owned();
                    return self.fail(span, "kind", message, SET);
                };
                Ok(self.new_set(None, class, Rc::new(sets), scope, braced.span))
            }
            Actual::Value(ast::Value { kind: ValueKind::Reference(reference, fields), span })
                if ends_in_set(fields) =>
            {
                self.set_from_objects(reference, fields, class, scope, *span)
            }
            Actual::Value(_) => self.fail(span, "kind", "expected an object set".to_owned(), SET),
        }
    }

    /// Returns the set with the given name.
    pub(crate) fn set_named(&mut self, reference: &Ref, scope: Scope, class: Option<ClassId>) -> Parsed<SetId> {
        let name = &reference.name;
        let entity = match self.lookup(reference.module.as_ref(), name, scope)? {
            Found::Parameter(env, index) => return self.parameter_set(env, index, class, name.span),
            Found::Def(def) => match &reference.actuals {
                Some(actuals) => Some(self.instantiate(def, actuals, scope, name.span)?),
                None => self.entity(def),
            },
            Found::Language(_) | Found::Nothing => None,
        };
        match entity {
            Some(Entity::Set(id)) => Ok(id),
            Some(Entity::Skipped) | None => Err(Failed),
            Some(Entity::Template) => {
                let message = format!("{} needs parameters", name.text);
                self.fail(name.span, "parameters", message, Clause::x683("9.2"))
            }
            Some(_) => {
                let message = format!("expected an object set, found {}", name.text);
                self.fail(name.span, "kind", message, SET)
            }
        }
    }

    fn parameter_set(&mut self, env: u32, index: usize, class: Option<ClassId>, span: Span) -> Parsed<SetId> {
        let Some(bound) = self.envs.get(env as usize).and_then(|env| env.parameters.get(index)) else {
            return Err(Failed);
        };
        let (actual, scope, known) = (Rc::clone(&bound.actual), bound.scope, bound.known);
        let governor = bound.governor.clone();
        if let Some(Entity::Set(id)) = known {
            return Ok(id);
        }
        let outer = self.scope_of_env(env);
        let class = governor.and_then(|governor| self.class_of(&governor, outer)).or(class);
        let id = self.deeper(span, |resolver| resolver.set_of(&actual, class, scope, span))?;
        if let Some(bound) = self.envs.get_mut(env as usize).and_then(|env| env.parameters.get_mut(index)) {
            bound.known = Some(Entity::Set(id));
        }
        Ok(id)
    }
}

/// Returns whether a path of fields ends in a field whose name begins with an uppercase letter, which contains a set or a type.
fn ends_in_set(fields: &[Ident]) -> bool {
    fields
        .last()
        .is_some_and(|last| last.text.trim_start_matches('&').starts_with(|first: char| first.is_ascii_uppercase()))
}

/// Returns the position of a set.
pub(crate) fn set_span(set: &Set) -> Span {
    // Unions and intersections are never empty; the first part says where they begin.
    let mut at = set;
    loop {
        match at {
            Set::Union(parts) | Set::Intersection(parts) => match parts.first() {
                Some(first) => at = first,
                None => return Span::default(),
            },
            Set::Except(from, _) => at = from,
            Set::AllExcept(inner) => at = inner,
            Set::Element(_, span) => return *span,
        }
    }
}
