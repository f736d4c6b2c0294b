//! Object sets, whose objects select the type of an open type.

use tagwise_codec::table::{List, Object, ObjectSet, SetRef, Shape, Text, TypeRef};
use tagwise_codec::value::from_dotted;
use tagwise_codec::{Any, Decode};
use tagwise_schema::model::{self, Cell, ClassId, FieldKind, OpenType, Selector, Table, TypeId, Value};
use tagwise_schema::{Model, Span};

use crate::build::{Build, Pending, definite};
use crate::constraint::On;

impl Build<'_> {
    /// Creates the shape of the open type with the given ID.
    pub(crate) fn open(&mut self, id: TypeId, open: &OpenType) -> Shape {
        if let Some(fixed) = open.fixed {
            return Shape::Named(TypeRef::Index(fixed.0));
        }
        let unknown = |selector: Option<&String>| Shape::Open {
            set: None,
            selector: Text::from(selector.cloned().unwrap_or_default()),
        };
        let Some(table) = &open.table else { return unknown(open.defined_by.as_ref()) };
        // A simple table constraint allows any of the set's types; which one it is cannot be told.
        if table.selectors.is_empty() {
            return unknown(None);
        }
        let paths: Vec<String> = table.selectors.iter().map(|selector| self.path(id, selector)).collect();
        let set = self.set(table, open);
        Shape::Open { set: Some(SetRef::Index(set)), selector: Text::from(paths.join(",")) }
    }

    /// Returns the path to a selecting component, with one dot for each SEQUENCE or SET to step out of (X.682 §10.8).
    fn path(&self, id: TypeId, selector: &Selector) -> String {
        let names = selector.path.join(".");
        match self.steps(id, selector.up) {
            Some(steps) => format!("@.{}{names}", ".".repeat(steps)),
            None => names,
        }
    }

    /// Returns the number of SEQUENCEs and SETs between a type and its enclosing structure `up` levels out. Returns `None` if
    /// the type's text occurs in several structures, or if the structure is a CHOICE. The path then begins at the first
    /// component with its name.
    fn steps(&self, id: TypeId, up: u32) -> Option<usize> {
        let (mut at, mut steps, mut up) = (id, 0, up);
        // No type is nested deeper than there are types.
        for _ in 0..self.model.types.len() {
            at = self.parents.get(&at).copied().flatten()?;
            let is_structure = match self.model.ty(at).map(|ty| &ty.shape)? {
                model::Shape::Sequence(_) | model::Shape::Set(_) | model::Shape::InstanceOf { .. } => true,
                model::Shape::Choice(_) => false,
                // Lists are no levels (X.682 §10.8), nor is what refers to a type.
                _ => continue,
            };
            match up.checked_sub(1) {
                Some(rest) => up = rest,
                None => return is_structure.then_some(steps),
            }
            steps += usize::from(is_structure);
        }
        None
    }

    /// Returns the object set for a table's rows and selectors, which is created once for each combination of fields.
    fn set(&mut self, table: &Table, open: &OpenType) -> u32 {
        let selectors: Vec<Vec<String>> = table.selectors.iter().map(|one| one.field.clone()).collect();
        let key = (table.set, selectors, open.field.clone());
        if let Some(index) = self.set_of.get(&key) {
            return *index;
        }
        let mut objects = Vec::new();
        for row in self.model.rows(open) {
            if !self.meter.spend(size_of::<Object>(), open_span(self.model, row.ty)) {
                break;
            }
            let class = self.model.object(row.object).map(|object| object.class);
            let contents = row.keys.iter().zip(&table.selectors).map(|(value, selector)| {
                let field = class.and_then(|class| self.field_type(class, &selector.field));
                // An object that leaves the field out is never selected.
                self.key(value.as_ref()?, field, selector.span)
            });
            let Some(contents) = contents.collect::<Option<Vec<_>>>() else { continue };
            let name = self.model.object(row.object).and_then(|object| object.name.clone()).unwrap_or_default();
            objects.push(Object {
                name: Text::from(name),
                key: List::from(joined(contents)),
                ty: TypeRef::Index(row.ty.0),
            });
        }
        let set = self.model.set(table.set);
        let name = set.and_then(|set| set.name.clone()).unwrap_or_default();
        let extensible = set.is_none_or(|set| set.extensible);
        let index = self.sets.len() as u32;
        self.sets.push(ObjectSet { name: Text::from(name), objects: List::from(objects), extensible });
        self.set_of.insert(key, index);
        index
    }

    /// Creates the object set for a component relation. Each object's type allows only the values for its selectors.
    pub(crate) fn relation(&mut self, table: &Table, cells: &[Cell<'_>], on: On, span: Span) -> (SetRef, Text) {
        let paths: Vec<String> = table.selectors.iter().map(|selector| self.path(on.ty, selector)).collect();
        let selector = Text::from(paths.join(","));
        let selectors: Vec<Vec<String>> = table.selectors.iter().map(|one| one.field.clone()).collect();
        let key = ((table.set, selectors, self.column(on.ty)), on.table);
        if let Some(index) = self.relations.get(&key) {
            return (SetRef::Index(*index), selector);
        }
        let class = self.model.set(table.set).map(|set| set.class);
        let mut objects = Vec::new();
        for cell in cells {
            if !self.meter.spend(size_of::<Object>(), span) {
                break;
            }
            let contents = cell.keys.iter().zip(&table.selectors).map(|(value, selector)| {
                let field = class.and_then(|class| self.field_type(class, &selector.field));
                self.key(value.as_ref()?, field, selector.span)
            });
            let contents = contents.collect::<Option<Vec<_>>>();
            let constraint = self.one_of(&[cell.held], on, span);
            if let (Some(contents), Some(constraint)) = (contents, constraint) {
                let ty = self.narrowed(on.table, constraint);
                let key = List::from(joined(contents));
                objects.push(Object { name: Text::Const(""), key, ty: TypeRef::Index(ty) });
            }
        }
        let set = self.model.set(table.set);
        let name = set.and_then(|set| set.name.clone()).unwrap_or_default();
        let extensible = set.is_none_or(|set| set.extensible);
        let index = self.sets.len() as u32;
        self.sets.push(ObjectSet { name: Text::from(name), objects: List::from(objects), extensible });
        self.relations.insert(key, index);
        (SetRef::Index(index), selector)
    }

    /// Returns the class fields from which a type takes its values.
    fn column(&self, ty: TypeId) -> Vec<String> {
        let mut at = ty;
        // No chain of references is longer.
        for _ in 0..self.model.types.len() {
            match self.model.ty(at).map(|ty| &ty.shape) {
                Some(model::Shape::Reference(target)) => at = *target,
                Some(model::Shape::FixedField { field, .. }) => return field.clone(),
                _ => break,
            }
        }
        Vec::new()
    }

    /// Returns the content bytes of a selecting value. Returns `None` until the tables for its type exist.
    fn key(&mut self, value: &Value, ty: Option<TypeId>, span: Span) -> Option<Vec<u8>> {
        if let Some(content) = content(value) {
            return Some(content);
        }
        let pending = Pending { table: ty?.0, single: true, value: value.clone(), span };
        innermost(&self.encoded(pending)?)
    }

    /// Returns the type of the value field at the end of a path of fields.
    fn field_type(&self, class: ClassId, path: &[String]) -> Option<TypeId> {
        let (last, path) = path.split_last()?;
        let mut class = self.model.class(class)?;
        for name in path {
            let (FieldKind::Object(next) | FieldKind::ObjectSet(next)) = &class.field(name)?.kind else { return None };
            class = self.model.class(*next)?;
        }
        match class.field(last)?.kind {
            FieldKind::FixedValue(ty) => Some(ty),
            _ => None,
        }
    }
}

