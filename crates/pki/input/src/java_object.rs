//! The part of Java's object serialization (Java Object Serialization Specification §6) that sealed keys use: objects
//! with fields of primitive types, strings, byte arrays and enumerations. No object is created.

/// The first bytes of a stream: magic number and version.
pub const MAGIC: [u8; 4] = [0xAC, 0xED, 0, 5];

/// The maximum nesting depth of objects.
const DEPTH: u8 = 16;
/// The maximum number of values with a handle.
const HANDLES: usize = 1024;
const FIRST_HANDLE: u32 = 0x7E_0000;

/// The fields of an object that have bytes or text.
#[derive(Clone, Debug, Default)]
pub struct Object<'o> {
    fields: Vec<(&'o str, Value<'o>)>,
}

#[derive(Clone, Copy, Debug)]
enum Value<'o> {
    Octets(&'o [u8]),
    Text(&'o str),
    Other,
}

/// A class: its name, flags, fields and superclass.
#[derive(Clone)]
struct Class<'o> {
    flags: u8,
    fields: Vec<(u8, &'o str)>,
    parent: Option<usize>,
}

#[derive(Clone)]
enum Handle<'o> {
    Class(usize),
    Value(Value<'o>),
}

struct Parser<'o> {
    rest: &'o [u8],
    handles: Vec<Handle<'o>>,
    classes: Vec<Class<'o>>,
    /// The fields of all objects, in order; the outermost object's come first.
    object: Object<'o>,
}

/// Returns the length of a stream with one object, or `None` if it is malformed or too deep.
///
/// ```
/// // TC_NULL, and bytes of something else.
/// assert_eq!(tagwise_input::java_object::len(b"\xAC\xED\0\x05\x70rest"), Some(5));
/// ```
#[must_use]
pub fn len(octets: &[u8]) -> Option<usize> {
    let mut parser = Parser::new(octets)?;
    parser.value(DEPTH)?;
    Some(octets.len() - parser.rest.len())
}

impl<'o> Object<'o> {
    /// Reads a stream with one object.
    /// Reads a stream with one object; `None` if it is malformed.
    #[must_use]
    pub fn read(octets: &'o [u8]) -> Option<Self> {
        let mut parser = Parser::new(octets)?;
        parser.value(DEPTH)?;
        Some(parser.object)
    }

    /// The bytes of a field; `None` if there is no such field with bytes.
    #[must_use]
    pub fn octets(&self, name: &str) -> Option<&'o [u8]> {
        self.fields.iter().find_map(|(field, value)| match value {
            Value::Octets(octets) if *field == name => Some(*octets),
            _ => None,
        })
    }

    /// The text of a field; `None` if there is no such field with text.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<&'o str> {
        self.fields.iter().find_map(|(field, value)| match value {
            Value::Text(text) if *field == name => Some(*text),
            _ => None,
        })
    }
}

impl<'o> Parser<'o> {
    fn new(octets: &'o [u8]) -> Option<Self> {
        let rest = octets.strip_prefix(&MAGIC)?;
        Some(Self { rest, handles: Vec::new(), classes: Vec::new(), object: Object::default() })
    }

