import type { Listener } from '../session/live-session.ts'
import { hearArrivals } from './hear-arrivals.ts'
import { hearCalls } from './hear-calls.ts'
import { hearHistory } from './hear-history.ts'
import { hearOwnName } from './hear-own-name.ts'
import { hearRooms } from './hear-rooms.ts'
import { hearStatuses } from './hear-statuses.ts'

/** What is heard of each socket beside `messages.upsert`, which session/ takes. */
export const LISTENERS: readonly Listener[] = [
  hearStatuses,
  hearArrivals,
  hearOwnName,
  hearRooms,
  hearCalls,
  hearHistory,
]
