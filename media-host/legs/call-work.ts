/** measured: share of a core of a call in which both sides talk all the time, on a slow machine; 0.01 on a fast one. */
export const TALKING_SHARE = 0.015
/** measured: 0.0033 of a call whose packets are passed as they are on a fast machine; slow ones take 1.5 times that. */
const PACKETS_SHARE = 0.005

/** What is done with the audio of a call; unknown while nobody takes it. */
export type CallWork = 'packets' | 'coded' | 'unknown'

/** The most that a call of this kind comes to take, as a share of a core; of one that is unknown, the most of all. */
export function mostShareOf(work: CallWork): number {
  return work === 'packets' ? PACKETS_SHARE : TALKING_SHARE
}
