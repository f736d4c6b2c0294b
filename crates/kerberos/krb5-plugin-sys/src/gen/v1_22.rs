pub type __time_t = core::ffi::c_long;
pub type time_t = __time_t;
pub type krb5_octet = u8;
pub type krb5_int16 = i16;
pub type krb5_ui_2 = u16;
pub type krb5_int32 = i32;
pub type krb5_ui_4 = u32;
pub type krb5_boolean = core::ffi::c_uint;
pub type krb5_msgtype = core::ffi::c_uint;
pub type krb5_kvno = core::ffi::c_uint;
pub type krb5_addrtype = krb5_int32;
pub type krb5_enctype = krb5_int32;
pub type krb5_authdatatype = krb5_int32;
pub type krb5_preauthtype = krb5_int32;
pub type krb5_flags = krb5_int32;
pub type krb5_timestamp = krb5_int32;
pub type krb5_deltat = krb5_int32;
pub type krb5_error_code = krb5_int32;
pub type krb5_magic = krb5_error_code;
#[repr(C)]
pub struct _krb5_data {
    pub magic: krb5_magic,
    pub length: core::ffi::c_uint,
    pub data: *mut core::ffi::c_char,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of _krb5_data"][::core::mem::size_of::<_krb5_data>() - 16usize];
    ["Alignment of _krb5_data"][::core::mem::align_of::<_krb5_data>() - 8usize];
    ["Offset of field: _krb5_data::magic"][::core::mem::offset_of!(_krb5_data, magic) - 0usize];
    ["Offset of field: _krb5_data::length"][::core::mem::offset_of!(_krb5_data, length) - 4usize];
    ["Offset of field: _krb5_data::data"][::core::mem::offset_of!(_krb5_data, data) - 8usize];
};
pub type krb5_data = _krb5_data;
pub type krb5_pointer = *mut core::ffi::c_void;
#[repr(C)]
pub struct krb5_principal_data {
    pub magic: krb5_magic,
    pub realm: krb5_data,
    pub data: *mut krb5_data,
    pub length: krb5_int32,
    pub type_: krb5_int32,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of krb5_principal_data"][::core::mem::size_of::<krb5_principal_data>() - 40usize];
    ["Alignment of krb5_principal_data"][::core::mem::align_of::<krb5_principal_data>() - 8usize];
    ["Offset of field: krb5_principal_data::magic"][::core::mem::offset_of!(krb5_principal_data, magic) - 0usize];
    ["Offset of field: krb5_principal_data::realm"][::core::mem::offset_of!(krb5_principal_data, realm) - 8usize];
    ["Offset of field: krb5_principal_data::data"][::core::mem::offset_of!(krb5_principal_data, data) - 24usize];
    ["Offset of field: krb5_principal_data::length"][::core::mem::offset_of!(krb5_principal_data, length) - 32usize];
    ["Offset of field: krb5_principal_data::type_"][::core::mem::offset_of!(krb5_principal_data, type_) - 36usize];
};
pub type krb5_principal = *mut krb5_principal_data;
pub type krb5_const_principal = *const krb5_principal_data;
#[repr(C)]
pub struct _krb5_address {
    pub magic: krb5_magic,
    pub addrtype: krb5_addrtype,
    pub length: core::ffi::c_uint,
    pub contents: *mut krb5_octet,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of _krb5_address"][::core::mem::size_of::<_krb5_address>() - 24usize];
    ["Alignment of _krb5_address"][::core::mem::align_of::<_krb5_address>() - 8usize];
    ["Offset of field: _krb5_address::magic"][::core::mem::offset_of!(_krb5_address, magic) - 0usize];
    ["Offset of field: _krb5_address::addrtype"][::core::mem::offset_of!(_krb5_address, addrtype) - 4usize];
    ["Offset of field: _krb5_address::length"][::core::mem::offset_of!(_krb5_address, length) - 8usize];
    ["Offset of field: _krb5_address::contents"][::core::mem::offset_of!(_krb5_address, contents) - 16usize];
};
pub type krb5_address = _krb5_address;
#[repr(C)]
#[derive(Debug)]
pub struct _krb5_context {
    _unused: [u8; 0],
}
pub type krb5_context = *mut _krb5_context;
#[repr(C)]
pub struct _krb5_keyblock {
    pub magic: krb5_magic,
    pub enctype: krb5_enctype,
    pub length: core::ffi::c_uint,
    pub contents: *mut krb5_octet,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of _krb5_keyblock"][::core::mem::size_of::<_krb5_keyblock>() - 24usize];
    ["Alignment of _krb5_keyblock"][::core::mem::align_of::<_krb5_keyblock>() - 8usize];
    ["Offset of field: _krb5_keyblock::magic"][::core::mem::offset_of!(_krb5_keyblock, magic) - 0usize];
    ["Offset of field: _krb5_keyblock::enctype"][::core::mem::offset_of!(_krb5_keyblock, enctype) - 4usize];
    ["Offset of field: _krb5_keyblock::length"][::core::mem::offset_of!(_krb5_keyblock, length) - 8usize];
    ["Offset of field: _krb5_keyblock::contents"][::core::mem::offset_of!(_krb5_keyblock, contents) - 16usize];
};
pub type krb5_keyblock = _krb5_keyblock;
#[repr(C)]
pub struct _krb5_enc_data {
    pub magic: krb5_magic,
    pub enctype: krb5_enctype,
    pub kvno: krb5_kvno,
    pub ciphertext: krb5_data,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of _krb5_enc_data"][::core::mem::size_of::<_krb5_enc_data>() - 32usize];
    ["Alignment of _krb5_enc_data"][::core::mem::align_of::<_krb5_enc_data>() - 8usize];
    ["Offset of field: _krb5_enc_data::magic"][::core::mem::offset_of!(_krb5_enc_data, magic) - 0usize];
    ["Offset of field: _krb5_enc_data::enctype"][::core::mem::offset_of!(_krb5_enc_data, enctype) - 4usize];
    ["Offset of field: _krb5_enc_data::kvno"][::core::mem::offset_of!(_krb5_enc_data, kvno) - 8usize];
    ["Offset of field: _krb5_enc_data::ciphertext"][::core::mem::offset_of!(_krb5_enc_data, ciphertext) - 16usize];
};
pub type krb5_enc_data = _krb5_enc_data;
#[repr(C)]
pub struct _krb5_ticket_times {
    pub authtime: krb5_timestamp,
    pub starttime: krb5_timestamp,
    pub endtime: krb5_timestamp,
    pub renew_till: krb5_timestamp,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of _krb5_ticket_times"][::core::mem::size_of::<_krb5_ticket_times>() - 16usize];
    ["Alignment of _krb5_ticket_times"][::core::mem::align_of::<_krb5_ticket_times>() - 4usize];
    ["Offset of field: _krb5_ticket_times::authtime"][::core::mem::offset_of!(_krb5_ticket_times, authtime) - 0usize];
    ["Offset of field: _krb5_ticket_times::starttime"][::core::mem::offset_of!(_krb5_ticket_times, starttime) - 4usize];
    ["Offset of field: _krb5_ticket_times::endtime"][::core::mem::offset_of!(_krb5_ticket_times, endtime) - 8usize];
    ["Offset of field: _krb5_ticket_times::renew_till"]
        [::core::mem::offset_of!(_krb5_ticket_times, renew_till) - 12usize];
};
pub type krb5_ticket_times = _krb5_ticket_times;
#[repr(C)]
pub struct _krb5_authdata {
    pub magic: krb5_magic,
    pub ad_type: krb5_authdatatype,
    pub length: core::ffi::c_uint,
    pub contents: *mut krb5_octet,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of _krb5_authdata"][::core::mem::size_of::<_krb5_authdata>() - 24usize];
    ["Alignment of _krb5_authdata"][::core::mem::align_of::<_krb5_authdata>() - 8usize];
    ["Offset of field: _krb5_authdata::magic"][::core::mem::offset_of!(_krb5_authdata, magic) - 0usize];
    ["Offset of field: _krb5_authdata::ad_type"][::core::mem::offset_of!(_krb5_authdata, ad_type) - 4usize];
    ["Offset of field: _krb5_authdata::length"][::core::mem::offset_of!(_krb5_authdata, length) - 8usize];
    ["Offset of field: _krb5_authdata::contents"][::core::mem::offset_of!(_krb5_authdata, contents) - 16usize];
};
pub type krb5_authdata = _krb5_authdata;
#[repr(C)]
pub struct _krb5_transited {
    pub magic: krb5_magic,
    pub tr_type: krb5_octet,
    pub tr_contents: krb5_data,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of _krb5_transited"][::core::mem::size_of::<_krb5_transited>() - 24usize];
    ["Alignment of _krb5_transited"][::core::mem::align_of::<_krb5_transited>() - 8usize];
    ["Offset of field: _krb5_transited::magic"][::core::mem::offset_of!(_krb5_transited, magic) - 0usize];
    ["Offset of field: _krb5_transited::tr_type"][::core::mem::offset_of!(_krb5_transited, tr_type) - 4usize];
    ["Offset of field: _krb5_transited::tr_contents"][::core::mem::offset_of!(_krb5_transited, tr_contents) - 8usize];
};
pub type krb5_transited = _krb5_transited;
#[repr(C)]
pub struct _krb5_enc_tkt_part {
    pub magic: krb5_magic,
    pub flags: krb5_flags,
    pub session: *mut krb5_keyblock,
    pub client: krb5_principal,
    pub transited: krb5_transited,
    pub times: krb5_ticket_times,
    pub caddrs: *mut *mut krb5_address,
    pub authorization_data: *mut *mut krb5_authdata,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of _krb5_enc_tkt_part"][::core::mem::size_of::<_krb5_enc_tkt_part>() - 80usize];
    ["Alignment of _krb5_enc_tkt_part"][::core::mem::align_of::<_krb5_enc_tkt_part>() - 8usize];
    ["Offset of field: _krb5_enc_tkt_part::magic"][::core::mem::offset_of!(_krb5_enc_tkt_part, magic) - 0usize];
    ["Offset of field: _krb5_enc_tkt_part::flags"][::core::mem::offset_of!(_krb5_enc_tkt_part, flags) - 4usize];
    ["Offset of field: _krb5_enc_tkt_part::session"][::core::mem::offset_of!(_krb5_enc_tkt_part, session) - 8usize];
    ["Offset of field: _krb5_enc_tkt_part::client"][::core::mem::offset_of!(_krb5_enc_tkt_part, client) - 16usize];
    ["Offset of field: _krb5_enc_tkt_part::transited"]
        [::core::mem::offset_of!(_krb5_enc_tkt_part, transited) - 24usize];
    ["Offset of field: _krb5_enc_tkt_part::times"][::core::mem::offset_of!(_krb5_enc_tkt_part, times) - 48usize];
    ["Offset of field: _krb5_enc_tkt_part::caddrs"][::core::mem::offset_of!(_krb5_enc_tkt_part, caddrs) - 64usize];
    ["Offset of field: _krb5_enc_tkt_part::authorization_data"]
        [::core::mem::offset_of!(_krb5_enc_tkt_part, authorization_data) - 72usize];
};
pub type krb5_enc_tkt_part = _krb5_enc_tkt_part;
#[repr(C)]
pub struct _krb5_ticket {
    pub magic: krb5_magic,
    pub server: krb5_principal,
    pub enc_part: krb5_enc_data,
    pub enc_part2: *mut krb5_enc_tkt_part,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of _krb5_ticket"][::core::mem::size_of::<_krb5_ticket>() - 56usize];
    ["Alignment of _krb5_ticket"][::core::mem::align_of::<_krb5_ticket>() - 8usize];
    ["Offset of field: _krb5_ticket::magic"][::core::mem::offset_of!(_krb5_ticket, magic) - 0usize];
    ["Offset of field: _krb5_ticket::server"][::core::mem::offset_of!(_krb5_ticket, server) - 8usize];
    ["Offset of field: _krb5_ticket::enc_part"][::core::mem::offset_of!(_krb5_ticket, enc_part) - 16usize];
    ["Offset of field: _krb5_ticket::enc_part2"][::core::mem::offset_of!(_krb5_ticket, enc_part2) - 48usize];
};
pub type krb5_ticket = _krb5_ticket;
#[repr(C)]
pub struct _krb5_last_req_entry {
    pub magic: krb5_magic,
    pub lr_type: krb5_int32,
    pub value: krb5_timestamp,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of _krb5_last_req_entry"][::core::mem::size_of::<_krb5_last_req_entry>() - 12usize];
    ["Alignment of _krb5_last_req_entry"][::core::mem::align_of::<_krb5_last_req_entry>() - 4usize];
    ["Offset of field: _krb5_last_req_entry::magic"][::core::mem::offset_of!(_krb5_last_req_entry, magic) - 0usize];
    ["Offset of field: _krb5_last_req_entry::lr_type"][::core::mem::offset_of!(_krb5_last_req_entry, lr_type) - 4usize];
    ["Offset of field: _krb5_last_req_entry::value"][::core::mem::offset_of!(_krb5_last_req_entry, value) - 8usize];
};
pub type krb5_last_req_entry = _krb5_last_req_entry;
#[repr(C)]
pub struct _krb5_pa_data {
    pub magic: krb5_magic,
    pub pa_type: krb5_preauthtype,
    pub length: core::ffi::c_uint,
    pub contents: *mut krb5_octet,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of _krb5_pa_data"][::core::mem::size_of::<_krb5_pa_data>() - 24usize];
    ["Alignment of _krb5_pa_data"][::core::mem::align_of::<_krb5_pa_data>() - 8usize];
    ["Offset of field: _krb5_pa_data::magic"][::core::mem::offset_of!(_krb5_pa_data, magic) - 0usize];
    ["Offset of field: _krb5_pa_data::pa_type"][::core::mem::offset_of!(_krb5_pa_data, pa_type) - 4usize];
    ["Offset of field: _krb5_pa_data::length"][::core::mem::offset_of!(_krb5_pa_data, length) - 8usize];
    ["Offset of field: _krb5_pa_data::contents"][::core::mem::offset_of!(_krb5_pa_data, contents) - 16usize];
};
pub type krb5_pa_data = _krb5_pa_data;
#[repr(C)]
pub struct _krb5_kdc_req {
    pub magic: krb5_magic,
    pub msg_type: krb5_msgtype,
    pub padata: *mut *mut krb5_pa_data,
    pub kdc_options: krb5_flags,
    pub client: krb5_principal,
    pub server: krb5_principal,
    pub from: krb5_timestamp,
    pub till: krb5_timestamp,
    pub rtime: krb5_timestamp,
    pub nonce: krb5_int32,
    pub nktypes: core::ffi::c_int,
    pub ktype: *mut krb5_enctype,
    pub addresses: *mut *mut krb5_address,
    pub authorization_data: krb5_enc_data,
    pub unenc_authdata: *mut *mut krb5_authdata,
    pub second_ticket: *mut *mut krb5_ticket,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of _krb5_kdc_req"][::core::mem::size_of::<_krb5_kdc_req>() - 128usize];
    ["Alignment of _krb5_kdc_req"][::core::mem::align_of::<_krb5_kdc_req>() - 8usize];
    ["Offset of field: _krb5_kdc_req::magic"][::core::mem::offset_of!(_krb5_kdc_req, magic) - 0usize];
    ["Offset of field: _krb5_kdc_req::msg_type"][::core::mem::offset_of!(_krb5_kdc_req, msg_type) - 4usize];
    ["Offset of field: _krb5_kdc_req::padata"][::core::mem::offset_of!(_krb5_kdc_req, padata) - 8usize];
    ["Offset of field: _krb5_kdc_req::kdc_options"][::core::mem::offset_of!(_krb5_kdc_req, kdc_options) - 16usize];
    ["Offset of field: _krb5_kdc_req::client"][::core::mem::offset_of!(_krb5_kdc_req, client) - 24usize];
    ["Offset of field: _krb5_kdc_req::server"][::core::mem::offset_of!(_krb5_kdc_req, server) - 32usize];
    ["Offset of field: _krb5_kdc_req::from"][::core::mem::offset_of!(_krb5_kdc_req, from) - 40usize];
    ["Offset of field: _krb5_kdc_req::till"][::core::mem::offset_of!(_krb5_kdc_req, till) - 44usize];
    ["Offset of field: _krb5_kdc_req::rtime"][::core::mem::offset_of!(_krb5_kdc_req, rtime) - 48usize];
    ["Offset of field: _krb5_kdc_req::nonce"][::core::mem::offset_of!(_krb5_kdc_req, nonce) - 52usize];
    ["Offset of field: _krb5_kdc_req::nktypes"][::core::mem::offset_of!(_krb5_kdc_req, nktypes) - 56usize];
    ["Offset of field: _krb5_kdc_req::ktype"][::core::mem::offset_of!(_krb5_kdc_req, ktype) - 64usize];
    ["Offset of field: _krb5_kdc_req::addresses"][::core::mem::offset_of!(_krb5_kdc_req, addresses) - 72usize];
    ["Offset of field: _krb5_kdc_req::authorization_data"]
        [::core::mem::offset_of!(_krb5_kdc_req, authorization_data) - 80usize];
    ["Offset of field: _krb5_kdc_req::unenc_authdata"]
        [::core::mem::offset_of!(_krb5_kdc_req, unenc_authdata) - 112usize];
    ["Offset of field: _krb5_kdc_req::second_ticket"][::core::mem::offset_of!(_krb5_kdc_req, second_ticket) - 120usize];
};
pub type krb5_kdc_req = _krb5_kdc_req;
#[repr(C)]
pub struct _krb5_enc_kdc_rep_part {
    pub magic: krb5_magic,
    pub msg_type: krb5_msgtype,
    pub session: *mut krb5_keyblock,
    pub last_req: *mut *mut krb5_last_req_entry,
    pub nonce: krb5_int32,
    pub key_exp: krb5_timestamp,
    pub flags: krb5_flags,
    pub times: krb5_ticket_times,
    pub server: krb5_principal,
    pub caddrs: *mut *mut krb5_address,
    pub enc_padata: *mut *mut krb5_pa_data,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of _krb5_enc_kdc_rep_part"][::core::mem::size_of::<_krb5_enc_kdc_rep_part>() - 80usize];
    ["Alignment of _krb5_enc_kdc_rep_part"][::core::mem::align_of::<_krb5_enc_kdc_rep_part>() - 8usize];
    ["Offset of field: _krb5_enc_kdc_rep_part::magic"][::core::mem::offset_of!(_krb5_enc_kdc_rep_part, magic) - 0usize];
    ["Offset of field: _krb5_enc_kdc_rep_part::msg_type"]
        [::core::mem::offset_of!(_krb5_enc_kdc_rep_part, msg_type) - 4usize];
    ["Offset of field: _krb5_enc_kdc_rep_part::session"]
        [::core::mem::offset_of!(_krb5_enc_kdc_rep_part, session) - 8usize];
    ["Offset of field: _krb5_enc_kdc_rep_part::last_req"]
        [::core::mem::offset_of!(_krb5_enc_kdc_rep_part, last_req) - 16usize];
    ["Offset of field: _krb5_enc_kdc_rep_part::nonce"]
        [::core::mem::offset_of!(_krb5_enc_kdc_rep_part, nonce) - 24usize];
    ["Offset of field: _krb5_enc_kdc_rep_part::key_exp"]
        [::core::mem::offset_of!(_krb5_enc_kdc_rep_part, key_exp) - 28usize];
    ["Offset of field: _krb5_enc_kdc_rep_part::flags"]
        [::core::mem::offset_of!(_krb5_enc_kdc_rep_part, flags) - 32usize];
    ["Offset of field: _krb5_enc_kdc_rep_part::times"]
        [::core::mem::offset_of!(_krb5_enc_kdc_rep_part, times) - 36usize];
    ["Offset of field: _krb5_enc_kdc_rep_part::server"]
        [::core::mem::offset_of!(_krb5_enc_kdc_rep_part, server) - 56usize];
    ["Offset of field: _krb5_enc_kdc_rep_part::caddrs"]
        [::core::mem::offset_of!(_krb5_enc_kdc_rep_part, caddrs) - 64usize];
    ["Offset of field: _krb5_enc_kdc_rep_part::enc_padata"]
        [::core::mem::offset_of!(_krb5_enc_kdc_rep_part, enc_padata) - 72usize];
};
pub type krb5_enc_kdc_rep_part = _krb5_enc_kdc_rep_part;
#[repr(C)]
pub struct _krb5_kdc_rep {
    pub magic: krb5_magic,
    pub msg_type: krb5_msgtype,
    pub padata: *mut *mut krb5_pa_data,
    pub client: krb5_principal,
    pub ticket: *mut krb5_ticket,
    pub enc_part: krb5_enc_data,
    pub enc_part2: *mut krb5_enc_kdc_rep_part,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of _krb5_kdc_rep"][::core::mem::size_of::<_krb5_kdc_rep>() - 72usize];
    ["Alignment of _krb5_kdc_rep"][::core::mem::align_of::<_krb5_kdc_rep>() - 8usize];
    ["Offset of field: _krb5_kdc_rep::magic"][::core::mem::offset_of!(_krb5_kdc_rep, magic) - 0usize];
    ["Offset of field: _krb5_kdc_rep::msg_type"][::core::mem::offset_of!(_krb5_kdc_rep, msg_type) - 4usize];
    ["Offset of field: _krb5_kdc_rep::padata"][::core::mem::offset_of!(_krb5_kdc_rep, padata) - 8usize];
    ["Offset of field: _krb5_kdc_rep::client"][::core::mem::offset_of!(_krb5_kdc_rep, client) - 16usize];
    ["Offset of field: _krb5_kdc_rep::ticket"][::core::mem::offset_of!(_krb5_kdc_rep, ticket) - 24usize];
    ["Offset of field: _krb5_kdc_rep::enc_part"][::core::mem::offset_of!(_krb5_kdc_rep, enc_part) - 32usize];
    ["Offset of field: _krb5_kdc_rep::enc_part2"][::core::mem::offset_of!(_krb5_kdc_rep, enc_part2) - 64usize];
};
pub type krb5_kdc_rep = _krb5_kdc_rep;
#[repr(C)]
pub struct _krb5_error {
    pub magic: krb5_magic,
    pub ctime: krb5_timestamp,
    pub cusec: krb5_int32,
    pub susec: krb5_int32,
    pub stime: krb5_timestamp,
    pub error: krb5_ui_4,
    pub client: krb5_principal,
    pub server: krb5_principal,
    pub text: krb5_data,
    pub e_data: krb5_data,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of _krb5_error"][::core::mem::size_of::<_krb5_error>() - 72usize];
    ["Alignment of _krb5_error"][::core::mem::align_of::<_krb5_error>() - 8usize];
    ["Offset of field: _krb5_error::magic"][::core::mem::offset_of!(_krb5_error, magic) - 0usize];
    ["Offset of field: _krb5_error::ctime"][::core::mem::offset_of!(_krb5_error, ctime) - 4usize];
    ["Offset of field: _krb5_error::cusec"][::core::mem::offset_of!(_krb5_error, cusec) - 8usize];
    ["Offset of field: _krb5_error::susec"][::core::mem::offset_of!(_krb5_error, susec) - 12usize];
    ["Offset of field: _krb5_error::stime"][::core::mem::offset_of!(_krb5_error, stime) - 16usize];
    ["Offset of field: _krb5_error::error"][::core::mem::offset_of!(_krb5_error, error) - 20usize];
    ["Offset of field: _krb5_error::client"][::core::mem::offset_of!(_krb5_error, client) - 24usize];
    ["Offset of field: _krb5_error::server"][::core::mem::offset_of!(_krb5_error, server) - 32usize];
    ["Offset of field: _krb5_error::text"][::core::mem::offset_of!(_krb5_error, text) - 40usize];
    ["Offset of field: _krb5_error::e_data"][::core::mem::offset_of!(_krb5_error, e_data) - 56usize];
};
pub type krb5_error = _krb5_error;
#[repr(C)]
#[derive(Debug)]
pub struct _krb5_ccache {
    _unused: [u8; 0],
}
pub type krb5_ccache = *mut _krb5_ccache;
#[repr(C)]
pub struct _krb5_prompt {
    pub prompt: *mut core::ffi::c_char,
    pub hidden: core::ffi::c_int,
    pub reply: *mut krb5_data,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of _krb5_prompt"][::core::mem::size_of::<_krb5_prompt>() - 24usize];
    ["Alignment of _krb5_prompt"][::core::mem::align_of::<_krb5_prompt>() - 8usize];
    ["Offset of field: _krb5_prompt::prompt"][::core::mem::offset_of!(_krb5_prompt, prompt) - 0usize];
    ["Offset of field: _krb5_prompt::hidden"][::core::mem::offset_of!(_krb5_prompt, hidden) - 8usize];
    ["Offset of field: _krb5_prompt::reply"][::core::mem::offset_of!(_krb5_prompt, reply) - 16usize];
};
pub type krb5_prompt = _krb5_prompt;
pub type krb5_prompter_fct = ::core::option::Option<
    unsafe extern "C" fn(
        context: krb5_context,
        data: *mut core::ffi::c_void,
        name: *const core::ffi::c_char,
        banner: *const core::ffi::c_char,
        num_prompts: core::ffi::c_int,
        prompts: *mut krb5_prompt,
    ) -> krb5_error_code,
