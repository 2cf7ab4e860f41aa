import type { Outcome } from './errors.ts'
import type { CallId, EventId, MessageId, NumberId, TenantId } from './ids.ts'

/**
 * The place of some work in a trace that is recorded, as W3C Trace Context writes it: `00-<trace id>-<span id>-01`. It
 * goes along with the work, over actors, nodes, rows and programs; work without one is not recorded.
 */
export type Trace = `00-${string}-01`

/** What carries the trace that it is part of; absent or null when nothing is recorded. */
export interface Traced {
  readonly trace?: Trace | null | undefined
}

const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:$|-)/

/**
 * Reads a `traceparent`. `unrecorded` says that whoever sent it records nothing of this work; null that it is no
 * traceparent. Later versions are read as version 00, as the standard asks.
 */
export function readTraceparent(text: string): Trace | 'unrecorded' | null {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(text) ?? []
  if (traceId === undefined || (text.startsWith('00') && text.length !== 55)) return null
  return (Number.parseInt(flags ?? '', 16) & 1) === 1 ? `00-${traceId}-${spanId}-01` : 'unrecorded'
}

/** The trace that was stored or came from another program of this service; null for anything else. */
export function toTrace(value: unknown): Trace | null {
  const read = typeof value === 'string' ? readTraceparent(value) : null
  return read === 'unrecorded' ? null : read
}

/** The trace's id, 32 hexadecimal digits. */
export function traceIdOf(trace: Trace): string {
  return trace.slice(3, 35)
}

/** The span's id, 16 hexadecimal digits. */
export function spanIdOf(trace: Trace): string {
  return trace.slice(36, 52)
}

/**
 * The work that spans tell of, each with its kind as OpenTelemetry has them: `server` takes a request from outside the
 * program, `client` makes one, `internal` is neither.
 */
export const SPANS = {
  request: 'server',
  'number.ask': 'internal',
  'message.send': 'client',
  'message.receive': 'internal',
  'call.command': 'client',
  'media.control': 'client',
  'media.command': 'server',
  'engine.command': 'server',
  'webhook.deliver': 'client',
} as const satisfies Readonly<Record<string, 'server' | 'client' | 'internal'>>
export type SpanName = keyof typeof SPANS

/** What a span may tell ([operation.traces.4]): ids, codes and counts, no numbers of persons, contents or secrets. */
export interface SpanFacts {
  readonly tenantId?: TenantId | null | undefined
  readonly numberId?: NumberId | null | undefined
  readonly messageId?: MessageId
  readonly callId?: CallId
  readonly eventId?: EventId
  readonly webhookId?: `wh_${string}`
  readonly method?: string
  /** The pattern of a path, never the path. */
  readonly route?: string
  /** HTTP status. */
  readonly status?: number
  /** Name of a command, an event or an operation. */
  readonly command?: string
  readonly event?: string
  readonly attempt?: number
  /** What became of the work, in one word. */
  readonly outcome?: string
  /** Why it failed: the code of a refusal. */
  readonly code?: string
}

/** What the end of a span tells of an outcome: the code of its refusal. */
export function endOf(outcome: Outcome<unknown>): SpanFacts {
  return outcome.ok ? {} : { code: outcome.error.code }
}
