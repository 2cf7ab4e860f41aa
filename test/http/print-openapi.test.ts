import test from 'ava'
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { serve } from '../helpers/http-app.ts'
import { World } from '../helpers/world.ts'

const PROGRAM = fileURLToPath(new URL('../../src/http/print-openapi.ts', import.meta.url))

test('the printed document is the one a gateway serves whose metrics lie elsewhere, but for its address', async (t) => {
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM], { maxBuffer: 16 * 1024 * 1024 })
  const client = await serve(t, new World(), { baseUrl: 'https://gateway.test', metricsText: null })
  const served = await client.send('GET', '/openapi.json')
  t.deepEqual(JSON.parse(stdout), JSON.parse(served.text.replaceAll('https://gateway.test', 'http://localhost:3000')))
})
