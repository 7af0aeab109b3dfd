//! Permanent independence: regions that never touch again.
