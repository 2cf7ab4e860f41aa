/**
 * `npm run trim [-- FOLDER]`: takes from FOLDER/node_modules (default: the project's) what no running program reads.
 * For installations without the packages of development, with the Node that the programs will run on; `npm ci` brings
 * all of it back.
 */
import { existsSync, lstatSync, readdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isUnread, type Runtime } from './trimmed.ts'

/** How many files and bytes went. */
export interface Trimmed {
  readonly files: number
  readonly bytes: number
}

/** Removes the files below `packages`, a node_modules folder, that nothing reads on `runtime`; it follows no links. */
export function trim(packages: string, runtime: Runtime): Trimmed {
  let [files, bytes] = [0, 0]
  for (const entry of readdirSync(packages, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (!entry.isFile() || !isUnread(path.replaceAll('\\', '/'), runtime)) continue
    bytes += lstatSync(path).size
    files += 1
    rmSync(path)
  }
  return { files, bytes }
}

function main(): void {
  const packages = join(resolve(process.argv[2] ?? fileURLToPath(new URL('../..', import.meta.url))), 'node_modules')
  if (existsSync(join(packages, 'typescript'))) {
    process.stderr.write('The packages of development are installed: run `npm prune --omit=dev` before\n')
    process.exit(1)
  }
  const { platform, arch } = process
  const { files, bytes } = trim(packages, { platform, arch, modules: process.versions.modules })
  process.stdout.write(`${packages}: ${files} files that nothing reads, ${Math.round(bytes / 1e6)} MB\n`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main()
