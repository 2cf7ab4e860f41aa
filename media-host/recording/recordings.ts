import { mkdir, open, opendir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fail, refuse, succeed } from '../../src/domain/errors.ts'
import type { Outcome } from '../../src/domain/errors.ts'
import type { CallId } from '../../src/domain/ids.ts'
import { thrownFields } from '../../src/domain/thrown.ts'
import type { Clock } from '../../src/ports/clock.ts'
import type { Log } from '../../src/ports/log.ts'
import type { RecordingFacts } from '../../src/ports/media-control.ts'
import type { OpusCodec } from '../audio/opus.ts'
import type { SlotTap } from '../legs/call-leg.ts'
import { CallRecorder } from './call-recorder.ts'
import { FileSink } from './file-sink.ts'
import { pageAt, PRE_SKIP } from './ogg-writer.ts'
import type { FoundPage } from './ogg-writer.ts'

/** Our choice: bytes of one part, which take the audio loop 0.1 ms to hand out. */
const PART_BYTES = 65_536
/** More than two of the longest pages (65,307 bytes, RFC 3533 section 6), so that the last whole one is within. */
const TAIL_BYTES = 196_608
/** Our choice: gateways fetch a recording within a day or never ([voice.recordings.10]). */
const KEPT_MS = 2 * 24 * 3_600_000
const SWEEP_MS = 3_600_000
/** Our choice: a file without an end that no page was added to for this long, in ms, grows no more. */
const GROWS_MS = 3_000
/** Our choice: a message of a thousand ids stays far below a part. */
const LISTED = 1_000
const ENDING = '.ogg'
const CALL_ID = /^call_\w{1,64}$/

/** The recording of one call that goes on. */
export interface LiveRecording {
  readonly tap: SlotTap
  /** Writes the rest and closes the file. Idempotent. */
  end(): void
}

export interface RecordingParts {
  /** Made when it is missing. */
  readonly directory: string
  readonly opus: OpusCodec
  readonly clock: Clock
  readonly log: Log
}

interface Running {
  readonly recorder: CallRecorder
  readonly sink: FileSink
  isEnding: boolean
}

/** The recordings on the disk of this host, until a gateway has fetched them. A file is named by its call. */
export class Recordings {
  readonly #parts: RecordingParts
  readonly #running = new Map<CallId, Running>()
  /** Why recordings of this process ended before their calls. */
  readonly #cutShort = new Map<CallId, RecordingFacts['cutShort']>()
  readonly #closing = new Set<Promise<void>>()
  /** Recordings of this process that no gateway has fetched. */
  readonly #unfetched = new Set<CallId>()
  #sweptAtMs: number | null = null

  constructor(parts: RecordingParts) {
    this.#parts = parts
  }

  /** True while gateways have not fetched all that this process recorded. */
  get hasUnfetched(): boolean {
    return this.#unfetched.size > 0
  }

