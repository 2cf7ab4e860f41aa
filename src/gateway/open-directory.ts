import { createDirectory, type RunningDirectory } from '../../actors/hosting/directory.ts'
import { CHANGES_MS } from '../../actors/hosting/timers.ts'
import type { NumberId } from '../domain/ids.ts'
import type { Asks } from '../ports/asks.ts'
import type { Broadcast } from '../ports/broadcast.ts'
import type { MediaPort } from '../ports/media.ts'
import type { ProviderRegistry } from '../ports/provider.ts'
import type { TellTemplateRefused } from '../ports/template-refusals.ts'
import type { Core } from './core.ts'
import type { OpenInbox } from './open-inbox.ts'
import type { OpenMessageFiles } from './open-message-files.ts'
import type { OpenMessages } from './open-messages.ts'
import type { OpenOfficial } from './open-official.ts'
import type { Nodes } from './open-nodes.ts'
import type { Storage } from './open-storage.ts'
import { PURGES } from './upkeep.ts'

/** Broadcast topics that tell all nodes of work for a number of another node. */
const TOPICS = { sends: 'number.wanted', changes: 'number.changed' } as const
/** Broadcast topic that says that there are numbers to be taken. */
const HANDED_OVER = 'numbers.free'
/**
 * Our choice: how often numbers with work are listed without a notice, in ms. The common look lists them within
 * `CHANGES_MS`; this finds what that look misses.
 */
const NET_MS = 300_000
/** Our choice: how often numbers are taken that no notice named, in ms, on all nodes together. */
const TAKE_MS = 1_000
/** Our choice: how often errands are repeated that did not reach an owner; nobody waits for them. */
const ERRANDS_EVERY_MS = 5_000

interface DirectoryNeeds
  extends
    Pick<Storage, 'stores'>,
    Nodes,
    Pick<OpenMessageFiles, 'files' | 'mediaKnown'>,
    Pick<OpenMessages, 'wantsStories' | 'conversationOf'>,
    Pick<OpenInbox, 'peerTyping'>,
    Pick<OpenOfficial, 'readCallEvents' | 'readMessageEvents'> {
  readonly broadcast: Broadcast
  readonly asks: Asks
  readonly media: MediaPort
  readonly providers: ProviderRegistry
  readonly templateRefused: TellTemplateRefused
}

/**
 * Opens the actors of this node. What is queued here for a number of another node is told to all nodes, because this
 * one may not know the owner.
 */
export function openDirectory(core: Core, needs: DirectoryNeeds): RunningDirectory {
  const { config, clock, log, metrics, traces, closing, end } = core
  const { stores, leases, broadcast } = needs
  const directory = createDirectory({
    stores: {
      numbers: stores.numbers,
      calls: stores.calls,
      pairing: stores.pairing,
      sendQueue: stores.queue,
      messageInbox: stores.inbox,
      setAside: stores.setAside,
      reach: stores.reach,
    },
    leases,
    placement: needs.placement,
    asks: needs.asks,
    errands: stores.errands,
    registry: needs.providers,
    media: needs.media,
    inbound: stores.inbound,
    readCallEvents: needs.readCallEvents,
    readMessageEvents: needs.readMessageEvents,
    files: needs.files,
    mediaKnown: needs.mediaKnown,
    peerTyping: needs.peerTyping,
    wantsStories: needs.wantsStories,
    conversationOf: needs.conversationOf,
    templateRefused: needs.templateRefused,
    sending: config.sending,
    elsewhere: (numberId, waits) => void broadcast.publish(TOPICS[waits], numberId),
    replaced: () => end(replacedBy(leases.nodeId)),
    handedOver: () => void broadcast.publish(HANDED_OVER, ''),
    clock,
    log,
    metrics,
    traces,
    timers: { changesMs: NET_MS, ...config.timers },
  })
  closing.add('actors', () => directory.stop())
  keepLooking(core, broadcast, directory)
  return directory
}

function replacedBy(nodeId: string): string {
  return `Another gateway is ${nodeId} now, and this one stops: give each a NODE_ID, or a DATA_DIR, of its own`
}

/** Lets the directory look for its work at intervals, and whenever another node tells of some. */
function keepLooking({ upkeep }: Core, broadcast: Broadcast, directory: RunningDirectory): void {
  upkeep.add({
    name: 'errands',
    due: 'errands',
    isShared: true,
    everyMs: ERRANDS_EVERY_MS,
    run: () => directory.workErrands(),
  })
  upkeep.add({ name: 'purge-errands', ...PURGES, run: () => directory.purgeErrands() })
  for (const work of ['sends', 'changes'] as const)
    upkeep.add({ name: `wake-${work}`, due: work, everyMs: CHANGES_MS, run: () => directory.lookForWork(work) })
  upkeep.add({ name: 'take-numbers', due: 'wanted', everyMs: TAKE_MS, run: async () => directory.takeHandedOver() })
  broadcast.subscribe(HANDED_OVER, () => directory.takeHandedOver())
  broadcast.subscribe(TOPICS.sends, (numberId) => directory.sendsQueuedElsewhere(numberId as NumberId))
  broadcast.subscribe(TOPICS.changes, (numberId) => directory.changesStoredElsewhere(numberId as NumberId))
}
