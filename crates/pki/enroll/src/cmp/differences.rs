//! The differences between a request and its certificate.

use tagwise_ca::Requested;
use tagwise_codec::Decode;
use tagwise_codec::text::base64;
use tagwise_pkix::Certificate;
use tagwise_pkix::crmf::CertRequest;

use super::fault::Fault;
use crate::records::Form;
use crate::refusal::Refusal;
use crate::service::Call;

/// The maximum number of differences in a response.
const MOST: usize = 16;

/// Describes each requested value that the certificate of a transaction does not contain, and each name that the profile added.
/// Without any, the status of the response is `accepted`, and otherwise `grantedWithMods` (RFC 9810 §5.2.3).
pub(super) fn differences(
    call: &mut Call<'_>,
    transaction: &str,
    certificate: &Certificate<'_>,
) -> Result<Vec<String>, Fault> {
    let Some(row) = call.transaction(transaction)? else { return Ok(Vec::new()) };
    let der = base64::decode(row.value.request.as_bytes()).map_err(|_| Refusal::internal("a stored request"))?;
    let requested = crate::issue::requested(call, row.value.form, &der)?;
    let tbs = &certificate.tbs_certificate;
    let missing = requested.not_taken(tbs).map_err(Refusal::internal)?;
    let mut list: Vec<String> = missing.iter().map(ToString::to_string).collect();
    let given = Requested::of_template(Vec::new(), &tbs.subject, tbs.extensions).map_err(Refusal::internal)?;
    let added = given.names.iter().filter(|name| !requested.names.contains(name));
    list.extend(added.map(|name| format!("name {name}: the profile adds it")));
    if row.value.form == Form::Crmf {
        let request = CertRequest::from_der(&der).map_err(Fault::internal)?;
        let asked = request.cert_template.validity.unwrap_or_default();
        let times = [
            ("notBefore", asked.not_before, tbs.validity.not_before),
            ("notAfter", asked.not_after, tbs.validity.not_after),
        ];
        for (name, asked, given) in times {
            if let Some(asked) = asked.map(|time| time.unix()).filter(|asked| *asked != given.unix()) {
                list.push(format!("{name} {asked}: the profile sets {}", given.unix()));
            }
        }
    }
    list.truncate(MOST);
    Ok(list)
}
