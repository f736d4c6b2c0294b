//! Extensions of CRLs and CRL entries.

use tagwise_codec::{FaultKind, Rule};
use tagwise_pkix::ext::*;
use tagwise_pkix::{oids, profile};

use crate::{accepted, el, refused, tolerated};

#[test]
fn numbers() {
    // Twenty octets, as RFC 5280 §5.2.3 says.
    let long = el(0x02, &[&[0x7F; 20]]);
    assert!(accepted::<CrlNumber<'_>>(&long) > accepted(&[0x02, 0x01, 0x7F]));
    tolerated::<CrlNumber<'_>>(&[0x02, 0x01, 0xFF], &Rule::VALUE, FaultKind::Value, 2);
    refused::<CrlNumber<'_>>(&[0x02, 0x00], FaultKind::IntegerEmpty, 2);
    assert_eq!(accepted::<DeltaCrlIndicator<'_>>(&[0x02, 0x01, 0x05]).0.0, Count::new(5));
    tolerated::<DeltaCrlIndicator<'_>>(&[0x02, 0x01, 0xFF], &Rule::VALUE, FaultKind::Value, 2);
}

#[test]
fn reasons() {
    let known = [0, 1, 2, 3, 4, 5, 6, 8, 9, 10];
    for number in 0..=20u8 {
        let der = [0x0A, 0x01, number];
        if known.contains(&number) {
            let reason = accepted::<CrlReason>(&der);
            assert_eq!(reason as u8, number);
            assert_eq!(reason.to_string(), reason.name());
        } else {
            refused::<CrlReason>(&der, FaultKind::EnumeratedUnknown, 2);
        }
    }
    refused::<CrlReason>(&[0x0A, 0x01, 0xFF], FaultKind::EnumeratedUnknown, 2);
    refused::<CrlReason>(&[0x02, 0x01, 0x01], FaultKind::UnexpectedTag, 0);
    tolerated::<CrlReason>(&[0x0A, 0x02, 0x00, 0x01], &Rule::INTEGER_PADDED, FaultKind::IntegerPadded, 2);
}

#[test]
fn hold_instructions() {
    let read = accepted::<HoldInstructionCode<'_>>(b"\x06\x07\x2A\x86\x48\xCE\x38\x02\x02");
    assert_eq!((read.0, read.name()), (oids::HOLDINSTRUCTION_CALLISSUER, Some("id-holdinstruction-callissuer")));
    assert_eq!(accepted::<HoldInstructionCode<'_>>(&[0x06, 0x01, 0x2A]).name(), None);
}

#[test]
fn invalidity_dates() {
    accepted::<InvalidityDate<'_>>(b"\x18\x0F20260101000000Z");
    let fraction = b"\x18\x1120260101000000.5Z";
    tolerated::<InvalidityDate<'_>>(fraction, &profile::FRACTIONAL_TIME, FaultKind::Profile, 2);
    refused::<InvalidityDate<'_>>(b"\x17\x0D260101000000Z", FaultKind::UnexpectedTag, 0);
    tolerated::<InvalidityDate<'_>>(b"\x18\x0D202601010000Z", &Rule::TIME_FORM, FaultKind::TimeForm, 14);
}

#[test]
fn expired_certificates() {
    accepted::<ExpiredCertsOnCrl<'_>>(b"\x18\x0F20260101000000Z");
    accepted::<ExpiredCertsOnCrl<'_>>(b"\x18\x1120260101000000.5Z");
    refused::<ExpiredCertsOnCrl<'_>>(b"\x17\x0D260101000000Z", FaultKind::UnexpectedTag, 0);
}
