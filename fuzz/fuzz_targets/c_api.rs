//! The functions of libtagwise in any order: with nothing where that is allowed, with lengths of zero, with values that were entered and not
//! left. The first bytes say what is called, the rest is what is read.
#![no_main]

use std::mem::MaybeUninit;

use libfuzzer_sys::fuzz_target;
use tagwise_c::*;

/// The bytes that say what to do, and those that are read.
struct Script<'a> {
    orders: &'a [u8],
    input: &'a [u8],
}

impl<'a> Script<'a> {
    fn order(&mut self) -> Option<u8> {
        let (first, rest) = self.orders.split_first()?;
        self.orders = rest;
        Some(*first)
    }

    /// A part of the input: all of it, nothing, absent, or from somewhere on.
    fn bytes(&mut self) -> tagwise_bytes {
        match self.order() {
            None | Some(0) => tagwise_bytes::of(self.input),
            Some(1) => tagwise_bytes::NONE,
            Some(2) => tagwise_bytes::of(&[]),
            Some(skip) => tagwise_bytes::of(self.input.get(usize::from(skip - 3)..).unwrap_or_default()),
        }
    }

    fn tag(&mut self) -> u32 {
        let order = u32::from(self.order().unwrap_or(16));
        (order & 0xC0) << 24 | (order & 0x20) << 24 | order & 0x1F
    }
}

fn place<T>() -> MaybeUninit<T> {
    MaybeUninit::uninit()
}

/// Calls with a place for an error, looks at the error if there is one, and frees it.
macro_rules! call {
    ($function:ident($($argument:expr),*)) => {{
        let mut error = MaybeUninit::new(std::ptr::null_mut::<tagwise_error>());
        let result = $function($($argument,)* Some(&mut error));
        // SAFETY: It was NULL, or is an error that the function gave away.
        let error = unsafe { error.assume_init() };
        if !error.is_null() {
            // SAFETY: As above.
            let error = unsafe { Box::from_raw(error) };
            assert!(tagwise_error_get_kind(Some(&error)) != tagwise_error_kind::Internal);
            assert!(!tagwise_error_message(Some(&error)).is_null());
            tagwise_error_free(Some(error));
        }
        result
    }};
}

fn cursor(script: &mut Script<'_>, options: Option<&tagwise_options>) {
    let bytes = script.bytes();
    let mut cursor = match script.order() {
        Some(order) if order & 1 == 1 => call!(tagwise_cursor_new_ber(bytes, options)),
        _ => call!(tagwise_cursor_new(bytes, options)),
    };
    while let Some(order) = script.order() {
        let tag = script.tag();
        let on = cursor.as_deref_mut();
        match order % 20 {
            0 => drop(call!(tagwise_cursor_enter(on, tag))),
            1 => drop(call!(tagwise_cursor_leave(on))),
            2 => drop(call!(tagwise_cursor_leave_early(on))),
            3 => drop(call!(tagwise_cursor_skip(on))),
            4 => drop(call!(tagwise_cursor_peek(on.as_deref(), Some(&mut place())))),
            5 => drop(call!(tagwise_cursor_boolean(on, Some(&mut place())))),
            6 => drop(call!(tagwise_cursor_int64(on, None))),
            7 => drop(call!(tagwise_cursor_integer(on, Some(&mut place())))),
            8 => drop(call!(tagwise_cursor_oid(on, Some(&mut place())))),
            9 => drop(call!(tagwise_cursor_octets(on, Some(&mut place())))),
            10 => drop(call!(tagwise_cursor_bits(on, Some(&mut place()), None))),
            11 => tagwise_buffer_free(call!(tagwise_cursor_text(on))),
            12 => drop(call!(tagwise_cursor_time(on, Some(&mut place()), None))),
            13 => drop(call!(tagwise_cursor_null(on))),
            14 => drop(call!(tagwise_cursor_finish(on.as_deref()))),
            15 => drop(call!(tagwise_cursor_enumerated(on, None))),
            16 => drop(tagwise_cursor_at(on.as_deref(), tag)),
            17 => drop((tagwise_cursor_offset(on.as_deref()), tagwise_cursor_rest(on.as_deref()))),
            18 => drop(call!(tagwise_cursor_read_optional(on, tag, Some(&mut place())))),
            _ => {
                let mut element = place();
                if call!(tagwise_cursor_read(on, tag, Some(&mut element))) {
                    // SAFETY: The call succeeded.
                    let element = unsafe { element.assume_init_ref() };
                    call!(tagwise_element_real(Some(element), options, Some(&mut place())));
                    call!(tagwise_element_relative_oid(Some(element), options, None));
                    tagwise_buffer_free(call!(tagwise_element_text(Some(element), tag & 0x1F, options)));
                }
            }
        }
    }
    tagwise_cursor_free(cursor);
}

