//! Refusal of unreadable values. If they were ignored, a misspelled restriction would not apply.

use super::typed::{parse_duration, parse_enc_types, parse_flag};

/// The settings with a Boolean value.
const FLAGS: &[&str] = &[
    "canonicalize",
    "dns_lookup_kdc",
    "dns_lookup_realm",
    "dns_uri_lookup",
    "forwardable",
    "kdc_timesync",
    "pkinit_require_crl_checking",
    "proxiable",
];
/// The settings with a duration.
const DURATIONS: &[&str] = &["clockskew", "renew_lifetime", "ticket_lifetime"];
/// The settings with a list of encryption types.
const ENC_TYPES: &[&str] = &["default_tgs_enctypes", "default_tkt_enctypes", "permitted_enctypes"];

/// Checks the value of a setting that this crate uses. Accepts any value of other settings.
pub(super) fn check(name: &str, text: &str) -> Result<(), String> {
    let is_in = |names: &[&str]| names.contains(&name);
    let expected = match () {
        () if is_in(FLAGS) && parse_flag(text).is_none() => "true or false",
        () if is_in(DURATIONS) && parse_duration(text).is_none() => "a duration such as 10h, 1d12h, 08:00 or 3600",
        () if name == "udp_preference_limit" && text.parse::<i64>().is_err() => "a number of bytes",
        // MIT: KRB5_CONFIG_ETYPE_NOSUPP.
        () if is_in(ENC_TYPES) && parse_enc_types(text).is_empty() => "a list with a supported encryption type",
        () => return Ok(()),
    };
    Err(format!("{name}: expected {expected}, found {text:?}"))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use crate::conf::{Config, NoIncludes};

    fn told(text: &str) -> String {
        Config::parse(text, &mut NoIncludes).unwrap_err().to_string()
    }

    #[test]
    fn unreadable_values_are_errors_that_name_the_line_and_the_setting() {
        for (name, value, expected) in [
            ("pkinit_require_crl_checking", "maybe", "true or false"),
            ("pkinit_require_crl_checking", "ja", "true or false"),
            ("dns_lookup_kdc", "false # never", "true or false"),
            ("forwardable", "", "true or false"),
            ("ticket_lifetime", "1h # one hour", "a duration such as 10h, 1d12h, 08:00 or 3600"),
            ("renew_lifetime", "soon", "a duration such as 10h, 1d12h, 08:00 or 3600"),
            ("clockskew", "-1", "a duration such as 10h, 1d12h, 08:00 or 3600"),
            ("udp_preference_limit", "one", "a number of bytes"),
            ("permitted_enctypes", "aes256-sha384-typo", "a list with a supported encryption type"),
            ("permitted_enctypes", "des-cbc-crc", "a list with a supported encryption type"),
            ("default_tkt_enctypes", "aes -aes", "a list with a supported encryption type"),
            ("default_tgs_enctypes", "", "a list with a supported encryption type"),
        ] {
            let error = format!("{name}: expected {expected}, found {value:?}");
            assert_eq!(told(&format!("[libdefaults]\n {name} = {value}\n")), format!("2: {error}"));
            for section in ["libdefaults", "realms"] {
                let text = format!("[{section}]\n A.TEST = {{\n  {name} = {value}\n }}\n");
                assert_eq!(told(&text), format!("3: {error}"));
            }
            assert!(Config::parse(&format!("[appdefaults]\n {name} = {value}\n"), &mut NoIncludes).is_ok());
        }
    }

    #[test]
    fn readable_values_apply_to_the_realm_that_has_them() {
        let text = "[libdefaults]\n pkinit_require_crl_checking = no\n B.TEST = {\n  pkinit_require_crl_checking = YES\n }\n\
                    [realms]\n A.TEST = {\n  pkinit_require_crl_checking = on\n }\n";
        let config = Config::parse(text, &mut NoIncludes).unwrap();
        let of = |realm| config.flag(realm, "pkinit_require_crl_checking");
        assert_eq!(
            (of(Some("A.TEST")), of(Some("B.TEST")), of(Some("C.TEST")), of(None)),
            (Some(true), Some(true), Some(false), Some(false))
        );
    }
}
