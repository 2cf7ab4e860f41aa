/** Installs the packages of a program that has a lockfile of its own, when they are missing. */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'

export interface Packages {
  /** The folder of the program's package.json and package-lock.json. */
  readonly folder: string
  /** A package that is there only when all are. */
  readonly proof: string
  /** The line that is printed before they are installed. */
  readonly notice: string
}

/** Has the packages as the lockfile says. Ends the process when they cannot be had. */
export function installWhenMissing({ folder, proof, notice }: Packages): void {
  const packages = `${folder}/node_modules`
  const isInstalled = () => existsSync(`${packages}/${proof}/package.json`)
  if (isInstalled()) return
  process.stderr.write(`${notice}\n`)
  // Beside it and then renamed: another program that installs at the same time must not find half of them.
  const aside = mkdtempSync(`${folder}/.installing-`)
  const status = installInto(aside, folder)
  if (status === 0 && !isInstalled()) putInPlace(`${aside}/node_modules`, packages, isInstalled)
  rmSync(aside, { recursive: true, force: true })
  if (status === 0) return
  process.stderr.write(`They could not be installed: look above, then try \`npm ci --prefix ${folder}\`\n`)
  process.exit(status ?? 1)
}

function installInto(aside: string, folder: string): number | null {
  for (const file of ['package.json', 'package-lock.json']) cpSync(`${folder}/${file}`, `${aside}/${file}`)
  return spawnSync('npm', ['ci', '--prefix', aside, '--no-audit', '--no-fund'], { stdio: 'inherit' }).status
}

function putInPlace(made: string, packages: string, isInstalled: () => boolean): void {
  try {
    renameSync(made, packages)
  } catch (error) {
    if (isInstalled()) return
    // What an installation that was broken off left.
    if (!existsSync(packages)) throw error
    rmSync(packages, { recursive: true })
    renameSync(made, packages)
  }
}
