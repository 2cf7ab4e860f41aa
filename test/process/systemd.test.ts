import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { VARIABLES } from '../../src/config/variables.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const UNITS = globSync('deploy/systemd/*.service', { cwd: ROOT }).toSorted()
const EXAMPLES = globSync('deploy/systemd/*.env.example', { cwd: ROOT }).toSorted()
const ENGINE_CONFIG = readFileSync(join(ROOT, 'engines/baileys/process/config.ts'), 'utf8')

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

/** The last value of a setting of a unit; empty when it is not set. */
const settingOf = (text: string, name: string): string => new RegExp(`^${name}=(.*)$`, 'm').exec(text)?.[1] ?? ''

/** The names of variables that lines like NAME=value give. */
const namesIn = (text: string): string[] => [...text.matchAll(/^([A-Z][A-Z0-9_]*)=/gm)].map(([, name = '']) => name)

const isKnown = (name: string): boolean => name in VARIABLES.shape || ENGINE_CONFIG.includes(`'${name}'`)

test('[operation.packages.1] a unit for each program starts a file that is there, with an environment that has an example', (t) => {
  t.deepEqual(
    UNITS.map((path) => basename(path)),
    ['channel-engine@.service', 'channel-gateway.service', 'channel-media-host@.service'],
  )
  for (const path of UNITS) {
    const text = read(path)
    const program = settingOf(text, 'ExecStart').split(' ').at(-1) ?? ''
    t.regex(program, /main\.ts$/)
    t.true(existsSync(join(ROOT, program)), program)
    const files = [...text.matchAll(/^EnvironmentFile=\/etc\/channel-messaging\/([\w-]+?)(?:-%i)?\.env$/gm)]
    t.is(files.length, 2, path)
    for (const [, name = ''] of files) t.true(EXAMPLES.includes(`deploy/systemd/${name}.env.example`), name)
  }
})

test('every variable of the units and their examples is one that the programs read', (t) => {
  const given = [
    ...EXAMPLES.map(read),
    ...UNITS.map((path) => settingOf(read(path), 'Environment').replaceAll(' ', '\n')),
  ]
  const names = given.flatMap(namesIn).filter((name) => name !== 'NODE_ENV')
  t.true(names.length > 20)
  t.deepEqual(
    names.filter((name) => !isKnown(name)),
    [],
  )
})

test('a unit has more time to stop than its program waits, and may write to its state alone', (t) => {
  for (const path of UNITS) {
    const text = read(path)
    const example = EXAMPLES.find((name) => path.includes(basename(name, '.env.example')))
    const drain = Number(/^DRAIN_SECONDS=(\d+)$/m.exec(read(example ?? ''))?.[1])
    t.true(Number(settingOf(text, 'TimeoutStopSec')) >= drain + 10, path)
    const folder =
      /(?:^|\s)(?:ENGINE_DATA_DIR|DATA_DIR)=%S\/(\S+)$/m.exec(settingOf(text, 'Environment'))?.[1] ?? 'none'
    t.is(settingOf(text, 'StateDirectory'), folder)
    for (const line of ['DynamicUser=yes', 'ProtectSystem=strict', 'NoNewPrivileges=yes', 'CapabilityBoundingSet='])
      t.true(text.split('\n').includes(line), `${path}: ${line}`)
  }
})

/** True where this machine can check units. */
const hasAnalyze = spawnSync('systemd-analyze', ['--version']).status === 0

/** Only where systemd is. */
const whereSystemdIs = hasAnalyze ? test : test.skip

whereSystemdIs('systemd takes the units without a warning', (t) => {
  const root = mkdtempSync(join(tmpdir(), 'units-'))
  t.teardown(() => rmSync(root, { recursive: true }))
  // As on a machine that followed docs/operate.md: programs and units in their places.
  for (const folder of ['usr/local/bin', 'opt/channel-messaging', 'etc/systemd/system', 'usr/lib/systemd'])
    mkdirSync(join(root, folder), { recursive: true })
  writeFileSync(join(root, 'usr/local/bin/node'), '', { mode: 0o755 })
  if (existsSync('/usr/lib/systemd/system'))
    cpSync('/usr/lib/systemd/system', join(root, 'usr/lib/systemd/system'), { recursive: true, verbatimSymlinks: true })
  const named = UNITS.map((path) => basename(path).replace('@.', '@1.'))
  for (const path of UNITS) cpSync(join(ROOT, path), join(root, 'etc/systemd/system', basename(path)))
  const { stdout, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', `--root=${root}`, ...named], {
    encoding: 'utf8',
  })
  const ours = `${stdout}${stderr}`.split('\n').filter((line) => line.includes('channel-'))
  t.deepEqual(ours, [])
})
