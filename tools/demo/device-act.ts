import { tellCallStory } from './call-story.ts'
import { eventually } from './eventually.ts'
import { showEvents, subscribe } from './events-shown.ts'
import { tellMessageStory } from './message-story.ts'
import { Receiver } from './receiver.ts'
import type { Report } from './report.ts'
import { Rest } from './rest.ts'
import { tellTemplateStory } from './template-story.ts'

/** The address of the demo's service. */
export interface Stage {
  readonly base: string
  readonly tenant: Rest
  /** The sandbox's control API. */
  readonly control: Rest
}

interface NumberBody {
  readonly id: string
  readonly apiKey: { readonly key: string }
}

const OUR_NUMBER = '5511988887777'
/** Events that must reach the webhook, which is created right after the number. */
const WANTED_EVENTS = ['number.connected', 'call.connected', 'call.ended', 'message.received', 'message.read']

async function pair({ tenant, control }: Stage, report: Report, numberId: string): Promise<void> {
  await report.step('pair it by QR', async () => {
    await eventually('a code to scan', () =>
      control.post(`/control/devices/${OUR_NUMBER}/scan`).then(
        () => true,
        () => null,
      ),
    )
    const state = await eventually('the number is OPEN', async () => {
      const status = await tenant.get<{ state: string }>(`/v1/numbers/${numberId}/status`)
      return status.state === 'OPEN' ? status.state : null
    })
    return [undefined, state] as const
  })
}

/**
 * Plays a QR-paired number: a call in which a bot speaks, a conversation and a template. Resolves to the number's key
 * and what the bot heard.
 */
export async function playDeviceAct(stage: Stage, report: Report): Promise<{ key: string; recording: Buffer }> {
  const receiver = await Receiver.listen()
  try {
    const {
      id,
      apiKey: { key },
    } = await report.step('create an UNOFFICIAL number', async () => {
      const created = await stage.tenant.post<NumberBody>('/v1/numbers', { name: 'Demo', number: OUR_NUMBER })
      return [created, created.id] as const
    })
    const number = new Rest(stage.base, key)
    await subscribe(report, number, receiver)
    await pair(stage, report, id)
    const { recording } = await tellCallStory(report, number, stage.control)
    await tellMessageStory(report, number, stage.control, OUR_NUMBER)
    await tellTemplateStory(report, number, stage.control, OUR_NUMBER)
    await showEvents(report, receiver, WANTED_EVENTS)
    return { key, recording }
  } finally {
    receiver.close()
  }
}
