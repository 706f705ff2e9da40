"""From what size on work is done in another way: every such number, and why it is that one.

No answer depends on these: they choose between roads to the same counts. What changes with the
size of data (probabilities read to few digits, ratings that models read, items that raters are left
out on) is said in notes.
"""

# Ratings, or rows of a lazy frame, past which only groups of items are looked at. So many answers
# one by one are 200 MB, and a method that looks at each takes seconds; counts of them take a few
# rows whatever their number. A lazy frame of fewer rows is fetched.
LARGE = 5_000_000

# Bytes of a file that is likely to hold as many, at some thirty a rating, before it is read. Its
# items are counted once and kept in the database, and its answers are held only where each of them
# is asked for; a file of predictions is grouped where it lies.
LARGE_FILE = 150 << 20

# Bytes up to which a file, of some two million ratings, is held when it is first read. Reading it a
# second time would take longer than all that is asked of it.
HELD_AT_ONCE = 48 << 20

# Bytes past which a file, of some fifty million ratings, is never held: each question reads it.
# Coded answers take about as much memory as the file has bytes, and 1.5 GB are left on most
# machines.
HELD_AT_ALL = 3 << 29

# Ratings up to which the join of single items, which most methods need anyway, is grouped in
# memory: starting a database for them takes longer than the whole join.
JOINED_IN_MEMORY = 500_000

# Ratings past which scores are summed by item alone: distances between two ratings, levels and
# single raters need each of them in memory, and are left out.
NUMBERS_ONE_BY_ONE = LARGE

# Rows of a table in memory up to which every item is looked at for second answers: finding the
# items that may have any costs a pass of its own.
FEW_ROWS = 50_000

# Different answers in the first rows that make it likely that all rows have many more.
MANY_LABELS_SEEN = 1000

# Labels in the first rows up to which counting begins with them, before all rows are asked. With
# more, counting on a guess that fails costs more than looking at the labels first.
LABELS_GUESSED = 50

# Ratings of many levels past which it is not looked up whether numbers are codes of names: that
# counts each level of each item, and so many levels are numbers nearly always.
NUMBERS_LOOKED_AT = 2_000_000

# Different answers up to which every digit of a probability is kept. Groups are what costs: past so
# many a method would take as long as on so many single items.
MOST_KINDS = 200_000

# Digits that probabilities are read to past that, the first that makes them few enough.
DIGITS = (3, 2)

# How many times too high or too low the database's estimate of different answers may be: it errs by
# a tenth or two, so that past this only counting them tells nothing new.
KINDS_MISJUDGED = 2

# Rows of predictions whose first answers tell whether any two are ever alike.
ROWS_SEEN = 20_000

# Items in a part on which raters are left out in turn, on average: what raters add to an interval
# is then told to one or two hundredths of itself.
PART_ITEMS = 50_000

# Ratings in such a part, on average, unless that would leave it fewer than `PART_LEAST` items:
# leaving out a rater looks at all of them.
PART_RATINGS = 500_000

# Items without which a part would say nothing of most raters.
PART_LEAST = 100

# Ratings of an item that models read; the share of a label is then told within 0.035.
ENOUGH = 200

# Different answers of a classifier that fit into a byte, with 0 for none, while items are joined.
CARRIED = 255

# Labels with which a row of counts for each stretch of rows is still small.
MOST_COUNTS = 50

# Ratings past which tables by rater are left out: they need every answer in memory.
RATER_TABLES = 20_000_000

# Items past which the contested ones are not looked up: that needs every id in memory.
CONTESTED = LARGE

# Ratings past which names of raters are not looked at for dependence: they would not fit in memory.
REMEMBERED = 30_000_000

# Items past which a result does not tell what was decided on each, for a later one to compare.
DECIDED_ON_EACH = 100_000

# Ratings × labels that a matrix is fitted to without being asked: about a minute's work.
MATRIX_FITTED = 2_000_000
