// The tables of the ledger.

export const schema = `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  CREATE TABLE documents (
    id INTEGER PRIMARY KEY,
    path TEXT UNIQUE,
    title TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    read_hash TEXT,
    read_revision INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE TABLE entries (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    document INTEGER NOT NULL,
    kind TEXT NOT NULL,
    origin TEXT,
    turn TEXT,
    data TEXT NOT NULL,
    at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX entries_by_document ON entries (document, id);
  CREATE INDEX entries_by_turn ON entries (turn) WHERE turn IS NOT NULL;
  CREATE INDEX decisions ON entries (id) WHERE kind IN ('decision', 'undo');
  CREATE TABLE snapshots (
    document INTEGER NOT NULL,
    entry INTEGER NOT NULL,
    data BLOB NOT NULL,
    PRIMARY KEY (document, entry)
  ) STRICT;
  CREATE TABLE turns (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    session TEXT,
    summary TEXT NOT NULL,
    status TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    ended_at INTEGER,
    is_whole INTEGER NOT NULL DEFAULT 0,
    agent TEXT
  ) STRICT;
  CREATE TABLE checkpoints (
    turn TEXT NOT NULL,
    document INTEGER NOT NULL,
    entry_before INTEGER NOT NULL,
    entry_after INTEGER NOT NULL,
    base_hash TEXT NOT NULL,
    hunks TEXT NOT NULL,
    PRIMARY KEY (turn, document)
  ) STRICT;
  CREATE INDEX checkpoints_by_document ON checkpoints (document);
  CREATE TABLE open_reviews (document INTEGER PRIMARY KEY) STRICT;
  CREATE TABLE unsaved (document INTEGER PRIMARY KEY) STRICT;
  CREATE TABLE tabs (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    document INTEGER NOT NULL,
    position INTEGER NOT NULL,
    first_version INTEGER NOT NULL,
    is_active INTEGER NOT NULL,
    turn TEXT
  ) STRICT;
  CREATE TABLE saves (
    document INTEGER PRIMARY KEY,
    side TEXT NOT NULL,
    entry INTEGER NOT NULL,
    hash TEXT NOT NULL
  ) STRICT;
  CREATE TABLE holders (
    name TEXT PRIMARY KEY,
    instance TEXT NOT NULL,
    pid INTEGER NOT NULL,
    host TEXT NOT NULL,
    purpose TEXT NOT NULL,
    since INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE nodes (document INTEGER PRIMARY KEY, path BLOB NOT NULL UNIQUE) STRICT;
  CREATE TABLE at_work (
    turn TEXT PRIMARY KEY,
    session TEXT,
    summary TEXT NOT NULL,
    pid INTEGER NOT NULL,
    host TEXT NOT NULL,
    since INTEGER NOT NULL,
    busy TEXT NOT NULL
  ) STRICT;
  CREATE INDEX turns_by_start ON turns (started_at);
  CREATE INDEX turns_by_session ON turns (session, started_at) WHERE session IS NOT NULL;
`;

/** Another one whenever tables, entries or snapshots get another form. */
export const schemaVersion = 6;

/** What leads from a version to the next. */
export const schemaSteps: Readonly<Record<number, string>> = {
  5: "ALTER TABLE turns ADD COLUMN agent TEXT",
};

/** Those with content, in the order in which a repair brings them back. */
export const ledgerTables = [
  "meta",
  "documents",
  "entries",
  "snapshots",
  "turns",
  "checkpoints",
  "open_reviews",
  "unsaved",
  "tabs",
  "saves",
  "nodes",
  "at_work",
] as const;
