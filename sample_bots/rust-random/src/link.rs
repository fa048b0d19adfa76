//! Messages over a connection, as frames (3.1): a header of four bytes, the length of the body,
//! big-endian, and the body, which is one msgpack map.

use std::error::Error;
use std::fmt;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::net::UnixStream;

use crate::messages::ToServer;

const HEADER_BYTES: usize = 4;
const MAX_SERVER_BODY_BYTES: usize = 16384; // 8

/// Both ends of a connection, of whichever kind.
type Ends = (Receiver<Box<dyn Read>>, Sender<Box<dyn Write>>);

/// Connects to where `ARENA_CONNECT` points (2.2): `unix:PATH` or `tcp:HOST:PORT`.
pub fn connect(address: &str) -> io::Result<Ends> {
    let (reader, writer): (Box<dyn Read>, Box<dyn Write>) = match address.split_once(':') {
        Some(("unix", path)) => {
            let stream = UnixStream::connect(path)?;
            (Box::new(stream.try_clone()?), Box::new(stream))
        }
        Some(("tcp", place)) => {
            let stream = TcpStream::connect(place)?;
            // Otherwise each answer may wait 40 ms for an acknowledgement, on our clock.
            stream.set_nodelay(true)?;
            (Box::new(stream.try_clone()?), Box::new(stream))
        }
        _ => {
            let text = format!("ARENA_CONNECT is {address:?}; expected unix:PATH or tcp:HOST:PORT");
            return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
        }
    };
    Ok((
        Receiver::new(reader, MAX_SERVER_BODY_BYTES),
        Sender::new(writer),
    ))
}

/// The end that reads.
pub struct Receiver<R> {
    stream: BufReader<R>,
    body: Vec<u8>,
    max_body_bytes: usize,
}

impl<R: Read> Receiver<R> {
    pub fn new(stream: R, max_body_bytes: usize) -> Self {
        Receiver {
            // With room for the longest frame, a frame is usually got with one read.
            stream: BufReader::with_capacity(HEADER_BYTES + max_body_bytes, stream),
            body: Vec::new(),
            max_body_bytes,
        }
    }

    /// Waits for a frame and gives its body, which is good until the next call. A stream has no
    /// message boundaries (3.1): `read_exact` reads on where a frame comes in pieces, and what
    /// came along of the next one waits in the reader.
    pub fn receive(&mut self) -> Result<&[u8], Broken> {
        if self.stream.fill_buf()?.is_empty() {
            return Err(Broken::Closed);
        }
        let mut header = [0; HEADER_BYTES];
        self.stream.read_exact(&mut header)?;
        let length = u32::from_be_bytes(header) as usize;
        if length > self.max_body_bytes {
            return Err(Broken::TooLong(length));
        }
        self.body.resize(length, 0);
        self.stream.read_exact(&mut self.body)?;
        Ok(&self.body)
    }
}

/// Why there are no more frames.
#[derive(Debug)]
pub enum Broken {
    /// The server has gone, between two frames.
    Closed,
    /// A frame longer than the server may send (3.2).
    TooLong(usize),
    Stream(io::Error),
}

impl From<io::Error> for Broken {
    fn from(error: io::Error) -> Self {
        Broken::Stream(error)
    }
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Broken::Closed => write!(f, "the server closed the connection without a bye"),
            Broken::TooLong(length) => write!(f, "a frame of {length} bytes was announced"),
            Broken::Stream(error) => write!(f, "reading a frame: {error}"),
        }
    }
}

impl Error for Broken {}

/// The end that writes.
pub struct Sender<W> {
    stream: W,
    frame: Vec<u8>,
}

impl<W: Write> Sender<W> {
    pub fn new(stream: W) -> Self {
        Sender {
            stream,
            frame: Vec::new(),
        }
    }

    /// Packs a message and writes its frame in one call (2.2): two calls are two packets, and the
    /// second may wait for the first.
    pub fn send(&mut self, message: &ToServer) -> Result<(), Box<dyn Error>> {
        self.frame.clear();
        self.frame.extend([0; HEADER_BYTES]); // Filled in when the length is known.
        rmp_serde::encode::write_named(&mut self.frame, message)?;
        let length = (self.frame.len() - HEADER_BYTES) as u32;
        self.frame[..HEADER_BYTES].copy_from_slice(&length.to_be_bytes());
        self.stream.write_all(&self.frame)?;
        Ok(())
    }
}