>;
#[repr(C)]
pub struct _krb5_get_init_creds_opt {
    pub flags: krb5_flags,
    pub tkt_life: krb5_deltat,
    pub renew_life: krb5_deltat,
    pub forwardable: core::ffi::c_int,
    pub proxiable: core::ffi::c_int,
    pub etype_list: *mut krb5_enctype,
    pub etype_list_length: core::ffi::c_int,
    pub address_list: *mut *mut krb5_address,
    pub preauth_list: *mut krb5_preauthtype,
    pub preauth_list_length: core::ffi::c_int,
    pub salt: *mut krb5_data,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of _krb5_get_init_creds_opt"][::core::mem::size_of::<_krb5_get_init_creds_opt>() - 72usize];
    ["Alignment of _krb5_get_init_creds_opt"][::core::mem::align_of::<_krb5_get_init_creds_opt>() - 8usize];
    ["Offset of field: _krb5_get_init_creds_opt::flags"]
        [::core::mem::offset_of!(_krb5_get_init_creds_opt, flags) - 0usize];
    ["Offset of field: _krb5_get_init_creds_opt::tkt_life"]
        [::core::mem::offset_of!(_krb5_get_init_creds_opt, tkt_life) - 4usize];
    ["Offset of field: _krb5_get_init_creds_opt::renew_life"]
        [::core::mem::offset_of!(_krb5_get_init_creds_opt, renew_life) - 8usize];
    ["Offset of field: _krb5_get_init_creds_opt::forwardable"]
        [::core::mem::offset_of!(_krb5_get_init_creds_opt, forwardable) - 12usize];
    ["Offset of field: _krb5_get_init_creds_opt::proxiable"]
        [::core::mem::offset_of!(_krb5_get_init_creds_opt, proxiable) - 16usize];
    ["Offset of field: _krb5_get_init_creds_opt::etype_list"]
        [::core::mem::offset_of!(_krb5_get_init_creds_opt, etype_list) - 24usize];
    ["Offset of field: _krb5_get_init_creds_opt::etype_list_length"]
        [::core::mem::offset_of!(_krb5_get_init_creds_opt, etype_list_length) - 32usize];
    ["Offset of field: _krb5_get_init_creds_opt::address_list"]
        [::core::mem::offset_of!(_krb5_get_init_creds_opt, address_list) - 40usize];
    ["Offset of field: _krb5_get_init_creds_opt::preauth_list"]
        [::core::mem::offset_of!(_krb5_get_init_creds_opt, preauth_list) - 48usize];
    ["Offset of field: _krb5_get_init_creds_opt::preauth_list_length"]
        [::core::mem::offset_of!(_krb5_get_init_creds_opt, preauth_list_length) - 56usize];
    ["Offset of field: _krb5_get_init_creds_opt::salt"]
        [::core::mem::offset_of!(_krb5_get_init_creds_opt, salt) - 64usize];
};
pub type krb5_get_init_creds_opt = _krb5_get_init_creds_opt;
#[repr(C)]
#[derive(Debug)]
pub struct krb5_pac_data {
    _unused: [u8; 0],
}
pub type krb5_pac = *mut krb5_pac_data;
#[repr(C)]
pub struct _krb5_tl_data {
    pub tl_data_next: *mut _krb5_tl_data,
    pub tl_data_type: krb5_int16,
    pub tl_data_length: krb5_ui_2,
    pub tl_data_contents: *mut krb5_octet,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of _krb5_tl_data"][::core::mem::size_of::<_krb5_tl_data>() - 24usize];
    ["Alignment of _krb5_tl_data"][::core::mem::align_of::<_krb5_tl_data>() - 8usize];
    ["Offset of field: _krb5_tl_data::tl_data_next"][::core::mem::offset_of!(_krb5_tl_data, tl_data_next) - 0usize];
    ["Offset of field: _krb5_tl_data::tl_data_type"][::core::mem::offset_of!(_krb5_tl_data, tl_data_type) - 8usize];
    ["Offset of field: _krb5_tl_data::tl_data_length"]
        [::core::mem::offset_of!(_krb5_tl_data, tl_data_length) - 10usize];
    ["Offset of field: _krb5_tl_data::tl_data_contents"]
        [::core::mem::offset_of!(_krb5_tl_data, tl_data_contents) - 16usize];
};
pub type krb5_tl_data = _krb5_tl_data;
#[repr(C)]
pub struct krb5_string_attr_st {
    pub key: *mut core::ffi::c_char,
    pub value: *mut core::ffi::c_char,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of krb5_string_attr_st"][::core::mem::size_of::<krb5_string_attr_st>() - 16usize];
    ["Alignment of krb5_string_attr_st"][::core::mem::align_of::<krb5_string_attr_st>() - 8usize];
    ["Offset of field: krb5_string_attr_st::key"][::core::mem::offset_of!(krb5_string_attr_st, key) - 0usize];
    ["Offset of field: krb5_string_attr_st::value"][::core::mem::offset_of!(krb5_string_attr_st, value) - 8usize];
};
pub type krb5_string_attr = krb5_string_attr_st;
#[repr(C)]
pub struct _krb5_key_data {
    pub key_data_ver: krb5_int16,
    pub key_data_kvno: krb5_ui_2,
    pub key_data_type: [krb5_int16; 2usize],
    pub key_data_length: [krb5_ui_2; 2usize],
    pub key_data_contents: [*mut krb5_octet; 2usize],
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of _krb5_key_data"][::core::mem::size_of::<_krb5_key_data>() - 32usize];
    ["Alignment of _krb5_key_data"][::core::mem::align_of::<_krb5_key_data>() - 8usize];
    ["Offset of field: _krb5_key_data::key_data_ver"][::core::mem::offset_of!(_krb5_key_data, key_data_ver) - 0usize];
    ["Offset of field: _krb5_key_data::key_data_kvno"][::core::mem::offset_of!(_krb5_key_data, key_data_kvno) - 2usize];
    ["Offset of field: _krb5_key_data::key_data_type"][::core::mem::offset_of!(_krb5_key_data, key_data_type) - 4usize];
    ["Offset of field: _krb5_key_data::key_data_length"]
        [::core::mem::offset_of!(_krb5_key_data, key_data_length) - 8usize];
    ["Offset of field: _krb5_key_data::key_data_contents"]
        [::core::mem::offset_of!(_krb5_key_data, key_data_contents) - 16usize];
};
pub type krb5_key_data = _krb5_key_data;
#[repr(C)]
pub struct _krb5_keysalt {
    pub type_: krb5_int16,
    pub data: krb5_data,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of _krb5_keysalt"][::core::mem::size_of::<_krb5_keysalt>() - 24usize];
    ["Alignment of _krb5_keysalt"][::core::mem::align_of::<_krb5_keysalt>() - 8usize];
    ["Offset of field: _krb5_keysalt::type_"][::core::mem::offset_of!(_krb5_keysalt, type_) - 0usize];
    ["Offset of field: _krb5_keysalt::data"][::core::mem::offset_of!(_krb5_keysalt, data) - 8usize];
};
pub type krb5_keysalt = _krb5_keysalt;
#[repr(C)]
pub struct _krb5_db_entry_new {
    pub magic: krb5_magic,
    pub len: krb5_ui_2,
    pub mask: krb5_ui_4,
    pub attributes: krb5_flags,
    pub max_life: krb5_deltat,
    pub max_renewable_life: krb5_deltat,
    pub expiration: krb5_timestamp,
    pub pw_expiration: krb5_timestamp,
    pub last_success: krb5_timestamp,
    pub last_failed: krb5_timestamp,
    pub fail_auth_count: krb5_kvno,
    pub n_tl_data: krb5_int16,
    pub n_key_data: krb5_int16,
    pub e_length: krb5_ui_2,
    pub e_data: *mut krb5_octet,
    pub princ: krb5_principal,
    pub tl_data: *mut krb5_tl_data,
    pub key_data: *mut krb5_key_data,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of _krb5_db_entry_new"][::core::mem::size_of::<_krb5_db_entry_new>() - 88usize];
    ["Alignment of _krb5_db_entry_new"][::core::mem::align_of::<_krb5_db_entry_new>() - 8usize];
    ["Offset of field: _krb5_db_entry_new::magic"][::core::mem::offset_of!(_krb5_db_entry_new, magic) - 0usize];
    ["Offset of field: _krb5_db_entry_new::len"][::core::mem::offset_of!(_krb5_db_entry_new, len) - 4usize];
    ["Offset of field: _krb5_db_entry_new::mask"][::core::mem::offset_of!(_krb5_db_entry_new, mask) - 8usize];
    ["Offset of field: _krb5_db_entry_new::attributes"]
        [::core::mem::offset_of!(_krb5_db_entry_new, attributes) - 12usize];
    ["Offset of field: _krb5_db_entry_new::max_life"][::core::mem::offset_of!(_krb5_db_entry_new, max_life) - 16usize];
    ["Offset of field: _krb5_db_entry_new::max_renewable_life"]
        [::core::mem::offset_of!(_krb5_db_entry_new, max_renewable_life) - 20usize];
    ["Offset of field: _krb5_db_entry_new::expiration"]
        [::core::mem::offset_of!(_krb5_db_entry_new, expiration) - 24usize];
    ["Offset of field: _krb5_db_entry_new::pw_expiration"]
        [::core::mem::offset_of!(_krb5_db_entry_new, pw_expiration) - 28usize];
    ["Offset of field: _krb5_db_entry_new::last_success"]
        [::core::mem::offset_of!(_krb5_db_entry_new, last_success) - 32usize];
    ["Offset of field: _krb5_db_entry_new::last_failed"]
        [::core::mem::offset_of!(_krb5_db_entry_new, last_failed) - 36usize];
    ["Offset of field: _krb5_db_entry_new::fail_auth_count"]
        [::core::mem::offset_of!(_krb5_db_entry_new, fail_auth_count) - 40usize];
    ["Offset of field: _krb5_db_entry_new::n_tl_data"]
        [::core::mem::offset_of!(_krb5_db_entry_new, n_tl_data) - 44usize];
    ["Offset of field: _krb5_db_entry_new::n_key_data"]
        [::core::mem::offset_of!(_krb5_db_entry_new, n_key_data) - 46usize];
    ["Offset of field: _krb5_db_entry_new::e_length"][::core::mem::offset_of!(_krb5_db_entry_new, e_length) - 48usize];
    ["Offset of field: _krb5_db_entry_new::e_data"][::core::mem::offset_of!(_krb5_db_entry_new, e_data) - 56usize];
    ["Offset of field: _krb5_db_entry_new::princ"][::core::mem::offset_of!(_krb5_db_entry_new, princ) - 64usize];
    ["Offset of field: _krb5_db_entry_new::tl_data"][::core::mem::offset_of!(_krb5_db_entry_new, tl_data) - 72usize];
    ["Offset of field: _krb5_db_entry_new::key_data"][::core::mem::offset_of!(_krb5_db_entry_new, key_data) - 80usize];
};
pub type krb5_db_entry = _krb5_db_entry_new;
#[repr(C)]
pub struct _osa_policy_ent_t {
    pub version: core::ffi::c_int,
    pub name: *mut core::ffi::c_char,
    pub pw_min_life: krb5_ui_4,
    pub pw_max_life: krb5_ui_4,
    pub pw_min_length: krb5_ui_4,
    pub pw_min_classes: krb5_ui_4,
    pub pw_history_num: krb5_ui_4,
    pub policy_refcnt: krb5_ui_4,
    pub pw_max_fail: krb5_ui_4,
    pub pw_failcnt_interval: krb5_ui_4,
    pub pw_lockout_duration: krb5_ui_4,
    pub attributes: krb5_ui_4,
    pub max_life: krb5_ui_4,
    pub max_renewable_life: krb5_ui_4,
    pub allowed_keysalts: *mut core::ffi::c_char,
    pub n_tl_data: krb5_int16,
    pub tl_data: *mut krb5_tl_data,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of _osa_policy_ent_t"][::core::mem::size_of::<_osa_policy_ent_t>() - 88usize];
    ["Alignment of _osa_policy_ent_t"][::core::mem::align_of::<_osa_policy_ent_t>() - 8usize];
    ["Offset of field: _osa_policy_ent_t::version"][::core::mem::offset_of!(_osa_policy_ent_t, version) - 0usize];
    ["Offset of field: _osa_policy_ent_t::name"][::core::mem::offset_of!(_osa_policy_ent_t, name) - 8usize];
    ["Offset of field: _osa_policy_ent_t::pw_min_life"]
        [::core::mem::offset_of!(_osa_policy_ent_t, pw_min_life) - 16usize];
    ["Offset of field: _osa_policy_ent_t::pw_max_life"]
        [::core::mem::offset_of!(_osa_policy_ent_t, pw_max_life) - 20usize];
    ["Offset of field: _osa_policy_ent_t::pw_min_length"]
        [::core::mem::offset_of!(_osa_policy_ent_t, pw_min_length) - 24usize];
    ["Offset of field: _osa_policy_ent_t::pw_min_classes"]
        [::core::mem::offset_of!(_osa_policy_ent_t, pw_min_classes) - 28usize];
    ["Offset of field: _osa_policy_ent_t::pw_history_num"]
        [::core::mem::offset_of!(_osa_policy_ent_t, pw_history_num) - 32usize];
    ["Offset of field: _osa_policy_ent_t::policy_refcnt"]
        [::core::mem::offset_of!(_osa_policy_ent_t, policy_refcnt) - 36usize];
    ["Offset of field: _osa_policy_ent_t::pw_max_fail"]
        [::core::mem::offset_of!(_osa_policy_ent_t, pw_max_fail) - 40usize];
    ["Offset of field: _osa_policy_ent_t::pw_failcnt_interval"]
        [::core::mem::offset_of!(_osa_policy_ent_t, pw_failcnt_interval) - 44usize];
    ["Offset of field: _osa_policy_ent_t::pw_lockout_duration"]
        [::core::mem::offset_of!(_osa_policy_ent_t, pw_lockout_duration) - 48usize];
    ["Offset of field: _osa_policy_ent_t::attributes"]
        [::core::mem::offset_of!(_osa_policy_ent_t, attributes) - 52usize];
    ["Offset of field: _osa_policy_ent_t::max_life"][::core::mem::offset_of!(_osa_policy_ent_t, max_life) - 56usize];
    ["Offset of field: _osa_policy_ent_t::max_renewable_life"]
        [::core::mem::offset_of!(_osa_policy_ent_t, max_renewable_life) - 60usize];
    ["Offset of field: _osa_policy_ent_t::allowed_keysalts"]
        [::core::mem::offset_of!(_osa_policy_ent_t, allowed_keysalts) - 64usize];
    ["Offset of field: _osa_policy_ent_t::n_tl_data"][::core::mem::offset_of!(_osa_policy_ent_t, n_tl_data) - 72usize];
    ["Offset of field: _osa_policy_ent_t::tl_data"][::core::mem::offset_of!(_osa_policy_ent_t, tl_data) - 80usize];
};
pub type osa_policy_ent_t = *mut _osa_policy_ent_t;
pub type osa_adb_iter_policy_func =
    ::core::option::Option<unsafe extern "C" fn(arg1: *mut core::ffi::c_void, arg2: osa_policy_ent_t)>;
