# nights.bash - histories that are made up, for tests of `paragrade nightly`. After common.bash.
# shellcheck shell=bash

# add_nights FILE NIGHTS NODES: that many nights up to yesterday, on the nodes n1, n2 ... with three
# times each, which vary by 1 %. The history exists already.
add_nights() {
    sqlite3 "$1" <<SQL
CREATE TEMP TABLE night AS WITH RECURSIVE t(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM t WHERE i < $2)
  SELECT i, strftime('%Y-%m-%dT03:00:00Z', 'now', '-' || ($2 + 1 - i) || ' days') AS at FROM t;
CREATE TEMP TABLE node AS WITH RECURSIVE t(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM t WHERE i < $3)
  SELECT 'n' || i AS name FROM t;
CREATE TEMP TABLE tier AS SELECT column1 AS name, column2 AS seconds
  FROM (VALUES ('naive', 2.0), ('simd', 0.1), ('yardstick simd', 0.1));
INSERT OR IGNORE INTO facts (processor, microcode, kernel, driver, compiler, source)
  VALUES ('Xeon', '0x1', '6.1.0-18', '', 'gcc 12', 'abc');
INSERT INTO run (name, created, assignment) SELECT 'night', at, 'small' FROM night;
INSERT INTO time (node, assignment, tier, launch, size)
  SELECT node.name, 'small', tier.name, '1 thread', '128' FROM node, tier;
INSERT INTO measured (time, run, at, seconds, facts)
  SELECT time.id, run.id, night.at,
    tier.seconds * (1 + 0.02 * ((run.id * 7919 + time.id * 104729 + run.id * time.id * 31) % 100 / 100.0 - 0.5)),
    (SELECT id FROM facts WHERE processor = 'Xeon')
  FROM time JOIN tier ON tier.name = time.tier, night JOIN run ON run.created = night.at;
SQL
}

# slow_down FILE NODE NIGHTS SHARE: the node was slower in the last NIGHTS nights.
slow_down() {
    sqlite3 "$1" "UPDATE measured SET seconds = seconds * (1 + $4)
        WHERE time IN (SELECT id FROM time WHERE node = '$2')
        AND at > strftime('%Y-%m-%dT23:59:59Z', 'now', '-' || ($3 + 1) || ' days')"
}

# days_ago N: the date, in UTC
days_ago() { date -u -d "$1 days ago" +%F; }
