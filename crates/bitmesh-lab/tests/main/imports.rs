//! Which file imports which: checkers import no producer, and no two files import each other.
//!
//! Read from the sources: `use` items and paths that begin with `crate` or `super`, followed through re-exports to
//! the file that defines what is named. Tests inside the sources are left out.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

type Names = Vec<String>;

/// One module that is a file.
#[derive(Debug, Default)]
struct Module {
    file: String,
    /// What `use` brings in: the name here, and the path, whether handed on or not.
    named: BTreeMap<String, Names>,
    /// Paths of which everything is brought in.
    globs: Vec<Names>,
    /// Paths that the code of this file needs; those that are only handed on are not among them.
    needed: BTreeSet<Names>,
}

/// The modules of a crate by their paths.
#[derive(Debug, Default)]
struct Sources(BTreeMap<Names, Module>);

/// The code without comments, texts and tests.
fn code(source: &str) -> String {
    let mut code = String::new();
    let mut hidden = false;
    for line in source.lines() {
        if line == "#[cfg(test)]" {
            hidden = true;
            continue;
        }
        // What is under the attribute ends where a line without indentation ends it.
        if hidden {
            hidden = line.starts_with(' ') || line.is_empty() || !line.ends_with([';', '}']);
            continue;
        }
        code.push_str(line.split("//").next().unwrap_or_default());
        code.push('\n');
    }
    code
}

fn words(text: &str) -> Names {
    let mut words = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = if first.is_alphanumeric() || first == '_' {
            rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len())
        } else if rest.starts_with("::") {
            2
        } else {
            first.len_utf8()
        };
        words.push(rest[..length].to_owned());
        rest = rest[length..].trim_start();
    }
    words
}

/// The paths of a tree of imports with the names that they get, from the word after `use`; and where it ends.
fn tree(words: &[String], at: usize, before: &Names, found: &mut Vec<(Names, String)>) -> usize {
    let mut path = before.clone();
    let mut at = at;
    loop {
        match words.get(at).map(String::as_str) {
            Some("{") => {
                at += 1;
                while words.get(at).is_some_and(|word| word != "}" && word != ";") {
                    at = tree(words, at, &path, found);
                    at += usize::from(words.get(at).is_some_and(|word| word == ","));
                }
                return at + 1;
            }
            Some("::") => at += 1,
            Some("as") => {
                found.push((path, words[at + 1].clone()));
                return at + 2;
            }
            Some("," | "}" | ";") | None => {
                if path.last().is_some_and(|last| last == "self") {
                    path.pop();
                }
                let name = path.last().cloned().unwrap_or_default();
                found.push((path, name));
                return at;
            }
            Some(word) => {
                path.push(word.to_owned());
                at += 1;
            }
        }
    }
}

/// A path from the root of the crate, as written in a module; none if it leads out of the crate.
fn absolute(module: &Names, path: &[String], sources: &Sources) -> Option<Names> {
    let (first, rest) = path.split_first()?;
    let mut from = match first.as_str() {
        "crate" => Vec::new(),
        "self" => module.clone(),
        "super" => module[..module.len().checked_sub(1)?].to_vec(),
        child => {
            let child: Names = module.iter().cloned().chain([child.to_owned()]).collect();
            sources.0.contains_key(&child).then_some(())?;
            child
        }
    };
    for word in rest {
        if word == "super" {
            from.pop()?;
        } else {
            from.push(word.clone());
        }
    }
    Some(from)
}

impl Sources {
    fn of(folder: &Path) -> Self {
        let mut sources = Self::default();
        let mut texts = Vec::new();
        read(folder, &Vec::new(), &mut texts);
        let hidden: BTreeSet<Names> =
            texts.iter().flat_map(|(module, _, source)| hidden_modules(module, source)).collect();
        texts.retain(|(module, ..)| !hidden.contains(module));
        for (module, file, _) in &texts {
            sources.0.insert(module.clone(), Module { file: file.clone(), ..Module::default() });
        }
        for (module, _, source) in &texts {
            sources.take(module, &code(source));
        }
        sources
    }

    fn take(&mut self, module: &Names, code: &str) {
        let words = words(code);
        let (mut named, mut globs, mut needed) = (BTreeMap::new(), Vec::new(), BTreeSet::new());
        // What is handed on is needed here only if this file uses it too.
        let mut lent: BTreeMap<String, Names> = BTreeMap::new();
        let mut used = BTreeSet::new();
        let mut at = 0;
        while at < words.len() {
            match words[at].as_str() {
                "use" if at == 0 || [";", "{", "}", ")", "]", "pub"].contains(&&*words[at - 1]) => {
                    let handed_on = at > 0 && (words[at - 1] == "pub" || words[at - 1] == ")");
                    let mut found = Vec::new();
                    at = tree(&words, at + 1, &Vec::new(), &mut found);
                    for (mut path, name) in found {
                        let glob = path.last().is_some_and(|last| last == "*");
                        if glob {
                            path.pop();
                        }
                        let Some(path) = absolute(module, &path, self) else { continue };
                        if glob {
                            globs.push(path.clone());
                        } else {
                            named.insert(name.clone(), path.clone());
                        }
                        if handed_on {
                            lent.insert(name, path);
                        } else {
                            needed.insert(path);
                        }
                    }
                }
                word => {
                    let before = at.checked_sub(1).map_or("", |before| &words[before]);
                    let mut path = vec![word.to_owned()];
                    while words.get(at + 1).is_some_and(|word| word == "::")
                        && words.get(at + 2).is_some_and(|word| word.starts_with(char::is_alphabetic))
                    {
                        path.push(words[at + 2].clone());
                        at += 2;
                    }
                    if before != "::" && path.len() > 1 {
                        needed.extend(absolute(module, &path, self));
                    }
                    if !["::", ".", "fn", "mod"].contains(&before) {
                        used.insert(path.swap_remove(0));
                    }
                    at += 1;
                }
            }
        }
        needed.extend(lent.into_iter().filter(|(name, _)| used.contains(name)).map(|(_, path)| path));
        let own = self.0.get_mut(module).expect("a module");
        (own.named, own.globs, own.needed) = (named, globs, needed);
    }