#[repr(C)]
pub struct __krb5_key_salt_tuple {
    pub ks_enctype: krb5_enctype,
    pub ks_salttype: krb5_int32,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of __krb5_key_salt_tuple"][::core::mem::size_of::<__krb5_key_salt_tuple>() - 8usize];
    ["Alignment of __krb5_key_salt_tuple"][::core::mem::align_of::<__krb5_key_salt_tuple>() - 4usize];
    ["Offset of field: __krb5_key_salt_tuple::ks_enctype"]
        [::core::mem::offset_of!(__krb5_key_salt_tuple, ks_enctype) - 0usize];
    ["Offset of field: __krb5_key_salt_tuple::ks_salttype"]
        [::core::mem::offset_of!(__krb5_key_salt_tuple, ks_salttype) - 4usize];
};
pub type krb5_key_salt_tuple = __krb5_key_salt_tuple;
#[repr(C)]
pub struct _krb5_keylist_node {
    pub keyblock: krb5_keyblock,
    pub kvno: krb5_kvno,
    pub next: *mut _krb5_keylist_node,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of _krb5_keylist_node"][::core::mem::size_of::<_krb5_keylist_node>() - 40usize];
    ["Alignment of _krb5_keylist_node"][::core::mem::align_of::<_krb5_keylist_node>() - 8usize];
    ["Offset of field: _krb5_keylist_node::keyblock"][::core::mem::offset_of!(_krb5_keylist_node, keyblock) - 0usize];
    ["Offset of field: _krb5_keylist_node::kvno"][::core::mem::offset_of!(_krb5_keylist_node, kvno) - 24usize];
    ["Offset of field: _krb5_keylist_node::next"][::core::mem::offset_of!(_krb5_keylist_node, next) - 32usize];
};
pub type krb5_keylist_node = _krb5_keylist_node;
#[repr(C)]
pub struct _kdb_vftabl {
    pub maj_ver: core::ffi::c_short,
    pub min_ver: core::ffi::c_short,
    pub init_library: ::core::option::Option<unsafe extern "C" fn() -> krb5_error_code>,
    pub fini_library: ::core::option::Option<unsafe extern "C" fn() -> krb5_error_code>,
    pub init_module: ::core::option::Option<
        unsafe extern "C" fn(
            kcontext: krb5_context,
            conf_section: *mut core::ffi::c_char,
            db_args: *mut *mut core::ffi::c_char,
            mode: core::ffi::c_int,
        ) -> krb5_error_code,
    >,
    pub fini_module: ::core::option::Option<unsafe extern "C" fn(kcontext: krb5_context) -> krb5_error_code>,
    pub create: ::core::option::Option<
        unsafe extern "C" fn(
            kcontext: krb5_context,
            conf_section: *mut core::ffi::c_char,
            db_args: *mut *mut core::ffi::c_char,
        ) -> krb5_error_code,
    >,
    pub destroy: ::core::option::Option<
        unsafe extern "C" fn(
            kcontext: krb5_context,
            conf_section: *mut core::ffi::c_char,
            db_args: *mut *mut core::ffi::c_char,
        ) -> krb5_error_code,
    >,
    pub get_age: ::core::option::Option<
        unsafe extern "C" fn(
            kcontext: krb5_context,
            db_name: *mut core::ffi::c_char,
            age: *mut time_t,
        ) -> krb5_error_code,
    >,
    pub lock:
        ::core::option::Option<unsafe extern "C" fn(kcontext: krb5_context, mode: core::ffi::c_int) -> krb5_error_code>,
    pub unlock: ::core::option::Option<unsafe extern "C" fn(kcontext: krb5_context) -> krb5_error_code>,
    pub get_principal: ::core::option::Option<
        unsafe extern "C" fn(
            kcontext: krb5_context,
            search_for: krb5_const_principal,
            flags: core::ffi::c_uint,
            entry: *mut *mut krb5_db_entry,
        ) -> krb5_error_code,
    >,
    pub put_principal: ::core::option::Option<
        unsafe extern "C" fn(
            kcontext: krb5_context,
            entry: *mut krb5_db_entry,
            db_args: *mut *mut core::ffi::c_char,
        ) -> krb5_error_code,
    >,
    pub delete_principal: ::core::option::Option<
        unsafe extern "C" fn(kcontext: krb5_context, search_for: krb5_const_principal) -> krb5_error_code,
    >,
    pub rename_principal: ::core::option::Option<
        unsafe extern "C" fn(
            kcontext: krb5_context,
            source: krb5_const_principal,
            target: krb5_const_principal,
        ) -> krb5_error_code,
    >,
    pub iterate: ::core::option::Option<
        unsafe extern "C" fn(
            kcontext: krb5_context,
            match_entry: *mut core::ffi::c_char,
            func: ::core::option::Option<
                unsafe extern "C" fn(arg1: krb5_pointer, arg2: *mut krb5_db_entry) -> core::ffi::c_int,
            >,
            func_arg: krb5_pointer,
            iterflags: krb5_flags,
        ) -> krb5_error_code,
    >,
    pub create_policy: ::core::option::Option<
        unsafe extern "C" fn(kcontext: krb5_context, policy: osa_policy_ent_t) -> krb5_error_code,
    >,
    pub get_policy: ::core::option::Option<
        unsafe extern "C" fn(
            kcontext: krb5_context,
            name: *mut core::ffi::c_char,
            policy: *mut osa_policy_ent_t,
        ) -> krb5_error_code,
    >,
    pub put_policy: ::core::option::Option<
        unsafe extern "C" fn(kcontext: krb5_context, policy: osa_policy_ent_t) -> krb5_error_code,
    >,
    pub iter_policy: ::core::option::Option<
        unsafe extern "C" fn(
            kcontext: krb5_context,
            match_entry: *mut core::ffi::c_char,
            func: osa_adb_iter_policy_func,
            data: *mut core::ffi::c_void,
        ) -> krb5_error_code,
    >,
    pub delete_policy: ::core::option::Option<
        unsafe extern "C" fn(kcontext: krb5_context, policy: *mut core::ffi::c_char) -> krb5_error_code,
    >,
    pub fetch_master_key: ::core::option::Option<
        unsafe extern "C" fn(
            kcontext: krb5_context,
            mname: krb5_principal,
            key: *mut krb5_keyblock,
            kvno: *mut krb5_kvno,
            db_args: *mut core::ffi::c_char,
        ) -> krb5_error_code,
    >,
    pub fetch_master_key_list: ::core::option::Option<
        unsafe extern "C" fn(
            kcontext: krb5_context,
            mname: krb5_principal,
            key: *const krb5_keyblock,
            mkeys_list: *mut *mut krb5_keylist_node,
        ) -> krb5_error_code,
    >,
    pub store_master_key_list: ::core::option::Option<
        unsafe extern "C" fn(
            kcontext: krb5_context,
            db_arg: *mut core::ffi::c_char,
            mname: krb5_principal,
            keylist: *mut krb5_keylist_node,
            master_pwd: *mut core::ffi::c_char,
        ) -> krb5_error_code,
    >,
    pub dbe_search_enctype: ::core::option::Option<
        unsafe extern "C" fn(
            kcontext: krb5_context,
            dbentp: *mut krb5_db_entry,
            start: *mut krb5_int32,
            ktype: krb5_int32,
            stype: krb5_int32,
            kvno: krb5_int32,
            kdatap: *mut *mut krb5_key_data,
        ) -> krb5_error_code,
    >,
    pub change_pwd: ::core::option::Option<
        unsafe extern "C" fn(
            context: krb5_context,
            master_key: *mut krb5_keyblock,
            ks_tuple: *mut krb5_key_salt_tuple,
            ks_tuple_count: core::ffi::c_int,
            passwd: *mut core::ffi::c_char,
            new_kvno: core::ffi::c_int,
            keepold: core::ffi::c_uint,
            db_entry: *mut krb5_db_entry,
        ) -> krb5_error_code,
    >,
    pub promote_db: ::core::option::Option<
        unsafe extern "C" fn(
            context: krb5_context,
            conf_section: *mut core::ffi::c_char,
            db_args: *mut *mut core::ffi::c_char,
        ) -> krb5_error_code,
    >,
    pub decrypt_key_data: ::core::option::Option<
        unsafe extern "C" fn(
            kcontext: krb5_context,
            mkey: *const krb5_keyblock,
            key_data: *const krb5_key_data,
            dbkey: *mut krb5_keyblock,
            keysalt: *mut krb5_keysalt,
        ) -> krb5_error_code,
    >,
    pub encrypt_key_data: ::core::option::Option<
        unsafe extern "C" fn(
            kcontext: krb5_context,
            mkey: *const krb5_keyblock,
            dbkey: *const krb5_keyblock,
            keysalt: *const krb5_keysalt,
            keyver: core::ffi::c_int,
            key_data: *mut krb5_key_data,
        ) -> krb5_error_code,
    >,
    pub check_transited_realms: ::core::option::Option<
        unsafe extern "C" fn(
            kcontext: krb5_context,
            tr_contents: *const krb5_data,
            client_realm: *const krb5_data,
            server_realm: *const krb5_data,
        ) -> krb5_error_code,
    >,
    pub check_policy_as: ::core::option::Option<
        unsafe extern "C" fn(
            kcontext: krb5_context,
            request: *mut krb5_kdc_req,
            client: *mut krb5_db_entry,
            server: *mut krb5_db_entry,
            kdc_time: krb5_timestamp,
            status: *mut *const core::ffi::c_char,
            e_data: *mut *mut *mut krb5_pa_data,
        ) -> krb5_error_code,
    >,
    pub check_policy_tgs: ::core::option::Option<
        unsafe extern "C" fn(
            kcontext: krb5_context,
            request: *mut krb5_kdc_req,
            server: *mut krb5_db_entry,
            ticket: *mut krb5_ticket,
            status: *mut *const core::ffi::c_char,
            e_data: *mut *mut *mut krb5_pa_data,
        ) -> krb5_error_code,
    >,
    pub audit_as_req: ::core::option::Option<
        unsafe extern "C" fn(
            kcontext: krb5_context,
            request: *mut krb5_kdc_req,
            local_addr: *const krb5_address,
            remote_addr: *const krb5_address,
            client: *mut krb5_db_entry,
            server: *mut krb5_db_entry,
            authtime: krb5_timestamp,
            error_code: krb5_error_code,
        ),
    >,
    pub refresh_config: ::core::option::Option<unsafe extern "C" fn(kcontext: krb5_context)>,
    pub check_allowed_to_delegate: ::core::option::Option<
        unsafe extern "C" fn(
            context: krb5_context,
            client: krb5_const_principal,
            server: *const krb5_db_entry,
            proxy: krb5_const_principal,
        ) -> krb5_error_code,
    >,
    pub free_principal_e_data:
        ::core::option::Option<unsafe extern "C" fn(kcontext: krb5_context, e_data: *mut krb5_octet)>,
    pub get_s4u_x509_principal: ::core::option::Option<
        unsafe extern "C" fn(
            kcontext: krb5_context,
            client_cert: *const krb5_data,
            princ: krb5_const_principal,
            flags: core::ffi::c_uint,
            entry_out: *mut *mut krb5_db_entry,
        ) -> krb5_error_code,
    >,
    pub allowed_to_delegate_from: ::core::option::Option<
        unsafe extern "C" fn(
            context: krb5_context,
            client: krb5_const_principal,
            server: krb5_const_principal,
            server_pac: krb5_pac,
            proxy: *const krb5_db_entry,
        ) -> krb5_error_code,
    >,
    pub issue_pac: ::core::option::Option<
        unsafe extern "C" fn(
            context: krb5_context,
            flags: core::ffi::c_uint,
            client: *mut krb5_db_entry,
            replaced_reply_key: *mut krb5_keyblock,
            server: *mut krb5_db_entry,
            signing_krbtgt: *mut krb5_db_entry,
            authtime: krb5_timestamp,
            old_pac: krb5_pac,
            new_pac: krb5_pac,
            auth_indicators: *mut *mut *mut krb5_data,
        ) -> krb5_error_code,
    >,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of _kdb_vftabl"][::core::mem::size_of::<_kdb_vftabl>() - 304usize];
    ["Alignment of _kdb_vftabl"][::core::mem::align_of::<_kdb_vftabl>() - 8usize];
    ["Offset of field: _kdb_vftabl::maj_ver"][::core::mem::offset_of!(_kdb_vftabl, maj_ver) - 0usize];
    ["Offset of field: _kdb_vftabl::min_ver"][::core::mem::offset_of!(_kdb_vftabl, min_ver) - 2usize];
    ["Offset of field: _kdb_vftabl::init_library"][::core::mem::offset_of!(_kdb_vftabl, init_library) - 8usize];
    ["Offset of field: _kdb_vftabl::fini_library"][::core::mem::offset_of!(_kdb_vftabl, fini_library) - 16usize];
    ["Offset of field: _kdb_vftabl::init_module"][::core::mem::offset_of!(_kdb_vftabl, init_module) - 24usize];
    ["Offset of field: _kdb_vftabl::fini_module"][::core::mem::offset_of!(_kdb_vftabl, fini_module) - 32usize];
    ["Offset of field: _kdb_vftabl::create"][::core::mem::offset_of!(_kdb_vftabl, create) - 40usize];
    ["Offset of field: _kdb_vftabl::destroy"][::core::mem::offset_of!(_kdb_vftabl, destroy) - 48usize];
    ["Offset of field: _kdb_vftabl::get_age"][::core::mem::offset_of!(_kdb_vftabl, get_age) - 56usize];
    ["Offset of field: _kdb_vftabl::lock"][::core::mem::offset_of!(_kdb_vftabl, lock) - 64usize];
    ["Offset of field: _kdb_vftabl::unlock"][::core::mem::offset_of!(_kdb_vftabl, unlock) - 72usize];
    ["Offset of field: _kdb_vftabl::get_principal"][::core::mem::offset_of!(_kdb_vftabl, get_principal) - 80usize];
    ["Offset of field: _kdb_vftabl::put_principal"][::core::mem::offset_of!(_kdb_vftabl, put_principal) - 88usize];
    ["Offset of field: _kdb_vftabl::delete_principal"]
        [::core::mem::offset_of!(_kdb_vftabl, delete_principal) - 96usize];
    ["Offset of field: _kdb_vftabl::rename_principal"]
        [::core::mem::offset_of!(_kdb_vftabl, rename_principal) - 104usize];
    ["Offset of field: _kdb_vftabl::iterate"][::core::mem::offset_of!(_kdb_vftabl, iterate) - 112usize];
    ["Offset of field: _kdb_vftabl::create_policy"][::core::mem::offset_of!(_kdb_vftabl, create_policy) - 120usize];
    ["Offset of field: _kdb_vftabl::get_policy"][::core::mem::offset_of!(_kdb_vftabl, get_policy) - 128usize];
    ["Offset of field: _kdb_vftabl::put_policy"][::core::mem::offset_of!(_kdb_vftabl, put_policy) - 136usize];
    ["Offset of field: _kdb_vftabl::iter_policy"][::core::mem::offset_of!(_kdb_vftabl, iter_policy) - 144usize];
    ["Offset of field: _kdb_vftabl::delete_policy"][::core::mem::offset_of!(_kdb_vftabl, delete_policy) - 152usize];
    ["Offset of field: _kdb_vftabl::fetch_master_key"]
        [::core::mem::offset_of!(_kdb_vftabl, fetch_master_key) - 160usize];
    ["Offset of field: _kdb_vftabl::fetch_master_key_list"]
        [::core::mem::offset_of!(_kdb_vftabl, fetch_master_key_list) - 168usize];
    ["Offset of field: _kdb_vftabl::store_master_key_list"]
        [::core::mem::offset_of!(_kdb_vftabl, store_master_key_list) - 176usize];
    ["Offset of field: _kdb_vftabl::dbe_search_enctype"]
        [::core::mem::offset_of!(_kdb_vftabl, dbe_search_enctype) - 184usize];
    ["Offset of field: _kdb_vftabl::change_pwd"][::core::mem::offset_of!(_kdb_vftabl, change_pwd) - 192usize];
    ["Offset of field: _kdb_vftabl::promote_db"][::core::mem::offset_of!(_kdb_vftabl, promote_db) - 200usize];
    ["Offset of field: _kdb_vftabl::decrypt_key_data"]
        [::core::mem::offset_of!(_kdb_vftabl, decrypt_key_data) - 208usize];
    ["Offset of field: _kdb_vftabl::encrypt_key_data"]
        [::core::mem::offset_of!(_kdb_vftabl, encrypt_key_data) - 216usize];
    ["Offset of field: _kdb_vftabl::check_transited_realms"]
        [::core::mem::offset_of!(_kdb_vftabl, check_transited_realms) - 224usize];
    ["Offset of field: _kdb_vftabl::check_policy_as"][::core::mem::offset_of!(_kdb_vftabl, check_policy_as) - 232usize];
    ["Offset of field: _kdb_vftabl::check_policy_tgs"]
        [::core::mem::offset_of!(_kdb_vftabl, check_policy_tgs) - 240usize];
    ["Offset of field: _kdb_vftabl::audit_as_req"][::core::mem::offset_of!(_kdb_vftabl, audit_as_req) - 248usize];
    ["Offset of field: _kdb_vftabl::refresh_config"][::core::mem::offset_of!(_kdb_vftabl, refresh_config) - 256usize];
    ["Offset of field: _kdb_vftabl::check_allowed_to_delegate"]
        [::core::mem::offset_of!(_kdb_vftabl, check_allowed_to_delegate) - 264usize];
    ["Offset of field: _kdb_vftabl::free_principal_e_data"]
        [::core::mem::offset_of!(_kdb_vftabl, free_principal_e_data) - 272usize];
    ["Offset of field: _kdb_vftabl::get_s4u_x509_principal"]
        [::core::mem::offset_of!(_kdb_vftabl, get_s4u_x509_principal) - 280usize];
    ["Offset of field: _kdb_vftabl::allowed_to_delegate_from"]
        [::core::mem::offset_of!(_kdb_vftabl, allowed_to_delegate_from) - 288usize];
    ["Offset of field: _kdb_vftabl::issue_pac"][::core::mem::offset_of!(_kdb_vftabl, issue_pac) - 296usize];
};
pub type kdb_vftabl = _kdb_vftabl;
pub type kadm5_ret_t = core::ffi::c_long;
#[repr(C)]
pub struct _kadm5_principal_ent_t {
    pub principal: krb5_principal,
    pub princ_expire_time: krb5_timestamp,
    pub last_pwd_change: krb5_timestamp,
    pub pw_expiration: krb5_timestamp,
    pub max_life: krb5_deltat,
    pub mod_name: krb5_principal,
    pub mod_date: krb5_timestamp,
    pub attributes: krb5_flags,
    pub kvno: krb5_kvno,
    pub mkvno: krb5_kvno,
    pub policy: *mut core::ffi::c_char,
    pub aux_attributes: core::ffi::c_long,
    pub max_renewable_life: krb5_deltat,
    pub last_success: krb5_timestamp,
    pub last_failed: krb5_timestamp,
    pub fail_auth_count: krb5_kvno,
    pub n_key_data: krb5_int16,
    pub n_tl_data: krb5_int16,
    pub tl_data: *mut krb5_tl_data,
    pub key_data: *mut krb5_key_data,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of _kadm5_principal_ent_t"][::core::mem::size_of::<_kadm5_principal_ent_t>() - 104usize];
    ["Alignment of _kadm5_principal_ent_t"][::core::mem::align_of::<_kadm5_principal_ent_t>() - 8usize];
    ["Offset of field: _kadm5_principal_ent_t::principal"]
        [::core::mem::offset_of!(_kadm5_principal_ent_t, principal) - 0usize];
    ["Offset of field: _kadm5_principal_ent_t::princ_expire_time"]
        [::core::mem::offset_of!(_kadm5_principal_ent_t, princ_expire_time) - 8usize];
    ["Offset of field: _kadm5_principal_ent_t::last_pwd_change"]
        [::core::mem::offset_of!(_kadm5_principal_ent_t, last_pwd_change) - 12usize];
    ["Offset of field: _kadm5_principal_ent_t::pw_expiration"]
        [::core::mem::offset_of!(_kadm5_principal_ent_t, pw_expiration) - 16usize];
    ["Offset of field: _kadm5_principal_ent_t::max_life"]
        [::core::mem::offset_of!(_kadm5_principal_ent_t, max_life) - 20usize];
    ["Offset of field: _kadm5_principal_ent_t::mod_name"]
        [::core::mem::offset_of!(_kadm5_principal_ent_t, mod_name) - 24usize];
    ["Offset of field: _kadm5_principal_ent_t::mod_date"]
        [::core::mem::offset_of!(_kadm5_principal_ent_t, mod_date) - 32usize];
    ["Offset of field: _kadm5_principal_ent_t::attributes"]
        [::core::mem::offset_of!(_kadm5_principal_ent_t, attributes) - 36usize];
    ["Offset of field: _kadm5_principal_ent_t::kvno"][::core::mem::offset_of!(_kadm5_principal_ent_t, kvno) - 40usize];
    ["Offset of field: _kadm5_principal_ent_t::mkvno"]
        [::core::mem::offset_of!(_kadm5_principal_ent_t, mkvno) - 44usize];
    ["Offset of field: _kadm5_principal_ent_t::policy"]
        [::core::mem::offset_of!(_kadm5_principal_ent_t, policy) - 48usize];
    ["Offset of field: _kadm5_principal_ent_t::aux_attributes"]
        [::core::mem::offset_of!(_kadm5_principal_ent_t, aux_attributes) - 56usize];
    ["Offset of field: _kadm5_principal_ent_t::max_renewable_life"]
        [::core::mem::offset_of!(_kadm5_principal_ent_t, max_renewable_life) - 64usize];
    ["Offset of field: _kadm5_principal_ent_t::last_success"]
        [::core::mem::offset_of!(_kadm5_principal_ent_t, last_success) - 68usize];
    ["Offset of field: _kadm5_principal_ent_t::last_failed"]
        [::core::mem::offset_of!(_kadm5_principal_ent_t, last_failed) - 72usize];
    ["Offset of field: _kadm5_principal_ent_t::fail_auth_count"]
        [::core::mem::offset_of!(_kadm5_principal_ent_t, fail_auth_count) - 76usize];
    ["Offset of field: _kadm5_principal_ent_t::n_key_data"]
        [::core::mem::offset_of!(_kadm5_principal_ent_t, n_key_data) - 80usize];
    ["Offset of field: _kadm5_principal_ent_t::n_tl_data"]
        [::core::mem::offset_of!(_kadm5_principal_ent_t, n_tl_data) - 82usize];
    ["Offset of field: _kadm5_principal_ent_t::tl_data"]
        [::core::mem::offset_of!(_kadm5_principal_ent_t, tl_data) - 88usize];
    ["Offset of field: _kadm5_principal_ent_t::key_data"]
        [::core::mem::offset_of!(_kadm5_principal_ent_t, key_data) - 96usize];
};
pub type kadm5_principal_ent_rec = _kadm5_principal_ent_t;
pub type kadm5_principal_ent_t = *mut _kadm5_principal_ent_t;
#[repr(C)]
pub struct _kadm5_policy_ent_t {
    pub policy: *mut core::ffi::c_char,
    pub pw_min_life: core::ffi::c_long,
    pub pw_max_life: core::ffi::c_long,
    pub pw_min_length: core::ffi::c_long,
    pub pw_min_classes: core::ffi::c_long,
    pub pw_history_num: core::ffi::c_long,
    pub policy_refcnt: core::ffi::c_long,
    pub pw_max_fail: krb5_kvno,
    pub pw_failcnt_interval: krb5_deltat,
    pub pw_lockout_duration: krb5_deltat,
    pub attributes: krb5_flags,
    pub max_life: krb5_deltat,
    pub max_renewable_life: krb5_deltat,
    pub allowed_keysalts: *mut core::ffi::c_char,
    pub n_tl_data: krb5_int16,
    pub tl_data: *mut krb5_tl_data,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of _kadm5_policy_ent_t"][::core::mem::size_of::<_kadm5_policy_ent_t>() - 104usize];
    ["Alignment of _kadm5_policy_ent_t"][::core::mem::align_of::<_kadm5_policy_ent_t>() - 8usize];
    ["Offset of field: _kadm5_policy_ent_t::policy"][::core::mem::offset_of!(_kadm5_policy_ent_t, policy) - 0usize];
    ["Offset of field: _kadm5_policy_ent_t::pw_min_life"]
        [::core::mem::offset_of!(_kadm5_policy_ent_t, pw_min_life) - 8usize];
    ["Offset of field: _kadm5_policy_ent_t::pw_max_life"]
        [::core::mem::offset_of!(_kadm5_policy_ent_t, pw_max_life) - 16usize];
    ["Offset of field: _kadm5_policy_ent_t::pw_min_length"]
        [::core::mem::offset_of!(_kadm5_policy_ent_t, pw_min_length) - 24usize];
    ["Offset of field: _kadm5_policy_ent_t::pw_min_classes"]
        [::core::mem::offset_of!(_kadm5_policy_ent_t, pw_min_classes) - 32usize];
    ["Offset of field: _kadm5_policy_ent_t::pw_history_num"]
        [::core::mem::offset_of!(_kadm5_policy_ent_t, pw_history_num) - 40usize];
    ["Offset of field: _kadm5_policy_ent_t::policy_refcnt"]
        [::core::mem::offset_of!(_kadm5_policy_ent_t, policy_refcnt) - 48usize];
    ["Offset of field: _kadm5_policy_ent_t::pw_max_fail"]
        [::core::mem::offset_of!(_kadm5_policy_ent_t, pw_max_fail) - 56usize];
    ["Offset of field: _kadm5_policy_ent_t::pw_failcnt_interval"]
        [::core::mem::offset_of!(_kadm5_policy_ent_t, pw_failcnt_interval) - 60usize];
    ["Offset of field: _kadm5_policy_ent_t::pw_lockout_duration"]
        [::core::mem::offset_of!(_kadm5_policy_ent_t, pw_lockout_duration) - 64usize];
    ["Offset of field: _kadm5_policy_ent_t::attributes"]
        [::core::mem::offset_of!(_kadm5_policy_ent_t, attributes) - 68usize];
    ["Offset of field: _kadm5_policy_ent_t::max_life"]
        [::core::mem::offset_of!(_kadm5_policy_ent_t, max_life) - 72usize];
    ["Offset of field: _kadm5_policy_ent_t::max_renewable_life"]
        [::core::mem::offset_of!(_kadm5_policy_ent_t, max_renewable_life) - 76usize];
    ["Offset of field: _kadm5_policy_ent_t::allowed_keysalts"]
        [::core::mem::offset_of!(_kadm5_policy_ent_t, allowed_keysalts) - 80usize];
    ["Offset of field: _kadm5_policy_ent_t::n_tl_data"]
        [::core::mem::offset_of!(_kadm5_policy_ent_t, n_tl_data) - 88usize];
    ["Offset of field: _kadm5_policy_ent_t::tl_data"][::core::mem::offset_of!(_kadm5_policy_ent_t, tl_data) - 96usize];
};
pub type kadm5_policy_ent_rec = _kadm5_policy_ent_t;
#[repr(C)]
#[derive(Debug)]
pub struct krb5_pwqual_moddata_st {
    _unused: [u8; 0],
}
pub type krb5_pwqual_moddata = *mut krb5_pwqual_moddata_st;
pub type krb5_pwqual_open_fn = ::core::option::Option<
    unsafe extern "C" fn(
        context: krb5_context,
        dict_file: *const core::ffi::c_char,
        data: *mut krb5_pwqual_moddata,
    ) -> krb5_error_code,
