//! Method tables: a module fills the fields of the version that the host asks for, and nothing behind them.
#![allow(
    unsafe_code,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that calls as C does"
)]

mod common;

use std::ffi::{CString, c_int, c_void};
use std::os::unix::ffi::OsStrExt as _;

use tagwise_krb5_plugin::codes;

type Fill = unsafe extern "C" fn(*mut c_void, c_int, c_int, *mut c_void) -> c_int;

/// Content of the memory before.
const UNTOUCHED: usize = usize::from_ne_bytes([0xA5; size_of::<usize>()]);

/// Interface, minor version, and how many fields the table of that version has.
const TABLES: &[(&str, c_int, usize)] = &[
    ("audit", 1, 10),
    ("ccselect", 1, 4),
    ("certauth", 1, 5),
    ("certauth", 2, 6),
    ("certauth", 9, 6),
    // Asked for version 1, MIT's table has the field of version 2.
    ("clpreauth", 1, 12),
    ("clpreauth", 2, 12),
    ("hostrealm", 1, 7),
    ("kadm5_auth", 1, 24),
    ("kadm5_auth", 2, 25),
    ("kadm5_hook", 1, 7),
    ("kadm5_hook", 2, 8),
    ("kadm5_hook", 3, 9),
    ("kdcpolicy", 1, 5),
    ("kdcpreauth", 1, 9),
    ("kdcpreauth", 2, 10),
    ("localauth", 1, 7),
    ("pwqual", 1, 4),
];

fn function(object: &std::path::Path, interface: &str) -> Fill {
    let path = CString::new(object.as_os_str().as_bytes()).unwrap();
    let name = CString::new(format!("{interface}_example_initvt")).unwrap();
    // SAFETY: both are C strings; the object stays loaded, and the function has the type of every module's.
    unsafe {
        let library = libc::dlopen(path.as_ptr(), libc::RTLD_NOW);
        assert!(!library.is_null(), "{}", object.display());
        let found = libc::dlsym(library, name.as_ptr());
        assert!(!found.is_null(), "{name:?} is not exported");
        std::mem::transmute::<*mut c_void, Fill>(found)
    }
}

/// The code of a call, and how many fields it wrote, without holes.
fn filled(fill: Fill, major: c_int, minor: c_int) -> (c_int, usize) {
    let mut table = [UNTOUCHED; 40];
    // SAFETY: the table has more room than any of MIT's, and a null context is never read.
    let code = unsafe { fill(std::ptr::null_mut(), major, minor, table.as_mut_ptr().cast()) };
    let written = table.iter().position(|field| *field == UNTOUCHED).unwrap();
    assert!(table[written..].iter().all(|field| *field == UNTOUCHED), "there is a hole, or too much was written");
    (code, written)
}

#[test]
fn tables_end_where_the_host_says() {
    let object = common::example("modules");
    for (interface, minor, fields) in TABLES {
        let fill = function(&object, interface);
        assert_eq!(filled(fill, 1, *minor), (0, *fields), "{interface} {minor}");
        for (major, minor) in [(0, 1), (2, 1), (1, 0), (1, -1)] {
            assert_eq!(filled(fill, major, minor), (codes::KRB5_PLUGIN_VER_NOTSUPP, 0), "{interface} {major}.{minor}");
        }
        // SAFETY: a null table is rejected before anything is written.
        let code = unsafe { fill(std::ptr::null_mut(), 1, 1, std::ptr::null_mut()) };
        assert_eq!(code, codes::KRB5_PLUGIN_VER_NOTSUPP);
    }
}

#[test]
fn tables_of_databases_leave_to_mit_what_a_driver_does_not_replace() {
    let table = |name: &str| {
        let path = CString::new(common::example(name).as_os_str().as_bytes()).unwrap();
        // SAFETY: the path is a C string; the object stays loaded, and its table is as long as MIT's.
        unsafe {
            let library = libc::dlopen(path.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL);
            assert!(!library.is_null(), "{name}");
            let found = libc::dlsym(library, c"kdb_function_table".as_ptr());
            assert!(!found.is_null(), "{name} has no table");
            found.cast::<[usize; 38]>().read()
        }
    };
    // Major version 9, minor version 0: two short numbers before the functions.
    let (page, whole) = (table("kdb_demand"), table("kdb_whole"));
    assert_eq!((page[0] & 0xffff_ffff, whole[0] & 0xffff_ffff), (9, 9));
    let none = |table: [usize; 38]| (1..38).filter(|at| table[*at] == 0).collect::<Vec<_>>();
    // `get_age` and `free_principal_e_data`, and what has a default.
    assert_eq!(none(whole), [7, 34]);
    assert_eq!(none(page), [7, 13, 20, 21, 22, 23, 24, 26, 27, 34]);
}