  /** Makes the directory. */
  async open(): Promise<void> {
    await mkdir(this.#parts.directory, { recursive: true, mode: 0o700 })
  }

  /** Begins to record a call. */
  begin(callId: CallId): LiveRecording | null {
    const path = this.#pathOf(callId)
    if (path === null || this.#running.has(callId)) return null
    const sink = new FileSink(path, (error) => {
      this.#cutShort.set(callId, 'DISK_FULL')
      this.#parts.log.warn({ callId, ...thrownFields(error) }, 'a recording stopped, because its disk takes no more')
    })
    const recorder = new CallRecorder(this.#parts.opus, sink)
    const running = { recorder, sink, isEnding: false }
    this.#unfetched.add(callId)
    this.#running.set(callId, running)
    return { tap: recorder, end: () => this.#end(callId, running) }
  }

  /**
   * Tells what there is of a call. Another process of this machine may be the one that writes it. Refusals:
   * RECORDING_RUNNING, RECORDING_NOT_FOUND.
   */
  async find(callId: CallId): Promise<Outcome<RecordingFacts>> {
    const path = this.#pathOf(callId)
    const last = path === null ? null : await lastPage(path)
    if (this.#running.has(callId) || (last && !last.isLast && this.#parts.clock.now() - last.writtenAtMs < GROWS_MS))
      return fail(refuse('RECORDING_RUNNING', 'The recording is not whole yet'))
    if (last === null || last.position === 0) return fail(refuse('RECORDING_NOT_FOUND', 'No recording of this call'))
    const durationMs = Math.max(0, Math.round((last.position - PRE_SKIP) / 48))
    const cutShort = this.#cutShort.get(callId) ?? (last.isLast ? null : 'HOST_LOST')
    return succeed({ sizeBytes: last.end, durationMs, cutShort })
  }

  /** Reads bytes from `offset` on; none at the end of the file. Refusals: RECORDING_NOT_FOUND. */
  async read(callId: CallId, offset: number): Promise<Outcome<{ bytes: string }>> {
    const path = this.#pathOf(callId)
    const bytes = path === null ? null : await readAt(path, offset, PART_BYTES)
    return bytes
      ? succeed({ bytes: bytes.toString('base64') })
      : fail(refuse('RECORDING_NOT_FOUND', 'No recording of this call'))
  }

  /** Lists the calls that are over and have a file here, at most LISTED of them. */
  async list(): Promise<CallId[]> {
    const calls: CallId[] = []
    for await (const { name } of await opendir(this.#parts.directory)) {
      const callId = callOf(name)
      if (callId === null || this.#running.has(callId)) continue
      if (calls.push(callId) === LISTED) break
    }
    return calls
  }

  /** Deletes a recording that nobody needs any more. Idempotent; one that goes on stays. */
  async drop(callId: CallId): Promise<void> {
    const path = this.#pathOf(callId)
    if (path === null || this.#running.has(callId)) return
    this.#cutShort.delete(callId)
    this.#unfetched.delete(callId)
    await rm(path, { force: true })
  }

  /** Deletes, once an hour, what nobody fetched. */
  everySecond(): void {
    const nowMs = this.#parts.clock.monotonicMs()
    if (this.#sweptAtMs !== null && nowMs - this.#sweptAtMs < SWEEP_MS) return
    this.#sweptAtMs = nowMs
    void this.#sweep().catch((error: unknown) =>
      this.#parts.log.warn(thrownFields(error), 'old recordings could not be deleted'),
    )
  }

  /** Ends every recording. Resolves once their files are closed. */
  async close(): Promise<void> {
    for (const [callId, running] of this.#running) this.#end(callId, running)
    await Promise.all(this.#closing)
  }

  #end(callId: CallId, running: Running): void {
    if (running.isEnding) return
    running.isEnding = true
    try {
      running.recorder.end()
    } catch (error) {
      this.#parts.log.error({ callId, ...thrownFields(error) }, 'the end of a recording was not written')
    }
    if (running.recorder.isTooLong) this.#cutShort.set(callId, 'TOO_LONG')
    const closing = running.sink.close().then(() => {
      this.#running.delete(callId)
      this.#closing.delete(closing)
    })
    this.#closing.add(closing)
  }

  async #sweep(): Promise<void> {
    const { directory, clock } = this.#parts
    for (const name of await readdir(directory)) {
      const callId = callOf(name)
      const found = callId && (await stat(join(directory, name)).catch(() => null))
      if (callId && found && clock.now() - found.mtimeMs > KEPT_MS) await this.drop(callId)
    }
  }

  #pathOf(callId: string): string | null {
    return CALL_ID.test(callId) ? join(this.#parts.directory, `${callId}${ENDING}`) : null
  }
}

/** The call of a recording's file; null when the name is none of those. */
function callOf(name: string): CallId | null {
  const callId = name.slice(0, -ENDING.length)
  return name.endsWith(ENDING) && CALL_ID.test(callId) ? (callId as CallId) : null
}

/** The last whole page of a file; null when there is none. What a killed process wrote in part is passed over. */
async function lastPage(path: string): Promise<(FoundPage & { readonly writtenAtMs: number }) | null> {
  const found = await stat(path).catch(() => null)
  if (!found?.isFile()) return null
  const from = Math.max(0, found.size - TAIL_BYTES)
  const tail = await readAt(path, from, TAIL_BYTES)
  if (!tail) return null
  let last: FoundPage | null = null
  let at = tail.indexOf('OggS')
  while (at >= 0) {
    const page = pageAt(tail, at)
    if (page) last = { ...page, end: from + page.end }
    at = page ? tail.indexOf('OggS', page.end) : tail.indexOf('OggS', at + 1)
  }
  return last && { ...last, writtenAtMs: found.mtimeMs }
}

async function readAt(path: string, offset: number, length: number): Promise<Buffer | null> {
  const file = await open(path).catch(() => null)
  if (!file) return null
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, offset)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
