/*
 * Bitmesh: what can be proved about a chess position, with evidence.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rules for every function
 *
 * - Texts are UTF-8 and come as a pointer and a length in bytes; no final zero is needed.
 *   A length may be 0, and then the pointer may be NULL.
 * - A function that can fail returns a status: BITMESH_OK, a definite negative (greater than 0),
 *   or an error (less than 0). Its last argument, a bitmesh_error, may be NULL.
 * - Nothing is written to a result when the status is an error, except that bytes are set to none.
 * - Bytes that a function hands out belong to the caller, who frees them with bitmesh_bytes_free.
 * - All functions may be called from any thread. A decider is used by one thread at a time.
 * - No function prints, exits, aborts or keeps global state.
 */
#ifndef BITMESH_H
#define BITMESH_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this interface. It grows by one when a program must be compiled again. */
#define BITMESH_INTERFACE 1

/* Statuses. */
#define BITMESH_OK 0
#define BITMESH_NOT_PROVED 1       /* nothing was proved, or the evidence claims nothing; that is not a claim */
#define BITMESH_REFUSED 2          /* bitmesh_verify: the evidence fails its examination */
#define BITMESH_INCOMPLETE 3       /* bitmesh_verify: something else is needed to examine it */
#define BITMESH_ERROR_NULL (-1)    /* a pointer that must not be NULL is NULL */
#define BITMESH_ERROR_TEXT (-2)    /* a text is not UTF-8 */
#define BITMESH_ERROR_INPUT (-3)   /* a text is neither a position nor a board; the error has the code */
#define BITMESH_ERROR_BOARD (-4)   /* the text is a board, and the question needs a position */
#define BITMESH_ERROR_EVIDENCE (-5) /* the bytes are in none of the formats */
#define BITMESH_ERROR_VALUE (-6)   /* a number is not one of those allowed */
#define BITMESH_ERROR_LENGTH (-7)  /* a length is larger than any object can be */
#define BITMESH_ERROR_FAULT (-8)   /* a fault of this library; please report it with the input */

/* Colours. */
#define BITMESH_WHITE 0
#define BITMESH_BLACK 1

/* What is known of one side. "Undecided" is not a claim: never read it as "no". */
#define BITMESH_UNDECIDED 0
#define BITMESH_WINNABLE 1
#define BITMESH_UNWINNABLE 2

/* The verdict of layers 1 and 2. */
#define BITMESH_REJECTED 0 /* the board does not fall apart */
#define BITMESH_SPLIT 1    /* it falls apart, but the one-ply screen refuses it */
#define BITMESH_ACCEPTED 2 /* no next move of either side crosses or breaks the barrier */

/* How the components of layer 3 are coupled. */
#define BITMESH_NO_COMPONENTS 0 /* fewer than two: not a claim */
#define BITMESH_EXACT_SUM 1
#define BITMESH_COUPLED 2

/* Why something failed. Both texts end with a zero byte; the message is cut where it is too long. */
typedef struct bitmesh_error {
    char code[64];     /* a stable name for programs, such as "position/too-few-fields"; may be empty */
    char message[448]; /* for people, in English */
} bitmesh_error;

/* Bytes that the library hands out. */
typedef struct bitmesh_bytes {
    uint8_t *data; /* NULL when there are none */
    size_t length;
} bitmesh_bytes;

/*
 * What all layers say at a glance about one position. Bit i of a bitboard is square i:
 * a1 = 0, b1 = 1, ..., h8 = 63. A claim that is 0 is not proved, which does not say that it is false.
 */
typedef struct bitmesh_verdicts {
    uint32_t interface_version; /* the caller sets BITMESH_INTERFACE */
    uint8_t is_position;        /* 0: the text is a board only, and layer 3 is empty */
    uint8_t one_ply;            /* BITMESH_REJECTED, BITMESH_SPLIT, BITMESH_ACCEPTED */
    uint8_t regions;            /* layer 1: regions that hold pieces */
    uint8_t components;         /* layer 3: classes of pieces that never interact */
    uint8_t coupling;           /* BITMESH_NO_COMPONENTS, BITMESH_EXACT_SUM, BITMESH_COUPLED */
    uint8_t unwinnable_white;   /* 1: White can never give mate */
    uint8_t unwinnable_black;   /* 1: Black can never give mate */
    uint8_t dead;               /* 1: neither can (FIDE Laws of Chess, article 5.2.2) */
    uint32_t reserved;          /* 0 */
    uint64_t barrier;           /* layer 1: the locked pawns */
    uint64_t frozen;            /* layer 3: the pieces that never move and are never captured */
} bitmesh_verdicts;