fn writer(script: &mut Script<'_>, options: Option<&tagwise_options>) {
    let mut writer = tagwise_writer_new(options);
    while let Some(order) = script.order() {
        let tag = script.tag();
        let bytes = script.bytes();
        let on = writer.as_deref_mut();
        match order % 16 {
            0 => call!(tagwise_writer_begin(on, tag)),
            1 => call!(tagwise_writer_end(on)),
            2 => call!(tagwise_writer_end_set(on)),
            3 => call!(tagwise_writer_end_set_of(on)),
            4 => call!(tagwise_writer_integer(on, tag, bytes)),
            5 => call!(tagwise_writer_oid(on, tag, bytes)),
            6 => call!(tagwise_writer_octets(on, tag, bytes)),
            7 => call!(tagwise_writer_bits(on, tag, bytes, order >> 4)),
            8 => call!(tagwise_writer_text(on, tag, u32::from(order >> 3), bytes)),
            9 => call!(tagwise_writer_encoded(on, bytes)),
            10 => call!(tagwise_writer_primitive(on, tag, bytes)),
            11 => call!(tagwise_writer_time(on, i64::from(tag) << 8)),
            12 => call!(tagwise_writer_generalized_time(on, tag, i64::from(tag), tag)),
            13 => call!(tagwise_writer_real(on, tag, f64::from_bits(u64::from(tag) << 20))),
            14 => call!(tagwise_writer_enumerated(on, tag, i64::from(tag))),
            _ => {
                tagwise_buffer_free(call!(tagwise_writer_finish(on)));
                true
            }
        };
    }
    tagwise_writer_free(writer);
}

fn values(script: &mut Script<'_>, options: Option<&tagwise_options>) {
    let bytes = script.bytes();
    let certificate = call!(tagwise_certificate_outline(bytes, options));
    // SAFETY: NULL, or a certificate that is freed below.
    let on = unsafe { certificate.as_ref() };
    let mut rest = tagwise_certificate_extensions(on);
    let mut extension = place();
    while call!(tagwise_extension_next(Some(&mut rest), options, Some(&mut extension))) {
        // SAFETY: The call succeeded.
        let extension = unsafe { extension.assume_init_ref() };
        for path in [c"", c"[0]", c"cA", c"keyCertSign"] {
            call!(tagwise_extension_get(Some(extension), path.as_ptr(), 0, options, Some(&mut place())));
        }
        let value = call!(tagwise_extension_decode(Some(extension), options));
        tagwise_buffer_free(call!(tagwise_value_json(value.as_deref())));
        tagwise_value_free(value);
    }
    let mut names = MaybeUninit::new(tagwise_bytes::NONE);
    call!(tagwise_certificate_names(on, Some(&mut names)));
    // SAFETY: It was absent bytes from the start.
    let mut names = unsafe { names.assume_init() };
    while call!(tagwise_general_name_next(Some(&mut names), options, Some(&mut place()))) {}
    tagwise_buffer_free(call!(tagwise_name_rfc4514(tagwise_certificate_subject(on))));
    tagwise_buffer_free(call!(tagwise_name_match_key(tagwise_certificate_issuer(on))));
    call!(tagwise_certificate_key_usage(on, Some(&mut place())));
    call!(tagwise_certificate_basic_constraints(on, None, None));
    tagwise_buffer_free(call!(tagwise_certificate_text(on)));
    tagwise_buffer_free(call!(tagwise_certificate_show(on, 0)));
    tagwise_certificate_free(tagwise_certificate_retain(on));
    tagwise_certificate_free(certificate);

    let crl = call!(tagwise_crl_outline(bytes, options));
    // SAFETY: NULL, or a CRL that is freed below, after its index.
    let on = unsafe { crl.as_ref() };
    let index = call!(tagwise_crl_index_new(on));
    let serial = script.bytes();
    call!(tagwise_crl_find(on, serial, Some(&mut place())));
    call!(tagwise_crl_index_find(index.as_deref(), serial, tagwise_crl_issuer(on), Some(&mut place())));
    let mut entries = tagwise_crl_entries(on);
    while call!(tagwise_crl_entry_next(Some(&mut entries), options, Some(&mut place()))) {}
    tagwise_crl_index_free(index);
    tagwise_crl_free(crl);

    let response = call!(tagwise_ocsp_response_read(bytes, options));
    // SAFETY: NULL, or a response that is freed below.
    let on = unsafe { response.as_ref() };
    let mut singles = MaybeUninit::new(tagwise_bytes::NONE);
    call!(tagwise_ocsp_response_singles(on, Some(&mut singles)));
    // SAFETY: It was absent bytes from the start.
    let mut singles = unsafe { singles.assume_init() };
    while call!(tagwise_ocsp_single_next(Some(&mut singles), options, Some(&mut place()))) {}
    call!(tagwise_ocsp_response_responder(on, Some(&mut place()), Some(&mut place())));
    tagwise_ocsp_response_free(response);

    let request = call!(tagwise_request_read(bytes, options));
    // SAFETY: NULL, or a request that is freed below.
    let on = unsafe { request.as_ref() };
    call!(tagwise_request_extensions(on, None));
    tagwise_certificate_builder_free(call!(tagwise_certificate_builder_for_request(on)));
    tagwise_request_free(request);
    tagwise_buffer_free(call!(tagwise_pkcs7_certificates(bytes)));
    tagwise_buffer_free(call!(tagwise_ber_to_der(bytes, std::ptr::null(), options, Some(&mut place()))));
    let mut text = bytes;
    while call!(tagwise_pem_next(Some(&mut text), options, Some(&mut place()))) {}
}

fuzz_target!(|data: &[u8]| {
    let Some((count, rest)) = data.split_first() else { return };
    let (orders, input) = rest.split_at(usize::from(*count).min(rest.len()));
    let mut script = Script { orders, input };
    let order = script.order().unwrap_or(0);
    let mut options = if order & 4 != 0 { tagwise_options_new() } else { None };
    if order & 8 != 0 {
        tagwise_options_allow_ber(options.as_deref_mut());
    }
    tagwise_options_set_depth(options.as_deref_mut(), order);
    match order % 3 {
        0 => cursor(&mut script, options.as_deref()),
        1 => writer(&mut script, options.as_deref()),
        _ => values(&mut script, options.as_deref()),
    }
    tagwise_options_free(options);
});
