import test from 'ava'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  FAST,
  newPeer,
  numbersOfBothKinds,
  reachablePeer,
  send,
  untilStatus,
  write,
} from '../helpers/message-service.ts'
import type { BothNumbers, Kind } from '../helpers/message-service.ts'
import { connectOfficial } from '../helpers/official-service.ts'
import { Receiver } from '../helpers/receiver.ts'
import { Service, type PairedNumber } from '../helpers/service.ts'
import { spanFaults } from '../helpers/span-faults.ts'
import { TEST_DATABASE_URL } from '../helpers/test-servers.ts'
import { TraceCollector, type CollectedSpan } from '../helpers/trace-collector.ts'
import { until } from '../helpers/until.ts'

const SECRET = 'the text of nobody else'

let collector: TraceCollector
let receiver: Receiver
let service: Service
let numbers: BothNumbers

test.before(async () => {
  collector = await TraceCollector.open()
  receiver = await Receiver.open()
  service = await Service.start({
    env: {
      ...FAST,
      OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.origin}/`,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20collector-key',
    },
  })
  numbers = await numbersOfBothKinds(service)
})

test.after.always(async () => {
  await service?.stop()
  await receiver?.close()
  await collector?.close()
})

/** A trace of a tenant's own, with the header that says so. */
function ownTrace() {
  const traceId = randomBytes(16).toString('hex')
  const spanId = randomBytes(8).toString('hex')
  return { traceId, spanId, headers: { traceparent: `00-${traceId}-${spanId}-01` } }
}

async function subscribe(number: PairedNumber, path: string, events: readonly string[]): Promise<void> {
  const made = await service.api('POST', '/v1/webhooks', number.key, { url: receiver.endpoint(path), events })
  if (made.status !== 201) throw new Error(`no webhook: ${made.text}`)
}

/** A number of the test's own. */
async function numberOf(kind: Kind): Promise<PairedNumber> {
  return kind === 'OFFICIAL' ? await connectOfficial(service) : await service.pairNumber()
}

/** The one span of this name. */
function only(spans: readonly CollectedSpan[], name: string): CollectedSpan {
  const [found, ...more] = spans.filter((span) => span.name === name)
  if (!found || more.length > 0) throw new Error(`${more.length + (found ? 1 : 0)} spans are called ${name}`)
  return found
}

for (const kind of ['OFFICIAL', 'UNOFFICIAL'] as const)
  // [operation.traces.1] [operation.traces.2] [operation.traces.3]
  test(`${kind}: one trace goes from the request over upstream to the tenant's endpoint, for each status`, async (t) => {
    const number = await numberOf(kind)
    const path = `/sends-${kind}`
    const statuses = ['message.sent', 'message.delivered', 'message.read']
    await subscribe(number, path, statuses)
    const peer = await reachablePeer(service, number)
    const { traceId, spanId, headers } = ownTrace()
    const { id } = await send(service, number, { destinationNumber: peer, text: SECRET }, headers)
    await untilStatus(service, number, id, ['READ'])
    const arrivals = await receiver.until(path, 3)
    const spans = await collector.untilTrace(traceId, ['POST /v1/messages/send', 'message.send', 'webhook.deliver'])
    const delivered = await until('each delivery is in the trace', () => {
      const found = collector.spans.filter((span) => span.traceId === traceId && span.name === 'webhook.deliver')
      return found.length === 3 ? found : null
    })

    const request = only(spans, 'POST /v1/messages/send')
    t.is(request.parentSpanId, spanId)
    t.like(request.attributes, { 'http.response.status_code': 202, 'channel.number.id': number.id })
    const sent = only(spans, 'message.send')
    t.is(sent.parentSpanId, request.spanId)
    t.like(sent.attributes, { 'channel.message.id': id, 'channel.outcome': 'sent', 'channel.attempt': 1 })
    t.deepEqual(delivered.map(({ attributes }) => attributes['channel.event']).toSorted(), statuses.toSorted())
    t.true(delivered.every(({ parentSpanId, isFailed }) => parentSpanId === request.spanId && !isFailed))
    t.deepEqual(
      arrivals.map((arrival) => arrival.headers['traceparent']).toSorted(),
      delivered.map((span) => `00-${traceId}-${span.spanId}-01`).toSorted(),
    )
  })

for (const kind of ['OFFICIAL', 'UNOFFICIAL'] as const)
  // [operation.traces.2]
  test(`${kind}: a message that comes in begins a trace, which the tenant's endpoint is told`, async (t) => {
    const number = numbers[kind]
    const path = `/received-${kind}`
    await subscribe(number, path, [kind === 'OFFICIAL' ? 'messages' : 'message.received'])
    await write(service, newPeer(), number, { text: SECRET })
    const [arrival] = await receiver.until(path, 1)
    const traceparent = String(arrival?.headers['traceparent'])
    const traceId = traceparent.slice(3, 35)
    const begins = kind === 'OFFICIAL' ? 'POST /webhooks/official/{id}' : 'message.receive'
    const spans = await collector.untilTrace(traceId, [begins, 'message.receive', 'webhook.deliver'])
    t.is(only(spans, begins).parentSpanId, '')
    t.true(spans.some(({ name, spanId }) => name === 'webhook.deliver' && traceparent === `00-${traceId}-${spanId}-01`))
  })

// [operation.traces.2]
test('a call is followed into the media host and to its end', async (t) => {
  const number = numbers.UNOFFICIAL
  await subscribe(number, '/calls', ['call.ended'])
  const placed = ownTrace()
  const { body } = await service.api('POST', '/v1/calls', number.key, { to: newPeer() }, placed.headers)
  await service.untilCall(number, body.id, ['ACCEPTED'])
  const spans = await collector.untilTrace(placed.traceId, [
    'POST /v1/calls',
    'number.ask',
    'call.command',
    'media.command',
  ])
  const ask = only(spans, 'number.ask')
  t.is(ask.parentSpanId, only(spans, 'POST /v1/calls').spanId)
  t.like(ask.attributes, { 'channel.command': 'PlaceCall', 'channel.number.id': number.id })
  const offer = spans.find((span) => span.name === 'media.command' && span.attributes['channel.command'] === 'offer')
  t.like(offer, { program: 'media-host', parentSpanId: ask.spanId })

  const ended = ownTrace()
  await service.api('POST', `/v1/calls/${body.id}/terminate`, number.key, {}, ended.headers)
  const [arrival] = await receiver.until('/calls', 1)
  t.is(String(arrival?.headers['traceparent']).slice(3, 35), ended.traceId)
})

if (TEST_DATABASE_URL !== null)
  // [operation.traces.2]
  test('a command that another node carries out stays in the trace of its request', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'cms-test-beside-'))
    const beside = await service.startBeside(folder)
    t.teardown(async () => {
      await beside.kill('SIGTERM')
      await rm(folder, { recursive: true, force: true })
    })
    const { port } = await beside.listening
    const { traceId, headers } = ownTrace()
    const answer = await fetch(`http://127.0.0.1:${port}/v1/calls`, {
      method: 'POST',
      headers: { 'x-api-key': numbers.UNOFFICIAL.key, 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ to: newPeer() }),
    })
    t.is(answer.status, 201)
    await collector.untilTrace(traceId, ['POST /v1/calls', 'number.ask', 'call.command', 'media.command'])
  })

