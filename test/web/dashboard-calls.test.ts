import test from 'ava'
import { inBrowser } from '../helpers/browser.ts'
import { DashboardStage } from '../helpers/dashboard-stage.ts'
import type { Script } from '../helpers/people-scenes.ts'
import { until } from '../helpers/until.ts'

const stage = new DashboardStage(test)

const CALL = {
  id: 'call_2',
  externalCallId: 'x2',
  numberId: 'num_1',
  direction: 'OUTBOUND',
  status: 'COMPLETED',
  peerNumber: '491701234567',
  fromNumber: '4930555111',
  conversationId: null,
  bizOpaqueCallbackData: null,
  startedAt: '2026-03-01T10:00:01.000Z',
  connectedAt: '2026-03-01T10:00:05.000Z',
  endedAt: '2026-03-01T10:01:10.000Z',
  durationSeconds: 65,
  errorCode: null,
  errorMessage: null,
  createdAt: '2026-03-01T10:00:00.000Z',
  updatedAt: '2026-03-01T10:01:10.000Z',
}
const FAILED = {
  ...CALL,
  id: 'call_1',
  status: 'FAILED',
  direction: 'INBOUND',
  durationSeconds: null,
  connectedAt: null,
}
const NUMBERS = [
  { id: 'num_1', name: 'Front <b>desk', number: '4930555111', provider: 'UNOFFICIAL' },
  { id: 'num_2', name: 'Official', number: '4930555222', provider: 'OFFICIAL' },
]
const DIALLED = {
  id: 'rts_2',
  direction: 'OUTBOUND',
  mode: 'talk',
  dialect: 'twilio',
  status: 'FAILED',
  openedAt: '2026-11-01T10:00:00.000Z',
  closedAt: null,
  closeCode: 1006,
  error: `The server <img src=x onerror=alert(1)> ${'w'.repeat(300)}`,
}
const ONE = {
  ...FAILED,
  errorCode: 'NO_RINGING',
  errorMessage: 'The peer did not ring in time',
  sessions: [DIALLED, { ...DIALLED, id: 'rts_1', direction: 'INBOUND', mode: 'listen', status: 'OPEN', error: null }],
  recordingUrl: null,
  playback: [{ mediaUrl: `https://a.example/${'x'.repeat(300)}.mp3`, status: 'FAILED', error: 'MEDIA_UNSUPPORTED' }],
}
const SCRIPT: Script = {
  'GET /api/calls': { body: { calls: [CALL, FAILED] } },
  'GET /api/v1/numbers': { body: NUMBERS },
  'GET /api/calls/call_1': { body: ONE },
}

// [dashboard.hooks.3]
inBrowser('calls are listed, and what the stream tells of them shows without a reload', async (t) => {
  await stage.open('/dashboard/calls', SCRIPT)
  await stage.page.locator('[data-id=call_2][data-status=COMPLETED]').waitFor()
  t.true((await stage.page.innerText('[data-id=call_2]')).includes('1 min 05 s'))
  const tell = async (status: string): Promise<void> => {
    const call = { ...CALL, id: 'call_3', status }
    stage.script({ 'GET /api/calls': { body: { calls: [call, CALL, FAILED] } } })
    await stage.tell('call', call)
  }
  await tell('RINGING')
  await stage.page.locator('[data-id=call_3][data-status=RINGING]').waitFor()
  await tell('ACCEPTED')
  await stage.page.locator('[data-id=call_3][data-status=ACCEPTED]').waitFor()
  t.deepEqual(
    await stage.page.locator('.rows [data-id]').evaluateAll((rows) => rows.map((row) => row.getAttribute('data-id'))),
    ['call_3', 'call_2', 'call_1'],
  )
})

inBrowser(
  'a filter asks for the calls that fit, stands in the address, and a call that no longer fits leaves',
  async (t) => {
    await stage.open('/dashboard/calls?status=RINGING', {
      ...SCRIPT,
      'GET /api/calls': { body: { calls: [{ ...CALL, status: 'RINGING' }] } },
    })
    await stage.page.locator('[data-id=call_2]').waitFor()
    t.like(
      stage.asked.findLast(({ what }) => what === 'GET /api/calls'),
      { query: { status: 'RINGING' } },
    )
    stage.script({ 'GET /api/calls': { body: { calls: [] } } })
    await stage.tell('call', { ...CALL, status: 'ACCEPTED' })
    await stage.page.locator('[data-empty]').waitFor()
    await stage.page.selectOption('select[name=direction]', 'INBOUND')
    await stage.page.waitForURL('**/dashboard/calls?status=RINGING&direction=INBOUND')
  },
)

