//! A database module's method table and its methods.

pub(crate) mod inner;
mod kdc;
mod keys;
mod library;
mod overlay;
mod policies;
mod principals;
mod state;

use tagwise_krb5_plugin_sys::mit::{kdb_vftabl, krb5_const_principal, krb5_db_entry};

use crate::host::lent::Lent;
use crate::kdb::{Kdb, Replaced};
use crate::view::{DbEntryRef, PrincipalRef};
use crate::{Error, Result, codes};

/// Creates the table that libkdb5 looks up as `kdb_function_table`: major version 9, minor version 0, for releases 1.20
/// to 1.22.
#[must_use]
pub const fn kdb<T: Kdb>() -> kdb_vftabl {
    kdb_vftabl {
        maj_ver: 9,
        min_ver: 0,
        init_library: Some(library::init_library::<T>),
        fini_library: Some(library::fini_library::<T>),
        init_module: Some(library::init_module::<T>),
        fini_module: Some(library::fini_module::<T>),
        create: Some(library::create::<T>),
        destroy: Some(library::destroy::<T>),
        // Not called since 1.10.
        get_age: None,
        lock: Some(library::lock::<T>),
        unlock: Some(library::unlock::<T>),
        get_principal: Some(principals::get_principal::<T>),
        put_principal: Some(principals::put_principal::<T>),
        delete_principal: Some(principals::delete_principal::<T>),
        rename_principal: if T::REPLACED.contains(Replaced::RENAME_PRINCIPAL) {
            Some(principals::rename_principal::<T>)
        } else {
            None
        },
        iterate: Some(principals::iterate::<T>),
        create_policy: Some(policies::create_policy::<T>),
        get_policy: Some(policies::get_policy::<T>),
        put_policy: Some(policies::put_policy::<T>),
        iter_policy: Some(policies::iter_policy::<T>),
        delete_policy: Some(policies::delete_policy::<T>),
        fetch_master_key: if T::REPLACED.contains(Replaced::FETCH_MASTER_KEY) {
            Some(keys::fetch_master_key::<T>)
        } else {
            None
        },
        fetch_master_key_list: if T::REPLACED.contains(Replaced::FETCH_MASTER_KEY_LIST) {
            Some(keys::fetch_master_key_list::<T>)
        } else {
            None
        },
        store_master_key_list: if T::REPLACED.contains(Replaced::STORE_MASTER_KEY_LIST) {
            Some(keys::store_master_key_list::<T>)
        } else {
            None
        },
        dbe_search_enctype: if T::REPLACED.contains(Replaced::DBE_SEARCH_ENCTYPE) {
            Some(keys::dbe_search_enctype::<T>)
        } else {
            None
        },
        change_pwd: if T::REPLACED.contains(Replaced::CHANGE_PWD) { Some(keys::change_pwd::<T>) } else { None },
        promote_db: Some(library::promote_db::<T>),
        decrypt_key_data: if T::REPLACED.contains(Replaced::DECRYPT_KEY_DATA) {
            Some(keys::decrypt_key_data::<T>)
        } else {
            None
        },
        encrypt_key_data: if T::REPLACED.contains(Replaced::ENCRYPT_KEY_DATA) {
            Some(keys::encrypt_key_data::<T>)
        } else {
            None
        },
        check_transited_realms: Some(kdc::check_transited_realms::<T>),
        check_policy_as: Some(kdc::check_policy_as::<T>),
        check_policy_tgs: Some(kdc::check_policy_tgs::<T>),
        audit_as_req: Some(kdc::audit_as_req::<T>),
        refresh_config: Some(kdc::refresh_config::<T>),
        check_allowed_to_delegate: Some(kdc::check_allowed_to_delegate::<T>),
        // An entry's data is allocated with `malloc`, as libkdb5 assumes if this is absent.
        free_principal_e_data: None,
        get_s4u_x509_principal: Some(kdc::get_s4u_x509_principal::<T>),
        allowed_to_delegate_from: Some(kdc::allowed_to_delegate_from::<T>),
        issue_pac: Some(kdc::issue_pac::<T>),
    }
}

fn broken() -> Error {
    codes::KRB5_KDB_INTERNAL_ERROR.into()
}

/// Borrows a principal from the host.
///
/// # Safety
///
/// The pointer must be null, or valid for `'a`.
unsafe fn principal<'a>(pointer: krb5_const_principal) -> Result<PrincipalRef<'a>> {
    // SAFETY: the caller's.
    unsafe { Lent::new(pointer) }.map(PrincipalRef).ok_or_else(broken)
}

/// Borrows a database entry from the host.
///
/// # Safety
///
/// The pointer must be null, or valid for `'a`.
unsafe fn entry<'a>(pointer: *const krb5_db_entry) -> Result<DbEntryRef<'a>> {
    // SAFETY: the caller's.
    unsafe { Lent::new(pointer) }.map(DbEntryRef).ok_or_else(broken)
}
