import type { EmbedCommands } from '../../../commands/embeds/embeds.ts'
import { DEFAULT_LOOK } from '../../../domain/branding.ts'
import { themeOf } from '../../../domain/contrast.ts'
import { RefusalError } from '../../../domain/errors.ts'
import { tokenRefusal } from '../../middlewares/embed-proved.ts'
import type { EmbedEndings } from '../../request/embed-endings.ts'
import { route } from '../../request/route.ts'
import type { Route } from '../../request/route.ts'
import { revoked } from '../embed-sessions/schema.ts'
import { SAMPLE } from '../samples.ts'
import { presentOwnSession } from './present.ts'
import * as schema from './schema.ts'

interface PublicEmbedDeps {
  readonly embedCommands: EmbedCommands
  readonly embedEndings: EmbedEndings
}

const GROUP = 'Embed sessions'
const SHOWN = {
  id: SAMPLE.embedSessionId,
  surface: 'chat',
  numbers: [
    {
      id: SAMPLE.numberId,
      name: 'Front desk',
      number: SAMPLE.number,
      provider: SAMPLE.provider,
      state: 'OPEN',
      startsFree: true,
      can: { edits: true, revocations: true, typing: true },
    },
  ],
  allowedOrigins: ['https://crm.example.com'],
  startConversation: false,
  branding: DEFAULT_LOOK,
  theme: themeOf(DEFAULT_LOOK),
  unreadTotal: 2,
  expiresAt: '2026-01-05T12:15:00.000Z',
  maxExpiresAt: '2026-01-06T00:00:00.000Z',
}

/**
 * What an embed asks about its session, and the browser SDK about why a frame is not shown ([embeds.routes.4],
 * [embeds.inbox-routes.1], [embeds.diagnose.1]).
 */
export function publicEmbedRoutes(deps: PublicEmbedDeps): Route[] {
  return [refreshToken(deps), readSession(deps), endSession(deps), diagnoseFrame(deps)]
}

function refreshToken({ embedCommands: embeds }: PublicEmbedDeps): Route {
  return route({
    method: 'post',
    path: '/api/public/embed/refresh',
    name: 'refreshEmbedToken',
    group: GROUP,
    access: { by: ['embed'], of: 'caller' },
    summary: 'Replace an embed token by a fresh one',
    description: 'With a token that still works. The inbox and the connect page do this by themselves.',
    answer: {
      status: 200,
      description: 'A token of the same session',
      schema: schema.fresh,
      example: {
        token: SAMPLE.embedToken,
        expiresAt: '2026-01-05T12:15:00.000Z',
        maxExpiresAt: '2026-01-06T00:00:00.000Z',
      },
    },
    async handle({ embedToken }) {
      const fresh = await embeds.refresh(embedToken)
      if (fresh.kind !== 'fresh') throw new RefusalError(tokenRefusal(fresh))
      const { token, session } = fresh
      return {
        status: 200,
        body: { token, expiresAt: session.expiresAt.toISOString(), maxExpiresAt: session.maxExpiresAt.toISOString() },
      }
    },
  })
}

function readSession({ embedCommands: embeds }: PublicEmbedDeps): Route {
  return route({
    method: 'get',
    path: '/api/public/embed/session',
    name: 'getOwnEmbedSession',
    group: GROUP,
    access: { by: ['embed'], of: 'caller' },
    isHidden: true,
    summary: 'Read what this token is of',
    answer: { status: 200, description: 'The session', schema: schema.session, example: SHOWN },
    async handle({ embed, secretEndsAt }) {
      return { status: 200, body: presentOwnSession(embed, secretEndsAt, await embeds.show(embed)) }
    },
  })
}

function endSession({ embedCommands: embeds, embedEndings }: PublicEmbedDeps): Route {
  return route({
    method: 'delete',
    path: '/api/public/embed/session',
    name: 'endOwnEmbedSession',
    group: GROUP,
    access: { by: ['embed'], of: 'caller' },
    isHidden: true,
    summary: 'End the session of this token',
    answer: {
      status: 200,
      description: 'It is over',
      schema: revoked,
      example: { revoked: true, id: SAMPLE.embedSessionId },
    },
    async handle({ embed }) {
      await embeds.revoke(embed.tenantId, null, embed.id)
      await embedEndings.tell(embed.id)
      return { status: 200, body: { revoked: true, id: embed.id } }
    },
  })
}

function diagnoseFrame({ embedCommands: embeds }: PublicEmbedDeps): Route {
  return route({
    method: 'get',
    path: '/api/public/embed/diagnose',
    name: 'diagnoseEmbed',
    group: GROUP,
    access: { by: ['nobody'], of: 'service' },
    bucket: 'pages',
    isHidden: true,
    query: schema.diagnoseQuery,
    summary: 'Tell why a page cannot show an embed',
    answer: {
      status: 200,
      description: 'Whether it can, else why not, and what to do',
      schema: schema.diagnosis,
      example: { ok: true, reason: null, hint: null },
    },
    async handle({ query: { s, h = '', origin } }) {
      // Any page may ask, because the answer tells it nothing that it does not see of the frame.
      return {
        status: 200,
        headers: { 'access-control-allow-origin': '*' },
        body: await embeds.diagnose(s === undefined ? { handle: h } : { sessionId: s }, origin),
      }
    },
  })
}
