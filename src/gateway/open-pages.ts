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

/** Our choice: a logo may outlive its last reference by this much more. */
const PURGE_EVERY_MS = 3_600_000

interface PageNeeds extends Pick<Upstreams, 'sandboxPort'>, Pick<Logos, 'logos'> {
  readonly stores: Stores
  readonly baseUrl: string
}

export interface Pages {
  readonly pageCommands: PageCommands
  readonly embedCommands: EmbedCommands
  /** Null where the pages were not built. */
  readonly builtAssets: BuiltAssets | null
  readonly chatEmbedUrl: string
  readonly connectEmbedUrl: string
  /** Null where there is no sandbox, or people come from other machines: it answers on this one alone. */
  readonly sandboxUrl: string | null
}

/**
 * Joins what can be done with how pages look and with embeds, and reads what was built of pages and SDK. Without it the
 * service starts, and says what to run where a page is asked for.
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
