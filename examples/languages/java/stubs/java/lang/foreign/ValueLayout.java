// Only what FlagFall.java names of Java 22, so that an older compiler can read it; never run.
package java.lang.foreign;

public interface ValueLayout extends MemoryLayout {
    interface OfByte extends ValueLayout {}

    interface OfInt extends ValueLayout {}

    interface OfLong extends ValueLayout {}

    AddressLayout ADDRESS = null;
    OfByte JAVA_BYTE = null;
    OfInt JAVA_INT = null;
    OfLong JAVA_LONG = null;
}
