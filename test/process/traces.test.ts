import test, { type ExecutionContext } from 'ava'
import { toTrace, type Trace } from '../../src/domain/trace.ts'
import { openTraces } from '../../src/process/open-traces.ts'
import { sendTraces } from '../../src/process/traces.ts'
import { FakeClock } from '../helpers/fake-clock.ts'
import { TraceCollector } from '../helpers/trace-collector.ts'

const RECORDER = { program: 'gateway', instance: 'node_1' }
const PARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'

async function opened(t: ExecutionContext, share: number, random = () => 0.5) {
  const collector = await TraceCollector.open()
  const clock = new FakeClock()
  const traces = sendTraces({ endpoint: collector.origin, headers: {}, share }, RECORDER, { clock, random })
  t.teardown(async () => {
    await traces.close()
    await collector.close()
  })
  return { collector, clock, traces }
}

test('a span ends with what became known, below the span that its trace names', async (t) => {
  const { traces, collector } = await opened(t, 0)
  const span = traces.begin('message.send', toTrace(PARENT), { attempt: 2 })
  span?.end({ code: 'RATE_LIMITED' })
  await traces.close()
  t.like(collector.spans, [
    {
      name: 'message.send',
      program: 'gateway',
      traceId: PARENT.slice(3, 35),
      parentSpanId: PARENT.slice(36, 52),
      attributes: { 'channel.attempt': 2, 'error.type': 'RATE_LIMITED' },
      isFailed: true,
    },
  ])
  t.is(span?.trace, `00-${collector.spans[0]?.traceId}-${collector.spans[0]?.spanId}-01` as Trace)
})

test('a request has the name of its method and route once these are known', async (t) => {
  const { traces, collector } = await opened(t, 1)
  traces.arrived('request', undefined, {})?.end({ method: 'GET', route: '/v1/calls/{callId}', status: 200 })
  await traces.close()
  t.is(collector.spans[0]?.name, 'GET /v1/calls/{callId}')
})

// [operation.traces.4]
test('a code that is no word is not told', async (t) => {
  const { traces, collector } = await opened(t, 0)
  for (const code of ['to +5511999990001', '5511999990001', 'RATE_LIMITED', '504'])
    traces.begin('message.send', toTrace(PARENT), {})?.end({ code })
  await traces.close()
  t.deepEqual(
    collector.spans.map(({ attributes }) => attributes['error.type']),
    ['OTHER', 'OTHER', 'RATE_LIMITED', '504'],
  )
})

test('the share decides of what arrives without a trace, and nothing is recorded of what its sender does not', async (t) => {
  const numbers = [0.09, 0.1, 0.5]
  const { traces } = await opened(t, 0.1, () => numbers.shift() ?? 1)
  t.truthy(traces.arrived('request', undefined, {}))
  t.is(traces.arrived('request', undefined, {}), null)
  t.is(traces.arrived('request', 'no traceparent', {}), null)
  t.is(traces.begin('message.send', null, {}), null)
  const all = await opened(t, 1)
  t.is(all.traces.arrived('request', PARENT.replace(/01$/, '00'), {}), null)
})

test('requests that say so are recorded, up to a hundred a second, so that no sender can have all recorded', async (t) => {
  const { traces, clock } = await opened(t, 0)
  const recorded = (count: number) =>
    Array.from({ length: count }, () => traces.arrived('request', PARENT, {})).filter((span) => span !== null).length
  t.is(recorded(250), 100)
  clock.advance(1_000)
  t.is(recorded(50), 50)
})

test('without a collector nothing is recorded, and OpenTelemetry is not loaded', async (t) => {
  const traces = await openTraces(null, RECORDER, new FakeClock())
  t.is(traces.arrived('request', PARENT, {}), null)
  t.is(traces.begin('message.send', toTrace(PARENT), {}), null)
  await t.notThrowsAsync(traces.close())
})
