/**
 * The table of peers, [sandbox.peers.1] to [sandbox.peers.9]: the last four digits of a phone number choose how that
 * peer behaves. Where the table is silent the delay is our choice, kept short so that demos are quick.
 */

/** What a phone says once the call is answered. `none` sends no RTP at all. */
const VOICES = ['echo', 'tone', 'silence', 'none'] as const
export type Voice = (typeof VOICES)[number]

/** How a peer that is called behaves. */
export interface CalleeBehaviour {
  /** How long it rings before `outcome`; null rings until the caller gives up. */
  readonly ringMs: number | null
  readonly outcome: 'answer' | 'decline' | 'fail'
  readonly voice: Voice
  /** Time from the answer to hanging up, ms; null never hangs up by itself. */
  readonly hangupAfterMs: number | null
}

export type DeliveryStatus = 'SENT' | 'DELIVERED' | 'READ' | 'FAILED'

/** How a peer behaves that gets a message. */
export interface RecipientBehaviour {
  /** Statuses, reported in this order. */
  readonly statuses: readonly DeliveryStatus[]
  /** True when the message shows in the peer's inbox. */
  readonly isReached: boolean
  readonly isEchoing: boolean
}

const UNREGISTERED = '0004'

/** The last four digits of a peer, which may be known by `...@lid` alone. */
export function endingOf(peer: string): string {
  return peer.replace(/@lid$/, '').slice(-4)
}

const ANSWERS: CalleeBehaviour = { ringMs: 2_000, outcome: 'answer', voice: 'echo', hangupAfterMs: null }
/** A callee that is a number of the network itself: it says what the other end of the line hears. */
export const LINE: CalleeBehaviour = { ...ANSWERS, ringMs: null }

const CALLEES: Readonly<Record<string, CalleeBehaviour>> = {
  '0001': { ...ANSWERS, ringMs: 1_000 },
  '0002': { ...ANSWERS, ringMs: 1_000, outcome: 'decline' },
  '0003': { ...ANSWERS, ringMs: null },
  // our choice: the voice of a peer that hangs up is an echo, as for any other peer.
  '0005': { ...ANSWERS, ringMs: 1_000, hangupAfterMs: 3_000 },
  '0006': { ...ANSWERS, ringMs: 1_000, voice: 'tone' },
  // our choice: 1 s of ringing, as for the others.
  '0007': { ...ANSWERS, ringMs: 1_000, outcome: 'fail' },
  '0008': { ...ANSWERS, ringMs: 1_000, voice: 'none' },
}

const READS: RecipientBehaviour = { statuses: ['SENT', 'DELIVERED', 'READ'], isReached: true, isEchoing: false }
const RECIPIENTS: Readonly<Record<string, RecipientBehaviour>> = {
  '0002': { ...READS, statuses: ['SENT', 'DELIVERED'] },
  '0003': { ...READS, statuses: ['SENT'], isReached: false },
  '0005': { ...READS, isEchoing: true },
  '0007': { ...READS, statuses: ['SENT', 'FAILED'], isReached: false },
  '0008': { ...READS, statuses: [], isReached: false },
}

/** Tells whether the peer has an account at all. */
export function isRegistered(peer: string): boolean {
  return endingOf(peer) !== UNREGISTERED
}

/** Gives the behaviour of a called peer. */
export function calleeBehaviour(peer: string): CalleeBehaviour {
  return CALLEES[endingOf(peer)] ?? ANSWERS
}

/** Gives the behaviour of a peer that gets a message. */
export function recipientBehaviour(peer: string): RecipientBehaviour {
  return RECIPIENTS[endingOf(peer)] ?? READS
}
