import type { ExecutionContext } from 'ava'
import type { SendableContent } from '../../../src/ports/provider.ts'
import { message } from '../../helpers/sendables.ts'
import { until } from '../../helpers/until.ts'
import { connected, statuses } from './world.ts'
import type { Line, OfficialWorld, Story } from './world.ts'

const CODES = [100, 131009, 134100, 134101, 134102]

/** MARKETING templates, and the endpoint that upstream has for them. */
export function testMarketing(story: Story): void {
  /** Sends a template that counts as marketing here. Answers by which endpoint it came, and what it is charged as. */
  async function sent(t: ExecutionContext, world: OfficialWorld, line: Line, name: string) {
    const content: SendableContent = {
      mode: 'template',
      name,
      language: 'en_US',
      components: [],
      files: [],
      isMarketing: true,
    }
    const result = await line.session.sendMessage({
      ...message(content),
      to: { type: 'DIRECT', address: world.readingUser },
    })
    if (result.kind !== 'sent') throw new Error(result.failure.message)
    const told = () => statuses(line, result.externalMessageId)
    await until('all statuses are told', () => told().length === 3)
    t.is(told().filter(({ status }) => status === 'SENT').length, 1)
    const came = (await world.inbox(world.readingUser)).filter(({ from }) => from === line.number.number)
    t.is(new Set(came.map(({ externalMessageId }) => externalMessageId)).size, came.length)
    const last = came.at(-1)
    t.is(last?.['externalMessageId'], result.externalMessageId)
    return [last?.['edge'], told().find(({ status }) => status === 'SENT')?.priceCategory, came.length] as const
  }

  // [message-verbs.delivery.2]
  story(
    'a MARKETING template goes to its endpoint where the account is onboarded, and its price is told',
    async (t, world) => {
      const line = await connected(t, world)
      await world.approve(line.number, 'sale', 'MARKETING')
      t.deepEqual(await sent(t, world, line, 'sale'), ['messages', 'MARKETING', 1], 'eligible is not onboarded')
      await world.onboard(line.number, null)
      t.deepEqual(await sent(t, world, line, 'sale'), ['messages', 'MARKETING', 2], 'the API does not know the field')
      await world.onboard(line.number, 'ONBOARDED')
      t.deepEqual(await sent(t, world, line, 'sale'), ['marketing_messages', 'MARKETING', 3])
    },
  )

  // [message-verbs.delivery.3] [message-verbs.delivery.5]
  story('what the endpoint does not take arrives once, as all messages do', async (t, world) => {
    const line = await connected(t, world)
    await world.onboard(line.number, 'ONBOARDED')
    await world.approve(line.number, 'moved', 'UTILITY')
    t.deepEqual(await sent(t, world, line, 'moved'), ['messages', 'UTILITY', 1], 'its category is another by now')
    await world.approve(line.number, 'sale', 'MARKETING')
    for (const [at, code] of CODES.entries()) {
      await world.failOnce(line.number, 'marketing_messages', 400, { error: { message: `(#${code}) Title`, code } })
      t.deepEqual(await sent(t, world, line, 'sale'), ['messages', 'MARKETING', at + 2], String(code))
    }
    t.deepEqual(await sent(t, world, line, 'sale'), ['marketing_messages', 'MARKETING', CODES.length + 2])
  })
}