// [dashboard.softphone.9]
inBrowser(
  'a call over a media host that joined after the page was loaded is hung up, and the page says why',
  async (t) => {
    await stage.open('/dashboard/calls', {
      ...SCRIPT,
      'POST /api/v1/calls': { status: 201, body: { id: 'call_9', status: 'INITIATED' } },
      'POST /api/v1/calls/call_9/realtime-session': {
        body: { wsUrl: 'wss://joined-later.example/v1/realtime/x?token=y' },
      },
    })
    await stage.page.fill('[data-softphone] input[name=to]', '+491701234567')
    await stage.page.click('[data-softphone] [data-action=dial]')
    await stage.page.locator('[data-softphone][data-status=ended]').waitFor()
    t.true((await stage.page.innerText('[data-softphone] [role=status]')).includes('Load the page again'))
    await until('it is hung up', () => stage.asked.some(({ what }) => what === 'POST /api/v1/calls/call_9/terminate'))
    t.is(stage.asked.filter(({ what }) => what.endsWith('realtime-session')).length, 1)
  },
)

// [dashboard.softphone.1]
inBrowser('the phone says why it cannot carry calls of an official number', async (t) => {
  await stage.open('/dashboard/calls', SCRIPT)
  await stage.page.selectOption('[data-softphone] select[name=numberId]', 'num_2')
  await stage.page.locator('[data-why=official]').waitFor()
  t.true(await stage.page.isDisabled('[data-action=dial]'))
  t.is(await stage.page.locator('[data-softphone] b').count(), 0, 'a name is text')
})

inBrowser('a call that is refused is told in words, with what the service said', async (t) => {
  await stage.open('/dashboard/calls', {
    ...SCRIPT,
    'POST /api/v1/calls': { status: 409, body: { error: 'not so', code: 'CHANNEL_INSTANCE_NOT_CONNECTED' } },
  })
  await stage.page.fill('[data-softphone] input[name=to]', '+49 170 1')
  await stage.page.click('[data-action=dial]')
  await stage.page.locator('[data-softphone][data-status=ended]').waitFor()
  t.true((await stage.page.innerText('.ending')).includes('The number is not connected'))
  t.like(
    stage.asked.findLast(({ what }) => what === 'POST /api/v1/calls'),
    { body: { to: '+49 170 1' } },
  )
})

// [dashboard.softphone.10]
inBrowser('one call shows its steps, its error in words, its sessions and the files that were played', async (t) => {
  await stage.open('/dashboard/calls/call_1', SCRIPT)
  await stage.page.locator('main[data-page=call][data-id=call_1][data-status=FAILED]').waitFor()
  t.deepEqual(
    await stage.page.locator('[data-step]').evaluateAll((steps) => steps.map((step) => step.getAttribute('data-step'))),
    ['created', 'started', 'ended'],
  )
  t.true((await stage.page.innerText('[data-error=NO_RINGING]')).includes('The other phone never rang.'))
  t.is(await stage.page.locator('[data-played=FAILED]').count(), 1)
  t.regex(
    await stage.page.innerText('[data-session=FAILED]'),
    /A server that was dialled and speaks, twilio: could not be/,
  )
  t.regex(await stage.page.innerText('[data-session=OPEN]'), /A program that connected and listens, twilio: open/)
  // [dashboard.routes.10]
  t.is(await stage.page.locator('[data-recording]').count(), 0)
  const told = { id: 'evt_1', channelNumberId: 'num_1', timestamp: FAILED.createdAt }
  const data = { callId: 'call_1', recordingUrl: '/v1/calls/call_1/recording' }
  await stage.tell('event', { ...told, event: 'call.recorded', data: { ...data, callId: 'call_2' } })
  await stage.tell('event', { ...told, event: 'call.recorded', data })
  await stage.page.locator('[data-recording]').waitFor()
  t.is(await stage.page.getAttribute('[data-recording] audio', 'src'), '/api/calls/call_1/recording')
  const completed = { ...FAILED, status: 'COMPLETED' }
  stage.script({ 'GET /api/calls/call_1': { body: completed } })
  await stage.tell('call', completed)
  await stage.page.locator('main[data-status=COMPLETED]').waitFor()
})

inBrowser('calls and a call can be read by all in each language, light and dark, and fit 320 px', async (t) => {
  const recorded = {
    ...SCRIPT,
    'GET /api/calls/call_1': { body: { ...ONE, recordingUrl: '/v1/calls/call_1/recording' } },
  }
  for (const [path, ready] of [
    ['/dashboard/calls', '[data-softphone]'],
    ['/dashboard/calls/call_1', '[data-step]'],
  ] as const)
    t.deepEqual(await stage.looks(path, recorded, () => stage.page.locator(ready).first().waitFor()), [], path)
})