fn open_span(model: &Model, ty: TypeId) -> Span {
    model.ty(ty).map_or_else(Span::default, |ty| ty.span)
}

/// Returns the key of an object. For one selecting component, this is its content. For several, each component's content is
/// preceded by its length.
fn joined(mut contents: Vec<Vec<u8>>) -> Vec<u8> {
    if contents.len() == 1 {
        return contents.pop().unwrap_or_default();
    }
    // An element is its tag, here one octet, and then what is wanted.
    contents.iter().flat_map(|content| definite(0x04, content).into_iter().skip(1)).collect()
}

/// Returns the content bytes of the primitive element in a DER encoding, inside any CHOICE or EXPLICIT tags.
pub(crate) fn innermost(der: &[u8]) -> Option<Vec<u8>> {
    let mut any = Any::from_der(der).ok()?;
    while any.tag().is_constructed() {
        any = Any::from_der(any.content()).ok()?;
    }
    Some(any.content().to_vec())
}

/// Returns the content bytes of a selecting value.
pub(crate) fn content(value: &Value) -> Option<Vec<u8>> {
    match value {
        Value::Integer(number) => Some(number.to_be_bytes()),
        Value::ObjectIdentifier(arcs) => {
            let arcs: Vec<String> = arcs.iter().map(ToString::to_string).collect();
            from_dotted(&arcs.join("."))
        }
        _ => None,
    }
}
