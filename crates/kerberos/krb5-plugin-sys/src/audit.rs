//! The audit interface, which MIT declares in a private header (major version 1, minor version 1, in releases 1.20 to
//! 1.22).
#![allow(non_camel_case_types, reason = "C's names")]

use core::ffi::{c_char, c_int};

use crate::mit::{
    krb5_address, krb5_boolean, krb5_data, krb5_error_code, krb5_kdc_rep, krb5_kdc_req, krb5_principal, krb5_ui_4,
};

/// The length of a request's identifier, in bytes.
pub const REQID_LEN: usize = 32;

/// The state of a request that the KDC audits.
#[repr(C)]
pub struct krb5_audit_state {
    /// The request.
    pub request: *mut krb5_kdc_req,
    /// The reply, once it exists.
    pub reply: *mut krb5_kdc_rep,
    /// The client's address.
    pub cl_addr: *mut krb5_address,
    /// The client's port.
    pub cl_port: krb5_ui_4,
    /// The processing stage.
    pub stage: c_int,
    /// The KDC's status message.
    pub status: *const c_char,
    /// Identifier of the ticket in the request.
    pub tkt_in_id: *mut c_char,
    /// Identifier of the issued ticket.
    pub tkt_out_id: *mut c_char,
    /// Identifier of the evidence ticket (S4U2Proxy) or of the second ticket (user-to-user).
    pub evid_tkt_id: *mut c_char,
    /// Identifier of the request.
    pub req_id: [c_char; REQID_LEN],
    /// Realm of a remote client, for referrals.
    pub cl_realm: *mut krb5_data,
    /// The user on whose behalf a service requests a ticket (S4U2Self).
    pub s4u2self_user: krb5_principal,
    /// The kind of violation: 1 for the protocol, 2 for local policy.
    pub violation: c_int,
}

/// Module data, opaque.
#[repr(C)]
pub struct krb5_audit_moddata_st {
    _opaque: [u8; 0],
}

/// A pointer to a module's data.
pub type krb5_audit_moddata = *mut krb5_audit_moddata_st;

/// The type of methods that report a request.
pub type krb5_audit_request_fn =
    Option<unsafe extern "C" fn(krb5_audit_moddata, krb5_boolean, *mut krb5_audit_state) -> krb5_error_code>;

/// The type of methods that report the KDC's start or stop.
pub type krb5_audit_kdc_fn = Option<unsafe extern "C" fn(krb5_audit_moddata, krb5_boolean) -> krb5_error_code>;

/// The audit interface's method table.
#[repr(C)]
pub struct krb5_audit_vtable_st {
    /// Name of the module.
    pub name: *const c_char,
    /// Opens the audit system.
    pub open: Option<unsafe extern "C" fn(*mut krb5_audit_moddata) -> krb5_error_code>,
    /// Closes the audit system.
    pub close: Option<unsafe extern "C" fn(krb5_audit_moddata) -> krb5_error_code>,
    /// Reports that the KDC has started.
    pub kdc_start: krb5_audit_kdc_fn,
    /// Reports that the KDC is stopping.
    pub kdc_stop: krb5_audit_kdc_fn,
    /// Reports an AS exchange.
    pub as_req: krb5_audit_request_fn,
    /// Reports a TGS exchange.
    pub tgs_req: krb5_audit_request_fn,
    /// Reports a ticket that a service requested to itself on behalf of a user (S4U2Self).
    pub tgs_s4u2self: krb5_audit_request_fn,
    /// Reports a ticket that a service requested on behalf of a user by constrained delegation (S4U2Proxy).
    pub tgs_s4u2proxy: krb5_audit_request_fn,
    /// Reports a user-to-user ticket.
    pub tgs_u2u: krb5_audit_request_fn,
}
