import { fork } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import type { ChildProcess } from 'node:child_process'
import type { DecodeFormat, DecodeOrder, DecodeReport } from '../../engines/media/protocol/decoding.ts'
import type { Clock, Timer } from '../../src/ports/clock.ts'
import type { Log } from '../../src/ports/log.ts'

export interface DecodeRequest {
  /** A local file, closed and complete. */
  readonly path: string
  /** Where a child may write the same sound in a form that decoders can read; the caller removes it. */
  readonly straightPath: string
  readonly format: DecodeFormat
  /** Called in order with Opus packets of 20 ms, mono, 48 kHz, as they are made. */
  readonly onPackets: (packets: Uint8Array[]) => void
  readonly signal?: AbortSignal
}

/** Why a child gave up a file. */
type DecodeFailure = Extract<DecodeReport, { type: 'failed' }>['reason']

export type DecodeOutcome =
  | { readonly ok: true }
  | { readonly ok: false; readonly reason: DecodeFailure | 'crashed' | 'timeout' | 'memory' }

export interface DecoderStats {
  readonly started: number
  readonly finished: number
  readonly failed: number
  readonly waiting: number
  readonly childrenStarted: number
  /** Process ids of the living children. */
  readonly children: readonly number[]
}

/** Decodes files in child processes. */
export interface FileDecoder {
  /** Starts a child that waits for the first file, if there is none. */
  warm(): void
  /** Waits for a free child, then decodes. Never throws. */
  decode(request: DecodeRequest): Promise<DecodeOutcome>
  stats(): DecoderStats
  /** Ends all children; work under way is cancelled. Idempotent. */
  close(): Promise<void>
}

export interface FileDecoderOptions {
  readonly clock: Clock
  readonly log: Log
  /** Longest file in ms; longer ones are refused. */
  readonly maxMs: number
  /**
   * Most children; once there was one, one is kept. Default 2 (our choice: decoding is brief and must leave the cores
   * to calls).
   */
  readonly maxChildren?: number
  /**
   * Most time in ms that a file may take on a child. Default 120 s (our choice; ten minutes of MP3 take 3 s, or 20 s
   * where other work has the cores, measured).
   */
  readonly wallMs?: number
  /** Most resident memory of a child in bytes. Default 1 GB (our choice; 120 to 280 MB is normal, measured). */
  readonly maxRssBytes?: number
  /** Files after which a child is replaced, against slow leaks. Default 200 (our choice). */
  readonly jobsPerChild?: number
}

interface Job {
  readonly id: number
  readonly request: DecodeRequest
  readonly settle: (outcome: DecodeOutcome) => void
}

interface Child {
  readonly process: ChildProcess
  job: Job | null
  jobsDone: number
  timers: Timer[]
  /** Why the parent ended the child; its job fails with it. Null while it runs. */
  verdict: 'timeout' | 'memory' | 'cancelled' | null
}

/** A program of its own, because its licence differs from ours: it is started and sent messages, never loaded. */
const PROGRAM = new URL('../../engines/media/decode.ts', import.meta.url)
const PACKET_MS = 20
const RSS_CHECK_MS = 500
/** Our choice: the heap stays small; what grows is native memory, which the parent watches. */
const HEAP_MEGABYTES = 128

/** Makes a decoder that has no child yet. */
export function createFileDecoder(options: FileDecoderOptions): FileDecoder {
  return new ChildPool(options)
}

class ChildPool implements FileDecoder {
  readonly #options: FileDecoderOptions
  readonly #children = new Set<Child>()
  readonly #waiting: Job[] = []
  #lastJobId = 0
  #counts = { started: 0, finished: 0, failed: 0, childrenStarted: 0 }
  #isClosed = false

  constructor(options: FileDecoderOptions) {
    this.#options = options
  }

