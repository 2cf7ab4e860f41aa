import { eventually } from './eventually.ts'
import { hostFile } from './file-host.ts'
import { gradientPng } from './picture.ts'
import type { Report } from './report.ts'
import type { Rest } from './rest.ts'
import { sine, wavFile } from './signal.ts'

interface Sent {
  readonly id: string
  readonly status: string
}

interface Item {
  readonly direction: string
  readonly type: string
  readonly content: string | null
}

/** A contact of the sandbox who reads what it is sent and writes every text back ([sandbox.peers.5]). */
const CONTACT = '5511999990005'
const TEXT = 'Your order 4711 is on its way.'

/** Sends three types of message; resolves once the contact has read them all. */
async function sendThree(report: Report, number: Rest): Promise<void> {
  await report.step('send a text, an image and a voice note', async () => {
    const image = await hostFile('parcel.png', gradientPng(256), 'image/png')
    const voice = await hostFile('greeting.wav', wavFile(sine(440, 2_000, 44_100, 0.3), 44_100), 'audio/wav')
    try {
      const sent: Sent[] = []
      for (const content of [
        { text: TEXT },
        { media: image.url, mediaType: 'image', caption: 'Your parcel' },
        { media: voice.url, mediaType: 'voice' },
      ]) {
        sent.push(await number.post<Sent>('/v1/messages/send', { destinationNumber: CONTACT, ...content }))
      }
      for (const { id } of sent) {
        await eventually(`message ${id} is READ`, async () => {
          const message = await number.get<Sent & { errorMessage: string | null }>(`/v1/messages/${id}`)
          if (message.status === 'FAILED') throw new Error(`a message failed: ${message.errorMessage}`)
          return message.status === 'READ' ? true : null
        })
      }
    } finally {
      image.close()
      voice.close()
    }
    return [undefined, 'text, image, voice: all READ'] as const
  })
}

/** Plays a conversation: a contact writes first, is answered and replies, and the history shows all of it. */
export async function tellMessageStory(report: Report, number: Rest, control: Rest, ourNumber: string): Promise<void> {
  await report.step('a contact writes', async () => {
    await control.post(`/control/peers/${CONTACT}/messages`, {
      to: ourNumber,
      type: 'text',
      text: 'Where is my order?',
    })
    await eventually('the message is unread', async () => {
      const { total } = await number.get<{ total: number }>('/v1/messages/unread')
      return total > 0 ? total : null
    })
    return [undefined, '1 unread'] as const
  })
  await sendThree(report, number)
  await report.step('the contact replies', async () => {
    const reply = await eventually('the reply', async () => {
      const { messages } = await number.get<{ messages: Item[] }>('/v1/messages/history')
      return messages.find(({ content }) => content === TEXT) ?? null
    })
    return [undefined, `"${String(reply.content)}"`] as const
  })
  await report.step('list the history', async () => {
    const [inbound, outbound] = await Promise.all(
      ['INBOUND', 'OUTBOUND'].map((direction) =>
        number.get<{ messages: Item[]; total: number }>(`/v1/messages/history?direction=${direction}`),
      ),
    )
    if (!inbound || !outbound || outbound.total !== 3)
      throw new Error(`${outbound?.total} messages went out instead of 3`)
    return [
      undefined,
      `${inbound.total} in, ${outbound.total} out: ${outbound.messages.map(({ type }) => type).join(', ')}`,
    ] as const
  })
}
