import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { within } from '../helpers/until.ts'
import { productionTree } from './production-tree.ts'

/** Makes all file systems below / read-only but the folder $1, as far as this machine lets it, and runs the rest. */
const READ_ONLY = `mount --bind "$1" "$1" && mount --bind "$2" "$2" && mount -o remount,ro,bind "$2" &&
  mount --bind "$1" "$1" && { mount -o remount,ro,bind / || true; }
  ! touch "$2/written" 2>/dev/null && shift 2 && exec "$@"`

/** Every path below the folder, with when it was changed. */
function stateOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => `${path} ${lstatSync(path).mtimeMs}`)
    .toSorted()
}

test('[operation.packages.2] a gateway with its media host and sandbox starts, serves and ends on a read-only file system', async (t) => {
  const tree = productionTree()
  t.teardown(tree.remove)
  // A mount of its own beside the tree: nothing else may be written.
  const dataDir = `${tree.folder}-data`
  mkdirSync(dataDir)
  t.teardown(() => rmSync(dataDir, { recursive: true, force: true }))
  const before = stateOf(tree.folder)
  const privileges = process.getuid?.() === 0 ? '-m' : '-rm'
  const child = spawn(
    'unshare',
    [privileges, 'sh', '-c', READ_ONLY, 'sh', dataDir, tree.folder, process.execPath, 'src/main.ts'],
    {
      cwd: tree.folder,
      env: {
        PATH: process.env['PATH'],
        PORT: '0',
        MEDIA_PORT: '0',
        MEDIA_CONTROL_PORT: '0',
        SANDBOX_PORT: '0',
        DATA_DIR: dataDir,
        SHUTDOWN_DELAY_SECONDS: '0',
        NODE_OPTIONS: '--disable-warning=ExperimentalWarning',
      },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    },
  )
  t.teardown(() => child.kill('SIGKILL'))
  const output: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => output.push(String(chunk)))
  const ended = once(child, 'exit')
  const [said] = await within('the gateway listens', Promise.race([once(child, 'message'), ended]))
  const port = (said as { readonly port?: number } | null)?.port
  t.is(typeof port, 'number', output.join(''))
  const ready = await fetch(`http://127.0.0.1:${port}/health/ready`)
  t.is(ready.status, 200, await ready.text())
  child.kill('SIGTERM')
  t.deepEqual(await within('the gateway ends', ended), [0, null], output.join(''))
  t.deepEqual(stateOf(tree.folder), before)
})
