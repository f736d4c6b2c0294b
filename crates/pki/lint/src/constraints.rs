//! Name constraints (RFC 5280 §4.2.1.10).

use core::net::IpAddr;

use tagwise_codec::SeqOf;

use super::list;
use super::sink::Sink;
use super::syntax::{is_domain, is_fully_qualified, is_mailbox};
use super::walk::each;
use tagwise_x509::ext::{GeneralSubtree, IpSubnet, NameConstraints, SubtreeName};

const MINIMUM: u8 = 0x80;
const MAXIMUM: u8 = 0x81;

/// Checks each subtree.
pub(super) fn check(sink: &mut Sink, constraints: &NameConstraints<'_>) {
    for subtrees in [&constraints.permitted_subtrees, &constraints.excluded_subtrees].into_iter().flatten() {
        list_of(sink, subtrees);
    }
}

fn list_of(sink: &mut Sink, subtrees: &SeqOf<'_, GeneralSubtree<'_>>) {
    each(sink, subtrees.content(), subtrees.offset(), |sink, subtree: GeneralSubtree<'_>, item| {
        let at = item.offset;
        if subtree.minimum.get() != 0 {
            sink.find_at(&list::SUBTREE_MINIMUM, || item.component(MINIMUM));
        }
        if subtree.maximum.is_some() {
            sink.find_at(&list::SUBTREE_MAXIMUM, || item.component(MAXIMUM));
        }
        match subtree.base {
            SubtreeName::UniformResourceIdentifier(host) => {
                let fits = match host.as_bytes() {
                    // A single label may be a domain, but not a fully qualified host name.
                    [b'.', domain @ ..] => is_domain(domain),
                    host => is_fully_qualified(host),
                };
                if !fits {
                    sink.find(&list::SUBTREE_URI_HOST, at);
                }
            }
            SubtreeName::DnsName(name) => {
                // The empty name contains all names.
                let name = name.as_bytes();
                if !name.is_empty() && !is_domain(name) {
                    sink.find(&list::SUBTREE_NAME_FORM, at);
                }
            }
            SubtreeName::Rfc822Name(name) => {
                let name = name.as_bytes();
                let host = name.strip_prefix(b".").unwrap_or(name);
                if !name.is_empty() && !is_domain(host) && !is_mailbox(name) {
                    sink.find(&list::SUBTREE_NAME_FORM, at);
                }
            }
            SubtreeName::IpAddress(subnet) => range(sink, &subnet, at),
            SubtreeName::X400Address(_) | SubtreeName::EdiPartyName(_) | SubtreeName::RegisteredId(_) => {
                sink.find(&list::SUBTREE_FORM, at);
            }
            SubtreeName::OtherName(_) | SubtreeName::DirectoryName(_) => {}
        }
    });
}

/// Checks the mask of an IP address subtree. The decoder reports invalid lengths.
fn range(sink: &mut Sink, subnet: &IpSubnet<'_>, at: usize) {
    let outside = match (subnet.addr(), subnet.mask()) {
        (Some(IpAddr::V4(addr)), Some(IpAddr::V4(mask))) => addr.to_bits() & !mask.to_bits() != 0,
        (Some(IpAddr::V6(addr)), Some(IpAddr::V6(mask))) => addr.to_bits() & !mask.to_bits() != 0,
        _ => return,
    };
    if subnet.prefix_len().is_none() {
        sink.find(&list::SUBTREE_IP_MASK, at);
    } else if outside {
        sink.find(&list::SUBTREE_IP_HOST_BITS, at);
    }
}
