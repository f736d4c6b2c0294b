//! Derives properties once all items exist: cycles, borrowing, copying and emission.

use std::collections::{HashMap, HashSet};

use tagwise_schema::model::TimeKind;

use super::plan::{Body, Builtin, Component, Held, ItemId, Plan, PlanItem, Repr, Role};
use crate::overlay::{Overlay, OverlayError};

pub(super) fn finish(plan: &mut Plan<'_>, overlay: &Overlay) -> Result<(), OverlayError> {
    break_aliases(plan);
    box_cycles(plan);
    mark_boxed(plan);
    spread(plan, |item| direct(item, borrows), |item| item.borrows = true, |_| true);
    spread(plan, |item| direct(item, owns), |item| item.copies = false, |repr| !is_behind_pointer(repr));
    emitted(plan, overlay)
}

/// Returns the types inside an item, in order.
pub(super) fn held(item: &PlanItem) -> Vec<&Repr> {
    fn components(list: &[Component]) -> Vec<&Repr> {
        let values = list.iter().filter_map(|component| match &component.role {
            Role::Value { held, .. } => Some(&held.repr),
            _ => None,
        });
        values.collect()
    }
    match &item.body {
        Body::Pending | Body::NamedBits(_) | Body::Enumerated(_) => Vec::new(),
        Body::Alias(repr) => vec![repr],
        Body::Newtype(held) | Body::NamedNumbers(held, _) => vec![&held.repr],
        Body::Sequence(list) | Body::Set(list) | Body::Group(list) => components(list),
        Body::Choice(choice) => choice.alternatives.iter().map(|alternative| &alternative.held.repr).collect(),
        Body::OpenType(open) => open.rows.iter().map(|row| &row.repr).collect(),
    }
}

/// The extension addition groups of an item.
fn groups(item: &PlanItem) -> impl Iterator<Item = ItemId> + '_ {
    let list: &[Component] = match &item.body {
        Body::Sequence(list) | Body::Set(list) => list,
        _ => &[],
    };
    list.iter().filter_map(|component| match component.role {
        Role::Group(id, _) => Some(id),
        _ => None,
    })
}

fn held_mut(item: &mut PlanItem) -> Vec<&mut Repr> {
    match &mut item.body {
        Body::Pending | Body::NamedBits(_) | Body::Enumerated(_) => Vec::new(),
        Body::Alias(repr) => vec![repr],
        Body::Newtype(held) | Body::NamedNumbers(held, _) => vec![&mut held.repr],
        Body::Sequence(list) | Body::Set(list) | Body::Group(list) => {
            let values = list.iter_mut().filter_map(|component| match &mut component.role {
                Role::Value { held, .. } => Some(&mut held.repr),
                _ => None,
            });
            values.collect()
        }
        Body::Choice(choice) => choice.alternatives.iter_mut().map(|alternative| &mut alternative.held.repr).collect(),
        Body::OpenType(open) => open.rows.iter_mut().map(|row| &mut row.repr).collect(),
    }
}

/// Returns the item that a type refers to, if any.
fn mentioned(repr: &Repr) -> Option<ItemId> {
    let mut repr = repr;
    loop {
        match repr {
            Repr::Item(id) | Repr::Open(id, _) | Repr::OpenList(id, _) => return Some(*id),
            Repr::SequenceOf(inner)
            | Repr::SetOf(inner)
            | Repr::Raw(inner)
            | Repr::Captured(inner)
            | Repr::Boxed(inner) => {
                repr = inner;
            }
            Repr::Foreign(_) | Repr::Builtin(_) => return None,
        }
    }
}

/// Returns the items that an item refers to.
pub(crate) fn mentions(item: &PlanItem) -> Vec<ItemId> {
    held(item).into_iter().chain(contents(item)).filter_map(mentioned).chain(groups(item)).collect()
}

