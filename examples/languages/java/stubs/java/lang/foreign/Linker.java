// Only what FlagFall.java names of Java 22, so that an older compiler can read it; never run.
package java.lang.foreign;

public interface Linker {
    interface Option {}

    static Linker nativeLinker() {
        return null;
    }

    java.lang.invoke.MethodHandle downcallHandle(
        MemorySegment symbol, FunctionDescriptor function, Option... options);
}
