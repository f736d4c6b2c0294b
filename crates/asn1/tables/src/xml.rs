//! Converts model types to layouts for XML encodings.

use tagwise_codec::table::{Shape as Table, TypeRef};
use tagwise_schema::Model;
use tagwise_schema::model::{Fields, Shape, TypeId};
use tagwise_xer::plan::{Layout, Plan, built_in};

use crate::build::Built;
use crate::instructions::Assigned;
use crate::plan::tag_order;

/// Builds the layouts of all tables.
pub(crate) fn build(model: &Model, built: &Built) -> Plan {
    let tables = &built.tables;
    let mut plan = Plan::default();
    let assigned = Assigned::new(model);
    for index in 0..tables.types.len() as u32 {
        let id = TypeId(index);
        let layout = match model.ty(id) {
            Some(ty) => {
                let instructions = assigned.instructions(id);
                let (name, named_by) = name(model, built, id);
                Layout { name, named_by, instructions, ..layout(model, &ty.shape) }
            }
            None => Layout { name: inner_name(&plan, built, index), ..Layout::default() },
        };
        plan.layouts.push(layout);
    }
    // Tables without tags have the components of their type.
    for ((id, _), index) in &built.bare {
        if let (Some(ty), Some(slot)) = (model.ty(*id), plan.layouts.get_mut(*index as usize)) {
            let name = std::mem::take(&mut slot.name);
            *slot = Layout { name, instructions: assigned.instructions(*id), ..layout(model, &ty.shape) };
        }
    }
    plan
}

fn layout(model: &Model, shape: &Shape) -> Layout {
    let fields = |fields: &Fields| fields.list.iter().map(|field| field.ty.0).collect();
    match shape {
        Shape::SequenceOf(item) | Shape::SetOf(item) => {
            Layout { item: item.name.as_deref().map(Box::from), ..Layout::default() }
        }
        Shape::Set(list) => Layout { order: tag_order(model, list), fields: fields(list), ..Layout::default() },
        Shape::Sequence(list) | Shape::Choice(list) | Shape::InstanceOf { fields: list, .. } => {
            Layout { fields: fields(list), ..Layout::default() }
        }
        _ => Layout::default(),
    }
}

/// Returns the element name of a type (X.680 §14.2): the name of the type, or of the nearest one that it refers to, with that
/// type's index.
fn name(model: &Model, built: &Built, id: TypeId) -> (Box<str>, Option<u32>) {
    let first = id;
    let mut next = Some(id);
    // No chain of references is longer.
    for _ in 0..model.types.len() {
        let Some((id, ty)) = next.and_then(|id| Some((id, model.ty(id)?))) else { break };
        // X.680 §14.2: an instance of a parameterized type has no name in XML.
        if let Some(name) = ty.name.as_ref().filter(|name| name.instance.is_none()) {
            // X.680 §14.3: XML reserves names that begin with these letters.
            let is_reserved = name.name.get(..3).is_some_and(|start| start.eq_ignore_ascii_case("xml"));
            let name = if is_reserved { format!("_{}", name.name).into() } else { name.name.as_str().into() };
            return (name, (id != first).then_some(id.0));
        }
        next = match &ty.shape {
            Shape::Reference(target) | Shape::FixedField { ty: target, .. } => Some(*target),
            _ => return (base_name(built, id.0), None),
        };
    }
    Default::default()
}

/// The name of the built-in type of a table.
fn base_name(built: &Built, index: u32) -> Box<str> {
    let types = tagwise_codec::value::Types::of(&built.tables);
    match built.tables.types.get(index as usize) {
        Some(ty) => built_in(&types.base(ty).shape).into(),
        None => Box::default(),
    }
}

/// The name of a table that is not a type of the model: of the table that it narrows, or of its built-in type.
fn inner_name(plan: &Plan, built: &Built, index: u32) -> Box<str> {
    match built.tables.types.get(index as usize).map(|ty| &ty.shape) {
        Some(Table::Named(TypeRef::Index(inner)) | Table::Tagged { inner: TypeRef::Index(inner), .. })
            if *inner < index =>
        {
            plan.get(*inner).map(|layout| layout.name.clone()).unwrap_or_default()
        }
        _ => base_name(built, index),
    }
}
