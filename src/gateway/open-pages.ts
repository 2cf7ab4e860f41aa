import { fileURLToPath } from 'node:url'
import { createEmbeds, type EmbedCommands } from '../commands/embeds/embeds.ts'
import { createPages, type PageCommands } from '../commands/pages/pages.ts'
import { BUILDS } from '../domain/web-build.ts'
import { sharesPublicOrigin } from '../domain/embed-origin.ts'
import { isLoopback } from '../domain/loopback.ts'
import { readBuiltAssets, type BuiltAssets } from '../http/pages/built-assets.ts'
import type { Stores } from '../storage/stores.ts'
import type { Core } from './core.ts'
import type { Logos } from './open-logos.ts'
import { sandboxPageUrl, type Upstreams } from './open-upstreams.ts'

/** Our choice: a logo may be kept for this many ms after its last reference. */
const PURGE_EVERY_MS = 3_600_000

interface PageNeeds extends Pick<Upstreams, 'sandboxPort'>, Pick<Logos, 'logos'> {
  readonly stores: Stores
  readonly baseUrl: string
}

export interface Pages {
  readonly pageCommands: PageCommands
  readonly embedCommands: EmbedCommands
  /** Null when the pages were not built. */
  readonly builtAssets: BuiltAssets | null
  readonly chatEmbedUrl: string
  readonly connectEmbedUrl: string
  /**
   * Address of the sandbox's page; null without a sandbox, and when people come from other machines, because the
   * sandbox answers on this one alone.
   */
  readonly sandboxUrl: string | null
}

/**
 * Opens branding and embeds, and reads the built pages and SDK. Without a build the service starts, and a request for a
 * page says which command to run.
 */
export async function openPages(
  { config, log, upkeep }: Core,
  { stores, logos, baseUrl, sandboxPort }: PageNeeds,
): Promise<Pages> {
  const pageCommands = createPages({ ...stores, logos, baseUrl })
  upkeep.add({ name: 'purge-logos', everyMs: PURGE_EVERY_MS, isDueAtStart: true, run: pageCommands.purgeLogos })
  const chatEmbedUrl = config.chatEmbedUrl ?? baseUrl
  const connectEmbedUrl = config.connectEmbedUrl ?? baseUrl
  if (sharesPublicOrigin(baseUrl, [chatEmbedUrl, connectEmbedUrl])) {
    log.warn(
      { baseUrl, chatEmbedUrl, connectEmbedUrl },
      'embeddable pages share the origin of BASE_URL: give CHAT_EMBED_URL and CONNECT_EMBED_URL hosts of their own',
    )
  }
  const builtAssets = await readBuiltAssets(fileURLToPath(new URL(`../../${BUILDS}`, import.meta.url)))
  if (!builtAssets) log.warn({}, 'pages are not built: run `npm run web`; the API works without them')
  const sandboxUrl = sandboxPort === null || !isLoopback(new URL(baseUrl).hostname) ? null : sandboxPageUrl(sandboxPort)
  const embedCommands = createEmbeds({ ...stores, embedMaxAgeMs: config.embedMaxAgeMs })
  return { pageCommands, embedCommands, builtAssets, chatEmbedUrl, connectEmbedUrl, sandboxUrl }
}