>;
pub type krb5_pwqual_check_fn = ::core::option::Option<
    unsafe extern "C" fn(
        context: krb5_context,
        data: krb5_pwqual_moddata,
        password: *const core::ffi::c_char,
        policy_name: *const core::ffi::c_char,
        princ: krb5_principal,
        languages: *mut *const core::ffi::c_char,
    ) -> krb5_error_code,
>;
pub type krb5_pwqual_close_fn =
    ::core::option::Option<unsafe extern "C" fn(context: krb5_context, data: krb5_pwqual_moddata)>;
#[repr(C)]
pub struct krb5_pwqual_vtable_st {
    pub name: *const core::ffi::c_char,
    pub open: krb5_pwqual_open_fn,
    pub check: krb5_pwqual_check_fn,
    pub close: krb5_pwqual_close_fn,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of krb5_pwqual_vtable_st"][::core::mem::size_of::<krb5_pwqual_vtable_st>() - 32usize];
    ["Alignment of krb5_pwqual_vtable_st"][::core::mem::align_of::<krb5_pwqual_vtable_st>() - 8usize];
    ["Offset of field: krb5_pwqual_vtable_st::name"][::core::mem::offset_of!(krb5_pwqual_vtable_st, name) - 0usize];
    ["Offset of field: krb5_pwqual_vtable_st::open"][::core::mem::offset_of!(krb5_pwqual_vtable_st, open) - 8usize];
    ["Offset of field: krb5_pwqual_vtable_st::check"][::core::mem::offset_of!(krb5_pwqual_vtable_st, check) - 16usize];
    ["Offset of field: krb5_pwqual_vtable_st::close"][::core::mem::offset_of!(krb5_pwqual_vtable_st, close) - 24usize];
};
pub type krb5_pwqual_vtable = *mut krb5_pwqual_vtable_st;
#[repr(C)]
#[derive(Debug)]
pub struct krb5_hostrealm_moddata_st {
    _unused: [u8; 0],
}
pub type krb5_hostrealm_moddata = *mut krb5_hostrealm_moddata_st;
pub type krb5_hostrealm_init_fn = ::core::option::Option<
    unsafe extern "C" fn(context: krb5_context, data: *mut krb5_hostrealm_moddata) -> krb5_error_code,
