//! Access to information about the issuer or subject (RFC 5280 §4.2.2).

use tagwise_codec::Oid;

pub use crate::r#gen::extensions::{AccessDescription, AuthorityInfoAccess, SubjectInfoAccess};

use crate::ext::GeneralName;

macro_rules! locations {
    ($($ty:ident),*) => {$(
        impl<'a> $ty<'a> {
            /// Iterates over the locations for an access method, in order, up to the first one that does not decode.
            pub fn locations(&self, method: Oid<'_>) -> impl Iterator<Item = GeneralName<'a>> {
                let found = self.0.iter().map_while(Result::ok).filter(move |found| found.access_method == method);
                found.map(|found| found.access_location)
            }
        }
    )*};
}

locations!(AuthorityInfoAccess, SubjectInfoAccess);
