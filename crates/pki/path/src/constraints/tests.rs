//! Tests of each form against its subtrees; whole certificates are in `tests/rules.rs`, PKITS §4.13 and x509-limbo.

use super::{Subject, dns, mail, other, uri};

#[track_caller]
fn within_dns(host: &str, base: &str, is: bool, may: bool) {
    assert_eq!((dns::is_within(host, base), dns::may_be_within(host, base)), (is, may), "{host} in {base}");
}

#[test]
fn hosts() {
    // RFC 5280 §4.2.1.10: "zero or more labels to the left-hand side".
    within_dns("host.example.com", "host.example.com", true, true);
    within_dns("my.host.EXAMPLE.com", "host.example.com", true, true);
    within_dns("nothost.example.com", "host.example.com", false, false);
    within_dns("example.com", "host.example.com", false, false);
    within_dns("anything", "", true, true);
    // A wildcard stands for one label: an excluded subtree has it if one of these hosts lies within.
    within_dns("*.example.com", "example.com", true, true);
    within_dns("*.example.com", "host.example.com", false, true);
    within_dns("*.example.com", "a.host.example.com", false, false);
    within_dns("*.example.com", "com", true, true);
    within_dns("*.example.com", "example.org", false, false);
    // What others write with a leading dot.
    within_dns("host.example.com", ".example.com", true, true);
    within_dns("example.com", ".example.com", false, false);
    assert!(dns::base(".example.com", false).is_none() && dns::base(".example.com", true).is_some());
    for bad in ["*.example.com", "a..b", ".", "-a.b", "a b", "\0"] {
        assert!(dns::base(bad, true).is_none() && dns::base(bad, false).is_none(), "{bad}");
        let opaque = bad == "*.example.com";
        assert_eq!(matches!(dns::subject(bad), Subject::Dns(_)), opaque, "{bad}");
    }
    // A final dot would leave an excluded subtree, were it compared.
    assert!(matches!(dns::subject("evil.example.com."), Subject::Opaque));
}

#[test]
fn mailboxes() {
    let within = |mailbox, base| mail::is_within(mailbox, &mail::base(base).unwrap());
    assert!(within("root@Example.com", "root@example.com"));
    // Only the host knows whether its local parts are the same.
    assert!(!within("Root@example.com", "root@example.com"));
    let may = |mailbox, base| mail::may_be_within(mailbox, &mail::base(base).unwrap());
    assert!(may("Root@Example.com", "root@example.com") && may("rOOt@example.com", "\"RooT\"@example.com"));
    assert!(may("\u{c4}rger@example.com", "\u{e4}rger@example.com"));
    assert!(!may("roots@example.com", "root@example.com") && !may("root@example.org", "root@example.com"));
    assert!(
        within("root@host.example.com", "host.example.com") && !within("root@a.host.example.com", "host.example.com")
    );
    assert!(within("root@a.example.com", ".example.com") && !within("root@example.com", ".example.com"));
    assert!(within("\"a@b\"@example.com", "example.com"));
    // RFC 9598 §6: outside ASCII, under the same constraints.
    assert!(within("老师@xn--fsqu00a.example", "xn--fsqu00a.example"));
    for bad in ["a@b@example.com", "@example.com", "a@", "a@exa mple", "two words@example.com", "老师@例子.example"]
    {
        assert!(matches!(mail::subject(bad), Subject::Opaque), "{bad}");
    }
    // RFC 5321 §4.1.2: quotation marks and backslashes are no part of a local part.
    assert!(within("\"root\"@example.com", "root@example.com") && within("root@example.com", "\"r\\oot\"@example.com"));
    assert!(!within("\"root\\\\\"@example.com", "root@example.com"));
    assert!(mail::base("invalid@invalid@example.com").is_none() && mail::base(".").is_none());
}

#[test]
fn uris() {
    let within = |uri: &str, base: &str| uri::is_within(uri, uri::base(base).unwrap());
    assert!(within("http://User@Host.example.com:80/path?query#fragment", "host.example.com"));
    assert!(!within("http://a.host.example.com/", "host.example.com"));
    assert!(within("ldap://a.example.com", ".example.com") && !within("ldap://example.com/", ".example.com"));
    // §4.2.1.10: no authority, or an address for a host.
    for bad in
        ["urn:isbn:0", "http://192.0.2.1/", "http://[2001:db8::1]/", "mailto:a@example.com", "/relative", "http:///"]
    {
        assert!(matches!(uri::subject(bad), Subject::Opaque), "{bad}");
    }
    // Browsers take a backslash for a slash.
    assert!(matches!(uri::subject("http://good.example\\@evil.example/"), Subject::Opaque));
    // What comes before the last `@` is no host.
    assert!(!within("http://good.example@evil.example/", "good.example"));
}

#[test]
fn user_principal_names() {
    let within = |upn, base| other::upn_is_within(upn, other::upn_base(base).unwrap());
    assert!(within("eva@Corp.example", "@corp.example") && within("eva@corp.example", "corp.example"));
    assert!(within("eva@a.corp.example", ".corp.example") && !within("eva@corp.example", ".corp.example"));
    assert!(within("Eva@corp.example", "eva@CORP.example") && !within("adam@corp.example", "eva@corp.example"));
    assert!(!within("no-domain", "corp.example"));
}

#[test]
fn services() {
    let within = |name, base| other::srv_is_within(name, &other::srv_base(base).unwrap(), false);
    assert!(within("_imap.example.com", "_imap.example.com") && !within("_pop3.example.com", "_imap.example.com"));
    assert!(within("_IMAP.anywhere.test", "_imap"));
    assert!(within("_imap.mail.example.com", "example.com") && !within("_imap.example.org", "example.com"));
    assert!(matches!(other::subject("imap.example.com"), Subject::Opaque));
    assert!(matches!(other::subject("_.example.com"), Subject::Opaque));
}
