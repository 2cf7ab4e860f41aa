import { join } from 'node:path'
import type { NumberPorts } from '../../actors/number/world.ts'
import { learnMedia } from '../commands/inbox/learn-media.ts'
import { createMediaChildren, type MediaChildren } from '../files/media-children.ts'
import { createMessageFiles, type NodeMessageFiles } from '../files/message-files.ts'
import { createGuardedFetch } from '../net/guarded-fetch.ts'
import type { Stores } from '../storage/stores.ts'
import { anyEngineFetch } from './any-engine-fetch.ts'
import type { Core } from './core.ts'
import type { Upstreams } from './open-upstreams.ts'
import { openPlace } from './open-places.ts'
import type { OpenEngines } from './open-engines.ts'
import { bearerOf, hostsOf, ofLatest } from './operator-hosts.ts'

interface FileNeeds extends Pick<Upstreams, 'bridgeToken' | 'officialUrl'>, Pick<OpenEngines, 'engineUrls'> {
  readonly stores: Pick<Stores, 'files' | 'mediaFacts'>
  /** Public base of REST, from which files are fetched. */
  readonly baseUrl: string
}

export interface OpenMessageFiles {
  readonly files: NodeMessageFiles
  readonly templateFiles: NodeMessageFiles['templates']
  readonly recordingFiles: NodeMessageFiles['recordings']
  /** Child processes for any part that has untrusted files to read. */
  readonly children: MediaChildren
  /** For the actors, and for the part that reads files. */
  readonly mediaKnown: NumberPorts['mediaKnown']
}

/** Opens the files of messages, with the fetches and the child processes that read untrusted bytes. */
export function openMessageFiles(core: Core, needs: FileNeeds): OpenMessageFiles {
  const { config, clock, log, metrics, closing } = core
  const { files: rows, mediaFacts } = needs.stores
  const fetches = openFetches(core, needs)
  // One pool reads all untrusted bytes; it is closed after its users.
  const children = createMediaChildren({ clock })
  closing.add('media children', () => children.close())
  const files = createMessageFiles({
    sharedChildren: children,
    directory: join(config.dataDir, 'media'),
    place: openPlace(core, { name: 'media', files: 'files' }),
    baseUrl: needs.baseUrl,
    ...fetches,
    files: rows,
    clock,
    log,
    metrics,
  })
  closing.add('files of messages', () => files.close())
  return {
    files,
    templateFiles: files.templates,
    recordingFiles: files.recordings,
    children,
    mediaKnown: (known) =>
      void learnMedia({ files, mediaFacts }, known).catch((error: unknown) =>
        log.warn(
          { numberId: known.numberId, errorName: error instanceof Error ? error.name : 'unknown' },
          'what was measured of a media file was not stored',
        ),
      ),
  }
}

/** Fetches of files, by the origin of the address: anybody, the engine, the official platform. */
function openFetches(
  { config: { egressAllow }, clock, closing }: Core,
  { engineUrls, bridgeToken, officialUrl }: FileNeeds,
) {
  const fetch = createGuardedFetch({ egressAllow, clock })
  // Media that a device received may lie on an engine's host, even a private one, because the operator named that host
  // or gave the engine the secret to register.
  const engineFetch = createGuardedFetch({
    egressAllow: ofLatest(engineUrls, (urls) => [...egressAllow, ...hostsOf(urls)]),
    clock,
    bearer: bearerOf(engineUrls, bridgeToken),
  })
  // The same holds for the official platform, which names the addresses of templates' samples.
  const upstreamFetch = createGuardedFetch({ egressAllow: [...egressAllow, ...hostsOf([officialUrl])], clock })
  closing.add('egress of messages', () =>
    Promise.all([fetch.close(), engineFetch.close(), upstreamFetch.close()]).then(() => {}),
  )
  return { fetch, engineFetch: anyEngineFetch(engineFetch, engineUrls), upstreamFetch }
}
