//! Checks combinations of attributes and types. All errors are reported in one run, with their spans.

use proc_macro2::Span;
use syn::Member;

use crate::ast::{Body, Component, Enumerated, Input, Making, Presence, Role, Tagging, Value, last_segment, literal};
use crate::attr::{Errors, Named, Ranges};
use crate::expand::making::silent;

/// Checks one type.
pub(crate) fn check(input: &Input, errors: &mut Errors) {
    if let Some(span) = input.boxed {
        let tagless = match &input.body {
            Body::Choice(_) => true,
            Body::Newtype(newtype) => newtype.tagless,
            _ => false,
        };
        if !tagless || input.tagging.is_some() {
            errors.push(span, "`boxed` is only for types without their own tag");
        }
    }
    if let (false, Body::Group(_) | Body::OpenType(_)) = (input.judged.is_empty(), &input.body) {
        errors.push(input.ident.span(), "constraints apply only to types, not to groups or open types");
    }
    making(input, errors);
    match &input.body {
        Body::Sequence(components) => sequence(input, components, errors),
        Body::Set(components) => set(components, errors),
        Body::Group(components) => group(input, components, errors),
        Body::Newtype(newtype) => {
            value(&newtype.value, errors);
            if newtype.tagless && newtype.value.wrapper.is_none() {
                no_tag_to_replace(input.tagging.as_ref(), "a CHOICE or an open type", errors);
            }
            named(&newtype.named_bits, errors);
            named(&newtype.named_numbers, errors);
            for bit in newtype.named_bits.iter().filter(|bit| bit.number < 0) {
                errors.push(bit.ident.span(), "bit numbers start at 0");
            }
        }
        Body::Choice(choice) => {
            no_tag_to_replace(input.tagging.as_ref(), "a CHOICE", errors);
            if choice.alternatives.is_empty() {
                errors.push(input.ident.span(), "a CHOICE must have at least one alternative (X.680 §29.1)");
            }
            choice.alternatives.iter().for_each(|alternative| value(&alternative.value, errors));
            same_tags(choice.alternatives.iter().map(|alternative| &alternative.value), errors);
        }
        Body::Enumerated(enumerated) => items(input, enumerated, errors),
        Body::OpenType(open) => {
            if let Some(tagging) = &input.tagging {
                errors.push(tagging.span, "an open type has no tag: put the attribute on the component");
            }
            if open.unknown.is_none() {
                errors.push(
                    input.ident.span(),
                    "the open type's object set is extensible: add `#[asn1(unknown)] Unknown(Unknown<'a>)`",
                );
            }
            for (index, object) in open.alternatives.iter().enumerate() {
                let twice = open.alternatives.iter().take(index).any(|earlier| earlier.key.is_same(&object.key));
                if twice {
                    errors.push(object.span, "another alternative has the same selector");
                }
            }
        }
    }
}

/// Checks that the requested constructors and conversions are possible.
fn making(input: &Input, errors: &mut Errors) {
    let Making { constructor, defaults, convert } = input.making;
    match &input.body {
        Body::Sequence(components) | Body::Set(components) | Body::Group(components) => {
            if let Some(span) = convert {
                errors.push(span, "`convert` is only for a struct that names its single field");
            }
            if defaults.is_some() {
                for component in components.iter().filter(|component| silent(component).is_none()) {
                    errors.push(
                        component.span,
                        "this component is required, or its DEFAULT is not an expression: `defaults` has no value for it",
                    );
                }
            }
        }
        body => {
            for span in [constructor, defaults].into_iter().flatten() {
                errors.push(span, "`constructor` and `defaults` are only for structs with several components");
            }
            match (convert, body) {
                (Some(span), Body::Newtype(_)) if input.generics.type_params().next().is_some() => {
                    errors.push(span, "`convert` is only for types without type parameters");
                }
                (None, _) | (Some(_), Body::Newtype(_)) => {}
                (Some(span), _) => errors.push(span, "`convert` is only for a struct that names its single field"),
            }
        }
    }
}

