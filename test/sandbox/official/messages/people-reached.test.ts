import test from 'ava'
import { FakeClock } from '../../../helpers/fake-clock.ts'
import { BUSINESS, startOfficial, USER } from '../official-playground.ts'

const HOUR_MS = 3_600_000

// [sandbox.control.19]
test('a tier that is enforced refuses templates to one person more, outside the window, in any 24 hours', async (t) => {
  const official = await startOfficial(
    { messagingLimitTier: 'TIER_2', isTierEnforced: true },
    { clock: new FakeClock() },
  )
  const { graph, seeded, control } = official
  const other = (await control('POST', '/official/numbers', {
    number: '15550002222',
    accountId: seeded.accountId,
    accessToken: seeded.accessToken,
    messagingLimitTier: 'TIER_2',
    isTierEnforced: true,
  })) as any
  await control('POST', '/official/templates', {
    accountId: seeded.accountId,
    name: 'hello',
    language: 'en',
    category: 'MARKETING',
    components: [{ type: 'BODY', text: 'Hello.' }],
  })
  const template = { name: 'hello', language: { code: 'en' } }
  const send = async (peer: string, phoneId = seeded.phoneId) => {
    const message = { messaging_product: 'whatsapp', to: `${USER}${peer}`, type: 'template', template }
    const { body } = await graph('POST', `${phoneId}/messages`, message)
    return body.error?.code ?? null
  }
  t.is(await send('0001'), null)
  await official.advance(HOUR_MS)
  t.is(await send('0011', other.body.phoneId), null, 'the numbers of an account share it')
  t.is(await send('0021'), 131048)
  t.is(await send('0021', other.body.phoneId), 131048)
  t.is(await send('0011'), null, 'who was reached may be reached again')
  await control('POST', `/peers/${USER}0031/messages`, { to: BUSINESS, text: 'hi' })
  t.is(await send('0031'), null, 'the window is open')
  await official.advance(23 * HOUR_MS)
  t.is(await send('0021'), null, 'the first one is over')
  t.is(await send('0041'), 131048)
  await control('PATCH', `/official/numbers/${seeded.phoneId}`, { messagingLimitTier: 'TIER_UNLIMITED' })
  t.is(await send('0041'), null)
  await official.close()
})
