/** Lower-case hex SHA-256 of bytes, or of a text's UTF-8 bytes; synchronous. */
export type Sha256 = (input: string | Uint8Array) => string;

/** What `prev` says in the entry at 0. */
export const NO_LEAF = "0".repeat(64);

/** RFC 6962 leaf hash of an entry's exact bytes, lower-case hex: the link of the chain and the leaf of the tree. */
export const leafHash = (sha256: Sha256, entryText: string): string => sha256(`\u0000${entryText}`);
