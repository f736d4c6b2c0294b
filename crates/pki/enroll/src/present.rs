//! The present policy, which may allow less than when a request was accepted.

use tagwise_ca::{Requested, Row, Serial};
use tagwise_codec::Decode;
use tagwise_pkix::Certificate;

use crate::policy::Grant;
use crate::records::{Credential, Transaction};
use crate::refusal::{Kind, Refusal};
use crate::service::{Call, Client};

/// The grant by which a stored request is still allowed.
///
/// A removed secret is no obstacle: the operator decides about its pending requests.
pub(crate) fn grant(call: &mut Call<'_>, row: &Row<Transaction>, requested: &Requested) -> Result<Grant, Refusal> {
    let client = client(call, row.owner())?;
    let policy = &call.service.policy;
    if row.value.renewal && !policy.renewal {
        return Err(Refusal::unauthorized("the policy does not allow renewal"));
    }
    let protocol = row.id().split_once('-').map(|(protocol, _)| protocol);
    let usable = |grant: &&Grant| {
        row.value.grant.as_ref().is_none_or(|name| *name == grant.name)
            && grant.profile == row.value.profile
            && grant.protocols.iter().any(|own| Some(own.name()) == protocol)
            && (!row.value.by_authority || client.as_ref().is_some_and(|client| client.is_authority_of(grant)))
    };
    let mut last = Refusal::unauthorized("the policy no longer allows this request");
    for grant in policy.grants.iter().filter(usable) {
        let checked = grant.check_request(requested).and_then(|()| match &client {
            Some(Client::Certificate(record)) if !row.value.renewal => {
                if !grant.certificates.contains(&record.profile) {
                    return Err(Refusal::unauthorized("the policy has no grant for holders of this certificate"));
                }
                let certificate = Certificate::from_der(&record.der).map_err(Refusal::internal)?;
                if grant.registration_authority { Ok(()) } else { only_own(requested, &certificate) }
            }
            _ => Ok(()),
        });
        match checked {
            Ok(()) => return Ok(grant.clone()),
            Err(refusal) => last = refusal,
        }
    }
    Err(last)
}

/// The client of a stored request, or `None` if its secret was removed.
fn client(call: &mut Call<'_>, owner: &str) -> Result<Option<Client>, Refusal> {
    match owner.split_once('/') {
        Some(("certificate", serial)) => {
            let serial: Serial = serial.parse()?;
            let record = call.service.authority.find(&mut *call.records.store, &serial)?;
            if record.revocation.is_some() {
                return Err(Refusal::new(Kind::Revoked, "the client's certificate is revoked"));
            }
            Ok(Some(Client::Certificate(Box::new(record))))
        }
        Some(("secret", id)) => Ok(call.records.get::<Credential>(id)?.map(|row| Client::Secret(Box::new(row)))),
        _ => Err(Refusal::internal("a stored request has no client")),
    }
}

/// Names for comparison, regardless of order and, for DNS names, case.
pub(crate) fn sorted(requested: &Requested) -> Vec<String> {
    let mut names: Vec<String> = requested.names.iter().map(|name| name.to_string().to_ascii_lowercase()).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Checks that a request has no names besides those of the client's own certificate.
pub(crate) fn only_own(requested: &Requested, certificate: &Certificate<'_>) -> Result<(), Refusal> {
    let tbs = &certificate.tbs_certificate;
    let own = Requested::of_template(Vec::new(), &tbs.subject, tbs.extensions).map_err(Refusal::internal)?;
    let names = sorted(&own);
    if let Some(name) = requested.names.iter().find(|name| !names.contains(&name.to_string().to_ascii_lowercase())) {
        return Err(Refusal::unauthorized(format!("the client's certificate is not for the name {name}")));
    }
    let common_names = |requested: &Requested| -> Vec<String> {
        let subject = requested.subject.name();
        let all = subject.attributes().filter(|it| it.attr_type == tagwise_pkix::oids::COMMON_NAME);
        all.map(|it| tagwise_pkix::name::text(&it.value).unwrap_or_default().to_ascii_lowercase()).collect()
    };
    let (known, values) = (common_names(&own), own.names.iter().map(|name| name.value().to_ascii_lowercase()));
    let known: Vec<String> = known.into_iter().chain(values).collect();
    match common_names(requested).iter().all(|name| known.contains(name)) {
        true => Ok(()),
        false => Err(Refusal::unauthorized("the client's certificate is not for the common name")),
    }
}
