/** Installs what mutates the code when it is missing; nothing else needs it. */
import { fileURLToPath } from 'node:url'
import { installWhenMissing } from '../../tools/install/packages.ts'

/** Has the packages as their lockfile says. Ends the process when they cannot be had. */
export function installMutator(): void {
  installWhenMissing({
    folder: fileURLToPath(new URL('.', import.meta.url)).replace(/\/$/, ''),
    proof: '@stryker-mutator/core',
    notice: 'Installing what changes the code ...',
  })
}
