import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { within } from './until.ts'

/**
 * Has the packages of a folder as its lockfile says, without what they would run. `proof` is a package that is there
 * only when all are; `what` says what they are.
 */
export async function installHost(folder: string, proof: string, what: string): Promise<void> {
  if (existsSync(join(folder, 'node_modules', proof))) return
  const install = ['ci', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund']
  await within(`${what} installed`, promisify(execFile)('npm', install, { maxBuffer: 64 * 2 ** 20 }))
}
