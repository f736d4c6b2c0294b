//! A type of a schema under encoding rules, and the state of a decoding or encoding.

use std::borrow::Cow;

use tagwise_codec::table::{Schema, Type, TypeRef};
use tagwise_codec::value::{ContainedSizes, Data, Dynamic, Part, Scope, Types, Value};
use tagwise_codec::{Budget, EncodeError, Options, RuleSet};

use crate::decoded::{Decoded, Position};
use crate::error::{Error, Kind, Standard, Step, path};
use crate::plan::{Bounds, Contents, Layout, Plan};
use crate::rules::Rule;
use crate::shared::index_of;
use crate::shared::own::own;

/// Limit of elements without any bits in one encoding: as many as fit into 64 MiB. Others are bounded by its size.
pub(crate) const EMPTY_ELEMENTS: u64 = (64 << 20) / size_of::<Value<'static>>() as u64;

/// The rules of constraints that input may be allowed to violate.
const CONSTRAINTS: RuleSet = RuleSet::NONE.with(&tagwise_codec::Rule::VALUE).with(&tagwise_codec::Rule::SIZE);

/// A type of a schema, with the settings of all encoding rules.
#[derive(Clone, Copy, Debug)]
pub struct Base<'s> {
    /// The standard of the encoding rules.
    pub standard: Standard,
    /// The tables.
    pub schema: &'s Schema,
    /// The layouts.
    pub plan: &'s Plan,
    /// The type's index in both.
    pub index: u32,
    /// The options whose budget applies.
    pub options: Options<'s>,
    /// True to record the position of each component.
    pub positions: bool,
}

impl<'s> Base<'s> {
    /// Creates the type. Returns `None` if there is no such type.
    #[must_use]
    pub fn new(standard: Standard, schema: &'s Schema, plan: &'s Plan, index: u32) -> Option<Self> {
        schema.types.get(index as usize)?;
        plan.get(index)?;
        Some(Self { standard, schema, plan, index, options: Options::der(), positions: false })
    }

    /// The type for encoding rules with tags.
    #[must_use]
    pub fn dynamic(&self) -> Option<Dynamic<'s>> {
        let ty = self.schema.types.get(self.index as usize)?;
        Some(Dynamic::new(ty).schema(self.schema).options(self.options))
    }

    /// Creates an error.
    #[must_use]
    pub const fn error(&self, path: String, bit: Option<u64>, kind: Kind) -> Error {
        Error { standard: self.standard, path, bit, kind, limit: None, allowance: None }
    }

    /// Checks the constraints of a value. `sizes` are those of strings that contain encodings.
    ///
    /// # Errors
    /// Returns the first violation, without a position.
    pub fn check(&self, value: &Value<'s>, sizes: &ContainedSizes) -> Result<(), Error> {
        self.checked(value, sizes, |dynamic, value| dynamic.check(value))
    }

    /// Checks the constraints of a decoded value. Returns the tolerated violations: the rule and path of each.
    fn violations(
        &self,
        value: &Value<'s>,
        sizes: &ContainedSizes,
    ) -> Result<Vec<(&'static tagwise_codec::Rule, String)>, Error> {
        let all = self.checked(value, sizes, |dynamic, value| dynamic.violations(value))?;
        Ok(all.into_iter().filter_map(|one| Some((one.kind().rule()?, one.path()))).collect())
    }

    fn checked<R>(
        &self,
        value: &Value<'s>,
        sizes: &ContainedSizes,
        check: impl FnOnce(&Dynamic<'_>, &Value<'s>) -> Result<R, EncodeError>,
    ) -> Result<R, Error> {
        let dynamic = self.dynamic().ok_or_else(|| self.error(String::new(), None, Kind::Schema))?;
        check(&dynamic.contained_sizes(sizes), value).map_err(|error| Error {
            limit: error.limit().map(str::to_owned),
            allowance: error.kind().rule().filter(|rule| CONSTRAINTS.has(rule)),
            ..self.error(error.path(), None, Kind::Value(error.kind()))
        })
    }

    /// The maximum depth of values.
    #[must_use]
    pub fn depth(&self) -> u32 {
        self.options.budget_in_force().depth.min(Budget::MAX_DEPTH).into()
    }
}

/// The type that is expected at a place.
#[derive(Clone, Copy, Debug)]
pub struct Expect<'x, 's> {
    /// The type.
    pub ty: &'s Type,
    /// Its layout.
    pub layout: &'s Layout,
    /// The components around the value, which select open types.
    pub scope: Option<&'x Scope<'x, 's>>,
    /// The number of further levels allowed.
    pub depth: u32,
}

