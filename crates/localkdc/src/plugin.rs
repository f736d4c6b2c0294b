//! The modules that the KDC loads.

mod audit;
mod kdb;

tagwise_krb5_plugin::krb5_plugin! {
    audit "localkdc" => audit::Lines,
}

tagwise_krb5_plugin::krb5_plugin! { kdb => kdb::Local }
