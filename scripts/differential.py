#!/usr/bin/env python3
"""Compares cuarbiter with independent programs.

  scripts/differential.py perft [--positions N] [--depth D] [--chess960] [--seed S]
      Random legal positions, made by random play: the divide of "cuarbiter perft" against that of
      Debian's stockfish ("go perft"). Needs python-chess (pip install chess) to play.
  scripts/differential.py legality ARCHIVE [--limit N]
      A PGN archive (plain, .gz, .bz2 or .xz; .zst where zstd is installed): the games that
      "cuarbiter validate" finds to hold an illegal move against those that pgn-extract does.

The programs are taken from --cuarbiter, --stockfish and --pgn-extract, or build/bin, PATH and
/usr/games. Exit status: 0 no difference, 1 differences (listed on stdout), 2 wrong use or a program
that is missing or failed.
"""

import argparse
import bisect
import bz2
import gzip
import json
import lzma
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))


class Trouble(Exception):
    """The comparison cannot be made."""


def find_program(given, *places):
    for place in [given] if given else places:
        path = shutil.which(place)
        if path:
            return path
    raise Trouble(f"program not found: {given or ' or '.join(places)}")


def run_cuarbiter(program, arguments, text=None):
    """Returns the JSON records that cuarbiter writes; status 1 (findings) is no failure."""
    done = subprocess.run([program, *arguments], input=text, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise Trouble(f"{program} {' '.join(arguments)}: exit status {done.returncode}\n{done.stderr}")
    return [json.loads(line) for line in done.stdout.splitlines() if line]


class Stockfish:
    """One stockfish process that answers perft divides."""

    def __init__(self, program, chess960):
        self.process = subprocess.Popen(
            [program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.send(f"setoption name UCI_Chess960 value {'true' if chess960 else 'false'}")

    def send(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def divide(self, fen, depth):
        self.send(f"position fen {fen}")
        self.send(f"go perft {depth}")
        counts = {}
        for line in self.process.stdout:
            found = re.match(r"([a-h][1-8][a-h][1-8][nbrq]?): (\d+)$", line.strip())
            if found:
                counts[found[1]] = int(found[2])
            if line.startswith("Nodes searched"):
                return counts
        raise Trouble(f"stockfish ended at {fen}")

    def close(self):
        self.send("quit")
        self.process.wait()


def random_positions(count, chess960, seed):
    """FENs of positions met in random games; captures and checks are a bit more likely than others."""
    try:
        import chess
    except ImportError as error:
        raise Trouble("python-chess is missing (pip install chess)") from error
    dice = random.Random(seed)
    seen = set()
    while len(seen) < count:
        if chess960:
            board = chess.Board.from_chess960_pos(dice.randrange(960))
        else:
            board = chess.Board()
        for _ in range(dice.randrange(4, 160)):
            moves = sorted(board.legal_moves, key=chess.Move.uci)
            if not moves:
                break
            weights = [3 if board.is_capture(move) or board.is_castling(move) else 1 for move in moves]
            board.push(dice.choices(moves, weights)[0])
            if dice.random() < 0.03:
                break
        fen = board.shredder_fen() if chess960 else board.fen()
        if fen not in seen:
            seen.add(fen)
            yield fen


def compare_perft(options):
    cuarbiter = find_program(options.cuarbiter, os.path.join(ROOT, "build/bin/cuarbiter"), "cuarbiter")
    stockfish = find_program(options.stockfish, "stockfish", "/usr/games/stockfish")
    print(f"seed {options.seed}, {options.positions} positions, depth {options.depth}"
          f"{', Chess960' if options.chess960 else ''}", flush=True)

    fens = list(random_positions(options.positions, options.chess960, options.seed))
    arguments = ["perft", str(options.depth), "--divide", "--format", "jsonl"]
    if options.chess960:
        arguments.append("--chess960")
    ours = {}
    totals = {}
    for record in run_cuarbiter(cuarbiter, [*arguments, "-"], "\n".join(fens) + "\n"):
        if record["type"] == "divide":
            ours.setdefault(record["line"], {})[record["move"]] = int(record["nodes"])
        elif record["type"] == "perft":
            totals[record["line"]] = int(record["nodes"])

    peer = Stockfish(stockfish, options.chess960)
    differences = 0
    nodes = 0
    for line, fen in enumerate(fens, 1):
        theirs = peer.divide(fen, options.depth)
        mine = ours.get(line, {})
        total = sum(theirs.values())
        nodes += total
        if mine == theirs and totals.get(line) == total:
            continue
        differences += 1
        print(f"DIFFERENCE line {line}: {fen}: {totals.get(line)} against stockfish's {total}")
        for move in sorted(mine.keys() | theirs.keys()):
            if mine.get(move) != theirs.get(move):
                print(f"  {move}: {mine.get(move)} against {theirs.get(move)}")
    peer.close()
    print(f"{len(fens)} positions, {nodes} nodes, {differences} differences (seed {options.seed})")
    return differences


def open_archive(path):
    with open(path, "rb") as file:
        magic = file.read(6)
    if magic[:2] == b"\x1f\x8b":
        return gzip.open(path)
    if magic[:3] == b"BZh":
        return bz2.open(path)
    if magic == b"\xfd7zXZ\0":
        return lzma.open(path)
    # A zstd frame, or the skippable frame that pzstd writes first.
    if re.match(rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18", magic):
        return subprocess.Popen(
            [find_program(None, "zstd"), "-dcq", path], stdout=subprocess.PIPE
        ).stdout
    return open(path, "rb")


ILLEGAL = {"move.invalid", "move.illegal", "move.ambiguous", "move.king-left-in-check", "move.null"}
# Moves after the end are illegal after mate only: after a dead position pgn-extract accepts them.
EITHER = {"move.after-end"}


def split_games(path, limit, folder):
    """Writes the archive as plain text, and once more with an Event tag that numbers each game.

    Returns both paths and the line, from 1, on which each game starts in the first. A game starts
    with the first tag line after other text than tag lines, outside a comment."""
    plain = os.path.join(folder, "plain.pgn")
    numbered = os.path.join(folder, "numbered.pgn")
    starts = []
    in_tags = False
    in_comment = False
    with open_archive(path) as source, open(plain, "wb") as out, open(numbered, "wb") as marked:
        for number, line in enumerate(source, 1):
            tag = not in_comment and re.match(rb"(?:\xef\xbb\xbf)?\s*\[\s*[A-Za-z]", line)
            if tag and not in_tags:
                if len(starts) == limit:
                    break
                starts.append(number)
                marked.write(b'\n[Event "game %d"]\n' % len(starts))
            out.write(line)
            if tag:
                in_tags = True
                if not re.search(rb"\[\s*(Event|Site|Date|Round|White|Black)\b", line):
                    marked.write(line)
                continue
            in_tags = in_tags and not line.strip()
            marked.write(line)
            for byte in re.findall(rb"[{};]", line):
                if in_comment:
                    in_comment = byte != b"}"
                elif byte == b"{":
                    in_comment = True
                elif byte == b";":
                    break
    return plain, numbered, starts


def compare_legality(options):
    cuarbiter = find_program(options.cuarbiter, os.path.join(ROOT, "build/bin/cuarbiter"), "cuarbiter")
    pgn_extract = find_program(options.pgn_extract, "pgn-extract", "/usr/games/pgn-extract")
    with tempfile.TemporaryDirectory() as folder:
        plain, numbered, starts = split_games(options.archive, options.limit, folder)
        arguments = ["validate", "--format", "jsonl", "--games", plain]
        seen = 0
        ours = {}
        either = set()
        for record in run_cuarbiter(cuarbiter, arguments):
            if record["type"] == "game":
                seen += 1
            if record["type"] != "problem" or record["severity"] != "error":
                continue
            # By line: the two may number games without tags differently.
            game = bisect.bisect_right(starts, record["line"])
            if record["code"] in ILLEGAL:
                ours.setdefault(game, record)
            elif record["code"] in EITHER:
                either.add(game)

        # Output goes to a file: the games that pgn-extract could play through, marked by their Event.
        good = os.path.join(folder, "good.pgn")
        done = subprocess.run(
            [pgn_extract, "-s", "-C", "-N", "-o", good, numbered],
            stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, check=False,
        )
        if done.returncode != 0 or not os.path.exists(good):
            raise Trouble(f"pgn-extract: exit status {done.returncode}")
        with open(good, "rb") as file:
            legal = {int(n) for n in re.findall(rb'^\[Event "game (\d+)"\]', file.read(), re.M)}

    games = len(starts)
    theirs = set(range(1, games + 1)) - legal
    differences = sorted((theirs ^ ours.keys()) - (theirs & either))
    for game in differences:
        if game in ours:
            record = ours[game]
            print(f"DIFFERENCE game {game}: cuarbiter only: line {record['line']} ply {record['ply']} "
                  f"{record.get('move')}: {record['code']}")
        else:
            print(f"DIFFERENCE game {game} (line {starts[game - 1]}): pgn-extract only")
    if seen != games:
        print(f"note: cuarbiter saw {seen} games; {games} start with tags")
    print(f"{games} games, {len(ours)} not legal for cuarbiter, {len(theirs)} for pgn-extract, "
          f"{len(differences)} differences")
    return len(differences)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--cuarbiter", help="the program to test (default: build/bin/cuarbiter)")
    parser.add_argument("--stockfish")
    parser.add_argument("--pgn-extract")
    kinds = parser.add_subparsers(dest="kind", required=True)
    perft = kinds.add_parser("perft", help="divides against stockfish")
    perft.add_argument("--positions", type=int, default=200)
    perft.add_argument("--depth", type=int, default=3)
    perft.add_argument("--chess960", action="store_true")
    perft.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    legality = kinds.add_parser("legality", help="an archive against pgn-extract")
    legality.add_argument("archive")
    legality.add_argument("--limit", type=int, default=0, help="only the first N games (0: all)")
    options = parser.parse_args()
    if options.kind == "legality" and options.limit == 0:
        options.limit = None
    try:
        differences = compare_perft(options) if options.kind == "perft" else compare_legality(options)
    except (Trouble, OSError) as error:
        print(f"differential: {error}", file=sys.stderr)
        return 2
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
