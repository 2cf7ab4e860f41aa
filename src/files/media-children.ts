import { fork } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import type { ChildProcess } from 'node:child_process'
import { FairQueue } from '../domain/turns.ts'
import type { Clock, Timer } from '../ports/clock.ts'
import type {
  MediaFault,
  MediaJobOrder,
  MediaReport,
  MediaResult,
  MediaTask,
} from '../../engines/media/protocol/converting.ts'

export type MediaOutcome =
  | { readonly ok: true; readonly result: MediaResult }
  /** `crowded` and `cancelled` are no faults of the file. */
  | { readonly ok: false; readonly fault: MediaFault | 'timeout' | 'memory' | 'crashed' | 'crowded' | 'cancelled' }

export interface MediaChildrenStats {
  readonly waiting: number
  readonly childrenStarted: number
  /** Process ids of the children that are alive now. */
  readonly children: readonly number[]
}

/** Works on untrusted files in child processes. */
export interface MediaChildren {
  /** Waits for a turn and a free child, then works. `owner` is the number that the work is for. Never throws. */
  work(owner: string, task: MediaTask, signal: AbortSignal): Promise<MediaOutcome>
  stats(): MediaChildrenStats
  /** Ends all children and cancels their work. Idempotent. */
  close(): Promise<void>
}

/** Bounds of one kind of work. */
export interface WorkLimits {
  /** Time one file may take on a child, in ms. */
  readonly wallMs: number
  /** Resident memory a child may reach, in bytes. */
  readonly maxRssBytes: number
}

export interface MediaChildrenOptions {
  readonly clock: Clock
  /**
   * Most children. Default 2 (our choice). With more than one, videos never take the last, so that pictures need not
   * wait for them.
   */
  readonly maxChildren?: number
  /** Limits of images and audio. Default 60 s and 400 MB (our choice; 130 to 200 MB is normal, measured). */
  readonly short?: Partial<WorkLimits>
  /** Limits of videos. Default 180 s and 1 GB (our choice). */
  readonly long?: Partial<WorkLimits>
  /**
   * Files after which a child is replaced, against slow leaks. Default 100 (our choice; a start costs 0.3 s, measured).
   */
  readonly jobsPerChild?: number
  /** Most work that waits, in all and of each number. Default 1,000 and 64 (our choice). */
  readonly maxWaiting?: number
  readonly maxWaitingPerNumber?: number
  /** Time between two checks of the memory, in ms. Default 200. */
  readonly memoryCheckMs?: number
}

interface Job {
  readonly id: number
  readonly owner: string
  readonly task: MediaTask
  readonly settle: (outcome: MediaOutcome) => void
}

interface Child {
  readonly process: ChildProcess
  job: Job | null
  jobsDone: number
  timers: Timer[]
  /** Why the pool ended the child, to be told to its job; null when it did not. */
  verdict: 'timeout' | 'memory' | 'cancelled' | null
}

/** A program of its own, whose licence differs: it is started and told by messages, never loaded. */
const PROGRAM = new URL('../../engines/media/convert.ts', import.meta.url)
const SHORT: WorkLimits = { wallMs: 60_000, maxRssBytes: 400_000_000 }
const LONG: WorkLimits = { wallMs: 180_000, maxRssBytes: 1_000_000_000 }
/** Our choice: the heap holds little; native memory is what grows, and the parent watches it. */
const HEAP_MEGABYTES = 128

/** Makes the pool. Children are started when there is work, and kept for the next. */
export function createMediaChildren(options: MediaChildrenOptions): MediaChildren {
  return new ChildPool(options)
}

class ChildPool implements MediaChildren {
  readonly #options: MediaChildrenOptions
  readonly #children = new Set<Child>()
  readonly #queue: FairQueue<Job>
  #lastJobId = 0
  #childrenStarted = 0
  #isClosed = false

  constructor(options: MediaChildrenOptions) {
    this.#options = options
    this.#queue = new FairQueue(options.maxWaitingPerNumber ?? 64, options.maxWaiting ?? 1_000)
  }

