//! Holds the adapters to the same work: what they report of a certificate must agree.

use crate::corpus;
use crate::peer::{AllFields, Fields};
use crate::peers;

/// Names are left out: only some libraries write them as RFC 4514 says.
fn without_names(all: AllFields) -> AllFields {
    AllFields {
        fields: Fields {
            issuer: String::new(),
            subject: String::new(),
            ..all.fields
        },
        ..all
    }
}

#[test]
fn all_fields_agree() {
    for set in [corpus::pkits(), corpus::mozilla()] {
        let set = match set {
            Ok(set) => set,
            Err(missing) => {
                let strict = std::env::var("CI").is_ok_and(|value| value == "true") && corpus::root().is_dir();
                assert!(!strict, "{missing}");
                eprintln!("skipped: {missing}");
                continue;
            }
        };
        for (index, der) in set.certs.iter().enumerate() {
            let mut first = None;
            for peer in peers::all() {
                let Some(all) = peer.all_fields(der) else { continue };
                assert!(
                    !all.fields.subject.is_empty(),
                    "{} gives no subject for {} {index}",
                    peer.name(),
                    set.name
                );
                let all = without_names(all);
                let (name, expected) = first.get_or_insert_with(|| (peer.name(), all.clone()));
                assert_eq!(
                    *expected,
                    all,
                    "{name} and {} differ on {} {index}",
                    peer.name(),
                    set.name
                );
            }
        }
    }
}
