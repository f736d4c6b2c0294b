//! The definitions in modules as text: each assignment of a resolved model as one line, so that two models can be compared.
//!
//! A line contains everything on which encodings and readers depend: tags, presence, defaults, names, numbers, constraints,
//! extension markers, and names of object sets. Other types are named, not repeated, so that each difference appears only
//! once.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use tagwise_schema::Model;
use tagwise_schema::model::{
    AssignmentKind, Bounds, Constraints, FieldKind, Fields, Inner, Module, NamedNumber, ObjectId, Presence, SetId,
    SettingValue, Shape, SyntaxItem, Table, TagClass, TypeId, Value,
};

/// A definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Definition {
    /// A line that is compared literally.
    Line(String),
    /// An object set: its class, its objects before and after the extension marker, and whether it has a marker.
    Set {
        /// The name of the class.
        class: String,
        /// The objects before the marker.
        root: Vec<String>,
        /// The objects behind the marker.
        additions: Vec<String>,
        /// Whether there is a marker.
        extensible: bool,
    },
}

impl Definition {
    /// Returns the definition as text.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Self::Line(line) => line.clone(),
            Self::Set { class, root, additions, extensible } => {
                let marker = if *extensible { ", ..." } else { "" };
                let more = if additions.is_empty() { String::new() } else { format!(", {}", additions.join(" | ")) };
                format!("{class} {{ {}{marker}{more} }}", root.join(" | "))
            }
        }
    }
}

/// Returns the definitions in a module, by name. Types in `written_out` are written out where they are used, not named.
#[must_use]
pub fn of_module(model: &Model, module: &Module, written_out: &BTreeSet<&str>) -> BTreeMap<String, Definition> {
    let lines = Lines { model, written_out };
    let define = |kind: &AssignmentKind| match kind {
        AssignmentKind::Type(id) | AssignmentKind::ValueSet(id) => Definition::Line(lines.named(*id)),
        AssignmentKind::Value { ty, value } => {
            Definition::Line(format!("{} ::= {}", lines.ty(*ty), lines.value(value)))
        }
        AssignmentKind::Class(id) => {
            let class = model.class(*id).unwrap();
            let mut line = "CLASS".to_owned();
            for field in &class.fields {
                let optional = if field.optional { " OPTIONAL" } else { "" };
                let unique = if field.unique { " UNIQUE" } else { "" };
                let default =
                    field.default.as_ref().map_or(String::new(), |value| format!(" DEFAULT {}", lines.setting(value)));
                write!(line, " {} {}{optional}{unique}{default},", field.name, lines.kind(&field.kind)).unwrap();
            }
            if let Some(syntax) = &class.syntax {
                write!(line, " WITH SYNTAX {}", items(syntax)).unwrap();
            }
            Definition::Line(line)
        }
        AssignmentKind::Object(id) => Definition::Line(lines.whole_object(*id)),
        AssignmentKind::ObjectSet(id) => lines.set(*id),
        AssignmentKind::Parameterized { parameters } => Definition::Line(format!("{{{}}}", parameters.join(", "))),
        _ => Definition::Line("skipped".to_owned()),
    };
    module.assignments.iter().map(|assignment| (assignment.name.clone(), define(&assignment.kind))).collect()
}

fn items(syntax: &[SyntaxItem]) -> String {
    let item = |item: &SyntaxItem| match item {
        SyntaxItem::Literal(word) => word.clone(),
        SyntaxItem::Field(field) => field.clone(),
        SyntaxItem::Optional(list) => format!("[{}]", items(list)),
    };
    syntax.iter().map(item).collect::<Vec<_>>().join(" ")
}

struct Lines<'m> {
    model: &'m Model,
    written_out: &'m BTreeSet<&'m str>,
}

