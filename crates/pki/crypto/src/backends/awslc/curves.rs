//! Curves that AWS-LC has no constants for, built from their parameters.
#![allow(unsafe_code, reason = "functions of C")]

use core::ptr::{NonNull, null_mut};
use std::sync::OnceLock;

use aws_lc_sys::{
    BN_value_one, EC_GROUP, EC_GROUP_free, EC_GROUP_new_curve_GFp, EC_GROUP_set_generator, EC_POINT_free, EC_POINT_new,
    EC_POINT_oct2point,
};
use tagwise_codec::text::hex;

use super::raw::{Number, done};
use crate::Curve;

/// A curve over a prime field with cofactor 1. Its parameters are in hexadecimal.
struct Parameters {
    curve: Curve,
    prime: &'static str,
    a: &'static str,
    b: &'static str,
    /// The base point in uncompressed form.
    base: &'static str,
    order: &'static str,
}

/// The parameters of the curves (SP 800-186 §3.2.1.1, RFC 5639 §3).
#[rustfmt::skip]
const PARAMETERS: &[Parameters] = &[
    Parameters { curve: Curve::P192, prime: "fffffffffffffffffffffffffffffffeffffffffffffffff", a: "fffffffffffffffffffffffffffffffefffffffffffffffc", b: "64210519e59c80e70fa7e9ab72243049feb8deecc146b9b1", base: "04188da80eb03090f67cbf20eb43a18800f4ff0afd82ff101207192b95ffc8da78631011ed6b24cdd573f977a11e794811", order: "ffffffffffffffffffffffff99def836146bc9b1b4d22831" },
    Parameters { curve: Curve::BrainpoolP160r1, prime: "e95e4a5f737059dc60dfc7ad95b3d8139515620f", a: "340e7be2a280eb74e2be61bada745d97e8f7c300", b: "1e589a8595423412134faa2dbdec95c8d8675e58", base: "04bed5af16ea3f6a4f62938c4631eb5af7bdbcdbc31667cb477a1a8ec338f94741669c976316da6321", order: "e95e4a5f737059dc60df5991d45029409e60fc09" },
    Parameters { curve: Curve::BrainpoolP160t1, prime: "e95e4a5f737059dc60dfc7ad95b3d8139515620f", a: "e95e4a5f737059dc60dfc7ad95b3d8139515620c", b: "7a556b6dae535b7b51ed2c4d7daa7a0b5c55f380", base: "04b199b13b9b34efc1397e64baeb05acc265ff2378add6718b7c7c1961f0991b842443772152c9e0ad", order: "e95e4a5f737059dc60df5991d45029409e60fc09" },
    Parameters { curve: Curve::BrainpoolP192r1, prime: "c302f41d932a36cda7a3463093d18db78fce476de1a86297", a: "6a91174076b1e0e19c39c031fe8685c1cae040e5c69a28ef", b: "469a28ef7c28cca3dc721d044f4496bcca7ef4146fbf25c9", base: "04c0a0647eaab6a48753b033c56cb0f0900a2f5c4853375fd614b690866abd5bb88b5f4828c1490002e6773fa2fa299b8f", order: "c302f41d932a36cda7a3462f9e9e916b5be8f1029ac4acc1" },
    Parameters { curve: Curve::BrainpoolP192t1, prime: "c302f41d932a36cda7a3463093d18db78fce476de1a86297", a: "c302f41d932a36cda7a3463093d18db78fce476de1a86294", b: "13d56ffaec78681e68f9deb43b35bec2fb68542e27897b79", base: "043ae9e58c82f63c30282e1fe7bbf43fa72c446af6f4618129097e2c5667c2223a902ab5ca449d0084b7e5b3de7ccc01c9", order: "c302f41d932a36cda7a3462f9e9e916b5be8f1029ac4acc1" },
    Parameters { curve: Curve::BrainpoolP224t1, prime: "d7c134aa264366862a18302575d1d787b09f075797da89f57ec8c0ff", a: "d7c134aa264366862a18302575d1d787b09f075797da89f57ec8c0fc", b: "4b337d934104cd7bef271bf60ced1ed20da14c08b3bb64f18a60888d", base: "046ab1e344ce25ff3896424e7ffe14762ecb49f8928ac0c76029b4d5800374e9f5143e568cd23f3f4d7c0d4b1e41c8cc0d1c6abd5f1a46db4c", order: "d7c134aa264366862a18302575d0fb98d116bc4b6ddebca3a5a7939f" },
    Parameters { curve: Curve::BrainpoolP256t1, prime: "a9fb57dba1eea9bc3e660a909d838d726e3bf623d52620282013481d1f6e5377", a: "a9fb57dba1eea9bc3e660a909d838d726e3bf623d52620282013481d1f6e5374", b: "662c61c430d84ea4fe66a7733d0b76b7bf93ebc4af2f49256ae58101fee92b04", base: "04a3e8eb3cc1cfe7b7732213b23a656149afa142c47aafbc2b79a191562e1305f42d996c823439c56d7f7b22e14644417e69bcb6de39d027001dabe8f35b25c9be", order: "a9fb57dba1eea9bc3e660a909d838d718c397aa3b561a6f7901e0e82974856a7" },
    Parameters { curve: Curve::BrainpoolP320t1, prime: "d35e472036bc4fb7e13c785ed201e065f98fcfa6f6f40def4f92b9ec7893ec28fcd412b1f1b32e27", a: "d35e472036bc4fb7e13c785ed201e065f98fcfa6f6f40def4f92b9ec7893ec28fcd412b1f1b32e24", b: "a7f561e038eb1ed560b3d147db782013064c19f27ed27c6780aaf77fb8a547ceb5b4fef422340353", base: "04925be9fb01afc6fb4d3e7d4990010f813408ab106c4f09cb7ee07868cc136fff3357f624a21bed5263ba3a7a27483ebf6671dbef7abb30ebee084e58a0b077ad42a5a0989d1ee71b1b9bc0455fb0d2c3", order: "d35e472036bc4fb7e13c785ed201e065f98fcfa5b68f12a32d482ec7ee8658e98691555b44c59311" },
    Parameters { curve: Curve::BrainpoolP384t1, prime: "8cb91e82a3386d280f5d6f7e50e641df152f7109ed5456b412b1da197fb71123acd3a729901d1a71874700133107ec53", a: "8cb91e82a3386d280f5d6f7e50e641df152f7109ed5456b412b1da197fb71123acd3a729901d1a71874700133107ec50", b: "7f519eada7bda81bd826dba647910f8c4b9346ed8ccdc64e4b1abd11756dce1d2074aa263b88805ced70355a33b471ee", base: "0418de98b02db9a306f2afcd7235f72a819b80ab12ebd653172476fecd462aabffc4ff191b946a5f54d8d0aa2f418808cc25ab056962d30651a114afd2755ad336747f93475b7a1fca3b88f2b6a208ccfe469408584dc2b2912675bf5b9e582928", order: "8cb91e82a3386d280f5d6f7e50e641df152f7109ed5456b31f166e6cac0425a7cf3ab6af6b7fc3103b883202e9046565" },
    Parameters { curve: Curve::BrainpoolP512t1, prime: "aadd9db8dbe9c48b3fd4e6ae33c9fc07cb308db3b3c9d20ed6639cca703308717d4d9b009bc66842aecda12ae6a380e62881ff2f2d82c68528aa6056583a48f3", a: "aadd9db8dbe9c48b3fd4e6ae33c9fc07cb308db3b3c9d20ed6639cca703308717d4d9b009bc66842aecda12ae6a380e62881ff2f2d82c68528aa6056583a48f0", b: "7cbbbcf9441cfab76e1890e46884eae321f70c0bcb4981527897504bec3e36a62bcdfa2304976540f6450085f2dae145c22553b465763689180ea2571867423e", base: "04640ece5c12788717b9c1ba06cbc2a6feba85842458c56dde9db1758d39c0313d82ba51735cdb3ea499aa77a7d6943a64f7a3f25fe26f06b51baa2696fa9035da5b534bd595f5af0fa2c892376c84ace1bb4e3019b71634c01131159cae03cee9d9932184beef216bd71df2dadf86a627306ecff96dbb8bace198b61e00f8b332", order: "aadd9db8dbe9c48b3fd4e6ae33c9fc07cb308db3b3c9d20ed6639cca70330870553e5c414ca92619418661197fac10471db1d381085ddaddb58796829ca90069" },
];

