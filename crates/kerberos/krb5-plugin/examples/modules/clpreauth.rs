//! The client side of the token mechanism.

use std::ffi::CStr;
use std::sync::Mutex;

use tagwise_krb5_plugin::Result;
use tagwise_krb5_plugin::clpreauth::{Clpreauth, ErrorRef, Exchange, Input, PreauthKind};
use tagwise_krb5_plugin::view::{Context, PaData, PaDataRef};

use crate::kdcpreauth::PA_TOKEN;
use crate::trace::called;

#[derive(Default)]
pub(crate) struct Token(Mutex<Option<Vec<u8>>>);

impl Clpreauth for Token {
    const PA_TYPES: &'static [i32] = &[PA_TOKEN];

    type Request = ();

    fn init(_: &Context<'_>) -> Result<Self> {
        called("clpreauth", "init", "");
        Ok(Self::default())
    }

    fn flags(_: &Context<'_>, pa_type: i32) -> PreauthKind {
        called("clpreauth", "flags", pa_type);
        PreauthKind::Real
    }

    fn request_init(&self, _: &Context<'_>) {
        called("clpreauth", "request_init", "");
    }

    fn gic_opts(&self, _: &Context<'_>, attr: &CStr, value: &CStr) -> Result<()> {
        called("clpreauth", "gic_opts", attr.to_string_lossy());
        if attr == c"token" {
            *self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = Some(value.to_bytes().to_vec());
        }
        Ok(())
    }

    fn prep_questions(&self, (): &(), exchange: &Exchange<'_>, _: Input<'_>, data: PaDataRef<'_>) -> Result<()> {
        called("clpreauth", "prep_questions", format_args!("{data:?}"));
        exchange.ask_responder_question(c"token", Some(c"which"))
    }

    fn process(&self, (): &(), exchange: &Exchange<'_>, input: Input<'_>, data: PaDataRef<'_>) -> Result<Vec<PaData>> {
        let said = String::from_utf8_lossy(data.contents()).into_owned();
        called("clpreauth", "process", format_args!("{said} {} {}", input.request_body.len(), exchange.etype()?));
        match said.as_str() {
            "offer" => Ok(vec![PaData::new(PA_TOKEN, *b"hello")]),
            "round two" => {
                exchange.disable_fallback()?;
                let known = self.0.lock().ok().and_then(|token| token.clone());
                let answer = exchange.responder_answer(c"token")?.map(|answer| answer.to_vec());
                let token = match known.or(answer) {
                    Some(token) => token,
                    None => exchange.prompt(c"Token", true)?.to_vec(),
                };
                Ok(vec![PaData::new(PA_TOKEN, token)])
            }
            // The KDC's reply.
            _ => {
                let key = exchange.as_key()?;
                exchange.set_as_key(&key)?;
                Ok(Vec::new())
            }
        }
    }

    fn tryagain(&self, (): &(), exchange: &Exchange<'_>, _: Input<'_>, error: &ErrorRef<'_>) -> Result<Vec<PaData>> {
        called(
            "clpreauth",
            "tryagain",
            format_args!("{} {:?} {:?}", error.code, error.padata, exchange.preauth_time(false).is_ok()),
        );
        Ok(error
            .padata
            .iter()
            .filter(|data| data.pa_type() == PA_TOKEN)
            .map(|data| PaData::new(PA_TOKEN, data.contents()))
            .collect())
    }

    fn fini(&mut self, _: &Context<'_>) {
        called("clpreauth", "fini", "");
    }
}
