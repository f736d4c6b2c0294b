//! Flags of entries and calls, named as in `kdb.h`.

/// Attributes of a principal (`KRB5_KDB_*`).
pub mod attribute {
    /// Disallows postdated tickets.
    pub const DISALLOW_POSTDATED: u32 = 0x1;
    /// Disallows forwardable tickets.
    pub const DISALLOW_FORWARDABLE: u32 = 0x2;
    /// Disallows tickets obtained with a ticket-granting ticket.
    pub const DISALLOW_TGT_BASED: u32 = 0x4;
    /// Disallows renewable tickets.
    pub const DISALLOW_RENEWABLE: u32 = 0x8;
    /// Disallows proxiable tickets.
    pub const DISALLOW_PROXIABLE: u32 = 0x10;
    /// Disallows user-to-user tickets.
    pub const DISALLOW_DUP_SKEY: u32 = 0x20;
    /// Disallows all tickets.
    pub const DISALLOW_ALL_TIX: u32 = 0x40;
    /// Clients must preauthenticate.
    pub const REQUIRES_PRE_AUTH: u32 = 0x80;
    /// Clients must use hardware preauthentication.
    pub const REQUIRES_HW_AUTH: u32 = 0x100;
    /// The password must be changed.
    pub const REQUIRES_PWCHANGE: u32 = 0x200;
    /// Disallows tickets in which the principal is the service.
    pub const DISALLOW_SVR: u32 = 0x1000;
    /// The principal is the password-change service.
    pub const PWCHANGE_SERVICE: u32 = 0x2000;
    /// Clients may delegate to the service.
    pub const OK_AS_DELEGATE: u32 = 0x0010_0000;
    /// The service may request forwardable tickets for other users (S4U2Self).
    pub const OK_TO_AUTH_AS_DELEGATE: u32 = 0x0020_0000;
    /// The service does not require authorization data in its tickets.
    pub const NO_AUTH_DATA_REQUIRED: u32 = 0x0040_0000;
    /// Keys cannot be extracted.
    pub const LOCKDOWN_KEYS: u32 = 0x0080_0000;
}

/// Types of tagged data (`KRB5_TL_*`).
pub mod tl {
    /// The time of the last password change, as a 4-byte little-endian integer.
    pub const LAST_PWD_CHANGE: i16 = 0x1;
    /// The time and the principal of the entry's last modification.
    pub const MOD_PRINC: i16 = 0x2;
    /// kadmin's data: policy and key history.
    pub const KADM_DATA: i16 = 0x3;
    /// The version of the master key that encrypts the entry's keys.
    pub const MKVNO: i16 = 0x8;
    /// The versions of the master key, with their activation times.
    pub const ACTKVNO: i16 = 0x9;
    /// Master keys encrypted with earlier ones.
    pub const MKEY_AUX: i16 = 0xa;
    /// String attributes.
    pub const STRING_ATTRS: i16 = 0xb;
    /// The target of an alias (1.22).
    pub const ALIAS_TARGET: i16 = 0xc;
    /// The last unlock by an administrator.
    pub const LAST_ADMIN_UNLOCK: i16 = 0x700;
    /// An argument for the database module. It is not stored.
    pub const DB_ARGS: i16 = 0x7fff;
}

macro_rules! bits {
    ($(#[doc = $about:literal])* $name:ident { $($(#[doc = $doc:literal])* $flag:ident = $value:literal;)* }) => {
        $(#[doc = $about])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct $name(pub(crate) u32);

        impl $name {
            $($(#[doc = $doc])* pub const $flag: Self = Self($value);)*

            /// Returns whether all bits of `other` are set.
            #[must_use]
            pub const fn contains(self, other: Self) -> bool {
                self.0 & other.0 == other.0
            }

            /// Returns the union of both sets.
            #[must_use]
            pub const fn union(self, other: Self) -> Self {
                Self(self.0 | other.0)
            }

            /// Returns the bits.
            #[must_use]
            pub const fn bits(self) -> u32 {
                self.0
            }
        }
    };
}

bits! {
    /// Lookup flags (`KRB5_KDB_FLAG_*`).
    Flags {
        /// A referral to another realm may be returned.
        REFERRAL_OK = 0x10;
        /// The principal is a request's client.
        CLIENT = 0x40;
        /// A foreign principal may be mapped to a local one.
        MAP_PRINCIPALS = 0x80;
        /// The request is an S4U2Self request.
        PROTOCOL_TRANSITION = 0x100;
        /// The request is an S4U2Proxy request.
        CONSTRAINED_DELEGATION = 0x200;
        /// The request is a user-to-user request.
        USER_TO_USER = 0x800;
        /// The request's ticket was issued in another realm.
        CROSS_REALM = 0x1000;
        /// The ticket being issued is a referral.
        ISSUING_REFERRAL = 0x4000;
    }
}

bits! {
    /// Iteration flags (`KRB5_DB_ITER_*`).
    IterFlags {
        /// The visitor may change the database.
        WRITE = 0x1;
        /// Iterate in reverse order.
        REV = 0x2;
        /// Walk the tree instead of the leaf list, for damaged db2 files.
        RECURSE = 0x4;
    }
}

bits! {
    /// Lock modes (`KRB5_DB_LOCKMODE_*`).
    LockMode {
        /// Shared: others may read.
        SHARED = 0x1;
        /// Exclusive: no other locks are allowed.
        EXCLUSIVE = 0x2;
        /// Exclusive, and held even after the process ends.
        PERMANENT = 0x8;
    }
}

bits! {
    /// Methods that libkdb5 implements by default. The module's methods are called only if it [replaces](crate::kdb::Kdb::REPLACED) them.
    Replaced {
        /// No methods.
        NONE = 0;
        /// [`rename_principal`](crate::kdb::Kdb::rename_principal).
        RENAME_PRINCIPAL = 0x1;
        /// [`fetch_master_key`](crate::kdb::Kdb::fetch_master_key).
        FETCH_MASTER_KEY = 0x2;
        /// [`fetch_master_key_list`](crate::kdb::Kdb::fetch_master_key_list).
        FETCH_MASTER_KEY_LIST = 0x4;
        /// [`store_master_key_list`](crate::kdb::Kdb::store_master_key_list).
        STORE_MASTER_KEY_LIST = 0x8;
        /// [`dbe_search_enctype`](crate::kdb::Kdb::dbe_search_enctype).
        DBE_SEARCH_ENCTYPE = 0x10;
        /// [`change_pwd`](crate::kdb::Kdb::change_pwd).
        CHANGE_PWD = 0x20;
        /// [`decrypt_key_data`](crate::kdb::Kdb::decrypt_key_data).
        DECRYPT_KEY_DATA = 0x40;
        /// [`encrypt_key_data`](crate::kdb::Kdb::encrypt_key_data).
        ENCRYPT_KEY_DATA = 0x80;
        /// All methods.
        ALL = 0xff;
    }
}
