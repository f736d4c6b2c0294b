//! Resolves components of SEQUENCE and SET and alternatives of CHOICE: order, extension markers, groups, COMPONENTS OF
//! (X.680 §25, §27, §29).

use std::collections::HashMap;
use std::rc::Rc;

use crate::ast::types::ItemPresence;
use crate::ast::{self, Components, ListItem};
use crate::diagnostic::{Clause, Diagnostic};
use crate::model::{Field, Fields, Marker, Presence, Shape, TypeId, Value};
use crate::parse::{Failed, Parsed};
use crate::resolve::{Resolver, Scope};
use crate::source::Span;

/// The kind of the type that contains the components.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ListKind {
    Sequence,
    Set,
    Choice,
}

impl ListKind {
    const fn clause(self, sequence: &'static str, set: &'static str, choice: &'static str) -> Clause {
        Clause::x680(match self {
            Self::Sequence => sequence,
            Self::Set => set,
            Self::Choice => choice,
        })
    }
}

/// The fields collected so far.
#[derive(Default)]
struct Gathered {
    list: Vec<Field>,
    defaults: Vec<(usize, Rc<ast::Value>, Scope)>,
    /// True if a component has a tag in the text.
    tagged: bool,
    /// The indices of components from COMPONENTS OF.
    foreign: Vec<usize>,
}

