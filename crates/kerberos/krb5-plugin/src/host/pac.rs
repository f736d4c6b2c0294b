//! libkrb5 calls for PACs.

use core::marker::PhantomData;
use core::ptr::null_mut;
use core::slice;

use tagwise_krb5_plugin_sys::link;
use tagwise_krb5_plugin_sys::mit::{krb5_context, krb5_data, krb5_pac};

use super::context::{Context, data, done};
use crate::Result;

/// A PAC borrowed from the host for the duration of a call.
#[derive(Clone, Copy)]
pub(crate) struct Pac<'a> {
    context: krb5_context,
    pac: krb5_pac,
    call: PhantomData<&'a ()>,
}

impl<'a> Pac<'a> {
    /// Wraps a PAC, which may be null.
    ///
    /// # Safety
    ///
    /// The context and the PAC must be valid for `'a`.
    pub(crate) unsafe fn new(context: &Context<'_>, pac: krb5_pac) -> Option<Self> {
        (!pac.is_null()).then_some(Self { context: context.pointer(), pac, call: PhantomData })
    }

    pub(crate) fn pointer(&self) -> krb5_pac {
        self.pac
    }

    pub(crate) fn types(&self) -> Result<Vec<u32>> {
        let (mut count, mut types) = (0, null_mut());
        // SAFETY: context and PAC are valid, and an array that is returned has the count until it is freed.
        unsafe {
            done(link::krb5_pac_get_types(self.context, self.pac, &raw mut count, &raw mut types)?)?;
            let found = if types.is_null() { Vec::new() } else { slice::from_raw_parts(types, count).to_vec() };
            libc::free(types.cast());
            Ok(found)
        }
    }

    pub(crate) fn buffer(&self, kind: u32) -> Result<Vec<u8>> {
        let mut found = krb5_data { magic: 0, length: 0, data: null_mut() };
        // SAFETY: context and PAC are valid, and data that is returned has its length until it is freed.
        unsafe {
            done(link::krb5_pac_get_buffer(self.context, self.pac, kind, &raw mut found)?)?;
            let bytes = match found.data.is_null() {
                true => Vec::new(),
                false => slice::from_raw_parts(found.data.cast::<u8>(), found.length as usize).to_vec(),
            };
            link::krb5_free_data_contents(self.context, &raw mut found)?;
            Ok(bytes)
        }
    }

    pub(crate) fn add_buffer(&mut self, kind: u32, contents: &[u8]) -> Result<()> {
        let contents = data(contents)?;
        // SAFETY: context and PAC are valid, and the data is only read.
        done(unsafe { link::krb5_pac_add_buffer(self.context, self.pac, kind, &raw const contents) }?)
    }
}
