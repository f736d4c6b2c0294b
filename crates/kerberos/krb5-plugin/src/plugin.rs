//! The macro that exports a shared object's modules.

/// Exports modules, each given as its interface, name and type.
///
/// MIT's libraries look up the function `<interface>_<name>_initvt`. The macro allows `unsafe_code` for the exported name only. It
/// therefore works in crates that deny `unsafe_code`, but not in crates that forbid it.
///
/// A database module is found by its file name and has no name of its own: `krb5_plugin! { kdb => Driver }`. A shared
/// object can contain only one.
///
/// ```
/// #![deny(unsafe_code)]
/// # use tagwise_krb5_plugin::{localauth::Localauth, hostrealm::Hostrealm, view::Context, Result, krb5_plugin};
/// struct Local;
/// impl Localauth for Local {
///     fn init(_: &Context<'_>) -> Result<Self> { Ok(Self) }
/// }
/// impl Hostrealm for Local {
///     fn init(_: &Context<'_>) -> Result<Self> { Ok(Self) }
/// }
/// krb5_plugin! {
///     localauth "local" => Local,
///     hostrealm "local" => Local,
/// }
/// ```
#[macro_export]
macro_rules! krb5_plugin {
    (kdb => $driver:ty $(,)?) => {
        const _: () = {
            // A panic that aborts would end the host.
            assert!(cfg!(panic = "unwind"), "a plugin must be built with panic = \"unwind\"");

            #[allow(unsafe_code)]
            #[used]
            #[unsafe(export_name = "kdb_function_table")]
            static TABLE: $crate::__private::KdbTable = $crate::__private::kdb::<$driver>();
        };
    };
    ($($kind:ident $name:literal => $module:ty),+ $(,)?) => {$(
        const _: () = {
            // A panic that aborts would end the host.
            assert!(cfg!(panic = "unwind"), "a plugin must be built with panic = \"unwind\"");

            #[allow(unsafe_code)]
            #[unsafe(export_name = concat!(stringify!($kind), "_", $name, "_initvt"))]
            unsafe extern "C" fn initvt(
                context: $crate::__private::Context,
                maj_ver: i32,
                min_ver: i32,
                vtable: $crate::__private::Vtable,
            ) -> i32 {
                const NAME: &::core::ffi::CStr = match ::core::ffi::CStr::from_bytes_with_nul(concat!($name, "\0").as_bytes()) {
                    Ok(name) => name,
                    Err(_) => panic!("a module name must not contain a zero byte"),
                };
                // SAFETY: the host calls this as MIT's plugin interface says.
                unsafe { $crate::__private::$kind::<$module>(context, maj_ver, min_ver, vtable, NAME) }
            }
        };
    )+};
}
