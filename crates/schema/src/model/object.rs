//! Information objects of the model (X.681).

use crate::model::{ClassId, ModuleId, ObjectId, SetId, TypeId, Value};
use crate::source::Span;

/// A class.
#[derive(Clone, Debug)]
pub struct Class {
    /// Its name; `TYPE-IDENTIFIER` and `ABSTRACT-SYNTAX` are there always.
    pub name: String,
    /// The module that defines it; none for the two that are always there.
    pub module: Option<ModuleId>,
    /// Its fields.
    pub fields: Vec<ClassField>,
    /// WITH SYNTAX.
    pub syntax: Option<Vec<SyntaxItem>>,
    /// Its text.
    pub span: Span,
}

impl Class {
    /// A field by its name, with its `&`.
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
    /// Kind of its content.
    pub kind: FieldKind,
    /// Set if objects may leave it out.
    pub optional: bool,
    /// Default for objects that leave it out.
    pub default: Option<SettingValue>,
    /// Set if no two objects of a set may have the same value there.
    pub unique: bool,
    /// Its text.
    pub span: Span,
}

/// Kind of a field's content (X.681 §9.4).
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
    /// Its name, if it has one.
    pub name: Option<String>,
    /// The module whose text it stands in.
    pub module: ModuleId,
    /// Its class.
    pub class: ClassId,
    /// Settings of its fields, defaults included.
    pub settings: Vec<Setting>,
    /// Its text.
    pub span: Span,
}

impl Object {
    /// Finds the setting of a field, by its name with its `&`.
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
    /// Set if it comes from the DEFAULT of the class.
    pub is_default: bool,
}

/// Value of a field of an object.
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

/// An object set, with the sets in it taken apart.
#[derive(Clone, Debug)]
pub struct ObjectSet {
    /// Its name, if it has one.
    pub name: Option<String>,
    /// The module whose text it stands in.
    pub module: ModuleId,
    /// The class of its objects.
    pub class: ClassId,
    /// Its objects, each once, those behind the marker last.
    pub objects: Vec<ObjectId>,
    /// Number of them before the extension marker.
    pub root: usize,
    /// Set if others may be met.
    pub extensible: bool,
    /// Its text.
    pub span: Span,
}
