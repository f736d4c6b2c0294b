//! Extensions of an outline are read in two ways: by straight comparisons, and generally. A session always takes the general
//! way, so the two are held against each other on mutations.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, missing_docs)]

use tagwise_codec::{Decode, Options};
use tagwise_pkix::Extension;

#[test]
fn mutations_are_judged_alike() {
    let samples: [&[u8]; 3] = [
        b"\x30\x0E\x06\x03\x55\x1D\x0F\x01\x01\xFF\x04\x04\x03\x02\x01\x06",
        b"\x30\x0B\x06\x03\x55\x1D\x0E\x04\x04\x04\x02ab",
        b"\x30\x0B\x06\x03\x2A\x03\x04\x04\x04abcd",
    ];
    for sample in samples {
        assert!(Extension::outline(sample).is_ok());
        for at in 0..sample.len() {
            for octet in 0..=255 {
                let mut der = sample.to_vec();
                der[at] = octet;
                match (Extension::outline(&der), Options::der().outline::<Extension<'_>>(&der)) {
                    (Ok(plain), Ok(general)) => {
                        assert_eq!(plain, general.value);
                        assert_eq!(plain.extn_value.offset(), general.value.extn_value.offset());
                    }
                    (Err(plain), Err(general)) => {
                        assert_eq!((plain.kind(), plain.offset()), (general.kind(), general.offset()), "{der:02x?}");
                    }
                    (plain, general) => panic!("{plain:?} but {general:?} for {der:02x?}"),
                }
            }
        }
    }
}
