import type { BaileysEventMap } from 'baileys'
import { hearCalls } from '../calls/hear-calls.ts'
import { hearHistory } from '../history/hear-history.ts'
import type { LiveSession } from '../session/live-session.ts'
import { hearArrivals } from '../statuses/hear-arrivals.ts'
import { hearOwnName } from '../statuses/hear-own-name.ts'
import { hearStatuses } from '../statuses/hear-statuses.ts'
import { hearRooms } from './hear-rooms.ts'

/** Hears events of a socket at the moment they are emitted, before the library's buffer delays them; several may hear one. */
export type Listen = <E extends keyof BaileysEventMap>(event: E, hear: (value: BaileysEventMap[E]) => void) => void

/** What is heard of each socket beside `messages.upsert`, which session/ takes. Listeners must not throw and must not wait: use `live.inTurn`. */
export const LISTENERS: readonly ((live: LiveSession, listen: Listen) => void)[] = [
  hearStatuses, hearArrivals, hearOwnName, hearRooms, hearCalls, hearHistory,
]
