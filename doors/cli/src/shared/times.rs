//! Notes on times whose form the output does not keep.

use tagwise_codec::value::{Data, Value};
use tagwise_per::shared::{Step, path};

use crate::shared::rules_arg::RulesArg;

/// The maximum number of notes on one value.
const SHOWN: usize = 8;

/// Returns whether encoding rules have only one form of each time, which is that of DER.
pub(crate) const fn is_canonical(rules: RulesArg) -> bool {
    !matches!(rules, RulesArg::Ber | RulesArg::Uper | RulesArg::Aper | RulesArg::Oer | RulesArg::Xer | RulesArg::Exer)
}

/// Describes the times in a value that are written in their DER form instead of their own.
pub(crate) fn rewritten(value: &Value<'_>) -> Vec<String> {
    let mut found = Found { steps: Vec::new(), notes: Vec::new(), more: 0 };
    found.visit(value);
    if found.more > 0 {
        found.notes.push(format!("{} more times are written in their DER form", found.more));
    }
    found.notes
}

struct Found<'v> {
    steps: Vec<Step<'v>>,
    notes: Vec<String>,
    more: usize,
}

impl<'v> Found<'v> {
    /// Visits a value and its parts. Recursion is as deep as the value, which the depth budget limits.
    fn visit(&mut self, value: &'v Value<'_>) {
        match value.data() {
            Data::Leaf(content) => self.leaf(value, content),
            Data::Components(components) => {
                for (field, part) in components.iter() {
                    if let Some(part) = part {
                        self.steps.push(Step::Name(&field.name));
                        self.visit(part);
                        self.steps.pop();
                    }
                }
            }
            Data::Items(items) => {
                for (index, item) in items.iter().enumerate() {
                    self.steps.push(Step::Item(index));
                    self.visit(item);
                    self.steps.pop();
                }
            }
            Data::Alternative(chosen) => {
                self.steps.push(Step::Name(&chosen.field().name));
                self.visit(chosen.value());
                self.steps.pop();
            }
            Data::Containing(inner) => self.visit(inner),
            _ => {}
        }
    }

    fn leaf(&mut self, value: &'v Value<'_>, content: &[u8]) {
        let Some(basic) = value.basic_content().filter(|basic| **basic == *content) else { return };
        let Some(canonical) = value.der_content().filter(|canonical| *canonical != basic) else { return };
        if !matches!(value.base().shape, tagwise_codec::table::Shape::Time(_)) {
            return;
        }
        if self.notes.len() >= SHOWN {
            self.more += 1;
            return;
        }
        let place = path(&self.steps);
        let place = if place.is_empty() { String::new() } else { format!("{place}: ") };
        let (from, to) = (String::from_utf8_lossy(&basic), String::from_utf8_lossy(&canonical));
        self.notes.push(format!("{place}the time {from} is written as {to} (X.690 §11.7, §11.8)"));
    }
}