/// The state of a decoding or encoding.
#[derive(Debug)]
pub struct Context<'s> {
    /// The type and settings.
    pub base: Base<'s>,
    /// The types.
    pub types: Types<'s>,
    /// The path of the current value.
    pub steps: Vec<Step<'s>>,
    /// The start of the current value or field, in bits.
    pub at: u64,
    elements: u64,
    empty: u64,
    values: u64,
    /// The violations that were tolerated.
    pub deviations: Vec<(Rule, u64)>,
    /// The rules of violated constraints that were tolerated, with the path and position of each value.
    violations: Vec<(&'static tagwise_codec::Rule, String, u64)>,
    /// The value of an error, and the rule that would tolerate it.
    limit: Option<(String, Option<&'static tagwise_codec::Rule>)>,
    positions: Vec<Position>,
    /// The sizes of strings that contain encodings.
    pub sizes: ContainedSizes,
    /// The starts of values whose types were not known when they were read, and of their contents.
    postponed: Vec<(u64, u64)>,
    /// True for an error in such a value, whose position is not known yet.
    is_late: bool,
}

impl<'s> Context<'s> {
    /// Creates the state at the start.
    #[must_use]
    pub fn new(base: Base<'s>) -> Self {
        Self {
            base,
            types: Types::of(base.schema),
            steps: Vec::new(),
            at: 0,
            elements: base.options.budget_in_force().elements,
            empty: EMPTY_ELEMENTS,
            values: base.options.budget_in_force().values,
            deviations: Vec::new(),
            violations: Vec::new(),
            limit: None,
            positions: Vec::new(),
            sizes: ContainedSizes::default(),
            postponed: Vec::new(),
            is_late: false,
        }
    }

    /// The outermost type.
    ///
    /// # Errors
    /// Returns an error if the schema does not define it.
    pub fn outermost<'x>(&self) -> Result<Expect<'x, 's>, Kind> {
        self.expect(self.base.index, None, self.base.depth())
    }

    /// The type with an index.
    ///
    /// # Errors
    /// Returns an error if the schema does not define it.
    pub fn expect<'x>(&self, index: u32, scope: Option<&'x Scope<'x, 's>>, depth: u32) -> Result<Expect<'x, 's>, Kind> {
        let ty = self.base.schema.types.get(index as usize).ok_or(Kind::Schema)?;
        Ok(Expect { ty, layout: self.layout(index)?, scope, depth })
    }

    /// The type that a table refers to, with the index of its layout.
    ///
    /// # Errors
    /// Returns an error if the schema does not define it.
    pub fn refer<'x>(
        &self,
        reference: &'s TypeRef,
        layout: u32,
        scope: Option<&'x Scope<'x, 's>>,
        depth: u32,
    ) -> Result<Expect<'x, 's>, Kind> {
        let ty = self.types.get(reference).ok_or(Kind::Schema)?;
        Ok(Expect { ty, layout: self.layout(layout)?, scope, depth })
    }

    /// The layout with an index.
    ///
    /// # Errors
    /// Returns an error if there is none.
    pub fn layout(&self, index: u32) -> Result<&'s Layout, Kind> {
        self.base.plan.get(index).ok_or(Kind::Schema)
    }

    /// The type of an open type's value, unless it is unknown.
    ///
    /// # Errors
    /// Returns an error if the type is not one of the schema's.
    pub fn selected<'x>(
        &self,
        open: &'s Type,
        scope: Option<&'x Scope<'x, 's>>,
        depth: u32,
    ) -> Result<Option<Expect<'x, 's>>, Kind> {
        let Some(selected) = self.types.selected(self.types.base(open), scope) else { return Ok(None) };
        let index = index_of(&self.base.schema.types, selected).ok_or(Kind::Schema)?;
        self.expect(index, scope, depth).map(Some)
    }

    /// The type of the value that a string contains, unless it is unknown.
    ///
    /// # Errors
    /// Returns an error if the schema does not define the type, or if the depth budget is exhausted.
    pub fn contained<'x>(
        &mut self,
        expect: Expect<'x, 's>,
        contents: Contents,
    ) -> Result<Option<Expect<'x, 's>>, Kind> {
        let depth = expect.depth.checked_sub(1).ok_or(Kind::Depth)?;
        let inner = self.expect(contents.ty, expect.scope, depth)?;
        match inner.layout {
            Layout::Open => match self.selected(inner.ty, expect.scope, depth)? {
                Some(selected) => Ok(Some(selected)),
                None => {
                    self.postpone(self.at, self.at);
                    Ok(None)
                }
            },
            _ => Ok(Some(inner)),
        }
    }

    /// The content of a string type.
    #[must_use]
    pub fn contents(&self, ty: &Type) -> Option<Contents> {
        match self.base.plan.get(index_of(&self.base.schema.types, ty)?)? {
            Layout::OctetString(sized) | Layout::BitString(sized) => sized.contents,
            _ => None,
        }
    }

    /// Records a value whose type is not known yet, by its position and that of its contents.
    pub fn postpone(&mut self, start: u64, contents: u64) {
        self.postponed.push((start, contents));
    }

    /// Returns whether there are values whose types were not known.
    #[must_use]
    pub const fn is_postponed(&self) -> bool {
        !self.postponed.is_empty()
    }

    /// Begins such a value, whose type is known now. Returns the position of its contents, if positions are recorded.
    pub fn enter_late(&mut self, path: &[Part<'s>]) -> u64 {
        self.steps = path
            .iter()
            .map(|part| match part {
                Part::Name(name) => Step::Name(name),
                Part::Item(index) => Step::Item(*index),
            })
            .collect();
        self.is_late = true;
        let text = self::path(&self.steps);
        let start = self.positions.iter().find(|position| position.path == text).map_or(0, |position| position.start);
        let contents = self.postponed.iter().find(|(at, _)| *at == start).map_or(start, |(_, contents)| *contents);
        self.at = contents;
        contents
    }

    /// Ends such a value.
    pub fn leave_late(&mut self) {
        self.steps.clear();
        self.is_late = false;
    }

    /// Creates a value.
    #[must_use]
    pub fn value(&self, ty: &'s Type, data: Data<'s>) -> Value<'s> {
        Value::new(self.types, ty, data)
    }

    /// Creates a value without components from its DER content bytes.
    ///
    /// # Errors
    /// Returns an error if the bytes are invalid.
    pub fn leaf(&self, ty: &'s Type, content: Vec<u8>) -> Result<Value<'s>, Kind> {
        Value::leaf(self.types, ty, Cow::Owned(content)).map_err(|fault| Kind::Value(fault.kind()))
    }

    /// Decodes contents in DER. The value has bytes of its own.
    ///
    /// # Errors
    /// Returns an error if the contents are not DER.
    pub fn der(&self, expect: Expect<'_, 's>, octets: &[u8]) -> Result<Value<'s>, Kind> {
        let dynamic = Dynamic::new(expect.ty).schema(self.base.schema).options(self.base.options);
        let read = dynamic.decode(octets).map_err(|error| Kind::Value(error.kind()))?;
        own(self.types, expect.ty, &read.value)
    }

    /// Encodes contents in DER.
    ///
    /// # Errors
    /// Returns an error if the value does not match the type.
    pub fn to_der(&self, expect: Expect<'_, 's>, value: &Value<'s>) -> Result<Vec<u8>, Kind> {
        let dynamic = Dynamic::new(expect.ty).schema(self.base.schema).options(self.base.options);
        dynamic.encode(value).map_err(|error| Kind::Value(error.kind()))
    }

    /// Charges values, and absent components, before they are created.
    ///
    /// # Errors
    /// Returns an error if the budget is exhausted.
    pub fn spend_values(&mut self, count: usize) -> Result<(), Kind> {
        self.values = self.values.checked_sub(count as u64).ok_or(Kind::Elements)?;
        Ok(())
    }

    /// Begins a value at a position, in bits. Returns a mark for [`end`](Self::end).
    ///
    /// # Errors
    /// Returns an error if the position exceeds the budget.
    pub fn begin(&mut self, start: u64) -> Result<usize, Kind> {
        self.at = start;
        if self.base.positions {
            self.spend_values(1)?;
            // Until the value is complete, it extends to the end.
            self.positions.push(Position { path: path(&self.steps), start, end: u64::MAX, is_padding: false });
        }
        Ok(self.positions.len())
    }

    /// Records padding bits of the current value.
    ///
    /// # Errors
    /// Returns an error if the position exceeds the budget.
    pub fn padding(&mut self, start: u64, bits: u64) -> Result<(), Kind> {
        if self.base.positions && bits > 0 {
            self.spend_values(1)?;
            let end = start.saturating_add(bits);
            self.positions.push(Position { path: path(&self.steps), start, end, is_padding: true });
        }
        Ok(())
    }

    /// Ends a value.
    pub fn end(&mut self, mark: usize, end: u64) {
        if let Some(position) = mark.checked_sub(1).and_then(|place| self.positions.get_mut(place)) {
            position.end = end;
        }
    }

    /// Begins an element of a list.
    ///
    /// # Errors
    /// Returns an error if the budget is exhausted.
    pub fn element(&mut self, number: usize, start: u64) -> Result<(), Kind> {
        self.steps.push(Step::Item(number));
        self.at = start;
        self.elements = self.elements.checked_sub(1).ok_or(Kind::Elements)?;
        Ok(())
    }

    /// Handles a number, size or character outside its bounds, which `rule` may tolerate.
    ///
    /// # Errors
    /// Returns the error if it is not tolerated.
    #[cold]
    pub fn outside(
        &mut self,
        kind: Kind,
        rule: Option<&'static tagwise_codec::Rule>,
        describe: impl FnOnce() -> String,
    ) -> Result<(), Kind> {
        let tolerated = self.base.options.tolerated();
        if let Some(rule) = rule.filter(|rule| tolerated.has(rule)) {
            let path = path(&self.steps);
            // A length and the size of the value are both checked.
            if self.violations.last().is_none_or(|(last, place, _)| *last != rule || *place != path) {
                self.violations.push((rule, path, self.at));
            }
            return Ok(());
        }
        // Whether a type has a character is found only with its whole value.
        self.limit = Some((describe(), rule.filter(|_| kind != Kind::Alphabet)));
        Err(kind)
    }

    /// The numbers of further elements, and of further elements without bits, that the budget allows.
    #[must_use]
    pub const fn left(&self) -> (u64, u64) {
        (self.elements, self.empty)
    }

    /// Restores the numbers that [`left`](Self::left) returned, after elements were encoded for comparison only.
    pub const fn restore(&mut self, (elements, empty): (u64, u64)) {
        (self.elements, self.empty) = (elements, empty);
    }

    /// Checks the number of elements that have no bits, before they are read.
    ///
    /// # Errors
    /// Returns an error if it exceeds the budget.
    pub const fn foresee(&self, item: Expect<'_, 's>, count: u64) -> Result<(), Kind> {
        if matches!(item.layout, Layout::Null) && count > self.empty { Err(Kind::Elements) } else { Ok(()) }
    }

    /// Charges elements that have no bits.
    ///
    /// # Errors
    /// Returns an error if the budget is exhausted.
    pub fn spend_empty(&mut self, count: u64) -> Result<(), Kind> {
        self.empty = self.empty.checked_sub(count).ok_or(Kind::Elements)?;
        Ok(())
    }

    /// Records the size of a string that contains a value, in bits or bytes, before it is written.
    ///
    /// # Errors
    /// Returns an error if the size is outside the effective size constraint.
    pub fn contained_size(&mut self, string: &Value<'s>, size: usize, bounds: Bounds) -> Result<(), Kind> {
        self.sizes.record(string, size);
        if bounds.extensible || bounds.contains(size as i128) {
            return Ok(());
        }
        self.outside(Kind::Size, None, || bounds.describe("size", size as i128))
    }

    /// The error for the current value.
    pub(crate) fn failed(&mut self, kind: Kind, bit: Option<u64>) -> Error {
        let error = self.base.error(path(&self.steps), bit, kind);
        match self.limit.take() {
            Some((limit, allowance)) => Error { limit: Some(limit), allowance, ..error },
            None => error,
        }
    }

    /// Completes a decoding: checks the constraints of its value, and finds the position of a violation with `again`, which
    /// decodes with positions.
    ///
    /// # Errors
    /// Returns the error of the decoding, or a violated constraint.
    pub fn decoded(
        mut self,
        value: Result<Value<'s>, Kind>,
        again: impl FnOnce(Base<'s>) -> Result<Decoded<'s>, Error>,
    ) -> Result<Decoded<'s>, Error> {
        let base = self.base;
        if self.is_late && !base.positions && value.is_err() {
            return again(Base { positions: true, ..base });
        }
        let value = value.map_err(|kind| self.failed(kind, Some(self.at)))?;
        let mut error = match base.violations(&value, &self.sizes) {
            Ok(found) if found.is_empty() || base.positions => return Ok(self.complete(value, found)),
            // Their positions are not known yet.
            Ok(_) => {
                return again(Base { positions: true, ..base }).map(|read| Decoded { positions: Vec::new(), ..read });
            }
            Err(error) => error,
        };
        error.bit = if base.positions {
            let found = self.positions.iter().find(|position| position.path == error.path);
            found.map(|position| position.start)
        } else {
            let again = again(Base { positions: true, ..base }).err();
            again.filter(|again| again.path == error.path).and_then(|again| again.bit)
        };
        Err(error)
    }

    /// The result of a decoding, with the constraints that its value violates.
    fn complete(self, value: Value<'s>, found: Vec<(&'static tagwise_codec::Rule, String)>) -> Decoded<'s> {
        let mut violations = self.violations;
        for (rule, path) in found {
            // A size or number outside its bounds was found when it was read.
            if !violations.iter().any(|(other, at, _)| *other == rule && *at == path) {
                let position = self.positions.iter().find(|position| position.path == path);
                violations.push((rule, path, position.map_or(0, |position| position.start)));
            }
        }
        violations.sort_by_key(|(_, _, bit)| *bit);
        let violations = violations.into_iter().map(|(rule, _, bit)| (rule, bit)).collect();
        Decoded { value, deviations: self.deviations, violations, positions: self.positions }
    }

    /// The positions of the values, in the order of decoding.
    #[must_use]
    pub fn into_positions(self) -> Vec<Position> {
        self.positions
    }
}
