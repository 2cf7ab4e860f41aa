import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { purgeLogos } from '../commands/pages/logos.ts'
import { createLogoFiles } from '../files/logo-files.ts'
import type { LogoFiles } from '../ports/logo-files.ts'
import type { Core } from './core.ts'
import type { OpenMessageFiles } from './open-message-files.ts'
import type { Storage } from './open-storage.ts'

/** Our choice: a logo may outlive its last reference by this much more. */
const PURGE_EVERY_MS = 3_600_000

export interface Logos {
  readonly logos: LogoFiles
  /** Where files of requests are while those last. */
  readonly uploadDirectory: string
}

/**
 * Logos of brands on this node's disk, and what becomes of those that nobody names any more. Removes what killed
 * processes were sent.
 */
export async function openLogos(
  { config, upkeep }: Core,
  { stores: { branding }, children }: Pick<Storage, 'stores'> & Pick<OpenMessageFiles, 'children'>,
): Promise<Logos> {
  const uploadDirectory = join(config.dataDir, 'uploads')
  await rm(uploadDirectory, { recursive: true, force: true })
  const logos = createLogoFiles(join(config.dataDir, 'branding'), children)
  upkeep.add({
    name: 'purge-logos',
    everyMs: PURGE_EVERY_MS,
    isDueAtStart: true,
    run: () => purgeLogos({ branding, logos }),
  })
  return { logos, uploadDirectory }
}
