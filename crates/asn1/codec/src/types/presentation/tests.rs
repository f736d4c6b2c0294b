use crate::decode::Decode;
use crate::kind::FaultKind;
use crate::rule::Rule;
use crate::types::testing::{accepted, refused, tolerated};
use crate::{CharacterString, ContextNegotiation, EmbeddedPdv, Identification, Int, OctetStr, Syntaxes, encode, oid};

const ONE: [Identification<'static>; 6] = [
    Identification::Syntaxes(Syntaxes { abstract_syntax: oid!("2.1.2"), transfer_syntax: oid!("2.1.1") }),
    Identification::Syntax(oid!("2.1.1")),
    Identification::PresentationContextId(Int::from_signed(&[1])),
    Identification::ContextNegotiation(ContextNegotiation {
        presentation_context_id: Int::from_signed(&[0xFF]),
        transfer_syntax: oid!("2.1.1"),
    }),
    Identification::TransferSyntax(oid!("2.1.1")),
    Identification::Fixed,
];

#[test]
fn every_alternative() {
    let expected: [&[u8]; 6] = [
        &[0xA0, 0x08, 0x80, 0x02, 0x51, 0x02, 0x81, 0x02, 0x51, 0x01],
        &[0x81, 0x02, 0x51, 0x01],
        &[0x82, 0x01, 0x01],
        &[0xA3, 0x07, 0x80, 0x01, 0xFF, 0x81, 0x02, 0x51, 0x01],
        &[0x84, 0x02, 0x51, 0x01],
        &[0x85, 0x00],
    ];
    for (identification, octets) in ONE.into_iter().zip(expected) {
        assert_eq!(accepted::<Identification<'_>>(octets), identification);
        let pdv = EmbeddedPdv { identification, data_value: OctetStr::new(&[0x05, 0x00]) };
        let content = [&[0xA0, octets.len() as u8], octets, &[0x82, 0x02, 0x05, 0x00]].concat();
        let input = [&[0x2B, content.len() as u8], &content[..]].concat();
        assert_eq!(accepted::<EmbeddedPdv<'_>>(&input), pdv);
        let text = CharacterString { identification, string_value: OctetStr::new(&[0x05, 0x00]) };
        let input = [&[0x3D, content.len() as u8], &content[..]].concat();
        assert_eq!(accepted::<CharacterString<'_>>(&input), text);
    }
}

#[test]
fn refused_encodings() {
    refused::<Identification<'_>>(&[0x86, 0x00], FaultKind::ChoiceUnknown, 0);
    refused::<Identification<'_>>(&[], FaultKind::Missing, 0);
    refused::<Identification<'_>>(&[0x85, 0x01, 0x00], FaultKind::NullLength, 2);
    refused::<Identification<'_>>(&[0xA1, 0x02, 0x51, 0x01], FaultKind::PrimitiveExpected, 0);
    refused::<Identification<'_>>(&[0x80, 0x00], FaultKind::ConstructedExpected, 0);
    refused::<Identification<'_>>(&[0xA0, 0x04, 0x80, 0x02, 0x51, 0x02], FaultKind::Missing, 6);
    refused::<Identification<'_>>(&[0xA3, 0x03, 0x81, 0x01, 0x51], FaultKind::UnexpectedTag, 2);

    refused::<EmbeddedPdv<'_>>(&[0x0B, 0x00], FaultKind::ConstructedExpected, 0);
    refused::<EmbeddedPdv<'_>>(&[0x2B, 0x00], FaultKind::Missing, 2);
    refused::<EmbeddedPdv<'_>>(&[0x2B, 0x04, 0xA0, 0x02, 0x85, 0x00], FaultKind::Missing, 6);
    // The choice needs its own tag inside [0], and nothing else.
    refused::<EmbeddedPdv<'_>>(&[0x2B, 0x04, 0x85, 0x00, 0x82, 0x00], FaultKind::UnexpectedTag, 2);
    let two = [0x2B, 0x08, 0xA0, 0x04, 0x85, 0x00, 0x85, 0x00, 0x82, 0x00];
    refused::<EmbeddedPdv<'_>>(&two, FaultKind::TrailingData, 6);
    // A data-value-descriptor is always absent.
    let described = [0x2B, 0x08, 0xA0, 0x02, 0x85, 0x00, 0x81, 0x00, 0x82, 0x00];
    refused::<EmbeddedPdv<'_>>(&described, FaultKind::UnexpectedTag, 6);
    let more = [0x2B, 0x08, 0xA0, 0x02, 0x85, 0x00, 0x82, 0x00, 0x83, 0x00];
    refused::<EmbeddedPdv<'_>>(&more, FaultKind::TrailingData, 8);
    refused::<CharacterString<'_>>(&[0x3D, 0x06, 0xA0, 0x02, 0x85, 0x00, 0xA2, 0x00], FaultKind::PrimitiveExpected, 6);
}

#[test]
fn deviations_inside() {
    let input = [0x2B, 0x0A, 0xA0, 0x05, 0x82, 0x03, 0x00, 0x00, 0x01, 0x82, 0x01, 0x00];
    let pdv: EmbeddedPdv<'_> = tolerated(&input, &Rule::INTEGER_PADDED, FaultKind::IntegerPadded, 6);
    assert_eq!(encode(&pdv).unwrap(), [0x2B, 0x08, 0xA0, 0x03, 0x82, 0x01, 0x01, 0x82, 0x01, 0x00]);
}

#[test]
fn errors_have_paths() {
    let input = [0x2B, 0x09, 0xA0, 0x05, 0xA3, 0x03, 0x80, 0x01, 0x00, 0x82, 0x00];
    let error = EmbeddedPdv::from_der(&input).unwrap_err();
    assert_eq!((error.kind(), error.offset()), (FaultKind::Missing, 9));
    assert_eq!(error.path(), "identification.context-negotiation.transfer-syntax");
    let error = CharacterString::from_der(&[0x3D, 0x04, 0xA0, 0x02, 0x86, 0x00]).unwrap_err();
    assert_eq!((error.kind(), error.path()), (FaultKind::ChoiceUnknown, "identification"));
}