/// Types contained in strings that are kept as bytes.
fn contents(item: &PlanItem) -> Vec<&Repr> {
    let helds: Vec<&Held> = match &item.body {
        Body::Newtype(held) | Body::NamedNumbers(held, _) => vec![held],
        Body::Sequence(list) | Body::Set(list) | Body::Group(list) => list
            .iter()
            .filter_map(|component| match &component.role {
                Role::Value { held, .. } => Some(held),
                _ => None,
            })
            .collect(),
        Body::Choice(choice) => choice.alternatives.iter().map(|alternative| &alternative.held).collect(),
        _ => Vec::new(),
    };
    helds.into_iter().filter_map(|held| held.contents.as_ref().map(|(repr, _)| &**repr)).collect()
}

/// Converts aliases that refer to themselves, such as a list of itself, to types.
fn break_aliases(plan: &mut Plan<'_>) {
    let target = |plan: &Plan<'_>, id: ItemId| match plan.item(id).map(|item| &item.body) {
        Some(Body::Alias(repr)) => mentioned(repr),
        _ => None,
    };
    let mut done: HashSet<ItemId> = HashSet::new();
    for index in 0..plan.items.len() as u32 {
        let mut path = HashSet::new();
        let mut next = Some(ItemId(index));
        while let Some(id) = next {
            if path.contains(&id) {
                if let Some(item) = plan.items.get_mut(id.0 as usize)
                    && let Body::Alias(repr) = &item.body
                {
                    item.body = Body::Newtype(Held::plain(repr.clone()));
                }
                break;
            }
            if !done.insert(id) && !path.is_empty() {
                break;
            }
            path.insert(id);
            next = target(plan, id);
        }
    }
}

/// Boxes references that lead back to an item, found by a depth-first walk over the items contained by value.
fn box_cycles(plan: &mut Plan<'_>) {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        Open,
        Done,
    }
    /// Returns the edges of an item: the position of each inner type, and the item of that type.
    fn edges(plan: &Plan<'_>, id: ItemId) -> Vec<(Option<usize>, ItemId)> {
        let Some(item) = plan.item(id) else { return Vec::new() };
        let places = held(item).into_iter().enumerate();
        let by_value = places.filter_map(|(place, repr)| Some((Some(place), repr.inline_item()?)));
        by_value.chain(groups(item).map(|group| (None, group))).collect()
    }
    let mut states = vec![State::New; plan.items.len()];
    let set = |states: &mut Vec<State>, id: ItemId, state| {
        if let Some(slot) = states.get_mut(id.0 as usize) {
            *slot = state;
        }
    };
    let mut boxed: Vec<(ItemId, usize)> = Vec::new();
    for index in 0..plan.items.len() as u32 {
        if states.get(index as usize) != Some(&State::New) {
            continue;
        }
        set(&mut states, ItemId(index), State::Open);
        let mut stack = vec![(ItemId(index), edges(plan, ItemId(index)).into_iter())];
        while let Some((id, rest)) = stack.last_mut() {
            let id = *id;
            match rest.next() {
                None => {
                    set(&mut states, id, State::Done);
                    stack.pop();
                }
                Some((place, target)) => match states.get(target.0 as usize) {
                    Some(State::Open) => {
                        // An alias has no place for a box: whoever holds it has.
                        let holder = stack.iter().rev().find_map(|(holder, _)| {
                            let item = plan.item(*holder)?;
                            (!matches!(item.body, Body::Alias(_))).then_some(*holder)
                        });
                        let through = |holder: ItemId| {
                            edges(plan, holder)
                                .into_iter()
                                .find(|(_, to)| holder == id && *to == target || leads(plan, *to, target))
                        };
                        let edge = match (place, holder) {
                            (Some(place), Some(holder)) if holder == id => Some((id, place)),
                            (_, Some(holder)) => through(holder).and_then(|(place, _)| Some((holder, place?))),
                            _ => None,
                        };
                        boxed.extend(edge);
                    }
                    Some(State::New) => {
                        set(&mut states, target, State::Open);
                        let edges = edges(plan, target).into_iter();
                        stack.push((target, edges));
                    }
                    _ => {}
                },
            }
        }
    }
    for (id, place) in boxed {
        if let Some(item) = plan.items.get_mut(id.0 as usize)
            && let Some(repr) = held_mut(item).into_iter().nth(place)
            && repr.inline_item().is_some()
        {
            *repr = Repr::Boxed(Box::new(repr.clone()));
        }
    }
}

