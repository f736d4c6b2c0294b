//! Lowers a schema to items of a target language, independently of the language.
//!
//! First, every named type becomes an item, so that names are assigned in source order. Then each item is filled in, and
//! anonymous types become items if languages need one. `finish` breaks cycles and infers borrowing.

mod fields;
mod finish;
pub(crate) mod heads;
pub(crate) mod named;
pub(crate) mod names;
mod open;
pub mod plan;
mod rule;
mod scope;
mod types;

use std::collections::{BTreeSet, HashMap, HashSet};

use tagwise_schema::Span;
use tagwise_schema::model::{AssignmentKind, Model, ModuleId, SetId, Shape, Tagging, TypeId};

use crate::names::Words;
use crate::overlay::{ModuleOverlay, Overlay, OverlayError, SetOverlay, TypeOverlay, means};
pub(crate) use finish::{is_tagless, mentions};
use plan::{Body, Constant, Content, Held, ItemId, Marks, Module, Note, Plan, PlanItem, Repr};
pub(crate) use rule::is_checked;
use scope::Scope;

/// Lowers a model.
///
/// # Errors
/// Returns an error for each overlay entry whose name is not in the schema, or that does not fit the named type.
pub fn lower<'m>(model: &'m Model, overlay: &Overlay) -> Result<Plan<'m>, Vec<OverlayError>> {
    let mut lower = Lower::new(model, overlay);
    lower.reserve();
    let mut next = 0;
    // Items that have no names are added while those before them are filled.
    while let Some(item) = lower.items.get(next) {
        if matches!(item.body, Body::Pending)
            && let Some(ty) = item.ty
        {
            lower.fill(ItemId(next as u32), ty);
        }
        next += 1;
    }
    lower.check_overlay();
    if !lower.errors.is_empty() {
        return Err(lower.errors);
    }
    let modules = lower.modules();
    let mut notes = lower.notes;
    notes.sort_unstable_by(|one, other| (one.span, &one.text).cmp(&(other.span, &other.text)));
    notes.dedup();
    let lines = model.sources.iter().map(|source| {
        let breaks = source.text().bytes().enumerate().filter(|(_, octet)| *octet == b'\n');
        breaks.map(|(at, _)| at as u32).collect()
    });
    let tagless = lower.tagless;
    let mut plan = Plan { model, modules, items: lower.items, tagless, notes, lines: lines.collect() };
    finish::finish(&mut plan, overlay).map_err(|error| vec![error])?;
    Ok(plan)
}

struct Lower<'m, 'o> {
    model: &'m Model,
    overlay: &'o Overlay,
    items: Vec<PlanItem>,
    /// Items by type: of named types with their tags, of others without.
    by_type: HashMap<TypeId, ItemId>,
    /// Items by object set and field.
    by_set: HashMap<(SetId, Vec<String>), ItemId>,
    /// The sets that have an item.
    sets: HashSet<SetId>,
    /// Types that the overlay replaces.
    foreign: HashMap<TypeId, String>,
    /// The replacement types that have no tag of their own.
    tagless: HashSet<String>,
    /// Anonymous items by the item that they are part of, in order.
    children: HashMap<ItemId, Vec<ItemId>>,
    scopes: HashMap<ModuleId, Scope>,
    notes: Vec<Note>,
    /// The schema's run-time tables, built on first use. `None` inside if they cannot be built.
    tables: Option<Option<tagwise_tables::Schema>>,
    errors: Vec<OverlayError>,
    /// The overlay entries that had an effect.
    used: HashSet<Used>,
}

/// Items by the position of their definition.
#[derive(Default)]
struct Places<'m> {
    all: HashMap<ModuleId, Vec<ItemId>>,
    /// Items by the span of their assignment.
    assigned: HashMap<(ModuleId, Span), Vec<ItemId>>,
    /// Items by the parameterized definition of which they are instances.
    instances: HashMap<(ModuleId, &'m str), Vec<ItemId>>,
}

#[derive(PartialEq, Eq, Hash)]
enum Used {
    Module(usize),
    Type(usize),
    /// The entry is overridden by another one, or its type is not emitted. Its components are not used.
    Elsewhere(usize),
    Field(usize, usize),
    Set(usize),
}

