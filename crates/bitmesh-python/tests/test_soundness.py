"""Legal moves of python-chess against what the screens accept: an independent implementation of the rules."""

from __future__ import annotations

import random
from typing import List

import bitmesh
import chess
from conftest import golden


def squares_of(board: chess.Board, move: chess.Move) -> List[int]:
    """Everything that a move touches besides the square that it starts from."""
    touched = [move.to_square]
    if board.is_en_passant(move):
        touched.append(move.to_square + (-8 if board.turn == chess.WHITE else 8))
    if board.is_castling(move):
        kingside = board.is_kingside_castling(move)
        rank = chess.square_rank(move.from_square)
        touched.append(chess.square(7 if kingside else 0, rank))
        touched.append(chess.square(5 if kingside else 3, rank))
    return touched


def escapes(board: chess.Board, certificate: bitmesh.DecompositionCertificate) -> List[str]:
    """The moves of the side to move that leave a region, or move or capture a barrier pawn."""
    found = []
    for move in board.pseudo_legal_moves:
        if board.kings & chess.BB_SQUARES[move.to_square]:
            continue
        inside = any(
            move.from_square in component.mask
            and all(square in component.mask for square in squares_of(board, move))
            for component in certificate.components
        )
        if not inside:
            found.append(move.uci())
    return found


def other_side(board: chess.Board) -> chess.Board:
    """The same pieces with the other side to move; nobody has just made a double step."""
    other = board.copy(stack=False)
    other.turn = not board.turn
    other.ep_square = None
    return other


def test_no_move_leaves_a_region_of_an_accepted_position(walled_boards: List[chess.Board]) -> None:
    accepted = refused = refused_for_en_passant = 0
    for board in walled_boards:
        certification = bitmesh.certify(board)
        assert certification.is_position
        if not certification.accepted:
            refused += 1
            refused_for_en_passant += "en-passant" in certification.one_ply
            continue
        accepted += 1
        for side in (board, other_side(board)):
            assert escapes(side, certification.decomposition) == [], side.fen()
    # All of it was put to the test.
    assert min(accepted, refused, refused_for_en_passant) > 50


def test_the_check_finds_what_the_board_form_does_not_see(walled_boards: List[chess.Board]) -> None:
    broken = [
        board
        for board in walled_boards
        if board.has_legal_en_passant() and bitmesh.certify(chess.BaseBoard(board.board_fen())).accepted
    ]
    assert len(broken) > 20
    for board in broken:
        certification = bitmesh.certify(board)
        assert certification.verdict == "refused"
        assert escapes(board, certification.decomposition), board.fen()


def test_no_move_leaves_a_region_of_an_accepted_board() -> None:
    accepted = [row["board"] for row in golden("boards.jsonl") if row["screen"].startswith("Accepted")]
    assert len(accepted) > 200
    for placement in accepted:
        certificate = bitmesh.certify(placement).decomposition
        for turn in chess.COLORS:
            board = chess.Board(None)
            board.set_board_fen(placement)
            board.turn = turn
            assert escapes(board, certificate) == [], placement


def test_what_is_frozen_stays_and_what_moves_stays_in_reach(walled_boards: List[chess.Board]) -> None:
    """Random play from positions with something proved never leaves the certificate."""
    random_ = random.Random(3)
    played = 0
    for board in walled_boards:
        if played > 2000:
            break
        certificate = bitmesh.prove(board, nodes=0)
        if not (certificate.decomposed or certificate.dead):
            continue
        reaches = {mover.square: mover.squares for mover in certificate.movers}
        board = board.copy(stack=False)
        for _ in range(40):
            moves = list(board.legal_moves)
            if not moves:
                assert not (board.is_checkmate() and certificate.dead)
                break
            move = random_.choice(moves)
            assert move.from_square not in certificate.frozen
            assert move.to_square not in certificate.frozen
            if board.is_en_passant(move):
                reaches.pop(move.to_square + (-8 if board.turn == chess.WHITE else 8))
            reach = reaches.pop(move.from_square)
            assert move.to_square in reach, (board.fen(), move.uci())
            reaches[move.to_square] = reach
            board.push(move)
            played += 1
    assert played > 2000
