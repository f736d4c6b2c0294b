//! Information object classes, objects and object sets (X.681).

use crate::model::{ClassId, ModuleId, ObjectId, SetId, TypeId, Value};
use crate::source::Span;

/// An information object class.
#[derive(Clone, Debug)]
pub struct Class {
    /// Its name. `TYPE-IDENTIFIER` and `ABSTRACT-SYNTAX` always exist.
    pub name: String,
    /// The defining module; `None` for the two built-in classes.
    pub module: Option<ModuleId>,
    /// Its fields.
    pub fields: Vec<ClassField>,
    /// WITH SYNTAX.
    pub syntax: Option<Vec<SyntaxItem>>,
    /// Its source text.
    pub span: Span,
}

impl Class {
    /// Returns a field by name, with its `&`.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&ClassField> {
        self.fields.iter().find(|field| field.name == name)
    }
}

/// A field of a class.
#[derive(Clone, Debug)]
pub struct ClassField {
    /// Its name, with its `&`.
    pub name: String,
    /// The kind of content.
    pub kind: FieldKind,
    /// True if objects may omit it.
    pub optional: bool,
    /// The default value for objects that omit it.
    pub default: Option<SettingValue>,
    /// True if the field must be unique within a set.
    pub unique: bool,
    /// Its source text.
    pub span: Span,
}

/// The kind of content of a field (X.681 §9.4).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FieldKind {
    /// `&Type`: a type.
    Type,
    /// `&value INTEGER`: a value of a type.
    FixedValue(TypeId),
    /// `&value &Type`: a value of the type in another field.
    VariableValue(Vec<String>),
    /// `&Values INTEGER`: a set of values of a type.
    FixedValueSet(TypeId),
    /// `&Values &Type`: a set of values of the type in another field.
    VariableValueSet(Vec<String>),
    /// `&object CLASS`: an object.
    Object(ClassId),
    /// `&Objects CLASS`: an object set.
    ObjectSet(ClassId),
}

/// An item of WITH SYNTAX.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SyntaxItem {
    /// A word, or a comma.
    Literal(String),
    /// A field, with its `&`.
    Field(String),
    /// `[ … ]`.
    Optional(Vec<SyntaxItem>),
}

/// An object.
#[derive(Clone, Debug)]
pub struct Object {
    /// Its name, if any.
    pub name: Option<String>,
    /// The module that contains its text.
    pub module: ModuleId,
    /// Its class.
    pub class: ClassId,
    /// Its field settings, defaults included.
    pub settings: Vec<Setting>,
    /// Its source text.
    pub span: Span,
}

impl Object {
    /// Returns the setting of a field by name, with its `&`.
    #[must_use]
    pub fn setting(&self, name: &str) -> Option<&SettingValue> {
        self.settings.iter().find(|setting| setting.field == name).map(|setting| &setting.value)
    }
}

/// A field of an object.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The field's name, with its `&`.
    pub field: String,
    /// Its value.
    pub value: SettingValue,
    /// True if it comes from the class's DEFAULT.
    pub is_default: bool,
}

/// The value of an object's field.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum SettingValue {
    /// A type.
    Type(TypeId),
    /// A value.
    Value(Value),
    /// A set of values: a type with a constraint.
    ValueSet(TypeId),
    /// An object.
    Object(ObjectId),
    /// An object set.
    ObjectSet(SetId),
}

/// An object set, with nested sets expanded.
#[derive(Clone, Debug)]
pub struct ObjectSet {
    /// Its name, if any.
    pub name: Option<String>,
    /// The module that contains its text.
    pub module: ModuleId,
    /// The class of its objects.
    pub class: ClassId,
    /// Its objects without duplicates; additions come last.
    pub objects: Vec<ObjectId>,
    /// The number of objects before the extension marker.
    pub root: usize,
    /// True if other objects are allowed.
    pub extensible: bool,
    /// Its source text.
    pub span: Span,
}
