//! Anchors of Mozilla's certdata.txt, with what it says about purposes and dates.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use tagwise_path::{Anchor, Anchors};
use tagwise_pkix::oids;
use tagwise_tests::corpora;

#[test]
fn certdata() {
    let Some(file) = corpora::set("mozilla-roots/certdata-2025-10-23.txt") else { return };
    let mut anchors = Anchors::new();
    assert!(anchors.read_path(file).unwrap().is_empty());
    let trusted = |anchor: &&Anchor, purpose| {
        anchor.constraints.purposes.as_ref().is_some_and(|purposes| purposes.iter().any(|trusted| *trusted == purpose))
    };
    let servers = anchors.iter().filter(|anchor| trusted(anchor, oids::KP_SERVER_AUTH)).count();
    let mail = anchors.iter().filter(|anchor| trusted(anchor, oids::KP_EMAIL_PROTECTION)).count();
    let dated = anchors.iter().filter(|anchor| !anchor.constraints.distrust_after.is_empty()).count();
    println!("{} anchors: {servers} for servers, {mail} for mail, {dated} with dates", anchors.len());
    // What `grep -c` finds in the file, of certificates that it has.
    assert!(anchors.iter().all(|anchor| anchor.constraints.purposes.as_ref().is_some_and(|list| !list.is_empty())));
    assert!(anchors.len() <= 180 && servers > 100 && mail > 90 && dated > 0);
    assert!(anchors.iter().all(|anchor| anchor.constraints.label.is_some()));
}
