// What --help says below the flags.
#include "cli/help_text.hpp"

namespace cuarbiter {

const std::string kProgramHelp =
    R"(Input is read from the files named, or from standard input for - or none; zstd, gzip, bzip2
and xz are decoded by content. Data goes to standard output, diagnostics to standard error.

Exit status: 0 clean; 1 findings (a faulty game or position, a perft mismatch); 2 usage;
3 input cannot be read or decoded, output cannot be written; 4 backend or device; 5 internal;
75 stopped at a checkpoint.
The highest that applies wins; --exit-zero makes 1 a 0. A closed pipe is a quiet success.

"cuarbiter COMMAND --help" explains a command.)";

const std::string kPerftHelp =
    R"(Forms:
  cuarbiter perft DEPTH                 the start position
  cuarbiter perft DEPTH --fen FEN       that position
  cuarbiter perft DEPTH FILE...         every FEN or EPD line; - is standard input
  cuarbiter perft --suite FILE...       positions with known counts: EPD with ";D1 20 ;D2 400",
                                        or blocks of id, epd and perft lines
  cuarbiter perft ... --against "ENGINE"
                                        any of these compared with another engine's "go perft"

Text: "Nodes: N" for one position, with --divide "MOVE: N" lines before it; for files one line a
position in the form FEN ;D5 N, which --suite reads. Time and speed go to standard error.
jsonl: {"type":"perft","line","fen","depth","nodes"}, with --suite also "expected" and "ok" and one
{"type":"summary"} at the end; --divide puts {"type":"divide","line","move","nodes"} before it. Node
counts are strings: they pass 2^53.

--stats adds the kinds of the leaf moves: captures, en_passants, castles, promotions, checks (mates
included), discovered_checks (one man gives check, and it has not moved; the rook of a castling has),
double_checks (two men give check; not among the discovered ones), checkmates.

--unique counts the different positions at each ply (same placement, castling rights, legal en
passant, side to move) and writes "PLY: N" lines, for files FEN ;U1 20 ;U2 400. jsonl:
{"type":"unique","line","fen","ply","positions"}. Less --memory takes longer and changes nothing.

--against runs ENGINE by the shell, compares move by move, and where counts differ goes down to the
first position whose moves do: its FEN, the path to it, the moves missing and those too many. It
gives {"type":"against","line","fen","depth","nodes","engine_nodes","ok", and where not ok "path",
"position","missing","extra","remark"} and one {"type":"summary"}. A suite's positions are compared
at their deepest counts. Differences make the exit status 1, an engine that fails 3.

Long runs: --checkpoint FILE saves the state every few seconds, at a signal too (exit status 75);
the same command with --resume goes on, also after a kill. --shard I/N does one of N parts, from 1;
"cuarbiter merge" puts all N together. --shard slurm takes both numbers from a job array
(SLURM_ARRAY_TASK_ID, _MIN, _MAX, _STEP, _COUNT), from the tasks of a job (SLURM_PROCID,
SLURM_NTASKS), or from both.

A position that cannot be computed is reported on standard error and the run goes on; one that no
game can reach is counted all the same. Both make the exit status 1, except where only the history
of the position is impossible (fen.shut-in, fen.pawn-structure, fen.promotions): these are warnings
here. In a suite only what cannot be computed and mismatches make it 1, and castling letters are read as in X-FEN.)";

const std::string kValidateHelp =
    R"(Text: FILE:LINE:COLUMN: SEVERITY: game G ply P: MESSAGE [CODE], problems in file order, and a
summary. jsonl: {"type":"problem"}, with --games {"type":"game"}, and one {"type":"summary"}.
"cuarbiter codes" lists the codes. Errors make the exit status 1, warnings only with --strict.

CODE is a code or a group, the part before the dot: --ignore san,pgn.tag-missing. What is left out is
neither reported nor counted. --max-errors and --fail-fast end the run behind the last problem told;
the summary then covers the text up to there, and says that it stopped.

--duplicates: game.duplicate for a game with the moves of an earlier one, over all files, from the same
start position between the same players, whatever the spelling of moves and names (case, commas, full
stops and blanks; accents and full first names count). The message and the field "first" (file, game,
line) name the earlier one. Keys take --memory (128M by default), then temporary files in TMPDIR. The
records of --games have the "key" in jsonl and csv.

--report FILE.html: one page without scripts: counts per code, results, ends, draws, the first 24
faulty positions on boards, the first 1,000 files.

pgn: the games in export format (seven tag roster first, canonical SAN, NAGs, comments in braces, lines
of less than 80 characters), what is told in text form on standard error. A move that could not be made
and what follows it stay as written; text that PGN has no place for becomes a comment, outside of games
an escape line. --fix also repairs what has one right answer: results (by mates and stalemates, else
by the termination marker), dates, FEN, SetUp and PlyCount tags, pairs given twice, ISO 8859-1 text;
never a move. Faulty, for --keep, are games with an error, with --strict with any problem, with --fix
those that still have one when repaired.

