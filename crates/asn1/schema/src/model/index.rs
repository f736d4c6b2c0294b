//! An index of assignments by name, for large models.

use std::collections::HashMap;
use std::sync::OnceLock;

use crate::model::Model;

/// An index of names that is built on first use.
#[derive(Clone, Debug, Default)]
pub(crate) struct Index(OnceLock<Names>);

/// The first assignment of each name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    pub(crate) modules: HashMap<String, usize>,
    /// The assignments, by module name and then by assignment name.
    pub(crate) assignments: HashMap<String, HashMap<String, usize>>,
}

impl Index {
    pub(crate) fn of(&self, model: &Model) -> &Names {
        self.0.get_or_init(|| {
            let mut names = Names::default();
            for (place, module) in model.modules.iter().enumerate() {
                if names.modules.contains_key(&module.name) {
                    continue;
                }
                names.modules.insert(module.name.clone(), place);
                let mut places = HashMap::new();
                for (place, assignment) in module.assignments.iter().enumerate() {
                    places.entry(assignment.name.clone()).or_insert(place);
                }
                names.assignments.insert(module.name.clone(), places);
            }
            names
        })
    }
}
