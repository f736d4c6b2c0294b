//! A database module whose misbehavior depends on the requested name, for testing that hosts survive it.
#![deny(unsafe_code)]
#![allow(clippy::panic, reason = "that is what it is for")]

use std::time::Duration;

use tagwise_codec::UnixTime;
use tagwise_krb5_plugin::kdb::*;
use tagwise_krb5_plugin::view::*;
use tagwise_krb5_plugin::{Error, Principal, Result, krb5_plugin};

struct Hostile {
    inner: Inner,
}

impl Drop for Hostile {
    fn drop(&mut self) {
        panic!("dropped");
    }
}

impl Kdb for Hostile {
    const REPLACED: Replaced = Replaced::DBE_SEARCH_ENCTYPE.union(Replaced::DECRYPT_KEY_DATA);

    fn inner(&self) -> Option<&Inner> {
        Some(&self.inner)
    }

    fn init_module(context: &Context<'_>, settings: &Settings<'_>) -> Result<Self> {
        Ok(Self { inner: Inner::open(context, settings, &settings.required(context, "inner")?)? })
    }

    fn create(context: &Context<'_>, settings: &Settings<'_>) -> Result<Self> {
        Ok(Self { inner: Inner::create(context, settings, &settings.required(context, "inner")?)? })
    }

    fn fini_module(&self, _: &Context<'_>) {
        panic!("fini_module");
    }

    fn fini_library() {
        panic!("fini_library");
    }

    fn get_principal(&self, _: &Context<'_>, name: PrincipalRef<'_>, flags: Flags) -> Result<Option<DbEntry>> {
        let entry = |change: fn(&mut DbEntry) -> Result<()>| {
            let alice = Principal::new(1, name.realm(), ["alice"]);
            let Some(mut entry) = self.inner.get_principal(&alice, flags)? else { return Ok(None) };
            change(&mut entry)?;
            Ok(Some(entry))
        };
        let garbage = |salttype, length| {
            let salt = Salt { salttype, data: vec![0xff; length] };
            KeyData::new(u16::MAX, 18, &[0xff; 70], Some(salt))
        };
        match name.components().next() {
            Some(b"panic") => panic!("get_principal"),
            Some(b"sleep") => {
                std::thread::sleep(Duration::from_secs(2));
                entry(|_| Ok(()))
            }
            Some(b"zero") => Err(Error::from(0)),
            // Nothing at all; nothing but a foreign name; nobody.
            Some(b"empty") => DbEntry::new(&Principal::new(1, "", [""; 0])).map(Some),
            Some(b"foreign") => DbEntry::new(&Principal::new(1, "ELSEWHERE.TEST", ["x"])).map(Some),
            Some(b"nobody") => entry(|entry| entry.set_principal(&Principal::new(-1, [0, 0xff], [[0_u8; 300]]))),
            // Keys that are none.
            Some(b"garbage") => match (garbage(4, 65535), garbage(99, 0)) {
                (Ok(one), Ok(other)) => {
                    let alice = Principal::new(1, name.realm(), ["garbage"]);
                    let mut entry = DbEntry::new(&alice)?;
                    entry.set_key_data(&[one, other])?;
                    Ok(Some(entry))
                }
                (error, _) => error.map(|_| None),
            },
            Some(b"short") => KeyData::new(1, 18, &[1], None).map(|_| None),
            // Data of MIT's types that is none of MIT's.
            Some(b"data") => entry(|entry| {
                entry.set_expiration(Some(UnixTime(i64::MAX)));
                entry.set_max_life(Duration::MAX);
                (1..0x0c).chain([0x100, 0x700]).try_for_each(|kind| match entry.set_tl_data(kind, &[0xff; 3]) {
                    Err(_) if kind == tl::MKEY_AUX => Ok(()),
                    other => other,
                })
            }),
            _ => self.inner.get_principal(name, flags),
        }
    }

    fn dbe_search_enctype(&self, _: &Context<'_>, search: &KeySearch<'_>) -> Result<usize> {
        match search.entry.string("search") {
            Some(b"behind") => Ok(usize::MAX),
            Some(b"again") => Ok(0),
            Some(b"panic") => panic!("dbe_search_enctype"),
            _ => self.inner.dbe_search_enctype(search),
        }
    }

    fn decrypt_key_data(&self, _: &Context<'_>, key: &Decrypt<'_>) -> Result<Decrypted> {
        match key.key_data.kvno() {
            // No key, and one of the wrong length.
            77 => Ok((None, None)),
            78 => Ok((Some(Keyblock::new(18, b"short")), Some(Salt { salttype: 99, data: vec![] }))),
            _ => self.inner.decrypt_key_data(key),
        }
    }

    fn check_policy_as(&self, _: &Context<'_>, check: &AsPolicy<'_>) -> Result<(), Denial> {
        match check.client.string("policy") {
            Some(b"panic") => panic!("check_policy_as"),
            Some(b"zero") => Err(Error::from(0).into()),
            _ => Ok(()),
        }
    }

    fn audit_as_req(&self, _: &Context<'_>, _: &AsAudit<'_>) {
        panic!("audit_as_req");
    }

    fn refresh_config(&self, _: &Context<'_>) {
        panic!("refresh_config");
    }

    fn iterate(
        &self,
        _: &Context<'_>,
        match_entry: Option<&std::ffi::CStr>,
        flags: IterFlags,
        visitor: &mut Visitor<'_>,
    ) -> Result<()> {
        self.inner.iterate(match_entry, flags, &mut |entry| {
            visitor(entry)?;
            panic!("in the middle of db2's iteration")
        })
    }

    fn issue_pac(&self, _: &Context<'_>, _: &IssuePac<'_>, new_pac: &mut NewPac<'_>) -> Result<Option<Vec<Vec<u8>>>> {
        new_pac.add_buffer(0x7002, &[])?;
        new_pac.add_buffer(0x7003, &vec![0xff; 1000])?;
        Ok(Some(vec![vec![], vec![0; 300], b"a".to_vec()]))
    }
}

krb5_plugin! { kdb => Hostile }
