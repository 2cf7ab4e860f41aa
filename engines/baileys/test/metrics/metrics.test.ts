import type { AddressInfo } from 'node:net'
import test from 'ava'
import { readConfig } from '../../process/config.ts'
import { createLog } from '../../process/log.ts'
import { writeMetrics } from '../../metrics/exposition.ts'
import { startEngine } from '../../start.ts'
import { temporaryFolder } from '../helpers/open-store.ts'

test('metrics are written as their format wants them', (t) => {
  t.is(
    writeMetrics([
      {
        name: 'a',
        help: 'What\nit is.',
        type: 'gauge',
        samples: [{ value: 1 }, { labels: { state: 'a"b' }, value: 2.5 }],
      },
    ]),
    '# HELP a What\\nit is.\n# TYPE a gauge\na 1\na{state="a\\"b"} 2.5\n',
  )
})

// [engines.baileys.14]
test('an engine shows its sessions by state at its port of metrics, and nothing else there', async (t) => {
  const engine = await startEngine(
    readConfig({ ENGINE_PORT: '0', ENGINE_METRICS_PORT: '0', ENGINE_DATA_DIR: temporaryFolder(t) }),
    createLog('silent', () => {}),
  )
  t.teardown(() => engine.close())
  engine.sessions.of('num_1')
  const base = `http://127.0.0.1:${(engine.metrics?.address() as AddressInfo | undefined)?.port}`
  const text = await (await fetch(`${base}/metrics`)).text()
  t.true(text.includes('engine_sessions{state="CLOSE"} 1\nengine_sessions{state="CONNECTING"} 0\n'))
  t.regex(text, /^process_resident_memory_bytes \d+$/m)
  t.false(text.includes('num_1'))
  t.is((await fetch(`${base}/`)).status, 404)
})
