//! Unpacking ahead of the reader.

use std::io::{self, Read};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

/// How much is unpacked at once, and how many such pieces may wait: the most memory that a source takes.
const PIECE: usize = 1 << 16;
const PIECES: usize = 4;

/// A reader whose bytes another thread has ready.
///
/// The thread ends with its source, with an error, or when its reader is dropped.
pub(crate) struct Ahead<E> {
    pieces: Receiver<Piece<E>>,
    current: Vec<u8>,
    at: usize,
    end: Option<E>,
}

enum Piece<E> {
    Bytes(Vec<u8>),
    Failed(io::Error, E),
    /// The end, with what the reader reports about it.
    End(E),
}

impl<E: Send + 'static> Ahead<E> {
    /// Starts the thread. `end` is asked when the reader has come to its end, or has failed.
    ///
    /// # Errors
    ///
    /// When no thread can be started.
    pub(crate) fn new<R: Read + Send + 'static>(reader: R, end: fn(&R) -> E) -> io::Result<Self> {
        let (sender, pieces) = sync_channel(PIECES);
        thread::Builder::new().name("unpack".to_owned()).spawn(move || unpack(reader, end, &sender))?;
        Ok(Self { pieces, current: Vec::new(), at: 0, end: None })
    }

    /// What the reader had to say at its end or failure, if it has come there.
    pub(crate) const fn end(&self) -> Option<&E> {
        self.end.as_ref()
    }
}

fn unpack<R: Read, E>(mut reader: R, end: fn(&R) -> E, sender: &SyncSender<Piece<E>>) {
    loop {
        let mut bytes = vec![0; PIECE];
        let piece = match reader.read(&mut bytes) {
            Ok(0) => Piece::End(end(&reader)),
            Ok(count) => {
                bytes.truncate(count);
                Piece::Bytes(bytes)
            }
            Err(error) => Piece::Failed(error, end(&reader)),
        };
        let goes_on = matches!(piece, Piece::Bytes(_));
        if sender.send(piece).is_err() || !goes_on {
            return;
        }
    }
}

impl<E> Read for Ahead<E> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.at == self.current.len() {
            if self.end.is_some() {
                return Ok(0);
            }
            match self.pieces.recv() {
                Ok(Piece::Bytes(bytes)) => (self.current, self.at) = (bytes, 0),
                Ok(Piece::Failed(error, end)) => {
                    self.end = Some(end);
                    return Err(error);
                }
                Ok(Piece::End(end)) => self.end = Some(end),
                // The thread has panicked.
                Err(_) => return Err(io::Error::other("unpacking has stopped")),
            }
        }
        let rest = &self.current[self.at..];
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        self.at += count;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives so many bytes, a few at a time, and then an end or an error.
    struct Numbers {
        left: usize,
        fails: bool,
    }

    impl Read for Numbers {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            if self.left == 0 && self.fails {
                return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "cut"));
            }
            let count = self.left.min(buffer.len()).min(50_000);
            for byte in &mut buffer[..count] {
                *byte = (self.left % 251) as u8;
                self.left -= 1;
            }
            Ok(count)
        }
    }

    #[test]
    fn all_bytes_come_in_order_and_then_the_end() {
        let reader = Numbers { left: 1_000_003, fails: false };
        let mut ahead = Ahead::new(reader, |reader| reader.left).unwrap();
        let mut bytes = Vec::new();
        assert_eq!(ahead.end(), None);
        ahead.read_to_end(&mut bytes).unwrap();
        let mut expected = Vec::new();
        Numbers { left: 1_000_003, fails: false }.read_to_end(&mut expected).unwrap();
        assert!(bytes.iter().any(|&byte| byte != bytes[0]) && bytes == expected);
        assert_eq!(ahead.end(), Some(&0));
        assert_eq!(ahead.read(&mut [0; 8]).unwrap(), 0);
    }

    #[test]
    fn an_error_comes_after_the_bytes_before_it() {
        let mut ahead = Ahead::new(Numbers { left: 100_000, fails: true }, |reader| reader.fails).unwrap();
        let mut bytes = Vec::new();
        let error = ahead.read_to_end(&mut bytes).unwrap_err();
        assert_eq!((bytes.len(), error.kind()), (100_000, io::ErrorKind::UnexpectedEof));
        assert_eq!(ahead.end(), Some(&true));
        assert_eq!(ahead.read(&mut [0; 8]).unwrap(), 0, "and nothing after it");
    }

    #[test]
    fn a_reader_may_stop_before_the_end() {
        drop(Ahead::new(io::repeat(7), |_| ()).unwrap());
    }
}
