import type { HttpContext } from './context.ts'

/** The token of `authorization: Bearer`; empty where there is none. */
export function bearerOf(ctx: HttpContext): string {
  const sent = ctx.get('authorization')
  return sent === '' ? '' : (/^bearer +(\S+)$/i.exec(sent)?.[1] ?? '')
}
