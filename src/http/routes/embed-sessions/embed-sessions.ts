import type { EmbedCommands } from '../../../commands/embeds/embeds.ts'
import type { OwnBranding } from '../../../domain/branding.ts'
import { boundNumber } from '../../../domain/caller.ts'
import { RefusalError, refuse } from '../../../domain/errors.ts'
import type { EmbedEndings } from '../../request/embed-endings.ts'
import { unwrap } from '../../request/outcome.ts'
import { route } from '../../request/route.ts'
import type { Route } from '../../request/route.ts'
import * as example from './examples.ts'
import * as present from './present.ts'
import * as schema from './schema.ts'

interface EmbedSessionDeps {
  readonly embedCommands: EmbedCommands
  readonly embedEndings: EmbedEndings
  /** Public base URL of REST, which serves logos, without a trailing slash. */
  readonly baseUrl: string
}

const GROUP = 'Embed sessions'

/** Embed sessions, as the tenant's server sees them ([embeds.routes.1] to [embeds.routes.3]). */
export function embedSessionRoutes(deps: EmbedSessionDeps): Route[] {
  return [mintSession(deps), listSessions(deps), revokeSession(deps)]
}

function mintSession({ embedCommands: embeds, baseUrl }: EmbedSessionDeps): Route {
  return route({
    method: 'post',
    path: '/v1/embed/sessions',
    name: 'createEmbedSession',
    group: GROUP,
    access: { by: ['key', 'session'], of: 'either' },
    permission: 'chat:send',
    summary: 'Mint a session for an embed',
    description:
      'From your server: the token is for the page that shows the embed, the key never. `Idempotency-Key` is ignored, because tokens are not stored.',
    body: schema.mintInput(baseUrl),
    bodyExamples: example.MINT,
    answer: { status: 201, description: 'The session with its token', schema: schema.minted, example: example.MINTED },
    refusals: ['NUMBER_NOT_FOUND'],
    async handle({ caller, narrowedTo, body }) {
      const { surface, allowedOrigins, channelNumberIds: numberIds, ttlSeconds = null } = body
      const minted = await embeds.mint(caller, {
        surface,
        allowedOrigins,
        numberIds,
        ttlSeconds,
        narrowedTo,
        canStart: body.startConversation ?? false,
        branding: (body.brandingOverride ?? null) as OwnBranding | null,
      })
      return { status: 201, body: present.presentMinted(unwrap(minted)) }
    },
  })
}

function listSessions({ embedCommands: embeds }: EmbedSessionDeps): Route {
  return route({
    method: 'get',
    path: '/v1/embed/sessions',
    name: 'listEmbedSessions',
    group: GROUP,
    access: { by: ['key', 'session'], of: 'either' },
    permission: 'chat:send',
    summary: 'List live sessions of embeds',
    description: 'Newest first. The key of a number sees those of that number alone.',
    answer: {
      status: 200,
      description: 'The sessions, without their tokens',
      schema: schema.sessions,
      example: example.LISTED,
    },
    async handle({ caller, narrowedTo }) {
      const sessions = await embeds.list(caller.tenantId, boundNumber(caller) ?? narrowedTo)
      return { status: 200, body: { sessions: sessions.map(present.presentSession) } }
    },
  })
}

function revokeSession({ embedCommands: embeds, embedEndings }: EmbedSessionDeps): Route {
  return route({
    method: 'delete',
    path: '/v1/embed/sessions/{id}',
    name: 'revokeEmbedSession',
    group: GROUP,
    access: { by: ['key', 'session'], of: 'either' },
    permission: 'chat:send',
    params: schema.idParams,
    summary: 'End a session of an embed',
    description: 'Its tokens are refused within 2 s, and its streams end.',
    answer: { status: 200, description: 'It is over', schema: schema.revoked, example: example.REVOKED },
    refusals: ['EMBED_SESSION_NOT_FOUND'],
    async handle({ caller, narrowedTo, params }) {
      const isRevoked = await embeds.revoke(caller.tenantId, boundNumber(caller) ?? narrowedTo, params.id)
      if (!isRevoked) throw new RefusalError(refuse('EMBED_SESSION_NOT_FOUND', 'No such live session'))
      await embedEndings.tell(params.id)
      return { status: 200, body: { revoked: true, id: params.id } }
    },
  })
}