/// Reports an IMPLICIT tag on a type without a tag of its own, which must be tagged EXPLICIT (X.680 §31.2.7).
fn no_tag_to_replace(tagging: Option<&Tagging>, what: &str, errors: &mut Errors) {
    if let Some(tagging) = tagging.filter(|tagging| !tagging.explicit) {
        errors.push(
            tagging.span,
            format!(
                "{what} has no tag that IMPLICIT could replace; X.680 §31.2.7 makes the tag explicit: use `explicit`"
            ),
        );
    }
}

fn value(value: &Value, errors: &mut Errors) {
    if value.wrapper.is_none() {
        let open = last_segment(&value.ty).is_some_and(|last| last.ident == "Any" || last.ident == "Open");
        if open || value.defined_by.is_some() {
            no_tag_to_replace(value.tagging.as_ref(), "an open type", errors);
        }
    }
    for ranges in [&value.size, &value.range].into_iter().flatten() {
        ascending(ranges, value.span, errors);
    }
    if let Some(size) = &value.size {
        for end in size.ranges.iter().flat_map(|(min, max)| [min, max]).flatten() {
            if literal(end).is_some_and(|number| number < 0) {
                errors.push(syn::spanned::Spanned::span(end), "a size must not be negative");
            }
        }
    }
}

/// Checks that ranges are ascending and disjoint, as far as their bounds are literals.
fn ascending(ranges: &Ranges, span: Span, errors: &mut Errors) {
    let mut last: Option<i64> = None;
    for (index, (min, max)) in ranges.ranges.iter().enumerate() {
        let (low, high) = (min.as_ref().and_then(literal), max.as_ref().and_then(literal));
        let span = min.as_ref().or(max.as_ref()).map_or(span, syn::spanned::Spanned::span);
        if matches!((low, high), (Some(low), Some(high)) if low > high) {
            errors.push(span, "the range is reversed: its lower end is above its upper end");
        }
        if index > 0 && (min.is_none() || matches!((last, low), (Some(last), Some(low)) if low <= last)) {
            errors.push(span, "ranges must be in ascending order without overlaps");
        }
        last = high;
    }
}

/// Checks components. `ordered` is true if a selector must precede the type that it selects.
fn components(components: &[Component], ordered: bool, errors: &mut Errors) {
    for component in components {
        if let Role::Value { value: held, presence, .. } = &component.role {
            value(held, errors);
            let holding = held.wrapper.is_some() || held.defined_by.is_some();
            if let (Presence::Default(_, span), true) = (presence, holding) {
                errors.push(*span, "a component that contains an encoding cannot have a DEFAULT value");
            }
            if let Some(path) = &held.defined_by {
                selector(components, component, path, ordered, errors);
            }
        }
    }
}

/// Checks that a selector is always present and, in a SEQUENCE, precedes the type that it selects.
fn selector(components: &[Component], component: &Component, path: &[syn::Ident], ordered: bool, errors: &mut Errors) {
    let Some(first) = path.first() else { return };
    let place = |component: &&Component| matches!(&component.member, Member::Named(name) if name == first);
    let end = components.iter().position(|other| other.member == component.member).filter(|_| ordered);
    let before = components.get(..end.unwrap_or(components.len())).unwrap_or_default();
    let mut before = before.iter().filter(|other| other.member != component.member);
    match before.find(place) {
        Some(Component { role: Role::Value { presence: Presence::Optional, .. }, .. }) => {
            errors.push(first.span(), "the selecting component must not be optional");
        }
        Some(Component { role: Role::Value { .. }, .. }) => {}
        Some(_) => errors.push(first.span(), "only a component can select the type"),
        None => errors.push(first.span(), format!("no component `{first}` precedes this one")),
    }
}

