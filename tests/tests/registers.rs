//! Every certificate and CRL of the corpora decodes strictly and encodes to the same bytes, or has a row in a register that
//! says what is wrong with it. No other row exists.
#![allow(clippy::panic, clippy::unwrap_used, reason = "tests")]

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
