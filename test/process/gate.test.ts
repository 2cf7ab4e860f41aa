import { execFile } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import type { ExecutionContext } from 'ava'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'

const GATE = fileURLToPath(new URL('../../.ci/run', import.meta.url))

interface Began {
  /** What the tests are told about a browser; null when they did not start. */
  readonly browser: string | null
  readonly isRequired: boolean
  /** The system packages whose installation was asked for. */
  readonly installed: readonly string[]
}

/** Starts the gate on a machine that has only these commands. Ends it when it would install the project's packages. */
async function begin(
  t: ExecutionContext,
  commands: readonly string[],
  { path, hasNetwork = false }: { readonly path?: string; readonly hasNetwork?: boolean } = {},
): Promise<Began> {
  const { path: folder, remove } = await temporaryDirectory()
  t.teardown(remove)
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  for (const command of ['bash', 'dirname', 'env', 'cat', 'chmod'])
    symlinkSync([`/usr/bin/${command}`, `/bin/${command}`].find(existsSync) ?? '', join(bin, command))
  const script = (name: string, body: string): void => {
    writeFileSync(join(bin, name), `#!/bin/bash\n${body}\n`)
    chmodSync(join(bin, name), 0o755)
  }
  for (const command of commands) script(command, 'exit 0')
  script('npm', `echo "$CHROMIUM_PATH|$REQUIRE_BROWSER" > ${folder}/told; exit 1`)
  script(
    'apt-get',
    hasNetwork
      ? `echo "$*" >> ${folder}/asked; if [ "$1" = install ]; then echo > ${bin}/chromium; chmod 755 ${bin}/chromium; fi`
      : `echo "$*" >> ${folder}/asked; exit 100`,
  )
  await new Promise((resolve) => {
    execFile(
      join(bin, 'bash'),
      [GATE],
      { env: { PATH: bin, ...(path === undefined ? {} : { CHROMIUM_PATH: path }) } },
      resolve,
    )
  })
  const told = existsSync(join(folder, 'told')) ? readFileSync(join(folder, 'told'), 'utf8').trim().split('|') : null
  return {
    browser: told?.[0]?.replace(`${bin}/`, '') ?? null,
    isRequired: told?.[1] === '1',
    installed: existsSync(join(folder, 'asked')) ? readFileSync(join(folder, 'asked'), 'utf8').trim().split('\n') : [],
  }
}

test('the gate takes the browser that is there, by whatever name, and asks no network for one', async (t) => {
  for (const command of ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']) {
    t.deepEqual(await begin(t, [command]), { browser: command, isRequired: true, installed: [] })
  }
  t.deepEqual(await begin(t, ['chromium'], { path: '/opt/elsewhere/chrome' }), {
    browser: '/opt/elsewhere/chrome',
    isRequired: true,
    installed: [],
  })
})

test('the gate installs a browser where there is none, and fails where it cannot', async (t) => {
  t.deepEqual(await begin(t, [], { hasNetwork: true }), {
    browser: 'chromium',
    isRequired: true,
    installed: ['update -q', 'install -qy --no-install-recommends chromium'],
  })
  t.deepEqual(await begin(t, []), { browser: null, isRequired: false, installed: ['update -q'] })
})
