//! Reading values of a schema's types in DER, BER and CER.

use std::fmt;

use tagwise_codec::value::{Dynamic, Value};
use tagwise_codec::{Deviation, Error, Options, Rule, RuleSet, ber, cer};

use super::rules_arg::RulesArg;

/// Bytes of a record file that are no value (3GPP TS 32.297 §6.1). Records are in BER, so only BER has them.
pub(crate) struct Filler<'a> {
    pub(crate) octets: &'a [u8],
    /// The offset in the file or PEM block.
    pub(crate) start: usize,
}

impl Filler<'_> {
    /// Returns the error under rules other than BER.
    pub(crate) fn refused(&self) -> String {
        let Self { octets, start } = self;
        let octet = octets.first().copied().unwrap_or_default();
        format!(
            "{} bytes {octet:02X} at byte {start} are not a value; BER skips them as filler of record files",
            octets.len()
        )
    }
}

impl fmt::Display for Filler<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { octets, start } = self;
        let octet = octets.first().copied().unwrap_or_default();
        write!(f, "skipped filler at byte {start}: {} bytes {octet:02X}", octets.len())
    }
}

/// Settings for reading values.
pub(crate) struct Reading<'r, 's> {
    pub(crate) rules: RulesArg,
    pub(crate) ty: &'r Dynamic<'s>,
    pub(crate) options: Options<'s>,
    /// True if times keep their form.
    pub(crate) keeps_form: bool,
}

impl Reading<'_, '_> {
    /// Returns a value and the deviations that were tolerated.
    pub(crate) fn with(&self, octets: &[u8], with: impl FnOnce(&Value<'_>, Vec<String>)) -> Result<(), Error> {
        let is_basic = self.rules == RulesArg::Ber;
        let tell = |deviations: &[Deviation]| -> Vec<String> {
            let text = |one: &Deviation| match is_basic && one.rule.name == Rule::TIME_FORM.name {
                true => format!("the time at byte {} is converted to its DER form, if there is one", one.offset),
                false => format!("{} tolerated at byte {}", one.rule.name, one.offset),
            };
            deviations.iter().map(text).collect()
        };
        let schema = self.ty.types();
        let canonical = match self.rules {
            RulesArg::Der => {
                let read = self.ty.options(self.options).decode(octets)?;
                with(&read.value, tell(&read.deviations));
                return Ok(());
            }
            RulesArg::Ber => ber::to_der_as(self.ty.ty(), schema.schema(), octets, &self.basic()),
            // Rules without tags are read elsewhere.
            _ => cer::to_der_as(self.ty.ty(), schema.schema(), octets, &self.options),
        }?;
        // Parts without a type are unchanged.
        let lax = match self.rules {
            RulesArg::Ber => self.basic(),
            _ => self.options,
        };
        let read = self.ty.options(lax).decode(&canonical.bytes).map_err(|error| canonical.original(error))?;
        let later = read.deviations.iter().map(|one| Deviation { offset: canonical.map.source(one.offset), ..*one });
        let mut deviations: Vec<Deviation> = canonical.deviations.iter().copied().chain(later).collect();
        // BER leaves these choices to the sender; other deviations were tolerated.
        let is_free = |rule| is_basic && RuleSet::BER_DEFINITE.has(rule);
        let is_rewritten = |rule: &Rule| rule.name == Rule::TIME_FORM.name && !self.keeps_form;
        deviations.retain(|one| !is_free(one.rule) || is_rewritten(one.rule));
        deviations.sort_by_key(|one| (one.offset, one.rule.name));
        deviations.dedup();
        with(&read.value, tell(&deviations));
        Ok(())
    }

    /// Returns the options for BER, with the rules that `--allow` names.
    fn basic(&self) -> Options<'_> {
        self.options.rules(self.options.tolerated().union(RuleSet::BER_DEFINITE))
    }
}
