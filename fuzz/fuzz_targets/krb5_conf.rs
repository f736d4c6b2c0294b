//! Configurations: any text is read or refused with a line of it; settings are read from any.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tagwise_krb5::Principal;
use tagwise_krb5::conf::{Config, NoIncludes, parse_duration, parse_enc_types};

fuzz_target!(|data: &[u8]| {
    let Ok(text) = core::str::from_utf8(data) else { return };
    let _ = (parse_duration(text), parse_enc_types(text));
    if let Ok(principal) = Principal::parse(text, Some("REALM")) {
        // What is shown parses again, but for bytes that are shown as escapes of their own.
        let shown = principal.to_string();
        if !shown.contains("\\u{") {
            assert_eq!(Principal::parse(&shown, None).as_ref(), Ok(&principal), "{shown}");
        }
    }
    match Config::parse(text, &mut NoIncludes) {
        Ok(config) => {
            let realm = config.default_realm().unwrap_or("KRB.TEST");
            let _ = (config.kdcs(realm), config.kpasswd_servers(realm), config.realm_of_host("a.b.test"));
            let _ = (config.enc_types("permitted_enctypes"), config.flag(Some(realm), "forwardable"));
            let _ = config.duration(None, "ticket_lifetime");
        }
        Err(error) => assert!((1..=text.lines().count()).contains(&error.line()), "{error}"),
    }
});
