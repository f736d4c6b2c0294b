//! Constraints on distinguished names: a name and everything below it (RFC 5280 §4.2.1.10, compared as in §7.1).

use tagwise_pkix::Name;

pub(super) fn is_within(name: &Name<'_>, base: &Name<'_>) -> bool {
    name.is_within(base)
}
