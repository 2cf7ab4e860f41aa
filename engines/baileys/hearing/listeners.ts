import type { Listener } from '../session/live-session.ts'
import { hearArrivals } from './hear-arrivals.ts'
import { hearCalls } from './hear-calls.ts'
import { hearHistory } from './hear-history.ts'
import { hearOwnName } from './hear-own-name.ts'
import { hearPeers } from './hear-peers.ts'
import { hearRooms } from './hear-rooms.ts'
import { hearStatuses } from './hear-statuses.ts'
import { hearTyping } from './hear-typing.ts'

/** Listeners to each socket, except for `messages.upsert`, which session/ handles. */
export const LISTENERS: readonly Listener[] = [
  hearStatuses,
  hearArrivals,
  hearOwnName,
  hearPeers,
  hearRooms,
  hearCalls,
  hearHistory,
  hearTyping,
]
