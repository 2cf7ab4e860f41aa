import test from 'ava'
import { until } from '../../../helpers/until.ts'
import { startOfficial } from '../official-playground.ts'

const HOURS = {
  status: 'ENABLED',
  timezone_id: 'America/Sao_Paulo',
  weekly_operating_hours: [{ day_of_week: 'MONDAY', open_time: '0900', close_time: '1700' }],
  holiday_schedule: [{ date: '2026-12-25', start_time: '0000', end_time: '2359' }],
}

test('calling is refused below a limit of 2,000, then without a subscription, and works with both', async (t) => {
  const { seeded, graph, control, subscribe, close } = await startOfficial({ messagingLimitTier: 'TIER_250' })
  const enable = () => graph('POST', `${seeded.phoneId}/settings`, { calling: { status: 'ENABLED' } })
  t.is((await enable()).body.error.code, 138015)
  await control('PATCH', `/official/numbers/${seeded.phoneId}`, { messagingLimitTier: 'TIER_2K' })
  t.is((await enable()).body.error.code, 138018)
  await subscribe()
  await control('PATCH', `/official/accounts/${seeded.accountId}`, { subscribedFields: ['messages'] })
  const refused = await enable()
  t.is(refused.status, 400)
  t.is(refused.body.error.code, 138018)
  await control('PATCH', `/official/accounts/${seeded.accountId}`, { subscribedFields: ['messages', 'calls'] })
  t.deepEqual((await enable()).body, { success: true })
  t.is((await graph('GET', `${seeded.phoneId}/settings`)).body.calling.status, 'ENABLED')
  await close()
})

test('SIP takes the place of the subscription, and a number for tests needs neither', async (t) => {
  const { seeded, graph, control, close } = await startOfficial()
  const sip = { status: 'ENABLED', servers: [{ hostname: 'sip.example', port: 5061 }] }
  t.is((await graph('POST', `${seeded.phoneId}/settings`, { calling: { status: 'ENABLED', sip } })).status, 200)
  const shown = (await graph('GET', `${seeded.phoneId}/settings`)).body.calling.sip
  t.deepEqual(shown, sip)
  t.truthy(
    (await graph('GET', `${seeded.phoneId}/settings?include_sip_credentials=true`)).body.calling.sip.servers[0]
      .sip_user_password,
  )
  const other = (
    await control('POST', '/official/numbers', {
      number: '551140000003',
      accountMode: 'SANDBOX',
      messagingLimitTier: 'TIER_50',
    })
  ).body
  t.is(
    (await graph('POST', `${other.phoneId}/settings`, { calling: { status: 'ENABLED' } }, other.accessToken)).status,
    200,
  )
  await close()
})

// [calls.settings.2]
test('settings that were never set read NOT_SET, omitted ones stay, and call_hours is replaced as a whole', async (t) => {
  const { seeded, graph, close } = await startOfficial()
  const settings = `${seeded.phoneId}/settings`
  t.deepEqual((await graph('GET', settings)).body, {
    calling: { status: 'NOT_SET', call_icon_visibility: 'NOT_SET', callback_permission_status: 'NOT_SET' },
  })
  await graph('POST', settings, { calling: { call_icon_visibility: 'DISABLE_ALL', call_hours: HOURS } })
  const { holiday_schedule, ...without } = HOURS
  t.is(holiday_schedule.length, 1)
  await graph('POST', settings, { calling: { callback_permission_status: 'ENABLED', call_hours: without } })
  t.deepEqual((await graph('GET', settings)).body.calling, {
    status: 'NOT_SET',
    call_icon_visibility: 'DISABLE_ALL',
    callback_permission_status: 'ENABLED',
    call_hours: without,
  })
  await close()
})

