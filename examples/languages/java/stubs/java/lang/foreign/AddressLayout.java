// Only what FlagFall.java names of Java 22, so that an older compiler can read it; never run.
package java.lang.foreign;

public interface AddressLayout extends ValueLayout {}
