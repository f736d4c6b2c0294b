//! The client's exchanges, given replies of a KDC that are true, changed or made up: they end, and what they believe is what was asked.
#![no_main]

#[path = "../../crates/kerberos/krb5/tests/common/fake_kdc.rs"]
#[allow(dead_code, unreachable_pub, reason = "a module of the tests")]
mod fake_kdc;
#[path = "../../crates/kerberos/krb5/tests/common/pki.rs"]
#[allow(dead_code, unreachable_pub, reason = "a module of the tests")]
mod pki;
#[path = "../../crates/kerberos/krb5/tests/common/replies.rs"]
#[allow(dead_code, unreachable_pub, reason = "a module of the tests")]
mod replies;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    replies::run(data);
});
