import { connected, refusalOf, valueOf } from './world.ts'
import type { Story } from './world.ts'

/** How calling is enabled and configured. */
export function testCalling(story: Story): void {
  // [official.calling.1] [official.calling.2] [official.calling.3]
  story('calling waits for the tier, then for the webhook field, then it is on', async (t, world) => {
    const low = await world.freshNumber({ tier: 'TIER_250' })
    t.is(valueOf(await world.officialOf(low.credentials).calling.enable()), 'PENDING_TIER')
    const number = await world.freshNumber()
    await world.offerCallsField(number, false)
    t.is(valueOf(await world.officialOf(number.credentials).calling.enable()), 'PENDING_WEBHOOK')
    await world.offerCallsField(number, true)
    const { url, verifyToken } = await world.callback(number)
    valueOf(await world.officialOf(number.credentials).subscription.subscribe(url, verifyToken))
    t.is(valueOf(await world.officialOf(number.credentials).calling.enable()), 'ENABLED')
  })

  story('settings are written in part and read back', async (t, world) => {
    const { number } = await connected(t, world)
    const written = valueOf(
      await world.officialOf(number.credentials).calling.writeSettings({ call_icon_visibility: 'DISABLE_ALL' }),
    )
    t.like(written, { status: 'ENABLED', call_icon_visibility: 'DISABLE_ALL' })
    t.deepEqual(valueOf(await world.officialOf(number.credentials).calling.readSettings()), written)
    t.false('sip' in written)
    t.like(refusalOf(await world.officialOf(number.credentials).calling.writeSettings({ status: 'SOMETIMES' })), {
      code: 'OFFICIAL_REQUEST_REFUSED',
      details: { upstreamCode: 100 },
    })
  })

  story('a read outlives a fault of upstream, a call does not', async (t, world) => {
    const { number, session } = await connected(t, world)
    await world.failOnce(number, 'settings', 500, { error: { message: 'x', code: 2 } })
    t.true((await world.officialOf(number.credentials).calling.readSettings()).ok)
    await world.permit(number, world.answeringUser, 'accept')
    await world.failOnce(number, 'calls', 500, { error: { message: 'x', code: 131000 } })
    t.like(refusalOf(await session.offerCall(world.answeringUser, await world.offerSdp())), {
      code: 'OFFICIAL_ERROR',
      details: { upstreamCode: 131000 },
    })
  })
}
