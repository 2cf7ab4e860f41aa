import { createDirectory, type RunningDirectory } from '../../actors/hosting/directory.ts'
import type { NumberId } from '../domain/ids.ts'
import type { Broadcast } from '../ports/broadcast.ts'
import type { MediaPort } from '../ports/media.ts'
import type { ProviderRegistry } from '../ports/provider.ts'
import type { TellTemplateRefused } from '../ports/template-refusals.ts'
import type { Core } from './core.ts'
import type { OpenMessages } from './open-messages.ts'
import type { OpenOfficial } from './open-official.ts'
import type { Storage } from './open-storage.ts'

interface DirectoryNeeds extends Pick<Storage, 'stores' | 'leases'>, Pick<OpenMessages, 'files' | 'wantsStories' | 'conversationOf'>, Pick<OpenOfficial, 'readCallEvents' | 'readMessageEvents'> {
  readonly broadcast: Broadcast
  readonly media: MediaPort
  readonly providers: ProviderRegistry
  readonly templateRefused: TellTemplateRefused
}

/** The actors of this node. What is queued here for a number of another node is told to all nodes, as nobody knows whose it is. */
export function openDirectory({ config, clock, log, metrics, closing }: Core, needs: DirectoryNeeds): RunningDirectory {
  const { stores, leases, broadcast, media, providers, files, wantsStories, conversationOf, readCallEvents, readMessageEvents, templateRefused } = needs
  const directory = createDirectory({
    stores: { numbers: stores.numbers, calls: stores.calls, pairing: stores.pairing, sendQueue: stores.queue, messageInbox: stores.inbox },
    leases, registry: providers, media, inbound: stores.inbound, readCallEvents, readMessageEvents,
    files, wantsStories, conversationOf, templateRefused, sending: config.sending,
    elsewhere: (numberId) => void broadcast.publish('number.wanted', numberId).catch(() => {}),
    clock, log, metrics, timers: config.timers,
  })
  closing.add('actors', () => directory.stop())
  broadcast.subscribe('number.wanted', (numberId) => directory.sendsQueuedElsewhere(numberId as NumberId))
  return directory
}