#[test]
fn bits_of_entries_and_calls_are_those_of_the_headers() {
    use tagwise_krb5_plugin::kdb::{Flags, IterFlags, LockMode, attribute, tl};

    if !std::path::Path::new("/usr/include/kdb.h").exists() {
        tagwise_testing::skip("no headers of MIT Kerberos (libkrb5-dev)");
        return;
    }
    let mut source = "#include <krb5.h>\n#include <kdb.h>\n".to_owned();
    macro_rules! same {
        ($prefix:literal, $of:ident: $($name:ident)*) => {
            $(source += &format!("_Static_assert({}{} == {}, \"\");\n", $prefix, stringify!($name), number($of::$name));)*
        };
    }
    same!("KRB5_KDB_", attribute: DISALLOW_POSTDATED DISALLOW_FORWARDABLE DISALLOW_TGT_BASED DISALLOW_RENEWABLE DISALLOW_PROXIABLE
        DISALLOW_DUP_SKEY DISALLOW_ALL_TIX REQUIRES_PRE_AUTH REQUIRES_HW_AUTH REQUIRES_PWCHANGE DISALLOW_SVR PWCHANGE_SERVICE
        OK_AS_DELEGATE OK_TO_AUTH_AS_DELEGATE NO_AUTH_DATA_REQUIRED LOCKDOWN_KEYS);
    same!("KRB5_TL_", tl: LAST_PWD_CHANGE MOD_PRINC KADM_DATA MKVNO ACTKVNO MKEY_AUX STRING_ATTRS LAST_ADMIN_UNLOCK DB_ARGS);
    same!("KRB5_KDB_FLAG_", Flags: REFERRAL_OK CLIENT MAP_PRINCIPALS PROTOCOL_TRANSITION CONSTRAINED_DELEGATION USER_TO_USER
        CROSS_REALM ISSUING_REFERRAL);
    same!("KRB5_DB_ITER_", IterFlags: WRITE REV RECURSE);
    same!("KRB5_DB_LOCKMODE_", LockMode: SHARED EXCLUSIVE PERMANENT);
    source += "_Static_assert(KRB5_KDB_DAL_MAJOR_VERSION == 9 && sizeof(kdb_vftabl) == 38 * 8, \"\");\n";
    // 1.22 and later.
    source += &format!(
        "#ifdef KRB5_TL_ALIAS_TARGET\n_Static_assert(KRB5_TL_ALIAS_TARGET == {}, \"\");\n#endif\n",
        tl::ALIAS_TARGET
    );
    let compiles = |source: &str| {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("bits.c");
        std::fs::write(&file, source).unwrap();
        let output = std::process::Command::new("cc").arg("-fsyntax-only").arg(&file).output().unwrap();
        (output.status.success(), common::text(&output))
    };
    let (same, said) = compiles(&source);
    assert!(same, "{said}");
    assert!(!compiles(&source.replace("KRB5_KDB_FLAG_CLIENT == 64", "KRB5_KDB_FLAG_CLIENT == 65")).0);
}

/// A number of any of the types that constants have.
fn number(value: impl Into<Number>) -> i64 {
    value.into().0
}

struct Number(i64);

impl From<u32> for Number {
    fn from(value: u32) -> Self {
        Self(value.into())
    }
}

impl From<i16> for Number {
    fn from(value: i16) -> Self {
        Self(value.into())
    }
}

macro_rules! bits {
    ($($name:ident)*) => {$(
        impl From<tagwise_krb5_plugin::kdb::$name> for Number {
            fn from(value: tagwise_krb5_plugin::kdb::$name) -> Self {
                Self(value.bits().into())
            }
        }
    )*};
}

bits! { Flags IterFlags LockMode }
