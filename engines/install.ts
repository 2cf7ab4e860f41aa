/**
 * Installs the packages of the engine for QR-paired numbers when they are missing; the product itself runs without
 * them.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const ENGINE = fileURLToPath(new URL('baileys', import.meta.url))
const PACKAGES = `${ENGINE}/node_modules`

/** Has the engine's packages as its lockfile says. Ends the process when they cannot be had. */
export function installWhenMissing(): void {
  if (isInstalled()) return
  process.stderr.write(
    'Installing the engine (its dependency libsignal is GPL-3.0: see engines/baileys/README.md) ...\n',
  )
  // Beside it and then renamed: another program that installs at the same time must not find half of them.
  const aside = mkdtempSync(`${ENGINE}/.installing-`)
  const status = installInto(aside)
  if (status === 0 && !isInstalled()) putInPlace(`${aside}/node_modules`)
  rmSync(aside, { recursive: true, force: true })
  if (status === 0) return
  process.stderr.write('The engine could not be installed: look above, then try `npm ci --prefix engines/baileys`\n')
  process.exit(status ?? 1)
}

function isInstalled(): boolean {
  return existsSync(`${PACKAGES}/baileys/package.json`)
}

function installInto(folder: string): number | null {
  for (const file of ['package.json', 'package-lock.json']) cpSync(`${ENGINE}/${file}`, `${folder}/${file}`)
  return spawnSync('npm', ['ci', '--prefix', folder, '--no-audit', '--no-fund'], { stdio: 'inherit' }).status
}

function putInPlace(packages: string): void {
  try {
    renameSync(packages, PACKAGES)
  } catch (error) {
    if (isInstalled()) return
    // What an installation that was broken off left.
    if (!existsSync(PACKAGES)) throw error
    rmSync(PACKAGES, { recursive: true })
    renameSync(packages, PACKAGES)
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) installWhenMissing()
