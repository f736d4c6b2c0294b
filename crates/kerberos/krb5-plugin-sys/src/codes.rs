//! Error codes that plugins return, under MIT's names. The layout test compares each with the installed headers.

macro_rules! codes {
    ($($(#[doc = $doc:literal])* $name:ident = $value:literal;)*) => {
        $($(#[doc = $doc])* pub const $name: i32 = $value;)*
        /// All codes with their names.
        pub const ALL: &[(&str, i32)] = &[$((stringify!($name), $name)),*];
    };
}

codes! {
    /// The module defers to other modules.
    KRB5_PLUGIN_NO_HANDLE = -1765328135;
    /// The module does not support the requested version of the interface.
    KRB5_PLUGIN_VER_NOTSUPP = -1750600192;
    /// The module does not support the operation.
    KRB5_PLUGIN_OP_NOTSUPP = -1765328134;
    /// No local name for the principal.
    KRB5_LNAME_NOTRANS = -1765328208;
    /// No matching credential cache.
    KRB5_CC_NOTFOUND = -1765328243;
    /// Generic error.
    KRB5KRB_ERR_GENERIC = -1765328324;
    /// The KDC's policy rejects the request.
    KRB5KDC_ERR_POLICY = -1765328372;
    /// The KDC does not support a requested option.
    KRB5KDC_ERR_BADOPTION = -1765328371;
    /// A service that the KDC requires is not available.
    KRB5KDC_ERR_SVC_UNAVAILABLE = -1765328355;
    /// Preauthentication failed.
    KRB5KDC_ERR_PREAUTH_FAILED = -1765328360;
    /// More preauthentication data is required.
    KRB5KDC_ERR_MORE_PREAUTH_DATA_REQUIRED = -1765328293;
    /// The client is not in the database.
    KRB5KDC_ERR_C_PRINCIPAL_UNKNOWN = -1765328378;
    /// The client's entry has expired.
    KRB5KDC_ERR_NAME_EXP = -1765328383;
    /// The client's credentials are revoked.
    KRB5KDC_ERR_CLIENT_REVOKED = -1765328366;
    /// The client's password has expired.
    KRB5KDC_ERR_KEY_EXP = -1765328361;
    /// The certificate names a different client.
    KRB5KDC_ERR_CLIENT_NAME_MISMATCH = -1765328309;
    /// The certificate does not match the client.
    KRB5KDC_ERR_CERTIFICATE_MISMATCH = -1765328318;
    /// The certificate lacks the required extended key usage.
    KRB5KDC_ERR_INCONSISTENT_KEY_PURPOSE = -1765328307;
    /// The module authorizes the certificate, whose key is in hardware.
    KRB5_CERTAUTH_HWAUTH = -1750600180;
    /// The module has no opinion on the certificate, whose key is in hardware.
    KRB5_CERTAUTH_HWAUTH_PASS = -1750600179;
    /// The password is too short.
    KADM5_PASS_Q_TOOSHORT = 43787542;
    /// The password has too few character classes.
    KADM5_PASS_Q_CLASS = 43787543;
    /// The password is in a dictionary.
    KADM5_PASS_Q_DICT = 43787544;
    /// The password is too weak for another reason.
    KADM5_PASS_Q_GENERIC = 43787577;
    /// The principal or policy already exists in the database.
    KRB5_KDB_INUSE = -1780008447;
    /// A database record is truncated.
    KRB5_KDB_TRUNCATED_RECORD = -1780008439;
    /// No database is open.
    KRB5_KDB_DBNOTINITED = -1780008435;
    /// There is no master key.
    KRB5_KDB_NOMASTERKEY = -1780008432;
    /// The stash does not contain a readable master key.
    KRB5_KDB_CANTREAD_STORED = -1780008429;
    /// Another process has locked the database.
    KRB5_KDB_CANTLOCK_DB = -1780008424;
    /// The database is damaged.
    KRB5_KDB_DB_CORRUPT = -1780008423;
    /// The entry has no key of the requested type.
    KRB5_KDB_NO_MATCHING_KEY = -1780008417;
    /// The principal is not in the database.
    KRB5_KDB_NOENTRY = -1780008443;
    /// The database does not support the operation.
    KRB5_KDB_DBTYPE_NOSUP = -1780008415;
    /// An internal error occurred in the database.
    KRB5_KDB_INTERNAL_ERROR = -1780008411;
}
