//! A loadable extension of DuckDB: functions on encoded certificates, CRLs, requests, OCSP responses and CMS messages, and table
//! functions that read them from files.
//!
//! The columns are those of `tagwise-columns`. For each kind, there is a scalar function for each column, such as
//! `certificate_subject`, one for all columns as a structure, such as `certificate`, and a table function, such as `certificates`.

mod entry;
mod files;
mod function;
mod table;
