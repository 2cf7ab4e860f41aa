import { fileURLToPath } from 'node:url'
import { BUILDS } from '../domain/web-build.ts'
import { sharesPublicOrigin } from '../domain/embed-origin.ts'
import { readBuiltAssets, type BuiltAssets } from '../http/pages/built-assets.ts'
import type { Core } from './core.ts'

export interface Pages {
  /** Null where the pages were not built. */
  readonly builtAssets: BuiltAssets | null
  readonly chatEmbedUrl: string
  readonly connectEmbedUrl: string
}

/** Reads what was built of pages and SDK. Without it the service starts, and says what to run where a page is asked for. */
export async function openPages({ config, log }: Core, baseUrl: string): Promise<Pages> {
  const chatEmbedUrl = config.chatEmbedUrl ?? baseUrl
  const connectEmbedUrl = config.connectEmbedUrl ?? baseUrl
  if (sharesPublicOrigin(baseUrl, [chatEmbedUrl, connectEmbedUrl])) {
    log.warn({ baseUrl, chatEmbedUrl, connectEmbedUrl }, 'embeddable pages share the origin of BASE_URL: give CHAT_EMBED_URL and CONNECT_EMBED_URL hosts of their own')
  }
  const builtAssets = await readBuiltAssets(fileURLToPath(new URL(`../../${BUILDS}`, import.meta.url)))
  if (!builtAssets) log.warn({}, 'pages are not built: run `npm run web`; the API works without them')
  return { builtAssets, chatEmbedUrl, connectEmbedUrl }
}
