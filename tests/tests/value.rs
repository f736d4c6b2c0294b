//! The derived decoder and dynamic values, held to each other on certificates, CRLs and names, and on their mutations: the same
//! is accepted, with the same deviations, and the rest refused with the same kind, offset and path. What is accepted strictly
//! goes through JSON and back.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

#[path = "../../crates/asn1/codec/tests/agree/mod.rs"]
mod agree;

use tagwise_codec::{
    Any, BitStr, Bmp, CharacterString, Date, DateTime, Duration, EmbeddedPdv, External, General, GeneralizedTime,
    Graphic, Ia5, Int, IsoTime, NamedBits, Null, Numeric, ObjectDescriptor, OctetStr, Oid, OidIri, Printable, Real,
    RelativeOid, RelativeOidIri, SeqOf, SetOf, Teletex, TimeOfDay, Universal, UtcTime, Utf8, Videotex, Visible,
};
use tagwise_pkix::name::Name;
use tagwise_pkix::{Certificate, CertificateList};
use tagwise_tests::mutate::{Random, elements, mutate};
use tagwise_tests::sets::{self, What};

/// Every built-in type, each on encodings of its own and their neighbours, and on those of all the others.
#[test]
fn every_built_in_type() {
    const REAL: &[u8] = &[9, 3, 0x80, 0xFF, 5];
    const SEEDS: &[&[u8]] = &[
        &[1, 1, 0xFF],
        &[2, 1, 5],
        &[2, 9, 0, 0xFF, 1, 2, 3, 4, 5, 6, 7],
        &[3, 2, 4, 0xB0],
        &[3, 1, 0],
        &[4, 2, 0xCA, 0xFE],
        &[5, 0],
        &[6, 3, 0x55, 0x1D, 0x0F],
        &[6, 4, 0x2A, 0x86, 0xF7, 0x0D],
        REAL,
        b"\x09\x07\x0315.E-1",
        b"\x09\x07\x03+1.E+0",
        &[9, 1, 0x40],
        &[10, 1, 3],
        b"\x0C\x06\xE2\x82\xACuro",
        &[13, 4, 0xC2, 0x7B, 3, 2],
        b"\x0E\x0A1985-W15-5",
        b"\x12\x03012",
        b"\x13\x05Hello",
        b"\x14\x02\xE4x",
        b"\x15\x01a",
        b"\x16\x03a@b",
        b"\x17\x0D261121100000Z",
        b"\x17\x0B2611211000Z",
        b"\x17\x11261121100000+0100",
        b"\x18\x0F20261121100000Z",
        b"\x18\x1220261121100000.25Z",
        b"\x18\x0E20261121100000",
        b"\x19\x01a",
        b"\x1A\x02a~",
        b"\x1B\x01a",
        b"\x1C\x08\0\0\0a\0\x01\x00b",
        b"\x1E\x04\0a\x20\xAC",
        b"\x1F\x1F\x0820261121",
        b"\x1F\x20\x06100000",
        b"\x1F\x21\x0E20261121100000",
        b"\x1F\x22\x05P1Y2M",
        b"\x1F\x23\x05/1/ab",
        b"\x1F\x24\x03a/1",
        &[0x30, 6, 2, 1, 5, 2, 1, 7],
        &[0x31, 6, 2, 1, 5, 2, 1, 7],
        &[0x31, 6, 2, 1, 7, 2, 1, 5],
        &[0x28, 9, 6, 2, 0x51, 1, 0xA0, 3, 2, 1, 5],
        &[0x28, 10, 6, 2, 0x51, 1, 2, 1, 5, 0x81, 1, 0x2A],
        &[0x28, 4, 0x82, 2, 4, 0xB0],
        &[0x2B, 11, 0xA0, 4, 0x81, 2, 0x51, 1, 0x82, 3, 2, 1, 5],
        &[0x2B, 15, 0xA0, 10, 0xA0, 8, 0x80, 2, 0x51, 2, 0x81, 2, 0x51, 1, 0x82, 1, 5],
        &[0x3D, 8, 0xA0, 2, 0x85, 0, 0x82, 2, 2, 1],
    ];
    macro_rules! each {
        ($($ty:ty),* $(,)?) => {$(
            for seed in SEEDS {
                agree::agree_around::<$ty>(seed);
                through_json::<$ty>(seed);
                agree::neighbours(seed).iter().for_each(|neighbour| through_json::<$ty>(neighbour));
            }
        )*};
    }
    each!(
        bool,
        u8,
        i8,
        i64,
        u64,
        i128,
        u128,
        Int<'_>,
        BitStr<'_>,
        NamedBits<'_>,
        OctetStr<'_>,
        Null,
        Oid<'_>,
        Real<'_>,
        tagwise_codec::Enumerated,
        Utf8<'_>,
        RelativeOid<'_>,
        IsoTime<'_>,
        Numeric<'_>,
        Printable<'_>,
        Teletex<'_>,
        Videotex<'_>,
        Ia5<'_>,
        UtcTime,
        GeneralizedTime<'_>,
        Graphic<'_>,
        Visible<'_>,
        General<'_>,
        Universal<'_>,
        Bmp<'_>,
        Date,
        TimeOfDay,
        DateTime,
        Duration<'_>,
        OidIri<'_>,
        RelativeOidIri<'_>,
        ObjectDescriptor<'_>,
        SeqOf<'_, u8>,
        SetOf<'_, Int<'_>>,
        External<'_>,
        EmbeddedPdv<'_>,
        CharacterString<'_>,
        Any<'_>,
    );
}

