// Only what FlagFall.java names of Java 22, so that an older compiler can read it; never run.
package java.lang.foreign;

public interface FunctionDescriptor {
    static FunctionDescriptor of(MemoryLayout result, MemoryLayout... arguments) {
        return null;
    }

    static FunctionDescriptor ofVoid(MemoryLayout... arguments) {
        return null;
    }
}
