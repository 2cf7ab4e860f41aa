import { z } from 'zod'
import { FLOW_STATUSES, type PlatformFlow } from '../official/flows/flow.ts'
import type { OfficialPlatform } from '../official/platform/platform.ts'
import { flowAnswerRoutes } from './flow-answers.ts'
import { flowExchangeRoutes } from './flow-exchange.ts'
import { ControlRefusal } from './refusal.ts'
import { json, readBody, type Route } from './router.ts'

const turnSchema = z.object({
  status: z.string().toUpperCase().pipe(z.enum(FLOW_STATUSES)),
  /** Nobody is told. */
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

/** Routes that play the side of upstream on Flows, and that of those who fill them in. */
export function flowRoutes(official: OfficialPlatform): Route[] {
  const { flows } = official
  return [
    ...flowAnswerRoutes(official),
    ...flowExchangeRoutes(official),
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
