//! AUTOMATIC TAGS (X.680 §25.7–§25.9, §29.5): numbers the root components first, then the additions, from 0.

use crate::model::{Field, Marker, Tag, TagClass, Tagging};
use crate::resolve::{Resolver, Scope, State};

impl Resolver<'_> {
    /// Tags components that have no tag in the text. Components from COMPONENTS OF are retagged in a copy, without
    /// their own automatic tags.
    pub(crate) fn tag_automatically(
        &mut self,
        list: &mut [Field],
        marker: Option<Marker>,
        foreign: &[usize],
        scope: Scope,
    ) {
        let additions = marker.map_or(0..0, |marker| marker.start..marker.end);
        let root = (0..list.len()).filter(|index| !additions.contains(index));
        let order: Vec<usize> = root.chain(additions.clone()).collect();
        for (number, index) in order.into_iter().enumerate() {
            let Some(field) = list.get_mut(index) else { continue };
            if foreign.binary_search(&index).is_ok() {
                field.ty = self.copy_of(field.ty, scope);
            }
            let tag = Tag { class: TagClass::Context, number: number as u32 };
            if let Some(ty) = self.type_mut(field.ty) {
                ty.tags.insert(0, Tagging { tag, explicit: false, automatic: true });
            }
            if let Some(info) = self.info_mut(field.ty) {
                info.words.insert(0, None);
            }
        }
    }

    /// Creates a copy of a type without its automatic tags.
    fn copy_of(&mut self, id: crate::model::TypeId, _scope: Scope) -> crate::model::TypeId {
        let (Some(ty), Some(info)) = (self.model.ty(id), self.info(id)) else { return id };
        let (bytes, kept) = (ty.shape.bytes(), 48 * (info.pending.len() + info.defaults.len()) as u64);
        if self.spend(ty.span, bytes + kept).is_err() {
            return id;
        }
        let (Some(ty), Some(info)) = (self.model.ty(id).cloned(), self.info(id)) else { return id };
        let (scope, words, is_dummy) = (info.scope, info.words.clone(), info.is_dummy);
        let (pending, parent, defaults) = (info.pending.clone(), info.parent, info.defaults.clone());
        let copy = self.new_type(scope, ty.span, None, State::Done);
        if self.is_spent {
            return copy;
        }
        let kept: Vec<bool> = ty.tags.iter().map(|tag| !tag.automatic).collect();
        if let Some(info) = self.info_mut(copy) {
            let words = words.into_iter().zip(&kept).filter(|(_, kept)| **kept);
            info.words = words.map(|(word, _)| word).collect();
            (info.is_dummy, info.pending, info.parent, info.defaults) = (is_dummy, pending, parent, defaults);
        }
        if let Some(new) = self.type_mut(copy) {
            new.tags = ty.tags.into_iter().filter(|tag| !tag.automatic).collect();
            new.shape = ty.shape;
        }
        copy
    }
}
