import { until } from '../../helpers/until.ts'
import { connected, refusalOf } from './world.ts'
import type { Story } from './world.ts'

/** The events of a session itself. */
export function testSession(story: Story): void {
  story('an expired token closes the session', async (t, world) => {
    const line = await connected(t, world)
    await until('the session is open', () =>
      line.states.some((event) => event.type === 'state' && event.state === 'OPEN'),
    )
    await world.expireToken(line.number)
    t.like(refusalOf(await line.session.terminateCall('wacid.A')), { details: { upstreamCode: 190 } })
    t.like(line.states.at(-1), { type: 'state', state: 'CLOSE' })
  })
}
