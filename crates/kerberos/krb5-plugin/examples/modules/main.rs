//! One module for each interface, in one shared object:
//!
//! ```text
//! [plugins]
//!  pwqual = { module = example:/path/to/libmodules.so }
//! ```
//!
//! Each call is also recorded in the file named by `TAGWISE_PLUGIN_TRACE`, so that a test can check what hosts call.
#![deny(unsafe_code)]

mod audit;
mod ccselect;
mod certauth;
mod clpreauth;
mod hostrealm;
mod kadm5_auth;
mod kadm5_hook;
mod kdcpolicy;
mod kdcpreauth;
mod localauth;
mod pwqual;
mod trace;

tagwise_krb5_plugin::krb5_plugin! {
    audit "example" => audit::Lines,
    ccselect "example" => ccselect::ByService,
    certauth "example" => certauth::Pinned,
    clpreauth "example" => clpreauth::Token,
    hostrealm "example" => hostrealm::Suffixes,
    kadm5_auth "example" => kadm5_auth::Deputies,
    kadm5_hook "example" => kadm5_hook::Journal,
    kdcpolicy "example" => kdcpolicy::Visitors,
    kdcpreauth "example" => kdcpreauth::Token,
    localauth "example" => localauth::Accounts,
    pwqual "example" => pwqual::NoNames,
}
