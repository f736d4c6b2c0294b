//! Tests the last method of every interface: both the method and the module's destructor panic.

#![allow(clippy::panic, clippy::unwrap_used, reason = "tests")]

use core::ffi::CStr;
use core::mem::MaybeUninit;
use core::ptr::null_mut;
use std::sync::atomic::{AtomicUsize, Ordering};

use tagwise_krb5_plugin_sys::{audit as c_audit, mit};

use super::private;
use crate::view::{Context, PaData, PaDataRef, PrincipalRef};
use crate::{Result, audit, ccselect, certauth, clpreauth, hostrealm, kadm5_auth, kadm5_hook};
use crate::{kdcpolicy, kdcpreauth, localauth, pwqual};

static ENDED: AtomicUsize = AtomicUsize::new(0);
static DROPPED: AtomicUsize = AtomicUsize::new(0);

struct Panics;

impl Panics {
    fn last(&mut self) -> ! {
        ENDED.fetch_add(1, Ordering::Relaxed);
        panic!("the last method");
    }
}

impl Drop for Panics {
    fn drop(&mut self) {
        DROPPED.fetch_add(1, Ordering::Relaxed);
        panic!("dropped");
    }
}

/// Implements a trait with methods that are never called.
macro_rules! ends {
    ($($name:ident: $trait:ident { $($rest:tt)* })*) => {$(
        impl $name::$trait for Panics {
            fn init(_: &Context<'_>) -> Result<Self> {
                Ok(Self)
            }

            fn fini(&mut self, _: &Context<'_>) {
                self.last();
            }

            $($rest)*
        }
    )*};
}

ends! {
    hostrealm: Hostrealm {}
    localauth: Localauth {}
    kadm5_hook: Kadm5Hook {}
    certauth: Certauth {
        fn authorize(&self, _: &Context<'_>, _: &certauth::Authorize<'_>) -> Result<certauth::Decision> {
            unreachable!()
        }
    }
    kdcpolicy: Kdcpolicy {
        fn check_as(&self, _: &Context<'_>, _: &kdcpolicy::AsCheck<'_>) -> Result<kdcpolicy::Limits, kdcpolicy::Denial> {
            unreachable!()
        }

        fn check_tgs(&self, _: &Context<'_>, _: &kdcpolicy::TgsCheck<'_>) -> Result<kdcpolicy::Limits, kdcpolicy::Denial> {
            unreachable!()
        }
    }
}

impl audit::Audit for Panics {
    fn open() -> Result<Self> {
        Ok(Self)
    }

    fn close(&mut self) -> Result<()> {
        self.last();
    }
}

impl pwqual::Pwqual for Panics {
    fn open(_: &Context<'_>, _: Option<&CStr>) -> Result<Self> {
        Ok(Self)
    }

    fn check(&self, _: &Context<'_>, _: &pwqual::Check<'_>) -> Result<()> {
        unreachable!()
    }

    fn close(&mut self, _: &Context<'_>) {
        self.last();
    }
}

impl kadm5_auth::Kadm5Auth for Panics {
    fn init(_: &Context<'_>, _: Option<&CStr>) -> Result<Self> {
        Ok(Self)
    }

    fn fini(&mut self, _: &Context<'_>) {
        self.last();
    }
}

impl ccselect::Ccselect for Panics {
    fn init(_: &Context<'_>) -> Result<(Self, ccselect::Priority)> {
        Ok((Self, ccselect::Priority::Authoritative))
    }

    fn choose(&self, _: &Context<'_>, _: PrincipalRef<'_>) -> Result<ccselect::Choice> {
        unreachable!()
    }

    fn fini(&mut self, _: &Context<'_>) {
        self.last();
    }
}

impl kdcpreauth::Kdcpreauth for Panics {
    const PA_TYPES: &'static [i32] = &[-78];

    type Request = ();

    fn init(_: &Context<'_>, _: &[&CStr]) -> Result<Self> {
        Ok(Self)
    }

    fn fini(&mut self, _: &Context<'_>) {
        self.last();
    }
}

impl clpreauth::Clpreauth for Panics {
    const PA_TYPES: &'static [i32] = &[-78];

    type Request = Self;

    fn init(_: &Context<'_>) -> Result<Self> {
        Ok(Self)
    }

    fn request_init(&self, _: &Context<'_>) -> Self {
        Self
    }

    fn process(
        &self,
        _: &Self,
        _: &clpreauth::Exchange<'_>,
        _: clpreauth::Input<'_>,
        _: PaDataRef<'_>,
    ) -> Result<Vec<PaData>> {
        unreachable!()
    }

    fn fini(&mut self, _: &Context<'_>) {
        self.last();
    }
}

/// Creates a module through its method table and finalizes it, given the arguments of its first and last methods.
macro_rules! run {
    ($name:ident, $table:ty, $minor:literal, |$data:ident| $first:ident($($one:expr),*), $last:ident($($other:expr),*)) => {{
        let mut table = MaybeUninit::<$table>::zeroed();
        // SAFETY: the table has room for each version, and no method uses a context that is null.
        unsafe {
            assert_eq!(private::$name::<Panics>(null_mut(), 1, $minor, table.as_mut_ptr().cast(), c"panics"), 0);
            let table = table.assume_init();
            let mut data = null_mut();
            let $data = &raw mut data;
            assert_eq!(table.$first.unwrap()($($one),*), 0, stringify!($name));
            let $data = data;
            assert!(!$data.is_null(), stringify!($name));
            table.$last.unwrap()($($other),*);
        }
        ended(stringify!($name))
    }};
}

/// Records that a module's last method ran and that the module was dropped.
fn ended(name: &str) {
    static DONE: AtomicUsize = AtomicUsize::new(0);
    let done = DONE.fetch_add(1, Ordering::Relaxed) + 1;
    assert_eq!((ENDED.load(Ordering::Relaxed), DROPPED.load(Ordering::Relaxed)), (done, done), "{name}");
}

/// Returns a null pointer of any type.
fn none<T>() -> *mut T {
    null_mut()
}

#[test]
fn no_module_ends_its_host() {
    run!(audit, c_audit::krb5_audit_vtable_st, 1, |data| open(data), close(data));
    run!(pwqual, mit::krb5_pwqual_vtable_st, 1, |data| open(none(), none(), data), close(none(), data));
    run!(localauth, mit::krb5_localauth_vtable_st, 1, |data| init(none(), data), fini(none(), data));
    run!(hostrealm, mit::krb5_hostrealm_vtable_st, 1, |data| init(none(), data), fini(none(), data));
    let mut priority = 0;
    run!(ccselect, mit::krb5_ccselect_vtable_st, 1, |data| init(none(), data, &raw mut priority), fini(none(), data));
    run!(certauth, mit::krb5_certauth_vtable_st, 2, |data| init(none(), data), fini(none(), data));
    run!(kdcpolicy, mit::krb5_kdcpolicy_vtable_st, 1, |data| init(none(), data), fini(none(), data));
    run!(kadm5_hook, mit::kadm5_hook_vtable_1_st, 3, |data| init(none(), data), fini(none(), data));
    run!(kadm5_auth, mit::kadm5_auth_vtable_st, 2, |data| init(none(), none(), data), fini(none(), data));
    run!(kdcpreauth, mit::krb5_kdcpreauth_vtable_st, 2, |data| init(none(), data, none()), fini(none(), data));
    run!(clpreauth, mit::krb5_clpreauth_vtable_st, 2, |data| init(none(), data), fini(none(), data));
    assert_eq!(DROPPED.load(Ordering::Relaxed), 11);
}
