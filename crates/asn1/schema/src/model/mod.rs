//! The resolved model: all names resolved, parameters substituted, and values computed.
//!
//! Everything is in lists with cross-references by index ([`TypeId`], [`SetId`] …), which allows recursive types. The
//! model is independent of any target language.

pub(crate) mod constraint;
mod index;
pub(crate) mod object;
pub(crate) mod ty;
pub(crate) mod value;
pub(crate) mod weight;

pub use constraint::{
    Alphabet, Bounds, CharRange, Component, Components, Condition, Constraints, Contents, End, Inner, IntRange,
    Pattern, Selector, Table, UserDefined, Visible,
};
pub use object::{Class, ClassField, FieldKind, Object, ObjectSet, Setting, SettingValue, SyntaxItem};
pub use ty::{
    Default, Enumeration, Field, Fields, Instance, Instruction, ListElement, Marker, NamedNumber, OpenType, Outer,
    Presence, Shape, StringKind, Tag, TagClass, Tagging, TimeKind, Type, TypeName,
};
pub use value::{Arc, Bits, Named, Real, Value};

use std::borrow::Cow;

use index::Index;

use crate::Limits;
use crate::source::{Source, Span};

/// The index of a type in [`Model::types`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeId(pub u32);

/// The index of a class in [`Model::classes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ClassId(pub u32);

/// The index of an object in [`Model::objects`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObjectId(pub u32);

/// The index of an object set in [`Model::sets`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SetId(pub u32);

/// The index of a module in [`Model::modules`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ModuleId(pub u32);

/// A compiled set of modules.
///
/// ```
/// use tagwise_schema::{Source, compile};
/// let source = Source::new("m.asn1", "M DEFINITIONS ::= BEGIN\n  A ::= INTEGER (0..max)\n  max INTEGER ::= 7\nEND\n");
/// let model = compile(vec![source]).into_model().unwrap();
/// let a = model.type_named("M", "A").unwrap();
/// let bounds = model.ty(a).unwrap().effective.value.as_ref().unwrap();
/// assert_eq!(bounds.ranges[0].max, Some(7.into()));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// The source texts.
    pub sources: Vec<Source>,
    /// The modules, in source order.
    pub modules: Vec<Module>,
    /// All types: assigned types, instances of parameterized types, and anonymous inner types.
    pub types: Vec<Type>,
    /// All classes.
    pub classes: Vec<Class>,
    /// All objects.
    pub objects: Vec<Object>,
    /// All object sets.
    pub sets: Vec<ObjectSet>,
    /// The limits of the compilation. Back ends apply the same allowance to their output.
    pub limits: Limits,
    /// The index of names, which is built on first use.
    pub(crate) index: Index,
    /// The base type of each type, with references resolved. Filled in once the model is complete.
    pub(crate) bases: Vec<TypeId>,
}

/// A compiled module.
#[derive(Clone, Debug)]
pub struct Module {
    /// The module's name.
    pub name: String,
    /// The module's object identifier, if any.
    pub oid: Option<Vec<Arc>>,
    /// The tag default, for tags without IMPLICIT or EXPLICIT.
    pub tags: TagDefault,
    /// True if the header has EXTENSIBILITY IMPLIED.
    pub extensibility_implied: bool,
    /// The exported names; `None` if all are exported.
    pub exports: Option<Vec<String>>,
    /// The module's imports.
    pub imports: Vec<Import>,
    /// The module's assignments, in source order.
    pub assignments: Vec<Assignment>,
    /// The module's encoding control sections (X.680 §54), whose words are those of all their instructions.
    pub controls: std::sync::Arc<[Instruction]>,
    /// The module's position in the source.
    pub span: Span,
}

/// The tag default of a module (X.680 §13.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TagDefault {
    /// EXPLICIT TAGS, or unspecified.
    Explicit,
    /// IMPLICIT TAGS.
    Implicit,
    /// AUTOMATIC TAGS.
    Automatic,
}

/// The names imported from one module.
#[derive(Clone, Debug)]
pub struct Import {
    /// The module's name in the import.
    pub name: String,
    /// The module; `None` if it is not among the texts and not needed.
    pub module: Option<ModuleId>,
    /// The imported names.
    pub symbols: Vec<String>,
    /// The position of the module's name.
    pub span: Span,
}

/// An assignment in a module.
#[derive(Clone, Debug)]
pub struct Assignment {
    /// The assignment's name.
    pub name: String,
    /// The assigned entity.
    pub kind: AssignmentKind,
    /// The assignment's complete source text.
    pub span: Span,
}

