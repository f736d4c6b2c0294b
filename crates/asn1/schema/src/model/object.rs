//! Information object classes, objects and object sets (X.681).

use crate::model::{ClassId, ModuleId, ObjectId, SetId, TypeId, Value};
use crate::source::Span;

/// An information object class.
#[derive(Clone, Debug)]
pub struct Class {
    /// The class's name. `TYPE-IDENTIFIER` and `ABSTRACT-SYNTAX` are always defined.
    pub name: String,
    /// The defining module; `None` for the two built-in classes.
    pub module: Option<ModuleId>,
    /// The class's fields.
    pub fields: Vec<ClassField>,
    /// WITH SYNTAX.
    pub syntax: Option<Vec<SyntaxItem>>,
    /// The class's source text.
    pub span: Span,
}

impl Class {
    /// Returns the field with the given name, which includes the `&`.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&ClassField> {
        self.fields.iter().find(|field| field.name == name)
    }
}

/// A field of a class.
#[derive(Clone, Debug)]
pub struct ClassField {
    /// The field's name, with its `&`.
    pub name: String,
    /// The field's kind of content.
    pub kind: FieldKind,
    /// True if objects may omit the field.
    pub optional: bool,
    /// The default value for objects that omit the field.
    pub default: Option<SettingValue>,
    /// True if the field's values must be unique within a set.
    pub unique: bool,
    /// The field's source text.
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
    /// An optional group: `[ … ]`.
    Optional(Vec<SyntaxItem>),
}

/// An information object.
#[derive(Clone, Debug)]
pub struct Object {
    /// The object's name, if any.
    pub name: Option<String>,
    /// The module that contains its text.
    pub module: ModuleId,
    /// The object's class.
    pub class: ClassId,
    /// The settings of the object's fields, including defaults.
    pub settings: Vec<Setting>,
    /// The object's source text.
    pub span: Span,
}

impl Object {
    /// Returns the setting of the field with the given name, which includes the `&`.
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
    /// The field's value.
    pub value: SettingValue,
    /// True if the value comes from the class's DEFAULT.
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
    /// The set's name, if any.
    pub name: Option<String>,
    /// The module that contains its text.
    pub module: ModuleId,
    /// The class of its objects.
    pub class: ClassId,
    /// The set's objects without duplicates; additions come last.
    pub objects: Vec<ObjectId>,
    /// The number of objects before the extension marker.
    pub root: usize,
    /// True if other objects are allowed.
    pub extensible: bool,
    /// The set's source text.
    pub span: Span,
}
