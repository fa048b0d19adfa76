//! Messages over a connection, as frames (3.1): a header of four bytes, the length of the body,
//! big-endian, and the body, which is one msgpack map.

use std::error::Error;
use std::fmt;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
#[cfg(unix)]
use std::os::unix::net::UnixStream;
use std::str::FromStr;

use crate::messages::ToServer;

const HEADER_BYTES: usize = 4;
const MAX_SERVER_BODY_BYTES: usize = 16384; // 8

/// Both ends of a connection, of whichever kind.
type Ends = (Receiver<Box<dyn Read>>, Sender<Box<dyn Write>>);

/// Where `ARENA_CONNECT` points (2.2).
#[derive(Debug, PartialEq)]
pub enum Address {
    Unix(String),
    Tcp(String),
}

impl FromStr for Address {
    type Err = String;

    /// Reads `unix:PATH` or `tcp:HOST:PORT`.
    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once(':') {
            Some(("unix", path)) if !path.is_empty() => Ok(Address::Unix(path.into())),
            Some(("tcp", place)) if is_host_and_port(place) => Ok(Address::Tcp(place.into())),
            _ => Err(format!(
                "ARENA_CONNECT is {text:?}; it should be unix:PATH or tcp:HOST:PORT, \
                 such as tcp:127.0.0.1:4000 (SPEC 2.2)"
            )),
        }
    }
}

/// The port follows the last colon, and an IPv6 host stands in square brackets.
fn is_host_and_port(place: &str) -> bool {
    let Some((host, port)) = place.rsplit_once(':') else {
        return false;
    };
    let is_host = match host.strip_prefix('[') {
        Some(ipv6) => ipv6.ends_with(']'),
        None => !host.is_empty() && !host.contains(':'),
    };
    is_host && port.parse::<u16>().is_ok_and(|port| port > 0)
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Address::Unix(path) => write!(f, "unix:{path}"),
            Address::Tcp(place) => write!(f, "tcp:{place}"),
        }
    }
}

/// Connects to an address.
pub fn connect(address: &Address) -> Result<Ends, String> {
    let connected = match address {
        Address::Unix(path) => connect_unix(path),
        Address::Tcp(place) => connect_tcp(place),
    };
    connected.map_err(|error| format!("cannot connect to {address} (ARENA_CONNECT): {error}"))
}

fn connect_tcp(place: &str) -> io::Result<Ends> {
    let stream = TcpStream::connect(place)?;
    // Otherwise each answer may wait 40 ms for an acknowledgement, on our clock.
    stream.set_nodelay(true)?;
    Ok(ends(stream.try_clone()?, stream))
}

#[cfg(unix)]
fn connect_unix(path: &str) -> io::Result<Ends> {
    let stream = UnixStream::connect(path)?;
    Ok(ends(stream.try_clone()?, stream))
}

#[cfg(not(unix))]
fn connect_unix(_: &str) -> io::Result<Ends> {
    let text = "Rust has no Unix sockets on this system; ask for an address with tcp:";
    Err(io::Error::new(io::ErrorKind::Unsupported, text))
}

fn ends(reader: impl Read + 'static, writer: impl Write + 'static) -> Ends {
    let receiver = Receiver::new(Box::new(reader) as Box<dyn Read>, MAX_SERVER_BODY_BYTES);
    (receiver, Sender::new(Box::new(writer)))
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
