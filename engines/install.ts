/**
 * Installs the packages of the engine for QR-paired numbers when they are missing; the product itself runs without
 * them.
 */
import { fileURLToPath } from 'node:url'
import { installWhenMissing as install } from '../tools/install/packages.ts'

export const ENGINE = fileURLToPath(new URL('baileys', import.meta.url))

/** Has the engine's packages as its lockfile says. Ends the process when they cannot be had. */
export function installWhenMissing(): void {
  install({
    folder: ENGINE,
    // The package that was added last, so that what an earlier version installed is made anew.
    proof: 'pg',
    notice: 'Installing the engine (its dependency libsignal is GPL-3.0: see engines/baileys/README.md) ...',
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) installWhenMissing()
