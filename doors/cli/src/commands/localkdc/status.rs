//! `tagwise localkdc status`.

use std::io::Write;

use tagwise_localkdc::policy::OtpModule;
use tagwise_localkdc::setup::status;
use tagwise_pkix::name::visible;

use super::{RootArgs, failed, json};
use crate::shared::output::{Failure, name_of};

#[derive(Debug, clap::Args)]
pub(crate) struct StatusArgs {
    #[command(flatten)]
    place: RootArgs,
}

impl StatusArgs {
    pub(super) fn status(self, out: &mut dyn Write) -> Result<u8, Failure> {
        let status = status(&self.place.layout()?).map_err(|error| failed(&error))?;
        let code = u8::from(!status.works() || !status.is_sound());
        if self.place.json {
            json("tagwise.localkdc-status/1", &status, out)?;
            return Ok(code);
        }
        let Some(realm) = &status.realm else {
            writeln!(out, "No local KDC is set up.")?;
            return Ok(code);
        };
        let answers = |answers: bool| if answers { "answers" } else { "is not responding" };
        writeln!(out, "realm      {}", visible(realm))?;
        writeln!(out, "KDC        {}", answers(status.kdc))?;
        let by = match status.otp {
            Some(OtpModule::Own) => ", prompted by localkdc_otp",
            Some(OtpModule::Mit) => ", prompted by MIT's otp",
            None => "",
        };
        writeln!(out, "passwords  {}{by}", answers(status.passwords))?;
        let kept = match status.master_key {
            Some("sealed") => "sealed by systemd-creds",
            Some(_) => "in a file, protected only by its permissions",
            None => "absent",
        };
        writeln!(out, "master key {kept}")?;
        if let Some(policy) = &status.policy {
            writeln!(out, "policy     {}", visible(policy))?;
        }
        for part in status.parts.iter().filter(|part| part.state != "present") {
            writeln!(out, "{:<10} {}", part.state, name_of(&part.path))?;
        }
        Ok(code)
    }
}
