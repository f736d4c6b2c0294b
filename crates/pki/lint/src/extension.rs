//! Individual extensions: type, criticality, and positions.

use tagwise_codec::{Open, OpenType, Reader};

use super::list::Lint;
use super::sink::Sink;
use super::walk::{Element, each, value};
use tagwise_x509::cert::{Extension, Extensions};
use tagwise_x509::ext::{AuthorityKeyIdentifier, ExtensionValue};

/// An extension whose value is not yet decoded.
#[derive(Clone, Copy)]
pub(super) struct Ext<'a> {
    /// The content bytes of the extension's OID.
    pub(super) id: &'a [u8],
    pub(super) critical: bool,
    /// The complete Extension.
    pub(super) whole: Element<'a>,
    /// The content of the extension's OCTET STRING.
    pub(super) value: Element<'a>,
}

impl<'a> Ext<'a> {
    fn new(extension: &Extension<'a>, whole: Element<'a>) -> Self {
        let value: Open<'a, ExtensionValue<'a>> = extension.extn_value;
        let (bytes, offset) = (value.as_bytes(), value.offset());
        Self { id: extension.extn_id.as_bytes(), critical: extension.critical, whole, value: Element { bytes, offset } }
    }

    /// Reports a finding if the extension is critical, at the offset of `critical`.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn never_critical(&self, sink: &mut Sink, lint: &'static Lint) {
        if self.critical {
            sink.find_at(lint, || self.critical_offset());
        }
    }

    /// Reports a finding if the extension is not critical, at the offset of the extension.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn always_critical(&self, sink: &mut Sink, lint: &'static Lint) {
        if !self.critical {
            sink.find(lint, self.whole.offset);
        }
    }

    /// Reports a finding if an extension of an unknown type is critical.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn unknown_critical(&self, sink: &mut Sink, lint: &'static Lint) {
        if self.critical && !ExtensionValue::knows(self.id) {
            sink.find_at(lint, || self.critical_offset());
        }
    }

    #[cold]
    fn critical_offset(&self) -> usize {
        self.whole.component(0x01)
    }

    /// Decodes the value, except for the content of its lists.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn read<T: tagwise_codec::Decode<'a>>(&self, sink: &mut Sink) -> Option<T> {
        value(sink, self.value)
    }

    /// Checks that the value of an extension without its own lints decodes as its type.
    #[inline]
    pub(super) fn check(&self, sink: &mut Sink) {
        if !ExtensionValue::knows(self.id) {
            return;
        }
        let read = || {
            let mut reader = Reader::new(self.value.bytes)?.at_base(self.value.offset);
            ExtensionValue::check_open(&mut reader, self.id)?;
            reader.finish()
        };
        if let Err(fault) = read() {
            sink.fault(fault);
        }
    }

    /// Returns whether the extension, an authority key identifier, contains a keyIdentifier.
    #[inline]
    pub(super) fn has_key_identifier(&self, sink: &mut Sink) -> bool {
        // SEQUENCE { [0] octets } and nothing else, as nearly all of them are.
        if let [0x30, outer, 0x80, len, key @ ..] = self.value.bytes
            && *outer < 0x80
            && usize::from(*outer) == key.len() + 2
            && usize::from(*len) == key.len()
        {
            return true;
        }
        self.read::<AuthorityKeyIdentifier<'_>>(sink).is_some_and(|identifier| identifier.key_identifier.is_some())
    }
}

/// Iterates over extensions in order. Values that do not decode are reported under the lint `encoding`. The decoder has
/// already checked the enclosing `Extension` structures.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(super) fn extensions<'a>(
    sink: &mut Sink,
    list: &Extensions<'a>,
    encoding: &'static Lint,
    mut visit: impl FnMut(&mut Sink, Ext<'a>),
) {
    let list = list.as_seq_of();
    each(sink, list.content(), list.offset(), |sink, extension: Extension<'a>, whole| {
        sink.encodings(Some(encoding));
        visit(sink, Ext::new(&extension, whole));
        sink.encodings(None);
    });
}
