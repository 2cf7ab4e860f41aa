import { z } from 'zod'
import { askEndpoint } from '../official/flows/phone-ask.ts'
import type { OfficialPlatform } from '../official/platform/platform.ts'
import { readFlowMessage } from './flow-messages.ts'
import { ControlRefusal } from './refusal.ts'
import { json, readBody, type ControlAnswer, type ControlRequest, type Route } from './router.ts'

/** Upstream: of the asks that a phone makes. */
const VERSION = '3.0'

const askSchema = z.object({
  to: z.string(),
  /** `INIT`, `data_exchange`, `BACK` or `ping`; any other goes out, too. */
  action: z.string().min(1),
  screen: z.string().optional(),
  /** `{error, error_message}` tells that the phone could not show what it was answered. */
  data: z.record(z.string(), z.unknown()).optional(),
  /** The newest message with a Flow unless it is named. */
  messageId: z.string().optional(),
})

/** The phone of a peer asks the endpoint of a Flow that reached it; a ping is upstream's own, and has no token. */
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

/** Routes that ask the endpoints of Flows. */
export function flowExchangeRoutes(official: OfficialPlatform): Route[] {
  return [{ method: 'POST', path: '/control/peers/:peer/flows/exchange', answer: (request) => ask(official, request) }]
}