    /// The module whose file defines what a path names; none if that has been asked before.
    fn definition(&self, path: &Names, asked: &mut BTreeSet<Names>) -> Option<Names> {
        if !asked.insert(path.clone()) {
            return None;
        }
        let mut module = Names::new();
        for (index, word) in path.iter().enumerate() {
            let child: Names = module.iter().cloned().chain([word.clone()]).collect();
            if self.0.contains_key(&child) {
                module = child;
                continue;
            }
            let here = &self.0[&module];
            let rest = &path[index + 1..];
            if let Some(named) = here.named.get(word) {
                return self.definition(&named.iter().chain(rest).cloned().collect(), asked);
            }
            for glob in &here.globs {
                let named: Names = glob.iter().chain(&path[index..]).cloned().collect();
                let found = self.definition(&named, asked);
                if found.as_ref().is_some_and(|found| found != glob) {
                    return found;
                }
            }
            return Some(module);
        }
        Some(module)
    }

    /// The files that each file needs.
    fn imports(&self) -> BTreeMap<&str, BTreeSet<&str>> {
        let needs = |module: &Module| {
            let found = module.needed.iter().filter_map(|path| self.definition(path, &mut BTreeSet::new()));
            let files = found.map(|found| self.0[&found].file.as_str());
            files.filter(|&file| file != module.file).collect()
        };
        self.0.values().map(|module| (module.file.as_str(), needs(module))).collect()
    }
}

fn read(folder: &Path, module: &Names, texts: &mut Vec<(Names, String, String)>) {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        let stem = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let child: Names = match stem.as_str() {
            "lib" | "main" | "mod" => module.clone(),
            _ => module.iter().cloned().chain([stem]).collect(),
        };
        if path.is_dir() {
            read(&path, &child, texts);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            texts.push((child, path.display().to_string(), fs::read_to_string(&path).unwrap()));
        }
    }
}

/// The modules that are declared for tests only.
fn hidden_modules(module: &Names, source: &str) -> Vec<Names> {
    let lines: Vec<&str> = source.lines().collect();
    let declared = lines.windows(2).filter(|pair| pair[0] == "#[cfg(test)]").filter_map(|pair| {
        let name = pair[1].strip_prefix("mod ")?.strip_suffix(';')?;
        Some(module.iter().cloned().chain([name.to_owned()]).collect())
    });
    declared.collect()
}

fn crates() -> Vec<PathBuf> {
    let all = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut folders: Vec<PathBuf> = fs::read_dir(all).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    folders.retain(|folder| folder.join("src").is_dir());
    folders
}

/// Every file that a file needs, and those need in turn.
fn closure<'a>(imports: &BTreeMap<&'a str, BTreeSet<&'a str>>, file: &'a str) -> BTreeSet<&'a str> {
    let mut all = BTreeSet::new();
    let mut waiting = vec![file];
    while let Some(next) = waiting.pop() {
        if all.insert(next) {
            waiting.extend(&imports[next]);
        }
    }
    all
}

#[test]
fn no_two_files_import_each_other() {
    let mut circles = BTreeSet::new();
    for folder in crates() {
        let sources = Sources::of(&folder.join("src"));
        let imports = sources.imports();
        let short = |path: &str| {
            let path = Path::new(path).strip_prefix(folder.parent().unwrap()).unwrap();
            path.to_str().unwrap().replace('\\', "/")
        };
        for (file, needs) in &imports {
            let circle = needs.iter().filter(|need| file < *need && imports[*need].contains(file));
            circles.extend(circle.map(|need| format!("{} and {}", short(file), short(need))));
        }
    }
    assert!(circles.is_empty(), "{circles:#?}");
}

/// Files that make what a checker is given.
const PRODUCERS: [&str; 11] = [
    "assessment.rs",
    "decision/decider.rs",
    "decision/policy.rs",
    "decision/search.rs",
    "one_ply/producers.rs",
    "persistent/expand.rs",
    "persistent/prove.rs",
    "persistent/quick.rs",
    "persistent/roaming.rs",
    "persistent/single.rs",
    "structure/producers.rs",
];

const CHECKERS: [&str; 8] = [
    "decision/line.rs",
    "one_ply/board_screen.rs",
    "one_ply/position_proof.rs",
    "persistent/check.rs",
    "structure/binding.rs",
    "structure/certificate.rs",
    "structure/comparison.rs",
    "structure/composition.rs",
];

#[test]
fn checkers_import_no_producer() {
    let folder = crates().into_iter().find(|folder| folder.ends_with("bitmesh")).unwrap().join("src");
    let sources = Sources::of(&folder);
    let imports = sources.imports();
    let full = |file: &str| {
        let path = folder.join(file).display().to_string();
        *imports.keys().find(|known| **known == path).unwrap_or_else(|| panic!("{file} is gone"))
    };
    let producers = PRODUCERS.map(full);
    for checker in CHECKERS {
        let needed = closure(&imports, full(checker));
        let found: Vec<_> = producers.iter().filter(|producer| needed.contains(*producer)).collect();
        assert!(found.is_empty(), "{checker} needs {found:?}");
    }
    // The scan sees such an import where there is one.
    assert!(closure(&imports, full("assessment.rs")).contains(full("persistent/prove.rs")));
    assert!(closure(&imports, full("persistent/check.rs")).contains(full("persistent/check/witness.rs")));
}
