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
  /** HTTP answer to give. */
  status: z.int().min(200).max(599).optional(),
  body: z.unknown().optional(),
  /** Of the HTTP answer, such as `retry-after`. */
  headers: headerFields.optional(),
  /** Device operation: the error to answer; a text is its code. */
  error: z
    .union([
      z.string().min(1),
      z.object({ code: z.string().min(1), message: z.string().optional(), retryable: z.boolean().optional() }),
    ])
    .optional(),
  /** Waits before anything else; alone it only slows down. */
  delayMs: z.int().min(0).max(600_000).optional(),
  /** Cuts the connection instead of answering: `true` before the request took effect, `after` behind it. */
  drop: z.union([z.boolean(), z.literal('after')]).optional(),
  /** The request takes effect first; then its answer is lost, or is the `error`, `status` or `body` named here. */
  after: z.boolean().optional(),
  /** The request takes effect at once, and its answer is held: what is told of it overtakes the answer. */
  answerDelayMs: z.int().min(0).max(600_000).optional(),
  /** Share of the matching requests to fail, by chance. */
  rate: z.number().gt(0).max(1).default(1),
})
export type Fault = z.infer<typeof faultSchema>

/** What a request shows of itself to be matched. */
export interface FaultSubject {
  readonly path: string
  /** Of HTTP requests alone. */
  readonly method?: string
  readonly op?: string
}

/** Faults in the order they were asked for; each fails the next `times` requests that match it. */
export interface Faults {
  add(fault: Fault): void
  /** Takes one use of the first fault that matches. */
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

/** When a fault cuts the connection: before the request takes effect, behind it, or not at all. */
export function cutOf({ drop, after, error, status, body }: Fault): 'before' | 'after' | null {
  const hasAnswer = error !== undefined || status !== undefined || body !== undefined
  if (drop === 'after' || (after === true && (drop === true || !hasAnswer))) return 'after'
  return drop === true ? 'before' : null
}

/** `random` answers 0 to 1, below 1. */
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
