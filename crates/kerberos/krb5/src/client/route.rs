//! The path from a client's realm to a service's realm (RFC 4120 §1.2, §3.3.1), from `[capaths]` or the name hierarchy.

use crate::Credential;

use super::TgsOptions;

/// The maximum number of realms on a path.
const MAX_REALMS: usize = 16;

/// A path being traversed. From each realm, the path's last realm is tried first, then nearer ones, as in MIT's client.
#[derive(Debug)]
pub(super) struct Route {
    /// The initial ticket-granting ticket.
    pub(super) first: Credential,
    /// The remaining realms. The last one is the service's realm.
    ahead: Vec<Vec<u8>>,
    /// The index in `ahead` of the realm to request next.
    aim: usize,
}

impl Route {
    /// Returns the path to a service's realm. Returns `None` if `tgt` is already for that realm, if the request is on behalf of another
    /// user, or if it is for a ticket-granting ticket.
    pub(super) fn new(options: &TgsOptions, tgt: &Credential) -> Option<Self> {
        let (here, target) = (tgt.server.krbtgt_realm()?, options.server.realm());
        let is_plain = options.impersonation.is_none() && options.server.krbtgt_realm().is_none();
        if here == target || target.is_empty() || !is_plain {
            return None;
        }
        let client = tgt.client.realm();
        let named = options.capaths.iter().find(|(realm, _)| realm == client).map(|(_, between)| between.clone());
        let mut ahead = named.unwrap_or_else(|| hierarchy(client, target));
        ahead.push(target.to_vec());
        match ahead.iter().position(|realm| realm == here) {
            Some(at) => drop(ahead.drain(..=at)),
            None if here != client => ahead = vec![target.to_vec()],
            None => {}
        }
        if ahead.len() > MAX_REALMS {
            ahead = vec![target.to_vec()];
        }
        Some(Self { first: tgt.clone(), aim: ahead.len().checked_sub(1)?, ahead })
    }

    /// Returns the realm whose ticket-granting ticket to request next.
    pub(super) fn next(&self) -> Option<&[u8]> {
        self.ahead.get(self.aim).map(Vec::as_slice)
    }

    /// Selects a nearer realm as the target. Returns false if there is none.
    pub(super) const fn nearer(&mut self) -> bool {
        match self.aim.checked_sub(1) {
            Some(aim) => {
                self.aim = aim;
                true
            }
            None => false,
        }
    }

    /// Continues from the realm of the returned ticket, which may differ from the requested one. Returns true at the end of the
    /// path.
    pub(super) fn arrive(&mut self, realm: &[u8]) -> bool {
        match self.ahead.iter().position(|one| one == realm) {
            Some(at) => drop(self.ahead.drain(..=at)),
            None => self.ahead = self.ahead.pop().into_iter().collect(),
        }
        self.aim = self.ahead.len().saturating_sub(1);
        self.ahead.is_empty()
    }
}

