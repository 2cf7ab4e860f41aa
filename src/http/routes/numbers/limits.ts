import type { NumberCommands } from '../../../commands/numbers/numbers.ts'
import { route } from '../../request/route.ts'
import type { Route } from '../../request/route.ts'
import * as example from './examples.ts'
import * as present from './present.ts'
import * as schema from './schema.ts'

/** How fast and how far a number sends ([message-verbs.pace.2]). */
export function readLimits(numbers: NumberCommands): Route {
  return route({
    method: 'get',
    path: '/v1/numbers/{id}/limits',
    name: 'getNumberLimits',
    group: 'Numbers',
    access: { by: ['key', 'grant', 'session'], of: 'pathNumber' },
    permission: 'numbers:read',
    summary: 'Read how fast and how far a number sends',
    description:
      'A number of the official platform sends templates to at most `perDay` people outside their window in any 24 hours. All numbers of its account share that limit; messages beyond it stay `QUEUED`.',
    params: schema.numberParams,
    answer: { status: 200, description: 'The limits', schema: schema.limits, examples: example.LIMITS },
    async handle({ number }) {
      return { status: 200, body: present.presentLimits(await numbers.limits(number)) }
    },
  })
}
