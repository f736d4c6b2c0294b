//! Log entries of Merkle Tree Certificates: what is read is written as it came, whole and by its fields; so are trust anchor IDs.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tagwise_mtc::{Draft, EntryContent, LogEntry, TbsCertificateLogEntry, TrustAnchorId, TrustAnchorPattern};

fuzz_target!(|data: &[u8]| {
    match LogEntry::decode(data) {
        Ok(entry) => {
            assert_eq!(entry.encode().as_deref(), Ok(data));
            for extension in entry.extensions.iter() {
                assert!(extension.data.len() <= data.len());
            }
            if let EntryContent::TbsCert(contents) = entry.content
                && let Ok(fields) = TbsCertificateLogEntry::from_contents(contents)
            {
                assert_eq!(fields.to_contents(), contents);
                let _ = fields.validity();
                if let Ok((id, draft)) = TrustAnchorId::from_distinguished_name(fields.issuer) {
                    assert_eq!(id.to_distinguished_name(draft), fields.issuer);
                }
            }
        }
        Err(error) => assert!(error.offset() <= data.len(), "{error}"),
    }
    if let Ok(id) = TrustAnchorId::from_bytes(data) {
        assert_eq!(id.to_string().parse(), Ok(id));
        assert_eq!(TrustAnchorId::from_name(&id.name()), Ok(id));
        for draft in Draft::ALL {
            assert_eq!(TrustAnchorId::from_distinguished_name(&id.to_distinguished_name(draft)), Ok((id, draft)));
        }
    }
    if let Ok(pattern) = TrustAnchorPattern::from_bytes(data) {
        assert_eq!(pattern.to_string().parse(), Ok(pattern));
    }
    if let Ok(text) = std::str::from_utf8(data) {
        if let Ok(id) = text.parse::<TrustAnchorId>() {
            assert_eq!(id.to_string(), text);
        }
        if let Ok(pattern) = text.parse::<TrustAnchorPattern>() {
            assert_eq!(TrustAnchorPattern::from_bytes(pattern.as_bytes()), Ok(pattern));
        }
    }
});
