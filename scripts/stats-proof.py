#!/usr/bin/env python3
"""Proves "cuarbiter perft --stats" by an independent, slow count with python-chess.

    scripts/stats-proof.py CUARBITER [POSITIONS [SEED]]

Counts well-known positions at small depths, then POSITIONS random ones (default 200; every other one
from a Chess960 game) at depths 1 and 2, each with and without merging, and compares every column.
Needs python-chess. Exit status 1 when anything differs.
"""

import json
import random
import subprocess
import sys

import chess

COLUMNS = ("nodes", "captures", "en_passants", "castles", "promotions", "checks",
           "discovered_checks", "double_checks", "checkmates")

KNOWN = [
    (chess.STARTING_FEN, 4),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 4),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 3),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 3),
    ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 3),
    # Checks by en passant (discovered, with the pawn, by both lines), castling, promotion.
    ("4k3/8/8/3pP3/8/8/8/4R2K w - d6 0 1", 3),
    ("8/4k3/8/3pP3/8/8/8/4R2K w - d6 0 1", 3),
    ("8/8/4k3/3pP3/2B5/8/8/4R2K w - d6 0 1", 3),
    ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", 3),
    ("3nk3/4P3/8/8/8/8/8/4R2K w - - 0 1", 3),
]


def arrivals(board, move):
    """The squares on which men arrive."""
    if not board.is_castling(move):
        return chess.BB_SQUARES[move.to_square]
    rank = 0 if board.turn else 7
    files = (5, 6) if board.is_kingside_castling(move) else (2, 3)
    return sum(chess.BB_SQUARES[chess.square(file, rank)] for file in files)


def leaf_moves(board):
    counts = [0] * len(COLUMNS)
    for move in list(board.legal_moves):
        arrived = arrivals(board, move)
        counts[0] += 1
        counts[1] += board.is_capture(move)
        counts[2] += board.is_en_passant(move)
        counts[3] += board.is_castling(move)
        counts[4] += move.promotion is not None
        board.push(move)
        checkers = int(board.checkers())
        if checkers:
            counts[5] += 1
            if checkers & (checkers - 1):
                counts[7] += 1
            elif not checkers & arrived:
                counts[6] += 1
            counts[8] += board.is_checkmate()
        board.pop()
    return counts


def slow_stats(board, depth):
    if depth == 1:
        return leaf_moves(board)
    sums = [0] * len(COLUMNS)
    for move in list(board.legal_moves):
        board.push(move)
        sums = [a + b for a, b in zip(sums, slow_stats(board, depth - 1))]
        board.pop()
    return sums


def fast_stats(program, fens, depth, merge):
    lines = subprocess.run(
        [program, "perft", str(depth), "-", "--stats", "--format", "jsonl", "-q", merge],
        input="\n".join(fens) + "\n", capture_output=True, text=True).stdout.splitlines()
    return [[int(record[column]) for column in COLUMNS] for record in map(json.loads, lines)]


def random_fens(count, seed):
    rng = random.Random(seed)
    fens = []
    game = 0
    while len(fens) < count:
        game += 1
        chess960 = game % 2 == 0
        board = chess.Board.from_chess960_pos(rng.randrange(960)) if chess960 else chess.Board()
        for _ in range(rng.randrange(4, 160)):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(rng.choice(moves))
        fens.append((board.shredder_fen() if chess960 else board.fen(), chess960))
    return fens


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    program = sys.argv[1]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 200
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    work = [(fen, False, depth) for fen, most in KNOWN for depth in range(1, most + 1)]
    work += [(fen, chess960, depth) for fen, chess960 in random_fens(count, seed)
             for depth in (1, 2)]
    differences = 0
    totals = [0] * len(COLUMNS)
    for depth in sorted({d for _, _, d in work}):
        tasks = [(fen, chess960) for fen, chess960, d in work if d == depth]
        expected = [slow_stats(chess.Board(fen, chess960=chess960), depth) for fen, chess960 in tasks]
        for merge in ("--merge", "--no-merge"):
            found = fast_stats(program, [fen for fen, _ in tasks], depth, merge)
            if len(found) != len(tasks):
                sys.exit(f"stats-proof: {len(found)} answers to {len(tasks)} positions")
            for (fen, _), slow, fast in zip(tasks, expected, found):
                if slow != fast:
                    differences += 1
                    print(f"depth {depth} {merge}: {fen}\n  python-chess {slow}\n  cuarbiter    {fast}")
        for counts in expected:
            totals = [a + b for a, b in zip(totals, counts)]
    print(f"{len(work)} counts of {', '.join(f'{n} {c}' for n, c in zip(totals, COLUMNS))}: "
          f"{differences} differences")
    sys.exit(1 if differences else 0)


main()
