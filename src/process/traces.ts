import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace as api, TraceFlags, type Attributes } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import {
  readTraceparent,
  spanIdOf,
  SPANS,
  traceIdOf,
  type SpanFacts,
  type SpanName,
  type Trace,
} from '../domain/trace.ts'
import { PRODUCT_VERSION } from '../domain/version.ts'
import type { TraceSettings } from '../domain/trace-settings.ts'
import type { Clock } from '../ports/clock.ts'
import type { Span, Traces } from '../ports/traces.ts'

/** Our choice: spans that wait for the collector; more are dropped. About 4 MB. */
const MOST_WAITING = 4_096
/** Our choice: ms after which spans that wait are sent. */
const SEND_AFTER_MS = 2_000
/** Our choice: ms that the collector has to take spans, also at the end of the process. */
const SEND_WITHIN_MS = 5_000
/**
 * Our choice: requests a second that are recorded because their sender says so; of those beyond, as many as of others.
 */
const MOST_TOLD = 100

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL } as const

/** Names of facts, those of OpenTelemetry's conventions where they have one. */
const NAMES: Readonly<Record<keyof SpanFacts, string>> = {
  tenantId: 'channel.tenant.id',
  numberId: 'channel.number.id',
  messageId: 'channel.message.id',
  callId: 'channel.call.id',
  eventId: 'channel.event.id',
  webhookId: 'channel.webhook.id',
  method: 'http.request.method',
  route: 'http.route',
  status: 'http.response.status_code',
  command: 'channel.command',
  event: 'channel.event',
  attempt: 'channel.attempt',
  outcome: 'channel.outcome',
  code: 'error.type',
}

/** Traces that are sent to a collector. */
export interface SentTraces extends Traces {
  /** Sends what waits, for at most SEND_WITHIN_MS. Never rejects. */
  close(): Promise<void>
}

export interface TracesDeps {
  readonly clock: Clock
  /** From 0 to 1, evenly. */
  readonly random: () => number
}

/** Who records: a program, and which of them. */
export interface Recorder {
  readonly program: string
  readonly instance: string
}

/**
 * Sends spans to a collector by OTLP over HTTP. This file alone imports OpenTelemetry; it is loaded only when traces
 * are on, because it costs 30 ms and 10 MB.
 */
export function sendTraces(settings: TraceSettings, recorder: Recorder, deps: TracesDeps): SentTraces {
  const exporter = new OTLPTraceExporter({
    url: `${settings.endpoint}/v1/traces`,
    headers: { ...settings.headers },
    timeoutMillis: SEND_WITHIN_MS,
  })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': recorder.program,
      'service.namespace': 'channel',
      'service.version': PRODUCT_VERSION,
      'service.instance.id': recorder.instance,
    }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter,
        maxQueueSize: MOST_WAITING,
        scheduledDelayMillis: SEND_AFTER_MS,
        exportTimeoutMillis: SEND_WITHIN_MS,
      }),
    ],
  })
  const tracer = provider.getTracer('channel')
  const told = new ToldRecords(deps.clock)

  function start(name: SpanName, parent: Trace | null, facts: SpanFacts): Span {
    const context = parent === null ? ROOT_CONTEXT : contextOf(parent)
    const span = tracer.startSpan(name, { kind: KINDS[SPANS[name]], attributes: attributesOf(facts) }, context)
    const { traceId, spanId } = span.spanContext()
    return {
      trace: `00-${traceId}-${spanId}-01`,
      end(known) {
        if (known?.route !== undefined) span.updateName(`${known.method} ${known.route}`)
        if (known) span.setAttributes(attributesOf(known))
        if (known?.code !== undefined) span.setStatus({ code: SpanStatusCode.ERROR })
        span.end()
      },
    }
  }

  return {
    arrived(name, header, facts) {
      const parent = header === undefined ? null : readTraceparent(header)
      if (parent === 'unrecorded') return null
      const isRecorded = (parent !== null && told.take()) || deps.random() < settings.share
      return isRecorded ? start(name, parent, facts) : null
    },
    begin: (name, within, facts) => (within === null ? null : start(name, within, facts)),
    close: () => provider.shutdown().catch(() => {}),
  }
}

function contextOf(parent: Trace) {
  return api.setSpanContext(ROOT_CONTEXT, {
    traceId: traceIdOf(parent),
    spanId: spanIdOf(parent),
    traceFlags: TraceFlags.SAMPLED,
    isRemote: true,
  })
}

function attributesOf(facts: SpanFacts): Attributes {
  const attributes: Attributes = {}
  for (const [fact, value] of Object.entries(facts))
    if (value !== undefined && value !== null) attributes[NAMES[fact as keyof SpanFacts]] = shown(fact, value)
  return attributes
}

/** A code may be an engine's or upstream's own. One that is no word is not told, because anything may stand in it. */
function shown(fact: string, value: string | number): string | number {
  return fact === 'code' && !/^(?!.*\d{4})\w{2,60}$/.test(String(value)) ? 'OTHER' : value
}

/** Counts requests that are recorded because their sender says so, at most MOST_TOLD in a second. */
class ToldRecords {
  readonly #clock: Clock
  #second = -1
  #count = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  take(): boolean {
    const second = Math.floor(this.#clock.monotonicMs() / 1_000)
    if (second !== this.#second) {
      this.#second = second
      this.#count = 0
    }
    return ++this.#count <= MOST_TOLD
  }
}
