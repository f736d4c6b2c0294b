//! Documents of landmarks: what is read is written as it came, is in order, and covers each of its entries by one subtree of one landmark.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tagwise_mtc::landmark::LandmarkDocument;

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    for now in [0, 1_800_000_000, u64::MAX] {
        let document = match LandmarkDocument::parse(text, now) {
            Ok(document) => document,
            Err(error) => {
                assert!(error.offset() <= text.len(), "{error}");
                continue;
            }
        };
        assert_eq!(document.to_string(), text);
        let list = document.landmarks().to_vec();
        assert_eq!(LandmarkDocument::new(list.clone(), now).as_ref(), Ok(&document));
        for landmark in &list {
            for index in [landmark.size.saturating_sub(1), landmark.size] {
                if let Some((found, subtree)) = document.subtree_of(index) {
                    assert!(subtree.contains(index) && subtree.end() <= found.size);
                    assert_eq!(document.containing(index), Some(found));
                }
            }
        }
        for (landmark, subtree) in document.subtrees(now) {
            assert!(landmark.is_active(now) && !subtree.is_empty() && subtree.end() <= landmark.size);
        }
    }
    let _ = LandmarkDocument::parse_05(text);
});
