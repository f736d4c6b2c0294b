//! The XER encoding instructions of types: from prefixes and encoding control sections (X.693 §13, §14).

use std::collections::HashMap;

use tagwise_schema::Model;
use tagwise_schema::model::{AssignmentKind, Instruction, Module, ModuleId, Shape, TypeId};
use tagwise_xer::instructions::Instructions;

/// The keywords of instructions that have targets in encoding control sections.
const KEYWORDS: [&str; 22] = [
    "ANY-ATTRIBUTES",
    "ANY-ELEMENT",
    "ATTRIBUTE",
    "BASE64",
    "DECIMAL",
    "DEFAULT-FOR-EMPTY",
    "EMBED-VALUES",
    "GLOBAL-DEFAULTS",
    "LIST",
    "NAME",
    "NAMESPACE",
    "NOT",
    "PI-OR-COMMENT",
    "TEXT",
    "UNTAGGED",
    "USE-NIL",
    "USE-NUMBER",
    "USE-ORDER",
    "USE-QNAME",
    "USE-TYPE",
    "USE-UNION",
    "WHITESPACE",
];

/// The instructions of types, without those of referenced types.
pub(crate) struct Assigned<'m> {
    model: &'m Model,
    /// The instructions from encoding control sections.
    controls: HashMap<TypeId, Vec<Vec<&'m str>>>,
    /// The keyword of an instruction that is not supported, for all types of a module.
    unsupported: HashMap<ModuleId, &'m str>,
    /// True if there are no instructions at all.
    is_empty: bool,
}

/// As many references in a row as a sensible schema has.
const REFERENCES: usize = 1000;

fn is_xer(instruction: &Instruction) -> bool {
    instruction.encoding.as_deref().is_none_or(|encoding| encoding == "XER")
}

impl<'m> Assigned<'m> {
    pub(crate) fn new(model: &'m Model) -> Self {
        let is_empty = model.types.iter().all(|ty| ty.instructions().is_empty())
            && model.modules.iter().all(|module| module.controls.is_empty());
        let mut assigned = Self { model, controls: HashMap::new(), unsupported: HashMap::new(), is_empty };
        for (index, module) in model.modules.iter().enumerate() {
            for section in module.controls.iter().filter(|section| is_xer(section)) {
                let words: Vec<&str> = section.words.iter().map(String::as_str).collect();
                if let Err(keyword) = assigned.section(module, &words) {
                    assigned.unsupported.entry(ModuleId(index as u32)).or_insert(keyword);
                }
            }
        }
        assigned
    }

    /// Reads an encoding control section. Returns the keyword of an instruction that is not supported.
    fn section(&mut self, module: &'m Module, words: &[&'m str]) -> Result<(), &'m str> {
        let mut rest = words;
        while let Some((first, mut behind)) = rest.split_first() {
            let mut keyword = *first;
            let mut instruction = vec![keyword];
            if keyword == "NOT" {
                let Some((next, after)) = behind.split_first() else { return Err(keyword) };
                (keyword, behind) = (*next, after);
                instruction.push(keyword);
            }
            let end = behind.iter().position(|word| KEYWORDS.contains(word)).unwrap_or(behind.len());
            let (own, after) = behind.split_at_checked(end).ok_or(keyword)?;
            rest = after;
            if !KEYWORDS.contains(&keyword) {
                return Err(keyword);
            }
            if keyword == "GLOBAL-DEFAULTS" {
                match own.first() {
                    // It only concerns instructions that are not supported.
                    Some(&"CONTROL-NAMESPACE") => continue,
                    _ => return Err(keyword),
                }
            }
            let is_value = |word: &&str| matches!(*word, "AS" | "REPLACE" | "COLLAPSE");
            let split = own.iter().position(is_value).unwrap_or(own.len());
            let (targets, value) = own.split_at_checked(split).ok_or(keyword)?;
            instruction.extend(value);
            for target in targets.split(|word| *word == ",") {
                let id = self.target(module, target).ok_or(keyword)?;
                self.controls.entry(id).or_default().push(instruction.clone());
            }
        }
        Ok(())
    }

    /// Finds a target: a type, or a component: `A.b`.
    fn target(&self, module: &Module, words: &[&str]) -> Option<TypeId> {
        let mut parts = words.split(|word| *word == ".");
        let [name] = parts.next()? else { return None };
        let assignment = module.assignments.iter().find(|assignment| assignment.name == *name)?;
        let AssignmentKind::Type(mut id) = assignment.kind else { return None };
        for part in parts {
            let [name] = part else { return None };
            let fields = match &self.model.base(id)?.shape {
                Shape::Sequence(fields) | Shape::Set(fields) | Shape::Choice(fields) => fields,
                _ => return None,
            };
            id = fields.list.iter().find(|field| field.name == *name)?.ty;
        }
        Some(id)
    }

    /// The instructions of a type, with those of referenced types.
    pub(crate) fn instructions(&self, id: TypeId) -> Option<Box<Instructions>> {
        if self.is_empty {
            return None;
        }
        // From the type to the one that it refers to.
        let mut chain = Vec::new();
        let mut next = Some(id);
        for _ in 0..REFERENCES {
            let Some((id, ty)) = next.and_then(|id| Some((id, self.model.ty(id)?))) else { break };
            chain.push((id, ty));
            next = match &ty.shape {
                Shape::Reference(target) | Shape::FixedField { ty: target, .. } => Some(*target),
                _ => None,
            };
        }
        let is_plain = |(id, ty): &(TypeId, &tagwise_schema::model::Type)| {
            ty.instructions().is_empty()
                && !self.controls.contains_key(id)
                && !self.unsupported.contains_key(&ty.module)
        };
        if chain.iter().all(is_plain) {
            return None;
        }
        let mut found = Instructions::default();
        for (id, ty) in chain.into_iter().rev() {
            found = found.inherited();
            if let Some(keyword) = self.unsupported.get(&ty.module) {
                found.unsupported.get_or_insert_with(|| (*keyword).into());
            }
            for words in self.controls.get(&id).into_iter().flatten() {
                found.add(words);
            }
            // The outermost prefix takes precedence.
            for prefix in ty.instructions().iter().filter(|prefix| is_xer(prefix)).rev() {
                let words: Vec<&str> = prefix.words.iter().map(String::as_str).collect();
                found.add(&words);
            }
        }
        Some(Box::new(found))
    }
}
