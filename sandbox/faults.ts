import { z } from 'zod'
import { headerFields } from './header-text.ts'

/** Body of `POST /control/faults` ([sandbox.control.10]). */
export const faultSchema = z.object({
  /**
   * All named parts must match. With `op` only operations of that name match, without it a `method` or `path` means
   * HTTP requests.
   */
  match: z
    .object({
      method: z.string().optional(),
      /** The whole path or the beginning of it. */
      path: z.string().optional(),
      op: z.string().optional(),
    })
    .default({}),
  times: z.int().min(1).default(1),
  /** HTTP status to answer. */
  status: z.int().min(200).max(599).optional(),
  body: z.unknown().optional(),
  /** Headers of the HTTP answer, such as `retry-after`. */
  headers: headerFields.optional(),
  /** Error of a device operation to answer; a text is its code. */
  error: z
    .union([
      z.string().min(1),
      z.object({ code: z.string().min(1), message: z.string().optional(), retryable: z.boolean().optional() }),
    ])
    .optional(),
  /** Waits before anything else, ms; alone it only slows down. */
  delayMs: z.int().min(0).max(600_000).optional(),
  /** Cuts the connection instead of answering: `true` before the request takes effect, `after` once it has. */
  drop: z.union([z.boolean(), z.literal('after')]).optional(),
  /**
   * True when the request takes effect first; then its answer is lost, or is the `error`, `status` or `body` named
   * here.
   */
  after: z.boolean().optional(),
  /** The request takes effect at once, and its answer is held this long, ms: events of it overtake the answer. */
  answerDelayMs: z.int().min(0).max(600_000).optional(),
  /** Share of the matching requests that fail, at random. */
  rate: z.number().gt(0).max(1).default(1),
})
export type Fault = z.infer<typeof faultSchema>

/** What a request is matched by. */
export interface FaultSubject {
  readonly path: string
  /** For HTTP requests only. */
  readonly method?: string
  readonly op?: string
}

/** Faults in the order they were asked for; each fails the next `times` requests that match it. */
export interface Faults {
  add(fault: Fault): void
  /** Takes one use of the first fault that matches; null when none does. */
  take(subject: FaultSubject): Fault | null
  list(): readonly Fault[]
  clear(): void
}

function matches({ match }: Fault, subject: FaultSubject): boolean {
  const isHttp = subject.method !== undefined
  if (match.op !== undefined && match.op !== subject.op) return false
  if (match.op === undefined && !isHttp && (match.method !== undefined || match.path !== undefined)) return false
  if (match.method !== undefined && match.method.toUpperCase() !== subject.method) return false
  return match.path === undefined || subject.path.startsWith(match.path)
}

/** When a fault cuts the connection: before the request takes effect, after it, or not at all. */
export function cutOf({ drop, after, error, status, body }: Fault): 'before' | 'after' | null {
  const hasAnswer = error !== undefined || status !== undefined || body !== undefined
  if (drop === 'after' || (after === true && (drop === true || !hasAnswer))) return 'after'
  return drop === true ? 'before' : null
}

/** Makes a list of faults. `random` answers 0 to below 1. */
export function createFaults(random: () => number = Math.random): Faults {
  let waiting: Fault[] = []
  return {
    add(fault) {
      waiting.push(fault)
    },
    take(subject) {
      const fault = waiting.find(
        (candidate) => matches(candidate, subject) && (candidate.rate === 1 || random() < candidate.rate),
      )
      if (!fault) return null
      fault.times--
      if (fault.times === 0) waiting = waiting.filter((candidate) => candidate !== fault)
      return { ...fault }
    },
    list: () => waiting,
    clear() {
      waiting = []
    },
  }
}
