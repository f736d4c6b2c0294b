//! Principals.

use std::fmt;

use tagwise_krb5::Principal;
use tagwise_krb5_plugin_sys::mit::krb5_principal_data;

use crate::host::lent::Lent;

/// A principal borrowed from the host.
#[derive(Clone, Copy)]
pub struct PrincipalRef<'a>(pub(crate) Lent<'a, krb5_principal_data>);

impl<'a> PrincipalRef<'a> {
    /// Returns the realm.
    #[must_use]
    pub fn realm(self) -> &'a [u8] {
        self.0.part(|principal| &principal.realm).bytes()
    }

    /// Returns the components of the name.
    pub fn components(self) -> impl ExactSizeIterator<Item = &'a [u8]> + Clone {
        let data = self.0.elements(|principal| (principal.data.cast_const(), principal.length.into()));
        data.map(Lent::bytes)
    }

    /// Returns the name type.
    #[must_use]
    pub fn name_type(self) -> i32 {
        self.0.get().type_
    }

    /// Copies the principal so that it can outlive the call.
    #[must_use]
    pub fn to_principal(self) -> Principal {
        Principal::new(self.name_type(), self.realm(), self.components())
    }
}

impl fmt::Display for PrincipalRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_principal().fmt(f)
    }
}

impl fmt::Debug for PrincipalRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PrincipalRef({self})")
    }
}

impl PartialEq<Principal> for PrincipalRef<'_> {
    fn eq(&self, other: &Principal) -> bool {
        self.to_principal() == *other
    }
}
