//! A database module that implements every method by delegating to the underlying database.
//!
//! Each call is recorded in the file named by `TAGWISE_PLUGIN_TRACE`, so that a test can check what hosts call.
#![deny(unsafe_code)]

#[path = "../modules/trace.rs"]
mod trace;

mod answers;
mod kdc;

use std::ffi::CStr;
use std::fmt::Display;

use tagwise_krb5_plugin::kdb::*;
use tagwise_krb5_plugin::view::*;
use tagwise_krb5_plugin::{Result, krb5_plugin};

fn called(method: &str, about: impl Display) {
    trace::called("kdb", method, about);
}

struct Whole {
    inner: Inner,
}

impl Kdb for Whole {
    const REPLACED: Replaced = Replaced::ALL;

    fn inner(&self) -> Option<&Inner> {
        Some(&self.inner)
    }

    fn init_library() -> Result<()> {
        called("init_library", "");
        Ok(())
    }

    fn fini_library() {
        called("fini_library", "");
    }

    fn init_module(context: &Context<'_>, settings: &Settings<'_>) -> Result<Self> {
        called("init_module", format!("{:?} {}", settings.server(), settings.read_only()));
        Ok(Self { inner: Inner::open(context, settings, &settings.required(context, "inner")?)? })
    }

    fn fini_module(&self, _: &Context<'_>) {
        called("fini_module", "");
    }

    fn create(context: &Context<'_>, settings: &Settings<'_>) -> Result<Self> {
        called("create", format!("{:?}", settings.db_args()));
        Ok(Self { inner: Inner::create(context, settings, &settings.required(context, "inner")?)? })
    }

    fn destroy(context: &Context<'_>, settings: &Settings<'_>) -> Result<()> {
        called("destroy", "");
        Inner::destroy(context, settings, &settings.required(context, "inner")?)
    }

    fn promote_db(&self, _: &Context<'_>, settings: &Settings<'_>) -> Result<()> {
        called("promote_db", "");
        self.inner.promote_db(settings)
    }

    fn lock(&self, _: &Context<'_>, mode: LockMode) -> Result<()> {
        called("lock", mode.contains(LockMode::EXCLUSIVE));
        self.inner.lock(mode)
    }

    fn unlock(&self, _: &Context<'_>) -> Result<()> {
        called("unlock", "");
        self.inner.unlock()
    }

    fn get_principal(&self, _: &Context<'_>, name: PrincipalRef<'_>, flags: Flags) -> Result<Option<DbEntry>> {
        called("get_principal", name);
        answers::aliased(&self.inner, name, flags)
    }

    fn put_principal(&self, _: &Context<'_>, entry: DbEntryRef<'_>, db_args: &[&CStr]) -> Result<()> {
        called("put_principal", format!("{entry:?} {:#x} {db_args:?}", entry.mask()));
        self.inner.put_principal(entry, db_args)
    }

    fn delete_principal(&self, _: &Context<'_>, name: PrincipalRef<'_>) -> Result<()> {
        called("delete_principal", name);
        self.inner.delete_principal(name)
    }

    fn rename_principal(&self, _: &Context<'_>, source: PrincipalRef<'_>, target: PrincipalRef<'_>) -> Result<()> {
        called("rename_principal", format!("{source} {target}"));
        self.inner.rename_principal(source, target)
    }

    fn iterate(
        &self,
        _: &Context<'_>,
        match_entry: Option<&CStr>,
        flags: IterFlags,
        visitor: &mut Visitor<'_>,
    ) -> Result<()> {
        called("iterate", format!("{match_entry:?}"));
        self.inner.iterate(match_entry, flags, visitor)
    }

    fn create_policy(&self, _: &Context<'_>, policy: &Policy) -> Result<()> {
        called("create_policy", format!("{:?}", policy.name));
        self.inner.create_policy(policy)
    }

    fn get_policy(&self, _: &Context<'_>, name: &CStr) -> Result<Option<Policy>> {
        called("get_policy", format!("{name:?}"));
        self.inner.get_policy(name)
    }

    fn put_policy(&self, _: &Context<'_>, policy: &Policy) -> Result<()> {
        called("put_policy", format!("{:?} {}", policy.name, policy.pw_min_length));
        self.inner.put_policy(policy)
    }

    fn iter_policy(&self, _: &Context<'_>, match_entry: Option<&CStr>, visitor: &mut PolicyVisitor<'_>) -> Result<()> {
        called("iter_policy", "");
        self.inner.iter_policy(match_entry, visitor)
    }

    fn delete_policy(&self, _: &Context<'_>, name: &CStr) -> Result<()> {
        called("delete_policy", format!("{name:?}"));
        self.inner.delete_policy(name)
    }

