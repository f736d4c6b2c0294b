//! Functions of libkdb5. Every program that loads a database module has already loaded it.

#![expect(clippy::too_many_arguments, reason = "MIT's functions")]

use core::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::sync::OnceLock;

use super::Missing;
use crate::mit::{
    krb5_address, krb5_boolean, krb5_const_principal, krb5_context, krb5_data, krb5_db_entry, krb5_enctype,
    krb5_error_code, krb5_flags, krb5_int32, krb5_kdc_req, krb5_key_data, krb5_key_salt_tuple, krb5_keyblock,
    krb5_keylist_node, krb5_keysalt, krb5_kvno, krb5_pa_data, krb5_pac, krb5_pointer, krb5_principal, krb5_ticket,
    krb5_timestamp, osa_adb_iter_policy_func, osa_policy_ent_t,
};

/// A function that is called for each entry in an iteration.
pub type Visitor = Option<unsafe extern "C" fn(krb5_pointer, *mut krb5_db_entry) -> c_int>;

functions! {
    /// Stores the database module's state in the context.
    fn krb5_db_set_context(context: krb5_context, state: *mut c_void) -> krb5_error_code;
    /// Returns the database module's state from the context.
    fn krb5_db_get_context(context: krb5_context, state: *mut *mut c_void) -> krb5_error_code;
    /// Returns 0 if a database is open.
    fn krb5_db_inited(context: krb5_context) -> krb5_error_code;
    /// Opens a database with the configured module.
    fn krb5_db_open(context: krb5_context, arguments: *mut *mut c_char, mode: c_int) -> krb5_error_code;
    /// Closes a database.
    fn krb5_db_fini(context: krb5_context) -> krb5_error_code;
    /// Creates and opens a database.
    fn krb5_db_create(context: krb5_context, arguments: *mut *mut c_char) -> krb5_error_code;
    /// Destroys a database.
    fn krb5_db_destroy(context: krb5_context, arguments: *mut *mut c_char) -> krb5_error_code;
    /// Makes a temporary database the live one.
    fn krb5_db_promote(context: krb5_context, arguments: *mut *mut c_char) -> krb5_error_code;
    /// Loads a database module by its name (1.22).
    fn krb5_db_load_module(context: krb5_context, name: *const c_char) -> krb5_error_code;
    /// Locks a database.
    fn krb5_db_lock(context: krb5_context, mode: c_int) -> krb5_error_code;
    /// Unlocks a database.
    fn krb5_db_unlock(context: krb5_context) -> krb5_error_code;
    /// Returns a principal's entry.
    fn krb5_db_get_principal(context: krb5_context, name: krb5_const_principal, flags: c_uint, entry: *mut *mut krb5_db_entry) -> krb5_error_code;
    /// Frees an entry.
    fn krb5_db_free_principal(context: krb5_context, entry: *mut krb5_db_entry);
    /// Creates or modifies an entry.
    fn krb5_db_put_principal(context: krb5_context, entry: *mut krb5_db_entry) -> krb5_error_code;
    /// Deletes an entry.
    fn krb5_db_delete_principal(context: krb5_context, name: krb5_principal) -> krb5_error_code;
    /// Renames an entry.
    fn krb5_db_rename_principal(context: krb5_context, source: krb5_principal, target: krb5_principal) -> krb5_error_code;
    /// Calls a function for each entry.
    fn krb5_db_iterate(context: krb5_context, pattern: *mut c_char, visitor: Visitor, argument: krb5_pointer, flags: krb5_flags) -> krb5_error_code;
    /// Creates a policy.
    fn krb5_db_create_policy(context: krb5_context, policy: osa_policy_ent_t) -> krb5_error_code;
    /// Returns a policy.
    fn krb5_db_get_policy(context: krb5_context, name: *mut c_char, policy: *mut osa_policy_ent_t) -> krb5_error_code;
    /// Modifies a policy.
    fn krb5_db_put_policy(context: krb5_context, policy: osa_policy_ent_t) -> krb5_error_code;
    /// Calls a function for each policy.
    fn krb5_db_iter_policy(context: krb5_context, pattern: *mut c_char, visitor: osa_adb_iter_policy_func, argument: *mut c_void) -> krb5_error_code;
    /// Deletes a policy.
    fn krb5_db_delete_policy(context: krb5_context, name: *mut c_char) -> krb5_error_code;
    /// Frees a policy.
    fn krb5_db_free_policy(context: krb5_context, policy: osa_policy_ent_t);
    /// Reads a master key from a stash file or the keyboard.
    fn krb5_db_fetch_mkey(context: krb5_context, name: krb5_principal, enctype: krb5_enctype, keyboard: krb5_boolean, twice: krb5_boolean, stash: *mut c_char, kvno: *mut krb5_kvno, salt: *mut krb5_data, key: *mut krb5_keyblock) -> krb5_error_code;
    /// Reads all versions of the master key and stores the list in the context.
    fn krb5_db_fetch_mkey_list(context: krb5_context, name: krb5_principal, key: *const krb5_keyblock) -> krb5_error_code;
    /// Returns the context's list of master keys.
    fn krb5_db_mkey_list_alias(context: krb5_context) -> *mut krb5_keylist_node;
    /// Stores a single master key in a stash.
    fn krb5_db_store_master_key(context: krb5_context, file: *mut c_char, name: krb5_principal, kvno: krb5_kvno, key: *mut krb5_keyblock, password: *mut c_char) -> krb5_error_code;
    /// Stores a list of master keys in a stash, in MIT's default format.
    fn krb5_def_store_mkey_list(context: krb5_context, file: *mut c_char, name: krb5_principal, list: *mut krb5_keylist_node, password: *mut c_char) -> krb5_error_code;
    /// Finds a key in an entry.
    fn krb5_dbe_search_enctype(context: krb5_context, entry: *mut krb5_db_entry, start: *mut krb5_int32, enctype: krb5_int32, salttype: krb5_int32, kvno: krb5_int32, found: *mut *mut krb5_key_data) -> krb5_error_code;
    /// Sets an entry's keys from a password.
    fn krb5_dbe_cpw(context: krb5_context, master: *mut krb5_keyblock, kinds: *mut krb5_key_salt_tuple, count: c_int, password: *mut c_char, kvno: c_int, keep: krb5_boolean, entry: *mut krb5_db_entry) -> krb5_error_code;
    /// Decrypts an entry's key.
    fn krb5_dbe_decrypt_key_data(context: krb5_context, master: *const krb5_keyblock, data: *const krb5_key_data, key: *mut krb5_keyblock, salt: *mut krb5_keysalt) -> krb5_error_code;
    /// Encrypts a key for storage in an entry.
    fn krb5_dbe_encrypt_key_data(context: krb5_context, master: *const krb5_keyblock, key: *const krb5_keyblock, salt: *const krb5_keysalt, kvno: c_int, data: *mut krb5_key_data) -> krb5_error_code;
    /// Replaces salts that are derived from the principal's name with explicitly stored ones.
    fn krb5_dbe_specialize_salt(context: krb5_context, entry: *mut krb5_db_entry) -> krb5_error_code;
    /// Checks the realms that a ticket has transited.
    fn krb5_db_check_transited_realms(context: krb5_context, transited: *const krb5_data, client: *const krb5_data, server: *const krb5_data) -> krb5_error_code;
    /// Checks an AS request against the database's policy.
    fn krb5_db_check_policy_as(context: krb5_context, request: *mut krb5_kdc_req, client: *mut krb5_db_entry, server: *mut krb5_db_entry, now: krb5_timestamp, status: *mut *const c_char, data: *mut *mut *mut krb5_pa_data) -> krb5_error_code;
    /// Checks a TGS request against the database's policy.
    fn krb5_db_check_policy_tgs(context: krb5_context, request: *mut krb5_kdc_req, server: *mut krb5_db_entry, ticket: *mut krb5_ticket, status: *mut *const c_char, data: *mut *mut *mut krb5_pa_data) -> krb5_error_code;
    /// Reports a completed AS request.
    fn krb5_db_audit_as_req(context: krb5_context, request: *mut krb5_kdc_req, local: *const krb5_address, remote: *const krb5_address, client: *mut krb5_db_entry, server: *mut krb5_db_entry, authtime: krb5_timestamp, code: krb5_error_code);
    /// Reloads the configuration.
    fn krb5_db_refresh_config(context: krb5_context);
    /// Checks delegation against the rules of the delegating server.
    fn krb5_db_check_allowed_to_delegate(context: krb5_context, client: krb5_const_principal, server: *const krb5_db_entry, proxy: krb5_const_principal) -> krb5_error_code;
    /// Returns the entry of a certificate's owner.
    fn krb5_db_get_s4u_x509_principal(context: krb5_context, certificate: *const krb5_data, name: krb5_const_principal, flags: c_uint, entry: *mut *mut krb5_db_entry) -> krb5_error_code;
    /// Checks delegation against the target's rules.
    fn krb5_db_allowed_to_delegate_from(context: krb5_context, client: krb5_const_principal, server: krb5_const_principal, pac: krb5_pac, proxy: *const krb5_db_entry) -> krb5_error_code;
    /// Adds buffers to a PAC.
    fn krb5_db_issue_pac(context: krb5_context, flags: c_uint, client: *mut krb5_db_entry, replaced: *mut krb5_keyblock, server: *mut krb5_db_entry, krbtgt: *mut krb5_db_entry, authtime: krb5_timestamp, old: krb5_pac, new: krb5_pac, indicators: *mut *mut *mut krb5_data) -> krb5_error_code;
}