/// The context that determines the name of an anonymous type.
#[derive(Clone, Debug)]
struct Spot {
    /// The item that contains the type.
    owner: ItemId,
    words: Words,
    /// The name from the overlay.
    given: Option<String>,
}

impl Spot {
    fn child(&self, name: &str) -> Self {
        Self { owner: self.owner, words: self.words.and(&Words::of(name)), given: None }
    }
}

impl<'m, 'o> Lower<'m, 'o> {
    fn new(model: &'m Model, overlay: &'o Overlay) -> Self {
        Self {
            model,
            overlay,
            items: Vec::new(),
            by_type: HashMap::new(),
            by_set: HashMap::new(),
            sets: HashSet::new(),
            foreign: HashMap::new(),
            tagless: HashSet::new(),
            children: HashMap::new(),
            scopes: HashMap::new(),
            notes: Vec::new(),
            tables: None,
            errors: Vec::new(),
            used: HashSet::new(),
        }
    }

    fn note(&mut self, span: Span, text: impl Into<String>) {
        self.notes.push(Note { span, text: text.into() });
    }

    fn module_name(&self, id: ModuleId) -> &'m str {
        self.model.module(id).map_or("", |module| &module.name)
    }

    fn type_overlay(&mut self, module: ModuleId, name: &str) -> Option<(usize, &'o TypeOverlay)> {
        let of = self.module_name(module);
        let mut fitting = self.overlay.types.iter().enumerate().filter(|(_, ty)| means(&ty.name, of, name));
        let (index, found) = fitting.next()?;
        self.used.insert(Used::Type(index));
        self.used.extend(fitting.flat_map(|(index, _)| [Used::Type(index), Used::Elsewhere(index)]));
        Some((index, found))
    }

    fn set_overlay(&mut self, module: ModuleId, name: &str) -> Option<&'o SetOverlay> {
        let of = self.module_name(module);
        let (index, found) = self.overlay.sets.iter().enumerate().find(|(_, set)| means(&set.name, of, name))?;
        self.used.insert(Used::Set(index));
        Some(found)
    }

    fn module_overlay(&mut self, module: ModuleId) -> Option<&'o ModuleOverlay> {
        let name = self.module_name(module);
        let (index, found) = self.overlay.module(name)?;
        self.used.insert(Used::Module(index));
        Some(found)
    }

    /// Creates items for all named types: first for assignments in source order, then for instances.
    fn reserve(&mut self) {
        let model = self.model;
        for (index, module) in model.modules.iter().enumerate() {
            let id = ModuleId(index as u32);
            for assignment in &module.assignments {
                let (AssignmentKind::Type(ty) | AssignmentKind::ValueSet(ty)) = assignment.kind else { continue };
                let same = self.by_type.get(&ty).copied();
                let item = self.named(id, &assignment.name, assignment.span, ty);
                // Another name of the same type.
                if let (Some(same), Some(item)) = (same, item) {
                    self.by_type.insert(ty, same);
                    self.set_body(item, Body::Alias(Repr::Item(same)));
                }
            }
        }
        let mut instances: Vec<(ModuleId, &str, TypeId)> = Vec::new();
        for (index, ty) in model.types.iter().enumerate() {
            if let Some(name) = &ty.name
                && name.instance.is_some()
            {
                instances.push((name.module, &name.name, TypeId(index as u32)));
            }
        }
        instances.sort_unstable();
        for (module, name, ty) in instances {
            if !self.by_type.contains_key(&ty)
                && let Some(span) = model.ty(ty).map(|ty| ty.span)
            {
                self.named(module, name, span, ty);
            }
        }
    }

    fn named(&mut self, module: ModuleId, name: &str, span: Span, ty: TypeId) -> Option<ItemId> {
        let found = self.type_overlay(module, name);
        let overlay = found.map(|(_, overlay)| overlay);
        if let Some((index, path)) = found.and_then(|(index, overlay)| Some((index, overlay.path.clone()?))) {
            self.used.insert(Used::Elsewhere(index));
            let base = self.model.base(ty).map(|base| &base.shape);
            let tagged = !self.tags_behind(ty).is_empty() || self.model.ty(ty).is_some_and(|ty| !ty.tags.is_empty());
            if matches!(base, Some(Shape::Choice(_) | Shape::Open(_))) && !tagged {
                self.tagless.insert(path.clone());
            }
            self.foreign.insert(ty, path);
            return None;
        }
        let ident = self.claim(module, overlay.and_then(|overlay| overlay.rename.as_deref()), &Words::of(name));
        let marks = overlay.map(marks).unwrap_or_default();
        let emitted = !overlay.is_some_and(|overlay| overlay.skip);
        let id = self.add(PlanItem { marks, emitted, ..item(module, name.to_owned(), ident, Some(ty), span) });
        self.by_type.insert(ty, id);
        Some(id)
    }

    /// Claims a unique name in a module.
    fn claim(&mut self, module: ModuleId, given: Option<&str>, words: &Words) -> String {
        let wanted = given.map_or_else(|| words.upper_camel(), str::to_owned);
        self.scopes.entry(module).or_default().claim(&wanted)
    }

    fn add(&mut self, item: PlanItem) -> ItemId {
        let id = ItemId(self.items.len() as u32);
        self.items.push(item);
        id
    }

    /// Creates an anonymous item as part of another item.
    fn anonymous(&mut self, spot: &Spot, ty: Option<TypeId>, span: Span, body: Body) -> ItemId {
        let module = self.items.get(spot.owner.0 as usize).map_or(ModuleId(0), |owner| owner.module);
        let ident = self.claim(module, spot.given.as_deref(), &spot.words);
        let overlay = self.type_overlay(module, &ident).map(|(_, overlay)| overlay);
        let marks = overlay.map(marks).unwrap_or_default();
        let id = self.add(PlanItem { body, marks, ..item(module, ident.clone(), ident, ty, span) });
        self.children.entry(spot.owner).or_default().push(id);
        id
    }

    /// Creates an anonymous newtype around a type with more tags or constraints than can be expressed where it is used.
    fn wrapped(&mut self, spot: &Spot, span: Span, mut held: Held) -> ItemId {
        let tag = held.tag.take();
        let id = self.anonymous(spot, None, span, Body::Newtype(held));
        if let Some(item) = self.items.get_mut(id.0 as usize) {
            item.tag = tag;
        }
        id
    }

    fn set_body(&mut self, id: ItemId, body: Body) {
        if let Some(item) = self.items.get_mut(id.0 as usize) {
            item.body = body;
        }
    }

    fn set_tag(&mut self, id: ItemId, tag: Option<Tagging>) {
        if let Some(item) = self.items.get_mut(id.0 as usize) {
            item.tag = tag;
        }
    }

    /// Reports overlay entries without effect as errors.
    fn check_overlay(&mut self) {
        let overlay = self.overlay;
        let mut missing: BTreeSet<(usize, String)> = BTreeSet::new();
        for (index, module) in overlay.modules.iter().enumerate() {
            let known = self.used.contains(&Used::Module(index))
                || self.model.modules.iter().any(|one| one.name == module.name);
            if !known && module.name != "*" {
                missing.insert((module.at, format!("unknown module `{}`", module.name)));
            }
        }
        for (index, ty) in overlay.types.iter().enumerate() {
            if !self.used.contains(&Used::Type(index)) {
                missing.insert((ty.at, format!("unknown type `{}`", ty.name)));
                continue;
            }
            for (field_index, field) in ty.fields.iter().enumerate() {
                if self.used.contains(&Used::Elsewhere(index)) {
                    break;
                }
                if !self.used.contains(&Used::Field(index, field_index)) {
                    missing.insert((field.at, format!("unknown component `{}` of `{}`", field.name, ty.name)));
                }
            }
        }
        for (index, set) in overlay.sets.iter().enumerate() {
            if !self.used.contains(&Used::Set(index)) {
                missing.insert((set.at, format!("no open type uses the object set `{}`", set.name)));
            }
        }
        self.errors.extend(missing.into_iter().map(|(at, message)| overlay.error(at, message)));
    }

    /// Creates the modules, with their items in order.
    fn modules(&mut self) -> Vec<Module> {
        let model = self.model;
        let mut scope = Scope::default();
        // The file that has the others as modules.
        scope.claim("mod");
        let mut modules = Vec::new();
        let places = self.places();
        for (index, module) in model.modules.iter().enumerate() {
            let id = ModuleId(index as u32);
            let overlay = self.module_overlay(id);
            let wanted = overlay.and_then(|overlay| overlay.file.clone());
            let wanted = wanted.unwrap_or_else(|| Words::of(&module.name).snake());
            let elsewhere = overlay.and_then(|overlay| overlay.path.clone());
            let emitted = elsewhere.is_none() && !overlay.is_some_and(|overlay| overlay.skip);
            modules.push(Module {
                id,
                name: module.name.clone(),
                ident: scope.claim(&wanted),
                elsewhere,
                feature: overlay.and_then(|overlay| overlay.feature.clone()),
                emitted,
                contents: self.contents(id, &places),
            });
        }
        modules
    }

    fn contents(&self, id: ModuleId, places: &Places<'m>) -> Vec<Content> {
        let mut contents = Vec::new();
        let mut placed = HashSet::new();
        let mut constants = Scope::default();
        let Some(module) = self.model.module(id) else { return contents };
        for assignment in &module.assignments {
            let roots: Vec<ItemId> = match &assignment.kind {
                AssignmentKind::Type(_) | AssignmentKind::ValueSet(_) | AssignmentKind::ObjectSet(_) => {
                    places.assigned.get(&(id, assignment.span)).cloned().unwrap_or_default()
                }
                AssignmentKind::Parameterized { .. } => {
                    places.instances.get(&(id, assignment.name.as_str())).cloned().unwrap_or_default()
                }
                AssignmentKind::Value { ty, value } => {
                    let repr = self.constant_repr(*ty);
                    contents.push(Content::Constant(Constant {
                        name: assignment.name.clone(),
                        ident: constants.claim(&Words::of(&assignment.name).upper_snake()),
                        ty: *ty,
                        repr,
                        value: value.clone(),
                        span: assignment.span,
                    }));
                    continue;
                }
                _ => continue,
            };
            for root in roots {
                self.place(root, &mut placed, &mut contents);
            }
        }
        // What stands nowhere in the text: sets that are written where they are used, instances of what is elsewhere.
        for item in places.all.get(&id).into_iter().flatten() {
            self.place(*item, &mut placed, &mut contents);
        }
        contents
    }

    /// Collects the positions of all modules' items at once.
    fn places(&self) -> Places<'m> {
        let mut places = Places::default();
        for (index, item) in self.items.iter().enumerate() {
            let id = ItemId(index as u32);
            places.all.entry(item.module).or_default().push(id);
            let name = item.ty.and_then(|ty| self.model.ty(ty)).and_then(|ty| ty.name.as_ref());
            match name.and_then(|name| name.instance.as_ref()) {
                Some(instance) => places.instances.entry((item.module, instance.of.as_str())).or_default().push(id),
                // What has no name stands behind what it is part of.
                None if item.name == item.ident && name.is_none() && !matches!(item.body, Body::OpenType(_)) => {}
                None => places.assigned.entry((item.module, item.span)).or_default().push(id),
            }
        }
        places
    }

    /// Appends an item, followed by its parts.
    fn place(&self, root: ItemId, placed: &mut HashSet<ItemId>, contents: &mut Vec<Content>) {
        let mut stack = vec![root];
        while let Some(id) = stack.pop() {
            if placed.insert(id) {
                contents.push(Content::Item(id));
                stack.extend(self.children.get(&id).into_iter().flatten().rev());
            }
        }
    }
}

fn item(module: ModuleId, name: String, ident: String, ty: Option<TypeId>, span: Span) -> PlanItem {
    PlanItem {
        module,
        name,
        ident,
        ty,
        span,
        tag: None,
        body: Body::Pending,
        rules: Vec::new(),
        borrows: false,
        copies: true,
        boxed: false,
        emitted: true,
        marks: Marks::default(),
    }
}

fn marks(overlay: &TypeOverlay) -> Marks {
    Marks {
        verbatim: overlay.verbatim,
        secret: overlay.secret,
        inline: overlay.inline,
        shape: overlay.shape.clone(),
        check: overlay.check.clone(),
        derive: overlay.derive.clone(),
        attributes: overlay.attributes.clone(),
        newtype: overlay.newtype,
        doc: overlay.doc.clone(),
        field_docs: overlay.fields.iter().filter_map(|field| Some((field.name.clone(), field.doc.clone()?))).collect(),
    }
}

#[cfg(test)]
mod tests;