for (const [what, body] of Object.entries({
  'an unknown status': { calling: { status: 'MAYBE' } },
  'an unknown field': { calling: { colour: 'red' } },
  'two features at once': { calling: { status: 'DISABLED' }, payload_encryption: {} },
  'no feature': {},
  'empty hours': { calling: { call_hours: { ...HOURS, weekly_operating_hours: [] } } },
  'a day that closes before it opens': {
    calling: {
      call_hours: {
        ...HOURS,
        weekly_operating_hours: [{ day_of_week: 'MONDAY', open_time: '1700', close_time: '0900' }],
      },
    },
  },
  'windows that overlap': {
    calling: {
      call_hours: {
        ...HOURS,
        weekly_operating_hours: [
          { day_of_week: 'MONDAY', open_time: '0900', close_time: '1200' },
          { day_of_week: 'MONDAY', open_time: '1100', close_time: '1300' },
        ],
      },
    },
  },
  'no time zone': { calling: { call_hours: { ...HOURS, timezone_id: 'Nowhere/Land' } } },
  '21 holidays': { calling: { call_hours: { ...HOURS, holiday_schedule: Array(21).fill(HOURS.holiday_schedule[0]) } } },
  'two SIP servers': { calling: { sip: { status: 'ENABLED', servers: [{ hostname: 'a' }, { hostname: 'b' }] } } },
})) {
  test(`settings with ${what} are refused`, async (t) => {
    const { seeded, graph, close } = await startOfficial()
    const { status, body: answer } = await graph('POST', `${seeded.phoneId}/settings`, body)
    t.is(status, 400)
    t.is(answer.error.code, 100)
    t.is((await graph('GET', `${seeded.phoneId}/settings`)).body.calling.status, 'NOT_SET')
    await close()
  })
}

test('changes of announced settings are told to the account, others are not', async (t) => {
  const { seeded, graph, subscribe, receiver, close } = await startOfficial()
  await subscribe()
  const settings = `${seeded.phoneId}/settings`
  await graph('POST', settings, { calling: { call_hours: HOURS } })
  await graph('POST', settings, { calling: { status: 'ENABLED' } })
  await graph('POST', settings, { calling: { status: 'ENABLED' } })
  await graph('POST', settings, { calling: { status: 'DISABLED' } })
  const changes = await until('both came', () =>
    receiver.changes('account_settings_update').length >= 2 ? receiver.changes('account_settings_update') : null,
  )
  t.deepEqual(
    changes.map(({ value }) => value.phone_number_settings),
    ['ENABLED', 'DISABLED'].map((status) => ({
      phone_number_id: seeded.phoneId,
      calling: { status, call_hours: { status: 'ENABLED' } },
    })),
  )
  t.like(changes[0].value, { messaging_product: 'whatsapp', type: 'phone_number_settings' })
  t.truthy(receiver.posts[0]?.body.entry[0].time)
  await close()
})

test('a risen tier and a fallen quality are told to the account', async (t) => {
  const { seeded, subscribe, control, receiver, close } = await startOfficial({ messagingLimitTier: 'TIER_250' })
  await subscribe()
  await control('PATCH', `/official/numbers/${seeded.phoneId}`, { messagingLimitTier: 'TIER_2K' })
  await control('PATCH', `/official/numbers/${seeded.phoneId}`, { qualityRating: 'RED' })
  await until('both came', () => receiver.changes('phone_number_quality_update').length === 2)
  t.deepEqual(
    receiver.changes().map(({ field, value }) => [field, value.event ?? null]),
    [
      ['business_capability_update', null],
      ['phone_number_quality_update', 'UPGRADE'],
      ['phone_number_quality_update', 'FLAGGED'],
    ],
  )
  await close()
})

test('restrictions show in the settings', async (t) => {
  const restrictions = [{ type: 'RESTRICTED_BUSINESS_INITIATED_CALLING', reason: 'low pickup', expiration: 1 }]
  const { seeded, graph, close } = await startOfficial({ restrictions })
  t.deepEqual((await graph('GET', `${seeded.phoneId}/settings`)).body.calling.restrictions, {
    restrictions_list: restrictions,
  })
  await close()
})
