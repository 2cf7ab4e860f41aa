import { refusalOf } from './world.ts'
import type { Story } from './world.ts'

/** How an account is subscribed. */
export function testSubscription(story: Story): void {
  story('a callback that does not know the token is not subscribed', async (t, world) => {
    const number = await world.freshNumber()
    const { url } = await world.callback(number)
    t.like(refusalOf(await world.officialOf(number.credentials).subscription.subscribe(url, 'another token')), {
      code: 'OFFICIAL_CREDENTIALS_REJECTED',
    })
  })
}