/// The kind of an assignment, with the assigned entity.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum AssignmentKind {
    /// A type.
    Type(TypeId),
    /// A value set: a type with a constraint (X.680 §16.6).
    ValueSet(TypeId),
    /// A value and its type.
    Value {
        /// The value's type.
        ty: TypeId,
        /// The assigned value.
        value: Value,
    },
    /// A class, or an alias of one.
    Class(ClassId),
    /// An object.
    Object(ObjectId),
    /// An object set.
    ObjectSet(SetId),
    /// A parameterized assignment, which must be instantiated before use. The [`Type::name`] of each instance refers to it.
    Parameterized {
        /// The names of the parameters.
        parameters: Vec<String>,
    },
    /// A macro definition or use, which is skipped.
    Skipped,
}

impl Model {
    /// Returns the maximum size of anything generated from this model, in bytes: see [`Limits::allowance`].
    #[must_use]
    pub fn allowance(&self) -> u64 {
        self.limits.allowance(self.sources.iter().map(|source| source.text().len()).sum())
    }

    /// Returns the type with the given index.
    #[must_use]
    pub fn ty(&self, id: TypeId) -> Option<&Type> {
        self.types.get(id.0 as usize)
    }

    /// Returns the class with the given index.
    #[must_use]
    pub fn class(&self, id: ClassId) -> Option<&Class> {
        self.classes.get(id.0 as usize)
    }

    /// Returns the object with the given index.
    #[must_use]
    pub fn object(&self, id: ObjectId) -> Option<&Object> {
        self.objects.get(id.0 as usize)
    }

    /// Returns the object set with the given index.
    #[must_use]
    pub fn set(&self, id: SetId) -> Option<&ObjectSet> {
        self.sets.get(id.0 as usize)
    }

    /// Returns the module with the given index.
    #[must_use]
    pub fn module(&self, id: ModuleId) -> Option<&Module> {
        self.modules.get(id.0 as usize)
    }

    /// Returns the assignment with the given name in a module.
    #[must_use]
    pub fn assignment(&self, module: &str, name: &str) -> Option<&Assignment> {
        let index = self.index.of(self);
        let module = self.modules.get(*index.modules.get(module)?)?;
        let place = index.assignments.get(module.name.as_str())?.get(name)?;
        module.assignments.get(*place)
    }

    /// Returns the type with the given name in a module.
    #[must_use]
    pub fn type_named(&self, module: &str, name: &str) -> Option<TypeId> {
        match self.assignment(module, name)?.kind {
            AssignmentKind::Type(id) | AssignmentKind::ValueSet(id) => Some(id),
            _ => None,
        }
    }

    /// Returns the underlying type, after references and fixed-type fields. Their tags and constraints are skipped;
    /// [`Type::outer`] and [`Type::effective`] include them.
    #[must_use]
    pub fn base(&self, id: TypeId) -> Option<&Type> {
        let mut ty = self.ty(self.bases.get(id.0 as usize).copied().unwrap_or(id))?;
        // A chain has at most as many links as there are types, because the resolver has rejected cycles.
        for _ in 0..self.types.len() {
            match ty.shape {
                Shape::Reference(target) | Shape::FixedField { ty: target, .. } => ty = self.ty(target)?,
                _ => return Some(ty),
            }
        }
        None
    }

    /// Finds the base types of all types, following each chain of references once.
    pub(crate) fn find_bases(&mut self) {
        let mut known: Vec<Option<TypeId>> = vec![None; self.types.len()];
        for id in (0..self.types.len() as u32).map(TypeId) {
            let (mut path, mut at) = (Vec::new(), id);
            let base = loop {
                if let Some(Some(base)) = known.get(at.0 as usize) {
                    break *base;
                }
                match self.ty(at).map(|ty| &ty.shape) {
                    Some(Shape::Reference(target) | Shape::FixedField { ty: target, .. })
                        if path.len() < self.types.len() =>
                    {
                        path.push(at);
                        at = *target;
                    }
                    _ => break at,
                }
            };
            for one in path.into_iter().chain([at]) {
                if let Some(slot) = known.get_mut(one.0 as usize) {
                    *slot = Some(base);
                }
            }
        }
        self.bases = known.into_iter().zip((0..).map(TypeId)).map(|(base, id)| base.unwrap_or(id)).collect();
    }