/// Returns the realms between two realms in the name hierarchy: up to their closest common parent or to the root, and down again.
fn hierarchy(client: &[u8], target: &[u8]) -> Vec<Vec<u8>> {
    /// Returns a realm and its parents, beginning with the realm itself.
    fn above(realm: &[u8]) -> impl Iterator<Item = &[u8]> {
        core::iter::successors(Some(realm), |realm| {
            let dot = realm.iter().position(|byte| *byte == b'.')?;
            realm.get(dot + 1..)
        })
    }
    // X.500-style names have another hierarchy, which is not known to be used.
    if client.contains(&b'/') || target.contains(&b'/') {
        return Vec::new();
    }
    let common = above(client).find(|realm| above(target).any(|other| other == *realm));
    let is_below = |realm: &&[u8]| Some(*realm) != common;
    let up = above(client).take_while(is_below).map(<[u8]>::to_vec);
    let down: Vec<Vec<u8>> = above(target).take_while(is_below).map(<[u8]>::to_vec).collect();
    let all = up.chain(common.map(<[u8]>::to_vec)).chain(down.into_iter().rev());
    all.filter(|realm| realm != client && realm != target && !realm.is_empty()).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use crate::Principal;

    fn between(client: &str, target: &str) -> Vec<String> {
        let found = hierarchy(client.as_bytes(), target.as_bytes());
        found.into_iter().map(|realm| String::from_utf8(realm).unwrap()).collect()
    }

    #[test]
    fn the_hierarchy_of_names() {
        assert_eq!(between("ATHENA.MIT.EDU", "HACK.FOOBAR.COM"), ["MIT.EDU", "EDU", "COM", "FOOBAR.COM"]);
        assert_eq!(between("ATHENA.MIT.EDU", "CS.MIT.EDU"), ["MIT.EDU"]);
        assert_eq!(between("A.B.C", "C"), ["B.C"]);
        assert_eq!(between("C", "A.B.C"), ["B.C"]);
        assert_eq!(between("KRB.TEST", "OTHER.TEST"), ["TEST"]);
        assert!(between("A", "B").is_empty());
        assert!(between("/C=US/O=A", "B.C").is_empty());
    }

    fn route(client: &str, at: &str, target: &str, capaths: &[(&str, &[&str])]) -> Option<Route> {
        let server = Principal::parse(&format!("host/a@{target}"), None).unwrap();
        let mut options = TgsOptions::new(server);
        let owned = |list: &[&str]| list.iter().map(|realm| realm.as_bytes().to_vec()).collect::<Vec<_>>();
        options.capaths = capaths.iter().map(|(client, list)| (client.as_bytes().to_vec(), owned(list))).collect();
        let tgt = Credential {
            client: Principal::parse(&format!("alice@{client}"), None).unwrap(),
            server: Principal::krbtgt(at.as_bytes(), client.as_bytes()),
            enc_type: 18,
            key: tagwise_crypto::Secret::from(vec![1; 32]),
            auth_time: tagwise_pkix::UnixTime::EPOCH,
            start_time: tagwise_pkix::UnixTime::EPOCH,
            end_time: tagwise_pkix::UnixTime::EPOCH,
            renew_till: tagwise_pkix::UnixTime::EPOCH,
            is_skey: 0,
            flags: 0,
            addresses: Vec::new(),
            auth_data: Vec::new(),
            ticket: Vec::new(),
            second_ticket: Vec::new(),
        };
        Route::new(&options, &tgt)
    }

    #[test]
    fn the_last_realm_is_tried_first_then_nearer_ones() {
        let mut route = route("A.TEST", "A.TEST", "B.TEST", &[("A.TEST", &["X", "Y"])]).unwrap();
        assert_eq!(route.next(), Some(&b"B.TEST"[..]));
        assert!(route.nearer() && route.next() == Some(b"Y") && route.nearer() && route.next() == Some(b"X"));
        assert!(!route.nearer());
        assert!(!route.arrive(b"X"));
        assert_eq!(route.next(), Some(&b"B.TEST"[..]));
        // A realm that is not on the way: from there straight to the end.
        assert!(!route.arrive(b"Z") && route.next() == Some(b"B.TEST") && !route.nearer());
        assert!(route.arrive(b"B.TEST"));
    }

    #[test]
    fn ways_begin_where_the_client_is() {
        assert!(route("A", "A", "A", &[]).is_none() && route("A", "B", "B", &[]).is_none());
        let mut from_y = route("A", "Y", "B", &[("A", &["X", "Y", "Z"])]).unwrap();
        assert!(from_y.nearer() && from_y.next() == Some(b"Z") && !from_y.nearer());
        let mut direct = route("A", "A", "B", &[("A", &[])]).unwrap();
        assert!(direct.next() == Some(b"B") && !direct.nearer());
        let mut elsewhere = route("A", "Q", "B", &[("A", &["X"])]).unwrap();
        assert!(elsewhere.next() == Some(b"B") && !elsewhere.nearer());
    }
}
