import { join } from 'node:path'
import type { NumberPorts } from '../../actors/number/world.ts'
import { learnMedia } from '../commands/inbox/learn-media.ts'
import { createMediaChildren, type MediaChildren } from '../files/media-children.ts'
import { createMessageFiles, type NodeMessageFiles } from '../files/message-files.ts'
import { createGuardedFetch } from '../net/guarded-fetch.ts'
import type { Stores } from '../storage/stores.ts'
import type { Core } from './core.ts'
import type { Upstreams } from './open-upstreams.ts'
import { bearerOf, hostOf } from './operator-hosts.ts'

interface FileNeeds extends Pick<Upstreams, 'bridgeUrl' | 'bridgeToken' | 'officialUrl'> {
  readonly stores: Pick<Stores, 'files' | 'mediaFacts'>
  /** Public base of REST, where files are fetched from. */
  readonly baseUrl: string
}

export interface OpenMessageFiles {
  readonly files: NodeMessageFiles
  readonly templateFiles: NodeMessageFiles['templates']
  /** For whoever else has untrusted files to read. */
  readonly children: MediaChildren
  /** For actors, and for who reads files. */
  readonly mediaKnown: NumberPorts['mediaKnown']
}

/** Joins files of messages with who fetches them and who reads what is untrusted. */
export function openMessageFiles(core: Core, needs: FileNeeds): OpenMessageFiles {
  const { config, clock, log, metrics, closing } = core
  const { files: rows, mediaFacts } = needs.stores
  const fetches = openFetches(core, needs)
  // One pool for all that is untrusted; closed after who works with it.
  const children = createMediaChildren({ clock })
  closing.add('media children', () => children.close())
  const files = createMessageFiles({
    sharedChildren: children,
    directory: join(config.dataDir, 'media'),
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
    children,
    mediaKnown: (known) =>
      void learnMedia({ files, mediaFacts }, known).catch((error: unknown) =>
        log.warn(
          { numberId: known.numberId, errorName: error instanceof Error ? error.name : 'unknown' },
          'what a file is was not stored',
        ),
      ),
  }
}

/** Who fetches files, by where an address comes from: of anybody, of the engine, of the official platform. */
function openFetches(
  { config: { egressAllow }, clock, closing }: Core,
  { bridgeUrl, bridgeToken, officialUrl }: FileNeeds,
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
