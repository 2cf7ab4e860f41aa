import { stillHolds } from '../../credentials/holds.ts'
import { unwrap } from '../../request/outcome.ts'
import { route } from '../../request/route.ts'
import type { Route } from '../../request/route.ts'
import type { CallDeps } from './deps.ts'
import { forBridged } from './for-bridged.ts'
import * as example from './examples.ts'
import * as present from './present.ts'
import * as schema from './schema.ts'

/** A person takes a call over from its bot, or gives it back ([realtime.takeover.1], [realtime.takeover.3]). */
export function takeOver(deps: CallDeps): Route {
  return route({
    method: 'post',
    path: '/v1/calls/{callId}/takeover',
    name: 'takeCallOver',
    group: 'Calls',
    access: { by: ['key', 'grant', 'session'], of: 'number' },
    permission: 'calls:manage',
    capability: 'callAudio',
    exception: forBridged(deps.callCommands),
    isIdempotent: true,
    summary: 'Take a call over from its bot, or give it back',
    description:
      'Calls whose audio the service carries: those of UNOFFICIAL numbers, and bridged ones. Once the socket opens, the session that talked listens, and what it had queued is dropped. `to: bot` gives the call back to it.',
    params: schema.callParams,
    body: schema.takeoverInput,
    bodyExamples: example.TAKEOVER,
    answer: { status: 200, description: 'Where to connect', schema: schema.session, example: example.SESSION_ANSWER },
    otherAnswer: {
      status: 202,
      description: 'With `to: bot`: the call is given back, and both sessions are told',
      schema: schema.givenBack,
      example: { success: true },
    },
    refusals: ['CALL_NOT_FOUND', 'CALL_INVALID_STATE', 'MEDIA_UNAVAILABLE'],
    async handle({ caller, number, params, body, client }) {
      const { callCommands: calls, callers } = deps
      const name = { numberId: number.id, callId: params.callId, trace: client.trace }
      if (body?.to === 'bot') {
        unwrap(await calls.giveBack(name))
        return { status: 202, body: { success: true } }
      }
      const session = unwrap(
        await calls.openSession(
          name,
          { mode: 'talk', by: caller.id, takesOver: true },
          { stillHolds: () => stillHolds(deps, caller), revoke: () => callers.revoke(caller.id) },
        ),
      )
      return { status: 200, body: present.presentSession(session) }
    },
  })
}