>;
pub type krb5_hostrealm_host_realm_fn = ::core::option::Option<
    unsafe extern "C" fn(
        context: krb5_context,
        data: krb5_hostrealm_moddata,
        host: *const core::ffi::c_char,
        realms_out: *mut *mut *mut core::ffi::c_char,
    ) -> krb5_error_code,
>;
pub type krb5_hostrealm_fallback_realm_fn = ::core::option::Option<
    unsafe extern "C" fn(
        context: krb5_context,
        data: krb5_hostrealm_moddata,
        host: *const core::ffi::c_char,
        realms_out: *mut *mut *mut core::ffi::c_char,
    ) -> krb5_error_code,
>;
pub type krb5_hostrealm_default_realm_fn = ::core::option::Option<
    unsafe extern "C" fn(
        context: krb5_context,
        data: krb5_hostrealm_moddata,
        realms_out: *mut *mut *mut core::ffi::c_char,
    ) -> krb5_error_code,
>;
pub type krb5_hostrealm_free_list_fn = ::core::option::Option<
    unsafe extern "C" fn(context: krb5_context, data: krb5_hostrealm_moddata, list: *mut *mut core::ffi::c_char),
>;
pub type krb5_hostrealm_fini_fn =
    ::core::option::Option<unsafe extern "C" fn(context: krb5_context, data: krb5_hostrealm_moddata)>;
#[repr(C)]
pub struct krb5_hostrealm_vtable_st {
    pub name: *const core::ffi::c_char,
    pub init: krb5_hostrealm_init_fn,
    pub fini: krb5_hostrealm_fini_fn,
    pub host_realm: krb5_hostrealm_host_realm_fn,
    pub fallback_realm: krb5_hostrealm_fallback_realm_fn,
    pub default_realm: krb5_hostrealm_default_realm_fn,
    pub free_list: krb5_hostrealm_free_list_fn,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of krb5_hostrealm_vtable_st"][::core::mem::size_of::<krb5_hostrealm_vtable_st>() - 56usize];
    ["Alignment of krb5_hostrealm_vtable_st"][::core::mem::align_of::<krb5_hostrealm_vtable_st>() - 8usize];
    ["Offset of field: krb5_hostrealm_vtable_st::name"]
        [::core::mem::offset_of!(krb5_hostrealm_vtable_st, name) - 0usize];
    ["Offset of field: krb5_hostrealm_vtable_st::init"]
        [::core::mem::offset_of!(krb5_hostrealm_vtable_st, init) - 8usize];
    ["Offset of field: krb5_hostrealm_vtable_st::fini"]
        [::core::mem::offset_of!(krb5_hostrealm_vtable_st, fini) - 16usize];
    ["Offset of field: krb5_hostrealm_vtable_st::host_realm"]
        [::core::mem::offset_of!(krb5_hostrealm_vtable_st, host_realm) - 24usize];
    ["Offset of field: krb5_hostrealm_vtable_st::fallback_realm"]
        [::core::mem::offset_of!(krb5_hostrealm_vtable_st, fallback_realm) - 32usize];
    ["Offset of field: krb5_hostrealm_vtable_st::default_realm"]
        [::core::mem::offset_of!(krb5_hostrealm_vtable_st, default_realm) - 40usize];
    ["Offset of field: krb5_hostrealm_vtable_st::free_list"]
        [::core::mem::offset_of!(krb5_hostrealm_vtable_st, free_list) - 48usize];
};
pub type krb5_hostrealm_vtable = *mut krb5_hostrealm_vtable_st;
#[repr(C)]
#[derive(Debug)]
pub struct krb5_localauth_moddata_st {
    _unused: [u8; 0],
}
pub type krb5_localauth_moddata = *mut krb5_localauth_moddata_st;
pub type krb5_localauth_init_fn = ::core::option::Option<
    unsafe extern "C" fn(context: krb5_context, data: *mut krb5_localauth_moddata) -> krb5_error_code,
>;
pub type krb5_localauth_fini_fn =
    ::core::option::Option<unsafe extern "C" fn(context: krb5_context, data: krb5_localauth_moddata)>;
pub type krb5_localauth_userok_fn = ::core::option::Option<
    unsafe extern "C" fn(
        context: krb5_context,
        data: krb5_localauth_moddata,
        aname: krb5_const_principal,
        lname: *const core::ffi::c_char,
    ) -> krb5_error_code,
>;
pub type krb5_localauth_an2ln_fn = ::core::option::Option<
    unsafe extern "C" fn(
        context: krb5_context,
        data: krb5_localauth_moddata,
        type_: *const core::ffi::c_char,
        residual: *const core::ffi::c_char,
        aname: krb5_const_principal,
        lname_out: *mut *mut core::ffi::c_char,
    ) -> krb5_error_code,
>;
pub type krb5_localauth_free_string_fn = ::core::option::Option<
    unsafe extern "C" fn(context: krb5_context, data: krb5_localauth_moddata, str_: *mut core::ffi::c_char),
>;
#[repr(C)]
pub struct krb5_localauth_vtable_st {
    pub name: *const core::ffi::c_char,
    pub an2ln_types: *mut *const core::ffi::c_char,
    pub init: krb5_localauth_init_fn,
    pub fini: krb5_localauth_fini_fn,
    pub userok: krb5_localauth_userok_fn,
    pub an2ln: krb5_localauth_an2ln_fn,
    pub free_string: krb5_localauth_free_string_fn,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of krb5_localauth_vtable_st"][::core::mem::size_of::<krb5_localauth_vtable_st>() - 56usize];
    ["Alignment of krb5_localauth_vtable_st"][::core::mem::align_of::<krb5_localauth_vtable_st>() - 8usize];
    ["Offset of field: krb5_localauth_vtable_st::name"]
        [::core::mem::offset_of!(krb5_localauth_vtable_st, name) - 0usize];
    ["Offset of field: krb5_localauth_vtable_st::an2ln_types"]
        [::core::mem::offset_of!(krb5_localauth_vtable_st, an2ln_types) - 8usize];
    ["Offset of field: krb5_localauth_vtable_st::init"]
        [::core::mem::offset_of!(krb5_localauth_vtable_st, init) - 16usize];
    ["Offset of field: krb5_localauth_vtable_st::fini"]
        [::core::mem::offset_of!(krb5_localauth_vtable_st, fini) - 24usize];
    ["Offset of field: krb5_localauth_vtable_st::userok"]
        [::core::mem::offset_of!(krb5_localauth_vtable_st, userok) - 32usize];
    ["Offset of field: krb5_localauth_vtable_st::an2ln"]
        [::core::mem::offset_of!(krb5_localauth_vtable_st, an2ln) - 40usize];
    ["Offset of field: krb5_localauth_vtable_st::free_string"]
        [::core::mem::offset_of!(krb5_localauth_vtable_st, free_string) - 48usize];
};
pub type krb5_localauth_vtable = *mut krb5_localauth_vtable_st;
#[repr(C)]
#[derive(Debug)]
pub struct krb5_ccselect_moddata_st {
    _unused: [u8; 0],
}
pub type krb5_ccselect_moddata = *mut krb5_ccselect_moddata_st;
pub type krb5_ccselect_init_fn = ::core::option::Option<
    unsafe extern "C" fn(
        context: krb5_context,
        data_out: *mut krb5_ccselect_moddata,
        priority_out: *mut core::ffi::c_int,
    ) -> krb5_error_code,
>;
pub type krb5_ccselect_choose_fn = ::core::option::Option<
    unsafe extern "C" fn(
        context: krb5_context,
        data: krb5_ccselect_moddata,
        server: krb5_principal,
        cache_out: *mut krb5_ccache,
        princ_out: *mut krb5_principal,
    ) -> krb5_error_code,
>;
pub type krb5_ccselect_fini_fn =
    ::core::option::Option<unsafe extern "C" fn(context: krb5_context, data: krb5_ccselect_moddata)>;
#[repr(C)]
pub struct krb5_ccselect_vtable_st {
    pub name: *const core::ffi::c_char,
    pub init: krb5_ccselect_init_fn,
    pub choose: krb5_ccselect_choose_fn,
    pub fini: krb5_ccselect_fini_fn,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of krb5_ccselect_vtable_st"][::core::mem::size_of::<krb5_ccselect_vtable_st>() - 32usize];
    ["Alignment of krb5_ccselect_vtable_st"][::core::mem::align_of::<krb5_ccselect_vtable_st>() - 8usize];
    ["Offset of field: krb5_ccselect_vtable_st::name"][::core::mem::offset_of!(krb5_ccselect_vtable_st, name) - 0usize];
    ["Offset of field: krb5_ccselect_vtable_st::init"][::core::mem::offset_of!(krb5_ccselect_vtable_st, init) - 8usize];
    ["Offset of field: krb5_ccselect_vtable_st::choose"]
        [::core::mem::offset_of!(krb5_ccselect_vtable_st, choose) - 16usize];
    ["Offset of field: krb5_ccselect_vtable_st::fini"]
        [::core::mem::offset_of!(krb5_ccselect_vtable_st, fini) - 24usize];
};
pub type krb5_ccselect_vtable = *mut krb5_ccselect_vtable_st;
#[repr(C)]
#[derive(Debug)]
pub struct krb5_kdcpolicy_moddata_st {
    _unused: [u8; 0],
}
pub type krb5_kdcpolicy_moddata = *mut krb5_kdcpolicy_moddata_st;
pub type krb5_kdcpolicy_init_fn = ::core::option::Option<
    unsafe extern "C" fn(context: krb5_context, data_out: *mut krb5_kdcpolicy_moddata) -> krb5_error_code,
>;
pub type krb5_kdcpolicy_fini_fn = ::core::option::Option<
    unsafe extern "C" fn(context: krb5_context, moddata: krb5_kdcpolicy_moddata) -> krb5_error_code,
>;
pub type krb5_kdcpolicy_check_as_fn = ::core::option::Option<
    unsafe extern "C" fn(
        context: krb5_context,
        moddata: krb5_kdcpolicy_moddata,
        request: *const krb5_kdc_req,
        client: *const _krb5_db_entry_new,
        server: *const _krb5_db_entry_new,
        auth_indicators: *const *const core::ffi::c_char,
        status: *mut *const core::ffi::c_char,
        lifetime_out: *mut krb5_deltat,
        renew_lifetime_out: *mut krb5_deltat,
    ) -> krb5_error_code,
>;
pub type krb5_kdcpolicy_check_tgs_fn = ::core::option::Option<
    unsafe extern "C" fn(
        context: krb5_context,
        moddata: krb5_kdcpolicy_moddata,
        request: *const krb5_kdc_req,
        server: *const _krb5_db_entry_new,
        ticket: *const krb5_ticket,
        auth_indicators: *const *const core::ffi::c_char,
        status: *mut *const core::ffi::c_char,
        lifetime_out: *mut krb5_deltat,
        renew_lifetime_out: *mut krb5_deltat,
    ) -> krb5_error_code,
>;
#[repr(C)]
pub struct krb5_kdcpolicy_vtable_st {
    pub name: *const core::ffi::c_char,
    pub init: krb5_kdcpolicy_init_fn,
    pub fini: krb5_kdcpolicy_fini_fn,
    pub check_as: krb5_kdcpolicy_check_as_fn,
    pub check_tgs: krb5_kdcpolicy_check_tgs_fn,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of krb5_kdcpolicy_vtable_st"][::core::mem::size_of::<krb5_kdcpolicy_vtable_st>() - 40usize];
    ["Alignment of krb5_kdcpolicy_vtable_st"][::core::mem::align_of::<krb5_kdcpolicy_vtable_st>() - 8usize];
    ["Offset of field: krb5_kdcpolicy_vtable_st::name"]
        [::core::mem::offset_of!(krb5_kdcpolicy_vtable_st, name) - 0usize];
    ["Offset of field: krb5_kdcpolicy_vtable_st::init"]
        [::core::mem::offset_of!(krb5_kdcpolicy_vtable_st, init) - 8usize];
    ["Offset of field: krb5_kdcpolicy_vtable_st::fini"]
        [::core::mem::offset_of!(krb5_kdcpolicy_vtable_st, fini) - 16usize];
    ["Offset of field: krb5_kdcpolicy_vtable_st::check_as"]
        [::core::mem::offset_of!(krb5_kdcpolicy_vtable_st, check_as) - 24usize];
    ["Offset of field: krb5_kdcpolicy_vtable_st::check_tgs"]
        [::core::mem::offset_of!(krb5_kdcpolicy_vtable_st, check_tgs) - 32usize];
};
pub type krb5_kdcpolicy_vtable = *mut krb5_kdcpolicy_vtable_st;
#[repr(C)]
#[derive(Debug)]
pub struct krb5_certauth_moddata_st {
    _unused: [u8; 0],
}
pub type krb5_certauth_moddata = *mut krb5_certauth_moddata_st;
pub type krb5_certauth_init_fn = ::core::option::Option<
    unsafe extern "C" fn(context: krb5_context, moddata_out: *mut krb5_certauth_moddata) -> krb5_error_code,
>;
pub type krb5_certauth_init_ex_fn = ::core::option::Option<
    unsafe extern "C" fn(
        context: krb5_context,
        realmlist: *const *const core::ffi::c_char,
        moddata_out: *mut krb5_certauth_moddata,
    ) -> krb5_error_code,
>;
pub type krb5_certauth_fini_fn =
    ::core::option::Option<unsafe extern "C" fn(context: krb5_context, moddata: krb5_certauth_moddata)>;