/// What decodes strictly goes through JSON and comes back to the same octets.
fn through_json<T: tagwise_codec::Typed>(der: &[u8]) {
    let ty = tagwise_codec::value::Dynamic::of::<T>();
    let Ok(read) = ty.decode(der) else { return };
    let json = tagwise_jer::to_string(ty.types(), &read.value);
    let back = tagwise_jer::from_str(&ty, &json).unwrap_or_else(|error| panic!("{error} in {json}"));
    assert_eq!(back, read.value, "{json}");
    assert_eq!(ty.encode(&back).as_deref(), Ok(der), "{json}");
}

fn run(name: &str, items: Vec<sets::Item>, each: usize) {
    let mut random = Random(0x7461_6777_6973_6522);
    let (mut count, mut taken) = (0, 0);
    for item in items {
        let all = elements(&item.octets);
        for round in 0..=each {
            let mut octets = if round == 0 { item.octets.clone() } else { mutate(&item.octets, &all, &mut random) };
            if round > 0 && random.below(4) == 0 {
                let all = elements(&octets);
                if !all.is_empty() {
                    octets = mutate(&octets, &all, &mut random);
                }
            }
            let octets: &[u8] = &octets;
            match item.what {
                What::Certificate => {
                    agree::agree::<Certificate<'_>>(octets);
                    through_json::<Certificate<'_>>(octets);
                }
                What::CertificateList => {
                    agree::agree::<CertificateList<'_>>(octets);
                    through_json::<CertificateList<'_>>(octets);
                }
            }
            taken += usize::from(match item.what {
                What::Certificate => tagwise_codec::Decode::from_der(octets).map(|_: Certificate<'_>| ()).is_ok(),
                What::CertificateList => {
                    tagwise_codec::Decode::from_der(octets).map(|_: CertificateList<'_>| ()).is_ok()
                }
            });
            count += 1;
        }
    }
    println!("{name}: {count} inputs, {taken} of them strict");
    assert!(count == 0 || (taken > 0 && taken < count), "on both sides of the line");
}

/// Files with few of one kind, spread over a set.
fn some(items: Vec<sets::Item>, count: usize) -> Vec<sets::Item> {
    let small: Vec<_> = items.into_iter().filter(|item| item.octets.len() < 8192).collect();
    let step = (small.len() / count).max(1);
    small.into_iter().step_by(step).take(count).collect()
}

#[test]
fn certificates_and_revocation_lists() {
    for (name, items) in sets::all() {
        if let Some(items) = items {
            run(name, some(items, 25), 60);
        }
    }
}

#[test]
fn names() {
    let mut random = Random(0x7461_6777_6973_6523);
    for (_, items) in sets::all() {
        for item in some(items.unwrap_or_default(), 20).into_iter().filter(|item| item.what == What::Certificate) {
            let Ok(certificate) = <Certificate<'_> as tagwise_codec::Decode>::from_der(&item.octets) else { continue };
            let name = tagwise_codec::encode(&certificate.tbs_certificate.subject).unwrap();
            let all = elements(&name);
            agree::agree::<Name<'_>>(&name);
            for _ in 0..40 {
                agree::agree::<Name<'_>>(&mutate(&name, &all, &mut random));
            }
        }
    }
}
