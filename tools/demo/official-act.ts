import type { CallBody } from './call-story.ts'
import type { Stage } from './device-act.ts'
import { eventually } from './eventually.ts'
import { showEvents, subscribe } from './events-shown.ts'
import { tellFlowStory } from './flow-story.ts'
import { tellLeadStory } from './lead-story.ts'
import { tellMessageStory } from './message-story.ts'
import { Receiver } from './receiver.ts'
import type { Report } from './report.ts'
import { Rest } from './rest.ts'
import { tellTemplateStory } from './template-story.ts'

interface Seeded {
  readonly number: string
  readonly phoneId: string
  readonly accountId: string
  readonly accessToken: string
  readonly appId: string
  readonly appSecret: string
}

const OUR_NUMBER = '551140000000'
/** A user of the sandbox who permits calls and answers them ([sandbox.peers.1]). */
const USER = '5511999990001'
const WANTED_EVENTS = [
  'messages',
  'call.permission_updated',
  'calls',
  'call.connected',
  'call.ended',
  'message.read',
  'message_template_status_update',
  'flows',
  'lead.received',
]
/**
 * The offer of a tenant's WebRTC end, as far as a demo without WebRTC can write it: the platform answers it, but no
 * audio flows.
 */
const OFFER = [
  'v=0',
  'o=- 1 1 IN IP4 127.0.0.1',
  's=-',
  't=0 0',
  'm=audio 9 UDP/TLS/RTP/SAVPF 111',
  'c=IN IP4 0.0.0.0',
  'a=rtpmap:111 opus/48000/2',
  'a=setup:active',
  `a=fingerprint:sha-256 ${Array(32).fill('AA').join(':')}`,
  '',
].join('\r\n')

interface Connected {
  readonly number: Rest
  readonly numberId: string
  readonly appId: string
}

async function connect({ tenant, control, base }: Stage, report: Report): Promise<Connected> {
  return await report.step('connect an OFFICIAL number', async () => {
    const seeded = await control.post<Seeded>('/control/official/numbers', { number: OUR_NUMBER })
    const created = await tenant.post<{ id: string; calling: { status: string }; apiKey: { key: string } }>(
      '/v1/numbers/official',
      {
        name: 'Demo official',
        number: seeded.number,
        officialPhoneId: seeded.phoneId,
        officialAccountId: seeded.accountId,
        officialAccessToken: seeded.accessToken,
        officialAppId: seeded.appId,
        officialAppSecret: seeded.appSecret,
      },
    )
    const number = new Rest(base, created.apiKey.key)
    return [
      { number, numberId: created.id, appId: seeded.appId },
      `${created.id}, calling ${created.calling.status}`,
    ] as const
  })
}

async function askPermission(report: Report, number: Rest, control: Rest, receiver: Receiver): Promise<void> {
  await report.step('a user writes, and permits calls when asked', async () => {
    await control.post(`/control/peers/${USER}/messages`, { to: OUR_NUMBER, text: 'Can you call me?' })
    await eventually('the native change of the message', () =>
      receiver.received.some(({ event }) => event === 'messages') ? true : null,
    )
    await number.post('/v1/calls/permissions/request', { to: USER, text: 'May we call you?' })
    const permission = await eventually('the user permits calls', async () => {
      const read = await number.get<{ permission: { status: string } }>(`/v1/calls/permissions?to=${USER}`)
      return read.permission.status === 'temporary' ? read.permission.status : null
    })
    return [undefined, permission] as const
  })
}

async function call(report: Report, number: Rest): Promise<void> {
  const placed = await report.step('call with the SDP of the tenant', async () => {
    const made = await number.post<CallBody>('/v1/calls', { to: USER, sdp: OFFER, bizOpaqueCallbackData: 'demo' })
    return [made, `${made.id} ${made.status}`] as const
  })
  await report.step('the user answers', async () => {
    const answer = await eventually('the answer SDP, and the call ACCEPTED', async () => {
      const read = await number.get<CallBody & { sdpAnswer: string | null }>(`/v1/calls/${placed.id}?includeSdp=1`)
      return read.status === 'ACCEPTED' ? read.sdpAnswer : null
    })
    return [undefined, `ACCEPTED, answer of ${answer.length} bytes`] as const
  })
  await report.step('hang up', async () => {
    await number.post(`/v1/calls/${placed.id}/terminate`)
    const ended = await eventually('the call is over', async () => {
      const read = await number.get<CallBody>(`/v1/calls/${placed.id}`)
      return read.status === 'COMPLETED' ? read : null
    })
    return [undefined, `COMPLETED after ${ended.durationSeconds} s`] as const
  })
}

/**
 * Plays a number of the official platform: a call permission asked for and given, a call, a conversation, a template
 * approved and sent, a Flow filled in, a lead answered, and the upstream's own envelopes at the webhook.
 */
export async function playOfficialAct(stage: Stage, report: Report): Promise<void> {
  const receiver = await Receiver.listen()
  try {
    const connected = await connect(stage, report)
    const { number } = connected
    await subscribe(report, number, receiver, ['*', 'lead.received'])
    await askPermission(report, number, stage.control, receiver)
    await call(report, number)
    await tellMessageStory(report, number, stage.control, OUR_NUMBER)
    await tellTemplateStory(report, number, stage.control, OUR_NUMBER)
    await tellFlowStory(report, number, stage.control, { ourNumber: OUR_NUMBER, user: USER })
    await tellLeadStory(report, { ...stage, ...connected, receiver, ourNumber: OUR_NUMBER })
    await showEvents(report, receiver, WANTED_EVENTS)
  } finally {
    receiver.close()
  }
}