pub type krb5_certauth_authorize_fn = ::core::option::Option<
    unsafe extern "C" fn(
        context: krb5_context,
        moddata: krb5_certauth_moddata,
        cert: *const u8,
        cert_len: usize,
        princ: krb5_const_principal,
        opts: *const core::ffi::c_void,
        db_entry: *const _krb5_db_entry_new,
        authinds_out: *mut *mut *mut core::ffi::c_char,
    ) -> krb5_error_code,
>;
pub type krb5_certauth_free_indicator_fn = ::core::option::Option<
    unsafe extern "C" fn(context: krb5_context, moddata: krb5_certauth_moddata, authinds: *mut *mut core::ffi::c_char),
>;
#[repr(C)]
pub struct krb5_certauth_vtable_st {
    pub name: *const core::ffi::c_char,
    pub init: krb5_certauth_init_fn,
    pub fini: krb5_certauth_fini_fn,
    pub authorize: krb5_certauth_authorize_fn,
    pub free_ind: krb5_certauth_free_indicator_fn,
    pub init_ex: krb5_certauth_init_ex_fn,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of krb5_certauth_vtable_st"][::core::mem::size_of::<krb5_certauth_vtable_st>() - 48usize];
    ["Alignment of krb5_certauth_vtable_st"][::core::mem::align_of::<krb5_certauth_vtable_st>() - 8usize];
    ["Offset of field: krb5_certauth_vtable_st::name"][::core::mem::offset_of!(krb5_certauth_vtable_st, name) - 0usize];
    ["Offset of field: krb5_certauth_vtable_st::init"][::core::mem::offset_of!(krb5_certauth_vtable_st, init) - 8usize];
    ["Offset of field: krb5_certauth_vtable_st::fini"]
        [::core::mem::offset_of!(krb5_certauth_vtable_st, fini) - 16usize];
    ["Offset of field: krb5_certauth_vtable_st::authorize"]
        [::core::mem::offset_of!(krb5_certauth_vtable_st, authorize) - 24usize];
    ["Offset of field: krb5_certauth_vtable_st::free_ind"]
        [::core::mem::offset_of!(krb5_certauth_vtable_st, free_ind) - 32usize];
    ["Offset of field: krb5_certauth_vtable_st::init_ex"]
        [::core::mem::offset_of!(krb5_certauth_vtable_st, init_ex) - 40usize];
};
pub type krb5_certauth_vtable = *mut krb5_certauth_vtable_st;
#[repr(C)]
#[derive(Debug)]
pub struct kadm5_hook_modinfo_st {
    _unused: [u8; 0],
}
pub type kadm5_hook_modinfo = kadm5_hook_modinfo_st;
#[repr(C)]
pub struct kadm5_hook_vtable_1_st {
    pub name: *const core::ffi::c_char,
    pub init: ::core::option::Option<
        unsafe extern "C" fn(arg1: krb5_context, modinfo: *mut *mut kadm5_hook_modinfo) -> kadm5_ret_t,
    >,
    pub fini: ::core::option::Option<unsafe extern "C" fn(arg1: krb5_context, modinfo: *mut kadm5_hook_modinfo)>,
    pub chpass: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: krb5_context,
            modinfo: *mut kadm5_hook_modinfo,
            stage: core::ffi::c_int,
            arg2: krb5_principal,
            keepold: krb5_boolean,
            n_ks_tuple: core::ffi::c_int,
            ks_tuple: *mut krb5_key_salt_tuple,
            newpass: *const core::ffi::c_char,
        ) -> kadm5_ret_t,
    >,
    pub create: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: krb5_context,
            arg2: *mut kadm5_hook_modinfo,
            stage: core::ffi::c_int,
            arg3: kadm5_principal_ent_t,
            mask: core::ffi::c_long,
            n_ks_tuple: core::ffi::c_int,
            ks_tuple: *mut krb5_key_salt_tuple,
            password: *const core::ffi::c_char,
        ) -> kadm5_ret_t,
    >,
    pub modify: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: krb5_context,
            arg2: *mut kadm5_hook_modinfo,
            stage: core::ffi::c_int,
            arg3: kadm5_principal_ent_t,
            mask: core::ffi::c_long,
        ) -> kadm5_ret_t,
    >,
    pub remove: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: krb5_context,
            modinfo: *mut kadm5_hook_modinfo,
            stage: core::ffi::c_int,
            arg2: krb5_principal,
        ) -> kadm5_ret_t,
    >,
    pub rename: ::core::option::Option<
        unsafe extern "C" fn(
            arg1: krb5_context,
            modinfo: *mut kadm5_hook_modinfo,
            stage: core::ffi::c_int,
            arg2: krb5_principal,
            arg3: krb5_principal,
        ) -> kadm5_ret_t,
    >,
    pub alias: ::core::option::Option<
        unsafe extern "C" fn(
            context: krb5_context,
            modinfo: *mut kadm5_hook_modinfo,
            stage: core::ffi::c_int,
            alias: krb5_principal,
            target: krb5_principal,
        ) -> kadm5_ret_t,
    >,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of kadm5_hook_vtable_1_st"][::core::mem::size_of::<kadm5_hook_vtable_1_st>() - 72usize];
    ["Alignment of kadm5_hook_vtable_1_st"][::core::mem::align_of::<kadm5_hook_vtable_1_st>() - 8usize];
    ["Offset of field: kadm5_hook_vtable_1_st::name"][::core::mem::offset_of!(kadm5_hook_vtable_1_st, name) - 0usize];
    ["Offset of field: kadm5_hook_vtable_1_st::init"][::core::mem::offset_of!(kadm5_hook_vtable_1_st, init) - 8usize];
    ["Offset of field: kadm5_hook_vtable_1_st::fini"][::core::mem::offset_of!(kadm5_hook_vtable_1_st, fini) - 16usize];
    ["Offset of field: kadm5_hook_vtable_1_st::chpass"]
        [::core::mem::offset_of!(kadm5_hook_vtable_1_st, chpass) - 24usize];
    ["Offset of field: kadm5_hook_vtable_1_st::create"]
        [::core::mem::offset_of!(kadm5_hook_vtable_1_st, create) - 32usize];
    ["Offset of field: kadm5_hook_vtable_1_st::modify"]
        [::core::mem::offset_of!(kadm5_hook_vtable_1_st, modify) - 40usize];
    ["Offset of field: kadm5_hook_vtable_1_st::remove"]
        [::core::mem::offset_of!(kadm5_hook_vtable_1_st, remove) - 48usize];
    ["Offset of field: kadm5_hook_vtable_1_st::rename"]
        [::core::mem::offset_of!(kadm5_hook_vtable_1_st, rename) - 56usize];
    ["Offset of field: kadm5_hook_vtable_1_st::alias"]
        [::core::mem::offset_of!(kadm5_hook_vtable_1_st, alias) - 64usize];
};
pub type kadm5_hook_vftable_1 = kadm5_hook_vtable_1_st;
#[repr(C)]
#[derive(Debug)]
pub struct kadm5_auth_moddata_st {
    _unused: [u8; 0],
}
pub type kadm5_auth_moddata = *mut kadm5_auth_moddata_st;
#[repr(C)]
pub struct kadm5_auth_restrictions {
    pub mask: core::ffi::c_long,
    pub require_attrs: krb5_flags,
    pub forbid_attrs: krb5_flags,
    pub princ_lifetime: krb5_deltat,
    pub pw_lifetime: krb5_deltat,
    pub max_life: krb5_deltat,
    pub max_renewable_life: krb5_deltat,
    pub policy: *mut core::ffi::c_char,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of kadm5_auth_restrictions"][::core::mem::size_of::<kadm5_auth_restrictions>() - 40usize];
    ["Alignment of kadm5_auth_restrictions"][::core::mem::align_of::<kadm5_auth_restrictions>() - 8usize];
    ["Offset of field: kadm5_auth_restrictions::mask"][::core::mem::offset_of!(kadm5_auth_restrictions, mask) - 0usize];
    ["Offset of field: kadm5_auth_restrictions::require_attrs"]
        [::core::mem::offset_of!(kadm5_auth_restrictions, require_attrs) - 8usize];
    ["Offset of field: kadm5_auth_restrictions::forbid_attrs"]
        [::core::mem::offset_of!(kadm5_auth_restrictions, forbid_attrs) - 12usize];
    ["Offset of field: kadm5_auth_restrictions::princ_lifetime"]
        [::core::mem::offset_of!(kadm5_auth_restrictions, princ_lifetime) - 16usize];
    ["Offset of field: kadm5_auth_restrictions::pw_lifetime"]
        [::core::mem::offset_of!(kadm5_auth_restrictions, pw_lifetime) - 20usize];
    ["Offset of field: kadm5_auth_restrictions::max_life"]
        [::core::mem::offset_of!(kadm5_auth_restrictions, max_life) - 24usize];
    ["Offset of field: kadm5_auth_restrictions::max_renewable_life"]
        [::core::mem::offset_of!(kadm5_auth_restrictions, max_renewable_life) - 28usize];
    ["Offset of field: kadm5_auth_restrictions::policy"]
        [::core::mem::offset_of!(kadm5_auth_restrictions, policy) - 32usize];
};
pub type kadm5_auth_init_fn = ::core::option::Option<
    unsafe extern "C" fn(
        context: krb5_context,
        acl_file: *const core::ffi::c_char,
        data_out: *mut kadm5_auth_moddata,
    ) -> krb5_error_code,
>;
pub type kadm5_auth_fini_fn =
    ::core::option::Option<unsafe extern "C" fn(context: krb5_context, data: kadm5_auth_moddata)>;
pub type kadm5_auth_addprinc_fn = ::core::option::Option<
    unsafe extern "C" fn(
        context: krb5_context,
        data: kadm5_auth_moddata,
        client: krb5_const_principal,
        target: krb5_const_principal,
        ent: *const _kadm5_principal_ent_t,
        mask: core::ffi::c_long,
        rs_out: *mut *mut kadm5_auth_restrictions,
    ) -> krb5_error_code,
>;
pub type kadm5_auth_modprinc_fn = ::core::option::Option<
    unsafe extern "C" fn(
        context: krb5_context,
        data: kadm5_auth_moddata,
        client: krb5_const_principal,
        target: krb5_const_principal,
        ent: *const _kadm5_principal_ent_t,
        mask: core::ffi::c_long,
        rs_out: *mut *mut kadm5_auth_restrictions,
    ) -> krb5_error_code,
>;
pub type kadm5_auth_setstr_fn = ::core::option::Option<
    unsafe extern "C" fn(
        context: krb5_context,
        data: kadm5_auth_moddata,
        client: krb5_const_principal,
        target: krb5_const_principal,
        key: *const core::ffi::c_char,
        value: *const core::ffi::c_char,
    ) -> krb5_error_code,
>;
pub type kadm5_auth_cpw_fn = ::core::option::Option<
    unsafe extern "C" fn(
        context: krb5_context,
        data: kadm5_auth_moddata,
        client: krb5_const_principal,
        target: krb5_const_principal,
    ) -> krb5_error_code,
>;
pub type kadm5_auth_chrand_fn = ::core::option::Option<
    unsafe extern "C" fn(
        context: krb5_context,
        data: kadm5_auth_moddata,
        client: krb5_const_principal,
        target: krb5_const_principal,
    ) -> krb5_error_code,
>;
pub type kadm5_auth_setkey_fn = ::core::option::Option<
    unsafe extern "C" fn(
        context: krb5_context,
        data: kadm5_auth_moddata,
        client: krb5_const_principal,
        target: krb5_const_principal,
    ) -> krb5_error_code,
>;
pub type kadm5_auth_purgekeys_fn = ::core::option::Option<
    unsafe extern "C" fn(
        context: krb5_context,
        data: kadm5_auth_moddata,
        client: krb5_const_principal,
        target: krb5_const_principal,
    ) -> krb5_error_code,
>;
pub type kadm5_auth_delprinc_fn = ::core::option::Option<
    unsafe extern "C" fn(
        context: krb5_context,
        data: kadm5_auth_moddata,
        client: krb5_const_principal,
        target: krb5_const_principal,
    ) -> krb5_error_code,
>;
pub type kadm5_auth_renprinc_fn = ::core::option::Option<
    unsafe extern "C" fn(
        context: krb5_context,
        data: kadm5_auth_moddata,
        client: krb5_const_principal,
        src: krb5_const_principal,
        dest: krb5_const_principal,
    ) -> krb5_error_code,
>;
pub type kadm5_auth_getprinc_fn = ::core::option::Option<
    unsafe extern "C" fn(
        context: krb5_context,
        data: kadm5_auth_moddata,
        client: krb5_const_principal,
        target: krb5_const_principal,
    ) -> krb5_error_code,
>;
pub type kadm5_auth_getstrs_fn = ::core::option::Option<
    unsafe extern "C" fn(
        context: krb5_context,
        data: kadm5_auth_moddata,
        client: krb5_const_principal,
        target: krb5_const_principal,
    ) -> krb5_error_code,
>;
pub type kadm5_auth_extract_fn = ::core::option::Option<
    unsafe extern "C" fn(
        context: krb5_context,
        data: kadm5_auth_moddata,
        client: krb5_const_principal,
        target: krb5_const_principal,
    ) -> krb5_error_code,
>;
pub type kadm5_auth_listprincs_fn = ::core::option::Option<
    unsafe extern "C" fn(
        context: krb5_context,
        data: kadm5_auth_moddata,
        client: krb5_const_principal,
    ) -> krb5_error_code,
>;
pub type kadm5_auth_addpol_fn = ::core::option::Option<
    unsafe extern "C" fn(
        context: krb5_context,
        data: kadm5_auth_moddata,
        client: krb5_const_principal,
        policy: *const core::ffi::c_char,
        ent: *const _kadm5_policy_ent_t,
        mask: core::ffi::c_long,
    ) -> krb5_error_code,
>;
pub type kadm5_auth_modpol_fn = ::core::option::Option<
    unsafe extern "C" fn(
        context: krb5_context,
        data: kadm5_auth_moddata,
        client: krb5_const_principal,
        policy: *const core::ffi::c_char,
        ent: *const _kadm5_policy_ent_t,
        mask: core::ffi::c_long,
    ) -> krb5_error_code,
>;
pub type kadm5_auth_delpol_fn = ::core::option::Option<
    unsafe extern "C" fn(
        context: krb5_context,
        data: kadm5_auth_moddata,
        client: krb5_const_principal,
        policy: *const core::ffi::c_char,
    ) -> krb5_error_code,
>;
pub type kadm5_auth_getpol_fn = ::core::option::Option<
    unsafe extern "C" fn(
        context: krb5_context,
        data: kadm5_auth_moddata,
        client: krb5_const_principal,
        policy: *const core::ffi::c_char,
        client_policy: *const core::ffi::c_char,
    ) -> krb5_error_code,
>;
pub type kadm5_auth_listpols_fn = ::core::option::Option<
    unsafe extern "C" fn(
        context: krb5_context,
        data: kadm5_auth_moddata,
        client: krb5_const_principal,
    ) -> krb5_error_code,
>;
pub type kadm5_auth_iprop_fn = ::core::option::Option<
    unsafe extern "C" fn(
        context: krb5_context,
        data: kadm5_auth_moddata,
        client: krb5_const_principal,
    ) -> krb5_error_code,
>;
pub type kadm5_auth_addalias_fn = ::core::option::Option<
    unsafe extern "C" fn(
        context: krb5_context,
        data: kadm5_auth_moddata,
        client: krb5_const_principal,
        alias_princ: krb5_const_principal,
        target_princ: krb5_const_principal,
    ) -> krb5_error_code,
>;
pub type kadm5_auth_end_fn =
    ::core::option::Option<unsafe extern "C" fn(context: krb5_context, data: kadm5_auth_moddata)>;
pub type kadm5_auth_free_restrictions_fn = ::core::option::Option<
    unsafe extern "C" fn(context: krb5_context, data: kadm5_auth_moddata, rs: *mut kadm5_auth_restrictions),
