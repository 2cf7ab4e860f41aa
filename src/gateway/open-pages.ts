import { fileURLToPath } from 'node:url'
import { BUILDS } from '../domain/web-build.ts'
import { sharesPublicOrigin } from '../domain/embed-origin.ts'
import { isLoopback } from '../domain/loopback.ts'
import { readBuiltAssets, type BuiltAssets } from '../http/pages/built-assets.ts'
import type { Core } from './core.ts'
import { sandboxPageUrl, type Upstreams } from './open-upstreams.ts'

export interface Pages {
  /** Null where the pages were not built. */
  readonly builtAssets: BuiltAssets | null
  readonly chatEmbedUrl: string
  readonly connectEmbedUrl: string
  /** Null where there is no sandbox, or people come from other machines: it answers on this one alone. */
  readonly sandboxUrl: string | null
}

/**
 * Reads what was built of pages and SDK. Without it the service starts, and says what to run where a page is asked for.
 */
export async function openPages(
  { config, log }: Core,
  { baseUrl, sandboxPort }: { readonly baseUrl: string } & Pick<Upstreams, 'sandboxPort'>,
): Promise<Pages> {
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
  return { builtAssets, chatEmbedUrl, connectEmbedUrl, sandboxUrl }
}
