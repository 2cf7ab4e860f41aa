import { createHash } from 'node:crypto'
import { request } from 'undici'
import { eventually } from './eventually.ts'
import type { EnginePrograms } from './engine-programs.ts'
import { hostFile } from './file-host.ts'
import { gradientPng } from './picture.ts'
import type { Receiver } from './receiver.ts'
import type { Report } from './report.ts'
import type { Rest } from './rest.ts'
import { sine, wavFile } from './signal.ts'

/** The demo's number, and a contact who writes to it. */
export const OURS = '5511988887777'
const CONTACT = '5511999990002'
/**
 * How long to wait, in ms: the engine encrypts and decrypts in its own process, so each step is slow on a busy machine.
 */
const PATIENCE_MS = 120_000

interface Item {
  readonly id: string
  readonly type: string
  readonly content: string | null
  readonly externalMessageId: string
  readonly media: { readonly url: string | null } | null
}

/** A message that a phone of the offline network received. */
interface Arrived {
  readonly id: string
  readonly text?: string
  readonly from: string
  readonly fromMe: boolean
  readonly message?: { readonly audioMessage?: { readonly ptt?: boolean } }
}

/** A number on the engine, and the tenant that looks at it. */
export interface Scene {
  readonly tenant: Rest
  readonly number: Rest
  readonly numberId: string
  readonly programs: EnginePrograms
  readonly report: Report
  readonly receiver: Receiver
}

function sumOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

async function bytesOf(url: string): Promise<Buffer> {
  const { body, statusCode } = await request(url)
  if (statusCode !== 200) throw new Error(`${url} answered ${statusCode}`)
  return Buffer.from(await body.arrayBuffer())
}

/** Resolves to the state of a number once it is the wanted one. */
async function untilState({ tenant, numberId }: Scene, wanted: string): Promise<string> {
  return await eventually(
    `the number is ${wanted}`,
    async () => {
      const { state } = await tenant.get<{ state: string }>(`/v1/numbers/${numberId}/status`)
      return state === wanted ? state : null
    },
    PATIENCE_MS,
  )
}

async function inbound({ number }: Scene, path: string, fits: (item: Item) => boolean): Promise<Item> {
  return await eventually(
    'the message is stored',
    async () => {
      const { messages } = await number.get<{ messages: Item[] }>(path)
      return messages.find(fits) ?? null
    },
    PATIENCE_MS,
  )
}

const HISTORY = '/v1/messages/history?pageSize=50'

/** Waits until a phone has received a message, and resolves to the message. */
async function arrived(
  { programs: { network } }: Scene,
  phone: string,
  fits: (message: Arrived) => boolean,
): Promise<Arrived> {
  return await eventually(
    'the message is on the phone',
    async () => {
      const { messages } = await network.get<{ messages: Arrived[] }>(`/control/phones/${phone}/messages`)
      return messages.find(fits) ?? null
    },
    PATIENCE_MS,
  )
}

async function tellTexts(scene: Scene): Promise<void> {
  const {
    number,
    programs: { network },
    report,
  } = scene
  await report.step('texts both ways, encrypted end to end, until READ', async () => {
    await network.post(`/control/phones/${CONTACT}/settings`, { autoReceipt: 'read' })
    const { id } = await number.post<{ id: string }>('/v1/messages/send', {
      destinationNumber: CONTACT,
      text: 'Your order 4711 is on its way.',
    })
    await arrived(scene, CONTACT, ({ text }) => text === 'Your order 4711 is on its way.')
    const status = await eventually(
      'it is READ',
      async () => {
        const message = await number.get<{ status: string; errorMessage: string | null }>(`/v1/messages/${id}`)
        if (message.status === 'FAILED') throw new Error(`a message failed: ${message.errorMessage}`)
        return message.status === 'READ' ? message.status : null
      },
      PATIENCE_MS,
    )
    await network.post(`/control/phones/${CONTACT}/text`, { to: OURS, text: 'Thank you!' })
    await inbound(scene, HISTORY, ({ content }) => content === 'Thank you!')
    return [undefined, `sent, ${status}; an answer came`] as const
  })
}

async function tellMedia(scene: Scene): Promise<void> {
  await scene.report.step('images and voice notes both ways', async () => {
    const picture = gradientPng(128)
    await takeMedia(scene, picture)
    await sendMedia(scene, picture)
    return [undefined, 'image in and out, voice in: the same bytes; a WAV out as a voice note'] as const
  })
}

async function takeMedia(scene: Scene, picture: Buffer): Promise<void> {
  const { network } = scene.programs
  const voice = Buffer.from(Array.from({ length: 6_000 }, (_, index) => (index * 7) % 251))
  for (const [kind, mimetype, bytes] of [
    ['image', 'image/png', picture],
    ['voice', 'audio/ogg; codecs=opus', voice],
  ] as const) {
    const { id } = await network.post<{ id: string }>(`/control/phones/${CONTACT}/media`, {
      to: OURS,
      kind,
      mimetype,
      base64: bytes.toString('base64'),
    })
    const item = await inbound(
      scene,
      HISTORY,
      ({ externalMessageId, media }) => externalMessageId === id && typeof media?.url === 'string',
    )
    if (sumOf(await bytesOf(item.media?.url ?? '')) !== sumOf(bytes))
      throw new Error(`the ${kind} that came in is another`)
  }
}

