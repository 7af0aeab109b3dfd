//! Files of evidence, and files that are written whole or not at all.

use std::fs::{self, File};
use std::io::{self, Read, Write as _};
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::console::Failure;

/// The largest file of evidence that is read, far larger than any certificate.
const LARGEST_EVIDENCE: u64 = 64 << 20;

/// The bytes of a file of evidence, or of standard input for `-`.
pub(crate) fn read_evidence_file(path: &Path) -> Result<Vec<u8>, Failure> {
    let standard_input = path == Path::new("-");
    let source_name =
        || if standard_input { "standard input".to_owned() } else { path.display().to_string() };
    let failure = |error: io::Error| Failure::Read { source_name: source_name(), error };
    let source: Box<dyn Read> =
        if standard_input { Box::new(io::stdin()) } else { Box::new(File::open(path).map_err(failure)?) };
    let mut bytes = Vec::new();
    source.take(LARGEST_EVIDENCE + 1).read_to_end(&mut bytes).map_err(failure)?;
    if bytes.len() as u64 > LARGEST_EVIDENCE {
        return Err(Failure::Input(format!("{}: more than {LARGEST_EVIDENCE} bytes", source_name())));
    }
    Ok(bytes)
}

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
/// points, and anything but a regular file (a device, a pipe) is written directly.
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
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            replace(&target_of(path), bytes, None).map_err(failure)
        }
        Err(error) => Err(failure(error)),
    }
}

fn write_through(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::options().write(true).open(path)?;
    file.write_all(bytes)?;
    file.flush()
}

/// What the system said, without the temporary name that was wrapped around it.
fn without_name(error: io::Error) -> io::Error {
    match error.raw_os_error() {
        Some(code) => io::Error::from_raw_os_error(code),
        None => error.kind().into(),
    }
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
    // The mode of any new file; the umask of the process applies.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    // The name that the user gave is in the message already, and the temporary one means nothing to the user.
    let mut file = builder.tempfile_in(directory).map_err(without_name)?;
    file.as_file_mut().write_all(bytes)?;
    if let Some(permissions) = permissions {
        file.as_file().set_permissions(permissions)?;
    }
    // A full disk may show only when the bytes must really be there.
    file.as_file().sync_all()?;
    file.persist(target).map_err(|error| error.error)?;
    Ok(())
}

/// The file that a name leads to, through symbolic links, also when it is not there yet.
pub(crate) fn target_of(path: &Path) -> PathBuf {
    const MOST_LINKS: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        let Ok(target) = fs::read_link(&path) else { break };
        // A relative target is one beside the link; an absolute one takes the place of it all.
        path = path.parent().unwrap_or(Path::new("")).join(target);
    }
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    match (fs::canonicalize(&path), fs::canonicalize(folder), path.file_name()) {
        (Ok(target), _, _) => target,
        (_, Ok(folder), Some(name)) => folder.join(name),
        _ => path,
    }
}

/// Whether writing to one name changes what is read or written under the other.
///
/// Devices and pipes keep nothing: they are never the same.
fn is_same_file(first: &Path, second: &Path) -> bool {
    let is_other = |path: &Path| fs::metadata(path).is_ok_and(|metadata| !metadata.is_file());
    if is_other(first) || is_other(second) {
        return false;
    }
    #[cfg(unix)]
    if let (Ok(first), Ok(second)) = (fs::metadata(first), fs::metadata(second)) {
        use std::os::unix::fs::MetadataExt as _;
        return (first.dev(), first.ino()) == (second.dev(), second.ino());
    }
    target_of(first) == target_of(second)
}

/// Whether a standard stream of this process, by its name, is a file that was redirected, and is this one.
///
/// Systems without such names keep no streams apart.
fn is_standard_stream(stream: &str, file: &Path) -> bool {
    cfg!(unix) && is_same_file(Path::new(stream), file)
}

/// Refuses to write over an input, to write two things into one file, and to write a file over a folder.
///
/// Outputs come with the option that names them. Call it before anything is written.
pub(crate) fn keep_apart(inputs: &[&Path], outputs: &[(&str, &Path)]) -> Result<(), Failure> {
    for (index, &(option, output)) in outputs.iter().enumerate() {
        let name = output.display();
        if output.is_dir() {
            return Err(Failure::Input(format!("{option} {name} is a folder")));
        }
        if inputs.iter().any(|input| is_same_file(input, output)) {
            return Err(Failure::Input(format!("{option} {name} is also an input")));
        }
        if is_standard_stream("/dev/stdin", output) {
            return Err(Failure::Input(format!("{option} {name} is also standard input")));
        }
        for &(other_option, other) in &outputs[..index] {
            if is_same_file(other, output) {
                return Err(Failure::Input(format!("{other_option} and {option} are both {name}")));
            }
        }
    }
    if let Some(input) = inputs.iter().find(|input| is_standard_stream("/dev/stdout", input)) {
        return Err(Failure::Input(format!(
            "standard output goes to {}, which is an input",
            input.display()
        )));
    }
    Ok(())
}
