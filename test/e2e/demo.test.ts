import test from 'ava'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { NODE_ARGUMENTS } from '../helpers/short-lived.ts'
import { IS_FULL } from '../helpers/size.ts'
import { PATIENCE_MS, until, within } from '../helpers/until.ts'

const DEMO = fileURLToPath(new URL('../../tools/demo/demo.ts', import.meta.url))

/**
 * Only the gate runs this test, because it takes longer than any other and a new clone has run the demo anyway
 * (README).
 */
const inTheGate = IS_FULL ? test.serial : test.skip

// [sandbox.demo.1] [sandbox.demo.2]
inTheGate('the demo plays an act on each kind of number, writes the recording and exits 0', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'cms-demo-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const { stdout } = await promisify(execFile)(process.execPath, [...NODE_ARGUMENTS, DEMO], {
    cwd: folder,
    timeout: PATIENCE_MS,
  })
  t.is(stdout.match(/COMPLETED after \d+ s/g)?.length, 2)
  t.regex(stdout, /verified: number\.connected, call\.connected, call\.ended/)
  t.regex(stdout, /verified: .*call\.permission_updated/)
  t.regex(stdout, /order_shipped, sendable at once/)
  t.regex(stdout, /the platform reviews it +\d+ ms +APPROVED/)
  t.is(stdout.match(/the contact sees "Hello Zoë, your order 4711 is on its way\."/g)?.length, 2)
  t.regex(stdout, /INVALID_PROPERTY_VALUE at 6:16: \{"type": "DatePickr"/)
  t.regex(stdout, /Zoë answers \{"day":"2026-01-12"\}/)
  t.regex(stdout, /Page \d+, webhook SUBSCRIBED/)
  t.regex(stdout, /lead\.received: Bia, consent true/)
  t.regex(stdout, /the person sees "Hello Bia, your order 4712 is on its way\."/)
  t.regex(stdout, /it shows the names of its ad +\d+ ms +Cars > São Paulo > Spring/)
  t.true((await stat(join(folder, 'demo-call.wav'))).size > 100_000)
})

// [sandbox.demo.3]
inTheGate(
  'with --keep the demo goes on, at the addresses and with the keys that it prints, until Ctrl-C',
  async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'cms-demo-'))
    t.teardown(() => rm(folder, { recursive: true, force: true }))
    const child = spawn(process.execPath, [...NODE_ARGUMENTS, DEMO, '--keep'], { cwd: folder })
    t.teardown(() => child.kill('SIGKILL'))
    const closed = once(child, 'close')
    let said = ''
    child.stdout.on('data', (bytes: Buffer) => (said += bytes.toString()))
    const [, rest = '', docs = '', tenantKey = '', numberKey = ''] = await until('it says what it keeps', () =>
      /Still running.*\s+REST +(\S+)\s+docs +(\S+)\s+tenant key +(\S+)\s+number key +(\S+)\s/.exec(said),
    )
    t.is((await fetch(docs)).status, 200)
    for (const [path, key] of [
      ['numbers', tenantKey],
      ['calls', numberKey],
    ] as const)
      t.is((await fetch(`${rest}/${path}`, { headers: { 'x-api-key': key } })).status, 200)
    child.kill('SIGINT')
    t.deepEqual(await within('it ends', closed), [0, null])
  },
)