>;
#[repr(C)]
pub struct kadm5_auth_vtable_st {
    pub name: *const core::ffi::c_char,
    pub init: kadm5_auth_init_fn,
    pub fini: kadm5_auth_fini_fn,
    pub addprinc: kadm5_auth_addprinc_fn,
    pub modprinc: kadm5_auth_modprinc_fn,
    pub setstr: kadm5_auth_setstr_fn,
    pub cpw: kadm5_auth_cpw_fn,
    pub chrand: kadm5_auth_chrand_fn,
    pub setkey: kadm5_auth_setkey_fn,
    pub purgekeys: kadm5_auth_purgekeys_fn,
    pub delprinc: kadm5_auth_delprinc_fn,
    pub renprinc: kadm5_auth_renprinc_fn,
    pub getprinc: kadm5_auth_getprinc_fn,
    pub getstrs: kadm5_auth_getstrs_fn,
    pub extract: kadm5_auth_extract_fn,
    pub listprincs: kadm5_auth_listprincs_fn,
    pub addpol: kadm5_auth_addpol_fn,
    pub modpol: kadm5_auth_modpol_fn,
    pub delpol: kadm5_auth_delpol_fn,
    pub getpol: kadm5_auth_getpol_fn,
    pub listpols: kadm5_auth_listpols_fn,
    pub iprop: kadm5_auth_iprop_fn,
    pub end: kadm5_auth_end_fn,
    pub free_restrictions: kadm5_auth_free_restrictions_fn,
    pub addalias: kadm5_auth_addalias_fn,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of kadm5_auth_vtable_st"][::core::mem::size_of::<kadm5_auth_vtable_st>() - 200usize];
    ["Alignment of kadm5_auth_vtable_st"][::core::mem::align_of::<kadm5_auth_vtable_st>() - 8usize];
    ["Offset of field: kadm5_auth_vtable_st::name"][::core::mem::offset_of!(kadm5_auth_vtable_st, name) - 0usize];
    ["Offset of field: kadm5_auth_vtable_st::init"][::core::mem::offset_of!(kadm5_auth_vtable_st, init) - 8usize];
    ["Offset of field: kadm5_auth_vtable_st::fini"][::core::mem::offset_of!(kadm5_auth_vtable_st, fini) - 16usize];
    ["Offset of field: kadm5_auth_vtable_st::addprinc"]
        [::core::mem::offset_of!(kadm5_auth_vtable_st, addprinc) - 24usize];
    ["Offset of field: kadm5_auth_vtable_st::modprinc"]
        [::core::mem::offset_of!(kadm5_auth_vtable_st, modprinc) - 32usize];
    ["Offset of field: kadm5_auth_vtable_st::setstr"][::core::mem::offset_of!(kadm5_auth_vtable_st, setstr) - 40usize];
    ["Offset of field: kadm5_auth_vtable_st::cpw"][::core::mem::offset_of!(kadm5_auth_vtable_st, cpw) - 48usize];
    ["Offset of field: kadm5_auth_vtable_st::chrand"][::core::mem::offset_of!(kadm5_auth_vtable_st, chrand) - 56usize];
    ["Offset of field: kadm5_auth_vtable_st::setkey"][::core::mem::offset_of!(kadm5_auth_vtable_st, setkey) - 64usize];
    ["Offset of field: kadm5_auth_vtable_st::purgekeys"]
        [::core::mem::offset_of!(kadm5_auth_vtable_st, purgekeys) - 72usize];
    ["Offset of field: kadm5_auth_vtable_st::delprinc"]
        [::core::mem::offset_of!(kadm5_auth_vtable_st, delprinc) - 80usize];
    ["Offset of field: kadm5_auth_vtable_st::renprinc"]
        [::core::mem::offset_of!(kadm5_auth_vtable_st, renprinc) - 88usize];
    ["Offset of field: kadm5_auth_vtable_st::getprinc"]
        [::core::mem::offset_of!(kadm5_auth_vtable_st, getprinc) - 96usize];
    ["Offset of field: kadm5_auth_vtable_st::getstrs"]
        [::core::mem::offset_of!(kadm5_auth_vtable_st, getstrs) - 104usize];
    ["Offset of field: kadm5_auth_vtable_st::extract"]
        [::core::mem::offset_of!(kadm5_auth_vtable_st, extract) - 112usize];
    ["Offset of field: kadm5_auth_vtable_st::listprincs"]
        [::core::mem::offset_of!(kadm5_auth_vtable_st, listprincs) - 120usize];
    ["Offset of field: kadm5_auth_vtable_st::addpol"][::core::mem::offset_of!(kadm5_auth_vtable_st, addpol) - 128usize];
    ["Offset of field: kadm5_auth_vtable_st::modpol"][::core::mem::offset_of!(kadm5_auth_vtable_st, modpol) - 136usize];
    ["Offset of field: kadm5_auth_vtable_st::delpol"][::core::mem::offset_of!(kadm5_auth_vtable_st, delpol) - 144usize];
    ["Offset of field: kadm5_auth_vtable_st::getpol"][::core::mem::offset_of!(kadm5_auth_vtable_st, getpol) - 152usize];
    ["Offset of field: kadm5_auth_vtable_st::listpols"]
        [::core::mem::offset_of!(kadm5_auth_vtable_st, listpols) - 160usize];
    ["Offset of field: kadm5_auth_vtable_st::iprop"][::core::mem::offset_of!(kadm5_auth_vtable_st, iprop) - 168usize];
    ["Offset of field: kadm5_auth_vtable_st::end"][::core::mem::offset_of!(kadm5_auth_vtable_st, end) - 176usize];
    ["Offset of field: kadm5_auth_vtable_st::free_restrictions"]
        [::core::mem::offset_of!(kadm5_auth_vtable_st, free_restrictions) - 184usize];
    ["Offset of field: kadm5_auth_vtable_st::addalias"]
        [::core::mem::offset_of!(kadm5_auth_vtable_st, addalias) - 192usize];
};
pub type kadm5_auth_vtable = *mut kadm5_auth_vtable_st;
#[repr(C)]
#[derive(Debug)]
pub struct krb5_kdcpreauth_rock_st {
    _unused: [u8; 0],
}
pub type krb5_kdcpreauth_rock = *mut krb5_kdcpreauth_rock_st;
#[repr(C)]
#[derive(Debug)]
pub struct krb5_kdcpreauth_moddata_st {
    _unused: [u8; 0],
}
pub type krb5_kdcpreauth_moddata = *mut krb5_kdcpreauth_moddata_st;
#[repr(C)]
#[derive(Debug)]
pub struct krb5_kdcpreauth_modreq_st {
    _unused: [u8; 0],
}
pub type krb5_kdcpreauth_modreq = *mut krb5_kdcpreauth_modreq_st;
#[repr(C)]
#[derive(Debug)]
pub struct verto_ctx {
    _unused: [u8; 0],
}
#[repr(C)]
pub struct krb5_kdcpreauth_callbacks_st {
    pub vers: core::ffi::c_int,
    pub max_time_skew:
        ::core::option::Option<unsafe extern "C" fn(context: krb5_context, rock: krb5_kdcpreauth_rock) -> krb5_deltat>,
    pub client_keys: ::core::option::Option<
        unsafe extern "C" fn(
            context: krb5_context,
            rock: krb5_kdcpreauth_rock,
            keys_out: *mut *mut krb5_keyblock,
        ) -> krb5_error_code,
    >,
    pub free_keys: ::core::option::Option<
        unsafe extern "C" fn(context: krb5_context, rock: krb5_kdcpreauth_rock, keys: *mut krb5_keyblock),
    >,
    pub request_body: ::core::option::Option<
        unsafe extern "C" fn(context: krb5_context, rock: krb5_kdcpreauth_rock) -> *mut krb5_data,
    >,
    pub fast_armor: ::core::option::Option<
        unsafe extern "C" fn(context: krb5_context, rock: krb5_kdcpreauth_rock) -> *mut krb5_keyblock,
    >,
    pub get_string: ::core::option::Option<
        unsafe extern "C" fn(
            context: krb5_context,
            rock: krb5_kdcpreauth_rock,
            key: *const core::ffi::c_char,
            value_out: *mut *mut core::ffi::c_char,
        ) -> krb5_error_code,
    >,
    pub free_string: ::core::option::Option<
        unsafe extern "C" fn(context: krb5_context, rock: krb5_kdcpreauth_rock, string: *mut core::ffi::c_char),
    >,
    pub client_entry: ::core::option::Option<
        unsafe extern "C" fn(context: krb5_context, rock: krb5_kdcpreauth_rock) -> *mut core::ffi::c_void,
    >,
    pub event_context: ::core::option::Option<
        unsafe extern "C" fn(context: krb5_context, rock: krb5_kdcpreauth_rock) -> *mut verto_ctx,
    >,
    pub have_client_keys:
        ::core::option::Option<unsafe extern "C" fn(context: krb5_context, rock: krb5_kdcpreauth_rock) -> krb5_boolean>,
    pub client_keyblock: ::core::option::Option<
        unsafe extern "C" fn(context: krb5_context, rock: krb5_kdcpreauth_rock) -> *const krb5_keyblock,
    >,
    pub add_auth_indicator: ::core::option::Option<
        unsafe extern "C" fn(
            context: krb5_context,
            rock: krb5_kdcpreauth_rock,
            indicator: *const core::ffi::c_char,
        ) -> krb5_error_code,
    >,
    pub get_cookie: ::core::option::Option<
        unsafe extern "C" fn(
            context: krb5_context,
            rock: krb5_kdcpreauth_rock,
            pa_type: krb5_preauthtype,
            out: *mut krb5_data,
        ) -> krb5_boolean,
    >,
    pub set_cookie: ::core::option::Option<
        unsafe extern "C" fn(
            context: krb5_context,
            rock: krb5_kdcpreauth_rock,
            pa_type: krb5_preauthtype,
            data: *const krb5_data,
        ) -> krb5_error_code,
    >,
    pub match_client: ::core::option::Option<
        unsafe extern "C" fn(context: krb5_context, rock: krb5_kdcpreauth_rock, princ: krb5_principal) -> krb5_boolean,
    >,
    pub client_name: ::core::option::Option<
        unsafe extern "C" fn(context: krb5_context, rock: krb5_kdcpreauth_rock) -> krb5_principal,
    >,
    pub send_freshness_token:
        ::core::option::Option<unsafe extern "C" fn(context: krb5_context, rock: krb5_kdcpreauth_rock)>,
    pub check_freshness_token: ::core::option::Option<
        unsafe extern "C" fn(
            context: krb5_context,
            rock: krb5_kdcpreauth_rock,
            token: *const krb5_data,
        ) -> krb5_error_code,
    >,
    pub replace_reply_key: ::core::option::Option<
        unsafe extern "C" fn(
            context: krb5_context,
            rock: krb5_kdcpreauth_rock,
            key: *const krb5_keyblock,
            is_strengthen: krb5_boolean,
        ) -> krb5_error_code,
    >,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of krb5_kdcpreauth_callbacks_st"][::core::mem::size_of::<krb5_kdcpreauth_callbacks_st>() - 160usize];
    ["Alignment of krb5_kdcpreauth_callbacks_st"][::core::mem::align_of::<krb5_kdcpreauth_callbacks_st>() - 8usize];
    ["Offset of field: krb5_kdcpreauth_callbacks_st::vers"]
        [::core::mem::offset_of!(krb5_kdcpreauth_callbacks_st, vers) - 0usize];
    ["Offset of field: krb5_kdcpreauth_callbacks_st::max_time_skew"]
        [::core::mem::offset_of!(krb5_kdcpreauth_callbacks_st, max_time_skew) - 8usize];
    ["Offset of field: krb5_kdcpreauth_callbacks_st::client_keys"]
        [::core::mem::offset_of!(krb5_kdcpreauth_callbacks_st, client_keys) - 16usize];
    ["Offset of field: krb5_kdcpreauth_callbacks_st::free_keys"]
        [::core::mem::offset_of!(krb5_kdcpreauth_callbacks_st, free_keys) - 24usize];
    ["Offset of field: krb5_kdcpreauth_callbacks_st::request_body"]
        [::core::mem::offset_of!(krb5_kdcpreauth_callbacks_st, request_body) - 32usize];
    ["Offset of field: krb5_kdcpreauth_callbacks_st::fast_armor"]
        [::core::mem::offset_of!(krb5_kdcpreauth_callbacks_st, fast_armor) - 40usize];
    ["Offset of field: krb5_kdcpreauth_callbacks_st::get_string"]
        [::core::mem::offset_of!(krb5_kdcpreauth_callbacks_st, get_string) - 48usize];
    ["Offset of field: krb5_kdcpreauth_callbacks_st::free_string"]
        [::core::mem::offset_of!(krb5_kdcpreauth_callbacks_st, free_string) - 56usize];
    ["Offset of field: krb5_kdcpreauth_callbacks_st::client_entry"]
        [::core::mem::offset_of!(krb5_kdcpreauth_callbacks_st, client_entry) - 64usize];
    ["Offset of field: krb5_kdcpreauth_callbacks_st::event_context"]
        [::core::mem::offset_of!(krb5_kdcpreauth_callbacks_st, event_context) - 72usize];
    ["Offset of field: krb5_kdcpreauth_callbacks_st::have_client_keys"]
        [::core::mem::offset_of!(krb5_kdcpreauth_callbacks_st, have_client_keys) - 80usize];
    ["Offset of field: krb5_kdcpreauth_callbacks_st::client_keyblock"]
        [::core::mem::offset_of!(krb5_kdcpreauth_callbacks_st, client_keyblock) - 88usize];
    ["Offset of field: krb5_kdcpreauth_callbacks_st::add_auth_indicator"]
        [::core::mem::offset_of!(krb5_kdcpreauth_callbacks_st, add_auth_indicator) - 96usize];
    ["Offset of field: krb5_kdcpreauth_callbacks_st::get_cookie"]
        [::core::mem::offset_of!(krb5_kdcpreauth_callbacks_st, get_cookie) - 104usize];
    ["Offset of field: krb5_kdcpreauth_callbacks_st::set_cookie"]
        [::core::mem::offset_of!(krb5_kdcpreauth_callbacks_st, set_cookie) - 112usize];
    ["Offset of field: krb5_kdcpreauth_callbacks_st::match_client"]
        [::core::mem::offset_of!(krb5_kdcpreauth_callbacks_st, match_client) - 120usize];
    ["Offset of field: krb5_kdcpreauth_callbacks_st::client_name"]
        [::core::mem::offset_of!(krb5_kdcpreauth_callbacks_st, client_name) - 128usize];
    ["Offset of field: krb5_kdcpreauth_callbacks_st::send_freshness_token"]
        [::core::mem::offset_of!(krb5_kdcpreauth_callbacks_st, send_freshness_token) - 136usize];
    ["Offset of field: krb5_kdcpreauth_callbacks_st::check_freshness_token"]
        [::core::mem::offset_of!(krb5_kdcpreauth_callbacks_st, check_freshness_token) - 144usize];
    ["Offset of field: krb5_kdcpreauth_callbacks_st::replace_reply_key"]
        [::core::mem::offset_of!(krb5_kdcpreauth_callbacks_st, replace_reply_key) - 152usize];
};
pub type krb5_kdcpreauth_callbacks = *mut krb5_kdcpreauth_callbacks_st;
pub type krb5_kdcpreauth_init_fn = ::core::option::Option<
    unsafe extern "C" fn(
        context: krb5_context,
        moddata_out: *mut krb5_kdcpreauth_moddata,
        realmnames: *mut *const core::ffi::c_char,
    ) -> krb5_error_code,
>;
pub type krb5_kdcpreauth_fini_fn =
    ::core::option::Option<unsafe extern "C" fn(context: krb5_context, moddata: krb5_kdcpreauth_moddata)>;
pub type krb5_kdcpreauth_flags_fn =
    ::core::option::Option<unsafe extern "C" fn(context: krb5_context, pa_type: krb5_preauthtype) -> core::ffi::c_int>;
pub type krb5_kdcpreauth_edata_respond_fn = ::core::option::Option<
    unsafe extern "C" fn(arg: *mut core::ffi::c_void, code: krb5_error_code, pa: *mut krb5_pa_data),
>;
pub type krb5_kdcpreauth_edata_fn = ::core::option::Option<
    unsafe extern "C" fn(
        context: krb5_context,
        request: *mut krb5_kdc_req,
        cb: krb5_kdcpreauth_callbacks,
        rock: krb5_kdcpreauth_rock,
        moddata: krb5_kdcpreauth_moddata,
        pa_type: krb5_preauthtype,
        respond: krb5_kdcpreauth_edata_respond_fn,
        arg: *mut core::ffi::c_void,
    ),
>;
pub type krb5_kdcpreauth_verify_respond_fn = ::core::option::Option<
    unsafe extern "C" fn(
        arg: *mut core::ffi::c_void,
        code: krb5_error_code,
        modreq: krb5_kdcpreauth_modreq,
        e_data: *mut *mut krb5_pa_data,
        authz_data: *mut *mut krb5_authdata,
    ),
>;
pub type krb5_kdcpreauth_verify_fn = ::core::option::Option<
    unsafe extern "C" fn(
        context: krb5_context,
        req_pkt: *mut krb5_data,
        request: *mut krb5_kdc_req,
        enc_tkt_reply: *mut krb5_enc_tkt_part,
        data: *mut krb5_pa_data,
        cb: krb5_kdcpreauth_callbacks,
        rock: krb5_kdcpreauth_rock,
        moddata: krb5_kdcpreauth_moddata,
        respond: krb5_kdcpreauth_verify_respond_fn,
        arg: *mut core::ffi::c_void,
    ),
