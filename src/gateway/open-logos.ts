import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createLogoFiles } from '../files/logo-files.ts'
import type { LogoFiles } from '../ports/logo-files.ts'
import type { Core } from './core.ts'
import type { OpenMessageFiles } from './open-message-files.ts'

export interface Logos {
  readonly logos: LogoFiles
  /** Directory of request files while they last. */
  readonly uploadDirectory: string
}

/** Opens the store of brands' logos on this node's disk. It first removes files that killed processes left. */
export async function openLogos({ config }: Core, { children }: Pick<OpenMessageFiles, 'children'>): Promise<Logos> {
  const uploadDirectory = join(config.dataDir, 'uploads')
  await rm(uploadDirectory, { recursive: true, force: true })
  const logos = createLogoFiles(join(config.dataDir, 'branding'), children)
  return { logos, uploadDirectory }
}
