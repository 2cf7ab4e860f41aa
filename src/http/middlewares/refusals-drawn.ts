import type { Refusal } from '../../domain/errors.ts'
import { languageFor } from '../pages/language.ts'
import { REFUSAL_HEADERS, refusalPage } from '../pages/refusal-page.ts'
import type { RefusalKind } from '../pages/refusal-words.ts'
import { isBelow } from '../request/below.ts'
import { preferredLanguageOf } from '../request/context.ts'
import type { HttpMiddleware } from '../request/context.ts'
import { shownCode } from '../request/refusal-body.ts'
import { isEmbedHost } from './path-served-here.ts'

interface DrawnDeps {
  readonly serviceName: string
  readonly baseUrl: string
  readonly chatEmbedUrl: string
  readonly connectEmbedUrl: string
}

/** Paths whose callers are programs, whatever `accept` says. */
const OF_PROGRAMS = ['/v1', '/api', '/mcp']

/**
 * Shows a refusal as a page in words to a person whose browser was led to an address that refuses. Programs, which do
 * not ask for HTML first, get the JSON body ([rest.errors.1]), and so does every request that sends something.
 */
export function refusalsDrawn({ serviceName, baseUrl, chatEmbedUrl, connectEmbedUrl }: DrawnDeps): HttpMiddleware {
  const isOfEmbeds = isEmbedHost(baseUrl, [chatEmbedUrl, connectEmbedUrl])
  return async (ctx, next) => {
    await next()
    const { refusal } = ctx.state
    if (
      !refusal
      || (ctx.method !== 'GET' && ctx.method !== 'HEAD')
      || OF_PROGRAMS.some((base) => isBelow(ctx.path, base))
    )
      return
    ctx.vary('accept')
    if (ctx.accepts('json', 'html') !== 'html') return
    const docsUrl = isOfEmbeds(ctx) ? null : `${baseUrl}/docs`
    ctx.set(REFUSAL_HEADERS)
    ctx.type = 'text/html; charset=utf-8'
    ctx.body = refusalPage({
      kind: kindOf(refusal, ctx.status),
      serviceName,
      lang: languageFor(null, { preferredLanguage: preferredLanguageOf(ctx) }),
      detail: detailOf(refusal),
      docsUrl,
    })
  }
}

function kindOf({ code }: Refusal, status: number): RefusalKind {
  if (code === 'HTTPS_REQUIRED') return 'insecure'
  if (status === 404 || status === 410) return 'missing'
  if (status === 429) return 'busy'
  return status >= 500 ? 'failed' : 'refused'
}

function detailOf({ code, message }: Refusal): string {
  const shown = shownCode(code)
  return shown === null ? message : `${shown}: ${message}`
}
