//! Kinds of files that are not read, so that messages can name them.

/// Bytes at the start, and what a file with them is.
const MAGIC: &[(&[u8], &str)] = &[
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"Rar!\x1a\x07", "a RAR archive"),
    (b"PK\x03\x04", "a zip archive inside another file or in a stream"),
    (b"PK\x05\x06", "an empty zip archive"),
    (b"\x1f\x9d", "packed by compress (.Z)"),
    (b"\x04\x22\x4d\x18", "packed by lz4"),
    (b"LZIP", "packed by lzip"),
    (b"\x5d\x00\x00\x80\x00", "packed by lzma"),
    (b"\xff\x06\x00\x00sNaPpY", "packed by snappy"),
    (b"\x89PNG\r\n\x1a\n", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF87a", "a GIF picture"),
    (b"GIF89a", "a GIF picture"),
    (b"II*\x00", "a TIFF picture"),
    (b"MM\x00*", "a TIFF picture"),
    (b"%PDF-", "a PDF document"),
    (b"{\\rtf", "an RTF document"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office document"),
    (
        b"version https://git-lfs.github.com/spec/",
        "a pointer of Git LFS; the file itself is still to be fetched",
    ),
    (b"Scid.si", "the index of a Scid database; export it as PGN"),
    (b"Scid.sn", "the names of a Scid database; export it as PGN"),
    (b"SQLite format 3\0", "an SQLite database"),
    (b"ARROW1", "an Arrow file"),
    (b"Obj\x01", "an Avro file"),
    (b"\x89HDF\r\n\x1a\n", "an HDF5 file"),
    (b"\x93NUMPY", "a NumPy array"),
    (b"BINP", "a binpack of a network trainer; convert it to .plain"),
    (b"\x7fELF", "a program"),
    (b"MZ\x90", "a program"),
    (b"<!DOCTYPE", "a web page"),
    (b"<!doctype", "a web page"),
    (b"<html", "a web page"),
    (b"<HTML", "a web page"),
    (b"<?xml", "an XML document"),
    (b"<svg", "an SVG picture"),
    (b"diff --git ", "a patch"),
];

/// What files with these names are, if they do not hold text.
const NAMES: &[(&str, &str)] = &[
    ("cbh", "the games of a ChessBase database; export it as PGN"),
    ("cbg", "part of a ChessBase database; export it as PGN"),
    ("cba", "part of a ChessBase database; export it as PGN"),
    ("cbp", "part of a ChessBase database; export it as PGN"),
    ("cbt", "part of a ChessBase database; export it as PGN"),
    ("cbf", "an old ChessBase database; export it as PGN"),
    ("cbi", "part of an old ChessBase database; export it as PGN"),
    ("cbv", "an archive of a ChessBase database; export it as PGN"),
    ("2cbh", "a ChessBase database; export it as PGN"),
    ("si3", "a Scid database; export it as PGN"),
    ("si4", "a Scid database; export it as PGN"),
    ("si5", "a Scid database; export it as PGN"),
    ("sn3", "part of a Scid database; export it as PGN"),
    ("sn4", "part of a Scid database; export it as PGN"),
    ("sn5", "part of a Scid database; export it as PGN"),
    ("sg3", "part of a Scid database; export it as PGN"),
    ("sg4", "part of a Scid database; export it as PGN"),
    ("sg5", "part of a Scid database; export it as PGN"),
    ("ctg", "an opening book of ChessBase"),
    ("abk", "an opening book of Arena"),
    ("bin", "an opening book or other binary data"),
    ("binpack", "a binpack of a network trainer; convert it to .plain"),
    ("nnue", "a neural network"),
    ("rtbw", "an endgame table"),
    ("rtbz", "an endgame table"),
    ("bmp", "a picture"),
    ("webp", "a picture"),
    ("ico", "a picture"),
    ("tar", "a tar archive"),
    ("lz4", "packed by lz4"),
    ("br", "packed by brotli"),
];

/// Where a tar archive says that it is one.
const TAR: std::ops::Range<usize> = 257..262;

/// What a file is that no reader knows, from its first bytes, and from its name where they are not text.
pub(crate) fn unreadable(start: &[u8], name: &str) -> Option<&'static str> {
    if let Some((_, kind)) = MAGIC.iter().find(|(magic, _)| start.starts_with(magic)) {
        return Some(kind);
    }
    match start {
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => return Some("a WebP picture"),
        [b'B', b'M', _, _, _, _, 0, 0, 0, 0, ..] => return Some("a BMP picture"),
        _ => {}
    }
    if start.get(TAR) == Some(b"ustar") {
        return Some("a tar archive");
    }
    let text = start.trim_ascii_start();
    if let [b'[', rest @ ..] = text
        && rest.trim_ascii_start().starts_with(b"{")
    {
        return Some("a JSON array; one object a line is read");
    }
    if !is_binary(start) {
        return None;
    }
    let (_, extension) = name.rsplit_once('.').unwrap_or_default();
    let extension = extension.to_ascii_lowercase();
    let known = NAMES.iter().find(|(name, _)| *name == extension);
    Some(known.map_or("binary data of an unknown kind", |(_, kind)| kind))
}

/// Whether more than one byte in eight is a control character that no text has.
fn is_binary(start: &[u8]) -> bool {
    let start = &start[..start.len().min(4096)];
    let is_control = |byte: &&u8| matches!(byte, 0..=8 | 11 | 12 | 14..=25 | 28..=31);
    start.iter().filter(is_control).count() * 8 > start.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_named_for_what_they_are() {
        for (start, name, kind) in [
            (&b"7z\xbc\xaf\x27\x1c\0\x04"[..], "x.pgn", Some("7z")),
            (b"Rar!\x1a\x07\x01\0", "x", Some("RAR")),
            (b"\x89PNG\r\n\x1a\n\0", "x.png", Some("PNG")),
            (b"version https://git-lfs.github.com/spec/v1\noid", "x.pgn", Some("Git LFS")),
            (b"\0\0\x2c\0\x2e\x01\0\0\0\0", "x.cbh", Some("ChessBase")),
            (b"\0\x01\x02\x03\x04\x05", "x.pgn", Some("unknown")),
            (b"[\n  {\"fen\": 1}", "x.json", Some("JSON array")),
            (b"[Event \"x\"]\n", "x.cbh", None),
            (b"8/8/8/8 w - -\0\n", "x.bin", None),
            (b"", "x.cbh", None),
            (b"BMW Open", "x.pgn", None),
        ] {
            let found = unreadable(start, name);
            assert_eq!(found.is_some(), kind.is_some(), "{name}: {found:?}");
            if let (Some(found), Some(kind)) = (found, kind) {
                assert!(found.contains(kind), "{name}: {found}");
            }
        }
    }
}
