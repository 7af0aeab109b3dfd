// Only what FlagFall.java names of Java 22, so that an older compiler can read it; never run.
package java.lang.foreign;

public interface MemorySegment {
    MemorySegment NULL = null;

    byte get(ValueLayout.OfByte layout, long offset);

    int get(ValueLayout.OfInt layout, long offset);

    void set(ValueLayout.OfByte layout, long offset, byte value);

    void set(ValueLayout.OfInt layout, long offset, int value);
}
