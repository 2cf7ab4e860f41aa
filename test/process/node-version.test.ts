import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import test from 'ava'

const PROGRAM = fileURLToPath(new URL('../../src/process/node-version.cjs', import.meta.url))

/** Runs the check under this version of Node; resolves to its output and exit status. */
async function on(version: string): Promise<{ readonly code: number; readonly stderr: string }> {
  const pretend = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } }); require(${JSON.stringify(PROGRAM)})`
  return await promisify(execFile)(process.execPath, ['-e', pretend]).then(
    ({ stderr }) => ({ code: 0, stderr }),
    ({ code, stderr }: { code: number; stderr: string }) => ({ code, stderr }),
  )
}

test('a Node that cannot run the programs is told in one line how to get the right one', async (t) => {
  t.deepEqual(await on('20.19.2'), {
    code: 1,
    stderr: 'Node 20.19.2 cannot run this: run `npm ci`, which brings the right one\n',
  })
  t.deepEqual(await on('18.20.0'), {
    code: 1,
    stderr: 'Node 18.20.0 cannot run this: install Node 20 or later, then run `npm ci`, which brings the right one\n',
  })
  for (const version of ['22.18.0', '24.0.0']) t.deepEqual(await on(version), { code: 0, stderr: '' })
})
