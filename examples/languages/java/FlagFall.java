import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * A player's flag has fallen. Is the game lost, or drawn (FIDE Laws of Chess, article 6.9)?
 *
 * <pre>
 *     java --enable-native-access=ALL-UNNAMED FlagFall.java /usr/local/lib/libbitmesh.so \
 *         '8/8/8/4k3/8/3n4/8/K7 w - - 0 1' white
 * </pre>
 *
 * Needs Java 22 or later for the foreign functions. The names are those of bitmesh.h.
 *
 * <p>SPDX-License-Identifier: GPL-3.0-or-later
 */
public final class FlagFall {
    private static final int INTERFACE = 1;
    private static final int WHITE = 0;
    private static final int BLACK = 1;
    private static final int WINNABLE = 1;
    private static final int UNWINNABLE = 2;

    /** Two texts that end with a zero byte. */
    private static final long ERROR_SIZE = 512;
    private static final long ERROR_MESSAGE = 64;

    /** interface_version, verdict, plies, looked_at: four numbers of 32 bits. */
    private static final long DECISION_SIZE = 16;
    private static final long DECISION_VERDICT = 4;
    private static final long DECISION_PLIES = 8;

    private final MethodHandle newDecider;
    private final MethodHandle freeDecider;
    private final MethodHandle decide;

    private FlagFall(Path library, Arena arena) {
        Linker linker = Linker.nativeLinker();
        SymbolLookup symbols = SymbolLookup.libraryLookup(library, arena);
        newDecider = linker.downcallHandle(
            symbols.find("bitmesh_decider_new").orElseThrow(), FunctionDescriptor.of(ADDRESS, JAVA_INT));
        freeDecider = linker.downcallHandle(
            symbols.find("bitmesh_decider_free").orElseThrow(), FunctionDescriptor.ofVoid(ADDRESS));
        decide = linker.downcallHandle(
            symbols.find("bitmesh_decide").orElseThrow(),
            FunctionDescriptor.of(
                JAVA_INT, new MemoryLayout[] {ADDRESS, ADDRESS, JAVA_LONG, JAVA_INT, ADDRESS, ADDRESS, ADDRESS}));
    }

    private static String text(MemorySegment segment, long offset) {
        int length = 0;
        while (segment.get(JAVA_BYTE, offset + length) != 0) {
            length++;
        }
        byte[] bytes = new byte[length];
        for (int place = 0; place < length; place++) {
            bytes[place] = segment.get(JAVA_BYTE, offset + place);
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** The exit code: 0 decided, 1 undecided, 2 not a question. */
    private int run(String position, int winner, Arena arena) throws Throwable {
        byte[] bytes = position.getBytes(StandardCharsets.UTF_8);
        // One byte more, because a segment of no bytes has no address.
        MemorySegment text = arena.allocate(bytes.length + 1L, 1);
        for (int place = 0; place < bytes.length; place++) {
            text.set(JAVA_BYTE, place, bytes[place]);
        }
        MemorySegment decision = arena.allocate(DECISION_SIZE, 8);
        decision.set(JAVA_INT, 0, INTERFACE);
        MemorySegment error = arena.allocate(ERROR_SIZE, 8);

        // A server keeps one for each thread.
        MemorySegment decider = (MemorySegment) newDecider.invokeExact(400_000);
        int status;
        try {
            status = (int) decide.invokeExact(
                decider, text, (long) bytes.length, winner, decision, MemorySegment.NULL, error);
        } finally {
            freeDecider.invokeExact(decider);
        }
        if (status != 0) {
            System.err.println(text(error, ERROR_MESSAGE) + " (" + text(error, 0) + ")");
            return 2;
        }
        switch (decision.get(JAVA_INT, DECISION_VERDICT)) {
            case WINNABLE:
                System.out.println("lost: the opponent can still give mate, for example in "
                    + decision.get(JAVA_INT, DECISION_PLIES) + " plies");
                return 0;
            case UNWINNABLE:
                System.out.println("drawn: the opponent can never give mate");
                return 0;
            default:
                System.out.println("undecided: an arbiter must look");
                return 1;
        }
    }

    public static void main(String[] arguments) throws Throwable {
        if (arguments.length != 3 || !(arguments[2].equals("white") || arguments[2].equals("black"))) {
            System.err.println("usage: FlagFall LIBRARY FEN white|black   (whose flag has fallen)");
            System.exit(2);
        }
        int code;
        try (Arena arena = Arena.ofConfined()) {
            int winner = arguments[2].equals("white") ? BLACK : WHITE;
            code = new FlagFall(Path.of(arguments[0]).toAbsolutePath(), arena).run(arguments[1], winner, arena);
        }
        System.exit(code);
    }
}