    /// Returns the constraints that a type adds to its referenced types. Includes the referenced types' constraints if these
    /// had an extension marker, which no longer applies once another constraint follows (X.680 §50.8).
    #[must_use]
    pub fn stated(&self, id: TypeId) -> Cow<'_, Constraints> {
        let Some(ty) = self.ty(id) else { return Cow::Owned(Constraints::default()) };
        let behind = match ty.shape {
            Shape::Reference(target) | Shape::FixedField { ty: target, .. } => self.ty(target),
            _ => None,
        };
        let own = &ty.constraints;
        match behind {
            Some(behind) if !own.is_empty() && behind.effective.has_marker() => Cow::Owned(Constraints {
                contents: own.contents.clone(),
                user: own.user.clone(),
                table: own.table.clone(),
                spans: own.spans.clone(),
                ..ty.effective.clone()
            }),
            _ => Cow::Borrowed(own),
        }
    }

    /// Returns the source text of a span.
    #[must_use]
    pub fn text(&self, span: Span) -> &str {
        self.sources.get(span.file as usize).map_or("", |source| source.slice(span))
    }

    /// Returns the rows of an open type, one for each object in its set that defines a type in the field. A row contains the object,
    /// its values for the [selectors](Table::selectors) in order (`None` for an omitted field), and the type.
    #[must_use]
    pub fn rows(&self, open: &OpenType) -> Vec<Row<'_>> {
        let Some(table) = &open.table else { return Vec::new() };
        let Some(set) = self.set(table.set) else { return Vec::new() };
        let objects = set.objects.iter().filter_map(|id| Some((*id, self.object(*id)?)));
        let rows = objects.filter_map(|(id, object)| {
            let keys = table.selectors.iter().map(|selector| self.value_at(object, &selector.field)).collect();
            Some(Row { object: id, keys, ty: self.type_at(object, &open.field)? })
        });
        rows.collect()
    }

    /// Returns the values that the objects of a table's set allow for a class field (X.682 §10.5, §10.7). Objects without the
    /// field are skipped. Returns `None` if the type is not the type of a class field, or is an open type. For open types, use
    /// [`rows`](Self::rows).
    #[must_use]
    pub fn column(&self, table: &Table, ty: TypeId) -> Option<Vec<Cell<'_>>> {
        let mut at = self.ty(ty)?;
        // No chain of references is longer.
        for _ in 0..self.types.len() {
            match &at.shape {
                Shape::Reference(target) => at = self.ty(*target)?,
                Shape::FixedField { field, .. } => {
                    let objects = self.set(table.set)?.objects.iter().filter_map(|id| self.object(*id));
                    let cells = objects.filter_map(|object| {
                        let keys =
                            table.selectors.iter().map(|selector| self.value_at(object, &selector.field)).collect();
                        Some(Cell { keys, held: self.setting_at(object, field)? })
                    });
                    return Some(cells.collect());
                }
                _ => return None,
            }
        }
        None
    }

    /// Returns the value of the field at the given path, starting from an object.
    #[must_use]
    pub fn value_at<'m>(&'m self, object: &'m Object, path: &[String]) -> Option<&'m Value> {
        match self.setting_at(object, path)? {
            SettingValue::Value(value) => Some(value),
            _ => None,
        }
    }

    /// Returns the type of the field at the given path, starting from an object.
    #[must_use]
    pub fn type_at(&self, object: &Object, path: &[String]) -> Option<TypeId> {
        match self.setting_at(object, path)? {
            SettingValue::Type(id) => Some(*id),
            _ => None,
        }
    }

    /// Returns the setting of the field at the given path, starting from an object.
    #[must_use]
    pub fn setting_at<'m>(&'m self, object: &'m Object, path: &[String]) -> Option<&'m SettingValue> {
        let (last, before) = path.split_last()?;
        let mut object = object;
        for name in before {
            match object.setting(name)? {
                SettingValue::Object(id) => object = self.object(*id)?,
                _ => return None,
            }
        }
        object.setting(last)
    }
}

/// A value that an object allows: see [`Model::column`].
#[derive(Clone, Debug)]
pub struct Cell<'m> {
    /// The object's values for the selectors.
    pub keys: Vec<Option<&'m Value>>,
    /// The value or set of values that the object allows.
    pub held: &'m SettingValue,
}

/// A row of an open type: see [`Model::rows`].
#[derive(Clone, Debug)]
pub struct Row<'m> {
    /// The object that defines the row.
    pub object: ObjectId,
    /// The object's values for the selectors.
    pub keys: Vec<Option<&'m Value>>,
    /// The selected type.
    pub ty: TypeId,
}