impl Resolver<'_> {
    pub(crate) fn fields(
        &mut self,
        id: TypeId,
        components: &Components,
        scope: Scope,
        kind: ListKind,
    ) -> Parsed<Fields> {
        let mut gathered = Gathered::default();
        let mut markers: Vec<(usize, Span)> = Vec::new();
        let mut groups = 0;
        // The last version number, once there was a group.
        let mut last: Option<Option<u32>> = None;
        for item in &components.items {
            match item {
                ListItem::Ellipsis(span, exception) => {
                    markers.push((gathered.list.len(), *span));
                    if let Some(exception) = exception {
                        self.exception(exception, scope);
                    }
                }
                ListItem::Group { version, items, span } => {
                    if markers.len() != 1 {
                        let message = "an extension addition group must follow `...`".to_owned();
                        return self.fail(*span, "extension", message, kind.clause("25.1", "27.1", "29.1"));
                    }
                    groups += 1;
                    let clause = Clause::x680("25.13");
                    let number = match version {
                        Some(version) => Some(self.integer(version, scope, clause)?.to_u32().unwrap_or(groups)),
                        None => None,
                    };
                    let wrong = match (last, number) {
                        (Some(None), Some(_)) | (Some(Some(_)), None) => {
                            "either all groups or none must have version numbers"
                        }
                        (Some(Some(before)), Some(number)) if number <= before => "version numbers must ascend",
                        (_, Some(0 | 1)) => "the first version of an addition must be at least 2",
                        _ => "",
                    };
                    if !wrong.is_empty() {
                        self.error(*span, "extension", wrong.to_owned(), clause);
                    }
                    last = Some(number);
                    let group = number.unwrap_or(groups);
                    for item in items {
                        self.gather((id, kind), item, scope, Some(group), &mut gathered)?;
                    }
                }
                _ => self.gather((id, kind), item, scope, None, &mut gathered)?,
            }
        }
        let marker = self.marker(&markers, gathered.list.len(), scope, kind)?;
        if kind == ListKind::Choice && marker.is_some_and(|marker| marker.start == 0 && !marker.implied) {
            let span = markers.first().map_or_else(Span::default, |(_, span)| *span);
            self.error(
                span,
                "extension",
                "a CHOICE must have an alternative before `...`".to_owned(),
                Clause::x680("29.1"),
            );
        }
        self.check_names(&gathered.list, kind);
        let automatic = self.module_of(scope).is_some_and(|info| info.ast.tags == ast::Tags::Automatic);
        if automatic && !gathered.tagged {
            self.tag_automatically(&mut gathered.list, marker, &gathered.foreign, scope);
        }
        if let Some(info) = self.info_mut(id) {
            info.defaults = gathered.defaults;
        }
        Ok(Fields { list: gathered.list, marker })
    }

    /// Determines the position of the additions from the markers.
    fn marker(
        &mut self,
        markers: &[(usize, Span)],
        count: usize,
        scope: Scope,
        kind: ListKind,
    ) -> Parsed<Option<Marker>> {
        let clause = kind.clause("25.1", "27.1", "29.1");
        match *markers {
            [] => {
                let implied = self.module_of(scope).is_some_and(|info| info.ast.extensibility_implied);
                Ok(implied.then_some(Marker { start: count, end: count, implied: true }))
            }
            [(start, _)] => Ok(Some(Marker { start, end: count, implied: false })),
            [(start, _), (end, span)] => {
                if kind == ListKind::Choice && end < count {
                    let message = "alternatives are not allowed after a second `...`".to_owned();
                    return self.fail(span, "extension", message, clause);
                }
                Ok(Some(Marker { start, end, implied: false }))
            }
            [_, _, (_, third), ..] => self.fail(third, "extension", "at most two `...` are allowed".to_owned(), clause),
        }
    }

    fn gather(
        &mut self,
        (id, kind): (TypeId, ListKind),
        item: &ListItem,
        scope: Scope,
        group: Option<u32>,
        into: &mut Gathered,
    ) -> Parsed<()> {
        match item {
            ListItem::Component { name, ty, presence } => {
                into.tagged |= !ty.tags.is_empty();
                let node = self.new_node(ty, scope, Some(id));
                let presence = match presence {
                    ItemPresence::Required => Presence::Required,
                    ItemPresence::Optional => Presence::Optional,
                    ItemPresence::Default(value) => {
                        into.defaults.push((into.list.len(), Rc::new(value.clone()), scope));
                        // The value is computed when the structure of all types is there.
                        Presence::Default(crate::model::Default { value: Value::Null, span: value.span })
                    }
                };
                let span = name.span.to(ty.span);
                into.list.push(Field { name: name.text.clone(), ty: node, presence, group, span });
                Ok(())
            }
            ListItem::ComponentsOf(ty, span) => self.components_of((ty, kind), *span, scope, group, into),
            ListItem::Ellipsis(..) | ListItem::Group { .. } => Err(Failed),
        }
    }

    /// Resolves COMPONENTS OF to the root components of another SEQUENCE, or in a SET of another SET (§25.5, §27.2).
    fn components_of(
        &mut self,
        (ty, kind): (&ast::Type, ListKind),
        span: Span,
        scope: Scope,
        group: Option<u32>,
        into: &mut Gathered,
    ) -> Parsed<()> {
        let clause = kind.clause("25.5", "27.2", "29.1");
        let source = self.type_of(ty, scope);
        let base = self.base(source)?;
        let fields = match (self.model.ty(base).map(|ty| ty.shape.clone()), kind) {
            (Some(Shape::Sequence(fields)), ListKind::Sequence) | (Some(Shape::Set(fields)), ListKind::Set) => fields,
            (_, kind) => {
                let expected = if kind == ListKind::Set { "SET" } else { "SEQUENCE" };
                return self.fail(span, "type", format!("expected a {expected} after COMPONENTS OF"), clause);
            }
        };
        let defaults = self.info(base).map(|info| info.defaults.clone()).unwrap_or_default();
        let additions = fields.marker.map_or(0..0, |marker| marker.start..marker.end);
        self.spend(span, fields.list.iter().map(Field::bytes).sum())?;
        let mut defaults = defaults.into_iter().peekable();
        for (index, field) in fields.list.into_iter().enumerate() {
            // Those of additions are passed over; both are in the order of the text.
            while defaults.next_if(|(at, ..)| *at < index).is_some() {}
            if additions.contains(&index) {
                continue;
            }
            into.foreign.push(into.list.len());
            // A DEFAULT comes along, and is read where it stands.
            if let Some((_, value, of)) = defaults.next_if(|(at, ..)| *at == index) {
                into.defaults.push((into.list.len(), value, of));
            }
            into.list.push(Field { group, ..field });
        }
        Ok(())
    }

    fn check_names(&mut self, list: &[Field], kind: ListKind) {
        let mut seen: HashMap<&str, Span> = HashMap::new();
        for field in list {
            if let Some(first) = seen.insert(&field.name, field.span) {
                let what = if kind == ListKind::Choice { "alternative" } else { "component" };
                let message = format!("duplicate {what} {}", field.name);
                let error = Diagnostic::error(field.span, "duplicate", message, kind.clause("25.11", "27.4", "29.7"));
                self.diagnostics.push(error.note(first, "it is first used here"));
            }
        }
    }
}