fn sequence(_input: &Input, list: &[Component], errors: &mut Errors) {
    components(list, true, errors);
    let mut marker = false;
    let mut second = false;
    for component in list {
        match &component.role {
            Role::Extensions { span } if marker => {
                errors.push(*span, "only one field can represent the extension marker")
            }
            Role::Extensions { .. } => marker = true,
            Role::Group { span, .. } if !marker || second => errors.push(
                *span,
                "an extension addition group must follow the extension marker, a field with `#[asn1(extensions)]`",
            ),
            Role::Group { .. } => {}
            Role::Value { presence, root, group, .. } => {
                if let Some(span) = root {
                    if !marker {
                        errors.push(*span, "`root` is only for the first component after the second extension marker, and the struct has no first marker");
                    } else if second {
                        errors.push(*span, "`root` is only for the first component after the second extension marker");
                    }
                    second = true;
                }
                let addition = marker && !second;
                if addition && matches!(presence, Presence::Required) {
                    errors.push(
                        component.span,
                        "an extension addition may be absent: make it an `Option`, or mark it `root` if it follows the second marker",
                    );
                }
                if group.is_some() && !addition {
                    errors.push(component.span, "`in_group` is only for extension additions");
                }
            }
        }
    }
}

fn set(list: &[Component], errors: &mut Errors) {
    components(list, false, errors);
    for component in list {
        match &component.role {
            Role::Group { span, .. } => errors.push(
                *span,
                "group components may be anywhere in a SET: list them individually, as `Option`s with `in_group = N`",
            ),
            Role::Value { root: Some(span), .. } => errors.push(*span, "the components of a SET have no order"),
            _ => {}
        }
    }
    let markers = list.iter().filter_map(|component| match component.role {
        Role::Extensions { span } => Some(span),
        _ => None,
    });
    markers.skip(1).for_each(|span| errors.push(span, "only one field can represent the extension marker"));
    same_tags(
        list.iter().filter_map(|component| match &component.role {
            Role::Value { value, .. } => Some(value),
            _ => None,
        }),
        errors,
    );
}

fn group(input: &Input, list: &[Component], errors: &mut Errors) {
    components(list, true, errors);
    if let Some(tagging) = &input.tagging {
        errors.push(tagging.span, "a group has no tag: it is not encoded as a separate element");
    }
    if list.is_empty() {
        errors.push(input.ident.span(), "a group must have at least one component (X.680 §25.1)");
    }
    for component in list {
        if !matches!(component.role, Role::Value { root: None, group: None, .. }) {
            errors.push(component.span, "a group can only contain components");
        }
    }
}

/// Checks that the alternatives of a CHOICE, or the components of a SET, have distinct tags.
fn same_tags<'v>(values: impl Iterator<Item = &'v Value>, errors: &mut Errors) {
    let mut seen: Vec<Tagging> = Vec::new();
    for tagging in values.filter_map(|value| value.tagging) {
        if seen.iter().any(|earlier| (earlier.class, earlier.number) == (tagging.class, tagging.number)) {
            errors.push(tagging.span, "duplicate tag");
        }
        seen.push(tagging);
    }
}

fn items(input: &Input, enumerated: &Enumerated, errors: &mut Errors) {
    if enumerated.items.is_empty() {
        errors.push(input.ident.span(), "an ENUMERATED must have at least one item (X.680 §20.1)");
    }
    for (index, item) in enumerated.items.iter().enumerate() {
        let twice = enumerated.items.iter().take(index).any(|earlier| earlier.literal == item.literal);
        if item.literal.is_some() && twice {
            errors.push(item.span, "duplicate number");
        }
    }
}

fn named(names: &[Named], errors: &mut Errors) {
    for (index, named) in names.iter().enumerate() {
        if names.iter().take(index).any(|earlier| earlier.number == named.number) {
            errors.push(named.ident.span(), "this number already has a name");
        }
    }
}
