//! Object sets: the rows that select the type of an open type.

use tagwise_codec::table::{List, Object, ObjectSet, SetRef, Shape, Text, TypeRef};
use tagwise_codec::value::from_dotted;
use tagwise_schema::model::{OpenType, Table, Value};

use crate::What;
use crate::build::Build;

impl Build<'_> {
    /// The shape of an open type.
    pub(crate) fn open(&mut self, open: &OpenType) -> Shape {
        if let Some(fixed) = open.fixed {
            return Shape::Named(TypeRef::Index(fixed.0));
        }
        let unknown = |selector: Option<&String>| Shape::Open {
            set: None,
            selector: Text::from(selector.cloned().unwrap_or_default()),
        };
        let Some(table) = &open.table else { return unknown(open.defined_by.as_ref()) };
        // A simple table constraint allows any of the set's types; which one it is cannot be told.
        let Some(first) = table.selectors.first() else { return unknown(None) };
        for more in table.selectors.iter().skip(1) {
            self.unchecked(What::Selector, more.span);
        }
        let path = first.path.join(".");
        let set = self.set(table, open);
        Shape::Open { set: Some(SetRef::Index(set)), selector: Text::from(path) }
    }

    /// The rows of a set by the first selector, made once for each pair of fields.
    fn set(&mut self, table: &Table, open: &OpenType) -> u32 {
        let selector = table.selectors.first();
        let key = (table.set, selector.map(|one| one.field.clone()).unwrap_or_default(), open.field.clone());
        if let Some(index) = self.set_of.get(&key) {
            return *index;
        }
        let mut objects = Vec::new();
        for row in self.model.rows(open) {
            let content = match row.keys.first() {
                Some(Some(value)) => content(value),
                _ => None,
            };
            match content {
                Some(content) => {
                    let name = self.model.object(row.object).and_then(|object| object.name.clone()).unwrap_or_default();
                    let object =
                        Object { name: Text::from(name), key: List::from(content), ty: TypeRef::Index(row.ty.0) };
                    objects.push(object);
                }
                None => {
                    if let Some(selector) = selector {
                        self.unchecked(What::Selector, selector.span);
                    }
                }
            }
        }
        let set = self.model.set(table.set);
        let name = set.and_then(|set| set.name.clone()).unwrap_or_default();
        let extensible = set.is_none_or(|set| set.extensible);
        let index = self.sets.len() as u32;
        self.sets.push(ObjectSet { name: Text::from(name), objects: List::from(objects), extensible });
        self.set_of.insert(key, index);
        index
    }
}

/// The content octets of a value that selects.
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
