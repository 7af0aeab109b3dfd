//! Certificates as files.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use bitmesh::Assessment;
use bitmesh::decision::Verdict;
use shakmaty::{Chess, Color};

use crate::claims::{Claim, Claims};
use crate::deciding::{Decided, Deciding};
use crate::problem::ScanError;

/// A folder for the evidence of a scan.
///
/// | file | bytes | kept for |
/// | --- | --- | --- |
/// | `DIGEST.bmdcert` | BMDCERT v1 | a strict decomposition; the name is the column `digest` |
/// | `POSITION_DIGEST.bmdposcert` | BMDPOSCERT v1 | the same; the name is the column `position_digest` |
/// | `POSITION_DIGEST-white.bmmate` | BMMATE v1 | decided: White can still give mate; likewise `-black` |
/// | `POSITION_DIGEST-white.bmpersist` | BMPERSIST v1 | decided: White can never give mate; likewise `-black` |
/// | `POSITION_DIGEST.bmpersist` | BMPERSIST v1 | any claim of layer 3; the name is the column `position_digest` |
///
/// Every certificate of layer 3 has been accepted by the checker, which uses no code of the prover.
/// The names follow from the contents, so that a certificate is kept once and a
/// repeated scan changes nothing.
#[derive(Clone, Debug)]
pub(crate) struct Evidence {
    folder: PathBuf,
}

const PERMANENT: Claims = Claims::NONE.with(Claim::Persistent).with(Claim::Unwinnable);

impl Evidence {
    /// # Errors
    ///
    /// When the folder is not there and cannot be made.
    pub(crate) fn new(folder: &Path) -> Result<Self, ScanError> {
        std::fs::create_dir_all(folder)
            .map_err(|error| ScanError::Evidence { path: folder.display().to_string(), error })?;
        Ok(Self { folder: folder.to_owned() })
    }

    /// Keeps what proves the claims of a row, once a checker has accepted it. `is_deep` says that a claim of layer 3
    /// rests on more than one witness.
    ///
    /// # Errors
    ///
    /// When a file cannot be written; and when the checker refuses what the prover made, which would be a fault of
    /// the library.
    pub(crate) fn keep(
        &self,
        assessment: &Assessment,
        claims: Claims,
        is_deep: bool,
    ) -> Result<(), ScanError> {
        let (structure, binding) = (assessment.structure(), assessment.binding());
        if claims.contains(Claim::Strict) {
            let name = format!("{}.bmdcert", assessment.structural_digest());
            let payload = structure.canonical_payload();
            self.write(&name, || payload.map_err(io::Error::other))?;
            let name = format!("{}.bmdposcert", assessment.position_digest());
            self.write(&name, || Ok(binding.canonical_payload()))?;
        }
        if claims.meets(PERMANENT) {
            let name = format!("{}.bmpersist", assessment.position_digest());
            self.write(&name, || {
                let checked = if is_deep { assessment.permanent() } else { assessment.reaches() };
                let checked = checked.map_err(io::Error::other)?;
                Ok(checked.certificate().canonical_payload())
            })?;
        }
        Ok(())
    }

    /// Keeps what shows the decisions of a row.
    ///
    /// # Errors
    ///
    /// When a file cannot be written.
    pub(crate) fn keep_decided(
        &self,
        chess: &Chess,
        decided: &Decided,
        deciding: &mut Deciding,
        assessment: &Assessment,
    ) -> Result<(), ScanError> {
        for color in [Color::White, Color::Black] {
            let (kind, payload) = match decided.verdicts.get(color) {
                Verdict::Winnable { .. } => match deciding.line(chess, decided, color) {
                    Some(line) => ("bmmate", line.canonical_payload()),
                    None => continue,
                },
                Verdict::Unwinnable => match deciding.certificate(chess, color) {
                    Some(certificate) => ("bmpersist", certificate.canonical_payload()),
                    None => continue,
                },
                Verdict::Undecided { .. } => continue,
            };
            let name = color.fold_wb("white", "black");
            self.write(&format!("{}-{name}.{kind}", assessment.position_digest()), || Ok(payload))?;
        }
        Ok(())
    }

    /// Writes a file that is not there yet.
    fn write(&self, name: &str, payload: impl FnOnce() -> io::Result<Vec<u8>>) -> Result<(), ScanError> {
        let path = self.folder.join(name);
        if path.exists() {
            return Ok(());
        }
        let write = || -> io::Result<()> {
            let payload = payload()?;
            let mut builder = tempfile::Builder::new();
            builder.prefix(".bitmesh-");
            // The mode of any new file; the umask of the process applies.
            #[cfg(unix)]
            builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
            let mut file = builder.tempfile_in(&self.folder)?;
            file.write_all(&payload)?;
            file.persist(&path)?;
            Ok(())
        };
        write().map_err(|error| ScanError::Evidence { path: path.display().to_string(), error })
    }
}
