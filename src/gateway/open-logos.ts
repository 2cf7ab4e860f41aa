import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createLogoFiles } from '../files/logo-files.ts'
import type { LogoFiles } from '../ports/logo-files.ts'
import type { Core } from './core.ts'
import type { OpenMessageFiles } from './open-message-files.ts'
import { openPlace } from './open-places.ts'

export interface Logos {
  readonly logos: LogoFiles
  /** Directory of request files while they last. */
  readonly uploadDirectory: string
}

/** Opens the keeper of brands' logos. It first removes files that killed processes left. */
export async function openLogos(core: Core, { children }: Pick<OpenMessageFiles, 'children'>): Promise<Logos> {
  const { config, clock } = core
  const uploadDirectory = join(config.dataDir, 'uploads')
  await rm(uploadDirectory, { recursive: true, force: true })
  const place = openPlace(core, { name: 'branding', files: '' })
  const logos = createLogoFiles({ place, temp: join(config.dataDir, 'branding', 'temp'), children, clock })
  return { logos, uploadDirectory }
}
