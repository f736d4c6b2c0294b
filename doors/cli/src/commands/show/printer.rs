//! The forms of output of `tagwise show`.

use std::io::{self, IsTerminal, Write};
use std::path::Path;

use tagwise_input::InputItem;
use tagwise_pkix::name::visible;
use tagwise_show::render::openssl::{self, Shown};
use tagwise_show::render::{json, text::Text};
use tagwise_show::report;
use tagwise_show::tree::Value;

use super::Show;
use crate::shared::outcome::Outcome;
use crate::shared::servers::Judged;

/// The default number of CRL entries on a terminal.
const SCREEN: usize = 20;

/// A form of output. For each file: its items or an error, and the verdict on a server.
pub(super) trait Printer {
    fn file(&mut self, _path: &Path) -> io::Result<()> {
        Ok(())
    }

    fn items(&mut self, _form: &str, _size: usize) -> io::Result<()> {
        Ok(())
    }

    /// Writes an item, which is number `place.0` of `place.1`.
    fn item(&mut self, item: &InputItem<'_>, place: (usize, usize), name: &str) -> io::Result<Shown>;

    /// Reports the error of the item that was just written.
    fn item_error(&mut self, _name: &str, _error: &str) -> io::Result<()> {
        Ok(())
    }

    fn end_items(&mut self) -> io::Result<()> {
        Ok(())
    }

    /// Reports an error about the named file, or about the options.
    fn error(&mut self, name: Option<&str>, error: &str) -> io::Result<()>;

    fn verdict(&mut self, judged: &Judged<'_>, name: &str) -> io::Result<()>;

    fn end_file(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn end(&mut self, outcome: Outcome) -> io::Result<()>;
}

/// Text, with the errors on standard error.
pub(super) struct Lines<'o> {
    pub(super) show: &'o Show<'o>,
    pub(super) out: &'o mut dyn Write,
    pub(super) err: &'o mut dyn Write,
    /// True before the first item.
    pub(super) is_first: bool,
    /// Writes an item.
    pub(super) item: fn(&mut Lines<'o>, &InputItem<'_>, (usize, usize), &str) -> io::Result<Shown>,
}

impl Lines<'_> {
    /// Writes an item as a tree.
    pub(super) fn tree(&mut self, item: &InputItem<'_>, place: (usize, usize), name: &str) -> io::Result<Shown> {
        // Lists of one screen, unless they go to a file or a program.
        let screen = io::stdout().is_terminal().then_some(SCREEN);
        let scene = self.show.scene(self.show.args.entries.or(screen));
        let report = report(item, place, name, self.show.context.allowed.decoding, &scene);
        let mut text = Text::new(&mut *self.out, self.show.context.color, self.show.args.full);
        text.heading(&report.heading, std::mem::take(&mut self.is_first))?;
        text.fields(&report.record.fields, 2)?;
        Ok(Shown { known: report.known || !report.sound, error: report.error })
    }

    /// Writes a certificate or CRL in OpenSSL's layout.
    pub(super) fn openssl(&mut self, item: &InputItem<'_>, _: (usize, usize), _: &str) -> io::Result<Shown> {
        openssl::write(item, self.show.context.allowed.decoding, self.out)
    }
}

impl Printer for Lines<'_> {
    fn item(&mut self, item: &InputItem<'_>, place: (usize, usize), name: &str) -> io::Result<Shown> {
        (self.item)(self, item, place, name)
    }

    fn item_error(&mut self, name: &str, error: &str) -> io::Result<()> {
        self.error(Some(name), error)
    }

    fn error(&mut self, name: Option<&str>, error: &str) -> io::Result<()> {
        self.out.flush()?;
        let about = name.map(|name| format!("{name}: ")).unwrap_or_default();
        writeln!(self.err, "tagwise: {about}{}", visible(error))
    }

    fn verdict(&mut self, judged: &Judged<'_>, name: &str) -> io::Result<()> {
        writeln!(self.out)?;
        judged.text(name, self.show.context, self.out)
    }

    fn end(&mut self, _: Outcome) -> io::Result<()> {
        self.out.flush()
    }
}

/// A JSON document, written file by file.
pub(super) struct Json<'o> {
    show: &'o Show<'o>,
    out: json::Writer<&'o mut dyn Write>,
    err: &'o mut dyn Write,
}

impl<'o> Json<'o> {
    pub(super) fn new(show: &'o Show<'o>, out: &'o mut dyn Write, err: &'o mut dyn Write) -> io::Result<Self> {
        let mut out = json::Writer::new(out);
        out.object()?;
        out.entry("schema", "tagwise.show/1")?;
        out.entry("tool", concat!("tagwise ", env!("CARGO_PKG_VERSION")))?;
        out.key("files")?;
        out.list()?;
        Ok(Self { show, out, err })
    }
}

impl Printer for Json<'_> {
    fn file(&mut self, path: &Path) -> io::Result<()> {
        self.out.object()?;
        let is_stdin = path.as_os_str() == "-";
        self.out.entry("path", &(!is_stdin).then(|| path.to_string_lossy()))
    }

    fn items(&mut self, form: &str, size: usize) -> io::Result<()> {
        self.out.entry("form", form)?;
        self.out.entry("size", &size)?;
        self.out.key("items")?;
        self.out.list()
    }

    fn item(&mut self, item: &InputItem<'_>, place: (usize, usize), _: &str) -> io::Result<Shown> {
        let report =
            report(item, place, "", self.show.context.allowed.decoding, &self.show.scene(self.show.args.entries));
        self.out.value(&Value::Record(report.record))?;
        Ok(Shown { known: report.known || !report.sound, error: report.error })
    }

    fn end_items(&mut self) -> io::Result<()> {
        self.out.end()
    }

    fn error(&mut self, _: Option<&str>, error: &str) -> io::Result<()> {
        self.out.entry("error", error)
    }

    fn verdict(&mut self, judged: &Judged<'_>, _: &str) -> io::Result<()> {
        self.out.entry("tls", &judged.document()?)
    }

    fn end_file(&mut self) -> io::Result<()> {
        self.out.end()
    }

    fn end(&mut self, outcome: Outcome) -> io::Result<()> {
        self.out.end()?;
        self.out.entry("exit_code", &outcome.code())?;
        self.out.end()?;
        if outcome.unreadable {
            writeln!(self.err, "tagwise: not every file could be read")?;
        }
        Ok(())
    }
}
