import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { until } from './until.ts'

/** A span as a collector gets it. */
export interface CollectedSpan {
  readonly program: string
  readonly traceId: string
  readonly spanId: string
  /** Empty for the first of a trace. */
  readonly parentSpanId: string
  readonly name: string
  readonly attributes: Readonly<Record<string, string | number>>
  readonly isFailed: boolean
}

interface OtlpAttribute {
  readonly key: string
  readonly value: { readonly stringValue?: string; readonly intValue?: number | string }
}

interface OtlpBody {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly OtlpAttribute[] }
    readonly scopeSpans: readonly {
      readonly spans: readonly {
        readonly traceId: string
        readonly spanId: string
        readonly parentSpanId?: string
        readonly name: string
        readonly attributes: readonly OtlpAttribute[]
        readonly status: { readonly code?: number }
      }[]
    }[]
  }[]
}

/** A collector of OpenTelemetry that takes traces by OTLP over HTTP, as JSON. */
export class TraceCollector {
  readonly spans: CollectedSpan[] = []
  /** Everything that was sent, as text. */
  readonly bodies: string[] = []
  /** Header `authorization` of the last request. */
  authorization: string | undefined
  readonly origin: string
  readonly close: () => Promise<void>

  private constructor(origin: string, close: () => Promise<void>) {
    this.origin = origin
    this.close = close
  }

  static async open(): Promise<TraceCollector> {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const collector = new TraceCollector(origin, async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    })
    server.on('request', (request, response) => {
      void text(request).then((body) => {
        collector.authorization = request.headers.authorization
        if (request.url === '/v1/traces') collector.#take(body)
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
      })
    })
    return collector
  }

  #take(body: string): void {
    this.bodies.push(body)
    for (const { resource, scopeSpans } of (JSON.parse(body) as OtlpBody).resourceSpans) {
      const program = String(valuesOf(resource.attributes)['service.name'])
      for (const span of scopeSpans.flatMap(({ spans }) => spans))
        this.spans.push({
          program,
          traceId: span.traceId,
          spanId: span.spanId,
          parentSpanId: span.parentSpanId ?? '',
          name: span.name,
          attributes: valuesOf(span.attributes),
          isFailed: span.status.code === 2,
        })
    }
  }

  /** Waits until the trace has a span of each of these names; resolves to its spans. */
  async untilTrace(traceId: string, names: readonly string[]): Promise<CollectedSpan[]> {
    const ofTrace = () => this.spans.filter((span) => span.traceId === traceId)
    await until(`the trace has ${names.join(', ')}`, () =>
      names.every((name) => ofTrace().some((span) => span.name === name)),
    ).catch((error: unknown) => {
      throw new Error(`${String(error)}: ${ofTrace().map(({ name }) => name)}`)
    })
    return ofTrace()
  }
}

function valuesOf(attributes: readonly OtlpAttribute[]): Record<string, string | number> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)] as const),
  )
}
