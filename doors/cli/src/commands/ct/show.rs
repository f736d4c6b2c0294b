//! `tagwise ct show`.

use std::io::Write;

use serde::Serialize;
use tagwise_codec::text::{base64, hex};
use tagwise_ct::TreeHead;
use tagwise_show::render::json;

use super::lines::time;
use super::source::{LogArgs, failed};
use crate::shared::context::Context;
use crate::shared::moment::now;
use crate::shared::output::Failure;

#[derive(Debug, clap::Args)]
pub(crate) struct ShowArgs {
    #[command(flatten)]
    log: LogArgs,
    /// Print JSON (schema tagwise.ct/1)
    #[arg(long)]
    json: bool,
}

/// A tree head.
#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    log: &'a str,
    log_id: String,
    size: u64,
    time: String,
    root: String,
    signature: String,
}

impl ShowArgs {
    pub(super) fn run(&self, context: &Context, out: &mut dyn Write) -> Result<u8, Failure> {
        let mut source = self.log.open(context)?;
        let head = source.with(|client| client.head()).map_err(|error| failed(&error))?;
        if head.is_from_future(now()) {
            return Err(Failure::negative(format!("the tree head of {} is from the future", time(head.timestamp))));
        }
        let TreeHead { size, timestamp, root, signature } = head;
        let (log_id, root, time) = (base64::encode(&source.log.id), hex::encode(&root), time(timestamp));
        if self.json {
            let signature = base64::encode(&signature);
            let document = Document { schema: "tagwise.ct/1", log: &self.log.url, log_id, size, time, root, signature };
            json::write(out, &document)?;
        } else {
            writeln!(
                out,
                "Log ID:    {log_id}\nEntries:   {size}\nTime:      {time}\nRoot:      {root}\nSignature: valid"
            )?;
        }
        Ok(0)
    }
}
