//! Reads input that is not strict DER, tolerates violations of named rules, and lists the deviations.

use std::error::Error;

use tagwise::codec::{Options, Rule, RuleSet};

fn main() -> Result<(), Box<dyn Error>> {
    // TRUE as 01, with a length in the long form: BER, not DER.
    let bytes = [0x01, 0x81, 0x01, 0x01];

    if let Err(error) = Options::der().decode::<bool>(&bytes) {
        println!("strict: {error}");
    }
    let read = Options::der().allow(&Rule::LONG_LENGTH).allow(&Rule::BOOLEAN_VALUE).decode::<bool>(&bytes)?;
    for deviation in &read.deviations {
        println!("tolerated at byte {}: not so here that {}", deviation.offset, deviation.rule.summary);
    }
    println!("value: {}", read.value);

    // All that BER with definite lengths allows, as Active Directory's LDAP has it.
    assert!(Options::der().rules(RuleSet::BER_DEFINITE).decode::<bool>(&bytes)?.value);
    Ok(())
}
