/** Installs the packages of examples when they are missing; started by itself, those of all. */
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installWhenMissing } from '../tools/install/packages.ts'
import { withPackages, type Example } from './examples.ts'

/** Has the packages of the example. Ends the process when they cannot be had. */
export function installExample({ folder, proof }: Example): void {
  if (proof === null) return
  installWhenMissing({ folder, proof, notice: `Installing the packages of the example ${basename(folder)} ...` })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) for (const example of withPackages()) installExample(example)
