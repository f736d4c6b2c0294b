//! What `Bundle` takes out of CMS and PKCS #12: never more than is there, and of strict messages what the typed decoder finds.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tagwise_codec::{Decode, ber};
use tagwise_pkix::cms::ContentInfo;
use tagwise_pkix::{Bundle, BundleKind};

fn kinds(bundle: &Bundle<'_>) -> Vec<String> {
    let mut kinds: Vec<_> = bundle.items().map(|item| format!("{:?}", item.kind)).collect();
    kinds.sort();
    kinds
}

fuzz_target!(|data: &[u8]| {
    let read = Bundle::read(data);
    if let Ok(bundle) = &read {
        let taken: usize = bundle.items().map(|item| item.octets.len()).sum();
        assert!(taken <= data.len(), "{taken} octets of {}", data.len());
        for item in bundle.items() {
            let _ = (item.friendly_name(), item.local_key_id(), format!("{item:?}"));
        }
        let certificates = bundle.items().filter(|item| item.kind == BundleKind::Certificate).count();
        assert_eq!(bundle.certificates().count(), certificates);
    }
    if ContentInfo::from_der(data).is_ok() {
        assert!(read.is_ok(), "a strict message: {:?}", read.err());
    }
    // DER of the same message has the same things in it.
    let der = ber::to_der::<ContentInfo<'_>>(data).ok().filter(|der| ContentInfo::from_der(&der.bytes).is_ok());
    if let (Some(der), Ok(bundle)) = (der, &read) {
        let again = Bundle::read(&der.bytes).unwrap();
        assert_eq!(kinds(&again), kinds(bundle));
    }
});
