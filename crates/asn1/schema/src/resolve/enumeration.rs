//! Resolves named numbers (X.680 §19), named bits (§22), and ENUMERATED numbers (§20).

use std::collections::{HashMap, HashSet};

use crate::Int;
use crate::ast;
use crate::diagnostic::{Clause, Diagnostic};
use crate::model::{Enumeration, NamedNumber};
use crate::parse::Parsed;
use crate::resolve::{Resolver, Scope, spend};
use crate::source::Span;

impl Resolver<'_> {
    /// Resolves the named numbers of an INTEGER. Names and numbers must be distinct.
    pub(crate) fn named_numbers(
        &mut self,
        numbers: &[ast::NamedNumber],
        scope: Scope,
        clause: Clause,
    ) -> Parsed<Vec<NamedNumber>> {
        let mut named = Vec::new();
        for one in numbers {
            let number = self.integer(&one.value, scope, clause)?;
            self.spend(one.name.span, spend::ITEM / 2 + one.name.text.len() as u64)?;
            named.push(NamedNumber { name: one.name.text.clone(), number, span: one.name.span });
        }
        self.check_distinct(&named, clause);
        Ok(named)
    }

    /// Resolves named bits. Their numbers must not be negative.
    pub(crate) fn named_bits(&mut self, bits: &[ast::NamedNumber], scope: Scope) -> Parsed<Vec<NamedNumber>> {
        let clause = Clause::x680("22.4");
        let named = self.named_numbers(bits, scope, clause)?;
        for one in named.iter().filter(|one| one.number.is_negative()) {
            let message = format!("the number of the bit {} is negative", one.name);
            self.error(one.span, "range", message, clause);
        }
        Ok(named)
    }

    /// Reports duplicate names and numbers.
    fn check_distinct(&mut self, named: &[NamedNumber], clause: Clause) {
        let mut names: HashMap<&str, Span> = HashMap::new();
        let mut numbers: HashMap<&Int, &NamedNumber> = HashMap::new();
        for one in named {
            if let Some(first) = names.insert(&one.name, one.span) {
                let error = Diagnostic::error(one.span, "duplicate", format!("duplicate name {}", one.name), clause);
                self.diagnostics.push(error.note(first, "it is first used here"));
            }
            if let Some(first) = numbers.insert(&one.number, one) {
                let message = format!("{} has the number {}, and so has {}", one.name, one.number, first.name);
                let error = Diagnostic::error(one.span, "duplicate", message, clause);
                self.diagnostics.push(error.note(first.span, "it is numbered here"));
            }
        }
    }

    /// Resolves the items of an ENUMERATED and assigns their numbers.
    pub(crate) fn enumeration(&mut self, items: &[ast::EnumItem], scope: Scope, span: Span) -> Parsed<Enumeration> {
        let clause = Clause::x680("20.1");
        let mut markers = items.iter().enumerate().filter_map(|(at, item)| match item {
            ast::EnumItem::Ellipsis(span, _) => Some((at, *span)),
            ast::EnumItem::Item { .. } => None,
        });
        let marker = markers.next();
        if let Some((_, second)) = markers.next() {
            return self.fail(second, "extension", "an ENUMERATED can have only one `...`".to_owned(), clause);
        }
        for item in items {
            if let ast::EnumItem::Ellipsis(_, Some(exception)) = item {
                self.exception(exception, scope);
            }
        }
        let bytes = |item: &ast::EnumItem| match item {
            ast::EnumItem::Item { name, .. } => spend::ITEM / 4 + name.text.len() as u64,
            ast::EnumItem::Ellipsis(..) => 0,
        };
        self.spend(span, items.iter().map(bytes).sum())?;
        let (root, rest) = items.split_at(marker.map_or(items.len(), |(at, _)| at));
        // §13.4.
        let implied = self.module_of(scope).is_some_and(|info| info.ast.extensibility_implied);
        let mut enumeration =
            Enumeration { items: Vec::new(), root: root.len(), extensible: marker.is_some() || implied };
        if root.is_empty() {
            return self.fail(span, "extension", "an ENUMERATED must have an item before `...`".to_owned(), clause);
        }
        self.number_root(root, scope, &mut enumeration)?;
        self.number_additions(rest, scope, &mut enumeration)?;
        self.check_distinct(&enumeration.items, Clause::x680("20.4"));
        Ok(enumeration)
    }

    /// Numbers the items of the root. Items without numbers get the lowest unused numbers from 0 (§20.3).
    fn number_root(&mut self, root: &[ast::EnumItem], scope: Scope, into: &mut Enumeration) -> Parsed<()> {
        let mut given = Vec::new();
        for item in root {
            if let ast::EnumItem::Item { name, value } = item {
                let number = match value {
                    Some(value) => Some(self.integer(value, scope, Clause::x680("20.1"))?),
                    None => None,
                };
                given.push((name, number));
            }
        }
        let taken: HashSet<Int> = given.iter().filter_map(|(_, number)| number.clone()).collect();
        let mut next = Int::ZERO;
        for (name, number) in given {
            let number = number.unwrap_or_else(|| {
                while taken.contains(&next) {
                    next = next.next();
                }
                let number = next.clone();
                next = next.next();
                number
            });
            into.items.push(NamedNumber { name: name.text.clone(), number, span: name.span });
        }
        Ok(())
    }

    /// Numbers the additions, which must be ascending. Those without numbers get the lowest number above the previous addition
    /// that the root does not use (§20.5, §20.6).
    fn number_additions(&mut self, rest: &[ast::EnumItem], scope: Scope, into: &mut Enumeration) -> Parsed<()> {
        let taken: HashSet<Int> = into.items.iter().map(|item| item.number.clone()).collect();
        let mut last: Option<Int> = None;
        for item in rest {
            let ast::EnumItem::Item { name, value } = item else { continue };
            let number = match value {
                Some(value) => self.integer(value, scope, Clause::x680("20.1"))?,
                None => {
                    let mut next = last.as_ref().map_or(Int::ZERO, Int::next);
                    while taken.contains(&next) {
                        next = next.next();
                    }
                    next
                }
            };
            if last.as_ref().is_some_and(|last| *last >= number) {
                let message = format!("{} has the number {number}: numbers after `...` must ascend", name.text);
                self.error(name.span, "order", message, Clause::x680("20.5"));
            }
            last = Some(number.clone());
            into.items.push(NamedNumber { name: name.text.clone(), number, span: name.span });
        }
        Ok(())
    }
}
