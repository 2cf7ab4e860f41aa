import { execFile } from 'node:child_process'
import { cp, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import test from 'ava'
import { NODE_ARGUMENTS } from '../helpers/short-lived.ts'
import { PATIENCE_MS } from '../helpers/until.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const PLANTED = join(ROOT, 'simulation/planted')
/** What a simulation is made of. */
const PARTS = ['package.json', 'actors', 'engines/baileys/store', 'simulation', 'src', 'test/helpers']
/** Seeds within which each fault must be found. */
const SEEDS = 200

/** The planted faults, each with the promises of which it breaks one first, depending on what the seeds bring. */
const FAULTS: Readonly<Record<string, string>> = {
  'a-count-outside-its-transaction': 'counts equal rows',
  'a-fence-is-not-checked': 'one call has one end|a number is what it is said to be',
  'a-lost-wake-up': 'nothing waits while nothing fails',
  'a-retry-without-its-key': 'nothing is sent that nobody asked for|what is accepted is sent once',
  'a-stashed-message-is-dropped': 'what is accepted is sent once|what is written is stored and told once',
  'a-status-that-goes-back': 'a status never goes back',
  'a-takeover-without-waiting': 'a number has one owner',
  'an-acknowledgement-before-the-commit': 'what is written is stored and told once',
  'an-outbox-row-after-its-transaction': 'each event is delivered under its id',
  'one-id-for-two-events': 'each event is delivered under its id',
}

const run = promisify(execFile)

test.before('every planted fault has its promise', async (t) => {
  t.deepEqual(
    (await readdir(PLANTED)).toSorted(),
    Object.keys(FAULTS).map((name) => `${name}.patch`),
  )
})

for (const [name, promise] of Object.entries(FAULTS))
  test.serial(
    `${name.replaceAll('-', ' ')}: the seeds say that "${promise.replaceAll('|', '" or "')}" is broken`,
    async (t) => {
      const folder = await mkdtemp(join(tmpdir(), 'cms-planted-'))
      t.teardown(() => rm(folder, { recursive: true }))
      for (const part of PARTS) await cp(join(ROOT, part), join(folder, part), { recursive: true })
      await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
      await run('git', ['apply', join(PLANTED, `${name}.patch`)], { cwd: folder })
      const words = [...NODE_ARGUMENTS, 'simulation/main.ts', '--seeds', String(SEEDS), '--first']
      const { code, stdout } = await run(process.execPath, words, { cwd: folder, timeout: PATIENCE_MS }).then(
        ({ stdout: said }) => ({ code: 0, stdout: said }),
        (error: { code: number; stdout: string }) => error,
      )
      t.is(code, 1, stdout)
      t.regex(stdout, new RegExp(`^  (?:${promise}): `, 'm'))
      t.regex(stdout, /^seed \d+ broke a promise; run it again with: npm run simulate -- --seed \d+ --log$/m)
    },
  )
