/** Bytes of a file either way: the ceiling of documents ([media.ceilings.4]), which is that of the gateway too. */
export const MAX_FILE_BYTES = 100 * 1024 * 1024
/** [engines.baileys-duties.8]: the address of a received media is good for so long. */
export const OFFER_MS = 10 * 60_000
/** Our choice: a transfer that stands still for so long is given up. */
export const IDLE_MS = 30_000
/** Our choice: addresses that are good at a time; of more, the oldest is forgotten. */
export const MAX_OFFERS = 20_000
