// Only what FlagFall.java names of Java 22, so that an older compiler can read it; never run.
package java.lang.foreign;

public interface SymbolLookup {
    static SymbolLookup libraryLookup(java.nio.file.Path path, Arena arena) {
        return null;
    }

    java.util.Optional<MemorySegment> find(String name);
}
