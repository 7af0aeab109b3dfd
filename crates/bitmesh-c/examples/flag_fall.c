/*
 * A player's flag has fallen. Is the game lost, or drawn (FIDE Laws of Chess, article 6.9)?
 *
 *     cc -std=c11 flag_fall.c $(pkg-config --cflags --libs bitmesh) -o flag_fall
 *     ./flag_fall '8/8/8/4k3/8/3n4/8/K7 w - - 0 1' white
 */
#include <bitmesh.h>

#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    if (argc != 3 || (strcmp(argv[2], "white") != 0 && strcmp(argv[2], "black") != 0)) {
        fprintf(stderr, "usage: %s FEN white|black   (whose flag has fallen)\n", argv[0]);
        return 2;
    }
    int32_t opponent = strcmp(argv[2], "white") == 0 ? BITMESH_BLACK : BITMESH_WHITE;

    bitmesh_decider *decider = bitmesh_decider_new(400000);
    if (decider == NULL) return 2;
    bitmesh_decision decision;
    bitmesh_bytes evidence;
    bitmesh_error error;
    decision.interface_version = BITMESH_INTERFACE;
    int32_t status =
        bitmesh_decide(decider, argv[1], strlen(argv[1]), opponent, &decision, &evidence, &error);
    bitmesh_decider_free(decider);
    if (status != BITMESH_OK) {
        fprintf(stderr, "%s (%s)\n", error.message, error.code);
        return 2;
    }

    switch (decision.verdict) {
    case BITMESH_WINNABLE:
        printf("lost: the opponent can still give mate, for example in %u plies\n", (unsigned)decision.plies);
        break;
    case BITMESH_UNWINNABLE:
        printf("drawn: the opponent can never give mate (certificate of %zu bytes)\n", evidence.length);
        break;
    default:
        printf("undecided: an arbiter must look\n");
    }
    bitmesh_bytes_free(&evidence);
    return decision.verdict == BITMESH_UNDECIDED;
}
