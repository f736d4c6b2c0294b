//! What the fuzz target `krb5_client` holds, on inputs by a generator: enough of them for every kind of reply.
#![cfg(feature = "pkinit")]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

#[path = "common/fake_kdc.rs"]
#[allow(unreachable_pub, dead_code, reason = "a module of the tests")]
mod fake_kdc;
#[path = "common/pki.rs"]
#[allow(unreachable_pub, dead_code, reason = "a module of the tests")]
mod pki;
#[path = "common/replies.rs"]
#[allow(unreachable_pub, clippy::expect_used, reason = "a module of the tests")]
mod replies;

use std::time::{Duration, Instant};

/// The next number of a linear generator.
fn next(state: &mut u64) -> u8 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as u8
}

/// For 3,000 inputs, or for as many seconds as `TAGWISE_SECONDS` says.
#[test]
fn exchanges_end_and_believe_what_was_asked() {
    let seconds = std::env::var("TAGWISE_SECONDS").ok().and_then(|text| text.parse().ok()).map(Duration::from_secs);
    let (begun, mut count, mut tickets, mut state) = (Instant::now(), 0, 0, 1);
    while seconds.map_or(count < 3_000, |seconds| begun.elapsed() < seconds) {
        let len = usize::from(next(&mut state)) * 4;
        let input: Vec<u8> = (0..len).map(|_| next(&mut state)).collect();
        tickets += u32::from(replies::run(&input));
        count += 1;
    }
    println!("{count} exchanges, {tickets} tickets");
    // True replies lead somewhere, and others do not.
    assert!(tickets > 100 && tickets < count - 100, "{tickets} of {count}");
}

#[test]
fn a_service_of_another_realm_is_not_the_own_realms() {
    let own = "service@FUZZ.TEST";
    assert_eq!(replies::service_of("FUZZ.TEST").as_deref(), Ok(own));
    // No realm: that of the KDC.
    assert_eq!(replies::service_of("").as_deref(), Ok(own));
    let told =
        "the reply does not match the request: the server's realm differs from the requested one (RFC 4120 §3.3.4)";
    assert_eq!(replies::service_of("NOREALM"), Err(told.to_owned()));
}
