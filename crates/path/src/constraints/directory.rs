//! Distinguished names in constraints: a name and everything below it (RFC 5280 §4.2.1.10, compared by §7.1).

use tagwise_pkix::Name;

pub(super) fn is_within(name: &Name<'_>, base: &Name<'_>) -> bool {
    name.is_within(base)
}