    fn take(&mut self, count: usize) -> Option<&'o [u8]> {
        let (taken, rest) = self.rest.split_at_checked(count)?;
        self.rest = rest;
        Some(taken)
    }

    fn number(&mut self, count: usize) -> Option<u32> {
        self.take(count).map(|taken| taken.iter().fold(0, |number, digit| number << 8 | u32::from(*digit)))
    }

    fn text(&mut self) -> Option<&'o str> {
        let len = self.number(2)?;
        core::str::from_utf8(self.take(len as usize)?).ok()
    }

    fn keep(&mut self, handle: Handle<'o>) -> Option<()> {
        (self.handles.len() < HANDLES).then(|| self.handles.push(handle))
    }

    fn handle(&mut self) -> Option<Handle<'o>> {
        let at = self.number(4)?.checked_sub(FIRST_HANDLE)?;
        self.handles.get(at as usize).cloned()
    }

    /// Parses a value that starts with its type (§6.4.2).
    fn value(&mut self, depth: u8) -> Option<Value<'o>> {
        let depth = depth.checked_sub(1)?;
        match self.number(1)? {
            // TC_NULL
            0x70 => Some(Value::Other),
            // TC_REFERENCE
            0x71 => match self.handle()? {
                Handle::Value(value) => Some(value),
                Handle::Class(_) => None,
            },
            // TC_OBJECT
            0x73 => {
                let class = self.class(depth)?;
                self.keep(Handle::Value(Value::Other))?;
                self.object(class, depth)?;
                Some(Value::Other)
            }
            // TC_STRING
            0x74 => {
                let value = Value::Text(self.text()?);
                self.keep(Handle::Value(value))?;
                Some(value)
            }
            // TC_ARRAY: only of bytes.
            0x75 => {
                self.class(depth)?;
                let at = self.handles.len();
                self.keep(Handle::Value(Value::Other))?;
                let len = self.number(4)?;
                let value = Value::Octets(self.take(len as usize)?);
                *self.handles.get_mut(at)? = Handle::Value(value);
                Some(value)
            }
            // TC_ENUM
            0x7E => {
                self.class(depth)?;
                self.keep(Handle::Value(Value::Other))?;
                self.value(depth)
            }
            _ => None,
        }
    }

    /// Parses a class description: a new one, a reference, or null.
    fn class(&mut self, depth: u8) -> Option<usize> {
        let depth = depth.checked_sub(1)?;
        match self.number(1)? {
            0x71 => match self.handle()? {
                Handle::Class(class) => Some(class),
                Handle::Value(_) => None,
            },
            0x72 => {
                // Arrays of anything but bytes are not read.
                if self.text()?.strip_prefix('[').is_some_and(|of| of != "B") {
                    return None;
                }
                // serialVersionUID
                self.take(8)?;
                let at = self.classes.len();
                self.classes.push(Class { flags: 0, fields: Vec::new(), parent: None });
                self.keep(Handle::Class(at))?;
                let flags = self.take(1)?.first().copied()?;
                let mut fields = Vec::new();
                for _ in 0..self.number(2)?.min(256) {
                    let kind = self.take(1)?.first().copied()?;
                    fields.push((kind, self.text()?));
                    if matches!(kind, b'[' | b'L') {
                        self.value(depth)?;
                    }
                }
                self.annotation(depth)?;
                let parent = match self.rest.first()? {
                    0x70 => self.take(1).map(|_| None)?,
                    _ => Some(self.class(depth)?),
                };
                *self.classes.get_mut(at)? = Class { flags, fields, parent };
                Some(at)
            }
            _ => None,
        }
    }

    /// Skips the data that a class writes itself: blocks and values.
    fn annotation(&mut self, depth: u8) -> Option<()> {
        loop {
            match self.rest.first()? {
                // TC_ENDBLOCKDATA
                0x78 => return self.take(1).map(|_| ()),
                // TC_BLOCKDATA
                0x77 => {
                    self.take(1)?;
                    let len = self.number(1)?;
                    self.take(len as usize)?;
                }
                // TC_BLOCKDATALONG
                0x7A => {
                    self.take(1)?;
                    let len = self.number(4)?;
                    self.take(len as usize)?;
                }
                _ => {
                    self.value(depth)?;
                }
            }
        }
    }

    /// Parses the fields of an object, starting with its topmost superclass.
    fn object(&mut self, class: usize, depth: u8) -> Option<()> {
        let depth = depth.checked_sub(1)?;
        let mut chain = vec![class];
        while let Some(parent) = chain.last().and_then(|class| self.classes.get(*class)).and_then(|class| class.parent)
        {
            if chain.len() > usize::from(DEPTH) {
                return None;
            }
            chain.push(parent);
        }
        for class in chain.into_iter().rev() {
            let Class { flags, fields, .. } = self.classes.get(class)?.clone();
            // SC_SERIALIZABLE; objects that write all of themselves are not read.
            if flags & 2 == 0 {
                return None;
            }
            for (kind, name) in fields {
                let value = match kind {
                    b'B' | b'Z' => self.take(1).map(|_| Value::Other)?,
                    b'C' | b'S' => self.take(2).map(|_| Value::Other)?,
                    b'I' | b'F' => self.take(4).map(|_| Value::Other)?,
                    b'J' | b'D' => self.take(8).map(|_| Value::Other)?,
                    b'[' | b'L' => self.value(depth)?,
                    _ => return None,
                };
                self.object.fields.push((name, value));
            }
            // SC_WRITE_METHOD
            if flags & 1 != 0 {
                self.annotation(depth)?;
            }
        }
        Some(())
    }
}
