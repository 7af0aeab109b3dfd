// Only what FlagFall.java names of Java 22, so that an older compiler can read it; never run.
package java.lang.foreign;

public interface Arena extends AutoCloseable {
    static Arena ofConfined() {
        return null;
    }

    MemorySegment allocate(long size, long alignment);

    @Override
    void close();
}
