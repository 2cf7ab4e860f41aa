/** Installs the packages of the engine for QR-paired numbers when they are missing; the product itself runs without them. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const ENGINE = fileURLToPath(new URL('baileys', import.meta.url))

/** Has the engine's packages as its lockfile says. Ends the process when they cannot be had. */
export function installWhenMissing(): void {
  if (existsSync(`${ENGINE}/node_modules/baileys/package.json`)) return
  process.stderr.write('Installing the engine (its dependency libsignal is GPL-3.0: see engines/baileys/README.md) ...\n')
  const { status } = spawnSync('npm', ['ci', '--prefix', ENGINE, '--no-audit', '--no-fund'], { stdio: 'inherit' })
  if (status !== 0) {
    process.stderr.write('The engine could not be installed: look above, then try `npm ci --prefix engines/baileys`\n')
    process.exit(status ?? 1)
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) installWhenMissing()
