/** Installs the generators of clients when they are missing; nothing else needs them. */
import { fileURLToPath } from 'node:url'
import { installWhenMissing } from '../install/packages.ts'

export const GENERATORS = fileURLToPath(new URL('.', import.meta.url)).replace(/\/$/, '')

/** Has the generators as their lockfile says. Ends the process when they cannot be had. */
export function installGenerators(): void {
  installWhenMissing({
    folder: GENERATORS,
    proof: '@hey-api/openapi-ts',
    notice: 'Installing the generators of clients ...',
  })
}
