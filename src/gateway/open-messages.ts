import { join } from 'node:path'
import type { NumberPorts } from '../../actors/number/world.ts'
import { learnMedia } from '../commands/inbox/learn-media.ts'
import { expireMessages } from '../commands/messages/expire.ts'
import { areStoriesWanted } from '../commands/webhooks/stories.ts'
import { createMediaChildren, type MediaChildren } from '../files/media-children.ts'
import { createMessageFiles, type NodeMessageFiles } from '../files/message-files.ts'
import { createGuardedFetch } from '../net/guarded-fetch.ts'
import { conversationIdOf } from '../storage/messages/conversation-id.ts'
import type { Stores } from '../storage/stores.ts'
import type { Core } from './core.ts'
import type { Storage } from './open-storage.ts'
import type { Upstreams } from './open-upstreams.ts'
import { measureWaiting } from './measure-waiting.ts'
import { bearerOf, hostOf } from './operator-hosts.ts'
import { PURGES } from './upkeep.ts'

/** Our choice: messages whose time is over end within two seconds. */
const EXPIRE_EVERY_MS = 2_000
/** Our choice: until then the list of a conversation that has become long takes a few milliseconds more. */
const LOOK_EVERY_MS = 30_000

interface MessageNeeds extends Pick<Storage, 'cipher'>, Pick<Upstreams, 'bridgeUrl' | 'bridgeToken' | 'officialUrl'> {
  readonly stores: Pick<
    Stores,
    'numbers' | 'webhooks' | 'queue' | 'messages' | 'longConversations' | 'files' | 'mediaFacts'
  >
  /** Public base of REST, where files are fetched from. */
  readonly baseUrl: string
}

export interface OpenMessages {
  readonly files: NodeMessageFiles
  readonly templateFiles: NodeMessageFiles['templates']
  /** For whoever else has untrusted files to read. */
  readonly children: MediaChildren
  /** For actors, and for who reads files. */
  readonly mediaKnown: NumberPorts['mediaKnown']
  readonly wantsStories: NumberPorts['wantsStories']
  readonly conversationOf: NumberPorts['conversationOf']
}

/** Joins what messages are made of beside their rows: files, chores, and what webhooks want of them. */
export function openMessages(core: Core, needs: MessageNeeds): OpenMessages {
  const { clock, log, metrics, upkeep } = core
  const { stores, cipher } = needs
  const { files, children } = openFiles(core, needs)
  // Files that privacy ends expire with the first purge, and are deleted by the second.
  upkeep.add({ name: 'purge-messages', ...PURGES, run: () => stores.messages.purge().then(() => files.purge()) })
  upkeep.add({
    name: 'expire-messages',
    due: 'sends',
    isShared: true,
    everyMs: EXPIRE_EVERY_MS,
    run: () => expireMessages(stores.queue),
  })
  measureWaiting({ clock, metrics, upkeep }, stores.queue)
  upkeep.add({
    name: 'count-conversations',
    isShared: true,
    everyMs: LOOK_EVERY_MS,
    run: () => stores.longConversations.look(),
  })
  return {
    files,
    templateFiles: files.templates,
    children,
    mediaKnown: (known) =>
      void learnMedia({ files, mediaFacts: stores.mediaFacts }, known).catch((error: unknown) =>
        log.warn(
          { numberId: known.numberId, errorName: error instanceof Error ? error.name : 'unknown' },
          'what a file is was not stored',
        ),
      ),
    wantsStories: (numberId) => areStoriesWanted(stores, numberId),
    conversationOf: (numberId, peer) => conversationIdOf(cipher, numberId, peer),
  }
}

/** Files of messages, and the programs that read what is untrusted. */
function openFiles(core: Core, needs: MessageNeeds) {
  const { config, clock, log, metrics, closing } = core
  const fetches = openFetches(core, needs)
  // One pool for all that is untrusted; closed after who works with it.
  const children = createMediaChildren({ clock })
  closing.add('media children', () => children.close())
  const files = createMessageFiles({
    sharedChildren: children,
    directory: join(config.dataDir, 'media'),
    baseUrl: needs.baseUrl,
    ...fetches,
    files: needs.stores.files,
    clock,
    log,
    metrics,
  })
  closing.add('files of messages', () => files.close())
  return { files, children }
}

/** Who fetches files, by where an address comes from: of anybody, of the engine, of the official platform. */
function openFetches(
  { config: { egressAllow }, clock, closing }: Core,
  { bridgeUrl, bridgeToken, officialUrl }: MessageNeeds,
) {
  const fetch = createGuardedFetch({ egressAllow, clock })
  // What a device received may lie on the engine's host, private or not: the operator named it.
  const engineFetch = createGuardedFetch({
    egressAllow: [...egressAllow, ...hostOf(bridgeUrl)],
    clock,
    bearer: bearerOf(bridgeUrl, bridgeToken),
  })
  // So with the official platform, which says where samples of templates are.
  const upstreamFetch = createGuardedFetch({ egressAllow: [...egressAllow, ...hostOf(officialUrl)], clock })
  closing.add('egress of messages', () =>
    Promise.all([fetch.close(), engineFetch.close(), upstreamFetch.close()]).then(() => {}),
  )
  return { fetch, engineFetch, upstreamFetch }
}