/// Returns whether aliases lead from one item to another.
fn leads(plan: &Plan<'_>, from: ItemId, to: ItemId) -> bool {
    let mut id = from;
    for _ in 0..plan.items.len() {
        if id == to {
            return true;
        }
        match plan.item(id).map(|item| &item.body) {
            Some(Body::Alias(Repr::Item(target))) => id = *target,
            _ => return false,
        }
    }
    false
}

/// Marks items that are boxed and have no tag of their own. Their own code implements decoding of the box.
fn mark_boxed(plan: &mut Plan<'_>) {
    let mut targets = Vec::new();
    for item in &plan.items {
        for repr in held(item) {
            let mut repr = repr;
            while let Repr::SequenceOf(inner) | Repr::SetOf(inner) | Repr::Raw(inner) | Repr::Captured(inner) = repr {
                repr = inner;
            }
            if let Repr::Boxed(inner) = repr {
                targets.extend(mentioned(inner));
            }
        }
    }
    for target in targets {
        let mut id = target;
        for _ in 0..plan.items.len() {
            match plan.item(id).map(|item| &item.body) {
                Some(Body::Alias(Repr::Item(next))) => id = *next,
                _ => break,
            }
        }
        let tagless = is_tagless(plan, id);
        if let Some(item) = plan.items.get_mut(id.0 as usize) {
            item.boxed = tagless;
        }
    }
}

/// Returns whether an item has no tag of its own: a CHOICE or an open type, or an alias of one.
pub(crate) fn is_tagless(plan: &Plan<'_>, id: ItemId) -> bool {
    let mut id = id;
    for _ in 0..plan.items.len() {
        let Some(item) = plan.item(id) else { return false };
        if item.tag.is_some() {
            return false;
        }
        let repr = match &item.body {
            Body::Choice(_) | Body::OpenType(_) => return true,
            Body::Alias(repr) => repr,
            Body::Newtype(held) if held.wrapper.is_none() => &held.repr,
            _ => return false,
        };
        match repr {
            Repr::Builtin(Builtin::Any) | Repr::Raw(_) | Repr::Captured(_) => return true,
            Repr::Foreign(path) => return plan.tagless.contains(path),
            Repr::Item(next) => id = *next,
            Repr::Boxed(inner) => match inner.inline_item() {
                Some(next) => id = next,
                None => return false,
            },
            _ => return false,
        }
    }
    false
}

/// Returns whether a predicate is true for any type directly inside an item.
fn direct(item: &PlanItem, is: fn(&Repr) -> bool) -> bool {
    let own = match &item.body {
        // What is unknown is kept as it came.
        Body::Sequence(list) => list.iter().any(|component| matches!(component.role, Role::Extensions)) && is(&ANY),
        Body::Set(list) => list.iter().any(|component| matches!(component.role, Role::Extensions)),
        Body::Choice(choice) => choice.unknown.is_some() && is(&ANY),
        Body::NamedBits(_) | Body::OpenType(_) => is(&ANY),
        _ => false,
    };
    own || held(item).into_iter().any(is)
}

const ANY: Repr = Repr::Builtin(Builtin::Any);

/// Returns whether a type itself borrows, regardless of the items in it.
fn borrows(repr: &Repr) -> bool {
    match repr {
        Repr::SequenceOf(_)
        | Repr::SetOf(_)
        | Repr::Raw(_)
        | Repr::Captured(_)
        | Repr::Open(..)
        | Repr::OpenList(..) => true,
        Repr::Item(_) => false,
        Repr::Boxed(inner) => matches!(&**inner, inner if !matches!(inner, Repr::Boxed(_)) && borrows(inner)),
        Repr::Foreign(path) => path.contains("'a"),
        Repr::Builtin(builtin) => !matches!(
            builtin,
            Builtin::Boolean
                | Builtin::Native(_)
                | Builtin::Enumerated
                | Builtin::Null
                | Builtin::Time(TimeKind::Utc | TimeKind::Date | TimeKind::TimeOfDay | TimeKind::DateTime)
        ),
    }
}

