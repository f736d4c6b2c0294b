//! Code shared by several commands: arguments, files, passphrases and output.

pub(crate) mod backend;
pub(crate) mod content;
pub(crate) mod credentials;
pub(crate) mod diagnostics;
pub(crate) mod files;
pub(crate) mod generated;
pub(crate) mod issuing;
pub(crate) mod key_formats;
pub(crate) mod keys;
pub(crate) mod modules;
pub(crate) mod moment;
pub(crate) mod mtc;
pub(crate) mod new_key;
pub(crate) mod offers;
pub(crate) mod outcome;
pub(crate) mod output;
pub(crate) mod parts;
pub(crate) mod passphrase;
pub(crate) mod remote;
pub(crate) mod rules;
pub(crate) mod rules_arg;
pub(crate) mod standing;
pub(crate) mod stop;
pub(crate) mod stores;
pub(crate) mod trust;
pub(crate) mod values;
