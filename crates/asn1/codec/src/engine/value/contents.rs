//! ENCODED BY (X.682 §11): strings that contain an encoding under rules named by an object identifier.

use crate::any::Any;
use crate::engine::canonical::{Target, Task, convert};
use crate::engine::components::Expect;
use crate::fault::Fault;
use crate::kind::FaultKind;
use crate::options::{Options, Session};
use crate::reader::Reader;
use crate::rule::RuleSet;
use crate::table::Type;

pub(crate) use crate::engine::contained::Encoding;

use super::Types;

/// The content of an OCTET STRING with ENCODED BY.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Contents<'x, 'a> {
    pub(crate) types: Types<'a>,
    /// The type, if CONTAINING specifies one.
    pub(crate) ty: Option<&'a Type>,
    pub(crate) encoding: Encoding,
    /// The budget and registered open types. The content may use any form that its own encoding rules permit. No other
    /// deviation is tolerated, because it could not be recorded.
    pub(crate) options: &'x Options<'x>,
}

impl Contents<'_, '_> {
    /// Checks bytes at an offset against their encoding rules and type. Unknown encoding rules are not checked.
    ///
    /// # Errors
    /// Returns the error found in the bytes.
    pub(crate) fn check(&self, octets: &[u8], offset: usize) -> Result<(), Fault> {
        let moved = |fault: Fault| fault.rebase(offset);
        let tables = self.types.tables();
        let task =
            |target, strict| Task { tables, expect: self.ty.map(Expect::of), target, strict, defaults: Task::DEFAULTS };
        let strict = self.options.rules(RuleSet::NONE);
        let basic = self.options.rules(RuleSet::BER_DEFINITE);
        match self.encoding {
            Encoding::Other => return Ok(()),
            Encoding::Distinguished => return self.decode(octets, &strict).map_err(moved),
            Encoding::Basic => {}
            // X.690 §9.
            Encoding::Canonical => {
                convert(&task(Target::Cer, true), octets, &strict).map_err(moved)?;
            }
        }
        let converted = convert(&task(Target::Der, false), octets, &basic).map_err(moved)?;
        self.decode(&converted.bytes, &strict).map_err(|fault| {
            let source = match fault.kind() {
                FaultKind::Missing | FaultKind::Truncated => converted.map.source_end(fault.offset()),
                _ => converted.map.source(fault.offset()),
            };
            moved(Fault::new(fault.kind(), source).with_detail(fault.detail()))
        })
    }

    /// Decodes and checks DER.
    fn decode(&self, octets: &[u8], options: &Options<'_>) -> Result<(), Fault> {
        let session = Session::new(*options);
        let mut reader = Reader::with_session(octets, &session)?;
        match self.ty {
            Some(ty) => super::decode::value(self.types, ty, &mut reader).map(|_| ())?,
            None => reader.read::<Any<'_>>().map(|_| ())?,
        }
        reader.finish()
    }
}
