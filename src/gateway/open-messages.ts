import { join } from 'node:path'
import type { NumberPorts } from '../../actors/number/world.ts'
import { expireMessages } from '../commands/messages/expire.ts'
import { areStoriesWanted } from '../commands/webhooks/stories.ts'
import { createMessageFiles, type NodeMessageFiles } from '../files/message-files.ts'
import { bareHost } from '../net/address-guard.ts'
import { createGuardedFetch } from '../net/guarded-fetch.ts'
import { conversationIdOf } from '../storage/messages/conversation-id.ts'
import type { TemplateFiles } from '../ports/template-files.ts'
import type { Stores } from '../storage/stores.ts'
import type { Core } from './core.ts'
import type { Storage } from './open-storage.ts'
import type { Upstreams } from './open-upstreams.ts'
import { PURGES } from './upkeep.ts'

/** Our choice: messages whose time is over end within two seconds. */
const EXPIRE_EVERY_MS = 2_000
/** Our choice: until then the list of a conversation that has become long takes a few milliseconds more. */
const LOOK_EVERY_MS = 10_000

interface MessageNeeds extends Pick<Storage, 'cipher'>, Pick<Upstreams, 'bridgeUrl' | 'officialUrl'> {
  readonly stores: Pick<Stores, 'numbers' | 'webhooks' | 'queue' | 'messages' | 'longConversations' | 'files'>
  /** Public base of REST, where files are fetched from. */
  readonly baseUrl: string
}

export interface OpenMessages {
  readonly files: NodeMessageFiles
  readonly templateFiles: TemplateFiles
  readonly wantsStories: NumberPorts['wantsStories']
  readonly conversationOf: NumberPorts['conversationOf']
}

/** Joins what messages are made of beside their rows: files, chores, and what webhooks want of them. */
export function openMessages({ config, clock, log, metrics, closing, upkeep }: Core, { stores, cipher, baseUrl, bridgeUrl, officialUrl }: MessageNeeds): OpenMessages {
  const { egressAllow, dataDir } = config
  const fetch = createGuardedFetch({ egressAllow, clock })
  // What a device received may lie on the engine's host, private or not: the operator named it.
  const engineFetch = createGuardedFetch({ egressAllow: [...egressAllow, ...hostOf(bridgeUrl)], clock })
  // So with the official platform, which says where samples of templates are.
  const upstreamFetch = createGuardedFetch({ egressAllow: [...egressAllow, ...hostOf(officialUrl)], clock })
  closing.add('egress of messages', () => Promise.all([fetch.close(), engineFetch.close(), upstreamFetch.close()]).then(() => {}))
  const files = createMessageFiles({ directory: join(dataDir, 'media'), baseUrl, fetch, engineFetch, upstreamFetch, files: stores.files, clock, log, metrics })
  closing.add('files of messages', () => files.close())
  // Files that privacy ends expire with the first purge, and are deleted by the second.
  upkeep.add({ name: 'purge-messages', ...PURGES, run: () => stores.messages.purge().then(() => files.purge()) })
  upkeep.add({ name: 'expire-messages', everyMs: EXPIRE_EVERY_MS, run: () => expireMessages(stores.queue) })
  upkeep.add({ name: 'count-conversations', everyMs: LOOK_EVERY_MS, run: () => stores.longConversations.look() })
  return {
    files,
    templateFiles: files.templates,
    wantsStories: (numberId) => areStoriesWanted(stores, numberId),
    conversationOf: (numberId, peer) => conversationIdOf(cipher, numberId, peer),
  }
}

function hostOf(url: string | null): string[] {
  // Brackets are of URLs; the guard knows addresses without them.
  return url === null ? [] : [bareHost(new URL(url))]
}
