import type { ConsentCommands } from '../../../commands/oauth/consents.ts'
import type { Decider, Question } from '../../../commands/oauth/decide.ts'
import { CONSENT_COOKIE, isInteractionSecret } from '../../../domain/consent-cookie.ts'
import { RefusalError, refuse } from '../../../domain/errors.ts'
import { roleOf, type WebSession } from '../../../domain/web-session.ts'
import type { Counter, Metrics } from '../../../ports/metrics.ts'
import type { NumberStore } from '../../../ports/stores/number-store.ts'
import { unwrap } from '../../request/outcome.ts'
import { route } from '../../request/route.ts'
import type { Client, Route } from '../../request/route.ts'
import { presentQuestion } from './present.ts'
import * as schema from './schema.ts'

export interface OAuthConsentDeps {
  readonly consentCommands: ConsentCommands
  readonly numbers: Pick<NumberStore, 'list'>
  readonly metrics: Metrics
  readonly baseUrl: string
}

const HIDDEN = {
  group: 'API keys',
  isHidden: true,
  access: { by: ['session'], of: 'caller' },
  path: '/api/oauth/interactions/{id}',
} as const

/** The routes behind the page that asks a person to let a client in ([oauth.consent.4], [oauth.consent.5]). */
export function oauthConsentRoutes(deps: OAuthConsentDeps): Route[] {
  const consents = deps.metrics.counter('oauth_consents_total', 'Decisions on what clients ask for', ['outcome'])
  return [show(deps), take(deps, consents)]
}

function show(deps: OAuthConsentDeps): Route {
  return route({
    method: 'get',
    name: 'getOAuthInteraction',
    ...HIDDEN,
    summary: 'Read what a client asks for',
    params: schema.idParams,
    answer: { status: 200, description: 'Who asks, for what, and what this person can give', schema: schema.question },
    async handle({ session, params, client }) {
      const question = questionOf(params.id, client)
      const asked = await deps.consentCommands.find(question)
      if (!asked) throw unknown()
      return {
        status: 200,
        body: presentQuestion(
          question.id,
          asked,
          roleOf(session),
          await deps.numbers.list(session.tenantId),
          deps.baseUrl,
        ),
      }
    },
  })
}

function take(deps: OAuthConsentDeps, consents: Counter): Route {
  return route({
    method: 'post',
    name: 'decideOAuthInteraction',
    ...HIDDEN,
    summary: 'Let a client in, or not',
    params: schema.idParams,
    body: schema.decisionInput,
    bodyExample: { decision: 'deny' },
    answer: { status: 200, description: 'Where the browser goes', schema: schema.decided },
    async handle({ session, params, body, client }) {
      const { redirectTo, outcome } = unwrap(
        await deps.consentCommands.decide(questionOf(params.id, client), deciderOf(session), {
          ...body,
          numberIds: body.channelNumberIds,
        }),
      )
      consents.add({ outcome })
      return { status: 200, body: { redirectTo } }
    },
  })
}

function deciderOf(session: WebSession): Decider {
  return { tenantId: session.tenantId, userId: session.user?.id ?? null, role: roleOf(session) }
}

/**
 * The question that id and cookie name. The cookie belongs to the browser in which the client asked, and to this
 * question alone. Throws 404 INTERACTION_NOT_FOUND when either has another form ([oauth.consent.7]).
 */
function questionOf(id: string, { cookie }: Client): Question {
  const browserSecret = cookie(CONSENT_COOKIE) ?? ''
  if (!isInteractionSecret(id) || !isInteractionSecret(browserSecret)) throw unknown()
  return { id, browserSecret }
}

function unknown(): RefusalError {
  return new RefusalError(
    refuse(
      'INTERACTION_NOT_FOUND',
      'This request is unknown, was decided, is older than 10 minutes, or began in another browser: start again in the app',
    ),
  )
}
