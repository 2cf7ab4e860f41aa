/** Most bytes of a file in either direction: the ceiling of documents ([media.ceilings.4]), as in the gateway. */
export const MAX_FILE_BYTES = 100 * 1024 * 1024
/** [engines.baileys-duties.8]: how long the address of received media is valid, in ms. */
export const OFFER_MS = 10 * 60_000
/** Our choice: a transfer that makes no progress for this many ms is given up. */
export const IDLE_MS = 30_000
/** Our choice: most addresses that are remembered as used, or because they are long; beyond them the oldest goes. */
export const MAX_REMEMBERED = 20_000
/** Our choice: most characters of a token that holds its media, so that an address stays below 2,000. */
export const MAX_TOKEN = 1_700
