//! Holds the adapters to the same work: what they report of a certificate must agree.

use crate::inputs::corpus;
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
    for (name, set) in [("pkits", corpus::pkits()), ("mozilla", corpus::mozilla())] {
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
                    "{} gives no subject for {name} {index}",
                    peer.name()
                );
                let all = without_names(all);
                let (other, expected) = first.get_or_insert_with(|| (peer.name(), all.clone()));
                assert_eq!(*expected, all, "{other} and {} differ on {name} {index}", peer.name());
            }
        }
    }
}

/// The certificate that faults are put into, where the corpus is here.
fn good() -> Option<Vec<u8>> {
    let set = corpus::pkits()
        .inspect_err(|missing| eprintln!("skipped: {missing}"))
        .ok()?;
    set.certs.into_iter().next()
}

#[test]
fn everyone_accepts_the_control_and_the_full_check_refuses_every_fault() {
    let Some(good) = good() else { return };
    let probes = crate::probes::run(&peers::all(), &good).expect("the certificate has the expected shape");
    let (control, faults) = probes.split_first().expect("there is a control");
    let refusing: Vec<&str> = control
        .refused
        .iter()
        .filter(|(_, refused)| *refused)
        .map(|(name, _)| name.as_str())
        .collect();
    assert!(refusing.is_empty(), "the good certificate is refused by {refusing:?}");
    for probe in faults {
        let deep = probe.refused.iter().find(|(library, _)| library == "tagwise (deep)");
        // What a name must hold is for a lint to say: decoding takes an empty one.
        let expected = probe.fault != "issuer: empty";
        assert_eq!(deep.map(|(_, refused)| *refused), Some(expected), "{}", probe.fault);
    }
}

#[test]
fn libraries_agree_on_good_certificates() {
    for name in ["pkits", "ml-dsa-65"] {
        let input = match crate::inputs::by_name(name) {
            Ok(input) => input,
            Err(missing) => {
                eprintln!("skipped: {missing}");
                continue;
            }
        };
        for result in crate::agree::compare(&peers::all(), &input) {
            assert!(
                result.differs.is_empty(),
                "{} on {name}: {:?}",
                result.library,
                result.differs
            );
            assert!(!result.offers.is_empty(), "{} offers nothing", result.library);
        }
    }
}