/// Returns whether a type owns memory.
const fn owns(repr: &Repr) -> bool {
    matches!(repr, Repr::Boxed(_))
}

const fn is_behind_pointer(repr: &Repr) -> bool {
    matches!(repr, Repr::SequenceOf(_) | Repr::SetOf(_) | Repr::Raw(_) | Repr::Open(_, false) | Repr::OpenList(..))
}

/// Spreads a property from items that have it to those that hold them.
fn spread(
    plan: &mut Plan<'_>,
    has: impl Fn(&PlanItem) -> bool,
    give: impl Fn(&mut PlanItem),
    follows: impl Fn(&Repr) -> bool,
) {
    let mut holders: HashMap<ItemId, Vec<ItemId>> = HashMap::new();
    let mut todo = Vec::new();
    for (index, item) in plan.items.iter().enumerate() {
        let id = ItemId(index as u32);
        let through = held(item).into_iter().filter(|repr| follows(repr)).filter_map(mentioned);
        for target in through.chain(groups(item)) {
            holders.entry(target).or_default().push(id);
        }
        if has(item) {
            todo.push(id);
        }
    }
    let mut done = HashSet::new();
    while let Some(id) = todo.pop() {
        if done.insert(id) {
            todo.extend(holders.get(&id).into_iter().flatten());
            if let Some(item) = plan.items.get_mut(id.0 as usize) {
                give(item);
            }
        }
    }
}

/// Determines the emitted items. Unused instances are not emitted, nor are items that `only` does not reach.
fn emitted(plan: &mut Plan<'_>, overlay: &Overlay) -> Result<(), OverlayError> {
    let mut todo = Vec::new();
    for (index, item) in plan.items.iter().enumerate() {
        let module = plan.modules.get(item.module.0 as usize);
        let entry = module.and_then(|module| overlay.module(&module.name)).map(|(_, entry)| entry);
        let ty = item.ty.and_then(|ty| plan.model.ty(ty)).and_then(|ty| ty.name.as_ref());
        let assigned = ty.is_some_and(|name| name.instance.is_none() && name.name == item.name);
        let root = match entry.and_then(|entry| entry.only.as_ref()) {
            Some(only) => only.contains(&item.name),
            None => {
                assigned
                    || matches!(item.body, Body::OpenType(_))
                    || matches!(item.body, Body::Alias(_)) && ty.is_none()
            }
        };
        if root && item.emitted && module.is_some_and(|module| module.emitted) {
            todo.push((ItemId(index as u32), ItemId(index as u32)));
        }
    }
    if let Some((entry, name)) = overlay.modules.iter().find_map(|entry| {
        let known = |name: &&String| {
            plan.items.iter().any(|item| {
                item.name == **name
                    && plan.modules.get(item.module.0 as usize).is_some_and(|one| one.name == entry.name)
            })
        };
        Some((entry, entry.only.as_ref()?.iter().find(|name| !known(name))?))
    }) {
        return Err(overlay.error(entry.at, format!("unknown type `{name}` in `{}`", entry.name)));
    }
    let mut reached = HashSet::new();
    while let Some((id, user)) = todo.pop() {
        if !reached.insert(id) {
            continue;
        }
        let Some(item) = plan.item(id) else { continue };
        let module = plan.modules.get(item.module.0 as usize);
        if module.is_some_and(|module| module.elsewhere.is_some()) {
            continue;
        }
        if !item.emitted || !module.is_some_and(|module| module.emitted) {
            let user = plan.item(user).map_or("", |user| &user.name);
            return Err(overlay.error(0, format!("`{}` is excluded, but `{user}` needs it", item.name)));
        }
        todo.extend(mentions(item).into_iter().map(|target| (target, id)));
    }
    for (index, item) in plan.items.iter_mut().enumerate() {
        item.emitted &= reached.contains(&ItemId(index as u32));
    }
    Ok(())
}
