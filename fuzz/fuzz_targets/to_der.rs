//! BER to DER, and CER: what a conversion gives is its own result, its map stays inside both sides, DER comes back
//! borrowed and from CER, what is CER comes back from DER, and errors lie inside the input. Typed and without a schema.
#![no_main]

use std::borrow::Cow;

use libfuzzer_sys::fuzz_target;
use tagwise_codec::table::Type;
use tagwise_codec::{Any, Decode, Error, FaultKind, Options, Rule, SetOf, Typed, Utf8, ber, cer};
use tagwise_pkix::Certificate;
use tagwise_tests::cms::ContentInfo;
use tagwise_tests::forms::constrained::{Boxes, Chosen, Deferred, Figure, Holder, Keyed, Lists, Numbers, Words};
use tagwise_tests::forms::types::{Attribute, Everything, Mixed};

fn fine(error: &Error, data: &[u8]) {
    assert!(error.offset() <= data.len() && error.kind() != FaultKind::Internal, "{error}");
    let _ = error.to_string();
}

/// With a type, or without.
#[derive(Clone, Copy)]
struct Of(Option<&'static Type>);

impl Of {
    fn to_der<'i>(self, data: &'i [u8], options: &Options<'_>) -> Result<ber::Canonical<'i>, Error> {
        match self.0 {
            Some(ty) => ber::to_der_as(ty, None, data, options),
            None => ber::to_der_untyped_with(data, options),
        }
    }

    fn cer_to_der<'i>(self, data: &'i [u8], options: &Options<'_>) -> Result<ber::Canonical<'i>, Error> {
        match self.0 {
            Some(ty) => cer::to_der_as(ty, None, data, options),
            None => cer::to_der_untyped(data, options),
        }
    }

    fn to_cer<'i>(self, data: &'i [u8], options: &Options<'_>) -> Result<ber::Canonical<'i>, Error> {
        match self.0 {
            Some(ty) => cer::from_der_as(ty, None, data, options),
            None => cer::from_der_untyped(data, options),
        }
    }

    fn check(self, data: &[u8]) {
        let (strict, ber_options) = (Options::der(), Options::ber_definite());
        match self.to_der(data, &ber_options) {
            Ok(canonical) => {
                let again = self.to_der(&canonical.bytes, &ber_options).unwrap();
                assert!(matches!(again.bytes, Cow::Borrowed(_)));
                assert_eq!(again.residue.len(), canonical.residue.len());
                maps(&canonical, data);
                if let Ok(written) = self.to_cer(&canonical.bytes, &strict) {
                    let back = self.cer_to_der(&written.bytes, &strict).unwrap();
                    assert_eq!(back.bytes, canonical.bytes);
                    maps(&back, &written.bytes);
                }
            }
            Err(error) => fine(&error, data),
        }
        match self.cer_to_der(data, &strict) {
            Ok(canonical) => {
                // Octets that are kept as they came may be neither.
                if canonical.residue.is_empty() {
                    assert_eq!(*self.to_cer(&canonical.bytes, &strict).unwrap().bytes, *data);
                }
            }
            Err(error) => fine(&error, data),
        }
        let lax = Rule::ALL.iter().fold(strict, |options, rule| options.allow(rule));
        if let Ok(canonical) = self.to_der(data, &lax) {
            maps(&canonical, data);
        }
    }
}

fn maps(canonical: &ber::Canonical<'_>, data: &[u8]) {
    let der = &canonical.bytes;
    for at in 0..=der.len() {
        assert!(canonical.map.source(at) <= data.len());
    }
    for at in 0..data.len() {
        assert!(canonical.map.output(at) <= der.len());
    }
    assert!(canonical.residue.iter().all(|entry| entry.offset < data.len()));
    assert!(canonical.deviations.iter().all(|deviation| deviation.offset <= data.len()));
}

/// A type whose values decode too.
macro_rules! decodes {
    ($data:ident: $($type:ty),*) => {$(
        Of(Some(<$type>::ty())).check($data);
        if let Ok(canonical) = ber::to_der::<$type>($data) {
            if let Err(error) = canonical.decode::<$type>() {
                fine(&error, $data);
            }
        }
        if <$type>::from_der($data).is_ok() {
            let canonical = ber::to_der_with::<$type>($data, &Options::der()).unwrap();
            assert!(matches!(canonical.bytes, Cow::Borrowed(_)));
        }
    )*};
}

fuzz_target!(|data: &[u8]| {
    Of(None).check(data);
    decodes!(data: Any<'_>, SetOf<'_, Utf8<'_>>, ContentInfo<'_>, Certificate<'_>, Everything<'_>, Mixed<'_>, Attribute<'_>);
    decodes!(data: Boxes<'_>, Chosen<'_>, Deferred<'_>, Figure<'_>, Holder<'_>, Keyed<'_>, Lists<'_>, Numbers<'_>, Words<'_>);
});
