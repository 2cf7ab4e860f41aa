import { fail, succeed } from '../../../domain/errors.ts'
import type { Outcome } from '../../../domain/errors.ts'
import type { CallingPort, CallingSettings } from '../../../ports/official/calling.ts'
import type { OfficialCredentials } from '../../../ports/official/credentials.ts'
import type { GraphFailure } from '../errors/graph-error.ts'
import type { Graph } from '../client/graph.ts'
import { markOf, refusalOf } from '../errors/error-map.ts'
import { fieldsOf } from '../values/loose.ts'

/** Whether and how a number takes calls, over `/{phone id}/settings`. */
export function callingOps(graph: Graph, credentials: OfficialCredentials): CallingPort {
  const path = [credentials.phoneId, 'settings']
  /** Writes the settings; null when it is done. Writing the same twice does no harm. */
  async function write(calling: CallingSettings): Promise<GraphFailure | null> {
    const answer = await graph.ask(credentials, {
      op: 'settings.write',
      method: 'POST',
      path,
      body: { calling },
      isRepeatable: true,
    })
    return answer.ok ? null : answer.failure
  }
  /** Reads the settings without SIP, whose credentials never leave upstream ([calls.settings.3]). */
  async function read(): Promise<Outcome<CallingSettings>> {
    const answer = await graph.ask(credentials, { op: 'settings.read', method: 'GET', path, isRepeatable: true })
    if (!answer.ok) return fail(refusalOf(answer.failure))
    const { sip: _sip, ...calling } = fieldsOf(answer.body['calling']) ?? {}
    return succeed(calling)
  }
  return {
    async enable() {
      const failure = await write({ status: 'ENABLED' })
      if (failure === null) return succeed('ENABLED')
      const mark = markOf(failure)
      return mark === 'PENDING_TIER' || mark === 'PENDING_WEBHOOK' ? succeed(mark) : fail(refusalOf(failure))
    },
    readSettings: read,
    async writeSettings(fields) {
      const failure = await write(fields)
      return failure === null ? read() : fail(refusalOf(failure))
    },
  }
}
