import { join } from 'node:path'
import type { MessagePorts } from '../actors/number/message-ports.ts'
import type { NumberId } from './domain/ids.ts'
import { isSubscribed } from './domain/webhook.ts'
import { createMessageFiles, type NodeMessageFiles } from './files/message-files.ts'
import { createMessageUpkeep } from './message-upkeep.ts'
import { createGuardedFetch } from './net/guarded-fetch.ts'
import type { Cipher } from './ports/cipher.ts'
import type { Clock } from './ports/clock.ts'
import type { Log } from './ports/log.ts'
import type { Metrics } from './ports/metrics.ts'
import { conversationIdOf } from './storage/conversation-id.ts'
import type { Stores } from './storage/store-set.ts'

export interface OpenMessagesOptions {
  readonly stores: Pick<Stores, 'numbers' | 'webhooks' | 'queue' | 'messages' | 'files'>
  readonly cipher: Cipher
  /** Files of messages are kept in its folder `media`. */
  readonly dataDir: string
  /** Public base of REST, where files are fetched from. */
  readonly baseUrl: string
  readonly egressAllow: readonly string[]
  /** Of the device bridge; null without one. What a device received may lie on its host, private or not: the operator named it. */
  readonly bridgeUrl: string | null
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
}

export interface OpenMessages {
  readonly files: NodeMessageFiles
  readonly wantsStories: MessagePorts['wantsStories']
  readonly conversationOf: MessagePorts['conversationOf']
  /** Deletes what privacy and time have ended. */
  purge(): Promise<void>
  /** Begins the upkeep. */
  start(): void
  /** Idempotent. */
  close(): Promise<void>
}

/** Joins what messages are made of beside their rows: files, upkeep, and what webhooks want of them. */
export function openMessages({ stores, cipher, dataDir, baseUrl, egressAllow, bridgeUrl, clock, log, metrics }: OpenMessagesOptions): OpenMessages {
  const fetch = createGuardedFetch({ egressAllow, clock })
  const engineFetch = createGuardedFetch({ egressAllow: [...egressAllow, ...engineHost(bridgeUrl)], clock })
  const files = createMessageFiles({ directory: join(dataDir, 'media'), baseUrl, fetch, engineFetch, files: stores.files, clock, log, metrics })
  const upkeep = createMessageUpkeep({ queue: stores.queue, clock, log })
  return {
    files,
    wantsStories: (numberId) => wantsStories(stores, numberId),
    conversationOf: (numberId, peer) => conversationIdOf(cipher, numberId, peer),
    async purge() {
      await stores.messages.purge()
      await files.purge()
    },
    start: () => upkeep.start(),
    async close() {
      await upkeep.stop()
      await files.close()
      await Promise.all([fetch.close(), engineFetch.close()])
    },
  }
}

function engineHost(bridgeUrl: string | null): string[] {
  // Brackets are of URLs; the guard knows addresses without them.
  return bridgeUrl === null ? [] : [new URL(bridgeUrl).hostname.replace(/^\[|\]$/g, '')]
}

/** spec: Events, message.stories: the engine is asked for them only while some webhook subscribes. */
async function wantsStories({ numbers, webhooks }: Pick<Stores, 'numbers' | 'webhooks'>, numberId: NumberId): Promise<boolean> {
  const number = await numbers.load(numberId)
  if (!number) return false
  const found = await webhooks.list({ tenantId: number.tenantId, numberId })
  return found.some(({ active, events }) => active && isSubscribed(events, 'message.stories', number.provider))
}
