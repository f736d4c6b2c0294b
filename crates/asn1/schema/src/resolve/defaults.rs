//! Computes DEFAULT values once the structure of all types is known (X.680 §25.14).

use crate::model::{Presence, Shape, TypeId};
use crate::resolve::Resolver;

impl Resolver<'_> {
    /// Computes the DEFAULTs of a type's components.
    pub(crate) fn fill_defaults(&mut self, id: TypeId) {
        let defaults = match self.info(id) {
            Some(info) => info.defaults.clone(),
            None => return,
        };
        for (index, ast, scope) in defaults {
            let fields = match self.model.ty(id).map(|ty| &ty.shape) {
                Some(Shape::Sequence(fields) | Shape::Set(fields)) => fields,
                _ => return,
            };
            let Some(ty) = fields.list.get(index).map(|field| field.ty) else { continue };
            let Ok(value) = self.eval(&ast, scope, ty) else { continue };
            let fields = match self.type_mut(id).map(|ty| &mut ty.shape) {
                Some(Shape::Sequence(fields) | Shape::Set(fields)) => fields,
                _ => return,
            };
            if let Some(Presence::Default(default)) = fields.list.get_mut(index).map(|field| &mut field.presence) {
                default.value = value;
            }
        }
    }
}
