//! Checks UNIQUE fields (X.681 §9.8): no two objects in a set may have the same value in such a field.
//!
//! A class may have several such fields, each of which must be unique. An object that occurs twice in a set, under two
//! names or written twice, counts once.

use std::collections::{HashMap, HashSet};

use crate::diagnostic::{Clause, Diagnostic};
use crate::model::{ObjectId, SetId, SettingValue};
use crate::resolve::{Resolver, State};
use crate::source::Span;

impl Resolver<'_> {
    /// Returns whether two objects are the same: aliases of one object, or identical definitions.
    fn is_same(&self, one: ObjectId, other: ObjectId) -> bool {
        let of = |id: ObjectId| self.same_objects.get(&id).copied().unwrap_or(id);
        let words = |id: ObjectId| {
            let text = self.model.object(of(id)).map_or("", |object| self.text_of(object.span));
            let braced = text.find('{').and_then(|start| text.get(start..)).unwrap_or(text);
            braced.split_whitespace().collect::<Vec<_>>()
        };
        of(one) == of(other) || words(one) == words(other)
    }

    /// Reports objects in a set that have the same value in a UNIQUE field. The work for objects in several sets is counted
    /// once per set.
    pub(crate) fn check_unique(&mut self) {
        let bytes = |set: &crate::model::ObjectSet| -> u64 {
            let fields =
                self.model.class(set.class).map_or(0, |class| class.fields.iter().filter(|one| one.unique).count());
            let objects = set.objects.iter().filter_map(|id| self.model.object(*id));
            let of = |object: &crate::model::Object| -> u64 {
                // Fields are looked for, and their values written out.
                let settings = object.settings.len() as u64;
                let values = object.settings.iter().map(|setting| setting.value.bytes()).sum::<u64>();
                if fields == 0 { 0 } else { fields as u64 * 8 * settings + 2 * values + 64 }
            };
            objects.map(of).sum()
        };
        let mut left = self.left();
        for set in &self.model.sets {
            let (span, bytes) = (set.span, bytes(set));
            if bytes > left {
                let _ = self.spend(span, self.left().saturating_add(1));
                return;
            }
            left -= bytes;
        }
        let _ = self.spend(Span::default(), self.left() - left);

        // Sets are made of sets: two objects are told of once.
        let mut told: HashSet<(ObjectId, ObjectId)> = HashSet::new();
        let mut found = Vec::new();
        for (index, set) in self.model.sets.iter().enumerate() {
            let Some(class) = self.model.class(set.class) else { continue };
            for field in class.fields.iter().filter(|field| field.unique) {
                let mut seen: HashMap<String, ObjectId> = HashMap::new();
                for id in &set.objects {
                    let Some(object) = self.model.object(*id) else { continue };
                    let Some(SettingValue::Value(value)) = object.setting(&field.name) else { continue };
                    let value = value.to_string();
                    let Some(other) = seen.get(&value).copied() else {
                        seen.insert(value, *id);
                        continue;
                    };
                    if !self.is_same(other, *id) && told.insert((other, *id)) {
                        found.push((SetId(index as u32), field.name.clone(), value, other, *id));
                    }
                }
            }
        }
        for (set, field, value, first, second) in found {
            let is_made = self.set_todo.get(set.0 as usize).is_some_and(|todo| todo.state == State::Done);
            let (Some(set), Some(first), Some(second)) =
                (self.model.set(set), self.model.object(first), self.model.object(second))
            else {
                continue;
            };
            if is_made {
                let message =
                    format!("two objects of this set have {value} in {field}, which is UNIQUE; the first is used");
                // RFC 5911 has such a set, and is of use all the same: the first object is the one that is selected.
                let warning = Diagnostic::warning(set.span, "duplicate", message, Clause::x681("9.8"));
                self.diagnostics
                    .push(warning.note(first.span, "the first is here").note(second.span, "the second is here"));
            }
        }
    }
}
