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