/// A group that is never freed.
struct Group(NonNull<EC_GROUP>);

// SAFETY: a group is only read once it is made, which threads may do at once (ec.h).
unsafe impl Send for Group {}
// SAFETY: as above.
unsafe impl Sync for Group {}

/// Returns the group of a curve, which is built on first use.
pub(super) fn group(curve: Curve) -> Option<NonNull<EC_GROUP>> {
    static GROUPS: [OnceLock<Option<Group>>; PARAMETERS.len()] = [const { OnceLock::new() }; PARAMETERS.len()];
    let at = PARAMETERS.iter().position(|parameters| parameters.curve == curve)?;
    let group = GROUPS.get(at)?.get_or_init(|| PARAMETERS.get(at)?.group());
    group.as_ref().map(|group| group.0)
}

impl Parameters {
    fn group(&self) -> Option<Group> {
        let number = |text: &str| Number::of(&hex::decode(text.as_bytes()).ok()?);
        let (prime, a, b, order) = (number(self.prime)?, number(self.a)?, number(self.b)?, number(self.order)?);
        let base = hex::decode(self.base.as_bytes()).ok()?;
        // SAFETY: all numbers are valid and copied. The point is freed here, and the group too if it is not complete.
        unsafe {
            let group = NonNull::new(EC_GROUP_new_curve_GFp(prime.as_ptr(), a.as_ptr(), b.as_ptr(), null_mut()))?;
            let point = EC_POINT_new(group.as_ptr());
            let complete = NonNull::new(point).and_then(|point| {
                done(EC_POINT_oct2point(group.as_ptr(), point.as_ptr(), base.as_ptr(), base.len(), null_mut()))?;
                done(EC_GROUP_set_generator(group.as_ptr(), point.as_ptr(), order.as_ptr(), BN_value_one()))
            });
            EC_POINT_free(point);
            if complete.is_none() {
                EC_GROUP_free(group.as_ptr());
            }
            complete.map(|()| Group(group))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_curve_has_a_group() {
        for curve in PARAMETERS.iter().map(|parameters| parameters.curve) {
            assert!(group(curve).is_some(), "{curve}");
            assert_eq!(group(curve), group(curve));
        }
    }
}
