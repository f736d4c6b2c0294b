//! Reading values of a schema's types in DER, BER and CER.

use tagwise_codec::value::{Dynamic, Value};
use tagwise_codec::{Deviation, Error, Options, RuleSet, ber, cer};

use super::rules_arg::RulesArg;

/// Settings for reading values.
pub(crate) struct Reading<'r, 's> {
    pub(crate) rules: RulesArg,
    pub(crate) ty: &'r Dynamic<'s>,
    pub(crate) options: Options<'s>,
}

impl Reading<'_, '_> {
    /// Returns a value and the deviations that were tolerated.
    pub(crate) fn with(&self, octets: &[u8], with: impl FnOnce(&Value<'_>, Vec<String>)) -> Result<(), Error> {
        let tell = |deviations: &[tagwise_codec::Deviation]| -> Vec<String> {
            deviations.iter().map(|one| format!("{} tolerated at byte {}", one.rule.name, one.offset)).collect()
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
        deviations.retain(|one| self.rules != RulesArg::Ber || !RuleSet::BER_DEFINITE.has(one.rule));
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
