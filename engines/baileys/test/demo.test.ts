import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import test from 'ava'

const PROGRAM = fileURLToPath(new URL('../../../tools/demo/demo.ts', import.meta.url))

test('gateway, engine and offline network as programs of their own: the demo pairs, writes, hears and logs out, and every step holds', async (t) => {
  t.timeout(300_000)
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', PROGRAM, '--engine'], {
    env: { PATH: process.env['PATH'] },
  })
  t.teardown(() => void child.kill('SIGTERM'))
  const written: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => void written.push(String(chunk)))
  const [code] = (await once(child, 'close')) as [number | null]
  const out = written.join('')
  t.is(code, 0, out)
  t.is(out.match(/✔/g)?.length, 10, out)
  t.regex(out, /OFFLINE/)
})
