//! The modules loaded by the KDC.

mod audit;
mod below;
mod kdb;
mod otp_client;
mod otp_kdc;
mod refused;
mod stash;
mod store;

tagwise_krb5_plugin::krb5_plugin! {
    audit "localkdc" => audit::Lines,
    clpreauth "localkdc_otp" => otp_client::Otp,
    kdcpreauth "localkdc_otp" => otp_kdc::Otp,
}

tagwise_krb5_plugin::krb5_plugin! { kdb => kdb::Local }
