import { z } from 'zod'
import { FLOW_STATUSES, type PlatformFlow } from '../official/flows/flow.ts'
import { askEndpoint } from '../official/flows/phone-ask.ts'
import type { OfficialPlatform } from '../official/platform/platform.ts'
import { readFlowMessage } from './flow-messages.ts'
import { ControlRefusal } from './refusal.ts'
import { json, readBody, type ControlAnswer, type ControlRequest, type Route } from './router.ts'

const turnSchema = z.object({
  status: z.string().toUpperCase().pipe(z.enum(FLOW_STATUSES)),
  /** True when no webhook tells of it. */
  isSilent: z.boolean().default(false),
})

function presentFlow({ id, accountId, name, status, categories, endpointUri, document }: PlatformFlow) {
  return {
    id,
    accountId,
    name,
    status,
    categories,
    endpointUri,
    flowJson: document?.bytes.toString() ?? null,
    jsonVersion: document?.version ?? null,
    validationErrors: document?.errors ?? [],
  }
}

/** Routes that play upstream's part in Flows, and that of the people who fill them in. */
export function flowRoutes(official: OfficialPlatform): Route[] {
  const { flows } = official
  return [
    { method: 'POST', path: '/control/peers/:peer/flows', answer: (request) => submit(official, request) },
    { method: 'POST', path: '/control/peers/:peer/flows/exchange', answer: (request) => ask(official, request) },
    {
      method: 'GET',
      path: '/control/official/flows',
      answer: ({ query }) => {
        const [name, accountId] = [query.get('name'), query.get('accountId')]
        const found = flows.shelf
          .all()
          .filter((one) => (name === null || one.name === name) && (accountId === null || one.accountId === accountId))
        return json(200, { flows: found.map(presentFlow) })
      },
    },
    {
      method: 'POST',
      path: '/control/official/flows/:flow/status',
      answer: ({ params, body }) => {
        const wanted = readBody(turnSchema, body)
        const flow = flows.shelf.find(params['flow'] ?? '')
        if (!flow) throw new ControlRefusal(404, 'FLOW_NOT_FOUND', 'There is no such Flow')
        flows.turn(flow, wanted)
        return json(200, presentFlow(flow))
      },
    },
  ]
}

const answerSchema = z.object({
  to: z.string(),
  /** The fields that were filled in; a text is passed on as it is, whether it is JSON or not. */
  response: z.union([z.record(z.string(), z.unknown()), z.string()]),
  /** The message, by default the newest with a Flow. */
  messageId: z.string().optional(),
  withoutToken: z.boolean().default(false),
  withoutContext: z.boolean().default(false),
  /** Null leaves the profile out. */
  fromName: z.string().nullable().optional(),
  hiddenAs: z.string().min(1).optional(),
})

/** A peer fills in a Flow that reached it, and submits it. */
function submit(official: OfficialPlatform, { params, body }: ControlRequest): ControlAnswer {
  const given = readBody(answerSchema, body)
  const { user, number, message, token } = readFlowMessage(official, params['peer'], given)
  const { response, withoutToken, withoutContext, fromName, hiddenAs } = given
  const answered =
    typeof response === 'string'
      ? response
      : JSON.stringify({ ...(withoutToken ? {} : { flow_token: token }), ...response })
  const content = { type: 'nfm_reply', nfm_reply: { response_json: answered, body: 'Sent', name: 'flow' } }
  const { externalMessageId } = official.messaging.users.receive(number, user, {
    type: 'interactive',
    content,
    fromName,
    hiddenAs,
    quoted: withoutContext ? undefined : message.externalMessageId,
  })
  return json(201, { externalMessageId })
}

/** Upstream's version of the requests that phones make. */
const VERSION = '3.0'

const askSchema = z.object({
  to: z.string(),
  /** `INIT`, `data_exchange`, `BACK` or `ping`; any other is sent too. */
  action: z.string().min(1),
  screen: z.string().optional(),
  /** `{error, error_message}` reports that the phone could not show an answer. */
  data: z.record(z.string(), z.unknown()).optional(),
  /** The message, by default the newest with a Flow. */
  messageId: z.string().optional(),
})

/**
 * The phone of a peer asks the endpoint of a Flow that reached it; a ping comes from upstream itself, and has no token.
 */
async function ask(official: OfficialPlatform, { params, body }: ControlRequest): Promise<ControlAnswer> {
  const given = readBody(askSchema, body)
  const { number, named, token } = readFlowMessage(official, params['peer'], given)
  const { action, screen, data } = given
  const flow = official.flows.shelf.meant(number.accountId, named)
  if (!flow?.endpointUri) throw new ControlRefusal(409, 'NO_ENDPOINT', 'The Flow has no endpoint')
  if (number.businessPublicKey === null) throw new ControlRefusal(409, 'NO_PUBLIC_KEY', 'The number has no public key')
  const asked =
    action === 'ping'
      ? { version: VERSION, action }
      : {
          version: VERSION,
          action,
          ...(screen === undefined ? {} : { screen }),
          ...(data === undefined ? {} : { data }),
          flow_token: token,
        }
  const appSecret = official.registry.app(official.registry.accountOf(number)).secret
  const answer = await askEndpoint(flow.endpointUri, { publicKey: number.businessPublicKey, appSecret, asked })
  if (!answer) throw new ControlRefusal(502, 'ENDPOINT_UNREACHABLE', 'The endpoint did not answer within 10 s')
  return json(200, answer)
}
