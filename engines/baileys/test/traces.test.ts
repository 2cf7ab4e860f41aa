import test from 'ava'
import { TraceCollector } from '../../../test/helpers/trace-collector.ts'
import { connectBridge } from './helpers/bridge-client.ts'
import { startEngineProcess } from './helpers/engine-process.ts'
import { temporaryFolder } from './helpers/open-store.ts'
import { networkFor } from './network/started.ts'

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736'
const SPAN_ID = '00f067aa0ba902b7'

// [operation.traces.2]
test('what a gateway asks within a trace is recorded there with its outcome, and begins none by itself', async (t) => {
  const collector = await TraceCollector.open()
  t.teardown(() => collector.close())
  const network = await networkFor(t)
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.origin }
  const engine = await startEngineProcess(t, network, temporaryFolder(t), env)
  const client = await connectBridge(t, engine.port, 'num_traced')
  const text = { messageId: 'm', to: '551188', content: { type: 'text', text: 'nobody reads it' } }
  await client.ask('message.send', text)
  await client.ask('message.send', { ...text, traceparent: 'no traceparent' })
  await client.ask('message.send', { ...text, traceparent: `00-${TRACE_ID}-${SPAN_ID}-01` })
  await collector.untilTrace(TRACE_ID, ['engine.command'])
  t.like(collector.spans, [
    {
      program: 'engine',
      traceId: TRACE_ID,
      parentSpanId: SPAN_ID,
      attributes: { 'channel.command': 'message.send', 'error.type': 'NOT_CONNECTED' },
      isFailed: true,
    },
  ])
  t.is(collector.spans.length, 1)
  t.false(collector.bodies.join('').includes('nobody'))
})
