//! The members of a JWK besides the key itself, such as its identifier and use (RFC 7517 §4).

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::value::RawValue;
use tagwise_crypto::Secret;

/// The members that another JWK keeps, private or public (RFC 7517 §4.2, §4.4, §4.5).
const KEPT: [&str; 3] = ["alg", "kid", "use"];

/// The members of keys, which every form has (RFC 7518 §6, RFC 8037 §2, draft-ietf-cose-dilithium).
const KEY: [&str; 14] = ["kty", "crv", "x", "y", "n", "e", "d", "p", "q", "dp", "dq", "qi", "pub", "priv"];

/// Borrowed values, so that no copy of a private key remains in memory.
type Object<'t> = BTreeMap<Cow<'t, str>, &'t RawValue>;

/// The members of a JWK besides the key.
pub(super) struct Members<'t>(Object<'t>);

impl<'t> Members<'t> {
    /// Reads the members of a JWK, or of the key with an identifier in a JWK set. Returns `None` for another form.
    pub(super) fn read(octets: &'t [u8], name: Option<&str>) -> Option<Self> {
        let object: Object<'t> = serde_json::from_slice(octets).ok()?;
        let is_named = |key: &Object<'t>| match (name, key.get("kid")) {
            (None, _) => true,
            (Some(name), Some(kid)) => serde_json::from_str::<String>(kid.get()).is_ok_and(|kid| kid == name),
            (Some(_), None) => false,
        };
        let mut members = match object.get("keys") {
            Some(keys) if !object.contains_key("kty") => {
                let keys: Vec<Object<'t>> = serde_json::from_str(keys.get()).ok()?;
                keys.into_iter().find(is_named)?
            }
            _ => object,
        };
        members.retain(|name, _| !KEY.contains(&&**name));
        Some(Self(members))
    }

    /// Adds the members that a JWK keeps to the text of another.
    pub(super) fn in_jwk(&self, text: &[u8]) -> Secret {
        let Some(end) = text.iter().rposition(|octet| *octet == b'}') else { return Secret::from(text) };
        let (before, after) = text.split_at(end);
        let mut kept = String::new();
        for (name, value) in self.0.iter().filter(|(name, _)| KEPT.contains(&&***name)) {
            // The algorithm of a post-quantum key is one of its own members.
            let member = format!("\"{name}\":");
            if !before.windows(member.len()).any(|part| part == member.as_bytes()) {
                kept.push_str(&format!(",{member}{}", value.get()));
            }
        }
        Secret::from([before, kept.as_bytes(), after].concat())
    }

    /// Returns the names of the members that get lost in another form.
    pub(super) fn lost(&self, is_jwk: bool, is_ssh: bool) -> Vec<&str> {
        // The comment of an SSH key is the identifier.
        let is_kept = |name: &str| is_jwk && KEPT.contains(&name) || is_ssh && name == "kid";
        self.0.keys().map(|name| &**name).filter(|name| !is_kept(name)).collect()
    }
}
