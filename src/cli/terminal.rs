//! What standard output is: a terminal or not, how wide, whether it may be coloured, still open or not.

use std::io::{self, ErrorKind, IsTerminal, StdoutLock, Write};

use dhow::game::Ink;

use super::{Answer, Ending, Failure};

/// Colour on a terminal only, and not where `NO_COLOR` is set (no-color.org) or the terminal is dumb.
pub fn ink() -> Ink {
    let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|value| value == "dumb");
    if io::stdout().is_terminal() && !refused && !dumb { Ink::Colour } else { Ink::Plain }
}

/// Characters in a line: those of the terminal (40 to 100), or 80.
pub fn width() -> usize {
    match terminal_size::terminal_size_of(io::stdout()) {
        Some((terminal_size::Width(wide), _)) => (wide as usize).clamp(40, 100),
        None => 80,
    }
}

/// Standard output that takes a closed pipe quietly and remembers it.
pub struct Screen {
    out: StdoutLock<'static>,
    closed: bool,
}

impl Screen {
    pub fn new() -> Screen {
        Screen { out: io::stdout().lock(), closed: false }
    }

    /// Whether nobody reads any more.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    fn forgive<T>(&mut self, result: io::Result<T>, instead: T) -> io::Result<T> {
        match result {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                self.closed = true;
                Ok(instead)
            }
            result => result,
        }
    }
}

impl Write for Screen {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.closed {
            return Ok(bytes.len());
        }
        let written = self.out.write(bytes);
        self.forgive(written, bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.closed {
            return Ok(());
        }
        let flushed = self.out.flush();
        self.forgive(flushed, ())
    }
}

/// A failure to write to standard output.
pub fn trouble(error: io::Error) -> Failure {
    Failure::new(format!("cannot write to standard output: {error}"))
}

/// Writes a whole text to standard output.
pub fn show(text: &str) -> Answer {
    let mut screen = Screen::new();
    screen.write_all(text.as_bytes()).and_then(|()| screen.flush()).map_err(trouble)?;
    Ok(Ending::Done)
}

/// Writes a value as indented JSON to standard output.
pub fn show_json(value: &serde_json::Value) -> Answer {
    show(&format!("{value:#}\n"))
}