  warm(): void {
    if (this.#children.size === 0) this.#startChild()
  }

  decode(request: DecodeRequest): Promise<DecodeOutcome> {
    if (this.#isClosed || request.signal?.aborted === true) return Promise.resolve({ ok: false, reason: 'cancelled' })
    return new Promise((resolve) => {
      const onAbort = () => this.#cancel(job)
      const job: Job = {
        id: ++this.#lastJobId,
        request,
        settle: (outcome) => {
          request.signal?.removeEventListener('abort', onAbort)
          if (outcome.ok) this.#counts.finished++
          else this.#counts.failed++
          resolve(outcome)
        },
      }
      request.signal?.addEventListener('abort', onAbort, { once: true })
      this.#waiting.push(job)
      this.#assign()
    })
  }

  stats(): DecoderStats {
    const children = [...this.#children].flatMap((child) => child.process.pid ?? [])
    return { ...this.#counts, waiting: this.#waiting.length, children }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const job of this.#waiting.splice(0)) job.settle({ ok: false, reason: 'cancelled' })
    await Promise.all(
      [...this.#children].map(
        (child) =>
          new Promise<void>((resolve) => {
            child.process.once('exit', () => resolve())
            this.#end(child, 'cancelled')
          }),
      ),
    )
  }

  /** Gives waiting jobs to idle children, and adds a child when all are busy. */
  #assign(): void {
    while (this.#waiting.length > 0 && !this.#isClosed) {
      const idle = [...this.#children].find((child) => child.job === null)
      const child = idle ?? (this.#children.size < (this.#options.maxChildren ?? 2) ? this.#startChild() : null)
      const job = child && this.#waiting.shift()
      if (!child || !job) return
      this.#begin(child, job)
    }
  }

  #begin(child: Child, job: Job): void {
    const { clock, wallMs = 120_000, maxMs } = this.#options
    this.#counts.started++
    child.job = job
    child.timers = [clock.after(wallMs, () => this.#end(child, 'timeout'))]
    this.#watchMemory(child)
    const { path, straightPath, format } = job.request
    this.#order(child, {
      type: 'decode',
      jobId: job.id,
      path,
      straightPath,
      format,
      maxPackets: Math.ceil(maxMs / PACKET_MS),
    })
  }

  #finish(child: Child, outcome: DecodeOutcome): void {
    const { job } = child
    child.job = null
    for (const timer of child.timers.splice(0)) timer.cancel()
    job?.settle(outcome)
  }

  #cancel(job: Job): void {
    const at = this.#waiting.indexOf(job)
    if (at >= 0) {
      this.#waiting.splice(at, 1)
      job.settle({ ok: false, reason: 'cancelled' })
      return
    }
    const child = [...this.#children].find((candidate) => candidate.job === job)
    if (child) this.#order(child, { type: 'cancel', jobId: job.id })
  }

  #order(child: Child, order: DecodeOrder): void {
    // A failed send means that the child is dead, and its exit settles the job.
    if (child.process.connected) child.process.send(order, () => {})
  }

  #startChild(): Child {
    const child: Child = {
      process: fork(PROGRAM, {
        // A process that reads hostile files gets nothing from our environment.
        env: {},
        execArgv: [`--max-old-space-size=${HEAP_MEGABYTES}`, '--disable-warning=ExperimentalWarning'],
        serialization: 'advanced',
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      }),
      job: null,
      jobsDone: 0,
      timers: [],
      verdict: null,
    }
    this.#children.add(child)
    this.#counts.childrenStarted++
    child.process.on('message', (report: DecodeReport) => this.#hear(child, report))
    child.process.on('error', () => this.#buried(child))
    child.process.on('exit', () => this.#buried(child))
    return child
  }

  #hear(child: Child, report: DecodeReport): void {
    if (report.type === 'ready' || child.job === null || report.jobId !== child.job.id) return
    if (report.type === 'packets') {
      if (child.job.request.signal?.aborted !== true) child.job.request.onPackets(split(report.bytes, report.sizes))
      return
    }
    child.jobsDone++
    this.#finish(child, report.type === 'done' ? { ok: true } : { ok: false, reason: report.reason })
    if (child.jobsDone >= (this.#options.jobsPerChild ?? 200)) this.#retire(child)
    this.#assign()
  }

  /** Ends an idle child. The next one starts at once, so that a warm one is there. */
  #retire(child: Child): void {
    this.#children.delete(child)
    child.process.kill('SIGKILL')
    if (!this.#isClosed) this.warm()
  }

  #end(child: Child, verdict: 'timeout' | 'memory' | 'cancelled'): void {
    child.verdict = verdict
    child.process.kill('SIGKILL')
  }

  /** Handles the end of a child, expected or not. It fails only the child's own job; others go on with a new child. */
  #buried(child: Child): void {
    if (!this.#children.delete(child)) return
    const reason = child.verdict ?? 'crashed'
    // A signal may reach every process of a terminal or a group, even a child that is starting; the host stops by the
    // same one.
    const isInterrupted = child.process.signalCode === 'SIGINT' || child.process.signalCode === 'SIGTERM'
    if (reason !== 'cancelled' && !isInterrupted)
      this.#options.log.warn(
        { reason, exitCode: child.process.exitCode, signal: child.process.signalCode },
        'a process that decodes files for playing ended; only the file that it was decoding fails',
      )
    this.#finish(child, { ok: false, reason })
    if (this.#isClosed) return
    if (this.#waiting.length > 0) this.#assign()
  }

  /** Watches the resident memory while a job runs. Without /proc only the time limit protects. */
  #watchMemory(child: Child): void {
    const { job } = child
    const timer = this.#options.clock.after(RSS_CHECK_MS, () => {
      void residentBytes(child.process.pid).then((bytes) => {
        if (child.job !== job) return
        if (bytes > (this.#options.maxRssBytes ?? 1_000_000_000)) this.#end(child, 'memory')
        else this.#watchMemory(child)
      })
    })
    child.timers.push(timer)
  }
}

function split(bytes: Uint8Array, sizes: readonly number[]): Uint8Array[] {
  let at = 0
  return sizes.map((size) => bytes.subarray(at, (at += size)))
}

async function residentBytes(pid: number | undefined): Promise<number> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(text)?.[1] ?? 0) * 1024
}