async function sendMedia(scene: Scene, picture: Buffer): Promise<void> {
  const { number, programs } = scene
  const onPhone = async (id: string): Promise<Buffer> =>
    await bytesOf(`${programs.networkUrl}/control/phones/${CONTACT}/messages/${id}/media`)
  const hosts = [
    await hostFile('parcel.png', picture, 'image/png'),
    await hostFile('song.wav', wavFile(sine(440, 1_000, 44_100), 44_100), 'audio/wav'),
  ] as const
  try {
    await number.post('/v1/messages/send', {
      destinationNumber: CONTACT,
      media: hosts[0].url,
      mediaType: 'image',
      caption: 'Your parcel',
    })
    const sent = await arrived(scene, CONTACT, ({ text }) => text === 'Your parcel')
    if (sumOf(await onPhone(sent.id)) !== sumOf(picture)) throw new Error('the image that went out is another')
    await number.post('/v1/messages/send', { destinationNumber: CONTACT, media: hosts[1].url, mediaType: 'voice' })
    const sung = await arrived(scene, CONTACT, ({ message }) => message?.audioMessage?.ptt === true)
    // The service turns a WAV file into what phones play as a voice note.
    if ((await onPhone(sung.id)).toString('latin1', 0, 4) !== 'OggS')
      throw new Error('the voice note that went out is none')
  } finally {
    for (const host of hosts) host.close()
  }
}

async function tellRooms(scene: Scene): Promise<void> {
  const {
    number,
    programs: { network },
    report,
  } = scene
  await report.step('a group, numbers checked', async () => {
    const { id } = await network.post<{ id: string }>('/control/groups', {
      owner: CONTACT,
      subject: 'Friends',
      members: [OURS],
    })
    await network.post(`/control/phones/${CONTACT}/text`, { to: id, text: 'Hello, all' })
    await inbound(scene, `/v1/messages/group?pageSize=50&groupId=${id}`, ({ content }) => content === 'Hello, all')
    const { groups } = await number.get<{ groups: { id: string; name: string }[] }>('/v1/groups')
    if (!groups.some((group) => group.id === id && group.name === 'Friends')) throw new Error('the group is not listed')
    const checked = await number.post<{ exists: boolean }[]>('/v1/numbers/check', {
      numbers: [CONTACT, '5511900000004'],
    })
    if (checked.map(({ exists }) => exists).join() !== 'true,false')
      throw new Error(`numbers are checked wrongly: ${JSON.stringify(checked)}`)
    return [undefined, 'a message in the group; the group is listed; one number exists, one does not'] as const
  })
}

async function tellPosts(scene: Scene): Promise<void> {
  const {
    programs: { network },
    receiver,
    report,
  } = scene
  await report.step('a post of a channel and a status post, at the webhook', async () => {
    const { id } = await network.post<{ id: string }>('/control/newsletters', {
      owner: CONTACT,
      name: 'News',
      followers: [OURS],
    })
    await network.post(`/control/newsletters/${id}/posts`, { text: 'New hours' })
    await network.post(`/control/phones/${CONTACT}/story`, { text: 'On holiday' })
    for (const [event, words] of [
      ['message.newsletter', 'New hours'],
      ['message.stories', 'On holiday'],
    ] as const) {
      await eventually(
        `${event} at the webhook`,
        () => receiver.received.find((delivery) => delivery.event === event && delivery.body.includes(words)) ?? null,
        PATIENCE_MS,
      )
    }
    return [undefined, 'message.newsletter, message.stories'] as const
  })
}

async function scanShown(scene: Scene): Promise<void> {
  const {
    programs: { network, code },
  } = scene
  await network.post(`/control/phones/${OURS}/scan`, { qr: await eventually('a code to scan', code, PATIENCE_MS) })
  await untilState(scene, 'OPEN')
}

async function tellLogouts(scene: Scene): Promise<void> {
  const {
    tenant,
    numberId,
    programs: { network },
    report,
  } = scene
  await report.step('unlinked on the phone, paired anew by a code that is typed there, logged out by us', async () => {
    await network.post(`/control/phones/${OURS}/unlink`)
    await untilState(scene, 'CLOSE')
    const pairingCode = await eventually(
      'a code to type',
      async () =>
        await tenant.post<{ pairingCode: string | null }>(`/v1/numbers/${numberId}/connect?pairingCode=1`).then(
          (code) => code.pairingCode,
          () => null,
        ),
      PATIENCE_MS,
    )
    await network.post(`/control/phones/${OURS}/scan`, { pairingCode })
    await untilState(scene, 'OPEN')
    await tenant.post(`/v1/numbers/${numberId}/logout`)
    await eventually(
      'the phone lists no device',
      async () => {
        const { devices } = await network.get<{ devices: unknown[] }>(`/control/phones/${OURS}`)
        return devices.length === 0 ? true : null
      },
      PATIENCE_MS,
    )
    return [undefined, 'CLOSE, OPEN, CLOSE; the phone lists no device'] as const
  })
}

/** Plays a number on the real engine over the offline network, as far as no real phone is needed. */
export async function tellEngineStory(scene: Scene): Promise<void> {
  await scene.report.step(
    'the phone scans the code; the number is OPEN',
    async () => [await scanShown(scene), 'OPEN'] as const,
  )
  await tellTexts(scene)
  await tellMedia(scene)
  await tellRooms(scene)
  await tellPosts(scene)
  await tellLogouts(scene)
}
