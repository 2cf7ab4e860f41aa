import test from 'ava'
import { mkdtempSync, readFileSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ExecutionContext } from 'ava'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createFileDecoder } from '../../../media-host/playback/decode.ts'
import { createPlayableSource } from '../../../media-host/playback/files.ts'
import { createGuardedFetch } from '../../../src/net/guarded-fetch.ts'
import { systemClock } from '../../../src/process/clock.ts'
import { dominantHz } from '../../helpers/audio-signal.ts'
import { hear, waveFile } from '../../helpers/file-host.ts'
import { silentLog } from '../../helpers/silent.ts'
import { PATIENCE_MS, until } from '../../helpers/until.ts'
import type { Outcome } from '../../../src/domain/errors.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import type { Playable } from '../../../media-host/playback/playable.ts'
import type { PlayableSourceOptions } from '../../../media-host/playback/files.ts'
import type { Resolve } from '../../../src/net/guarded-lookup.ts'

export const decoder = createFileDecoder({ clock: systemClock, log: silentLog, maxMs: 5_000 })
export const directory = mkdtempSync(join(tmpdir(), 'playback-test-'))

test.after.always(async () => {
  await decoder.close()
  await rm(directory, { recursive: true, force: true })
})

export const mp3 = readFileSync(new URL('../../fixtures/tone-1000hz.mp3', import.meta.url))
export const wav = waveFile({ hz: 440, seconds: 2 })

interface Setup extends Partial<PlayableSourceOptions> {
  readonly egressAllow?: readonly string[]
  readonly resolve?: Resolve
  /** The clock of the HTTP client. The source has a clock of its own. */
  readonly netClock?: Clock
}

/** A source of files with a folder of its own; both end with the test. */
export async function open(
  t: ExecutionContext<unknown>,
  { egressAllow = ['127.0.0.1'], resolve, netClock = systemClock, ...options }: Setup = {},
) {
  const guardedFetch = createGuardedFetch({
    egressAllow,
    clock: netClock,
    connectMs: PATIENCE_MS,
    ...(resolve ? { resolve } : {}),
  })
  const tempDir = options.tempDir ?? (await mkdtemp(join(directory, 'source-')))
  const source = createPlayableSource({
    guardedFetch,
    decoder,
    clock: systemClock,
    log: silentLog,
    ...options,
    tempDir,
  })
  t.teardown(async () => {
    await source.close()
    await guardedFetch.close()
  })
  const files = async () =>
    (await readdir(tempDir, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => entry.name)
  return { source, files, tempDir }
}

export const codeOf = (outcome: Outcome<Playable>) => (outcome.ok ? 'ok' : outcome.error.code)

/** Resolves to the file once it is ready or has failed. */
export async function settled(t: ExecutionContext<unknown>, outcome: Outcome<Playable>): Promise<Playable> {
  if (!outcome.ok) return t.fail(outcome.error.message) as never
  await until('the file is ready or failed', () => outcome.value.state !== 'loading')
  return outcome.value
}

/** Asserts that the file contains two seconds of this tone. */
export async function isHeard(t: ExecutionContext<unknown>, outcome: Outcome<Playable>, hz: number): Promise<void> {
  const playable = await settled(t, outcome)
  t.is(playable.error, null)
  t.is(playable.state, 'complete')
  t.true(Math.abs(playable.packets.length - 100) <= 5)
  t.is(dominantHz((await hear(playable.packets)).subarray(9_600, 86_400), 48_000), hz)
}

/** Serves one body with an ETag, and answers 304 when the client has it. */
export function withEtag(body: Uint8Array, etag: string) {
  return (request: IncomingMessage, response: ServerResponse) => {
    response.setHeader('etag', etag)
    if (request.headers['if-none-match'] === etag) response.writeHead(304).end()
    else response.end(body)
  }
}
