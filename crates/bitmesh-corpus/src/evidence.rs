//! Certificates as files.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use bitmesh::persistent::prove;
use bitmesh::{PositionBinding, certify_decomposition};

use crate::claims::{Claim, Claims};
use crate::evaluate::Verdict;
use crate::problem::ScanError;
use crate::row::Finding;
use crate::visit::Subject;

/// A folder for the evidence of a scan.
///
/// | file | bytes | kept for |
/// | --- | --- | --- |
/// | `DIGEST.bmdcert` | BMDCERT v1 | a strict decomposition; the name is the column `digest` |
/// | `POSITION_DIGEST.bmdposcert` | BMDPOSCERT v1 | the same; the name is the column `position_digest` |
/// | `POSITION_DIGEST.bmpersist` | BMPERSIST v1 | any claim of layer 3; the name is the column `position_digest` |
///
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

    /// Keeps what proves the claims of a row.
    pub(crate) fn keep(
        &self,
        subject: Subject<'_>,
        verdict: &Verdict,
        finding: &Finding,
    ) -> Result<(), ScanError> {
        if verdict.claims.contains(Claim::Strict)
            && let Ok(payload) = certify_decomposition(subject.board()).canonical_payload()
        {
            self.write(&format!("{}.bmdcert", finding.digest), &payload)?;
            let context = subject.context().to_owned();
            if let Ok(binding) = PositionBinding::new(finding.digest, finding.fen.clone(), context) {
                let name = format!("{}.bmdposcert", finding.position_digest);
                self.write(&name, &binding.canonical_payload())?;
            }
        }
        if verdict.claims.meets(PERMANENT)
            && let Subject::Chess(chess) = subject
        {
            let payload = prove(chess).canonical_payload();
            self.write(&format!("{}.bmpersist", finding.position_digest), &payload)?;
        }
        Ok(())
    }

    fn write(&self, name: &str, payload: &[u8]) -> Result<(), ScanError> {
        let path = self.folder.join(name);
        if path.exists() {
            return Ok(());
        }
        let write = || -> std::io::Result<()> {
            let mut file = tempfile::NamedTempFile::new_in(&self.folder)?;
            file.write_all(payload)?;
            file.persist(&path)?;
            Ok(())
        };
        write().map_err(|error| ScanError::Evidence { path: path.display().to_string(), error })
    }
}
