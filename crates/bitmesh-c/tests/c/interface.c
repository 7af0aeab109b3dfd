/*
 * What a C program sees of the library. Compiled as C11 and as C++17, with every warning an error, and run
 * against the static and the shared library, once more with sanitizers. It counts and prints its checks.
 */
#include "bitmesh.h"

#include <stdio.h>
#include <string.h>

static int checks = 0;
static int failures = 0;

static void expect(int holds, const char *what, int line) {
    checks++;
    if (!holds) {
        failures++;
        fprintf(stderr, "line %d: %s\n", line, what);
    }
}
#define EXPECT(condition) expect((condition), #condition, __LINE__)

static const char WALL[] = "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1";
static const char BARE[] = "8/8/8/4k3/8/3n4/8/K7 w - - 0 1";
static const char BOARD[] = "8/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/8";
static const char START[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

static bitmesh_verdicts analyze(const char *text, int32_t expected) {
    bitmesh_verdicts verdicts;
    bitmesh_error error;
    memset(&verdicts, 0xff, sizeof verdicts);
    verdicts.interface_version = BITMESH_INTERFACE;
    EXPECT(bitmesh_analyze(text, strlen(text), &verdicts, &error) == expected);
    return verdicts;
}

static void layers_at_a_glance(void) {
    bitmesh_verdicts wall = analyze(WALL, BITMESH_OK);
    EXPECT(wall.is_position == 1 && wall.one_ply == BITMESH_ACCEPTED && wall.regions == 2);
    EXPECT(wall.components == 2 && wall.coupling == BITMESH_EXACT_SUM && wall.dead == 1);
    EXPECT(wall.unwinnable_white == 1 && wall.unwinnable_black == 1 && wall.reserved == 0);
    EXPECT(wall.barrier == UINT64_C(0x55ffaa0000) && wall.frozen == wall.barrier);

    bitmesh_verdicts board = analyze(BOARD, BITMESH_OK);
    EXPECT(board.is_position == 0 && board.dead == 0 && board.frozen == 0 && board.components == 0);

    bitmesh_verdicts start = analyze(START, BITMESH_OK);
    EXPECT(start.is_position == 1 && start.one_ply == BITMESH_REJECTED && start.dead == 0);
    EXPECT(start.unwinnable_white == 0 && start.coupling == BITMESH_NO_COMPONENTS);
}

static void proofs_and_their_examination(void) {
    bitmesh_bytes certificate = {NULL, 0};
    bitmesh_bytes report = {NULL, 0};
    bitmesh_error error;
    EXPECT(bitmesh_prove(WALL, strlen(WALL), 0, &certificate, NULL) == BITMESH_OK);
    EXPECT(certificate.length > 10 && memcmp(certificate.data, "BMPERSIST", 10) == 0);

    EXPECT(bitmesh_verify(certificate.data, certificate.length, NULL, 0, NULL, &error) == BITMESH_OK);
    EXPECT(bitmesh_verify(certificate.data, certificate.length, WALL, strlen(WALL), &report, &error) == BITMESH_OK);
    EXPECT(report.length > 0 && report.data[0] == '{');
    bitmesh_bytes_free(&report);
    EXPECT(report.data == NULL && report.length == 0);
    /* Another position than the one that was proved. */
    EXPECT(bitmesh_verify(certificate.data, certificate.length, BARE, strlen(BARE), &report, &error) ==
           BITMESH_REFUSED);
    EXPECT(strcmp(error.code, "verify/other-position") == 0 && error.message[0] != 0);
    bitmesh_bytes_free(&report);
    /* One bit of the position. */
    certificate.data[certificate.length / 2] ^= 1;
    EXPECT(bitmesh_verify(certificate.data, certificate.length, NULL, 0, NULL, &error) == BITMESH_REFUSED);
    EXPECT(strcmp(error.code, "payload/invalid-element") == 0);
    bitmesh_bytes_free(&certificate);
    bitmesh_bytes_free(&certificate);
    bitmesh_bytes_free(NULL);

    EXPECT(bitmesh_prove(START, strlen(START), 0, &certificate, &error) == BITMESH_NOT_PROVED);
    EXPECT(certificate.data == NULL && certificate.length == 0);
    EXPECT(bitmesh_prove(BOARD, strlen(BOARD), 0, &certificate, &error) == BITMESH_ERROR_BOARD);
    EXPECT(bitmesh_verify((const uint8_t *)"nothing", 7, NULL, 0, NULL, &error) == BITMESH_ERROR_EVIDENCE);
    EXPECT(strncmp(error.code, "verify/", 7) == 0);
    const char *undecided =
        "{\"schema\":\"bitmesh.decide.v1\",\"position\":\"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\","
        "\"effort\":0,\"decisions\":[{\"for\":\"white\",\"verdict\":\"undecided\",\"plies\":null,\"evidence\":null}]}";
    EXPECT(bitmesh_verify((const uint8_t *)undecided, strlen(undecided), NULL, 0, NULL, &error) == BITMESH_NOT_PROVED);
}

static void decisions(void) {
    bitmesh_decider *decider = bitmesh_decider_new(400000);
    bitmesh_decision decision;
    bitmesh_bytes evidence;
    bitmesh_error error;
    decision.interface_version = BITMESH_INTERFACE;

    EXPECT(bitmesh_decide(decider, START, strlen(START), BITMESH_BLACK, &decision, &evidence, &error) == BITMESH_OK);
    EXPECT(decision.verdict == BITMESH_WINNABLE && decision.plies > 3 && decision.looked_at > 0);
    EXPECT(evidence.length > 7 && memcmp(evidence.data, "BMMATE", 7) == 0);
    EXPECT(bitmesh_verify(evidence.data, evidence.length, START, strlen(START), NULL, &error) == BITMESH_OK);
    bitmesh_bytes_free(&evidence);

    EXPECT(bitmesh_decide(decider, BARE, strlen(BARE), BITMESH_BLACK, &decision, &evidence, NULL) == BITMESH_OK);
    EXPECT(decision.verdict == BITMESH_UNWINNABLE && decision.plies == 0);
    EXPECT(evidence.length > 10 && memcmp(evidence.data, "BMPERSIST", 10) == 0);
    bitmesh_bytes_free(&evidence);

    /* Without evidence the answer is the same. */
    EXPECT(bitmesh_decide(decider, START, strlen(START), BITMESH_WHITE, &decision, NULL, NULL) == BITMESH_OK);
    EXPECT(decision.verdict == BITMESH_WINNABLE);
    bitmesh_decider_free(decider);
    bitmesh_decider_free(NULL);

    /* Without a search the start is undecided, which is not "no", and has no evidence. */
    decider = bitmesh_decider_new(0);
    EXPECT(bitmesh_decide(decider, START, strlen(START), BITMESH_WHITE, &decision, &evidence, NULL) == BITMESH_OK);
    EXPECT(decision.verdict == BITMESH_UNDECIDED && evidence.data == NULL && evidence.length == 0);
    EXPECT(bitmesh_decide(decider, START, strlen(START), 2, &decision, NULL, &error) == BITMESH_ERROR_VALUE);
    EXPECT(bitmesh_decide(decider, BOARD, strlen(BOARD), 0, &decision, NULL, &error) == BITMESH_ERROR_BOARD);
    EXPECT(bitmesh_decide(NULL, START, strlen(START), 0, &decision, NULL, &error) == BITMESH_ERROR_NULL);
    bitmesh_decider_free(decider);
}

static void what_is_refused(void) {
    bitmesh_verdicts verdicts;
    bitmesh_error error;
    verdicts.interface_version = BITMESH_INTERFACE;
    EXPECT(bitmesh_analyze(NULL, 5, &verdicts, &error) == BITMESH_ERROR_NULL);
    EXPECT(bitmesh_analyze(NULL, 0, &verdicts, &error) == BITMESH_ERROR_INPUT);
    EXPECT(bitmesh_analyze(WALL, strlen(WALL), NULL, &error) == BITMESH_ERROR_NULL);
    EXPECT(bitmesh_analyze(WALL, strlen(WALL), NULL, NULL) == BITMESH_ERROR_NULL);
    EXPECT(bitmesh_analyze(WALL, SIZE_MAX, &verdicts, &error) == BITMESH_ERROR_LENGTH);
    EXPECT(bitmesh_analyze("\xff\xfe", 2, &verdicts, &error) == BITMESH_ERROR_TEXT);
    EXPECT(strcmp(error.code, "") == 0 && strcmp(error.message, bitmesh_status_text(BITMESH_ERROR_TEXT)) == 0);
    EXPECT(bitmesh_analyze("hello", 5, &verdicts, &error) == BITMESH_ERROR_INPUT);
    EXPECT(strchr(error.code, '/') != NULL && error.message[0] != 0);
    verdicts.interface_version = BITMESH_INTERFACE + 1;
    EXPECT(bitmesh_analyze(WALL, strlen(WALL), &verdicts, &error) == BITMESH_ERROR_VALUE);
    EXPECT(bitmesh_prove(WALL, strlen(WALL), 0, NULL, &error) == BITMESH_ERROR_NULL);
    EXPECT(bitmesh_verify(NULL, 4, NULL, 0, NULL, &error) == BITMESH_ERROR_NULL);
    EXPECT(bitmesh_verify(NULL, 0, NULL, 0, NULL, &error) == BITMESH_ERROR_EVIDENCE);
}

int main(void) {
    EXPECT(bitmesh_interface() == BITMESH_INTERFACE);
    EXPECT(strchr(bitmesh_version(), '.') != NULL);
    for (int32_t status = -9; status < 5; status++) EXPECT(bitmesh_status_text(status)[0] != 0);
    layers_at_a_glance();
    proofs_and_their_examination();
    decisions();
    what_is_refused();
    printf("%d passed, %d failed\n", checks - failures, failures);
    return failures != 0;
}