Long runs: --checkpoint FILE saves the state about every second, at a signal too (exit status 75), and
keeps what is written in FILE.data until the run is complete; the same command with --resume goes on,
also after a kill. --shard I/N does one of N parts, from 1, about equally many bytes each: plain text is
cut between games, zstd data between games behind a border of frames, other files not at all.
"cuarbiter merge" puts all N together, in any --format, --duplicates included; parts of --format pgn
hold games, and it writes those; of shards with --report it makes the page. --shard slurm takes both
numbers from a Slurm job array or from the tasks of a job. Both read files only, not standard input;
--shard does not go with --max-errors, nor with --keep, --duplicates and --strict together; --duplicates
and --report do not go with --checkpoint alone (--shard 1/1 with merge does it).)";

const std::string kClassifyHelp =
    R"(One record a FEN or EPD line, or a game of PGN, in the order of the input. Each file's first bytes
tell which it is; --input decides for all of them.

Lines: blank ones and those that start with # are passed over. jsonl fields: type, line, input,
valid, fen, side_to_move, legal_moves, in_check, checkers, state, draw, insufficient_material,
dead_position, can_win, material, endgame, defects (each with code, message, severity and column).

Games: {"type":"game","file","game","line","offset","plies","result","valid", then fen to endgame of
the position in which the main line ends, "threefold_ply","fivefold_ply","fifty_ply",
"seventyfive_ply","max_repetitions","perpetual_check","checks_ply","draw_with_move" (claims that take
the move about to be made),"drawn_by" (why a drawn game is a draw),"defects" (each with code, message,
severity, line, column and ply)}. The defects are the errors that validate finds, with --strict its warnings
too. A game that breaks off at an illegal move is described after the last legal one; a game that
cannot be played (unknown variant, bad FEN) has state not_judged and nulls.

With --every-ply a game is one record for each ply of its main line, from 1, as far as it could be
played: {"type":"ply","file","game","line" (of the game),"ply","move" (that led there), then fen to
endgame,"repetitions" (how often the position has stood on the board),"draw_with_move"}. What is wrong
with the game goes to standard error.

state is ongoing, checkmate, stalemate, dead_position, seventyfive_moves or, with --rules qq,
thirty_moves, and for games fivefold_repetition, checks_in_a_row, checks_in_all and void; draw lists what could be claimed: fifty_moves, and
for games threefold_repetition. can_win tells whether some series of legal moves, both sides helping,
ends with that side giving mate, dead_position whether neither can: yes, no or unknown, by proof.
--proof adds "proof" before "defects" ({"white","black"}, UCI moves or null; in CSV the last columns);
--proof-nodes bounds a search, 60 bytes a position and thread.

fen.shut-in, fen.pawn-structure and fen.promotions are proofs that no game of standard chess can have
led to a position; with --chess960 nothing is concluded from where pieces start.

material is White's men v Black's, as KRPvKR. endgame is none with more than four pieces besides
kings and pawns, else bare_king (a side has its king alone), complex (a side has two pieces or more),
mixed (one piece each, of different kinds) or simple (the rest).

A position or game with a defect of severity error has "valid":false. A position is computed all the
same where legal moves can be computed; where they cannot, the fields from fen to endgame are null.
Errors make the exit status 1, warnings only with --strict. Text and csv leave the defects' details to
standard error; csv has a header before each run of lines or games.)";

const std::string kMovesHelp =
    R"(The legal moves of every FEN or EPD line, sorted by UCI move.

Text: a head line, then SAN, UCI move, piece and what the move is. jsonl: {"type":"moves","line",
"fen","side_to_move","count","moves":[{"san","uci","piece","from","to","capture","en_passant",
"castling","promotion","check","checkmate","stalemate"}]}. csv: one row a move. A position that
cannot be computed gives {"type":"moves","line","input","valid":false,"defects"} and exit status 1.
Castling is written king to its target (e1g1), in Chess960 positions king takes rook (e1h1).

--touched e1,h1 leaves the moves that the Laws leave to a player who has deliberately touched these
men in this order (FIDE Laws, article 4): the own man touched first that can be moved, the opponent's
that can be captured, castling after king and rook, any move where none of them can. The form of the
output is the same.)";

const std::string kDevicesHelp =
    R"(The CPU with its instruction sets, and every CUDA device with the reason when it cannot be used.)";

const std::string kBenchHelp =
    R"(Measures perft, classify, replay and proofs of who can win on this machine. What is computed is
fixed: each part has a signature that must not change, whatever the backend and the number of
threads; a wrong one is a fault of the program (exit status 5). --quick does a hundredth of the
work.)";

const std::string kMergeHelp =
    R"(Puts the parts that runs with --shard have written together to what one run without it would have
written. All parts of one run must be there, each once, in any order; gaps, repetitions and parts of
other runs (another input, depth or option) are refused with exit status 2, damaged files with 3. Parts
of validate give the exit status of one run: 1 for findings, 3 for files that could not be read.

Parts of validate --format pgn hold games: they are written, and what is told goes to standard error, as
in one run. --report FILE.html writes the page of one run from shards that had --report too.)";

const std::string kCodesHelp =
    R"(Every code a diagnostic can have, with its usual severity and its meaning.)";

}  // namespace cuarbiter
