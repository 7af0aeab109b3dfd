//! Files that are written whole or not at all.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::console::Failure;

/// Writes a certificate: its bytes, or its JSON document when the name ends in .json.
pub(crate) fn write_certificate(
    path: &Path,
    certificate: &impl Serialize,
    payload: &[u8],
) -> Result<(), Failure> {
    if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json")) {
        let mut text = serde_json::to_vec_pretty(certificate).map_err(io::Error::from)?;
        text.push(b'\n');
        write_whole(path, &text)
    } else {
        write_whole(path, payload)
    }
}

/// Writes a file under a temporary name beside it and renames it when every byte is on the disk.
///
/// A file of that name stays as it was when anything fails. A symbolic link keeps pointing where it
/// points, and what is no regular file (a device, a pipe) is written directly.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let failure = |error: io::Error| Failure::Write { target: path.display().to_string(), error };
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_file() => {
            let target = fs::canonicalize(path).map_err(failure)?;
            replace(&target, bytes, Some(metadata.permissions())).map_err(failure)
        }
        Ok(metadata) if metadata.is_dir() => {
            Err(failure(io::Error::new(io::ErrorKind::IsADirectory, "is a directory")))
        }
        Ok(_) => write_through(path, bytes).map_err(failure),
        Err(error) if error.kind() == io::ErrorKind::NotFound => replace(path, bytes, None).map_err(failure),
        Err(error) => Err(failure(error)),
    }
}

fn write_through(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::options().write(true).open(path)?;
    file.write_all(bytes)?;
    file.flush()
}

fn replace(target: &Path, bytes: &[u8], permissions: Option<fs::Permissions>) -> io::Result<()> {
    let directory = match target.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
        _ => PathBuf::from("."),
    };
    // Asked first, so that the message is about the directory and not about a temporary name in it.
    fs::metadata(&directory)?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(".bitmesh-");
    // As any new file: what the process does not mask.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(directory)?;
    file.as_file_mut().write_all(bytes)?;
    if let Some(permissions) = permissions {
        file.as_file().set_permissions(permissions)?;
    }
    // A full disk may show only when the bytes must really be there.
    file.as_file().sync_all()?;
    file.persist(target).map_err(|error| error.error)?;
    Ok(())
}
