/** What help says about the commands of `sessions` together. */
export const SESSIONS_HELP = `
A store is a folder of JSON Lines, a SQLite file (*.db, *.sqlite, *.sqlite3, or sqlite:FILE), a folder of PGlite
(pglite:FOLDER), or the URL of a database (postgres://, mysql://, mariadb://). Only import makes one that is not there.
A message is named by its id, or by its label.

Examples:
  message-store sessions ls ./chats
  message-store sessions tree ./chats 0195c1d2-7f1e-7000-8000-000000000000
  message-store sessions log chats.db support-17 --limit 20
  message-store sessions fork chats.db support-17 --at favourite
  message-store sessions export ./chats | message-store sessions import chats.db -
  message-store sessions verify postgres://app@localhost/app`;

/** What help says about each of them. */
export const HELP = {
  ls: `
Size is the length of the messages as JSON, in characters. With --json each session is a line.

Examples:
  message-store sessions ls ./chats --limit 20
  message-store sessions ls chats.db --prefix support- --json`,
  show: `
Example:
  message-store sessions show ./chats support-17 --json`,
  tree: `
Of a long run of messages without branching only the ends are drawn, and what has a label.

Example:
  message-store sessions tree ./chats support-17 --full`,
  log: `
Messages of the active branch, the newest last. With --json each message is a line.

Examples:
  message-store sessions log ./chats support-17 --limit 20
  message-store sessions log ./chats support-17 --to favourite --section chat
  message-store sessions log ./chats support-17 --all --json`,
  fork: `
Examples:
  message-store sessions fork ./chats support-17 --at favourite
  message-store sessions fork ./chats support-17 --whole --id support-17-copy`,
  label: `
Examples:
  message-store sessions label ./chats support-17 0195c1d2-7f1e-7000-8000-000000000000 favourite
  message-store sessions label ./chats support-17 favourite --remove`,
  export: `
A session is a header line and a line for each of its changes: all branches, labels, parameters and sections. import
reads it back without loss. With --to store each session is a store document on a line.

Examples:
  message-store sessions export ./chats --out chats.jsonl
  message-store sessions export chats.db support-17 --to store --path-only`,
  import: `
A file is what export printed, or anything that the other commands read; each conversation becomes a session. The ids
of the sessions are printed. What was cut off is finished by doing it again; what was imported already is left as it is.

Examples:
  message-store sessions import ./chats chats.jsonl.gz
  message-store sessions import chats.db request.json --id support-18
  message-store sessions export ./chats | message-store sessions import postgres://app@localhost/app -`,
  verify: `
Tells what the storage cannot read, messages that are none, and tool calls and answers that providers would refuse:
  session "s": ./chats/s.jsonl:3 (bytes 512 to 640): syntax: a line that is no JSON

The exit code is 0 where nothing is wrong, and 1 where something is.`,
  repair: `
Nobody else may write to the sessions meanwhile. The file as it was is kept beside the new one.

Example:
  message-store sessions repair ./chats support-17`,
} as const;
