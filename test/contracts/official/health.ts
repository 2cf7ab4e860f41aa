import { refusalOf, valueOf } from './world.ts'
import type { Story } from './world.ts'

/** How the state of a number is read. */
export function testHealth(story: Story): void {
  story('health tells the number, its tier and its state', async (t, world) => {
    const { number, credentials } = await world.freshNumber()
    const health = valueOf(await world.officialOf(credentials).health.read())
    t.like(health, { number, messagingLimitTier: 'TIER_2K', officialStatus: 'CONNECTED' })
  })

  // [message-verbs.pace.8]
  story('the limits of all phones of the account are read together', async (t, world) => {
    const { credentials } = await world.freshNumber({ tier: 'TIER_10K' })
    const limits = valueOf(await world.officialOf(credentials).health.readLimits())
    t.deepEqual(limits, [{ phoneId: credentials.phoneId, messagingLimitTier: 'TIER_10K', perSecond: 80 }])
    const wrong = await world.officialOf({ ...credentials, accessToken: 'EAAGwrong' }).health.readLimits()
    t.is(refusalOf(wrong)?.code, 'OFFICIAL_CREDENTIALS_REJECTED')
  })

  story('a wrong token, phone or account is rejected with the reason', async (t, world) => {
    const { credentials } = await world.freshNumber()
    const other = await world.freshNumber()
    for (const wrong of [
      { accessToken: 'EAAGwrong' },
      { phoneId: '1' },
      { accountId: other.credentials.accountId },
      { accountId: '1' },
    ]) {
      const error = refusalOf(await world.officialOf({ ...credentials, ...wrong }).health.read())
      t.is(error?.code, 'OFFICIAL_CREDENTIALS_REJECTED', JSON.stringify(wrong))
      t.regex(JSON.stringify(error?.details), /"upstreamMessage":".+"/)
    }
  })
}
