//! Object identifier values (X.680 §32, §33).

use crate::Int;
use crate::ast::{self, Ref, ValueKind};
use crate::diagnostic::Clause;
use crate::model::{Arc, Value};
use crate::parse::value::Arc as Written;
use crate::parse::{Failed, Parsed};
use crate::resolve::names::Found;
use crate::resolve::{Resolver, Scope};

const OID: Clause = Clause::x680("32.3");

impl Resolver<'_> {
    /// Evaluates an object identifier value in any notation.
    pub(crate) fn oid_of(&mut self, value: &ast::Value, scope: Scope) -> Parsed<Vec<Arc>> {
        match &value.kind {
            ValueKind::Braced(braced) => self.oid_inside(*braced, scope),
            _ => match self.untyped(value, scope)? {
                Value::ObjectIdentifier(arcs) => Ok(arcs),
                _ => self.fail(value.span, "type", "expected an object identifier".to_owned(), OID),
            },
        }
    }

    /// Evaluates the braced content of an object identifier value.
    pub(crate) fn oid_inside(&mut self, braced: ast::Braced, scope: Scope) -> Parsed<Vec<Arc>> {
        let written = self.inside_whole(braced, |parser| parser.arcs_inside(OID))?;
        let mut arcs: Vec<Arc> = Vec::new();
        for (index, arc) in written.iter().enumerate() {
            self.arc(arc, index, scope, &mut arcs)?;
        }
        let is_short = arcs.len() < 2;
        let first = arcs.first().and_then(Int::to_u32);
        let second = arcs.get(1).and_then(Int::to_u32);
        if is_short || !matches!(first, Some(0..=2)) || (first != Some(2) && !matches!(second, Some(0..=39))) {
            let message = "invalid start of an object identifier: the first arc must be 0 to 2, and the second at most 39 if the first is 0 or 1";
            return self.fail(braced.span, "range", message.to_owned(), Clause::x680("32.7"));
        }
        Ok(arcs)
    }

    /// Evaluates the braced content of a relative object identifier value.
    pub(crate) fn relative_oid_inside(&mut self, braced: ast::Braced, scope: Scope) -> Parsed<Vec<Arc>> {
        let written = self.inside_whole(braced, |parser| parser.arcs_inside(Clause::x680("33.3")))?;
        let mut arcs: Vec<Arc> = Vec::new();
        for arc in &written {
            // No name stands for an arc by itself here.
            self.arc(arc, usize::MAX, scope, &mut arcs)?;
        }
        if arcs.is_empty() {
            let message = "a relative object identifier must have at least one arc".to_owned();
            return self.fail(braced.span, "range", message, Clause::x680("33.3"));
        }
        Ok(arcs)
    }

    fn arc(&mut self, arc: &Written, index: usize, scope: Scope, arcs: &mut Vec<Arc>) -> Parsed<()> {
        if let Some(number) = &arc.number {
            let number = self.integer(number, scope, OID)?;
            let known: Vec<u32> = arcs.iter().filter_map(Int::to_u32).collect();
            // The registered names of root arcs have one number each (X.660 A.2).
            if index == 0
                && let Some(name) = &arc.name
                && let Some(own) = well_known(&name.text, index, &known)
                && number.to_u32() != Some(own)
            {
                let message = format!("the arc {} has the number {own}, not {number}", name.text);
                return self.fail(arc.span, "range", message, OID);
            }
            return self.push_arc(number, arc, arcs);
        }
        let Some(name) = &arc.name else { return Err(Failed) };
        let is_plain = arc.module.is_none() && arc.actuals.is_none() && arc.fields.is_empty();
        let is_defined = self.find(arc.module.as_ref(), &name.text, scope) != Found::Nothing;
        if is_plain && !is_defined && index != usize::MAX {
            let known: Vec<u32> = arcs.iter().filter_map(Int::to_u32).collect();
            if let Some(number) = well_known(&name.text, index, &known) {
                arcs.push(number.into());
                return Ok(());
            }
        }
        let reference = Ref { module: arc.module.clone(), name: name.clone(), actuals: arc.actuals.clone() };
        let value = ast::Value { kind: ValueKind::Reference(reference, arc.fields.clone()), span: arc.span };
        match self.untyped(&value, scope)? {
            Value::ObjectIdentifier(prefix) if index == 0 => {
                arcs.extend(prefix);
                Ok(())
            }
            Value::RelativeOid(middle) if index != 0 => {
                arcs.extend(middle);
                Ok(())
            }
            Value::Integer(number) => self.push_arc(number, arc, arcs),
            _ => {
                let message = format!("{} is not a valid arc here", name.text);
                self.fail(arc.span, "type", message, OID)
            }
        }
    }

    fn push_arc(&mut self, number: Int, arc: &Written, arcs: &mut Vec<Arc>) -> Parsed<()> {
        if number.is_negative() {
            return self.fail(arc.span, "range", "an arc must not be negative".to_owned(), OID);
        }
        arcs.push(number);
        Ok(())
    }
}

/// Returns the number of a well-known arc name (X.660 Annex A).
fn well_known(name: &str, index: usize, before: &[u32]) -> Option<u32> {
    match (index, before) {
        (0, _) => Some(match name {
            "itu-t" | "ccitt" => 0,
            "iso" => 1,
            "joint-iso-itu-t" | "joint-iso-ccitt" => 2,
            _ => return None,
        }),
        (1, [0]) => Some(match name {
            "recommendation" => 0,
            "question" => 1,
            "administration" => 2,
            "network-operator" => 3,
            "identified-organization" => 4,
            "r-recommendation" => 5,
            _ => return None,
        }),
        (1, [1]) => Some(match name {
            "standard" => 0,
            "registration-authority" => 1,
            "member-body" => 2,
            "identified-organization" => 3,
            _ => return None,
        }),
        // Series of recommendations: a to z.
        (2, [0, 0]) => match name.as_bytes() {
            [letter @ b'a'..=b'z'] => Some(u32::from(*letter - b'a') + 1),
            _ => None,
        },
        _ => None,
    }
}