  work(owner: string, task: MediaTask, signal: AbortSignal): Promise<MediaOutcome> {
    if (this.#isClosed || signal.aborted) return Promise.resolve({ ok: false, fault: 'cancelled' })
    return new Promise((resolve) => {
      const onAbort = () => this.#cancel(job)
      const job: Job = {
        id: ++this.#lastJobId,
        owner,
        task,
        settle: (outcome) => {
          signal.removeEventListener('abort', onAbort)
          resolve(outcome)
        },
      }
      if (!this.#queue.push(owner, job)) return resolve({ ok: false, fault: 'crowded' })
      signal.addEventListener('abort', onAbort, { once: true })
      this.#assign()
    })
  }

  stats(): MediaChildrenStats {
    const children = [...this.#children].flatMap((child) => child.process.pid ?? [])
    return { waiting: this.#queue.size, childrenStarted: this.#childrenStarted, children }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const job of this.#queue.clear()) job.settle({ ok: false, fault: 'cancelled' })
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

  /** Gives waiting jobs to idle children, and starts a child when all are busy. */
  #assign(): void {
    const { maxChildren = 2 } = this.#options
    while (this.#queue.size > 0 && !this.#isClosed) {
      const all = [...this.#children]
      const idle = all.find((child) => child.job === null)
      if (!idle && all.length >= maxChildren) return
      const videos = all.filter((child) => child.job?.task.task === 'video').length
      const job = this.#queue.shift(({ task }) => task.task !== 'video' || videos < Math.max(1, maxChildren - 1))
      if (!job) return
      this.#begin(idle ?? this.#startChild(), job)
    }
  }

  #begin(child: Child, job: Job): void {
    const limits = this.#limitsOf(job)
    child.job = job
    child.timers = [this.#options.clock.after(limits.wallMs, () => this.#end(child, 'timeout'))]
    this.#watchMemory(child, job, limits.maxRssBytes)
    const order: MediaJobOrder = { jobId: job.id, work: job.task }
    // A failed send means a dead child, whose exit settles the job.
    if (child.process.connected) child.process.send(order, () => {})
  }

  #limitsOf({ task }: Job): WorkLimits {
    return task.task === 'video' ? { ...LONG, ...this.#options.long } : { ...SHORT, ...this.#options.short }
  }

  #finish(child: Child, outcome: MediaOutcome): void {
    const { job } = child
    child.job = null
    for (const timer of child.timers.splice(0)) timer.cancel()
    job?.settle(outcome)
  }

  /** Cancels a job. Work under way ends with its child, since native code cannot be asked to stop. */
  #cancel(job: Job): void {
    if (this.#queue.remove(job.owner, job)) return job.settle({ ok: false, fault: 'cancelled' })
    const child = [...this.#children].find((candidate) => candidate.job === job)
    if (child) this.#end(child, 'cancelled')
  }

  #startChild(): Child {
    const child: Child = {
      process: fork(PROGRAM, {
        // A process that reads hostile files gets no secrets of the service.
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
    this.#childrenStarted++
    child.process.on('message', (report: MediaReport) => this.#hear(child, report))
    child.process.on('error', () => this.#buried(child))
    child.process.on('exit', () => this.#buried(child))
    return child
  }

  #hear(child: Child, report: MediaReport): void {
    if (report.type === 'ready' || report.jobId !== child.job?.id) return
    child.jobsDone++
    this.#finish(
      child,
      report.type === 'done' ? { ok: true, result: report.result } : { ok: false, fault: report.fault },
    )
    if (child.jobsDone >= (this.#options.jobsPerChild ?? 100)) {
      this.#children.delete(child)
      child.process.kill('SIGKILL')
    }
    this.#assign()
  }

  #end(child: Child, verdict: 'timeout' | 'memory' | 'cancelled'): void {
    child.verdict = verdict
    child.process.kill('SIGKILL')
  }

  #buried(child: Child): void {
    this.#children.delete(child)
    this.#finish(child, { ok: false, fault: child.verdict ?? 'crashed' })
    this.#assign()
  }

  /** Checks the resident memory while a job runs. Without /proc only the time limit protects. */
  #watchMemory(child: Child, job: Job, maxBytes: number): void {
    child.timers.push(
      this.#options.clock.after(this.#options.memoryCheckMs ?? 200, () => {
        void residentBytes(child.process.pid).then((bytes) => {
          if (child.job !== job) return
          if (bytes > maxBytes) this.#end(child, 'memory')
          else this.#watchMemory(child, job, maxBytes)
        })
      }),
    )
  }
}

async function residentBytes(pid: number | undefined): Promise<number> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(text)?.[1] ?? 0) * 1024
}
