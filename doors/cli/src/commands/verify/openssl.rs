//! Recognition of `openssl verify` options, and advice about the corresponding options of `tagwise verify`.

/// OpenSSL's options without their hyphens, with their equivalents.
const OPTIONS: &[(&str, &str)] = &[
    ("CAfile", "--trust FILE"),
    ("CApath", "--trust FOLDER"),
    ("CAstore", "--trust FILE or --trust FOLDER"),
    ("trusted", "--trust FILE"),
    ("no-CAfile", "--trust FILE, which replaces the system's store"),
    ("no-CApath", "--trust FILE, which replaces the system's store"),
    ("no-CAstore", "--trust FILE, which replaces the system's store"),
    ("untrusted", "--untrusted FILE"),
    ("CRLfile", "--crl FILE"),
    ("crl_check", "--crl FILE --revocation require --revocation-scope leaf"),
    ("crl_check_all", "--crl FILE --revocation require"),
    ("crl_download", "--fetch, or --crl FILE"),
    ("extended_crl", "nothing: indirect CRLs are always supported"),
    ("use_deltas", "nothing: delta CRLs given with --crl are always used"),
    ("verify_hostname", "--host NAME"),
    ("verify_ip", "--ip ADDR"),
    ("verify_email", "--email ADDR"),
    ("verify_depth", "--max-depth N"),
    ("verify_name", "--purpose PURPOSE"),
    ("purpose", "--purpose server, client, email, code or timestamp"),
    ("attime", "--at TIME, such as 2026-11-21T10:00:00Z"),
    ("no_check_time", "--allow validity,anchor-validity"),
    ("policy", "--policy OID"),
    ("policy_check", "nothing: policies are always processed"),
    ("policy_print", "nothing: the valid policies are always shown"),
    ("explicit_policy", "--require-explicit-policy"),
    ("inhibit_any", "--inhibit-any"),
    ("inhibit_map", "--inhibit-mapping"),
    ("show_chain", "nothing: the path is always shown"),
    ("verbose", "--explain"),
    ("partial_chain", "--trust FILE: the certificate ends a path, whether it is a root or not"),
    ("x509_strict", "--enforce conformance,anchor-extensions"),
    ("trusted_first", "nothing: every path is tried"),
    ("no_alt_chains", "nothing: every path is tried"),
    ("issuer_checks", "--explain"),
    ("check_ss_sig", "nothing: a trust anchor is trusted for its name and key, not for its signature"),
    ("ignore_critical", "nothing: an unknown critical extension always rejects a path"),
    ("allow_proxy_certs", "nothing: proxy certificates are not supported"),
    ("auth_level", "--profile webpki, which has minimum key sizes"),
];

/// Returns advice if the arguments contain an option of `openssl verify`, otherwise `None`.
pub(crate) fn advice(arguments: impl IntoIterator<Item = String>) -> Option<String> {
    arguments.into_iter().find_map(|argument| {
        let name = argument.strip_prefix('-')?;
        let double = name.strip_prefix('-');
        let (_, same) = OPTIONS.iter().find(|(option, _)| *option == double.unwrap_or(name))?;
        // With two hyphens, some are options of this command.
        let own = double.is_some_and(|name| same.starts_with(&format!("--{name}")));
        (!own).then(|| format!("{argument} is an option of openssl verify; here it is {same}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(line: &str) -> Option<String> {
        advice(line.split(' ').map(str::to_owned))
    }

    #[test]
    fn spellings() {
        let said = of("verify -CAfile root.pem leaf.pem");
        assert_eq!(said.as_deref(), Some("-CAfile is an option of openssl verify; here it is --trust FILE"));
        // OpenSSL's flag is about every certificate of the path, the anchor's included.
        let said = of("verify -no_check_time leaf.pem");
        assert!(said.is_some_and(|said| said.ends_with("here it is --allow validity,anchor-validity")));
        assert!(of("verify --CAfile root.pem").is_some());
        assert!(of("verify -untrusted ca.pem").is_some());
        assert_eq!(of("verify --untrusted ca.pem --purpose server --policy 1.2.3 leaf.pem -"), None);
    }
}