    fn fetch_master_key(
        &self,
        _: &Context<'_>,
        mname: PrincipalRef<'_>,
        kvno: Option<u32>,
        db_args: Option<&CStr>,
    ) -> Result<MasterKey> {
        called("fetch_master_key", mname);
        self.inner.fetch_master_key(mname, kvno, db_args)
    }

    fn fetch_master_key_list(
        &self,
        _: &Context<'_>,
        mname: PrincipalRef<'_>,
        key: KeyRef<'_>,
    ) -> Result<Vec<MasterKey>> {
        called("fetch_master_key_list", mname);
        self.inner.fetch_master_key_list(mname, key)
    }

    fn store_master_key_list(
        &self,
        _: &Context<'_>,
        db_arg: Option<&CStr>,
        mname: PrincipalRef<'_>,
        keys: &[MasterKey],
    ) -> Result<()> {
        called("store_master_key_list", keys.len());
        self.inner.store_master_key_list(db_arg, mname, keys)
    }

    fn dbe_search_enctype(&self, _: &Context<'_>, search: &KeySearch<'_>) -> Result<usize> {
        called("dbe_search_enctype", format!("{:?} {:?}", search.ktype, search.kvno));
        self.inner.dbe_search_enctype(search)
    }

    fn change_pwd(&self, _: &Context<'_>, change: &ChangePwd<'_>) -> Result<Keys> {
        called("change_pwd", format!("{:?} {}", change.entry, change.new_kvno));
        self.inner.change_pwd(change)
    }

    fn decrypt_key_data(&self, _: &Context<'_>, key: &Decrypt<'_>) -> Result<Decrypted> {
        called("decrypt_key_data", key.key_data.kvno());
        self.inner.decrypt_key_data(key)
    }

    fn encrypt_key_data(&self, _: &Context<'_>, key: &Encrypt<'_>) -> Result<KeyData> {
        called("encrypt_key_data", key.kvno);
        self.inner.encrypt_key_data(key)
    }

    fn check_transited_realms(&self, _: &Context<'_>, transited: &[u8], client: &[u8], server: &[u8]) -> Result<()> {
        let [transited, client, server] = [transited, client, server].map(String::from_utf8_lossy);
        called("check_transited_realms", format!("{transited:?} {client} {server}"));
        self.inner.check_transited_realms(transited.as_bytes(), client.as_bytes(), server.as_bytes())
    }

    fn check_policy_as(&self, _: &Context<'_>, check: &AsPolicy<'_>) -> Result<(), Denial> {
        called("check_policy_as", format!("{:?}", check.client));
        kdc::policy_as(check)?;
        self.inner.check_policy_as(check)
    }

    fn check_policy_tgs(&self, _: &Context<'_>, check: &TgsPolicy<'_>) -> Result<(), Denial> {
        called("check_policy_tgs", format!("{:?}", check.server));
        kdc::policy_tgs(check)?;
        self.inner.check_policy_tgs(check)
    }

    fn audit_as_req(&self, _: &Context<'_>, audit: &AsAudit<'_>) {
        let address = audit.remote_addr.and_then(AddressRef::ip);
        called("audit_as_req", format!("{:?} {} {address:?}", audit.client, audit.error_code));
        self.inner.audit_as_req(audit);
    }

    fn refresh_config(&self, _: &Context<'_>) {
        called("refresh_config", "");
        self.inner.refresh_config();
    }

    fn check_allowed_to_delegate(&self, _: &Context<'_>, delegation: &Delegation<'_>) -> Result<()> {
        called("check_allowed_to_delegate", format!("{:?} {:?}", delegation.server, delegation.proxy));
        kdc::delegates(delegation)
    }

    fn allowed_to_delegate_from(&self, _: &Context<'_>, delegation: &DelegationFrom<'_>) -> Result<()> {
        let pac = delegation.server_pac.is_some();
        called("allowed_to_delegate_from", format!("{} {:?} {pac}", delegation.server, delegation.proxy));
        kdc::delegates_from(delegation)
    }

    fn get_s4u_x509_principal(
        &self,
        _: &Context<'_>,
        client_cert: &[u8],
        principal: PrincipalRef<'_>,
        flags: Flags,
    ) -> Result<Option<DbEntry>> {
        called("get_s4u_x509_principal", format!("{} {principal}", client_cert.len()));
        answers::by_certificate(&self.inner, client_cert, principal, flags)
    }

    fn issue_pac(
        &self,
        _: &Context<'_>,
        issue: &IssuePac<'_>,
        new_pac: &mut NewPac<'_>,
    ) -> Result<Option<Vec<Vec<u8>>>> {
        let old = issue.old_pac.map(|pac| pac.buffer(kdc::BUFFER).unwrap_or_default());
        called("issue_pac", format!("{:?} {old:?}", issue.client));
        kdc::pac(issue, new_pac)
    }
}

krb5_plugin! { kdb => Whole }
