import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import type { ExecutionContext } from 'ava'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createMediaChildren } from '../../src/files/media-children.ts'
import { createMessageFiles } from '../../src/files/message-files.ts'
import { createGuardedFetch } from '../../src/net/guarded-fetch.ts'
import { systemClock } from '../../src/process/clock.ts'
import { MemoryFiles } from '../helpers/memory/files.ts'
import { startFileHost } from '../helpers/file-host.ts'
import { lateClock } from '../helpers/late-clock.ts'
import { noMetrics, silentLog } from '../helpers/silent.ts'
import type { NodeMessageFiles } from '../../src/files/message-files.ts'
import type { MessageFilesOptions } from '../../src/files/message-files-options.ts'
import type { NumberId, TenantId } from '../../src/domain/ids.ts'
import type { MediaKind } from '../../src/domain/message.ts'
import type { ProviderKind } from '../../src/domain/number.ts'
import type { MediaOrder, PreparedMedia, Preparation } from '../../src/ports/message-media.ts'
import type { Clock } from '../../src/ports/clock.ts'
import { PATIENCE_MS } from '../helpers/until.ts'

export const TENANT: TenantId = 'ten_0000000000000000000000000a'
export const NUMBER: NumberId = 'num_0000000000000000000000000a'
export const OTHER_TENANT: TenantId = 'ten_0000000000000000000000000b'
export const OTHER_NUMBER: NumberId = 'num_0000000000000000000000000b'

/**
 * Children that all tests of a file share, because a child takes longer to start than to work. The first task starts
 * them.
 */
const sharedChildren = createMediaChildren({ clock: systemClock })
test.after.always(() => sharedChildren.close())

export interface Rig {
  readonly files: NodeMessageFiles
  readonly rows: MemoryFiles
  readonly directory: string
  /** The paths of all files on disk, relative to the directory. */
  onDisk(): Promise<string[]>
}

/** A file store that uses the children of the test file, or `children` of its own. */
export async function openFiles(
  t: ExecutionContext<unknown>,
  options: Partial<MessageFilesOptions> & { readonly netClock?: Clock; readonly egressAllow?: readonly string[] } = {},
): Promise<Rig> {
  const { netClock = lateClock, egressAllow = ['127.0.0.1'], ...rest } = options
  const directory = rest.directory ?? (await mkdtemp(join(tmpdir(), 'files-test-')))
  const clock = rest.clock ?? systemClock
  const fetch = createGuardedFetch({ egressAllow, clock: netClock, connectMs: PATIENCE_MS })
  const rows = new MemoryFiles(clock)
  const files = createMessageFiles({
    directory,
    baseUrl: 'https://gateway.test',
    fetch,
    files: rows,
    clock,
    log: silentLog,
    metrics: noMetrics,
    ...(rest.children ? {} : { sharedChildren }),
    ...rest,
  })
  t.teardown(async () => {
    await files.close()
    await fetch.close()
    if (!rest.directory) await rm(directory, { recursive: true, force: true })
  })
  const onDisk = async () =>
    (await readdir(directory, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => entry.name)
  return { files, rows, directory, onDisk }
}

/** A host that serves bodies by path, with their content length. */
export function serve(
  t: ExecutionContext<unknown>,
  bodies: Readonly<Record<string, Uint8Array | ((request: IncomingMessage, response: ServerResponse) => void)>>,
) {
  return startFileHost(t, (request, response) => {
    const body = bodies[request.url?.split('?')[0] ?? '']
    if (body === undefined) return void response.writeHead(404).end('no such file')
    if (typeof body === 'function') return body(request, response)
    response.setHeader('content-length', body.byteLength)
    response.end(body)
  })
}

export function orderOf(
  provider: ProviderKind,
  kind: MediaKind,
  url: string,
  more: Partial<MediaOrder> = {},
): MediaOrder {
  return { tenantId: TENANT, numberId: NUMBER, provider, kind, source: { url }, fileName: null, ...more }
}

export const never = new AbortController().signal

export function prepare(
  rig: Rig,
  provider: ProviderKind,
  kind: MediaKind,
  url: string,
  more: Partial<MediaOrder> = {},
): Promise<Preparation> {
  return rig.files.prepare(orderOf(provider, kind, url, more), never)
}

export function mediaOf(t: ExecutionContext<unknown>, prepared: Preparation): PreparedMedia {
  if (!prepared.ok) return t.fail(`${prepared.failure.code}: ${prepared.failure.message}`) as never
  return prepared.media
}

/** `ok`, or the code of the failure. */
export function codeOf(prepared: Preparation): string {
  return prepared.ok ? 'ok' : prepared.failure.code
}