test('a refused request says why in its span, and in its line of the log by the id of its trace', async (t) => {
  const { traceId, headers } = ownTrace()
  const answer = await service.api('POST', '/v1/messages/send', numbers.OFFICIAL.key, { text: SECRET }, headers)
  t.is(answer.status, 400)
  const spans = await collector.untilTrace(traceId, ['POST /v1/messages/send'])
  t.like(only(spans, 'POST /v1/messages/send'), { isFailed: false })
  t.is(only(spans, 'POST /v1/messages/send').attributes['channel.outcome'], 'VALIDATION')
  await until('the line is written', () => service.gateway.output.join('').includes(`"trace_id":"${traceId}"`))
})

test('of a request whose sender records nothing, nothing is recorded, and its webhooks carry no trace', async (t) => {
  const number = await service.pairNumber()
  await subscribe(number, '/unrecorded', ['message.sent'])
  const { traceId, spanId } = ownTrace()
  const headers = { traceparent: `00-${traceId}-${spanId}-00` }
  const { id } = await send(service, number, { destinationNumber: newPeer(), text: 'hello' }, headers)
  const arrival = await until('the event of the message is there', () =>
    receiver.arrivals.find(({ path, body }) => path === '/unrecorded' && body.includes(id)),
  )
  t.is(arrival.headers['traceparent'], undefined)
  const later = ownTrace()
  await service.api('GET', '/v1/numbers', service.tenantKey, undefined, later.headers)
  await collector.untilTrace(later.traceId, ['GET /v1/numbers'])
  t.false(collector.spans.some((span) => span.traceId === traceId))
})

// [operation.traces.4]
test.after('the collector is told its key, and neither texts nor numbers of persons nor keys', async (t) => {
  await until('spans came', () => collector.spans.length > 0)
  t.is(collector.authorization, 'Bearer collector-key')
  const told = collector.bodies.join('')
  for (const secret of [
    SECRET,
    numbers.UNOFFICIAL.digits,
    numbers.OFFICIAL.digits,
    numbers.OFFICIAL.key,
    service.tenantKey,
  ])
    t.false(told.includes(secret))
  t.notRegex(told, /"[^"]*\b55119\d{8}\b/)
  t.deepEqual(collector.spans.flatMap(spanFaults), [])
})

test('while the collector is away everything goes on, without a word of it in the answers', async (t) => {
  const away = await Service.start({ env: { ...FAST, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' } })
  t.teardown(() => away.stop())
  const number = await away.pairNumber()
  const sent = await Promise.all(
    Array.from({ length: 20 }, () => send(away, number, { destinationNumber: newPeer(), text: 'hello' })),
  )
  for (const { id } of sent) await untilStatus(away, number, id, ['READ'])
  t.is(sent.length, 20)
})
