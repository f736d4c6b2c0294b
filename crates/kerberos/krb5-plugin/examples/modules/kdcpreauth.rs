//! Preauthentication with a cleartext token in two rounds. This is an example, not a secure mechanism.

use std::ffi::CStr;

use std::io::{Read as _, Write as _};
use std::os::fd::AsFd as _;
use std::os::unix::net::UnixStream;
use std::task::Poll;
use std::time::{Duration, Instant};

use tagwise_krb5_plugin::kdcpreauth::{
    Answer, Exchange, Interest, Kdcpreauth, Pending, Rejected, Reply, Verdict, Verified, Wait, flags,
};
use tagwise_krb5_plugin::view::{Context, PaData, RequestRef};
use tagwise_krb5_plugin::{Error, Result, codes};

use crate::trace::called;

/// The preauthentication data type, from the private-use range.
pub(crate) const PA_TOKEN: i32 = -77;

pub(crate) struct Token;

/// A slow verification: it sends a byte, waits for the response, and then waits for some time.
struct Slow {
    what: String,
    near: UnixStream,
    far: UnixStream,
    step: Step,
    end: Instant,
}

#[derive(Debug)]
enum Step {
    Write,
    Read,
    Sleep,
}

impl Pending<Vec<u8>> for Slow {
    fn wait(&self) -> Wait<'_> {
        let until = Instant::now() + Duration::from_secs(60);
        match self.step {
            Step::Write => Wait { ready: Some((self.near.as_fd(), Interest::Write)), until },
            Step::Read => Wait { ready: Some((self.near.as_fd(), Interest::Read)), until },
            Step::Sleep => Wait { ready: None, until: self.end },
        }
    }

    fn resume(&mut self, exchange: &Exchange<'_>) -> Poll<Result<Verified<Vec<u8>>, Rejected>> {
        called("kdcpreauth", "resume", format_args!("{} {:?}", self.what, self.step));
        match self.step {
            Step::Write => {
                // The other end does not echo in this process: it sends at once.
                let _ = (&self.near).write(b"x").and_then(|_| (&self.far).write(b"x"));
                self.step = Step::Read;
                Poll::Pending
            }
            Step::Read => {
                let _ = (&self.near).read(&mut [0; 1]);
                let time = if self.what == "hang" { Duration::from_secs(30) } else { Duration::from_millis(1500) };
                self.end = Instant::now() + time;
                self.step = Step::Sleep;
                Poll::Pending
            }
            #[expect(clippy::panic, reason = "for the test that the KDC lives")]
            Step::Sleep if self.what == "panic" => panic!("resume"),
            Step::Sleep => {
                let told = exchange.add_auth_indicator(c"slow");
                Poll::Ready(
                    told.map_err(Rejected::from)
                        .map(|()| Verified { request: Some(self.what.clone().into_bytes()), ..Verified::default() }),
                )
            }
        }
    }
}

impl Drop for Slow {
    fn drop(&mut self) {
        called("kdcpreauth", "resume", format_args!("{} dropped", self.what));
    }
}

impl Kdcpreauth for Token {
    const PA_TYPES: &'static [i32] = &[PA_TOKEN];

    type Request = Vec<u8>;

    fn init(_: &Context<'_>, realms: &[&CStr]) -> Result<Self> {
        called("kdcpreauth", "init", format_args!("{realms:?}"));
        Ok(Self)
    }

    fn flags(_: &Context<'_>, pa_type: i32) -> i32 {
        called("kdcpreauth", "flags", pa_type);
        flags::SUFFICIENT | flags::REPLACES_KEY
    }

    fn edata(&self, exchange: &Exchange<'_>, _: RequestRef<'_>, pa_type: i32) -> Result<Option<PaData>> {
        called("kdcpreauth", "edata", pa_type);
        match exchange.string(c"token")? {
            Some(_) => Ok(Some(PaData::new(PA_TOKEN, *b"offer"))),
            None => Err(Error::no_handle()),
        }
    }

    fn verify(&self, exchange: &Exchange<'_>, answer: Answer<'_>) -> Result<Verdict<Vec<u8>>, Rejected> {
        let (said, before) = (answer.data.contents(), exchange.cookie(PA_TOKEN)?);
        let name = exchange.client_name()?.map(|name| name.to_principal());
        let client = match &name {
            Some(name) => exchange.match_client(name)?,
            None => false,
        };
        called(
            "kdcpreauth",
            "verify",
            format_args!("{} bytes {before:?} {client} {:?}", said.len(), exchange.max_time_skew()?),
        );
        if said == b"hello" {
            exchange.set_cookie(PA_TOKEN, b"greeted")?;
            let error = codes::KRB5KDC_ERR_MORE_PREAUTH_DATA_REQUIRED.into();
            return Err(Rejected { error, e_data: vec![PaData::new(PA_TOKEN, *b"round two")] });
        }
        let right = exchange.string(c"token")?;
        if before.as_deref() != Some(b"greeted") || right.is_none() || !client {
            return Err(Error::from(codes::KRB5KDC_ERR_PREAUTH_FAILED).into());
        }
        if said == b"again" {
            exchange.set_cookie(PA_TOKEN, b"greeted")?;
            return Err(Rejected {
                error: codes::KRB5KDC_ERR_CERTIFICATE_MISMATCH.into(),
                e_data: vec![PaData::new(PA_TOKEN, *b"blue")],
            });
        }
        if let Ok(what @ ("slow" | "panic" | "hang")) = std::str::from_utf8(said) {
            let (far, near) = UnixStream::pair().map_err(|_| Error::from(codes::KRB5KDC_ERR_PREAUTH_FAILED))?;
            let what = what.to_owned();
            return Ok(Verdict::Later(Box::new(Slow { what, near, far, step: Step::Write, end: Instant::now() })));
        }
        if right.is_none_or(|right| right.as_bytes() != said) {
            return Err(Error::new(codes::KRB5KDC_ERR_PREAUTH_FAILED, "another token").into());
        }
        exchange.add_auth_indicator(c"token")?;
        Ok(Verified { request: Some(said.to_vec()), ..Verified::default() }.into())
    }

    fn return_padata(
        &self,
        exchange: &Exchange<'_>,
        _: Reply<'_>,
        request: Option<&Vec<u8>>,
    ) -> Result<Option<PaData>> {
        called(
            "kdcpreauth",
            "return_padata",
            format_args!("{:?} {}", request.map(Vec::len), exchange.have_client_keys()?),
        );
        let Some(_) = request else { return Ok(None) };
        // The same key once more, so that both ways of getting and setting it are gone.
        let keys = exchange.client_keys()?;
        let key = exchange.client_keyblock()?.ok_or(codes::KRB5KRB_ERR_GENERIC)?;
        if keys.iter().any(|one| one.contents() == key.contents()) {
            exchange.replace_reply_key(&key, true)?;
        }
        Ok(Some(PaData::new(PA_TOKEN, *b"welcome")))
    }

    fn fini(&mut self, _: &Context<'_>) {
        called("kdcpreauth", "fini", "");
    }
}
