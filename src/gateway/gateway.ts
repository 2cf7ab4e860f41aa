import type { RunningDirectory } from '../../actors/hosting/directory.ts'
import { createCalls } from '../commands/calls/calls.ts'
import type { Core } from './core.ts'
import { addDrain } from './drain.ts'
import { firstLoginUrl } from './first-login.ts'
import { makeFirstTenant } from './first-tenant.ts'
import { openBase } from './open-base.ts'
import { openDirectory } from './open-directory.ts'
import { openParts } from './open-parts.ts'
import { openLive } from './open-live.ts'
import { openRecordings } from './open-recordings.ts'
import { openRest } from './open-rest.ts'
import { openSetAside } from './open-set-aside.ts'
import { openSideDoors } from './open-side-doors.ts'
import { openWebhooks } from './open-webhooks.ts'

/** Where the gateway and its children listen. */
export interface Listening {
  readonly port: number
  /** Null when the media hosts are separate programs. */
  readonly mediaPort: number | null
  /** Null when the sandbox is off. */
  readonly sandboxPort: number | null
  readonly baseUrl: string
}

export interface Opened {
  readonly listening: Listening
  /** The key of the tenant "Default" when it was generated now, null else. It is shown once and never logged. */
  readonly firstKey: string | null
  /**
   * A link that signs one browser in to the dashboard of the oldest tenant. It is shown once and never logged. Null
   * when other machines can reach the gateway.
   */
  readonly loginUrl: string | null
}

/**
 * Opens every part, each with the parts before it that it needs. Closing runs the list from its end, from wherever
 * opening came to. `begins` is called with each stage that takes long, in words for a person at a terminal.
 */
export async function openGateway(core: Core, begins: (stage: string) => void): Promise<Opened> {
  const base = await openBase(core, begins)
  const { secrets, listener, storage, upstreams, mediaHosts, nodes, cluster, deliveries, media, engines } = base
  const { port, baseUrl } = listener
  const { stores, database } = storage
  const { official, providers, inbox, channels, facing } = await openParts(core, base, () => directory)
  const directory: RunningDirectory = openDirectory(core, {
    ...storage,
    ...nodes,
    ...cluster,
    ...channels,
    ...inbox,
    media,
    providers,
  })
  const live = openLive(core, { ...storage, ...cluster })
  const webhooks = openWebhooks(core, { ...deliveries, stores, directory })
  const callCommands = createCalls({ ...stores, ...official, directory })
  const { recordingCommands } = openRecordings(core, { ...stores, ...channels, recordingSource: media.recordings })
  const rest = openRest(core, {
    listener,
    secrets,
    checked: { database, media, cluster, directory, engines, ...openSetAside(core, stores.setAside) },
    ports: { ...stores, ...cluster, ...facing, ...webhooks, ...live, callCommands, recordingCommands, directory },
  })
  core.closing.add('streams', () => [inbox, live].forEach((streams) => streams.endStreams()))
  const firstKey = await makeFirstTenant(core, stores)
  await openSideDoors(core, { ...facing, ...stores, ...storage, ...cluster, ...deliveries, baseUrl })
  await directory.start()
  core.closing.add('upkeep', () => core.upkeep.stop())
  core.upkeep.start()
  addDrain(core, { rest, directory })
  const loginUrl = await firstLoginUrl(core, { ...stores, baseUrl })
  return {
    loginUrl,
    listening: { port, mediaPort: mediaHosts.mediaPort, sandboxPort: upstreams.sandboxPort, baseUrl },
    firstKey,
  }
}