/* Whether one side can still give mate, if both sides help. */
typedef struct bitmesh_decision {
    uint32_t interface_version; /* the caller sets BITMESH_INTERFACE */
    int32_t verdict;            /* BITMESH_UNDECIDED, BITMESH_WINNABLE, BITMESH_UNWINNABLE */
    uint32_t plies;             /* winnable: the length of the line that was found */
    uint32_t looked_at;         /* how many positions the search looked at */
} bitmesh_decision;

#ifdef __cplusplus
#define BITMESH_STATIC_ASSERT static_assert
#else
#define BITMESH_STATIC_ASSERT _Static_assert
#endif
BITMESH_STATIC_ASSERT(sizeof(bitmesh_error) == 512, "bitmesh_error");
BITMESH_STATIC_ASSERT(sizeof(bitmesh_bytes) == 2 * sizeof(void *), "bitmesh_bytes");
BITMESH_STATIC_ASSERT(sizeof(bitmesh_verdicts) == 32, "bitmesh_verdicts");
BITMESH_STATIC_ASSERT(sizeof(bitmesh_decision) == 16, "bitmesh_decision");
#undef BITMESH_STATIC_ASSERT

/* The interface of the library that is linked: compare with BITMESH_INTERFACE. */
uint32_t bitmesh_interface(void);

/* The version of the library, such as "0.1.0". Static. */
const char *bitmesh_version(void);

/* What a status means, in English. Static, never NULL. */
const char *bitmesh_status_text(int32_t status);

/* Frees bytes. The length and the pointer become 0. NULL and empty bytes are allowed. */
void bitmesh_bytes_free(bitmesh_bytes *bytes);

/*
 * All layers at a glance, without evidence and without a search: a microsecond or two.
 * `text` is a FEN, an EPD line, or a placement (then the answer is about a board).
 */
int32_t bitmesh_analyze(const char *text, size_t length, bitmesh_verdicts *verdicts, bitmesh_error *error);

/*
 * Layer 3 with evidence. `positions` bounds an expansion; 0 allows one witness only, 100000 is usual.
 * BITMESH_OK: `certificate` receives a BMPERSIST certificate that the checker has accepted.
 * BITMESH_NOT_PROVED: nothing was proved, and there are no bytes.
 */
int32_t bitmesh_prove(const char *text, size_t length, uint32_t positions, bitmesh_bytes *certificate,
                      bitmesh_error *error);

/* A decider keeps the memory of its searches: one for each thread. */
typedef struct bitmesh_decider bitmesh_decider;

/*
 * A new decider, whose decisions look at no more than `effort` positions each: 400000 is usual,
 * 0 decides only what needs no search. The bound is never more than 1000000. NULL only if memory is short.
 */
bitmesh_decider *bitmesh_decider_new(uint32_t effort);

/* Ends a decider. NULL is allowed. */
void bitmesh_decider_free(bitmesh_decider *decider);

/*
 * Can `winner` still give mate, whoever is to move? When a player's flag falls, ask about the other
 * colour: "unwinnable" makes the game a draw (FIDE Laws of Chess, article 6.9).
 *
 * `evidence` may be NULL. Otherwise it receives a BMMATE line for a winnable side, a BMPERSIST
 * certificate for an unwinnable one, and nothing for an undecided one.
 */
int32_t bitmesh_decide(bitmesh_decider *decider, const char *text, size_t length, int32_t winner,
                       bitmesh_decision *decision, bitmesh_bytes *evidence, bitmesh_error *error);

/*
 * Examines evidence in any format, as bytes, JSON or hexadecimal text.
 *
 * `text` is the position that the evidence must be about, or NULL with length 0.
 * `report` may be NULL; otherwise it receives what was checked, what was not, and what was found,
 * as JSON (schema bitmesh.verify.v1).
 * BITMESH_OK: verified. BITMESH_NOT_PROVED: the evidence holds together and claims nothing. BITMESH_REFUSED: it fails, and the error says why. BITMESH_INCOMPLETE: more is needed.
 */
int32_t bitmesh_verify(const uint8_t *evidence, size_t evidence_length, const char *text, size_t length,
                       bitmesh_bytes *report, bitmesh_error *error);

#ifdef __cplusplus
}
#endif

#endif
