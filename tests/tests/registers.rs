//! Every certificate and revocation list of the corpora decodes strictly and encodes to the same octets, or is registered
//! with what exactly is wrong with it; and the other way round.
#![allow(clippy::panic, reason = "tests")]

use tagwise_tests::{register, sets};

#[test]
fn every_item_is_strict_or_registered() {
    let mut count = 0;
    for (name, items) in sets::all() {
        if let Some(items) = items {
            count += items.len();
            register::hold_set(name, &items);
        }
    }
    println!("{count} items");
}