>;
pub type krb5_kdcpreauth_return_fn = ::core::option::Option<
    unsafe extern "C" fn(
        context: krb5_context,
        padata: *mut krb5_pa_data,
        req_pkt: *mut krb5_data,
        request: *mut krb5_kdc_req,
        reply: *mut krb5_kdc_rep,
        encrypting_key: *mut krb5_keyblock,
        send_pa_out: *mut *mut krb5_pa_data,
        cb: krb5_kdcpreauth_callbacks,
        rock: krb5_kdcpreauth_rock,
        moddata: krb5_kdcpreauth_moddata,
        modreq: krb5_kdcpreauth_modreq,
    ) -> krb5_error_code,
>;
pub type krb5_kdcpreauth_free_modreq_fn = ::core::option::Option<
    unsafe extern "C" fn(arg1: krb5_context, moddata: krb5_kdcpreauth_moddata, modreq: krb5_kdcpreauth_modreq),
>;
pub type krb5_kdcpreauth_loop_fn = ::core::option::Option<
    unsafe extern "C" fn(
        context: krb5_context,
        moddata: krb5_kdcpreauth_moddata,
        ctx: *mut verto_ctx,
    ) -> krb5_error_code,
>;
#[repr(C)]
pub struct krb5_kdcpreauth_vtable_st {
    pub name: *const core::ffi::c_char,
    pub pa_type_list: *mut krb5_preauthtype,
    pub init: krb5_kdcpreauth_init_fn,
    pub fini: krb5_kdcpreauth_fini_fn,
    pub flags: krb5_kdcpreauth_flags_fn,
    pub edata: krb5_kdcpreauth_edata_fn,
    pub verify: krb5_kdcpreauth_verify_fn,
    pub return_padata: krb5_kdcpreauth_return_fn,
    pub free_modreq: krb5_kdcpreauth_free_modreq_fn,
    pub loop_: krb5_kdcpreauth_loop_fn,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of krb5_kdcpreauth_vtable_st"][::core::mem::size_of::<krb5_kdcpreauth_vtable_st>() - 80usize];
    ["Alignment of krb5_kdcpreauth_vtable_st"][::core::mem::align_of::<krb5_kdcpreauth_vtable_st>() - 8usize];
    ["Offset of field: krb5_kdcpreauth_vtable_st::name"]
        [::core::mem::offset_of!(krb5_kdcpreauth_vtable_st, name) - 0usize];
    ["Offset of field: krb5_kdcpreauth_vtable_st::pa_type_list"]
        [::core::mem::offset_of!(krb5_kdcpreauth_vtable_st, pa_type_list) - 8usize];
    ["Offset of field: krb5_kdcpreauth_vtable_st::init"]
        [::core::mem::offset_of!(krb5_kdcpreauth_vtable_st, init) - 16usize];
    ["Offset of field: krb5_kdcpreauth_vtable_st::fini"]
        [::core::mem::offset_of!(krb5_kdcpreauth_vtable_st, fini) - 24usize];
    ["Offset of field: krb5_kdcpreauth_vtable_st::flags"]
        [::core::mem::offset_of!(krb5_kdcpreauth_vtable_st, flags) - 32usize];
    ["Offset of field: krb5_kdcpreauth_vtable_st::edata"]
        [::core::mem::offset_of!(krb5_kdcpreauth_vtable_st, edata) - 40usize];
    ["Offset of field: krb5_kdcpreauth_vtable_st::verify"]
        [::core::mem::offset_of!(krb5_kdcpreauth_vtable_st, verify) - 48usize];
    ["Offset of field: krb5_kdcpreauth_vtable_st::return_padata"]
        [::core::mem::offset_of!(krb5_kdcpreauth_vtable_st, return_padata) - 56usize];
    ["Offset of field: krb5_kdcpreauth_vtable_st::free_modreq"]
        [::core::mem::offset_of!(krb5_kdcpreauth_vtable_st, free_modreq) - 64usize];
    ["Offset of field: krb5_kdcpreauth_vtable_st::loop_"]
        [::core::mem::offset_of!(krb5_kdcpreauth_vtable_st, loop_) - 72usize];
};
pub type krb5_kdcpreauth_vtable = *mut krb5_kdcpreauth_vtable_st;
#[repr(C)]
#[derive(Debug)]
pub struct krb5_clpreauth_rock_st {
    _unused: [u8; 0],
}
pub type krb5_clpreauth_rock = *mut krb5_clpreauth_rock_st;
#[repr(C)]
#[derive(Debug)]
pub struct krb5_clpreauth_moddata_st {
    _unused: [u8; 0],
}
pub type krb5_clpreauth_moddata = *mut krb5_clpreauth_moddata_st;
#[repr(C)]
#[derive(Debug)]
pub struct krb5_clpreauth_modreq_st {
    _unused: [u8; 0],
}
pub type krb5_clpreauth_modreq = *mut krb5_clpreauth_modreq_st;
#[repr(C)]
pub struct krb5_clpreauth_callbacks_st {
    pub vers: core::ffi::c_int,
    pub get_etype:
        ::core::option::Option<unsafe extern "C" fn(context: krb5_context, rock: krb5_clpreauth_rock) -> krb5_enctype>,
    pub fast_armor: ::core::option::Option<
        unsafe extern "C" fn(context: krb5_context, rock: krb5_clpreauth_rock) -> *mut krb5_keyblock,
    >,
    pub get_as_key: ::core::option::Option<
        unsafe extern "C" fn(
            context: krb5_context,
            rock: krb5_clpreauth_rock,
            keyblock: *mut *mut krb5_keyblock,
        ) -> krb5_error_code,
    >,
    pub set_as_key: ::core::option::Option<
        unsafe extern "C" fn(
            context: krb5_context,
            rock: krb5_clpreauth_rock,
            keyblock: *const krb5_keyblock,
        ) -> krb5_error_code,
    >,
    pub get_preauth_time: ::core::option::Option<
        unsafe extern "C" fn(
            context: krb5_context,
            rock: krb5_clpreauth_rock,
            allow_unauth_time: krb5_boolean,
            time_out: *mut krb5_timestamp,
            usec_out: *mut krb5_int32,
        ) -> krb5_error_code,
    >,
    pub ask_responder_question: ::core::option::Option<
        unsafe extern "C" fn(
            context: krb5_context,
            rock: krb5_clpreauth_rock,
            question: *const core::ffi::c_char,
            challenge: *const core::ffi::c_char,
        ) -> krb5_error_code,
    >,
    pub get_responder_answer: ::core::option::Option<
        unsafe extern "C" fn(
            context: krb5_context,
            rock: krb5_clpreauth_rock,
            question: *const core::ffi::c_char,
        ) -> *const core::ffi::c_char,
    >,
    pub need_as_key: ::core::option::Option<unsafe extern "C" fn(context: krb5_context, rock: krb5_clpreauth_rock)>,
    pub get_cc_config: ::core::option::Option<
        unsafe extern "C" fn(
            context: krb5_context,
            rock: krb5_clpreauth_rock,
            key: *const core::ffi::c_char,
        ) -> *const core::ffi::c_char,
    >,
    pub set_cc_config: ::core::option::Option<
        unsafe extern "C" fn(
            context: krb5_context,
            rock: krb5_clpreauth_rock,
            key: *const core::ffi::c_char,
            data: *const core::ffi::c_char,
        ) -> krb5_error_code,
    >,
    pub disable_fallback:
        ::core::option::Option<unsafe extern "C" fn(context: krb5_context, rock: krb5_clpreauth_rock)>,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of krb5_clpreauth_callbacks_st"][::core::mem::size_of::<krb5_clpreauth_callbacks_st>() - 96usize];
    ["Alignment of krb5_clpreauth_callbacks_st"][::core::mem::align_of::<krb5_clpreauth_callbacks_st>() - 8usize];
    ["Offset of field: krb5_clpreauth_callbacks_st::vers"]
        [::core::mem::offset_of!(krb5_clpreauth_callbacks_st, vers) - 0usize];
    ["Offset of field: krb5_clpreauth_callbacks_st::get_etype"]
        [::core::mem::offset_of!(krb5_clpreauth_callbacks_st, get_etype) - 8usize];
    ["Offset of field: krb5_clpreauth_callbacks_st::fast_armor"]
        [::core::mem::offset_of!(krb5_clpreauth_callbacks_st, fast_armor) - 16usize];
    ["Offset of field: krb5_clpreauth_callbacks_st::get_as_key"]
        [::core::mem::offset_of!(krb5_clpreauth_callbacks_st, get_as_key) - 24usize];
    ["Offset of field: krb5_clpreauth_callbacks_st::set_as_key"]
        [::core::mem::offset_of!(krb5_clpreauth_callbacks_st, set_as_key) - 32usize];
    ["Offset of field: krb5_clpreauth_callbacks_st::get_preauth_time"]
        [::core::mem::offset_of!(krb5_clpreauth_callbacks_st, get_preauth_time) - 40usize];
    ["Offset of field: krb5_clpreauth_callbacks_st::ask_responder_question"]
        [::core::mem::offset_of!(krb5_clpreauth_callbacks_st, ask_responder_question) - 48usize];
    ["Offset of field: krb5_clpreauth_callbacks_st::get_responder_answer"]
        [::core::mem::offset_of!(krb5_clpreauth_callbacks_st, get_responder_answer) - 56usize];
    ["Offset of field: krb5_clpreauth_callbacks_st::need_as_key"]
        [::core::mem::offset_of!(krb5_clpreauth_callbacks_st, need_as_key) - 64usize];
    ["Offset of field: krb5_clpreauth_callbacks_st::get_cc_config"]
        [::core::mem::offset_of!(krb5_clpreauth_callbacks_st, get_cc_config) - 72usize];
    ["Offset of field: krb5_clpreauth_callbacks_st::set_cc_config"]
        [::core::mem::offset_of!(krb5_clpreauth_callbacks_st, set_cc_config) - 80usize];
    ["Offset of field: krb5_clpreauth_callbacks_st::disable_fallback"]
        [::core::mem::offset_of!(krb5_clpreauth_callbacks_st, disable_fallback) - 88usize];
};
pub type krb5_clpreauth_callbacks = *mut krb5_clpreauth_callbacks_st;
pub type krb5_clpreauth_init_fn = ::core::option::Option<
    unsafe extern "C" fn(context: krb5_context, moddata_out: *mut krb5_clpreauth_moddata) -> krb5_error_code,
>;
pub type krb5_clpreauth_fini_fn =
    ::core::option::Option<unsafe extern "C" fn(context: krb5_context, moddata: krb5_clpreauth_moddata)>;
pub type krb5_clpreauth_get_flags_fn =
    ::core::option::Option<unsafe extern "C" fn(context: krb5_context, pa_type: krb5_preauthtype) -> core::ffi::c_int>;
pub type krb5_clpreauth_request_init_fn = ::core::option::Option<
    unsafe extern "C" fn(
        context: krb5_context,
        moddata: krb5_clpreauth_moddata,
        modreq_out: *mut krb5_clpreauth_modreq,
    ),
>;
pub type krb5_clpreauth_request_fini_fn = ::core::option::Option<
    unsafe extern "C" fn(context: krb5_context, moddata: krb5_clpreauth_moddata, modreq: krb5_clpreauth_modreq),
>;
pub type krb5_clpreauth_prep_questions_fn = ::core::option::Option<
    unsafe extern "C" fn(
        context: krb5_context,
        moddata: krb5_clpreauth_moddata,
        modreq: krb5_clpreauth_modreq,
        opt: *mut krb5_get_init_creds_opt,
        cb: krb5_clpreauth_callbacks,
        rock: krb5_clpreauth_rock,
        request: *mut krb5_kdc_req,
        encoded_request_body: *mut krb5_data,
        encoded_previous_request: *mut krb5_data,
        pa_data: *mut krb5_pa_data,
    ) -> krb5_error_code,
>;
pub type krb5_clpreauth_process_fn = ::core::option::Option<
    unsafe extern "C" fn(
        context: krb5_context,
        moddata: krb5_clpreauth_moddata,
        modreq: krb5_clpreauth_modreq,
        opt: *mut krb5_get_init_creds_opt,
        cb: krb5_clpreauth_callbacks,
        rock: krb5_clpreauth_rock,
        request: *mut krb5_kdc_req,
        encoded_request_body: *mut krb5_data,
        encoded_previous_request: *mut krb5_data,
        pa_data: *mut krb5_pa_data,
        prompter: krb5_prompter_fct,
        prompter_data: *mut core::ffi::c_void,
        pa_data_out: *mut *mut *mut krb5_pa_data,
    ) -> krb5_error_code,
>;
pub type krb5_clpreauth_tryagain_fn = ::core::option::Option<
    unsafe extern "C" fn(
        context: krb5_context,
        moddata: krb5_clpreauth_moddata,
        modreq: krb5_clpreauth_modreq,
        opt: *mut krb5_get_init_creds_opt,
        cb: krb5_clpreauth_callbacks,
        rock: krb5_clpreauth_rock,
        request: *mut krb5_kdc_req,
        encoded_request_body: *mut krb5_data,
        encoded_previous_request: *mut krb5_data,
        pa_type: krb5_preauthtype,
        error: *mut krb5_error,
        error_padata: *mut *mut krb5_pa_data,
        prompter: krb5_prompter_fct,
        prompter_data: *mut core::ffi::c_void,
        pa_data_out: *mut *mut *mut krb5_pa_data,
    ) -> krb5_error_code,
>;
pub type krb5_clpreauth_supply_gic_opts_fn = ::core::option::Option<
    unsafe extern "C" fn(
        context: krb5_context,
        moddata: krb5_clpreauth_moddata,
        opt: *mut krb5_get_init_creds_opt,
        attr: *const core::ffi::c_char,
        value: *const core::ffi::c_char,
    ) -> krb5_error_code,
>;
#[repr(C)]
pub struct krb5_clpreauth_vtable_st {
    pub name: *const core::ffi::c_char,
    pub pa_type_list: *mut krb5_preauthtype,
    pub enctype_list: *mut krb5_enctype,
    pub init: krb5_clpreauth_init_fn,
    pub fini: krb5_clpreauth_fini_fn,
    pub flags: krb5_clpreauth_get_flags_fn,
    pub request_init: krb5_clpreauth_request_init_fn,
    pub request_fini: krb5_clpreauth_request_fini_fn,
    pub process: krb5_clpreauth_process_fn,
    pub tryagain: krb5_clpreauth_tryagain_fn,
    pub gic_opts: krb5_clpreauth_supply_gic_opts_fn,
    pub prep_questions: krb5_clpreauth_prep_questions_fn,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of krb5_clpreauth_vtable_st"][::core::mem::size_of::<krb5_clpreauth_vtable_st>() - 96usize];
    ["Alignment of krb5_clpreauth_vtable_st"][::core::mem::align_of::<krb5_clpreauth_vtable_st>() - 8usize];
    ["Offset of field: krb5_clpreauth_vtable_st::name"]
        [::core::mem::offset_of!(krb5_clpreauth_vtable_st, name) - 0usize];
    ["Offset of field: krb5_clpreauth_vtable_st::pa_type_list"]
        [::core::mem::offset_of!(krb5_clpreauth_vtable_st, pa_type_list) - 8usize];
    ["Offset of field: krb5_clpreauth_vtable_st::enctype_list"]
        [::core::mem::offset_of!(krb5_clpreauth_vtable_st, enctype_list) - 16usize];
    ["Offset of field: krb5_clpreauth_vtable_st::init"]
        [::core::mem::offset_of!(krb5_clpreauth_vtable_st, init) - 24usize];
    ["Offset of field: krb5_clpreauth_vtable_st::fini"]
        [::core::mem::offset_of!(krb5_clpreauth_vtable_st, fini) - 32usize];
    ["Offset of field: krb5_clpreauth_vtable_st::flags"]
        [::core::mem::offset_of!(krb5_clpreauth_vtable_st, flags) - 40usize];
    ["Offset of field: krb5_clpreauth_vtable_st::request_init"]
        [::core::mem::offset_of!(krb5_clpreauth_vtable_st, request_init) - 48usize];
    ["Offset of field: krb5_clpreauth_vtable_st::request_fini"]
        [::core::mem::offset_of!(krb5_clpreauth_vtable_st, request_fini) - 56usize];
    ["Offset of field: krb5_clpreauth_vtable_st::process"]
        [::core::mem::offset_of!(krb5_clpreauth_vtable_st, process) - 64usize];
    ["Offset of field: krb5_clpreauth_vtable_st::tryagain"]
        [::core::mem::offset_of!(krb5_clpreauth_vtable_st, tryagain) - 72usize];
    ["Offset of field: krb5_clpreauth_vtable_st::gic_opts"]
        [::core::mem::offset_of!(krb5_clpreauth_vtable_st, gic_opts) - 80usize];
    ["Offset of field: krb5_clpreauth_vtable_st::prep_questions"]
        [::core::mem::offset_of!(krb5_clpreauth_vtable_st, prep_questions) - 88usize];
};
pub type krb5_clpreauth_vtable = *mut krb5_clpreauth_vtable_st;