impl Lines<'_> {
    /// What stands behind a type's own name.
    fn named(&self, id: TypeId) -> String {
        self.body(id, &mut Vec::new())
    }

    /// A type where it is used: its name, if it has one.
    fn ty(&self, id: TypeId) -> String {
        self.within(id, &mut Vec::new())
    }

    fn within(&self, id: TypeId, around: &mut Vec<TypeId>) -> String {
        let ty = self.model.ty(id).unwrap();
        match &ty.name {
            Some(name) if name.instance.is_none() && !self.written_out.contains(name.name.as_str()) => {
                name.name.clone()
            }
            // An instance has no line of its own, so it is written out, with its parameterized name before it.
            Some(name) => {
                let before = name.instance.as_ref().map_or(String::new(), |instance| format!("{}{{}} = ", instance.of));
                if around.contains(&id) {
                    return name.name.clone();
                }
                around.push(id);
                let body = self.body(id, around);
                around.pop();
                before + &body
            }
            None => self.body(id, around),
        }
    }

    fn body(&self, id: TypeId, around: &mut Vec<TypeId>) -> String {
        let ty = self.model.ty(id).unwrap();
        let mut line = String::new();
        for tagging in &ty.tags {
            let class = match tagging.tag.class {
                TagClass::Universal => "UNIVERSAL ",
                TagClass::Application => "APPLICATION ",
                TagClass::Context => "",
                TagClass::Private => "PRIVATE ",
            };
            let mode = if tagging.explicit { "EXPLICIT" } else { "IMPLICIT" };
            write!(line, "[{class}{}] {mode} ", tagging.tag.number).unwrap();
        }
        line += &self.shape(&ty.shape, around);
        line += &self.constraints(&ty.constraints, around);
        line
    }

    fn shape(&self, shape: &Shape, around: &mut Vec<TypeId>) -> String {
        match shape {
            Shape::Boolean => "BOOLEAN".into(),
            Shape::Integer(names) => format!("INTEGER{}", numbers(names)),
            Shape::Enumerated(list) => {
                let (root, more) = list.items.split_at(list.root);
                let marker = if list.extensible { " ..." } else { "" };
                format!("ENUMERATED{}{marker}{}", numbers(root), numbers(more))
            }
            Shape::Real => "REAL".into(),
            Shape::BitString(names) => format!("BIT STRING{}", numbers(names)),
            Shape::OctetString => "OCTET STRING".into(),
            Shape::Null => "NULL".into(),
            Shape::ObjectIdentifier => "OBJECT IDENTIFIER".into(),
            Shape::String(kind) => format!("{kind:?}String"),
            Shape::Time(kind) => format!("{kind:?}Time"),
            Shape::Sequence(fields) => format!("SEQUENCE {}", self.fields(fields, around)),
            Shape::Set(fields) => format!("SET {}", self.fields(fields, around)),
            Shape::Choice(fields) => format!("CHOICE {}", self.fields(fields, around)),
            Shape::SequenceOf(item) => format!("SEQUENCE OF {}", self.within(item.ty, around)),
            Shape::SetOf(item) => format!("SET OF {}", self.within(item.ty, around)),
            Shape::Open(open) => {
                let class = open.class.and_then(|id| self.model.class(id)).map_or("ANY", |class| &class.name);
                let table = open.table.as_ref().map_or(String::new(), |table| self.table(table));
                format!("{class}.{}{table}", open.field.join("."))
            }
            Shape::FixedField { class, field, .. } => {
                format!("{}.{}", self.model.class(*class).unwrap().name, field.join("."))
            }
            Shape::InstanceOf { class, .. } => format!("INSTANCE OF {}", self.model.class(*class).unwrap().name),
            Shape::Reference(target) => self.within(*target, around),
            other => format!("{other:?}"),
        }
    }

    fn fields(&self, fields: &Fields, around: &mut Vec<TypeId>) -> String {
        let mut line = "{ ".to_owned();
        for (at, field) in fields.list.iter().enumerate() {
            if fields.marker.is_some_and(|marker| marker.start == at) {
                line += "..., ";
            }
            if fields.marker.is_some_and(|marker| marker.end == at && marker.end > marker.start) {
                line += "..., ";
            }
            let presence = match &field.presence {
                Presence::Required => String::new(),
                Presence::Optional => " OPTIONAL".into(),
                Presence::Default(default) => format!(" DEFAULT {}", self.value(&default.value)),
            };
            let group = field.group.map_or(String::new(), |group| format!("[[{group}]] "));
            write!(line, "{group}{} {}{presence}, ", field.name, self.within(field.ty, around)).unwrap();
        }
        if fields.marker.is_some_and(|marker| marker.start == fields.list.len()) {
            line += "..., ";
        }
        line + "}"
    }

    fn constraints(&self, what: &Constraints, around: &mut Vec<TypeId>) -> String {
        let mut line = String::new();
        if let Some(value) = &what.value {
            write!(line, " ({})", bounds(value)).unwrap();
        }
        if let Some(size) = &what.size {
            write!(line, " (SIZE ({}))", bounds(size)).unwrap();
        }
        if let Some(alphabet) = &what.alphabet {
            write!(line, " (FROM {:?})", alphabet.ranges).unwrap();
        }
        if let Some(values) = &what.values {
            let values: Vec<_> = values.iter().map(|value| self.value(value)).collect();
            write!(line, " ({})", values.join(" | ")).unwrap();
        }
        if let Some(contents) = &what.contents {
            let inner = contents.ty.map_or(String::new(), |id| self.within(id, around));
            write!(line, " (CONTAINING {inner})").unwrap();
        }
        for components in &what.components {
            line += if components.partial { " (WITH COMPONENTS ..." } else { " (WITH COMPONENTS" };
            for component in &components.list {
                let present = match component.present {
                    Some(true) => " PRESENT",
                    Some(false) => " ABSENT",
                    None => "",
                };
                write!(line, " {}{}{present}", component.name, self.inner(&component.inner, around)).unwrap();
            }
            line += ")";
        }
        if let Some(item) = &what.item {
            write!(line, " (WITH COMPONENT{})", self.inner(item, around)).unwrap();
        }
        if let Some(table) = &what.table {
            line += &self.table(table);
        }
        if what.inexact || !what.further.is_empty() {
            // The text is exact, whatever its white space.
            for span in &what.spans {
                let words = self.model.text(*span).split_whitespace().collect::<Vec<_>>().join(" ");
                write!(line, " {}", words.replace("{ ", "{").replace(" }", "}")).unwrap();
            }
        }
        line
    }

    fn inner(&self, inner: &Inner, around: &mut Vec<TypeId>) -> String {
        self.constraints(&inner.constraints, around)
    }

    fn table(&self, table: &Table) -> String {
        let at: Vec<_> = table.selectors.iter().map(|selector| format!("@{}", selector.path.join("."))).collect();
        let at = if at.is_empty() { String::new() } else { format!("{{{}}}", at.join(", ")) };
        let set = self.model.set(table.set).unwrap();
        let name = set.name.clone().unwrap_or_else(|| self.set(table.set).text());
        format!("({{{name}}}{at})")
    }

    /// An object where it is used: its name, if it has one.
    fn object(&self, id: ObjectId) -> String {
        let object = self.model.object(id).unwrap();
        object.name.clone().unwrap_or_else(|| self.whole_object(id))
    }

    fn whole_object(&self, id: ObjectId) -> String {
        let object = self.model.object(id).unwrap();
        let mut settings: Vec<_> =
            object.settings.iter().map(|one| format!("{} {}", one.field, self.setting(&one.value))).collect();
        settings.sort();
        format!("{} {{ {} }}", self.model.class(object.class).unwrap().name, settings.join(", "))
    }

    fn set(&self, id: SetId) -> Definition {
        let set = self.model.set(id).unwrap();
        let mut names: Vec<_> = set.objects.iter().map(|id| self.object(*id)).collect();
        let mut additions = names.split_off(set.root);
        names.sort();
        additions.sort();
        let class = self.model.class(set.class).unwrap().name.clone();
        Definition::Set { class, root: names, additions, extensible: set.extensible }
    }

    fn setting(&self, value: &SettingValue) -> String {
        match value {
            SettingValue::Type(id) | SettingValue::ValueSet(id) => self.ty(*id),
            SettingValue::Value(value) => self.value(value),
            SettingValue::Object(id) => self.object(*id),
            SettingValue::ObjectSet(id) => self.set(*id).text(),
            other => format!("{other:?}"),
        }
    }

    fn kind(&self, kind: &FieldKind) -> String {
        let class = |id| self.model.class(id).map_or(String::new(), |class| class.name.clone());
        match kind {
            FieldKind::Type => "type".into(),
            FieldKind::FixedValue(ty) => format!("value {}", self.ty(*ty)),
            FieldKind::FixedValueSet(ty) => format!("values {}", self.ty(*ty)),
            FieldKind::Object(id) => format!("object {}", class(*id)),
            FieldKind::ObjectSet(id) => format!("objects {}", class(*id)),
            other => format!("{other:?}"),
        }
    }

    fn value(&self, value: &Value) -> String {
        match value {
            Value::Boolean(value) => value.to_string().to_uppercase(),
            Value::Integer(number) => number.to_string(),
            Value::Enumerated(item) => item.name.clone(),
            Value::Null => "NULL".into(),
            Value::BitString(bits) => format!("{:02X?}/{}", bits.octets, bits.len),
            Value::OctetString(octets) => format!("{octets:02X?}"),
            Value::String(text) => format!("{text:?}"),
            Value::ObjectIdentifier(arcs) => arcs.iter().map(ToString::to_string).collect::<Vec<_>>().join("."),
            Value::Sequence(parts) => {
                let parts: Vec<_> = parts.iter().map(|(name, value)| format!("{name} {}", self.value(value))).collect();
                format!("{{{}}}", parts.join(", "))
            }
            Value::SequenceOf(items) => {
                let items: Vec<_> = items.iter().map(|item| self.value(item)).collect();
                format!("{{{}}}", items.join(", "))
            }
            Value::Open(ty, value) => format!("{}: {}", self.ty(*ty), self.value(value)),
            other => format!("{other:?}"),
        }
    }
}

fn numbers(names: &[NamedNumber]) -> String {
    let names: Vec<_> = names.iter().map(|one| format!("{}({})", one.name, one.number)).collect();
    if names.is_empty() { String::new() } else { format!(" {{ {} }}", names.join(", ")) }
}

fn bounds(bounds: &Bounds) -> String {
    let end = |end: &Option<tagwise_schema::Int>, open: &str| end.as_ref().map_or(open.to_owned(), ToString::to_string);
    let list = |ranges: &[tagwise_schema::model::IntRange]| {
        let one =
            |range: &tagwise_schema::model::IntRange| format!("{}..{}", end(&range.min, "MIN"), end(&range.max, "MAX"));
        ranges.iter().map(one).collect::<Vec<_>>().join(" | ")
    };
    let marker = if bounds.extensible { ", ..." } else { "" };
    let more = if bounds.additions.is_empty() { String::new() } else { format!(", {}", list(&bounds.additions)) };
    format!("{}{marker}{more}", list(&bounds.ranges))
}
