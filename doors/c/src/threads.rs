//! Compile-time checks that threads may share the types that the header documents as shareable.

const fn shared<T: Send + Sync>() {}

const _: () = {
    shared::<crate::tagwise_buffer>();
    shared::<crate::tagwise_certificate>();
    shared::<crate::tagwise_crl>();
    shared::<crate::tagwise_crl_index>();
    shared::<crate::tagwise_error>();
    shared::<crate::tagwise_options>();
    shared::<crate::tagwise_request>();
};

#[cfg(feature = "full")]
const _: () = {
    shared::<crate::tagwise_anchors>();
    shared::<crate::tagwise_backend>();
    shared::<crate::tagwise_cms>();
    shared::<crate::tagwise_key>();
    shared::<crate::tagwise_ocsp_response>();
    shared::<crate::tagwise_path>();
    shared::<crate::tagwise_pkcs12>();
    shared::<crate::tagwise_policy>();
    shared::<crate::tagwise_pool>();
    shared::<crate::tagwise_schema>();
    shared::<crate::tagwise_timestamp>();
    shared::<crate::tagwise_unsigned>();
    shared::<crate::tagwise_value>();
};
