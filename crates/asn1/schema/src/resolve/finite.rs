//! Rejects types that necessarily contain themselves, and so have no finite value.

use crate::diagnostic::Clause;
use crate::model::{Presence, Shape, TypeId};
use crate::resolve::Resolver;

impl Resolver<'_> {
    /// Reports types without finite values. Each type's open dependencies are counted down as they prove to be finite, so each
    /// type is examined once.
    pub(crate) fn check_finite(&mut self) {
        let count = self.model.types.len();
        // How many of its needs are not known to be finite; a CHOICE needs one alternative only.
        let mut open: Vec<usize> = vec![0; count];
        let mut needed_by: Vec<Vec<u32>> = vec![Vec::new(); count];
        let mut finite: Vec<u32> = Vec::new();
        for id in 0..count as u32 {
            let (needs, any) = self.needs(TypeId(id));
            for need in &needs {
                if let Some(list) = needed_by.get_mut(need.0 as usize) {
                    list.push(id);
                }
            }
            let needed = if any { needs.len().min(1) } else { needs.len() };
            if let Some(slot) = open.get_mut(id as usize) {
                *slot = needed;
            }
            if needed == 0 {
                finite.push(id);
            }
        }
        while let Some(id) = finite.pop() {
            for dependent in needed_by.get_mut(id as usize).map(std::mem::take).unwrap_or_default() {
                let Some(slot) = open.get_mut(dependent as usize) else { continue };
                if *slot == 1 {
                    finite.push(dependent);
                }
                *slot = slot.saturating_sub(1);
            }
        }
        for (id, open) in open.into_iter().enumerate() {
            let Some(ty) = self.model.types.get(id) else { continue };
            let is_known = self.infos.get(id).is_some_and(|info| info.state == super::State::Done);
            if let (true, true, Some(name)) = (open > 0, is_known, &ty.name) {
                let message = format!("{} has no finite value: it contains itself", name.name);
                let span = self.infos.get(id).and_then(|info| info.def).and_then(|def| self.defs.get(def as usize));
                let span = span.map_or(ty.span, |def| def.ast.name.span);
                self.error(span, "circular", message, Clause::x680("3.8"));
            }
        }
    }

    /// Returns the types that each value of a type must contain, and whether one of them is sufficient.
    fn needs(&self, id: TypeId) -> (Vec<TypeId>, bool) {
        let Some(ty) = self.model.ty(id) else { return (Vec::new(), false) };
        match &ty.shape {
            Shape::Reference(target) | Shape::FixedField { ty: target, .. } => (vec![*target], false),
            Shape::Sequence(fields) | Shape::Set(fields) => {
                let additions = fields.marker.map_or(0..0, |marker| marker.start..marker.end);
                let needed = fields.list.iter().enumerate().filter(|(index, field)| {
                    matches!(field.presence, Presence::Required) && !additions.contains(index)
                });
                (needed.map(|(_, field)| field.ty).collect(), false)
            }
            Shape::Choice(fields) => (fields.list.iter().map(|field| field.ty).collect(), true),
            Shape::SequenceOf(item) | Shape::SetOf(item) => {
                let least = ty.constraints.size.as_ref().and_then(|size| size.min());
                let is_full = least.is_some_and(|least| !least.is_zero() && !least.is_negative());
                (if is_full { vec![item.ty] } else { Vec::new() }, false)
            }
            _ => (Vec::new(), false),
        }
    }
}
